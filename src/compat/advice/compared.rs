//! What the registry's own checker says to a change, in both directions.

use super::{Advice, Change, Code, words};
use crate::api::{Level, SchemaType};
use crate::compat::effort::Effort;
use crate::compat::engine::{self, Parsed};
use crate::compat::levels::{Direction, directions};
use crate::compat::{Difference, Failure, Oneof, json};
use crate::schema::Version;

/// Both comparisons of a change.
pub(super) struct Compared {
    backward: Comparison,
    forward: Comparison,
    /// The registry goes on for long, in either direction that the level asks for.
    is_slow: bool,
    /// No more comparisons should be made.
    pub(super) is_exhausted: bool,
}

/// What the registry's checker finds in one direction.
struct Comparison {
    differences: Result<Vec<Difference>, Failure>,
    is_slow: bool,
    /// It may have found more, had it looked everywhere.
    took_shortcut: bool,
}

impl Compared {
    pub(super) fn of(change: &Change<'_>) -> Compared {
        let mut effort = Effort::default();
        let backward = Comparison::of(change, Direction::Backward, &mut effort);
        let forward = Comparison::of(change, Direction::Forward, &mut effort);
        let asks = |direction| directions(change.level).contains(&direction);
        let is_slow = backward.is_slow && asks(Direction::Backward) || forward.is_slow && asks(Direction::Forward);
        Compared { backward, forward, is_slow, is_exhausted: effort.is_spent() }
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

    /// Whether all that old readers lack is whole messages and members of oneofs (Protobuf): they skip those.
    fn only_adds_messages(&self) -> bool {
        let mut breaking = self.differences(Direction::Forward).iter().filter(|one| one.breaks);
        breaking.all(|one| matches!(one.rule, "MESSAGE_REMOVED" | "ONEOF_FIELD_REMOVED"))
    }

    /// Whether the checker may have found more, had it looked everywhere.
    pub(super) fn took_shortcut(&self, direction: Direction) -> bool {
        self.in_direction(direction).took_shortcut
    }

    fn result(&self, direction: Direction) -> &Result<Vec<Difference>, Failure> {
        &self.in_direction(direction).differences
    }

    fn in_direction(&self, direction: Direction) -> &Comparison {
        match direction {
            Direction::Backward => &self.backward,
            Direction::Forward => &self.forward,
        }
    }
}

impl Comparison {
    fn of(change: &Change<'_>, direction: Direction, effort: &mut Effort) -> Comparison {
        if effort.is_spent() {
            let differences = Err(Failure::Unsupported("comparing these schemas takes too long".to_owned()));
            return Comparison { differences, is_slow: false, took_shortcut: false };
        }
        let (reader, writer) = change.sides(direction);
        if let (Parsed::Json(reader), Parsed::Json(writer), Some(rules)) = (reader, writer, change.profile.json) {
            return match json::compare_within(reader, writer, &rules, change.policy, effort) {
                Ok(json::Compared { differences, is_slow, took_shortcut, .. }) => {
                    Comparison { differences: Ok(differences), is_slow, took_shortcut }
                }
                Err(failure) => Comparison { differences: Err(failure), is_slow: false, took_shortcut: false },
            };
        }
        let differences = engine::differences_within(reader, writer, change.profile, change.policy, effort);
        let by_name = change.profile.protobuf.is_some_and(|rules| rules.oneof == Oneof::ByName);
        let took_shortcut = match change.new {
            Parsed::Protobuf(_) => by_name,
            _ => true,
        };
        Comparison { differences, is_slow: false, took_shortcut }
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
    let old = change.old_name;
    Some(words::advice(
        Code::RegistryFails,
        "",
        format!("the registry fails (HTTP 500) when it compares this schema with {old}: {why}"),
        "keep that part as it is, or upgrade the registry if a newer release compares it",
    ))
}

/// A23: parts that refer to each other are compared again and again.
pub(super) fn registry_is_slow(change: &Change<'_>, compared: &Compared) -> Option<Advice> {
    compared.is_slow.then(|| {
        words::advice(
            Code::RegistrySlow,
            "",
            format!(
                "the registry compares parts of this schema that refer to each other again and again against {}, for \
                 seconds or without an end",
                change.old_name
            ),
            "refer to parts from fewer branches, or raise the registry's request timeout and expect a retry",
        )
    })
}

/// Clients that always take the latest version switch when it is registered, not when they are upgraded. Told where
/// the level takes the change, and one side has to be upgraded first.
pub(super) fn latest_clients(change: &Change<'_>, compared: &Compared) -> Option<Advice> {
    if directions(change.level).iter().any(|direction| compared.holds(*direction) == Some(false)) {
        return None;
    }
    let old = change.old_name;
    let old_reads_new = compared.holds(Direction::Forward)? || compared.only_adds_messages();
    let (message, remedy) = match (compared.holds(Direction::Backward)?, old_reads_new) {
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
    let old = change.old_name;
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
