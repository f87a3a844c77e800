//! Where the registry takes a change though data cannot be read: its checkers take shortcuts (compat.md §1.5, §2.2,
//! §3.3), and the same rules without those find more.

use std::collections::HashSet;

use super::compared::{BOTH, Compared, schema_type};
use super::words::{advice, named};
use super::{Advice, Change, Code};
use crate::compat::avro::advice::accepted_though_unreadable;
use crate::compat::engine::{self, Parsed};
use crate::compat::levels::Direction;
use crate::compat::{Difference, Oneof, ProtobufRules, json, protobuf};

/// How many places are told for each direction.
const MAX_TOLD: usize = 5;

/// What the level promises and the registry lets pass, but does not hold.
pub(super) fn accepted(change: &Change<'_>, compared: &Compared) -> Vec<Advice> {
    let passed = BOTH.into_iter().filter(|one| change.promises(*one) && compared.holds(*one) == Some(true));
    let passed = passed.filter(|one| compared.took_shortcut(*one) && !compared.is_exhausted);
    passed.flat_map(|direction| unreadable(change, direction)).collect()
}

fn unreadable(change: &Change<'_>, direction: Direction) -> Vec<Advice> {
    let broken = match change.sides(direction) {
        (Parsed::Avro(reader), Parsed::Avro(writer)) => {
            let noted = accepted_though_unreadable(reader, writer);
            return noted
                .map(|noted| of_avro(change, direction, &noted.facts.subject, noted.path))
                .into_iter()
                .collect();
        }
        (Parsed::Json(reader), Parsed::Json(writer)) => {
            let Some(rules) = change.profile.json else { return Vec::new() };
            json::without_shortcuts(reader, writer, &rules, change.policy)
        }
        (Parsed::Protobuf(reader), Parsed::Protobuf(writer)) => {
            protobuf::differences(reader, writer, &PLAIN_PROTOBUF, change.policy)
        }
        _ => return Vec::new(),
    };
    let mut broken: Vec<Difference> = broken.unwrap_or_default();
    broken.retain(|difference| difference.breaks);
    // What recurs is found again within itself: the outermost place tells enough.
    broken.sort_by_key(|difference| difference.path.len());
    let mut told = HashSet::new();
    broken.retain(|difference| told.insert(what_differs(difference)));
    broken.truncate(MAX_TOLD);
    broken.into_iter().map(|difference| of_difference(change, direction, difference)).collect()
}

/// The same for one part that is reached in several ways.
fn what_differs(difference: &Difference) -> (&'static str, String, String, String) {
    let last = difference.path.rsplit('/').next().unwrap_or_default().to_owned();
    (difference.rule, last, difference.facts.reader.clone(), difference.facts.writer.clone())
}

/// Members of oneofs are compared whatever became of their oneof.
const PLAIN_PROTOBUF: ProtobufRules = ProtobufRules { oneof: Oneof::ByOrigin };

fn of_avro(change: &Change<'_>, direction: Direction, subject: &str, path: String) -> Advice {
    let (subject, old) = (named(subject), change.old_name);
    let what = match direction {
        Direction::Backward => format!("{subject} cannot be read from what {old} wrote"),
        Direction::Forward => format!("readers with {old} cannot read {subject} of new data"),
    };
    let message = format!("the registry takes this schema, but {what}: its checker has met the same types before");
    let remedy = format!("keep {subject} as it is in {old}");
    advice(Code::AcceptedThoughUnreadable, path, message, remedy)
}

fn of_difference(change: &Change<'_>, direction: Direction, difference: Difference) -> Advice {
    let told = engine::sentence_about(schema_type(change.new), &difference, direction, change.old_name);
    let message = format!("the registry takes this schema, because its checker does not look here, but {told}");
    // No other way out was tried; and a oneof may be new.
    let keep = match difference.rule.contains("ONEOF") {
        true => format!("keep the oneofs as they are in {}", change.old_name),
        false => format!("keep {} as it is in {}", named(&difference.facts.subject), change.old_name),
    };
    advice(Code::AcceptedThoughUnreadable, difference.path, message, keep)
}
