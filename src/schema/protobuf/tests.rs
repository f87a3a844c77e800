//! What the parser takes and refuses: as Confluent's does, not as protoc.

use rstest::rstest;

use super::{Body, Definition, Field, FieldType, Label, Message, ParseError, Reading, Schema, parse};
use crate::schema::{MAX_DEPTH, Reference};

fn read(text: &str) -> Schema {
    parse(text, &[], Reading::New).unwrap()
}

fn refused(text: &str) -> String {
    let error = parse(text, &[], Reading::New).unwrap_err();
    assert!(error.is_invalid(), "{error}");
    error.to_string()
}

fn proto3(body: &str) -> String {
    format!("syntax = \"proto3\";\n{body}")
}

fn first_message(schema: &Schema) -> &Message {
    match &schema.get(schema.main().types[0]).body {
        Body::Message(message) => message,
        Body::Enum(_) => panic!("the first type is an enum"),
    }
}

#[rstest]
#[case::number_used_twice("message A { string a = 1; string b = 1; }")]
#[case::name_used_twice("message A { string a = 1; string a = 2; }")]
#[case::number_zero("message A { string a = 0; }")]
#[case::reserved_by_the_language("message A { string a = 19001; }")]
#[case::hexadecimal_number("message A { string a = 0x1F; }")]
#[case::reserved_and_used("message A { reserved 1; reserved \"b\", 'c'; reserved 5 to 7, 9 to max; string a = 1; }")]
#[case::enum_without_zero("enum E { A = 1; }")]
#[case::enum_numbers_twice("enum E { A = 0; B = 0; option allow_alias = true; reserved 3; }")]
#[case::unused_import("import \"nowhere.proto\"; import public 'elsewhere.proto'; message A {}")]
#[case::service_before_its_message("service S { rpc M (stream A) returns (A) { option x = 1; }; } message A {}")]
#[case::no_syntax("")]
#[case::semicolons("message A { ; }; ;")]
#[case::strings_in_a_row("option x = \"a\" 'b';")]
#[case::options_of_all_forms(
    "option (a.b).c = { x: [1, -2.5, \"s\"], y { z: TRUE; }, [ext.n]: nan }; message A { int32 a = 1 [deprecated = true, (o) = {}]; }"
)]
#[case::known_types(
    "message A { google.protobuf.Timestamp at = 1; .google.type.Money m = 2; confluent.type.Decimal d = 3; }"
)]
#[case::extension_of_a_known_type("extend google.protobuf.FieldOptions { string o = 50000; }")]
#[case::comments("/* a */ message A { // b\n int32 a = 1; // c\n int32 b = /* d */ 2; /* e */\n }")]
fn is_taken(#[case] text: &str) {
    read(&proto3(text));
}

#[rstest]
#[case::labels("message A { required int32 a = 1; optional string b = 2; repeated bytes c = 3; }")]
#[case::map_without_label("message A { map<string, int32> m = 1; }")]
#[case::groups(
    "message A { optional group G = 1 { optional int32 x = 1; } oneof o { group H = 2 { repeated A a = 1; } } }"
)]
#[case::extensions("message A { extensions 100 to 199, 500, 1000 to max; extend A { optional int32 x = 100; } }")]
fn is_taken_as_proto2(#[case] text: &str) {
    read(text);
    read(&format!("syntax = 'proto2'; {text}"));
}

#[rstest]
#[case::blank(" \n", "the schema is blank at line 1, column 1")]
#[case::not_protobuf("hull", "unexpected \"hull\" at line 1, column 1")]
#[case::json("{\"type\":\"string\"}", "expected a word at line 1, column 1")]
#[case::unknown_syntax("syntax = \"proto4\";", "unexpected syntax \"proto4\" at line 1, column 1")]
#[case::edition("edition = \"2023\";", "editions are not supported by the registry at line 1, column 1")]
#[case::syntax_late("package a; syntax = \"proto3\";", "syntax must be declared first at line 1, column 12")]
#[case::no_name("message {", "expected a word at line 1, column 9")]
#[case::not_ended("message A {", "the text ends too early at line 1, column 12")]
#[case::defined_twice("message A {}\nenum A {}", "A is already defined at line 2, column 1")]
#[case::required_in_proto3(
    "syntax = \"proto3\";\nmessage A { required string a = 1; }",
    "required is not allowed in proto3 at line 2, column 13"
)]
#[case::no_label_in_proto2(
    "message A { google.protobuf.Duration d = 1; }",
    "google.protobuf.Duration is not a label; proto2 needs one before the type at line 1, column 13"
)]
#[case::map_with_label(
    "message A { optional map<string, int32> m = 1; }",
    "a map cannot have a label at line 1, column 13"
)]
#[case::no_number("message A { optional int32 a = x; }", "expected a whole number, not \"x\" at line 1, column 32")]
#[case::string_not_ended("option a = \"b;", "a string that does not end at line 1, column 12")]
#[case::comment_not_ended("message A {}\n/* b", "a comment that does not end at line 2, column 1")]
#[case::unknown_type("message A { optional strng a = 1; }", "unknown type \"strng\" at line 1, column 13")]
#[case::unknown_in_a_map("message A { map<string, B> a = 1; }", "unknown type \"B\" at line 1, column 13")]
#[case::unknown_in_a_group(
    "message A { optional group G = 1 { optional B b = 1; } }",
    "unknown type \"B\" at line 1, column 36"
)]
#[case::unknown_in_a_service("service S { rpc M (B) returns (B); }", "unknown type \"B\" at line 1, column 20")]
#[case::unknown_extended("extend B { optional int32 a = 1; }", "unknown type \"B\" at line 1, column 8")]
#[case::not_ascii("message Größe {}", "expected { at line 1, column 11")]
#[case::empty_extension_range("message A { extensions ; }", "expected a word at line 1, column 24")]
fn is_refused(#[case] text: &str, #[case] why: &str) {
    assert_eq!(refused(text), why);
}

