//! Hostile and large schemas: each comparison is bounded, and large ordinary ones are no work. What is asserted is what
//! was answered within the budget of pairs, not a time.

use super::notation::*;
use crate::compat::{Difference, Failure, Policy};
use crate::schema::avro::Schema;

fn compare_all(reader: &Schema, writer: &Schema) -> Result<Vec<Difference>, Failure> {
    super::differences(reader, writer, &rules(), Policy::Strict)
}

/// A record of so many fields.
fn wide(fields: usize, kind: &str) -> String {
    let fields: Vec<String> = (0..fields).map(|at| format!("field{at}: {kind}")).collect();
    record("R", &fields.iter().map(String::as_str).collect::<Vec<_>>())
}

/// A union of so many records; `recursive` ones can be met from more than one place.
fn records(branches: usize, tag: &str, recursive: bool) -> String {
    let branch = |at: usize| {
        let next = format!(r#"next: ["null","{tag}{at}"]"#);
        let fields = ["id: long", "name: string", &next];
        record(&format!("{tag}{at}"), if recursive { &fields } else { &fields[..2] })
    };
    let branches: Vec<String> = (0..branches).map(branch).collect();
    union(&branches.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn a_record_of_ten_thousand_fields() {
    let (ints, texts) = (schema(&wide(10_000, "int")), schema(&wide(10_000, "string")));
    assert_eq!(compare_all(&ints, &ints).unwrap(), []);
    assert_eq!(compare_all(&ints, &texts).unwrap().len(), 10_000);
}

#[test]
fn a_union_of_thousands_of_records() {
    let (old, new) = (schema(&records(4_000, "A", false)), schema(&records(4_000, "B", false)));
    assert_eq!(compare_all(&old, &old).unwrap(), []);
    assert_eq!(compare_all(&new, &old).unwrap().len(), 4_000);
}

#[test]
fn a_union_of_recursive_records() {
    let (old, new) = (schema(&records(2_000, "A", true)), schema(&records(2_000, "B", true)));
    assert_eq!(compare_all(&old, &old).unwrap(), []);
    assert!(matches!(compare_all(&new, &old), Err(Failure::Unsupported(_))));
    let (old, new) = (schema(&records(200, "A", true)), schema(&records(200, "B", true)));
    assert_eq!(compare_all(&new, &old).unwrap().len(), 200);
}

/// Each record holds the one before twice, so the library's list doubles with each.
fn doubling(levels: usize, innermost: &str) -> String {
    let mut fields = vec![format!("f0: {}", record("N0", &[&format!("x: {innermost}")]))];
    for level in 1..levels {
        let before = format!("N{}", level - 1);
        fields.push(format!(
            "f{level}: {}",
            record(&format!("N{level}"), &[&format!("a: {before}"), &format!("b: {before}")])
        ));
    }
    record("R", &fields.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn an_exponential_list_is_cut() {
    let (old, new) = (schema(&doubling(200, "string")), schema(&doubling(200, "int")));
    assert_eq!(compare_all(&new, &old).unwrap().len(), 10_000);
}

/// A chain of records by name, met from its end.
fn chain(links: usize, innermost: &str) -> String {
    let link = |at: usize| {
        let inner = if at == 0 { format!("a: {innermost}") } else { format!("a: N{}", at - 1) };
        format!("f{at}: {}", record(&format!("N{at}"), &[&inner]))
    };
    let fields: Vec<String> = (0..links).rev().map(link).collect();
    record("R", &fields.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn a_deep_chain_does_not_exhaust_the_stack() {
    // Two MiB, what a thread of the operator has.
    let thread = std::thread::Builder::new().stack_size(2 << 20);
    let compare_chains = || {
        let (old, new) = (schema(&chain(5_000, "string")), schema(&chain(5_000, "int")));
        assert_eq!(compare_all(&old, &old).unwrap(), []);
        assert!(matches!(compare_all(&new, &old), Err(Failure::Unsupported(_))));
        let (old, new) = (schema(&chain(450, "string")), schema(&chain(450, "int")));
        assert_eq!(compare_all(&new, &old).unwrap().len(), 450);
    };
    thread.spawn(compare_chains).unwrap().join().unwrap();
}

/// Records each of which holds the one before in a union.
fn chain_of_unions(links: usize, innermost: &str) -> String {
    let link = |at: usize| {
        let inner =
            if at == 0 { format!("x: {innermost}") } else { format!("u: {}", union(&[&format!("R{}", at - 1)])) };
        format!("a{at}: {}", record(&format!("R{at}"), &[&inner]))
    };
    let fields: Vec<String> = (0..links).map(link).collect();
    record("T", &fields.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn a_long_chain_of_reasons_is_told_by_its_last_one() {
    let thread = std::thread::Builder::new().stack_size(512 << 10);
    let compare_chains = || {
        let (old, new) = (schema(&chain_of_unions(600, "int")), schema(&chain_of_unions(600, "boolean")));
        let found = compare_all(&new, &old).unwrap();
        assert_eq!(
            (found.len(), found[0].rule, &*found[0].path),
            (600, "TYPE_MISMATCH", "/fields/0/type/fields/0/type")
        );
        let last = &found[599];
        assert_eq!((last.rule, &*last.path), ("MISSING_UNION_BRANCH", "/fields/599/type/fields/0/type/0"));
        assert_eq!(last.facts.reader, "record R598; field x of R0 is boolean for the reader and int for the writer");
    };
    thread.spawn(compare_chains).unwrap().join().unwrap();
}
