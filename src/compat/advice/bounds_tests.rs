//! Large and hostile schemas take little time: near-linear on what is large, a bound on what is not.

use std::time::{Duration, Instant};

use rstest::rstest;

use super::notation::Case;
use super::{Policy, Told, divergence, frozen, of_history};
use crate::api::{Level, SchemaType};
use crate::compat::history::Past;
use crate::compat::{CONFLUENT_7_9, CONFLUENT_8_3};
use crate::schema::Version;

/// Far more than these take on a busy machine without optimization; what is not bounded takes hours.
const LIMIT: Duration = Duration::from_secs(120);

/// All that can be asked about a change. Gives how much was said.
fn all_advice(case: &Case) -> usize {
    let start = Instant::now();
    let given = case.given();
    let said = given.len() + case.standing().len() + divergence(&case.change(), &[&CONFLUENT_7_9]).len();
    assert!(start.elapsed() < LIMIT, "took {:?}", start.elapsed());
    assert!(given.len() < 10_000, "{} pieces of advice", given.len());
    said
}

fn joined(count: usize, one: impl Fn(usize) -> String, between: &str) -> String {
    (0..count).map(one).collect::<Vec<_>>().join(between)
}

fn avro(count: usize, default: usize) -> String {
    let field = |at| {
        format!(
            r#"{{"name":"f{at}","type":["null",{{"type":"record","name":"R{at}","fields":[]}}],"default":null}},{{"name":"g{at}","type":"int","default":{default}}}"#
        )
    };
    format!(r#"{{"type":"record","name":"Order","fields":[{}]}}"#, joined(count, field, ","))
}

fn protobuf(count: usize, kind: &str) -> String {
    let field = |at| format!("{kind} f{at} = {}; enum E{at} {{ X{at} = 0; }}", at + 1);
    format!("syntax = \"proto3\"; message Order {{ {} }}", joined(count, field, "\n"))
}

fn json(count: usize, format: &str) -> String {
    let property =
        |at| format!(r##""p{at}":{{"type":"string","format":"{format}","allOf":[{{"$ref":"#/definitions/d"}}]}}"##);
    format!(
        r##"{{"type":"object","properties":{{{}}},"definitions":{{"d":{{"properties":{{"n":{{"$ref":"#/definitions/d"}}}}}}}}}}"##,
        joined(count, property, ",")
    )
}

#[rstest]
#[case::avro(SchemaType::Avro, avro(5_000, 0), avro(5_000, 1))]
#[case::protobuf(SchemaType::Protobuf, protobuf(10_000, "int64"), protobuf(10_000, "int32"))]
#[case::protobuf_renumbered(SchemaType::Protobuf, protobuf(10_000, "int64"), protobuf(10_000, "int64").replace("f", "g"))]
#[case::json(SchemaType::Json, json(10_000, "date"), json(10_000, "email"))]
fn ten_thousand_fields(#[case] schema_type: SchemaType, #[case] old: String, #[case] new: String) {
    assert!(all_advice(&Case::of(schema_type, &old, &new)) > 100);
}

#[rstest]
#[case::avro(
    SchemaType::Avro,
    r#"{"type":"record","name":"N","fields":[{"name":"a","type":"int","default":1},{"name":"n","type":["null","N"]}]}"#,
    r#"{"type":"record","name":"N","fields":[{"name":"a","type":"int","default":2},{"name":"n","type":["null","N"]}]}"#
)]
#[case::protobuf(
    SchemaType::Protobuf,
    "syntax = \"proto3\"; message N { int64 a = 1; N n = 2; }",
    "syntax = \"proto3\"; message N { int32 a = 1; N n = 2; }"
)]
#[case::json(
    SchemaType::Json,
    r##"{"properties":{"a":{"type":"string"},"n":{"$ref":"#"}}}"##,
    r##"{"properties":{"a":{"type":"string","format":"date"},"n":{"$ref":"#"}}}"##
)]
fn what_refers_to_itself_is_told_once(#[case] schema_type: SchemaType, #[case] old: &str, #[case] new: &str) {
    let mut given = Case::of(schema_type, old, new).given();
    given.dedup_by(|one, other| one.message == other.message);
    assert!(!given.is_empty() && given.len() <= 2, "{given:#?}");
}

