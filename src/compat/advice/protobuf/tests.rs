//! What is to know about changes of Protobuf: one row a change. proto3 unless the row says proto2.

use rstest::rstest;

use crate::api::{Level, SchemaType};
use crate::compat::advice::notation::{Case, places};
use crate::compat::advice::{Code, of_schema};

fn case(syntax: &str, old: &str, new: &str) -> Case {
    let text = |body: &str| format!("syntax = \"{syntax}\"; {body}");
    Case::of(SchemaType::Protobuf, &text(old), &text(new))
}

fn message(body: &str) -> String {
    format!("message M {{ {body} }}")
}

/// Without what is said of every change that holds in one direction only.
fn told(case: &Case) -> String {
    let mut given = case.given();
    given.retain(|advice| advice.code != Code::LatestClients);
    places(&given)
}

#[rstest]
#[case::removed("int32 a = 1; int32 b = 2;", "int32 a = 1;", "NumberNotReserved #/M/2")]
#[case::removed_and_reserved("int32 a = 1; int32 b = 2;", "reserved 2; int32 a = 1;", "")]
#[case::removed_and_reserved_in_a_range("int32 a = 1; int32 b = 5;", "reserved 2 to 9, 12 to max; int32 a = 1;", "")]
#[case::reserved_number_used("reserved 2; int32 a = 1;", "int32 a = 1; int32 b = 2;", "ReservedReused #/M/2")]
#[case::reserved_name_used("reserved \"b\"; int32 a = 1;", "int32 a = 1; int32 b = 2;", "ReservedReused #/M/2")]
#[case::reservation_dropped("reserved 2, 5 to 7; int32 a = 1;", "reserved 6; int32 a = 1;", "ReservationDropped #/M")]
#[case::reservation_widened("reserved 2 to 3; int32 a = 1;", "reserved 2 to 5; int32 a = 1;", "")]
#[case::renumbered("int32 a = 1;", "int32 a = 2;", "NumberChanged #/M/2")]
#[case::swapped("int32 a = 1; int32 b = 2;", "int32 b = 1; int32 a = 2;", "NumberChanged #/M/2, NumberChanged #/M/1")]
#[case::reused("string email = 1;", "bytes hash = 1;", "NumberReused #/M/1")]
#[case::renamed("string mail = 1;", "string email = 1;", "Renamed #/M/1")]
#[case::json_name("string a = 1;", "string a = 1 [json_name = \"b\"];", "Renamed #/M/1")]
#[case::json_name_of_protoc("string a_b = 1;", "string a_b = 1 [json_name = \"aB\"];", "")]
#[case::oneof_renamed(
    "oneof o { int32 a = 1; int32 b = 2; }",
    "oneof p { int32 a = 1; int32 b = 2; }",
    "Renamed #/M/p"
)]
#[case::repeated("int32 a = 1;", "repeated int32 a = 1;", "CardinalityChanged #/M/1")]
#[case::single("repeated string a = 1;", "string a = 1;", "CardinalityChanged #/M/1")]
#[case::repeated_message("N a = 1; message N {}", "repeated N a = 1; message N {}", "CardinalityChanged #/M/1")]
#[case::presence("optional int32 a = 1;", "int32 a = 1;", "PresenceDropped #/M/1")]
#[case::presence_gained("int32 a = 1;", "optional int32 a = 1;", "")]
#[case::narrowed("int64 a = 1;", "int32 a = 1;", "ValuesMayNotFit #/M/1")]
#[case::widened("int32 a = 1;", "int64 a = 1;", "")]
#[case::bytes_as_text("bytes a = 1;", "string a = 1;", "ValuesMayNotFit #/M/1")]
#[case::text_as_bytes("string a = 1;", "bytes a = 1;", "")]
#[case::number_as_bool("uint32 a = 1;", "bool a = 1;", "ValuesMayNotFit #/M/1")]
#[case::number_as_enum("int32 a = 1; enum E { X = 0; }", "E a = 1; enum E { X = 0; }", "ValuesMayNotFit #/M/1")]
#[case::enum_as_number("E a = 1; enum E { X = 0; }", "int32 a = 1; enum E { X = 0; }", "")]
#[case::other_enum(
    "E a = 1; enum E { X = 0; } enum F { Y = 0; }",
    "F a = 1; enum E { X = 0; } enum F { Y = 0; }",
    "ValuesMayNotFit #/M/1"
)]
#[case::enum_of_the_same_constants(
    "E a = 1; enum E { option allow_alias = true; X = 0; }",
    "F a = 1; enum F { X = 0; }",
    ""
)]
#[case::values_of_maps("map<int32, int64> a = 1;", "map<int32, int32> a = 1;", "ValuesMayNotFit #/M/1")]
#[case::constant_removed("enum E { X = 0; Y = 1; }", "enum E { X = 0; }", "NumberNotReserved #/M/E/1")]
#[case::constant_reserved("enum E { X = 0; Y = 1; }", "enum E { reserved 1; X = 0; }", "")]
#[case::constant_renamed("enum E { X = 0; Y = 1; }", "enum E { X = 0; Z = 1; }", "Renamed #/M/E/1")]
#[case::constant_renumbered("enum E { X = 0; Y = 1; }", "enum E { X = 0; Y = 2; }", "NumberChanged #/M/E/2")]
#[case::constant_reused("enum E { reserved 1; X = 0; }", "enum E { X = 0; Y = 1; }", "ReservedReused #/M/E/1")]
#[case::constant_aliased(
    "enum E { option allow_alias = true; X = 0; Y = 1; }",
    "enum E { option allow_alias = true; X = 0; Y = 1; Z = 1; }",
    ""
)]
fn changes(#[case] old: &str, #[case] new: &str, #[case] expected: &str) {
    assert_eq!(told(&case("proto3", &message(old), &message(new))), expected);
}

