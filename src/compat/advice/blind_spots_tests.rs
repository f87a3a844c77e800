//! Every blind spot is covered: what the registry takes though it breaks data or changes what data means
//! (compat.md §1.2, §1.5, §2.1 to §2.3, §3.1 to §3.4), row by row, with the registry's verdict and the advice.

use rstest::rstest;

use super::notation::Case;
use crate::api::{Level, SchemaType};
use crate::compat::levels::{Direction, directions};
use crate::compat::{CONFLUENT_7_9, CONFLUENT_8_3, Profile};

/// The registry takes the change under the level, and the advice is there.
fn is_covered(case: &Case, code_and_path: &str) {
    for direction in directions(case.level) {
        assert!(case.passes(*direction), "the registry refuses this ({direction:?}), so it is no blind spot");
    }
    let given = case.given();
    let is_it = |advice: &super::Advice| format!("{} {}", advice.code, advice.path) == code_and_path;
    assert!(given.iter().any(is_it), "{code_and_path} is not among {given:#?}");
}

fn record(fields: &str) -> String {
    format!(r#"{{"type":"record","name":"R","fields":[{fields}]}}"#)
}

fn avro_field(kind: &str) -> String {
    record(&format!(r#"{{"name":"a","type":{kind}}}"#))
}

fn avro(old: &str, new: &str, profile: &'static Profile) -> Case {
    Case { profile, ..Case::of(SchemaType::Avro, old, new) }
}

const MILLIS: &str = r#"{"type":"long","logicalType":"timestamp-millis"}"#;
const MICROS: &str = r#"{"type":"long","logicalType":"timestamp-micros"}"#;
const DATE: &str = r#"{"type":"int","logicalType":"date"}"#;
const UUID: &str = r#"{"type":"string","logicalType":"uuid"}"#;

fn decimal(precision: u32, scale: u32) -> String {
    format!(r#"{{"type":"bytes","logicalType":"decimal","precision":{precision},"scale":{scale}}}"#)
}

#[rstest]
#[case::decimal_scale(&decimal(10, 4), &decimal(10, 2))]
#[case::decimal_precision(&decimal(10, 2), &decimal(5, 2))]
#[case::decimal_to_bytes(&decimal(10, 2), r#""bytes""#)]
#[case::millis_to_micros(MILLIS, MICROS)]
#[case::micros_to_millis(MICROS, MILLIS)]
#[case::date_to_long(DATE, r#""long""#)]
#[case::long_to_millis(r#""long""#, MILLIS)]
#[case::uuid_dropped(UUID, r#""string""#)]
fn avro_logical_types_are_ignored(#[case] old: &str, #[case] new: &str) {
    let case = avro(&avro_field(old), &avro_field(new), &CONFLUENT_8_3);
    is_covered(&case, "LogicalTypeChanged /fields/0/type");
    is_covered(&avro(&avro_field(old), &avro_field(new), &CONFLUENT_7_9), "LogicalTypeChanged /fields/0/type");
}

#[rstest]
#[case::bytes_as_text(
    avro_field(r#""bytes""#),
    avro_field(r#""string""#),
    Level::Backward,
    "ValuesMayNotFit /fields/0/type"
)]
#[case::text_read_from_bytes(
    avro_field(r#""string""#),
    avro_field(r#""bytes""#),
    Level::Full,
    "ValuesMayNotFit /fields/0/type"
)]
#[case::rename_with_a_default(
    avro_field(r#""string""#),
    record(r#"{"name":"b","type":"string","default":""}"#),
    Level::Backward,
    "RenameWithoutAlias /fields/0"
)]
#[case::default_changed(
    record(r#"{"name":"a","type":"int","default":1}"#),
    record(r#"{"name":"a","type":"int","default":2}"#),
    Level::Full,
    "DefaultChanged /fields/0"
)]
#[case::default_removed(
    record(r#"{"name":"a","type":"int","default":1}"#),
    record(r#"{"name":"a","type":"int"}"#),
    Level::Backward,
    "DefaultRemoved /fields/0"
)]
#[case::namespace_changed(
    r#"{"type":"record","name":"n.R","fields":[]}"#.into(), r#"{"type":"record","name":"m.R","fields":[]}"#.into(),
    Level::Full, "FullNameChanged /"
)]
#[case::an_enum_s_default_hides_what_it_lost(
    r#"{"type":"enum","name":"E","symbols":["A","B"]}"#.into(),
    r#"{"type":"enum","name":"E","symbols":["A"],"default":"A"}"#.into(), Level::Backward, "EnumDefaultHides /"
)]
#[case::an_enum_s_default_hides_what_is_new(
    r#"{"type":"enum","name":"E","symbols":["A"],"default":"A"}"#.into(),
    r#"{"type":"enum","name":"E","symbols":["A","B"],"default":"A"}"#.into(), Level::Full, "EnumGrew /"
)]
#[case::decoders_choose_among_branches(
    r#"[{"type":"record","name":"A","fields":[]}]"#.into(),
    r#"[{"type":"record","name":"n.A","fields":[]},{"type":"record","name":"m.A","fields":[]}]"#.into(),
    Level::Backward, "AmbiguousUnion /"
)]
#[case::the_checker_remembers_what_it_assumed(MEMO_OLD.into(), MEMO_NEW.into(), Level::Backward,
    "AcceptedThoughUnreadable /fields/1/type/fields/0/type/1")]
