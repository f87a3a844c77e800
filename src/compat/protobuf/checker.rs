//! Walks both schemas at once: package, messages, enums, and the messages that fields refer to.

use std::collections::HashMap;

use super::order::{Pair, pairs};
use super::rules::{self, Rule};
use super::{facts, oneofs_by_name, oneofs_by_origin};
use crate::compat::{Difference, Facts, Failure, Oneof, ProtobufRules};
use crate::schema::MAX_DEPTH;
use crate::schema::protobuf::{Body, Definition, Enum, Message, Schema, Target, TypeId};

/// How many fields are compared again, at most, after their messages were compared once. The registry compares a
/// message anew for each field that refers to it, which grows without bounds; after this many, what was found the
/// first time stands for it.
const MAX_REPEATS: usize = 10_000;

/// A type, and the schema that declares it.
#[derive(Clone, Copy)]
pub(super) struct Node<'a> {
    pub schema: &'a Schema,
    pub target: Target,
    pub definition: &'a Definition,
}

impl<'a> Node<'a> {
    pub fn new(schema: &'a Schema, target: Target) -> Node<'a> {
        let (declaring, id) = schema.target(target);
        Node { schema: declaring, target, definition: declaring.get(id) }
    }

    fn nested(self, id: TypeId) -> Node<'a> {
        let target = match self.target {
            Target::Declared(_) => Target::Declared(id),
            Target::WellKnown(_) => Target::WellKnown(id),
        };
        Node { target, definition: self.schema.get(id), ..self }
    }

    /// Whether both are the same type of those that every registry knows.
    pub fn is_known_to_be(self, other: Node<'_>) -> bool {
        matches!(self.target, Target::WellKnown(_)) && self.target == other.target
    }

    /// Whether the schema's own text declares it.
    pub fn is_own(self) -> bool {
        matches!(self.target, Target::Declared(_)) && self.schema.declares(self.definition)
    }
}

/// A message, and the type that it is.
#[derive(Clone, Copy)]
pub(super) struct MessageNode<'a> {
    pub node: Node<'a>,
    pub message: &'a Message,
}

impl<'a> MessageNode<'a> {
    /// The types declared in it.
    fn nested(&self) -> Vec<Node<'a>> {
        self.message.nested.iter().map(|id| self.node.nested(*id)).collect()
    }
}

/// What comparing a pair of messages found.
#[derive(Clone, Copy)]
struct Outcome {
    breaks: bool,
    /// It found nothing, and would find nothing again.
    settled: bool,
}

pub(super) struct Checker {
    rules: ProtobufRules,
    path: String,
    differences: Vec<Difference>,
    breaking: usize,
    /// The writer's messages that are being compared, and how many were before them.
    open: HashMap<Target, usize>,
    /// The outermost of those that was met again.
    met_again: usize,
    outcomes: HashMap<(Target, Target), Outcome>,
    repeats: usize,
}

impl Checker {
    pub fn new(rules: ProtobufRules) -> Checker {
        Checker {
            rules,
            path: "#".to_owned(),
            differences: Vec::new(),
            breaking: 0,
            open: HashMap::new(),
            met_again: usize::MAX,
            outcomes: HashMap::new(),
            repeats: 0,
        }
    }

    pub fn compare(mut self, reader: &Schema, writer: &Schema) -> Result<Vec<Difference>, Failure> {
        let packages = (&*reader.main().package, &*writer.main().package);
        if packages.0 != packages.1 {
            self.add(rules::PACKAGE_CHANGED, facts::of("the package", packages.0, packages.1));
        }
        self.compare_types(own(reader), own(writer))?;
        Ok(self.differences)
    }

