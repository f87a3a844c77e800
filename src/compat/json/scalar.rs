//! Strings, numbers, enums, constants and negations.

use std::collections::BTreeSet;

use super::checker::{At, BYTES_AT_ONCE, Checker, Stop};
use super::rule::{self, Bound};
use crate::compat::difference::Failure;
use crate::schema::json::{ConstNode, EnumNode, Number, NumberNode, StringNode, Text};

/// Values are sorted into sets.
const WORK_OF_VALUE: usize = 2;

impl Checker<'_> {
    /// StringSchemaDiff. Formats are not looked at.
    pub fn strings(&mut self, old: &StringNode, new: &StringNode) {
        self.bound(&rule::MAX_LENGTH, old.max_length, new.max_length);
        self.bound(&rule::MIN_LENGTH, old.min_length, new.min_length);
        let length = |string: &StringNode| string.pattern.as_ref().map_or(0, |pattern| pattern.len());
        self.budget.work((length(old) + length(new)) / BYTES_AT_ONCE);
        match (&old.pattern, &new.pattern) {
            (None, Some(_)) => self.add_at("pattern", rule::PATTERN_ADDED),
            (Some(_), None) => self.add_at("pattern", rule::PATTERN_REMOVED),
            (old, new) if old != new => self.add_at("pattern", rule::PATTERN_CHANGED),
            _ => {}
        }
    }

    /// A bound that is a whole number.
    pub fn bound(&mut self, bound: &Bound, old: Option<i32>, new: Option<i32>) {
        let rule = match (old, new) {
            (None, Some(_)) => bound.added,
            (Some(_), None) => bound.removed,
            (Some(old), Some(new)) if old < new => bound.increased,
            (Some(old), Some(new)) if old > new => bound.decreased,
            _ => return,
        };
        self.add_at(bound.keyword, rule);
    }

    /// NumberSchemaDiff. Draft 4's exclusive limits are not looked at.
    pub fn numbers(&mut self, old: &NumberNode, new: &NumberNode) -> Result<(), Stop> {
        self.limit(&rule::MAXIMUM, old.maximum.as_ref(), new.maximum.as_ref());
        self.limit(&rule::MINIMUM, old.minimum.as_ref(), new.minimum.as_ref());
        self.exclusive_maximum(old, new)?;
        self.limit(&rule::EXCLUSIVE_MINIMUM, old.exclusive_minimum.as_ref(), new.exclusive_minimum.as_ref());
        self.multiple_of(old.multiple_of.as_ref(), new.multiple_of.as_ref())?;
        if old.requires_integer != new.requires_integer {
            self.add(if old.requires_integer { rule::TYPE_EXTENDED } else { rule::TYPE_NARROWED });
        }
        Ok(())
    }

    /// A limit, compared as a double.
    pub fn limit(&mut self, bound: &Bound, old: Option<&Number>, new: Option<&Number>) {
        let rule = match (old, new) {
            (None, Some(_)) => bound.added,
            (Some(_), None) => bound.removed,
            (Some(old), Some(new)) if old.double() < new.double() => bound.increased,
            (Some(old), Some(new)) if old.double() > new.double() => bound.decreased,
            _ => return,
        };
        self.add_at(bound.keyword, rule);
    }

    /// EXCLUSIVE_MAXIMUM_DECREASED is told by the new schema's `maximum`, not its `exclusiveMaximum`: without a
    /// maximum the registry fails, and below a greater one it sees nothing.
    fn exclusive_maximum(&mut self, old: &NumberNode, new: &NumberNode) -> Result<(), Stop> {
        let (Some(old_limit), Some(new_limit)) = (&old.exclusive_maximum, &new.exclusive_maximum) else {
            self.limit(&rule::EXCLUSIVE_MAXIMUM, old.exclusive_maximum.as_ref(), new.exclusive_maximum.as_ref());
            return Ok(());
        };
        self.digits(Some(old_limit), Some(new_limit));
        if old_limit.java_equals(new_limit) {
            return Ok(());
        }
        if old_limit.double() < new_limit.double() {
            self.add_at(rule::EXCLUSIVE_MAXIMUM.keyword, rule::EXCLUSIVE_MAXIMUM.increased);
            return Ok(());
        }
        let Some(maximum) = &new.maximum else {
            let why = "exclusiveMaximum was changed without a maximum, which its checker then looks for";
            return Err(Failure::RegistryError(why.to_owned()).into());
        };
        if old_limit.double() > maximum.double() {
            self.add_at(rule::EXCLUSIVE_MAXIMUM.keyword, rule::EXCLUSIVE_MAXIMUM.decreased);
        }
        Ok(())
    }

    /// MULTIPLE_OF_*. Final releases up to 8.3.1 compare whole parts only, and divide by zero below 1.
    fn multiple_of(&mut self, old: Option<&Number>, new: Option<&Number>) -> Result<(), Stop> {
        self.digits(old, new);
        let rule = match (old, new) {
            (None, None) => return Ok(()),
            (None, Some(_)) => rule::MULTIPLE_OF_ADDED,
            (Some(_), None) => rule::MULTIPLE_OF_REMOVED,
            (Some(old), Some(new)) if old.java_equals(new) => return Ok(()),
            (Some(old), Some(new)) => {
                if self.is_multiple(new, old)? {
                    rule::MULTIPLE_OF_EXPANDED
                } else if self.is_multiple(old, new)? {
                    rule::MULTIPLE_OF_REDUCED
                } else {
                    rule::MULTIPLE_OF_CHANGED
                }
            }
        };
        self.add_at("multipleOf", rule);
        Ok(())
    }

    /// Numbers that are reckoned with are read anew, digit by digit.
    fn digits(&mut self, old: Option<&Number>, new: Option<&Number>) {
        self.budget.work(old.into_iter().chain(new).map(|number| number.text().len()).sum());
    }

    fn is_multiple(&mut self, a: &Number, b: &Number) -> Result<bool, Failure> {
        if !self.rules.multiple_of_as_integers {
            if b.double() == 0.0 {
                return Err(Failure::RegistryError("its checker divides by multipleOf 0".to_owned()));
            }
            let too_far = || Failure::Unsupported("the values of multipleOf are too far apart".to_owned());
            return a.is_multiple_of(b).ok_or_else(too_far);
        }
        self.took_shortcut = true;
        if b.int() == 0 {
            let why = format!("its checker takes the whole part of multipleOf {} and divides by it", b.text());
            return Err(Failure::RegistryError(why));
        }
        Ok(a.int().wrapping_rem(b.int()) == 0)
    }

    /// EnumSchemaDiff: sets of values.
    pub fn enums(&mut self, old: &EnumNode, new: &EnumNode) {
        self.budget.work((old.keys.len() + new.keys.len()) / 4);
        if old.keys == new.keys {
            return;
        }
        self.budget.work((old.keys.len() + new.keys.len()) * WORK_OF_VALUE);
        let (old, new) = (set(old), set(new));
        let rule = match (new.is_superset(&old), old.is_superset(&new)) {
            (true, true) => return,
            (true, false) => rule::ENUM_ARRAY_EXTENDED,
            (false, true) => rule::ENUM_ARRAY_NARROWED,
            (false, false) => rule::ENUM_ARRAY_CHANGED,
        };
        self.add_at("enum", rule);
    }

    /// Constants must be equal; the registry fails where the old one is null.
    pub fn constants(&mut self, old: &ConstNode, new: &ConstNode) -> Result<(), Stop> {
        if old.key.is_none() {
            return Err(Failure::RegistryError("its checker fails over the constant null".to_owned()).into());
        }
        if old.key != new.key {
            self.add_at("const", rule::ENUM_ARRAY_CHANGED);
        }
        Ok(())
    }

    /// NotSchemaDiff: what is forbidden may shrink, so the two change places.
    pub fn negations(&mut self, old: At, new: At) -> Result<(), Stop> {
        self.within("not", |checker| {
            let (before, was_unsettled) = (checker.noted.mark(), checker.is_unsettled);
            checker.compare(new, old)?;
            let is_compatible = checker.is_compatible_since(before);
            checker.noted.strike_since(before);
            checker.is_unsettled = was_unsettled;
            checker.add(if is_compatible { rule::NOT_TYPE_NARROWED } else { rule::NOT_TYPE_EXTENDED });
            Ok(())
        })
    }
}

fn set(values: &EnumNode) -> BTreeSet<&Text> {
    values.keys.iter().collect()
}
