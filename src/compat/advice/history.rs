//! What all live versions of a subject show together: A19 and A20.

use super::compared::sentence;
use super::pairs::Pairs;
use super::words::{advice, listed};
use super::{Advice, Code};
use crate::api::Level;
use crate::compat::history::Past;
use crate::compat::levels::{Direction, directions};
use crate::compat::{Policy, Profile};
use crate::schema::Version;

/// So many of the newest versions are looked at.
const MAX_VERSIONS: usize = 1_000;

/// What the live versions show under a level, in any order given: steps that nothing checked (A20), and older versions
/// that the latest one does not get along with though every step in between passed (A19).
pub fn of_history(level: Level, history: &[Past], profile: &Profile, policy: Policy) -> Vec<Advice> {
    let mut pairs = Pairs::new(profile, policy);
    let mut versions: Vec<&Past> = history.iter().collect();
    versions.sort_by_key(|past| std::cmp::Reverse(past.version));
    versions.truncate(MAX_VERSIONS);
    let steps: Vec<Option<Breach>> =
        versions.windows(2).map(|pair| breach(level, &mut pairs, pair[0], pair[1])).collect();
    let mut given: Vec<Advice> = unchecked(level, &steps).into_iter().collect();
    let checked = steps.iter().position(Option::is_some).unwrap_or(steps.len());
    if let Some((latest, older)) = versions.split_first().filter(|_| level != Level::None && !level.is_transitive()) {
        let passed = older.iter().take(checked).skip(1);
        let broken: Vec<Breach> = passed.filter_map(|past| breach(level, &mut pairs, latest, past)).collect();
        given.extend(not_transitive(level, &broken));
    }
    given
}

/// What breaks between two versions.
struct Breach {
    newer: Version,
    older: Version,
    /// Where, and why in words.
    path: String,
    why: String,
}

/// The first thing that breaks the level between two versions; none where that cannot be told. Under NONE, as under
/// BACKWARD.
fn breach(level: Level, pairs: &mut Pairs<'_>, newer: &Past, older: &Past) -> Option<Breach> {
    let (new, old) = (newer.schema.as_ref().ok()?, older.schema.as_ref().ok()?);
    let directions = if level == Level::None { &[Direction::Backward] } else { directions(level) };
    let (direction, difference) = directions.iter().find_map(|direction| {
        let (reader, writer) = match direction {
            Direction::Backward => (new, old),
            Direction::Forward => (old, new),
        };
        pairs.broken(reader, writer).next().map(|found| (*direction, found))
    })?;
    let why = match std::mem::discriminant(new) == std::mem::discriminant(old) {
        true => sentence(new, &difference, direction, older.version),
        false => "they have different schema types".to_owned(),
    };
    Some(Breach { newer: newer.version, older: older.version, path: difference.path, why })
}

/// A20.
fn unchecked(level: Level, steps: &[Option<Breach>]) -> Option<Advice> {
    let broken: Vec<&Breach> = steps.iter().flatten().collect();
    let first = broken.first()?;
    let told: Vec<String> = broken.iter().map(|step| step.newer.to_string()).collect();
    let (steps, they) = match told.len() {
        1 => (format!("the step to version {}", listed(&told)), "it was"),
        _ => (format!("the steps to versions {}", listed(&told)), "they were"),
    };
    let has_gap = broken.iter().any(|step| step.newer.number() - step.older.number() > 1);
    let verb = if told.len() == 1 { "breaks" } else { "break" };
    let message = match level {
        Level::None => format!("nothing is checked, and {steps} {verb} {}: {}", Level::Backward, first.why),
        _ => {
            let why = if has_gap { "or come after a version that was deleted since" } else { "or none" };
            format!("{steps} {verb} {level}, so {they} taken under another level {why}: {}", first.why)
        }
    };
    let remedy = match level.is_transitive() {
        true => {
            "expect the next change to be refused for it: set the level that looks at the latest version only, or \
                 delete the versions that nobody needs"
        }
        false => {
            "set no transitive level before the versions that nobody needs are deleted: it compares with all of them"
        }
    };
    Some(advice(Code::UncheckedHistory, first.path.clone(), message, remedy))
}

/// A19.
fn not_transitive(level: Level, broken: &[Breach]) -> Option<Advice> {
    let first = broken.first()?;
    let told: Vec<String> = broken.iter().map(|one| one.older.to_string()).collect();
    let message = format!(
        "every step passed {level}, which compares with one version only, but version {} breaks it against version {}: {}",
        first.newer,
        listed(&told),
        first.why
    );
    let remedy = format!(
        "mend that and set {level}_TRANSITIVE, where old data stays: long retention, compacted topics, replays"
    );
    Some(advice(Code::NotTransitive, first.path.clone(), message, remedy))
}
