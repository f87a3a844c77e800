//! References are files by name, for both schemas or for one.

use crate::command::{Scratch, compare, compare_with};

#[test]
fn an_import_has_to_be_given() {
    let ran = compare("payments-1.proto payments-1.proto");
    assert_eq!(ran.code, 2);
    let hint = "if another file defines it, add --reference NAME=FILE";
    assert_eq!(
        ran.stderr,
        format!("schema-registrar: payments-1.proto: unknown type \"shop.Money\" at line 9, column 3; {hint}\n")
    );
    assert_eq!(compare("--reference money.proto=money.proto payments-1.proto payments-1.proto").code, 0);
}

#[test]
fn what_breaks_in_a_reference_is_told_where_the_text_uses_it() {
    let ran = compare(
        "--old-reference money.proto=money.proto --new-reference money.proto=money-2.proto payments-1.proto payments-1.proto",
    );
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.contains("9 |   shop.Money amount = 2;\n  |   ^^^^^^^^^^\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains(" = note: at #/Money/1, which stands in neither file\n"), "{}", ran.stdout);
}

#[test]
fn avro_names_and_json_refs_are_given_alike() {
    let scratch = Scratch::new();
    let money = scratch.file("money.avsc", r#"{"type":"record","name":"shop.Money","fields":[]}"#);
    let wallet = scratch
        .file("wallet.avsc", r#"{"type":"record","name":"shop.Wallet","fields":[{"name":"in","type":"Money"}]}"#);
    let order =
        scratch.file("order.avsc", r#"{"type":"record","name":"shop.Order","fields":[{"name":"w","type":"Wallet"}]}"#);
    let named = |name: &str, file: &str| format!("--reference={name}={file}");
    let (money, wallet) = (named("shop.Money", &money), named("shop.Wallet", &wallet));
    assert_eq!(compare_with(&[&money, &wallet, &order, &order], b"").code, 0);
    let out_of_order = compare_with(&[&wallet, &money, &order, &order], b"");
    assert!(
        out_of_order.code == 2 && out_of_order.stderr.contains("unknown type shop.Money"),
        "{}",
        out_of_order.stderr
    );

    let part = scratch.file("part.json", r#"{"type": "string"}"#);
    let whole = scratch.file("whole.json", r#"{"type": "object", "properties": {"p": {"$ref": "part.json"}}}"#);
    assert_eq!(compare_with(&[&named("part.json", &part), &whole, &whole], b"").code, 0);
}

#[test]
fn a_name_is_given_once() {
    let ran = compare("--reference m=money.proto --new-reference m=money-2.proto payments-1.proto payments-2.proto");
    let message = "reference m is given twice for payments-2.proto; give each name once";
    assert_eq!((ran.code, ran.stderr), (2, format!("schema-registrar: {message}\n")));
}

#[test]
fn a_reference_that_is_not_there_is_named() {
    let ran = compare("--reference m=nowhere.proto payments-1.proto payments-2.proto");
    assert_eq!((ran.code, ran.stderr.as_str()), (2, "schema-registrar: nowhere.proto: there is no such file\n"));
    let ran = compare("--reference money payments-1.proto payments-2.proto");
    assert!(ran.code == 2 && ran.stderr.contains("write NAME=FILE"), "{}", ran.stderr);
}
