//! The status of a `SubjectConfig`, from what was seen and what is to be done. Pure.

use super::plan::{Blocked, Observed, PUT_BACKS_AN_HOUR, Plan, RegistrySeen, Wait};
use crate::api::{LevelStatus, Reason, SubjectConfigStatus};
use crate::compat::advice::Code;
use crate::controller::conditions::{Progress, Truth, Verdict, conditions, frozen, one_line};
use crate::controller::schema::plan::MISSING_UNTOLD;

/// The longest plan that the definition takes: a subject alone may be as long.
const MAX_PLAN: usize = 1024;

/// The status to write; none where what is reported stays as it is.
pub fn status(seen: &Observed, plan: &Plan, before: &SubjectConfigStatus) -> Option<SubjectConfigStatus> {
    let verdict = verdict(seen, plan);
    match plan {
        Plan::Keep => None,
        Plan::Wait(Wait::RegistryNotFound) if is_untold(seen) => None,
        Plan::Paused => {
            let conditions = frozen(&verdict, &before.conditions, before.observed_generation, &seen.now);
            Some(SubjectConfigStatus { conditions, ..before.clone() })
        }
        _ => Some(SubjectConfigStatus {
            observed_generation: Some(seen.generation),
            subject: seen.subject.as_ref().ok().map(ToString::to_string),
            compatibility: level(seen).or_else(|| before.compatibility.clone()),
            history: seen
                .history
                .clone()
                .or_else(|| before.history.clone().filter(|told| Some(told.level) == seen.wanted)),
            plan: match plan {
                Plan::Planned(level) => Some(one_line(&would_set(seen, &level.to_string()), MAX_PLAN)),
                _ => None,
            },
            put_backs: seen.put_backs.clone(),
            conditions: conditions(&verdict, &before.conditions, seen.generation, &seen.now),
        }),
    }
}

/// Whether the registry resource has not been missed for long: it may have gone with the namespace, or be on its way.
fn is_untold(seen: &Observed) -> bool {
    matches!(seen.registry, RegistrySeen::NotFound { missed_for } if missed_for < MISSING_UNTOLD)
}

fn level(seen: &Observed) -> Option<LevelStatus> {
    match &seen.registry {
        RegistrySeen::Read { level, .. } => {
            Some(LevelStatus { level: level.level, level_source: level.source.to_string() })
        }
        _ => None,
    }
}

/// The content of the conditions.
pub fn verdict(seen: &Observed, plan: &Plan) -> Verdict {
    let (ready, progress, reason) = match plan {
        Plan::Keep | Plan::Paused => (Truth::Unknown, Progress::Settled, Reason::Paused),
        Plan::InSync => (Truth::True, Progress::Settled, Reason::InSync),
        Plan::Set(_) => (Truth::False, Progress::Reconciling, Reason::Progressing),
        Plan::Planned(_) => (Truth::False, Progress::Settled, Reason::Planned),
        Plan::Wait(wait) => (Truth::False, Progress::Reconciling, wait_reason(wait)),
        Plan::Blocked(blocked) => (Truth::False, Progress::Stalled, blocked_reason(blocked)),
    };
    Verdict { ready, progress, reason, message: message(seen, plan), compatible: None, drifted: false }
}

fn wait_reason(wait: &Wait) -> Reason {
    match wait {
        Wait::RegistryNotFound => Reason::RegistryNotFound,
        Wait::RegistryAway(trouble) => trouble.reason,
        Wait::SubjectMissing => Reason::SubjectMissing,
        Wait::Readback => Reason::AwaitingReadback,
    }
}

fn blocked_reason(blocked: &Blocked) -> Reason {
    match blocked {
        Blocked::Conflict { .. } => Reason::SubjectConflict,
        Blocked::Subject(_) => Reason::InvalidSubject,
        Blocked::RegistryNotFound => Reason::RegistryNotFound,
        Blocked::RegistryTrouble(trouble) => trouble.reason,
        Blocked::ReadOnly(_) => Reason::RegistryReadOnly,
        Blocked::Refused(_) => Reason::RegistryError,
        Blocked::NotHeld { .. } | Blocked::FoughtOver { .. } => Reason::NotHeld,
    }
}

