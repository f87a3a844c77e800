//! Whether any change at all could still pass: two live versions may leave no room between them.
//!
//! Only transitive levels compare with more than one version. What is said here is certain; that nothing is said does
//! not mean that there is room.

use super::words::advice;
use super::{Advice, Code, common_writer};
use crate::api::Level;
use crate::compat::engine::{self, Parsed};
use crate::compat::history::Past;
use crate::compat::{Difference, Policy, Profile};

/// So many of the newest versions are looked at.
const MAX_VERSIONS: usize = 200;

/// Two live versions of which no schema can please both under a level.
pub fn frozen(level: Level, history: &[Past], profile: &Profile, policy: Policy) -> Option<Advice> {
    if !level.is_transitive() {
        return None;
    }
    let mut versions: Vec<&Past> = history.iter().filter(|past| past.schema.is_ok()).collect();
    versions.sort_by_key(|past| std::cmp::Reverse(past.version));
    versions.truncate(MAX_VERSIONS);
    let (newest, oldest) = (*versions.first()?, *versions.last()?);
    let pairs = [newest, oldest].into_iter().flat_map(|one| versions.iter().map(move |other| (*other, one)));
    pairs.filter(|(older, newer)| older.version < newer.version).find_map(|(older, newer)| {
        let (old, new) = (older.schema.as_ref().ok()?, newer.schema.as_ref().ok()?);
        let why = conflict(level, old, new, profile, policy)?;
        let message = format!(
            "no schema passes {level} any more, since it would have to suit version {} and version {}: {why}",
            older.version, newer.version
        );
        let way_out = if level == Level::FullTransitive { "FULL" } else { level_of_latest(level) };
        let remedy = format!("set {way_out}, delete the version that nobody needs, or move to a new subject");
        Some(advice(Code::SubjectFrozen, "", message, remedy))
    })
}

fn level_of_latest(level: Level) -> &'static str {
    if level == Level::ForwardTransitive { "FORWARD" } else { "BACKWARD" }
}

/// Why no schema can suit both.
fn conflict(level: Level, old: &Parsed, new: &Parsed, profile: &Profile, policy: Policy) -> Option<String> {
    if std::mem::discriminant(old) != std::mem::discriminant(new) {
        return Some("they have different schema types".to_owned());
    }
    if let (Parsed::Avro(old), Parsed::Avro(new)) = (old, new) {
        return if level == Level::BackwardTransitive { None } else { common_writer::conflict(old, new) };
    }
    let one_way = engine::differences(new, old, profile, policy).ok()?;
    let other_way = engine::differences(old, new, profile, policy).ok()?;
    let mut breaking = one_way.iter().chain(&other_way).filter(|difference| difference.breaks);
    breaking.find_map(|difference| leaves_no_room(level, difference))
}

/// Whether a difference of two versions is one that no third schema can bridge.
fn leaves_no_room(level: Level, difference: &Difference) -> Option<String> {
    let facts = &difference.facts;
    let is_full = level == Level::FullTransitive;
    match difference.rule {
        // A schema has one package.
        "PACKAGE_CHANGED" => Some("they have different packages".to_owned()),
        // Full: what one of them has must be there, and what one of them lacks must not.
        "MESSAGE_REMOVED" if is_full => Some(format!("only one of them has {}", facts.subject)),
        // Full: a schema of one class is read by those of its class only, and no combination is read by both.
        "TYPE_CHANGED" if is_full && difference.path == "#/" && is_plain(&facts.reader) && is_plain(&facts.writer) => {
            Some(format!("one is {}, the other is {}", facts.reader, facts.writer))
        }
        _ => None,
    }
}

/// A type of JSON Schema that is neither a combination nor anything nor nothing.
fn is_plain(kind: &str) -> bool {
    matches!(kind, "string" | "integer" | "number" | "boolean" | "null" | "object" | "array")
}
