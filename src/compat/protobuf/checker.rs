//! Walks both schemas at once: package, messages, enums, and the messages that fields refer to.

use std::collections::HashMap;

use super::node::{EnumNode, MessageNode, Node, enum_names, enums, messages, names, own};
use super::order::pairs;
use super::rules::{self, Rule};
use super::{facts, oneofs_by_name, oneofs_by_origin};
use crate::compat::difference::MAX_TOLD;
use crate::compat::effort::Effort;
use crate::compat::{Difference, Facts, Failure, Oneof, ProtobufRules};
use crate::schema::MAX_DEPTH;
use crate::schema::protobuf::{Schema, Target};

/// How many fields are compared again, at most, after their messages were compared once. The registry compares a
/// message anew for each field that refers to it, which grows without bounds; after this many, what was found the
/// first time stands for it.
const MAX_REPEATS: usize = 10_000;

/// A field's or a difference's share of the work, in units of effort.
const WORK_OF_FIELD: usize = 16;

/// Why the walk ends early. Small, since every step returns it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stop {
    TooDeep,
    TooLong,
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Failure {
        Failure::Unsupported(match stop {
            Stop::TooDeep => format!("messages refer to one another deeper than {MAX_DEPTH} levels"),
            Stop::TooLong => format!("the differences have more than {MAX_TOLD} bytes"),
        })
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
    /// What both refer to is the same: the registry does not look into it.
    pub same_references: bool,
    /// The writer's messages that are being compared, and how many were before them.
    open: HashMap<Target, usize>,
    /// The outermost of those that was met again.
    met_again: usize,
    outcomes: HashMap<(Target, Target), Outcome>,
    /// How many fields were compared.
    work: usize,
    /// How many of them again.
    repeats: usize,
    /// How many bytes all differences have.
    told: usize,
}

impl Checker {
    pub fn new(rules: ProtobufRules) -> Checker {
        Checker {
            rules,
            path: "#".to_owned(),
            differences: Vec::new(),
            breaking: 0,
            same_references: false,
            open: HashMap::new(),
            met_again: usize::MAX,
            outcomes: HashMap::new(),
            work: 0,
            repeats: 0,
            told: 0,
        }
    }

    pub fn compare(mut self, reader: &Schema, writer: &Schema, effort: &mut Effort) -> Result<Vec<Difference>, Stop> {
        let result = self.compare_files(reader, writer);
        effort.spend((self.work + self.differences.len()) * WORK_OF_FIELD);
        result.map(|()| self.differences)
    }

    fn compare_files(&mut self, reader: &Schema, writer: &Schema) -> Result<(), Stop> {
        let packages = (&*reader.main().package, &*writer.main().package);
        if packages.0 != packages.1 {
            self.add(rules::PACKAGE_CHANGED, facts::of("the package", packages.0, packages.1))?;
        }
        self.same_references = reader.refers_to_the_same(writer);
        self.compare_types(own(reader), own(writer))
    }

