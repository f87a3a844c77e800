//! One row a rule: both texts, with « and » around what is found there for the difference.

use rstest::rstest;

use super::*;
use crate::api::SchemaType::{self, Avro, Json, Protobuf};
use crate::compat::Direction::{Backward, Forward};
use crate::compat::engine::{differences, read};
use crate::compat::{CONFLUENT_7_9, CONFLUENT_8_3, CONFLUENT_NEXT, Policy};
use crate::schema::{Reading, Reference};

fn unmarked(text: &str) -> String {
    text.replace(['«', '»'], "")
}

fn marked(text: &str, span: Option<Range<usize>>) -> String {
    let Some(span) = span else { return text.to_owned() };
    format!("{}«{}»{}", &text[..span.start], &text[span.clone()], &text[span.end..])
}

/// Both texts with their marks, for the first difference of a rule whose path ends so.
fn found(
    schema_type: SchemaType,
    (old, old_reference): (&str, &str),
    (new, new_reference): (&str, &str),
    direction: Direction,
    (rule, path): (&str, &str),
) -> (String, String) {
    fn reference(text: &str) -> Vec<Reference<'_>> {
        if text.is_empty() { Vec::new() } else { vec![Reference { name: "other", text }] }
    }
    for profile in [&CONFLUENT_8_3, &CONFLUENT_NEXT, &CONFLUENT_7_9] {
        let old_schema = read(schema_type, old, &reference(old_reference), Reading::Stored, profile).unwrap();
        let new_schema = read(schema_type, new, &reference(new_reference), Reading::New, profile).unwrap();
        let (reader, writer) = match direction {
            Backward => (&new_schema, &old_schema),
            Forward => (&old_schema, &new_schema),
        };
        let all = differences(reader, writer, profile, Policy::Strict).unwrap();
        let Some(difference) = all.iter().find(|one| one.rule == rule && one.path.ends_with(path)) else { continue };
        return match locate(schema_type, old, new, difference, direction) {
            Some(Located { side: Side::New, span, before }) => (marked(old, before), marked(new, Some(span))),
            Some(Located { side: Side::Old, span, .. }) => (marked(old, Some(span)), new.to_owned()),
            None => (old.to_owned(), new.to_owned()),
        };
    }
    panic!("no profile tells {rule} {path}");
}

fn check(schema_type: SchemaType, old: &str, new: &str, direction: Direction, rule: &str) {
    let rule = rule.split_once(' ').unwrap_or((rule, ""));
    let told = found(schema_type, (&unmarked(old), ""), (&unmarked(new), ""), direction, rule);
    assert_eq!(told, (old.to_owned(), new.to_owned()));
}

