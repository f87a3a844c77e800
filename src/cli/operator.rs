//! `schema-registrar run`: starts the operator, and ends it on SIGTERM or SIGINT.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use kube::Client;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

use super::RunArguments;
use crate::controller::{self, Readiness, Scope, Settings};
use crate::telemetry::{self, Metrics};

/// How long looks that are under way may take to end.
const DRAIN: Duration = Duration::from_secs(25);

/// Why the operator could not run.
#[derive(Debug, thiserror::Error)]
enum RunError {
    #[error("no way to the API server: {0}")]
    Config(#[from] kube::config::InferConfigError),
    #[error("no client for the API server: {0}")]
    Client(#[from] kube::Error),
    #[error("cannot listen on {address}: {error}")]
    Listen { address: std::net::SocketAddr, error: std::io::Error },
    #[error("the system refuses what every process needs: {0}")]
    System(#[from] std::io::Error),
}

/// Runs until a signal ends it.
pub fn run(arguments: &RunArguments) -> ExitCode {
    telemetry::start_logs(arguments.log_format, &arguments.log);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    match runtime.map_err(RunError::from).and_then(|runtime| runtime.block_on(operate(arguments))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("schema-registrar: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn operate(arguments: &RunArguments) -> Result<(), RunError> {
    let mut config = kube::Config::infer().await?;
    // Every call has a time limit of its own, and is tried again by whoever made it.
    config.default_retry = false;
    let client = Client::try_from(config)?;
    let listener = TcpListener::bind(arguments.listen)
        .await
        .map_err(|error| RunError::Listen { address: arguments.listen, error })?;
    let address = listener.local_addr()?;
    let (stop, stopped) = watch::channel(false);
    let (metrics, readiness) = (Arc::new(Metrics::default()), Readiness::default());
    let ready = readiness.clone();
    let server = telemetry::serve(listener, metrics.clone(), move || ready.is_ready(), stopped.clone());
    let settings = Settings { scopes: vec![Scope::Cluster] };
    let scopes = settings.scopes.iter().map(Scope::to_string).collect::<Vec<_>>().join(", ");
    tracing::info!(version = env!("CARGO_PKG_VERSION"), %address, scopes, "starting");
    let controllers = controller::run(client, &settings, metrics, readiness, stopped);
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let signalled = async {
        tokio::select! { _ = terminate.recv() => {}, _ = interrupt.recv() => {} }
        tracing::info!("stopping");
        stop.send_replace(true);
        tokio::time::sleep(DRAIN).await;
        tracing::warn!("looks that do not end are left");
    };
    let work = async {
        let (served, ()) = tokio::join!(server, controllers);
        served
    };
    tokio::select! {
        served = work => Ok(served?),
        () = signalled => Ok(()),
    }
}
