//! JSON Schema: A14 to A16, by the text: the registry's model has lost what the registry does not look at
//! (compat.md §3.4).
//!
//! Walks two texts side by side, each pair of parts once. A part is paired with the one in the same place, a branch of
//! a combination with the one that is most like it.

mod branches;
mod keywords;
mod limits;
mod models;
mod overlap;
mod properties;
mod same;
#[cfg(test)]
pub(super) mod tests;

use std::collections::{HashMap, HashSet};

use super::compared::Compared;
use super::words::advice;
use super::{Advice, Change, Code, Given};
use crate::compat::json::subject;
use crate::compat::levels::Direction;
use crate::schema::json::{Dialect, Object, Part, Schema, Value, Written};

/// How many pairs of parts are looked at, and how often one is followed, held against another or searched.
const MAX_STEPS: usize = 100_000;
/// Where paths are long, by depth or by names, a pair takes more.
const BYTES_OF_STEP: usize = 1_024;
/// `$ref`s in a row that are followed.
const MAX_CHAIN: usize = 64;

/// What a change caused.
pub(super) fn of_change(change: &Change<'_>, compared: &Compared, new: &Schema, old: &Schema) -> Vec<Advice> {
    let mut given = models::of_differences(change, compared);
    let (Some(new), Some(old)) = (new.texts(), old.texts()) else { return given };
    let (Some(new), Some(old)) = (Written::open(&new), Written::open(&old)) else { return given };
    let mut adviser = Adviser {
        change,
        version: change.old_name.to_owned(),
        new,
        old,
        seen: HashSet::new(),
        places: vec![Around { place: 0, segment: Segment::Key("#"), length: 0 }],
        given: Given::new(),
        steps_left: MAX_STEPS,
        known_same: HashMap::new(),
    };
    adviser.walk();
    given.extend(adviser.given.into_vec());
    given
}

/// One of the two schemas.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    New,
    Old,
}

/// Two parts that stand for each other.
#[derive(Clone, Copy)]
struct Pair<'v> {
    new: Part<'v>,
    old: Part<'v>,
    /// Where, in [`Adviser::places`].
    place: usize,
    /// Within `not`, what tightens loosens.
    is_negated: bool,
    /// The new schema refuses properties that none of its parts evaluates.
    is_evaluated: bool,
}

/// A step of a path.
#[derive(Clone, Copy)]
enum Segment<'v> {
    Key(&'v str),
    Index(usize),
}

/// What is around a place, the last step to it, and how many bytes its path has, about.
#[derive(Clone, Copy)]
struct Around<'v> {
    place: usize,
    segment: Segment<'v>,
    length: usize,
}

struct Adviser<'a, 'v> {
    change: &'a Change<'a>,
    /// `version 3`
    version: String,
    new: Written<'v>,
    old: Written<'v>,
    seen: HashSet<(*const Value<'v>, *const Value<'v>, bool)>,
    /// Each place by the one around it.
    places: Vec<Around<'v>>,
    given: Given<Advice>,
    steps_left: usize,
    /// Whether two parts demand the same, where that is known.
    known_same: HashMap<same::Ids<'v>, bool>,
}

/// Who may fail over a keyword that changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Breaks {
    backward: bool,
    forward: bool,
}

impl Breaks {
    const BOTH: Breaks = Breaks { backward: true, forward: true };
    const NOBODY: Breaks = Breaks { backward: false, forward: false };
}

