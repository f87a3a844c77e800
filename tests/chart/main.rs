//! The chart, by what Helm makes of it and what a real API server makes of that.

#[path = "../bed/mod.rs"]
mod bed;

mod dependency;
mod installed;
mod names;
mod pod_security;
mod rendered;
mod values;

use std::path::PathBuf;

use serde_json::Value;

/// The chart's folder.
fn chart() -> String {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("charts/schema-registrar").display().to_string()
}

/// What `helm template` makes of the chart for the release `demo` in the namespace `kafka`.
async fn rendered(arguments: &[&str]) -> Vec<Value> {
    let folder = chart();
    let command = ["template", "demo", &folder, "--namespace", "kafka"];
    documents(&bed::helm_offline(&[&command, arguments].concat()).await.ok())
}

/// Every document of a stream of YAML.
fn documents(yaml: &str) -> Vec<Value> {
    serde_saphyr::from_multiple(yaml).expect("Helm writes YAML")
}

/// The only document of a kind.
fn the<'a>(kind: &str, documents: &'a [Value]) -> &'a Value {
    let mut found = documents.iter().filter(|document| document["kind"] == kind);
    let first = found.next().expect("there is one of the kind");
    assert!(found.next().is_none(), "there is one {kind} only");
    first
}

/// The operator's container in the Deployment.
fn container(documents: &[Value]) -> &Value {
    let containers = &the("Deployment", documents)["spec"]["template"]["spec"]["containers"];
    assert_eq!(containers.as_array().map(Vec::len), Some(1));
    &containers[0]
}
