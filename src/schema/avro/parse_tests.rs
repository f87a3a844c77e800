//! What registries take and refuse, by release and by whether the schema is new. Answers of Confluent 8.3.1 where it was
//! asked, else of the library that a release uses.

use rstest::rstest;

use super::{Checks, Kind, Library, ParseError, ParsingRules, Schema, parse};
use crate::schema::{MAX_DEPTH, Reading, Reference};

fn new_rules() -> ParsingRules {
    ParsingRules { library: Library::Java1_12, unwraps_names: true, new: Checks::ALL, stored: Checks::FEWEST }
}

fn old_rules() -> ParsingRules {
    ParsingRules { library: Library::Java1_11, unwraps_names: true, new: Checks::FEWEST, stored: Checks::FEWEST }
}

fn read(text: &str, reading: Reading, rules: ParsingRules) -> Result<Schema, ParseError> {
    parse(text, &[], reading, &rules)
}

fn refused(text: &str, reading: Reading, rules: ParsingRules) -> bool {
    match read(text, reading, rules) {
        Ok(_) => false,
        Err(error) => {
            assert!(error.is_refusal(), "{error}");
            true
        }
    }
}

/// A record with one field.
fn field(written: &str) -> String {
    format!(r#"{{"type":"record","name":"Quay","fields":[{{"name":"a",{written}}}]}}"#)
}

#[rstest]
#[case::no_type("{}")]
#[case::type_is_a_type(r#"{"type":{"type":"string"}}"#)]
#[case::not_json("string")]
#[case::not_json_at_all("syntax = \"proto3\";")]
#[case::blank(" \n")]
#[case::comment_only("// x")]
#[case::null("null")]
#[case::number("5")]
#[case::unknown_name("\"varchar\"")]
#[case::unknown_type(r#"{"type":"object","properties":{}}"#)]
#[case::record_without_name(r#"{"type":"record","fields":[]}"#)]
#[case::record_without_fields(r#"{"type":"record","name":"A"}"#)]
#[case::fields_are_no_list(r#"{"type":"record","name":"A","fields":{}}"#)]
#[case::field_is_no_object(r#"{"type":"record","name":"A","fields":["x"]}"#)]
#[case::field_without_type(r#"{"type":"record","name":"A","fields":[{"name":"x"}]}"#)]
#[case::field_without_name(r#"{"type":"record","name":"A","fields":[{"type":"int"}]}"#)]
#[case::field_of_unknown_type(r#"{"type":"record","name":"A","fields":[{"name":"x","type":"Zed"}]}"#)]
#[case::two_fields_of_one_name(
    r#"{"type":"record","name":"A","fields":[{"name":"x","type":"int"},{"name":"x","type":"int"}]}"#
)]
#[case::digit_first(r#"{"type":"record","name":"1A","fields":[]}"#)]
#[case::hyphen(r#"{"type":"record","name":"A-B","fields":[]}"#)]
#[case::empty_name(r#"{"type":"record","name":"","fields":[]}"#)]
#[case::name_ends_in_a_dot(r#"{"type":"record","name":"a.","fields":[]}"#)]
#[case::dollar_in_field(r#"{"type":"record","name":"A","fields":[{"name":"x$","type":"int"}]}"#)]
#[case::hyphen_in_alias(r#"{"type":"record","name":"A","aliases":["x-y"],"fields":[]}"#)]
#[case::aliases_are_no_list(r#"{"type":"record","name":"A","aliases":"B","fields":[]}"#)]
#[case::alias_is_no_text(r#"{"type":"record","name":"A","aliases":[1],"fields":[]}"#)]
#[case::named_as_a_primitive(r#"{"type":"record","name":"int","fields":[]}"#)]
#[case::enum_without_symbols(r#"{"type":"enum","name":"E"}"#)]
#[case::symbol_twice(r#"{"type":"enum","name":"E","symbols":["A","A"]}"#)]
#[case::symbol_with_hyphen(r#"{"type":"enum","name":"E","symbols":["a-b"]}"#)]
#[case::symbol_is_no_text(r#"{"type":"enum","name":"E","symbols":[1]}"#)]
#[case::enum_default_is_no_symbol(r#"{"type":"enum","name":"E","symbols":["A"],"default":"Z"}"#)]
#[case::fixed_without_size(r#"{"type":"fixed","name":"F"}"#)]
#[case::negative_size(r#"{"type":"fixed","name":"F","size":-1}"#)]
#[case::size_with_a_point(r#"{"type":"fixed","name":"F","size":4.0}"#)]
#[case::size_beyond_what_is_allocated(r#"{"type":"fixed","name":"F","size":2147483640}"#)]
#[case::array_without_items(r#"{"type":"array"}"#)]
#[case::map_without_values(r#"{"type":"map"}"#)]
#[case::branch_twice(r#"["int","int"]"#)]
#[case::unnamed_branch_twice(r#"[{"type":"array","items":"int"},{"type":"array","items":"string"}]"#)]
#[case::record_twice_by_name(r#"[{"type":"record","name":"A","fields":[]},"A"]"#)]
#[case::union_in_union(r#"["null",["int"]]"#)]
#[case::unknown_order(r#"{"type":"record","name":"A","fields":[{"name":"x","type":"int","order":"up"}]}"#)]
#[case::text_that_is_no_number(
    r#"{"type":"record","name":"A","fields":[{"name":"x","type":"float","default":"oops"}]}"#
)]
#[case::redefined(
    r#"[{"type":"fixed","name":"F","size":1},{"type":"array","items":{"type":"fixed","name":"F","size":2}}]"#
)]
#[case::text_after_it("\"int\" // comment")]
fn never_taken(#[case] text: &str) {
    for rules in [new_rules(), old_rules()] {
        assert!(refused(text, Reading::New, rules) && refused(text, Reading::Stored, rules), "{text}");
    }
}

