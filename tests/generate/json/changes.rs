//! Changes of schemas.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::nodes::node;
use super::{PROPERTIES, TYPES, branches, each_node};
use crate::generate::{around, place};

/// A change of a schema; what it does depends on what is at the place.
#[derive(Clone, Debug)]
pub struct Edit {
    what: u8,
    pub(super) at: u16,
    pub(super) with: u16,
    fresh: Value,
}

pub fn edit() -> impl Strategy<Value = Edit> {
    (0..22_u8, any::<u16>(), any::<u16>(), node()).prop_map(|(what, at, with, fresh)| Edit { what, at, with, fresh })
}

/// Changes a schema, or one inside it.
pub fn change_one(root: &mut Value, edit: &Edit) {
    let mut count = 0;
    each_node(root, &mut |_| count += 1);
    let mut left = Some(edit.at / 4 % count);
    each_node(root, &mut |node| {
        if left == Some(0) {
            change(node, edit);
        }
        left = left.and_then(|left| left.checked_sub(1));
    });
}

/// Changes one schema, whatever it is.
fn change(node: &mut Value, edit: &Edit) {
    let name = PROPERTIES[usize::from(edit.with) % PROPERTIES.len()];
    let number = json!(edit.with % 6);
    if !node.is_object() || edit.what == 0 {
        *node = edit.fresh.clone();
        return;
    }
    // Whether keywords count beside a reference is a matter of the draft.
    if node.get("$ref").is_some() && edit.what > 3 {
        return;
    }
    match edit.what {
        1 => *node = json!({ "anyOf": [node, { "type": "null" }] }),
        2 => *node = json!({ "oneOf": [node] }),
        3 => *node = json!({ "oneOf": [node, edit.fresh] }),
        4 => toggle(node, "description", json!("changed")),
        5 => change_limit(node, &number),
        6 => toggle_in(node, "required", json!(name)),
        7 => toggle(node, "additionalProperties", json!(false)),
        8 => node["type"] = json!(TYPES[usize::from(edit.with) % TYPES.len()]),
        9 => toggle_in(node, "enum", json!("S")),
        10 => *node = json!({ "type": ["null", "string"] }),
        11 | 12 => add_branch(node, edit),
        13 | 14 => drop_branch(node, edit.with),
        15 => toggle(node, "additionalProperties", edit.fresh.clone()),
        16 => toggle(node, "patternProperties", json!({ "^a": edit.fresh })),
        17 => toggle(node, "items", edit.fresh.clone()),
        18 => {
            if let Some(Value::Object(properties)) = node.get_mut("properties") {
                properties.remove(name);
            }
        }
        _ => {
            if node.get("properties").is_some_and(Value::is_object) {
                node["properties"][name] = edit.fresh.clone();
            } else {
                change_limit(node, &number);
            }
        }
    }
}

fn toggle(node: &mut Value, keyword: &str, value: Value) {
    let Value::Object(keywords) = node else { return };
    if keywords.remove(keyword).is_none() {
        keywords.insert(keyword.to_owned(), value);
    }
}

fn toggle_in(node: &mut Value, keyword: &str, value: Value) {
    let Value::Object(keywords) = node else { return };
    let Some(Value::Array(list)) = keywords.get_mut(keyword) else {
        // An enum of one value is another schema; a required property is a change.
        if keyword == "required" {
            keywords.insert(keyword.to_owned(), json!([value]));
        }
        return;
    };
    match list.iter().position(|other| *other == value) {
        Some(at) if list.len() > 1 => drop(list.remove(at)),
        Some(_) => drop(keywords.remove(keyword)),
        None => list.push(value),
    }
}

/// The limits of a type: one of them comes, goes or moves.
fn change_limit(node: &mut Value, number: &Value) {
    let limits: &[&str] = match node.get("type").and_then(Value::as_str) {
        Some("string") => &["minLength", "maxLength"],
        Some("integer" | "number") => &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
        Some("object") => &["minProperties", "maxProperties"],
        Some("array") => &["minItems", "maxItems"],
        _ => return,
    };
    let at = number.as_u64().unwrap_or_default() as u16;
    let limit = *around(limits, at).expect("there are some");
    match node.get(limit) {
        Some(_) if at == 0 => toggle(node, limit, json!(null)),
        _ => node[limit] = number.clone(),
    }
}

fn add_branch(node: &mut Value, edit: &Edit) {
    match branches(node) {
        Some(branches) => branches.push(edit.fresh.clone()),
        None => *node = json!({ "anyOf": [node, edit.fresh] }),
    }
}

fn drop_branch(node: &mut Value, with: u16) {
    if let Some(branches) = branches(node)
        && branches.len() > 1
        && let Some(at) = place(branches, with)
    {
        branches.remove(at);
    }
}