#[rstest]
#[case::root(r#"«"string"»"#, r#"«"int"»"#, Backward, "TYPE_MISMATCH")]
#[case::field_type(
    r#"{"type":"record","name":"R","fields":[{"name":"a",«"type":"long"»}]}"#,
    r#"{"type":"record","name":"R","fields":[{"name":"a",«"type":"int"»}]}"#,
    Backward,
    "TYPE_MISMATCH"
)]
#[case::the_same_for_old_readers(
    r#"{"type":"record","name":"R","fields":[{"name":"a",«"type":"int"»}]}"#,
    r#"{"type":"record","name":"R","fields":[{"name":"a",«"type":"long"»}]}"#,
    Forward,
    "TYPE_MISMATCH"
)]
#[case::field_found_by_alias(
    r#"{"type":"record","name":"R","fields":[{"name":"x","type":"int"},{"name":"a",«"type":"long"»}]}"#,
    r#"{"type":"record","name":"R","fields":[{"name":"b","aliases":["a"],«"type":"int"»}]}"#,
    Backward,
    "TYPE_MISMATCH"
)]
#[case::items_of_values(
    r#"{"type":"map","values":{"type":"array",«"items":"long"»}}"#,
    r#"{"type":"map","values":{"type":"array",«"items":"int"»}}"#,
    Backward,
    "TYPE_MISMATCH"
)]
#[case::new_field(
    r#"{"type":"record","name":"R","fields":[{"name":"a","type":"int"}]}"#,
    r#"{"type":"record","name":"R","fields":[{"name":"a","type":"int"},{«"name":"b"»,"type":"int"}]}"#,
    Backward,
    "READER_FIELD_MISSING_DEFAULT_VALUE"
)]
#[case::removed_field(
    r#"{"type":"record","name":"R","fields":[{«"name":"b"»,"type":"int"}]}"#,
    r#"{"type":"record","name":"R","fields":[]}"#,
    Forward,
    "READER_FIELD_MISSING_DEFAULT_VALUE"
)]
#[case::name(
    r#"{"type":"record",«"name":"R"»,"fields":[]}"#,
    r#"{"type":"record",«"name":"S"»,"fields":[]}"#,
    Backward,
    "NAME_MISMATCH"
)]
#[case::size(
    r#"{"type":"fixed","name":"F",«"size":4»}"#,
    r#"{"type":"fixed","name":"F",«"size":8»}"#,
    Forward,
    "FIXED_SIZE_MISMATCH"
)]
#[case::one_symbol(
    r#"{"type":"enum","name":"E","symbols":["A",«"B"»]}"#,
    r#"{"type":"enum","name":"E",«"symbols":["A"]»}"#,
    Backward,
    "MISSING_ENUM_SYMBOLS"
)]
#[case::new_symbol_for_old_readers(
    r#"{"type":"enum","name":"E",«"symbols":["A"]»}"#,
    r#"{"type":"enum","name":"E","symbols":["A",«"B"»]}"#,
    Forward,
    "MISSING_ENUM_SYMBOLS"
)]
#[case::several_symbols(
    r#"{"type":"enum","name":"E",«"symbols":["A","B","C"]»}"#,
    r#"{"type":"enum","name":"E",«"symbols":["A"]»}"#,
    Backward,
    "MISSING_ENUM_SYMBOLS"
)]
#[case::branch(
    r#"{"type":"record","name":"R","fields":[{"name":"a","type":["int",«"null"»]}]}"#,
    r#"{"type":"record","name":"R","fields":[{"name":"a",«"type":["int","string"]»}]}"#,
    Backward,
    "MISSING_UNION_BRANCH"
)]
#[case::branch_by_definition(
    r#"["int",{"type":"record",«"name":"x.R"»,"fields":[]}]"#,
    r#"«["int","string"]»"#,
    Backward,
    "MISSING_UNION_BRANCH"
)]
#[case::thrown(
    r#"{"type":"record","name":"R","fields":[{"name":"a","type":"int"},{"name":"b","type":"int"}]}"#,
    r#"{"type":"record","name":"R","fields":[{«"name":"b"»,"aliases":["a"],"type":"int"}]}"#,
    Backward,
    "EXCEPTION"
)]
#[case::enum_default_does_not_count(
    r#"{"type":"record","name":"R","fields":[]}"#,
    r#"{"type":"record","name":"R","fields":[{"name":"b",«"type":{"type":"enum","name":"E","symbols":["A"],"default":"A"}»}]}"#,
    Backward, "TYPE_MISMATCH"
)]
#[case::same_field_names_in_nested_records(
    r#"{"type":"record","name":"R","fields":[{"name":"id","type":"int"},{"name":"s","type":{"type":"record","name":"S","fields":[{"name":"id",«"type":"string"»}]}}]}"#,
    r#"{"type":"record","name":"R","fields":[{"name":"id","type":"int"},{"name":"s","type":{"type":"record","name":"S","fields":[{"name":"id",«"type":"int"»}]}}]}"#,
    Backward, "TYPE_MISMATCH"
)]
#[case::short_names_in_two_namespaces(
    r#"{"type":"record","name":"R","fields":[{"name":"a","type":{"type":"record","name":"x.S","fields":[{"name":"id","type":"int"}]}},{"name":"b","type":{"type":"record","name":"y.S","fields":[{"name":"id",«"type":"string"»}]}}]}"#,
    r#"{"type":"record","name":"R","fields":[{"name":"a","type":{"type":"record","name":"x.S","fields":[{"name":"id","type":"int"}]}},{"name":"b","type":{"type":"record","name":"y.S","fields":[{"name":"id",«"type":"int"»}]}}]}"#,
    Backward, "TYPE_MISMATCH"
)]
#[case::by_a_name_in_the_namespace_around(
    r#"{"type":"record","name":"R","namespace":"x","fields":[{"name":"a","type":{"type":"fixed","name":"F",«"size":4»}},{"name":"b","type":["null","F"]}]}"#,
    r#"{"type":"record","name":"R","namespace":"x","fields":[{"name":"a","type":{"type":"fixed","name":"F",«"size":8»}},{"name":"b","type":["null","x.F"]}]}"#,
    Backward, "FIXED_SIZE_MISMATCH"
)]
fn avro(#[case] old: &str, #[case] new: &str, #[case] direction: Direction, #[case] rule: &str) {
    check(Avro, old, new, direction, rule);
}

/// 1.11 tells paths within a writer's union from its branch on: the name of the field leads there.
#[test]
fn a_path_that_starts_within_a_union_is_not_followed_from_the_root() {
    let union = |kind: &str| {
        format!(r#"{{"type":"record","name":"R","fields":[{{"name":"a","type":"int"}},{{"name":"u","type":{kind}}}]}}"#)
    };
    let inner = |kind| format!(r#"{{"type":"record","name":"S","fields":[{{"name":"a","type":"{kind}"}}]}}"#);
    let (old, new) = (union(&format!("[{}]", inner("string"))), union(&inner("int")));
    let schema = |text, reading| read(Avro, text, &[], reading, &CONFLUENT_7_9).unwrap();
    let (reader, writer) = (schema(&new, Reading::New), schema(&old, Reading::Stored));
    let all = differences(&reader, &writer, &CONFLUENT_7_9, Policy::Strict).unwrap();
    assert_eq!(all[0].path, "/fields/0/type");
    let at = locate(Avro, &old, &new, &all[0], Backward).unwrap();
    assert_eq!(&new[at.span.clone()], r#""name":"a""#);
    assert!(at.span.start > new.find("\"S\"").unwrap(), "the field of S, not the one of R");
}

/// The reader's own type has the name of one that a reference holds, in another namespace.
#[rstest]
#[case::avro(
    Avro,
    r#"{"type":"record","name":"x.Money","fields":[{"name":"amount","type":"long"}]}"#,
    r#"{"type":"record","name":"x.Money","fields":[{"name":"amount","type":"int"}]}"#,
    r#"{"type":"record","name":"Order","fields":[{"name":"a","type":"x.Money"},{"name":"b","type":{"type":"record","name":"y.Money","fields":[{"name":"amount","type":"int"}]}}]}"#,
    "TYPE_MISMATCH"
)]
#[case::json(
    Json,
    r#"{"type":"object","properties":{"amount":{"type":"string"}}}"#,
    r#"{"type":"object","properties":{"amount":{"type":"integer"}}}"#,
    r#"{"type":"object","properties":{"a":{"$ref":"other"}},"definitions":{"a":{"properties":{"amount":{"type":"integer"}}}}}"#,
    "TYPE_CHANGED"
)]
fn what_stands_in_a_reference_is_in_neither_text(
    #[case] schema_type: SchemaType,
    #[case] old_reference: &str,
    #[case] new_reference: &str,
    #[case] text: &str,
    #[case] rule: &str,
) {
    let told = found(schema_type, (text, old_reference), (text, new_reference), Backward, (rule, ""));
    assert_eq!(told, (text.to_owned(), text.to_owned()));
}

