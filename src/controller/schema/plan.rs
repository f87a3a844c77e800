//! Decides what to do about one `Schema`.
//!
//! Total, no IO, no clock: all it needs is in [`Observed`]. The first rule that speaks wins; their order is the
//! precedence in the design. A rule that speaks only when there is a change to make stands in [`CHANGE_RULES`].

use std::time::Duration;

use super::decision::{Blocked, Change, InSync, Plan, Refused, RevertHindrance, Step, Wait};
use super::observed::{Answer, ConfigSeen, Latest, Observed, Reading, RegistrySeen, Sameness};
use crate::api::{Adoption, DriftPolicy, Level, Management};
use crate::compat::content::Changes;
use crate::controller::ownership::Claim;
use crate::controller::trouble::Trouble;
use crate::registry::Refusal;
use crate::schema::Version;

/// How long a missing registry resource is waited for before it is called a mistake.
pub const MISSING_PATIENCE: Duration = Duration::from_secs(30);
/// How long nothing is said of a missing registry resource: of a namespace that is deleted it goes first, and all else
/// within this time; of one that is applied it may come last.
pub const MISSING_UNTOLD: Duration = Duration::from_secs(5);
/// How long a write may stay unseen in a registry that can be read, before it is taken as never made.
pub const READBACK_PATIENCE: Duration = Duration::from_secs(10);
/// How often a registry may fail over a candidate before a person is asked.
pub const FAILURE_TRIES: u32 = 3;
/// How often an hour a foreign version is put aside before a person is asked.
pub const REVERTS_AN_HOUR: usize = 3;

/// When something else is said of a registry resource that has been missed for so long.
pub fn until_more_is_said(missed_for: Duration) -> Duration {
    let next = if missed_for < MISSING_UNTOLD { MISSING_UNTOLD } else { MISSING_PATIENCE };
    next.saturating_sub(missed_for)
}

/// What to do about the resource.
pub fn plan(seen: &Observed) -> Plan {
    first(RULES, seen).unwrap_or_else(|| make(seen, next_version(seen)))
}

type Rule = fn(&Observed) -> Option<Plan>;
type ChangeRule = fn(&Observed, Change) -> Option<Plan>;

const RULES: &[Rule] = &[
    paused,
    subject_conflict,
    registry_missing,
    invalid_text,
    registry_away,
    awaiting_readback,
    in_sync,
    version_missing,
    drifted,
    not_adopted,
    overwrites_foreign,
    rollback,
];

const CHANGE_RULES: &[ChangeRule] =
    &[waiting_for_config, read_only, type_is_fixed, judge_first, ask_first, observed_only, grace, verdict];

fn first(rules: &[Rule], seen: &Observed) -> Option<Plan> {
    rules.iter().find_map(|rule| rule(seen))
}

/// A change is to be made: what stands in its way, else the request.
fn make(seen: &Observed, change: Change) -> Plan {
    CHANGE_RULES.iter().find_map(|rule| rule(seen, change)).unwrap_or(Plan::Act(Step::Register(change)))
}

/// Paused by annotation: nothing is read or written.
fn paused(seen: &Observed) -> Option<Plan> {
    seen.paused_by.is_some().then_some(Plan::Paused)
}

/// Two resources for one subject: the oldest owns it.
fn subject_conflict(seen: &Observed) -> Option<Plan> {
    match &seen.claim {
        Claim::Owner => None,
        Claim::Conflict { owner } => Some(Plan::Blocked(Blocked::Conflict { owner: owner.clone() })),
    }
}

/// `registryRef` names something missing or not allowed: waited for, then a mistake.
fn registry_missing(seen: &Observed) -> Option<Plan> {
    match seen.registry {
        RegistrySeen::NotFound { missed_for } if missed_for < MISSING_PATIENCE => {
            Some(Plan::Wait(Wait::RegistryNotFound))
        }
        RegistrySeen::NotFound { .. } => Some(Plan::Blocked(Blocked::RegistryNotFound)),
        _ => None,
    }
}

