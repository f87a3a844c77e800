//! Whether two schemas certainly have no data in common. Nothing is said where that would take thought: patterns,
//! formats and conditions are taken to leave room.

use super::properties::Rest;
use super::same::{key, set};
use super::{Adviser, Side, list, members};
use crate::schema::json::{Object, Part, Value};

/// How deep properties within properties are looked into.
const MAX_DEPTH: usize = 6;

impl<'v> Adviser<'_, 'v> {
    /// Whether nothing fits both parts, which are of one schema.
    pub(super) fn are_disjoint(&mut self, side: Side, one: Part<'v>, other: Part<'v>) -> bool {
        self.no_common(side, one, other, 0)
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
const NUMBER: u8 = 4;
const STRING: u8 = 8;
const ARRAY: u8 = 16;
const OBJECT: u8 = 32;
const ALL: u8 = 63;

/// The types that a schema leaves room for.
fn types(object: &Object<'_>) -> u8 {
    let of_name = |name: &Value<'_>| match name.as_str() {
        Some("null") => NULL,
        Some("boolean") => BOOLEAN,
        Some("integer" | "number") => NUMBER,
        Some("string") => STRING,
        Some("array") => ARRAY,
        Some("object") => OBJECT,
        _ => ALL,
    };
    let of_value = |value: &Value<'_>| match value {
        Value::Null => NULL,
        Value::Bool(_) => BOOLEAN,
        Value::Number(_) => NUMBER,
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
    types(one) & types(other) == NUMBER && (above(one, other) || above(other, one))
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
