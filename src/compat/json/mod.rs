//! JSON Schema: the registry's checker, rule by rule (compat.md §3).

mod array;
mod budget;
mod checker;
mod combined;
mod facts;
mod locate;
mod memory;
mod mend;
mod noted;
mod object;
mod order;
mod patterns;
mod rest;
mod rule;
mod same;
mod scalar;
#[cfg(test)]
mod tests;
mod words;

pub(crate) use facts::subject;
pub(in crate::compat) use locate::{Source, spans};
pub use mend::mend;
pub use words::{hint, sentence};

use self::noted::Found;
use super::difference::{Difference, Failure, MAX_TOLD};
use super::effort::Effort;
use super::profile::{JsonRules, Policy};
use crate::schema::json::Schema;

/// All differences of a reader's schema from a writer's, in the registry's order where it has one. Of more than anybody
/// reads the first are told, and one that breaks if any does.
pub fn differences(
    reader: &Schema,
    writer: &Schema,
    rules: &JsonRules,
    policy: Policy,
) -> Result<Vec<Difference>, Failure> {
    differences_within(reader, writer, rules, policy, &mut Effort::default())
}

/// The same, and notes how much work it was.
pub fn differences_within(
    reader: &Schema,
    writer: &Schema,
    rules: &JsonRules,
    policy: Policy,
    effort: &mut Effort,
) -> Result<Vec<Difference>, Failure> {
    compare_within(reader, writer, rules, policy, effort).map(|compared| compared.differences)
}

/// What a comparison brought out.
#[derive(Clone, Debug)]
pub struct Compared {
    /// All differences.
    pub differences: Vec<Difference>,
    /// Branches of a combination can be matched in several ways: which harmless differences the registry lists for
    /// them, and in which order, varies there from run to run. What breaks does not.
    pub is_unsettled: bool,
    /// The registry's own checker goes on for long over this pair.
    pub is_slow: bool,
    /// Something was taken to be compatible, or compared as something else than it is: [`without_shortcuts`] may find
    /// more.
    pub took_shortcut: bool,
}

/// What breaks by these rules without the shortcuts of any release: if what is met again is compared again, `$ref`s are followed to their end, branches
/// are whole, and numbers are what they are.
pub fn without_shortcuts(
    reader: &Schema,
    writer: &Schema,
    rules: &JsonRules,
    policy: Policy,
) -> Result<Vec<Difference>, Failure> {
    let plain = JsonRules {
        multiple_of_as_integers: false,
        memoizes_recursion: true,
        compares_unevaluated: true,
        splits_added_properties: true,
        has_lenient: rules.has_lenient,
    };
    differences(&reader.without_shortcuts(), &writer.without_shortcuts(), &plain, policy)
}

/// The same, and whether the list hangs on chance.
pub fn compare(reader: &Schema, writer: &Schema, rules: &JsonRules, policy: Policy) -> Result<Compared, Failure> {
    compare_within(reader, writer, rules, policy, &mut Effort::default())
}

/// The same, and notes how much work it was.
pub fn compare_within(
    reader: &Schema,
    writer: &Schema,
    rules: &JsonRules,
    policy: Policy,
    effort: &mut Effort,
) -> Result<Compared, Failure> {
    let policy = rules.policy(policy);
    let checker::Outcome { found, is_unsettled, is_slow, took_shortcut } =
        checker::compare_roots(reader, writer, rules, policy, effort)?;
    let mut differences: Vec<Difference> = Vec::with_capacity(found.len());
    let (mut text, mut breaks) = (0, false);
    for found in found {
        // Of what is too much to be told, one that breaks is still told.
        let is_told = text <= MAX_TOLD || found.rule.breaks(policy) && !breaks;
        if is_told {
            text += facts::work(&found, reader, writer);
            let difference = difference(found, reader, writer, policy);
            text += difference.bytes();
            breaks |= difference.breaks;
            differences.push(difference);
        }
    }
    Ok(Compared { differences, is_unsettled, is_slow, took_shortcut })
}

fn difference(found: Found, reader: &Schema, writer: &Schema, policy: Policy) -> Difference {
    let facts = facts::facts(&found, reader, writer);
    let breaks = found.rule.breaks(policy);
    Difference { rule: found.rule.name, path: format!("#/{}", found.path), breaks, facts }
}
