//! Which values get lost or mean something else when a type is read as another one with the same bytes: A11.

use std::collections::HashMap;

use crate::compat::protobuf::{ScalarKind, scalar_kind};
use crate::schema::protobuf::{Body, Enum, FieldType, Named, Scalar, Schema};

/// What a field holds, seen from its bytes.
#[derive(Clone, Copy)]
pub(super) enum Held<'a> {
    Scalar(Scalar),
    Enum(&'a str, &'a Enum),
    Message(&'a str),
    Map(&'a FieldType, &'a FieldType),
}

impl<'a> Held<'a> {
    pub(super) fn of(field_type: &'a FieldType, schema: &'a Schema) -> Held<'a> {
        match field_type {
            FieldType::Scalar(scalar) => Held::Scalar(*scalar),
            FieldType::Map(entry) => Held::Map(&entry.0, &entry.1),
            FieldType::Named(named) => Held::named(named, schema),
        }
    }

    fn named(named: &'a Named, schema: &'a Schema) -> Held<'a> {
        let Some(target) = named.target else { return Held::Message(&named.written) };
        let (declaring, id) = schema.target(target);
        let definition = declaring.get(id);
        match &definition.body {
            Body::Enum(constants) => Held::Enum(&definition.local_name, constants),
            Body::Message(_) => Held::Message(&definition.local_name),
        }
    }

    /// As a person would say it.
    pub(super) fn words(&self) -> String {
        match self {
            Held::Scalar(scalar) => scalar.keyword().to_owned(),
            Held::Enum(name, _) => format!("enum {name}"),
            Held::Message(name) => (*name).to_owned(),
            Held::Map(key, value) => format!("map<{}, {}>", type_words(key), type_words(value)),
        }
    }

    /// Whether both are written alike: the same keyword, or the same name.
    pub(super) fn is_same(&self, other: &Held<'_>) -> bool {
        self.words() == other.words()
    }

    /// Whether one's bytes are read as the other, as the registry has it.
    pub(super) fn shares_bytes(&self, other: &Held<'_>) -> bool {
        match (self.kind(), other.kind()) {
            (Some(one), Some(other)) => one == other,
            (None, None) => std::mem::discriminant(self) == std::mem::discriminant(other),
            _ => false,
        }
    }

    fn kind(&self) -> Option<ScalarKind> {
        match self {
            Held::Scalar(scalar) => Some(scalar_kind(*scalar)),
            Held::Enum(..) => Some(ScalarKind::Varint),
            Held::Message(..) | Held::Map(..) => None,
        }
    }

    /// Whether repeated ones are written as one packed value, which old parsers of single values skip.
    pub(super) fn is_packed(&self) -> bool {
        self.kind().is_some_and(|kind| kind != ScalarKind::Text)
    }
}

fn type_words(field_type: &FieldType) -> &str {
    match field_type {
        FieldType::Scalar(scalar) => scalar.keyword(),
        FieldType::Named(named) => &named.written,
        FieldType::Map(_) => "map",
    }
}

/// What becomes of values that do not fit, when one type's bytes are read as the other.
pub(super) fn lost(from: &Held<'_>, to: &Held<'_>) -> Option<String> {
    use Scalar::{Bool, Bytes, Fixed32, Fixed64, Int32, Int64, Sfixed32, Sfixed64, Sint32, Sint64, Uint32, Uint64};
    const CUT: &str = "numbers beyond 32 bits are cut off";
    const NEGATIVE: &str = "negative numbers turn into large ones";
    let large = |bits: u32| format!("numbers from 2^{} on turn negative", bits - 1);
    if !from.shares_bytes(to) {
        return None;
    }
    Some(match (from, to) {
        (Held::Enum(_, from), Held::Enum(_, to)) => return lost_between(from, to),
        (Held::Enum(_, from), Held::Scalar(Bool)) => {
            return has_others(from, |number| (0..2).contains(&number)).then(|| NOT_TRUE.to_owned());
        }
        (Held::Enum(_, from), Held::Scalar(Uint32 | Uint64)) => {
            return has_others(from, |number| number >= 0).then(|| NEGATIVE.to_owned());
        }
        (Held::Scalar(Bool), Held::Enum(_, to)) => {
            let has = |number| to.constants.iter().any(|constant| constant.number == number);
            return (!has(0) || !has(1)).then(|| NO_CONSTANT.to_owned());
        }
        (Held::Scalar(_), Held::Enum(..)) => NO_CONSTANT.to_owned(),
        (Held::Scalar(from), Held::Scalar(to)) => match (from, to) {
            (Int32 | Int64 | Uint32 | Uint64, Bool) => NOT_TRUE.to_owned(),
            (Int64 | Uint64, Int32 | Uint32) | (Sint64, Sint32) => CUT.to_owned(),
            (Int32, Uint32 | Uint64) | (Int64, Uint64) => NEGATIVE.to_owned(),
            (Uint32, Int32) | (Fixed32, Sfixed32) => large(32),
            (Uint64, Int64) | (Fixed64, Sfixed64) => large(64),
            (Sfixed32, Fixed32) | (Sfixed64, Fixed64) => NEGATIVE.to_owned(),
            (Bytes, Scalar::String) => "bytes that are no UTF-8 are refused".to_owned(),
            _ => return None,
        },
        _ => return None,
    })
}

const NOT_TRUE: &str = "everything but 0 turns into true";
const NO_CONSTANT: &str = "numbers without a constant are unknown";

fn has_others(constants: &Enum, fits: impl Fn(i32) -> bool) -> bool {
    constants.constants.iter().any(|constant| !fits(constant.number))
}

/// Two enums: what one calls a number and the other does not know or calls otherwise.
fn lost_between(from: &Enum, to: &Enum) -> Option<String> {
    let names: HashMap<i32, &str> = to.constants.iter().map(|constant| (constant.number, &*constant.name)).collect();
    let differs = |constant: &&crate::schema::protobuf::Constant| {
        names.get(&constant.number).is_none_or(|name| **name != *constant.name)
    };
    let first = from.constants.iter().find(differs)?;
    Some(match names.get(&first.number) {
        Some(name) => format!("{} is read as {name}", first.name),
        None => format!("{} is unknown", first.name),
    })
}
