//! Why a registry refuses a schema, as far as its text tells. The texts are not JSON, whatever they look like, and
//! hold pieces of schemas: read leniently, bounded in time and count, never a panic.

use super::text::one_line;
use crate::schema::Version;

/// The most violations that are taken from one refusal.
const MAX_VIOLATIONS: usize = 100;
/// The most bytes of a refusal that are looked at. Confluent repeats up to 10 KiB of each old schema.
const MAX_BYTES: usize = 256 << 10;

/// A refusal, in the registry's words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refusal {
    /// The registry's sentence, without what `violations` holds: one line, at most 300 characters.
    pub message: String,
    /// Each reason; empty if the registry gives none that can be told apart.
    pub violations: Vec<Violation>,
}

/// One reason of a refusal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Violation {
    /// The registry's name of the rule: `READER_FIELD_MISSING_DEFAULT_VALUE`.
    pub rule: Option<String>,
    /// Where in the schema: `/fields/2`, `#/properties/a`.
    pub path: Option<String>,
    /// The version that the candidate was compared with.
    pub version: Option<Version>,
    /// The registry's sentence: one line, at most 300 characters.
    pub message: String,
}

impl Refusal {
    /// From the message of a refused register.
    pub fn of_register(message: &str) -> Refusal {
        Refusal { message: one_line(message), violations: Vec::new() }
    }

    /// From the messages of a verbose check.
    pub fn of_check(messages: &[String]) -> Refusal {
        Refusal { message: one_line(&messages.join(", ")), violations: Vec::new() }
    }
}
