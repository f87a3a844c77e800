//! Why a schema's text cannot be read, and bounds that are checked before any parser sees it.

use std::borrow::Cow;

use super::numbers;

/// How deep a schema may nest. Registries fail from 120 (Karapace) to 1,000 (Confluent) levels.
pub const MAX_DEPTH: usize = 500;

/// How many characters a schema may have: as many as `spec.schema` of a Schema takes.
pub const MAX_CHARACTERS: usize = 524_288;

/// Why no registry can take a text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    /// Nothing, or only white space: some registries take it and reuse another schema.
    #[error("the schema is blank; write its text in spec.schema")]
    Blank,
    /// Nested deeper than any registry takes.
    #[error("the schema nests deeper than {MAX_DEPTH} levels at line {line}; flatten it or name its parts")]
    TooDeep {
        /// From 1.
        line: usize,
    },
    /// Not JSON, which Avro and JSON Schema are written in.
    #[error("the schema is not JSON: {what} at line {line}, column {column}")]
    NotJson {
        /// What is wrong.
        what: String,
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
    },
    /// A quote or a comment that is not closed.
    #[error("the schema is not Protobuf: the {what} that starts at line {line} does not end")]
    NotClosed {
        /// "string" or "comment".
        what: &'static str,
        /// From 1.
        line: usize,
    },
}

/// Refuses a text that is blank.
pub(super) fn refuse_blank(text: &str) -> Result<(), TextError> {
    if text.trim().is_empty() { Err(TextError::Blank) } else { Ok(()) }
}

/// The text with blanks in place of comments, so that places stay true. Java's Avro reads texts so (compat.md §1.4).
pub(super) fn without_comments(text: &str) -> Cow<'_, str> {
    if !text.contains('/') {
        return Cow::Borrowed(text);
    }
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find(['"', '/']) {
        let length = if rest[at..].starts_with('"') { string_length(&rest[at..]) } else { 1 };
        let comment = comment_length(&rest[at..]);
        let (before, found) = rest.split_at(at);
        out.push_str(before);
        match comment {
            Some(length) => out.extend(found[..length].chars().map(|c| if c == '\n' { '\n' } else { ' ' })),
            None => out.push_str(&found[..length]),
        }
        rest = &found[comment.unwrap_or(length)..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Of a text that starts with a quote: up to the quote that ends it, or to the end.
pub(super) fn string_length(text: &str) -> usize {
    let mut escaped = false;
    let end = text.bytes().skip(1).position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |end| end + 2)
}

/// Of a text that starts with a comment that ends.
fn comment_length(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    text.strip_prefix("/*")?.find("*/").map(|end| end + "/**/".len())
}

/// Reads JSON no deeper than [`MAX_DEPTH`].
pub(super) fn parse_json(text: &str) -> Result<serde_json::Value, TextError> {
    refuse_deep_json(text)?;
    let text = numbers::exact(text);
    let mut deserializer = serde_json::Deserializer::from_str(&text);
    deserializer.disable_recursion_limit(); // the depth was bounded just now
    let value = serde::Deserialize::deserialize(&mut deserializer).map_err(not_json)?;
    deserializer.end().map_err(not_json)?;
    Ok(value)
}

fn not_json(error: serde_json::Error) -> TextError {
    let full = error.to_string();
    let what = full.split(" at line ").next().unwrap_or_default().to_owned();
    TextError::NotJson { what, line: error.line(), column: error.column() }
}

/// Counts brackets outside strings; the text need not be well formed.
fn refuse_deep_json(text: &str) -> Result<(), TextError> {
    let (mut depth, mut line, mut in_string, mut escaped) = (0_usize, 1, false, false);
    for byte in text.bytes() {
        if byte == b'\n' {
            line += 1;
        }
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => depth += 1,
            b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_DEPTH {
            return Err(TextError::TooDeep { line });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_a_mistake_is_named_once() {
        let error = parse_json("{\n \"type\": record}").unwrap_err();
        assert_eq!(error.to_string(), "the schema is not JSON: expected value at line 2, column 10");
    }

    #[test]
    fn text_after_the_schema_is_a_mistake() {
        assert!(matches!(parse_json("\"string\" \"int\""), Err(TextError::NotJson { line: 1, .. })));
    }

    #[test]
    fn nesting_is_bounded_before_it_is_parsed() {
        let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert!(parse_json(&nested(MAX_DEPTH)).is_ok());
        assert_eq!(parse_json(&nested(MAX_DEPTH + 1)), Err(TextError::TooDeep { line: 1 }));
        assert_eq!(parse_json(&"[".repeat(100_000)), Err(TextError::TooDeep { line: 1 }));
    }

    #[test]
    fn comments_are_blanks_and_strings_are_left_alone() {
        let text = "{ // one\n \"url\": \"http://x/*\\\"*/\", /* two\n lines */ \"a\": 1 }";
        let bare = "{       \n \"url\": \"http://x/*\\\"*/\",       \n          \"a\": 1 }";
        assert_eq!(without_comments(text), bare);
        for same in ["\"int\"", "/* open", "a / b", "\"open // string"] {
            assert_eq!(without_comments(same), same);
        }
    }

    #[test]
    fn brackets_in_strings_do_not_nest() {
        assert!(parse_json(&format!("\"{}\\\"{}\"", "[".repeat(600), "[".repeat(600))).is_ok());
    }
}
