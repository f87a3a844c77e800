//! The namespace in which one test plays: its resources, what is recorded of them, and its registry.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use k8s_openapi::api::core::v1::{Event, Namespace};
use kube::api::{DeleteParams, DynamicObject, ListParams, ObjectMeta, Patch, PatchParams, PostParams};
use kube::{Api, Client};
use serde_json::{Value, json};

use super::plain::Plain;
use super::record::{KINDS, Record, api};
use super::snapshot::Snapshot;
use super::truth::Truth;
use super::world::{PATIENCE, World, shared, shared_registry};
use crate::bed::until;

/// One test's namespace.
pub struct Stage<'world> {
    /// Where it is.
    pub world: &'world World,
    /// Its name.
    pub namespace: String,
    /// Its registry, beside the operator.
    pub registry: Plain,
    /// Every version of every resource in it.
    pub record: Record,
    client: Client,
    truth: RefCell<Truth>,
    applied: RefCell<HashMap<(&'static str, String), u64>>,
    ended: Cell<bool>,
}

impl Stage<'static> {
    /// A namespace in the shared world, with the shared registry as its SchemaRegistry `default`.
    pub async fn new(namespace: &str) -> Self {
        let (world, registry) = tokio::join!(shared(), shared_registry());
        let stage = Stage::bare(world, namespace, &registry.url()).await;
        stage.apply(&stage.default_registry()).await;
        stage.until_registry_is("default", "True", "Connected").await;
        stage
    }
}

impl<'world> Stage<'world> {
    /// A namespace without any resource. `registry` is the base URL of the registry that [`registry`](Self::registry) speaks to.
    pub async fn bare(world: &'world World, namespace: &str, registry: &str) -> Self {
        let client = world.server.client().await;
        let metadata = ObjectMeta { name: Some(namespace.to_owned()), ..ObjectMeta::default() };
        let object = Namespace { metadata, ..Namespace::default() };
        let namespaces: Api<Namespace> = Api::all(client.clone());
        namespaces.create(&PostParams::default(), &object).await.expect("each test names another namespace");
        Stage {
            world,
            namespace: namespace.to_owned(),
            registry: Plain::new(registry),
            record: Record::begin(&client, namespace).await,
            client,
            truth: RefCell::default(),
            applied: RefCell::default(),
            ended: Cell::new(false),
        }
    }

    /// Checks that all that was recorded is true, and ends the stage. Every test ends with this.
    pub async fn end(self) {
        self.ended.set(true);
        self.vet().await;
        self.world.assert_nothing_forbidden();
        // What nobody looks at any more is not to keep the operator and the registry busy.
        for kind in KINDS {
            let deleted = self.api(kind).delete_collection(&DeleteParams::default(), &ListParams::default()).await;
            deleted.expect("the administrator may delete");
        }
    }

    /// Checks that all that was recorded so far is true. To be called before a test takes something from the registry.
    pub async fn vet(&self) {
        let mut truth = self.truth.take();
        truth.vet(&self.record.all(), &self.registry).await;
        self.truth.replace(truth);
    }

    /// The subject of a Schema or SubjectConfig of that name.
    pub fn subject(&self, name: &str) -> String {
        format!("{}.{name}", self.namespace)
    }

    /// A SchemaRegistry `default` for the stage's registry, asked as fast as it can.
    pub fn default_registry(&self) -> Value {
        self.registry_resource("default", self.registry.url())
    }

    /// The same for any registry.
    pub fn registry_resource(&self, name: &str, url: &str) -> Value {
        self.resource("SchemaRegistry", name, json!({"urls": [url], "limits": {"requestsPerSecond": 1000}}))
    }

    /// Has the registry looked at for drift every five seconds, which is as often as it gets.
    pub async fn watch_for_drift(&self) {
        self.patch("SchemaRegistry", "default", json!({"spec": {"driftCheckSeconds": 5}})).await;
        self.until_registry_is("default", "True", "Connected").await;
    }

