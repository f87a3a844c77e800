//! Why a registry could not be read or written, in the words that a person gets.

use crate::api::Reason;
use crate::registry::RegistryError;

/// A registry's failure, ready to be reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// One word.
    pub reason: Reason,
    /// One line: which registry, what is wrong.
    pub message: String,
    /// Whether it may pass by itself.
    pub passes: bool,
    /// Whether it is about one subject, so that nobody tells of it but the resources of that subject.
    pub is_of_subject: bool,
}

impl Trouble {
    /// The failure of the registry with this resource name.
    pub fn of(registry: &str, error: &RegistryError) -> Trouble {
        Trouble {
            reason: error.reason(),
            message: format!("registry {registry}: {error}"),
            passes: error.is_transient(),
            is_of_subject: error.is_of_subject(),
        }
    }
}
