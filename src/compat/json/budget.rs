//! What one comparison may take: steps, work within them, and memory. Counted, not timed, so that the same pair is
//! always answered the same.

/// What is left.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Comparisons of two nodes.
    pub steps: usize,
    /// What is looked at in them: properties, values, bytes of names. One takes some tens of nanoseconds.
    pub work: usize,
}

/// Comparisons of two nodes as the registry makes them. Real schemas take some thousands; where these are not enough
/// the registry goes on for long, and the comparison starts again in a frugal way.
const STEPS: usize = 150_000;

/// The same in a frugal way.
const FRUGAL_STEPS: usize = 3_000_000;

/// Half a million characters are looked through a good number of times.
const WORK: usize = 12_000_000;

/// What a step alone takes.
const WORK_OF_STEP: usize = 4;

/// Bytes that all notes and pairs may take.
pub const MEMORY: usize = 28 << 20;

impl Budget {
    /// For a comparison as the registry makes it.
    pub const PLAIN: Budget = Budget { steps: STEPS, work: WORK };

    /// For one in a frugal way.
    pub const FRUGAL: Budget = Budget { steps: FRUGAL_STEPS, work: WORK };

    /// How much was taken of it, in units of work.
    pub fn spent_of(self, whole: Budget) -> usize {
        (whole.steps - self.steps) * WORK_OF_STEP + (whole.work - self.work)
    }

    /// Takes work. That there is none left shows with the next step.
    pub fn work(&mut self, work: usize) {
        self.work = self.work.saturating_sub(work);
    }

    /// Takes a step, if one is left, and work for it.
    pub fn step(&mut self) -> bool {
        if self.steps == 0 || self.work == 0 {
            return false;
        }
        self.steps -= 1;
        true
    }
}
