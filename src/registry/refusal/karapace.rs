//! Karapace's words: the Avro library's for Avro, sentences with names from its code for JSON Schema and Protobuf.

use super::{Violation, avro};

/// A violation from one message of a check.
pub(super) fn violation(message: &str) -> Violation {
    const MODIFICATION: &str = "Modification.";
    let Some((before, after)) = message.split_once(MODIFICATION) else {
        return avro::violation(None, message);
    };
    let end = after.find(|character: char| !character.is_ascii_uppercase() && character != '_').unwrap_or(after.len());
    let rule = Some(after[..end].to_owned()).filter(|rule| !rule.is_empty() && rule.len() <= 100);
    Violation { rule, ..avro::violation(None, &format!("{before}{after}")) }
}
