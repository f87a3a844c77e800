//! Recursion as releases after 8.3.1 compare it: in rounds, each pair of nodes once a round. A pair that is met
//! within itself is taken to be what it was in the round before, and compatible in the first. Rounds go on until none
//! was taken to be compatible, or until no pair's verdict changes any more (a fixpoint).

use std::collections::HashMap;
use std::rc::Rc;

use super::checker::{At, Checker, Found, Stop};
use crate::compat::difference::{Failure, MAX_TOLD};

/// What is known of pairs.
#[derive(Default)]
pub struct Memory {
    /// What this round found; none for pairs under way.
    now: Pairs,
    /// What the round before found.
    before: Pairs,
    /// A pair that was met within itself was taken to be compatible in this round.
    was_hopeful: bool,
    /// How many bytes the paths of what this round found have, about: each pair keeps its own.
    kept: usize,
}

type Pairs = HashMap<(At, At), Option<Rc<Known>>>;

/// What was found below a pair.
#[derive(Default)]
struct Known {
    found: Vec<Found>,
    is_compatible: bool,
    is_unsettled: bool,
}

/// Verdicts change in one direction only, but for `not`: few rounds are enough.
const MAX_ROUNDS: usize = 20;

/// More differences are not repeated: enough that one which breaks is among them.
const MAX_FOUND: usize = 10_000;

impl Checker<'_> {
    /// Compares the roots in rounds.
    pub fn compare_in_rounds(&mut self, old: At, new: At) -> Result<(), Stop> {
        for _ in 0..MAX_ROUNDS {
            self.found.clear();
            self.is_unsettled = false;
            self.compare(old, new)?;
            let memory = &mut self.memory;
            let is_settled = memory.now.keys().all(|pair| is_compatible(&memory.now, pair) == memory.was(pair));
            if is_settled || !memory.was_hopeful {
                return Ok(());
            }
            memory.before = std::mem::take(&mut memory.now);
            memory.was_hopeful = false;
            memory.kept = 0;
        }
        let why = "these schemas refer to themselves in a way that does not settle";
        Err(Failure::Unsupported(why.to_owned()).into())
    }

    /// Compares a pair, or repeats what is known of it at this place.
    pub fn compare_once(&mut self, old: At, new: At) -> Result<(), Stop> {
        let pair = (old, new);
        match self.memory.now.get(&pair) {
            Some(Some(known)) => {
                let known = Rc::clone(known);
                self.repeat(&known);
                return Ok(());
            }
            Some(None) => {
                match self.memory.before.get(&pair) {
                    Some(Some(before)) if !before.is_compatible => {
                        let before = Rc::clone(before);
                        self.repeat(&before);
                    }
                    _ => self.memory.was_hopeful = true,
                }
                return Ok(());
            }
            None => {}
        }
        self.memory.now.insert(pair, None);
        let outer_path = std::mem::take(&mut self.path);
        let outer_found = std::mem::take(&mut self.found);
        let outer_unsettled = std::mem::take(&mut self.is_unsettled);
        let result = self.compare_followed(old, new);
        let found = std::mem::replace(&mut self.found, outer_found);
        let is_unsettled = std::mem::replace(&mut self.is_unsettled, outer_unsettled);
        self.path = outer_path;
        result?;
        let is_compatible = !found.iter().any(|found| found.rule.breaks(self.policy));
        let known = Rc::new(Known { found, is_compatible, is_unsettled });
        self.repeat(&known);
        self.memory.now.insert(pair, Some(known));
        Ok(())
    }

    /// Notes at this place what was found below a root.
    fn repeat(&mut self, known: &Known) {
        self.is_unsettled |= known.is_unsettled;
        let mut breaking = 0;
        for found in &known.found {
            let breaks = found.rule.breaks(self.policy);
            breaking += usize::from(breaks);
            let is_enough = self.found.len() >= MAX_FOUND || self.memory.kept > MAX_TOLD;
            if is_enough && !(breaks && breaking == 1) {
                continue;
            }
            self.memory.kept += self.path.len() + found.path.len() + std::mem::size_of::<Found>();
            let path = match (self.path.is_empty(), found.path.is_empty()) {
                (true, _) => found.path.clone(),
                (_, true) => self.path.clone(),
                _ => format!("{}/{}", self.path, found.path),
            };
            self.found.push(Found { path, ..*found });
        }
    }
}

impl Memory {
    /// What the round before said of a pair.
    fn was(&self, pair: &(At, At)) -> bool {
        is_compatible(&self.before, pair)
    }
}

/// Compatible where nothing is known.
fn is_compatible(pairs: &Pairs, pair: &(At, At)) -> bool {
    pairs.get(pair).and_then(Option::as_ref).is_none_or(|known| known.is_compatible)
}
