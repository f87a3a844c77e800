//! Every rule both ways, what the rules do not look at, and reports from the field, a row each.

use rstest::rstest;

use super::differences;
use crate::compat::levels::Direction::{self, Backward, Forward};
use crate::compat::{CONFLUENT_8_3, CONFLUENT_NEXT, Difference, Failure, Policy, ProtobufRules};
use crate::schema::protobuf::{Schema, parse};
use crate::schema::{Reading, Reference};

fn by_name() -> ProtobufRules {
    CONFLUENT_8_3.protobuf.unwrap()
}

fn by_origin() -> ProtobufRules {
    CONFLUENT_NEXT.protobuf.unwrap()
}

/// No schema is blank, but a semicolon changes nothing.
fn read(text: &str, references: &[Reference<'_>]) -> Schema {
    parse(&format!("{text};"), references, Reading::New).unwrap()
}

fn between(reader: &Schema, writer: &Schema, rules: ProtobufRules) -> Vec<Difference> {
    differences(reader, writer, &rules, Policy::Strict).unwrap()
}

/// The differences in words: a rule that breaks nothing stands in parentheses.
fn listed(differences: &[Difference]) -> String {
    let shown = |difference: &Difference| match difference.breaks {
        true => format!("{} {}", difference.rule, difference.path),
        false => format!("({} {})", difference.rule, difference.path),
    };
    differences.iter().map(shown).collect::<Vec<_>>().join(", ")
}

fn both_ways(old: &str, new: &str, rules: ProtobufRules) -> (String, String) {
    let (old, new) = (read(old, &[]), read(new, &[]));
    (listed(&between(&new, &old, rules)), listed(&between(&old, &new, rules)))
}

/// Both sets of oneof rules say the same here.
fn assert_both(old: &str, new: &str, backward: &str, forward: &str) {
    for rules in [by_name(), by_origin()] {
        assert_eq!(both_ways(old, new, rules), (backward.to_owned(), forward.to_owned()), "{old} -> {new}");
    }
}

fn proto3(text: &str) -> String {
    format!("syntax = 'proto3'; {text}")
}

/// Columns: old, new, BACKWARD, FORWARD.
#[rstest]
#[case::package("package a;", "package b;", "PACKAGE_CHANGED #/", "PACKAGE_CHANGED #/")]
#[case::package_named("", "package b;", "PACKAGE_CHANGED #/", "PACKAGE_CHANGED #/")]
#[case::message_added("", "message A {}", "(MESSAGE_ADDED #/A)", "MESSAGE_REMOVED #/A")]
#[case::message_nested_added(
    "message A {}",
    "message A { message B {} }",
    "(MESSAGE_ADDED #/A/B)",
    "MESSAGE_REMOVED #/A/B"
)]
#[case::message_moved(
    "message A {} message B {}",
    "message B {} message A {}",
    "(MESSAGE_MOVED #/A), (MESSAGE_MOVED #/B)",
    "(MESSAGE_MOVED #/A), (MESSAGE_MOVED #/B)"
)]
#[case::enums_do_not_count_as_places(
    "message A {} message B {}",
    "message A {} enum E { X = 0; } message B {}",
    "(ENUM_ADDED #/E)",
    "(ENUM_REMOVED #/E)"
)]
#[case::constant_added(
    "enum E { X = 0; }",
    "enum E { X = 0; Y = 1; }",
    "(ENUM_CONST_ADDED #/E/1)",
    "(ENUM_CONST_REMOVED #/E/1)"
)]
#[case::constant_renamed(
    "enum E { X = 0; }",
    "enum E { Y = 0; }",
    "(ENUM_CONST_CHANGED #/E/0)",
    "(ENUM_CONST_CHANGED #/E/0)"
)]
#[case::message_to_enum(
    "message A {}",
    "enum A { X = 0; }",
    "MESSAGE_REMOVED #/A, (ENUM_ADDED #/A)",
    "(MESSAGE_ADDED #/A), (ENUM_REMOVED #/A)"
)]
fn types(#[case] old: &str, #[case] new: &str, #[case] backward: &str, #[case] forward: &str) {
    assert_both(old, new, backward, forward);
}

