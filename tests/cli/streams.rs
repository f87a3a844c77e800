//! Standard output holds the answer and nothing else, and whoever reads it may leave early.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::thread;

use rstest::rstest;

use crate::command::{command, compare, compare_with};

#[test]
fn the_answer_is_on_standard_output_alone() {
    for arguments in ["orders-1.avsc orders-2.avsc", "-o json ratio-1.json ratio-2.json"] {
        let ran = compare(arguments);
        assert!(!ran.stdout.is_empty() && ran.stderr.is_empty(), "{ran:?}");
    }
}

#[test]
fn a_pipe_has_no_colours() {
    let ran = compare("--all orders-1.avsc orders-2.avsc");
    assert!(!ran.stdout.contains('\u{1b}'));
}

/// Closes the pipe after the first line of many.
fn ends_quietly(arguments: &[&str], input: Vec<u8>) -> i32 {
    let mut child = command(arguments).spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("its input is a pipe");
    let feeder = thread::spawn(move || {
        // It may end without reading all of it.
        let _ = stdin.write_all(&input);
    });
    let mut output = BufReader::new(child.stdout.take().expect("its output is a pipe"));
    let mut line = String::new();
    output.read_line(&mut line).expect("there is a first line");
    drop(output);
    let ended = child.wait_with_output().expect("the program ends");
    feeder.join().expect("the input is fed");
    assert_eq!(String::from_utf8_lossy(&ended.stderr), "");
    ended.status.code().expect("it ends by itself")
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    // More than a pipe holds.
    let fields = |kind: &str| {
        let fields = (0..500).map(|at| format!(r#"{{"name":"f{at}","type":"{kind}"}}"#)).collect::<Vec<_>>().join(",");
        format!(r#"{{"type":"record","name":"R","fields":[{fields}]}}"#)
    };
    let scratch = crate::command::Scratch::new();
    let (old, new) = (scratch.file("a.avsc", fields("string")), scratch.file("b.avsc", fields("int")));
    assert_eq!(ends_quietly(&["-o", "json", &old, &new], Vec::new()), 1);
    let pair = format!("{}\n", serde_json::json!({"old": fields("string"), "new": fields("int")}));
    assert_eq!(ends_quietly(&["--batch"], pair.repeat(3).into_bytes()), 0);
}

#[test]
fn a_closed_output_is_no_panic() {
    let mut child = command(&["orders-1.avsc", "orders-2.avsc"]);
    let child = child.stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
    let mut child = child.expect("the program starts");
    drop(child.stdout.take());
    let ended = child.wait_with_output().expect("the program ends");
    assert_eq!((ended.status.code(), String::from_utf8_lossy(&ended.stderr).as_ref()), (Some(1), ""));
}

#[test]
fn lines_in_are_lines_out_in_the_same_order() {
    let input = concat!(
        r#"{"id": 1, "old": "\"int\"", "new": "\"long\""}"#,
        "\n\n",
        "no pair\n",
        r#"{"id": "b", "schemaType": "JSON", "old": "{\"type\": \"string\"}", "new": "{\"type\": \"number\"}", "policy": "LENIENT"}"#,
        "\n",
        r#"{"id": 3, "old": "\"int\"", "new": "\"int\"", "policy": "LAX"}"#,
        "\n",
    );
    let ran = compare_with(&["--batch"], input.as_bytes());
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let answers: Vec<serde_json::Value> =
        ran.stdout.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    let told: Vec<_> =
        answers.iter().map(|one| (&one["id"], one["backward"].as_str(), one["forward"].as_str())).collect();
    let (nothing, one, b, three) = (serde_json::Value::Null, 1.into(), "b".into(), 3.into());
    assert_eq!(
        told,
        [
            (&one, Some("compatible"), Some("incompatible")),
            (&nothing, Some("unsupported"), Some("unsupported")),
            (&b, Some("incompatible"), Some("incompatible")),
            (&three, Some("unsupported"), Some("unsupported")),
        ]
    );
}

#[rstest]
#[case::unknown_key(r#"{"id": 7, "schema_type": "JSON", "old": "{}", "new": "{}"}"#, "unknown field `schema_type`")]
#[case::unknown_key_of_a_reference(
    r#"{"id": 7, "old": "{}", "new": "{}", "newReferences": [{"name": "a", "text": "b"}]}"#,
    "unknown field `text`"
)]
#[case::list(r#"[7, "AVRO", "\"int\"", "\"int\"", [], [], null]"#, "invalid type: sequence, expected an object")]
#[case::list_for_a_reference(
    r#"{"id": 7, "old": "{}", "new": "{}", "oldReferences": [["a", "{}"]]}"#,
    "invalid type: sequence, expected an object"
)]
fn what_a_line_does_not_mean_is_not_guessed(#[case] line: &str, #[case] why: &str) {
    let ran = compare_with(&["--batch"], line.as_bytes());
    let answer: serde_json::Value = serde_json::from_str(&ran.stdout).expect("a line is JSON");
    assert_eq!((&answer["backward"], &answer["forward"]), (&"unsupported".into(), &"unsupported".into()));
    let is_told = line.contains("\"id\"").then_some(7);
    assert_eq!(answer["id"].as_i64(), is_told);
    assert!(answer["reason"].as_str().is_some_and(|reason| reason.contains(why)), "{answer}");
}
