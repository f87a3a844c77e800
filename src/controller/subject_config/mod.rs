//! The controller of `SubjectConfig`: observe, plan, apply, report.

pub mod plan;
mod status;

use std::sync::Arc;

use kube::runtime::controller::Action;
use kube::{Api, Resource, ResourceExt};

use super::conditions::{Progress, Truth};
use super::context::Context;
use super::events::Transition;
use super::look::{self, NoSession, Session};
use super::memory::{Memory, backoff};
use super::ownership::Claim;
use super::scope::key_of;
use super::status_write::{self, Importance, Written};
use super::trouble::Trouble;
use crate::api::{Level, PAUSED_ANNOTATION, Reason, SubjectConfig, SubjectConfigStatus, condition, find_condition};
use crate::registry::{Priority, SetLevel};
use crate::schema::Subject;
use plan::{Answer, Observed, Plan, RegistrySeen, Wait};

/// What this process remembers of one SubjectConfig.
#[derive(Debug, Default)]
pub struct ConfigMemory {
    written: Option<Written<SubjectConfigStatus>>,
}

/// Whether nothing is left to do or to tell about it.
pub fn is_converged(config: &SubjectConfig) -> bool {
    config.status.as_ref().is_some_and(|status| is_in_sync(config, status))
}

/// Whether a Schema of the subject has to wait for it: not looked at yet, or being worked on. It does not wait for a
/// level that in turn waits for the first version.
pub fn is_unsettled(config: &SubjectConfig) -> bool {
    let Some(status) = &config.status else { return true };
    let reconciling = find_condition(&status.conditions, condition::RECONCILING);
    let waits_for_schema = reconciling.is_some_and(|reconciling| reconciling.reason == Reason::SubjectMissing.as_str());
    status.observed_generation != config.metadata.generation || (reconciling.is_some() && !waits_for_schema)
}

/// Whether it waits for the first version of the subject.
pub fn waits_for_schema(config: &SubjectConfig) -> bool {
    let conditions = config.status.as_ref().map(|status| status.conditions.as_slice()).unwrap_or_default();
    find_condition(conditions, condition::READY).is_some_and(|ready| ready.reason == Reason::SubjectMissing.as_str())
}

fn is_in_sync(config: &SubjectConfig, status: &SubjectConfigStatus) -> bool {
    let ready = find_condition(&status.conditions, condition::READY).is_some_and(|ready| ready.status == "True");
    ready && status.observed_generation == config.metadata.generation
}

/// Looks at one SubjectConfig, does what is to be done, and reports.
pub async fn reconcile(config: &SubjectConfig, context: &Arc<Context>) -> Action {
    if config.metadata.deletion_timestamp.is_some() {
        return Action::await_change();
    }
    let key = key_of(config);
    let mut memory = context.config_memories.take(&key, &config.metadata);
    let version = config.metadata.resource_version.as_deref();
    let before = status_write::newest(config.status.as_ref(), version, memory.own.written.as_ref());
    let before = before.cloned().unwrap_or_default();
    let (mut seen, session) = observe(config, &before, context, &mut memory).await;
    let mut plan = plan::plan(&seen);
    let mut set = None;
    if let (Plan::Set(level), Some(session), Ok(subject)) = (&plan, &session, seen.subject.clone()) {
        set = Some(*level);
        apply(*level, &mut seen, session, &subject).await;
        plan = plan::plan(&seen);
    }
    drop(session);
    let action = report(config, &before, &seen, &plan, set, context, &mut memory).await;
    context.config_memories.put(key, memory);
    action
}

async fn observe(
    config: &SubjectConfig,
    before: &SubjectConfigStatus,
    context: &Arc<Context>,
    memory: &mut Memory<ConfigMemory>,
) -> (Observed, Option<Session>) {
    let mut seen = Observed {
        generation: config.metadata.generation.unwrap_or_default(),
        now: context.now(),
        paused: config.annotations().get(PAUSED_ANNOTATION).is_some_and(|paused| paused == "true"),
        claim: context.config_claim(&key_of(config)),
        subject: Subject::parse(config.spec.subject.as_deref().unwrap_or(&config.name_any())),
        wanted: config.spec.compatibility,
        was_in_sync: is_in_sync(config, before),
        registry_name: config.spec.registry_ref.name.clone(),
        registry: RegistrySeen::NotLooked,
        answer: None,
    };
    let (false, Claim::Owner, Ok(subject)) = (seen.paused, &seen.claim, seen.subject.clone()) else {
        return (seen, None);
    };
    let priority = if seen.was_in_sync { Priority::Drift } else { Priority::Change };
    let namespace = config.namespace().unwrap_or_default();
    match look::begin(context, &namespace, &config.spec.registry_ref, priority, memory).await {
        Ok(session) => {
            seen.registry = read(&session, &subject, seen.wanted).await.unwrap_or_else(RegistrySeen::Away);
            (seen, Some(session))
        }
        Err(NoSession::NotFound { missed_for }) => {
            seen.registry = RegistrySeen::NotFound { missed_for };
            (seen, None)
        }
        Err(NoSession::Away(trouble)) => {
            seen.registry = RegistrySeen::Away(trouble);
            (seen, None)
        }
    }
}

/// Reads the level, and the mode where the level is to change.
async fn read(session: &Session, subject: &Subject, wanted: Option<Level>) -> Result<RegistrySeen, Trouble> {
    let connection = &session.connection;
    let level = connection.track(connection.client.level(subject, &session.facts.global).await)?;
    let mode = if wanted.is_none() || wanted == level.own {
        crate::registry::ModeInForce::READWRITE
    } else {
        connection.track(connection.client.mode(subject).await)?
    };
    Ok(RegistrySeen::Read { management: connection.management, level, mode })
}

async fn apply(level: Level, seen: &mut Observed, session: &Session, subject: &Subject) {
    let connection = &session.connection;
    let result = connection.client.set_level(subject, level).await;
    connection.note(&result);
    let answer = match result {
        Ok(SetLevel::Stored) => Answer::Stored,
        Ok(SetLevel::SubjectMissing) => Answer::SubjectMissing,
        Ok(SetLevel::ReadOnly { message }) => Answer::ReadOnly(message),
        Ok(SetLevel::Refused { message }) => Answer::Refused(message),
        // Setting a level again does no harm: an unknown outcome is tried again after the next look.
        Err(error) => Answer::Away(connection.words(&error)),
    };
    if answer == Answer::Stored {
        seen.registry = read(session, subject, None).await.unwrap_or_else(RegistrySeen::Away);
    }
    seen.answer = Some(answer);
}

async fn report(
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
            Action::requeue(super::schema::plan::MISSING_PATIENCE.saturating_sub(*missed_for))
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
