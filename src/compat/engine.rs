//! The engine's front: any format, by a registry's profile.

use super::profile::{Policy, Profile};
use super::{Difference, Facts, Failure, avro, json, protobuf};
use crate::api::SchemaType;
use crate::schema::{Reading, Reference};

/// A schema, read as a registry would read it.
#[derive(Debug)]
pub enum Parsed {
    /// Apache Avro.
    Avro(crate::schema::avro::Schema),
    /// JSON Schema.
    Json(crate::schema::json::Schema),
    /// Protocol Buffers.
    Protobuf(crate::schema::protobuf::Schema),
}

/// Why a schema was not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// The registry refuses it as well (422).
    #[error("{0}")]
    Invalid(String),
    /// The registry may take it; we cannot read it.
    #[error("{0}")]
    Unsupported(String),
}

/// Reads a schema and what it refers to.
pub fn read(
    schema_type: SchemaType,
    text: &str,
    references: &[Reference<'_>],
    reading: Reading,
    profile: &Profile,
) -> Result<Parsed, Unreadable> {
    match schema_type {
        SchemaType::Avro => {
            let rules = profile.avro.ok_or_else(|| not_reproduced(schema_type, profile))?;
            let parsed = crate::schema::avro::parse(text, references, reading, &rules);
            parsed.map(Parsed::Avro).map_err(|error| unreadable(error.is_refusal(), error.to_string()))
        }
        SchemaType::Protobuf => {
            profile.protobuf.ok_or_else(|| not_reproduced(schema_type, profile))?;
            let parsed = crate::schema::protobuf::parse(text, references, reading);
            parsed.map(Parsed::Protobuf).map_err(|error| unreadable(error.is_invalid(), error.to_string()))
        }
        SchemaType::Json => {
            profile.json.ok_or_else(|| not_reproduced(schema_type, profile))?;
            let parsed = crate::schema::json::parse(text, references, reading);
            parsed.map(Parsed::Json).map_err(|error| unreadable(error.is_refusal(), error.to_string()))
        }
    }
}

fn unreadable(is_invalid: bool, why: String) -> Unreadable {
    if is_invalid { Unreadable::Invalid(why) } else { Unreadable::Unsupported(why) }
}

fn not_reproduced(schema_type: SchemaType, profile: &Profile) -> Unreadable {
    Unreadable::Unsupported(format!("the verdicts of {} on {schema_type} are not reproduced here", profile.name))
}

/// All differences of a reader's schema from a writer's, also those that break nothing.
pub fn differences(
    reader: &Parsed,
    writer: &Parsed,
    profile: &Profile,
    policy: Policy,
) -> Result<Vec<Difference>, Failure> {
    let without_rules = || Failure::Unsupported(format!("{} has no rules for this format", profile.name));
    match (reader, writer) {
        (Parsed::Avro(reader), Parsed::Avro(writer)) => {
            avro::differences(reader, writer, &profile.avro.ok_or_else(without_rules)?, policy)
        }
        (Parsed::Json(reader), Parsed::Json(writer)) => {
            json::differences(reader, writer, &profile.json.ok_or_else(without_rules)?, policy)
        }
        (Parsed::Protobuf(reader), Parsed::Protobuf(writer)) => {
            protobuf::differences(reader, writer, &profile.protobuf.ok_or_else(without_rules)?, policy)
        }
        _ => Ok(vec![another_type()]),
    }
}

/// Under any level but NONE a subject keeps its schema type (compat.md §4.1).
fn another_type() -> Difference {
    Difference { rule: "SCHEMA_TYPE_CHANGED", path: String::new(), breaks: true, facts: Facts::default() }
}

/// A difference in one sentence.
pub fn sentence(difference: &Difference) -> String {
    let Facts { subject, reader, writer } = &difference.facts;
    match (subject.as_str(), reader.as_str(), writer.as_str()) {
        ("", "", "") => difference.rule.to_owned(),
        (subject, "", "") => subject.to_owned(),
        (subject, reader, writer) => format!("{subject}: {reader} reads {writer}"),
    }
}
