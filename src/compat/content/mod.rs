//! What schemas are made of, in the words of who writes them, and what one text has that another has not. No verdict
//! follows from it: it tells a person what would be overwritten. Pure.

mod avro;
mod json;
mod protobuf;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

use crate::api::SchemaType;
use crate::schema::Form;

/// So many parts are told apart; a text with more is not taken apart.
const MAX_PARTS: usize = 50_000;
/// So many bytes they have in all, since a long name stands in the name of every part of what it names.
const MAX_BYTES: usize = 8 << 20;
/// So many names are listed of each kind of change.
const LISTED: usize = 3;

/// The parts of a schema: `field currency`, `symbol LATE of Status`; each with all that is said of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Content {
    parts: BTreeMap<String, String>,
    bytes: usize,
}

/// How one schema differs from another, by the names of the parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Only the later one has these.
    pub added: Vec<String>,
    /// Only the earlier one has these.
    pub removed: Vec<String>,
    /// Both have these, and say other things of them.
    pub changed: Vec<String>,
}

impl Content {
    /// Takes a schema apart; none where it cannot be read as its format, or has too many parts or too long ones.
    pub fn of(form: &Form) -> Option<Content> {
        let mut content = Content::default();
        match form.schema_type() {
            SchemaType::Avro => avro::take_apart(form.json()?, &mut content),
            SchemaType::Json => json::take_apart(form.json()?, &mut content),
            SchemaType::Protobuf => protobuf::take_apart(form.text(), &mut content)?,
        }
        (!content.is_full()).then_some(content)
    }

    fn add(&mut self, part: impl Display, says: impl Display) {
        if !self.is_full() {
            let (part, says) = (part.to_string(), says.to_string());
            self.bytes += part.len() + says.len();
            self.parts.insert(part, says);
        }
    }

    fn is_full(&self) -> bool {
        self.parts.len() >= MAX_PARTS || self.bytes >= MAX_BYTES
    }

    /// What changed from this schema to a later one.
    pub fn changes_to(&self, later: &Content) -> Changes {
        self.changes_where(later, |_| true)
    }

    /// Which of the changes from `base` to this schema a third one does not have. None where there are no changes that
    /// could be told: then nothing is known of what they were.
    pub fn changes_that_are_not_in(&self, base: &Content, third: &Content) -> Option<Changes> {
        let differs = |part: &str| third.parts.get(part) != self.parts.get(part);
        (base.parts != self.parts).then(|| base.changes_where(self, differs))
    }

    fn changes_where(&self, later: &Content, counts: impl Fn(&str) -> bool) -> Changes {
        let mut changes = Changes::default();
        let all: BTreeSet<&String> = self.parts.keys().chain(later.parts.keys()).collect();
        for part in all.into_iter().filter(|part| counts(part)) {
            let found = match (self.parts.get(part), later.parts.get(part)) {
                (None, Some(_)) => &mut changes.added,
                (Some(_), None) => &mut changes.removed,
                (Some(one), Some(other)) if one != other => &mut changes.changed,
                _ => continue,
            };
            found.push(part.clone());
        }
        changes
    }
}

impl Changes {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty() && self.changed.is_empty()
    }
}

/// A few of the names: `field a, field b and 3 more`.
pub fn listed(parts: &[String]) -> String {
    let shown = parts.iter().take(LISTED).cloned().collect::<Vec<_>>().join(", ");
    match parts.len().saturating_sub(LISTED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

#[cfg(test)]
mod tests;
