//! How strictly a schema's text is read.

/// Registries check more of a schema that is new than of one that they already hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// As a newly registered schema.
    New,
    /// As one that the registry already holds: leniently.
    Stored,
}