/// What registries may take, but is not read here, so that the registry decides alone.
#[rstest]
#[case::weak_import("import weak \"a.proto\";")]
#[case::map_in_a_map("message A { map<string, map<string, int32>> m = 1; }")]
#[case::text_after_a_trailing_comment("message A { optional int32 a = 1; /* b */ optional int32 c = 2; }")]
#[case::trailing_comment_over_lines("message A { optional int32 a = 1; /* b\n c */ }")]
#[case::options_of_ranges("message A { extensions 4 to 9 [verification = DECLARATION]; }")]
#[case::angle_brackets("option (a) = { b: <c: 1> };")]
fn is_left_to_the_registry(#[case] text: &str) {
    let error = parse(text, &[], Reading::New).unwrap_err();
    assert!(!error.is_invalid(), "{error}");
}

#[test]
fn a_stored_schema_may_name_types_that_mean_nothing() {
    let text = "message A { optional Missing a = 1; }";
    assert!(parse(text, &[], Reading::Stored).is_ok());
    assert!(parse(text, &[], Reading::New).is_err());
}

#[test]
fn labels_are_kept_as_written() {
    let schema =
        read(&proto3("message A { int32 a = 1; optional int32 b = 2; repeated int32 c = 3; oneof o { A d = 4; } }"));
    let message = first_message(&schema);
    let labels: Vec<_> = message.fields.iter().map(|field| field.label).collect();
    assert_eq!(labels, [None, Some(Label::Optional), Some(Label::Repeated)]);
    assert_eq!(message.oneofs[0].fields[0].label, None);
}

fn means(schema: &Schema, field: &Field) -> Option<String> {
    let FieldType::Named(named) = &field.field_type else { return None };
    let (declaring, id) = schema.target(named.target?);
    let definition: &Definition = declaring.get(id);
    Some(format!("{}:{}", declaring.file(definition).package, definition.local_name))
}

#[rstest]
#[case::in_the_same_message("Inner", "a.b:Outer.Inner")]
#[case::around_the_message("Top", "a.b:Top")]
#[case::through_a_message("Outer.Inner", "a.b:Outer.Inner")]
#[case::from_the_package("b.Top", "a.b:Top")]
#[case::by_full_name("a.b.Top", "a.b:Top")]
#[case::from_the_root(".a.b.Outer", "a.b:Outer")]
#[case::nearest_first("Both", "a.b:Outer.Both")]
#[case::from_a_reference("Far", "a:Far")]
#[case::well_known("google.protobuf.Any", "google.protobuf:Any")]
fn a_name_means_the_nearest_type(#[case] written: &str, #[case] meant: &str) {
    let text = format!(
        "syntax = 'proto3'; package a.b; message Outer {{ {written} f = 1; message Inner {{}} message Both {{}} }}
         message Top {{}} message Both {{}}"
    );
    let reference = Reference { name: "far.proto", text: "package a; message Far {}" };
    let schema = parse(&text, &[reference], Reading::New).unwrap();
    assert_eq!(means(&schema, &first_message(&schema).fields[0]).unwrap(), meant);
}

#[test]
fn a_reference_that_cannot_be_read_is_named() {
    let error = parse("message A {}", &[Reference { name: "b.proto", text: "mesage B {}" }], Reading::New).unwrap_err();
    assert!(error.is_invalid());
    assert_eq!(error.to_string(), "reference b.proto: unexpected \"mesage\" at line 1, column 1");
}

#[test]
fn nesting_is_bounded() {
    let nested = |levels: usize| format!("{}{}", "message A {".repeat(levels), "}".repeat(levels));
    assert!(parse(&nested(MAX_DEPTH), &[], Reading::New).is_ok());
    let error = parse(&nested(MAX_DEPTH + 1), &[], Reading::New).unwrap_err();
    assert_eq!(error.to_string(), "messages nest deeper than 500 levels at line 1, column 5501");
    let value = format!("option a = {}", "{a:[".repeat(100_000));
    assert!(matches!(parse(&value, &[], Reading::New), Err(ParseError::Invalid { .. })));
}

/// Names of nested types repeat those around them, and each use of a name looks through all scopes: what would take
/// memory or time out of proportion is refused.
#[rstest]
#[case::long_names(format!("{}{}", format!("message {} {{", "A".repeat(1_000)).repeat(499), "}".repeat(499)))]
#[case::long_package(format!("package {}; {}", "a".repeat(100_000), (0..1_000).map(|n| format!("message A{n} {{}}")).collect::<String>()))]
#[case::many_names_in_many_scopes(format!(
    "syntax = 'proto3'; {}{}{}",
    "message A {".repeat(499),
    (0..20_000).map(|n| format!("B{n} b = {n};")).collect::<String>(),
    "}".repeat(499)
))]
fn work_is_bounded(#[case] text: String) {
    let error = parse(&text, &[], Reading::Stored).unwrap_err();
    assert!(!error.is_invalid(), "{error}");
}