#[test]
fn a_message_that_only_one_text_declares_is_found_there() {
    let money = "message Money { string amount = 1; }";
    let old = "syntax = \"proto3\"; import \"other\"; message Order { Money price = 1; }";
    let new = format!("{old} message Money {{ int64 amount = 1; }}");
    let other = format!("syntax = \"proto3\"; {money}");
    let told = found(Protobuf, (old, &other), (&new, ""), Backward, ("FIELD_SCALAR_KIND_CHANGED", "#/Money/1"));
    assert_eq!(told, (old.to_owned(), new.replace("int64", "«int64»")));
}

#[rstest]
#[case::package("«package a;»", "«package b;»", Backward, "PACKAGE_CHANGED")]
#[case::package_dropped("«package a;»", "message A {}", Backward, "PACKAGE_CHANGED")]
#[case::message_added("message A {}", "message A { «message B» {} }", Backward, "MESSAGE_ADDED")]
#[case::message_removed("message A { «message B» {} }", "message A {}", Backward, "MESSAGE_REMOVED")]
#[case::message_removed_for_old_readers("", "«message A» {}", Forward, "MESSAGE_REMOVED")]
#[case::message_moved("«message A» {} message B {}", "message B {} «message A» {}", Backward, "MESSAGE_MOVED #/A")]
#[case::enum_added("message A {}", "message A { «enum E» { X = 0; } }", Backward, "ENUM_ADDED")]
#[case::enum_removed("«enum E» { X = 0; }", "", Backward, "ENUM_REMOVED")]
#[case::constant_added("enum E { X = 0; }", "enum E { X = 0; «Y = 1;» }", Backward, "ENUM_CONST_ADDED")]
#[case::constant_removed("enum E { X = 0; «Y = 1;» }", "enum E { X = 0; }", Backward, "ENUM_CONST_REMOVED")]
#[case::constant_changed(
    "enum D { X = 0; } enum E { «X = 0;» }",
    "enum D { X = 0; } enum E { «Y = 0 [deprecated = true];» }",
    Backward,
    "ENUM_CONST_CHANGED"
)]
#[case::field_added("message A {}", "message A { «optional int32 a = 1;» }", Backward, "FIELD_ADDED")]
#[case::field_removed("message A { «optional int32 a = 1;» }", "message A {}", Backward, "FIELD_REMOVED")]
#[case::required_added("message A {}", "message A { «required int32 a = 1;» }", Backward, "REQUIRED_FIELD_ADDED")]
#[case::required_removed("message A { «required int32 a = 1;» }", "message A {}", Backward, "REQUIRED_FIELD_REMOVED")]
#[case::renamed(
    "message A { «optional int32 a = 1;» }",
    "message A { «optional int32 b = 1;» }",
    Backward,
    "FIELD_NAME_CHANGED"
)]
#[case::kind(
    "message A { optional «int32» a = 1; }",
    "message A { optional «A» a = 1; }",
    Backward,
    "FIELD_KIND_CHANGED"
)]
#[case::map(
    "message A { repeated «int32» a = 1; }",
    "message A { «map<string, int32>» a = 1; }",
    Backward,
    "FIELD_KIND_CHANGED"
)]
#[case::scalar_in_the_nested_message_of_the_same_name(
    "message A { message A { optional «int32» a = 1; } optional int32 a = 1; }",
    "message A { message A { optional «string» a = 1; } optional int32 a = 1; }",
    Backward,
    "FIELD_SCALAR_KIND_CHANGED"
)]
#[case::named_type(
    "message A {} message B {} message C { optional «A» a = 1; }",
    "message A {} message B {} message C { optional «B» a = 1; }",
    Backward,
    "FIELD_NAMED_TYPE_CHANGED"
)]
#[case::label(
    "message A { «optional» int32 a = 1; }",
    "message A { «repeated» int32 a = 1; }",
    Backward,
    "FIELD_NUMERIC_LABEL_CHANGED"
)]
#[case::label_of_text(
    "message A { «optional» string a = 1; }",
    "message A { «repeated» string a = 1; }",
    Backward,
    "FIELD_STRING_OR_BYTES_LABEL_CHANGED"
)]
#[case::oneof_added("message A {}", "message A { «oneof o» { int32 a = 1; } }", Backward, "ONEOF_ADDED")]
#[case::oneof_removed("message A { «oneof o» { int32 a = 1; } }", "message A {}", Backward, "ONEOF_REMOVED")]
#[case::member_added(
    "message A { oneof o { int32 a = 1; } }",
    "message A { oneof o { int32 a = 1; «int32 b = 2;» } }",
    Backward,
    "ONEOF_FIELD_ADDED"
)]
#[case::member_removed(
    "message A { oneof o { int32 a = 1; «int32 b = 2;» } }",
    "message A { oneof o { int32 a = 1; } }",
    Backward,
    "ONEOF_FIELD_REMOVED"
)]
#[case::member_moved_out(
    "message A { oneof o { int32 a = 1; «int32 b = 2;» } }",
    "message A { oneof o { int32 a = 1; } «optional int32 b = 2;» }",
    Backward,
    "ONEOF_FIELD_REMOVED"
)]
#[case::member_moved_out_by_its_new_name(
    "message A { oneof o { int32 a = 1; «int32 b = 2;» } }",
    "message A { oneof o { int32 a = 1; } «optional int32 b = 2;» }",
    Backward,
    "ONEOF_FIELD_MOVED_TO_TOP_LEVEL"
)]
#[case::several_moved_in(
    "message A { «optional int32 a = 1;» optional int32 b = 2; }",
    "message A { «oneof o» { int32 a = 1; int32 b = 2; } }",
    Backward,
    "MULTIPLE_FIELDS_MOVED_TO_ONEOF"
)]
#[case::one_moved_in(
    "message A { oneof o { int32 a = 1; } «optional int32 b = 2;» }",
    "message A { «oneof o» { int32 a = 1; int32 b = 2; } }",
    Backward,
    "FIELD_MOVED_TO_EXISTING_ONEOF"
)]
fn protobuf(#[case] old: &str, #[case] new: &str, #[case] direction: Direction, #[case] rule: &str) {
    // No schema is blank, but a semicolon changes nothing.
    check(Protobuf, &format!("{old};"), &format!("{new};"), direction, rule);
}

