//! What is asked again of the verdict and of advice where they are easily mistaken.

use crate::command::{Scratch, compare_with};

/// Registries look both ways before they answer under FULL: one that fails one way gives no verdict.
#[test]
fn a_comparison_that_the_registry_fails_over_one_way_is_no_verdict_under_full() {
    let scratch = Scratch::new();
    let object = |a: &str, more: &str| {
        format!(
            r#"{{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{{"a":{a}{more}}}}}"#
        )
    };
    let old =
        scratch.file("old.json", object(r#"{"type":"number","exclusiveMaximum":10}"#, r#","b":{"type":"string"}"#));
    let new = scratch.file("new.json", object(r#"{"exclusiveMaximum":5,"type":"number"}"#, ""));
    let code = |level: &str| compare_with(&["--level", level, &old, &new], b"").code;
    assert_eq!(["BACKWARD", "FORWARD", "FULL"].map(code), [2, 1, 2]);
}

#[test]
fn the_same_keys_keep_their_id_and_others_do_not() {
    let scratch = Scratch::new();
    let warns = |old: &str, new: &str| {
        let (old, new) = (scratch.file("old.avsc", old), scratch.file("new.avsc", new));
        let ran = compare_with(&["--key", &old, &new], b"");
        assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
        ran.stdout.contains("KeySchemaChanged")
    };
    assert!(!warns(r#"{"type":"int"}"#, r#"{ "type" : "int" }"#), "formatting makes no version");
    assert!(warns(r#"{"type":"int"}"#, r#"{"type":"long"}"#));
}

#[test]
fn no_references_may_be_written_as_null() {
    let line = br#"{"schemaType":"AVRO","old":"\"int\"","new":"\"int\"","oldReferences":null,"newReferences":null}"#;
    let ran = compare_with(&["--batch"], line);
    assert_eq!(ran.stdout.trim(), r#"{"backward":"compatible","forward":"compatible","differences":[]}"#);
}
