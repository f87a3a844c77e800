//! What was tried, and what came of it.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::verdict::Spot;

/// Counts over all pairs of one format.
#[derive(Default)]
pub struct Tally {
    counts: RefCell<Counts>,
}

#[derive(Default)]
struct Counts {
    /// Pairs of which the new one reads the old one by verdict.
    readable: u32,
    /// Values that were written with the old one.
    values: u32,
    /// What passes wrongly, by its name.
    excused: BTreeMap<&'static str, u32>,
    /// Pairs that prove nothing, and why.
    unused: BTreeMap<&'static str, u32>,
}

impl Tally {
    /// A pair that reads by verdict, and how many values of it were read.
    pub fn readable(&self, values: u32) {
        let mut counts = self.counts.borrow_mut();
        counts.readable += 1;
        counts.values += values;
    }

    /// A value was not read, and that is known to happen; who makes the change is told.
    pub fn excused(&self, spot: Spot) {
        *self.counts.borrow_mut().excused.entry(spot.name).or_default() += 1;
    }

    /// A pair that proves nothing.
    pub fn proves_nothing(&self, why: &'static str) -> Result<(), String> {
        *self.counts.borrow_mut().unused.entry(why).or_default() += 1;
        Ok(())
    }

    /// Prints all of it. Data that is hardly there would prove nothing.
    pub fn report(&self, what: &str, at_least: u32) {
        let counts = self.counts.borrow();
        let Counts { readable, values, excused, unused } = &*counts;
        println!("{what}: {readable} pairs that read by verdict, {values} values; known to pass wrongly: {excused:?}");
        println!("{what}: pairs that prove nothing: {unused:?}");
        assert!(*values >= at_least, "{what}: only {values} values were tried");
    }
}
