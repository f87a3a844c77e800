//! Text that a registry wrote, made fit for a message: one line, short, nothing that moves a cursor or hides a letter.

use crate::schema::shown::{self, Limit};

/// The most characters of a registry's text that any message repeats.
pub(super) const MAX_CHARS: usize = 300;

/// The first [`MAX_CHARS`] characters as one line; empty for a web page.
pub(super) fn one_line(text: &str) -> String {
    if looks_like_html(text) { String::new() } else { shown::one_line(text, Limit::Characters(MAX_CHARS)) }
}

/// Whether a body is a web page rather than a message.
pub(super) fn looks_like_html(text: &str) -> bool {
    let start = text.trim_start_matches('\u{feff}').trim_start();
    start.starts_with('<') && start[1..].starts_with(|next: char| next == '!' || next == '?' || next.is_alphabetic())
}

/// What a registry says is wrong with a schema, without the schema.
///
/// Confluent wraps its parser's words in the whole request: `Invalid schema of type AVRO, details: Invalid schema
/// {subject=…,schema=…} with refs [] of type AVRO, details: Undefined schema: Zed`. The last part is the message.
pub(super) fn about_schema(message: &str) -> String {
    let cause = message.rsplit_once(", details: ").map_or(message, |(_, cause)| cause);
    // Where no cause is given, what stands there instead is the schema.
    let cause = cause.find("Invalid schema {").map_or(cause, |at| &cause[..at + "Invalid schema".len()]);
    one_line(without_class_name(cause))
}

/// The text without the Java exception that it starts with: `com.example.SomeException: the message`.
pub(super) fn without_class_name(text: &str) -> &str {
    match text.split_once(": ") {
        Some((class, rest)) if is_class_name(class) => rest,
        _ => text,
    }
}

fn is_class_name(text: &str) -> bool {
    text.contains('.')
        && (text.ends_with("Exception") || text.ends_with("Error"))
        && text.chars().all(|character| character.is_ascii_alphanumeric() || ".$_".contains(character))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::plain("Subject 'a' not found.", "Subject 'a' not found.")]
    #[case::lines("a\r\n\tb\u{0}c\u{85}d\u{2028}e", "a b c d e")]
    #[case::only_blanks(" \n ", "")]
    #[case::escape_sequence("\u{1b}[31mred", "[31mred")]
    #[case::hidden_and_turned("pass\u{200b}word \u{202e}gpj.exe", r"pass\u{200b}word \u{202e}gpj.exe")]
    #[case::html("\n<!DOCTYPE html><html>secret</html>", "")]
    #[case::html_after_a_mark("\u{feff}<html>", "")]
    #[case::less_than("< 3 fields", "< 3 fields")]
    fn becomes_one_clean_line(#[case] text: &str, #[case] line: &str) {
        assert_eq!(one_line(text), line);
    }

    #[rstest]
    #[case::at_the_bound(300, 300)]
    #[case::over_the_bound(301, 300)]
    #[case::far_over(1_000_000, 300)]
    fn is_cut_by_characters_not_by_bytes(#[case] characters: usize, #[case] left: usize) {
        let line = one_line(&"ü".repeat(characters));
        assert_eq!(line.chars().count(), left);
        assert_eq!(line.ends_with('…'), characters > 300);
    }

    #[rstest]
    #[case::confluent(
        "Invalid schema of type AVRO, details: Invalid schema {subject=s,version=null,schema={\"type\":\"Zed\"},ts=null} \
         with refs [] of type AVRO, details: Undefined schema: Zed",
        "Undefined schema: Zed"
    )]
    #[case::confluent_with_a_java_class(
        "Invalid schema of type AVRO, details: com.fasterxml.jackson.core.io.JsonEOFException: Unexpected end-of-input\n at line 1",
        "Unexpected end-of-input at line 1"
    )]
    #[case::schema_but_no_details("Invalid schema {subject=s,schema=secret}", "Invalid schema")]
    #[case::karapace(
        "Invalid AVRO schema. Error: unexpected character",
        "Invalid AVRO schema. Error: unexpected character"
    )]
    #[case::karapace_without_a_cause(
        "Invalid JSON schema. Error: Invalid schema {\"type\":\"ship\"} with refs None of type SchemaType.JSONSCHEMA",
        "Invalid JSON schema. Error: Invalid schema"
    )]
    #[case::unknown_type("Invalid schema type XML", "Invalid schema type XML")]
    #[case::no_class_name("v1.2 Error: x", "v1.2 Error: x")]
    #[case::empty("", "")]
    fn of_a_refused_schema_the_cause_is_kept_and_the_schema_is_not(#[case] message: &str, #[case] cause: &str) {
        assert_eq!(about_schema(message), cause);
    }
}
