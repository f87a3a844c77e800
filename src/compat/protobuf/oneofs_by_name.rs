//! Fields and oneofs as final releases up to 8.3.1 compare them: oneofs by name, all other fields by number.

use std::collections::{HashMap, HashSet};

use super::checker::{Checker, Stop};
use super::fields::FieldNode;
use super::node::MessageNode;
use super::order::{Pair, pairs};
use super::{facts, rules};
use crate::schema::protobuf::{Field, Label, Oneof};

/// What became of a field, or of the member of a oneof.
enum Fate<'a> {
    Removed(FieldNode<'a>),
    Added(FieldNode<'a>),
    Kept { was: FieldNode<'a>, is: FieldNode<'a> },
}

pub(super) fn compare(checker: &mut Checker, reader: &MessageNode<'_>, writer: &MessageNode<'_>) -> Result<(), Stop> {
    let moved = moved_into_oneofs(checker, reader, writer)?;
    compare_oneofs(checker, reader, writer)?;
    compare_other_fields(checker, reader, writer, &moved)
}

/// MULTIPLE_FIELDS_MOVED_TO_ONEOF: a oneof of the reader has several members that the writer has outside oneofs.
/// FIELD_MOVED_TO_EXISTING_ONEOF: it has one, and another member that the writer has in a oneof.
/// Gives the numbers of the moved fields.
fn moved_into_oneofs(
    checker: &mut Checker,
    reader: &MessageNode<'_>,
    writer: &MessageNode<'_>,
) -> Result<HashSet<i32>, Stop> {
    if reader.message.oneofs.is_empty() {
        return Ok(HashSet::new());
    }
    let place = |field| FieldNode { message: *writer, field };
    let mut outside: HashMap<i32, &Field> = writer.message.fields.iter().map(|field| (field.number, field)).collect();
    let inside: HashSet<i32> = writer.message.oneofs.iter().flat_map(|oneof| numbers(&oneof.fields)).collect();
    let mut moved = HashSet::new();
    for oneof in &reader.message.oneofs {
        let members: Vec<_> = numbers(&oneof.fields).filter_map(|number| outside.remove(&number)).collect();
        moved.extend(members.iter().map(|field| field.number));
        let rule = match members.len() {
            0 => continue,
            1 if numbers(&oneof.fields).any(|number| inside.contains(&number)) => rules::FIELD_MOVED_TO_EXISTING_ONEOF,
            1 => continue,
            _ => rules::MULTIPLE_FIELDS_MOVED_TO_ONEOF,
        };
        let outer = checker.enter(&oneof.name);
        checker.add(rule, facts::moved_fields(reader.node, oneof, members.into_iter().map(place)))?;
        checker.leave(outer);
    }
    Ok(moved)
}

/// Oneofs of one name, member by member. The members of a oneof that is gone are not looked at.
fn compare_oneofs(checker: &mut Checker, reader: &MessageNode<'_>, writer: &MessageNode<'_>) -> Result<(), Stop> {
    let (after, before) = (&reader.message.oneofs, &writer.message.oneofs);
    for pair in &pairs(names(before), names(after)) {
        let outer = checker.enter(pair.key);
        match (pair.writer, pair.reader) {
            (Some(was), Some(is)) => compare_members(checker, (reader, &after[is]), (writer, &before[was]))?,
            _ => one_sided(checker, pair, reader, writer)?,
        }
        checker.leave(outer);
    }
    Ok(())
}

/// ONEOF_ADDED, ONEOF_REMOVED: by name.
fn one_sided(
    checker: &mut Checker,
    pair: &Pair<&str>,
    reader: &MessageNode<'_>,
    writer: &MessageNode<'_>,
) -> Result<(), Stop> {
    if let Some(removed) = pair.writer {
        checker.add(rules::ONEOF_REMOVED, facts::oneof(writer.node, &writer.message.oneofs[removed]))?;
    }
    if let Some(added) = pair.reader {
        checker.add(rules::ONEOF_ADDED, facts::oneof(reader.node, &reader.message.oneofs[added]))?;
    }
    Ok(())
}

/// Members of two oneofs of one name, by number.
fn compare_members(
    checker: &mut Checker,
    (reader, after): (&MessageNode<'_>, &Oneof),
    (writer, before): (&MessageNode<'_>, &Oneof),
) -> Result<(), Stop> {
    for (number, fate) in &fates((reader, &after.fields), (writer, &before.fields)) {
        let outer = checker.enter_number(*number);
        match fate {
            Fate::Removed(was) => member_removed(checker, was, before)?,
            Fate::Added(is) => member_added(checker, is, after)?,
            Fate::Kept { was, is } => checker.compare_fields(is, was)?,
        }
        checker.leave(outer);
    }
    Ok(())
}

/// Fields outside oneofs, by number. Those that moved into a oneof are not looked at.
fn compare_other_fields(
    checker: &mut Checker,
    reader: &MessageNode<'_>,
    writer: &MessageNode<'_>,
    moved: &HashSet<i32>,
) -> Result<(), Stop> {
    for (number, fate) in &fates((reader, &reader.message.fields), (writer, &writer.message.fields)) {
        let outer = checker.enter_number(*number);
        match fate {
            Fate::Removed(_) if moved.contains(number) => {}
            Fate::Removed(was) => removed(checker, was)?,
            Fate::Added(is) => added(checker, is)?,
            Fate::Kept { is, .. } if moved.contains(number) => added(checker, is)?,
            Fate::Kept { was, is } => checker.compare_fields(is, was)?,
        }
        checker.leave(outer);
    }
    Ok(())
}

/// FIELD_REMOVED, and REQUIRED_FIELD_REMOVED for a required one.
pub(super) fn removed(checker: &mut Checker, field: &FieldNode<'_>) -> Result<(), Stop> {
    let required = field.field.label == Some(Label::Required);
    let rule = if required { rules::REQUIRED_FIELD_REMOVED } else { rules::FIELD_REMOVED };
    checker.add(rule, facts::field_removed(field))
}

/// FIELD_ADDED, and REQUIRED_FIELD_ADDED for a required one.
pub(super) fn added(checker: &mut Checker, field: &FieldNode<'_>) -> Result<(), Stop> {
    let required = field.field.label == Some(Label::Required);
    let rule = if required { rules::REQUIRED_FIELD_ADDED } else { rules::FIELD_ADDED };
    checker.add(rule, facts::field_added(field))
}

/// ONEOF_FIELD_REMOVED.
pub(super) fn member_removed(checker: &mut Checker, field: &FieldNode<'_>, oneof: &Oneof) -> Result<(), Stop> {
    checker.add(rules::ONEOF_FIELD_REMOVED, facts::member_removed(field, oneof))
}

/// ONEOF_FIELD_ADDED.
pub(super) fn member_added(checker: &mut Checker, field: &FieldNode<'_>, oneof: &Oneof) -> Result<(), Stop> {
    checker.add(rules::ONEOF_FIELD_ADDED, facts::member_added(field, oneof))
}

fn fates<'a>(
    (reader, after): (&MessageNode<'a>, &'a [Field]),
    (writer, before): (&MessageNode<'a>, &'a [Field]),
) -> Vec<(i32, Fate<'a>)> {
    let fate = |pair: Pair<i32>| {
        let was = pair.writer.map(|index| FieldNode { message: *writer, field: &before[index] });
        let is = pair.reader.map(|index| FieldNode { message: *reader, field: &after[index] });
        let fate = match (was, is) {
            (Some(was), Some(is)) => Fate::Kept { was, is },
            (Some(was), None) => Fate::Removed(was),
            (None, is) => Fate::Added(is?),
        };
        Some((pair.key, fate))
    };
    pairs(numbers(before), numbers(after)).into_iter().filter_map(fate).collect()
}

fn numbers(fields: &[Field]) -> impl ExactSizeIterator<Item = i32> {
    fields.iter().map(|field| field.number)
}

fn names(oneofs: &[Oneof]) -> impl ExactSizeIterator<Item = &str> {
    oneofs.iter().map(|oneof| &*oneof.name)
}
