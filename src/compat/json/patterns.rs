//! Which names a pattern is found in. Patterns are compiled once, while there is room; compiling and matching is work.

use std::collections::HashMap;

use super::budget::Budget;
use crate::schema::json::Pattern;

/// Compiled patterns by their text; none for what cannot be matched here.
#[derive(Default)]
pub struct Patterns<'s> {
    compiled: HashMap<&'s str, Option<Pattern>>,
    size: usize,
}

/// Bytes of compiled patterns that are kept.
const MAX_SIZE: usize = 4 << 20;

impl<'s> Patterns<'s> {
    /// Whether a pattern is found in a name; none where that cannot be told.
    pub fn is_found(&mut self, pattern: &'s str, name: &str, budget: &mut Budget) -> Option<bool> {
        if !self.compiled.contains_key(pattern) {
            if self.size > MAX_SIZE {
                *self = Patterns::default();
            }
            let compiled = Pattern::new(pattern);
            let size = compiled.as_ref().map_or(0, Pattern::size);
            budget.work((pattern.len() + size) / 4);
            self.size += size;
            self.compiled.insert(pattern, compiled);
        }
        let (found, steps) = self.compiled[pattern].as_ref()?.look_in(name);
        budget.work(1 + steps + name.len() / 8);
        found
    }
}