#[rstest]
#[case::comments("/* a */ \"int\"")]
#[case::error_is_a_record(r#"{"type":"error","name":"A","fields":[]}"#)]
#[case::name_begins_with_a_dot(r#"{"type":"record","name":".A","fields":[]}"#)]
#[case::empty_namespace(r#"{"type":"record","name":"A","namespace":"","fields":[]}"#)]
#[case::namespace_is_no_text(r#"{"type":"record","name":"A","namespace":5,"fields":[]}"#)]
#[case::itself(r#"{"type":"record","name":"A","fields":[{"name":"a","type":["null","A"],"default":null}]}"#)]
#[case::wrapped_name(r#"{"type":"record","name":"A","fields":[{"name":"a","type":["null",{"type":"A"}]}]}"#)]
#[case::empty_union("[]")]
#[case::aliases_of_a_primitive(r#"{"type":"int","aliases":5}"#)]
#[case::any_field_alias(r#"{"type":"record","name":"A","fields":[{"name":"x","type":"int","aliases":["x-y"]}]}"#)]
#[case::order(r#"{"type":"record","name":"A","fields":[{"name":"x","type":"int","order":"Ignore"}]}"#)]
#[case::key_twice(r#"{"type":"nonsense","type":"int"}"#)]
#[case::not_a_number(r#"{"type":"record","name":"A","fields":[{"name":"x","type":"float","default":"NaN"}]}"#)]
fn always_taken(#[case] text: &str) {
    for rules in [new_rules(), old_rules()] {
        for reading in [Reading::New, Reading::Stored] {
            read(text, reading, rules).unwrap();
        }
    }
}

#[rstest]
#[case::hyphen_in_namespace(r#"{"type":"record","name":"A","namespace":"a-b","fields":[]}"#)]
#[case::dollar_in_namespace(r#"{"type":"record","name":"A","namespace":"a.$b","fields":[]}"#)]
#[case::namespace_within_the_name(r#"{"type":"record","name":"a-b.C","fields":[]}"#)]
#[case::digit_in_namespace(r#"{"type":"record","name":"A","namespace":"a.1b","fields":[]}"#)]
#[case::empty_part(r#"{"type":"record","name":"A","namespace":"a..b","fields":[]}"#)]
#[case::trailing_dot(r#"{"type":"record","name":"A","namespace":"a.b.","fields":[]}"#)]
#[case::other_letters(r#"{"type":"record","name":"é","fields":[]}"#)]
#[case::text_for_int(&field(r#""type":"int","default":"x""#))]
#[case::fraction_for_int(&field(r#""type":"int","default":1.5"#))]
#[case::too_large_for_int(&field(r#""type":"int","default":2147483648"#))]
#[case::too_large_for_long(&field(r#""type":"long","default":99999999999999999999"#))]
#[case::null_for_string(&field(r#""type":"string","default":null"#))]
#[case::null_for_array(&field(r#""type":{"type":"array","items":"int"},"default":null"#))]
#[case::item_of_another_type(&field(r#""type":{"type":"array","items":"int"},"default":["x"]"#))]
#[case::incomplete_record(
    &field(r#""type":{"type":"record","name":"In","fields":[{"name":"x","type":"int"}]},"default":{}"#)
)]
#[case::no_branch(&field(r#""type":["null","int"],"default":"x""#))]
#[case::text_number_in_a_union(&field(r#""type":["null","float"],"default":"NaN""#))]
#[case::itself(&field(r#""type":"Quay","default":{}"#))]
fn refused_only_when_new(#[case] text: &str) {
    assert!(refused(text, Reading::New, new_rules()), "{text}");
    read(text, Reading::Stored, new_rules()).unwrap();
    // 7.9 checks neither names beyond their letters, nor defaults.
    read(text, Reading::New, old_rules()).unwrap();
}

