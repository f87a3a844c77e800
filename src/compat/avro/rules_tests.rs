//! compat.md §1.2, §1.3, §1.5 and §6 as tables: each row is an old and a new schema, what the new reader says (BACKWARD)
//! and what the old reader says (FORWARD).

use rstest::rstest;

use super::notation::*;
use crate::compat::{CONFLUENT_7_9, Policy};
use crate::schema::avro::parse;
use crate::schema::{Reading, Reference};

fn both(old: &str, new: &str) -> (String, String) {
    (told(new, old), told(old, new))
}

#[track_caller]
fn says(old: &str, new: &str, backward: &str, forward: &str) {
    assert_eq!(both(old, new), (backward.to_owned(), forward.to_owned()), "{old}\n→ {new}");
}

const OK: &str = "";

#[rstest]
fn primitives_are_promoted_one_way() {
    let all = ["null", "boolean", "int", "long", "float", "double", "bytes", "string"];
    let promoted = [
        ("int", "long"),
        ("int", "float"),
        ("int", "double"),
        ("long", "float"),
        ("long", "double"),
        ("float", "double"),
        ("string", "bytes"),
        ("bytes", "string"),
    ];
    for old in all {
        for new in all {
            let reads = old == new || promoted.contains(&(old, new));
            assert_eq!(told(new, old), if reads { OK } else { "TYPE_MISMATCH /" }, "{old} read as {new}");
        }
    }
}

#[rstest]
#[case::array(array("int"), array("long"), OK, "TYPE_MISMATCH /items")]
#[case::map(map("int"), map("string"), "TYPE_MISMATCH /values", "TYPE_MISMATCH /values")]
#[case::array_is_no_map(array("int"), map("int"), "TYPE_MISMATCH /", "TYPE_MISMATCH /")]
#[case::deep(array(&map(&array("int"))), array(&map(&array("null"))), "TYPE_MISMATCH /items/values/items", "TYPE_MISMATCH /items/values/items")]
#[case::fixed_size(fixed("F", 4), fixed("F", 8), "FIXED_SIZE_MISMATCH /size", "FIXED_SIZE_MISMATCH /size")]
#[case::fixed_name_and_size(
    fixed("F", 4),
    fixed("G", 8),
    "NAME_MISMATCH /name, FIXED_SIZE_MISMATCH /size",
    "NAME_MISMATCH /name, FIXED_SIZE_MISMATCH /size"
)]
#[case::fixed_is_no_bytes(fixed("F", 4), "bytes".into(), "TYPE_MISMATCH /", "TYPE_MISMATCH /")]
#[case::enum_is_no_string(symbols("E", "A"), "string".into(), "TYPE_MISMATCH /", "TYPE_MISMATCH /")]
#[case::enum_grows(symbols("E", "A"), symbols("E", "A B"), OK, "MISSING_ENUM_SYMBOLS /symbols")]
#[case::enum_order(symbols("E", "A B"), symbols("E", "B A"), OK, OK)]
#[case::enum_shrinks_to_a_default(symbols("E", "A B C"), symbols_or("E", "A", "A"), OK, OK)]
#[case::the_default_of_the_writer_does_not_count(
    symbols_or("E", "A B", "A"),
    symbols("E", "A"),
    "MISSING_ENUM_SYMBOLS /symbols",
    OK
)]
#[case::enum_name_and_symbols(
    symbols("E", "A"),
    symbols("F", "B"),
    "NAME_MISMATCH /name, MISSING_ENUM_SYMBOLS /symbols",
    "NAME_MISMATCH /name, MISSING_ENUM_SYMBOLS /symbols"
)]
#[case::error_is_record(record("R", &["a: int"]), record("R", &["a: int"]).replace("record", "error"), OK, OK)]
#[case::dotted_name(within("foo.bar", &record("baz", &[])), record("foo.bar.baz", &[]), OK, OK)]
fn types_and_names(#[case] old: String, #[case] new: String, #[case] backward: &str, #[case] forward: &str) {
    says(&old, &new, backward, forward);
}

