//! What Karapace takes and refuses by Python's library, row by row where it differs from Java's. Answers of Karapace
//! 6.2.0 where it was asked (karapace-measured.md), else of that library.

use rstest::rstest;

use super::python::MAX_LEVELS;
use super::{Checks, Kind, Library, ParseError, ParsingRules, Schema, parse};
use crate::schema::{Reading, Reference};

fn read(text: &str, references: &[Reference]) -> Result<Schema, ParseError> {
    let checks = Checks { defaults: false, ..Checks::ALL };
    let rules = ParsingRules { library: Library::Python1_12, unwraps_names: false, new: checks, stored: checks };
    parse(text, references, Reading::New, &rules)
}

/// A record in namespace n with these fields, without their names and braces.
fn fields(written: &[&str]) -> String {
    let named = written.iter().enumerate().map(|(at, field)| format!(r#"{{"name":"f{at}",{field}}}"#));
    format!(r#"{{"type":"record","name":"n.R","fields":[{}]}}"#, named.collect::<Vec<_>>().join(","))
}

#[rstest]
#[case::comment("/* a */ \"int\"")]
#[case::name_as_the_whole("\"n.R\"")]
#[case::wrapped_name(&fields(&[r#""type":["null",{"type":"n.R"}]"#]))]
#[case::leading_dot(r#"{"type":"record","name":".A","fields":[]}"#)]
#[case::namespace_is_no_text(r#"{"type":"record","name":"A","namespace":5,"fields":[]}"#)]
#[case::hyphen_in_namespace(r#"{"type":"record","name":"A","namespace":"a-b","fields":[]}"#)]
#[case::letters_of_other_scripts(r#"{"type":"record","name":"é","fields":[]}"#)]
#[case::field_without_a_name(r#"{"type":"record","name":"A","fields":[{"name":"","type":"int"}]}"#)]
#[case::order_in_capitals(&fields(&[r#""type":"int","order":"Ignore""#]))]
#[case::defined_later(&fields(&[r#""type":"n.F""#, r#""type":{"type":"fixed","name":"F","size":1}"#]))]
#[case::defined_twice_alike(&fields(
    &[r#""type":{"type":"fixed","name":"F","size":1}"#, r#""type":{"type":"fixed","name":"F","size":1}"#]
))]
#[case::enum_default_null(r#"{"type":"enum","name":"E","symbols":["A"],"default":null}"#)]
#[case::symbol_with_a_hyphen(r#"{"type":"enum","name":"E","symbols":["a-b"]}"#)]
#[case::branch_twice(r#"["int","int"]"#)]
fn refused(#[case] text: &str) {
    let error = read(text, &[]).unwrap_err();
    assert!(error.is_refusal(), "{error}");
}

#[rstest]
#[case::namespace_null(r#"{"type":"record","name":"A","namespace":null,"fields":[]}"#)]
#[case::order_null(&fields(&[r#""type":"int","order":null"#]))]
#[case::any_default(&fields(&[r#""type":"int","default":"oops""#, r#""type":"float","default":"oops""#]))]
#[case::any_name_of_a_field(r#"{"type":"record","name":"A","fields":[{"name":"a-b","type":"int"}]}"#)]
#[case::any_aliases(r#"{"type":"record","name":"A","aliases":[5,"x-y"],"fields":[]}"#)]
#[case::aliases_that_are_none(&fields(&[r#""type":"int","aliases":5"#]))]
#[case::record_twice_in_a_union(&fields(&[r#""type":["n.R","n.R"]"#]))]
#[case::dotted_symbol(r#"{"type":"enum","name":"E","symbols":["a-b.C"]}"#)]
fn taken(#[case] text: &str) {
    read(text, &[]).unwrap();
}

/// Taken, but to what effect is not reproduced here: the registry decides alone.
#[rstest]
#[case::aliases_in_one_text(r#"{"type":"record","name":"A","aliases":"B","fields":[]}"#)]
#[case::aliases_that_are_no_names(&fields(&[r#""type":"int","aliases":[["a"]]"#]))]
#[case::symbols_in_one_text(r#"{"type":"enum","name":"E","symbols":"AB"}"#)]
#[case::size_true(r#"{"type":"fixed","name":"F","size":true}"#)]
#[case::size_beyond_32_bits(r#"{"type":"fixed","name":"F","size":2147483648}"#)]
#[case::union_of_errors(r#"{"type":"error_union","declared_errors":[]}"#)]
#[case::deep(&format!("{}\"int\"{}", r#"{"type":"array","items":"#.repeat(MAX_LEVELS + 1), "}".repeat(MAX_LEVELS + 1)))]
fn left_to_the_registry(#[case] text: &str) {
    let error = read(text, &[]).unwrap_err();
    assert!(!error.is_refusal(), "{error}");
}

/// The full names of the types of a record's fields.
fn full_names(text: &str) -> Vec<String> {
    let schema = read(text, &[]).unwrap();
    let Kind::Record(record) = schema.kind(schema.root()) else { panic!("a record") };
    let kinds = record.fields.iter().map(|field| schema.kind(field.kind));
    kinds.map(|kind| kind.names().map_or(kind.word().to_owned(), |(name, _)| name.to_string())).collect()
}

#[test]
fn an_empty_namespace_is_ignored_for_the_name_but_not_for_what_is_within() {
    let inner = r#"{"type":"record","name":"T","namespace":"","fields":[{"name":"x","type":"n.R"}]}"#;
    assert_eq!(full_names(&fields(&[&format!(r#""type":{inner}"#), r#""type":"T""#])), ["n.T", "n.T"]);
    // Within it, R is not n.R.
    let inner = inner.replace("\"n.R\"", "\"R\"");
    assert!(read(&fields(&[&format!(r#""type":{inner}"#)]), &[]).is_err());
}

#[test]
fn a_name_is_looked_for_in_its_namespace_alone() {
    let outer = |name: &str| {
        format!(
            r#"{{"type":"record","name":"F","fields":[{{"name":"a","type":{{"type":"record","name":"n.R","fields":[
                {{"name":"b","type":["null","{name}"]}}]}}}}]}}"#
        )
    };
    read(&outer("R"), &[]).unwrap();
    assert!(read(&outer("F"), &[]).is_err());
}

#[test]
fn the_fields_of_an_error_are_outside_its_namespace() {
    let error =
        |name: &str| format!(r#"{{"type":"error","name":"n.E","fields":[{{"name":"e","type":["null","{name}"]}}]}}"#);
    read(&error("n.E"), &[]).unwrap();
    assert!(read(&error("E"), &[]).is_err());
}

#[test]
fn within_a_namespace_a_type_may_be_named_as_a_primitive() {
    let text = fields(&[r#""type":{"type":"fixed","name":"int","size":4}"#, r#""type":"int""#]);
    assert_eq!(full_names(&text), ["n.int", "n.int"]);
}

#[test]
fn aliases_are_kept_as_written() {
    let schema = read(r#"{"type":"record","name":"n.R","aliases":["A","m.B"],"fields":[]}"#, &[]).unwrap();
    let (_, aliases) = schema.kind(schema.root()).names().unwrap();
    assert_eq!(aliases.iter().collect::<Vec<_>>(), ["A", "m.B"]);
}

#[test]
fn references_are_read_first() {
    let inner = r#"{"type":"record","name":"k.In","fields":[{"name":"x","type":"int","default":"oops"}]}"#;
    let outer = r#"{"type":"record","name":"k.Out","fields":[{"name":"i","type":"In"}]}"#;
    read(outer, &[Reference { name: "k.In", text: inner }]).unwrap();
    assert!(read(outer, &[]).is_err());
}
