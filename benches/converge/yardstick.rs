//! The least that has to be done for a Schema: register, lookup, status patch; 16 Schemas at once.

use std::time::Instant;

use futures::{StreamExt, stream};
use kube::Api;
use kube::api::{Patch, PatchParams};
use reqwest::header::CONTENT_TYPE;
use schema_registrar::api::Schema;
use serde_json::{Value, json};

use super::cost::Cost;
use super::{SCHEMAS, Servers, bed, fill, subject, text};

const AT_ONCE: usize = 16;

/// One run of the bare loop.
pub async fn run(servers: &Servers, run: usize) -> Cost {
    let namespace = fill(servers, &format!("yardstick-{run}")).await;
    let calls = servers.registry.requests().len();
    let api: Api<Schema> = Api::namespaced(servers.client.clone(), &namespace);
    let (http, url) = (bed::http(), servers.registry.url());
    let started = Instant::now();
    stream::iter(0..SCHEMAS)
        .for_each_concurrent(AT_ONCE, |number| one(&http, &url, &api, subject(&namespace, number), number))
        .await;
    let seconds = started.elapsed().as_secs_f64();
    // Until they are gone, the next run's operator would look at these, too.
    servers.api.kubectl(&["delete", "namespace", &namespace, "--timeout=300s"], "").await.ok();
    Cost {
        seconds,
        registry_calls: (servers.registry.requests().len() - calls) as f64 / SCHEMAS as f64,
        api_writes: 1.0,
        // This process does more than the loop: its memory and processor time say nothing.
        peak_mib: f64::NAN,
        cpu_seconds: f64::NAN,
    }
}

async fn one(http: &reqwest::Client, url: &str, api: &Api<Schema>, subject: String, number: usize) {
    let body = json!({ "schema": text(number) }).to_string();
    let registered = post(http, format!("{url}/subjects/{subject}/versions"), &body).await;
    let found = post(http, format!("{url}/subjects/{subject}"), &body).await;
    let status = json!({ "status": {
        "observedGeneration": 1, "subject": subject, "id": registered["id"], "latestVersion": found["version"],
        "conditions": [{
            "type": "Ready", "status": "True", "reason": "InSync", "message": "in sync", "observedGeneration": 1,
            "lastTransitionTime": "2026-01-01T00:00:00Z",
        }],
    } });
    let name = format!("s{number}");
    api.patch_status(&name, &PatchParams::default(), &Patch::Merge(status)).await.expect("a status is written");
}

async fn post(http: &reqwest::Client, url: String, body: &str) -> Value {
    let request = http.post(url).header(CONTENT_TYPE, "application/vnd.schemaregistry.v1+json").body(body.to_owned());
    let answer = request.send().await.and_then(reqwest::Response::error_for_status).expect("the registry takes it");
    serde_json::from_slice(&answer.bytes().await.expect("the answer is read")).expect("the answer is JSON")
}
