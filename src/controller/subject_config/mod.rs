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
use kube::runtime::controller::Action;
use tokio::time::Instant;

use super::context::Context;
use super::scope::key_of;
use super::status_write::{self, Written};
use crate::api::{Level, Reason, SubjectConfig, SubjectConfigStatus, condition, find_condition};
use plan::Plan;

/// What this process remembers of one SubjectConfig.
#[derive(Debug, Default)]
pub struct ConfigMemory {
    written: Option<Written<SubjectConfigStatus>>,
    /// A level that the registry took and that no reading showed yet, and since when.
    unread: Option<(Level, Instant)>,
    /// When someone else's level was changed back, which a status may not tell yet.
    put_backs: Vec<Time>,
}

impl ConfigMemory {
    /// How long a level that the registry took has not shown; none where it shows, or where another one is asked for.
    fn unread_for(&mut self, wanted: Option<Level>, in_force: Level, now: Instant) -> Option<Duration> {
        self.unread = self.unread.filter(|(level, _)| wanted == Some(*level) && in_force != *level);
        self.unread.map(|(_, since)| now.duration_since(since))
    }

    /// The registry took a level.
    fn took(&mut self, level: Level, now: Instant) {
        self.unread = self.unread.filter(|(known, _)| *known == level).or(Some((level, now)));
    }
}

/// A level that was sent to the registry, and the one that was in force before.
#[derive(Clone, Copy, Debug)]
struct Set {
    level: Level,
    found: Level,
}

/// Whether nothing is left to do or to tell about it.
pub fn is_converged(config: &SubjectConfig) -> bool {
    config.status.as_ref().is_some_and(|status| is_in_sync(config, status))
}

/// Whether a Schema of the subject has to wait for it: not looked at yet, or being worked on. It does not wait for a
/// level that in turn waits for the first version, nor for one that is paused or on its way out.
pub fn is_unsettled(config: &SubjectConfig) -> bool {
    if config.metadata.deletion_timestamp.is_some() {
        return false;
    }
    let Some(status) = &config.status else { return true };
    let ready = find_condition(&status.conditions, condition::READY);
    if ready.is_some_and(|ready| ready.reason == Reason::Paused.as_str()) {
        return false;
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
    let mut set = None;
    if let (Plan::Set(level), Some(session), Ok(subject)) = (&plan, &session, seen.subject.clone()) {
        set = seen.level().map(|found| Set { level: *level, found: found.level });
        if seen.is_put_back() {
            memory.own.put_backs.push(seen.now.clone());
            seen.put_backs.push(seen.now.clone());
        }
        apply::apply(*level, &mut seen, session, &subject, &mut memory.own).await;
        plan = plan::plan(&seen);
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
        memory.took(Level::Full, now);
        memory.took(Level::Full, later(3));
        let unread = memory.unread_for(Some(Level::Full), Level::Backward, later(4));
        assert_eq!(unread, Some(Duration::from_secs(4)), "since it was first taken");
        assert_eq!(memory.unread_for(Some(Level::Full), Level::Full, later(5)), None);
        assert_eq!(memory.unread_for(Some(Level::Full), Level::Backward, later(6)), None, "changed by someone else");
    }

    #[test]
    fn nobody_waits_for_a_config_that_is_being_deleted() {
        let spec: SubjectConfigSpec = serde_json::from_str("{}").unwrap();
        let mut config = SubjectConfig::new("orders-value", spec);
        assert!(is_unsettled(&config), "not looked at yet");
        // Deleting counts the generation up, and nothing looks at it any more; a finalizer may keep it for long.
        config.metadata.deletion_timestamp = Some(Time(Timestamp::UNIX_EPOCH));
        assert!(!is_unsettled(&config));
    }
}
