//! Makes the change that a hint names, in the text of the schema at hand.
//!
//! Whoever asks compares the outcome before telling anyone: a change may be refused for another reason. Keys come out
//! in another order.

use serde_json::{Map, Number, Value};

use super::facts::is_of_enum_beside_a_type;
use super::words::{Change, bound, is_type};
use crate::compat::difference::{Difference, Facts};
use crate::compat::levels::Direction;

/// How many `$ref`s are followed to one part.
const MAX_REFERENCES: usize = 100;

/// The text with the change that [`super::words::hint`] names; none where that would need more than the facts say.
pub fn mend(text: &str, difference: &Difference, direction: Direction) -> Option<String> {
    use Direction::{Backward, Forward};
    let mut root: Value = serde_json::from_str(text).ok()?;
    let Facts { reader, writer, .. } = &difference.facts;
    let path = difference.path.strip_prefix("#/")?;
    if let Some((keyword, change)) = bound(difference.rule) {
        let part = part(&mut root, path.strip_suffix(keyword)?)?;
        match (change, direction) {
            (Change::Added, Backward) => drop(part.remove(keyword)?),
            (Change::Tightened, Backward) => drop(part.insert(keyword.to_owned(), number(writer)?)),
            (Change::Added | Change::Tightened, Forward) => drop(part.insert(keyword.to_owned(), number(reader)?)),
            _ => return None,
        }
        return Some(root.to_string());
    }
    match (difference.rule, direction) {
        ("PATTERN_ADDED", Backward) => drop(part(&mut root, path.strip_suffix("pattern")?)?.remove("pattern")?),
        ("PATTERN_CHANGED", Backward) => set(&mut root, path, "pattern", Value::from(writer.as_str()))?,
        ("PATTERN_ADDED" | "PATTERN_CHANGED", Forward) => {
            set(&mut root, path, "pattern", Value::from(reader.as_str()))?;
        }
        ("UNIQUE_ITEMS_ADDED", Backward) => {
            drop(part(&mut root, path.strip_suffix("uniqueItems")?)?.remove("uniqueItems")?);
        }
        ("UNIQUE_ITEMS_ADDED", Forward) => set(&mut root, path, "uniqueItems", Value::Bool(true))?,
        ("ADDITIONAL_PROPERTIES_REMOVED" | "ADDITIONAL_PROPERTIES_NARROWED", Backward) => {
            drop(part(&mut root, path.strip_suffix("additionalProperties")?)?.remove("additionalProperties")?);
        }
        ("ADDITIONAL_PROPERTIES_REMOVED", Forward) => {
            set(&mut root, path, "additionalProperties", Value::Bool(false))?;
        }
        ("REQUIRED_ATTRIBUTE_ADDED", _) => {
            let (outer, name) = holder(path, "required")?;
            require(part(&mut root, outer)?, name, direction == Forward)?;
        }
        ("REQUIRED_PROPERTY_ADDED_TO_UNOPEN_CONTENT_MODEL", Backward) => {
            let (outer, name) = holder(path, "properties")?;
            require(part(&mut root, outer)?, name, false)?;
        }
        (rule, Backward) if rule.ends_with("ADDED_TO_OPEN_CONTENT_MODEL") && rule.contains("PROPERTY") => {
            let (outer, name) = holder(path, "properties")?;
            let properties = part(&mut root, outer)?.get_mut("properties")?.as_object_mut()?;
            properties.insert(name.to_owned(), Value::Object(Map::new()));
        }
        ("PROPERTY_REMOVED_FROM_CLOSED_CONTENT_MODEL", Forward) => {
            let (outer, name) = holder(path, "properties")?;
            let part = part(&mut root, outer)?;
            part.get_mut("properties")?.as_object_mut()?.remove(name)?;
            require(part, name, false);
        }
        (rule, direction) if rule == "ENUM_ARRAY_NARROWED" || is_of_enum_beside_a_type(difference) => {
            let holder = if rule == "ENUM_ARRAY_NARROWED" { path.strip_suffix("enum")? } else { path };
            let values = part(&mut root, holder)?.get_mut("enum")?.as_array_mut()?;
            let told: Vec<&str> = writer.split(", ").collect();
            match direction {
                Backward => put_back(values, &told),
                Forward => values.retain(|value| !told.contains(&shown(value).as_str())),
            }
        }
        ("TYPE_NARROWED" | "TYPE_CHANGED", direction) => {
            let kept = if direction == Backward { writer } else { reader };
            let part = part(&mut root, path)?;
            if !is_type(kept) || !part.get("type")?.is_string() {
                return None;
            }
            part.insert("type".to_owned(), Value::from(kept.as_str()));
        }
        _ => return None,
    }
    Some(root.to_string())
}

/// Texts among texts; among other values also what is written like one.
fn put_back(values: &mut Vec<Value>, told: &[&str]) {
    let are_texts = values.iter().all(Value::is_string);
    let value = |told: &&str| match serde_json::from_str(told) {
        Ok(value) if !are_texts => value,
        _ => Value::from(*told),
    };
    values.extend(told.iter().map(value));
}

fn number(text: &str) -> Option<Value> {
    serde_json::from_str::<Number>(text).ok().map(Value::Number)
}

fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn set(root: &mut Value, path: &str, keyword: &str, value: Value) -> Option<()> {
    part(root, path.strip_suffix(keyword)?)?.insert(keyword.to_owned(), value);
    Some(())
}

/// The path of the object that a property belongs to, and the property's name.
fn holder<'p>(path: &'p str, keyword: &str) -> Option<(&'p str, &'p str)> {
    let (outer, name) = path.rsplit_once('/')?;
    Some((outer.strip_suffix(keyword)?, name))
}

fn require(object: &mut Map<String, Value>, name: &str, is_required: bool) -> Option<()> {
    if is_required {
        let names = object.entry("required").or_insert_with(|| Value::Array(Vec::new()));
        names.as_array_mut()?.push(Value::from(name));
        return Some(());
    }
    let names = object.get_mut("required")?.as_array_mut()?;
    names.retain(|value| value.as_str() != Some(name));
    if names.is_empty() {
        object.remove("required");
    }
    Some(())
}

/// The object that a path leads to, through references within the text.
fn part<'v>(root: &'v mut Value, path: &str) -> Option<&'v mut Map<String, Value>> {
    let mut pointer = referred(root, String::new())?;
    for segment in path.split('/').filter(|segment| !segment.is_empty()) {
        pointer.push('/');
        pointer.push_str(&segment.replace('~', "~0"));
        if segment.parse::<usize>().is_ok() && root.pointer(&pointer).is_none() {
            // Places of a tuple stand in prefixItems in later drafts.
            pointer = pointer.replace("/items/", "/prefixItems/");
        }
        pointer = referred(root, pointer)?;
    }
    root.pointer_mut(&pointer)?.as_object_mut()
}

fn referred(root: &Value, mut pointer: String) -> Option<String> {
    for _ in 0..MAX_REFERENCES {
        match root.pointer(&pointer)?.get("$ref").and_then(Value::as_str) {
            Some(reference) => pointer = reference.strip_prefix('#')?.to_owned(),
            None => return Some(pointer),
        }
    }
    None
}
