//! Schema Registrar: a Kubernetes operator that owns what a Kafka Schema Registry holds.
//!
//! The map of the code; dependencies point one way, from the bottom of this list to its top:
//!
//! - [`api`]: the resources as users write them: types, CEL rules, columns, conditions. No logic, no IO.
//! - [`schema`]: schema text, what makes two texts the same schema, subjects and versions. Pure.
//! - [`compat`]: whether a reader can read what a writer wrote, as the registry would answer. Pure.
//! - [`registry`]: the only module that speaks to a registry.
//! - [`controller`]: observe, plan, apply, report, for each kind; and what they share.
//! - [`telemetry`]: logs, metrics and health.
//! - [`cli`]: the command line.
#![forbid(unsafe_code)]

pub mod api;
pub mod cli;
pub mod compat;
pub mod controller;
pub mod registry;
pub mod schema;
pub mod telemetry;
