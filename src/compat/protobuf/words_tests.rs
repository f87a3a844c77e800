//! What a person reads: every rule, one example, and that what a hint names does mend.

use rstest::rstest;

use super::words::{hint, sentence};
use super::{differences, mend};
use crate::compat::levels::Direction::{self, Backward, Forward};
use crate::compat::{CONFLUENT_8_3, CONFLUENT_NEXT, Difference, Policy, ProtobufRules};
use crate::schema::Reading;
use crate::schema::protobuf::parse;

fn all(old: &str, new: &str, direction: Direction, rules: ProtobufRules) -> Vec<Difference> {
    // No schema is blank, but a semicolon changes nothing.
    let read = |text: &str, reading| parse(&format!("{text};"), &[], reading).unwrap();
    let (old, new) = (read(old, Reading::Stored), read(new, Reading::New));
    let (reader, writer) = match direction {
        Backward => (new, old),
        Forward => (old, new),
    };
    differences(&reader, &writer, &rules, Policy::Strict).unwrap()
}

fn told(old: &str, new: &str, direction: Direction, rule: &str) -> (Difference, String) {
    let rules = [CONFLUENT_8_3, CONFLUENT_NEXT].map(|profile| profile.protobuf.unwrap());
    let found = rules.into_iter().flat_map(|rules| all(old, new, direction, rules));
    let difference = found.into_iter().find(|difference| difference.rule == rule).expect("the rule speaks");
    let sides = match direction {
        Backward => ["this schema", "version 3"],
        Forward => ["version 3", "this schema"],
    };
    let sentence = sentence(&difference, sides[0], sides[1]);
    (difference, sentence)
}