#[rstest]
#[case::required_text("optional string a = 1;", "required string a = 1;", "RequiredChanged #/M/1")]
#[case::no_longer_required("required string a = 1;", "optional string a = 1;", "RequiredChanged #/M/1")]
#[case::required_message("optional N a = 1; message N {}", "required N a = 1; message N {}", "RequiredChanged #/M/1")]
#[case::required_number_is_refused("optional int32 a = 1;", "required int32 a = 1;", "")]
#[case::repeated_number_is_refused("optional int32 a = 1;", "repeated int32 a = 1;", "")]
#[case::default_changed(
    "optional int32 a = 1 [default = 3];",
    "optional int32 a = 1 [default = 4];",
    "DefaultChanged #/M/1"
)]
#[case::default_dropped("optional string a = 1 [default = \"x\"];", "optional string a = 1;", "DefaultChanged #/M/1")]
#[case::group_removed("optional group G = 1 { optional int32 a = 1; }", "", "NumberNotReserved #/M/1")]
#[case::group_as_field("optional group G = 1 { optional int32 a = 1; }", "optional int32 g = 1;", "NotCompared #/M/1")]
#[case::group_retyped(
    "optional group G = 1 { optional int32 a = 1; }",
    "optional group G = 1 { optional string a = 1; }",
    "NotCompared #/M/1/1"
)]
#[case::group_repeated(
    "optional group G = 1 { optional int32 a = 1; }",
    "repeated group G = 1 { optional int32 a = 1; }",
    "NotCompared #/M/1"
)]
#[case::group_untouched(
    "optional group G = 1 { optional int32 a = 1; }",
    "optional group G = 1 { optional int32 a = 1; optional int32 b = 2; }",
    ""
)]
fn changes_of_proto2(#[case] old: &str, #[case] new: &str, #[case] expected: &str) {
    assert_eq!(told(&case("proto2", &message(old), &message(new))), expected);
}

#[rstest]
#[case::retyped("optional int32 a = 100;", "optional string a = 100;", "NotCompared #/M/100")]
#[case::repeated("optional int32 a = 100;", "repeated int32 a = 100;", "NotCompared #/M/100")]
#[case::added("optional int32 a = 100;", "optional int32 a = 100; optional int32 b = 101;", "")]
fn extensions(#[case] old: &str, #[case] new: &str, #[case] expected: &str) {
    let text = |fields: &str| format!("message M {{ extensions 100 to 199; }} extend M {{ {fields} }}");
    assert_eq!(told(&case("proto2", &text(old), &text(new))), expected);
}

