//! JSON Schema: the registry's checker, rule by rule (compat.md §3).

mod array;
mod checker;
mod combined;
mod memory;
mod object;
mod order;
mod rest;
mod rule;
mod same;
mod scalar;

use self::checker::{Checker, Found};
use super::difference::{Difference, Facts, Failure};
use super::profile::{JsonRules, Policy};
use crate::schema::json::Schema;

/// All differences of a reader's schema from a writer's, in the registry's order where it has one.
pub fn differences(
    reader: &Schema,
    writer: &Schema,
    rules: &JsonRules,
    policy: Policy,
) -> Result<Vec<Difference>, Failure> {
    let mut checker = Checker::new(reader, writer, rules, policy);
    checker.compare_roots()?;
    Ok(checker.found.into_iter().map(|found| difference(found, policy)).collect())
}

fn difference(found: Found, policy: Policy) -> Difference {
    Difference {
        rule: found.rule.name,
        path: format!("#/{}", found.path),
        breaks: found.rule.breaks(policy),
        facts: Facts::default(),
    }
}
