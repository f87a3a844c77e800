//! The engine's front: any format, by a registry's profile.

use super::effort::Effort;
use super::levels::{Direction, Violation};
use super::profile::{Policy, Profile};
use super::{Difference, Facts, Failure, avro, json, protobuf};
use crate::api::SchemaType;
use crate::schema::{Reading, Reference, Version};

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

/// The rule that a subject keeps its schema type, by a name of ours: registries have none for it.
pub const SCHEMA_TYPE_CHANGED: &str = "SCHEMA_TYPE_CHANGED";

impl Parsed {
    /// The format.
    pub fn schema_type(&self) -> SchemaType {
        match self {
            Parsed::Avro(_) => SchemaType::Avro,
            Parsed::Json(_) => SchemaType::Json,
            Parsed::Protobuf(_) => SchemaType::Protobuf,
        }
    }
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

/// Reads a schema and what it refers to. For one that a candidate is compared with see [`read_stored`].
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
            let parsed = crate::schema::avro::parse(text, references, reading, &rules.parsing);
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

/// Reads a schema that the registry holds, to compare a candidate with it: with what the schema refers to, `own`, or
/// with what the candidate refers to instead.
pub fn read_stored(
    schema_type: SchemaType,
    text: &str,
    own: &[Reference<'_>],
    candidates: &[Reference<'_>],
    profile: &Profile,
) -> Result<Parsed, Unreadable> {
    let is_lent = schema_type == SchemaType::Avro && profile.avro.is_some_and(|rules| rules.lends_references);
    read(schema_type, text, if is_lent { candidates } else { own }, Reading::Stored, profile)
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
    differences_within(reader, writer, profile, policy, &mut Effort::default())
}

/// The same, and notes how much work it was.
pub fn differences_within(
    reader: &Parsed,
    writer: &Parsed,
    profile: &Profile,
    policy: Policy,
    effort: &mut Effort,
) -> Result<Vec<Difference>, Failure> {
    let without_rules = || Failure::Unsupported(format!("{} has no rules for this format", profile.name));
    match (reader, writer) {
        (Parsed::Avro(reader), Parsed::Avro(writer)) => {
            avro::differences_within(reader, writer, &profile.avro.ok_or_else(without_rules)?, effort)
        }
        (Parsed::Json(reader), Parsed::Json(writer)) => {
            json::differences_within(reader, writer, &profile.json.ok_or_else(without_rules)?, policy, effort)
        }
        (Parsed::Protobuf(reader), Parsed::Protobuf(writer)) => {
            protobuf::differences_within(reader, writer, &profile.protobuf.ok_or_else(without_rules)?, effort)
        }
        _ => Ok(vec![another_type(reader, writer)]),
    }
}

/// Under any level but NONE a subject keeps its schema type (compat.md §4.1).
fn another_type(reader: &Parsed, writer: &Parsed) -> Difference {
    let spelled = |schema: &Parsed| schema.schema_type().to_string();
    let facts = Facts { subject: String::new(), reader: spelled(reader), writer: spelled(writer) };
    Difference { rule: SCHEMA_TYPE_CHANGED, path: String::new(), breaks: true, facts }
}

/// A difference in one sentence: what differs, and who cannot read whose data because of it. `version` is the older
/// schema's.
pub fn sentence(schema_type: SchemaType, difference: &Difference, direction: Direction, version: Version) -> String {
    sentence_about(schema_type, difference, direction, &format!("version {version}"))
}

/// The same, with what the older schema is called: `version 3`, `the old schema`.
pub fn sentence_about(schema_type: SchemaType, difference: &Difference, direction: Direction, old: &str) -> String {
    if difference.rule == SCHEMA_TYPE_CHANGED {
        let Facts { reader, writer, .. } = &difference.facts;
        let (new_type, old_type) = if direction == Direction::Backward { (reader, writer) } else { (writer, reader) };
        return format!("the type is {new_type} now and {old_type} in {old}, and a subject keeps its type");
    }
    match (schema_type, direction) {
        (SchemaType::Avro, _) => avro::sentence(difference, direction, old),
        (SchemaType::Protobuf, Direction::Backward) => protobuf::words::sentence(difference, "this schema", old),
        (SchemaType::Protobuf, Direction::Forward) => protobuf::words::sentence(difference, old, "this schema"),
        (SchemaType::Json, Direction::Backward) => json::sentence(difference, "this schema", old),
        (SchemaType::Json, Direction::Forward) => json::sentence(difference, old, "this schema"),
    }
}

/// The text of a newer schema.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    /// Its type.
    pub schema_type: SchemaType,
    /// Its text.
    pub text: &'a str,
    /// What it refers to.
    pub references: &'a [Reference<'a>],
}

/// What would mend a violation in the newer schema, where a change of it does and the engine, asked again with that
/// change made, finds that less breaks. `old` is the older schema, `before` how much breaks between the two now.
pub fn verified_hint(
    candidate: &Candidate<'_>,
    old: &Parsed,
    violation: &Violation,
    before: usize,
    profile: &Profile,
    policy: Policy,
    effort: &mut Effort,
) -> Option<String> {
    if effort.is_spent() {
        return None;
    }
    let Violation { difference, direction, .. } = violation;
    let (direction, Candidate { schema_type, text, references }) = (*direction, *candidate);
    let (hint, mended) = match schema_type {
        SchemaType::Avro => (avro::hint(difference, direction)?, avro::mend(text, difference, direction)?),
        SchemaType::Protobuf => {
            (protobuf::words::hint(difference, direction)?, protobuf::mend(text, difference, direction)?)
        }
        SchemaType::Json => {
            (json::hint(difference, direction, &profile.json?)?, json::mend(text, difference, direction)?)
        }
    };
    effort.spend(mended.len() * WORK_OF_BYTE);
    let mended = read(schema_type, &mended, references, Reading::New, profile).ok()?;
    (broken(&mended, old, direction, profile, policy, effort)? < before).then_some(hint)
}

/// Making the change and reading what comes of it, in units of effort.
const WORK_OF_BYTE: usize = 3;

/// How much breaks in a direction.
fn broken(
    new: &Parsed,
    old: &Parsed,
    direction: Direction,
    profile: &Profile,
    policy: Policy,
    effort: &mut Effort,
) -> Option<usize> {
    let (reader, writer) = match direction {
        Direction::Backward => (new, old),
        Direction::Forward => (old, new),
    };
    let all = differences_within(reader, writer, profile, policy, effort).ok()?;
    Some(all.iter().filter(|difference| difference.breaks).count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compat::{APICURIO_3, CONFLUENT_8_3, KARAPACE_6, REDPANDA_25};

    const OUTER: &str = r#"{"type":"record","name":"Out","fields":[{"name":"i","type":"In"}]}"#;

    fn inner(kind: &str) -> String {
        format!(r#"{{"type":"record","name":"In","fields":[{{"name":"x","type":"{kind}"}}]}}"#)
    }

    /// How much breaks where the referenced type changes, and nothing else.
    fn broken_by_a_reference(profile: &Profile) -> usize {
        let (old, new) = (inner("int"), inner("string"));
        let own = [Reference { name: "In", text: &old }];
        let candidates = [Reference { name: "In", text: &new }];
        let old = read_stored(SchemaType::Avro, OUTER, &own, &candidates, profile).unwrap();
        let new = read(SchemaType::Avro, OUTER, &candidates, Reading::New, profile).unwrap();
        differences(&new, &old, profile, Policy::Strict).unwrap().len()
    }

    #[test]
    fn apicurio_reads_the_old_schema_with_the_references_of_the_new_one() {
        assert_eq!(broken_by_a_reference(&CONFLUENT_8_3), 1);
        assert_eq!(broken_by_a_reference(&KARAPACE_6), 1);
        assert_eq!(broken_by_a_reference(&APICURIO_3), 0);
    }

    #[test]
    fn apicurio_cannot_read_an_old_schema_whose_references_the_new_one_has_not() {
        let inner = inner("int");
        let own = [Reference { name: "In", text: &inner }];
        let read_alone = |profile| read_stored(SchemaType::Avro, OUTER, &own, &[], profile);
        assert!(read_alone(&CONFLUENT_8_3).is_ok());
        assert!(matches!(read_alone(&APICURIO_3), Err(Unreadable::Invalid(_))));
    }

    #[test]
    fn a_format_that_a_profile_has_no_rules_for_is_left_to_the_registry() {
        let read = |schema_type, profile| read(schema_type, "{}", &[], Reading::New, profile).unwrap_err();
        for schema_type in [SchemaType::Json, SchemaType::Protobuf] {
            for profile in [&KARAPACE_6, &APICURIO_3, &REDPANDA_25] {
                assert!(matches!(read(schema_type, profile), Unreadable::Unsupported(_)));
            }
        }
        assert!(matches!(read(SchemaType::Avro, &REDPANDA_25), Unreadable::Unsupported(_)));
    }
}
