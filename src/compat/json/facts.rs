//! What a sentence about a difference is made of: which part of the schema it is about, and what stands there on
//! either side.

use super::checker::{At, Side};
use super::noted::Found;
use super::rule::COMBINED_TYPE_SUBSCHEMAS_CHANGED;
use crate::compat::difference::{Difference, Facts};
use crate::schema::json::{EnumNode, Kind, Node, Schema, shown};

/// How much work it is to bring them together, beyond the text that comes of it.
pub fn work(found: &Found, reader: &Schema, writer: &Schema) -> usize {
    let values = |at: At| match &if at.side == Side::Reader { reader } else { writer }.node(at.id).kind {
        Kind::Enum(values) => values.keys.len() * 8,
        _ => 0,
    };
    found.old.map_or(0, values) + found.new.map_or(0, values)
}

/// The facts of a difference. `old` is the writer's side, `new` the reader's.
pub fn facts(found: &Found, reader: &Schema, writer: &Schema) -> Facts {
    let whole = |at: At| match at.side {
        Side::Reader => reader,
        Side::Writer => writer,
    };
    let node = |at: Option<At>| at.map(|at| whole(at).node(at.id));
    let beside_a_type = |at: Option<At>| at.and_then(|at| enum_beside_a_type(whole(at), at));
    let (new, old) = (node(found.new), node(found.old));
    let (reader, writer) = match found.rule.name {
        name if name.starts_with("ENUM_ARRAY") => values(new, old),
        name => match beside_a_type(found.new).zip(beside_a_type(found.old)).map(|(new, old)| only_in(old, new)) {
            Some(lost) if !lost.is_empty() && name == COMBINED_TYPE_SUBSCHEMAS_CHANGED.name => (String::new(), lost),
            _ => (
                new.map_or_else(String::new, |node| value(name, node)),
                old.map_or_else(String::new, |node| value(name, node)),
            ),
        },
    };
    Facts { subject: subject(&found.path), reader, writer }
}

/// Whether the difference is that of a combination which nobody wrote: an `enum` beside a `type` lost values, which
/// are what the writer has.
pub fn is_of_enum_beside_a_type(difference: &Difference) -> bool {
    let Difference { rule, facts, .. } = difference;
    *rule == COMBINED_TYPE_SUBSCHEMAS_CHANGED.name && facts.reader.is_empty() && !facts.writer.is_empty()
}

fn enum_beside_a_type(schema: &Schema, at: At) -> Option<&EnumNode> {
    let Kind::Combined(combined) = &schema.node(at.id).kind else { return None };
    let mut branches = combined.branches.iter().filter(|_| combined.is_synthetic);
    branches.find_map(|id| match &schema.node(*id).kind {
        Kind::Enum(values) => Some(values),
        _ => None,
    })
}

/// Values that only one side has.
fn values(new: Option<&Node>, old: Option<&Node>) -> (String, String) {
    match (new.map(|node| &node.kind), old.map(|node| &node.kind)) {
        (Some(Kind::Enum(new)), Some(Kind::Enum(old))) => (only_in(new, old), only_in(old, new)),
        (Some(Kind::Const(new)), Some(Kind::Const(old))) => {
            let shown = |key: &Option<Box<str>>| key.as_deref().map_or_else(|| "null".to_owned(), shown);
            (shown(&new.key), shown(&old.key))
        }
        _ => Default::default(),
    }
}

fn only_in(here: &EnumNode, there: &EnumNode) -> String {
    let there: std::collections::HashSet<&str> = there.keys.iter().map(|key| &**key).collect();
    let only: Vec<String> = here.keys.iter().filter(|key| !there.contains(&***key)).map(|key| shown(key)).collect();
    only.join(", ")
}

