//! What a verdict does not say, and somebody has to know: data that is lost or read as something else without an error,
//! what the registry does not look at, what comes later. Nothing here changes a verdict. Pure; the work on any input is
//! bounded.
//!
//! Who asks for what:
//!
//! - [`of_change`]: what a change caused. For status: the change is the one from the version before the latest to the
//!   latest, or from the latest to the candidate; a resource keeps its advice for as long as that change is its last.
//! - [`of_schema`]: what is wrong with a first version, which nothing comes before.
//! - [`of_references`]: what a change of references caused. For status as well.
//! - [`of_history`] and [`frozen`]: what all live versions show together. For status of who manages the level.
//! - [`standing`] and [`of_level`]: what no change caused ([`Code::is_standing`]). For the command line only.
//! - [`divergence`]: what other registries would answer. Only where somebody asks.

mod avro;
mod code;
mod common_writer;
mod compared;
mod divergence;
mod frozen;
mod given;
mod history;
mod json;
mod level;
mod pairs;
mod protobuf;
mod references;
mod unreadable;
mod words;

pub use code::{Code, UnknownCode};
pub use divergence::divergence;
pub use frozen::frozen;
pub(super) use given::{Given, Told};
pub use history::of_history;
pub use level::of_level;
pub use references::{Referred, of_references};

use self::compared::Compared;
use super::engine::Parsed;
use super::levels::{Direction, directions};
use super::profile::{Policy, Profile};
use crate::api::Level;

/// One thing worth knowing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// What it is.
    pub code: Code,
    /// Where in the schema, as the registry writes paths of its format. Empty where it is about the whole subject.
    pub path: String,
    /// What is the case: who, what, against what. One line.
    pub message: String,
    /// What to do. One line; none where there is nothing to do but to know.
    pub remedy: Option<String>,
}

/// A change to advise about.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    /// The schema before.
    pub old: &'a Parsed,
    /// The schema after.
    pub new: &'a Parsed,
    /// What `old` is called: `version 3`, `the old schema`.
    pub old_name: &'a str,
    /// The level in force.
    pub level: Level,
    /// The registry's rules.
    pub profile: &'a Profile,
    /// The registry's policy.
    pub policy: Policy,
    /// Whether messages' keys have this schema: the resource says so, or the subject's name does ([`names_a_key`]).
    pub is_key: bool,
}

/// What a change caused.
pub fn of_change(change: &Change<'_>) -> Vec<Advice> {
    let compared = Compared::of(change);
    let mut given: Vec<Advice> = compared::registry_fails(change, &compared).into_iter().collect();
    given.extend(compared::registry_is_slow(change, &compared));
    given.extend(unreadable::accepted(change, &compared));
    given.extend(of_format(change, &compared));
    given.extend(compared::latest_clients(change, &compared));
    given.extend(compared::key_schema_changed(change));
    given.retain(|advice| !advice.code.is_standing());
    given
}

/// What is true of two schemas and the level over them, though no change is to blame.
pub fn standing(change: &Change<'_>) -> Vec<Advice> {
    let mut given = match (change.new, change.old) {
        (Parsed::Avro(new), Parsed::Avro(old)) => avro::of_change(change, new, old),
        (Parsed::Protobuf(new), Parsed::Protobuf(old)) => protobuf::standing(change, new, old),
        _ => Vec::new(),
    };
    given.retain(|advice| advice.code.is_standing());
    given.extend(of_level(change.level, None));
    given
}

/// What is wrong with a schema by itself: for a first version. [`of_change`] tells it where it is new.
pub fn of_schema(schema: &Parsed) -> Vec<Advice> {
    match schema {
        Parsed::Avro(schema) => avro::of_schema(schema),
        Parsed::Protobuf(schema) => protobuf::of_schema(schema),
        Parsed::Json(_) => Vec::new(),
    }
}

/// What the rules of the schemas' own format bring up.
fn of_format(change: &Change<'_>, compared: &Compared) -> Vec<Advice> {
    match (change.new, change.old) {
        (Parsed::Avro(new), Parsed::Avro(old)) => avro::of_change(change, new, old),
        (Parsed::Protobuf(new), Parsed::Protobuf(old)) => protobuf::of_change(change, compared, new, old),
        (Parsed::Json(new), Parsed::Json(old)) => json::of_change(change, compared, new, old),
        _ => Vec::new(),
    }
}

/// Whether a subject's name says that it holds the schema of keys.
pub fn names_a_key(subject: &str) -> bool {
    subject.ends_with("-key")
}

impl Change<'_> {
    /// Whether the level in force promises that one side reads the other's data. NONE promises nothing and says nothing
    /// about a change, so that new readers of old data are taken to matter there.
    pub(super) fn promises(&self, direction: Direction) -> bool {
        match self.level {
            Level::None => direction == Direction::Backward,
            level => directions(level).contains(&direction),
        }
    }

    /// The reader and the writer of a direction.
    pub(super) fn sides(&self, direction: Direction) -> (&Parsed, &Parsed) {
        match direction {
            Direction::Backward => (self.new, self.old),
            Direction::Forward => (self.old, self.new),
        }
    }
}

#[cfg(test)]
mod blind_spots_tests;
#[cfg(test)]
mod bounds_tests;
#[cfg(test)]
mod harmless_tests;
#[cfg(test)]
mod history_tests;
#[cfg(test)]
mod notation;
#[cfg(test)]
mod words_tests;
