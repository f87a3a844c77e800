//! What cannot be read is told in one line on standard error, and the exit code is 2.

use rstest::rstest;

use crate::command::{Scratch, compare, compare_with};

/// The message, without the program's name. Nothing may stand on standard output.
fn refused(arguments: &[&str]) -> String {
    let ran = compare_with(arguments, b"");
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{arguments:?}: {}", ran.stderr);
    let line = ran.stderr.strip_suffix('\n').expect("a line ends");
    assert!(!line.contains('\n'), "one line: {line}");
    line.strip_prefix("schema-registrar: ").expect("the program says who it is").to_owned()
}

#[rstest]
#[case::missing("nowhere.avsc", "nowhere.avsc: there is no such file")]
#[case::directory(".", ".: a directory; name a file in it")]
#[case::avro_in_json_is_not_guessed(
    "avro.json",
    "avro.json: named as JSON, but it holds an Avro record; add --type AVRO, or --type JSON if that is meant"
)]
#[case::endless("/dev/zero", "/dev/zero: more than 524288 characters, the most that a schema may have")]
fn a_file_that_is_no_schema(#[case] file: &str, #[case] message: &str) {
    assert_eq!(refused(&["orders-1.avsc", file]), message);
    assert_eq!(refused(&["-o", "json", "orders-1.avsc", file]), message, "in JSON as well");
}

#[rstest]
#[case::not_utf8("a.avsc", b"\"ab\n\"\xff".to_vec(), "not UTF-8 at line 2, column 2; save it as UTF-8")]
#[case::utf16("a.avsc", b"\xff\xfe\"\0".to_vec(), "not UTF-8 at line 1, column 1; save it as UTF-8")]
#[case::empty("a.avsc", Vec::new(), "blank; write the schema's text")]
#[case::blank("a.proto", b" \n\t\n".to_vec(), "blank; write the schema's text")]
#[case::too_large_in_bytes("a.avsc", vec![b' '; 4 << 20], "more than 524288 characters, the most that a schema may have")]
#[case::too_large_in_characters(
    "a.avsc",
    format!("\"{}\"", "é".repeat(524_287)).into_bytes(),
    "more than 524288 characters, the most that a schema may have"
)]
#[case::not_json("a.avsc", b"{\n \"type\": record}".to_vec(), "the schema is not JSON: expected a value at line 2, column 10")]
#[case::not_json_schema("a.json", b"{\n \"type\": string}".to_vec(), "the schema is not JSON: a value is expected at line 2, column 10")]
#[case::not_protobuf("a.proto", b"syntax = \"proto3\";\nmessage A {\n  1 = a;\n}".to_vec(), "expected a word at line 3, column 5")]
#[case::unknown_name("a.avsc", br#"{"type":"record","name":"R","fields":[{"name":"a","type":"strng"}]}"#.to_vec(), "unknown type strng; if another file defines it, add --reference NAME=FILE")]
#[case::unknown_name_in_protobuf(
    "a.proto",
    b"syntax = \"proto3\";\nmessage A {\n  strng a = 1;\n}".to_vec(),
    "unknown type \"strng\" at line 3, column 3; if another file defines it, add --reference NAME=FILE"
)]
#[case::byte_order_mark(
    "a.avsc",
    "\u{feff}\"int\"".into(),
    "the schema is not JSON: a byte order mark; save it without one at line 1, column 1"
)]
#[case::nested_deeply_in_avro(
    "a.avsc",
    "[".repeat(100_000).into_bytes(),
    "the schema nests deeper than 500 levels; flatten it or name its parts"
)]
#[case::nested_deeply_in_json("a.json", r#"{"a":"#.repeat(100_000).into_bytes(), "the schema nests deeper than 500 levels")]
#[case::nested_deeply_in_protobuf(
    "a.proto",
    "message A{".repeat(50_000).into_bytes(),
    "messages nest deeper than 500 levels at line 1, column 5001"
)]
fn a_text_that_is_no_schema(#[case] name: &str, #[case] content: Vec<u8>, #[case] message: &str) {
    let scratch = Scratch::new();
    let file = scratch.file(name, content);
    let told = refused(&["orders-1.avsc", &file]);
    assert_eq!(told, format!("{file}: {message}"));
}

#[test]
fn standard_input_is_read_once() {
    let message = "only one of OLD and NEW can be standard input; name a file for the other";
    assert_eq!(refused(&["-", "-"]), message);
}

#[test]
fn what_an_older_schema_may_be_is_read_more_leniently_than_a_new_one() {
    let scratch = Scratch::new();
    let old =
        scratch.file("a.avsc", r#"{"type":"record","name":"R","fields":[{"name":"a","type":"int","default":"x"}]}"#);
    let new =
        scratch.file("b.avsc", r#"{"type":"record","name":"R","fields":[{"name":"a","type":"int","default":0}]}"#);
    assert_eq!(compare_with(&[&old, &new], b"").code, 0);
    assert!(refused(&[&new, &old]).contains("the default of field a is \"x\", which is no int"));
}

#[rstest]
#[case::one_file("orders-1.avsc", "<NEW>")]
#[case::unknown_level(
    "--level SIDEWAYS orders-1.avsc orders-2.avsc",
    "there is no level SIDEWAYS; the levels are NONE, BACKWARD,"
)]
#[case::unknown_type(
    "--type THRIFT orders-1.avsc orders-2.avsc",
    "there is no type THRIFT; the types are AVRO, JSON, PROTOBUF"
)]
#[case::unknown_profile(
    "--profile confluent-1 orders-1.avsc orders-2.avsc",
    "there is no profile confluent-1; the profiles are"
)]
#[case::unknown_policy(
    "--policy LAX orders-1.avsc orders-2.avsc",
    "there is no policy LAX; the policies are STRICT, LENIENT"
)]
#[case::files_and_lines("--batch orders-1.avsc orders-2.avsc", "cannot be used with")]
fn arguments_that_mean_nothing(#[case] arguments: &str, #[case] message: &str) {
    let ran = compare(arguments);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains(message), "{}", ran.stderr);
}
