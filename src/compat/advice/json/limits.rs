//! A15: limits of numbers that the registry compares as something else than they are.

use super::keywords::{ADDED, REMOVED};
use super::{Adviser, Breaks, Pair};
use crate::schema::json::{Dialect, Object, Value};

impl<'v> Adviser<'_, 'v> {
    pub(super) fn limits(&mut self, pair: &Pair<'v>, new: &'v Object<'v>, old: &'v Object<'v>) {
        for (keyword, is_upper) in
            [("maximum", true), ("minimum", false), ("exclusiveMaximum", true), ("exclusiveMinimum", false)]
        {
            self.beyond_doubles(pair, new, old, (keyword, is_upper));
        }
        self.exclusive_flags(pair, new, old);
        self.exclusive_maximum(pair, new, old);
    }

    /// Limits are compared as doubles, of which neighbours beyond 2^53 are one.
    fn beyond_doubles(
        &mut self,
        pair: &Pair<'v>,
        new: &'v Object<'v>,
        old: &'v Object<'v>,
        (keyword, is_upper): (&str, bool),
    ) {
        let (Some(is), Some(was)) = (number(new, keyword), number(old, keyword)) else { return };
        let (Ok(whole), Ok(old_whole)) = (is.parse::<i128>(), was.parse::<i128>()) else { return };
        if whole == old_whole || double(is) != double(was) {
            return;
        }
        let is_tighter = (whole < old_whole) == is_upper;
        let subject = self.subject(pair.place);
        let what = format!("{keyword} of {subject} is {is}, and {was} in {}", self.version);
        let breaks = if is_tighter { ADDED } else { REMOVED };
        self.ignored(pair, keyword, "differences of numbers beyond 2^53", breaks, &what);
    }

    /// Draft 4: whether a limit itself is allowed.
    fn exclusive_flags(&mut self, pair: &Pair<'v>, new: &'v Object<'v>, old: &'v Object<'v>) {
        if pair.new.dialect() != Dialect::Four || pair.old.dialect() != Dialect::Four {
            return;
        }
        for (keyword, limit) in [("exclusiveMaximum", "maximum"), ("exclusiveMinimum", "minimum")] {
            let is = |object: &'v Object<'v>| matches!(object.get(keyword), Some(Value::Bool(true)));
            if is(new) == is(old) || !new.has(limit) || !old.has(limit) {
                continue;
            }
            let subject = self.subject(pair.place);
            let (breaks, what) = match is(new) {
                true => (ADDED, format!("{limit} of {subject} is exclusive, and not in {}", self.version)),
                false => (REMOVED, format!("{limit} of {subject} is not exclusive, and was in {}", self.version)),
            };
            self.ignored(pair, keyword, "exclusive limits of draft 4", breaks, &what);
        }
    }

    /// A lower exclusiveMaximum is looked for in `maximum`, and not found where that is not lower.
    fn exclusive_maximum(&mut self, pair: &Pair<'v>, new: &'v Object<'v>, old: &'v Object<'v>) {
        let keyword = "exclusiveMaximum";
        let (Some(is), Some(was)) = (number(new, keyword), number(old, keyword)) else { return };
        let is_hidden = |reader: &'v Object<'v>, limit: &str, writers: &str| {
            let maximum = number(reader, "maximum").map(double);
            double(limit) < double(writers) && maximum.is_some_and(|maximum| maximum >= double(writers))
        };
        let breaks = Breaks { backward: is_hidden(new, is, was), forward: is_hidden(old, was, is) };
        let what = format!("{keyword} of {} is {is}, and {was} in {}", self.subject(pair.place), self.version);
        self.ignored(pair, keyword, "exclusiveMaximum below a larger maximum", breaks, &what);
    }
}

fn number<'v>(object: &'v Object<'v>, keyword: &str) -> Option<&'v str> {
    match object.get(keyword) {
        Some(Value::Number(text)) => Some(text),
        _ => None,
    }
}

fn double(text: &str) -> f64 {
    text.parse().unwrap_or(f64::NAN)
}
