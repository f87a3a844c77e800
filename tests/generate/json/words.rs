//! How schemas are written.

use serde_json::{Map, Value};

use super::{LISTED, NAMED, ONE, set};

pub fn in_later_words(whole: &mut Value) {
    let rename = |node: &mut Value| {
        let Value::Object(keywords) = node else { return };
        if let Some(Value::String(reference)) = keywords.get_mut("$ref") {
            *reference = reference.replace("#/definitions/", "#/$defs/");
        }
        if let Some(Value::Array(_)) = keywords.get("items")
            && let Some(tuple) = keywords.remove("items")
        {
            keywords.insert("prefixItems".to_owned(), tuple);
            rename_key(keywords, "additionalItems", "items");
        }
        rename_key(keywords, "dependencies", "dependentRequired");
    };
    let mut definitions = whole.as_object_mut().and_then(|keywords| keywords.remove("definitions"));
    if let Some(Value::Object(named)) = &mut definitions {
        named.values_mut().for_each(|node| each_node_inside_out(node, &rename));
    }
    each_node_inside_out(whole, &rename);
    set(whole, "$defs", definitions);
}

fn rename_key(keywords: &mut Map<String, Value>, from: &str, to: &str) {
    if let Some(value) = keywords.remove(from) {
        keywords.insert(to.to_owned(), value);
    }
}

fn each_node_inside_out(node: &mut Value, visit: &impl Fn(&mut Value)) {
    if let Value::Object(keywords) = node {
        for (keyword, value) in keywords.iter_mut() {
            let keyword = keyword.as_str();
            match value {
                Value::Object(named) if NAMED.contains(&keyword) => {
                    named.values_mut().for_each(|value| each_node_inside_out(value, visit));
                }
                Value::Array(listed) if LISTED.contains(&keyword) => {
                    listed.iter_mut().for_each(|value| each_node_inside_out(value, visit));
                }
                value if ONE.contains(&keyword) => each_node_inside_out(value, visit),
                _ => {}
            }
        }
    }
    visit(node);
}

pub fn write_shuffled(value: &Value, rng: &mut fastrand::Rng, out: &mut String) {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            rng.shuffle(&mut entries);
            out.push('{');
            for (at, (key, value)) in entries.into_iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                out.push_str(&Value::from(key.as_str()).to_string());
                out.push(':');
                write_shuffled(value, rng, out);
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for (at, value) in items.iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                write_shuffled(value, rng, out);
            }
            out.push(']');
        }
        scalar => out.push_str(&scalar.to_string()),
    }
}
