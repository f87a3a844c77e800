//! Recursion as releases after 8.3.1 compare it: in rounds, each pair of nodes once a round. A pair that is met
//! within itself is taken to be what it was in the round before, and compatible in the first. Rounds go on until none
//! was taken to be compatible, or until no pair's verdict changes any more (a fixpoint).

use std::collections::HashMap;

use super::checker::{At, Checker, Stop};
use super::noted::{ListId, Place};
use crate::compat::difference::Failure;

/// What is known of pairs.
#[derive(Default)]
pub struct Memory {
    /// What this round found; none for pairs under way.
    now: Pairs,
    /// What the round before found.
    before: Pairs,
    /// A pair that was met within itself was taken to be compatible in this round.
    was_hopeful: bool,
}

/// By the numbers of the two nodes.
type Pairs = HashMap<(u32, u32), Option<Known>>;

/// What was found below a pair.
#[derive(Clone, Copy)]
struct Known {
    found: ListId,
    is_unsettled: bool,
}

/// Verdicts change in one direction only, but for `not`: few rounds are enough.
const MAX_ROUNDS: usize = 20;

impl Checker<'_> {
    /// Compares the roots in rounds.
    pub fn compare_in_rounds(&mut self, old: At, new: At) -> Result<(), Stop> {
        let start = self.noted.mark();
        for _ in 0..MAX_ROUNDS {
            self.noted.strike_since(start);
            self.is_unsettled = false;
            self.compare(old, new)?;
            let memory = &mut self.memory;
            let noted = &self.noted;
            let breaks = |pairs: &Pairs, pair| {
                pairs.get(pair).copied().flatten().is_some_and(|known: Known| noted.breaks(known.found))
            };
            let is_settled = memory.now.keys().all(|pair| breaks(&memory.now, pair) == breaks(&memory.before, pair));
            if is_settled || !memory.was_hopeful {
                return Ok(());
            }
            memory.before = std::mem::take(&mut memory.now);
            memory.was_hopeful = false;
        }
        let why = "these schemas refer to themselves in a way that does not settle";
        Err(Failure::Unsupported(why.to_owned()).into())
    }

    /// Compares a pair, or repeats what is known of it at this place.
    pub fn compare_once(&mut self, old: At, new: At) -> Result<(), Stop> {
        let pair = (self.number(old) as u32, self.number(new) as u32);
        match self.memory.now.get(&pair) {
            Some(Some(known)) => {
                self.repeat(*known);
                return Ok(());
            }
            Some(None) => {
                match self.memory.before.get(&pair) {
                    Some(Some(before)) if self.noted.breaks(before.found) => self.repeat(*before),
                    _ => self.memory.was_hopeful = true,
                }
                return Ok(());
            }
            None => {}
        }
        self.memory.now.insert(pair, None);
        let start = self.noted.mark();
        let outer = std::mem::replace(&mut self.place, Place::ROOT);
        let outer_unsettled = std::mem::take(&mut self.is_unsettled);
        let result = self.compare_followed(old, new);
        let is_unsettled = std::mem::replace(&mut self.is_unsettled, outer_unsettled);
        self.place = outer;
        result?;
        let found = self.noted.list_since(start);
        let known = Known { found, is_unsettled };
        self.repeat(known);
        self.memory.now.insert(pair, Some(known));
        Ok(())
    }

    /// Notes at this place what was found below a pair.
    fn repeat(&mut self, known: Known) {
        self.is_unsettled |= known.is_unsettled;
        self.noted.add_all(self.place, known.found);
    }
}

impl Memory {
    /// Bytes that it takes.
    pub fn size(&self) -> usize {
        (self.now.capacity() + self.before.capacity()) * (size_of::<((u32, u32), Option<Known>)>() + 1) * 8 / 7
    }
}