fn message(seen: &Observed, plan: &Plan) -> String {
    let subject = subject(seen);
    match plan {
        Plan::Paused | Plan::Keep => {
            let by = seen.paused_by.as_deref().unwrap_or("this resource");
            format!(
                "paused: nothing is looked at or written until the annotation schemaregistrar.dev/paused is removed from {by}"
            )
        }
        Plan::InSync => match (level(seen), seen.wanted) {
            (Some(level), None) => format!(
                "the level of subject {subject} is not managed (spec.compatibility is unset); {} is in force, from {}",
                level.level, level.level_source
            ),
            (Some(level), Some(_)) => format!("the level of subject {subject} is {}{}", level.level, broken(seen)),
            (None, _) => format!("the level of subject {subject} is as spec says"),
        },
        Plan::Set(level) => format!("setting the level of subject {subject} to {level} is under way"),
        Plan::Planned(level) => {
            format!("management is Observe, nothing was written: {}", would_set(seen, &level.to_string()))
        }
        Plan::Wait(wait) => waiting(seen, wait),
        Plan::Blocked(blocked) => blocked_message(seen, blocked),
    }
}

/// Said only where something is amiss: versions that break the level already, or nothing that could pass it.
fn broken(seen: &Observed) -> String {
    let Some(history) = &seen.history else { return String::new() };
    let frozen = history.advice.iter().find(|advice| advice.code == Code::SubjectFrozen.as_str());
    match frozen {
        Some(advice) => format!("; {}", advice.message),
        None if !history.violations.is_empty() => format!("; {}", history.summary),
        None => String::new(),
    }
}

fn waiting(seen: &Observed, wait: &Wait) -> String {
    match wait {
        Wait::RegistryNotFound => format!("waiting for SchemaRegistry {}, which is not there", seen.registry_name),
        Wait::RegistryAway(trouble) => format!("{}; retrying", trouble.message),
        Wait::Readback => format!(
            "registry {} took the level for subject {} and does not show it yet; looking again",
            seen.registry_name,
            subject(seen)
        ),
        Wait::SubjectMissing => format!(
            "registry {} takes no level before the first version of subject {}; it is set as soon as there is one",
            seen.registry_name,
            subject(seen)
        ),
    }
}

fn blocked_message(seen: &Observed, blocked: &Blocked) -> String {
    let (subject, registry) = (subject(seen), &seen.registry_name);
    match blocked {
        Blocked::Conflict { owner } => {
            format!(
                "the level of subject {subject} is owned by {owner}, which is older; delete one of the two, or name another subject"
            )
        }
        Blocked::Subject(why) => why.clone(),
        Blocked::RegistryNotFound => format!(
            "there is no SchemaRegistry {registry} in this namespace; create it, or create this resource anew with the right registryRef"
        ),
        Blocked::RegistryTrouble(trouble) => trouble.message.clone(),
        Blocked::ReadOnly(why) => format!(
            "registry {registry} takes no writes for subject {subject} ({}); the level is set once the mode is READWRITE",
            one_line(why, 300)
        ),
        Blocked::Refused(why) => {
            format!("registry {registry} does not take this level for subject {subject}: {}", one_line(why, 300))
        }
        Blocked::FoughtOver { in_force } => format!(
            "someone else {} the level of subject {subject}{}, again, after {} was put back {PUT_BACKS_AN_HOUR} times within an hour; find out who does, such as a SubjectConfig that reaches registry {registry} by another name, or {}",
            if is_own(seen) { "changed" } else { "removed" },
            if is_own(seen) { format!(" to {in_force}") } else { String::new() },
            seen.wanted.map(|level| level.to_string()).unwrap_or_default(),
            if is_own(seen) {
                format!("put {in_force} in spec.compatibility")
            } else {
                "leave spec.compatibility unset".to_owned()
            }
        ),
        Blocked::NotHeld { in_force } => format!(
            "registry {registry} took the level for subject {subject}, but {in_force} is still in force; this registry cannot override it for one subject: change the registry-wide level, or this spec"
        ),
    }
}

fn is_own(seen: &Observed) -> bool {
    seen.level().is_some_and(|level| level.own.is_some())
}

fn would_set(seen: &Observed, level: &str) -> String {
    format!("would set the level of subject {} to {level}", subject(seen))
}

/// The subject in a sentence.
pub fn subject(seen: &Observed) -> String {
    seen.subject.as_ref().map(|subject| subject.shown().into_owned()).unwrap_or_default()
}
