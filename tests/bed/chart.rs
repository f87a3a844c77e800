//! The chart, installed with Helm, and the operator with the rights that the chart gives it.

use std::path::Path;
use std::time::Duration;

use super::{ApiServer, Operator, until};

/// Release and namespace, and so the name of the ServiceAccount.
pub const NAME: &str = "schema-registrar";

/// The user that the operator is to the API server.
pub const USER: &str = "system:serviceaccount:schema-registrar:schema-registrar";

/// Installs the chart, and waits until its definitions are served. Without nodes its pod never runs.
pub async fn install(server: &ApiServer) {
    let chart = Path::new(env!("CARGO_MANIFEST_DIR")).join("charts/schema-registrar").display().to_string();
    server.helm(&["install", NAME, &chart, "--namespace", NAME, "--create-namespace"]).await.ok();
    definitions_are_served(server).await;
}

/// Waits until the definitions are served and discovery tells of all of them; kubectl's cache of it is as fresh then.
pub async fn definitions_are_served(server: &ApiServer) {
    server.kubectl(&["wait", "--for=condition=Established", "crd", "--all", "--timeout=60s"], "").await.ok();
    let list = ["api-resources", "--api-group=schemaregistrar.dev", "--cached=false", "--output=name"];
    until("discovery to tell of the three kinds", Duration::from_secs(30), async || {
        let told = server.kubectl(&list, "").await.stdout;
        if told.lines().count() == 3 { Ok(()) } else { Err(told) }
    })
    .await;
}

/// Starts the operator beside the cluster, with a token of the chart's ServiceAccount, and waits until it is ready.
pub async fn start_operator(server: &ApiServer) -> Operator {
    let kubeconfig = server.service_account(NAME, NAME).await;
    let mut operator = Operator::start(&kubeconfig, &[], &server.folder().join("operator.log"));
    operator.ready(Duration::from_secs(60)).await;
    operator
}
