//! The bodies of requests and answers, as registries spell them. Converted into our types in one place each.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::client::{Candidate, Placement};
use crate::api::SchemaType;

/// What is sent about a candidate. Only what is needed: old Confluent and Redpanda refuse keys that they do not know,
/// and null where nothing is meant. Whatever a candidate carries later is added here and nowhere else.
#[derive(Serialize)]
pub(super) struct CandidateBody<'a> {
    schema: &'a str,
    #[serde(rename = "schemaType", skip_serializing_if = "Option::is_none")]
    schema_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<i32>,
}

impl<'a> CandidateBody<'a> {
    /// For a lookup or a check.
    pub fn ask(candidate: &'a Candidate) -> Self {
        CandidateBody { schema: &candidate.text, schema_type: type_unless_avro(candidate.schema_type), version: None }
    }

    /// For a register.
    pub fn register(candidate: &'a Candidate, placement: Placement) -> Self {
        let version = match placement {
            Placement::Append => None,
            Placement::MakeLatest => Some(-1),
        };
        CandidateBody { version, ..CandidateBody::ask(candidate) }
    }
}

/// AVRO is what registries take an absent type for; Confluent before 5.5 does not know the key.
fn type_unless_avro(schema_type: SchemaType) -> Option<&'static str> {
    match schema_type {
        SchemaType::Avro => None,
        other => Some(other.spelling()),
    }
}

/// `PUT /config/{subject}`; the answer to a GET spells the same thing `compatibilityLevel`.
#[derive(Serialize)]
pub(super) struct SetLevelBody {
    pub compatibility: String,
}

/// A version of a subject, from `GET …/versions/{version}` and from a lookup.
#[derive(Deserialize)]
pub(super) struct StoredBody {
    pub subject: String,
    pub version: i64,
    pub id: i64,
    /// Absent for AVRO, and in Apicurio's lookups.
    #[serde(rename = "schemaType")]
    pub schema_type: Option<String>,
    /// Null, or absent, in answers of Karapace to a lookup.
    pub schema: Option<String>,
    pub references: Option<Vec<ReferenceBody>>,
    pub metadata: Option<MetadataBody>,
}

/// What a version refers to.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct ReferenceBody {
    pub name: String,
    pub subject: String,
    pub version: i64,
}

/// A version's metadata, as far as it decides what it is compared with.
#[derive(Deserialize)]
pub(super) struct MetadataBody {
    pub properties: Option<BTreeMap<String, serde_json::Value>>,
}

/// The answer to a register. The version is not in it before Confluent 8.0, nor elsewhere.
#[derive(Deserialize)]
pub(super) struct RegisteredBody {
    pub id: i64,
}

/// The answer to a check.
#[derive(Deserialize)]
pub(super) struct CheckBody {
    pub is_compatible: bool,
    pub messages: Option<Vec<String>>,
}

/// The answer to `GET /config…`. 3.3.3 of Apicurio, and some before Confluent 4, say `compatibility`.
#[derive(Deserialize)]
pub(super) struct LevelBody {
    #[serde(rename = "compatibilityLevel")]
    pub compatibility_level: Option<String>,
    pub compatibility: Option<String>,
    #[serde(rename = "compatibilityPolicy")]
    pub policy: Option<String>,
    #[serde(rename = "compatibilityGroup")]
    pub group: Option<String>,
}

/// The answer to `GET /mode…`.
#[derive(Deserialize)]
pub(super) struct ModeBody {
    pub mode: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::avro(SchemaType::Avro, Placement::Append, r#"{"schema":"\"int\""}"#)]
    #[case::json(SchemaType::Json, Placement::Append, r#"{"schema":"\"int\"","schemaType":"JSON"}"#)]
    #[case::make_latest(SchemaType::Avro, Placement::MakeLatest, r#"{"schema":"\"int\"","version":-1}"#)]
    fn bodies_hold_only_what_is_needed(
        #[case] schema_type: SchemaType,
        #[case] placement: Placement,
        #[case] body: &str,
    ) {
        let candidate = Candidate { schema_type, text: "\"int\"".into(), normalize: None };
        assert_eq!(serde_json::to_string(&CandidateBody::register(&candidate, placement)).unwrap(), body);
    }
}
