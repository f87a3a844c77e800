//! No text drives the terminal, and no text makes the output useless: lines of any length, tabs, line ends of Windows,
//! control characters.

use crate::command::{Scratch, compare_with};

fn compared(old: &str, new: &str) -> String {
    let scratch = Scratch::new();
    let (old, new) = (scratch.file("old.avsc", old), scratch.file("new.avsc", new));
    let ran = compare_with(&[&old, &new], b"");
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    ran.stdout.replace(scratch.path(), "")
}

fn record(fields: &str) -> String {
    format!(r#"{{"type":"record","name":"R","fields":[{fields}]}}"#)
}

#[test]
fn a_long_line_is_cut_around_what_is_meant() {
    let fields = |kind: &str| {
        let fields = (0..3_000).map(|at| {
            let kind = if at == 1_500 { kind } else { "string" };
            format!(r#"{{"name":"f{at}","type":"{kind}"}}"#)
        });
        record(&fields.collect::<Vec<_>>().join(","))
    };
    let (old, new) = (fields("string"), fields("int"));
    assert!(new.len() > 90_000);
    let told = compared(&old, &new);
    let column = new.find(r#""type":"int""#).expect("the field is there") + 1;
    assert!(told.contains(&format!(" --> /new.avsc:1:{column}\n")), "{told}");
    let source = told.lines().find(|line| line.starts_with("1 |")).expect("the line is shown");
    assert!(source.contains(r#""name":"f1500","type":"int""#), "{source}");
    let widest = told.lines().filter(|line| line.contains('|')).map(|line| line.chars().count()).max();
    assert!(widest <= Some(120), "{told}");
}

#[test]
fn what_is_long_is_not_underlined_to_its_end() {
    let symbols = (0..500).map(|at| format!("\"S{at}\"")).collect::<Vec<_>>().join(",");
    let kind = format!(r#"{{"type":"enum","name":"E","symbols":[{symbols}]}}"#);
    let told = compared(&record(r#"{"name":"a","type":"int"}"#), &record(&format!(r#"{{"name":"a","type":{kind}}}"#)));
    let longest = told.lines().map(|line| line.matches('^').count()).max();
    assert_eq!(longest, Some(80), "{told}");
}

#[test]
fn what_goes_over_lines_is_shown_by_its_first() {
    let new = "{\n  \"type\": \"record\",\n  \"name\": \"R\",\n  \"fields\": [\n    {\n      \"name\": \"a\",\n      \"type\": {\n        \"type\": \"array\",\n        \"items\": \"int\"\n      }\n    }\n  ]\n}\n";
    let told = compared(&record(r#"{"name":"a","type":"int"}"#), new);
    assert!(told.contains("7 |       \"type\": {\n  |       ^^^^^^^^^\n"), "{told}");
}

#[test]
fn tabs_and_line_ends_of_windows_are_shown_as_blanks() {
    let new = "{\"type\":\"record\",\"name\":\"R\",\r\n\t\"fields\":[\r\n\t\t{\"name\":\"a\",\t\"type\":\"int\"}]}\r\n";
    let told = compared(&record(r#"{"name":"a","type":"string"}"#), new);
    let shown = " --> /new.avsc:3:16\n  |\n3 |         {\"name\":\"a\",    \"type\":\"int\"}]}\n  |                         ^^^^^^^^^^^^\n";
    assert!(told.contains(shown) && !told.contains(['\r', '\t']), "{told}");
}

/// Escape sequences in a name, a doc, a file's name and an error; also in their form of one byte above ASCII, and marks
/// that turn the direction of writing.
#[test]
fn control_characters_do_not_reach_the_terminal() {
    let scratch = Scratch::new();
    let old = scratch.file(
        "\u{1b}[31mold.json",
        "{\"properties\":{\"\u{9b}31m\\u001b]0;x\\u0007\":{\"type\":\"string\"}},\"required\":[\"\u{202e}\"]}",
    );
    let new = scratch.file("new.json", "{\"title\":\"\u{9b}1m\",\"properties\":{\"\u{9b}31m\\u001b]0;x\\u0007\":{\"type\":\"number\",\"title\":\"\u{202e}\u{85}\"}}}");
    let bad = scratch.file("bad.avsc", "{\"type\":\"\\u001b[31m\"}");
    let runs = [
        vec!["--all", &old, &new],
        vec!["--all", &new, &old],
        vec!["-o", "json", &old, &new],
        vec!["nowhere\u{1b}[31m.avsc", &new],
        vec![&bad, &bad],
    ];
    for arguments in runs {
        let ran = compare_with(&arguments, b"");
        let obeyed = |character: &char| {
            character.is_control() && *character != '\n' || ('\u{202a}'..='\u{202e}').contains(character)
        };
        let is_json = arguments[0] == "-o";
        let found: Vec<char> = (ran.stdout.clone() + &ran.stderr).chars().filter(obeyed).collect();
        // JSON keeps texts as they are; only what a terminal obeys is escaped.
        assert!(found.iter().all(|found| is_json && *found == '\u{202e}'), "{arguments:?}: {found:?}\n{ran:?}");
    }
}

#[test]
fn json_keeps_what_it_escapes() {
    let scratch = Scratch::new();
    let old = scratch.file("old.json", "{\"properties\":{\"\u{9b}\\u001b\":{\"type\":\"string\"}}}");
    let new = scratch.file("new.json", "{\"properties\":{\"\u{9b}\\u001b\":{\"type\":\"number\"}}}");
    let ran = compare_with(&["-o", "json", &old, &new], b"");
    let report: serde_json::Value = serde_json::from_str(&ran.stdout).expect("the output is JSON");
    assert_eq!(report["differences"][0]["path"], "#/properties/\u{9b}\u{1b}");
}

#[test]
fn hundreds_of_differences_are_counted_and_some_are_shown() {
    let fields = |kind: &str| {
        record(&(0..500).map(|at| format!(r#"{{"name":"f{at}","type":"{kind}"}}"#)).collect::<Vec<_>>().join(","))
    };
    let told = compared(&fields("string"), &fields("int"));
    assert!(told.starts_with(
        "Incompatible: /new.avsc may not follow /old.avsc under BACKWARD (confluent-8.3): 500 differences break it.\n"
    ));
    assert_eq!(told.matches("error[TYPE_MISMATCH]").count(), 50);
    assert!(told.contains("\n… and 450 more; -o json lists them all.\n"));
}
