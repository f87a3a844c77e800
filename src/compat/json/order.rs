//! The order in which the registry goes through the keys of two maps: that of a hash set of both.

use crate::schema::json::{ObjectNode, Property, Text, java};

/// A key of the old map, the new one, or both.
#[derive(Clone, Copy, Debug)]
pub enum Key<'a, T> {
    Old(&'a T),
    New(&'a T),
    Both(&'a T, &'a T),
}

/// The properties of both objects.
pub fn properties<'a>(old: &'a ObjectNode, new: &'a ObjectNode) -> Vec<Key<'a, Property>> {
    let mut all: Vec<(u32, Key<Property>)> = Vec::with_capacity(old.properties.len().max(new.properties.len()));
    for before in &old.properties {
        let key = match new.property(&before.name, before.hash) {
            Some(after) => Key::Both(before, after),
            None => Key::Old(before),
        };
        all.push((before.hash, key));
    }
    for after in &new.properties {
        if old.property(&after.name, after.hash).is_none() {
            all.push((after.hash, Key::New(after)));
        }
    }
    in_order(all, old.properties.len())
}

/// The entries of two maps by name.
pub fn named<'a, V>(old: &'a [(Text, V)], new: &'a [(Text, V)]) -> Vec<Key<'a, (Text, V)>> {
    if old.is_empty() && new.is_empty() {
        return Vec::new();
    }
    let by_name = |entries: &'a [(Text, V)]| -> std::collections::HashMap<&'a str, &'a (Text, V)> {
        entries.iter().map(|entry| (&*entry.0, entry)).collect()
    };
    let (old_by_name, new_by_name) = (by_name(old), by_name(new));
    let mut all: Vec<(u32, Key<(Text, V)>)> = Vec::new();
    for before in old {
        let key = new_by_name.get(&*before.0).map_or(Key::Old(before), |after| Key::Both(before, after));
        all.push((java::hash(&before.0), key));
    }
    for after in new.iter().filter(|after| !old_by_name.contains_key(&*after.0)) {
        all.push((java::hash(&after.0), Key::New(after)));
    }
    in_order(all, old.len())
}

fn in_order<T>(mut all: Vec<(u32, Key<T>)>, old_count: usize) -> Vec<Key<T>> {
    let capacity = java::capacity_of_copy(old_count, all.len());
    java::iteration_order(&mut all, capacity, |(hash, _)| *hash);
    all.into_iter().map(|(_, key)| key).collect()
}
