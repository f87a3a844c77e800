//! Protobuf: A5, A9 to A13 and A24, and what the registry does not compare (compat.md §2.3).
//!
//! Messages and enums are taken in pairs by name, as the registry does; fields by number, in or out of oneofs. Each
//! pair is looked at once, also of what is declared in references that changed.

mod enums;
mod fields;
mod lint;
mod numbers;
#[cfg(test)]
mod tests;
mod types;
mod uncompared;

use std::collections::HashMap;

use super::compared::Compared;
use super::words::{advice, listed};
use super::{Advice, Change, Code, Given};
use crate::compat::levels::Direction;
use crate::schema::protobuf::{Body, Definition, Field, Group, Message, Oneof, Schema, TypeId};

pub(super) use lint::of_schema;

/// How many bytes of paths and of messages' names are put together, at most: for each field, changed or not.
const MAX_NAMED: usize = 16 << 20;

/// What a change caused.
pub(super) fn of_change(change: &Change<'_>, compared: &Compared, new: &Schema, old: &Schema) -> Vec<Advice> {
    let mut given = Adviser::walked(change, new, old).given.into_vec();
    given.extend(level_refuses_additions(change, compared));
    let before = of_schema(old);
    given.extend(of_schema(new).into_iter().filter(|one| !before.iter().any(|other| other.message == one.message)));
    given
}

/// What is true of the two, though no change is to blame.
pub(super) fn standing(change: &Change<'_>, new: &Schema, old: &Schema) -> Vec<Advice> {
    Adviser::walked(change, new, old).standing.into_vec()
}

/// A13: read the other way round, what is new was removed.
fn level_refuses_additions(change: &Change<'_>, compared: &Compared) -> Option<Advice> {
    if !change.promises(Direction::Forward) {
        return None;
    }
    let refused = compared.differences(Direction::Forward).iter();
    let mut refused = refused.filter(|one| one.breaks && matches!(one.rule, "MESSAGE_REMOVED" | "ONEOF_FIELD_REMOVED"));
    let first = refused.next()?;
    let mut subjects = vec![&*first.facts.subject];
    subjects.extend(refused.map(|one| &*one.facts.subject));
    let (level, old) = (change.level, change.old_name);
    let message = format!(
        "level {level} refuses every new message and every new member of a oneof, here {}: readers with {old} do not \
         know them",
        listed(&subjects)
    );
    Some(advice(Code::LevelRefusesAdditions, first.path.clone(), message, "set BACKWARD_TRANSITIVE for Protobuf"))
}

struct Adviser<'a> {
    change: &'a Change<'a>,
    new: &'a Schema,
    old: &'a Schema,
    /// `version 3`
    version: String,
    given: Given<Advice>,
    standing: Given<Advice>,
    /// Fields that no longer tell unset from zero: path and subject.
    presence: Vec<(String, String)>,
    /// How many bytes were put together, see [`MAX_NAMED`].
    named: usize,
}

impl<'a> Adviser<'a> {
    fn walked(change: &'a Change<'a>, new: &'a Schema, old: &'a Schema) -> Adviser<'a> {
        let version = change.old_name.to_owned();
        let (given, standing, presence) = (Given::new(), Given::new(), Vec::new());
        let mut adviser = Adviser { change, new, old, version, given, standing, presence, named: 0 };
        adviser.siblings("#".to_owned(), new.main().types.clone(), old.main().types.clone());
        if !new.refers_to_the_same(old) {
            let declared = |schema: &Schema| schema.references().iter().flat_map(|file| file.types.clone()).collect();
            adviser.siblings("#".to_owned(), declared(new), declared(old));
        }
        adviser.extensions();
        adviser.presence_dropped();
        adviser
    }

    /// Types that stand side by side, and what is nested in them.
    fn siblings(&mut self, path: String, new: Vec<TypeId>, old: Vec<TypeId>) {
        let mut next = vec![(path, new, old)];
        while let Some((path, new, old)) = next.pop() {
            if self.is_done() {
                return;
            }
            let before: HashMap<&str, &Definition> = named(self.old, &old).collect();
            for (name, after) in named(self.new, &new) {
                let Some(before) = before.get(name) else { continue };
                let path = format!("{path}/{name}");
                match (&after.body, &before.body) {
                    (Body::Message(new), Body::Message(old)) => {
                        self.messages(&path, &after.local_name, new, old);
                        next.push((path, new.nested.clone(), old.nested.clone()));
                    }
                    (Body::Enum(new), Body::Enum(old)) => self.constants(&path, &after.local_name, new, old),
                    _ => {}
                }
            }
        }
    }

    fn messages(&mut self, path: &str, name: &str, new: &'a Message, old: &'a Message) {
        let (after, before) = (slots(new), slots(old));
        self.fields(path, name, &after, &before);
        self.oneofs(path, name, new, old);
        let names = |message: &'a Message, slots: &Slots<'a>| {
            let mut names: Vec<(i32, &'a str)> = slots.values().map(|slot| (slot.number(), slot.name())).collect();
            names.sort_unstable();
            numbers::Names::of(names, &message.reserved)
        };
        let of = numbers::Owner { path, name, is_enum: false };
        self.numbers(&of, &names(new, &after), &names(old, &before));
    }

    fn give(&mut self, code: Code, path: String, message: String, remedy: String) {
        let given = if code.is_standing() { &mut self.standing } else { &mut self.given };
        given.push(advice(code, path, message, remedy));
    }

    /// Whether nothing more is told once one more thing of a message or enum was named.
    fn named_in(&mut self, path: &str, name: &str) -> bool {
        self.named += path.len() + name.len();
        self.is_done()
    }

    fn is_done(&self) -> bool {
        self.given.is_full() || self.named > MAX_NAMED
    }
}

/// The types with these numbers, by name; the last of several.
fn named<'a>(schema: &'a Schema, types: &[TypeId]) -> impl Iterator<Item = (&'a str, &'a Definition)> {
    types.iter().map(|id| schema.get(*id)).map(|definition| (&*definition.name, definition))
}

/// What a number of a message stands for.
#[derive(Clone, Copy)]
enum Slot<'a> {
    Field { field: &'a Field, oneof: Option<&'a Oneof> },
    Group(&'a Group),
}

impl<'a> Slot<'a> {
    fn number(&self) -> i32 {
        match self {
            Slot::Field { field, .. } => field.number,
            Slot::Group(group) => group.number,
        }
    }

    fn name(&self) -> &'a str {
        match self {
            Slot::Field { field, .. } => &field.name,
            Slot::Group(group) => &group.name,
        }
    }
}

type Slots<'a> = HashMap<i32, Slot<'a>>;

/// What the numbers of a message stand for; the first of several.
fn slots(message: &Message) -> Slots<'_> {
    let mut slots = HashMap::with_capacity(message.size());
    let members = message.oneofs.iter().flat_map(|oneof| oneof.fields.iter().map(move |field| (field, Some(oneof))));
    for (field, oneof) in message.fields.iter().map(|field| (field, None)).chain(members) {
        slots.entry(field.number).or_insert(Slot::Field { field, oneof });
    }
    for group in &message.groups {
        slots.entry(group.number).or_insert(Slot::Group(group));
    }
    slots
}
