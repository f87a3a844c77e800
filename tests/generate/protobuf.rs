//! Protobuf files: messages and enums by number, so that they can refer to each other in any way.

use std::collections::HashSet;
use std::fmt::Write;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use super::{place, shuffle};

const SCALARS: [&str; 15] = [
    "int32", "int64", "uint32", "uint64", "bool", "sint32", "sint64", "string", "bytes", "fixed32", "sfixed32",
    "fixed64", "sfixed64", "float", "double",
];
/// Scalars that may be keys of a map.
const KEYS: [&str; 5] = ["int32", "uint64", "bool", "string", "sint64"];
const FIELDS: [&str; 5] = ["a", "b", "c", "d", "e"];
const ONEOFS: [&str; 3] = ["o", "p", "q"];
const PACKAGES: [Option<&str>; 3] = [None, Some("x"), Some("x.y")];
/// Messages, and enums, that there may be.
const TYPES: usize = 4;

/// A file.
#[derive(Clone, Debug)]
pub struct Proto {
    pub proto3: bool,
    pub package: Option<&'static str>,
    /// The first one is always there.
    pub messages: Vec<Message>,
    pub enums: Vec<Enum>,
}

#[derive(Clone, Debug)]
pub struct Message {
    pub name: String,
    /// It is declared in this one.
    pub parent: Option<usize>,
    pub fields: Vec<Field>,
    pub oneofs: Vec<Oneof>,
    /// It is not there; what it was still has its place.
    pub is_gone: bool,
}

#[derive(Clone, Debug)]
pub struct Oneof {
    pub name: String,
    pub fields: Vec<Field>,
}

#[derive(Clone, Debug)]
pub struct Field {
    pub name: String,
    pub number: i32,
    pub label: Label,
    pub kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    None,
    Optional,
    Repeated,
    Required,
}