fn avro_rules_let_it_pass(#[case] old: String, #[case] new: String, #[case] level: Level, #[case] advice: &str) {
    is_covered(&avro(&old, &new, &CONFLUENT_8_3).at(level), advice);
}

/// compat.md §1.5: the first field is saved by b.L, after (M, M) was taken to be readable within (a.L, x.L).
const MEMO_OLD: &str = r#"{"type":"record","name":"R","fields":[
  {"name":"u","type":[{"type":"record","name":"x.L","fields":[
    {"name":"m","type":{"type":"record","name":"n.M","fields":[{"name":"l","type":["null","x.L"]}]}},
    {"name":"z","type":"string"}]}]},
  {"name":"q","type":"n.M"}]}"#;
const MEMO_NEW: &str = r#"{"type":"record","name":"R","fields":[
  {"name":"u","type":[{"type":"record","name":"a.L","fields":[
    {"name":"m","type":{"type":"record","name":"n.M","fields":[{"name":"l","type":["null","a.L"]}]}},
    {"name":"z","type":"int"}]},{"type":"record","name":"b.L","fields":[]}]},
  {"name":"q","type":"n.M"}]}"#;

/// Old releases take any default, and all take what is no symbol of an enum.
#[rstest]
#[case::of_another_type(r#"{"name":"a","type":"int","default":"oops"}"#, &CONFLUENT_7_9)]
#[case::of_another_branch(r#"{"name":"a","type":["null","int"],"default":1}"#, &CONFLUENT_8_3)]
#[case::no_symbol(
    r#"{"name":"a","type":{"type":"enum","name":"E","symbols":["A"]},"default":"B"}"#, &CONFLUENT_8_3
)]
fn avro_defaults_are_not_held_against_their_types(#[case] field: &str, #[case] profile: &'static Profile) {
    is_covered(&avro(&record(""), &record(field), profile), "InvalidElsewhere /fields/0");
}

fn protobuf(syntax: &str, old: &str, new: &str) -> Case {
    let text = |body: &str| format!("syntax = \"{syntax}\"; message M {{ {body} }}");
    Case::of(SchemaType::Protobuf, &text(old), &text(new))
}

