//! Changes in few words, for tests.

use super::{Advice, Change, of_change, standing};
use crate::api::{Level, SchemaType};
use crate::compat::engine::{self, Parsed};
use crate::compat::levels::Direction;
use crate::compat::{CONFLUENT_8_3, Policy, Profile};
use crate::schema::Reading;

/// A schema as a registry holds it.
pub(super) fn read(schema_type: SchemaType, text: &str) -> Parsed {
    engine::read(schema_type, text, &[], Reading::Stored, &CONFLUENT_8_3)
        .unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// A change from version 3, judged by the newest final release.
pub(super) struct Case {
    pub old: Parsed,
    pub new: Parsed,
    pub level: Level,
    pub profile: &'static Profile,
    pub is_key: bool,
}

impl Case {
    pub(super) fn of(schema_type: SchemaType, old: &str, new: &str) -> Case {
        let (old, new) = (read(schema_type, old), read(schema_type, new));
        Case { old, new, level: Level::Backward, profile: &CONFLUENT_8_3, is_key: false }
    }

    pub(super) fn at(self, level: Level) -> Case {
        Case { level, ..self }
    }

    pub(super) fn change(&self) -> Change<'_> {
        Change {
            old: &self.old,
            new: &self.new,
            old_name: "version 3",
            level: self.level,
            profile: self.profile,
            policy: Policy::Strict,
            is_key: self.is_key,
        }
    }

    pub(super) fn given(&self) -> Vec<Advice> {
        of_change(&self.change())
    }

    pub(super) fn standing(&self) -> Vec<Advice> {
        standing(&self.change())
    }

    /// Whether the registry lets the change pass in a direction.
    pub(super) fn passes(&self, direction: Direction) -> bool {
        let change = self.change();
        let (reader, writer) = change.sides(direction);
        let all = engine::differences(reader, writer, self.profile, Policy::Strict).unwrap();
        !all.iter().any(|difference| difference.breaks)
    }
}

/// Codes and paths: `Renamed #/M/1, …`.
pub(super) fn places(given: &[Advice]) -> String {
    let lines: Vec<String> = given.iter().map(|advice| format!("{} {}", advice.code, advice.path)).collect();
    lines.join(", ")
}