/// Columns: a field's old and new declaration, the difference both ways; none where it is empty.
#[rstest]
#[case::renamed("int32 a = 1;", "int32 b = 1;", "(FIELD_NAME_CHANGED #/M/1)")]
#[case::varints("int32 a = 1;", "uint64 a = 1;", "")]
#[case::bool_is_a_varint("uint32 a = 1;", "bool a = 1;", "")]
#[case::enum_is_a_varint("bool a = 1;", "E a = 1;", "")]
#[case::one_enum_is_as_good_as_another("E a = 1;", "F a = 1;", "")]
#[case::zigzag("sint32 a = 1;", "sint64 a = 1;", "")]
#[case::zigzag_is_no_varint("int32 a = 1;", "sint32 a = 1;", "FIELD_SCALAR_KIND_CHANGED #/M/1")]
#[case::fixed32("fixed32 a = 1;", "sfixed32 a = 1;", "")]
#[case::fixed64("fixed64 a = 1;", "sfixed64 a = 1;", "")]
#[case::fixed32_is_no_varint("int32 a = 1;", "fixed32 a = 1;", "FIELD_SCALAR_KIND_CHANGED #/M/1")]
#[case::fixed_widths("fixed32 a = 1;", "fixed64 a = 1;", "FIELD_SCALAR_KIND_CHANGED #/M/1")]
#[case::float_is_no_fixed32("float a = 1;", "fixed32 a = 1;", "FIELD_SCALAR_KIND_CHANGED #/M/1")]
#[case::float_and_double("float a = 1;", "double a = 1;", "FIELD_SCALAR_KIND_CHANGED #/M/1")]
#[case::string_and_bytes("string a = 1;", "bytes a = 1;", "")]
#[case::enum_to_string("E a = 1;", "string a = 1;", "FIELD_SCALAR_KIND_CHANGED #/M/1")]
#[case::scalar_to_message("int32 a = 1;", "N a = 1;", "FIELD_KIND_CHANGED #/M/1")]
#[case::enum_to_message("E a = 1;", "N a = 1;", "FIELD_KIND_CHANGED #/M/1")]
#[case::map_to_repeated_message("map<string, int32> a = 1;", "repeated N a = 1;", "FIELD_KIND_CHANGED #/M/1")]
#[case::map_to_its_entry_written_out("map<string, int32> a = 1;", "repeated Entry a = 1;", "")]
#[case::entry_written_out_of_other_values(
    "map<string, string> a = 1;",
    "repeated Entry a = 1;",
    "FIELD_SCALAR_KIND_CHANGED #/M/1"
)]
#[case::map_value_of_one_kind("map<string, int32> a = 1;", "map<string, int64> a = 1;", "")]
#[case::map_value("map<string, int32> a = 1;", "map<string, string> a = 1;", "FIELD_SCALAR_KIND_CHANGED #/M/1")]
#[case::map_key("map<int32, int32> a = 1;", "map<string, int32> a = 1;", "FIELD_SCALAR_KIND_CHANGED #/M/1")]
#[case::map_value_message("map<int32, N> a = 1;", "map<int32, O> a = 1;", "FIELD_NAMED_TYPE_CHANGED #/M/1")]
#[case::message_of_another_name("N a = 1;", "O a = 1;", "FIELD_NAMED_TYPE_CHANGED #/M/1")]
#[case::message_by_full_name("N a = 1;", ".N a = 1;", "")]
#[case::well_known(
    "google.protobuf.Timestamp a = 1;",
    "google.protobuf.Duration a = 1;",
    "FIELD_NAMED_TYPE_CHANGED #/M/1"
)]
#[case::well_known_enum("google.type.DayOfWeek a = 1;", "int32 a = 1;", "")]
#[case::a_label_appears("int32 a = 1;", "repeated int32 a = 1;", "")]
#[case::number_label("optional int32 a = 1;", "repeated int32 a = 1;", "FIELD_NUMERIC_LABEL_CHANGED #/M/1")]
#[case::enum_label("optional E a = 1;", "repeated int32 a = 1;", "FIELD_NUMERIC_LABEL_CHANGED #/M/1")]
#[case::string_label("optional string a = 1;", "repeated bytes a = 1;", "(FIELD_STRING_OR_BYTES_LABEL_CHANGED #/M/1)")]
#[case::label_of_another_kind("optional int32 a = 1;", "repeated string a = 1;", "FIELD_SCALAR_KIND_CHANGED #/M/1")]
#[case::message_label("optional N a = 1;", "repeated N a = 1;", "")]
#[case::options("int32 a = 1 [json_name = 'x'];", "int32 a = 1 [deprecated = true, packed = false];", "")]
#[case::label_and_name(
    "optional int32 a = 1;",
    "repeated int32 b = 1;",
    "(FIELD_NAME_CHANGED #/M/1), FIELD_NUMERIC_LABEL_CHANGED #/M/1"
)]
fn fields(#[case] old: &str, #[case] new: &str, #[case] both: &str) {
    let text = |field: &str| {
        proto3(&format!(
            "message M {{ {field} }} message N {{}} message O {{}} enum E {{ X = 0; }} enum F {{ Y = 0; }}
             message Entry {{ option map_entry = true; string key = 1; int32 value = 2; }}"
        ))
    };
    assert_both(&text(old), &text(new), both, both);
}

