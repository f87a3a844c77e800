//! Recursion as releases after 8.3.1 compare it: in rounds, each pair of nodes once a round. A pair that is met
//! within itself is taken to be what it was in the round before, and compatible in the first; rounds go on until no
//! pair that was taken for compatible turns out not to be, or the reverse (a fixpoint).

use std::collections::HashMap;
use std::rc::Rc;

use super::checker::{At, Checker, Found};
use crate::compat::difference::Failure;

/// What is known of pairs.
#[derive(Default)]
pub struct Memory {
    /// What this round found; none for pairs under way.
    now: HashMap<(At, At), Option<Rc<Result_>>>,
    /// What the round before found.
    before: HashMap<(At, At), Option<Rc<Result_>>>,
    /// Pairs that were met within themselves, and whether they were taken to be compatible.
    assumed: HashMap<(At, At), bool>,
}

/// What was found below a pair.
#[derive(Default)]
struct Result_ {
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
            let is_settled = memory.assumed.iter().all(|(pair, assumed)| {
                memory.now.get(pair).and_then(Option::as_ref).is_none_or(|now| now.is_compatible == *assumed)
            });
            if is_settled {
                return Ok(());
            }
            memory.before = std::mem::take(&mut memory.now);
            memory.assumed.clear();
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
                let before = self.memory.before.get(&pair).cloned().flatten();
                self.memory.assumed.insert(pair, before.as_ref().is_none_or(|before| before.is_compatible));
                self.repeat(before.as_ref().map_or(&[], |before| &before.found));
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
        let known = Rc::new(Result_ { found, is_compatible });
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