#[rstest]
#[case::namespace_alone("n.R", "m.R", OK, OK)]
#[case::short_name("n.R", "n.S", "NAME_MISMATCH /name", "NAME_MISMATCH /name")]
fn namespaces_do_not_count(#[case] old: &str, #[case] new: &str, #[case] backward: &str, #[case] forward: &str) {
    says(&record(old, &[]), &record(new, &[]), backward, forward);
    says(&symbols(old, "A"), &symbols(new, "A"), backward, forward);
    says(&fixed(old, 1), &fixed(new, 1), backward, forward);
}

#[rstest]
#[case::short_alias("n.R", "n.S", "R", OK)]
#[case::full_alias("n.R", "m.S", "n.R", OK)]
#[case::alias_of_another_namespace("n.R", "m.S", "R", "NAME_MISMATCH /name")]
#[case::alias_without_namespace_in_one("R", "m.S", ".R", "NAME_MISMATCH /name")]
#[case::alias_without_namespace("R", "S", "R", OK)]
fn aliases_of_the_reader_count_by_full_name(
    #[case] old: &str,
    #[case] new: &str,
    #[case] alias: &str,
    #[case] backward: &str,
) {
    let forward = "NAME_MISMATCH /name";
    says(&record(old, &[]), &aka(&record(new, &[]), alias), backward, forward);
    says(&symbols(old, "A"), &aka(&symbols(new, "A"), alias), backward, forward);
    says(&fixed(old, 1), &aka(&fixed(new, 1), alias), backward, forward);
}

const NO_DEFAULT: &str = "READER_FIELD_MISSING_DEFAULT_VALUE /fields/0";

#[rstest]
#[case::added_without_default(&[], &["a: int"], NO_DEFAULT, OK)]
#[case::added_with_default(&[], &["a: int = 0"], OK, OK)]
#[case::null_is_a_default(&[], &[r#"a: ["null","int"] = null"#], OK, OK)]
#[case::nullable_is_no_default(&[], &[r#"a: ["null","int"]"#], NO_DEFAULT, OK)]
#[case::wrong_default_counts_when_stored(&[], &[r#"a: int = "x""#], OK, OK)]
#[case::renamed(&["a: int"], &["b: int"], NO_DEFAULT, NO_DEFAULT)]
#[case::renamed_with_alias(&["a: int"], &["b: int aka a"], OK, NO_DEFAULT)]
#[case::alias_of_the_writer_does_not_count(&["a: int aka b"], &["b: int"], NO_DEFAULT, OK)]
#[case::reordered(&["a: int", "b: string"], &["b: string", "a: int"], OK, OK)]
#[case::type_at_the_readers_place(&["a: int", "b: string"], &["b: int", "a: int"], "TYPE_MISMATCH /fields/0/type", "TYPE_MISMATCH /fields/1/type")]
#[case::all_are_told(&["a: int", "b: int"], &["c: int", "a: string", "d: int"], "READER_FIELD_MISSING_DEFAULT_VALUE /fields/0, TYPE_MISMATCH /fields/1/type, READER_FIELD_MISSING_DEFAULT_VALUE /fields/2", "TYPE_MISMATCH /fields/0/type, READER_FIELD_MISSING_DEFAULT_VALUE /fields/1")]
#[case::ambiguous_alias(&["x: int", "y: int"], &["y: int aka x"], "EXCEPTION ", "READER_FIELD_MISSING_DEFAULT_VALUE /fields/0")]
#[case::alias_that_is_the_name(&["x: int"], &["x: int aka x"], "EXCEPTION ", OK)]
#[case::an_exception_hides_all_else(&["x: int", "y: int"], &["z: int", "y: int aka x"], "EXCEPTION ", "READER_FIELD_MISSING_DEFAULT_VALUE /fields/0")]
fn fields(#[case] old: &[&str], #[case] new: &[&str], #[case] backward: &str, #[case] forward: &str) {
    says(&record("R", old), &record("R", new), backward, forward);
}

