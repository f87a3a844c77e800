//! What is watched: one stream and one store a scope and kind, so that several namespaces are no more than several
//! scopes. Objects that do not decode stay in the store as such and are reported, the rest is unaffected.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures::stream::BoxStream;
use futures::{StreamExt, TryStreamExt};
use kube::core::DeserializeGuard;
use kube::runtime::WatchStreamExt;
use kube::runtime::reflector::{self, ObjectRef, Store};
use kube::runtime::utils::Backoff;
use kube::runtime::watcher::{self, watcher};
use kube::{Api, Client, Resource, ResourceExt};
use serde::de::DeserializeOwned;
use tokio::sync::watch;

use super::ownership::ObjectKey;

/// An object as watched: decoded, or what could be read of it.
pub type Guarded<K> = DeserializeGuard<K>;

/// What one installation looks at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Every namespace.
    Cluster,
    /// One namespace.
    Namespace(String),
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scope::Cluster => f.write_str("all namespaces"),
            Scope::Namespace(namespace) => write!(f, "namespace {namespace}"),
        }
    }
}

impl Scope {
    /// Whether an object of this namespace is in the scope.
    pub fn holds(&self, namespace: &str) -> bool {
        match self {
            Scope::Cluster => true,
            Scope::Namespace(own) => own == namespace,
        }
    }

    fn api<K>(&self, client: &Client) -> Api<K>
    where
        K: Resource<DynamicType = (), Scope = kube::core::NamespaceResourceScope>,
    {
        match self {
            Scope::Cluster => Api::all(client.clone()),
            Scope::Namespace(namespace) => Api::namespaced(client.clone(), namespace),
        }
    }
}

/// The stores of one kind, one a scope.
pub struct Stores<K>
where
    K: Resource<DynamicType = ()> + 'static,
{
    stores: Vec<Store<Guarded<K>>>,
    filled: Vec<watch::Receiver<bool>>,
}

impl<K> Stores<K>
where
    K: Resource<DynamicType = ()> + Clone + 'static,
{
    /// All of one kind, and for each whether it was filled.
    pub fn new(stores: Vec<Store<Guarded<K>>>, filled: Vec<watch::Receiver<bool>>) -> Self {
        Stores { stores, filled }
    }

    /// The object as last seen, decoded or not.
    pub fn get(&self, key: &ObjectKey) -> Option<Arc<Guarded<K>>> {
        let object = ObjectRef::new(&key.name).within(&key.namespace);
        self.stores.iter().find_map(|store| store.get(&object))
    }

    /// All objects as last seen, decoded or not.
    pub fn all(&self) -> Vec<Arc<Guarded<K>>> {
        self.stores.iter().flat_map(Store::state).collect()
    }

    /// The keys of all objects for which this holds.
    pub fn keys_where(&self, holds: impl Fn(&K) -> bool) -> Vec<ObjectKey> {
        let objects = self.stores.iter().flat_map(Store::state);
        objects.filter_map(|object| object.0.as_ref().ok().filter(|object| holds(object)).map(key_of)).collect()
    }

    /// Whether all were filled for the first time.
    pub fn is_filled(&self) -> bool {
        self.filled.iter().all(|filled| *filled.borrow())
    }

    /// Waits until all are filled for the first time; false where a watch ends before. Not by the stores' own word: of
    /// several that wait for that, only the last one is woken.
    pub async fn filled(&self) -> bool {
        for filled in &self.filled {
            if filled.clone().wait_for(|filled| *filled).await.is_err() {
                return false;
            }
        }
        true
    }
}

/// The key of an object.
pub fn key_of<K: Resource>(object: &K) -> ObjectKey {
    ObjectKey { namespace: object.namespace().unwrap_or_default(), name: object.name_any() }
}

/// Watches one kind in one scope, and keeps the store. `on_event` is called after the store took the event in. Errors
/// are logged and retried here, with a backoff of this watch alone: they never reach the stream.
pub fn watch_kind<K>(
    client: &Client,
    scope: &Scope,
    writer: reflector::store::Writer<Guarded<K>>,
    on_event: impl Fn(&watcher::Event<Guarded<K>>) + Send + 'static,
) -> BoxStream<'static, Result<Guarded<K>, watcher::Error>>
where
    K: Resource<DynamicType = (), Scope = kube::core::NamespaceResourceScope>
        + Clone
        + std::fmt::Debug
        + DeserializeOwned
        + Send
        + Sync
        + 'static,
{
    let watched = watcher(scope.api::<Guarded<K>>(client), watcher::Config::default())
        .backoff(WatchBackoff::default())
        .modify(|object| {
            // Nothing reads these, and the annotation holds the whole schema once more.
            object.meta_mut().managed_fields = None;
            object.annotations_mut().remove("kubectl.kubernetes.io/last-applied-configuration");
        })
        .reflect(writer)
        .inspect_ok(move |event| on_event(event))
        .touched_objects()
        .filter_map(|object| {
            if let Err(error) = &object {
                tracing::warn!(%error, kind = %K::kind(&()), "watch failed, trying again");
            }
            std::future::ready(object.ok().map(Ok))
        });
    watched.boxed()
}

/// 0.5 to 0.8 s, doubling to 5 s: a watch that failed is tried again soon, also after a long outage.
#[derive(Default)]
struct WatchBackoff {
    failures: u32,
}

impl Iterator for WatchBackoff {
    type Item = Duration;

    fn next(&mut self) -> Option<Duration> {
        let full = Duration::from_millis(800 << self.failures.min(4)).min(Duration::from_secs(5));
        self.failures = self.failures.saturating_add(1);
        Some(full.mul_f64(1.0 - 0.35 * fastrand::f64()))
    }
}

impl Backoff for WatchBackoff {
    fn reset(&mut self) {
        self.failures = 0;
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;
    use futures::stream::FuturesUnordered;

    use super::*;
    use crate::api::Schema;

    #[test]
    fn everyone_who_waits_for_the_stores_is_woken() {
        let (filled, is_filled) = watch::channel(false);
        let stores = Stores::<Schema>::new(Vec::new(), vec![is_filled]);
        let mut waiting: FuturesUnordered<_> = (0..3).map(|_| stores.filled()).collect();
        assert_eq!(waiting.next().now_or_never(), None);

        filled.send_replace(true);
        assert_eq!(waiting.collect::<Vec<_>>().now_or_never(), Some(vec![true; 3]));
    }

    #[test]
    fn nobody_takes_a_watch_that_ended_for_a_filled_store() {
        let (filled, is_filled) = watch::channel(false);
        let stores = Stores::<Schema>::new(Vec::new(), vec![is_filled]);
        drop(filled);
        assert_eq!(stores.filled().now_or_never(), Some(false));
    }
}