/// Types that each are one of several, all of which refer to all types.
fn mutual(types: usize, format: &str) -> String {
    let one_of = |_| {
        let object = |at| {
            let reference = |to| format!(r##""p{to}":{{"$ref":"#/definitions/t{to}"}}"##);
            let properties = joined(types, reference, ",");
            format!(r#"{{"type":"object","properties":{{"k":{{"format":"{format}"}},"x{at}":{{}},{properties}}}}}"#)
        };
        format!(r#"{{"oneOf":[{}]}}"#, joined(types, object, ","))
    };
    let definitions = joined(types, |at| format!(r#""t{at}":{}"#, one_of(at)), ",");
    format!(r##"{{"$ref":"#/definitions/t0","definitions":{{{definitions}}}}}"##)
}

fn deep(keyword: &str, format: &str) -> String {
    let depth = 400;
    format!(
        "{}{{\"type\":\"string\",\"format\":\"{format}\"}}{}",
        format!("{{\"{keyword}\":").repeat(depth),
        "}".repeat(depth)
    )
}

fn branches(count: usize, rest: &str) -> String {
    let branch = |at| format!(r#"{{"type":"object","required":["k"],"properties":{{"k":{{"minimum":{at}}}{rest}}}}}"#);
    format!(r#"{{"oneOf":[{}]}}"#, joined(count, branch, ","))
}

#[rstest]
#[case::mutual_recursion(mutual(12, "date"), mutual(12, "email"))]
#[case::many_branches(branches(150, ""), branches(151, ""))]
#[case::many_branches_changed(branches(150, ""), branches(150, r#","x":{"format":"date"}"#))]
#[case::depth(deep("items", "date"), deep("items", "email"))]
#[case::negations(deep("not", "date"), deep("not", "email"))]
#[case::conditions(deep("then", "date"), deep("then", "email"))]
#[case::references_in_a_circle(
    r##"{"$ref":"#/definitions/a","definitions":{"a":{"$ref":"#/definitions/b"},"b":{"$ref":"#/definitions/a"}}}"##.into(),
    r##"{"$ref":"#/definitions/a","definitions":{"a":{"$ref":"#/definitions/b"},"b":{"$ref":"#/definitions/a"}}}"##.into()
)]
fn json_bombs(#[case] old: String, #[case] new: String) {
    all_advice(&Case::of(SchemaType::Json, &old, &new));
}

fn union_of_records(count: usize, space: &str) -> String {
    let record = |at| {
        format!(r#"{{"type":"record","name":"{space}R{at}","fields":[{{"name":"a","type":["null","int","long"]}}]}}"#)
    };
    format!("[{}]", joined(count, record, ","))
}

#[test]
fn avro_unions_of_many_records() {
    let case = Case::of(SchemaType::Avro, &union_of_records(500, "a."), &union_of_records(500, "b."));
    all_advice(&case);
}

fn nested_messages(depth: usize, kind: &str) -> String {
    let open = |at| format!("message M{at} {{ {kind} a = 1; oneof o{at} {{ int32 b = 2; M{at} c = 3; }} ");
    format!("syntax = \"proto3\"; {}{}", joined(depth, open, ""), "}".repeat(depth))
}

fn oneofs(count: usize, name: &str) -> String {
    let oneof = |at| format!("oneof {name}{at} {{ int32 a{at} = {}; }}", at + 1);
    format!("syntax = \"proto3\"; message M {{ {} }}", joined(count, oneof, " "))
}

#[rstest]
#[case::nesting(nested_messages(300, "int64"), nested_messages(300, "int32"))]
#[case::oneofs_renamed(oneofs(5_000, "o"), oneofs(5_000, "p"))]
#[case::ranges(
    format!("message M {{ reserved {}; }}", joined(5_000, |at| format!("{}", at * 2 + 1), ",")),
    format!("message M {{ reserved {}; }}", joined(5_000, |at| format!("{}", at * 2 + 2), ","))
)]
fn protobuf_bombs(#[case] old: String, #[case] new: String) {
    all_advice(&Case::of(SchemaType::Protobuf, &old, &new));
}

#[test]
fn a_thousand_versions() {
    let fields = |count: usize| {
        let field = |at| format!(r#"{{"name":"f{at}","type":"int","default":0}}"#);
        format!(r#"{{"type":"record","name":"Order","fields":[{}]}}"#, joined(count % 20, field, ","))
    };
    let past = |at: usize| Past {
        version: Version::new(at as i64).unwrap(),
        schema: Ok(super::notation::read(SchemaType::Avro, &fields(at))),
    };
    let history: Vec<Past> = (1..=1_000).map(past).collect();
    let start = Instant::now();
    assert_eq!(of_history(Level::Backward, &history, &CONFLUENT_8_3, Policy::Strict), []);
    assert_eq!(frozen(Level::FullTransitive, &history, &CONFLUENT_8_3, Policy::Strict), None);
    assert!(start.elapsed() < LIMIT, "took {:?}", start.elapsed());
}

/// An inner record of a long name, so that the name is told with each of its fields.
fn avro_of_long_name(fields: usize, field: impl Fn(usize) -> String) -> String {
    let inner =
        format!(r#"{{"type":"record","name":"{}","fields":[{}]}}"#, "N".repeat(200_000), joined(fields, field, ","));
    format!(r#"{{"type":"record","name":"Order","fields":[{{"name":"n","type":{inner}}}]}}"#)
}

fn avro_defaults(default: usize) -> String {
    avro_of_long_name(2_000, |at| format!(r#"{{"name":"f{at}","type":"int","default":{default}}}"#))
}

/// Fields whose defaults other clients refuse.
fn avro_misfits(default: &str) -> String {
    avro_of_long_name(2_000, |at| format!(r#"{{"name":"f{at}","type":["null","int"],"default":{default}}}"#))
}

fn protobuf_of_long_name(field: impl Fn(usize) -> String) -> String {
    format!("syntax = \"proto3\"; message {} {{ {} }}", "M".repeat(200_000), joined(2_000, field, " "))
}

fn protobuf_fields(kind: &str) -> String {
    protobuf_of_long_name(|at| format!("{kind} f{at} = {};", at + 1))
}

fn json_of_long_name(format: &str) -> String {
    let property = |at| format!(r#""q{at}":{{"type":"string","format":"{format}"}}"#);
    format!(r#"{{"properties":{{"{}":{{"properties":{{{}}}}}}}}}"#, "p".repeat(200_000), joined(2_000, property, ","))
}

#[rstest]
#[case::avro(SchemaType::Avro, avro_defaults(0), avro_defaults(1))]
#[case::avro_lint(SchemaType::Avro, avro_misfits("null"), avro_misfits("1"))]
#[case::protobuf_types(SchemaType::Protobuf, protobuf_fields("int64"), protobuf_fields("int32"))]
#[case::protobuf_presence(SchemaType::Protobuf, protobuf_fields("optional int32"), protobuf_fields("int32"))]
#[case::protobuf_gone(SchemaType::Protobuf, protobuf_fields("int32"), protobuf_of_long_name(|_| String::new()))]
#[case::protobuf_lint(SchemaType::Protobuf, protobuf_fields("int32"), protobuf_of_long_name(|at| format!("int32 f{at} = 19000;")))]
#[case::json(SchemaType::Json, json_of_long_name("date"), json_of_long_name("email"))]
fn a_long_name_is_not_told_a_thousand_times(#[case] schema_type: SchemaType, #[case] old: String, #[case] new: String) {
    let case = Case::of(schema_type, &old, &new);
    for told in [case.given(), case.standing(), super::of_schema(&case.new)] {
        let bytes: usize = told.iter().map(Told::bytes).sum();
        assert!(bytes < 8 << 20, "{} pieces of {bytes} bytes", told.len());
    }
    assert!(!case.given().is_empty() || !case.standing().is_empty());
}
