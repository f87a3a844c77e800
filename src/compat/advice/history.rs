//! What all live versions of a subject show together: A19 and A20.

use super::compared::sentence;
use super::words::{advice, listed};
use super::{Advice, Code};
use crate::api::Level;
use crate::compat::engine::{self, Parsed};
use crate::compat::history::Past;
use crate::compat::levels::{Direction, directions};
use crate::compat::{Difference, Policy, Profile};
use crate::schema::Version;

/// So many of the newest versions are looked at.
const MAX_VERSIONS: usize = 1_000;

/// What the live versions show under a level, in any order given: steps that nothing checked (A20), and older versions
/// that the latest one does not get along with though every step in between passed (A19).
pub fn of_history(level: Level, history: &[Past], profile: &Profile, policy: Policy) -> Vec<Advice> {
    let pairs = Pairs { level, profile, policy };
    let mut versions: Vec<&Past> = history.iter().collect();
    versions.sort_by_key(|past| std::cmp::Reverse(past.version));
    versions.truncate(MAX_VERSIONS);
    let steps: Vec<Option<Breach>> = versions.windows(2).map(|pair| pairs.breach(pair[0], pair[1])).collect();
    let mut given: Vec<Advice> = unchecked(level, &steps).into_iter().collect();
    let checked = steps.iter().position(Option::is_some).unwrap_or(steps.len());
    if let Some((latest, older)) = versions.split_first().filter(|_| level != Level::None && !level.is_transitive()) {
        let passed = older.iter().take(checked).skip(1);
        let broken: Vec<Breach> = passed.filter_map(|past| pairs.breach(latest, past)).collect();
        given.extend(not_transitive(level, &broken));
    }
    given
}

/// What breaks between two versions.
struct Breach {
    newer: Version,
    older: Version,
    /// Where, and what in words.
    path: String,
    why: String,
}

struct Pairs<'a> {
    level: Level,
    profile: &'a Profile,
    policy: Policy,
}

impl Pairs<'_> {
    /// The first thing that breaks the level between two versions; none where that cannot be told. Under NONE, as
    /// under BACKWARD.
    fn breach(&self, newer: &Past, older: &Past) -> Option<Breach> {
        let (new, old) = (newer.schema.as_ref().ok()?, older.schema.as_ref().ok()?);
        let directions = if self.level == Level::None { &[Direction::Backward] } else { directions(self.level) };
        let broken = |direction: &Direction| self.first(new, old, *direction).map(|found| (*direction, found));
        let (direction, difference) = directions.iter().find_map(broken)?;
        let why = match std::mem::discriminant(new) == std::mem::discriminant(old) {
            true => sentence(new, &difference, direction, older.version),
            false => "they have different schema types".to_owned(),
        };
        Some(Breach { newer: newer.version, older: older.version, path: difference.path, why })
    }

    fn first(&self, new: &Parsed, old: &Parsed, direction: Direction) -> Option<Difference> {
        let (reader, writer) = match direction {
            Direction::Backward => (new, old),
            Direction::Forward => (old, new),
        };
        let all = engine::differences(reader, writer, self.profile, self.policy).ok()?;
        all.into_iter().find(|one| one.breaks)
    }
}

/// A20.
fn unchecked(level: Level, steps: &[Option<Breach>]) -> Option<Advice> {
    let broken: Vec<&Breach> = steps.iter().flatten().collect();
    let first = broken.first()?;
    let told: Vec<String> = broken.iter().map(|step| format!("{} after {}", step.newer, step.older)).collect();
    let (what, versions) = match level {
        Level::None => ("nothing was checked when it came", "version"),
        _ => ("it came under another level or none", "version"),
    };
    let message = format!(
        "{versions} {} breaks {}, so {what}: {}",
        listed(&told),
        if level == Level::None { Level::Backward } else { level },
        first.why
    );
    let remedy = "stay with a level that is not transitive: a transitive one compares with those versions too, and \
                  refuses what comes next";
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
        "set {level}_TRANSITIVE where data stays for long or topics are compacted or replayed, and mend this before"
    );
    Some(advice(Code::NotTransitive, first.path.clone(), message, remedy))
}
