//! The connections of all registry resources: made when first asked for, made anew when the resource's spec changed,
//! ended when it goes.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use kube::ResourceExt;

use super::connection::Connection;
use super::context::Context;
use super::ownership::ObjectKey;
use super::scope::key_of;
use super::sweeper;
use super::trouble::Trouble;
use crate::api::SchemaRegistry;
use crate::registry::BaseUrl;

/// All connections.
#[derive(Default)]
pub struct Connections(Mutex<HashMap<ObjectKey, Kept>>);

/// A connection, the spec that it was made of, and the task that minds it.
struct Kept {
    uid: Option<String>,
    generation: Option<i64>,
    connection: Arc<Connection>,
    task: tokio::task::AbortHandle,
}

impl Drop for Kept {
    fn drop(&mut self) {
        self.task.abort();
        self.connection.end();
    }
}

impl Connections {
    /// The connection of a registry resource as it now stands. Who comes with an older state of the resource gets the
    /// newer connection.
    pub fn get(&self, resource: &SchemaRegistry, context: &Arc<Context>) -> Result<Arc<Connection>, Trouble> {
        let key = key_of(resource);
        let mut all = self.lock();
        let kept = all.get(&key);
        if let Some(kept) =
            kept.filter(|kept| kept.uid == resource.uid() && kept.generation >= resource.metadata.generation)
        {
            return Ok(kept.connection.clone());
        }
        all.remove(&key);
        let connection = Arc::new(Connection::new(resource)?);
        let task = tokio::spawn(sweeper::mind(connection.clone(), context.clone())).abort_handle();
        let (uid, generation) = (resource.uid(), resource.metadata.generation);
        all.insert(key.clone(), Kept { uid, generation, connection: connection.clone(), task });
        drop(all);
        // A resource that went just now was told of before there was anything to end.
        if context.registries.get(&key).is_none() {
            self.remove(&key);
        }
        Ok(connection)
    }

    /// Ends the connection of a resource that is gone.
    pub fn remove(&self, key: &ObjectKey) {
        self.lock().remove(key);
    }

    /// The identity of the registry that a resource speaks of: as learnt, else as its status says from before, else by
    /// its URL. An outage changes none of these.
    pub fn identity(&self, resource: &SchemaRegistry) -> String {
        let learnt = self
            .lock()
            .get(&key_of(resource))
            .and_then(|kept| kept.connection.known_facts().map(|_| kept.connection.identity()));
        let reported = || resource.status.as_ref().and_then(|status| status.identity.clone());
        let url = resource.spec.urls.first().map(String::as_str).unwrap_or_default();
        learnt
            .or_else(reported)
            .unwrap_or_else(|| BaseUrl::parse(url).map_or_else(|_| url.to_owned(), |base| base.identity()))
    }

    /// Every connection, for metrics.
    pub fn all(&self) -> Vec<Arc<Connection>> {
        self.lock().values().map(|kept| kept.connection.clone()).collect()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<ObjectKey, Kept>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