/// Columns: the old and the new body of a message, BACKWARD, FORWARD.
#[rstest]
#[case::field_added("", "optional int32 a = 1;", "(FIELD_ADDED #/M/1)", "(FIELD_REMOVED #/M/1)")]
#[case::renumbered(
    "optional int32 a = 1;",
    "optional int32 a = 2;",
    "(FIELD_REMOVED #/M/1), (FIELD_ADDED #/M/2)",
    "(FIELD_ADDED #/M/1), (FIELD_REMOVED #/M/2)"
)]
#[case::required_added("", "required int32 a = 1;", "REQUIRED_FIELD_ADDED #/M/1", "REQUIRED_FIELD_REMOVED #/M/1")]
#[case::number_becomes_required(
    "optional int32 a = 1;",
    "required int32 a = 1;",
    "FIELD_NUMERIC_LABEL_CHANGED #/M/1",
    "FIELD_NUMERIC_LABEL_CHANGED #/M/1"
)]
#[case::string_becomes_required(
    "optional string a = 1;",
    "required string a = 1;",
    "(FIELD_STRING_OR_BYTES_LABEL_CHANGED #/M/1)",
    "(FIELD_STRING_OR_BYTES_LABEL_CHANGED #/M/1)"
)]
#[case::message_becomes_required("optional M a = 1;", "required M a = 1;", "", "")]
#[case::map_removed("map<string, int32> a = 1;", "", "(FIELD_REMOVED #/M/1)", "(FIELD_ADDED #/M/1)")]
#[case::groups_are_not_seen(
    "optional group G = 1 { optional int32 x = 1; }",
    "optional int32 g = 1;",
    "(FIELD_ADDED #/M/1)",
    "(FIELD_REMOVED #/M/1)"
)]
#[case::extensions_are_not_seen(
    "extensions 100 to 199; extend M { optional int32 x = 100; }",
    "extensions 150 to 160;",
    "",
    ""
)]
#[case::reserved_is_not_seen("reserved 1, 4 to 6; reserved 'x';", "reserved 1 to 3;", "", "")]
#[case::reserved_numbers_may_come_back(
    "reserved 1;",
    "optional int32 a = 1;",
    "(FIELD_ADDED #/M/1)",
    "(FIELD_REMOVED #/M/1)"
)]
#[case::defaults_are_not_seen("optional int32 a = 1 [default = 3];", "optional int32 a = 1 [default = 4];", "", "")]
#[case::order_of_fields(
    "optional int32 a = 1; optional int32 b = 2;",
    "optional int32 b = 2; optional int32 a = 1;",
    "",
    ""
)]
#[case::oneof_added("", "oneof o { int32 a = 1; }", "(ONEOF_ADDED #/M/o)", "(ONEOF_REMOVED #/M/o)")]
fn bodies(#[case] old: &str, #[case] new: &str, #[case] backward: &str, #[case] forward: &str) {
    let text = |body: &str| format!("message M {{ {body} }}");
    let (old, new) = (text(old), text(new));
    let (backward, forward) = (backward.to_owned(), forward.to_owned());
    assert_eq!(both_ways(&old, &new, by_name()), (backward, forward), "{old} -> {new}");
}

