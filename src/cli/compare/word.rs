//! The words for a verdict in all JSON that `compare` writes.

use serde::Serialize;

use crate::compat::history::Answer;
use crate::compat::{Difference, Direction, Failure};

/// A verdict without its reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Word {
    /// It passes.
    Compatible,
    /// It is refused.
    Incompatible,
    /// The registry answers an error.
    RegistryError,
    /// It cannot be told here.
    Unsupported,
}

impl Word {
    /// Of one direction.
    pub fn of(compared: &Result<&[Difference], &Failure>) -> Word {
        match compared {
            Ok(all) if all.iter().any(|difference| difference.breaks) => Word::Incompatible,
            Ok(_) => Word::Compatible,
            Err(Failure::RegistryError(_)) => Word::RegistryError,
            Err(Failure::Unsupported(_)) => Word::Unsupported,
        }
    }
}

impl From<Answer> for Word {
    fn from(answer: Answer) -> Word {
        match answer {
            Answer::Compatible => Word::Compatible,
            Answer::Incompatible => Word::Incompatible,
            Answer::RegistryError => Word::RegistryError,
            Answer::Unknown => Word::Unsupported,
        }
    }
}

/// Who reads whose data.
pub fn direction(direction: Direction) -> &'static str {
    match direction {
        Direction::Backward => "backward",
        Direction::Forward => "forward",
    }
}