#[rstest]
#[case::any_branch(&field(r#""type":["int","null"],"default":null"#))]
#[case::first_branch(&field(r#""type":["null","int"],"default":null"#))]
#[case::enum_value_is_not_looked_up(&field(r#""type":{"type":"enum","name":"K","symbols":["A"]},"default":"Z""#))]
#[case::fixed_length_is_not_counted(&field(r#""type":{"type":"fixed","name":"F","size":2},"default":"abc""#))]
#[case::field_default_completes(
    &field(r#""type":{"type":"record","name":"In","fields":[{"name":"x","type":"int","default":1}]},"default":{}"#)
)]
#[case::whole_number_for_double(&field(r#""type":"double","default":1"#))]
#[case::last_of_a_repeated_key(&field(r#""type":{"type":"map","values":"int"},"default":{"a":"x","a":1}"#))]
#[case::record_that_refers_to_itself(
    r#"{"type":"record","name":"R","fields":[{"name":"a","type":{"type":"record","name":"In","fields":[
        {"name":"n","type":["null","In"]}]},"default":{"n":{"n":null}}}]}"#
)]
fn good_defaults(#[case] text: &str) {
    read(text, Reading::New, new_rules()).unwrap();
}

#[test]
fn with_1_11_a_default_fits_the_first_branch() {
    let rules = ParsingRules { new: Checks { defaults: true, ..Checks::FEWEST }, ..old_rules() };
    let second = field(r#""type":["int","null"],"default":null"#);
    assert!(refused(&second, Reading::New, rules));
    read(&field(r#""type":["null","int"],"default":null"#), Reading::New, rules).unwrap();
    read(&second, Reading::Stored, rules).unwrap();
}

#[rstest]
#[case::defined_later(
    r#"{"type":"record","name":"R","fields":[{"name":"a","type":"In"},
        {"name":"b","type":{"type":"fixed","name":"In","size":1}}]}"#
)]
#[case::defined_twice_alike(
    r#"{"type":"record","name":"R","fields":[{"name":"a","type":{"type":"fixed","name":"In","size":1}},
        {"name":"b","type":{"type":"fixed","name":"In","size":1,"doc":"again"}}]}"#
)]
fn with_1_12_definitions_may_come_later_and_again(#[case] text: &str) {
    read(text, Reading::New, new_rules()).unwrap();
    assert!(refused(text, Reading::New, old_rules()));
}

#[rstest]
#[case::fields(
    r#"{"type":"record","name":"In","fields":[{"name":"x","type":"int"}]}"#,
    r#"{"type":"record","name":"In","fields":[]}"#
)]
#[case::property(r#"{"type":"fixed","name":"In","size":1,"p":1}"#, r#"{"type":"fixed","name":"In","size":1,"p":2}"#)]
#[case::itself(
    r#"{"type":"record","name":"In","fields":[{"name":"n","type":["null","In"]}]}"#,
    r#"{"type":"record","name":"In","fields":[{"name":"n","type":["null","In"]}]}"#
)]
fn another_definition_of_a_name_is_refused(#[case] one: &str, #[case] other: &str) {
    let text = format!(r#"[{{"type":"array","items":{one}}},{{"type":"map","values":{other}}}]"#);
    assert!(matches!(read(&text, Reading::Stored, new_rules()), Err(ParseError::Redefined { .. })));
}

#[test]
fn a_name_without_namespace_is_looked_for_last() {
    let text = r#"{"type":"record","name":"n.R","fields":[
        {"name":"a","type":{"type":"fixed","name":"F","namespace":"","size":1}},
        {"name":"b","type":"F"},
        {"name":"c","type":{"type":"fixed","name":"F","size":2}},
        {"name":"d","type":"F"}]}"#;
    let schema = read(text, Reading::New, new_rules()).unwrap();
    let Kind::Record(record) = schema.kind(schema.root()) else { panic!("a record") };
    let sizes = record.fields.iter().map(|field| match schema.kind(field.kind) {
        Kind::Fixed(fixed) => fixed.size,
        _ => 0,
    });
    assert_eq!(sizes.collect::<Vec<_>>(), [1, 1, 2, 2]);
}

#[test]
fn references_are_read_first_by_the_same_parser() {
    let inner = r#"{"type":"record","name":"k.In","fields":[{"name":"x","type":"int","default":"oops"}]}"#;
    let outer = r#"{"type":"record","name":"k.Out","fields":[{"name":"i","type":"In"}]}"#;
    let references = [Reference { name: "k.In", text: inner }];
    let error = parse(outer, &references, Reading::New, &new_rules()).unwrap_err();
    assert_eq!(error.to_string(), "in the referenced schema k.In: the default of field x is \"oops\", which is no int");
    assert!(error.is_refusal());
    parse(outer, &references, Reading::Stored, &new_rules()).unwrap();
    assert!(parse(outer, &[], Reading::Stored, &new_rules()).is_err());
}