    /// Types that stand side by side: messages first, then enums.
    fn compare_types<'a>(&mut self, reader: Vec<Node<'a>>, writer: Vec<Node<'a>>) -> Result<(), Failure> {
        self.compare_sibling_messages(&messages(&reader), &messages(&writer))?;
        self.compare_sibling_enums(&enums(&reader), &enums(&writer));
        Ok(())
    }

    fn compare_sibling_messages(
        &mut self,
        reader: &[MessageNode<'_>],
        writer: &[MessageNode<'_>],
    ) -> Result<(), Failure> {
        for pair in &pairs(names(writer), names(reader)) {
            let outer = self.enter(pair.key);
            match (pair.writer, pair.reader) {
                (Some(before), Some(after)) => {
                    self.compare_messages(&reader[after], &writer[before])?;
                    self.compare_places(&reader[after], after, before);
                }
                (before, after) => {
                    self.one_sided(before.map(|index| &writer[index]), after.map(|index| &reader[index]))
                }
            }
            self.leave(outer);
        }
        Ok(())
    }

    /// MESSAGE_ADDED, MESSAGE_REMOVED: by name.
    fn one_sided(&mut self, removed: Option<&MessageNode<'_>>, added: Option<&MessageNode<'_>>) {
        if let Some(removed) = removed {
            self.add(rules::MESSAGE_REMOVED, facts::message_removed(removed.node));
        }
        if let Some(added) = added {
            self.add(rules::MESSAGE_ADDED, facts::message_added(added.node));
        }
    }

    /// MESSAGE_MOVED: another place among the messages beside it.
    fn compare_places(&mut self, message: &MessageNode<'_>, after: usize, before: usize) {
        if after != before {
            self.add(rules::MESSAGE_MOVED, facts::message_moved(message.node, before, after));
        }
    }

    fn compare_sibling_enums<'a>(&mut self, reader: &[(Node<'a>, &'a Enum)], writer: &[(Node<'a>, &'a Enum)]) {
        let name = |(node, _): &(Node<'a>, &'a Enum)| &*node.definition.name;
        for Pair { key, writer: before, reader: after } in pairs(writer.iter().map(name), reader.iter().map(name)) {
            let outer = self.enter(key);
            match (before.map(|index| writer[index]), after.map(|index| reader[index])) {
                (Some((removed, _)), None) => self.add(rules::ENUM_REMOVED, facts::enumeration(removed)),
                (None, Some((added, _))) => self.add(rules::ENUM_ADDED, facts::enumeration(added)),
                (Some((_, writer)), Some((node, reader))) => self.compare_enums(node, reader, writer),
                (None, None) => {}
            }
            self.leave(outer);
        }
    }

    fn compare_enums<'a>(&mut self, node: Node<'a>, reader: &'a Enum, writer: &'a Enum) {
        let numbers = |side: &'a Enum| side.constants.iter().map(|constant| constant.number);
        for Pair { key, writer: before, reader: after } in pairs(numbers(writer), numbers(reader)) {
            let outer = self.enter_number(key);
            let before = before.map(|index| &*writer.constants[index].name);
            let after = after.map(|index| &*reader.constants[index].name);
            let rule = match (before, after) {
                (Some(_), None) => Some(rules::ENUM_CONST_REMOVED),
                (None, Some(_)) => Some(rules::ENUM_CONST_ADDED),
                (before, after) => (before != after).then_some(rules::ENUM_CONST_CHANGED),
            };
            if let Some(rule) = rule {
                self.add(rule, facts::constant(node, key, after, before));
            }
            self.leave(outer);
        }
    }

    /// Two messages of one name. A writer's message that is being compared already is taken to be the same.
    fn compare_messages(&mut self, reader: &MessageNode<'_>, writer: &MessageNode<'_>) -> Result<(), Failure> {
        let depth = self.open.len();
        if let Some(outer) = self.open.get(&writer.node.target) {
            self.met_again = self.met_again.min(*outer);
            return Ok(());
        }
        if depth >= MAX_DEPTH {
            return Err(Failure::Unsupported(format!("messages refer to one another deeper than {MAX_DEPTH} levels")));
        }
        self.open.insert(writer.node.target, depth);
        match self.rules.oneof {
            Oneof::ByName => oneofs_by_name::compare(self, reader, writer)?,
            Oneof::ByOrigin => oneofs_by_origin::compare(self, reader, writer)?,
        }
        self.compare_types(reader.nested(), writer.nested())?;
        self.open.remove(&writer.node.target);
        Ok(())
    }

    /// The content of two messages of one name, of which at least one comes from a reference. Says whether a
    /// difference in them breaks the reader.
    pub fn compare_referenced(&mut self, reader: &MessageNode<'_>, writer: &MessageNode<'_>) -> Result<bool, Failure> {
        let pair = (reader.node.target, writer.node.target);
        if let Some(outcome) = self.outcomes.get(&pair) {
            self.repeats += reader.message.fields.len() + writer.message.fields.len() + 1;
            if outcome.settled || self.repeats > MAX_REPEATS {
                return Ok(outcome.breaks);
            }
        }
        let (found, breaking, depth) = (self.differences.len(), self.breaking, self.open.len());
        let met_outside = std::mem::replace(&mut self.met_again, usize::MAX);
        let path = std::mem::replace(&mut self.path, format!("#/{}", writer.node.definition.local_name));
        self.compare_messages(reader, writer)?;
        self.path = path;
        let breaks = self.breaking > breaking;
        let settled = self.differences.len() == found && self.met_again >= depth;
        self.met_again = self.met_again.min(met_outside);
        self.outcomes.insert(pair, Outcome { breaks, settled });
        Ok(breaks)
    }

    /// Goes one step down; gives what leads back up.
    pub fn enter(&mut self, step: &str) -> usize {
        let outer = self.path.len();
        self.path.push('/');
        self.path.push_str(step);
        outer
    }

    /// Goes down to a field or a constant.
    pub fn enter_number(&mut self, number: i32) -> usize {
        self.enter(&number.to_string())
    }

    /// Where it is now: what leads back here.
    pub fn path_length(&self) -> usize {
        self.path.len()
    }

    /// Goes back up.
    pub fn leave(&mut self, outer: usize) {
        self.path.truncate(outer);
    }

    pub fn add(&mut self, rule: Rule, facts: Facts) {
        let path = if self.path == "#" { "#/".to_owned() } else { self.path.clone() };
        self.breaking += usize::from(rule.breaks);
        self.differences.push(Difference { rule: rule.name, path, breaks: rule.breaks, facts });
    }
}

/// The top-level types of a schema.
fn own(schema: &Schema) -> Vec<Node<'_>> {
    schema.main().types.iter().map(|id| Node::new(schema, Target::Declared(*id))).collect()
}

fn names<'a>(messages: &[MessageNode<'a>]) -> impl ExactSizeIterator<Item = &'a str> {
    messages.iter().map(|message| &*message.node.definition.name)
}

/// The messages among these types; entries of maps are no messages of their own.
fn messages<'a>(types: &[Node<'a>]) -> Vec<MessageNode<'a>> {
    let message = |node: &Node<'a>| match &node.definition.body {
        Body::Message(message) if !message.map_entry => Some(MessageNode { node: *node, message }),
        _ => None,
    };
    types.iter().filter_map(message).collect()
}

fn enums<'a>(types: &[Node<'a>]) -> Vec<(Node<'a>, &'a Enum)> {
    let enumeration = |node: &Node<'a>| match &node.definition.body {
        Body::Enum(enumeration) => Some((*node, enumeration)),
        Body::Message(_) => None,
    };
    types.iter().filter_map(enumeration).collect()
}
