//! What all live versions show together, and what a change means to those who live with it: one row a history.

use rstest::rstest;

use super::notation::{Case, read};
use super::{Code, Policy, divergence, frozen, names_a_key, of_history};
use crate::api::{Level, SchemaType};
use crate::compat::history::Past;
use crate::compat::{CONFLUENT_7_9, CONFLUENT_8_3, CONFLUENT_NEXT};
use crate::schema::Version;
use Level::{Backward, BackwardTransitive, Forward, ForwardTransitive, Full, FullTransitive};

fn history(schema_type: SchemaType, versions: &[&str]) -> Vec<Past> {
    let past = |(index, text): (usize, &&str)| Past {
        version: Version::new(index as i64 + 1).unwrap(),
        schema: Ok(read(schema_type, text)),
    };
    versions.iter().enumerate().map(past).collect()
}

const A: &str = r#"{"type":"record","name":"R","fields":[{"name":"a","type":"int"}]}"#;
const A_DEFAULT: &str = r#"{"type":"record","name":"R","fields":[{"name":"a","type":"int","default":0}]}"#;
const A_TEXT: &str = r#"{"type":"record","name":"R","fields":[{"name":"a","type":"string"}]}"#;
const A_TEXT_DEFAULT: &str = r#"{"type":"record","name":"R","fields":[{"name":"a","type":"string","default":""}]}"#;
const NOTHING: &str = r#"{"type":"record","name":"R","fields":[]}"#;
const OTHER: &str = r#"{"type":"record","name":"S","fields":[]}"#;

#[rstest]
#[case::in_order(Backward, &[NOTHING, A_DEFAULT, NOTHING], &[])]
#[case::one_version(Full, &[A], &[])]
#[case::a_default_that_was_dropped(Backward, &[NOTHING, A_DEFAULT, A], &[Code::NotTransitive])]
#[case::deleted_and_added_again_as_another_type(Backward, &[A, NOTHING, A_TEXT_DEFAULT], &[Code::NotTransitive])]
#[case::for_old_readers(Forward, &[A, A_DEFAULT, NOTHING], &[Code::NotTransitive])]
#[case::a_transitive_level_sees_that(BackwardTransitive, &[NOTHING, A_DEFAULT, A], &[])]
#[case::a_step_that_nothing_checked(Backward, &[A, A_TEXT], &[Code::UncheckedHistory])]
#[case::what_is_before_such_a_step_is_no_surprise(Backward, &[A, A_TEXT, A_TEXT], &[Code::UncheckedHistory])]
#[case::such_a_step_and_another_surprise(
    Backward, &[OTHER, NOTHING, A_DEFAULT, A], &[Code::UncheckedHistory, Code::NotTransitive]
)]
#[case::under_a_transitive_level(FullTransitive, &[A, A_TEXT], &[Code::UncheckedHistory])]
#[case::under_none(Level::None, &[A, A_TEXT], &[Code::UncheckedHistory])]
#[case::under_none_in_order(Level::None, &[A, A], &[])]
fn histories(#[case] level: Level, #[case] versions: &[&str], #[case] expected: &[Code]) {
    let past = history(SchemaType::Avro, versions);
    let given = of_history(level, &past, &CONFLUENT_8_3, Policy::Strict);
    assert_eq!(given.iter().map(|advice| advice.code).collect::<Vec<_>>(), expected, "{given:#?}");
}

#[test]
fn a_history_of_two_types_was_not_checked() {
    let mut past = history(SchemaType::Avro, &[A]);
    past.push(Past { version: Version::new(2).unwrap(), schema: Ok(read(SchemaType::Json, "{}")) });
    let given = of_history(Backward, &past, &CONFLUENT_8_3, Policy::Strict);
    assert_eq!(given[0].code, Code::UncheckedHistory);
    assert!(given[0].message.ends_with("they have different schema types"), "{}", given[0].message);
    let told = frozen(BackwardTransitive, &past, &CONFLUENT_8_3, Policy::Strict).unwrap().message;
    assert!(told.ends_with("the schema type is AVRO in version 1 and JSON in version 2"), "{told}");
}

const P: &str = "syntax = \"proto3\"; package p; message M {}";
const Q: &str = "syntax = \"proto3\"; package q; message M {}";
const P_N: &str = "syntax = \"proto3\"; package p; message M {} message N {}";

#[rstest]
#[case::avro_needs_two_types_of_one_field(SchemaType::Avro, &[A, A_TEXT], FullTransitive,
    "field a is int in version 1 and string in version 2")]
#[case::avro_for_old_readers(SchemaType::Avro, &[A, A_TEXT], ForwardTransitive,
    "field a is int in version 1 and string in version 2")]
#[case::avro_for_new_readers_a_union_reads_both(SchemaType::Avro, &[A, A_TEXT], BackwardTransitive, "")]
#[case::avro_a_field_with_a_default_may_be_left_out(SchemaType::Avro, &[A, A_TEXT_DEFAULT], FullTransitive, "")]
#[case::avro_names(SchemaType::Avro, &[NOTHING, OTHER], FullTransitive,
    "the schema is record R in version 1 and record S in version 2")]