#[rstest]
#[case::number_repeated("int32 a = 1;", "repeated int32 a = 1;", Level::Full, "CardinalityChanged #/M/1")]
#[case::number_single("repeated int32 a = 1;", "int32 a = 1;", Level::Full, "CardinalityChanged #/M/1")]
#[case::text_repeated("optional string a = 1;", "repeated string a = 1;", Level::Full, "CardinalityChanged #/M/1")]
#[case::message_single(
    "repeated N a = 1; message N {}",
    "N a = 1; message N {}",
    Level::Full,
    "CardinalityChanged #/M/1"
)]
#[case::presence("optional int32 a = 1;", "int32 a = 1;", Level::Full, "PresenceDropped #/M/1")]
#[case::another_enum(
    "E a = 1; enum E { X = 0; Y = 1; } enum F { P = 0; Q = 1; }",
    "F a = 1; enum E { X = 0; Y = 1; } enum F { P = 0; Q = 1; }",
    Level::Full,
    "ValuesMayNotFit #/M/1"
)]
#[case::number_as_enum(
    "int64 a = 1; enum E { X = 0; }",
    "E a = 1; enum E { X = 0; }",
    Level::Backward,
    "ValuesMayNotFit #/M/1"
)]
#[case::constant_renumbered(
    "enum E { X = 0; Y = 1; }",
    "enum E { X = 0; Y = 2; }",
    Level::Full,
    "NumberChanged #/M/E/2"
)]
#[case::constant_removed("enum E { X = 0; Y = 1; }", "enum E { X = 0; }", Level::Full, "NumberNotReserved #/M/E/1")]
#[case::number_narrowed("int64 a = 1;", "int32 a = 1;", Level::Backward, "ValuesMayNotFit #/M/1")]
#[case::sign_lost("int32 a = 1;", "uint32 a = 1;", Level::Backward, "ValuesMayNotFit #/M/1")]
#[case::sign_gained("fixed64 a = 1;", "sfixed64 a = 1;", Level::Backward, "ValuesMayNotFit #/M/1")]
#[case::zigzag_narrowed("sint64 a = 1;", "sint32 a = 1;", Level::Backward, "ValuesMayNotFit #/M/1")]
#[case::number_as_truth("int32 a = 1;", "bool a = 1;", Level::Backward, "ValuesMayNotFit #/M/1")]
#[case::bytes_as_text("bytes a = 1;", "string a = 1;", Level::Backward, "ValuesMayNotFit #/M/1")]
#[case::widened_for_old_readers("int32 a = 1;", "int64 a = 1;", Level::Full, "ValuesMayNotFit #/M/1")]
#[case::value_of_a_map(
    "map<string, int64> a = 1;",
    "map<string, int32> a = 1;",
    Level::Backward,
    "ValuesMayNotFit #/M/1"
)]
#[case::number_gone("int32 a = 1; int32 b = 2;", "int32 a = 1;", Level::Full, "NumberNotReserved #/M/2")]
#[case::number_reused("int32 id = 1;", "int64 total = 1;", Level::Full, "NumberReused #/M/1")]
#[case::field_renumbered("string a = 1;", "string a = 2;", Level::Full, "NumberChanged #/M/2")]
#[case::unreserved_and_used("reserved 2;", "int32 b = 2;", Level::Full, "ReservedReused #/M/2")]
#[case::unreserved("reserved 2;", "", Level::Full, "ReservationDropped #/M")]
#[case::json_name("string a = 1;", "string a = 1 [json_name = \"b\"];", Level::Full, "Renamed #/M/1")]
#[case::name("string a = 1;", "string b = 1;", Level::Full, "Renamed #/M/1")]
#[case::oneof_renamed_over_another_type(
    "oneof o { int32 a = 1; string b = 2; }",
    "oneof p { int32 a = 1; int32 b = 2; }",
    Level::Backward,
    "AcceptedThoughUnreadable #/M/p/2"
)]
#[case::oneofs_merged(
    "oneof a { int32 x = 1; } oneof b { int32 y = 2; }",
    "oneof c { int32 x = 1; int32 y = 2; }",
    Level::Backward,
    "AcceptedThoughUnreadable #/M/c"
)]
#[case::moved_into_a_oneof_as_another_type(
    "int32 a = 1;",
    "oneof o { string a = 1; }",
    Level::Backward,
    "AcceptedThoughUnreadable #/M/o/1"
)]
fn protobuf_3(#[case] old: &str, #[case] new: &str, #[case] level: Level, #[case] advice: &str) {
    is_covered(&protobuf("proto3", old, new).at(level), advice);
}

