//! How strictly a schema's text is read.

/// Registries are stricter with a schema that is to be registered than with one that they hold already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// As a newly registered schema.
    New,
    /// As one that the registry holds.
    Stored,
}
