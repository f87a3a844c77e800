//! The only module that speaks to a Kafka Schema Registry: one [`Client`] per registry, its limits and its breaker.
//!
//! May use `api` and `schema`. Everything that a registry answers is taken for hostile until it is one of the types here.

mod base_url;
mod breaker;
mod calls;
mod check;
mod client;
mod config;
mod error;
mod facts;
mod limits;
mod probe;
mod refusal;
mod register;
mod reply;
mod subjects;
mod text;
mod transport;
mod wire;

pub use base_url::{BaseUrl, BaseUrlError};
pub use breaker::Breaker;
pub use calls::{CallCount, CallCounts, Outcome, Route};
pub use check::Check;
pub use client::{Candidate, Client, ClientConfig, DEFAULT_MAX_REPLY_BYTES, Placement};
pub use config::{Comparison, GlobalSettings, LevelInForce, LevelSource, SetLevel};
pub use error::{Cause, Problem, RegistryError, Unknown};
pub use facts::{Capabilities, Facts, Implementation};
pub use limits::{Bucket, Permit, Permits, Priority};
pub use refusal::{Refusal, Violation};
pub use register::Register;
pub use subjects::{Lookup, Stored, StoredReference};