#[test]
fn a_file_that_moves_to_proto3_loses_presence_once() {
    let old = "syntax = \"proto2\"; message M { optional int32 a = 1; optional string b = 2; optional N c = 3; } message N {}";
    let new = "syntax = \"proto3\"; message M { int32 a = 1; string b = 2; N c = 3; } message N {}";
    assert_eq!(told(&Case::of(SchemaType::Protobuf, old, new)), "PresenceDropped #/");
}

#[rstest]
#[case::narrowed_for_old_readers("int32 a = 1;", "int64 a = 1;", Level::Forward, "ValuesMayNotFit #/M/1")]
#[case::narrowed_for_both("int64 a = 1;", "int32 a = 1;", Level::Full, "ValuesMayNotFit #/M/1")]
#[case::not_for_who_is_promised_nothing("int64 a = 1;", "int32 a = 1;", Level::Forward, "")]
#[case::a_new_member(
    "oneof o { int32 a = 1; }",
    "oneof o { int32 a = 1; int32 b = 2; }",
    Level::Full,
    "LevelRefusesAdditions #/M/o/2"
)]
#[case::a_new_message("int32 a = 1;", "int32 a = 1; message N {}", Level::Forward, "LevelRefusesAdditions #/M/N")]
#[case::a_new_message_where_it_is_welcome("int32 a = 1;", "int32 a = 1; message N {}", Level::Backward, "")]
fn levels(#[case] old: &str, #[case] new: &str, #[case] level: Level, #[case] expected: &str) {
    assert_eq!(told(&case("proto3", &message(old), &message(new)).at(level)), expected);
}

#[test]
fn a_new_message_or_member_is_skipped_by_old_readers() {
    let new = "oneof o { int32 a = 1; int32 b = 2; } message N {}";
    assert_eq!(places(&case("proto3", &message("oneof o { int32 a = 1; }"), &message(new)).given()), "");
}

#[rstest]
#[case::widened("int32 a = 1;", "int64 a = 1;", "WireTypeChanged #/M/1")]
#[case::text("string a = 1;", "bytes a = 1;", "WireTypeChanged #/M/1")]
#[case::nothing("string a = 1;", "string a = 1;", "")]
fn types_of_the_same_bytes_stand(#[case] old: &str, #[case] new: &str, #[case] expected: &str) {
    let mut given = case("proto3", &message(old), &message(new)).standing();
    given.retain(|advice| advice.code != Code::UpgradeOrder);
    assert_eq!(places(&given), expected);
}

#[rstest]
#[case::number_twice("int32 a = 1; int32 b = 1;", "InvalidElsewhere #/M/1")]
#[case::name_twice("int32 a = 1; int32 a = 2;", "InvalidElsewhere #/M/2")]
#[case::zero("int32 a = 0;", "InvalidElsewhere #/M/0")]
#[case::of_protobuf_itself("int32 a = 19000;", "InvalidElsewhere #/M/19000")]
#[case::reserved("reserved 1; int32 a = 1;", "InvalidElsewhere #/M/1")]
#[case::enum_without_zero("enum E { X = 1; }", "InvalidElsewhere #/M/E")]
#[case::fine("reserved 2; int32 a = 1; oneof o { string b = 3; } enum E { X = 0; }", "")]
fn what_protoc_refuses(#[case] body: &str, #[case] expected: &str) {
    let text = format!("syntax = \"proto3\"; {}", message(body));
    let schema = crate::compat::advice::notation::read(SchemaType::Protobuf, &text);
    assert_eq!(places(&of_schema(&schema)), expected);
}

/// The reports of compat.md §6 that only newer releases see.
#[rstest]
#[case::oneof_renamed_and_a_member_retyped(
    "oneof o { int32 a = 1; string b = 2; }",
    "oneof p { int32 a = 1; int32 b = 2; }",
    "AcceptedThoughUnreadable #/M/p/2, Renamed #/M/p"
)]
#[case::oneofs_merged(
    "oneof a { int32 x = 1; } oneof b { int32 y = 2; }",
    "oneof c { int32 x = 1; int32 y = 2; }",
    "AcceptedThoughUnreadable #/M/c"
)]
fn what_a_renamed_oneof_hides(#[case] old: &str, #[case] new: &str, #[case] expected: &str) {
    assert_eq!(told(&case("proto3", &message(old), &message(new))), expected);
}
