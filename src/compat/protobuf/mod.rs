//! Confluent's Protobuf checker (compat.md §2): all differences between what a writer wrote with and what a reader
//! reads with, in the checker's order.

mod checker;
mod facts;
mod fields;
mod locate;
mod mend;
mod node;
mod oneofs_by_name;
mod oneofs_by_origin;
mod order;
mod place;
mod rules;
#[cfg(test)]
mod tests;
pub mod words;
#[cfg(test)]
mod words_tests;

pub(in crate::compat) use fields::{ScalarKind, scalar_kind};
pub(in crate::compat) use locate::spans;
pub use mend::mend;

use super::effort::Effort;
use super::{Difference, Failure, Policy, ProtobufRules};
use crate::schema::protobuf::Schema;
use checker::Checker;

/// All differences, also those that break nothing. The policy does not matter for Protobuf.
pub fn differences(
    reader: &Schema,
    writer: &Schema,
    rules: &ProtobufRules,
    _policy: Policy,
) -> Result<Vec<Difference>, Failure> {
    differences_within(reader, writer, rules, &mut Effort::default())
}

/// The same, and notes how much work it was.
pub fn differences_within(
    reader: &Schema,
    writer: &Schema,
    rules: &ProtobufRules,
    effort: &mut Effort,
) -> Result<Vec<Difference>, Failure> {
    Ok(Checker::new(*rules).compare(reader, writer, effort)?)
}