    /// An AVRO Schema, of the registry `default`.
    pub fn schema(&self, name: &str, text: &str) -> Value {
        self.resource("Schema", name, json!({"subject": self.subject(name), "schema": text}))
    }

    /// A SubjectConfig for the subject of the Schema of that name.
    pub fn config(&self, name: &str, level: &str) -> Value {
        self.resource("SubjectConfig", name, json!({"subject": self.subject(name), "compatibility": level}))
    }

    /// Any resource of ours.
    pub fn resource(&self, kind: &str, name: &str, spec: Value) -> Value {
        json!({
            "apiVersion": "schemaregistrar.dev/v1alpha1",
            "kind": kind,
            "metadata": {"name": name, "namespace": self.namespace},
            "spec": spec,
        })
    }

    /// Applies a resource, as its user, on the server's side.
    pub async fn apply(&self, resource: &Value) {
        let name = resource["metadata"]["name"].as_str().expect("a resource has a name");
        let params = PatchParams::apply("user").force();
        let answer = self.api(kind_of(resource)).patch(name, &params, &Patch::Apply(resource)).await;
        self.note(answer.unwrap_or_else(|error| panic!("cannot apply {name}: {error}")));
    }

    /// Changes parts of an object by a merge patch.
    pub async fn patch(&self, kind: &str, name: &str, patch: Value) {
        let answer = self.api(kind).patch(name, &PatchParams::default(), &Patch::Merge(patch)).await;
        self.note(answer.unwrap_or_else(|error| panic!("cannot patch {name}: {error}")));
    }

    /// Applies several resources at once, by kubectl.
    pub async fn kubectl_apply(&self, resources: &[Value]) {
        let list = json!({"apiVersion": "v1", "kind": "List", "items": resources}).to_string();
        let args = ["apply", "--server-side", "--force-conflicts", "--field-manager=user", "-f", "-", "--output=json"];
        let answer: Value = serde_json::from_str(&self.world.server.kubectl(&args, &list).await.ok()).expect("JSON");
        let single = std::slice::from_ref(&answer);
        for item in answer["items"].as_array().map_or(single, Vec::as_slice) {
            self.note(serde_json::from_value(item.clone()).expect("kubectl prints objects"));
        }
    }

    /// Deletes an object, and waits until that is recorded.
    pub async fn delete(&self, kind: &str, name: &str) {
        self.api(kind).delete(name, &DeleteParams::default()).await.unwrap_or_else(|error| panic!("{name}: {error}"));
        until(&format!("{kind} {name} to be gone"), PATIENCE, async || {
            self.record.newest(kind, name).map_or(Ok(()), |left| Err(NotYet(Some(left))))
        })
        .await;
    }

    /// Waits until a Schema's status speaks of what was applied last, and Ready has this status and reason.
    pub async fn until_schema_is(&self, name: &str, ready: &str, reason: &str) -> Arc<Snapshot> {
        self.until_is("Schema", name, ready, reason).await
    }

    /// The same of a SubjectConfig.
    pub async fn until_config_is(&self, name: &str, ready: &str, reason: &str) -> Arc<Snapshot> {
        self.until_is("SubjectConfig", name, ready, reason).await
    }

    /// Waits until a SubjectConfig is in sync and has nothing more to tell: its subject's versions were held to its level.
    pub async fn until_config_is_at_rest(&self, name: &str) {
        let is = |it: &Snapshot| it.is("Ready") && !it.text("/status/history/summary").is_empty();
        self.until("SubjectConfig", name, "held to the versions", PATIENCE, is).await;
    }

    /// Waits until a SchemaRegistry's status speaks of what was applied last, and Ready has this status and reason.
    pub async fn until_registry_is(&self, name: &str, ready: &str, reason: &str) -> Arc<Snapshot> {
        self.until_is("SchemaRegistry", name, ready, reason).await
    }