#[case::avro_int_and_long_share_int(SchemaType::Avro, &[r#""int""#, r#""long""#], ForwardTransitive, "")]
#[case::protobuf_packages(SchemaType::Protobuf, &[P, Q], BackwardTransitive, "the package is p in version 1 and q in version 2")]
#[case::protobuf_messages(SchemaType::Protobuf, &[P, P_N], FullTransitive, "only version 2 has message N")]
#[case::protobuf_messages_that_went(SchemaType::Protobuf, &[P_N, P], FullTransitive, "only version 1 has message N")]
#[case::protobuf_messages_for_new_readers(SchemaType::Protobuf, &[P, P_N], BackwardTransitive, "")]
#[case::json_types(SchemaType::Json, &[r#"{"type":"string"}"#, r#"{"type":"object"}"#], FullTransitive,
    "the schema is string in version 1 and object in version 2")]
#[case::json_types_for_new_readers(SchemaType::Json, &[r#"{"type":"string"}"#, r#"{"type":"object"}"#], BackwardTransitive, "")]
#[case::the_latest_can_always_come_again(SchemaType::Avro, &[A, A_TEXT], Full, "")]
#[case::in_order(SchemaType::Avro, &[A, A], FullTransitive, "")]
fn subjects_freeze(
    #[case] schema_type: SchemaType,
    #[case] versions: &[&str],
    #[case] level: Level,
    #[case] why: &str,
) {
    let told = frozen(level, &history(schema_type, versions), &CONFLUENT_8_3, Policy::Strict);
    let message = told.map(|advice| advice.message).unwrap_or_default();
    assert_eq!(message.split_once(": ").map(|(_, why)| why).unwrap_or_default(), why, "{message}");
}

/// A subject that is said to be frozen refuses whatever is in its history.
#[test]
fn what_is_frozen_takes_none_of_its_own_versions() {
    for (schema_type, texts) in [
        (SchemaType::Avro, [A, A_TEXT]),
        (SchemaType::Protobuf, [P, Q]),
        (SchemaType::Protobuf, [P, P_N]),
        (SchemaType::Json, [r#"{"type":"string"}"#, r#"{"type":"object"}"#]),
    ] {
        let past = history(schema_type, &texts);
        assert!(frozen(FullTransitive, &past, &CONFLUENT_8_3, Policy::Strict).is_some(), "{texts:?}");
        for text in texts {
            let candidate = Ok(read(schema_type, text));
            let judgement = crate::compat::history::judge_candidate(
                &candidate,
                &past,
                FullTransitive,
                &CONFLUENT_8_3,
                Policy::Strict,
            );
            assert!(matches!(judgement.verdict, crate::compat::levels::Verdict::Incompatible(_)), "{text}");
        }
    }
}

#[rstest]
#[case::both_ways(A, A_DEFAULT, Backward, false)]
#[case::new_readers_only(A, NOTHING, Backward, true)]
#[case::old_readers_only(NOTHING, A, Forward, true)]
#[case::neither_way(A, A_TEXT, Backward, false)]
#[case::the_level_refuses_it_anyway(A, NOTHING, Full, false)]
#[case::nothing_is_checked(A, NOTHING, Level::None, true)]
fn clients_of_the_latest_version_matter_where_one_side_goes_first(
    #[case] old: &str,
    #[case] new: &str,
    #[case] level: Level,
    #[case] is_told: bool,
) {
    let given = Case::of(SchemaType::Avro, old, new).at(level).given();
    assert_eq!(given.iter().any(|advice| advice.code == Code::LatestClients), is_told);
}

#[rstest]
#[case("orders-key", true)]
#[case("orders-value", false)]
#[case(":.ctx:orders-key", true)]
#[case("keys", false)]
fn subjects_of_keys_are_known_by_their_names(#[case] subject: &str, #[case] is_key: bool) {
    assert_eq!(names_a_key(subject), is_key);
}

#[test]
fn any_change_of_a_key_s_schema_makes_other_keys() {
    let case = Case { is_key: true, ..Case::of(SchemaType::Avro, A, &A.replacen('{', r#"{"doc":"d","#, 1)) };
    assert_eq!(case.given().iter().map(|advice| advice.code).collect::<Vec<_>>(), [Code::KeySchemaChanged]);
}

#[test]
fn registries_that_answer_alike_are_not_named() {
    let case = Case::of(SchemaType::Avro, A, A_TEXT);
    assert_eq!(divergence(&case.change(), &[&CONFLUENT_7_9, &CONFLUENT_8_3, &CONFLUENT_NEXT]), []);
}

/// A change of the schema's type is no matter of either format.
#[test]
fn another_schema_type_is_nothing_to_compare() {
    let case = Case { new: read(SchemaType::Json, "{}"), ..Case::of(SchemaType::Avro, A, A) };
    assert_eq!(case.at(Level::None).given(), []);
}