/// Columns: the old and the new body of a message, BACKWARD up to 8.3.1, BACKWARD after it.
#[rstest]
#[case::one_field_into_a_new_oneof(
    "int32 a = 1;",
    "oneof o { int32 a = 1; }",
    "(ONEOF_ADDED #/M/o)",
    "(ONEOF_ADDED #/M/o)"
)]
#[case::several_into_a_new_one(
    "int32 a = 1; int32 b = 2;",
    "oneof o { int32 a = 1; int32 b = 2; }",
    "MULTIPLE_FIELDS_MOVED_TO_ONEOF #/M/o, (ONEOF_ADDED #/M/o)",
    "MULTIPLE_FIELDS_MOVED_TO_ONEOF #/M/o, (ONEOF_ADDED #/M/o)"
)]
#[case::into_an_existing_one(
    "oneof o { int32 a = 1; } int32 b = 2;",
    "oneof o { int32 a = 1; int32 b = 2; }",
    "FIELD_MOVED_TO_EXISTING_ONEOF #/M/o, (ONEOF_FIELD_ADDED #/M/o/2)",
    "FIELD_MOVED_TO_EXISTING_ONEOF #/M/o"
)]
#[case::member_added(
    "oneof o { int32 a = 1; }",
    "oneof o { int32 a = 1; int32 b = 2; }",
    "(ONEOF_FIELD_ADDED #/M/o/2)",
    "(ONEOF_FIELD_ADDED #/M/o/2)"
)]
#[case::member_removed(
    "oneof o { int32 a = 1; int32 b = 2; }",
    "oneof o { int32 a = 1; }",
    "ONEOF_FIELD_REMOVED #/M/o/2",
    "ONEOF_FIELD_REMOVED #/M/o/2"
)]
#[case::member_of_another_kind(
    "oneof o { int32 a = 1; }",
    "oneof o { string a = 1; }",
    "FIELD_SCALAR_KIND_CHANGED #/M/o/1",
    "FIELD_SCALAR_KIND_CHANGED #/M/o/1"
)]
#[case::dropped_whole("oneof o { int32 a = 1; int32 b = 2; }", "", "(ONEOF_REMOVED #/M/o)", "(ONEOF_REMOVED #/M/o)")]
#[case::renamed(
    "oneof o { int32 a = 1; }",
    "oneof p { int32 a = 1; }",
    "(ONEOF_ADDED #/M/p), (ONEOF_REMOVED #/M/o)",
    "(ONEOF_REMOVED #/M/o), (ONEOF_ADDED #/M/p)"
)]
#[case::renamed_with_another_kind(
    "oneof o { int32 a = 1; string b = 2; }",
    "oneof p { int32 a = 1; int32 b = 2; }",
    "(ONEOF_ADDED #/M/p), (ONEOF_REMOVED #/M/o)",
    "(ONEOF_REMOVED #/M/o), (ONEOF_ADDED #/M/p), FIELD_SCALAR_KIND_CHANGED #/M/p/2"
)]
#[case::renamed_with_a_member_less(
    "oneof o { int32 a = 1; int32 b = 2; }",
    "oneof p { int32 a = 1; }",
    "(ONEOF_ADDED #/M/p), (ONEOF_REMOVED #/M/o)",
    "(ONEOF_REMOVED #/M/o), (ONEOF_ADDED #/M/p), ONEOF_FIELD_REMOVED #/M/o/2"
)]
#[case::member_moves_out(
    "oneof o { int32 a = 1; int32 b = 2; }",
    "oneof o { int32 a = 1; } int32 b = 2;",
    "ONEOF_FIELD_REMOVED #/M/o/2, (FIELD_ADDED #/M/2)",
    "(ONEOF_FIELD_MOVED_TO_TOP_LEVEL #/M/2)"
)]
#[case::a_member_is_left_of_a_dropped_one(
    "oneof o { int32 a = 1; int32 b = 2; }",
    "int32 a = 1;",
    "(ONEOF_REMOVED #/M/o), (FIELD_ADDED #/M/1)",
    "(ONEOF_REMOVED #/M/o), (ONEOF_FIELD_MOVED_TO_TOP_LEVEL #/M/1), ONEOF_FIELD_REMOVED #/M/o/2"
)]
#[case::merged(
    "oneof o { int32 a = 1; } oneof p { int32 b = 2; }",
    "oneof q { int32 a = 1; int32 b = 2; }",
    "(ONEOF_REMOVED #/M/p), (ONEOF_ADDED #/M/q), (ONEOF_REMOVED #/M/o)",
    "FIELD_MOVED_TO_EXISTING_ONEOF #/M/q, (ONEOF_REMOVED #/M/o), (ONEOF_REMOVED #/M/p), (ONEOF_ADDED #/M/q)"
)]
#[case::kind_changes_on_the_way_in(
    "int32 a = 1;",
    "oneof o { string a = 1; }",
    "(ONEOF_ADDED #/M/o)",
    "(ONEOF_ADDED #/M/o), FIELD_SCALAR_KIND_CHANGED #/M/o/1"
)]
fn oneofs(#[case] old: &str, #[case] new: &str, #[case] until_8_3: &str, #[case] after: &str) {
    let text = |body: &str| proto3(&format!("message M {{ {body} }}"));
    let (old, new) = (text(old), text(new));
    assert_eq!(both_ways(&old, &new, by_name()).0, until_8_3);
    assert_eq!(both_ways(&old, &new, by_origin()).0, after);
}