#[test]
fn a_reference_may_be_written_out_again() {
    let inner = r#"{"type":"record","name":"In","fields":[{"name":"n","type":["null","In"]}]}"#;
    let outer = format!(r#"{{"type":"record","name":"Out","fields":[{{"name":"i","type":{inner}}}]}}"#);
    let references = [Reference { name: "In", text: inner }];
    parse(&outer, &references, Reading::New, &new_rules()).unwrap();
    assert!(parse(&outer, &references, Reading::New, &old_rules()).is_err());
}

fn nested(levels: usize) -> String {
    format!("{}\"int\"{}", r#"{"type":"array","items":"#.repeat(levels), "}".repeat(levels))
}

#[test]
fn nesting_is_bounded_and_what_is_deeper_is_not_called_invalid() {
    // Two MiB, what a thread of the operator has.
    let thread = std::thread::Builder::new().stack_size(2 << 20);
    let parse_all = || {
        read(&nested(MAX_DEPTH), Reading::New, new_rules()).unwrap();
        let error = read(&nested(MAX_DEPTH + 1), Reading::New, new_rules()).unwrap_err();
        assert_eq!((error.is_refusal(), error), (false, ParseError::TooDeep { levels: MAX_DEPTH }));
        assert!(matches!(read(&nested(200_000), Reading::New, new_rules()), Err(ParseError::TooDeep { .. })));
    };
    thread.spawn(parse_all).unwrap().join().unwrap();
}

#[test]
fn a_default_that_fits_in_too_many_ways_is_left_to_the_registry() {
    let default = (0..200).fold(r#"{"x":5}"#.to_owned(), |inner, _| format!(r#"{{"x":{inner}}}"#));
    let record =
        |name: &str| format!(r#"{{"type":"record","name":"{name}","fields":[{{"name":"x","type":["A","B"]}}]}}"#);
    let text = format!(
        r#"{{"type":"record","name":"R","fields":[{{"name":"u","type":[{},{}]}},
            {{"name":"v","type":["A","B"],"default":{default}}}]}}"#,
        record("A"),
        record("B")
    );
    let error = read(&text, Reading::New, new_rules()).unwrap_err();
    assert_eq!((error.is_refusal(), error), (false, ParseError::TooCostly));
}

#[test]
fn a_mistake_is_told_with_its_place() {
    let error = read("{\"type\": \"record\",\n \"name\": Order}", Reading::New, new_rules()).unwrap_err();
    assert_eq!(error.to_string(), "the schema is not JSON: expected a value at line 2, column 10");
}

/// A record in a namespace of so many bytes, with so many fields of a type.
fn in_namespace(bytes: usize, fields: usize, kind: impl Fn(usize) -> String) -> String {
    let fields: Vec<String> = (0..fields).map(|at| format!(r#"{{"name":"f{at}","type":{}}}"#, kind(at))).collect();
    let namespace = format!("{}b", "a.".repeat(bytes / 2));
    format!(r#"{{"type":"record","name":"R","namespace":"{namespace}","fields":[{}]}}"#, fields.join(","))
}

#[rstest]
#[case::definitions(in_namespace(20_000, 500, |at| format!(r#"{{"type":"fixed","name":"F{at}","size":1}}"#)))]
#[case::aliases(
    in_namespace(20_000, 1, |_| {
        let aliases: Vec<String> = (0..500).map(|at| format!("\"A{at}\"")).collect();
        format!(r#"{{"type":"fixed","name":"F","size":1,"aliases":[{}]}}"#, aliases.join(","))
    })
)]
#[case::names_that_come_later(in_namespace(20_000, 500, |_| "\"R\"".to_owned()))]
#[case::uses(in_namespace(200_000, 500, |at| match at {
    0 => r#"{"type":"fixed","name":"F","size":1}"#.to_owned(),
    _ => "\"F\"".to_owned(),
}))]
fn a_long_namespace_of_many_names_is_left_to_the_registry(#[case] text: String) {
    let error = read(&text, Reading::New, new_rules()).unwrap_err();
    assert_eq!((error.is_refusal(), error), (false, ParseError::NamesTooLong));
}

#[test]
fn ten_thousand_types_of_a_namespace_are_no_matter() {
    let fixed = |at| format!(r#"{{"type":"fixed","name":"Fingerprint{at}","size":1}}"#);
    read(&in_namespace(100, 10_000, fixed), Reading::New, new_rules()).unwrap();
}
