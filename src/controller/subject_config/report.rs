//! Tells what was seen and done: status, events; and says when to look again.

use std::sync::Arc;

use kube::runtime::controller::Action;
use kube::{Api, Resource, ResourceExt};

use super::plan::{Observed, Plan, RegistrySeen, Wait};
use super::{ConfigMemory, Set, is_missing_subject, status};
use crate::api::{SubjectConfig, SubjectConfigStatus, condition, find_condition};
use crate::controller::conditions::{Progress, Truth};
use crate::controller::context::Context;
use crate::controller::events::Transition;
use crate::controller::memory::{Memory, backoff};
use crate::controller::schema::plan::until_more_is_said;
use crate::controller::status_write::{self, Importance, StatusError};

/// Tells what was seen and done. `set` tells what was sent to the registry, where anything was.
pub async fn report(
    config: &SubjectConfig,
    before: &SubjectConfigStatus,
    seen: &Observed,
    plan: &Plan,
    set: Option<Set>,
    context: &Arc<Context>,
    memory: &mut Memory<ConfigMemory>,
) -> Action {
    let next = status::status(seen, plan, before).filter(|next| next != before);
    let told = match next {
        Some(next) => match write(config, next, set, context, memory).await {
            Ok(written) => written,
            Err(error) => {
                tracing::warn!(%error, "status not written, trying again");
                return again_soon(memory);
            }
        },
        // The status is as before: only the event tells that the level was put back.
        None => set.is_some() && seen.is_put_back(),
    };
    if told && let Some(transition) = transition(before, seen, plan, set) {
        context.events.tell(&transition, &config.object_ref(&())).await;
    }
    look_again(before, seen, plan, memory)
}

/// Whether the API server took the status; if not, the object has moved on.
async fn write(
    config: &SubjectConfig,
    status: SubjectConfigStatus,
    set: Option<Set>,
    context: &Context,
    memory: &mut Memory<ConfigMemory>,
) -> Result<bool, StatusError> {
    let api: Api<SubjectConfig> = Api::namespaced(context.client.clone(), &config.namespace().unwrap_or_default());
    let importance = if set.is_some() { Importance::ReportsWrite } else { Importance::Current };
    let written = status_write::write(&api, &config.metadata, memory.own.written.as_ref(), status, importance).await?;
    let Some(written) = written else { return Ok(false) };
    context.metrics.status_written("SubjectConfig");
    memory.own.written = Some(written);
    memory.own.put_backs.clear();
    Ok(true)
}

fn again_soon(memory: &mut Memory<ConfigMemory>) -> Action {
    memory.waits += 1;
    Action::requeue(backoff(memory.waits - 1, fastrand::f64()))
}

fn look_again(before: &SubjectConfigStatus, seen: &Observed, plan: &Plan, memory: &mut Memory<ConfigMemory>) -> Action {
    match (plan, &seen.registry) {
        (Plan::Wait(Wait::RegistryNotFound), RegistrySeen::NotFound { missed_for }) => {
            Action::requeue(until_more_is_said(*missed_for))
        }
        // Looked at once more, in case the first version came before it was known that this waits; from then on the
        // Schema's changes wake it, and each tick of the drift check does.
        (Plan::Wait(Wait::SubjectMissing), _) if is_missing_subject(&before.conditions) => {
            memory.waits = 0;
            Action::await_change()
        }
        (Plan::Wait(_), _) => again_soon(memory),
        _ => {
            memory.waits = 0;
            Action::await_change()
        }
    }
}

