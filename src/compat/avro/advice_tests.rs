//! What is to know about a change that no verdict speaks of: one row a change.

use rstest::rstest;

use super::advice::{accepted_though_unreadable, advice};
use super::notation::*;

/// Code, path, subject, what is new, what was old.
fn given(old: &str, new: &str) -> Vec<String> {
    let line = |advice: super::advice::Noted| {
        let facts = advice.facts;
        format!("{} {} {}: {} ← {}", advice.code, advice.path, facts.subject, facts.reader, facts.writer)
    };
    advice(&schema(new), &schema(old)).into_iter().map(line).collect()
}

fn order(fields: &[&str]) -> String {
    record("Order", fields)
}

#[rstest]
#[case::nothing(order(&["a: int"]), order(&["a: int", "b: int = 0"]), "")]
#[case::renamed(order(&["currency: string"]), order(&[r#"curr: string = "RUB""#]),
    "RenameWithoutAlias /fields/0 field curr: string ← currency")]
#[case::renamed_told_by_the_default(order(&["a: int = 1", "b: int = 2"]), order(&["c: int = 2"]),
    "RenameWithoutAlias /fields/0 field c: int ← b")]
#[case::no_rename_where_two_may_be_meant(order(&["a: int = 1", "b: int = 2"]), order(&["c: int"]), "")]
#[case::no_rename_of_another_type(order(&["a: int"]), order(&["b: long = 0"]), "")]
#[case::alias(order(&["currency: string"]), order(&["curr: string aka currency"]),
    "NeedsAlias /fields/0 field curr: curr ← currency")]
#[case::type_alias(record("n.A", &[]), aka(&record("n.B", &[]), "A"),
    "NeedsAlias / record B: n.B ← n.A, FullNameChanged / record B: n.B ← n.A")]
#[case::namespace(record("n.A", &[]), record("m.A", &[]), "FullNameChanged / record A: m.A ← n.A")]
#[case::enum_grew(order(&[&format!("k: {}", symbols("K", "A"))]), order(&[&format!("k: {}", symbols("K", "A B"))]),
    "EnumGrew /fields/0/type enum K: B ← ")]
#[case::enum_grew_over_a_default(symbols_or("K", "A", "A"), symbols("K", "A B"), "EnumGrew / enum K: B ← A")]
#[case::enum_shrank(symbols("K", "A B"), symbols_or("K", "A", "A"), "EnumDefaultHides / enum K: A ← B")]
#[case::default_changed(order(&["a: int = 1"]), order(&["a: int = 2"]), "DefaultChanged /fields/0 field a: 2 ← 1")]
#[case::default_rewritten(order(&["a: double = 1.0"]), order(&["a: double = 1e0"]), "")]
#[case::default_removed(order(&["a: int = 1"]), order(&["a: int"]), "DefaultRemoved /fields/0 field a:  ← 1")]
#[case::scale(
    logical("bytes", r#""decimal","precision":10,"scale":4"#),
    logical("bytes", r#""decimal","precision":10,"scale":2"#),
    "LogicalTypeChanged / : bytes decimal(10, 2) ← bytes decimal(10, 4)"
)]
#[case::micros(order(&[&format!("t: {}", logical("long", r#""timestamp-millis""#))]), order(&[&format!("t: {}", logical("long", r#""timestamp-micros""#))]),
    "LogicalTypeChanged /fields/0/type field t: long timestamp-micros ← long timestamp-millis")]
#[case::logical_type_in_a_union(union(&["null", &logical("int", r#""date""#)]), union(&["null", "int"]),
    "LogicalTypeChanged /1 : int ← int date")]
#[case::long_as_double(order(&["a: long"]), order(&["a: double"]), "PrecisionLost /fields/0/type field a: double ← long")]
#[case::int_as_double_is_exact(order(&["a: int"]), order(&["a: double"]), "")]
#[case::long_as_double_in_a_union(union(&["null", "long"]), union(&["null", "double"]), "PrecisionLost /1 : double ← long")]
#[case::bytes_as_text(order(&["a: bytes"]), order(&["a: string"]), "ValuesMayNotFit /fields/0/type field a: string ← bytes")]
#[case::two_records_of_one_name(union(&[&record("A", &["x: int"])]), union(&[&record("n.A", &["x: int"]), &record("m.A", &["x: int"])]),
    "AmbiguousUnion / :  ← record A, FullNameChanged /0 record A: n.A ← A")]
#[case::two_records_merged(union(&[&record("A", &["a: int"]), &record("B", &["b: int"])]), union(&[&aka(&record("B", &["a: int = 1", "b: int = 1"]), "A")]),
    "AmbiguousUnion / : record B ← , NeedsAlias /0 record B: B ← A, FullNameChanged /0 record B: B ← A")]
#[case::recursion(record("N", &["a: int = 1", r#"n: ["null","N"]"#]), record("N", &["a: int = 2", r#"n: ["null","N"]"#]),
    "DefaultChanged /fields/0 field a: 2 ← 1")]
fn changes(#[case] old: String, #[case] new: String, #[case] expected: &str) {
    let expected: Vec<&str> = expected.split(", ").filter(|line| !line.is_empty()).collect();
    // A precision has a comma, too.
    assert_eq!(given(&old, &new).join(", "), expected.join(", "));
}

#[test]
fn a_right_answer_of_the_registry_needs_no_advice() {
    let node = |value: &str| record("Node", &[&format!("value: {value}"), r#"next: ["null","Node"] = null"#]);
    assert_eq!(accepted_though_unreadable(&schema(&node("long")), &schema(&node("int"))), None);
}

#[test]
fn advice_on_many_changes_is_bounded() {
    let fields = |default: u32| -> Vec<String> { (0..3000).map(|at| format!("f{at}: int = {default}")).collect() };
    let whole = |default: u32| {
        let fields = fields(default);
        order(&fields.iter().map(String::as_str).collect::<Vec<_>>())
    };
    assert!(given(&whole(1), &whole(2)).len() >= 1000);
}

#[test]
fn ten_thousand_fields_under_new_names_take_no_time() {
    let fields = |prefix: &str| -> Vec<String> { (0..10_000).map(|at| format!("{prefix}{at}: int = {at}")).collect() };
    let whole = |prefix: &str| {
        let fields = fields(prefix);
        order(&fields.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let (old, new) = (schema(&whole("a")), schema(&whole("b")));
    let start = std::time::Instant::now();
    assert!(!advice(&new, &old).is_empty());
    assert!(start.elapsed().as_secs() < 5, "took {:?}", start.elapsed());
}
