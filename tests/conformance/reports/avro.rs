//! Reports about Avro.

use schema_registrar::api::{Level, SchemaType};
use schema_registrar::compat::advice::{Change, Code, of_change};
use schema_registrar::compat::engine::{self, Parsed};
use schema_registrar::compat::{CONFLUENT_8_3, Policy};
use schema_registrar::schema::{Form, Reading};

use crate::rows::{self, Row, row};

#[test]
fn avro_reports_are_answered_as_by_the_registry() {
    rows::check(SchemaType::Avro, ROWS);
}

#[rustfmt::skip]
const ROWS: &[Row] = &[
    row(1, "records inside a union are compared",
        &[r#"[{"type":"record","name":"R","fields":[{"name":"a","type":"string"}]}]"#],
        r#"[{"type":"record","name":"R","fields":[{"name":"a","type":"string"},{"name":"b","type":"string"}]}]"#,
        &[("BACKWARD", "MISSING_UNION_BRANCH /0"), ("FORWARD", "ok")]),
    row(2, "also where the union is a field's type",
        &[r#"{"type":"record","name":"T","fields":[{"name":"s","type":[{"type":"record","name":"S","fields":[{"name":"n","type":"string"}]}]}]}"#],
        r#"{"type":"record","name":"T","fields":[{"name":"s","type":[{"type":"record","name":"S","fields":[{"name":"n","type":"string"},{"name":"z","type":"int"}]}]}]}"#,
        &[("BACKWARD", "MISSING_UNION_BRANCH /fields/0/type/0")]),
    row(4, "a union's record is renamed, with an alias",
        &[r#"[{"type":"record","name":"A","fields":[{"name":"x","type":"int"}]}]"#],
        r#"[{"type":"record","name":"B","aliases":["A"],"fields":[{"name":"x","type":"int"}]}]"#,
        &[("BACKWARD", "ok")]),
    row(5, "a field is renamed, with an alias",
        &[r#"{"type":"record","name":"R","fields":[{"name":"foo","type":"string"}]}"#],
        r#"{"type":"record","name":"R","fields":[{"name":"newFoo","type":"string","aliases":["foo"]}]}"#,
        &[("BACKWARD", "ok"), ("FORWARD", "READER_FIELD_MISSING_DEFAULT_VALUE /fields/0")]),
    row(7, "a default is dropped in the third version",
        THREE_VERSIONS, A_B,
        &[("BACKWARD", "ok"), ("BACKWARD_TRANSITIVE", "v1 READER_FIELD_MISSING_DEFAULT_VALUE /fields/1")]),
    row(8, "the version that breaks is named, not the latest",
        THREE_VERSIONS, A_B,
        &[("FULL_TRANSITIVE", "v1 READER_FIELD_MISSING_DEFAULT_VALUE /fields/1")]),
    row(10, "a default of another type: compatible, but refused as new where defaults are checked",
        &[r#"{"type":"record","name":"R","fields":[]}"#],
        r#"{"type":"record","name":"R","fields":[{"name":"f","type":"string","default":null}]}"#,
        &[("BACKWARD", "42201"), ("BACKWARD 7.9", "ok")]),
    row(11, "an optional record with null as its default",
        &[r#"{"type":"record","name":"P","fields":[{"name":"id","type":"int"}]}"#],
        r#"{"type":"record","name":"P","fields":[{"name":"id","type":"int"},{"name":"ph","type":["null",{"type":"record","name":"N","fields":[{"name":"x","type":"string"}]}],"default":null}]}"#,
        &[("BACKWARD", "ok")]),
    row(13, "string and bytes read each other",
        &[r#""string""#], r#""bytes""#, &[("FULL", "ok")]),
    row(14, "another namespace",
        &[r#"{"type":"record","name":"n1.R","fields":[{"name":"a","type":"int"}]}"#],
        r#"{"type":"record","name":"n2.R","fields":[{"name":"a","type":"int"}]}"#,
        &[("FULL", "ok")]),
    row(16, "another scale of a decimal is not noticed",
        &[DECIMAL_10_4], DECIMAL_10_2, &[("FULL", "ok")]),
    row(17, "two records of a union become one",
        &[TWO_RECORDS], ONE_RECORD, &[("BACKWARD", "ok")]),
    row(19, "another namespace, referred to by name",
        &[r#"{"type":"record","name":"n1.R","fields":[{"name":"a","type":{"type":"fixed","name":"F","size":2}},{"name":"b","type":"F"}]}"#],
        r#"{"type":"record","name":"n2.R","fields":[{"name":"a","type":{"type":"fixed","name":"F","size":2}},{"name":"b","type":"F"}]}"#,
        &[("FULL", "ok")]),
    row(20, "an enum's default takes what it lacks",
        &[r#"{"type":"enum","name":"E","symbols":["A","B"]}"#],
        r#"{"type":"enum","name":"E","symbols":["A"],"default":"A"}"#,
        &[("BACKWARD", "ok")]),
    row(20, "one type reads each branch of a union",
        &[r#"["int","float"]"#], r#""double""#, &[("BACKWARD", "ok")]),
    row(22, "a definition moves into a place that the old one lacks",
        &[r#"{"type":"record","name":"R","fields":[{"name":"a","type":{"type":"record","name":"A","fields":[{"name":"x","type":"int"}]}},{"name":"b","type":"A"}]}"#],
        r#"{"type":"record","name":"R","fields":[{"name":"z","type":["null",{"type":"record","name":"A","fields":[{"name":"x","type":"int"},{"name":"y","type":"int"}]}],"default":null},{"name":"b","type":"A"}]}"#,
        &[("BACKWARD", "READER_FIELD_MISSING_DEFAULT_VALUE /fields/1/type/fields/1")]),
    row(23, "what is remembered of an assumption that failed",
        &[REMEMBERED_OLD], REMEMBERED_NEW, &[("BACKWARD", "ok")]),
    row(25, "a nullable field with a default",
        &[r#"{"type":"record","name":"R","fields":[]}"#],
        r#"{"type":"record","name":"R","fields":[{"name":"f","type":["null","int"],"default":null}]}"#,
        &[("BACKWARD", "ok")]),
    row(26, "a nullable field without one",
        &[r#"{"type":"record","name":"R","fields":[]}"#],
        r#"{"type":"record","name":"R","fields":[{"name":"f","type":["null","string"]}]}"#,
        &[("BACKWARD", "READER_FIELD_MISSING_DEFAULT_VALUE /fields/0")]),
    row(28, "a mandatory field in a nullable record",
        &[r#"{"type":"record","name":"R","fields":[{"name":"o","type":["null",{"type":"record","name":"E","fields":[{"name":"n","type":"int"}]}]}]}"#],
        r#"{"type":"record","name":"R","fields":[{"name":"o","type":["null",{"type":"record","name":"E","fields":[{"name":"n","type":"int"},{"name":"price","type":"int"}]}]}]}"#,
        &[("BACKWARD", "MISSING_UNION_BRANCH /fields/0/type/1")]),
    row(29, "an enum loses a symbol",
        &[r#"{"type":"enum","name":"E","symbols":["A","B","C"]}"#],
        r#"{"type":"enum","name":"E","symbols":["A","C"]}"#,
        &[("BACKWARD", "MISSING_ENUM_SYMBOLS /symbols"), ("FORWARD", "ok"), ("FULL", "MISSING_ENUM_SYMBOLS /symbols")]),
    row(31, "a namespace, or a name with dots",
        &[r#"{"type":"record","namespace":"foo.bar","name":"baz","fields":[]}"#],
        r#"{"type":"record","name":"foo.bar.baz","fields":[]}"#,
        &[("FULL", "ok")]),
    row(32, "an enum grows",
        &[r#"{"type":"enum","name":"E","symbols":["A"]}"#],
        r#"{"type":"enum","name":"E","symbols":["A","B"]}"#,
        &[("FORWARD", "MISSING_ENUM_SYMBOLS /symbols"), ("BACKWARD", "ok")]),
];

const THREE_VERSIONS: &[&str] = &[
    r#"{"type":"record","name":"R","fields":[{"name":"a","type":"int"}]}"#,
    r#"{"type":"record","name":"R","fields":[{"name":"a","type":"int"},{"name":"b","type":"int","default":0}]}"#,
];
const A_B: &str = r#"{"type":"record","name":"R","fields":[{"name":"a","type":"int"},{"name":"b","type":"int"}]}"#;

const DECIMAL_10_4: &str = r#"{"type":"bytes","logicalType":"decimal","precision":10,"scale":4}"#;
const DECIMAL_10_2: &str = r#"{"type":"bytes","logicalType":"decimal","precision":10,"scale":2}"#;

const TWO_RECORDS: &str = r#"[
    {"type":"record","name":"A","fields":[{"name":"a","type":"string"}]},
    {"type":"record","name":"B","fields":[{"name":"b","type":"string"}]}]"#;
const ONE_RECORD: &str = r#"[{"type":"record","name":"B","aliases":["A"],"fields":[
    {"name":"a","type":"string","default":"t"},{"name":"b","type":"string","default":"t"}]}]"#;

const REMEMBERED_OLD: &str = r#"{"type":"record","name":"R","fields":[
    {"name":"u","type":[{"type":"record","name":"x.L","fields":[
        {"name":"m","type":{"type":"record","name":"M","fields":[{"name":"l","type":["null","L"]}]}},
        {"name":"z","type":"string"}]}]},
    {"name":"q","type":"x.M"}]}"#;
const REMEMBERED_NEW: &str = r#"{"type":"record","name":"R","fields":[
    {"name":"u","type":[
        {"type":"record","name":"a.L","fields":[
            {"name":"m","type":{"type":"record","name":"M","fields":[{"name":"l","type":["null","L"]}]}},
            {"name":"z","type":"int"}]},
        {"type":"record","name":"b.L","fields":[]}]},
    {"name":"q","type":"a.M"}]}"#;

fn stored(text: &str) -> Parsed {
    engine::read(SchemaType::Avro, text, &[], Reading::Stored, &CONFLUENT_8_3).expect("the text is Avro")
}

/// What passes and is not what the user expects is told as advice.
#[test]
fn what_the_registry_lets_pass_is_advised_on() {
    for (number, old, new, code) in [
        (16, DECIMAL_10_4, DECIMAL_10_2, Code::LogicalTypeChanged),
        (17, TWO_RECORDS, ONE_RECORD, Code::AmbiguousUnion),
        (23, REMEMBERED_OLD, REMEMBERED_NEW, Code::AcceptedThoughUnreadable),
    ] {
        let change = Change {
            old: &stored(old),
            new: &stored(new),
            old_name: "version 1",
            level: Level::Backward,
            profile: &CONFLUENT_8_3,
            policy: Policy::Strict,
            is_key: false,
        };
        let given = of_change(&change);
        assert!(given.iter().any(|advice| advice.code == code), "report {number}: {given:?}");
    }
}

/// Report 31 once more: it is not even a change.
#[test]
fn a_namespace_or_a_name_with_dots_is_one_schema() {
    let [with_namespace, with_dots] = [
        r#"{"type":"record","namespace":"foo.bar","name":"baz","fields":[]}"#,
        r#"{"type":"record","name":"foo.bar.baz","fields":[]}"#,
    ];
    let form = |text| Form::read(SchemaType::Avro, text).expect("the text is JSON");
    assert_eq!(form(with_namespace), form(with_dots));
}