#[rstest]
#[case::required_text("optional string a = 1;", "required string a = 1;", "RequiredChanged #/M/1")]
#[case::required_message("optional N a = 1; message N {}", "required N a = 1; message N {}", "RequiredChanged #/M/1")]
#[case::repeated_message(
    "optional N a = 1; message N {}",
    "repeated N a = 1; message N {}",
    "CardinalityChanged #/M/1"
)]
#[case::default("optional int32 a = 1 [default = 3];", "optional int32 a = 1 [default = 4];", "DefaultChanged #/M/1")]
#[case::group_retyped(
    "optional group G = 1 { optional int32 a = 1; }",
    "optional group G = 1 { optional string a = 1; }",
    "NotCompared #/M/1/1"
)]
#[case::group_as_field("optional group G = 1 { optional int32 a = 1; }", "optional int32 a = 1;", "NotCompared #/M/1")]
#[case::group_gone("optional group G = 1 { optional int32 a = 1; }", "", "NumberNotReserved #/M/1")]
fn protobuf_2(#[case] old: &str, #[case] new: &str, #[case] advice: &str) {
    is_covered(&protobuf("proto2", old, new), advice);
}

#[test]
fn protobuf_extensions() {
    let text = |kind: &str| {
        format!("syntax = \"proto2\"; message M {{ extensions 100 to 199; }} extend M {{ optional {kind} a = 100; }}")
    };
    is_covered(&Case::of(SchemaType::Protobuf, &text("int32"), &text("string")), "NotCompared #/M/100");
}

#[test]
fn protobuf_2_to_3() {
    let old = r#"syntax = "proto2"; message M { optional int32 a = 1 [default = 5]; optional string b = 2; }"#;
    let new = r#"syntax = "proto3"; message M { int32 a = 1; string b = 2; }"#;
    let case = Case::of(SchemaType::Protobuf, old, new);
    is_covered(&case, "PresenceDropped #/");
    is_covered(&case, "DefaultChanged #/M/1");
}

fn json(old: &str, new: &str) -> Case {
    Case::of(SchemaType::Json, old, new)
}

