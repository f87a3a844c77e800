//! Fields and oneofs as final releases up to 8.3.1 compare them: oneofs by name, all other fields by number.

use std::collections::HashSet;

use super::checker::{Checker, MessageNode};
use super::fields::FieldNode;
use super::order::{Pair, pairs};
use super::{facts, rules};
use crate::compat::Failure;
use crate::schema::protobuf::{Field, Label, Oneof};

pub(super) fn compare<'a>(
    checker: &mut Checker,
    reader: MessageNode<'a>,
    writer: MessageNode<'a>,
) -> Result<(), Failure> {
    let moved = moved_into_oneofs(checker, reader, writer);
    compare_oneofs(checker, reader, writer)?;
    compare_other_fields(checker, reader, writer, &moved)
}

/// MULTIPLE_FIELDS_MOVED_TO_ONEOF: a oneof of the reader has several members that the writer has outside oneofs.
/// FIELD_MOVED_TO_EXISTING_ONEOF: it has one, and another member that the writer has in a oneof.
/// Gives the numbers of the moved fields.
fn moved_into_oneofs<'a>(checker: &mut Checker, reader: MessageNode<'a>, writer: MessageNode<'a>) -> HashSet<i32> {
    let numbers = |fields: &'a [Field]| fields.iter().map(|field| field.number);
    let mut outside: HashSet<i32> = numbers(&writer.message.fields).collect();
    let inside: HashSet<i32> = writer.message.oneofs.iter().flat_map(|oneof| numbers(&oneof.fields)).collect();
    let mut moved = HashSet::new();
    for oneof in &reader.message.oneofs {
        let members: Vec<&Field> = oneof.fields.iter().filter(|field| outside.remove(&field.number)).collect();
        moved.extend(members.iter().map(|field| field.number));
        let rule = match members.len() {
            0 => continue,
            1 if numbers(&oneof.fields).any(|number| inside.contains(&number)) => rules::FIELD_MOVED_TO_EXISTING_ONEOF,
            1 => continue,
            _ => rules::MULTIPLE_FIELDS_MOVED_TO_ONEOF,
        };
        let outer = checker.enter(&oneof.name);
        checker.add(rule, facts::moved_fields(reader.node, oneof, &members));
        checker.leave(outer);
    }
    moved
}

/// ONEOF_ADDED, ONEOF_REMOVED: by name. The members of a oneof that is gone are not looked at.
fn compare_oneofs<'a>(checker: &mut Checker, reader: MessageNode<'a>, writer: MessageNode<'a>) -> Result<(), Failure> {
    let name = |oneof: &'a Oneof| &*oneof.name;
    let (after, before) = (&reader.message.oneofs, &writer.message.oneofs);
    for pair in pairs(before.iter().map(name), after.iter().map(name)) {
        let outer = checker.enter(pair.key);
        match (pair.writer.map(|index| &before[index]), pair.reader.map(|index| &after[index])) {
            (Some(removed), None) => checker.add(rules::ONEOF_REMOVED, facts::oneof(writer.node, removed)),
            (None, Some(added)) => checker.add(rules::ONEOF_ADDED, facts::oneof(reader.node, added)),
            (Some(before), Some(after)) => compare_members(checker, (reader, after), (writer, before))?,
            (None, None) => {}
        }
        checker.leave(outer);
    }
    Ok(())
}

/// ONEOF_FIELD_ADDED, ONEOF_FIELD_REMOVED: members of two oneofs of one name, by number.
fn compare_members<'a>(
    checker: &mut Checker,
    (reader, after): (MessageNode<'a>, &'a Oneof),
    (writer, before): (MessageNode<'a>, &'a Oneof),
) -> Result<(), Failure> {
    for pair in by_number(&before.fields, &after.fields) {
        let outer = checker.enter_number(pair.key);
        let before_field = pair.writer.map(|index| FieldNode { message: writer, field: &before.fields[index] });
        let after_field = pair.reader.map(|index| FieldNode { message: reader, field: &after.fields[index] });
        match (before_field, after_field) {
            (Some(field), None) => checker.add(rules::ONEOF_FIELD_REMOVED, facts::member_removed(field, before)),
            (None, Some(field)) => checker.add(rules::ONEOF_FIELD_ADDED, facts::member_added(field, after)),
            (Some(writer), Some(reader)) => checker.compare_fields(reader, writer)?,
            (None, None) => {}
        }
        checker.leave(outer);
    }
    Ok(())
}

/// FIELD_ADDED, FIELD_REMOVED and, for required ones, REQUIRED_FIELD_ADDED, REQUIRED_FIELD_REMOVED: fields outside
/// oneofs, by number. Those that moved into a oneof are not looked at.
fn compare_other_fields<'a>(
    checker: &mut Checker,
    reader: MessageNode<'a>,
    writer: MessageNode<'a>,
    moved: &HashSet<i32>,
) -> Result<(), Failure> {
    for pair in by_number(&writer.message.fields, &reader.message.fields) {
        let outer = checker.enter_number(pair.key);
        let before = pair.writer.filter(|_| !moved.contains(&pair.key));
        let before = before.map(|index| FieldNode { message: writer, field: &writer.message.fields[index] });
        let after = pair.reader.map(|index| FieldNode { message: reader, field: &reader.message.fields[index] });
        match (before, after) {
            (Some(field), None) => removed(checker, field),
            (None, Some(field)) => added(checker, field),
            (Some(writer), Some(reader)) => checker.compare_fields(reader, writer)?,
            (None, None) => {}
        }
        checker.leave(outer);
    }
    Ok(())
}

pub(super) fn removed(checker: &mut Checker, field: FieldNode<'_>) {
    let required = field.field.label == Some(Label::Required);
    let rule = if required { rules::REQUIRED_FIELD_REMOVED } else { rules::FIELD_REMOVED };
    checker.add(rule, facts::field_removed(field));
}

pub(super) fn added(checker: &mut Checker, field: FieldNode<'_>) {
    let required = field.field.label == Some(Label::Required);
    let rule = if required { rules::REQUIRED_FIELD_ADDED } else { rules::FIELD_ADDED };
    checker.add(rule, facts::field_added(field));
}

pub(super) fn by_number<'a>(writer: &'a [Field], reader: &'a [Field]) -> Vec<Pair<i32>> {
    let numbers = |fields: &'a [Field]| fields.iter().map(|field| field.number);
    pairs(numbers(writer), numbers(reader))
}
