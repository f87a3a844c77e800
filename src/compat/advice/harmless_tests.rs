//! Changes that nobody needs to hear of.

use rstest::rstest;

use super::notation::{Case, places};
use crate::api::{Level, SchemaType};

fn is_silent(mut case: Case) {
    for level in Level::ALL {
        case.level = level;
        let given = case.given();
        assert_eq!(places(&given), "", "{level}: {given:#?}");
    }
}

fn avro(fields: &str) -> String {
    format!(r#"{{"type":"record","name":"Order","doc":"one","fields":[{fields}]}}"#)
}

const ID: &str = r#"{"name":"id","type":"string"}"#;
const STATUS: &str =
    r#"{"name":"status","type":{"type":"enum","name":"Status","symbols":["NEW","PAID"],"default":"NEW"}}"#;

#[rstest]
#[case::the_same(avro(ID), avro(ID))]
#[case::docs(avro(ID), avro(ID).replace("one", "two"))]
#[case::a_field_with_a_default(avro(ID), avro(&format!(r#"{ID},{{"name":"note","type":"string","default":""}}"#)))]
#[case::an_optional_field(
    avro(ID), avro(&format!(r#"{ID},{{"name":"note","type":["null","string"],"default":null}}"#))
)]
#[case::a_field_with_a_default_goes(avro(&format!(r#"{ID},{{"name":"note","type":"string","default":""}}"#)), avro(ID))]
#[case::order_of_fields(avro(&format!("{ID},{STATUS}")), avro(&format!("{STATUS},{ID}")))]
#[case::order_of_symbols(avro(STATUS), avro(STATUS).replace(r#""NEW","PAID""#, r#""PAID","NEW""#))]
#[case::an_alias_for_the_future(avro(ID), avro(r#"{"name":"id","type":"string","aliases":["key"]}"#))]
#[case::properties(avro(ID), avro(r#"{"name":"id","type":{"type":"string","avro.java.string":"String"},"team":"a"}"#))]
#[case::a_default_written_otherwise(
    avro(r#"{"name":"x","type":"double","default":1.0}"#),
    avro(r#"{"name":"x","type":"double","default":1e0}"#)
)]
fn avro_changes(#[case] old: String, #[case] new: String) {
    is_silent(Case::of(SchemaType::Avro, &old, &new));
}

fn protobuf(body: &str) -> String {
    format!("syntax = \"proto3\"; package shop; message Order {{ {body} }}")
}

#[rstest]
#[case::comments("int32 id = 1;", "/* the key */ int32 id = 1; // of the order\n")]
#[case::a_field("int32 id = 1;", "int32 id = 1; string note = 2;")]
#[case::a_field_goes_reserved("int32 id = 1; string note = 2;", "reserved 2; reserved \"note\"; int32 id = 1;")]
#[case::more_is_reserved("reserved 2; int32 id = 1;", "reserved 2, 3 to 9; int32 id = 1;")]
#[case::reserved_written_otherwise("reserved 2, 3; int32 id = 1;", "reserved 2 to 3; int32 id = 1;")]
#[case::order_of_fields("int32 id = 1; string note = 2;", "string note = 2; int32 id = 1;")]
#[case::a_constant("enum E { X = 0; } E e = 1;", "enum E { X = 0; Y = 1; } E e = 1;")]
#[case::presence("int32 id = 1;", "optional int32 id = 1;")]
#[case::a_field_into_a_oneof_of_its_own("int32 id = 1;", "oneof one { int32 id = 1; }")]
#[case::options("int32 id = 1;", "option deprecated = true; int32 id = 1 [deprecated = true];")]
#[case::a_full_name("Line l = 1; message Line {}", ".shop.Order.Line l = 1; message Line {}")]
fn protobuf_changes(#[case] old: &str, #[case] new: &str) {
    let case = Case::of(SchemaType::Protobuf, &protobuf(old), &protobuf(new));
    let given = case.given();
    assert_eq!(places(&given), "", "{given:#?}");
}

#[rstest]
#[case::descriptions(
    r#"{"type":"object","title":"a"}"#,
    r#"{"type":"object","title":"b","description":"c","examples":[1]}"#
)]
#[case::an_optional_property_of_a_closed_model(
    r#"{"type":"object","additionalProperties":false,"properties":{"a":{"type":"string"}}}"#,
    r#"{"type":"object","additionalProperties":false,"properties":{"a":{"type":"string"},"b":{"type":"string"}}}"#
)]
#[case::order_of_properties(
    r#"{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["a","b"]}"#,
    r#"{"properties":{"b":{"type":"string"},"a":{"type":"string"}},"required":["b","a"],"type":"object"}"#
)]
#[case::a_definition_is_shared(
    r#"{"properties":{"a":{"type":"string","format":"email"}}}"#,
    r##"{"properties":{"a":{"$ref":"#/definitions/mail"}},"definitions":{"mail":{"type":"string","format":"email"}}}"##
)]
#[case::a_limit_is_raised(r#"{"type":"string","maxLength":3}"#, r#"{"type":"string","maxLength":4}"#)]
#[case::a_default_is_new(
    r#"{"properties":{"a":{"type":"integer"}}}"#,
    r#"{"properties":{"a":{"type":"integer","default":0}}}"#
)]
#[case::order_of_branches(
    r#"{"oneOf":[{"type":"string","format":"date"},{"type":"null"}]}"#,
    r#"{"oneOf":[{"type":"null"},{"type":"string","format":"date"}]}"#
)]
#[case::null_is_welcome(r#"{"oneOf":[{"type":"string"}]}"#, r#"{"oneOf":[{"type":"string"},{"type":"null"}]}"#)]
#[case::a_kind_with_a_tag_of_its_own(
    r#"{"oneOf":[{"type":"object","required":["k"],"properties":{"k":{"enum":["a"]}}}]}"#,
    r#"{"oneOf":[{"type":"object","required":["k"],"properties":{"k":{"enum":["a"]}}},{"type":"object","required":["k"],"properties":{"k":{"enum":["b","c"]}}}]}"#
)]
#[case::pattern_properties_of_a_closed_model(
    r#"{"type":"object","additionalProperties":false}"#,
    r#"{"type":"object","additionalProperties":false,"patternProperties":{"^x-":{"type":"string"}}}"#
)]
fn json_changes(#[case] old: &str, #[case] new: &str) {
    let mut given = Case::of(SchemaType::Json, old, new).given();
    // What only new readers take is for consumers first, which is said of every such change.
    given.retain(|advice| advice.code != super::Code::LatestClients);
    assert_eq!(places(&given), "", "{given:#?}");
}

#[test]
fn a_change_of_what_is_referred_to_in_another_namespace_is_silent() {
    let of = |name: &str| avro(&format!(r#"{{"name":"line","type":{{"type":"record","name":"{name}","fields":[]}}}}"#));
    is_silent(Case::of(SchemaType::Avro, &of("Line"), &of("Line")));
}
