//! Tells how the connection is: status and events.

use std::sync::Arc;

use kube::runtime::controller::Action;
use kube::{Api, Resource, ResourceExt};

use super::status::{status, verdict};
use super::{RegistryMemory, Seen};
use crate::api::{SchemaRegistry, SchemaRegistryStatus, condition, find_condition};
use crate::controller::conditions::{Truth, Verdict};
use crate::controller::context::Context;
use crate::controller::events::Transition;
use crate::controller::memory::{Memory, backoff};
use crate::controller::status_write::{self, Importance};

/// Tells how the connection is.
pub async fn report(
    registry: &SchemaRegistry,
    before: &SchemaRegistryStatus,
    seen: &Seen,
    context: &Arc<Context>,
    memory: &mut Memory<RegistryMemory>,
) -> Action {
    let next = status(registry, seen, before, &context.now());
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
