//! What the registry's own checker says to a change, in both directions.

use super::{Advice, Change, Code, words};
use crate::api::{Level, SchemaType};
use crate::compat::engine::{self, Parsed};
use crate::compat::levels::Direction;
use crate::compat::{Difference, Failure};
use crate::schema::Version;

/// Both comparisons of a change.
pub(super) struct Compared {
    backward: Result<Vec<Difference>, Failure>,
    forward: Result<Vec<Difference>, Failure>,
}

impl Compared {
    pub(super) fn of(change: &Change<'_>) -> Compared {
        let Change { old, new, profile, policy, .. } = *change;
        Compared {
            backward: engine::differences(new, old, profile, policy),
            forward: engine::differences(old, new, profile, policy),
        }
    }

    /// All differences; none where they cannot be told.
    pub(super) fn differences(&self, direction: Direction) -> &[Difference] {
        match self.result(direction) {
            Ok(all) => all,
            Err(_) => &[],
        }
    }

    /// Whether data can be read, where that can be told.
    pub(super) fn holds(&self, direction: Direction) -> Option<bool> {
        self.result(direction).as_ref().ok().map(|all| !all.iter().any(|one| one.breaks))
    }

    fn result(&self, direction: Direction) -> &Result<Vec<Difference>, Failure> {
        match direction {
            Direction::Backward => &self.backward,
            Direction::Forward => &self.forward,
        }
    }
}

/// Both ways, as the registry tells them.
pub(super) const BOTH: [Direction; 2] = [Direction::Backward, Direction::Forward];

/// A difference in one sentence.
pub(super) fn sentence(of: &Parsed, difference: &Difference, direction: Direction, version: Version) -> String {
    engine::sentence(schema_type(of), difference, direction, version)
}

pub(super) fn schema_type(of: &Parsed) -> SchemaType {
    match of {
        Parsed::Avro(_) => SchemaType::Avro,
        Parsed::Json(_) => SchemaType::Json,
        Parsed::Protobuf(_) => SchemaType::Protobuf,
    }
}

/// A23: the registry answers 500 instead of a verdict.
pub(super) fn registry_fails(change: &Change<'_>, compared: &Compared) -> Option<Advice> {
    let failed = |direction: &Direction| match compared.result(*direction) {
        Err(Failure::RegistryError(why)) if change.level != Level::None && change.promises(*direction) => Some(why),
        _ => None,
    };
    let why = BOTH.iter().find_map(failed)?;
    let old = change.old_words();
    Some(words::advice(
        Code::RegistryFails,
        "",
        format!("the registry fails (HTTP 500) when it compares this schema with {old}: {why}"),
        "change what its checker fails over, or register under NONE once and set the level again",
    ))
}

/// Clients that always take the latest version switch when it is registered, not when they are upgraded.
pub(super) fn latest_clients(change: &Change<'_>, compared: &Compared) -> Option<Advice> {
    let old = change.old_words();
    let (message, remedy) = match (compared.holds(Direction::Backward)?, compared.holds(Direction::Forward)?) {
        (true, false) => (
            format!(
                "producers with use.latest.version write with this schema as soon as it is registered, and readers \
                 with {old} cannot read that"
            ),
            "upgrade the consumers before this schema is registered, where producers use the latest version",
        ),
        (false, true) => (
            format!(
                "consumers with use.latest.version read with this schema as soon as it is registered, and cannot read \
                 what was written with {old}"
            ),
            "let the data of before expire before this schema is registered, where consumers use the latest version",
        ),
        _ => return None,
    };
    Some(words::advice(Code::LatestClients, "", message, remedy))
}

/// The id of the schema is in every key's bytes: a key of today is another key tomorrow.
pub(super) fn key_schema_changed(change: &Change<'_>) -> Option<Advice> {
    let old = change.old_words();
    let is_key = change.is_key;
    is_key.then(|| {
        words::advice(
            Code::KeySchemaChanged,
            "",
            format!(
                "this is the schema of keys, and its id is part of their bytes: a key written with it is another one \
                 than the same key written with {old}, goes to another partition and does not replace it in a \
                 compacted topic"
            ),
            "keep the schema of keys, or move to a new topic",
        )
    })
}