#[test]
fn an_enums_default_is_no_default_of_a_field() {
    let new = format!("a: {}", symbols_or("E", "A B", "A"));
    says(&record("R", &[]), &record("R", &[&new]), "TYPE_MISMATCH /fields/0/type", OK);
}

#[rstest]
#[case::branch_added(union(&["null"]), union(&["null", "int"]), OK, "MISSING_UNION_BRANCH /1")]
#[case::branch_reordered(union(&["null", "int"]), union(&["int", "null"]), OK, OK)]
#[case::writers_index_is_told(union(&["null", "int", "string"]), union(&["null"]), "MISSING_UNION_BRANCH /1, MISSING_UNION_BRANCH /2", OK)]
#[case::branches_are_promoted(union(&["int", "float"]), union(&["double"]), OK, "MISSING_UNION_BRANCH /0")]
#[case::to_one_type(union(&["null", "int"]), "int".into(), "TYPE_MISMATCH /0", OK)]
#[case::to_one_type_that_reads_all(union(&["int", "float"]), "double".into(), OK, "MISSING_UNION_BRANCH /")]
#[case::from_one_type("int".into(), union(&["null", "long"]), OK, "TYPE_MISMATCH /0, TYPE_MISMATCH /1")]
#[case::from_a_type_that_it_lacks("string".into(), union(&["null", "long"]), "MISSING_UNION_BRANCH /", "TYPE_MISMATCH /0, TYPE_MISMATCH /1")]
#[case::nothing_to_read(union(&[]), "int".into(), OK, "MISSING_UNION_BRANCH /")]
#[case::nothing_reads(union(&["null"]), union(&[]), "MISSING_UNION_BRANCH /0", OK)]
#[case::nested_reasons_are_not_told(union(&["null", &record("R", &["a: int"])]), union(&["null", &record("R", &["a: string"])]), "MISSING_UNION_BRANCH /1", "MISSING_UNION_BRANCH /1")]
#[case::nested_reasons_are_told(union(&[&record("R", &["a: int"])]), record("R", &["a: string"]), "TYPE_MISMATCH /0/fields/0/type", "MISSING_UNION_BRANCH /")]
fn unions(#[case] old: String, #[case] new: String, #[case] backward: &str, #[case] forward: &str) {
    says(&old, &new, backward, forward);
}

