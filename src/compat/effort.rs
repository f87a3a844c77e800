//! How much work the judgement of one candidate may be, over all versions and hints. Counted, not timed, so that the
//! same is always answered the same.

/// What is left of it. A unit is some tens of nanoseconds of an optimised build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    left: usize,
}

/// A fraction of a second. One comparison is bounded by itself, and may go beyond it once.
const UNITS: usize = 10_000_000;

impl Default for Effort {
    fn default() -> Effort {
        Effort { left: UNITS }
    }
}

impl Effort {
    /// Takes note of work.
    pub fn spend(&mut self, units: usize) {
        self.left = self.left.saturating_sub(units);
    }

    /// Whether no more should be begun.
    pub fn is_spent(&self) -> bool {
        self.left == 0
    }
}
