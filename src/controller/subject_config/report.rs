//! Tells what was seen and done: status, events; and says when to look again.

use std::sync::Arc;

use kube::runtime::controller::Action;
use kube::{Api, Resource, ResourceExt};

use super::plan::{Observed, Plan, RegistrySeen, Wait};
use super::{ConfigMemory, status};
use crate::api::{Level, SubjectConfig, SubjectConfigStatus, condition, find_condition};
use crate::controller::conditions::{Progress, Truth};
use crate::controller::context::Context;
use crate::controller::events::Transition;
use crate::controller::memory::{Memory, backoff};
use crate::controller::schema::plan::MISSING_PATIENCE;
use crate::controller::status_write::{self, Importance};

/// Tells what was seen and done. `set` is the level that was sent to the registry, where one was.
pub async fn report(
    config: &SubjectConfig,
    before: &SubjectConfigStatus,
    seen: &Observed,
    plan: &Plan,
    set: Option<Level>,
    context: &Arc<Context>,
    memory: &mut Memory<ConfigMemory>,
) -> Action {
    if let Some(next) = status::status(seen, plan, before)
        && next != *before
    {
        let api: Api<SubjectConfig> = Api::namespaced(context.client.clone(), &config.namespace().unwrap_or_default());
        let importance = if set.is_some() { Importance::ReportsWrite } else { Importance::Current };
        match status_write::write(&api, &config.metadata, memory.own.written.as_ref(), next, importance).await {
            Ok(Some(written)) => {
                context.metrics.status_written("SubjectConfig");
                memory.own.written = Some(written);
                tell(config, before, seen, plan, set, context).await;
            }
            Ok(None) => {}
            Err(error) => {
                tracing::warn!(%error, "status not written, trying again");
                return again_soon(memory);
            }
        }
    }
    if let (true, Some(_)) = (seen.was_in_sync, set) {
        // The status is as before: only the event tells that the level was put back.
        tell(config, before, seen, plan, set, context).await;
    }
    match (plan, &seen.registry) {
        (Plan::Wait(Wait::RegistryNotFound), RegistrySeen::NotFound { missed_for }) => {
            Action::requeue(MISSING_PATIENCE.saturating_sub(*missed_for))
        }
        (Plan::Wait(_), _) => again_soon(memory),
        _ => {
            memory.waits = 0;
            Action::await_change()
        }
    }
}

async fn tell(
    config: &SubjectConfig,
    before: &SubjectConfigStatus,
    seen: &Observed,
    plan: &Plan,
    set: Option<Level>,
    context: &Context,
) {
    if let Some(transition) = transition(before, seen, plan, set) {
        context.events.tell(&transition, &config.object_ref(&())).await;
    }
}

fn again_soon(memory: &mut Memory<ConfigMemory>) -> Action {
    memory.waits += 1;
    Action::requeue(backoff(memory.waits - 1, fastrand::f64()))
}

/// A level that was put back, and trouble that came or went.
fn transition(before: &SubjectConfigStatus, seen: &Observed, plan: &Plan, set: Option<Level>) -> Option<Transition> {
    let now = status::verdict(seen, plan);
    let was = find_condition(&before.conditions, condition::READY);
    let was_stalled = find_condition(&before.conditions, condition::STALLED).is_some();
    let same_reason = was.is_some_and(|was| was.reason == now.reason.as_str());
    match (set, now.progress) {
        (Some(level), Progress::Settled) if seen.was_in_sync => {
            let found = before.compatibility.as_ref().map(|level| level.level.to_string()).unwrap_or_default();
            Some(Transition::normal(
                "LevelPutBack",
                format!("someone else changed the level; {level} was put back (last seen {found})"),
            ))
        }
        (Some(_), Progress::Settled) if was.is_some() => Some(Transition::normal("LevelSet", now.message)),
        (_, Progress::Stalled) if !(was_stalled && same_reason) => Some(Transition::warning(now.reason, now.message)),
        (_, Progress::Settled) if was_stalled && now.ready == Truth::True => {
            Some(Transition::normal("InSync", now.message))
        }
        _ => None,
    }
}
