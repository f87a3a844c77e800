//! The controller of `SchemaRegistry`: opens the connection, and shows how it is.

use std::sync::Arc;

use kube::runtime::controller::Action;
use kube::{Api, Resource, ResourceExt};

use super::conditions::{Progress, Truth, Verdict, conditions};
use super::context::Context;
use super::events::Transition;
use super::memory::{Memory, backoff};
use super::scope::key_of;
use super::status_write::{self, Importance, Written};
use super::trouble::Trouble;
use crate::api::{
    ImplementationStatus, Management, PAUSED_ANNOTATION, Reason, SchemaRegistry, SchemaRegistryStatus, condition,
    find_condition,
};
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
    let action = report(registry, &before, &seen, context, &mut memory).await;
    context.registry_memories.put(key, memory);
    action
}

async fn observe(registry: &SchemaRegistry, context: &Arc<Context>) -> Seen {
    if registry.annotations().get(PAUSED_ANNOTATION).is_some_and(|paused| paused == "true") {
        return Seen::Paused;
    }
    let connection = match context.connections.get(registry, context) {
        Ok(connection) => connection,
        Err(trouble) => return Seen::Trouble(trouble),
    };
    match connection.facts().await {
        Ok(facts) => Seen::Connected { identity: connection.identity(), facts },
        Err(trouble) => Seen::Trouble(trouble),
    }
}

/// The status that follows. Pure.
fn status(
    registry: &SchemaRegistry,
    seen: &Seen,
    before: &SchemaRegistryStatus,
    context: &Context,
) -> SchemaRegistryStatus {
    let generation = registry.metadata.generation.unwrap_or_default();
    let conditions = conditions(&verdict(registry, seen), &before.conditions, generation, &context.now());
    match seen {
        Seen::Paused => SchemaRegistryStatus { conditions, ..before.clone() },
        Seen::Trouble(_) => {
            SchemaRegistryStatus { observed_generation: Some(generation), conditions, ..before.clone() }
        }
        Seen::Connected { facts, identity } => SchemaRegistryStatus {
            observed_generation: Some(generation),
            implementation: Some(ImplementationStatus {
                name: facts.implementation.to_string(),
                version: facts.version.clone(),
            }),
            identity: Some(identity.clone()),
            compatibility: facts.global.level,
            mode: Some(facts.global.mode),
            conditions,
        },
    }
}

fn verdict(registry: &SchemaRegistry, seen: &Seen) -> Verdict {
    let (ready, progress, reason, message) = match seen {
        Seen::Paused => (
            Truth::Unknown,
            Progress::Settled,
            Reason::Paused,
            "paused: the annotation schemaregistrar.dev/paused stops this resource's status, not the resources that use it".to_owned(),
        ),
        Seen::Connected { facts, .. } => (Truth::True, Progress::Settled, Reason::Connected, connected(registry, facts)),
        Seen::Trouble(trouble) if trouble.passes => {
            (Truth::False, Progress::Reconciling, trouble.reason, format!("{}; retrying", trouble.message))
        }
        Seen::Trouble(trouble) => (Truth::False, Progress::Stalled, trouble.reason, trouble.message.clone()),
    };
    Verdict { ready, progress, reason, message, compatible: None, drifted: false }
}

fn connected(registry: &SchemaRegistry, facts: &Facts) -> String {
    let who = match &facts.version {
        Some(version) => format!("{} {version}", facts.implementation),
        None => facts.implementation.to_string(),
    };
    match registry.spec.management {
        Management::Full => format!("{who} answers"),
        Management::Observe => format!("{who} answers; management is Observe, so nothing is written to it"),
    }
}

async fn report(
    registry: &SchemaRegistry,
    before: &SchemaRegistryStatus,
    seen: &Seen,
    context: &Arc<Context>,
    memory: &mut Memory<RegistryMemory>,
) -> Action {
    let next = status(registry, seen, before, context);
    if next != *before {
        let api: Api<SchemaRegistry> =
            Api::namespaced(context.client.clone(), &registry.namespace().unwrap_or_default());
        match status_write::write(&api, &registry.metadata, memory.own.written.as_ref(), next, Importance::Current)
            .await
        {
            Ok(Some(written)) => {
                context.metrics.status_written("SchemaRegistry");
                memory.own.written = Some(written);
                if let Some(transition) = transition(before, verdict(registry, seen)) {
                    context.events.tell(&transition, &registry.object_ref(&())).await;
                }
            }
            Ok(None) => {}
            Err(error) => {
                tracing::warn!(%error, "status not written, trying again");
                memory.waits += 1;
                return Action::requeue(backoff(memory.waits - 1, fastrand::f64()));
            }
        }
    }
    memory.waits = 0;
    Action::await_change()
}

/// That a registry went away or came back is told here, once, and not on each of its subjects.
fn transition(before: &SchemaRegistryStatus, now: Verdict) -> Option<Transition> {
    let was = find_condition(&before.conditions, condition::READY)?;
    if was.reason == now.reason.as_str() {
        return None;
    }
    match now.ready {
        Truth::True => Some(Transition::normal(now.reason.as_str(), now.message)),
        Truth::False => Some(Transition::warning(now.reason, now.message)),
        Truth::Unknown => None,
    }
}