/// What the checker does not look at: none of these is a difference.
#[rstest]
#[case::syntax(
    "syntax = 'proto2'; message A { optional M b = 1; } message M {}",
    "syntax = 'proto3'; message A { M b = 1; } message M {}"
)]
#[case::service("service S { rpc R (A) returns (A); } message A {}", "message A {}")]
#[case::file_options("option java_package = 'x'; message A {}", "message A {}")]
#[case::imports("import 'google/protobuf/any.proto'; message A {}", "message A {}")]
#[case::comments("// a\nmessage A {}", "/* b */ message A { /* c */ }")]
#[case::content_of_messages_is_compared_where_they_stand(
    "message A { optional B b = 1; } message B {}",
    "message A { optional .B b = 1; } message B {}"
)]
fn is_not_looked_at(#[case] old: &str, #[case] new: &str) {
    assert_both(old, new, "", "");
}

fn referring(text: &str, reference: &str, rules: ProtobufRules, old: (&str, &str)) -> String {
    let file = |text| [Reference { name: "d.proto", text }];
    let (old, new) = (read(old.0, &file(old.1)), read(text, &file(reference)));
    listed(&between(&new, &old, rules))
}

/// Columns: the referenced text of the old and of the new schema, BACKWARD.
#[rstest]
#[case::unchanged(
    "package p; message T { optional int32 x = 1; }",
    "package p; message T { optional int32 x = 1; }",
    ""
)]
#[case::field_added("package p; message T {}", "package p; message T { optional int32 x = 1; }", "(FIELD_ADDED #/T/1)")]
#[case::broken(
    "package p; message T { optional int32 x = 1; }",
    "package p; message T { optional string x = 1; }",
    "FIELD_SCALAR_KIND_CHANGED #/T/1, FIELD_NAMED_TYPE_CHANGED #/M/1"
)]
#[case::broken_further_down(
    "package p; message T { optional U u = 1; } message U { optional int32 x = 1; }",
    "package p; message T { optional U u = 1; } message U { optional string x = 1; }",
    "FIELD_SCALAR_KIND_CHANGED #/U/1, FIELD_NAMED_TYPE_CHANGED #/T/1, FIELD_NAMED_TYPE_CHANGED #/M/1"
)]
#[case::what_is_not_used_is_not_compared("package p; message T {} message U {}", "package p; message T {}", "")]
#[case::recursive("package p; message T { optional T t = 1; }", "package p; message T { repeated T t = 1; }", "")]
#[case::of_another_package_name("package q.p; message T {}", "package p; message T {}", "")]
fn references(#[case] old: &str, #[case] new: &str, #[case] backward: &str) {
    let text = "package q; message M { optional p.T t = 1; }";
    for rules in [by_name(), by_origin()] {
        assert_eq!(referring(text, new, rules, (text, old)), backward);
    }
}

#[test]
fn a_message_that_moves_into_a_reference_is_removed_here() {
    let old = ("message M { optional T t = 1; } message T { optional int32 x = 1; }", "");
    let moved = "message T { optional int32 x = 1; }";
    assert_eq!(referring("message M { optional T t = 1; }", moved, by_name(), old), "MESSAGE_REMOVED #/T");
}

