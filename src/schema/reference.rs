//! What a schema refers to.

/// A schema that another one refers to, by the name that the other one uses.
#[derive(Clone, Copy, Debug)]
pub struct Reference<'a> {
    /// The name that the referring schema uses: a full name, an import or a `$ref`.
    pub name: &'a str,
    /// Its text.
    pub text: &'a str,
}
