//! Whether two parts demand the same, whatever describes them, and wherever what they demand stands.

use std::collections::{HashSet, VecDeque};

use super::{Adviser, Side};
use crate::schema::json::{Dialect, Number, Object, Part, Value, canonical};

/// What a keyword holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holds {
    /// A schema, or a list of them.
    Schemas,
    /// Schemas by name, or lists of names by name.
    Named,
    /// A list in any order.
    Set,
    /// Something else.
    Value,
}

fn holds(keyword: &str) -> Option<Holds> {
    Some(match keyword {
        "not"
        | "if"
        | "then"
        | "else"
        | "contains"
        | "propertyNames"
        | "additionalProperties"
        | "additionalItems"
        | "unevaluatedProperties"
        | "unevaluatedItems"
        | "items"
        | "prefixItems"
        | "allOf"
        | "anyOf"
        | "oneOf" => Holds::Schemas,
        "properties" | "patternProperties" | "dependencies" | "dependentSchemas" | "dependentRequired" => Holds::Named,
        "type" | "enum" | "required" => Holds::Set,
        "const" | "format" | "pattern" | "minLength" | "maxLength" | "minimum" | "maximum" | "exclusiveMinimum"
        | "exclusiveMaximum" | "multipleOf" | "minItems" | "maxItems" | "uniqueItems" | "minContains"
        | "maxContains" | "minProperties" | "maxProperties" => Holds::Value,
        _ => return None,
    })
}

/// Whether a keyword demands something of data.
pub(super) fn demands(keyword: &str) -> bool {
    holds(keyword).is_some()
}

/// The parts of both sides are told apart by where their texts are held.
pub(super) type Ids<'v> = (*const Value<'v>, *const Value<'v>);

fn ids<'v>(one: Part<'v>, other: Part<'v>) -> Ids<'v> {
    (one.value, other.value)
}

type Pairs<'v> = VecDeque<(Part<'v>, Part<'v>)>;

impl<'v> Adviser<'_, 'v> {
    /// Whether two parts of the two schemas demand the same. Taken to be so where that takes too long to tell.
    pub(super) fn same(&mut self, new: Part<'v>, old: Part<'v>) -> bool {
        self.same_in((Side::New, new), (Side::Old, old))
    }

    /// The same for parts of any of the two.
    pub(super) fn same_in(&mut self, one: (Side, Part<'v>), other: (Side, Part<'v>)) -> bool {
        let sides = (one.0, other.0);
        let pair = ids(one.1, other.1);
        let mut seen = HashSet::new();
        // What is near is looked at first: most that differs differs there.
        let mut next: Pairs<'v> = VecDeque::from([(one.1, other.1)]);
        while let Some((one, other)) = next.pop_front() {
            if self.steps_left == 0 {
                return true;
            }
            self.steps_left -= 1;
            let (one, other) = (self.followed(sides.0, one), self.followed(sides.1, other));
            let is_same = match self.known_same.get(&ids(one, other)) {
                Some(known) => *known,
                None => !seen.insert(ids(one, other)) || self.demand_the_same(sides, one, other, &mut next),
            };
            if !is_same {
                self.known_same.insert(pair, false);
                return false;
            }
        }
        // What was met again while it was looked at is the same if all the rest is.
        self.known_same.extend(seen.into_iter().map(|pair| (pair, true)));
        true
    }

    /// Compares two parts, and leaves the parts within them to do.
    fn demand_the_same(&mut self, sides: (Side, Side), one: Part<'v>, other: Part<'v>, next: &mut Pairs<'v>) -> bool {
        let (object, other_object) = match (one.value, other.value) {
            (Value::Object(object), Value::Object(other)) => (object, other),
            (Value::Bool(one), Value::Bool(other)) => return one == other,
            _ => return is_anything(one.value) && is_anything(other.value),
        };
        let count = |object: &Object<'v>| object.iter().filter(|(name, _)| demands(name)).count();
        if count(object) != count(other_object) {
            return false;
        }
        for (keyword, value) in object.iter() {
            let Some(holds) = holds(keyword) else { continue };
            let Some(other_value) = other_object.get(keyword) else { return false };
            self.steps_left = self.steps_left.saturating_sub(1);
            let same = match holds {
                Holds::Schemas => self.children_of(sides, (one, value), (other, other_value), next),
                Holds::Named => self.named_children(sides, (one, value), (other, other_value), next),
                Holds::Set => set(value) == set(other_value),
                Holds::Value => key(value) == key(other_value),
            };
            if !same {
                return false;
            }
        }
        // Beside other keywords $ref counts in later dialects only; elsewhere it was followed.
        let behind = |adviser: &mut Self, side, part: Part<'v>| {
            if part.dialect() == Dialect::Later { adviser.written(side).behind(part) } else { None }
        };
        match (behind(self, sides.0, one), behind(self, sides.1, other)) {
            (Some(one), Some(other)) => next.push_back((one, other)),
            (None, None) => {}
            _ => return false,
        }
        true
    }

    fn children_of(
        &mut self,
        sides: (Side, Side),
        (one, value): (Part<'v>, &'v Value<'v>),
        (other, other_value): (Part<'v>, &'v Value<'v>),
        next: &mut Pairs<'v>,
    ) -> bool {
        let pairs: Vec<(&'v Value<'v>, &'v Value<'v>)> = match (value, other_value) {
            (Value::Array(items), Value::Array(others)) if items.len() == others.len() => {
                items.iter().zip(others).collect()
            }
            (Value::Array(_), _) | (_, Value::Array(_)) => return false,
            pair => vec![pair],
        };
        for (value, other_value) in pairs {
            let one = self.written(sides.0).child(one, value);
            let other = self.written(sides.1).child(other, other_value);
            next.push_back((one, other));
        }
        true
    }

    fn named_children(
        &mut self,
        sides: (Side, Side),
        (one, value): (Part<'v>, &'v Value<'v>),
        (other, other_value): (Part<'v>, &'v Value<'v>),
        next: &mut Pairs<'v>,
    ) -> bool {
        let (Some(members), Some(others)) = (value.as_object(), other_value.as_object()) else { return false };
        if members.len() != others.len() {
            return false;
        }
        for (name, value) in members.iter() {
            let Some(other_value) = others.get(name) else { return false };
            if matches!(value, Value::Array(_)) || matches!(other_value, Value::Array(_)) {
                if set(value) != set(other_value) {
                    return false;
                }
                continue;
            }
            let one = self.written(sides.0).child(one, value);
            let other = self.written(sides.1).child(other, other_value);
            next.push_back((one, other));
        }
        true
    }
}

/// `true` or `{}`.
pub(super) fn is_anything(value: &Value<'_>) -> bool {
    match value {
        Value::Bool(is) => *is,
        Value::Object(object) => !object.iter().any(|(name, _)| demands(name) || name == "$ref"),
        _ => false,
    }
}

/// A text that is equal for equal values.
pub(super) fn key(value: &Value<'_>) -> Box<str> {
    canonical(value, Number::jackson)
}

/// The values of a list in any order; of anything else, itself.
pub(super) fn set(value: &Value<'_>) -> Vec<Box<str>> {
    let mut keys: Vec<Box<str>> = match value {
        Value::Array(items) => items.iter().map(key).collect(),
        other => vec![key(other)],
    };
    keys.sort_unstable();
    keys.dedup();
    keys
}
