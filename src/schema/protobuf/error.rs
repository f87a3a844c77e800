//! Why a Protobuf text cannot be compared.

use super::scanner::{NotClosed, Scanner};

/// Why a Protobuf text was not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// The registry refuses it as well.
    #[error("{what} at line {line}, column {column}")]
    Invalid {
        /// What is wrong.
        what: String,
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
    },
    /// The registry may take it; it is not read here.
    #[error("{what} at line {line}, column {column}")]
    Unsupported {
        /// What is not read.
        what: String,
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
    },
    /// A schema that this one refers to was not read.
    #[error("reference {name}: {error}")]
    Reference {
        /// The reference.
        name: String,
        /// Why not.
        error: Box<ParseError>,
    },
}

impl ParseError {
    /// Whether the registry refuses the text too; if not, it decides alone.
    pub fn is_invalid(&self) -> bool {
        match self {
            ParseError::Invalid { .. } => true,
            ParseError::Unsupported { .. } => false,
            ParseError::Reference { error, .. } => error.is_invalid(),
        }
    }

    pub(super) fn invalid(scanner: &Scanner<'_>, at: usize, what: impl Into<String>) -> ParseError {
        ParseError::Invalid { what: what.into(), line: scanner.line(at), column: scanner.column(at) }
    }

    pub(super) fn unsupported(scanner: &Scanner<'_>, at: usize, what: impl Into<String>) -> ParseError {
        ParseError::Unsupported { what: what.into(), line: scanner.line(at), column: scanner.column(at) }
    }

    pub(super) fn not_closed(scanner: &Scanner<'_>, open: NotClosed) -> ParseError {
        ParseError::invalid(scanner, open.at, format!("a {} that does not end", open.what))
    }
}