/// A reference may bring its own file of a well-known name: then its content counts.
#[test]
fn a_well_known_type_may_come_from_a_reference() {
    let text = proto3("message M { google.protobuf.Api a = 1; } message Api {}");
    let own = proto3(
        "package google.protobuf; message Api { repeated Method methods = 2; } message Method { bytes name = 1; bool request_type_url = 2; }",
    );
    let found = referring(&text, &own, by_origin(), (&text, ""));
    assert!(found.contains("FIELD_SCALAR_KIND_CHANGED #/Method/2, "), "{found}");
    assert!(found.ends_with("FIELD_NAMED_TYPE_CHANGED #/Api/2, (FIELD_REMOVED #/Api/3), (FIELD_REMOVED #/Api/4), (FIELD_REMOVED #/Api/5), (FIELD_REMOVED #/Api/6), (FIELD_REMOVED #/Api/7), (FIELD_REMOVED #/Api/8), FIELD_NAMED_TYPE_CHANGED #/M/1"), "{found}");
}

/// The registry lists what a referenced message changed once for each field that refers to it.
#[test]
fn a_referenced_message_is_compared_for_each_field() {
    let text = "message M { optional T t = 1; optional T u = 2; }";
    let (old, new) = ("message T {}", "message T { optional int32 x = 1; }");
    assert_eq!(referring(text, new, by_name(), (text, old)), "(FIELD_ADDED #/T/1), (FIELD_ADDED #/T/1)");
}

/// Each message refers twice to the next: 2^60 ways lead to the last one, which changed.
#[test]
fn work_does_not_grow_with_the_ways_that_lead_to_a_message() {
    let chain = |last: &str| {
        let links = (0..60).map(|n| format!("message C{n} {{ C{0} a = 1; C{0} b = 2; }}", n + 1));
        proto3(&format!("{} message C60 {{ {last} x = 1; }}", links.collect::<String>()))
    };
    let text = proto3("message M { C0 c = 1; }");
    let found = referring(&text, &chain("string"), by_name(), (&text, &chain("int32")));
    assert!(found.ends_with("FIELD_NAMED_TYPE_CHANGED #/M/1"));
    let another_text = format!("{} // another text", chain("int32"));
    assert_eq!(referring(&text, &another_text, by_name(), (&text, &chain("int32"))), "");
}

#[test]
fn messages_that_refer_to_each_other_are_compared_once_around() {
    let every = |kind: &str| {
        let fields = (0..40).map(|to| format!("C{to} f{to} = {};", to + 1)).collect::<String>();
        let messages = (0..40).map(|n| format!("message C{n} {{ {fields} {kind} x = 100; }}"));
        proto3(&messages.collect::<String>())
    };
    let text = proto3("message M { C0 c = 1; }");
    assert!(referring(&text, &every("string"), by_origin(), (&text, &every("int32"))).contains("#/C39/100"));
}

#[rstest]
#[case::fields("")]
#[case::members("oneof o { ")]
fn depth_is_bounded(#[case] oneof: &str) {
    let chain = |length: usize| {
        let end = if oneof.is_empty() { "}" } else { "} }" };
        let links = (0..length).map(|n| format!("message C{n} {{ {oneof} C{} c = 1; {end}", n + 1));
        proto3(&format!("{} message C{length} {{}}", links.collect::<String>()))
    };
    let compare = |length: usize, rules| {
        let (text, old) = (proto3("message M { C0 c = 1; }"), chain(length));
        let new = format!("{old} // another text");
        let referring = |chain| read(&text, &[Reference { name: "c.proto", text: chain }]);
        differences(&referring(&new), &referring(&old), &rules, Policy::Strict)
    };
    for rules in [by_name(), by_origin()] {
        assert_eq!(compare(498, rules).unwrap(), []);
        assert!(matches!(compare(10_000, rules), Err(Failure::Unsupported(_))));
    }
}

#[test]
fn nested_messages_are_compared_as_deep_as_they_are_read() {
    let nested = format!("{}{}", "message A {".repeat(500), "}".repeat(500));
    assert_both(&nested, &nested, "", "");
}

/// Every difference names its message: a long name and many fields multiply.
#[test]
fn what_is_told_is_bounded() {
    let name = "A".repeat(100_000);
    let fields = (1..20_000).map(|n| format!("optional int32 a{n} = {n};")).collect::<String>();
    let text = |fields: &str| format!("message {name} {{ {fields} }}");
    let (old, new) = (read(&text(&fields), &[]), read(&text(""), &[]));
    assert!(matches!(differences(&new, &old, &by_origin(), Policy::Strict), Err(Failure::Unsupported(_))));
}

