//! Fields and oneofs as releases after 8.3.1 compare them: all fields by number, wherever they stand, and the members
//! of a oneof by where they came from.

use std::collections::{BTreeMap, HashMap};

use super::checker::{Checker, MessageNode};
use super::fields::FieldNode;
use super::oneofs_by_name::{added, removed};
use super::order::pairs;
use super::{facts, rules};
use crate::compat::Failure;
use crate::schema::protobuf::{Field, Message, Oneof};

/// A field, and the oneof that it is in.
#[derive(Clone, Copy)]
struct Place<'a> {
    field: &'a Field,
    oneof: Option<&'a Oneof>,
}

/// The fields of a message by number; of two with one number, the last one counts.
type Places<'a> = HashMap<i32, Place<'a>>;

pub(super) fn compare<'a>(
    checker: &mut Checker<'a>,
    reader: MessageNode<'a>,
    writer: MessageNode<'a>,
) -> Result<(), Failure> {
    let (after, before) = (places(reader.message), places(writer.message));
    merged_into_oneofs(checker, reader, &before);
    compare_oneof_names(checker, reader, writer);
    compare_all_fields(checker, (reader, &after), (writer, &before))
}

fn places(message: &Message) -> Places<'_> {
    let outside = message.fields.iter().map(|field| Place { field, oneof: None });
    let inside = message.oneofs.iter().flat_map(|oneof| {
        oneof.fields.iter().map(move |field| Place { field, oneof: Some(oneof) })
    });
    outside.chain(inside).map(|place| (place.field.number, place)).collect()
}

/// The members of a oneof of the reader come from several places: several oneofs, or outside them, each field for
/// itself. MULTIPLE_FIELDS_MOVED_TO_ONEOF if at least two come from outside, else FIELD_MOVED_TO_EXISTING_ONEOF.
fn merged_into_oneofs<'a>(checker: &mut Checker<'a>, reader: MessageNode<'a>, before: &Places<'a>) {
    for oneof in &reader.message.oneofs {
        let came = oneof.fields.iter().filter_map(|field| before.get(&field.number));
        let mut from: Vec<&str> = came.clone().filter_map(|place| place.oneof).map(|oneof| &*oneof.name).collect();
        from.sort_unstable();
        from.dedup();
        let mut outside: Vec<&Field> = came.filter(|place| place.oneof.is_none()).map(|place| place.field).collect();
        outside.sort_unstable_by_key(|field| field.number);
        outside.dedup_by_key(|field| field.number);
        if from.len() + outside.len() < 2 {
            continue;
        }
        let several = outside.len() > 1;
        let rule = if several { rules::MULTIPLE_FIELDS_MOVED_TO_ONEOF } else { rules::FIELD_MOVED_TO_EXISTING_ONEOF };
        let outer = checker.enter(&oneof.name);
        checker.add(rule, facts::moved_fields(reader.node, oneof, &outside));
        checker.leave(outer);
    }
}

/// ONEOF_ADDED, ONEOF_REMOVED: by name.
fn compare_oneof_names<'a>(checker: &mut Checker<'a>, reader: MessageNode<'a>, writer: MessageNode<'a>) {
    let named = |side: MessageNode<'a>| side.message.oneofs.iter().map(|oneof| (&*oneof.name, oneof));
    let (after, before): (BTreeMap<_, _>, BTreeMap<_, _>) = (named(reader).collect(), named(writer).collect());
    let mut names: Vec<&str> = before.keys().chain(after.keys()).copied().collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        let outer = checker.enter(name);
        match (before.get(name), after.get(name)) {
            (Some(removed), None) => checker.add(rules::ONEOF_REMOVED, facts::oneof(writer.node, removed)),
            (None, Some(added)) => checker.add(rules::ONEOF_ADDED, facts::oneof(reader.node, added)),
            _ => {}
        }
        checker.leave(outer);
    }
}

fn compare_all_fields<'a>(
    checker: &mut Checker<'a>,
    (reader, after): (MessageNode<'a>, &Places<'a>),
    (writer, before): (MessageNode<'a>, &Places<'a>),
) -> Result<(), Failure> {
    let numbers = pairs(before.keys().copied(), after.keys().copied());
    let mut numbers: Vec<i32> = numbers.into_iter().map(|pair| pair.key).collect();
    numbers.sort_unstable();
    for number in numbers {
        let outer = checker.path_length();
        match (before.get(&number), after.get(&number)) {
            (Some(place), None) => {
                let field = FieldNode { message: writer, field: place.field };
                match place.oneof {
                    Some(oneof) if !is_dropped_whole(oneof, reader.message, after) => {
                        checker.enter(&oneof.name);
                        checker.enter_number(number);
                        checker.add(rules::ONEOF_FIELD_REMOVED, facts::member_removed(field, oneof));
                    }
                    Some(_) => {}
                    None => {
                        checker.enter_number(number);
                        removed(checker, field);
                    }
                }
            }
            (None, Some(place)) => {
                let field = FieldNode { message: reader, field: place.field };
                match place.oneof {
                    Some(oneof) => {
                        checker.enter(&oneof.name);
                        checker.enter_number(number);
                        checker.add(rules::ONEOF_FIELD_ADDED, facts::member_added(field, oneof));
                    }
                    None => {
                        checker.enter_number(number);
                        added(checker, field);
                    }
                }
            }
            (Some(was), Some(is)) => {
                if let Some(oneof) = is.oneof {
                    checker.enter(&oneof.name);
                }
                checker.enter_number(number);
                let field = FieldNode { message: reader, field: is.field };
                if was.oneof.is_some() && is.oneof.is_none() {
                    checker.add(rules::ONEOF_FIELD_MOVED_TO_TOP_LEVEL, facts::field_added(field));
                }
                checker.compare_fields(field, FieldNode { message: writer, field: was.field })?;
            }
            (None, None) => {}
        }
        checker.leave(outer);
    }
    Ok(())
}

/// Whether the other side has neither this oneof nor any of its members.
fn is_dropped_whole(oneof: &Oneof, other: &Message, places: &Places<'_>) -> bool {
    !other.oneofs.iter().any(|kept| kept.name == oneof.name)
        && !oneof.fields.iter().any(|field| places.contains_key(&field.number))
}