    /// Types that stand side by side: messages first, then enums.
    fn compare_types<'a>(&mut self, reader: Vec<Node<'a>>, writer: Vec<Node<'a>>) -> Result<(), Stop> {
        self.compare_sibling_messages(&messages(&reader), &messages(&writer))?;
        self.compare_sibling_enums(&enums(&reader), &enums(&writer))
    }

    fn compare_sibling_messages(&mut self, reader: &[MessageNode<'_>], writer: &[MessageNode<'_>]) -> Result<(), Stop> {
        for pair in &pairs(names(writer), names(reader)) {
            let outer = self.enter(pair.key);
            match (pair.writer, pair.reader) {
                (Some(before), Some(after)) => {
                    self.compare_messages(&reader[after], &writer[before])?;
                    self.compare_places(&reader[after], after, before)?;
                }
                (before, after) => {
                    self.one_sided(before.map(|index| &writer[index]), after.map(|index| &reader[index]))?;
                }
            }
            self.leave(outer);
        }
        Ok(())
    }

    /// MESSAGE_ADDED, MESSAGE_REMOVED: by name.
    fn one_sided(&mut self, removed: Option<&MessageNode<'_>>, added: Option<&MessageNode<'_>>) -> Result<(), Stop> {
        if let Some(removed) = removed {
            self.add(rules::MESSAGE_REMOVED, facts::message_removed(removed.node))?;
        }
        if let Some(added) = added {
            self.add(rules::MESSAGE_ADDED, facts::message_added(added.node))?;
        }
        Ok(())
    }

    /// MESSAGE_MOVED: another place among the messages beside it.
    fn compare_places(&mut self, message: &MessageNode<'_>, after: usize, before: usize) -> Result<(), Stop> {
        if after == before {
            return Ok(());
        }
        self.add(rules::MESSAGE_MOVED, facts::message_moved(message.node, before, after))
    }

    /// ENUM_ADDED, ENUM_REMOVED: by name.
    fn compare_sibling_enums(&mut self, reader: &[EnumNode<'_>], writer: &[EnumNode<'_>]) -> Result<(), Stop> {
        for pair in &pairs(enum_names(writer), enum_names(reader)) {
            let outer = self.enter(pair.key);
            match (pair.writer.map(|index| &writer[index]), pair.reader.map(|index| &reader[index])) {
                (Some(removed), None) => self.add(rules::ENUM_REMOVED, facts::enumeration(removed.node))?,
                (None, Some(added)) => self.add(rules::ENUM_ADDED, facts::enumeration(added.node))?,
                (Some(writer), Some(reader)) => self.compare_constants(reader, writer)?,
                (None, None) => {}
            }
            self.leave(outer);
        }
        Ok(())
    }

    /// ENUM_CONST_ADDED, ENUM_CONST_REMOVED, ENUM_CONST_CHANGED: by number.
    fn compare_constants(&mut self, reader: &EnumNode<'_>, writer: &EnumNode<'_>) -> Result<(), Stop> {
        let (after, before) = (&reader.enumeration.constants, &writer.enumeration.constants);
        for pair in &pairs(before.iter().map(|was| was.number), after.iter().map(|is| is.number)) {
            let was = pair.writer.map(|index| &*before[index].name);
            let is = pair.reader.map(|index| &*after[index].name);
            let rule = match (was, is) {
                (Some(_), None) => rules::ENUM_CONST_REMOVED,
                (None, Some(_)) => rules::ENUM_CONST_ADDED,
                (was, is) if was != is => rules::ENUM_CONST_CHANGED,
                _ => continue,
            };
            let outer = self.enter_number(pair.key);
            self.add(rule, facts::constant(reader.node, pair.key, is, was))?;
            self.leave(outer);
        }
        Ok(())
    }

    /// Two messages of one name. A writer's message that is being compared already is taken to be the same.
    fn compare_messages(&mut self, reader: &MessageNode<'_>, writer: &MessageNode<'_>) -> Result<(), Stop> {
        let depth = self.open.len();
        if let Some(outer) = self.open.get(&writer.node.target) {
            self.met_again = self.met_again.min(*outer);
            return Ok(());
        }
        if depth >= MAX_DEPTH {
            return Err(Stop::TooDeep);
        }
        self.open.insert(writer.node.target, depth);
        self.work += 1 + reader.message.size() + writer.message.size();
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
    pub fn compare_referenced(&mut self, reader: &MessageNode<'_>, writer: &MessageNode<'_>) -> Result<bool, Stop> {
        let pair = (reader.node.target, writer.node.target);
        let earlier = self.outcomes.get(&pair);
        if let Some(outcome) = earlier
            && (outcome.settled || self.repeats > MAX_REPEATS || self.told > MAX_TOLD / 8)
        {
            return Ok(outcome.breaks);
        }
        let again = earlier.is_some();
        let (found, breaking, depth, work) = (self.differences.len(), self.breaking, self.open.len(), self.work);
        let met_outside = std::mem::replace(&mut self.met_again, usize::MAX);
        let path = std::mem::replace(&mut self.path, format!("#/{}", writer.node.definition.local_name));
        self.compare_messages(reader, writer)?;
        self.path = path;
        self.repeats += if again { self.work - work } else { 0 };
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

    pub fn add(&mut self, rule: Rule, facts: Facts) -> Result<(), Stop> {
        let path = if self.path == "#" { "#/".to_owned() } else { self.path.clone() };
        self.told += path.len() + facts.subject.len() + facts.reader.len() + facts.writer.len();
        self.breaking += usize::from(rule.breaks);
        self.differences.push(Difference { rule: rule.name, path, breaks: rule.breaks, facts });
        if self.told > MAX_TOLD {
            return Err(Stop::TooLong);
        }
        Ok(())
    }
}