/// What a node has at the keyword that a rule is about; for the others its type.
fn value(rule: &str, node: &Node) -> String {
    let whole = |value: Option<i32>| value.map(|value| value.to_string());
    let found = match &node.kind {
        Kind::String(string) if rule.starts_with("MAX_LENGTH") => whole(string.max_length),
        Kind::String(string) if rule.starts_with("MIN_LENGTH") => whole(string.min_length),
        Kind::String(string) if rule.starts_with("PATTERN") => string.pattern.as_deref().map(str::to_owned),
        Kind::Object(object) if rule.starts_with("MAX_PROPERTIES") => whole(object.max_properties),
        Kind::Object(object) if rule.starts_with("MIN_PROPERTIES") => whole(object.min_properties),
        Kind::Array(array) if rule.starts_with("MAX_ITEMS") => whole(array.max_items),
        Kind::Array(array) if rule.starts_with("MIN_ITEMS") => whole(array.min_items),
        Kind::Array(array) if rule.starts_with("MAX_CONTAINS") => {
            array.max_contains.as_ref().map(|n| n.text().to_owned())
        }
        Kind::Array(array) if rule.starts_with("MIN_CONTAINS") => {
            array.min_contains.as_ref().map(|n| n.text().to_owned())
        }
        Kind::Number(number) => {
            let limit = match rule {
                _ if rule.starts_with("MAXIMUM") => &number.maximum,
                _ if rule.starts_with("MINIMUM") => &number.minimum,
                _ if rule.starts_with("EXCLUSIVE_MAXIMUM") => &number.exclusive_maximum,
                _ if rule.starts_with("EXCLUSIVE_MINIMUM") => &number.exclusive_minimum,
                _ if rule.starts_with("MULTIPLE_OF") => &number.multiple_of,
                _ => return kind(node),
            };
            limit.as_ref().map(|limit| limit.text().to_owned())
        }
        _ => return kind(node),
    };
    found.unwrap_or_default()
}

/// A node's type, as a person would say it.
fn kind(node: &Node) -> String {
    match &node.kind {
        Kind::Empty | Kind::True => "anything",
        Kind::False => "nothing",
        Kind::Null => "null",
        Kind::Boolean => "boolean",
        Kind::String(_) => "string",
        Kind::Number(number) if number.requires_integer => "integer",
        Kind::Number(_) => "number",
        Kind::Object(_) => "object",
        Kind::Array(_) => "array",
        Kind::Combined(combined) => combined.criterion.keyword(),
        Kind::Not(_) => "not",
        Kind::Enum(_) => "enum",
        Kind::Const(_) => "const",
        Kind::Conditional(_) => "if",
        Kind::Reference(_) => "$ref",
    }
    .to_owned()
}

/// The part that a path leads to: `property order.lines[].price`, `items of property tags`. Empty for the root.
pub fn subject(path: &str) -> String {
    let mut name = String::new();
    let mut last = Last::Root;
    let mut segments = path.split('/').filter(|segment| !segment.is_empty());
    while let Some(segment) = segments.next() {
        match segment {
            "properties" | "required" | "dependencies" => {
                let Some(property) = segments.next() else { break };
                if !name.is_empty() {
                    name.push('.');
                }
                name.push_str(property);
                last = Last::Property;
            }
            "items" => {
                name.push_str("[]");
                last = Last::Items;
            }
            "additionalProperties" | "unevaluatedProperties" => last = Last::OtherProperties,
            "additionalItems" | "unevaluatedItems" => last = Last::OtherItems,
            "allOf" | "anyOf" | "oneOf" => {
                segments.next();
            }
            _ => {}
        }
    }
    let within = |what: &str, name: &str| match name.is_empty() {
        true => what.to_owned(),
        false => format!("{what} of property {name}"),
    };
    match last {
        Last::Root => String::new(),
        Last::Property => format!("property {name}"),
        Last::Items => within("items", name.strip_suffix("[]").unwrap_or(&name)),
        Last::OtherProperties => within("other properties", &name),
        Last::OtherItems => within("other items", &name),
    }
}

enum Last {
    Root,
    Property,
    Items,
    OtherProperties,
    OtherItems,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_named_as_a_person_would() {
        for (path, expected) in [
            ("", ""),
            ("properties/a", "property a"),
            ("properties/a/maxLength", "property a"),
            ("required/a", "property a"),
            ("properties/a/items", "items of property a"),
            ("properties/a/items/properties/b/minimum", "property a[].b"),
            ("items/0", "items"),
            ("properties/properties/properties/items", "property properties.items"),
            ("additionalProperties", "other properties"),
            ("properties/a/anyOf/1/properties/b", "property a.b"),
        ] {
            assert_eq!(subject(path), expected, "{path}");
        }
    }
}
