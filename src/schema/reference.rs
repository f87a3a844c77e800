//! What a schema refers to, and how strictly a text is read.

/// A schema that another one refers to.
#[derive(Clone, Copy, Debug)]
pub struct Reference<'a> {
    /// The name that the referring schema uses: a full name, an import or a `$ref`.
    pub name: &'a str,
    /// Its text.
    pub text: &'a str,
}

/// How strictly a registry reads a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// As a schema that is registered now: what the registry checks of new schemas is checked.
    New,
    /// As a schema that it holds already: whatever was let in once is read.
    Stored,
}