/// A level that was put back, and trouble that came or went.
fn transition(before: &SubjectConfigStatus, seen: &Observed, plan: &Plan, set: Option<Set>) -> Option<Transition> {
    let now = status::verdict(seen, plan);
    let was = find_condition(&before.conditions, condition::READY);
    let was_stalled = find_condition(&before.conditions, condition::STALLED).is_some();
    let same_reason = was.is_some_and(|was| was.reason == now.reason.as_str());
    match (set, now.progress) {
        (Some(Set { level, found, own }), Progress::Settled) if seen.is_put_back() => {
            let subject = status::subject(seen);
            let what = if own {
                format!("changed the level of subject {subject} to {found}")
            } else {
                format!("removed the level of subject {subject}")
            };
            let note = format!("someone else {what}; {level} was put back");
            Some(Transition::normal("LevelPutBack", note))
        }
        (Some(_), Progress::Settled) if was.is_some() => Some(Transition::normal("LevelSet", now.message)),
        (_, Progress::Stalled) if !(was_stalled && same_reason) => Some(Transition::warning(now.reason, now.message)),
        (_, Progress::Settled) if was_stalled && now.ready == Truth::True => {
            Some(Transition::normal("InSync", now.message))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ObjectMeta, Time};
    use k8s_openapi::jiff::Timestamp;

    use super::*;
    use crate::api::{Level, Management, Mode};
    use crate::controller::memory::Memories;
    use crate::controller::ownership::{Claim, ObjectKey};
    use crate::registry::{LevelInForce, LevelSource};
    use crate::schema::Subject;

    fn seen() -> Observed {
        Observed {
            generation: 1,
            now: Time(Timestamp::UNIX_EPOCH),
            paused_by: None,
            claim: Claim::Owner,
            subject: Subject::parse("orders-value"),
            wanted: Some(Level::Full),
            was_in_sync: true,
            was_held: false,
            put_backs: Vec::new(),
            registry_name: "default".into(),
            registry: RegistrySeen::Read {
                management: Management::Full,
                level: LevelInForce { level: Level::Full, source: LevelSource::Subject, own: Some(Level::Full) },
                mode: Mode::Readwrite,
            },
            unread: None,
            answer: None,
            history: None,
        }
    }

    #[test]
    fn the_first_version_is_waited_for_without_asking_again_and_again() {
        let key = ObjectKey { namespace: "team".into(), name: "orders".into() };
        let mut memory = Memories::<ConfigMemory>::default().take(&key, &ObjectMeta::default());
        let waits = Plan::Wait(Wait::SubjectMissing);
        let first = look_again(&SubjectConfigStatus::default(), &seen(), &waits, &mut memory);
        assert_ne!(first, Action::await_change(), "the version may just have come");
        let told = status::status(&seen(), &waits, &SubjectConfigStatus::default()).unwrap();
        assert_eq!(look_again(&told, &seen(), &waits, &mut memory), Action::await_change());
    }

    #[test]
    fn a_paused_status_stays_of_the_generation_that_it_speaks_of() {
        let before = status::status(&seen(), &Plan::InSync, &SubjectConfigStatus::default()).unwrap();
        let edited = |generation: i64| Observed { paused_by: Some("this resource".into()), generation, ..seen() };
        let told = status::status(&edited(2), &Plan::Paused, &before).unwrap();
        assert_eq!(told.conditions[0].observed_generation, before.observed_generation);
        assert_eq!(status::status(&edited(3), &Plan::Paused, &told), Some(told));
    }

    #[test]
    fn a_registry_that_has_just_gone_is_not_told_at_once() {
        let told = |seconds: u64| {
            let missed_for = std::time::Duration::from_secs(seconds);
            let seen = Observed { registry: RegistrySeen::NotFound { missed_for }, ..seen() };
            status::status(&seen, &Plan::Wait(Wait::RegistryNotFound), &SubjectConfigStatus::default()).is_some()
        };
        assert_eq!([0, 4, 5, 29].map(told), [false, false, true, true]);
    }

    #[test]
    fn who_puts_a_level_back_tells_what_it_found() {
        let set = Some(Set { level: Level::Full, found: Level::None, own: true });
        let told = transition(&SubjectConfigStatus::default(), &seen(), &Plan::InSync, set).unwrap();
        assert_eq!(told.reason, "LevelPutBack");
        assert_eq!(told.note, "someone else changed the level of subject orders-value to NONE; FULL was put back");
    }
}
