//! One difference between two schemas, as a registry's checker sees it.

/// How a reader's schema differs from a writer's.
///
/// Checkers also name differences that break nothing; those are kept, since advice is made of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The registry's name of the rule, such as `READER_FIELD_MISSING_DEFAULT_VALUE`.
    pub rule: &'static str,
    /// The registry's path to it.
    pub path: String,
    /// Whether the reader cannot read what the writer wrote because of it.
    pub breaks: bool,
    /// What a sentence about it is made of.
    pub facts: Facts,
}

/// How many bytes all differences of one comparison have, about. Names may be long, paths repeat them, and some schemas
/// differ in exponentially many places: this is far more than anybody reads.
pub(super) const MAX_TOLD: usize = 8 << 20;

impl Difference {
    /// How many bytes its words have.
    pub(super) fn bytes(&self) -> usize {
        self.path.len() + self.facts.bytes()
    }
}

impl Facts {
    /// How many bytes there are.
    pub(super) fn bytes(&self) -> usize {
        self.subject.len() + self.reader.len() + self.writer.len()
    }
}

/// What a sentence about a difference is made of. Names and values are the user's own, in full; whoever shows them
/// bounds them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// What it is about, as a person would name it: `field currency`, `enum Status`, `property id`. Empty for the root.
    pub subject: String,
    /// What the reader has: a type, a value, a list. Empty where that says nothing.
    pub reader: String,
    /// What the writer has.
    pub writer: String,
}

/// Why two schemas could not be compared as the registry would.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The real registry fails here (HTTP 500).
    #[error("the registry fails over this pair: {0}")]
    RegistryError(String),
    /// We cannot tell; the registry decides alone.
    #[error("this cannot be told here: {0}")]
    Unsupported(String),
}
