//! Avro schemas: named types by number, so that they can refer to each other in any way.

use std::collections::HashSet;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{place, shuffle};

/// Types without a name, by number.
pub const PRIMITIVES: [&str; 8] = ["null", "boolean", "int", "long", "float", "double", "bytes", "string"];
/// Logical types: what they are written as, and their keys.
pub const LOGICAL: [(&str, &str); 6] = [
    ("int", r#"{"logicalType":"date"}"#),
    ("int", r#"{"logicalType":"time-millis"}"#),
    ("long", r#"{"logicalType":"timestamp-millis"}"#),
    ("long", r#"{"logicalType":"timestamp-micros"}"#),
    ("bytes", r#"{"logicalType":"decimal","precision":4,"scale":2}"#),
    ("bytes", r#"{"logicalType":"decimal","precision":6,"scale":3}"#),
];
const NAMES: [&str; 4] = ["A", "B", "C", "D"];
const NAMESPACES: [&str; 2] = ["n", "m"];
const FIELDS: [&str; 5] = ["a", "b", "c", "d", "e"];
const SYMBOLS: [&str; 4] = ["P", "Q", "R", "S"];

/// A schema.
#[derive(Clone, Debug)]
pub struct Avro {
    pub definitions: Vec<Definition>,
    pub root: Type,
}

#[derive(Clone, Debug)]
pub enum Type {
    Primitive(usize),
    Logical(usize),
    Array(Box<Type>),
    Map(Box<Type>),
    Union(Vec<Type>),
    /// A definition, by its place.
    Named(usize),
}

#[derive(Clone, Debug)]
pub struct Definition {
    /// The full name.
    pub name: String,
    /// A full name.
    pub alias: Option<String>,
    pub body: Body,
}

#[derive(Clone, Debug)]
pub enum Body {
    Record(Vec<Field>),
    Enum { symbols: Vec<&'static str>, default: Option<&'static str> },
    Fixed(usize),
}

#[derive(Clone, Debug)]
pub struct Field {
    pub name: String,
    pub alias: Option<String>,
    pub kind: Type,
    /// Which of the type's simple defaults it has, if it has one.
    pub default: Option<u8>,
}

/// A change of a schema; what it does depends on what is at the place.
#[derive(Clone, Debug)]
pub struct Edit {
    what: u8,
    at: u16,
    with: u16,
    fresh: Type,
    default: Option<u8>,
}

/// Any schema.
pub fn schemas() -> impl Strategy<Value = Avro> {
    (vec(definition(), 1..5), prop_oneof![4 => Just(Type::Named(0)), 1 => kind()])
        .prop_map(|(definitions, root)| Avro { definitions, root }.repaired())
}

/// A schema, and one that was made of it by some changes.
pub fn changes() -> impl Strategy<Value = (Avro, Avro)> {
    (schemas(), vec(edit(), 0..4)).prop_map(|(old, edits)| {
        let new = edits.iter().fold(old.clone(), Avro::edited);
        (old, new)
    })
}

/// A history of a few versions, and a candidate.
pub fn histories() -> impl Strategy<Value = Vec<Avro>> {
    (schemas(), vec(vec(edit(), 0..3), 1..4)).prop_map(|(first, steps)| {
        let mut versions = vec![first];
        for edits in &steps {
            let last = versions.last().cloned().expect("there is a first one");
            versions.push(edits.iter().fold(last, Avro::edited));
        }
        versions
    })
}

fn kind() -> impl Strategy<Value = Type> {
    let leaf = prop_oneof![
        5 => (0..PRIMITIVES.len()).prop_map(Type::Primitive),
        1 => (0..LOGICAL.len()).prop_map(Type::Logical),
        3 => (0..4_usize).prop_map(Type::Named),
    ];
    leaf.prop_recursive(2, 6, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|items| Type::Array(Box::new(items))),
            inner.clone().prop_map(|values| Type::Map(Box::new(values))),
            vec(inner, 1..4).prop_map(Type::Union),
        ]
    })
}

fn name() -> impl Strategy<Value = String> {
    (0..NAMESPACES.len(), 0..NAMES.len()).prop_map(|(space, name)| format!("{}.{}", NAMESPACES[space], NAMES[name]))
}

fn definition() -> impl Strategy<Value = Definition> {
    let symbols = || proptest::sample::subsequence(SYMBOLS.to_vec(), 1..=SYMBOLS.len());
    let body = prop_oneof![
        6 => vec(field(), 0..5).prop_map(Body::Record),
        2 => (symbols(), option::weighted(0.3, 0..SYMBOLS.len())).prop_map(|(symbols, default)| {
            Body::Enum { default: default.and_then(|at| symbols.get(at).copied()), symbols }
        }),
        1 => (1..4_usize).prop_map(Body::Fixed),
    ];
    (name(), option::weighted(0.2, name()), body).prop_map(|(name, alias, body)| Definition { name, alias, body })
}

fn field() -> impl Strategy<Value = Field> {
    let name = || (0..FIELDS.len()).prop_map(|at| FIELDS[at].to_owned());
    (name(), option::weighted(0.1, name()), kind(), option::weighted(0.4, 0..3_u8))
        .prop_map(|(name, alias, kind, default)| Field { name, alias, kind, default })
}

fn edit() -> impl Strategy<Value = Edit> {
    (0..15_u8, any::<u16>(), any::<u16>(), kind(), option::weighted(0.5, 0..3_u8))
        .prop_map(|(what, at, with, fresh, default)| Edit { what, at, with, fresh, default })
}

impl Avro {
    /// The schema with a change made.
    pub fn edited(mut self, edit: &Edit) -> Avro {
        if let Some(at) = place(&self.definitions, edit.at) {
            self.definitions[at].edit(edit);
        }
        if edit.what == 14 {
            self.root = edit.fresh.clone();
        }
        self.repaired()
    }

    /// The same with every definition under another name, wherever it is named. Names that differ only in their
    /// namespaces still do.
    pub fn renamed(mut self) -> Avro {
        let other = |name: &String| name.replace("n.", "x.y.Renamed").replace("m.", "z.Renamed");
        for definition in &mut self.definitions {
            definition.name = other(&definition.name);
            definition.alias = definition.alias.as_ref().map(other);
        }
        self
    }

    /// The same with fields, symbols and branches in another order.
    pub fn reordered(mut self, order: u64) -> Avro {
        for definition in &mut self.definitions {
            match &mut definition.body {
                Body::Record(fields) => {
                    shuffle(fields, order);
                    fields.iter_mut().for_each(|field| {
                        // A default is one of the first branch: that one stays.
                        let from = usize::from(field.default.is_some());
                        field.kind.reorder(order, from);
                    });
                }
                Body::Enum { symbols, .. } => shuffle(symbols, order),
                Body::Fixed(_) => {}
            }
        }
        self.root.reorder(order, 0);
        self
    }

    /// One text, each type written where it is met first.
    pub fn text(&self) -> String {
        self.written(&self.root, &mut HashSet::new()).to_string()
    }

    /// A text, and texts that it refers to: name and text, each after those that it needs itself.
    pub fn text_and_references(&self) -> (String, Vec<(String, String)>) {
        let mut outside = HashSet::new();
        let mut references = Vec::new();
        for (at, definition) in self.definitions.iter().enumerate().rev() {
            let is_root = matches!(self.root, Type::Named(root) if root == at);
            if !is_root && definition.uses().iter().all(|used| *used > at && outside.contains(used)) {
                let text = self.definition(at, &mut outside);
                references.push((definition.name.clone(), text.to_string()));
            }
        }
        (self.written(&self.root, &mut outside).to_string(), references)
    }

    /// Makes it valid where it is not, with as little change as there can be.
    fn repaired(mut self) -> Avro {
        let mut names = HashSet::new();
        for (at, definition) in self.definitions.iter_mut().enumerate() {
            if !names.insert(definition.name.clone()) {
                definition.name = format!("{}{at}", definition.name);
                names.insert(definition.name.clone());
            }
        }
        let full_names: Vec<String> = self.definitions.iter().map(|definition| definition.name.clone()).collect();
        for (at, definition) in self.definitions.iter_mut().enumerate() {
            if let Body::Record(fields) = &mut definition.body {
                repair_fields(fields);
                for field in fields {
                    field.kind.repair(Some(at), &full_names);
                }
            }
        }
        self.root.repair(None, &full_names);
        self
    }

    fn written(&self, kind: &Type, defined: &mut HashSet<usize>) -> Value {
        match kind {
            Type::Primitive(at) => json!(PRIMITIVES[*at]),
            Type::Logical(at) => {
                let (primitive, keys) = LOGICAL[*at];
                let mut written: Value = serde_json::from_str(keys).expect("it is JSON");
                written["type"] = json!(primitive);
                written
            }
            Type::Array(items) => json!({ "type": "array", "items": self.written(items, defined) }),
            Type::Map(values) => json!({ "type": "map", "values": self.written(values, defined) }),
            Type::Union(branches) => branches.iter().map(|branch| self.written(branch, defined)).collect(),
            Type::Named(at) if defined.contains(at) => json!(self.definitions[*at].name),
            Type::Named(at) => self.definition(*at, defined),
        }
    }

    fn definition(&self, at: usize, defined: &mut HashSet<usize>) -> Value {
        defined.insert(at);
        let definition = &self.definitions[at];
        let mut written = match &definition.body {
            Body::Record(fields) => {
                let fields: Value = fields.iter().map(|field| self.field(field, defined)).collect();
                json!({ "type": "record", "fields": fields })
            }
            Body::Enum { symbols, default } => {
                let mut written = json!({ "type": "enum", "symbols": symbols });
                if let Some(default) = default {
                    written["default"] = json!(default);
                }
                written
            }
            Body::Fixed(size) => json!({ "type": "fixed", "size": size }),
        };
        written["name"] = json!(definition.name);
        if let Some(alias) = &definition.alias {
            written["aliases"] = json!([alias]);
        }
        written
    }

    fn field(&self, field: &Field, defined: &mut HashSet<usize>) -> Value {
        let mut written = json!({ "name": field.name, "type": self.written(&field.kind, defined) });
        if let Some(default) = field.default.and_then(|which| self.default(&field.kind, which)) {
            written["default"] = default;
        }
        if let Some(alias) = &field.alias {
            written["aliases"] = json!([alias]);
        }
        written
    }

    /// A default of a type; none where there is no simple one.
    pub fn default(&self, kind: &Type, which: u8) -> Option<Value> {
        let primitive = |name: &str| match name {
            "null" => json!(null),
            "boolean" => json!(which == 0),
            "int" | "long" => json!(which),
            "float" | "double" => json!(f64::from(which) + 0.5),
            _ => json!(["", "x", "yz"][usize::from(which) % 3]),
        };
        match kind {
            Type::Primitive(at) => Some(primitive(PRIMITIVES[*at])),
            Type::Logical(at) => Some(LOGICAL[*at].0).filter(|name| *name != "bytes").map(primitive),
            Type::Array(_) => Some(json!([])),
            Type::Map(_) => Some(json!({})),
            Type::Union(branches) => self.default(branches.first()?, which),
            Type::Named(at) => match &self.definitions[*at].body {
                Body::Record(_) => None,
                Body::Enum { symbols, .. } => Some(json!(symbols[usize::from(which) % symbols.len()])),
                Body::Fixed(size) => Some(json!("x".repeat(*size))),
            },
        }
    }
}

/// Fields of one name are one field, and an alias names no field of the same record.
fn repair_fields(fields: &mut Vec<Field>) {
    let mut names = HashSet::new();
    fields.retain(|field| names.insert(field.name.clone()));
    for field in fields {
        field.alias = field.alias.take().filter(|alias| names.insert(alias.clone()));
    }
}

impl Definition {
    fn uses(&self) -> HashSet<usize> {
        let mut used = HashSet::new();
        if let Body::Record(fields) = &self.body {
            fields.iter().for_each(|field| field.kind.uses(&mut used));
        }
        used
    }

    fn edit(&mut self, edit: &Edit) {
        let (other_name, other_field) = (NAMES[usize::from(edit.with) % 4], FIELDS[usize::from(edit.with) % 5]);
        match (edit.what, &mut self.body) {
            (0, _) => self.name = format!("{}.{other_name}", NAMESPACES[usize::from(edit.with / 4) % 2]),
            (1, _) => {
                self.alias = Some(self.name.clone());
                self.name = format!("{}.{other_name}", NAMESPACES[usize::from(edit.with / 4) % 2]);
            }
            (_, Body::Record(fields)) => edit_fields(fields, edit, other_field),
            (what, Body::Enum { symbols, default }) => match what % 3 {
                0 if symbols.len() > 1 => {
                    let gone = symbols.remove(usize::from(edit.with) % symbols.len());
                    *default = default.filter(|default| *default != gone);
                }
                1 => symbols.extend(SYMBOLS.iter().find(|symbol| !symbols.contains(symbol)).copied()),
                _ => *default = if default.is_none() { symbols.first().copied() } else { None },
            },
            (_, Body::Fixed(size)) => *size = 1 + usize::from(edit.with) % 3,
        }
    }
}

fn edit_fields(fields: &mut Vec<Field>, edit: &Edit, other_name: &str) {
    let fresh = || Field { name: other_name.to_owned(), alias: None, kind: edit.fresh.clone(), default: edit.default };
    let Some(at) = place(fields, edit.with) else { return fields.push(fresh()) };
    let field = &mut fields[at];
    match edit.what {
        2 | 3 => fields.push(fresh()),
        4 => drop(fields.remove(at)),
        5 => field.kind = edit.fresh.clone(),
        6 => field.default = edit.default,
        7 => field.name = other_name.to_owned(),
        8 => field.alias = Some(std::mem::replace(&mut field.name, format!("{other_name}2"))),
        9 => field.kind = Type::Union(vec![Type::Primitive(0), field.kind.clone()]),
        10 => field.kind = Type::Union(vec![field.kind.clone(), edit.fresh.clone()]),
        11 => {
            if let Type::Union(branches) = &field.kind {
                field.kind = branches[usize::from(edit.with) % branches.len()].clone();
            }
        }
        12 => field.kind = promoted(&field.kind, edit.with),
        _ => fields.rotate_left(1),
    }
}

/// A type that reads it, or that it reads.
fn promoted(kind: &Type, with: u16) -> Type {
    match kind {
        Type::Primitive(at @ 2..=5) => Type::Primitive(2 + (at - 2 + 1 + usize::from(with) % 3) % 4),
        Type::Primitive(6) => Type::Primitive(7),
        Type::Primitive(7) => Type::Primitive(6),
        Type::Array(items) => Type::Array(Box::new(promoted(items, with))),
        Type::Map(values) => Type::Map(Box::new(promoted(values, with))),
        other => other.clone(),
    }
}

impl Type {
    fn uses(&self, used: &mut HashSet<usize>) {
        match self {
            Type::Named(at) => drop(used.insert(*at)),
            Type::Array(part) | Type::Map(part) => part.uses(used),
            Type::Union(branches) => branches.iter().for_each(|branch| branch.uses(used)),
            Type::Primitive(_) | Type::Logical(_) => {}
        }
    }

    fn reorder(&mut self, order: u64, from: usize) {
        match self {
            Type::Array(part) | Type::Map(part) => part.reorder(order, 0),
            Type::Union(branches) => {
                branches.iter_mut().for_each(|branch| branch.reorder(order, 0));
                shuffle(&mut branches[from..], order);
            }
            _ => {}
        }
    }

    /// Types are there, unions hold no union and no type twice, and a value of a record need not go on for ever: it
    /// has an earlier type, or itself, only where there can be none of it.
    fn repair(&mut self, owner: Option<usize>, names: &[String]) {
        match self {
            Type::Named(at) => {
                *at %= names.len();
                if owner.is_some_and(|owner| *at <= owner) {
                    *self = Type::Union(vec![Type::Primitive(0), self.clone()]);
                }
            }
            Type::Array(part) | Type::Map(part) => {
                part.repair(None, names);
            }
            Type::Union(branches) => {
                let mut flat = Vec::new();
                flatten(std::mem::take(branches), owner, names, &mut flat);
                let mut seen = HashSet::new();
                flat.retain(|branch| seen.insert(branch.key(names)));
                *branches = flat;
            }
            Type::Primitive(_) | Type::Logical(_) => {}
        }
    }

    /// Types of one key cannot be in one union.
    fn key(&self, names: &[String]) -> String {
        match self {
            Type::Primitive(at) => PRIMITIVES[*at].to_owned(),
            Type::Logical(at) => LOGICAL[*at].0.to_owned(),
            Type::Array(_) => "array".to_owned(),
            Type::Map(_) => "map".to_owned(),
            Type::Union(_) => "union".to_owned(),
            Type::Named(at) => names[*at].clone(),
        }
    }
}

fn flatten(branches: Vec<Type>, owner: Option<usize>, names: &[String], flat: &mut Vec<Type>) {
    for mut branch in branches {
        branch.repair(owner, names);
        match branch {
            Type::Union(inner) => flat.extend(inner),
            other => flat.push(other),
        }
    }
}
