//! Fields and oneofs as releases after 8.3.1 compare them: all fields by number, wherever they stand, and the members
//! of a oneof by where they came from. Oneofs are looked at by name, fields by number, both in ascending order.

use std::collections::{BTreeMap, BTreeSet};

use super::checker::{Checker, Stop};
use super::fields::FieldNode;
use super::node::MessageNode;
use super::oneofs_by_name::{added, member_added, member_removed, removed};
use super::{facts, rules};
use crate::schema::protobuf::Oneof;

/// A field, and the oneof that it is in.
#[derive(Clone, Copy)]
struct Place<'a> {
    field: FieldNode<'a>,
    oneof: Option<&'a Oneof>,
}

/// The fields of a message by number; of two with one number, the last one counts.
type Places<'a> = BTreeMap<i32, Place<'a>>;

/// What became of a field.
enum Fate<'a> {
    Lost(Place<'a>),
    Gained(Place<'a>),
    Kept { was: Place<'a>, is: Place<'a> },
}

pub(super) fn compare(checker: &mut Checker, reader: &MessageNode<'_>, writer: &MessageNode<'_>) -> Result<(), Stop> {
    for fate in &compare_oneofs(checker, reader, writer)? {
        let outer = checker.path_length();
        match fate {
            Fate::Lost(was) => lost(checker, was)?,
            Fate::Gained(is) => gained(checker, is)?,
            Fate::Kept { was, is } => {
                kept(checker, was, is)?;
                checker.compare_fields(&is.field, &was.field)?;
            }
        }
        checker.leave(outer);
    }
    Ok(())
}

/// Gives what became of each field.
fn compare_oneofs<'a>(
    checker: &mut Checker,
    reader: &MessageNode<'a>,
    writer: &MessageNode<'a>,
) -> Result<Vec<Fate<'a>>, Stop> {
    let (after, before) = (places(reader), places(writer));
    merged_into_oneofs(checker, reader, &before)?;
    compare_oneof_names(checker, reader, writer)?;
    let dropped = dropped_whole(reader, writer, &after);
    let is_dropped = |place: &Place<'_>| place.oneof.is_some_and(|oneof| dropped.contains(&*oneof.name));
    let mut fates = fates(&after, &before);
    fates.retain(|fate| !matches!(fate, Fate::Lost(was) if is_dropped(was)));
    Ok(fates)
}

/// By number.
fn fates<'a>(after: &Places<'a>, before: &Places<'a>) -> Vec<Fate<'a>> {
    let numbers: BTreeSet<i32> = before.keys().chain(after.keys()).copied().collect();
    let fate = |number| match (before.get(&number).copied(), after.get(&number).copied()) {
        (Some(was), Some(is)) => Some(Fate::Kept { was, is }),
        (Some(was), None) => Some(Fate::Lost(was)),
        (None, is) => is.map(Fate::Gained),
    };
    numbers.into_iter().filter_map(fate).collect()
}

fn places<'a>(message: &MessageNode<'a>) -> Places<'a> {
    let place = |field, oneof| Place { field: FieldNode { message: *message, field }, oneof };
    let outside = message.message.fields.iter().map(|field| place(field, None));
    let oneofs = message.message.oneofs.iter();
    let inside = oneofs.flat_map(|oneof| oneof.fields.iter().map(move |field| place(field, Some(oneof))));
    outside.chain(inside).map(|place| (place.field.field.number, place)).collect()
}

