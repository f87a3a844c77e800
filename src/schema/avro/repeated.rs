//! Whether a definition that stands in a text again is the same one: 1.12 takes it then. Docs and aliases do not count.

use std::collections::{HashMap, HashSet};

use super::graph::{Field, Kind, Property, Type, TypeId};
use super::json::{Json, Value};

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
        (Some(one), Some(other)) => texts_equal(one, other),
        (one, other) => one.is_none() && other.is_none(),
    };
    one.name == other.name
        && one.order == other.order
        && defaults_equal
        && properties_equal(&one.properties, &other.properties)
}

fn properties_equal(one: &[Property], other: &[Property]) -> bool {
    let by_key = |all: &[Property]| all.iter().map(|property| (property.key.clone(), property.value.clone())).collect();
    let (one, other): (HashMap<_, Box<str>>, HashMap<_, Box<str>>) = (by_key(one), by_key(other));
    one.len() == other.len()
        && one.iter().all(|(key, value)| other.get(key).is_some_and(|found| texts_equal(found, value)))
}

/// Whether two JSON texts are the same value: keys in any order, whole numbers apart from fractions.
pub(crate) fn texts_equal(one: &str, other: &str) -> bool {
    one == other
        || match (Json::read(one), Json::read(other)) {
            (Ok(one), Ok(other)) => values_equal(&one, &other),
            _ => false,
        }
}

fn values_equal(one: &Json, other: &Json) -> bool {
    match (&one.value, &other.value) {
        (Value::Null, Value::Null) => true,
        (Value::Bool(one), Value::Bool(other)) => one == other,
        (Value::Text(one), Value::Text(other)) => one == other,
        (Value::Number(one_text), Value::Number(other_text)) => {
            match (one.as_whole_number(), other.as_whole_number()) {
                (Some(one), Some(other)) => one == other,
                (None, None) => one_text.parse::<f64>().ok() == other_text.parse::<f64>().ok(),
                _ => false,
            }
        }
        (Value::List(one), Value::List(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| values_equal(one, other))
        }
        (Value::Object(_), Value::Object(_)) => {
            let (one, other) = (one.by_key(), other.by_key());
            one.len() == other.len()
                && one.iter().all(|(key, value)| other.get(key).is_some_and(|found| values_equal(value, found)))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::order_of_keys(r#"{"a":1,"b":2}"#, r#"{"b":2,"a":1}"#, true)]
    #[case::one_number(r#"[1.0]"#, r#"[1e0]"#, true)]
    #[case::whole_or_not("1", "1.0", false)]
    #[case::order_of_items("[1,2]", "[2,1]", false)]
    #[case::escapes(r#""\u0061""#, r#""a""#, true)]
    fn json_values_are_compared(#[case] one: &str, #[case] other: &str, #[case] equal: bool) {
        assert_eq!(texts_equal(one, other), equal);
    }
}
