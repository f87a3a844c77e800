//! A15: what the registry does not see of the properties that objects list, demand and match.

use std::collections::HashSet;

use super::keywords::{ADDED, REMOVED, declares};
use super::same::is_anything;
use super::{Adviser, BYTES_OF_STEP, Breaks, Pair, Segment, list, members};
use crate::compat::levels::Direction;
use crate::schema::json::{Dialect, Object, Pattern, Value};

impl<'v> Adviser<'_, 'v> {
    pub(super) fn properties(&mut self, pair: &Pair<'v>, new: &'v Object<'v>, old: &'v Object<'v>) {
        self.required(pair, new, old);
        self.patterns(pair, new, old);
        self.free_beside_patterns(pair, (new, old), Direction::Backward);
        self.free_beside_patterns(pair, (old, new), Direction::Forward);
        self.unevaluated(pair, new, old);
    }

    /// Required properties are compared only where both sides list them, or where what they hold is compared.
    fn required(&mut self, pair: &Pair<'v>, new: &'v Object<'v>, old: &'v Object<'v>) {
        let names = |object: &'v Object<'v>| list(object, "required").iter().filter_map(Value::as_str);
        let unlisted = |one: &'v Object<'v>, other: &'v Object<'v>| -> Vec<&'v str> {
            let others: HashSet<&str> = names(other).collect();
            names(one).filter(|name| !declares(one, name) && !others.contains(name)).collect()
        };
        // What takes anything is welcome in an open model, required or not.
        let anything = |one: &'v Object<'v>, other: &'v Object<'v>| -> Vec<&'v str> {
            let listed = |name: &str| members(one, "properties").and_then(|properties| properties.get(name));
            let is_seen = |name: &&str| declares(other, name) || !listed(name).is_some_and(is_anything);
            names(one).filter(|name| !is_seen(name)).collect()
        };
        for (names, breaks) in [(anything(new, old), ADDED), (anything(old, new), REMOVED)] {
            for name in names {
                if self.spent_at(pair.place) {
                    return;
                }
                let verb = if breaks == ADDED { "requires" } else { "no longer requires" };
                let what = format!("{} {verb} {name}, which may be anything", self.subject(pair.place));
                let last = format!("required/{name}");
                self.ignored(pair, &last, "required properties that may be anything", breaks, &what);
            }
        }
        for (names, breaks, verb) in
            [(unlisted(new, old), ADDED, "requires"), (unlisted(old, new), REMOVED, "no longer requires")]
        {
            for name in names {
                if self.spent_at(pair.place) {
                    return;
                }
                let what = format!("{} {verb} {name} without listing it as a property", self.subject(pair.place));
                let last = format!("required/{name}");
                self.ignored(pair, &last, "required properties that are not listed", breaks, &what);
            }
        }
    }

    /// patternProperties are never compared.
    fn patterns(&mut self, pair: &Pair<'v>, new: &'v Object<'v>, old: &'v Object<'v>) {
        let (after, before) = (members(new, "patternProperties"), members(old, "patternProperties"));
        let all = |of: Option<&'v Object<'v>>| of.into_iter().flat_map(Object::iter).collect::<Vec<_>>();
        let get = |of: Option<&'v Object<'v>>, pattern: &str| of.and_then(|of| of.get(pattern));
        let (rest, old_rest) = (Rest::of(new), Rest::of(old));
        for (pattern, value) in all(after) {
            let (breaks, what) = match get(before, pattern) {
                Some(was) if self.same_children(pair, value, was) => continue,
                Some(_) => (Breaks::BOTH, "must fit another schema than in"),
                None => {
                    let reaches = old_rest != Rest::Refused || self.lists_one_that_matches(old, pattern);
                    let breaks = Breaks { backward: reaches && !is_anything(value), forward: old_rest != Rest::Free };
                    (breaks, "must fit a schema, and not in")
                }
            };
            self.pattern(pair, pattern, breaks, what);
        }
        for (pattern, value) in all(before) {
            if get(after, pattern).is_none() {
                let reaches = rest != Rest::Refused || self.lists_one_that_matches(new, pattern);
                let breaks = Breaks { backward: rest != Rest::Free, forward: reaches && !is_anything(value) };
                self.pattern(pair, pattern, breaks, "must fit no schema of their own any more, and did in");
            }
        }
    }

    /// A pattern speaks of the properties that are listed as well.
    fn lists_one_that_matches(&mut self, object: &'v Object<'v>, pattern: &str) -> bool {
        let (Some(pattern), Some(listed)) = (Pattern::new(pattern), members(object, "properties")) else {
            return false;
        };
        let pattern = [pattern];
        listed.iter().any(|(name, _)| self.is_found(&pattern, name))
    }

    fn pattern(&mut self, pair: &Pair<'v>, pattern: &'v str, breaks: Breaks, what: &str) {
        if self.spent_at(pair.place) {
            return;
        }
        let of = self.subject(pair.place);
        let what = format!("properties of {of} that match {pattern} {what} {}", self.version);
        let place = self.step(pair.place, Segment::Key("patternProperties"));
        self.ignored(&Pair { place, ..*pair }, pattern, "patternProperties", breaks, &what);
    }

    /// An object with any patternProperties is not open to the registry, though it leaves other properties free.
    /// `reader` lists a property that `writer` leaves free.
    fn free_beside_patterns(
        &mut self,
        pair: &Pair<'v>,
        (reader, writer): (&'v Object<'v>, &'v Object<'v>),
        direction: Direction,
    ) {
        let Some(patterns) = members(writer, "patternProperties").filter(|patterns| patterns.len() > 0) else { return };
        if Rest::of(writer) != Rest::Free {
            return;
        }
        let mut compiled: Vec<Pattern> = Vec::new();
        for (pattern, _) in patterns.iter().take(MAX_PATTERNS) {
            compiled.extend(Pattern::new(pattern));
            if compiled.iter().map(Pattern::size).sum::<usize>() > MAX_COMPILED {
                return;
            }
        }
        let listed: Vec<_> = members(reader, "properties").into_iter().flat_map(Object::iter).collect();
        for (name, value) in listed {
            if declares(writer, name) || is_anything(value) || self.is_found(&compiled, name) {
                continue;
            }
            let place = self.step(pair.place, Segment::Key("properties"));
            let place = self.step(place, Segment::Key(name));
            if self.spent_at(place) {
                return;
            }
            let breaks = match direction {
                Direction::Backward => ADDED,
                Direction::Forward => REMOVED,
            };
            let what = match direction {
                Direction::Backward => format!(
                    "{} is new, and {} leaves undeclared properties free, so its data may hold anything there",
                    self.subject(place),
                    self.version
                ),
                Direction::Forward => format!(
                    "{} is gone, and this schema leaves undeclared properties free, so new data may hold anything there",
                    self.subject(place)
                ),
            };
            self.ignored(&Pair { place, ..*pair }, "", "free properties beside patternProperties", breaks, &what);
        }
    }

    /// A property that is gone from one part of a combination is one that no part evaluates.
    fn unevaluated(&mut self, pair: &Pair<'v>, new: &'v Object<'v>, old: &'v Object<'v>) {
        if !pair.is_evaluated || Rest::of(new) != Rest::Free {
            return;
        }
        let listed: Vec<_> = members(old, "properties").into_iter().flat_map(Object::iter).collect();
        for (name, _) in listed.into_iter().filter(|(name, _)| !declares(new, name)) {
            let place = self.step(pair.place, Segment::Key("properties"));
            let place = self.step(place, Segment::Key(name));
            if self.spent_at(place) {
                return;
            }
            let what = format!(
                "{} of {} is no longer listed, and unevaluatedProperties around it refuses what is not",
                self.subject(place),
                self.version
            );
            self.ignored(&Pair { place, ..*pair }, "", "unevaluatedProperties over parts", ADDED, &what);
        }
    }

    /// Whether one of these patterns is found in a name. Patterns that go back and forth take steps for it.
    fn is_found(&mut self, patterns: &[Pattern], name: &str) -> bool {
        patterns.iter().any(|pattern| {
            if self.spent(1) {
                return true;
            }
            let (found, work) = pattern.look_in(name);
            self.spent(work / WORK_OF_STEP);
            found == Some(true)
        })
    }

    /// Whether nothing is left to be told or to be spent, after something is told of a place.
    pub(super) fn spent_at(&mut self, place: usize) -> bool {
        self.spent(self.places[place].length / BYTES_OF_STEP) || self.given.is_full()
    }

    /// Whether nothing is left after so many more steps.
    pub(super) fn spent(&mut self, steps: usize) -> bool {
        self.steps_left = self.steps_left.saturating_sub(steps);
        self.steps_left == 0
    }
}

/// How much of a pattern's work one step stands for.
const WORK_OF_STEP: usize = 16;

/// Bytes of compiled patterns that are held at once.
const MAX_COMPILED: usize = 4 << 20;

/// Patterns of one object that a name is held against.
const MAX_PATTERNS: usize = 100;

/// What an object says of properties that nothing in it speaks of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rest {
    Free,
    Refused,
    Covered,
}

impl Rest {
    pub(super) fn of(object: &Object<'_>) -> Rest {
        let rest = object.get("additionalProperties").or_else(|| object.get("unevaluatedProperties"));
        match rest {
            None => Rest::Free,
            Some(Value::Bool(false)) => Rest::Refused,
            Some(value) if is_anything(value) => Rest::Free,
            Some(_) => Rest::Covered,
        }
    }
}

/// Whether a schema refuses properties that none of its parts speaks of.
pub(super) fn refuses_unevaluated(object: &Object<'_>, dialect: Dialect) -> bool {
    let value = object.get("unevaluatedProperties").filter(|_| dialect == Dialect::Later);
    value.is_some_and(|value| !is_anything(value))
}
