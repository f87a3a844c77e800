//! Records every version of every object of our kinds in one namespace, as a watch shows them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::StreamExt;
use kube::api::DynamicObject;
use kube::core::{ApiResource, GroupVersionKind};
use kube::runtime::watcher::{self, Event};
use kube::{Api, Client};
use tokio::task::JoinHandle;

use super::snapshot::Snapshot;
use super::world::PATIENCE;
use crate::bed::until;

/// Our kinds.
pub const KINDS: [&str; 3] = ["Schema", "SubjectConfig", "SchemaRegistry"];

/// Between two tries to watch.
const PAUSE: Duration = Duration::from_millis(200);

/// What was recorded so far. Stops when dropped.
#[derive(Debug)]
pub struct Record {
    seen: Arc<Mutex<Seen>>,
    watches: Vec<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Seen {
    snapshots: Vec<Arc<Snapshot>>,
    /// Where the newest of a kind and name is.
    newest: HashMap<(&'static str, String), usize>,
    kinds_listed: usize,
}

impl Record {
    /// Begins, and waits until nothing can be missed.
    pub async fn begin(client: &Client, namespace: &str) -> Self {
        let seen = Arc::new(Mutex::new(Seen::default()));
        let watch = |kind| tokio::spawn(watch(api(client, namespace, kind), kind, seen.clone()));
        let record = Self { watches: KINDS.map(watch).into(), seen };
        until("the watches to begin", PATIENCE, async || match record.lock().kinds_listed {
            listed if listed >= KINDS.len() => Ok(()),
            listed => Err(format!("{listed} of {} began", KINDS.len())),
        })
        .await;
        record
    }

    /// The newest version of an object; none if it was never there, or is gone.
    pub fn newest(&self, kind: &str, name: &str) -> Option<Arc<Snapshot>> {
        self.lock().newest(kind, name).filter(|it| !it.gone).cloned()
    }

    /// Every version of an object, in the order in which they came.
    pub fn history(&self, kind: &str, name: &str) -> Vec<Arc<Snapshot>> {
        self.lock().snapshots.iter().filter(|it| it.kind == kind && it.name() == name).cloned().collect()
    }

    /// Every version of everything, in the order in which they came.
    pub fn all(&self) -> Vec<Arc<Snapshot>> {
        self.lock().snapshots.clone()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Seen> {
        self.seen.lock().expect("no panic while it was locked")
    }
}

impl Drop for Record {
    fn drop(&mut self) {
        self.watches.iter().for_each(JoinHandle::abort);
    }
}

/// The API of one of our kinds, for objects of any content.
pub fn api(client: &Client, namespace: &str, kind: &str) -> Api<DynamicObject> {
    let kind = GroupVersionKind::gvk("schemaregistrar.dev", "v1alpha1", kind);
    let plural =
        if kind.kind == "SchemaRegistry" { "schemaregistries" } else { &format!("{}s", kind.kind.to_lowercase()) };
    Api::namespaced_with(client.clone(), namespace, &ApiResource::from_gvk_with_plural(&kind, plural))
}

async fn watch(api: Api<DynamicObject>, kind: &'static str, seen: Arc<Mutex<Seen>>) {
    let mut events = watcher::watcher(api, watcher::Config::default()).boxed();
    while let Some(event) = events.next().await {
        let Ok(event) = event else {
            // The API server is away, which some tests see to; the watch goes on where it was.
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        let mut seen = seen.lock().expect("no panic while it was locked");
        match event {
            Event::Apply(object) | Event::InitApply(object) => seen.take_in(kind, &object, false),
            Event::Delete(object) => seen.take_in(kind, &object, true),
            Event::InitDone => seen.kinds_listed += 1,
            Event::Init => {}
        }
    }
}

impl Seen {
    fn newest(&self, kind: &str, name: &str) -> Option<&Arc<Snapshot>> {
        let kind = KINDS.into_iter().find(|it| *it == kind).expect("it is one of our kinds");
        self.newest.get(&(kind, name.to_owned())).map(|index| &self.snapshots[*index])
    }

    /// A watch that begins anew shows again what was seen before.
    fn take_in(&mut self, kind: &'static str, object: &DynamicObject, gone: bool) {
        let object = serde_json::to_value(object).expect("an object is JSON");
        let snapshot = Snapshot { kind, object, gone };
        let before = self.newest(kind, snapshot.name());
        let is_known = before.is_some_and(|it| it.resource_version() == snapshot.resource_version());
        if gone || !is_known {
            self.newest.insert((kind, snapshot.name().to_owned()), self.snapshots.len());
            self.snapshots.push(Arc::new(snapshot));
        }
    }
}