#[rstest]
#[case::format(
    r#"{"type":"string","format":"date"}"#,
    r#"{"type":"string","format":"email"}"#,
    "IgnoredKeyword #/format"
)]
#[case::conditions(
    r#"{"if":{"required":["a"]},"then":{"required":["b"]}}"#,
    r#"{"if":{"required":["a"]},"then":{"required":["c"]}}"#,
    "IgnoredKeyword #/then"
)]
#[case::pattern_properties_added(
    r#"{"type":"object"}"#,
    r#"{"type":"object","patternProperties":{"^x":{"type":"string"}}}"#,
    "IgnoredKeyword #/patternProperties/^x"
)]
#[case::pattern_properties_changed(
    r#"{"type":"object","patternProperties":{"^x":{"type":"string"}}}"#,
    r#"{"type":"object","patternProperties":{"^x":{"type":"integer"}}}"#,
    "IgnoredKeyword #/patternProperties/^x"
)]
#[case::property_names(
    r#"{"type":"object"}"#,
    r#"{"type":"object","propertyNames":{"maxLength":3}}"#,
    "IgnoredKeyword #/propertyNames"
)]
#[case::contains_added(
    r#"{"type":"array"}"#,
    r#"{"type":"array","contains":{"const":1}}"#,
    "IgnoredKeyword #/contains"
)]
#[case::contains_changed(
    r#"{"type":"array","contains":{"const":1}}"#,
    r#"{"type":"array","contains":{"const":2}}"#,
    "IgnoredKeyword #/contains"
)]
#[case::required_undeclared(
    r#"{"type":"object"}"#,
    r#"{"type":"object","required":["b"]}"#,
    "IgnoredKeyword #/required/b"
)]
#[case::read_only(
    r#"{"type":"object","properties":{"a":{"type":"string"}}}"#,
    r#"{"type":"object","properties":{"a":{"type":"string","readOnly":true}}}"#,
    "IgnoredKeyword #/properties/a/readOnly"
)]
#[case::write_only(
    r#"{"type":"object","properties":{"a":{"type":"string"}}}"#,
    r#"{"type":"object","properties":{"a":{"type":"string","writeOnly":true}}}"#,
    "IgnoredKeyword #/properties/a/writeOnly"
)]
#[case::exclusive_limit_of_draft_4(
    r#"{"$schema":"http://json-schema.org/draft-04/schema#","type":"number","maximum":5}"#,
    r#"{"$schema":"http://json-schema.org/draft-04/schema#","type":"number","maximum":5,"exclusiveMaximum":true}"#,
    "IgnoredKeyword #/exclusiveMaximum"
)]
#[case::type_beside_its_keywords(
    r#"{"properties":{"a":{}}}"#,
    r#"{"type":"object","properties":{"a":{}}}"#,
    "IgnoredKeyword #/type"
)]
#[case::beside_a_reference(
    r##"{"properties":{"a":{"$ref":"#/definitions/d"}},"definitions":{"d":{"type":"string"}}}"##,
    r##"{"properties":{"a":{"$ref":"#/definitions/d","maxLength":3}},"definitions":{"d":{"type":"string"}}}"##,
    "IgnoredKeyword #/properties/a/maxLength"
)]
#[case::exclusive_maximum_below_a_larger_maximum(
    r#"{"type":"number","exclusiveMaximum":10,"maximum":100}"#,
    r#"{"type":"number","exclusiveMaximum":5,"maximum":100}"#,
    "IgnoredKeyword #/exclusiveMaximum"
)]
#[case::bounds_beyond_doubles(
    r#"{"type":"integer","minimum":9007199254740992}"#,
    r#"{"type":"integer","minimum":9007199254740993}"#,
    "IgnoredKeyword #/minimum"
)]
#[case::free_beside_patterns(
    r#"{"type":"object","patternProperties":{"^x":{}}}"#,
    r#"{"type":"object","patternProperties":{"^x":{}},"properties":{"b":{"type":"string"}}}"#,
    "IgnoredKeyword #/properties/b"
)]
#[case::overlapping_branches(
    r#"{"oneOf":[{"type":"string"}]}"#,
    r#"{"oneOf":[{"type":"string"},{"type":"string","maxLength":3}]}"#,
    "BranchesOverlap #/oneOf/1"
)]
#[case::default_taken_for_an_answer(
    r#"{"type":"object","properties":{"a":{"type":"integer","default":0}}}"#,
    r#"{"type":"object","properties":{"a":{"type":"integer","default":0}},"required":["a"]}"#,
    "RequiredWithDefault #/required/a"
)]
#[case::default_of_a_new_property_taken_for_an_answer(
    r#"{"type":"object","additionalProperties":false}"#,
    r#"{"type":"object","additionalProperties":false,"properties":{"a":{"type":"integer","default":0}},"required":["a"]}"#,
    "RequiredWithDefault #/properties/a"
)]
#[case::required_and_takes_anything(
    r#"{"type":"object"}"#,
    r#"{"type":"object","properties":{"a":{}},"required":["a"]}"#,
    "IgnoredKeyword #/required/a"
)]
#[case::types_beside_their_keywords(
    r#"{"minLength":1}"#,
    r#"{"type":["string","null"],"minLength":1}"#,
    "IgnoredKeyword #/type"
)]
#[case::a_type_in_a_branch(
    r#"{"minLength":1}"#,
    r#"{"anyOf":[{"type":"null"},{"type":"string","minLength":1}]}"#,
    "IgnoredKeyword #/type"
)]
#[case::pieces_of_branches(
    r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"type":"string"},{"type":"integer"}]}"#,
    r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"type":"string","enum":["a"]},{"type":"integer"}]}"#,
    "AcceptedThoughUnreadable #/"
)]
#[case::bytes_of_connect(
    r#"{"type":"string","connect.type":"bytes"}"#,
    r#"{"type":"number","connect.type":"bytes"}"#,
    "IgnoredKeyword #/type"
)]
#[case::another_draft(
    r#"{"$schema":"http://json-schema.org/draft-07/schema#","type":"object"}"#,
    r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object"}"#,
    "IgnoredKeyword #/$schema"
)]
#[case::behind_a_chain_of_references(
    r##"{"properties":{"a":{"$ref":"#/definitions/b"}},"definitions":{"b":{"$ref":"#/definitions/c"},"c":{"type":"string"}}}"##,
    r##"{"properties":{"a":{"$ref":"#/definitions/b"}},"definitions":{"b":{"$ref":"#/definitions/c"},"c":{"type":"integer"}}}"##,
    "AcceptedThoughUnreadable #/properties/a"
)]
#[case::recursion_that_is_met_again(
    r##"{"properties":{"n":{"$ref":"#"}}}"##,
    r##"{"properties":{"n":{"properties":{"n":{"maxProperties":1}}}}}"##,
    "AcceptedThoughUnreadable #/properties/n/properties/n/maxProperties"
)]
#[case::whole_parts_of_multiples(
    r#"{"type":"number","multipleOf":3.5}"#,
    r#"{"type":"number","multipleOf":1.5}"#,
    "AcceptedThoughUnreadable #/multipleOf"
)]
#[case::unevaluated_over_parts(
    r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","allOf":[{"properties":{"a":{},"b":{}}}],"unevaluatedProperties":false}"#,
    r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","allOf":[{"properties":{"a":{}}}],"unevaluatedProperties":false}"#,
    "IgnoredKeyword #/allOf/0/properties/b"
)]
fn json_schema(#[case] old: &str, #[case] new: &str, #[case] advice: &str) {
    is_covered(&json(old, new), advice);
}

