//! What a registry holds.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// The key under which the registry-wide level and mode stand. No subject is called so.
pub const GLOBAL: &str = "";

/// A version of a subject.
#[derive(Clone, Debug)]
pub struct Entry {
    pub version: i64,
    pub id: i64,
    pub schema_type: String,
    pub text: String,
    pub identity: String,
    pub metadata: Option<Value>,
    pub deleted: bool,
    /// Milliseconds, as Confluent stamps it.
    pub ts: i64,
}

/// Everything.
#[derive(Clone, Debug)]
pub struct Store {
    pub subjects: BTreeMap<String, BTreeMap<i64, Entry>>,
    pub configs: BTreeMap<String, Map<String, Value>>,
    pub modes: BTreeMap<String, String>,
    /// Ids of contents that no version holds any more, where a registry keeps them for ever.
    pub kept: Vec<Entry>,
    pub next_id: i64,
    pub clock: i64,
}

impl Store {
    pub fn new() -> Store {
        Store {
            subjects: BTreeMap::new(),
            configs: BTreeMap::new(),
            modes: BTreeMap::new(),
            kept: Vec::new(),
            next_id: 1,
            clock: 1_764_500_000_000,
        }
    }

    /// Every version of a subject, deleted ones too, oldest first.
    pub fn all(&self, subject: &str) -> impl DoubleEndedIterator<Item = &Entry> {
        self.subjects.get(subject).into_iter().flat_map(|versions| versions.values())
    }

    /// The versions that are not deleted, oldest first.
    pub fn live(&self, subject: &str) -> impl DoubleEndedIterator<Item = &Entry> {
        self.all(subject).filter(|entry| !entry.deleted)
    }

    pub fn latest(&self, subject: &str) -> Option<&Entry> {
        self.live(subject).next_back()
    }

    pub fn exists(&self, subject: &str) -> bool {
        self.all(subject).next().is_some()
    }

    pub fn is_live(&self, subject: &str) -> bool {
        self.live(subject).next().is_some()
    }

    pub fn next_version(&self, subject: &str) -> i64 {
        self.all(subject).map(|entry| entry.version).max().unwrap_or(0) + 1
    }

    /// Every version of every subject.
    pub fn everything(&self) -> impl Iterator<Item = (&String, &Entry)> {
        self.subjects.iter().flat_map(|(subject, versions)| versions.values().map(move |entry| (subject, entry)))
    }

    /// The version that carries an id, of whichever subject.
    pub fn by_id(&self, id: i64) -> Option<(&String, &Entry)> {
        self.everything().find(|(_, entry)| entry.id == id)
    }

    pub fn add(&mut self, subject: &str, mut entry: Entry) {
        self.clock += 1;
        entry.ts = self.clock;
        self.next_id = self.next_id.max(entry.id + 1);
        self.subjects.entry(subject.to_owned()).or_default().insert(entry.version, entry);
    }

    /// Marks versions as deleted and answers their numbers.
    pub fn soft_delete(&mut self, subject: &str, only: Option<i64>) -> Vec<i64> {
        let versions = self.subjects.get_mut(subject).into_iter().flat_map(|versions| versions.values_mut());
        let chosen = versions.filter(|entry| !entry.deleted && only.is_none_or(|only| entry.version == only));
        chosen.map(|entry| (entry.deleted = true, entry.version).1).collect()
    }

    /// Removes versions for good and answers their numbers. With the last one goes what was set for the subject.
    pub fn hard_delete(&mut self, subject: &str, only: Option<i64>) -> Vec<i64> {
        let Some(versions) = self.subjects.get_mut(subject) else {
            return Vec::new();
        };
        let numbers: Vec<i64> =
            versions.keys().copied().filter(|version| only.is_none_or(|only| *version == only)).collect();
        for number in &numbers {
            self.kept.extend(versions.remove(number));
        }
        if versions.is_empty() {
            self.subjects.remove(subject);
            self.configs.remove(subject);
            self.modes.remove(subject);
        }
        numbers
    }

    /// The names that begin with a prefix and of which `wanted` is true.
    pub fn names(&self, prefix: &str, wanted: impl Fn(&str) -> bool) -> Vec<String> {
        let names = self.subjects.keys().filter(|name| name.starts_with(prefix));
        names.filter(|name| wanted(name)).cloned().collect()
    }
}

/// The same for the same content, everywhere.
pub fn guid(text: &str, metadata: Option<&Value>) -> String {
    let digest = Sha256::digest(format!("{text}\n{}", metadata.map(Value::to_string).unwrap_or_default()));
    let hex: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}