/// Text or subject that no registry can take.
fn invalid_text(seen: &Observed) -> Option<Plan> {
    let subject = seen.spec.subject.as_ref().err().map(|error| Refused::Subject(error.to_string()));
    let text = seen.spec.fingerprint.as_ref().err().map(|error| Refused::Text(error.to_string()));
    subject.or(text).map(Plan::Refused)
}

/// The registry is down: retried when work is pending, or when the status is not of this generation or still says that
/// nobody looks; else only the registry resource shows it, unless it is about this subject alone.
fn registry_away(seen: &Observed) -> Option<Plan> {
    let trouble = match &seen.registry {
        RegistrySeen::Read(_) | RegistrySeen::NotFound { .. } => return None,
        RegistrySeen::NotLooked => return Some(Plan::Keep),
        RegistrySeen::Away(trouble) => trouble,
    };
    let is_work_pending = seen.is_pending() || seen.unread_write.is_some() || seen.unsettled_before;
    let is_to_be_told = is_work_pending || trouble.is_of_subject;
    Some(if is_to_be_told { away(trouble.clone()) } else { Plan::Keep })
}

fn away(trouble: Trouble) -> Plan {
    if trouble.passes {
        Plan::Wait(Wait::RegistryAway(trouble))
    } else {
        Plan::Blocked(Blocked::RegistryTrouble(trouble))
    }
}

/// A write's outcome is unknown, or the reading is older than it or contradicts itself: never write twice.
fn awaiting_readback(seen: &Observed) -> Option<Plan> {
    let lags = reading(seen).is_some_and(|reading| reading.lags);
    let unread = seen.unread_write.is_some_and(|unread| !latest_is_spec(seen) && unread < READBACK_PATIENCE);
    (lags || unread).then_some(Plan::Wait(Wait::Readback))
}

/// The latest version is the spec.
fn in_sync(seen: &Observed) -> Option<Plan> {
    match latest(seen)?.sameness {
        Sameness::Same => Some(Plan::InSync(InSync::Latest)),
        Sameness::SameToRegistry => Some(Plan::InSync(InSync::LatestToRegistry)),
        Sameness::Other => None,
    }
}

/// The version last applied, or the whole subject, is gone: nothing is written over whoever did that. A node that lags
/// does not know of the version yet, and is given the time to.
fn version_missing(seen: &Observed) -> Option<Plan> {
    let applied = seen.last_applied.as_ref()?;
    if reading(seen)?.applied_is_there {
        return None;
    }
    if seen.missing.is_some_and(|missing| missing < READBACK_PATIENCE) {
        return Some(Plan::Wait(Wait::Readback));
    }
    Some(Plan::Blocked(Blocked::VersionMissing { applied: applied.version }))
}

/// The spec is what was last applied, and someone else registered a newer version.
fn drifted(seen: &Observed) -> Option<Plan> {
    let applied = seen.last_applied.as_ref().filter(|_| !seen.is_pending())?.version;
    let latest = latest(seen).map(|latest| latest.version).filter(|latest| *latest > applied)?;
    let hindrance = match seen.spec.drift_policy {
        DriftPolicy::Ignore => return Some(Plan::InSync(InSync::Superseded)),
        DriftPolicy::Report => RevertHindrance::NotAsked,
        DriftPolicy::Revert if !reading(seen)?.can_make_latest => RevertHindrance::CannotMakeLatest,
        DriftPolicy::Revert if seen.reverts.len() >= REVERTS_AN_HOUR => RevertHindrance::TooOften,
        DriftPolicy::Revert => return Some(make(seen, Change::Revert(applied))),
    };
    Some(Plan::Blocked(Blocked::Drifted { latest, revert: hindrance }))
}

