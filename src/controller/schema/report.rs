//! Tells what was seen and done: status, events, metrics; and says when to look again.

use std::sync::Arc;
use std::time::Duration;

use kube::runtime::controller::Action;
use kube::{Api, Resource, ResourceExt};

use super::apply::Effect;
use super::decision::{Change, Plan, Wait};
use super::observed::{Answer, EngineAnswer, Observed, RegistrySeen};
use super::plan::until_more_is_said;
use super::status::applied_from;
use super::{SchemaMemory, status, words};
use crate::api::{Schema, SchemaStatus, condition, find_condition};
use crate::controller::conditions::{Progress, Truth};
use crate::controller::context::Context;
use crate::controller::events::Transition;
use crate::controller::memory::{Memory, backoff};
use crate::controller::status_write::{self, Importance, StatusError};
use crate::telemetry::RefusedBy;

/// A write that is not seen yet is looked for this often.
const READBACK_EVERY: Duration = Duration::from_secs(1);
/// A SubjectConfig that settles wakes its Schema; should that be missed, this is when it is noticed.
const CONFIG_EVERY: Duration = Duration::from_secs(30);

/// Tells what was seen and done.
pub async fn report(
    schema: &Schema,
    before: &SchemaStatus,
    seen: &Observed,
    plan: &Plan,
    effect: Effect,
    context: &Arc<Context>,
    memory: &mut Memory<SchemaMemory>,
) -> Action {
    if let Some(next) = status::status(seen, plan, before)
        && next != *before
    {
        let transition = transition(before, &next, seen, plan, effect);
        match write(schema, next, effect, context, memory).await {
            Ok(true) => {}
            // The object has moved on, and so will the next look.
            Ok(false) => return look_again(seen, plan, memory),
            Err(error) => {
                tracing::warn!(%error, "status not written, trying again");
                return again_soon(memory);
            }
        }
        if let Some(refused_by) = disagreement(seen, effect) {
            let namespace = schema.namespace().unwrap_or_default();
            context.metrics.disagreed(&namespace, &seen.registry_name, refused_by);
        }
        if let Some(transition) = transition {
            context.events.tell(&transition, &schema.object_ref(&())).await;
        }
    }
    look_again(seen, plan, memory)
}

/// Whether the API server took the status; if not, the object has moved on.
async fn write(
    schema: &Schema,
    status: SchemaStatus,
    effect: Effect,
    context: &Arc<Context>,
    memory: &mut Memory<SchemaMemory>,
) -> Result<bool, StatusError> {
    let api: Api<Schema> = Api::namespaced(context.client.clone(), &schema.namespace().unwrap_or_default());
    let nothing_new = effect == Effect::None && memory.own.unreported.is_none();
    let importance = if nothing_new { Importance::Current } else { Importance::ReportsWrite };
    let told = applied_from(&status);
    let written = status_write::write(&api, &schema.metadata, memory.own.written.as_ref(), status, importance).await?;
    let Some(written) = written else { return Ok(false) };
    context.metrics.status_written("Schema");
    memory.own.reverts.clear();
    memory.own.unreported = memory.own.unreported.take().filter(|applied| told.as_ref() != Some(applied));
    memory.own.written = Some(written);
    Ok(true)
}

fn again_soon(memory: &mut Memory<SchemaMemory>) -> Action {
    memory.waits += 1;
    Action::requeue(backoff(memory.waits - 1, fastrand::f64()))
}

fn look_again(seen: &Observed, plan: &Plan, memory: &mut Memory<SchemaMemory>) -> Action {
    let Plan::Wait(wait) = plan else {
        memory.waits = 0;
        // What was decided on while something else was done is done now.
        return if matches!(plan, Plan::Act(_)) { Action::requeue(READBACK_EVERY) } else { Action::await_change() };
    };
    let after = match (wait, &seen.registry) {
        (Wait::RegistryNotFound, RegistrySeen::NotFound { missed_for }) => until_more_is_said(*missed_for),
        (Wait::Readback, _) if seen.unread_write.is_some() || seen.missing.is_some() => READBACK_EVERY,
        (Wait::Config, _) => CONFIG_EVERY,
        (Wait::Grace { left }, _) => *left,
        // Without a write of ours that is to show, a registry that contradicts itself may do so for good.
        (Wait::Readback | Wait::RegistryNotFound | Wait::RegistryAway(_) | Wait::RegistryFailed { .. }, _) => {
            return again_soon(memory);
        }
    };
    memory.waits = 0;
    Action::requeue(after)
}

/// What an event tells: never a fresh resource that is in order, and nothing that did not change.
fn transition(
    before: &SchemaStatus,
    next: &SchemaStatus,
    seen: &Observed,
    plan: &Plan,
    effect: Effect,
) -> Option<Transition> {
    let now = status::verdict(seen, plan);
    let was = find_condition(&before.conditions, condition::READY);
    let was_stalled = find_condition(&before.conditions, condition::STALLED).is_some();
    let same_reason = was.is_some_and(|was| was.reason == now.reason.as_str());
    match (effect, now.progress) {
        (Effect::Registered(change), Progress::Settled) if was.is_some() => {
            Some(Transition::normal(done(change), words::done(seen, change)))
        }
        (_, Progress::Stalled) if !(was_stalled && same_reason && next.candidate == before.candidate) => {
            Some(Transition::warning(now.reason, now.message))
        }
        (_, Progress::Settled) if was_stalled && now.ready == Truth::True => {
            Some(Transition::normal(now.reason.as_str(), now.message))
        }
        _ => None,
    }
}

/// Who alone refuses the change, where registry and own check both said something and not the same.
fn disagreement(seen: &Observed, effect: Effect) -> Option<RefusedBy> {
    let judged = seen.judged.as_ref().filter(|judged| judged.is_of_candidate)?;
    let registry_takes = match seen.answer {
        Some(Answer::WouldTake) => true,
        Some(Answer::Incompatible { .. }) => false,
        _ if effect != Effect::None => true,
        _ => return None,
    };
    match (judged.answer, registry_takes) {
        (EngineAnswer::Incompatible, true) => Some(RefusedBy::Operator),
        (EngineAnswer::Compatible, false) => Some(RefusedBy::Registry),
        _ => None,
    }
}

fn done(change: Change) -> &'static str {
    match change {
        Change::First | Change::Next => "Registered",
        Change::Rollback(_) => "RolledBack",
        Change::Revert(_) => "Reverted",
    }
}
