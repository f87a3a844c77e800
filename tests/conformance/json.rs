//! JSON Schema: verdicts, differences and their order, at both releases, STRICT and LENIENT.

use schema_registrar::compat::{
    CONFLUENT_8_3, CONFLUENT_NEXT, Difference, Failure, JsonRules, Policy, json::differences,
};
use schema_registrar::schema::json::{ParseError, Schema, parse};
use schema_registrar::schema::{Reading, Reference};
use serde_json::Value;

use crate::vectors::{Case, Said, pairs};

#[test]
fn json_verdicts_are_those_of_the_registry() {
    let (cases, which) = pairs("JSON");
    let mut misses = Vec::new();
    let mut checked = 0;
    for case in &cases {
        for (release, profile) in [("8.3.1", CONFLUENT_8_3), ("head", CONFLUENT_NEXT)] {
            let said = case.verdicts.get(release).expect("both releases judged");
            let rules = profile.json.expect("it judges JSON Schema");
            checked += 1;
            let wrong = disagreements(case, said, &rules);
            if !wrong.is_empty() {
                misses.push(format!("{} {release}: {}", case.id, wrong.join("; ")));
            }
        }
    }
    println!(
        "JSON Schema: {} pairs at 2 releases, {} of {checked} agree; {which}",
        cases.len(),
        checked - misses.len()
    );
    assert!(misses.is_empty(), "{} disagree:\n{}", misses.len(), misses.join("\n"));
}

fn disagreements(case: &Case, said: &Said, rules: &JsonRules) -> Vec<String> {
    let (old, new) = match (read(case, true), read(case, false)) {
        (Ok(old), Ok(new)) => (old, new),
        (old, new) => {
            let refused = [old.err(), new.err()].into_iter().flatten().all(|error| error.is_refusal());
            let expected = said.errors.to_string().contains("parse-");
            let agrees = refused && expected;
            let why = [read(case, true).err(), read(case, false).err()];
            return if agrees { Vec::new() } else { vec![format!("cannot be read: {why:?}, said {}", said.errors)] };
        }
    };
    let mut wrong = Vec::new();
    for (direction, reader, writer) in [("backward", &new, &old), ("forward", &old, &new)] {
        let (verdict, lenient, said_differences) = match direction {
            "backward" => (&said.backward, &said.backward_lenient, &said.backward_diffs),
            _ => (&said.forward, &said.forward_lenient, &said.forward_diffs),
        };
        let ours = differences(reader, writer, rules, Policy::Strict);
        if &verdict_of(&ours) != verdict {
            wrong.push(format!("{direction} {} instead of {verdict}, {ours:?}", verdict_of(&ours)));
        }
        let ours_lenient = differences(reader, writer, rules, Policy::Lenient);
        if &verdict_of(&ours_lenient) != lenient {
            wrong.push(format!("{direction} LENIENT {} instead of {lenient}", verdict_of(&ours_lenient)));
        }
        if let Ok(ours) = &ours {
            let said_differences = said_differences.clone().unwrap_or_default();
            let listed: Vec<String> = ours.iter().map(|d| format!("{} {}", d.rule, d.path)).collect();
            let types = |list: &[String]| {
                let mut types: Vec<String> =
                    list.iter().map(|line| line.split(' ').next().unwrap_or_default().to_owned()).collect();
                types.sort();
                types.dedup();
                types
            };
            if said.diff_paths_unstable {
                if types(&listed) != types(&said_differences) {
                    wrong.push(format!(
                        "{direction} types {:?} instead of {:?}",
                        types(&listed),
                        types(&said_differences)
                    ));
                }
            } else if listed != said_differences {
                wrong.push(format!("{direction} {listed:?} instead of {said_differences:?}"));
            }
            if direction == "backward" && Some(types(&listed)) != said.types {
                wrong.push(format!("types {:?} instead of {:?}", types(&listed), said.types));
            }
        }
    }
    wrong
}

fn read(case: &Case, old: bool) -> Result<Schema, ParseError> {
    let (text, references, reading) = match old {
        true => (&case.old, &case.old_references, Reading::Stored),
        false => (&case.new, &case.new_references, Reading::New),
    };
    let references: Vec<Reference> =
        references.iter().map(|reference| Reference { name: &reference.name, text: &reference.schema }).collect();
    parse(text, &references, reading)
}

fn verdict_of(differences: &Result<Vec<Difference>, Failure>) -> Value {
    match differences {
        Ok(differences) => Value::Bool(!differences.iter().any(|difference| difference.breaks)),
        Err(Failure::RegistryError(_)) => Value::String("error".to_owned()),
        Err(Failure::Unsupported(why)) => Value::String(format!("unsupported: {why}")),
    }
}
