//! The controller of `SchemaRegistry`: opens the connection, and shows how it is.

mod report;
mod status;

use std::sync::Arc;

use kube::runtime::controller::Action;

use super::context::{Context, is_paused};
use super::scope::key_of;
use super::status_write::{self, Written};
use super::trouble::Trouble;
use crate::api::{SchemaRegistry, SchemaRegistryStatus};
use crate::registry::Facts;

/// What this process remembers of one SchemaRegistry.
#[derive(Debug, Default)]
pub struct RegistryMemory {
    written: Option<Written<SchemaRegistryStatus>>,
}

/// What a look at a connection found.
enum Seen {
    Paused,
    Connected { facts: Arc<Facts>, identity: String },
    Trouble(Trouble),
}

/// Looks at one SchemaRegistry and reports.
pub async fn reconcile(registry: &SchemaRegistry, context: &Arc<Context>) -> Action {
    if registry.metadata.deletion_timestamp.is_some() {
        return Action::await_change();
    }
    let key = key_of(registry);
    let mut memory = context.registry_memories.take(&key, &registry.metadata);
    let version = registry.metadata.resource_version.as_deref();
    let before = status_write::newest(registry.status.as_ref(), version, memory.own.written.as_ref());
    let before = before.cloned().unwrap_or_default();
    let seen = observe(registry, context).await;
    let action = report::report(registry, &before, &seen, context, &mut memory).await;
    context.registry_memories.put(key, memory, |key| context.registries.get(key).is_some());
    action
}

async fn observe(registry: &SchemaRegistry, context: &Arc<Context>) -> Seen {
    if is_paused(registry) {
        return Seen::Paused;
    }
    let connection = match context.connections.get(registry, context) {
        Ok(connection) => connection,
        Err(trouble) => return Seen::Trouble(trouble),
    };
    match connection.facts().await {
        Ok(facts) => match connection.shown_trouble() {
            None => Seen::Connected { identity: connection.identity(), facts },
            Some(trouble) => Seen::Trouble(trouble),
        },
        Err(trouble) => Seen::Trouble(trouble),
    }
}
