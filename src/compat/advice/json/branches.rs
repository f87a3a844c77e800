//! Branches of allOf, anyOf and oneOf: which stand for each other, and A16.

use super::keywords::families;
use super::overlap::types;
use super::properties::{Rest, refuses_unevaluated};
use super::{Adviser, Pair, Segment, Side, list, members};
use crate::compat::advice::Code;
use crate::compat::levels::Direction;
use crate::schema::json::{Object, Part, Value};

/// More branches against branches are paired by their places.
const MAX_TRIED: usize = 40_000;

/// Combinations within combinations that are looked into for types.
const MAX_COMBINED: usize = 3;

/// Keywords that the registry sees come: with one, a branch is not why it takes the change.
const LIMITS: [&str; 15] = [
    "maxProperties",
    "minProperties",
    "maxItems",
    "minItems",
    "uniqueItems",
    "maxLength",
    "minLength",
    "pattern",
    "maximum",
    "minimum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "multipleOf",
    "enum",
    "const",
];

/// `uniqueItems: false` and `minLength: 0` limit nothing.
fn limits(keyword: &str, value: &Value<'_>) -> bool {
    match (keyword, value) {
        ("uniqueItems", Value::Bool(value)) => *value,
        ("minProperties" | "minItems" | "minLength", Value::Number(number)) => *number != "0",
        _ => true,
    }
}

const COMBINATIONS: [&str; 3] = ["allOf", "anyOf", "oneOf"];

/// A branch of one side, and the one of the other side that it stands for.
#[derive(Clone, Copy)]
pub(super) struct Counterpart {
    pub at: usize,
    /// They demand the same.
    pub is_same: bool,
}

