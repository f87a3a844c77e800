//! Folds the spellings of one Avro schema that registries store as the same: redundant namespaces, and
//! `{"type": "string"}` around a primitive. All else (doc, defaults, order of fields, aliases) is kept.

use serde_json::{Map, Value};

const PRIMITIVES: [&str; 8] = ["null", "boolean", "int", "long", "float", "double", "bytes", "string"];

/// Folds a whole schema.
pub(super) fn fold(schema: Value) -> Value {
    fold_in(schema, "")
}

fn fold_in(schema: Value, enclosing: &str) -> Value {
    match schema {
        Value::Array(branches) => branches.into_iter().map(|branch| fold_in(branch, enclosing)).collect(),
        Value::Object(object) => fold_object(object, enclosing),
        name => name,
    }
}

fn fold_object(mut object: Map<String, Value>, enclosing: &str) -> Value {
    if let Some(primitive) = wrapped_primitive(&object) {
        return Value::String(primitive);
    }
    let own = if names_a_type(&object) { fold_name(&mut object, enclosing) } else { None };
    let namespace = own.as_deref().unwrap_or(enclosing);
    for key in ["items", "values"] {
        if let Some(inner) = object.remove(key) {
            object.insert(key.to_owned(), fold_in(inner, namespace));
        }
    }
    if let Some(inner @ (Value::Object(_) | Value::Array(_))) = object.get_mut("type") {
        *inner = fold_in(inner.take(), namespace);
    }
    if let Some(Value::Array(fields)) = object.get_mut("fields") {
        fields.iter_mut().for_each(|field| fold_field(field, namespace));
    }
    Value::Object(object)
}

fn fold_field(field: &mut Value, namespace: &str) {
    if let Some(field_type) = field.get_mut("type") {
        *field_type = fold_in(field_type.take(), namespace);
    }
}

/// `{"type": "string"}` and nothing else is `"string"`.
fn wrapped_primitive(object: &Map<String, Value>) -> Option<String> {
    let name = object.get("type")?.as_str()?;
    (object.len() == 1 && PRIMITIVES.contains(&name)).then(|| name.to_owned())
}

fn names_a_type(object: &Map<String, Value>) -> bool {
    let kind = object.get("type").and_then(Value::as_str);
    matches!(kind, Some("record" | "error" | "enum" | "fixed")) && object.get("name").is_some_and(Value::is_string)
}

/// Splits the full name, and keeps the namespace only where it differs from the enclosing one. A dot in the name
/// overrides the namespace attribute (Avro specification, Names). Gives a namespace that differs.
fn fold_name(object: &mut Map<String, Value>, enclosing: &str) -> Option<String> {
    let name = object.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
    let attribute = object.get("namespace").and_then(Value::as_str);
    let (namespace, short) = match name.rsplit_once('.') {
        Some((namespace, short)) => (namespace.to_owned(), short.to_owned()),
        None => (attribute.unwrap_or(enclosing).to_owned(), name),
    };
    object.insert("name".to_owned(), Value::String(short));
    if namespace == enclosing {
        object.remove("namespace");
        return None;
    }
    object.insert("namespace".to_owned(), Value::String(namespace.clone()));
    Some(namespace)
}
