//! Arrays: items, tuples under the content model, what is not listed, counts.

use super::checker::{At, Checker, Side, Stop};
use super::noted::Segment;
use super::rule;
use crate::schema::json::{ArrayNode, Kind, NodeId};

impl Checker<'_> {
    /// ArraySchemaDiff.
    pub fn arrays(&mut self, old_side: Side, old: &ArrayNode, new_side: Side, new: &ArrayNode) -> Result<(), Stop> {
        let (a, b) = (old_side.maybe(old.all_items), new_side.maybe(new.all_items));
        self.within("items", |checker| checker.compare_maybe(a, b))?;
        self.tuples(old_side, old, new_side, new)?;
        let (a, b) = (old_side.maybe(old.additional), new_side.maybe(new.additional));
        self.rest(&rule::ADDITIONAL_ITEMS, (old.permits_additional, a), (new.permits_additional, b))?;
        if self.rules.compares_unevaluated {
            let (a, b) = (old_side.maybe(old.unevaluated), new_side.maybe(new.unevaluated));
            self.unevaluated(&rule::UNEVALUATED_ITEMS, a, b)?;
        }
        let has_more = |array: &ArrayNode| array.unevaluated.is_some() || array.contains.is_some();
        self.took_shortcut |= !self.rules.compares_unevaluated && (has_more(old) || has_more(new));
        self.bound(&rule::MAX_ITEMS, old.max_items, new.max_items);
        self.bound(&rule::MIN_ITEMS, old.min_items, new.min_items);
        match (old.unique_items, new.unique_items) {
            (false, true) => self.add_at("uniqueItems", rule::UNIQUE_ITEMS_ADDED),
            (true, false) => self.add_at("uniqueItems", rule::UNIQUE_ITEMS_REMOVED),
            _ => {}
        }
        if self.rules.compares_unevaluated {
            self.limit(&rule::MAX_CONTAINS, old.max_contains.as_ref(), new.max_contains.as_ref());
            self.limit(&rule::MIN_CONTAINS, old.min_contains.as_ref(), new.min_contains.as_ref());
        }
        Ok(())
    }

    /// ITEM_*: pairwise, and the rest under the other side's content model.
    fn tuples(&mut self, old_side: Side, old: &ArrayNode, new_side: Side, new: &ArrayNode) -> Result<(), Stop> {
        let items = |array: &ArrayNode, at: usize| array.items.as_ref().and_then(|items| items.get(at).copied());
        let length = |array: &ArrayNode| array.items.as_ref().map_or(0, Vec::len);
        self.budget.work(length(old) + length(new));
        for at in 0..length(old).max(length(new)) {
            let (before, after) = (old_side.maybe(items(old, at)), new_side.maybe(items(new, at)));
            self.within(Segment::Of("items", at), |checker| match (before, after) {
                (Some(before), Some(after)) => checker.compare(before, after),
                (Some(before), None) => checker.item_removed(before, new_side, new),
                (None, Some(after)) => checker.item_added(old_side, old, after),
                (None, None) => Ok(()),
            })?;
        }
        Ok(())
    }

    fn item_removed(&mut self, before: At, new_side: Side, new: &ArrayNode) -> Result<(), Stop> {
        let outer = std::mem::replace(&mut self.subjects, (Some(before), None));
        let rule = match self.cover(new) {
            _ if self.is_open(new) => rule::ITEM_REMOVED_FROM_OPEN,
            Some(cover) => {
                let start = self.noted.mark();
                self.compare(before, new_side.at(cover))?;
                match self.is_compatible_since(start) {
                    true => rule::ITEM_REMOVED_IS_COVERED,
                    false => rule::ITEM_REMOVED_NOT_COVERED,
                }
            }
            None if matches!(self.node(before).kind, Kind::False) => rule::ITEM_WITH_FALSE_REMOVED_FROM_CLOSED,
            None => rule::ITEM_REMOVED_FROM_CLOSED,
        };
        self.add(rule);
        self.subjects = outer;
        Ok(())
    }

    fn item_added(&mut self, old_side: Side, old: &ArrayNode, after: At) -> Result<(), Stop> {
        let outer = std::mem::replace(&mut self.subjects, (None, Some(after)));
        let rule = match self.cover(old) {
            _ if self.is_open(old) && matches!(self.node(after).kind, Kind::Empty | Kind::True) => {
                rule::ITEM_WITH_EMPTY_SCHEMA_ADDED_TO_OPEN
            }
            _ if self.is_open(old) => rule::ITEM_ADDED_TO_OPEN,
            Some(cover) => {
                let start = self.noted.mark();
                self.compare(old_side.at(cover), after)?;
                match self.is_compatible_since(start) {
                    true => rule::ITEM_ADDED_IS_COVERED,
                    false => rule::ITEM_ADDED_NOT_COVERED,
                }
            }
            None => rule::ITEM_ADDED_TO_CLOSED,
        };
        self.add(rule);
        self.subjects = outer;
        Ok(())
    }

    fn is_open(&self, array: &ArrayNode) -> bool {
        array.permits_additional && self.cover(array).is_none()
    }

    /// What speaks of items beyond the tuple.
    fn cover(&self, array: &ArrayNode) -> Option<NodeId> {
        array.additional.or(array.unevaluated.filter(|_| self.rules.compares_unevaluated))
    }
}
