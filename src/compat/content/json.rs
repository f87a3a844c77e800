//! The parts of a JSON Schema: properties at any depth, what is required, allowed values; the rest by its path.

use serde_json::{Map, Value};

use super::Content;

/// Keywords whose value holds schemas by a name of its own.
const NAMED: [&str; 5] = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];

/// Deeper than this is told as a whole: names of names grow with depth.
const MAX_PLACE: usize = 500;

/// Takes a schema apart.
pub(super) fn take_apart(schema: Value, content: &mut Content) {
    schema_at("", schema, content);
}

/// `place` is empty for the schema itself. Depth is bounded by the text's.
fn schema_at(place: &str, schema: Value, content: &mut Content) {
    let says = match schema {
        Value::Object(mut object) if place.len() <= MAX_PLACE => {
            for keyword in NAMED {
                if let Some(Value::Object(named)) = object.remove(keyword) {
                    named_at(place, keyword, named, content);
                }
            }
            words_at(place, &mut object, content);
            inner_at(place, &mut object, content);
            Value::Object(object)
        }
        other => other,
    };
    let part = if place.is_empty() { "the schema itself".to_owned() } else { place.to_owned() };
    content.add(part, says.to_string());
}

fn named_at(place: &str, keyword: &str, named: Map<String, Value>, content: &mut Content) {
    let word = match keyword {
        "properties" => "property",
        "patternProperties" => "pattern",
        _ => "definition",
    };
    for (name, schema) in named {
        schema_at(&format!("{word} {name}{}", of(place)), schema, content);
    }
}

/// Lists whose order says nothing.
fn words_at(place: &str, object: &mut Map<String, Value>, content: &mut Content) {
    for (keyword, word) in [("required", "the need for property"), ("enum", "value")] {
        if !object.get(keyword).is_some_and(Value::is_array) {
            continue;
        }
        if let Some(Value::Array(all)) = object.remove(keyword) {
            for one in all {
                let one = one.as_str().map_or_else(|| one.to_string(), str::to_owned);
                content.add(format_args!("{word} {one}{}", of(place)), String::new());
            }
        }
    }
}

/// Schemas under a keyword, whose properties are parts of their own.
fn inner_at(place: &str, object: &mut Map<String, Value>, content: &mut Content) {
    for keyword in ["items", "additionalProperties", "not", "contains"] {
        if object.get(keyword).is_some_and(Value::is_object)
            && let Some(inner) = object.remove(keyword)
        {
            schema_at(&format!("{keyword}{}", of(place)), inner, content);
        }
    }
    for keyword in ["allOf", "anyOf", "oneOf"] {
        if let Some(Value::Array(branches)) = object.get_mut(keyword) {
            for (at, branch) in branches.iter_mut().enumerate() {
                schema_at(&format!("{keyword} branch {}{}", at + 1, of(place)), branch.take(), content);
            }
        }
    }
}

fn of(place: &str) -> String {
    if place.is_empty() { String::new() } else { format!(" of {place}") }
}