impl<'v> Adviser<'_, 'v> {
    fn walk(&mut self) {
        let (new, old) = (self.new.root(), self.old.root());
        self.dialects(new.dialect(), old.dialect());
        let mut next = vec![Pair { new, old, place: 0, is_negated: false, is_evaluated: false }];
        while let Some(pair) = next.pop() {
            if self.given.is_full() || self.steps_left == 0 {
                return;
            }
            if self.seen.insert((pair.new.value, pair.old.value, pair.is_negated)) {
                self.spent(1);
                self.spent_at(pair.place);
                let found = next.len();
                self.look(pair, &mut next);
                next[found..].reverse();
            }
        }
    }

    fn look(&mut self, pair: Pair<'v>, next: &mut Vec<Pair<'v>>) {
        self.siblings(&pair);
        let (new, old) = (self.followed(Side::New, pair.new), self.followed(Side::Old, pair.old));
        let pair = Pair { new, old, ..pair };
        let (Some(new), Some(old)) = (new.value.as_object(), old.value.as_object()) else { return };
        self.keywords(&pair, new, old);
        self.limits(&pair, new, old);
        self.properties(&pair, new, old);
        self.children(&pair, new, old, next);
        self.combinations(&pair, new, old, next);
    }

    /// Parts in the same place of both.
    fn children(&mut self, pair: &Pair<'v>, new: &'v Object<'v>, old: &'v Object<'v>, next: &mut Vec<Pair<'v>>) {
        let within = Pair { is_evaluated: false, ..*pair };
        for keyword in ["items", "additionalItems", "additionalProperties", "unevaluatedProperties", "unevaluatedItems"]
        {
            if let (Some(after), Some(before)) = (new.get(keyword), old.get(keyword)) {
                self.child(&within, keyword, after, before, next);
            }
        }
        if let (Some(after), Some(before)) = (new.get("not"), old.get("not")) {
            let negated = Pair { is_negated: !pair.is_negated, ..within };
            self.child(&negated, "not", after, before, next);
        }
        self.child_lists(&within, "items", list(new, "items"), list(old, "items"), next);
        self.child_lists(&within, "prefixItems", list(new, "prefixItems"), list(old, "prefixItems"), next);
        for keyword in ["properties", "dependencies", "dependentSchemas"] {
            let (Some(after), Some(before)) = (members(new, keyword), members(old, keyword)) else { continue };
            let around = self.step(pair.place, Segment::Key(keyword));
            for (name, after) in after.iter() {
                if let Some(before) = before.get(name) {
                    let around = Pair { place: around, ..within };
                    self.child(&around, name, after, before, next);
                }
            }
        }
        self.listed_one_by_one(&within, new, old, next);
        // Beside other keywords it counts in these dialects, and only there it was not followed.
        let after = new;
        if let (Some(new), Some(old)) = (self.new.behind(pair.new), self.old.behind(pair.old)) {
            let is_evaluated = pair.is_evaluated || properties::refuses_unevaluated(after, pair.new.dialect());
            next.push(Pair { new, old, is_evaluated, ..*pair });
        }
    }

    /// A property that only one side lists is what that side demands of it, against what the other demands of the rest. Where that
    /// side has patterns, the property may be none of the rest.
    fn listed_one_by_one(&mut self, of: &Pair<'v>, new: &'v Object<'v>, old: &'v Object<'v>, next: &mut Vec<Pair<'v>>) {
        let listed = |object: &'v Object<'v>| members(object, "properties").into_iter().flat_map(Object::iter);
        let is_listed = |object, name| members(object, "properties").is_some_and(|listed| listed.has(name));
        let around = Pair { place: self.step(of.place, Segment::Key("properties")), ..*of };
        let rest_of = |object: &'v Object<'v>| {
            object.get("additionalProperties").filter(|_| members(object, "patternProperties").is_none())
        };
        if let Some(rest) = rest_of(old) {
            for (name, after) in listed(new).filter(|(name, _)| !is_listed(old, name)) {
                self.child(&around, name, after, rest, next);
            }
        }
        if let Some(rest) = rest_of(new) {
            for (name, before) in listed(old).filter(|(name, _)| !is_listed(new, name)) {
                self.child(&around, name, rest, before, next);
            }
        }
    }

    fn child(&mut self, of: &Pair<'v>, key: &'v str, new: &'v Value<'v>, old: &'v Value<'v>, next: &mut Vec<Pair<'v>>) {
        let place = self.step(of.place, Segment::Key(key));
        let (new, old) = (self.new.child(of.new, new), self.old.child(of.old, old));
        next.push(Pair { new, old, place, ..*of });
    }

    fn child_lists(
        &mut self,
        of: &Pair<'v>,
        key: &'v str,
        new: &'v [Value<'v>],
        old: &'v [Value<'v>],
        next: &mut Vec<Pair<'v>>,
    ) {
        if new.is_empty() || old.is_empty() {
            return;
        }
        let around = self.step(of.place, Segment::Key(key));
        for (at, (new, old)) in new.iter().zip(old).enumerate() {
            let place = self.step(around, Segment::Index(at));
            let (new, old) = (self.new.child(of.new, new), self.old.child(of.old, old));
            next.push(Pair { new, old, place, ..*of });
        }
    }

    /// Where a part's `$ref` leads in the end, where nothing stands beside it that counts.
    fn followed(&mut self, side: Side, part: Part<'v>) -> Part<'v> {
        let mut part = part;
        for _ in 0..MAX_CHAIN {
            let counts_alone = part.dialect() != Dialect::Later
                || part.value.as_object().is_some_and(|object| !object.iter().any(|(name, _)| same::demands(name)));
            if !counts_alone {
                break;
            }
            match self.written(side).behind(part) {
                Some(target) => part = target,
                None => break,
            }
        }
        part
    }

    fn written(&mut self, side: Side) -> &mut Written<'v> {
        match side {
            Side::New => &mut self.new,
            Side::Old => &mut self.old,
        }
    }

    fn step(&mut self, from: usize, segment: Segment<'v>) -> usize {
        let name = match segment {
            Segment::Key(key) => key.len(),
            Segment::Index(_) => 1,
        };
        let length = self.places[from].length + 1 + name;
        self.places.push(Around { place: from, segment, length });
        self.places.len() - 1
    }

    /// As the registry writes paths: `#/properties/a/format`.
    fn path(&self, place: usize, last: &str) -> String {
        let mut segments = Vec::new();
        let mut at = place;
        while at != 0 {
            let around = self.places[at];
            segments.push(match around.segment {
                Segment::Key(key) => key.to_owned(),
                Segment::Index(index) => index.to_string(),
            });
            at = around.place;
        }
        segments.reverse();
        if !last.is_empty() {
            segments.push(last.to_owned());
        }
        format!("#/{}", segments.join("/"))
    }

    /// `property a.b`, or `the schema`.
    fn subject(&self, place: usize) -> String {
        let path = self.path(place, "");
        let subject = subject(path.trim_start_matches("#/"));
        super::words::named(&subject).to_owned()
    }

    /// The direction in which somebody who was promised something fails.
    fn broken(&self, pair: &Pair<'_>, breaks: Breaks) -> Option<Direction> {
        let breaks = if pair.is_negated && breaks != Breaks::NOBODY { Breaks::BOTH } else { breaks };
        if breaks.backward && self.change.promises(Direction::Backward) {
            return Some(Direction::Backward);
        }
        (breaks.forward && self.change.promises(Direction::Forward)).then_some(Direction::Forward)
    }

    /// A15: what changed, if it breaks somebody.
    fn ignored(&mut self, pair: &Pair<'_>, last: &str, keyword: &str, breaks: Breaks, what: &str) {
        let Some(direction) = self.broken(pair, breaks) else { return };
        let so = self.refused(direction);
        let message = format!("{what}: the registry does not look at {keyword}, and {so}");
        let remedy = match direction {
            Direction::Backward => format!("keep {keyword} as in {0}, unless all data of {0} fits", self.version),
            Direction::Forward => format!("keep {keyword} as in {0} until readers with {0} are gone", self.version),
        };
        self.give(Code::IgnoredKeyword, self.path(pair.place, last), message, remedy);
    }

    /// Who may fail.
    fn refused(&self, direction: Direction) -> String {
        match direction {
            Direction::Backward => format!("readers of this schema may refuse data of {}", self.version),
            Direction::Forward => format!("readers with {} may refuse new data", self.version),
        }
    }

    fn give(&mut self, code: Code, path: String, message: String, remedy: String) {
        self.given.push(advice(code, path, message, remedy));
    }

    /// $schema: the registry sees no difference in it.
    fn dialects(&mut self, new: Dialect, old: Dialect) {
        if new == old {
            return;
        }
        let word = |dialect| match dialect {
            Dialect::Four => "draft 4",
            Dialect::Six => "draft 6",
            Dialect::Seven => "draft 7",
            Dialect::Later => "2019-09 or later",
        };
        let pair =
            Pair { new: self.new.root(), old: self.old.root(), place: 0, is_negated: false, is_evaluated: false };
        let what = format!("the schema is of {}, and of {} in {}", word(new), word(old), self.version);
        self.ignored(&pair, "$schema", "$schema", Breaks::BOTH, &what);
    }
}

fn list<'v>(object: &'v Object<'v>, keyword: &str) -> &'v [Value<'v>] {
    match object.get(keyword) {
        Some(Value::Array(items)) => items,
        _ => &[],
    }
}

fn members<'v>(object: &'v Object<'v>, keyword: &str) -> Option<&'v Object<'v>> {
    object.get(keyword).and_then(Value::as_object)
}
