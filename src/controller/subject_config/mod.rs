//! The controller of `SubjectConfig`: observe, plan, apply, report.

mod apply;
mod look_back;
mod observe;
pub mod plan;
mod report;
mod status;

use std::sync::Arc;
use std::time::Duration;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, Time};
use kube::ResourceExt;
use kube::runtime::controller::Action;
use tokio::time::Instant;

use super::context::Context;
use super::scope::key_of;
use super::status_write::{self, Written};
use crate::api::{Level, Management, Reason, SubjectConfig, SubjectConfigStatus, condition, find_condition};
use plan::Plan;

/// What this process remembers of one SubjectConfig.
#[derive(Debug, Default)]
pub struct ConfigMemory {
    written: Option<Written<SubjectConfigStatus>>,
    /// A level that the registry took and that no reading showed yet, and since when.
    unread: Option<(Set, Instant)>,
    /// Such a level, when it first shows.
    shown: Option<Set>,
    /// The generation at which the level was last seen in force.
    held_at: Option<i64>,
    /// When someone else's level was changed back, which a status may not tell yet.
    put_backs: Vec<Time>,
}

impl ConfigMemory {
    /// How long a level that the registry took has not shown; none where it shows, or where another one is asked for.
    fn unread_for(&mut self, wanted: Option<Level>, in_force: Level, now: Instant) -> Option<Duration> {
        if let Some((set, _)) = self.unread.take_if(|(set, _)| wanted != Some(set.level) || in_force == set.level) {
            self.shown = Some(set).filter(|_| wanted == Some(in_force));
        }
        self.unread.map(|(_, since)| now.duration_since(since))
    }

    /// The registry took a level.
    fn took(&mut self, set: Set, now: Instant) {
        self.unread = self.unread.filter(|(known, _)| known.level == set.level).or(Some((set, now)));
    }
}

/// A level that was sent to the registry, and the one that was in force before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Set {
    level: Level,
    found: Level,
    /// Whether that was the subject's own.
    own: bool,
}

/// Whether nothing is left to do or to tell about it.
pub fn is_converged(config: &SubjectConfig) -> bool {
    config.status.as_ref().is_some_and(|status| is_in_sync(config, status))
}

/// Whether a Schema of the subject has to wait for it: not looked at yet as things now are, or being worked on. It does
/// not wait for a level that in turn waits for the first version, nor for one that is paused or on its way out.
pub fn is_unsettled(config: &SubjectConfig, context: &Context) -> bool {
    let reference = &config.spec.registry_ref;
    let registry = context.registry(&config.namespace().unwrap_or_default(), reference);
    let management = registry.and_then(|registry| registry.0.as_ref().ok().map(|registry| registry.spec.management));
    is_unsettled_where(config, context.paused_by(config, reference).is_some(), management)
}

fn is_unsettled_where(config: &SubjectConfig, is_paused: bool, management: Option<Management>) -> bool {
    if is_paused || config.metadata.deletion_timestamp.is_some() {
        return false;
    }
    let Some(status) = &config.status else { return true };
    let ready = find_condition(&status.conditions, condition::READY);
    let says = |reason: Reason| ready.is_some_and(|ready| ready.reason == reason.as_str());
    // What was paused, or only planned, is about to be looked at again.
    if says(Reason::Paused) || (says(Reason::Planned) && management == Some(Management::Full)) {
        return true;
    }
    let reconciling = find_condition(&status.conditions, condition::RECONCILING);
    let waits_for_schema = reconciling.is_some_and(|reconciling| reconciling.reason == Reason::SubjectMissing.as_str());
    status.observed_generation != config.metadata.generation || (reconciling.is_some() && !waits_for_schema)
}

/// The level that it would set, with `management: Observe`.
pub fn planned_level(config: &SubjectConfig) -> Option<Level> {
    let conditions = config.status.as_ref().map(|status| status.conditions.as_slice()).unwrap_or_default();
    let ready = find_condition(conditions, condition::READY);
    config.spec.compatibility.filter(|_| ready.is_some_and(|ready| ready.reason == Reason::Planned.as_str()))
}

/// Whether it waits for the first version of the subject.
pub fn waits_for_schema(config: &SubjectConfig) -> bool {
    let conditions = config.status.as_ref().map(|status| status.conditions.as_slice()).unwrap_or_default();
    is_missing_subject(conditions)
}

/// Whether its level was set when there was no version to hold it to.
pub fn waits_for_history(config: &SubjectConfig) -> bool {
    let status = config.status.as_ref().filter(|status| is_in_sync(config, status));
    config.spec.compatibility.is_some() && status.is_some_and(|status| status.history.is_none())
}