/// What the reports of compat.md §6 ask, by their number there.
#[rstest]
#[case::r1(union(&[&record("R", &["a: string"])]), union(&[&record("R", &["a: string", "b: string"])]), "MISSING_UNION_BRANCH /0", OK)]
#[case::r2(record("T", &[&format!("s: {}", union(&[&record("S", &["n: string"])]))]), record("T", &[&format!("s: {}", union(&[&record("S", &["n: string", "z: int"])]))]), "MISSING_UNION_BRANCH /fields/0/type/0", OK)]
#[case::r4(union(&[&record("A", &["x: int"])]), union(&[&aka(&record("B", &["x: int"]), "A")]), OK, "MISSING_UNION_BRANCH /0")]
#[case::r5(record("R", &["foo: string"]), record("R", &["newFoo: string aka foo"]), OK, NO_DEFAULT)]
#[case::r7_step(record("R", &["a: int", "b: int = 0"]), record("R", &["a: int", "b: int"]), OK, OK)]
#[case::r7_all(record("R", &["a: int"]), record("R", &["a: int", "b: int"]), "READER_FIELD_MISSING_DEFAULT_VALUE /fields/1", OK)]
#[case::r11(record("P", &["id: int"]), record("P", &["id: int", &format!("ph: [\"null\",{}] = null", record("N", &["x: string"]))]), OK, OK)]
#[case::r13("string".into(), "bytes".into(), OK, OK)]
#[case::r14(record("n1.R", &["a: int"]), record("n2.R", &["a: int"]), OK, OK)]
#[case::r16(
    logical("bytes", r#""decimal","precision":10,"scale":4"#),
    logical("bytes", r#""decimal","precision":10,"scale":2"#),
    OK,
    OK
)]
#[case::r17(union(&[&record("A", &["a: int"]), &record("B", &["b: int"])]), union(&[&aka(&record("B", &["a: int = 1", "b: int = 1"]), "A")]), OK, OK)]
#[case::r20(symbols("E", "A B"), symbols_or("E", "A", "A"), OK, OK)]
#[case::r22(record("R", &[&format!("a: {}", record("A", &["x: int"])), "b: A"]), record("R", &[&format!("z: [\"null\",{}] = null", record("A", &["x: int", "y: int"])), "b: A"]), "READER_FIELD_MISSING_DEFAULT_VALUE /fields/1/type/fields/1", NO_DEFAULT)]
#[case::r25(record("R", &[]), record("R", &[r#"f: ["null","int"] = null"#]), OK, OK)]
#[case::r26(record("R", &[]), record("R", &[r#"f: ["null","string"]"#]), NO_DEFAULT, OK)]
#[case::r28(record("R", &[&format!("o: {}", union(&["null", &record("E", &["n: int"])]))]), record("R", &[&format!("o: {}", union(&["null", &record("E", &["n: int", "price: int"])]))]), "MISSING_UNION_BRANCH /fields/0/type/1", OK)]
#[case::r29(symbols("E", "A B C"), symbols("E", "A C"), "MISSING_ENUM_SYMBOLS /symbols", OK)]
#[case::r31(within("foo.bar", &record("baz", &[])), record("foo.bar.baz", &[]), OK, OK)]
#[case::r32(symbols("E", "A"), symbols("E", "A B"), OK, "MISSING_ENUM_SYMBOLS /symbols")]
fn reports(#[case] old: String, #[case] new: String, #[case] backward: &str, #[case] forward: &str) {
    says(&old, &new, backward, forward);
}

/// What the library does not look at, so that no registry refuses it. Advice speaks of each.
#[rstest]
#[case::date_to_millis(logical("int", r#""date""#), logical("int", r#""time-millis""#))]
#[case::millis_to_micros(logical("long", r#""timestamp-millis""#), logical("long", r#""timestamp-micros""#))]
#[case::uuid_dropped(logical("string", r#""uuid""#), "string".into())]
#[case::default_changed(record("R", &["a: int = 0"]), record("R", &["a: int = 1"]))]
#[case::doc(record("R", &[]), record("R", &[]).replace("\"name\"", "\"doc\":\"d\",\"name\""))]
fn blind_spots(#[case] old: String, #[case] new: String) {
    says(&old, &new, OK, OK);
}

/// field-tables.md §1 and §2.
#[rstest]
#[case::default_added(&["id: string", "amount: double", "status: string", r#"currency: string = "RUB""#], true, true)]
#[case::no_default_added(&["id: string", "amount: double", "status: string", "note: string"], false, true)]
#[case::no_default_removed(&["id: string", "amount: double"], true, false)]
#[case::renamed(&["id: string", "amount: double", "state: string"], false, false)]
#[case::double_to_int(&["id: string", "amount: int", "status: string"], false, true)]
#[case::double_to_string(&["id: string", "amount: string", "status: string"], false, false)]
#[case::nullable_added(&["id: string", "amount: double", "status: string", r#"coupon: ["null","string"] = null"#], true, true)]
fn what_happens_to_an_order(#[case] new: &[&str], #[case] backward: bool, #[case] forward: bool) {
    let old = record("Order", &["id: string", "amount: double", "status: string"]);
    let new = record("Order", new);
    assert_eq!((told(&new, &old).is_empty(), told(&old, &new).is_empty()), (backward, forward));
}

#[rstest]
#[case::removed_with_default(&["order_id: string", "amount: double", "currency: string = \"EUR\""], &["order_id: string", "amount: double"], true, true)]
#[case::int_to_long(&["amount: int"], &["amount: long"], true, false)]
fn what_happens_to_an_order_with_defaults(
    #[case] old: &[&str],
    #[case] new: &[&str],
    #[case] backward: bool,
    #[case] forward: bool,
) {
    let (old, new) = (record("Order", old), record("Order", new));
    assert_eq!((told(&new, &old).is_empty(), told(&old, &new).is_empty()), (backward, forward));
}

