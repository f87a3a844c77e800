//! A version of a subject, and the id of a schema.

use std::fmt;
use std::num::NonZeroU32;

/// The number of a version of a subject, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Version(NonZeroU32);

impl Version {
    /// Version 1.
    pub const FIRST: Version = Version(NonZeroU32::MIN);

    /// The version with this number, where there can be one.
    pub fn new(number: i64) -> Option<Version> {
        u32::try_from(number).ok().and_then(NonZeroU32::new).map(Version)
    }

    /// The number, from 1.
    pub fn number(self) -> i64 {
        i64::from(self.0.get())
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The id by which messages name a schema; not an identity across registries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SchemaId(pub i64);

impl fmt::Display for SchemaId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
