//! Walks two schemas side by side as the registry does, and notes each difference (compat.md §3.3).

use super::budget::{self, Budget};
use super::memory::Memory;
use super::noted::{Found, Mark, Noted, Place, Segment};
use super::patterns::Patterns;
use super::rule::{self, Rule};
use super::same::Alike;
use crate::compat::difference::Failure;
use crate::compat::effort::Effort;
use crate::compat::profile::{JsonRules, Policy};
use crate::schema::json::{Criterion, Kind, Node, NodeId, Notes, Schema};

/// A node of one of the two schemas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct At {
    pub side: Side,
    pub id: NodeId,
}

/// Whose schema it is. Within `not` the two change places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    Writer,
    Reader,
}

impl Side {
    /// A node of this side.
    pub fn at(self, id: NodeId) -> At {
        At { side: self, id }
    }

    /// The same, where there is one.
    pub fn maybe(self, id: Option<NodeId>) -> Option<At> {
        id.map(|id| self.at(id))
    }
}

/// The state of one comparison.
pub struct Checker<'s> {
    pub writer: &'s Schema,
    pub reader: &'s Schema,
    pub rules: &'s JsonRules,
    pub policy: Policy,
    pub noted: Noted<'s>,
    /// Below what [`Noted`] takes for the root.
    pub place: Place,
    /// What is compared just now, outermost first.
    pub subjects: (Option<At>, Option<At>),
    /// Old nodes that are being compared, by side and number.
    entered: Vec<bool>,
    pub memory: Memory,
    /// What was noted depends on which branches of a combination were matched, or in which order.
    pub is_unsettled: bool,
    /// What was met again, what stands behind a `$ref` to a `$ref`, and what this release does not look at.
    pub took_shortcut: bool,
    /// Which branches of the writer's and the reader's combinations are alike.
    pub alike: (Alike, Alike),
    pub patterns: Patterns<'s>,
    pub budget: Budget,
    /// What went into an attempt before this one.
    spent_before: usize,
    /// Bytes of what combinations keep aside.
    pub aside: usize,
    depth: usize,
    max_depth: usize,
    is_in_rounds: bool,
    /// Trials that fail on the surface go no deeper.
    is_frugal: bool,
    /// What lies below the two nodes is taken to be compatible.
    is_on_surface: bool,
}

/// Comparisons within comparisons that fit the stack of any thread.
const MAX_DEPTH: usize = 100;

/// The same on a stack of [`OWN_STACK`].
const MAX_DEPTH_ON_OWN_STACK: usize = 6_000;

/// For schemas whose parts refer to each other in long chains; only what is used of it takes memory.
const OWN_STACK: usize = 60 << 20;

/// What a comparison brought out.
pub struct Outcome {
    pub found: Vec<Found>,
    /// What was noted depends on which branches of a combination were matched, or in which order.
    pub is_unsettled: bool,
    /// The registry goes on for long.
    pub is_slow: bool,
    /// Something was taken to be compatible, or compared as something else than it is.
    pub took_shortcut: bool,
}

/// Compares two schemas.
pub fn compare_roots(
    reader: &Schema,
    writer: &Schema,
    rules: &JsonRules,
    policy: Policy,
    effort: &mut Effort,
) -> Result<Outcome, Failure> {
    let mut compare = |max_depth: usize| {
        let mut checker = Checker::new(reader, writer, rules, policy, max_depth);
        let result = checker.compare_roots();
        effort.spend(checker.spent());
        result
    };
    let result = match compare(MAX_DEPTH) {
        Err(Stop::TooDeep) => {
            let mut on_own_stack = || {
                let thread = std::thread::Builder::new().stack_size(OWN_STACK);
                std::thread::scope(|scope| {
                    let handle = thread.spawn_scoped(scope, || compare(MAX_DEPTH_ON_OWN_STACK)).ok()?;
                    handle.join().ok()
                })
            };
            on_own_stack().unwrap_or(Err(Stop::TooDeep))
        }
        compared => compared,
    };
    if matches!(result, Err(Stop::TooLong | Stop::TooDeep)) {
        // After what was given up nothing else should be begun.
        effort.spend(usize::MAX);
    }
    result.map_err(Failure::from)
}

/// Why a comparison ends early.
#[derive(Debug)]
pub enum Stop {
    Failure(Failure),
    TooDeep,
    TooLong,
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        Stop::Failure(failure)
    }
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Failure {
        match stop {
            Stop::Failure(failure) => failure,
            Stop::TooDeep => Failure::Unsupported("these schemas nest too deeply to be compared".to_owned()),
            Stop::TooLong => Failure::Unsupported("comparing these schemas takes too long".to_owned()),
        }
    }
}

