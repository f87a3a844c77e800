//! What teaching texts say of compatibility, and what a registry answers: first the tables that are right, then the
//! claims that are not, each with the true answer.

use rstest::rstest;
use schema_registrar::api::{Level, SchemaType};
use schema_registrar::compat::engine;
use schema_registrar::compat::history::{Answer, Judgement, Past, judge_candidate};
use schema_registrar::compat::levels::{Direction, UpgradeOrder, compared, directions};
use schema_registrar::compat::{CONFLUENT_8_3, Policy};
use schema_registrar::schema::{Reading, Version};

use Answer::{Compatible as Passes, Incompatible as Refused};

fn judge(schema_type: SchemaType, old: &[&str], new: &str) -> Judgement {
    let read = |text: &str, reading| engine::read(schema_type, text, &[], reading, &CONFLUENT_8_3);
    let past = |(number, text): (i64, &&str)| Past { version: version(number), schema: read(text, Reading::Stored) };
    let history: Vec<Past> = (1..).zip(old).map(past).collect();
    judge_candidate(&read(new, Reading::New), &history, Level::Full, &CONFLUENT_8_3, Policy::Strict)
}

fn version(number: i64) -> Version {
    Version::new(number).expect("versions count from 1")
}

fn under(judgement: &Judgement, level: Level) -> Answer {
    let at = Level::ALL.iter().position(|one| *one == level).expect("every level is there");
    judgement.levels[at]
}

/// BACKWARD, FORWARD and FULL.
fn answers(schema_type: SchemaType, old: &str, new: &str) -> [Answer; 3] {
    let judgement = judge(schema_type, &[old], new);
    [Level::Backward, Level::Forward, Level::Full].map(|level| under(&judgement, level))
}

