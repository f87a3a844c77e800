//! Every rule, one example: what is said to the person who made the change, and what would mend it. Each hint is tried:
//! with the change made, the engine no longer finds the difference.

use rstest::rstest;

use super::notation::*;
use super::{hint, mend, sentence};
use crate::compat::levels::Direction::{self, Backward, Forward};
use crate::compat::{Difference, Policy};
use crate::schema::Reading;
use crate::schema::avro::parse;

/// The only difference of a change.
fn difference(old: &str, new: &str, direction: Direction) -> Difference {
    let mut found = match direction {
        Backward => compare(new, old),
        Forward => compare(old, new),
    };
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

fn mended(old: &str, new: &str, direction: Direction) -> Option<String> {
    let difference = difference(old, new, direction);
    let hint = hint(&difference, direction)?;
    let mended = mend(new, &difference, direction)?;
    let candidate = parse(&mended, &[], Reading::New, &rules().parsing).unwrap();
    let (reader, writer) = match direction {
        Backward => (candidate, schema(old)),
        Forward => (schema(old), candidate),
    };
    assert_eq!(super::differences(&reader, &writer, &rules(), Policy::Strict).unwrap(), [], "{mended}");
    Some(hint)
}

fn order(fields: &[&str]) -> String {
    record("shop.Order", fields)
}

fn in_union(fields: &[&str]) -> String {
    order(&[&format!("s: {}", union(&["null", &record("S", fields)]))])
}

#[rstest]
#[case::field_added(order(&[]), order(&["currency: string"]),
    "field currency is new and has no default, so data written with version 3 cannot be read",
    "give currency a default")]
#[case::field_added_within(order(&[&format!("a: {}", record("Address", &[]))]), order(&[&format!("a: {}", record("Address", &["zip: int"]))]),
    "field zip of Address is new and has no default, so data written with version 3 cannot be read",
    "give zip of Address a default")]
#[case::enum_field_added(order(&[]), order(&[&format!("k: {}", symbols_or("Kind", "A B", "B"))]),
    "field k is new and has no default of its own; that of enum Kind does not count, so data written with version 3 cannot be read",
    "give k a default")]
#[case::type_changed(order(&["amount: double"]), order(&["amount: int = 1"]),
    "field amount is now int, which cannot be read from double, so data written with version 3 cannot be read",
    "keep field amount double")]
#[case::items_changed(order(&[&format!("tags: {}", array("string"))]), order(&[&format!("tags: {}", array("int"))]),
    "items of field tags is now int, which cannot be read from string, so data written with version 3 cannot be read",
    "keep items of field tags string")]
#[case::whole_type_changed("\"int\"".into(), "\"string\"".into(),
    "the schema is now string, which cannot be read from int, so data written with version 3 cannot be read",
    "keep the schema int")]
#[case::renamed(record("shop.One", &[]), record("shop.Two", &[]),
    "record Two is shop.One in version 3 and has no alias for that, so data written with version 3 cannot be read",
    "give record Two the alias shop.One")]
#[case::renamed_again(record("shop.One", &[]), aka(&record("shop.Two", &[]), "Zero"),
    "record Two is shop.One in version 3 and has no alias for that, so data written with version 3 cannot be read",
    "give record Two the alias shop.One")]
#[case::size(
    fixed("Hash", 16),
    fixed("Hash", 32),
    "fixed Hash has 32 bytes, and 16 in version 3, so data written with version 3 cannot be read",
    "keep the size 16 of fixed Hash"
)]
#[case::symbols_gone(
    symbols("Kind", "A C B"),
    symbols("Kind", "A"),
    "enum Kind lacks B, C and has no default, so data written with version 3 cannot be read",
    "keep B, C in enum Kind"
)]
#[case::branch_gone(order(&[&format!("s: {}", union(&["null", "int", "string"]))]), order(&[&format!("s: {}", union(&["null", "int"]))]),
    "field s is null or int, which lacks string, so data written with version 3 cannot be read",
    "keep string in field s")]
#[case::branch_changed_inside(in_union(&["n: int"]), in_union(&["n: int", "z: int"]),
    "field s cannot read record S as version 3 has it (field z of S has no default, and the writer lacks it), so data written with version 3 cannot be read",
    "give z of S a default")]