#[test]
fn recursion_is_compared_once() {
    let node = |value: &str| record("Node", &[&format!("value: {value}"), r#"next: ["null","Node"] = null"#]);
    says(&node("int"), &node("long"), OK, "TYPE_MISMATCH /fields/0/type");
}

#[test]
fn a_pair_met_again_is_told_again_with_its_first_path() {
    let two = |size: u32| record("R", &[&format!("a: {}", fixed("F", size)), "b: F"]);
    let twice = "FIXED_SIZE_MISMATCH /fields/0/type/size, FIXED_SIZE_MISMATCH /fields/0/type/size";
    says(&two(4), &two(8), twice, twice);
}

#[test]
fn a_pair_first_met_in_a_union_is_told_with_a_path_from_there() {
    let two = |size: u32| {
        let inner = record("In", &[&format!("f: {}", fixed("F", size))]);
        record("R", &[&format!("a: {}", union(&["null", &inner])), "b: F"])
    };
    let told = "MISSING_UNION_BRANCH /fields/0/type/1, FIXED_SIZE_MISMATCH /fields/0/type/size";
    says(&two(4), &two(8), told, told);
}

/// compat.md §1.5: what was found while a pair was assumed to read is kept after the assumption failed.
#[test]
fn the_librarys_assumptions_outlive_their_failure() {
    let list = |namespace: &str, z: &str| {
        let m = within(namespace, &record("M", &[&format!(r#"l: ["null","{namespace}.L"]"#)]));
        within(namespace, &record("L", &[&format!("m: {m}"), &format!("z: {z}")]))
    };
    let reader_l = list("a", "int");
    let writer_l = list("x", "string");
    let branch = within("b", &record("L", &[]));
    let reader = record("R", &[&format!("u: {}", union(&[&reader_l, &branch])), "q: a.M"]);
    let writer = record("R", &[&format!("u: {}", union(&[&writer_l])), "q: x.M"]);
    assert_eq!(told(&reader, &writer), OK);
    let found = super::advice::accepted_though_unreadable(&schema(&reader), &schema(&writer)).unwrap();
    assert_eq!(found.path, "/fields/1/type/fields/0/type/1");
    // Without the second branch nothing hides the failure.
    let reader = record("R", &[&format!("u: {reader_l}"), "q: a.M"]);
    let writer = record("R", &[&format!("u: {writer_l}"), "q: x.M"]);
    assert_eq!(told(&reader, &writer), "TYPE_MISMATCH /fields/0/type/fields/1/type");
}

#[test]
fn release_1_11_starts_paths_anew_in_a_writers_union() {
    let rules = CONFLUENT_7_9.avro.unwrap();
    let read = |text: &str| parse(text, &[], Reading::Stored, &rules.parsing).unwrap();
    let reader = read(&record("R", &["a: int", "b: string"]));
    let writer = read(&record("R", &["a: int", r#"b: ["null","string"]"#]));
    let found = super::differences(&reader, &writer, &rules, Policy::Strict).unwrap();
    assert_eq!(found[0].path, "/");
}

#[test]
fn a_reference_is_part_of_the_schema() {
    let outer = record("Out", &["i: In"]);
    let read = |inner: &str| {
        parse(&outer, &[Reference { name: "In", text: inner }], Reading::Stored, &rules().parsing).unwrap()
    };
    let (old, new) = (read(&record("In", &["x: int"])), read(&record("In", &["x: string"])));
    let found = super::differences(&new, &old, &rules(), Policy::Strict).unwrap();
    assert_eq!(found[0].path, "/fields/0/type/fields/0/type");
    // Written out in one text it is the same schema.
    let inlined = schema(&record("Out", &[&format!("i: {}", record("In", &["x: int"]))]));
    assert_eq!(super::differences(&inlined, &old, &rules(), Policy::Strict).unwrap(), []);
}
