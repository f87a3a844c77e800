//! In which order the registry's checker looks at what two schemas have: that of its hash tables.
//!
//! Names and numbers of both sides go into one hash set, the writer's first. Its order is fixed by their hash codes,
//! so differences can be listed in the registry's order.

use std::collections::HashMap;
use std::hash::Hash;

/// What goes into the registry's hash tables.
pub(super) trait Key: Copy + Eq + Hash {
    /// Java's `hashCode`.
    fn hash_code(self) -> u32;
}

impl Key for &str {
    fn hash_code(self) -> u32 {
        self.encode_utf16().fold(0_u32, |hash, unit| hash.wrapping_mul(31).wrapping_add(unit.into()))
    }
}

impl Key for i32 {
    fn hash_code(self) -> u32 {
        self.cast_unsigned()
    }
}

/// One key, and where each side has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair<K> {
    pub key: K,
    /// Its index on the writer's side; the last one, where it occurs twice.
    pub writer: Option<usize>,
    /// Its index on the reader's side.
    pub reader: Option<usize>,
}

/// All keys of both sides, in the order of a hash set of the writer's keys to which the reader's are added.
pub(super) fn pairs<K: Key>(
    writer: impl ExactSizeIterator<Item = K>,
    reader: impl ExactSizeIterator<Item = K>,
) -> Vec<Pair<K>> {
    let mut pairs = Pairs::with_capacity(writer.len() + reader.len());
    for (index, key) in writer.enumerate() {
        pairs.at(key).writer = Some(index);
    }
    let writers = pairs.pairs.len();
    for (index, key) in reader.enumerate() {
        pairs.at(key).reader = Some(index);
    }
    let mut pairs = pairs.pairs;
    let readers = pairs.iter().filter(|pair| pair.reader.is_some()).count();
    sort_by_bucket(&mut pairs[..writers], grown(16, writers));
    sort_by_bucket(&mut pairs[writers..], grown(16, readers));
    let first = (writers * 4 / 3 + 1).max(16).next_power_of_two();
    let all = pairs.len();
    sort_by_bucket(&mut pairs, grown(first, all));
    pairs
}

/// Up to this many keys, looking at each is faster than hashing.
const FEW: usize = 32;

struct Pairs<K> {
    pairs: Vec<Pair<K>>,
    /// Where each key is, if there may be many.
    indexes: Option<HashMap<K, usize>>,
}

impl<K: Key> Pairs<K> {
    fn with_capacity(capacity: usize) -> Pairs<K> {
        let indexes = (capacity > FEW).then(|| HashMap::with_capacity(capacity));
        Pairs { pairs: Vec::with_capacity(capacity), indexes }
    }

    /// The pair of this key, which is added if it is new.
    fn at(&mut self, key: K) -> &mut Pair<K> {
        let next = self.pairs.len();
        let at = match &mut self.indexes {
            Some(indexes) => *indexes.entry(key).or_insert(next),
            None => self.pairs.iter().position(|pair| pair.key == key).unwrap_or(next),
        };
        if at == next {
            self.pairs.push(Pair { key, writer: None, reader: None });
        }
        &mut self.pairs[at]
    }
}

/// The size of a table that began with this capacity and now holds this many: it doubles when three quarters are full.
fn grown(mut capacity: usize, held: usize) -> usize {
    while held * 4 > capacity * 3 {
        capacity *= 2;
    }
    capacity
}

/// What falls into the same bucket stays in the order in which it came.
fn sort_by_bucket<K: Key>(pairs: &mut [Pair<K>], capacity: usize) {
    pairs.sort_by_key(|pair| {
        let hash = pair.key.hash_code();
        (hash ^ hash >> 16) as usize & (capacity - 1)
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order<K: Key>(writer: &[K], reader: &[K]) -> Vec<K> {
        pairs(writer.iter().copied(), reader.iter().copied()).into_iter().map(|pair| pair.key).collect()
    }

    #[test]
    fn numbers_are_sorted_within_the_size_of_the_table() {
        assert_eq!(order(&[3, 100, 1], &[15, 2]), [1, 2, 3, 100, 15]);
    }

    #[test]
    fn the_table_grows_with_what_it_holds() {
        let many: Vec<i32> = (1..=12).collect();
        assert_eq!(order(&[], &[16, 1]), [16, 1]);
        assert_eq!(order(&many, &[33]).last(), Some(&12));
        assert_eq!(order(&many, &[33])[..2], [1, 33]);
    }

    #[test]
    fn of_keys_that_occur_twice_the_last_one_counts() {
        let twice = pairs(["a", "a"].into_iter(), ["a"].into_iter());
        assert_eq!(twice, [Pair { key: "a", writer: Some(1), reader: Some(0) }]);
    }
}