/// Columns: old, new, direction, rule, what is told.
#[rstest]
#[case(
    "package a;",
    "package b;",
    Backward,
    "PACKAGE_CHANGED",
    "the package is b in this schema and a in version 3, so every message has another full name"
)]
#[case(
    "package a;",
    "",
    Forward,
    "PACKAGE_CHANGED",
    "the package is a in version 3 and none in this schema, so every message has another full name"
)]
#[case("", "message A {}", Backward, "MESSAGE_ADDED", "message A is in this schema and not in version 3")]
#[case(
    "message A { message B {} }",
    "message A {}",
    Backward,
    "MESSAGE_REMOVED",
    "message A.B of version 3 is missing in this schema, so data written with it cannot be read"
)]
#[case(
    "",
    "message A {}",
    Forward,
    "MESSAGE_REMOVED",
    "message A of this schema is missing in version 3, so data written with it cannot be read"
)]
#[case(
    "message A {} message B {}",
    "message B {} message A {}",
    Backward,
    "MESSAGE_MOVED",
    "message A has place 2 among its neighbours in this schema and place 1 in version 3, so the index before each value changes"
)]
#[case("", "enum E { X = 0; }", Backward, "ENUM_ADDED", "enum E is in this schema and not in version 3")]
#[case("enum E { X = 0; }", "", Backward, "ENUM_REMOVED", "enum E is in version 3 and not in this schema")]
#[case(
    "enum E { X = 0; }",
    "enum E { X = 0; Y = 1; }",
    Backward,
    "ENUM_CONST_ADDED",
    "number 1 of enum E is Y in this schema and unknown in version 3"
)]
#[case(
    "enum E { X = 0; Y = 1; }",
    "enum E { X = 0; }",
    Backward,
    "ENUM_CONST_REMOVED",
    "number 1 of enum E is Y in version 3 and unknown in this schema"
)]
#[case(
    "enum E { X = 0; }",
    "enum E { Y = 0; }",
    Backward,
    "ENUM_CONST_CHANGED",
    "number 0 of enum E is Y in this schema and X in version 3"
)]
#[case(
    "message A {}",
    "message A { optional int32 a = 1; }",
    Backward,
    "FIELD_ADDED",
    "field a of A is in this schema and not in version 3, so it is unset in data written with version 3"
)]
#[case(
    "message A { optional int32 a = 1; }",
    "message A {}",
    Backward,
    "FIELD_REMOVED",
    "field a of A is in version 3 and not in this schema, so what it holds is skipped"
)]
#[case(
    "message A {}",
    "message A { required int32 a = 1; }",
    Backward,
    "REQUIRED_FIELD_ADDED",
    "field a of A is required in this schema and missing in version 3, so data written with version 3 cannot be read"
)]
#[case(
    "message A { required int32 a = 1; }",
    "message A {}",
    Backward,
    "REQUIRED_FIELD_REMOVED",
    "field a of A is required in version 3 and missing in this schema, which the registry refuses"
)]
#[case(
    "message A { optional int32 a = 1; }",
    "message A { optional int32 b = 1; }",
    Backward,
    "FIELD_NAME_CHANGED",
    "field b of A is named a in version 3: the bytes are the same, their JSON form is not"
)]
#[case(
    "message A { optional int32 a = 1; }",
    "message A { map<string, A> a = 1; }",
    Backward,
    "FIELD_KIND_CHANGED",
    "field a of A is map<string, A> in this schema and int32 in version 3, and a scalar, a message and a map cannot be read as one another, so data written with version 3 cannot be read"
)]
#[case(
    "message A { optional int32 a = 1; }",
    "message A { optional string a = 1; }",
    Forward,
    "FIELD_SCALAR_KIND_CHANGED",
    "field a of A is int32 in version 3 and string in this schema, which have other bytes, so data written with this schema cannot be read"
)]
#[case(
    "message A { optional A a = 1; } message B {}",
    "message A { optional B a = 1; } message B {}",
    Backward,
    "FIELD_NAMED_TYPE_CHANGED",
    "field a of A is B in this schema and A in version 3, so data written with version 3 cannot be read"
)]
#[case(
    "message A { optional int32 a = 1; }",
    "message A { repeated int32 a = 1; }",
    Backward,
    "FIELD_NUMERIC_LABEL_CHANGED",
    "field a of A is repeated in this schema and optional in version 3, so data written with version 3 cannot be read"
)]
#[case(
    "message A { optional string a = 1; }",
    "message A { required string a = 1; }",
    Backward,
    "FIELD_STRING_OR_BYTES_LABEL_CHANGED",
    "field a of A is required in this schema and optional in version 3"
)]
#[case(
    "message A {}",
    "message A { oneof o { int32 a = 1; } }",
    Backward,
    "ONEOF_ADDED",
    "oneof o of A is in this schema and not in version 3"
)]
#[case(
    "message A { oneof o { int32 a = 1; } }",
    "message A {}",
    Backward,
    "ONEOF_REMOVED",
    "oneof o of A is in version 3 and not in this schema"
)]
#[case(
    "message A { oneof o { int32 a = 1; } }",
    "message A { oneof o { int32 a = 1; int32 b = 2; } }",
    Backward,
    "ONEOF_FIELD_ADDED",
    "field b of oneof o of A is in this schema and not in version 3"
)]
#[case(
    "message A { oneof o { int32 a = 1; int32 b = 2; } }",
    "message A { oneof o { int32 a = 1; } }",
    Backward,
    "ONEOF_FIELD_REMOVED",
    "field b of oneof o of A is in version 3 and missing in this schema, so where it is set, readers see none of the oneof's fields"
)]
#[case(
    "message A { oneof o { int32 a = 1; } }",
    "message A { optional int32 a = 1; }",
    Backward,
    "ONEOF_FIELD_MOVED_TO_TOP_LEVEL",
    "field a of oneof o of A is outside of it in this schema"
)]
#[case(
    "message A { optional int32 a = 1; optional int32 b = 2; }",
    "message A { oneof o { int32 a = 1; int32 b = 2; } }",
    Backward,
    "MULTIPLE_FIELDS_MOVED_TO_ONEOF",
    "oneof o of A takes in a, b, which are outside of it in version 3: data written with version 3 may hold several of them, and all but one are lost"
)]
#[case(
    "message A { oneof o { int32 a = 1; } optional int32 b = 2; }",
    "message A { oneof o { int32 a = 1; int32 b = 2; } }",
    Backward,
    "FIELD_MOVED_TO_EXISTING_ONEOF",
    "oneof o of A takes in b, which is outside of it in version 3: data written with version 3 may hold it beside another field of the oneof, and one of them is lost"
)]
#[case(
    "message A { oneof o { int32 a = 1; } oneof p { int32 b = 2; } }",
    "message A { oneof q { int32 a = 1; int32 b = 2; } }",
    Backward,
    "FIELD_MOVED_TO_EXISTING_ONEOF",
    "oneof q of A takes in fields of several oneofs of version 3: data written with version 3 may hold several of them, and all but one are lost"
)]
fn every_rule_is_told(
    #[case] old: &str,
    #[case] new: &str,
    #[case] direction: Direction,
    #[case] rule: &str,
    #[case] expected: &str,
) {
    assert_eq!(told(old, new, direction, rule).1, expected);
}

