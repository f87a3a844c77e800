//! A schema's type comes from `--type`, else from the file's name, else from the other file's.

use rstest::rstest;

use crate::command::{Scratch, compare_with};

#[rstest]
#[case::by_extension("a.avsc", "b.AVSC", &[], Ok("AVRO"))]
#[case::by_the_other_file("a", "b.avsc", &[], Ok("AVRO"))]
#[case::by_the_other_file_backwards("a.avsc", "b.txt", &[], Ok("AVRO"))]
#[case::by_argument("a", "b.proto", &["--type", "AVRO"], Ok("AVRO"))]
#[case::by_argument_in_small_letters("a.json", "b.json", &["--type", "avro"], Ok("AVRO"))]
#[case::not_at_all("a", "b.txt", &[], Err("a: the name does not tell the type; add --type AVRO, --type JSON or --type PROTOBUF"))]
fn types(#[case] old: &str, #[case] new: &str, #[case] more: &[&str], #[case] expected: Result<&str, &str>) {
    let scratch = Scratch::new();
    let text = r#"{"type": "record", "name": "R", "fields": []}"#;
    let (old, new) = (scratch.file(old, text), scratch.file(new, text));
    let ran = compare_with(&[more, &["-o", "json", &old, &new]].concat(), b"");
    match expected {
        Ok(schema_type) => {
            let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("the output is JSON");
            assert_eq!((ran.code, report["schemaType"].as_str()), (0, Some(schema_type)));
        }
        Err(message) => assert!(ran.code == 2 && ran.stderr.ends_with(&format!("/{message}\n")), "{}", ran.stderr),
    }
}

#[test]
fn a_json_file_is_json_schema() {
    let ran = compare_with(&["-o", "json", "customers-1.json", "customers-1.json"], b"");
    assert!(ran.code == 0 && ran.stdout.contains(r#""schemaType": "JSON""#), "{}", ran.stdout);
}

#[test]
fn standard_input_is_of_the_other_files_type() {
    let old = std::fs::read(crate::command::schemas().join("orders-1.avsc")).expect("the schema is there");
    let ran = compare_with(&["-", "orders-2.avsc"], &old);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stdout.starts_with("Incompatible: orders-2.avsc may not follow <stdin> under BACKWARD"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains(" ::: <stdin>:7:24\n"), "{}", ran.stdout);
}
