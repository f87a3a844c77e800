//! How fast and at what cost 1,000 new Schemas become Ready, on the real servers, beside a yardstick: a bare loop of
//! register, lookup and status patch, 16 at once. `make bench` prints medians of five interleaved runs.
//!
//! The Schemas of a run are created before it begins, in a namespace of their own. The operator runs as a process with
//! the rights of the chart's ServiceAccount; the yardstick in this one, as an admin.

#[path = "../../tests/bed/mod.rs"]
mod bed;
mod cost;
mod yardstick;

use std::collections::{BTreeMap, HashSet};
use std::pin::pin;
use std::time::{Duration, Instant};

use bed::{ApiServer, Operator, Registry, Release, Request, Storage};
use cost::{Cost, print_table};
use futures::{StreamExt, stream};
use kube::api::PostParams;
use kube::runtime::{WatchStreamExt, watcher};
use kube::{Api, Client, ResourceExt};
use schema_registrar::api::{Schema, condition, find_condition};
use serde_json::json;

const SCHEMAS: usize = 1000;
const RUNS: usize = 5;
const OPERATOR: &str = "system:serviceaccount:registrar:schema-registrar";
const PATIENCE: Duration = Duration::from_secs(180);

/// The real servers.
pub struct Servers {
    api: ApiServer,
    registry: Registry,
    client: Client,
}

#[tokio::main]
async fn main() {
    // `cargo test` runs this with --test, to see that it builds.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let servers = start().await;
    println!("{SCHEMAS} Schemas a run, {RUNS} runs of each after one warm-up of each, in turn");
    let (mut operator, mut yardstick) = (Vec::new(), Vec::new());
    for run in 0..=RUNS {
        let (ours, theirs) = (operator_run(&servers, run).await, yardstick::run(&servers, run).await);
        println!(
            "{} run {run}: operator {:.2} s, yardstick {:.2} s",
            if run == 0 { "warm-up" } else { "counted" },
            ours.seconds,
            theirs.seconds
        );
        if run > 0 {
            operator.push(ours);
            yardstick.push(theirs);
        }
    }
    print_table(&operator, &yardstick);
}

async fn start() -> Servers {
    let api = ApiServer::start("bench").await;
    let registry = Registry::start("bench", Release::V3_3_3, Storage::Memory).await;
    registry.set_global_level("BACKWARD").await;
    let chart = concat!(env!("CARGO_MANIFEST_DIR"), "/charts/schema-registrar");
    api.helm(&["install", "schema-registrar", chart, "--namespace", "registrar", "--create-namespace"]).await.ok();
    api.kubectl(&["wait", "--for=condition=Established", "crd", "--all"], "").await.ok();
    let client = api.client().await;
    Servers { api, registry, client }
}

async fn operator_run(servers: &Servers, run: usize) -> Cost {
    let namespace = fill(servers, &format!("operator-{run}")).await;
    let (calls, writes) = (servers.registry.requests().len(), api_writes(servers, OPERATOR));
    let kubeconfig = servers.api.service_account("registrar", "schema-registrar").await;
    let started = Instant::now();
    let mut operator = Operator::start(&kubeconfig, &["--log=warn"], &servers.api.folder().join("operator.log"));
    let seconds = until_ready(servers, &namespace, started).await;
    let requests = servers.registry.requests();
    if run == RUNS {
        print_calls(&requests[calls..]);
    }
    let cost = Cost {
        seconds,
        registry_calls: (requests.len() - calls) as f64 / SCHEMAS as f64,
        api_writes: (api_writes(servers, OPERATOR) - writes) as f64 / SCHEMAS as f64,
        peak_mib: operator.peak_memory() as f64 / f64::from(1 << 20),
        cpu_seconds: operator.cpu().as_secs_f64(),
    };
    operator.sigterm(Duration::from_secs(30)).await;
    // Until they are gone, the next run's operator would look at these, too.
    servers.api.kubectl(&["delete", "namespace", &namespace, "--timeout=300s"], "").await.ok();
    cost
}

