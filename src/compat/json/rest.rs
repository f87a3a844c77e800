//! What objects and arrays say of what they do not list: `additional…` and `unevaluated…`.

use super::checker::{At, Checker, Stop};
use super::rule::Rest;

impl Checker<'_> {
    /// ADDITIONAL_*: whether more is permitted, and the schema of it.
    pub fn rest(&mut self, rest: &Rest, old: (bool, Option<At>), new: (bool, Option<At>)) -> Result<(), Stop> {
        let rule = match (old, new) {
            ((false, _), (true, _)) => rest.added,
            ((true, _), (false, _)) => rest.removed,
            ((_, None), (_, Some(_))) => rest.narrowed,
            ((_, Some(_)), (_, None)) => rest.extended,
            ((_, Some(old)), (_, Some(new))) => {
                return self.within(rest.keyword, |checker| checker.compare(old, new));
            }
            _ => return Ok(()),
        };
        self.add_at(rest.keyword, rule);
        Ok(())
    }

    /// UNEVALUATED_*.
    pub fn unevaluated(&mut self, rest: &Rest, old: Option<At>, new: Option<At>) -> Result<(), Stop> {
        let permits = |checker: &Self, at: Option<At>| {
            !at.is_some_and(|at| matches!(checker.node(at).kind, crate::schema::json::Kind::False))
        };
        let (old_permits, new_permits) = (permits(self, old), permits(self, new));
        let keep = |permits: bool, at: Option<At>| if permits { at } else { None };
        self.rest(rest, (old_permits, keep(old_permits, old)), (new_permits, keep(new_permits, new)))
    }
}