impl<'s> Checker<'s> {
    fn new(
        reader: &'s Schema,
        writer: &'s Schema,
        rules: &'s JsonRules,
        policy: Policy,
        max_depth: usize,
    ) -> Checker<'s> {
        Checker {
            writer,
            reader,
            rules,
            policy,
            noted: Noted::new(policy),
            place: Place::ROOT,
            subjects: (None, None),
            entered: vec![false; reader.size() + writer.size()],
            memory: Memory::default(),
            is_unsettled: false,
            took_shortcut: reader.has_split_branches() || writer.has_split_branches(),
            alike: Default::default(),
            patterns: Patterns::default(),
            budget: Budget::PLAIN,
            spent_before: 0,
            aside: 0,
            depth: 0,
            max_depth,
            is_in_rounds: rules.memoizes_recursion,
            is_frugal: false,
            is_on_surface: false,
        }
    }

    /// What takes the registry too long is compared in rounds and in a frugal way. That comes to the same verdict as
    /// the registry would at last, but for the failures of its checker.
    fn compare_roots(&mut self) -> Result<Outcome, Stop> {
        let (old, new) = (Side::Writer.at(self.writer.root()), Side::Reader.at(self.reader.root()));
        let mut result = match self.is_in_rounds {
            true => self.compare_in_rounds(old, new),
            false => self.compare(old, new),
        };
        let is_slow = matches!(result, Err(Stop::TooLong));
        let is_given_up = match result {
            Err(Stop::TooLong) => true,
            Err(Stop::TooDeep) => self.max_depth == MAX_DEPTH_ON_OWN_STACK,
            _ => false,
        };
        if is_given_up && ![self.reader, self.writer].into_iter().any(can_fail) {
            let (reader, writer, rules, policy) = (self.reader, self.writer, self.rules, self.policy);
            let spent_before = self.spent();
            *self = Checker { spent_before, ..Checker::new(reader, writer, rules, policy, self.max_depth) };
            (self.is_in_rounds, self.is_frugal, self.budget) = (true, true, Budget::FRUGAL);
            result = self.compare_in_rounds(old, new);
        }
        result?;
        let noted = std::mem::replace(&mut self.noted, Noted::new(self.policy));
        let found = noted.told().ok_or_else(|| {
            Failure::Unsupported("what breaks between these schemas lies too deep to be told".to_owned())
        })?;
        Ok(Outcome { found, is_unsettled: self.is_unsettled, is_slow, took_shortcut: self.took_shortcut })
    }

    /// How much work it was until now.
    fn spent(&self) -> usize {
        let whole = if self.is_frugal { Budget::FRUGAL } else { Budget::PLAIN };
        self.spent_before + self.budget.spent_of(whole)
    }

    /// Nothing below it is compared.
    fn is_leaf(&self, at: At) -> bool {
        !matches!(self.node(at).kind, Kind::Object(_) | Kind::Array(_) | Kind::Combined(_) | Kind::Not(_))
    }

    pub fn schema(&self, side: Side) -> &'s Schema {
        match side {
            Side::Writer => self.writer,
            Side::Reader => self.reader,
        }
    }

    pub fn node(&self, at: At) -> &'s Node {
        self.schema(at.side).node(at.id)
    }

    fn followed(&self, at: At) -> At {
        At { id: self.schema(at.side).followed(at.id), ..at }
    }

    /// Notes a difference here.
    pub fn add(&mut self, rule: Rule) {
        let (old, new) = self.subjects;
        self.noted.add(self.place, rule, old, new);
    }

    /// Notes a difference at a keyword.
    pub fn add_at(&mut self, keyword: &'s str, rule: Rule) {
        self.within(keyword, |checker| checker.add(rule));
    }

    /// Goes one segment down the path.
    pub fn within<T>(&mut self, segment: impl Into<Segment<'s>>, go: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.place;
        let (place, entered) = self.noted.enter(outer, segment.into());
        self.place = place;
        let result = go(self);
        self.noted.leave(entered);
        self.place = outer;
        result
    }

    /// Whether nothing that was noted since then breaks.
    pub fn is_compatible_since(&self, before: Mark) -> bool {
        !self.noted.breaks_since(before)
    }

    /// Compares, and keeps what was noted only if nothing of it breaks.
    pub fn tries(&mut self, old: At, new: At) -> Result<bool, Stop> {
        let (before, was_unsettled) = (self.noted.mark(), self.is_unsettled);
        if self.is_frugal && self.breaks_on_surface(old, new)? {
            return Ok(false);
        }
        self.compare(old, new)?;
        let is_compatible = self.is_compatible_since(before);
        if !is_compatible {
            self.noted.strike_since(before);
            self.is_unsettled = was_unsettled;
        }
        Ok(is_compatible)
    }

    fn breaks_on_surface(&mut self, old: At, new: At) -> Result<bool, Stop> {
        self.step()?;
        let (old, new) = (self.followed(old), self.followed(new));
        let is_combined = |at: At| matches!(self.node(at).kind, Kind::Combined(_));
        if is_combined(old) || is_combined(new) {
            return Ok(false);
        }
        let before = self.noted.mark();
        let was_on_surface = std::mem::replace(&mut self.is_on_surface, true);
        self.compare_followed(old, new)?;
        self.is_on_surface = was_on_surface;
        let breaks = !self.is_compatible_since(before);
        self.noted.strike_since(before);
        Ok(breaks)
    }

    /// Takes a step, if time and memory are left for one.
    fn step(&mut self) -> Result<(), Stop> {
        let is_left = self.noted.size() + self.memory.size() + self.aside <= budget::MEMORY;
        if is_left && self.budget.step() { Ok(()) } else { Err(Stop::TooLong) }
    }

    /// The same where one or both may be missing.
    pub fn compare_maybe(&mut self, old: Option<At>, new: Option<At>) -> Result<(), Stop> {
        match (old, new) {
            (None, None) => Ok(()),
            (Some(old), Some(new)) => self.compare(old, new),
            _ => {
                let before = std::mem::replace(&mut self.subjects, (old, new));
                self.add(if old.is_none() { rule::SCHEMA_ADDED } else { rule::SCHEMA_REMOVED });
                self.subjects = before;
                Ok(())
            }
        }
    }

    /// Compares two nodes.
    pub fn compare(&mut self, old: At, new: At) -> Result<(), Stop> {
        if self.is_on_surface {
            return Ok(());
        }
        if self.depth == self.max_depth {
            return Err(Stop::TooDeep);
        }
        self.step()?;
        self.depth += 1;
        let (old, new) = (self.followed(old), self.followed(new));
        let before = std::mem::replace(&mut self.subjects, (Some(old), Some(new)));
        let result = if self.is_in_rounds && !(self.is_leaf(old) && self.is_leaf(new)) {
            self.compare_once(old, new)
        } else {
            self.compare_followed(old, new)
        };
        self.subjects = before;
        self.depth -= 1;
        result
    }

    pub fn compare_followed(&mut self, old: At, new: At) -> Result<(), Stop> {
        let is_settled = match (&self.node(old).kind, &self.node(new).kind) {
            (Kind::Combined(_), Kind::Combined(_)) => false,
            (_, Kind::Combined(combined)) => self.new_is_combined(old, new, combined.criterion, &combined.branches)?,
            (Kind::Combined(combined), _) => self.old_is_combined(old, new, combined.criterion, &combined.branches)?,
            _ => false,
        };
        if is_settled {
            return Ok(());
        }
        let (old_node, new_node) = (self.node(old), self.node(new));
        if class(&old_node.kind) != class(&new_node.kind) {
            let is_any = matches!(old_node.kind, Kind::False) || matches!(new_node.kind, Kind::Empty | Kind::True);
            let are_bytes = old_node.is_connect_bytes && new_node.is_connect_bytes;
            if !is_any && !are_bytes {
                self.add(rule::TYPE_CHANGED);
            }
            return Ok(());
        }
        if self.is_in_rounds {
            return self.compare_same_class(old, new);
        }
        let entered = self.number(old);
        if std::mem::replace(&mut self.entered[entered], true) {
            self.took_shortcut = true;
            return Ok(());
        }
        let result = self.compare_same_class(old, new);
        self.entered[entered] = false;
        result
    }

    /// Counts the nodes of both schemas as one.
    pub fn number(&self, at: At) -> usize {
        at.id.index() + if at.side == Side::Reader { self.writer.size() } else { 0 }
    }

    /// What fits the only branch, or one of those of which one is enough, fits the combination.
    fn new_is_combined(&mut self, old: At, new: At, criterion: Criterion, branches: &[NodeId]) -> Result<bool, Stop> {
        let branch = |id: NodeId| At { id, ..new };
        if let [only] = branches
            && self.tries(old, branch(*only))?
        {
            return Ok(true);
        }
        if criterion == Criterion::All {
            return Ok(false);
        }
        for id in branches {
            if self.tries(old, branch(*id))? {
                self.add(rule::SUM_TYPE_EXTENDED);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The only branch, or one of those that all hold, is enough.
    fn old_is_combined(&mut self, old: At, new: At, criterion: Criterion, branches: &[NodeId]) -> Result<bool, Stop> {
        let branch = |id: NodeId| At { id, ..old };
        if let [only] = branches
            && self.tries(branch(*only), new)?
        {
            return Ok(true);
        }
        if criterion != Criterion::All {
            return Ok(false);
        }
        for id in branches {
            if self.tries(branch(*id), new)? {
                self.add(rule::PRODUCT_TYPE_NARROWED);
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn compare_same_class(&mut self, old: At, new: At) -> Result<(), Stop> {
        let (old_node, new_node) = (self.node(old), self.node(new));
        self.notes(old_node.notes.as_deref(), new_node.notes.as_deref());
        match (&old_node.kind, &new_node.kind) {
            (Kind::String(a), Kind::String(b)) => self.strings(a, b),
            (Kind::Number(a), Kind::Number(b)) => self.numbers(a, b)?,
            (Kind::Enum(a), Kind::Enum(b)) => self.enums(a, b),
            (Kind::Const(a), Kind::Const(b)) => self.constants(a, b)?,
            (Kind::Not(a), Kind::Not(b)) => self.negations(At { id: *a, ..old }, At { id: *b, ..new })?,
            (Kind::Object(a), Kind::Object(b)) => self.objects(old.side, a, new.side, b)?,
            (Kind::Array(a), Kind::Array(b)) => self.arrays(old.side, a, new.side, b)?,
            (Kind::Combined(a), Kind::Combined(b)) => self.combinations(old.side, a, new.side, b)?,
            (Kind::Reference(_), Kind::Reference(_)) => self.took_shortcut = true,
            _ => {}
        }
        Ok(())
    }

    /// ID_CHANGED and its like. Objects and arrays as defaults never equal another.
    fn notes(&mut self, old: Option<&Notes>, new: Option<&Notes>) {
        if old.is_none() && new.is_none() {
            return;
        }
        let length = |notes: Option<&Notes>| notes.map_or(0, length);
        self.budget.work((length(old) + length(new)) / BYTES_AT_ONCE);
        let nothing = Notes::default();
        let (old, new) = (old.unwrap_or(&nothing), new.unwrap_or(&nothing));
        if old.id != new.id {
            self.add(rule::ID_CHANGED);
        }
        if old.title != new.title {
            self.add(rule::TITLE_CHANGED);
        }
        if old.description != new.description {
            self.add(rule::DESCRIPTION_CHANGED);
        }
        let same = match (&old.default, &new.default) {
            (None, None) => true,
            (Some(old), Some(new)) => old.key.is_some() && old.key == new.key,
            _ => false,
        };
        if !same {
            self.add(rule::DEFAULT_CHANGED);
        }
    }
}

/// The registry compares Java classes: integers and numbers have one.
pub fn class(kind: &Kind) -> u8 {
    match kind {
        Kind::Empty => 0,
        Kind::True => 1,
        Kind::False => 2,
        Kind::Null => 3,
        Kind::Boolean => 4,
        Kind::String(_) => 5,
        Kind::Number(_) => 6,
        Kind::Object(_) => 7,
        Kind::Array(_) => 8,
        Kind::Combined(_) => 9,
        Kind::Not(_) => 10,
        Kind::Enum(_) => 11,
        Kind::Const(_) => 12,
        Kind::Conditional(_) => 13,
        Kind::Reference(_) => 14,
    }
}

/// Texts are compared faster than other things are looked at.
pub const BYTES_AT_ONCE: usize = 256;

/// Bytes of its texts.
fn length(notes: &Notes) -> usize {
    let default = notes.default.as_ref().and_then(|default| default.key.as_ref());
    [&notes.id, &notes.title, &notes.description].into_iter().flatten().chain(default).map(|text| text.len()).sum()
}

/// Whether it has what the registry's checker may fail over.
fn can_fail(schema: &Schema) -> bool {
    schema.nodes().any(|node| match &node.kind {
        Kind::Const(value) => value.key.is_none(),
        Kind::Number(number) => number.exclusive_maximum.is_some() || number.multiple_of.is_some(),
        _ => false,
    })
}
