//! How much is told of one change: more than anybody reads, and no more. What is given beyond that is left out.

use super::Advice;

/// How many pieces of advice.
const MAX_ADVICE: usize = 1_000;
/// How many bytes in all: each piece repeats names, which may be long.
const MAX_BYTES: usize = 1 << 20;

/// What knows how long it is.
pub(in crate::compat) trait Told {
    /// How many bytes its words have.
    fn bytes(&self) -> usize;
}

/// A list that is full at some point.
pub(in crate::compat) struct Given<T> {
    all: Vec<T>,
    bytes: usize,
}

impl<T: Told> Given<T> {
    pub(in crate::compat) fn new() -> Given<T> {
        Given { all: Vec::new(), bytes: 0 }
    }

    /// So much of it as is told.
    pub(in crate::compat) fn of(all: impl IntoIterator<Item = T>) -> Given<T> {
        let mut given = Given::new();
        let mut all = all.into_iter();
        while !given.is_full() {
            match all.next() {
                Some(one) => given.push(one),
                None => break,
            }
        }
        given
    }

    /// Whether nothing more is taken.
    pub(in crate::compat) fn is_full(&self) -> bool {
        self.all.len() >= MAX_ADVICE || self.bytes >= MAX_BYTES
    }

    /// Takes one, unless it is full.
    pub(in crate::compat) fn push(&mut self, one: T) {
        if !self.is_full() {
            self.bytes += one.bytes();
            self.all.push(one);
        }
    }

    pub(in crate::compat) fn into_vec(self) -> Vec<T> {
        self.all
    }
}

impl Told for Advice {
    fn bytes(&self) -> usize {
        self.path.len() + self.message.len() + self.remedy.as_ref().map_or(0, String::len)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Code;
    use super::super::words::advice;
    use super::*;

    fn told(count: usize, bytes: usize) -> usize {
        Given::of((0..count).map(|_| advice(Code::Renamed, "", "m".repeat(bytes), ""))).into_vec().len()
    }

    #[test]
    fn so_much_is_told_and_no_more() {
        assert_eq!((told(999, 100), told(2_000, 100)), (999, 1_000));
        assert_eq!((told(4, 200_000), told(1_000, 200_000)), (4, 6));
    }
}