fn is_missing_subject(conditions: &[Condition]) -> bool {
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
    let (mut seen, session) = observe::observe(config, &before, context, &mut memory).await;
    let mut plan = plan::plan(&seen);
    // A level that shows only now is told of now.
    let mut set = memory.own.shown.take();
    if let (Plan::Set(level), Some(session), Ok(subject), Some(found)) =
        (&plan, &session, seen.subject.clone(), seen.level().copied())
    {
        let reference = &config.spec.registry_ref;
        if context.is_still_asked_for(&context.configs, config, reference, &session.connection) {
            let is_put_back = seen.is_put_back();
            let sent = Set { level: *level, found: found.level, own: found.own.is_some() };
            apply::apply(sent, &mut seen, session, &subject, &mut memory.own).await;
            memory.own.shown = None;
            set = Some(sent);
            if is_put_back && seen.answer == Some(plan::Answer::Stored) {
                memory.own.put_backs.push(seen.now.clone());
                seen.put_backs.push(seen.now.clone());
            }
            plan = plan::plan(&seen);
        } else {
            plan = Plan::Keep;
        }
    }
    if plan == Plan::InSync && seen.level().is_some() {
        memory.own.held_at = Some(seen.generation);
    }
    if let Some(session) = &session {
        seen.history = look_back::look_back(&seen, &plan, &before, session).await;
    }
    drop(session);
    let action = report::report(config, &before, &seen, &plan, set, context, &mut memory).await;
    context.config_memories.put(key, memory, |key| context.configs.get(key).is_some());
    action
}

#[cfg(test)]
mod tests {
    use k8s_openapi::jiff::Timestamp;

    use super::*;
    use crate::api::SubjectConfigSpec;

    #[test]
    fn a_level_that_was_taken_is_waited_for_until_it_shows() {
        let (mut memory, now) = (ConfigMemory::default(), Instant::now());
        let later = |seconds: u64| now + Duration::from_secs(seconds);
        assert_eq!(memory.unread_for(Some(Level::Full), Level::Backward, now), None, "nothing was written");
        let full = Set { level: Level::Full, found: Level::Backward, own: false };
        memory.took(full, now);
        memory.took(full, later(3));
        let unread = memory.unread_for(Some(Level::Full), Level::Backward, later(4));
        assert_eq!(unread, Some(Duration::from_secs(4)), "since it was first taken");
        assert_eq!(memory.unread_for(Some(Level::Full), Level::Full, later(5)), None);
        assert_eq!(memory.shown.take(), Some(full), "it is told when it shows");
        assert_eq!(memory.unread_for(Some(Level::Full), Level::Backward, later(6)), None, "changed by someone else");
    }

    /// Schema and SubjectConfig are woken together: the level goes first.
    #[test]
    fn a_config_that_was_paused_or_only_planned_is_waited_for_until_it_was_looked_at_again() {
        let with_reason = |reason: &str| -> SubjectConfig {
            let ready = serde_json::json!({
                "type": "Ready", "status": "False", "reason": reason, "message": "",
                "lastTransitionTime": "2026-01-01T00:00:00Z",
            });
            serde_json::from_value(serde_json::json!({
                "metadata": {"name": "orders-value", "generation": 1},
                "spec": {"compatibility": "FULL"},
                "status": {"observedGeneration": 1, "conditions": [ready]},
            }))
            .unwrap()
        };
        let waits =
            |reason, is_paused, management| is_unsettled_where(&with_reason(reason), is_paused, Some(management));
        assert!(!waits("Planned", false, Management::Observe));
        assert!(waits("Planned", false, Management::Full), "it will be set now");
        assert!(!waits("Paused", true, Management::Full));
        assert!(waits("Paused", false, Management::Full), "not paused any more");
        assert!(!waits("InSync", false, Management::Full));
    }

    #[test]
    fn nobody_waits_for_a_config_that_is_being_deleted() {
        let spec: SubjectConfigSpec = serde_json::from_str("{}").unwrap();
        let mut config = SubjectConfig::new("orders-value", spec);
        assert!(is_unsettled_where(&config, false, None), "not looked at yet");
        // Deleting counts the generation up, and nothing looks at it any more; a finalizer may keep it for long.
        config.metadata.deletion_timestamp = Some(Time(Timestamp::UNIX_EPOCH));
        assert!(!is_unsettled_where(&config, false, None));
    }
}
