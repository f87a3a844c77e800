//! Recursion as releases after 8.3.1 compare it: in rounds, each pair of nodes once a round. A pair that is met
//! within itself is taken to be what it was in the round before, and compatible in the first; rounds go on until no
//! pair turns out to be other than it was taken for (a fixpoint).

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::checker::{At, Checker, Found};
use crate::compat::difference::Failure;

/// What is known of pairs.
#[derive(Default)]
pub struct Memory {
    /// What this round found; none for pairs under way.
    now: Pairs,
    /// What the round before found.
    before: Pairs,
    /// Pairs that were met within themselves in this round.
    met: HashSet<(At, At)>,
}

type Pairs = HashMap<(At, At), Option<Rc<Known>>>;

/// What was found below a pair.
#[derive(Default)]
struct Known {
    found: Vec<Found>,
    is_compatible: bool,
}

/// Verdicts change in one direction only, but for `not`: few rounds are enough.
const MAX_ROUNDS: usize = 20;

/// More differences are not repeated: enough that one which breaks is among them.
const MAX_FOUND: usize = 20_000;

impl Checker<'_> {
    /// Compares the roots in rounds.
    pub fn compare_in_rounds(&mut self, old: At, new: At) -> Result<(), Failure> {
        for _ in 0..MAX_ROUNDS {
            self.found.clear();
            self.compare(old, new)?;
            let memory = &mut self.memory;
            let is_settled = memory.met.iter().all(|pair| is_compatible(&memory.now, pair) == memory.was(pair));
            if is_settled {
                return Ok(());
            }
            memory.before = std::mem::take(&mut memory.now);
            memory.met.clear();
        }
        Err(Failure::Unsupported("these schemas refer to themselves in a way that does not settle".to_owned()))
    }

    /// Compares a pair, or repeats what is known of it at this place.
    pub fn compare_once(&mut self, old: At, new: At) -> Result<(), Failure> {
        let pair = (old, new);
        match self.memory.now.get(&pair) {
            Some(Some(known)) => {
                let known = Rc::clone(known);
                self.repeat(&known.found);
                return Ok(());
            }
            Some(None) => {
                self.memory.met.insert(pair);
                if let Some(Some(before)) = self.memory.before.get(&pair)
                    && !before.is_compatible
                {
                    let before = Rc::clone(before);
                    self.repeat(&before.found);
                }
                return Ok(());
            }
            None => {}
        }
        self.memory.now.insert(pair, None);
        let outer_path = std::mem::take(&mut self.path);
        let outer_found = std::mem::take(&mut self.found);
        let result = self.compare_followed(old, new);
        let found = std::mem::replace(&mut self.found, outer_found);
        self.path = outer_path;
        result?;
        let is_compatible = !found.iter().any(|found| found.rule.breaks(self.policy));
        let known = Rc::new(Known { found, is_compatible });
        self.repeat(&known.found);
        self.memory.now.insert(pair, Some(known));
        Ok(())
    }

    /// Notes at this place what was found below a root.
    fn repeat(&mut self, known: &[Found]) {
        let mut breaking = 0;
        for found in known {
            let breaks = found.rule.breaks(self.policy);
            breaking += usize::from(breaks);
            if self.found.len() >= MAX_FOUND && !(breaks && breaking == 1) {
                continue;
            }
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
