//! What a real API server takes, refuses, fills in and shows, with the definitions from the chart.

// What cannot be set up fails the test.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../bed/mod.rs"]
mod bed;

mod fields;
mod immutable;
mod kubectl;
mod size;
mod status;
mod stored;
mod unknown;

use std::path::Path;

use kube::api::{DynamicObject, PostParams};
use kube::core::GroupVersionKind;
use kube::discovery::ApiResource;
use kube::{Api, Client};
use serde_json::{Value, json};
use tokio::sync::OnceCell;

use bed::ApiServer;

/// The API server of this test binary. Its definitions came with the chart.
async fn server() -> &'static ApiServer {
    static SERVER: OnceCell<ApiServer> = OnceCell::const_new();
    SERVER
        .get_or_init(|| async {
            let server = ApiServer::start("admission").await;
            let chart = Path::new(env!("CARGO_MANIFEST_DIR")).join("charts/schema-registrar").display().to_string();
            server.helm(&["install", "registrar", &chart]).await.ok();
            bed::chart::definitions_are_served(&server).await;
            server
        })
        .await
}

/// The resources of a kind in the namespace `default`.
async fn resources(kind: &str) -> Api<DynamicObject> {
    let plural = match kind {
        "SchemaRegistry" => "schemaregistries",
        "Schema" => "schemas",
        "SubjectConfig" => "subjectconfigs",
        other => unreachable!("{other} is no kind of ours"),
    };
    let client: Client = server().await.client().await;
    let kind = GroupVersionKind::gvk("schemaregistrar.dev", "v1alpha1", kind);
    Api::namespaced_with(client, "default", &ApiResource::from_gvk_with_plural(&kind, plural))
}

/// A resource with this spec. The name is new each time.
fn resource(kind: &str, spec: &Value) -> DynamicObject {
    let name = format!("r-{:012x}", fastrand::u64(..1 << 48));
    let object = json!({
        "apiVersion": "schemaregistrar.dev/v1alpha1", "kind": kind, "metadata": {"name": name}, "spec": spec,
    });
    serde_json::from_value(object).unwrap()
}

/// A spec with nothing but what has to be there.
fn least(kind: &str) -> Value {
    match kind {
        "SchemaRegistry" => json!({"urls": ["http://registry:8081"]}),
        "Schema" => json!({"schema": "\"string\""}),
        _ => json!({}),
    }
}

/// The least spec, with these fields in it.
fn spec(kind: &str, fields: &Value) -> Value {
    let mut spec = least(kind);
    for (name, value) in fields.as_object().unwrap() {
        spec[name] = value.clone();
    }
    spec
}

/// Creates it, or says why the API server does not.
async fn create(kind: &str, spec: &Value) -> Result<DynamicObject, String> {
    answer(resources(kind).await.create(&PostParams::default(), &resource(kind, spec)).await)
}

/// Creates a resource with one spec, and replaces it by another.
async fn change(kind: &str, before: &Value, after: &Value) -> Result<DynamicObject, String> {
    let mut object = create(kind, before).await.expect("the spec before the change is in order");
    object.data["spec"] = after.clone();
    let name = object.metadata.name.clone().unwrap();
    answer(resources(kind).await.replace(&name, &PostParams::default(), &object).await)
}

fn answer(result: kube::Result<DynamicObject>) -> Result<DynamicObject, String> {
    match result {
        Ok(object) => Ok(object),
        Err(kube::Error::Api(refusal)) if refusal.code == 422 => Err(refusal.message),
        Err(other) => panic!("neither taken nor refused: {other}"),
    }
}

/// What a case expects of the API server: that it takes it, or that its refusal holds these words.
const TAKEN: &str = "";

fn assert_answer(answer: Result<DynamicObject, String>, expected: &str) {
    match answer {
        Ok(object) => assert_eq!(TAKEN, expected, "it was taken: {}", object.data),
        Err(refusal) => assert!(expected != TAKEN && refusal.contains(expected), "expected {expected:?}: {refusal}"),
    }
}
