//! Whether two schemas certainly have no data in common. Nothing is said where that would take thought: patterns,
//! formats and conditions are taken to leave room.

use super::properties::Rest;
use super::same::{demands, is_anything, key, set};
use super::{Adviser, Side, list, members};
use crate::schema::json::{Object, Part, Value};

/// How deep properties within properties are looked into.
const MAX_DEPTH: usize = 6;

impl<'v> Adviser<'_, 'v> {
    /// Whether nothing fits both parts, which are of one schema.
    pub(super) fn are_disjoint(&mut self, side: Side, one: Part<'v>, other: Part<'v>) -> bool {
        self.no_common(side, one, other, 0)
    }

    /// Whether a part may take data that its counterpart does not. It does so unless it plainly demands as much.
    pub(super) fn may_take_more(&mut self, new: (Side, Part<'v>), old: (Side, Part<'v>)) -> bool {
        self.takes_more(new, old, 0)
    }

    fn takes_more(&mut self, new: (Side, Part<'v>), old: (Side, Part<'v>), depth: usize) -> bool {
        if depth > MAX_DEPTH {
            return true;
        }
        if self.spent(1) {
            return false;
        }
        let (after, before) = ((new.0, self.followed(new.0, new.1)), (old.0, self.followed(old.0, old.1)));
        if is_anything(before.1.value) {
            return false;
        }
        let (Value::Object(object), Value::Object(old_object)) = (after.1.value, before.1.value) else { return true };
        if lists_more(object, old_object) {
            return true;
        }
        old_object.iter().filter(|(keyword, _)| demands(keyword)).any(|(keyword, was)| match object.get(keyword) {
            None => true,
            Some(is) => match keyword {
                "properties" => self.properties_take_more((after, object), (before, old_object), depth),
                "items" | "additionalProperties" => {
                    let is = (after.0, self.written(after.0).child(after.1, is));
                    let was = (before.0, self.written(before.0).child(before.1, was));
                    self.takes_more(is, was, depth + 1)
                }
                "required" => set(was).iter().any(|name| set(is).binary_search(name).is_err()),
                "enum" => set(is).iter().any(|value| set(was).binary_search(value).is_err()),
                "type" => types(object) & !types(old_object) != 0,
                _ => is_looser(keyword, is, was),
            },
        })
    }

    fn properties_take_more(
        &mut self,
        (new, object): ((Side, Part<'v>), &'v Object<'v>),
        (old, old_object): ((Side, Part<'v>), &'v Object<'v>),
        depth: usize,
    ) -> bool {
        let (Some(is), Some(was)) = (members(object, "properties"), members(old_object, "properties")) else {
            return true;
        };
        was.iter().any(|(name, before)| match is.get(name) {
            None => !is_anything(before),
            Some(after) => {
                let after = (new.0, self.written(new.0).child(new.1, after));
                let before = (old.0, self.written(old.0).child(old.1, before));
                self.takes_more(after, before, depth + 1)
            }
        })
    }

    fn no_common(&mut self, side: Side, one: Part<'v>, other: Part<'v>, depth: usize) -> bool {
        if depth > MAX_DEPTH {
            return false;
        }
        if self.spent(1) {
            return true;
        }
        let (one, other) = (self.followed(side, one), self.followed(side, other));
        let (object, other_object) = match (one.value, other.value) {
            (Value::Bool(false), _) | (_, Value::Bool(false)) => return true,
            (Value::Object(one), Value::Object(other)) => (one, other),
            _ => return false,
        };
        types(object) & types(other_object) == 0
            || no_common_value(object, other_object)
            || no_common_number(object, other_object)
            || no_common_length(object, other_object)
            || negates(object, other_object)
            || negates(other_object, object)
            || self.no_common_property(side, (one, object), (other, other_object), depth)
            || self.combination_excludes(side, (one, object), other, depth)
            || self.combination_excludes(side, (other, other_object), one, depth)
    }

    /// Objects that both demand a property, and something else of it.
    fn no_common_property(
        &mut self,
        side: Side,
        (one, object): (Part<'v>, &'v Object<'v>),
        (other, other_object): (Part<'v>, &'v Object<'v>),
        depth: usize,
    ) -> bool {
        if types(object) & types(other_object) != OBJECT {
            return false;
        }
        let names = list(object, "required").iter().chain(list(other_object, "required"));
        for name in names.filter_map(Value::as_str) {
            let found = |of: &'v Object<'v>| members(of, "properties").and_then(|properties| properties.get(name));
            let is_excluded = |of: &'v Object<'v>| {
                found(of).is_none() && Rest::of(of) == Rest::Refused && members(of, "patternProperties").is_none()
            };
            if is_excluded(object) || is_excluded(other_object) {
                return true;
            }
            if let (Some(value), Some(other_value)) = (found(object), found(other_object)) {
                let value = self.written(side).child(one, value);
                let other_value = self.written(side).child(other, other_value);
                if self.no_common(side, value, other_value, depth + 1) {
                    return true;
                }
            }
        }
        false
    }

    /// Nothing fits all of these, or any of these.
    fn combination_excludes(
        &mut self,
        side: Side,
        (one, object): (Part<'v>, &'v Object<'v>),
        other: Part<'v>,
        depth: usize,
    ) -> bool {
        let all = self.parts(side, one, list(object, "allOf"));
        if all.into_iter().any(|branch| self.no_common(side, branch, other, depth + 1)) {
            return true;
        }
        ["anyOf", "oneOf"].into_iter().any(|keyword| {
            let branches = self.parts(side, one, list(object, keyword));
            !branches.is_empty() && branches.into_iter().all(|branch| self.no_common(side, branch, other, depth + 1))
        })
    }
}

const NULL: u8 = 1;
const BOOLEAN: u8 = 2;
const INTEGER: u8 = 4;
/// What is a number and no integer.
const FRACTION: u8 = 64;
const NUMBER: u8 = INTEGER | FRACTION;
const STRING: u8 = 8;
const ARRAY: u8 = 16;
const OBJECT: u8 = 32;
const ALL: u8 = 127;

/// The types that a schema leaves room for.
pub(super) fn types(object: &Object<'_>) -> u8 {
    let of_name = |name: &Value<'_>| match name.as_str() {
        Some("null") => NULL,
        Some("boolean") => BOOLEAN,
        Some("integer") => INTEGER,
        Some("number") => NUMBER,
        Some("string") => STRING,
        Some("array") => ARRAY,
        Some("object") => OBJECT,
        _ => ALL,
    };
    let of_value = |value: &Value<'_>| match value {
        Value::Null => NULL,
        Value::Bool(_) => BOOLEAN,
        Value::Number(text) => type_of_number(text),
        Value::String(_) => STRING,
        Value::Array(_) => ARRAY,
        Value::Object(_) => OBJECT,
    };
    let by_type = match object.get("type") {
        None => ALL,
        Some(Value::Array(names)) => names.iter().fold(0, |types, name| types | of_name(name)),
        Some(name) => of_name(name),
    };
    let by_value = match (object.get("const"), object.get("enum")) {
        (Some(value), _) => of_value(value),
        (None, Some(Value::Array(values))) => values.iter().fold(0, |types, value| types | of_value(value)),
        _ => ALL,
    };
    by_type & by_value
}

fn type_of_number(text: &str) -> u8 {
    let is_fraction = text.parse::<f64>().is_ok_and(|number| number.is_finite() && number.fract() != 0.0);
    match text.contains(['.', 'e', 'E']) {
        false => INTEGER,
        true if is_fraction => FRACTION,
        true => NUMBER,
    }
}

/// Listing one more property, or a pattern of them, takes more in a closed object, and less in an open one.
fn lists_more(object: &Object<'_>, old_object: &Object<'_>) -> bool {
    let is_new = |keyword: &str, name: &str| !members(old_object, keyword).is_some_and(|listed| listed.has(name));
    Rest::of(old_object) != Rest::Free
        && ["properties", "patternProperties"].into_iter().any(|keyword| {
            members(object, keyword).is_some_and(|listed| listed.iter().any(|(name, _)| is_new(keyword, name)))
        })
}

/// Whether a keyword with one value may demand less than with another.
fn is_looser(keyword: &str, is: &Value<'_>, was: &Value<'_>) -> bool {
    if key(is) == key(was) {
        return false;
    }
    let limit = |value: &Value<'_>| match value {
        Value::Number(text) => text.parse::<f64>().ok(),
        _ => None,
    };
    match (keyword, limit(is), limit(was)) {
        ("maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties", Some(is), Some(was)) => is > was,
        ("minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties", Some(is), Some(was)) => is < was,
        _ => true,
    }
}

/// Both list their values, and none is the same.
fn no_common_value(one: &Object<'_>, other: &Object<'_>) -> bool {
    let values = |of: &Object<'_>| match (of.get("const"), of.get("enum")) {
        (Some(value), _) => Some(vec![key(value)]),
        (None, Some(values)) => Some(set(values)),
        _ => None,
    };
    match (values(one), values(other)) {
        (Some(one), Some(other)) => one.iter().all(|value| other.binary_search(value).is_err()),
        _ => false,
    }
}

/// Both are numbers, and their ranges do not meet.
fn no_common_number(one: &Object<'_>, other: &Object<'_>) -> bool {
    let above = |one: &Object<'_>, other: &Object<'_>| {
        let exceeds = |low: &str, high: &str, even_equal: bool| match (number(one, low), number(other, high)) {
            (Some(low), Some(high)) => low > high || even_equal && low == high,
            _ => false,
        };
        exceeds("minimum", "maximum", false)
            || exceeds("exclusiveMinimum", "maximum", true)
            || exceeds("minimum", "exclusiveMaximum", true)
            || exceeds("exclusiveMinimum", "exclusiveMaximum", true)
    };
    let common = types(one) & types(other);
    common != 0 && common & !NUMBER == 0 && (above(one, other) || above(other, one))
}

/// Both are texts or lists, and their lengths do not meet.
fn no_common_length(one: &Object<'_>, other: &Object<'_>) -> bool {
    let (low, high) = match types(one) & types(other) {
        STRING => ("minLength", "maxLength"),
        ARRAY => ("minItems", "maxItems"),
        _ => return false,
    };
    let above = |one: &Object<'_>, other: &Object<'_>| match (number(one, low), number(other, high)) {
        (Some(low), Some(high)) => low > high,
        _ => false,
    };
    above(one, other) || above(other, one)
}

/// One forbids the properties that the other requires: `"not": {"required": ["a"]}`.
fn negates(one: &Object<'_>, other: &Object<'_>) -> bool {
    let Some(negated) = members(one, "not").filter(|negated| negated.len() == 1 && negated.has("required")) else {
        return false;
    };
    let required = set_of(list(other, "required"));
    let forbidden = set_of(list(negated, "required"));
    types(other) == OBJECT && !forbidden.is_empty() && forbidden.iter().all(|name| required.contains(name))
}

fn set_of<'v>(names: &'v [Value<'v>]) -> std::collections::HashSet<&'v str> {
    names.iter().filter_map(Value::as_str).collect()
}

fn number(object: &Object<'_>, keyword: &str) -> Option<f64> {
    match object.get(keyword) {
        Some(Value::Number(text)) => text.parse().ok(),
        _ => None,
    }
}
