//! The control plane behaves like one.

use std::time::Duration;

use k8s_openapi::api::core::v1::{ConfigMap, Namespace, ServiceAccount};
use kube::api::{DeleteParams, ObjectMeta, PostParams};
use kube::{Api, Resource};
use serde_json::json;
use tokio::sync::OnceCell;

use crate::bed::{self, ApiServer, until};

const PATIENCE: Duration = Duration::from_secs(150);

/// One control plane for the tests that do not stop it.
async fn server() -> &'static ApiServer {
    static SERVER: OnceCell<ApiServer> = OnceCell::const_new();
    SERVER.get_or_init(|| ApiServer::start("bed-cluster")).await
}

fn named<K: Resource + Default>(name: &str) -> K {
    let mut object = K::default();
    *object.meta_mut() = ObjectMeta { name: Some(name.to_owned()), ..ObjectMeta::default() };
    object
}

async fn namespace(server: &ApiServer, name: &str) {
    let namespaces: Api<Namespace> = Api::all(server.client().await);
    namespaces.create(&PostParams::default(), &named(name)).await.expect("the administrator may make namespaces");
}

#[tokio::test]
async fn a_custom_resource_definition_is_served() {
    let server = server().await;
    let crd = json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "beds.test.schemaregistrar.dev"},
        "spec": {
            "group": "test.schemaregistrar.dev",
            "scope": "Namespaced",
            "names": {"kind": "Bed", "plural": "beds"},
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": {"type": "string", "maxLength": 3}}}},
            }],
        },
    });
    server.kubectl(&["apply", "-f", "-"], &crd.to_string()).await.ok();
    server
        .kubectl(&["wait", "--for=condition=Established", "crd/beds.test.schemaregistrar.dev", "--timeout=60s"], "")
        .await
        .ok();

    let bed = |spec: &str| {
        json!({"apiVersion": "test.schemaregistrar.dev/v1", "kind": "Bed", "metadata": {"name": "one"}, "spec": spec})
            .to_string()
    };
    server.kubectl(&["create", "-f", "-"], &bed("yes")).await.ok();
    let refusal = server.kubectl(&["apply", "-f", "-"], &bed("far too long")).await.refused();
    assert!(refusal.contains("Too long"), "{refusal}");
}

#[tokio::test]
async fn a_deleted_namespace_goes_away_with_what_is_in_it() {
    let server = server().await;
    namespace(server, "short-lived").await;
    let client = server.client().await;
    let config_maps: Api<ConfigMap> = Api::namespaced(client.clone(), "short-lived");
    config_maps.create(&PostParams::default(), &named("content")).await.unwrap();

    let namespaces: Api<Namespace> = Api::all(client);
    namespaces.delete("short-lived", &DeleteParams::default()).await.unwrap();

    until("the namespace to be gone", PATIENCE, async || match namespaces.get_opt("short-lived").await.unwrap() {
        None => Ok(()),
        Some(namespace) => Err(format!("it is {:?}", namespace.status)),
    })
    .await;
    assert!(config_maps.get_opt("content").await.unwrap().is_none());
}

#[tokio::test]
async fn a_service_account_may_do_what_a_role_grants_and_no_more() {
    let server = server().await;
    namespace(server, "rights").await;
    let accounts: Api<ServiceAccount> = Api::namespaced(server.client().await, "rights");
    accounts.create(&PostParams::default(), &named("reader")).await.unwrap();
    server
        .kubectl(&["-n", "rights", "create", "role", "reader", "--verb=list", "--resource=configmaps"], "")
        .await
        .ok();
    let binding =
        ["-n", "rights", "create", "rolebinding", "reader", "--role=reader", "--serviceaccount=rights:reader"];
    server.kubectl(&binding, "").await.ok();

    let kubeconfig = server.service_account("rights", "reader").await;
    bed::kubectl(&kubeconfig, &["-n", "rights", "get", "configmaps"], "").await.ok();
    let refusal = bed::kubectl(&kubeconfig, &["-n", "rights", "create", "configmap", "mine"], "").await.refused();
    assert!(refusal.contains("Forbidden") || refusal.contains("forbidden"), "{refusal}");

    let of_reader =
        |entry: &bed::AuditEntry| entry.user == "system:serviceaccount:rights:reader" && entry.resource == "configmaps";
    let asked: Vec<_> = server.audit().into_iter().filter(of_reader).map(|entry| (entry.verb, entry.code)).collect();
    assert_eq!(asked, [("list".to_owned(), 200), ("create".to_owned(), 403)]);
}

#[tokio::test]
async fn a_watch_is_in_the_audit_log_while_it_lasts() {
    let watches_namespaces =
        |entry: &bed::AuditEntry| entry.verb == "watch" && entry.resource == "namespaces" && entry.code == 200;
    until("the controllers to watch namespaces", PATIENCE, async || {
        if server().await.audit().iter().any(watches_namespaces) { Ok(()) } else { Err("no such entry") }
    })
    .await;
}

#[tokio::test]
async fn a_killed_api_server_comes_back_with_its_data() {
    let server = ApiServer::start("bed-restart").await;
    namespace(&server, "durable").await;
    let client = server.client().await;
    let namespaces: Api<Namespace> = Api::all(client);

    server.kill();
    namespaces.get("durable").await.expect_err("nobody answers");
    server.restart().await;

    let same_client = namespaces.get("durable").await.unwrap();
    assert_eq!(same_client.metadata.name.as_deref(), Some("durable"));
    let kubeconfig = server.service_account("durable", "default");
    until("the controllers to work again", PATIENCE, async || {
        let accounts: Api<ServiceAccount> = Api::namespaced(server.client().await, "durable");
        accounts.get_opt("default").await.unwrap().map(drop).ok_or("no ServiceAccount default")
    })
    .await;
    bed::kubectl(&kubeconfig.await, &["auth", "whoami"], "").await.ok();
}

#[tokio::test]
async fn helm_knows_the_version_of_the_cluster() {
    let version = bed::helm_offline(&["version", "--short"]).await.ok();
    assert!(version.starts_with("v4."), "{version}");
    server().await.helm(&["list", "--all-namespaces"]).await.ok();
    let version = server().await.kubectl(&["version", "--output=json"], "").await.ok();
    let version: serde_json::Value = serde_json::from_str(&version).unwrap();
    assert_eq!(version["serverVersion"]["gitVersion"], version["clientVersion"]["gitVersion"]);
    assert_eq!(version["serverVersion"]["minor"], "34");
}

#[tokio::test]
async fn kstatus_tells_the_three_states_apart() {
    let object = |observed: i64, conditions: serde_json::Value| {
        json!({
            "apiVersion": "test.schemaregistrar.dev/v1", "kind": "Bed", "metadata": {"name": "one", "generation": 2},
            "status": {"observedGeneration": observed, "conditions": conditions},
        })
    };
    let ready = json!([{"type": "Ready", "status": "True"}]);
    let stalled = json!([{"type": "Ready", "status": "False"}, {"type": "Stalled", "status": "True", "message": "a person is needed"}]);
    let answers = bed::kstatus(&[object(1, ready.clone()), object(2, ready), object(2, stalled)]).await;
    assert_eq!(answers, ["InProgress", "Current", "Failed"]);
}
