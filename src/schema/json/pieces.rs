//! The pieces that keywords of 2019-09 and 2020-12 become, and how those of one class are merged.

use super::model::{ArrayNode, Kind, Node, NumberNode, ObjectNode, StringNode};

/// The pieces of one schema object: one a class.
#[derive(Default)]
pub struct Pieces(pub Vec<Kind>);

impl Pieces {
    /// Merges a piece with one of its class.
    pub fn add(&mut self, mut piece: Kind) {
        for known in &mut self.0 {
            match merge(known, piece) {
                None => return,
                Some(not_merged) => piece = not_merged,
            }
        }
        self.0.push(piece);
    }

    /// Pieces that each belong to one type of a list of types become part of it, if all of them do. What demands
    /// nothing, such as `format`, only counts beside a list of types.
    pub fn settle(&mut self, nodes: &mut [Node]) {
        let is_list = |piece: &Kind| matches!(piece, Kind::Combined(types) if types.is_synthetic);
        let Some(at) = self.0.iter().position(is_list) else {
            self.0.retain(|piece| !matches!(piece, Kind::Empty));
            return;
        };
        let Kind::Combined(types) = &self.0[at] else { return };
        let branches = types.branches.clone();
        let belongs = |piece: &Kind| branches.iter().any(|id| can_merge(&nodes[id.index()].kind, piece));
        if !self.0.iter().enumerate().all(|(other, piece)| other == at || belongs(piece)) {
            return;
        }
        let list = self.0.swap_remove(at);
        for mut piece in std::mem::take(&mut self.0) {
            for id in &branches {
                match merge(&mut nodes[id.index()].kind, piece) {
                    None => break,
                    Some(not_merged) => piece = not_merged,
                }
            }
        }
        self.0.push(list);
    }
}

fn can_merge(known: &Kind, piece: &Kind) -> bool {
    matches!(
        (known, piece),
        (Kind::String(_), Kind::String(_))
            | (Kind::Number(_), Kind::Number(_))
            | (Kind::Object(_), Kind::Object(_))
            | (Kind::Array(_), Kind::Array(_))
    )
}

/// Gives back a piece that is of another class.
fn merge(known: &mut Kind, piece: Kind) -> Option<Kind> {
    match (known, piece) {
        (Kind::Empty, Kind::Empty) => {}
        (Kind::String(a), Kind::String(b)) => {
            a.requires_string |= b.requires_string;
            a.min_length = b.min_length.or(a.min_length);
            a.max_length = b.max_length.or(a.max_length);
            a.pattern = b.pattern.or(a.pattern.take());
        }
        (Kind::Number(a), Kind::Number(b)) => {
            a.requires_number |= b.requires_number;
            a.requires_integer |= b.requires_integer;
            a.minimum = b.minimum.or(a.minimum.take());
            a.maximum = b.maximum.or(a.maximum.take());
            a.exclusive_minimum = b.exclusive_minimum.or(a.exclusive_minimum.take());
            a.exclusive_maximum = b.exclusive_maximum.or(a.exclusive_maximum.take());
            a.multiple_of = b.multiple_of.or(a.multiple_of.take());
        }
        (Kind::Object(a), Kind::Object(b)) => merge_objects(a, *b),
        (Kind::Array(a), Kind::Array(b)) => merge_arrays(a, *b),
        (_, piece) => return Some(piece),
    }
    None
}

fn merge_objects(a: &mut ObjectNode, mut b: ObjectNode) {
    a.requires_object |= b.requires_object;
    a.properties.append(&mut b.properties);
    a.required.append(&mut b.required);
    a.permits_additional &= b.permits_additional;
    a.additional = b.additional.or(a.additional);
    a.unevaluated = b.unevaluated.or(a.unevaluated);
    a.patterns.append(&mut b.patterns);
    a.property_dependencies.append(&mut b.property_dependencies);
    a.schema_dependencies.append(&mut b.schema_dependencies);
    a.min_properties = b.min_properties.or(a.min_properties);
    a.max_properties = b.max_properties.or(a.max_properties);
    a.property_names = b.property_names.or(a.property_names);
}

fn merge_arrays(a: &mut ArrayNode, b: ArrayNode) {
    a.requires_array |= b.requires_array;
    a.all_items = b.all_items.or(a.all_items);
    a.items = b.items.or(a.items.take());
    a.permits_additional &= b.permits_additional;
    a.additional = b.additional.or(a.additional);
    a.unevaluated = b.unevaluated.or(a.unevaluated);
    a.min_items = b.min_items.or(a.min_items);
    a.max_items = b.max_items.or(a.max_items);
    a.unique_items |= b.unique_items;
    a.contains = b.contains.or(a.contains);
    a.min_contains = b.min_contains.or(a.min_contains.take());
    a.max_contains = b.max_contains.or(a.max_contains.take());
}

pub fn string(node: StringNode) -> Kind {
    Kind::String(Box::new(node))
}

pub fn number(node: NumberNode) -> Kind {
    Kind::Number(Box::new(node))
}

pub fn array(node: ArrayNode) -> Kind {
    Kind::Array(Box::new(node))
}

pub fn object_piece(node: ObjectNode) -> Kind {
    Kind::Object(Box::new(node))
}

pub fn untyped_array() -> ArrayNode {
    ArrayNode { requires_array: false, ..ArrayNode::open() }
}

pub fn untyped_object() -> ObjectNode {
    ObjectNode { requires_object: false, ..ObjectNode::open() }
}
