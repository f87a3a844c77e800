//! Logs to standard error, as text or as one JSON object a line.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

/// How a log line looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// For machines.
    Json,
}

/// What is logged unless it is said otherwise.
pub const DEFAULT_FILTER: &str = "info,kube_runtime=warn";

/// Starts logging. `filter` is in the syntax of the tracing crate, such as `info` or `info,kube=warn`. One that is none
/// is no reason not to run: it is told, and the default holds.
pub fn start(format: LogFormat, filter: &str) {
    let parsed = EnvFilter::try_new(filter);
    let mistake = parsed.as_ref().err().map(ToString::to_string);
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(parsed.unwrap_or_else(|_| EnvFilter::new(DEFAULT_FILTER)))
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal());
    match format {
        LogFormat::Text => subscriber.init(),
        LogFormat::Json => subscriber.json().flatten_event(true).init(),
    }
    if let Some(error) = mistake {
        tracing::warn!(filter, error, "--log is not a filter; {DEFAULT_FILTER} holds instead");
    }
}
