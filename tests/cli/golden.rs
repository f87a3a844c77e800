//! Whole outputs, for each format and each exit code. After a change that is meant:
//! `UPDATE_GOLDEN=1 cargo test --test cli golden`, and look at what differs.

use std::path::{Path, PathBuf};

use rstest::rstest;

use crate::command::compare;

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/golden").join(name)
}

#[rstest]
#[case::avro("avro.txt", "orders-1.avsc orders-2.avsc", 1)]
#[case::avro_json("avro.json", "-o json orders-1.avsc orders-2.avsc", 1)]
#[case::avro_all("avro-all.txt", "--all --level FULL orders-1.avsc orders-3.avsc", 1)]
#[case::avro_compatible("avro-compatible.txt", "orders-1.avsc orders-3.avsc", 0)]
#[case::avro_none("avro-none.txt", "--level none orders-1.avsc orders-2.avsc", 0)]
#[case::avro_key("avro-key.txt", "--key --level FORWARD orders-1.avsc orders-2.avsc", 0)]
#[case::json("json.txt", "customers-1.json customers-2.json", 1)]
#[case::json_json("json.json", "-o json customers-1.json customers-2.json", 1)]
#[case::json_lenient("json-lenient.txt", "--policy LENIENT customers-1.json customers-2.json", 1)]
#[case::protobuf("protobuf.txt", "--reference money.proto=money.proto payments-1.proto payments-2.proto", 1)]
#[case::protobuf_json(
    "protobuf.json",
    "--all -o json --reference money.proto=money.proto payments-1.proto payments-2.proto",
    1
)]
#[case::registry_error("registry-error.txt", "ratio-1.json ratio-2.json", 2)]
#[case::registry_error_json("registry-error.json", "-o json ratio-1.json ratio-2.json", 2)]
#[case::another_type("another-type.txt", "orders-1.avsc customers-1.json", 1)]
fn the_output_is(#[case] name: &str, #[case] arguments: &str, #[case] code: i32) {
    let ran = compare(arguments);
    assert_eq!((ran.code, ran.stderr.as_str()), (code, ""), "{arguments}");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(golden(name), &ran.stdout).expect("the file can be written");
    }
    let expected = std::fs::read_to_string(golden(name)).expect("the expected output is there");
    let other = ran.stdout.lines().zip(expected.lines()).find(|(printed, expected)| printed != expected);
    assert!(ran.stdout == expected, "{arguments} (printed, expected): {other:?}");
}

#[test]
fn json_is_one_object_with_its_documented_keys() {
    let ran = compare("-o json orders-1.avsc orders-2.avsc");
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("the output is JSON");
    let keys: Vec<&str> = report.as_object().expect("it is an object").keys().map(String::as_str).collect();
    let mut expected = [
        "old",
        "new",
        "schemaType",
        "profile",
        "policy",
        "level",
        "verdict",
        "backward",
        "forward",
        "levels",
        "upgradeOrder",
        "differences",
        "advice",
    ];
    expected.sort_unstable();
    assert_eq!(keys, expected);
    let first = &report["differences"][0];
    assert_eq!(first["location"], serde_json::json!({"file": "orders-2.avsc", "line": 7, "column": 24}));
    assert_eq!(first["before"], serde_json::json!({"file": "orders-1.avsc", "line": 7, "column": 24}));
}
