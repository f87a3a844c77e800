//! Whether Avro data written with one schema can be read with another, as the Java library that registries use answers
//! (compat.md §1). Levels, versions and texts are not known here.

pub mod advice;
mod checker;
pub mod lint;
mod locate;
mod mend;
mod outcome;
mod plain;
mod rules;
mod sound;
mod source;
mod told;
mod words;

pub(in crate::compat) use locate::{Outline, spans};
pub use mend::mend;
pub(in crate::compat) use source::Source;
pub use words::{hint, sentence};

use crate::compat::effort::Effort;
use crate::compat::{AvroRules, Difference, Failure, Policy};
use crate::schema::avro::Schema;

/// The rule's name where the library fails instead of answering, which registries take as incompatible.
pub const EXCEPTION: &str = "EXCEPTION";

/// How the reader's schema differs from the writer's, in the library's order, its repetitions included. All of these
/// break; at most 10,000 are listed. The policy does not matter to Avro.
pub fn differences(
    reader: &Schema,
    writer: &Schema,
    rules: &AvroRules,
    _policy: Policy,
) -> Result<Vec<Difference>, Failure> {
    differences_within(reader, writer, rules, &mut Effort::default())
}

/// The same, and notes how much work it was.
pub fn differences_within(
    reader: &Schema,
    writer: &Schema,
    rules: &AvroRules,
    effort: &mut Effort,
) -> Result<Vec<Difference>, Failure> {
    checker::check(reader, writer, rules, effort)
}

#[cfg(test)]
mod advice_tests;
#[cfg(test)]
mod bounds_tests;
#[cfg(test)]
mod notation;
#[cfg(test)]
mod profiles_tests;
#[cfg(test)]
mod rules_tests;
#[cfg(test)]
mod words_tests;
