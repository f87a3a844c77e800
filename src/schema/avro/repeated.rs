//! Whether a definition that stands in a text again is the same one: 1.12 takes it then. Docs and aliases do not count.

use std::collections::{HashMap, HashSet};

use super::graph::{Field, Kind, Property, Type, TypeId};
use crate::schema::json_text::same_value;

/// Whether two definitions are equal to the library. Names that are not known yet equal nothing, so a record that
/// refers to itself can only be repeated in another text.
pub(super) fn equal(types: &[Type], one: TypeId, other: TypeId) -> bool {
    let mut pairs = vec![(one, other)];
    let mut assumed = HashSet::new();
    while let Some((one, other)) = pairs.pop() {
        if one == other || !assumed.insert((one, other)) {
            continue;
        }
        let (one, other) = (&types[one.index()], &types[other.index()]);
        if !properties_equal(&one.properties, &other.properties) || !kinds_equal(&one.kind, &other.kind, &mut pairs) {
            return false;
        }
    }
    true
}

/// Leaves the pairs of parts that have to be equal, too.
fn kinds_equal(one: &Kind, other: &Kind, pairs: &mut Vec<(TypeId, TypeId)>) -> bool {
    match (one, other) {
        (Kind::Primitive(one), Kind::Primitive(other)) => one == other,
        (Kind::Array(one), Kind::Array(other)) | (Kind::Map(one), Kind::Map(other)) => {
            pairs.push((*one, *other));
            true
        }
        (Kind::Union(one), Kind::Union(other)) => {
            pairs.extend(one.iter().copied().zip(other.iter().copied()));
            one.len() == other.len()
        }
        (Kind::Enum(one), Kind::Enum(other)) => one.name == other.name && one.symbols == other.symbols,
        (Kind::Fixed(one), Kind::Fixed(other)) => one.name == other.name && one.size == other.size,
        (Kind::Record(one), Kind::Record(other)) => {
            let fields = || one.fields.iter().zip(&other.fields);
            pairs.extend(fields().map(|(one, other)| (one.kind, other.kind)));
            one.name == other.name
                && one.fields.len() == other.fields.len()
                && fields().all(|(one, other)| fields_equal(one, other))
        }
        _ => false,
    }
}

fn fields_equal(one: &Field, other: &Field) -> bool {
    let defaults_equal = match (&one.default, &other.default) {
        (Some(one), Some(other)) => same_value(one, other),
        (one, other) => one.is_none() && other.is_none(),
    };
    one.name == other.name
        && one.order == other.order
        && defaults_equal
        && properties_equal(&one.properties, &other.properties)
}

fn properties_equal(one: &[Property], other: &[Property]) -> bool {
    let (one, other) = (by_key(one), by_key(other));
    one.len() == other.len()
        && one.iter().all(|(key, value)| other.get(key).is_some_and(|found| same_value(found, value)))
}

fn by_key(properties: &[Property]) -> HashMap<&str, &str> {
    properties.iter().map(|property| (&*property.key, &*property.value)).collect()
}