#[rstest]
#[case::id(r#"{«"$id":"a"»}"#, r#"{«"$id":"b"»}"#, "ID_CHANGED")]
#[case::title(r#"{«"title":"a"»}"#, r#"{}"#, "TITLE_CHANGED")]
#[case::description(r#"{«"description":"a"»}"#, r#"{«"description":"b"»}"#, "DESCRIPTION_CHANGED")]
#[case::default(r#"{«"default":1»}"#, r#"{«"default":2»}"#, "DEFAULT_CHANGED")]
#[case::schema_added(r#"{"type":"array"}"#, r#"{"type":"array",«"items":{"type":"string"}»}"#, "SCHEMA_ADDED")]
#[case::schema_removed(r#"{"type":"array",«"items":{"type":"string"}»}"#, r#"{"type":"array"}"#, "SCHEMA_REMOVED")]
#[case::type_extended(r#"{«"type":"integer"»}"#, r#"{«"type":"number"»}"#, "TYPE_EXTENDED")]
#[case::type_narrowed(r#"{«"type":"number"»}"#, r#"{«"type":"integer"»}"#, "TYPE_NARROWED")]
#[case::type_changed(
    r#"{"properties":{"a":{«"type":"string"»}}}"#,
    r#"{"properties":{"a":{«"type":"number"»}}}"#,
    "TYPE_CHANGED"
)]
#[case::another_kind_of_schema_with_the_same_type(
    r#"{"properties":{«"a":{"type":"string"}»}}"#,
    r#"{"properties":{«"a":{"type":"string","enum":["A"]}»}}"#,
    "TYPE_CHANGED"
)]
#[case::pattern_added(r#"{"type":"string"}"#, r#"{"type":"string",«"pattern":"a"»}"#, "PATTERN_ADDED")]
#[case::pattern_removed(r#"{"type":"string",«"pattern":"a"»}"#, r#"{"type":"string"}"#, "PATTERN_REMOVED")]
#[case::pattern_changed(
    r#"{"type":"string",«"pattern":"a"»}"#,
    r#"{"type":"string",«"pattern":"b"»}"#,
    "PATTERN_CHANGED"
)]
#[case::multiple_of_expanded(
    r#"{"type":"integer",«"multipleOf":2»}"#,
    r#"{"type":"integer",«"multipleOf":4»}"#,
    "MULTIPLE_OF_EXPANDED"
)]
#[case::multiple_of_reduced(
    r#"{"type":"integer",«"multipleOf":4»}"#,
    r#"{"type":"integer",«"multipleOf":2»}"#,
    "MULTIPLE_OF_REDUCED"
)]
#[case::multiple_of_changed(
    r#"{"type":"integer",«"multipleOf":4»}"#,
    r#"{"type":"integer",«"multipleOf":3»}"#,
    "MULTIPLE_OF_CHANGED"
)]
#[case::required(
    r#"{"properties":{"a":{}}}"#,
    r#"{"properties":{"a":{}},"required":[«"a"»]}"#,
    "REQUIRED_ATTRIBUTE_ADDED"
)]
#[case::required_with_default(
    r#"{"properties":{"a":{"type":"string","default":"x"}}}"#,
    r#"{"properties":{"a":{"type":"string","default":"x"}},"required":[«"a"»]}"#,
    "REQUIRED_ATTRIBUTE_WITH_DEFAULT_ADDED"
)]
#[case::no_longer_required(
    r#"{"properties":{"a":{}},"required":[«"a"»]}"#,
    r#"{"properties":{"a":{}}}"#,
    "REQUIRED_ATTRIBUTE_REMOVED"
)]
#[case::dependency_added(
    r#"{"type":"object"}"#,
    r#"{"type":"object","dependencies":{«"a":["b"]»}}"#,
    "DEPENDENCY_ARRAY_ADDED"
)]
#[case::dependency_removed(
    r#"{"type":"object","dependencies":{«"a":["b"]»}}"#,
    r#"{"type":"object"}"#,
    "DEPENDENCY_ARRAY_REMOVED"
)]
#[case::dependency_extended(
    r#"{"dependencies":{«"a":["b"]»}}"#,
    r#"{"dependencies":{«"a":["b","c"]»}}"#,
    "DEPENDENCY_ARRAY_EXTENDED"
)]
#[case::dependency_narrowed(
    r#"{"dependencies":{«"a":["b","c"]»}}"#,
    r#"{"dependencies":{«"a":["b"]»}}"#,
    "DEPENDENCY_ARRAY_NARROWED"
)]
#[case::dependency_changed(
    r#"{"dependencies":{«"a":["b"]»}}"#,
    r#"{"dependencies":{«"a":["c"]»}}"#,
    "DEPENDENCY_ARRAY_CHANGED"
)]
#[case::dependency_in_later_drafts(
    r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object"}"#,
    r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","dependentRequired":{«"a":["b"]»}}"#,
    "DEPENDENCY_ARRAY_ADDED"
)]
#[case::schema_dependency_added(
    r#"{"type":"object"}"#,
    r#"{"type":"object","dependencies":{«"a":{"type":"object"}»}}"#,
    "DEPENDENCY_SCHEMA_ADDED"
)]
#[case::schema_dependency_removed(
    r#"{"type":"object","dependencies":{«"a":{"type":"object"}»}}"#,
    r#"{"type":"object"}"#,
    "DEPENDENCY_SCHEMA_REMOVED"
)]
#[case::property_added(
    r#"{"type":"object"}"#,
    r#"{"type":"object","properties":{«"a":{"type":"string"}»}}"#,
    "OPTIONAL_PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL"
)]
#[case::empty_property_added(
    r#"{"type":"object"}"#,
    r#"{"type":"object","properties":{«"a":{}»}}"#,
    "PROPERTY_WITH_EMPTY_SCHEMA_ADDED_TO_OPEN_CONTENT_MODEL"
)]
#[case::required_property_added(
    r#"{"type":"object"}"#,
    r#"{"type":"object","properties":{«"a":{"type":"string"}»},"required":["a"]}"#,
    "REQUIRED_PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL"
)]
#[case::required_property_with_default_added(
    r#"{"type":"object"}"#,
    r#"{"type":"object","properties":{«"a":{"type":"string","default":""}»},"required":["a"]}"#,
    "REQUIRED_PROPERTY_WITH_DEFAULT_ADDED_TO_OPEN_CONTENT_MODEL"
)]
#[case::property_added_in_older_releases(
    r#"{"type":"object"}"#,
    r#"{"type":"object","properties":{«"a":{"type":"string"}»}}"#,
    "PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL"
)]
#[case::property_added_to_closed(
    r#"{"additionalProperties":false}"#,
    r#"{"additionalProperties":false,"properties":{«"a":{"type":"string"}»}}"#,
    "OPTIONAL_PROPERTY_ADDED_TO_UNOPEN_CONTENT_MODEL"
)]
#[case::required_property_added_to_closed(
    r#"{"additionalProperties":false}"#,
    r#"{"additionalProperties":false,"properties":{«"a":{"type":"string"}»},"required":["a"]}"#,
    "REQUIRED_PROPERTY_ADDED_TO_UNOPEN_CONTENT_MODEL"
)]
#[case::required_property_with_default_added_to_closed(
    r#"{"additionalProperties":false}"#,
    r#"{"additionalProperties":false,"properties":{«"a":{"type":"string","default":""}»},"required":["a"]}"#,
    "REQUIRED_PROPERTY_WITH_DEFAULT_ADDED_TO_UNOPEN_CONTENT_MODEL"
)]
#[case::property_added_is_covered(
    r#"{"additionalProperties":{"type":"string"}}"#,
    r#"{"additionalProperties":{"type":"string"},"properties":{«"a":{"type":"string"}»}}"#,
    "PROPERTY_ADDED_IS_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL"
)]
#[case::property_added_is_not_covered(
    r#"{"additionalProperties":{"type":"string"}}"#,
    r#"{"additionalProperties":{"type":"string"},"properties":{«"a":{"type":"number"}»}}"#,
    "PROPERTY_ADDED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL"
)]
#[case::property_removed(
    r#"{"type":"object","properties":{«"a":{"type":"string"}»}}"#,
    r#"{"type":"object"}"#,
    "PROPERTY_REMOVED_FROM_OPEN_CONTENT_MODEL"
)]
#[case::property_removed_from_closed(
    r#"{"additionalProperties":false,"properties":{«"a":{"type":"string"}»}}"#,
    r#"{"additionalProperties":false}"#,
    "PROPERTY_REMOVED_FROM_CLOSED_CONTENT_MODEL"
)]
#[case::forbidden_property_removed_from_closed(
    r#"{"additionalProperties":false,"properties":{«"a":false»}}"#,
    r#"{"additionalProperties":false}"#,
    "PROPERTY_WITH_FALSE_REMOVED_FROM_CLOSED_CONTENT_MODEL"
)]
#[case::property_removed_is_covered(
    r#"{"additionalProperties":{"type":"string"},"properties":{«"a":{"type":"string"}»}}"#,
    r#"{"additionalProperties":{"type":"string"}}"#,
    "PROPERTY_REMOVED_IS_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL"
)]
#[case::property_removed_is_not_covered(
    r#"{"additionalProperties":{"type":"string"},"properties":{«"a":{"type":"number"}»}}"#,
    r#"{"additionalProperties":{"type":"string"}}"#,
    "PROPERTY_REMOVED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL"
)]
#[case::more_unique(r#"{"type":"array"}"#, r#"{"type":"array",«"uniqueItems":true»}"#, "UNIQUE_ITEMS_ADDED")]
#[case::less_unique(r#"{"type":"array",«"uniqueItems":true»}"#, r#"{"type":"array"}"#, "UNIQUE_ITEMS_REMOVED")]
#[case::empty_item_added(
    r#"{"items":[{}]}"#,
    r#"{"items":[{},«{}»]}"#,
    "ITEM_WITH_EMPTY_SCHEMA_ADDED_TO_OPEN_CONTENT_MODEL"
)]
#[case::item_added(r#"{"items":[{}]}"#, r#"{"items":[{},«{"type":"string"}»]}"#, "ITEM_ADDED_TO_OPEN_CONTENT_MODEL")]
#[case::item_added_in_later_drafts(
    r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","prefixItems":[{}]}"#,
    r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","prefixItems":[{},«{"type":"string"}»]}"#,
    "ITEM_ADDED_TO_OPEN_CONTENT_MODEL"
)]
#[case::item_added_to_closed(
    r#"{"items":[{}],"additionalItems":false}"#,
    r#"{"items":[{},«{"type":"string"}»],"additionalItems":false}"#,
    "ITEM_ADDED_TO_CLOSED_CONTENT_MODEL"
)]
#[case::item_added_is_covered(
    r#"{"items":[{}],"additionalItems":{"type":"string"}}"#,
    r#"{"items":[{},«{"type":"string"}»],"additionalItems":{"type":"string"}}"#,
    "ITEM_ADDED_IS_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL"
)]
#[case::item_added_is_not_covered(
    r#"{"items":[{}],"additionalItems":{"type":"string"}}"#,
    r#"{"items":[{},«{"type":"number"}»],"additionalItems":{"type":"string"}}"#,
    "ITEM_ADDED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL"
)]
#[case::item_removed(
    r#"{"items":[{},«{"type":"string"}»]}"#,
    r#"{"items":[{}]}"#,
    "ITEM_REMOVED_FROM_OPEN_CONTENT_MODEL"
)]
#[case::item_removed_from_closed(
    r#"{"items":[{},«{"type":"string"}»],"additionalItems":false}"#,
    r#"{"items":[{}],"additionalItems":false}"#,
    "ITEM_REMOVED_FROM_CLOSED_CONTENT_MODEL"
)]
#[case::forbidden_item_removed_from_closed(
    r#"{"items":[{},«false»],"additionalItems":false}"#,
    r#"{"items":[{}],"additionalItems":false}"#,
    "ITEM_WITH_FALSE_REMOVED_FROM_CLOSED_CONTENT_MODEL"
)]
#[case::item_removed_is_covered(
    r#"{"items":[{},«{"type":"string"}»],"additionalItems":{"type":"string"}}"#,
    r#"{"items":[{}],"additionalItems":{"type":"string"}}"#,
    "ITEM_REMOVED_IS_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL"
)]
#[case::item_removed_is_not_covered(
    r#"{"items":[{},«{"type":"number"}»],"additionalItems":{"type":"string"}}"#,
    r#"{"items":[{}],"additionalItems":{"type":"string"}}"#,
    "ITEM_REMOVED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL"
)]
#[case::enum_extended(r#"{«"enum":["A"]»}"#, r#"{«"enum":["A","B"]»}"#, "ENUM_ARRAY_EXTENDED")]
#[case::enum_narrowed(r#"{«"enum":["A","B"]»}"#, r#"{«"enum":["A"]»}"#, "ENUM_ARRAY_NARROWED")]
#[case::enum_changed(r#"{«"enum":["A"]»}"#, r#"{«"enum":["B"]»}"#, "ENUM_ARRAY_CHANGED")]
#[case::constant(r#"{«"const":"A"»}"#, r#"{«"const":"B"»}"#, "ENUM_ARRAY_CHANGED")]
#[case::combination_extended(
    r#"{«"oneOf":[{"type":"string"},{"type":"number"}]»}"#,
    r#"{«"anyOf":[{"type":"string"},{"type":"number"}]»}"#,
    "COMBINED_TYPE_EXTENDED"
)]
#[case::combination_changed(
    r#"{«"oneOf":[{"type":"string"},{"type":"number"}]»}"#,
    r#"{«"allOf":[{"type":"string"},{"type":"number"}]»}"#,
    "COMBINED_TYPE_CHANGED"
)]
#[case::branches_changed(
    r#"{«"oneOf":[{"type":"string"},{"type":"number"}]»}"#,
    r#"{«"oneOf":[{"type":"string"},{"type":"boolean"}]»}"#,
    "COMBINED_TYPE_SUBSCHEMAS_CHANGED"
)]
#[case::enum_of_a_type_is_a_combination_that_nobody_wrote(
    r#"{"properties":{"a":{"type":"string",«"enum":["A","B"]»}}}"#,
    r#"{"properties":{"a":{"type":"string",«"enum":["A"]»}}}"#,
    "COMBINED_TYPE_SUBSCHEMAS_CHANGED"
)]
#[case::several_changes_beside_a_type(
    r#"{"properties":{«"a":{"type":"string","maxLength":3,"enum":["A"]}»}}"#,
    r#"{"properties":{«"a":{"type":"string","maxLength":2,"enum":["A"]}»}}"#,
    "COMBINED_TYPE_SUBSCHEMAS_CHANGED"
)]
#[case::product_extended(
    r#"{«"allOf":[{"maxLength":9},{"minLength":1}]»}"#,
    r#"{«"allOf":[{"maxLength":9},{"minLength":1},{"type":"string"}]»}"#,
    "PRODUCT_TYPE_EXTENDED"
)]
#[case::product_narrowed(
    r#"{«"allOf":[{"maxLength":9},{"minLength":1},{"type":"string"}]»}"#,
    r#"{«"allOf":[{"maxLength":9},{"minLength":1}]»}"#,
    "PRODUCT_TYPE_NARROWED"
)]
#[case::sum_extended(
    r#"{«"oneOf":[{"type":"string"},{"type":"number"}]»}"#,
    r#"{«"oneOf":[{"type":"string"},{"type":"number"},{"type":"null"}]»}"#,
    "SUM_TYPE_EXTENDED"
)]
#[case::sum_narrowed(
    r#"{«"oneOf":[{"type":"string"},{"type":"number"},{"type":"null"}]»}"#,
    r#"{«"oneOf":[{"type":"string"},{"type":"number"}]»}"#,
    "SUM_TYPE_NARROWED"
)]
#[case::not_extended(r#"{«"not":{"type":"integer"}»}"#, r#"{«"not":{"type":"number"}»}"#, "NOT_TYPE_EXTENDED")]
#[case::not_narrowed(r#"{«"not":{"type":"number"}»}"#, r#"{«"not":{"type":"integer"}»}"#, "NOT_TYPE_NARROWED")]
#[case::within_a_branch_the_combination_is_told(
    r#"{«"oneOf":[{"type":"string","maxLength":1},{"type":"number"}]»}"#,
    r#"{«"oneOf":[{"type":"number"},{"type":"string","maxLength":2}]»}"#,
    "MAX_LENGTH_INCREASED"
)]
#[case::slash_in_a_name(
    r#"{"properties":{"a":{"properties":{"c":{"type":"string"}}},"a/b":{«"type":"string"»}}}"#,
    r#"{"properties":{"a":{"properties":{"c":{"type":"string"}}},"a/b":{«"type":"number"»}}}"#,
    "TYPE_CHANGED"
)]
#[case::a_slash_that_can_mean_two_places_means_none(
    r#"{"properties":{"a":{"properties":{"b":{"type":"string"}}},"a/properties/b":{"type":"string"}}}"#,
    r#"{"properties":{"a":{"properties":{"b":{"type":"string"}}},"a/properties/b":{"type":"number"}}}"#,
    "TYPE_CHANGED"
)]
#[case::names_that_are_keywords(
    r#"{"properties":{"properties":{"properties":{"items":{«"type":"string"»}}},"items":{"type":"string"}}}"#,
    r#"{"properties":{"properties":{"properties":{"items":{«"type":"number"»}}},"items":{"type":"string"}}}"#,
    "TYPE_CHANGED"
)]
#[case::dots_and_escapes(
    r#"{"properties":{"a.b":{«"type":"string"»},"c":{"properties":{"a.b":{"type":"string"}}}}}"#,
    r##"{"properties":{"a\u002eb":{"$ref":"#/definitions/x~1y.%7Ez"},"c":{"properties":{"a.b":{"type":"string"}}}},"definitions":{"x/y.~z":{«"type":"number"»},"x":{"type":"string"}}}"##,
    "TYPE_CHANGED"
)]
#[case::a_tilde_is_escaped_in_pointers(
    r##"{"properties":{"a":{"$ref":"#/definitions/x~0y"}},"definitions":{"x~y":{«"type":"string"»}}}"##,
    r##"{"properties":{"a":{"$ref":"#/definitions/x~0y"}},"definitions":{"x~y":{«"type":"number"»}}}"##,
    "TYPE_CHANGED"
)]
#[case::by_anchor(
    r##"{"properties":{"a":{"$ref":"#x"}},"definitions":{"q":{"$id":"#x",«"type":"string"»}}}"##,
    r##"{"properties":{"a":{"$ref":"#x"}},"definitions":{"q":{"$id":"#x",«"type":"number"»}}}"##,
    "TYPE_CHANGED"
)]
#[case::by_the_own_id(
    r##"{"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"http://x/y","properties":{"a":{"$ref":"http://x/y#/$defs/q"}},"$defs":{"q":{«"type":"string"»}}}"##,
    r##"{"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"http://x/y","properties":{"a":{"$ref":"#/$defs/q"}},"$defs":{"q":{«"type":"number"»}}}"##,
    "TYPE_CHANGED"
)]
#[case::a_tree_within_a_tree(
    r##"{"properties":{"a":{"type":"array","items":{"$ref":"#"}},"b":{«"type":"string"»}}}"##,
    r##"{"properties":{"a":{"type":"array","items":{"$ref":"#"}},"b":{«"type":"number"»}}}"##,
    "TYPE_CHANGED"
)]
#[case::compared_with_what_stands_for_all_others(
    r#"{"properties":{"b":{"type":"string"}},"additionalProperties":{"type":"string"}}"#,
    r#"{"properties":{"a":{"type":"string",«"maxLength":3»},"b":{"type":"string"}},"additionalProperties":{"type":"string"}}"#,
    "MAX_LENGTH_ADDED"
)]
#[case::no_longer_compared_with_it(
    r#"{"properties":{"a":{"type":"string"}},"additionalProperties":{"type":"string"}}"#,
    r#"{"additionalProperties":{"type":"string",«"maxLength":3»}}"#,
    "MAX_LENGTH_ADDED"
)]
#[case::marked(
    "\u{feff}{\"properties\":{\"a\":{«\"type\":\"string\"»}}}",
    "\u{feff}{\"properties\":{\"a\":{«\"type\":\"number\"»}}}",
    "TYPE_CHANGED"
)]
fn json(#[case] old: &str, #[case] new: &str, #[case] rule: &str) {
    check(Json, old, new, Backward, rule);
}

