//! Which branches of a combination the registry takes for one: those that it would write as the same JSON.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use super::checker::{At, Checker, Side, class};
use crate::schema::json::{ArrayNode, Kind, NodeId, Notes, NumberNode, ObjectNode, Schema, StringNode};

/// Numbers for nodes of one schema: equal for nodes that are written alike.
#[derive(Default)]
pub struct Alike {
    number_of: HashMap<NodeId, u32>,
    known: HashMap<String, u32>,
}

impl Checker<'_> {
    /// The branches without repeats, in their order.
    pub fn distinct(&mut self, side: Side, branches: &[NodeId]) -> Vec<At> {
        let schema = self.schema(side);
        let class_of = |id: &NodeId| class(&schema.node(*id).kind);
        let may_repeat = |at: usize| branches[..at].iter().any(|id| class_of(id) == class_of(&branches[at]));
        let few = branches.len() <= 8; // of many some are of one class
        if few && !(1..branches.len()).any(may_repeat) {
            return branches.iter().map(|id| side.at(*id)).collect();
        }
        let alike = match side {
            Side::Writer => &mut self.alike.0,
            Side::Reader => &mut self.alike.1,
        };
        let mut seen = HashSet::new();
        let is_new = |id: &&NodeId| seen.insert(alike.number(schema, **id));
        branches.iter().filter(is_new).map(|id| side.at(*id)).collect()
    }
}

impl Alike {
    /// References are told apart by their names, so this ends.
    fn number(&mut self, schema: &Schema, id: NodeId) -> u32 {
        if let Some(number) = self.number_of.get(&id) {
            return *number;
        }
        let written = self.written(schema, id);
        let next = self.known.len() as u32;
        let number = *self.known.entry(written).or_insert(next);
        self.number_of.insert(id, number);
        number
    }

    fn numbers(&mut self, schema: &Schema, ids: &[NodeId]) -> Vec<u32> {
        ids.iter().map(|id| self.number(schema, *id)).collect()
    }

    fn maybe(&mut self, schema: &Schema, id: Option<NodeId>) -> Option<u32> {
        id.map(|id| self.number(schema, id))
    }

    /// What the node is made of, with numbers for its parts. Writing to a String cannot fail.
    fn written(&mut self, schema: &Schema, id: NodeId) -> String {
        let node = schema.node(id);
        let mut text = String::new();
        if let Some(notes) = &node.notes {
            write_notes(&mut text, notes);
        }
        if let Some(rest) = &node.unprocessed {
            let _ = write!(text, "rest {rest:?} ");
        }
        let _ = match &node.kind {
            Kind::Empty => write!(text, "anything"),
            Kind::True => write!(text, "true"),
            Kind::False => write!(text, "nothing"),
            Kind::Null => write!(text, "null"),
            Kind::Boolean => write!(text, "boolean"),
            Kind::String(string) => write_string(&mut text, string),
            Kind::Number(number) => write_number(&mut text, number),
            Kind::Object(object) => self.write_object(&mut text, schema, object),
            Kind::Array(array) => self.write_array(&mut text, schema, array),
            Kind::Combined(combined) => {
                let branches = self.numbers(schema, &combined.branches);
                write!(text, "{} {branches:?}", combined.criterion.keyword())
            }
            Kind::Not(negated) => write!(text, "not {}", self.number(schema, *negated)),
            Kind::Enum(values) => write!(text, "enum {:?}", values.keys),
            Kind::Const(value) => write!(text, "const {:?}", value.key),
            Kind::Conditional(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.maybe(schema, *part)).collect();
                write!(text, "if {parts:?}")
            }
            Kind::Reference(reference) => write!(text, "$ref {:?}", reference.reference),
        };
        text
    }

    fn write_object(&mut self, text: &mut String, schema: &Schema, object: &ObjectNode) -> std::fmt::Result {
        let _ = write!(text, "object {} {:?}", object.requires_object, object.required);
        let mut properties: Vec<(&str, u32)> = Vec::with_capacity(object.properties.len());
        for property in &object.properties {
            properties.push((&property.name, self.number(schema, property.schema)));
        }
        properties.sort_unstable();
        let mut patterns: Vec<(&str, u32)> = Vec::new();
        for (pattern, id) in &object.patterns {
            patterns.push((pattern, self.number(schema, *id)));
        }
        patterns.sort_unstable();
        let mut dependencies: Vec<(&str, u32)> = Vec::new();
        for (name, id) in &object.schema_dependencies {
            dependencies.push((name, self.number(schema, *id)));
        }
        dependencies.sort_unstable();
        let additional = self.maybe(schema, object.additional);
        let unevaluated = self.maybe(schema, object.unevaluated);
        let names = self.maybe(schema, object.property_names);
        let (permits, bounds) = (object.permits_additional, (object.min_properties, object.max_properties));
        let _ = write!(text, " {properties:?} {patterns:?} {dependencies:?} {:?}", object.property_dependencies);
        write!(text, " {permits} {additional:?} {unevaluated:?} {names:?} {bounds:?}")
    }

    fn write_array(&mut self, text: &mut String, schema: &Schema, array: &ArrayNode) -> std::fmt::Result {
        let all = self.maybe(schema, array.all_items);
        let items = array.items.as_ref().map(|items| self.numbers(schema, items));
        let additional = self.maybe(schema, array.additional);
        let unevaluated = self.maybe(schema, array.unevaluated);
        let contains = self.maybe(schema, array.contains);
        let bounds = (array.min_items, array.max_items, array.unique_items);
        let counts = [&array.min_contains, &array.max_contains].map(|count| count.as_ref().map(|n| n.key()));
        let (requires, permits) = (array.requires_array, array.permits_additional);
        let _ = write!(text, "array {requires} {all:?} {items:?} {permits} {additional:?} {unevaluated:?}");
        write!(text, " {contains:?} {bounds:?} {counts:?}")
    }
}

fn write_notes(text: &mut String, notes: &Notes) {
    let default = notes.default.as_ref().map(|default| &default.key);
    let (id, title, description, access) = (&notes.id, &notes.title, &notes.description, &notes.access);
    if id.is_some() || title.is_some() || description.is_some() || default.is_some() || access != &[None, None] {
        let _ = write!(text, "notes {id:?} {title:?} {description:?} {default:?} {access:?} ");
    }
}

fn write_string(text: &mut String, string: &StringNode) -> std::fmt::Result {
    let lengths = (string.min_length, string.max_length);
    write!(text, "string {} {lengths:?} {:?} {:?}", string.requires_string, string.pattern, string.format)
}

fn write_number(text: &mut String, number: &NumberNode) -> std::fmt::Result {
    let limits =
        [&number.minimum, &number.maximum, &number.exclusive_minimum, &number.exclusive_maximum, &number.multiple_of]
            .map(|limit| limit.as_ref().map(|limit| limit.key()));
    let demands = (number.requires_number, number.requires_integer, number.exclusive);
    write!(text, "number {demands:?} {limits:?}")
}