/// Read the other way round they are as blind to what old readers need.
#[rstest]
#[case::format(r#"{"type":"string","format":"date"}"#, r#"{"type":"string"}"#, "IgnoredKeyword #/format")]
#[case::property_names(
    r#"{"type":"object","propertyNames":{"maxLength":3}}"#,
    r#"{"type":"object"}"#,
    "IgnoredKeyword #/propertyNames"
)]
#[case::required_undeclared(
    r#"{"type":"object","required":["b"]}"#,
    r#"{"type":"object"}"#,
    "IgnoredKeyword #/required/b"
)]
#[case::pattern_properties(
    r#"{"type":"object","patternProperties":{"^x":{"type":"string"}}}"#,
    r#"{"type":"object"}"#,
    "IgnoredKeyword #/patternProperties/^x"
)]
fn json_schema_for_old_readers(#[case] old: &str, #[case] new: &str, #[case] advice: &str) {
    is_covered(&json(old, new).at(Level::Forward), advice);
}

#[test]
fn json_schema_of_releases_that_do_not_compare_unevaluated_properties() {
    let text =
        |rest: &str| format!(r#"{{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object"{rest}}}"#);
    let case = json(&text(""), &text(r#","unevaluatedProperties":false"#));
    assert!(!case.passes(Direction::Backward), "8.3 compares them");
    let case = Case { profile: &CONFLUENT_7_9, ..case };
    is_covered(&case, "AcceptedThoughUnreadable #/unevaluatedProperties");
}