impl<'v> Adviser<'_, 'v> {
    pub(super) fn combinations(
        &mut self,
        pair: &Pair<'v>,
        new: &'v Object<'v>,
        old: &'v Object<'v>,
        next: &mut Vec<Pair<'v>>,
    ) {
        let is_evaluated = pair.is_evaluated || refuses_unevaluated(new, pair.new.dialect());
        let pair = Pair { is_evaluated, ..*pair };
        for keyword in COMBINATIONS {
            // Another combination of the same branches, where there is no other of this one.
            let same_or_other = |of: &'v Object<'v>, without: &'v Object<'v>| {
                let other = COMBINATIONS.into_iter().find(|other| of.has(other) && !without.has(other));
                if of.has(keyword) { Some(keyword) } else { other }
            };
            if let (true, Some(old_keyword)) = (new.has(keyword), same_or_other(old, new)) {
                let new_branches = self.parts(Side::New, pair.new, list(new, keyword));
                let old_branches = self.parts(Side::Old, pair.old, list(old, old_keyword));
                self.branches(&pair, old_keyword, &new_branches, &old_branches, next);
            }
        }
        self.only_one_is_combined(&pair, new, old, next);
        self.overlaps(&pair, (Side::New, new), (Side::Old, old));
        self.overlaps(&pair, (Side::Old, old), (Side::New, new));
    }

    pub(super) fn parts(&mut self, side: Side, of: Part<'v>, values: &'v [Value<'v>]) -> Vec<Part<'v>> {
        values.iter().map(|value| self.written(side).child(of, value)).collect()
    }

    fn branches(
        &mut self,
        pair: &Pair<'v>,
        keyword: &'static str,
        new: &[Part<'v>],
        old: &[Part<'v>],
        next: &mut Vec<Pair<'v>>,
    ) {
        let around = self.step(pair.place, Segment::Key(keyword));
        let counterparts = self.counterparts((Side::New, new), (Side::Old, old));
        for (branch, counterpart) in new.iter().zip(counterparts) {
            let Some(Counterpart { at, is_same: false }) = counterpart else { continue };
            let place = self.step(around, Segment::Index(at));
            next.push(Pair { new: *branch, old: old[at], place, ..*pair });
        }
    }

    /// What was plain may have become one of several branches, or the other way round.
    fn only_one_is_combined(
        &mut self,
        pair: &Pair<'v>,
        new: &'v Object<'v>,
        old: &'v Object<'v>,
        next: &mut Vec<Pair<'v>>,
    ) {
        let combination = |of: &'v Object<'v>| COMBINATIONS.into_iter().find(|keyword| of.has(keyword));
        match (combination(new), combination(old)) {
            (Some(keyword), None) => {
                let branches = self.parts(Side::New, pair.new, list(new, keyword));
                let like = self.like((Side::New, &branches), (Side::Old, pair.old));
                next.extend(like.into_iter().map(|new| Pair { new, ..*pair }));
            }
            (None, Some(keyword)) => {
                let branches = self.parts(Side::Old, pair.old, list(old, keyword));
                let like = self.like((Side::Old, &branches), (Side::New, pair.new));
                next.extend(like.into_iter().map(|old| Pair { old, ..*pair }));
            }
            _ => {}
        }
    }

    /// The only branch; else the first that is like a part of the other side and plainly takes all of it; where none does,
    /// the first that is like it, and each further one that combines branches of its own, which may overlap.
    fn like(&mut self, (side, branches): (Side, &[Part<'v>]), other: (Side, Part<'v>)) -> Vec<Part<'v>> {
        if let [only] = branches {
            return vec![*only];
        }
        let Some(object) = self.followed(other.0, other.1).value.as_object() else { return Vec::new() };
        let lists_values = !object.has("type") && (object.has("enum") || object.has("const"));
        let (of_types, rest) = (types(object), Rest::of(object));
        let mut like = Vec::new();
        for branch in branches {
            if self.spent(1) {
                break;
            }
            let Some(it) = self.followed(side, *branch).value.as_object() else { continue };
            let may_hold_them = lists_values && types(it) & of_types != 0;
            if !(may_hold_them || self.is_like((side, *branch), other)) {
                continue;
            }
            let is_closed = Rest::of(it) == Rest::Refused && rest != Rest::Refused;
            let is_limited = LIMITS
                .into_iter()
                .any(|keyword| it.get(keyword).is_some_and(|value| limits(keyword, value)) && !object.has(keyword));
            if !is_closed && of_types & !types(it) == 0 && !is_limited {
                return vec![*branch];
            }
            if like.is_empty() || self.is_combined((side, *branch)) {
                like.push(*branch);
            }
        }
        like
    }

    fn is_combined(&mut self, (side, part): (Side, Part<'v>)) -> bool {
        let object = self.followed(side, part).value.as_object();
        object.is_some_and(|object| COMBINATIONS.into_iter().any(|keyword| object.has(keyword)))
    }

    /// For each branch of one side, the one of the other side that demands the same; else one that is left and like
    /// it; where as many are left on both sides, the next.
    pub(super) fn counterparts(
        &mut self,
        (side, branches): (Side, &[Part<'v>]),
        (other_side, others): (Side, &[Part<'v>]),
    ) -> Vec<Option<Counterpart>> {
        let mut found: Vec<Option<Counterpart>> = vec![None; branches.len()];
        let mut taken = vec![false; others.len()];
        if branches.len() * others.len() > MAX_TRIED {
            let places = 0..branches.len().min(others.len());
            places.for_each(|at| found[at] = Some(Counterpart { at, is_same: false }));
            return found;
        }
        for only_same in [true, false] {
            for (at, branch) in branches.iter().enumerate() {
                if found[at].is_some() {
                    continue;
                }
                // Most often it stands in the same place.
                let places = std::iter::once(at).filter(|at| *at < others.len()).chain(0..others.len());
                for other in places {
                    let one = (side, *branch);
                    let is_it = !taken[other]
                        && match only_same {
                            true => self.same_in(one, (other_side, others[other])),
                            false => self.is_like(one, (other_side, others[other])),
                        };
                    if is_it {
                        taken[other] = true;
                        found[at] = Some(Counterpart { at: other, is_same: only_same });
                        break;
                    }
                }
            }
        }
        self.pair_the_rest(&mut found, &taken);
        found
    }

    fn pair_the_rest(&self, found: &mut [Option<Counterpart>], taken: &[bool]) {
        let free: Vec<usize> = (0..taken.len()).filter(|at| !taken[*at]).collect();
        let alone: Vec<usize> = (0..found.len()).filter(|at| found[*at].is_none()).collect();
        if free.len() == alone.len() {
            for (at, other) in alone.into_iter().zip(free) {
                found[at] = Some(Counterpart { at: other, is_same: false });
            }
        }
    }

    /// Whether two parts have a type in common, or neither says one, and, where they list properties, list one in common.
    fn is_like(&mut self, one: (Side, Part<'v>), other: (Side, Part<'v>)) -> bool {
        let (families, others) = (self.families_of(one, 0), self.families_of(other, 0));
        let says_nothing = families.is_empty() && others.is_empty();
        if !says_nothing && !families.iter().any(|family| others.contains(family)) {
            return false;
        }
        let (one, other) = (self.followed(one.0, one.1), self.followed(other.0, other.1));
        let listed = |part: Part<'v>| part.value.as_object().and_then(|object| members(object, "properties"));
        match (listed(one), listed(other)) {
            (Some(one), Some(other)) if one.len() > 0 && other.len() > 0 => one.iter().any(|(name, _)| other.has(name)),
            _ => true,
        }
    }

    /// The types that a part, or a branch of it, asks for or has keywords of.
    fn families_of(&mut self, (side, part): (Side, Part<'v>), depth: usize) -> Vec<&'v str> {
        let part = self.followed(side, part);
        let Some(object) = part.value.as_object() else { return Vec::new() };
        let mut found = families(object);
        if depth == MAX_COMBINED || self.spent(1) {
            return found;
        }
        for keyword in COMBINATIONS {
            for branch in self.parts(side, part, list(object, keyword)) {
                found.extend(self.families_of((side, branch), depth + 1));
            }
        }
        found
    }

    /// A16: data that fits one branch of the reader's oneOf, as it did, may now fit another one as well.
    fn overlaps(
        &mut self,
        pair: &Pair<'v>,
        (side, reader): (Side, &'v Object<'v>),
        (other_side, writer): (Side, &'v Object<'v>),
    ) {
        // Within not, what the new schema refuses is what its readers take.
        let is_for_old_readers = (side == Side::Old) != pair.is_negated;
        let direction = if is_for_old_readers { Direction::Forward } else { Direction::Backward };
        if !reader.has("oneOf") || !self.change.promises(direction) {
            return;
        }
        let (of, other_of) = match side {
            Side::New => (pair.new, pair.old),
            Side::Old => (pair.old, pair.new),
        };
        let branches = self.parts(side, of, list(reader, "oneOf"));
        let others = match writer.has("oneOf") {
            true => self.parts(other_side, other_of, list(writer, "oneOf")),
            false => vec![other_of],
        };
        let counterparts = self.counterparts((side, &branches), (other_side, &others));
        let found = self.overlapping((side, &branches), (other_side, &others), &counterparts);
        let Some((one, other)) = found else { return };
        let message = self.overlap_words(pair, direction, (one, other));
        let remedy = "tell the branches apart by a required property with a const for each, or use anyOf";
        let path = self.path(pair.place, &format!("oneOf/{other}"));
        self.give(Code::BranchesOverlap, path, message, remedy.to_owned());
    }

    fn overlap_words(&self, pair: &Pair<'v>, direction: Direction, (one, other): (usize, usize)) -> String {
        let (subject, version) = (self.subject(pair.place), &self.version);
        match direction {
            _ if pair.is_negated => format!(
                "what fits branch {one} of the oneOf of {subject} may fit branch {other} as well, and fits none then: \
                 within not, {}",
                self.refused(direction)
            ),
            Direction::Backward => format!(
                "data of {version} that fits branch {one} of the oneOf of {subject} may now fit branch {other} as well, \
                 and a oneOf refuses what fits two"
            ),
            Direction::Forward => format!(
                "new data that fits branch {one} of the oneOf of {subject} may fit branch {other} of {version} as well, \
                 which its readers refuse"
            ),
        }
    }

    /// A branch that was there, and another one that may take data of it: one that is new or takes more than before.
    fn overlapping(
        &mut self,
        (side, branches): (Side, &[Part<'v>]),
        (other_side, others): (Side, &[Part<'v>]),
        counterparts: &[Option<Counterpart>],
    ) -> Option<(usize, usize)> {
        // What has no counterpart may stand for what has none on the other side.
        let is_any_left = counterparts.iter().flatten().count() < others.len();
        for (other, candidate) in branches.iter().enumerate() {
            let grew = match counterparts[other] {
                None => true,
                Some(Counterpart { is_same: true, .. }) => false,
                Some(Counterpart { at, .. }) => self.may_take_more((side, *candidate), (other_side, others[at])),
            };
            if !grew || self.steps_left == 0 {
                continue;
            }
            let was_there = |at: &usize| *at != other && (is_any_left || counterparts[*at].is_some());
            for at in (0..branches.len()).filter(was_there) {
                if !self.are_disjoint(side, branches[at], *candidate) {
                    return Some((at, other));
                }
            }
        }
        None
    }
}