/// The members of a oneof of the reader come from several places: several oneofs, or outside them, each field for
/// itself. MULTIPLE_FIELDS_MOVED_TO_ONEOF if at least two come from outside, else FIELD_MOVED_TO_EXISTING_ONEOF.
fn merged_into_oneofs(checker: &mut Checker, reader: &MessageNode<'_>, before: &Places<'_>) -> Result<(), Stop> {
    for oneof in &reader.message.oneofs {
        let numbers: BTreeSet<i32> = oneof.fields.iter().map(|field| field.number).collect();
        let came = || numbers.iter().filter_map(|number| before.get(number));
        let from: BTreeSet<&str> = came().filter_map(|place| place.oneof).map(|oneof| &*oneof.name).collect();
        let outside: Vec<FieldNode<'_>> =
            came().filter(|place| place.oneof.is_none()).map(|place| place.field).collect();
        let rule = match outside.len() {
            0 | 1 if from.len() + outside.len() < 2 => continue,
            0 | 1 => rules::FIELD_MOVED_TO_EXISTING_ONEOF,
            _ => rules::MULTIPLE_FIELDS_MOVED_TO_ONEOF,
        };
        let outer = checker.enter(&oneof.name);
        checker.add(rule, facts::moved_fields(reader.node, oneof, outside.into_iter()))?;
        checker.leave(outer);
    }
    Ok(())
}

/// ONEOF_ADDED, ONEOF_REMOVED: by name.
fn compare_oneof_names(checker: &mut Checker, reader: &MessageNode<'_>, writer: &MessageNode<'_>) -> Result<(), Stop> {
    let (after, before) = (by_name(&reader.message.oneofs), by_name(&writer.message.oneofs));
    let names: BTreeSet<&str> = before.keys().chain(after.keys()).copied().collect();
    for name in names {
        let outer = checker.enter(name);
        match (before.get(name), after.get(name)) {
            (Some(removed), None) => checker.add(rules::ONEOF_REMOVED, facts::oneof(writer.node, removed))?,
            (None, Some(added)) => checker.add(rules::ONEOF_ADDED, facts::oneof(reader.node, added))?,
            _ => {}
        }
        checker.leave(outer);
    }
    Ok(())
}

fn by_name(oneofs: &[Oneof]) -> BTreeMap<&str, &Oneof> {
    oneofs.iter().map(|oneof| (&*oneof.name, oneof)).collect()
}

/// The oneofs of the writer of which the reader has neither the name nor a member.
fn dropped_whole<'a>(reader: &MessageNode<'_>, writer: &MessageNode<'a>, after: &Places<'_>) -> BTreeSet<&'a str> {
    let kept = by_name(&reader.message.oneofs);
    let survives = |oneof: &Oneof| oneof.fields.iter().any(|field| after.contains_key(&field.number));
    let dropped = |oneof: &&Oneof| !kept.contains_key(&*oneof.name) && !survives(oneof);
    writer.message.oneofs.iter().filter(dropped).map(|oneof| &*oneof.name).collect()
}

/// FIELD_REMOVED, REQUIRED_FIELD_REMOVED or, for the member of a oneof, ONEOF_FIELD_REMOVED.
fn lost(checker: &mut Checker, was: &Place<'_>) -> Result<(), Stop> {
    enter(checker, was);
    match was.oneof {
        None => removed(checker, &was.field),
        Some(oneof) => member_removed(checker, &was.field, oneof),
    }
}

/// FIELD_ADDED, REQUIRED_FIELD_ADDED or, for the member of a oneof, ONEOF_FIELD_ADDED.
fn gained(checker: &mut Checker, is: &Place<'_>) -> Result<(), Stop> {
    enter(checker, is);
    match is.oneof {
        None => added(checker, &is.field),
        Some(oneof) => member_added(checker, &is.field, oneof),
    }
}

/// ONEOF_FIELD_MOVED_TO_TOP_LEVEL.
fn kept(checker: &mut Checker, was: &Place<'_>, is: &Place<'_>) -> Result<(), Stop> {
    enter(checker, is);
    match (was.oneof, is.oneof) {
        (Some(oneof), None) => {
            checker.add(rules::ONEOF_FIELD_MOVED_TO_TOP_LEVEL, facts::member_added(&is.field, oneof))
        }
        _ => Ok(()),
    }
}

fn enter(checker: &mut Checker, place: &Place<'_>) {
    if let Some(oneof) = place.oneof {
        checker.enter(&oneof.name);
    }
    checker.enter_number(place.field.field.number);
}