    async fn until_is(&self, kind: &'static str, name: &str, ready: &str, reason: &str) -> Arc<Snapshot> {
        let is = |it: &Snapshot| it.state("Ready") == ready && it.reason() == reason;
        self.until(kind, name, &format!("{ready} {reason}"), PATIENCE, is).await
    }

    /// Waits until a condition holds of an object whose status speaks of what was applied last.
    pub async fn until(
        &self,
        kind: &'static str,
        name: &str,
        what: &str,
        limit: Duration,
        is: impl Fn(&Snapshot) -> bool,
    ) -> Arc<Snapshot> {
        until(&format!("{kind} {}/{name} to be {what}", self.namespace), limit, async || {
            self.world.assert_operator_runs().await;
            self.settled(kind, name, &is)
        })
        .await
    }

    /// The object, if its status speaks of what was applied last and the condition holds.
    pub fn settled(
        &self,
        kind: &'static str,
        name: &str,
        is: impl Fn(&Snapshot) -> bool,
    ) -> Result<Arc<Snapshot>, NotYet> {
        let newest = self.record.newest(kind, name).ok_or(NotYet(None))?;
        let applied = self.applied.borrow().get(&(kind, name.to_owned())).copied().unwrap_or_default();
        let is_new = newest.resource_version() >= applied && newest.is_observed();
        if is_new && is(&newest) { Ok(newest) } else { Err(NotYet(Some(newest))) }
    }

    /// The events about a resource, as `Type Reason: note`, without their order.
    pub async fn events(&self, kind: &str, name: &str) -> Vec<String> {
        self.list_events(&format!("involvedObject.kind={kind},involvedObject.name={name}")).await
    }

    /// All events of the namespace.
    pub async fn all_events(&self) -> Vec<String> {
        self.list_events("").await
    }

    async fn list_events(&self, fields: &str) -> Vec<String> {
        let events: Api<Event> = Api::namespaced(self.client.clone(), &self.namespace);
        let events = events.list(&ListParams::default().fields(fields)).await.expect("events can be listed");
        let text = |part: Option<String>| part.unwrap_or_default();
        let line = |it: Event| format!("{} {}: {}", text(it.type_), text(it.reason), text(it.message));
        events.into_iter().map(line).collect()
    }

    /// Waits until an event about a resource begins like this, and returns it.
    pub async fn until_event(&self, kind: &str, name: &str, beginning: &str) -> String {
        until(&format!("an event of {kind} {name}: {beginning}"), PATIENCE, async || {
            let events = self.events(kind, name).await;
            events.iter().find(|it| it.starts_with(beginning)).cloned().ok_or_else(|| format!("there are {events:#?}"))
        })
        .await
    }

    /// The API for one of our kinds in this namespace, for the administrator.
    pub fn api(&self, kind: &str) -> Api<DynamicObject> {
        api(&self.client, &self.namespace, kind)
    }

    /// Remembers what an older status cannot speak of.
    fn note(&self, object: DynamicObject) {
        let kind = object.types.as_ref().map(|types| types.kind.as_str()).unwrap_or_default();
        let Some(kind) = KINDS.into_iter().find(|it| *it == kind) else { return };
        let version = object.metadata.resource_version.and_then(|version| version.parse().ok());
        let key = (kind, object.metadata.name.unwrap_or_default());
        self.applied.borrow_mut().insert(key, version.expect("resource versions are numbers"));
    }
}

/// What is there instead of what is waited for. Put into words only if the wait is over.
pub struct NotYet(Option<Arc<Snapshot>>);

impl fmt::Display for NotYet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(snapshot) => snapshot.fmt(f),
            None => f.write_str("it is not there"),
        }
    }
}

impl Drop for Stage<'_> {
    fn drop(&mut self) {
        assert!(self.ended.get() || std::thread::panicking(), "the test in {} does not end its stage", self.namespace);
    }
}

fn kind_of(resource: &Value) -> &str {
    resource["kind"].as_str().expect("a resource has a kind")
}