#[test]
fn json_looks_at_the_new_text_for_old_readers_too() {
    check(Json, r#"{«"type":"number"»}"#, r#"{«"type":"string"»}"#, Forward, "TYPE_CHANGED");
    let (without, with) = (r#"{"type":"string"}"#, r#"{"type":"string",«"maxLength":3»}"#);
    check(Json, with, without, Forward, "MAX_LENGTH_ADDED");
}

/// Each bound comes, goes, grows and shrinks.
#[rstest]
#[case("maxLength", "MAX_LENGTH", "string")]
#[case("minLength", "MIN_LENGTH", "string")]
#[case("maximum", "MAXIMUM", "number")]
#[case("minimum", "MINIMUM", "number")]
#[case("exclusiveMinimum", "EXCLUSIVE_MINIMUM", "number")]
#[case("maxProperties", "MAX_PROPERTIES", "object")]
#[case("minProperties", "MIN_PROPERTIES", "object")]
#[case("maxItems", "MAX_ITEMS", "array")]
#[case("minItems", "MIN_ITEMS", "array")]
fn json_bounds(#[case] keyword: &str, #[case] rule: &str, #[case] kind: &str) {
    let with = |value: &str| format!(r#"{{"properties":{{"x":{{"type":"{kind}",«"{keyword}":{value}»}}}}}}"#);
    let without = format!(r#"{{"properties":{{"x":{{"type":"{kind}"}}}}}}"#);
    check(Json, &without, &with("1"), Backward, &format!("{rule}_ADDED"));
    check(Json, &with("1"), &without, Backward, &format!("{rule}_REMOVED"));
    check(Json, &with("1"), &with("2"), Backward, &format!("{rule}_INCREASED"));
    check(Json, &with("2"), &with("1"), Backward, &format!("{rule}_DECREASED"));
}

#[rstest]
#[case("additionalProperties", "ADDITIONAL_PROPERTIES", "object")]
#[case("unevaluatedProperties", "UNEVALUATED_PROPERTIES", "object")]
#[case("unevaluatedItems", "UNEVALUATED_ITEMS", "array")]
fn json_what_is_not_listed(#[case] keyword: &str, #[case] rule: &str, #[case] kind: &str) {
    let draft = "https://json-schema.org/draft/2020-12/schema";
    let with = |value: &str| format!(r#"{{"$schema":"{draft}","type":"{kind}",«"{keyword}":{value}»}}"#);
    let without = format!(r#"{{"$schema":"{draft}","type":"{kind}"}}"#);
    check(Json, &with("false"), &without, Backward, &format!("{rule}_ADDED"));
    check(Json, &without, &with("false"), Backward, &format!("{rule}_REMOVED"));
    check(Json, &without, &with(r#"{"type":"string"}"#), Backward, &format!("{rule}_NARROWED"));
    check(Json, &with(r#"{"type":"string"}"#), &without, Backward, &format!("{rule}_EXTENDED"));
}