/// Columns: old, new, direction, rule, the hint. The schema with that change made breaks nothing.
#[rstest]
#[case(
    "package a; message A {}",
    "syntax = 'proto3'; package b; message A {}",
    Backward,
    "PACKAGE_CHANGED",
    "keep package a"
)]
#[case("package a; message A {}", "syntax = 'proto3'; message A {}", Forward, "PACKAGE_CHANGED", "keep package a")]
#[case("message A {}", "package b; message A {}", Backward, "PACKAGE_CHANGED", "leave the package out")]
#[case(
    "message A { message B { optional int32 a = 1; } }",
    "message A {\n}",
    Backward,
    "MESSAGE_REMOVED",
    "keep message A.B"
)]
#[case("message A {} message B {}", "message B {}", Backward, "MESSAGE_REMOVED", "keep message A")]
#[case(
    "message A {}",
    "message A { required int32 a = 1; }",
    Backward,
    "REQUIRED_FIELD_ADDED",
    "make field a of A optional"
)]
#[case(
    "message A {}",
    "message A { required int32 a = 1; }",
    Forward,
    "REQUIRED_FIELD_REMOVED",
    "make field a of A optional"
)]
#[case("message A { required int32 a = 1; }", "message A {}", Backward, "REQUIRED_FIELD_REMOVED", "keep field a of A")]
#[case("message A { required int32 a = 1; }", "message A {}", Forward, "REQUIRED_FIELD_ADDED", "keep field a of A")]
#[case(
    "message A { optional int32 a = 1; }",
    "message A { optional string a = 1; }",
    Backward,
    "FIELD_SCALAR_KIND_CHANGED",
    "keep type int32 of field a of A, and give a field of another type its own number"
)]
#[case(
    "message A { optional int32 a = 1; }",
    "message A { optional A a = 1; }",
    Forward,
    "FIELD_KIND_CHANGED",
    "keep type int32 of field a of A, and give a field of another type its own number"
)]
#[case(
    "message A { optional A a = 1; } message B {}",
    "message A { optional B a = 1; } message B {}",
    Backward,
    "FIELD_NAMED_TYPE_CHANGED",
    "keep type A of field a of A, and give a field of another type its own number"
)]
#[case(
    "message A { optional int32 a = 1; }",
    "message A { repeated int32 a = 1 [packed = true]; }",
    Backward,
    "FIELD_NUMERIC_LABEL_CHANGED",
    "keep field a of A optional"
)]
#[case(
    "message A { oneof o { int32 a = 1; int32 b = 2; } }",
    "message A { oneof o { int32 a = 1; } }",
    Backward,
    "ONEOF_FIELD_REMOVED",
    "keep field b of oneof o of A"
)]
#[case(
    "message A { oneof o { int32 a = 1; } }",
    "message A { oneof o { int32 a = 1; int32 b = 2; } }",
    Forward,
    "ONEOF_FIELD_REMOVED",
    "declare field b of oneof o of A outside of the oneof"
)]
#[case(
    "message A { optional int32 a = 1; optional int32 b = 2; }",
    "message A { oneof o { int32 a = 1; int32 b = 2; } }",
    Backward,
    "MULTIPLE_FIELDS_MOVED_TO_ONEOF",
    "leave a, b outside of oneof o of A"
)]
#[case(
    "message A { oneof o { int32 a = 1; } optional int32 b = 2; }",
    "message A { oneof o { int32 a = 1; int32 b = 2; } }",
    Backward,
    "FIELD_MOVED_TO_EXISTING_ONEOF",
    "leave b outside of oneof o of A"
)]
fn what_a_hint_names_mends(
    #[case] old: &str,
    #[case] new: &str,
    #[case] direction: Direction,
    #[case] rule: &str,
    #[case] expected: &str,
) {
    let (difference, _) = told(old, new, direction, rule);
    assert_eq!(hint(&difference, direction).unwrap(), expected);
    let mended = mend(new, &difference, direction).unwrap();
    for rules in [CONFLUENT_8_3, CONFLUENT_NEXT].map(|profile| profile.protobuf.unwrap()) {
        let left: Vec<_> = all(old, &mended, direction, rules).into_iter().filter(|left| left.breaks).collect();
        assert_eq!(left, [], "{mended}");
    }
}

/// Undoing what is new, or what a referenced schema changed, is no advice.
#[rstest]
#[case("", "message A {}", Forward, "MESSAGE_REMOVED")]
#[case(
    "message A { oneof o { int32 a = 1; } oneof p { int32 b = 2; } }",
    "message A { oneof q { int32 a = 1; int32 b = 2; } }",
    Backward,
    "FIELD_MOVED_TO_EXISTING_ONEOF"
)]
fn some_have_no_hint(#[case] old: &str, #[case] new: &str, #[case] direction: Direction, #[case] rule: &str) {
    let (difference, _) = told(old, new, direction, rule);
    assert_eq!(hint(&difference, direction), None);
    assert_eq!(mend(new, &difference, direction), None);
}
