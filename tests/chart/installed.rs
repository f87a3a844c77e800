//! What `helm install`, `upgrade` and `uninstall` do on a real API server.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::OnceCell;

use crate::bed::{ApiServer, Operator, until};
use crate::{chart, documents};

const PATIENCE: Duration = Duration::from_secs(150);

/// An operator without work ends at once, and not after the grace that work has.
const SOON: Duration = Duration::from_secs(15);

/// The API server of this test binary.
pub async fn server() -> &'static ApiServer {
    static SERVER: OnceCell<ApiServer> = OnceCell::const_new();
    SERVER.get_or_init(|| ApiServer::start("chart")).await
}

async fn helm(arguments: &[&str]) -> String {
    server().await.helm(arguments).await.ok()
}

async fn kubectl(arguments: &[&str], stdin: &str) -> String {
    server().await.kubectl(arguments, stdin).await.ok()
}

/// Kind, namespace and name of everything in a release, with the version that the API server gave it last.
async fn versions(release: &str, namespace: &str) -> BTreeMap<String, String> {
    let manifest = helm(&["get", "manifest", release, "--namespace", namespace]).await;
    let live = kubectl(&["get", "--output=json", "-f", "-"], &manifest).await;
    let live: Value = serde_json::from_str(&live).expect("kubectl writes JSON");
    let objects = live["items"].as_array().expect("several objects are a list");
    assert_eq!(objects.len(), documents(&manifest).len());
    let version = |object: &Value| {
        let metadata = &object["metadata"];
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let name = [&object["kind"], &metadata["namespace"], &metadata["name"]].map(text).join("/");
        (name, text(&metadata["resourceVersion"]))
    };
    objects.iter().map(version).collect()
}

async fn definitions() -> Vec<String> {
    let names = kubectl(&["get", "crd", "--output=name"], "").await;
    let of_ours = names.lines().filter(|name| name.ends_with(".schemaregistrar.dev"));
    of_ours.map(|name| name.trim_start_matches("customresourcedefinition.apiextensions.k8s.io/").to_owned()).collect()
}

const ALL: [&str; 3] =
    ["schemaregistries.schemaregistrar.dev", "schemas.schemaregistrar.dev", "subjectconfigs.schemaregistrar.dev"];

/// One test: the definitions are the whole cluster's, and belong to one release.
#[tokio::test]
async fn a_release_comes_changes_and_goes_and_the_resources_stay() {
    let chart = chart();
    let install = ["install", "demo", &chart, "--namespace", "registrar", "--create-namespace"];

    let notes = helm(&install).await;
    assert!(notes.contains("kubectl --namespace registrar rollout status deployment demo-schema-registrar"), "{notes}");
    assert_eq!(definitions().await, ALL);
    let installed = versions("demo", "registrar").await;
    assert_eq!(installed.len(), 8, "{installed:?}");
    assert!(installed.contains_key("Deployment/registrar/demo-schema-registrar"), "{installed:?}");

    follow_the_notes(&notes).await;
    the_operator_works_with_the_rights_of_the_chart().await;

    helm(&["upgrade", "demo", &chart, "--namespace", "registrar"]).await;
    assert_eq!(versions("demo", "registrar").await, installed, "an upgrade to the same changes nothing");

    helm(&["upgrade", "demo", &chart, "--namespace", "registrar", "--set=crds.enabled=false"]).await;
    assert_eq!(definitions().await, ALL, "definitions stay when their release gives them up");
    helm(&["upgrade", "demo", &chart, "--namespace", "registrar"]).await;

    helm(&["uninstall", "demo", "--namespace", "registrar"]).await;
    assert_eq!(definitions().await, ALL, "definitions stay when their release goes");
    let left = kubectl(&["get", "registrar", "--namespace=default", "--output=name"], "").await;
    assert_eq!(left.trim(), "schemaregistry.schemaregistrar.dev/default", "and the resources with them");
    let left =
        kubectl(&["get", "deployment,service,serviceaccount", "--namespace=registrar", "--output=name"], "").await;
    assert!(!left.contains("demo"), "{left}");

    helm(&install).await;
    assert_eq!(versions("demo", "registrar").await.len(), 8, "the same release takes its definitions back");
}

/// The notes' own example is applied as a reader would.
async fn follow_the_notes(notes: &str) {
    let (_, rest) = notes.split_once("kubectl apply -f - <<EOF\n").expect("the notes have an example");
    let (example, _) = rest.split_once("\nEOF\n").expect("the example ends");
    let warnings = server().await.kubectl(&["apply", "--namespace=default", "-f", "-"], example).await;
    assert_eq!(warnings.stderr, "");
    warnings.ok();
}

/// Its own tests say what it does; here it may do it.
async fn the_operator_works_with_the_rights_of_the_chart() {
    let server = server().await;
    let kubeconfig = server.service_account("registrar", "demo-schema-registrar").await;
    let mut operator = Operator::start(&kubeconfig, &["--log=!!!"], &server.folder().join("operator.log"));
    operator.ready(PATIENCE).await;
    let log = operator.log_tail();
    assert!(
        log.contains("WARN") && log.contains("--log is not a filter; info,kube_runtime=warn holds instead"),
        "{log}"
    );
    let version = concat!("version=\"", env!("CARGO_PKG_VERSION"), "\"");
    let started = log.lines().find(|line| line.contains("starting")).expect("the log says that it starts");
    assert!([version, "address=127.0.0.1:", "all namespaces"].iter().all(|part| started.contains(part)), "{started}");
    assert!(log.contains("ready: all resources are listed"), "{log}");
    until("the operator to report on the registry", PATIENCE, async || {
        let ready = "--output=jsonpath={.status.conditions[?(@.type==\"Ready\")].status}";
        let status = kubectl(&["get", "rregistry", "default", "--namespace=default", ready], "").await;
        if status == "False" { Ok(()) } else { Err(format!("Ready is {status:?}")) }
    })
    .await;
    operator.sigterm(SOON).await;
    let user = "system:serviceaccount:registrar:demo-schema-registrar";
    let audit = server.audit();
    let asked: Vec<_> = audit.iter().filter(|entry| entry.user == user).collect();
    assert!(asked.iter().any(|entry| entry.verb == "patch" && entry.subresource == "status"), "{asked:?}");
    let refused: Vec<_> = asked.iter().filter(|entry| entry.code == 403).collect();
    assert!(refused.is_empty(), "{refused:?}");
}
