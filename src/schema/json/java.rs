//! The order in which Java's hash maps give their keys, which is the order of the registry's differences.

/// `String.hashCode()` with the high bits spread as `HashMap` does.
pub fn hash(key: &str) -> u32 {
    let step = |code: u32, unit: u16| code.wrapping_mul(31).wrapping_add(u32::from(unit));
    let code = if key.is_ascii() {
        key.bytes().fold(0, |code, byte| step(code, u16::from(byte)))
    } else {
        key.encode_utf16().fold(0, step)
    };
    code ^ (code >> 16)
}

/// The capacity that a `HashMap` has after `count` keys were put into one made for `capacity`.
pub fn capacity(made_for: usize, count: usize) -> usize {
    let mut capacity = made_for.max(1).next_power_of_two();
    while count > capacity * 3 / 4 {
        capacity *= 2;
    }
    capacity
}

/// The capacity of `new HashSet<>(collection)`, after all of it and `more` were put in.
pub fn capacity_of_copy(size: usize, total: usize) -> usize {
    capacity((size * 4 / 3 + 1).max(16), total)
}

/// Puts keys, given with their hashes in the order of insertion, in the order of iteration. Bins with so many
/// collisions that Java makes trees of them are not told apart.
pub fn iteration_order<T>(keys: &mut [T], capacity: usize, hash: impl Fn(&T) -> u32) {
    keys.sort_by_key(|key| hash(key) as usize & (capacity - 1)); // stable, as a bin is
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_java() {
        assert_eq!(hash("a"), 97);
        // "customer".hashCode() is 606175198 = 0x2421_93de.
        assert_eq!(hash("customer"), 606_175_198 ^ (606_175_198 >> 16));
    }

    #[test]
    fn capacities_grow_as_in_java() {
        assert_eq!([capacity(16, 12), capacity(16, 13), capacity(5, 6), capacity(8, 7)], [16, 32, 8, 16]);
        assert_eq!([capacity(0, 0), capacity(1, 1), capacity(3, 3)], [1, 2, 4]);
        assert_eq!(capacity_of_copy(3, 4), 16);
        assert_eq!(capacity_of_copy(12, 12), 32);
    }
}
