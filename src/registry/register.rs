//! Registering a schema: the one call that makes a version. Never retried here; see [`RegistryError::OutcomeUnknown`].

use super::calls::Route;
use super::client::{Candidate, Client, Placement};
use super::error::RegistryError;
use super::refusal::Refusal;
use super::reply::Reply;
use super::transport::{normalize_query, versions_path};
use super::wire::{CandidateBody, RegisteredBody};
use crate::schema::{SchemaId, Subject};

/// What the registry decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Register {
    /// The schema is a version of the subject: a new one, or one that was there already.
    Accepted {
        /// The id by which messages name it.
        id: SchemaId,
    },
    /// It breaks the level in force.
    Incompatible(Refusal),
    /// The registry cannot parse it.
    Invalid {
        /// In its words, without the schema.
        message: String,
    },
    /// The registry, or the subject, takes no writes now.
    ReadOnly {
        /// In its words.
        message: String,
    },
    /// The registry does not take this, and will not until the request is another one: too large, a bad subject, …
    Refused {
        /// In its words.
        message: String,
    },
    /// The registry fails on this schema (a 500 without a code of its own). Others may pass.
    CandidateFailed {
        /// In its words.
        message: String,
    },
}

impl Client {
    /// Registers a schema.
    ///
    /// An error of kind [`RegistryError::OutcomeUnknown`] means that the schema may have been registered: look before
    /// registering again. Every other error means that it was not.
    pub async fn register(
        &self,
        subject: &Subject,
        candidate: &Candidate,
        placement: Placement,
    ) -> Result<Register, RegistryError> {
        let body = CandidateBody::register(candidate, placement);
        let query = normalize_query(candidate.normalize);
        let reply =
            self.send_json(Route::Register, &versions_path(subject, None), query, &body).await?.about(subject)?;
        self.decision(&reply)
    }

    fn decision(&self, reply: &Reply) -> Result<Register, RegistryError> {
        let message = || reply.short_message();
        match (reply.status, reply.code()) {
            (200..300, _) => match reply.object::<RegisteredBody>() {
                Ok(body) => Ok(Register::Accepted { id: SchemaId(body.id) }),
                Err(_) => Err(reply.unreadable_write()),
            },
            (409, Some(409 | 40901)) => Ok(Register::Incompatible(Refusal::of_register(&reply.message()))),
            // Apicurio gives all its other conflicts the code 0; only its words tell a read-only storage.
            (409, _) if reply.message().contains("read-only") => Ok(Register::ReadOnly { message: message() }),
            (422, Some(42205)) => Ok(Register::ReadOnly { message: message() }),
            // 422/422 is how Redpanda refuses a schema; the other thing it means, a key that is not known, is not sent.
            (422, Some(42201 | 422)) => Ok(Register::Invalid { message: reply.about_schema() }),
            (400 | 413 | 422, _) => Ok(Register::Refused { message: reply.told() }),
            // Nothing needs to be there for a register; Karapace says so to a user who may only read.
            (404, Some(40401)) => {
                Err(RegistryError::Forbidden { host: reply.host.clone(), status: reply.status, message: message() })
            }
            (500, _) if reply.is_candidate_failure() => Ok(Register::CandidateFailed { message: reply.told() }),
            _ => Err(reply.write_error()),
        }
    }
}
