//! Who decides whether two schemas are compatible, for the fake: a closure, by default a few rules of Avro.

use std::sync::Arc;

use serde_json::Value;

/// One comparison: may a reader with one schema read data that was written with the other?
#[derive(Clone, Debug)]
pub struct Comparison<'a> {
    /// AVRO, JSON or PROTOBUF; of both.
    pub schema_type: &'a str,
    /// The candidate, as it was sent.
    pub new: &'a str,
    /// The version, as the registry keeps it.
    pub old: &'a str,
    /// BACKWARD: the new schema reads. Otherwise the old one does.
    pub backward: bool,
}

/// One thing that breaks a reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// A field of the reader has no default, and the writer lacks it.
    MissingDefault { field: String, at: usize },
    /// A field, or the whole schema where there is no path, has another type.
    Type { path: String, reader: String, writer: String },
    /// Records with different names.
    Name { expected: String },
    /// In the registry's own words.
    Words(String),
}

/// Answers with what breaks; nothing means compatible.
pub type Judge = Arc<dyn Fn(&Comparison) -> Vec<Difference> + Send + Sync>;

/// Of Avro: names of records, fields without default, and primitive types. All else is compatible.
pub fn simple(comparison: &Comparison) -> Vec<Difference> {
    if comparison.schema_type != "AVRO" {
        return Vec::new();
    }
    let (Ok(new), Ok(old)) = (serde_json::from_str(comparison.new), serde_json::from_str(comparison.old)) else {
        return Vec::new();
    };
    if comparison.backward { read(&new, &old) } else { read(&old, &new) }
}

fn read(reader: &Value, writer: &Value) -> Vec<Difference> {
    let (Some(reader_fields), Some(writer_fields)) = (reader["fields"].as_array(), writer["fields"].as_array()) else {
        return types("/", reader, writer).into_iter().collect();
    };
    let mut differences = Vec::new();
    if simple_name(reader) != simple_name(writer) && !has_alias(reader, &full_name(writer)) {
        differences.push(Difference::Name { expected: full_name(writer) });
    }
    for (at, field) in reader_fields.iter().enumerate() {
        let same = |other: &&Value| other["name"] == field["name"];
        let renamed = |other: &&Value| other["name"].as_str().is_some_and(|name| has_alias(field, name));
        match writer_fields.iter().find(same).or_else(|| writer_fields.iter().find(renamed)) {
            Some(other) => differences.extend(types(&format!("/fields/{at}/type"), &field["type"], &other["type"])),
            None if field.get("default").is_none() => {
                let field = field["name"].as_str().unwrap_or_default().to_owned();
                differences.push(Difference::MissingDefault { field, at });
            }
            None => {}
        }
    }
    differences
}

fn types(path: &str, reader: &Value, writer: &Value) -> Option<Difference> {
    let (reader, writer) = (word(reader)?, word(writer)?);
    let promoted = matches!(
        (writer, reader),
        ("int", "long" | "float" | "double")
            | ("long", "float" | "double")
            | ("float", "double")
            | ("string", "bytes")
            | ("bytes", "string")
    );
    (reader != writer && !promoted).then(|| Difference::Type {
        path: path.to_owned(),
        reader: reader.to_owned(),
        writer: writer.to_owned(),
    })
}

fn word(schema: &Value) -> Option<&str> {
    schema.as_str().or_else(|| schema["type"].as_str())
}

fn has_alias(schema: &Value, name: &str) -> bool {
    schema["aliases"].as_array().is_some_and(|aliases| aliases.iter().any(|alias| alias == name))
}

fn simple_name(schema: &Value) -> Option<&str> {
    schema["name"].as_str()?.rsplit('.').next()
}

fn full_name(schema: &Value) -> String {
    let name = schema["name"].as_str().unwrap_or_default();
    match schema["namespace"].as_str() {
        Some(space) if !name.contains('.') => format!("{space}.{name}"),
        _ => name.to_owned(),
    }
}

impl Difference {
    /// As Confluent writes it.
    pub fn confluent(&self, backward: bool) -> String {
        let (reader_side, writer_side) = if backward { ("new", "old") } else { ("old", "new") };
        match self {
            Difference::MissingDefault { field, at } => format!(
                "{{errorType:'READER_FIELD_MISSING_DEFAULT_VALUE', description:'The field '{field}' at path '/fields/{at}' \
                 in the {reader_side} schema has no default value and is missing in the {writer_side} schema', \
                 additionalInfo:'{field}'}}"
            ),
            Difference::Type { path, reader, writer } => format!(
                "{{errorType:'TYPE_MISMATCH', description:'The type (path '{path}') of a field in the {reader_side} schema \
                 does not match with the {writer_side} schema', additionalInfo:'reader type: {} not compatible with \
                 writer type: {}'}}",
                reader.to_uppercase(),
                writer.to_uppercase()
            ),
            Difference::Name { expected } => format!(
                "{{errorType:'NAME_MISMATCH', description:'The name of the schema has changed (path '/name')', \
                 additionalInfo:'expected: {expected}'}}"
            ),
            Difference::Words(words) => words.clone(),
        }
    }

    /// As Karapace writes it.
    pub fn karapace(&self) -> String {
        match self {
            Difference::MissingDefault { field, .. } => field.clone(),
            Difference::Type { reader, writer, .. } => {
                format!("reader type: {reader} not compatible with writer type: {writer}")
            }
            Difference::Name { expected } => format!("expected: {expected}"),
            Difference::Words(words) => words.clone(),
        }
    }

    /// As Apicurio writes it.
    pub fn apicurio(&self) -> String {
        match self {
            Difference::MissingDefault { field, at } => format!("{field} at /fields/{at}"),
            Difference::Type { path, reader, writer } => format!(
                "reader type: {} not compatible with writer type: {} at {path}",
                reader.to_uppercase(),
                writer.to_uppercase()
            ),
            Difference::Name { expected } => format!("expected: {expected} at /name"),
            Difference::Words(words) => words.clone(),
        }
    }
}
