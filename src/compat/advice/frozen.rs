//! Whether any change at all could still pass: two live versions may leave no room between them.
//!
//! Only transitive levels compare with more than one version. What is said here is certain; that nothing is said does
//! not mean that there is room.

use super::compared::schema_type;
use super::pairs::Pairs;
use super::words::advice;
use super::{Advice, Code, common_writer};
use crate::api::Level;
use crate::compat::engine::Parsed;
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
    let mut compared = Pairs::new(profile, policy);
    let pairs = [newest, oldest].into_iter().flat_map(|one| versions.iter().map(move |other| (*other, one)));
    pairs.filter(|(older, newer)| older.version < newer.version).find_map(|(older, newer)| {
        let (old, new) = (older.schema.as_ref().ok()?, newer.schema.as_ref().ok()?);
        let found = conflict(level, &mut compared, old, new)?;
        let (old, new) = (format!("version {}", older.version), format!("version {}", newer.version));
        let why = found.words(&old, &new);
        let message = format!("no schema passes {level} any more, since it would have to suit {old} and {new}: {why}");
        let way_out = if level == Level::FullTransitive { "FULL" } else { level_of_latest(level) };
        let remedy = format!("set {way_out}, delete the version that nobody needs, or move to a new subject");
        Some(advice(Code::SubjectFrozen, "", message, remedy))
    })
}

fn level_of_latest(level: Level) -> &'static str {
    if level == Level::ForwardTransitive { "FORWARD" } else { "BACKWARD" }
}

/// What no schema can have both ways.
pub(super) struct Conflict {
    pub subject: String,
    /// What the older version has; empty where it lacks the subject.
    pub old: String,
    /// What the newer version has; empty where it lacks the subject.
    pub new: String,
}

impl Conflict {
    fn words(&self, old: &str, new: &str) -> String {
        let subject = &self.subject;
        match (&*self.old, &*self.new) {
            ("", _) => format!("only {new} has {subject}"),
            (_, "") => format!("only {old} has {subject}"),
            (before, after) => format!("{subject} is {before} in {old} and {after} in {new}"),
        }
    }
}

fn conflict(level: Level, pairs: &mut Pairs<'_>, old: &Parsed, new: &Parsed) -> Option<Conflict> {
    if std::mem::discriminant(old) != std::mem::discriminant(new) {
        let word = |of: &Parsed| schema_type(of).to_string();
        return Some(Conflict { subject: "the schema type".to_owned(), old: word(old), new: word(new) });
    }
    if let (Parsed::Avro(old), Parsed::Avro(new)) = (old, new) {
        return if level == Level::BackwardTransitive { None } else { common_writer::conflict(old, new) };
    }
    let by_new = pairs.broken(new, old).find_map(|one| leaves_no_room(level, &one).map(|one| one.told_by_new()));
    by_new.or_else(|| pairs.broken(old, new).find_map(|one| leaves_no_room(level, &one).map(|one| one.told_by_old())))
}

/// A difference of two versions that no third schema can bridge.
struct NoRoom<'d> {
    subject: &'d str,
    reader: &'d str,
    writer: &'d str,
}

impl NoRoom<'_> {
    fn told_by_new(&self) -> Conflict {
        Conflict { subject: self.subject.to_owned(), old: self.writer.to_owned(), new: self.reader.to_owned() }
    }

    fn told_by_old(&self) -> Conflict {
        Conflict { subject: self.subject.to_owned(), old: self.reader.to_owned(), new: self.writer.to_owned() }
    }
}

fn leaves_no_room(level: Level, difference: &Difference) -> Option<NoRoom<'_>> {
    let (subject, reader, writer) = (&*difference.facts.subject, &*difference.facts.reader, &*difference.facts.writer);
    let is_full = level == Level::FullTransitive;
    match difference.rule {
        // A schema has one package.
        "PACKAGE_CHANGED" => Some(NoRoom { subject, reader: package(reader), writer: package(writer) }),
        // Full: what one of them has must be there, and what one of them lacks must not.
        "MESSAGE_REMOVED" if is_full => Some(NoRoom { subject, reader: "", writer: "there" }),
        // Full: a schema of one class is read by those of its class only, and no combination is read by both.
        "TYPE_CHANGED" if is_full && difference.path == "#/" && is_plain(reader) && is_plain(writer) => {
            Some(NoRoom { subject: "the schema", reader, writer })
        }
        _ => None,
    }
}

fn package(name: &str) -> &str {
    if name.is_empty() { "none" } else { name }
}

/// A type of JSON Schema that is neither a combination nor anything nor nothing.
fn is_plain(kind: &str) -> bool {
    matches!(kind, "string" | "integer" | "number" | "boolean" | "null" | "object" | "array")
}
