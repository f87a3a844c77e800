//! Serves `/metrics`, `/healthz` and `/readyz`.

use std::sync::Arc;

use axum::Router;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::sync::watch;

use super::metrics::Metrics;

const TEXT_FORMAT: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Serves until `stop` is true. `is_ready` tells whether the stores are filled; it never depends on a registry.
pub async fn serve(
    listener: TcpListener,
    metrics: Arc<Metrics>,
    is_ready: impl Fn() -> bool + Clone + Send + Sync + 'static,
    mut stop: watch::Receiver<bool>,
) -> std::io::Result<()> {
    let ready = move || async move {
        if is_ready() {
            (StatusCode::OK, "ready")
        } else {
            (StatusCode::SERVICE_UNAVAILABLE, "resources are still being listed")
        }
    };
    let routes = Router::new()
        .route("/healthz", get(|| async { "ok" }))
        .route("/readyz", get(ready))
        .route("/metrics", get(move || async move { scrape(&metrics) }));
    let stopped = async move {
        // Without a sender the process ends as well.
        let _ = stop.wait_for(|stop| *stop).await;
    };
    axum::serve(listener, routes).with_graceful_shutdown(stopped).await
}

fn scrape(metrics: &Metrics) -> Response {
    match metrics.render() {
        Ok(text) => ([(header::CONTENT_TYPE, TEXT_FORMAT)], text).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