/// A record of fields such as `id: string` and `currency: string = "RUB"`.
fn order(fields: &str) -> String {
    let field = |field: &str| {
        let (name, kind) = field.split_once(": ").expect("a field has a type");
        let (kind, default) = kind.split_once(" = ").map_or((kind, None), |(kind, default)| (kind, Some(default)));
        let kind = if kind.starts_with('[') { kind.to_owned() } else { format!("\"{kind}\"") };
        let default = default.map_or_else(String::new, |default| format!(r#","default":{default}"#));
        format!(r#"{{"name":"{name}","type":{kind}{default}}}"#)
    };
    let fields: Vec<String> = fields.split("; ").map(field).collect();
    format!(r#"{{"type":"record","name":"Order","fields":[{}]}}"#, fields.join(","))
}

/// Order{id, amount, status}.
#[rstest]
#[case::field_added_with_default(r#"id: string; amount: double; status: string; currency: string = "RUB""#, [Passes, Passes, Passes])]
#[case::field_added_without_default("id: string; amount: double; status: string; currency: string", [Refused, Passes, Refused])]
#[case::field_without_default_removed("id: string; amount: double", [Passes, Refused, Refused])]
#[case::field_renamed_without_alias("id: string; amount: double; state: string", [Refused, Refused, Refused])]
#[case::double_to_int("id: string; amount: int; status: string", [Refused, Passes, Refused])]
#[case::double_to_string("id: string; amount: string; status: string", [Refused, Refused, Refused])]
fn an_order(#[case] new: &str, #[case] expected: [Answer; 3]) {
    let old = "id: string; amount: double; status: string";
    assert_eq!(answers(SchemaType::Avro, &order(old), &order(new)), expected);
}

/// Order{order_id, amount, currency = "EUR"}.
#[rstest]
#[case::nullable_field_added(r#"order_id: string; amount: double; currency: string = "EUR"; coupon: ["null","string"] = null"#, [Passes, Passes, Passes])]
#[case::field_without_default_added(r#"order_id: string; amount: double; currency: string = "EUR"; note: string"#, [Refused, Passes, Refused])]
#[case::field_with_default_removed("order_id: string; amount: double", [Passes, Passes, Passes])]
#[case::field_without_default_removed(r#"order_id: string; currency: string = "EUR""#, [Passes, Refused, Refused])]
#[case::double_to_string(r#"order_id: string; amount: string; currency: string = "EUR""#, [Refused, Refused, Refused])]
fn an_order_with_a_currency(#[case] new: &str, #[case] expected: [Answer; 3]) {
    let old = r#"order_id: string; amount: double; currency: string = "EUR""#;
    assert_eq!(answers(SchemaType::Avro, &order(old), &order(new)), expected);
}

#[test]
fn int_to_long() {
    let (old, new) = (order("amount: int"), order("amount: long"));
    assert_eq!(answers(SchemaType::Avro, &old, &new), [Passes, Refused, Refused]);
}

/// Columns: the level, who reads whose data, and the versions it is compared with, of three live ones.
#[rstest]
#[case(Level::Backward, &[Direction::Backward], &[3])]
#[case(Level::BackwardTransitive, &[Direction::Backward], &[3, 2, 1])]
#[case(Level::Forward, &[Direction::Forward], &[3])]
#[case(Level::ForwardTransitive, &[Direction::Forward], &[3, 2, 1])]
#[case(Level::Full, &[Direction::Forward, Direction::Backward], &[3])]
#[case(Level::FullTransitive, &[Direction::Forward, Direction::Backward], &[3, 2, 1])]
#[case(Level::None, &[], &[])]
fn what_a_level_guarantees(#[case] level: Level, #[case] who_reads: &[Direction], #[case] with: &[i64]) {
    assert_eq!(directions(level), who_reads);
    let with: Vec<Version> = with.iter().map(|number| version(*number)).collect();
    assert_eq!(compared(level, &[version(1), version(2), version(3)]), with);
}

/// A change that one level alone lets pass, and who is upgraded first for it.
#[rstest]
#[case::backward("id: string", [Passes, Refused, Refused], UpgradeOrder::ConsumersFirst)]
#[case::forward("id: string; amount: double; note: string", [Refused, Passes, Refused], UpgradeOrder::ProducersFirst)]
#[case::full(r#"id: string; amount: double; note: string = """#, [Passes, Passes, Passes], UpgradeOrder::AnyOrder)]
#[case::none("id: string; amount: string", [Refused, Refused, Refused], UpgradeOrder::Coordinated)]
fn who_is_upgraded_first(#[case] new: &str, #[case] expected: [Answer; 3], #[case] first: UpgradeOrder) {
    let judgement = judge(SchemaType::Avro, &[&order("id: string; amount: double")], &order(new));
    assert_eq!([Level::Backward, Level::Forward, Level::Full].map(|level| under(&judgement, level)), expected);
    assert_eq!(under(&judgement, Level::None), Passes);
    assert_eq!(judgement.order, Some(first));
}

#[test]
fn each_step_passes_and_the_way_as_a_whole_does_not() {
    let versions = [order("a: int"), order("a: int; b: int = 0")];
    let judgement = judge(SchemaType::Avro, &versions.each_ref().map(String::as_str), &order("a: int; b: int"));
    assert_eq!(under(&judgement, Level::Backward), Passes);
    assert_eq!(under(&judgement, Level::BackwardTransitive), Refused);
    let step = judge(SchemaType::Avro, &[&versions[0]], &versions[1]);
    assert_eq!(under(&step, Level::Backward), Passes);
}

const NOTHING: [Answer; 3] = [Refused, Refused, Refused];
const BOTH: [Answer; 3] = [Passes, Passes, Passes];
const BACKWARD: [Answer; 3] = [Passes, Refused, Refused];
const FORWARD: [Answer; 3] = [Refused, Passes, Refused];

/// Claims about Avro that registries do not share.
#[rstest]
#[case::another_namespace_needs_none(
    r#"{"type":"record","name":"n.Order","fields":[]}"#, r#"{"type":"record","name":"m.Order","fields":[]}"#, BOTH)]
#[case::another_name_needs_none_but_for_an_alias(
    r#"{"type":"record","name":"n.Order","fields":[]}"#,
    r#"{"type":"record","name":"m.Sale","aliases":["n.Order"],"fields":[]}"#, BACKWARD)]
#[case::another_name_with_the_same_fields(
    r#"{"type":"record","name":"Employee","fields":[{"name":"name","type":"string"}]}"#,
    r#"{"type":"record","name":"User","fields":[{"name":"name","type":"string"}]}"#, NOTHING)]
#[case::string_to_bytes(r#""string""#, r#""bytes""#, BOTH)]
#[case::bytes_to_string(r#""bytes""#, r#""string""#, BOTH)]
#[case::branch_added(r#"["null","int"]"#, r#"["null","int","string"]"#, BACKWARD)]
#[case::branch_removed(r#"["null","int","string"]"#, r#"["null","int"]"#, FORWARD)]
#[case::symbol_added(
    r#"{"type":"enum","name":"E","symbols":["A"]}"#, r#"{"type":"enum","name":"E","symbols":["A","B"]}"#, BACKWARD)]
#[case::symbol_added_that_old_readers_have_a_default_for(
    r#"{"type":"enum","name":"E","symbols":["A"],"default":"A"}"#,
    r#"{"type":"enum","name":"E","symbols":["A","B"],"default":"A"}"#, BOTH)]
#[case::symbol_removed(
    r#"{"type":"enum","name":"E","symbols":["A","B"]}"#, r#"{"type":"enum","name":"E","symbols":["A"]}"#, FORWARD)]
#[rustfmt::skip]
fn avro_claims(#[case] old: &str, #[case] new: &str, #[case] expected: [Answer; 3]) {
    assert_eq!(answers(SchemaType::Avro, old, new), expected);
}

/// Scalars that can stand for each other are in groups; none outside its group.
#[test]
fn protobuf_numbers_are_not_all_interchangeable() {
    let groups: &[&[&str]] = &[
        &["int32", "int64", "uint32", "uint64", "bool", "E"],
        &["sint32", "sint64"],
        &["fixed32", "sfixed32"],
        &["fixed64", "sfixed64"],
        &["string", "bytes"],
        &["float"],
        &["double"],
    ];
    let text = |kind: &str| format!("syntax = 'proto3'; enum E {{ X = 0; }} message M {{ {kind} a = 1; }}");
    for (from, old_group) in groups.iter().enumerate() {
        for (to, new_group) in groups.iter().enumerate() {
            for (old, new) in old_group.iter().flat_map(|old| new_group.iter().map(move |new| (old, new))) {
                let expected = if from == to { BOTH } else { NOTHING };
                assert_eq!(answers(SchemaType::Protobuf, &text(old), &text(new)), expected, "{old} to {new}");
            }
        }
    }
}

/// Claims about Protobuf that registries do not share.
#[rstest]
#[case::one_field_into_a_new_oneof("int32 a = 1; int32 b = 2;", "oneof o { int32 a = 1; } int32 b = 2;", BOTH)]
#[case::two_fields_into_a_new_oneof("int32 a = 1; int32 b = 2;", "oneof o { int32 a = 1; int32 b = 2; }", FORWARD)]
#[case::one_field_into_an_existing_oneof(
    "oneof o { int32 a = 1; } int32 b = 2;",
    "oneof o { int32 a = 1; int32 b = 2; }",
    NOTHING
)]
#[case::a_removed_number_is_not_reserved("int32 a = 1; int32 b = 2;", "int32 a = 1;", BOTH)]
#[case::a_removed_number_is_reserved("int32 a = 1; int32 b = 2;", "int32 a = 1; reserved 2;", BOTH)]
fn protobuf_claims(#[case] old: &str, #[case] new: &str, #[case] expected: [Answer; 3]) {
    let text = |body: &str| format!("syntax = 'proto3'; message M {{ {body} }}");
    assert_eq!(answers(SchemaType::Protobuf, &text(old), &text(new)), expected);
}

/// Claims about JSON Schema that registries do not share.
#[rstest]
#[case::an_open_model_does_not_extend_freely(
    r#"{"type":"object"}"#, r#"{"type":"object","properties":{"a":{"type":"string"}}}"#, FORWARD)]
#[case::a_closed_model_does(
    r#"{"type":"object","additionalProperties":false}"#,
    r#"{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}"#, BACKWARD)]
#[case::a_list_of_types_narrowed(r#"{"type":["string","null"]}"#, r#"{"type":["string"]}"#, FORWARD)]
#[case::a_list_of_types_extended(r#"{"type":["string"]}"#, r#"{"type":["string","null"]}"#, BACKWARD)]
#[case::a_pattern_added(r#"{"type":"string"}"#, r#"{"type":"string","pattern":"^a"}"#, FORWARD)]
#[case::a_pattern_removed(r#"{"type":"string","pattern":"^a"}"#, r#"{"type":"string"}"#, BACKWARD)]
#[rustfmt::skip]
fn json_schema_claims(#[case] old: &str, #[case] new: &str, #[case] expected: [Answer; 3]) {
    assert_eq!(answers(SchemaType::Json, old, new), expected);
}

/// Kafka Streams reads old state with new code: FULL asks for that as well, FORWARD and NONE do not.
#[rstest]
#[case(Level::Backward, true)]
#[case(Level::BackwardTransitive, true)]
#[case(Level::Full, true)]
#[case(Level::FullTransitive, true)]
#[case(Level::Forward, false)]
#[case(Level::ForwardTransitive, false)]
#[case(Level::None, false)]
fn kafka_streams_is_safe_where_new_readers_read_old_data(#[case] level: Level, #[case] is_safe: bool) {
    assert_eq!(directions(level).contains(&Direction::Backward), is_safe);
}

/// What NONE lets pass may break both ways, so that the order of upgrades does matter: all at once.
#[test]
fn none_guarantees_nothing() {
    let judgement = judge(SchemaType::Avro, &[&order("a: int")], &order("b: string"));
    assert_eq!((under(&judgement, Level::None), under(&judgement, Level::Full)), (Passes, Refused));
    assert_eq!(judgement.order, Some(UpgradeOrder::Coordinated));
}
