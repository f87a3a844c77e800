//! The parts of an Avro schema: types, fields, symbols. A type that is defined within a field is a part of its own.

use serde_json::{Map, Value};

use super::Content;

/// Takes a schema apart.
pub(super) fn take_apart(mut schema: Value, content: &mut Content) {
    let root = schema.get("name").and_then(Value::as_str).map(str::to_owned);
    let mut parts = Parts { content, root };
    parts.definitions(&mut schema);
    parts.content.add("the type of the schema".to_owned(), schema.to_string());
}

struct Parts<'c> {
    content: &'c mut Content,
    /// The name of the record that the schema is, if it is one: its fields need no record named.
    root: Option<String>,
}

impl Parts<'_> {
    /// Takes out every definition within a type, and leaves its name there. Depth is bounded by the text's.
    fn definitions(&mut self, schema: &mut Value) {
        match schema {
            Value::Array(branches) => branches.iter_mut().for_each(|branch| self.definitions(branch)),
            Value::Object(object) => {
                for key in ["type", "items", "values"] {
                    if let Some(inner) = object.get_mut(key) {
                        self.definitions(inner);
                    }
                }
                if let Some(name) = object.get("name").and_then(Value::as_str).map(str::to_owned) {
                    self.definition(&name, std::mem::take(object));
                    *schema = Value::String(name);
                }
            }
            _ => {}
        }
    }

    fn definition(&mut self, name: &str, mut object: Map<String, Value>) {
        if let Some(Value::Array(fields)) = object.remove("fields") {
            fields.into_iter().for_each(|field| self.field(name, field));
        }
        if let Some(Value::Array(symbols)) = object.remove("symbols") {
            for symbol in symbols.iter().filter_map(Value::as_str) {
                self.content.add(format_args!("symbol {symbol} of {name}"), String::new());
            }
        }
        self.content.add(format_args!("type {name}"), Value::Object(object).to_string());
    }

    fn field(&mut self, record: &str, mut field: Value) {
        let name = field.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        if let Some(kind) = field.get_mut("type") {
            self.definitions(kind);
        }
        match self.root.as_deref() == Some(record) {
            true => self.content.add(format_args!("field {name}"), field),
            false => self.content.add(format_args!("field {name} of {record}"), field),
        }
    }
}
