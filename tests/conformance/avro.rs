//! Avro: every case at both releases, both ways: the verdict, and what differs where, in the registry's order.

use schema_registrar::compat::avro::differences;
use schema_registrar::compat::{AvroRules, CONFLUENT_8_3, CONFLUENT_NEXT, Policy};
use schema_registrar::schema::avro::{ParseError, Schema, parse};
use schema_registrar::schema::{Reading, Reference};
use serde_json::{Value, json};

use crate::vectors::{self, Case, Said};

#[test]
fn avro_verdicts_are_the_registrys() {
    let (cases, which) = vectors::pairs("AVRO");
    let mut misses = Vec::new();
    let mut ran = 0;
    for case in &cases {
        for (release, profile) in [("8.3.1", CONFLUENT_8_3), ("head", CONFLUENT_NEXT)] {
            ran += 1;
            let rules = profile.avro.expect("the profile knows Avro");
            misses.extend(
                miss(case, &case.verdicts[release], &rules).map(|miss| format!("{} at {release}: {miss}", case.id)),
            );
        }
    }
    println!("{ran} verdicts on {} Avro pairs ({which}), {} agree", cases.len(), ran - misses.len());
    assert!(ran > 0, "no case was found");
    assert!(misses.is_empty(), "{} of {ran} differ:\n{}", misses.len(), misses.join("\n"));
}

/// What we say otherwise than the registry.
fn miss(case: &Case, said: &Said, rules: &AvroRules) -> Option<String> {
    let ours = answer(case, rules);
    let theirs = json!({
        "backward": said.backward,
        "backward_diffs": said.backward_diffs,
        "forward": said.forward,
        "forward_diffs": said.forward_diffs,
        "types": said.types,
    });
    (ours != theirs).then(|| format!("{:?}\n  ours:   {ours}\n  theirs: {theirs}\n  said: {}", case.id, said.errors))
}

fn answer(case: &Case, rules: &AvroRules) -> Value {
    let pair = read(&case.new, &case.new_references, Reading::New, rules)
        .and_then(|new| Ok((new, read(&case.old, &case.old_references, Reading::Stored, rules)?)));
    match pair {
        Ok((new, old)) => {
            let backward = told(&new, &old, rules);
            let forward = told(&old, &new, rules);
            let mut types: Vec<&str> = backward.iter().filter_map(|line| line.split(' ').next()).collect();
            types.sort_unstable();
            types.dedup();
            json!({
                "backward": backward.is_empty(),
                "backward_diffs": backward,
                "forward": forward.is_empty(),
                "forward_diffs": forward,
                "types": types,
            })
        }
        Err(error) if error.is_refusal() => json!({
            "backward": "error", "backward_diffs": [], "forward": "error", "forward_diffs": [], "types": [],
        }),
        Err(error) => json!({ "cannot be told": error.to_string() }),
    }
}

fn read(
    text: &str,
    references: &[vectors::Reference],
    reading: Reading,
    rules: &AvroRules,
) -> Result<Schema, ParseError> {
    let references: Vec<Reference> =
        references.iter().map(|reference| Reference { name: &reference.name, text: &reference.schema }).collect();
    parse(text, &references, reading, &rules.parsing)
}

fn told(reader: &Schema, writer: &Schema, rules: &AvroRules) -> Vec<String> {
    let found = differences(reader, writer, rules, Policy::Strict).expect("the pair can be compared");
    assert!(found.iter().all(|difference| difference.breaks), "the library tells only what breaks");
    found.iter().map(|difference| format!("{} {}", difference.rule, difference.path)).collect()
}
