//! Karapace and Apicurio: the verdicts on every pair of a format that their profiles judge, both ways.

use std::collections::BTreeMap;

use schema_registrar::api::SchemaType;
use schema_registrar::compat::engine::{self, Parsed, Unreadable};
use schema_registrar::compat::{APICURIO_3, Failure, KARAPACE_6, Policy, Profile};
use schema_registrar::schema::{Reading, Reference};
use serde::Deserialize;
use serde_json::Value;

use crate::vectors::{self, Case};

/// Apicurio takes a schema that differs only in the default of an enum for the one that it has, so the second version
/// that this candidate refers to was never made there, and the candidate is refused.
const NOT_REPRODUCED: &[(&str, &str)] = &[("gen-avro-01022", "apicurio-3.3.3")];

const REGISTRIES: [(&str, &Profile); 2] = [("karapace-6.2.0", &KARAPACE_6), ("apicurio-3.3.3", &APICURIO_3)];

const FORMATS: [(&str, SchemaType); 3] =
    [("AVRO", SchemaType::Avro), ("JSON", SchemaType::Json), ("PROTOBUF", SchemaType::Protobuf)];

/// What the registries said to one pair.
#[derive(Deserialize)]
struct Answers {
    id: String,
    #[serde(flatten)]
    by_registry: BTreeMap<String, Said>,
}

/// Each true, false or "error".
#[derive(Deserialize)]
struct Said {
    backward: Value,
    forward: Value,
}

#[test]
fn verdicts_of_other_registries_are_theirs() {
    let (folder, which) = vectors::folder();
    let text = std::fs::read_to_string(folder.join("other-registries.jsonl")).expect("the answers can be read");
    let answers = text.lines().map(|line| serde_json::from_str::<Answers>(line).expect("a line is an answer"));
    let answers: BTreeMap<String, Answers> = answers.map(|answers| (answers.id.clone(), answers)).collect();
    let mut misses = Vec::new();
    let (mut ran, mut known) = (0, 0);
    for (name, schema_type) in FORMATS {
        let (cases, _) = vectors::pairs(name);
        for (registry, profile) in REGISTRIES {
            if !is_judged(schema_type, profile) {
                println!("{name} of {registry} is left to the registry");
                continue;
            }
            ran += cases.len();
            for case in &cases {
                let said = answers.get(&case.id).and_then(|answers| answers.by_registry.get(registry));
                let miss = miss(case, schema_type, said.expect("the registry was asked"), profile);
                match (miss, NOT_REPRODUCED.contains(&(&case.id, registry))) {
                    (None, false) => {}
                    (Some(_), true) => known += 1,
                    (Some(miss), false) => misses.push(format!("{} at {registry}: {miss}", case.id)),
                    (None, true) => misses.push(format!("{} at {registry} agrees, and is listed as if not", case.id)),
                }
            }
        }
    }
    let agreed = ran - misses.len() - known;
    println!("{ran} pairs judged both ways as by other registries, {agreed} agree; {which}");
    println!("{known} are known not to be reproduced");
    assert!(misses.is_empty(), "{} of {ran} differ:\n{}", misses.len(), misses.join("\n"));
    assert!(ran > 0, "there are no cases");
}

/// Whether a profile judges a format at all. It answers so for all of its schemas, or for none.
fn is_judged(schema_type: SchemaType, profile: &Profile) -> bool {
    match schema_type {
        SchemaType::Avro => profile.avro.is_some(),
        SchemaType::Json => profile.json.is_some(),
        SchemaType::Protobuf => profile.protobuf.is_some(),
    }
}

/// What we say otherwise than the registry.
fn miss(case: &Case, schema_type: SchemaType, said: &Said, profile: &Profile) -> Option<String> {
    let (own, candidates) = (references(&case.old_references), references(&case.new_references));
    let old = engine::read_stored(schema_type, &case.old, &own, &candidates, profile);
    let new = engine::read(schema_type, &case.new, &candidates, Reading::New, profile);
    let ours = [verdict(&new, &old, profile), verdict(&old, &new, profile)];
    let theirs = [said.backward.clone(), said.forward.clone()];
    (ours != theirs).then(|| format!("{ours:?} instead of {theirs:?}"))
}

fn verdict(reader: &Result<Parsed, Unreadable>, writer: &Result<Parsed, Unreadable>, profile: &Profile) -> Value {
    let (reader, writer) = match (reader, writer) {
        (Ok(reader), Ok(writer)) => (reader, writer),
        (Err(Unreadable::Unsupported(why)), _) | (_, Err(Unreadable::Unsupported(why))) => {
            return Value::String(format!("unsupported: {why}"));
        }
        _ => return Value::String("error".to_owned()),
    };
    match engine::differences(reader, writer, profile, Policy::Strict) {
        Ok(all) => Value::Bool(!all.iter().any(|difference| difference.breaks)),
        Err(Failure::RegistryError(_)) => Value::String("error".to_owned()),
        Err(Failure::Unsupported(why)) => Value::String(format!("unsupported: {why}")),
    }
}

fn references(named: &[vectors::Reference]) -> Vec<Reference<'_>> {
    named.iter().map(|reference| Reference { name: &reference.name, text: &reference.schema }).collect()
}
