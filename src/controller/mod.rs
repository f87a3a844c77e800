//! Brings the registry to what the resources say: observe, plan, apply, report, for each kind; and what they share.
//!
//! May use `api`, `schema` and `registry`. Everything that talks to the API server is here.

mod conditions;
mod connection;
mod connections;
mod context;
mod events;
mod history;
mod kind;
mod look;
mod memory;
pub mod ownership;
mod profile;
mod run;
pub mod schema;
mod schema_registry;
mod scope;
mod status_write;
pub mod subject_config;
mod sweeper;
pub mod trouble;
mod turns;
mod unreadable;
mod wakes;
mod watches;
mod words;

pub use run::{Readiness, Settings, run};
pub use scope::Scope;