/// A new resource whose spec is an older version, or not in the history: stale YAML never moves a subject backwards.
fn not_adopted(seen: &Observed) -> Option<Plan> {
    if seen.last_applied.is_some() {
        return None;
    }
    let latest = latest(seen)?.version;
    match (reading(seen)?.spec_at, seen.spec.adoption) {
        (Some(spec_at), _) => Some(not_latest(seen, spec_at, latest)),
        (None, Adoption::IfLatest) => Some(Plan::Blocked(Blocked::NotAdopted { latest })),
        (None, Adoption::Update) => None,
    }
}

/// The spec changed while the latest version is someone else's, and does not have all that it changed.
fn overwrites_foreign(seen: &Observed) -> Option<Plan> {
    let applied = seen.last_applied.as_ref()?.version;
    let latest = latest(seen)?.version;
    let keeps_all = reading(seen)?.lost.as_ref().is_some_and(Changes::is_empty);
    let foreign = latest > applied && seen.spec.adoption != Adoption::Update && !keeps_all;
    foreign.then_some(Plan::Blocked(Blocked::OverwritesForeign { latest }))
}

/// The spec is an older version of what this resource made: made the latest again, where the registry can.
fn rollback(seen: &Observed) -> Option<Plan> {
    let spec_at = reading(seen)?.spec_at?;
    let latest = latest(seen)?.version;
    let was_ours = seen.last_applied.as_ref().is_some_and(|applied| spec_at < applied.version);
    Some(if was_ours && reading(seen)?.can_make_latest {
        make(seen, Change::Rollback(spec_at))
    } else {
        not_latest(seen, spec_at, latest)
    })
}

fn not_latest(seen: &Observed, spec_at: Version, latest: Version) -> Plan {
    let can_make_latest = reading(seen).is_some_and(|reading| reading.can_make_latest);
    Plan::Blocked(Blocked::NotLatest { spec_at, latest, can_make_latest })
}

/// One commit may change both level and schema: the SubjectConfig goes first.
fn waiting_for_config(seen: &Observed, _: Change) -> Option<Plan> {
    (seen.config == ConfigSeen::Unsettled).then_some(Plan::Wait(Wait::Config))
}

/// READONLY, READONLY_OVERRIDE, IMPORT and FORWARD take no plain register.
fn read_only(seen: &Observed, _: Change) -> Option<Plan> {
    if let Some(Answer::ReadOnly { message }) = &seen.answer {
        return Some(Plan::Blocked(Blocked::ReadOnly(message.clone())));
    }
    let mode = reading(seen)?.mode;
    (!mode.takes_writes()).then(|| Plan::Blocked(Blocked::ReadOnly(format!("the mode is {mode}"))))
}

/// Under NONE, a registry that keeps one format a subject stores another one all the same, and serves it as the first.
/// Under other levels it is refused like any change.
fn type_is_fixed(seen: &Observed, _: Change) -> Option<Plan> {
    let (reading, latest) = (reading(seen)?, latest(seen)?);
    let (from, to) = (latest.schema_type, seen.spec.schema_type);
    let changes = reading.one_type_a_subject && reading.level.level == Level::None && from != to;
    changes.then(|| {
        Plan::Refused(Refused::NotTaken(format!(
            "the schema type changes from {from} to {to}, and this registry keeps one type for a subject, whatever the level; register it as another subject"
        )))
    })
}

/// Where there are versions to compare with, our own check looks first.
fn judge_first(seen: &Observed, change: Change) -> Option<Plan> {
    let nothing_known = change != Change::First && seen.judged.is_none() && seen.answer.is_none();
    nothing_known.then_some(Plan::Act(Step::Judge(change)))
}

/// What our own check refuses is not registered; the registry is asked without writing, so that both views are told.
fn ask_first(seen: &Observed, change: Change) -> Option<Plan> {
    let asks = seen.engine_refuses() && seen.answer.is_none() && !seen.has_planned_level();
    asks.then_some(Plan::Act(Step::Check(change)))
}