fn verdict(old: &str, new: &str, direction: Direction, rules: ProtobufRules) -> bool {
    let (old, new) = (read(old, &[]), read(new, &[]));
    let differences = match direction {
        Direction::Backward => between(&new, &old, rules),
        Direction::Forward => between(&old, &new, rules),
    };
    !differences.iter().any(|difference| difference.breaks)
}

/// Reports against registries, and what texts on schemas claim. Columns: old, new, direction, whether it passes up to
/// 8.3.1 and after it.
#[rstest]
#[case::confluent_1644_unrelated_messages("message A {}", "message B {}", Backward, [false, false])]
#[case::confluent_1941_string_to_number("message A { optional string a = 2; }", "message A { optional int32 a = 2; }", Backward, [false, false])]
#[case::confluent_pr_3004_package("package a;", "package b;", Backward, [false, false])]
#[case::confluent_pr_2148_required("message A { optional int32 a = 1; }", "message A { optional int32 a = 1; required int32 b = 2; }", Backward, [false, false])]
#[case::confluent_a_renamed_oneof_hides_a_type("message A { oneof o { int32 a = 1; string b = 2; } }", "message A { oneof p { int32 a = 1; int32 b = 2; } }", Backward, [true, false])]
#[case::confluent_a_member_moves_out("message A { oneof o { int32 a = 1; int32 b = 2; } }", "message A { oneof o { int32 a = 1; } optional int32 b = 2; }", Backward, [false, true])]
#[case::confluent_two_oneofs_become_one("message A { oneof o { int32 a = 1; } oneof p { int32 b = 2; } }", "message A { oneof q { int32 a = 1; int32 b = 2; } }", Backward, [true, false])]
#[case::karapace_pr_821_renumbered("message A { optional string a = 1; }", "message A { optional string a = 2; }", Backward, [true, true])]
#[case::karapace_505_full_names("package p; message T { optional T t = 1; }", "package p; message T { optional .p.T t = 1; }", Backward, [true, true])]
#[case::apicurio_7116_reserved_range("message A { optional int32 a = 2; optional int32 b = 3; }", "message A { reserved 2 to 3; }", Backward, [true, true])]
#[case::apicurio_9662_field_added_forward("message A { optional int32 a = 1; }", "message A { optional int32 a = 1; optional int32 b = 2; }", Forward, [true, true])]
#[case::apicurio_1759_varints("message A { optional int32 a = 1; }", "message A { optional uint64 a = 1; }", Backward, [true, true])]
#[case::redpanda_30374_map_removed("message A { map<string, int32> a = 1; }", "message A {}", Backward, [true, true])]
#[case::redpanda_5577_recursion("message A { optional A a = 1; }", "message A { optional A a = 1; }", Backward, [true, true])]
#[case::buf_359_number_to_enum("message A { optional int32 a = 1; } enum E { X = 0; }", "message A { optional E a = 1; } enum E { X = 0; }", Backward, [true, true])]
#[case::buf_1389_reserved_widened("message A { reserved 1 to 3; }", "message A { reserved 1 to 4; }", Backward, [true, true])]
#[case::buf_1610_number_repeated("message A { optional int32 a = 1; }", "message A { repeated int32 a = 1; }", Backward, [false, false])]
#[case::buf_1610_string_repeated("message A { optional string a = 1; }", "message A { repeated string a = 1; }", Backward, [true, true])]
#[case::buf_2167_superset("message A { optional E a = 1; } message E {} message V {}", "message A { optional V a = 1; } message E {} message V {}", Backward, [false, false])]
#[case::not_all_of_64_bits_are_alike("message A { optional fixed64 a = 1; }", "message A { optional int64 a = 1; }", Backward, [false, false])]
#[case::a_removed_number_need_not_be_reserved("message A { optional int32 a = 1; }", "message A {}", Backward, [true, true])]
#[case::one_field_may_move_into_a_new_oneof("message A { optional int32 a = 1; }", "message A { oneof o { int32 a = 1; } }", Backward, [true, true])]
#[case::a_new_message_is_not_forward("", "message A {}", Forward, [false, false])]
#[case::a_new_member_is_not_forward("message A { oneof o { int32 a = 1; } }", "message A { oneof o { int32 a = 1; int32 b = 2; } }", Forward, [false, false])]
fn reports(#[case] old: &str, #[case] new: &str, #[case] direction: Direction, #[case] passes: [bool; 2]) {
    assert_eq!([by_name(), by_origin()].map(|rules| verdict(old, new, direction, rules)), passes);
}