#[derive(Clone, Debug)]
pub enum Kind {
    Scalar(&'static str),
    Message(usize),
    Enum(usize),
    Map(&'static str, Box<Kind>),
}

#[derive(Clone, Debug)]
pub struct Enum {
    pub name: String,
    pub constants: Vec<(char, i32)>,
}

/// A change of a file; what it does depends on what is at the place.
#[derive(Clone, Debug)]
pub struct Edit {
    what: u8,
    at: u16,
    with: u16,
    fresh: Field,
}

/// Any file.
pub fn schemas() -> impl Strategy<Value = Proto> {
    let parts = (any::<bool>(), select(PACKAGES.to_vec()), vec(message(), 1..TYPES), vec(constants(), 1..3));
    parts.prop_map(|(proto3, package, messages, enums)| {
        let message = |(at, (parent, fields, oneofs)): (usize, Parts)| Message {
            name: format!("M{at}"),
            parent,
            fields,
            oneofs: (ONEOFS.iter().zip(oneofs))
                .map(|(name, fields)| Oneof { name: (*name).to_owned(), fields })
                .collect(),
            is_gone: false,
        };
        let enumeration = |(at, constants)| Enum { name: format!("E{at}"), constants };
        let messages = messages.into_iter().enumerate().map(message).collect();
        let enums = enums.into_iter().enumerate().map(enumeration).collect();
        Proto { proto3, package, messages, enums }.repaired()
    })
}

/// A file, and one that was made of it by some changes.
pub fn changes() -> impl Strategy<Value = (Proto, Proto)> {
    (schemas(), vec(edit(), 0..4)).prop_map(|(old, edits)| {
        let new = edits.iter().fold(old.clone(), Proto::edited);
        (old, new)
    })
}

/// A history of a few versions.
pub fn histories() -> impl Strategy<Value = Vec<Proto>> {
    (schemas(), vec(vec(edit(), 0..3), 1..4)).prop_map(|(first, steps)| {
        let mut versions = vec![first];
        for edits in &steps {
            let last = versions.last().cloned().expect("there is a first one");
            versions.push(edits.iter().fold(last, Proto::edited));
        }
        versions
    })
}

type Parts = (Option<usize>, Vec<Field>, Vec<Vec<Field>>);

fn message() -> impl Strategy<Value = Parts> {
    (option::weighted(0.3, 0..TYPES), vec(field(), 0..4), vec(vec(field(), 1..3), 0..3))
}

fn constants() -> impl Strategy<Value = Vec<(char, i32)>> {
    subsequence(vec![('X', 1), ('Y', 2), ('Z', 3)], 0..4).prop_map(|more| [vec![('W', 0)], more].concat())
}

fn kind() -> impl Strategy<Value = Kind> {
    let one = || {
        prop_oneof![
            6 => select(SCALARS.to_vec()).prop_map(Kind::Scalar),
            2 => (0..TYPES).prop_map(Kind::Message),
            1 => (0..TYPES).prop_map(Kind::Enum),
        ]
    };
    prop_oneof![8 => one(), 1 => (select(KEYS.to_vec()), one()).prop_map(|(key, value)| Kind::Map(key, Box::new(value)))]
}

fn field() -> impl Strategy<Value = Field> {
    let label = prop_oneof![
        5 => Just(Label::None),
        3 => Just(Label::Optional),
        2 => Just(Label::Repeated),
        1 => Just(Label::Required),
    ];
    (select(FIELDS.to_vec()), 1..8_i32, label, kind()).prop_map(|(name, number, label, kind)| Field {
        name: name.to_owned(),
        number,
        label,
        kind,
    })
}

fn edit() -> impl Strategy<Value = Edit> {
    (0..20_u8, any::<u16>(), any::<u16>(), field()).prop_map(|(what, at, with, fresh)| Edit { what, at, with, fresh })
}

impl Proto {
    /// The file with a change made.
    pub fn edited(mut self, edit: &Edit) -> Proto {
        let (at, with) = (usize::from(edit.at), usize::from(edit.with));
        let message = at % self.messages.len();
        match edit.what {
            0 => self.package = PACKAGES[with % PACKAGES.len()],
            1 if self.messages.len() < TYPES => self.messages.push(Message {
                name: format!("M{}", self.messages.len()),
                parent: Some(with),
                fields: vec![edit.fresh.clone()],
                oneofs: Vec::new(),
                is_gone: false,
            }),
            2 if message > 0 => self.messages[message].is_gone = true,
            3 => self.messages[message].name = format!("N{}", with % TYPES),
            4 | 5 => edit_enum(&mut self.enums, edit),
            _ => self.messages[message].edit(edit),
        }
        self.repaired()
    }

    /// The same with every definition under another name, wherever it is named.
    pub fn renamed(mut self) -> Proto {
        self.messages.iter_mut().for_each(|message| message.name = format!("Renamed{}", message.name));
        self.enums.iter_mut().for_each(|one| one.name = format!("Called{}", one.name));
        self
    }

    /// One text.
    pub fn text(&self) -> String {
        self.written(None)
    }

    /// One text, with declarations, fields, oneofs and constants in another order.
    pub fn reordered_text(&self, order: u64) -> String {
        let mut other = self.clone();
        for message in &mut other.messages {
            shuffle(&mut message.fields, order);
            shuffle(&mut message.oneofs, order);
            message.oneofs.iter_mut().for_each(|oneof| shuffle(&mut oneof.fields, order));
        }
        // The first constant is the one that stands for nothing.
        other.enums.iter_mut().for_each(|one| shuffle(&mut one.constants[1..], order));
        other.written(Some(order))
    }

    fn written(&self, order: Option<u64>) -> String {
        let mut out = format!("syntax = \"{}\";\n", if self.proto3 { "proto3" } else { "proto2" });
        if let Some(package) = self.package {
            let _ = writeln!(out, "package {package};");
        }
        let enums = self.enums.iter().map(|one| {
            let constant = |(name, number): &(char, i32)| format!("{}_{name} = {number}; ", one.name);
            format!("enum {} {{ {}}}\n", one.name, one.constants.iter().map(constant).collect::<String>())
        });
        let mut declared: Vec<String> = enums.chain(self.messages_in(None, order)).collect();
        if let Some(order) = order {
            shuffle(&mut declared, order);
        }
        out + &declared.concat()
    }

    fn messages_in(&self, parent: Option<usize>, order: Option<u64>) -> Vec<String> {
        let there = |(_, message): &(usize, &Message)| message.parent == parent && !message.is_gone;
        let mut all: Vec<String> = (self.messages.iter().enumerate().filter(there))
            .map(|(at, message)| {
                let fields = message.fields.iter().map(|field| self.field(field));
                let oneofs = message.oneofs.iter().map(|oneof| {
                    let members: String = oneof.fields.iter().map(|field| self.field(field)).collect();
                    format!("oneof {} {{ {members}}} ", oneof.name)
                });
                let inner = self.messages_in(Some(at), order).concat();
                let body: String = fields.chain(oneofs).collect();
                format!("message {} {{ {body}{inner}}}\n", message.name)
            })
            .collect();
        if let Some(order) = order {
            shuffle(&mut all, order);
        }
        all
    }

    fn field(&self, field: &Field) -> String {
        let label = match field.label {
            Label::None => "",
            Label::Optional => "optional ",
            Label::Repeated => "repeated ",
            Label::Required => "required ",
        };
        format!("{label}{} {} = {}; ", self.kind(&field.kind), field.name, field.number)
    }

    fn kind(&self, kind: &Kind) -> String {
        match kind {
            Kind::Scalar(name) => (*name).to_owned(),
            Kind::Enum(at) => self.enums[*at].name.clone(),
            Kind::Message(at) => {
                let message = &self.messages[*at];
                message.parent.map_or_else(String::new, |parent| self.kind(&Kind::Message(parent)) + ".")
                    + &message.name
            }
            Kind::Map(key, value) => format!("map<{key}, {}>", self.kind(value)),
        }
    }

    /// Makes it valid where it is not, with as little change as there can be.
    fn repaired(mut self) -> Proto {
        let gone: Vec<bool> = self.messages.iter().map(|message| message.is_gone).collect();
        let enums = self.enums.len();
        let mut names = HashSet::new();
        for (at, message) in self.messages.iter_mut().enumerate() {
            message.parent =
                message.parent.map(|parent| parent % TYPES).filter(|parent| *parent < at && !gone[*parent]);
            if !names.insert(message.name.clone()) {
                message.name = format!("{}_{at}", message.name);
                names.insert(message.name.clone());
            }
            message.repair(self.proto3, &gone, enums);
        }
        self
    }
}

impl Message {
    fn repair(&mut self, proto3: bool, gone: &[bool], enums: usize) {
        let mut numbers = HashSet::new();
        let mut names = HashSet::new();
        self.fields.retain(|field| numbers.insert(field.number));
        for oneof in &mut self.oneofs {
            oneof.fields.retain(|field| numbers.insert(field.number));
        }
        self.oneofs.retain(|oneof| !oneof.fields.is_empty() && names.insert(oneof.name.clone()));
        let outside = self.fields.iter_mut().map(|field| (field, false));
        let inside = self.oneofs.iter_mut().flat_map(|oneof| oneof.fields.iter_mut().map(|field| (field, true)));
        for (field, is_member) in outside.chain(inside) {
            field.kind.repair(gone, enums, is_member);
            if !names.insert(field.name.clone()) {
                field.name = format!("{}{}", field.name, field.number);
                names.insert(field.name.clone());
            }
            field.label = match (field.label, &field.kind) {
                _ if is_member => Label::None,
                (_, Kind::Map(..)) => Label::None,
                (Label::Required, Kind::Message(_)) => Label::Optional,
                (Label::Required, _) if proto3 => Label::Optional,
                (Label::None, _) if !proto3 => Label::Optional,
                (label, _) => label,
            };
        }
    }

    fn edit(&mut self, edit: &Edit) {
        let (at, with) = (usize::from(edit.at) / TYPES, edit.with);
        match edit.what {
            6 | 7 => return self.fields.push(edit.fresh.clone()),
            8 => {
                if let Some(gone) = place(&self.fields, with) {
                    self.fields.remove(gone);
                }
                return;
            }
            9 | 10 => {
                self.oneofs.extend(place(&self.fields, with).map(|moved| Oneof {
                    name: ONEOFS[at % ONEOFS.len()].to_owned(),
                    fields: vec![self.fields.remove(moved)],
                }));
                self.merge_oneofs();
                return;
            }
            11..=15 => {
                if let Some(oneof) = place(&self.oneofs, at as u16) {
                    self.edit_oneof(oneof, edit);
                    return;
                }
            }
            _ => {}
        }
        let all = self.fields.len() + self.oneofs.iter().map(|oneof| oneof.fields.len()).sum::<usize>();
        let members = self.oneofs.iter_mut().flat_map(|oneof| &mut oneof.fields);
        let Some(chosen) = usize::from(with).checked_rem(all) else { return };
        let Some(field) = self.fields.iter_mut().chain(members).nth(chosen) else { return };
        match edit.what {
            16 => field.name = edit.fresh.name.clone(),
            17 => field.label = edit.fresh.label,
            18 => field.kind = field.kind.neighbour(with),
            _ => field.kind = edit.fresh.kind.clone(),
        }
    }

    fn edit_oneof(&mut self, at: usize, edit: &Edit) {
        let oneof = &mut self.oneofs[at];
        match edit.what {
            11 => oneof.name = ONEOFS[usize::from(edit.with) % ONEOFS.len()].to_owned(),
            12 => oneof.fields.push(edit.fresh.clone()),
            13 => {
                if let Some(moved) = place(&oneof.fields, edit.with) {
                    self.fields.push(oneof.fields.remove(moved));
                }
            }
            14 => {
                if let Some(gone) = place(&oneof.fields, edit.with) {
                    oneof.fields.remove(gone);
                }
            }
            _ => drop(self.oneofs.remove(at)),
        }
        self.merge_oneofs();
    }

    /// Oneofs of one name are one oneof.
    fn merge_oneofs(&mut self) {
        let mut merged: Vec<Oneof> = Vec::new();
        for oneof in self.oneofs.drain(..) {
            match merged.iter_mut().find(|other| other.name == oneof.name) {
                Some(other) => other.fields.extend(oneof.fields),
                None => merged.push(oneof),
            }
        }
        self.oneofs = merged;
    }
}

impl Kind {
    fn repair(&mut self, gone: &[bool], enums: usize, is_member: bool) {
        match self {
            Kind::Scalar(_) => {}
            Kind::Enum(at) => *at %= enums,
            Kind::Message(at) => {
                *at %= gone.len();
                if gone[*at] {
                    *self = Kind::Scalar("bytes");
                }
            }
            Kind::Map(_, value) => {
                value.repair(gone, enums, is_member);
                if is_member {
                    *self = (**value).clone();
                }
            }
        }
    }

    /// Often one that can be read as it.
    fn neighbour(&self, with: u16) -> Kind {
        let with = usize::from(with);
        match self {
            Kind::Scalar(name) => {
                let at = SCALARS.iter().position(|scalar| scalar == name).unwrap_or_default();
                Kind::Scalar(SCALARS[(at + 1 + with % 2) % SCALARS.len()])
            }
            Kind::Enum(at) => [Kind::Scalar("int32"), Kind::Enum(at + 1)][with % 2].clone(),
            Kind::Message(at) => Kind::Message(at + 1),
            Kind::Map(key, value) => Kind::Map(key, Box::new(value.neighbour(with as u16))),
        }
    }
}

fn edit_enum(enums: &mut [Enum], edit: &Edit) {
    let Some(at) = place(enums, edit.at) else { return };
    let constants = &mut enums[at].constants;
    match edit.what {
        4 if constants.len() > 1 => drop(constants.remove(1 + usize::from(edit.with) % (constants.len() - 1))),
        _ => {
            let free = |number: &i32| !constants.iter().any(|(_, other)| other == number);
            let name = ['X', 'Y', 'Z', 'V'].into_iter().find(|name| !constants.iter().any(|(other, _)| other == name));
            let number = (1..9).filter(free).nth(usize::from(edit.with) % 2);
            constants.extend(name.zip(number));
        }
    }
}