#[case::ambiguous(order(&["x: int", "y: int"]), order(&["y: int aka x"]),
    "field y matches more than one field of version 3 by name and alias (y, x), so the registry cannot compare them",
    "take the aliases off field y")]
fn backward(#[case] old: String, #[case] new: String, #[case] said: &str, #[case] hinted: &str) {
    assert_eq!(sentence(&difference(&old, &new, Backward), Backward, "version 3"), said);
    assert_eq!(mended(&old, &new, Backward).as_deref(), Some(hinted));
}

#[rstest]
#[case::field_gone(order(&["id: int", "status: string"]), order(&["id: int"]),
    "field status is gone and has no default in version 3, so readers with version 3 cannot read new data",
    Some("keep status"))]
#[case::last_field_gone(order(&["tags: {\"type\":\"array\",\"items\":[\"null\",\"int\"]}"]), order(&[]),
    "field tags is gone and has no default in version 3, so readers with version 3 cannot read new data",
    Some("keep tags"))]
#[case::enum_field_gone(order(&[&format!("k: {}", symbols_or("Kind", "A B", "B"))]), order(&[]),
    "field k is gone and has no default of its own in version 3; that of enum Kind does not count, so readers with version 3 cannot read new data",
    None)]
#[case::type_changed(order(&["amount: int"]), order(&["amount: long = 1"]),
    "field amount is now long, which cannot be read as int, so readers with version 3 cannot read new data",
    Some("keep field amount int"))]
#[case::made_nullable(order(&["amount: int"]), order(&["amount: [\"null\",\"int\"]"]),
    "field amount is now null, which cannot be read as int, so readers with version 3 cannot read new data",
    Some("keep field amount int"))]
#[case::renamed(record("shop.One", &[]), record("shop.Two", &[]),
    "record One is now shop.Two, and version 3 has no alias for that, so readers with version 3 cannot read new data",
    Some("keep the name shop.One"))]
#[case::size(
    fixed("Hash", 16),
    fixed("Hash", 32),
    "fixed Hash has now 32 bytes, and 16 in version 3, so readers with version 3 cannot read new data",
    Some("keep the size 16 of fixed Hash")
)]
#[case::symbols_added(
    symbols("Kind", "A"),
    symbols("Kind", "A B"),
    "enum Kind has now B, which version 3 lacks without a default, so readers with version 3 cannot read new data",
    Some("leave B out of enum Kind until its readers have a default")
)]
#[case::branch_added(order(&[&format!("s: {}", union(&["null", "int"]))]), order(&[&format!("s: {}", union(&["null", "int", "string"]))]),
    "field s may now be string, and is only null or int in version 3, so readers with version 3 cannot read new data",
    Some("leave string out of field s"))]
#[case::branch_changed_inside(in_union(&["n: int", "z: int"]), in_union(&["n: int"]),
    "field s may hold the new record S, which version 3 cannot read (field z of S has no default, and the writer lacks it), so readers with version 3 cannot read new data",
    None)]
#[case::ambiguous(order(&["y: int aka x"]), order(&["x: int", "y: int"]),
    "field y of version 3 matches more than one field by name and alias (y, x), so the registry cannot compare them",
    None)]
fn forward(#[case] old: String, #[case] new: String, #[case] said: &str, #[case] hinted: Option<&str>) {
    assert_eq!(sentence(&difference(&old, &new, Forward), Forward, "version 3"), said);
    assert_eq!(mended(&old, &new, Forward).as_deref(), hinted);
}

#[test]
fn a_mended_text_keeps_all_else_as_it_was() {
    let old = record("R", &[]);
    let new = "{ \"type\": \"record\", // a comment\n  \"name\": \"R\",\n  \"fields\": [\n    { \"name\": \"a\", \"type\": \"int\" } ] }";
    let found = difference(&old, new, Backward);
    assert_eq!(mend(new, &found, Backward).unwrap(), new.replace("\"int\"", "\"int\", \"default\": 0"));
}

#[test]
fn long_lists_are_cut() {
    let names: Vec<String> = (10..60).map(|number| format!("S{number}")).collect();
    let old = symbols("Kind", &names.join(" "));
    let found = difference(&old, &symbols("Kind", "S10"), Backward);
    assert!(found.facts.writer.ends_with("S30, 29 more"), "{}", found.facts.writer);
    assert_eq!(mend(&symbols("Kind", "S10"), &found, Backward), None);
}
