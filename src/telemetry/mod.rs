//! Logs, metrics and health. May use everything that it tells of; nothing here decides.

mod logs;
mod metrics;
mod server;

pub use logs::{DEFAULT_FILTER, LogFormat, start as start_logs};
pub use metrics::{Metrics, RefusedBy, RegistryFigures};
pub use server::serve;