/// `management: Observe`: the registry's check is asked where it can say no, and nothing is written.
fn observed_only(seen: &Observed, change: Change) -> Option<Plan> {
    let reading = reading(seen)?;
    if reading.management == Management::Full {
        return None;
    }
    // Of a first version the text alone is looked at.
    let nothing_to_ask = change != Change::First && reading.level.level == Level::None;
    if seen.has_planned_level() && change != Change::First {
        // The registry's check knows of the level in force only.
        return Some(match (seen.engine_refuses(), seen.grace_left) {
            (true, Some(left)) => Plan::Wait(Wait::Grace { left }),
            (true, None) => Plan::Refused(Refused::ByEngine),
            (false, _) => Plan::Planned(Step::Register(change)),
        });
    }
    match &seen.answer {
        None if nothing_to_ask => Some(Plan::Planned(Step::Register(change))),
        None => Some(Plan::Act(Step::Check(change))),
        Some(Answer::WouldTake) if !seen.engine_refuses() => Some(Plan::Planned(Step::Register(change))),
        Some(_) => None,
    }
}

/// A refusal right after a change of spec or level gets one more look before it is reported.
fn grace(seen: &Observed, _: Change) -> Option<Plan> {
    let is_refused = match seen.answer {
        Some(Answer::Incompatible { .. }) => true,
        Some(Answer::WouldTake) => seen.engine_refuses(),
        _ => false,
    };
    let left = seen.grace_left.filter(|_| is_refused)?;
    Some(Plan::Wait(Wait::Grace { left }))
}

/// What the registry said to the candidate.
fn verdict(seen: &Observed, _: Change) -> Option<Plan> {
    Some(match seen.answer.as_ref()? {
        Answer::Incompatible { refusal, compared } => {
            Plan::Refused(Refused::Incompatible { refusal: refusal.clone(), compared: compared.clone() })
        }
        Answer::Invalid { message } => {
            another_type(seen).unwrap_or_else(|| Plan::Refused(Refused::Invalid(message.clone())))
        }
        Answer::Refused { message } | Answer::ReadOnly { message } => Plan::Refused(Refused::NotTaken(message.clone())),
        Answer::Failed { message } => failed(seen, message),
        Answer::Away(trouble) => away(trouble.clone()),
        Answer::WouldTake if seen.engine_refuses() => Plan::Refused(Refused::ByEngine),
        Answer::WouldTake => return None,
    })
}

/// The registry failed over this candidate alone: some tries, then a person. Another schema type is a known cause.
fn failed(seen: &Observed, message: &str) -> Plan {
    if let Some(refused) = another_type(seen) {
        return refused;
    }
    let message = message.to_owned();
    if seen.failures < FAILURE_TRIES {
        Plan::Wait(Wait::RegistryFailed { message })
    } else {
        Plan::Blocked(Blocked::RegistryFails { message })
    }
}

/// Under any level but NONE a subject keeps its schema type. Apicurio fails over such a change (500), or cannot read the
/// text as what it is said to be (422).
fn another_type(seen: &Observed) -> Option<Plan> {
    let (latest, level) = (latest(seen)?, reading(seen)?.level.level);
    if latest.schema_type == seen.spec.schema_type || level == Level::None {
        return None;
    }
    let message = format!("the schema type changes from {} to {}", latest.schema_type, seen.spec.schema_type);
    let refusal = Refusal { message, violations: Vec::new() };
    Some(Plan::Refused(Refused::Incompatible { refusal, compared: vec![latest.version] }))
}

fn next_version(seen: &Observed) -> Change {
    if latest(seen).is_some() { Change::Next } else { Change::First }
}

fn reading(seen: &Observed) -> Option<&Reading> {
    seen.reading()
}

fn latest(seen: &Observed) -> Option<&Latest> {
    reading(seen)?.latest.as_ref()
}

fn latest_is_spec(seen: &Observed) -> bool {
    latest(seen).is_some_and(|latest| latest.sameness != Sameness::Other)
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
