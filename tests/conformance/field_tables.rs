//! What teaching texts say of compatibility: the rows of their tables, and what levels guarantee.

use rstest::rstest;
use schema_registrar::api::{Level, SchemaType};
use schema_registrar::compat::engine;
use schema_registrar::compat::history::{Answer, Judgement, Past, judge_candidate};
use schema_registrar::compat::levels::{Direction, UpgradeOrder, compared, directions};
use schema_registrar::compat::{CONFLUENT_8_3, Policy};
use schema_registrar::schema::{Reading, Version};

use super::tables::{order, rows};
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

#[test]
fn every_row_of_the_tables_is_answered_as_it_says() {
    let answer = |passes: bool| if passes { Passes } else { Refused };
    let wrong: Vec<String> = rows()
        .iter()
        .filter_map(|row| {
            let schema_type: SchemaType = serde_json::from_value(row.schema_type.into()).expect("a schema type");
            let (found, expected) = (answers(schema_type, &row.old, &row.new), row.passes.map(answer));
            (found != expected).then(|| format!("{}: {found:?}, and the table says {expected:?}", row.name))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
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
