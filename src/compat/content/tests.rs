use rstest::rstest;

use super::*;

fn content(schema_type: SchemaType, text: &str) -> Content {
    Content::of(&Form::read(schema_type, text).unwrap()).unwrap()
}

/// What changed, as `+added -removed ~changed`.
fn told(changes: &Changes) -> String {
    let mark = |mark: &str, parts: &[String]| parts.iter().map(|part| format!("{mark}{part}")).collect::<Vec<_>>();
    [mark("+", &changes.added), mark("-", &changes.removed), mark("~", &changes.changed)].concat().join(", ")
}

const ORDER: &str = r#"{"type":"record","name":"Order","fields":[{"name":"id","type":"string"},
    {"name":"to","type":{"type":"record","name":"Address","fields":[{"name":"zip","type":"string"}]}},
    {"name":"status","type":{"type":"enum","name":"Status","symbols":["NEW"]}}]}"#;
const PERSON: &str = r#"{"type":"object","required":["id"],"properties":{"id":{"type":"string"},
    "home":{"type":"object","properties":{"zip":{"type":"string"}}},"kind":{"enum":["a"]}}}"#;
const EVENT: &str = "syntax = \"proto3\"; package p; message Event { string id = 1; oneof what { int32 a = 2; } \
    message Inner { bool b = 1; } Inner inner = 3; } enum Kind { UNKNOWN = 0; }";

#[rstest]
#[case::avro_layout(SchemaType::Avro, ORDER, &ORDER.replace(',', " , "), "")]
#[case::avro_field(SchemaType::Avro, ORDER, &ORDER.replace("\"fields\":[{\"name\":\"id\"", "\"fields\":[{\"name\":\"new\",\"type\":\"int\"},{\"name\":\"id\""), "+field new")]
#[case::avro_nested_field(SchemaType::Avro, ORDER, &ORDER.replace("\"zip\"", "\"city\""), "+field city of Address, -field zip of Address")]
#[case::avro_field_type(SchemaType::Avro, ORDER, &ORDER.replace("\"id\",\"type\":\"string\"", "\"id\",\"type\":\"long\""), "~field id")]
#[case::avro_symbol(SchemaType::Avro, ORDER, &ORDER.replace("[\"NEW\"]", "[\"NEW\",\"LATE\"]"), "+symbol LATE of Status")]
#[case::avro_doc(SchemaType::Avro, ORDER, &ORDER.replace("\"Order\",", "\"Order\",\"doc\":\"d\","), "~type Order")]
#[case::json_property(SchemaType::Json, PERSON, &PERSON.replace("\"kind\":", "\"age\":{},\"kind\":"), "+property age")]
#[case::json_nested_property(SchemaType::Json, PERSON, &PERSON.replace("\"zip\":{\"type\":\"string\"}", "\"zip\":{\"type\":\"integer\"}"), "~property zip of property home")]
#[case::json_required(SchemaType::Json, PERSON, &PERSON.replace("[\"id\"]", "[\"home\"]"), "+the need for property home, -the need for property id")]
#[case::json_value(SchemaType::Json, PERSON, &PERSON.replace("[\"a\"]", "[\"a\",\"b\"]"), "+value b of property kind")]
#[case::json_rest(SchemaType::Json, PERSON, &PERSON.replace("{\"type\":\"object\",\"required\"", "{\"type\":\"object\",\"title\":\"t\",\"required\""), "~the schema itself")]
#[case::protobuf_layout(SchemaType::Protobuf, EVENT, &EVENT.replace("; ", ";\n  "), "")]
#[case::protobuf_field(SchemaType::Protobuf, EVENT, &EVENT.replace("string id = 1;", "string id = 1; string at = 4;"), "+field at = 4 of Event")]
#[case::protobuf_label(SchemaType::Protobuf, EVENT, &EVENT.replace("string id", "repeated string id"), "~field id = 1 of Event")]
#[case::protobuf_member(SchemaType::Protobuf, EVENT, &EVENT.replace("int32 a = 2;", "int32 a = 2; int32 b = 5;"), "+field b = 5 of Event")]
#[case::protobuf_value(SchemaType::Protobuf, EVENT, &EVENT.replace("UNKNOWN = 0;", "UNKNOWN = 0; LATE = 1;"), "+value LATE of Kind")]
#[case::protobuf_option(SchemaType::Protobuf, EVENT, &EVENT.replace("package p;", "package p; option java_package = \"x\";"), "~the text outside messages and enums")]
#[case::protobuf_reserved(SchemaType::Protobuf, EVENT, &EVENT.replace("string id = 1;", "string id = 1; reserved 9;"), "~message Event")]
fn what_changed_is_named(
    #[case] schema_type: SchemaType,
    #[case] before: &str,
    #[case] after: &str,
    #[case] expected: &str,
) {
    assert_eq!(told(&content(schema_type, before).changes_to(&content(schema_type, after))), expected);
}

#[test]
fn what_someone_else_did_is_kept_or_lost() {
    let with =
        |fields: &str| content(SchemaType::Avro, &format!(r#"{{"type":"record","name":"R","fields":[{fields}]}}"#));
    const A: &str = r#"{"name":"a","type":"int"}"#;
    const B: &str = r#"{"name":"b","type":"int","default":0}"#;
    const C: &str = r#"{"name":"c","type":"int","default":0}"#;
    let (base, theirs) = (with(A), with(&format!("{A},{B}")));
    let lost = |ours: &str| theirs.changes_that_are_not_in(&base, &with(ours)).map(|lost| told(&lost));
    assert_eq!(lost(&format!("{A},{B},{C}")).as_deref(), Some(""), "built on theirs");
    assert_eq!(lost(&format!("{A},{C}")).as_deref(), Some("+field b"));
    assert_eq!(base.changes_that_are_not_in(&base, &theirs), None, "they changed nothing that could be told");
    let removed = with(B).changes_that_are_not_in(&theirs, &theirs).map(|lost| told(&lost));
    assert_eq!(removed.as_deref(), Some("-field a"), "they removed it, and it would come back");
}

#[test]
fn long_lists_are_cut() {
    let names = |count: usize| (1..=count).map(|at| format!("field {at}")).collect::<Vec<_>>();
    assert_eq!(listed(&names(2)), "field 1, field 2");
    assert_eq!(listed(&names(5)), "field 1, field 2, field 3 and 2 more");
}

#[test]
fn a_long_name_of_many_parts_is_not_taken_apart() {
    let name = "N".repeat(10_000);
    let fields: Vec<String> = (0..1_000).map(|at| format!(r#"{{"name":"f{at}","type":"int"}}"#)).collect();
    let inner = format!(r#"{{"type":"record","name":"{name}","fields":[{}]}}"#, fields.join(","));
    let avro = format!(r#"{{"type":"record","name":"R","fields":[{{"name":"n","type":{inner}}}]}}"#);
    let fields: String = (1..1_000).map(|at| format!("int32 f{at} = {at}; ")).collect();
    let protobuf = format!("syntax = \"proto3\"; message {name} {{ {fields} }}");
    for (schema_type, text) in [(SchemaType::Avro, avro), (SchemaType::Protobuf, protobuf)] {
        assert_eq!(Content::of(&Form::read(schema_type, &text).unwrap()), None, "{schema_type}");
    }
}
