//! Why a JSON Schema cannot be read.

use crate::schema::text::MAX_DEPTH;

/// Why a text is no schema, or none that can be judged here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// Nothing, or only white space.
    #[error("the schema is blank")]
    Blank,
    /// Not JSON.
    #[error("the schema is not JSON: {expected} is expected at line {line}, column {column}")]
    NotJson {
        /// What would have been right.
        expected: String,
        /// From 1.
        line: usize,
        /// From 1, in characters.
        column: usize,
    },
    /// JSON, but the registry cannot load it as a schema.
    #[error("the registry cannot load this schema: {what}, at #{at}")]
    NotASchema {
        /// What is wrong.
        what: String,
        /// A JSON pointer to it.
        at: String,
    },
    /// Nested deeper than any registry takes.
    #[error("the schema nests deeper than {MAX_DEPTH} levels")]
    TooDeep,
    /// So many parts refer to each other that comparing it is not sensible.
    #[error("the schema has more than {0} parts when its references are followed")]
    TooLarge(usize),
    /// Its names are so long, once they are absolute, that resolving them is not sensible.
    #[error("the schema's names have more than {0} bytes once they are resolved against its $id")]
    LongNames(usize),
    /// It has what is not reproduced here.
    #[error("schemas with {0} cannot be judged here")]
    NotKnown(&'static str),
    /// It refers to a schema elsewhere, which only the registry may be able to fetch.
    #[error("the schema refers to {0}, which is not among its references")]
    Elsewhere(String),
}

impl ParseError {
    /// Whether the registry would refuse it as well; otherwise it cannot be told here.
    pub fn is_refusal(&self) -> bool {
        !matches!(
            self,
            ParseError::TooDeep
                | ParseError::TooLarge(_)
                | ParseError::LongNames(_)
                | ParseError::NotKnown(_)
                | ParseError::Elsewhere(_)
        )
    }

    /// The same, one level further out.
    pub(super) fn inside(self, key: &str) -> ParseError {
        match self {
            ParseError::NotASchema { what, at } => ParseError::NotASchema { what, at: format!("/{key}{at}") },
            other => other,
        }
    }
}
