//! The Avro library's words. Apicurio and Karapace pass them on without the rule's name, and some are a bare name:
//! the rule is told by their form, of which there are six.

use super::Violation;
use crate::registry::text::one_line;

/// A violation from a message of the Avro library, or from any other text, which is kept as it is.
pub(super) fn violation(path: Option<&str>, message: &str) -> Violation {
    let message = message.trim();
    let (rule, sentence) = match read(path, message) {
        Some((rule, sentence)) => (Some(rule.to_owned()), sentence),
        None => (None, message.to_owned()),
    };
    Violation {
        rule,
        path: path.map(one_line).filter(|path| !path.is_empty()),
        version: None,
        message: one_line(&sentence),
    }
}

fn read(path: Option<&str>, message: &str) -> Option<(&'static str, String)> {
    let at = |end: &str| path.is_none_or(|path| path.ends_with(end));
    if message.starts_with("reader type: ") {
        return Some(("TYPE_MISMATCH", message.to_owned()));
    }
    if message.starts_with("reader union lacking writer type: ") {
        return Some(("MISSING_UNION_BRANCH", message.to_owned()));
    }
    if message.starts_with("expected: ") && message.contains(", found: ") && at("/size") {
        return Some(("FIXED_SIZE_MISMATCH", format!("the sizes of the fixed type differ: {message}")));
    }
    if message.starts_with("expected: ") && at("/name") {
        return Some(("NAME_MISMATCH", format!("the names differ: {message}")));
    }
    if let Some(symbols) = in_brackets(message).filter(|_| at("/symbols")) {
        let sentence = format!("the enum that the data is read with lacks the symbols {symbols}");
        return Some(("MISSING_ENUM_SYMBOLS", sentence));
    }
    if is_name(message) && path.is_none_or(is_field) {
        let sentence =
            format!("field {message} has no default, and is missing in the schema that the data is written with");
        return Some(("READER_FIELD_MISSING_DEFAULT_VALUE", sentence));
    }
    None
}

/// `[B, C]` as the library in Java writes a set, `{'B', 'C'}` as that in Python does.
fn in_brackets(message: &str) -> Option<&str> {
    let java = message.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    java.or_else(|| message.strip_prefix("{'").and_then(|_| message[1..].strip_suffix('}')))
}

/// `…/fields/1`
fn is_field(path: &str) -> bool {
    let mut segments = path.rsplit('/');
    let number = segments.next().is_some_and(|last| !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit()));
    number && segments.next() == Some("fields")
}

/// A name as Avro allows it.
fn is_name(text: &str) -> bool {
    !text.starts_with(|first: char| first.is_ascii_digit())
        && !text.is_empty()
        && text.chars().all(|character| character.is_alphanumeric() || character == '_')
}