/// Which calls the registry got, whatever the subject.
fn print_calls(requests: &[Request]) {
    let mut calls = BTreeMap::new();
    for request in requests {
        let path: Vec<&str> = request
            .path
            .split('/')
            .map(|part| if part.starts_with("operator-") { "{subject}" } else { part })
            .collect();
        *calls.entry(format!("{} {} {}", request.method, path.join("/"), request.status)).or_insert(0) += 1;
    }
    for (call, times) in calls {
        println!("{times:>6} {call}");
    }
}

/// A namespace with a registry and its Schemas, none of them looked at yet.
async fn fill(servers: &Servers, namespace: &str) -> String {
    servers.api.kubectl(&["create", "namespace", namespace], "").await.ok();
    let registry = json!({
        "apiVersion": "schemaregistrar.dev/v1alpha1", "kind": "SchemaRegistry",
        "metadata": { "name": "default", "namespace": namespace },
        "spec": {
            "urls": [servers.registry.url()],
            "limits": { "requestsPerSecond": 100_000, "maxInFlight": 16 },
        },
    });
    servers.api.kubectl(&["create", "-f", "-"], &registry.to_string()).await.ok();
    let api: Api<Schema> = Api::namespaced(servers.client.clone(), namespace);
    let creates = (0..SCHEMAS).map(|number| create(&api, namespace, number));
    let mut creates = stream::iter(creates).buffer_unordered(32);
    while creates.next().await.is_some() {}
    namespace.to_owned()
}

async fn create(api: &Api<Schema>, namespace: &str, number: usize) {
    let schema = json!({
        "apiVersion": "schemaregistrar.dev/v1alpha1", "kind": "Schema",
        "metadata": { "name": format!("s{number}") },
        "spec": { "subject": subject(namespace, number), "schema": text(number) },
    });
    let schema = serde_json::from_value(schema).expect("the benchmark's Schema fits");
    api.create(&PostParams::default(), &schema).await.expect("a Schema is created");
}

/// The subject of a Schema.
pub fn subject(namespace: &str, number: usize) -> String {
    format!("{namespace}-s{number}-value")
}

/// The text of a Schema: about 600 bytes, no two alike.
pub fn text(number: usize) -> String {
    let fields: Vec<_> = (0..10)
        .map(|field| json!({ "name": format!("field_{number}_{field}"), "type": ["null", "string"], "default": null }))
        .collect();
    json!({ "type": "record", "name": format!("Record{number}"), "namespace": "bench", "fields": fields }).to_string()
}

/// Watches rather than lists, so that looking costs the API server one message a status.
async fn until_ready(servers: &Servers, namespace: &str, started: Instant) -> f64 {
    let api: Api<Schema> = Api::namespaced(servers.client.clone(), namespace);
    let mut ready = HashSet::new();
    let mut changes = pin!(watcher(api, watcher::Config::default()).touched_objects());
    let all = async {
        while ready.len() < SCHEMAS {
            let schema = changes.next().await.expect("a watch does not end").expect("the watch holds");
            if is_ready(&schema) {
                ready.insert(schema.name_any());
            }
        }
    };
    let in_time = tokio::time::timeout(PATIENCE, all).await.is_ok();
    assert!(in_time, "waited {PATIENCE:?} for all Schemas to be Ready: {} are", ready.len());
    started.elapsed().as_secs_f64()
}

fn is_ready(schema: &Schema) -> bool {
    let conditions = schema.status.as_ref().map(|status| status.conditions.as_slice()).unwrap_or_default();
    find_condition(conditions, condition::READY).is_some_and(|ready| ready.status == "True")
}

/// Writes by a user that the API server's audit log holds so far.
fn api_writes(servers: &Servers, user: &str) -> usize {
    servers.api.audit().iter().filter(|entry| entry.user == user && entry.is_write()).count()
}
