//! Histories of one subject, replayed: each operation is answered as the registry answered it, at both releases.

use std::collections::BTreeMap;

use schema_registrar::api::SchemaType;
use schema_registrar::compat::{CONFLUENT_8_3, CONFLUENT_NEXT, Profile};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::subject::{Against, Subject, Text, Which};
use crate::vectors;

const RELEASES: [(&str, &Profile); 2] = [("8.3.1", &CONFLUENT_8_3), ("head", &CONFLUENT_NEXT)];

#[derive(Deserialize)]
struct History {
    id: String,
    format: String,
    /// What the operations name by their place here.
    schemas: Vec<String>,
    ops: Vec<Operation>,
    /// One answer an operation, by release.
    observed: BTreeMap<String, Vec<Value>>,
}

/// Unknown operations do not parse: none is skipped.
#[derive(Debug, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
enum Operation {
    SetLevel { level: String },
    SetNormalize,
    Register { schema: usize },
    RegisterOtherType,
    Check { schema: usize, against: Value },
    Lookup { schema: usize },
    DeleteVersion { version: Value, permanent: bool },
    DeleteSubject { permanent: bool },
    Versions,
}

#[test]
fn every_operation_is_answered_as_by_the_registry() {
    let (folder, which) = vectors::folder();
    let text = std::fs::read_to_string(folder.join("confluent-histories.jsonl")).expect("the histories can be read");
    let histories: Vec<History> =
        text.lines().map(|line| serde_json::from_str(line).expect("a line is a history")).collect();
    let (mut ran, mut misses) = (0, Vec::new());
    for history in &histories {
        for (release, profile) in RELEASES {
            let said = history.observed.get(release).expect("both releases answered");
            ran += said.len();
            misses.extend(history.replay(profile, said).into_iter().map(|miss| format!("{release} {miss}")));
        }
    }
    let agreed = ran - misses.len();
    println!("{} histories at 2 releases, {ran} operations, {agreed} agreed, from {which}", histories.len());
    assert!(ran > 0, "there are no histories");
    assert!(misses.is_empty(), "{} of {ran} are answered otherwise:\n{}", misses.len(), misses.join("\n"));
}

impl History {
    fn replay(&self, profile: &'static Profile, said: &[Value]) -> Vec<String> {
        assert_eq!(self.ops.len(), said.len(), "{} has an answer to each operation", self.id);
        let mut subject = Subject::new(profile);
        let mut misses = Vec::new();
        for (at, (operation, said)) in self.ops.iter().zip(said).enumerate() {
            let ours = self.answer(&mut subject, operation);
            if ours != *said {
                misses.push(format!("{} operation {at} {operation:?}: {ours}, not {said}", self.id));
            }
        }
        misses
    }

    fn answer(&self, subject: &mut Subject, operation: &Operation) -> Value {
        match operation {
            Operation::SetLevel { level } => subject.set_level(level.parse().expect("a level")),
            // Folds what is written in several ways, none of which occurs.
            Operation::SetNormalize => json!({ "status": 200 }),
            Operation::Register { schema } => subject.register(self.text(*schema)),
            Operation::RegisterOtherType => subject.register(self.other_type()),
            Operation::Check { schema, against } => subject.check(self.text(*schema), against_of(against)),
            Operation::Lookup { schema } => subject.lookup(self.text(*schema)),
            Operation::DeleteVersion { version, permanent } => subject.delete_version(which_of(version), *permanent),
            Operation::DeleteSubject { permanent } => subject.delete_subject(*permanent),
            Operation::Versions => subject.versions(),
        }
    }

    fn text(&self, schema: usize) -> Text<'_> {
        let schema_type = self.format.parse().expect("a schema type");
        Text { schema_type, text: &self.schemas[schema] }
    }

    /// Which text it was is not told, and does not matter: it is another type.
    fn other_type(&self) -> Text<'static> {
        match self.text(0).schema_type {
            SchemaType::Avro => Text { schema_type: SchemaType::Json, text: r#"{"type":"object"}"# },
            _ => Text { schema_type: SchemaType::Avro, text: r#""string""# },
        }
    }
}

fn against_of(against: &Value) -> Against {
    match (against.as_str(), against.as_i64()) {
        (Some("latest"), _) => Against::Latest,
        (Some("all"), _) => Against::All,
        (_, Some(number)) => Against::Number(number),
        _ => unreachable!("against {against}"),
    }
}

fn which_of(version: &Value) -> Which {
    match (version.as_str(), version.as_i64()) {
        (Some("latest"), _) => Which::Latest,
        (_, Some(number)) => Which::Number(number),
        _ => unreachable!("version {version}"),
    }
}
