//! Where Karapace and Apicurio judge Avro otherwise than Confluent: each row is an old and a new schema, and what the
//! new reader says (BACKWARD).

use rstest::rstest;

use super::notation::{aka, kind, record, symbols, union};
use crate::compat::{APICURIO_3, CONFLUENT_8_3, Failure, KARAPACE_6, Policy, Profile};
use crate::schema::Reading;
use crate::schema::avro::{ParseError, Schema, parse};

fn read(text: &str, profile: &Profile, reading: Reading) -> Result<Schema, ParseError> {
    parse(&kind(text), &[], reading, &profile.avro.unwrap().parsing)
}

/// The rules that break, `fails` where the registry does.
fn said(old: &str, new: &str, profile: &Profile) -> String {
    let (old, new) = (read(old, profile, Reading::Stored).unwrap(), read(new, profile, Reading::New).unwrap());
    match super::differences(&new, &old, &profile.avro.unwrap(), Policy::Strict) {
        Ok(all) => all.iter().map(|found| format!("{} {}", found.rule, found.path)).collect::<Vec<_>>().join(", "),
        Err(Failure::RegistryError(_)) => "fails".to_owned(),
        Err(Failure::Unsupported(why)) => panic!("{why}"),
    }
}

const OK: &str = "";

#[rstest]
#[case::ambiguous_alias(record("R", &["x: int", "y: int"]), record("R", &["y: int aka x"]), "EXCEPTION ", OK, "fails")]
#[case::the_first_is_taken(
    record("R", &["x: int", "y: string"]),
    record("R", &["y: int aka x"]),
    "EXCEPTION ",
    "TYPE_MISMATCH /fields/0/type",
    "fails"
)]
#[case::alias_that_is_the_name(record("R", &["x: int"]), record("R", &["x: int aka x"]), "EXCEPTION ", OK, "fails")]
#[case::full_alias(record("n.R", &[]), aka(&record("m.S", &[]), "n.R"), OK, OK, OK)]
#[case::short_alias_in_a_namespace(record("n.R", &[]), aka(&record("n.S", &[]), "R"), OK, "NAME_MISMATCH /name", OK)]
#[case::short_alias_of_a_short_name(record("R", &[]), aka(&record("m.S", &[]), "R"), "NAME_MISMATCH /name", OK, "NAME_MISMATCH /name")]
#[case::to_one_type(union(&["null", "int"]), "int".into(), "TYPE_MISMATCH /0", "TYPE_MISMATCH /", "TYPE_MISMATCH /0")]
#[case::error_for_record(record("R", &[]), error("R"), OK, "fails", OK)]
#[case::record_for_error(error("R"), record("R", &[]), OK, "TYPE_MISMATCH /", OK)]
#[case::error_for_error(error("R"), error("R"), OK, "fails", OK)]
#[case::error_in_a_union(union(&["null", "int"]), union(&[&error("R"), "null", "int"]), OK, "fails", OK)]
#[case::error_behind_what_reads(union(&["null", "int"]), union(&["null", "int", &error("R")]), OK, OK, OK)]
#[case::error_never_compared(union(&[]), error("R"), OK, OK, OK)]
fn who_says_what(
    #[case] old: String,
    #[case] new: String,
    #[case] confluent: &str,
    #[case] karapace: &str,
    #[case] apicurio: &str,
) {
    let all = [&CONFLUENT_8_3, &KARAPACE_6, &APICURIO_3].map(|profile| said(&old, &new, profile));
    assert_eq!(all, [confluent, karapace, apicurio], "{old}\n→ {new}");
}

fn error(name: &str) -> String {
    record(name, &[]).replace("\"record\"", "\"error\"")
}

#[test]
fn a_large_union_with_an_error_is_searched_branch_by_branch() {
    let records: Vec<String> = (0..20).map(|number| record(&format!("R{number}"), &["a: int"])).collect();
    let mut branches: Vec<&str> = records.iter().map(String::as_str).collect();
    let old = union(&branches);
    let error = error("E");
    branches.insert(0, &error);
    assert_eq!(said(&old, &union(&branches), &KARAPACE_6), "fails");
    branches.remove(0);
    branches.push(&error);
    assert_eq!(said(&old, &union(&branches), &KARAPACE_6), OK);
}

/// What is let in when new, and what is read when old: Confluent's strict and lenient readings, the others' only one.
#[rstest]
#[case::bad_default(record("R", &[r#"a: int = "x""#]), (false, true), (true, true), (false, false))]
#[case::letters_of_other_scripts(record("é", &[]), (false, true), (false, false), (true, true))]
#[case::hyphen_in_namespace(record("a-b.R", &[]), (false, true), (false, false), (false, false))]
#[case::wrapped_name(record("R", &[r#"a: ["null",{"type":"R"}]"#]), (true, true), (false, false), (false, false))]
#[case::defined_later(record("R", &["a: E", &format!("b: {}", symbols("E", "A"))]), (true, true), (false, false), (true, true))]
fn what_is_read(
    #[case] text: String,
    #[case] confluent: (bool, bool),
    #[case] karapace: (bool, bool),
    #[case] apicurio: (bool, bool),
) {
    let all = [&CONFLUENT_8_3, &KARAPACE_6, &APICURIO_3].map(|profile| {
        [Reading::New, Reading::Stored].map(|reading| match read(&text, profile, reading) {
            Ok(_) => true,
            Err(error) => {
                assert!(error.is_refusal(), "{error}");
                false
            }
        })
    });
    assert_eq!(all, [confluent, karapace, apicurio].map(|(new, stored)| [new, stored]), "{text}");
}

#[test]
fn a_failure_names_the_field() {
    let profile = &APICURIO_3;
    let old = read(&record("R", &["x: int", "y: int"]), profile, Reading::Stored).unwrap();
    let new = read(&record("R", &["y: int aka x"]), profile, Reading::New).unwrap();
    let failure = super::differences(&new, &old, &profile.avro.unwrap(), Policy::Strict).unwrap_err();
    let words = "the registry fails over this pair: field y matches more than one field by name and alias (y, x)";
    assert_eq!(failure.to_string(), words);
}
