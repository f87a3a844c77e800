//! A schema that another one refers to by name.

/// What a schema refers to: the name that its text uses, and the text that stands behind that name.
#[derive(Clone, Copy, Debug)]
pub struct Reference<'a> {
    /// The name as the referring schema writes it.
    pub name: &'a str,
    /// The text of the schema referred to.
    pub text: &'a str,
}
