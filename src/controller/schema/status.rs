//! The status that follows from what was seen and what is to be done. Pure.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, Time};

use super::decision::{Blocked, InSync, Plan, Refused, Wait};
use super::observed::{Applied, Explained, Observed, RegistrySeen};
use super::plan::MISSING_UNTOLD;
use super::{advice, words};
use crate::api::{CompatibilityStatus, LastApplied, Reason, SchemaStatus, ViolationStatus, condition, find_condition};
use crate::controller::conditions::{Progress, Truth, Verdict, conditions, frozen, one_line};
use crate::schema::{Fingerprint, SchemaId, Version};

/// How many violations are listed; the summary counts them all.
const MAX_VIOLATIONS: usize = 10;
/// The longest plan that the definition takes: a subject alone may be as long.
const MAX_PLAN: usize = 1024;

/// The status to write; none where what is reported stays as it is.
pub fn status(seen: &Observed, plan: &Plan, before: &SchemaStatus) -> Option<SchemaStatus> {
    match plan {
        Plan::Keep => None,
        Plan::Wait(Wait::RegistryNotFound) if is_untold(seen) => None,
        // A refusal is not reported within the grace, and neither is anything else about the change.
        Plan::Wait(Wait::Grace { .. }) => None,
        Plan::Paused => Some(paused(seen, before)),
        _ => Some(reported(seen, plan, before)),
    }
}

/// Whether the registry resource has not been missed for long: it may have gone with the namespace, or be on its way.
fn is_untold(seen: &Observed) -> bool {
    matches!(seen.registry, RegistrySeen::NotFound { missed_for } if missed_for < MISSING_UNTOLD)
}

/// Everything stays, of the generation that it was said of, but Ready says that nobody looks.
fn paused(seen: &Observed, before: &SchemaStatus) -> SchemaStatus {
    // Compatible is among what stays.
    let verdict = Verdict { compatible: None, ..verdict(seen, &Plan::Paused) };
    let mut all = frozen(&verdict, &before.conditions, before.observed_generation, &seen.now);
    let kept = |condition: &&Condition| [condition::COMPATIBLE, condition::DRIFTED].contains(&condition.type_.as_str());
    all.extend(before.conditions.iter().filter(kept).cloned());
    SchemaStatus { conditions: all, ..before.clone() }
}

fn reported(seen: &Observed, plan: &Plan, before: &SchemaStatus) -> SchemaStatus {
    let last_applied = last_applied(seen, plan);
    let fingerprint = seen.spec.fingerprint.as_ref().ok();
    let is_applied = fingerprint == last_applied.as_ref().map(|applied| &applied.fingerprint);
    let (latest_version, id) = latest(seen, before);
    let last_applied_status = last_applied.as_ref().map(applied_status);
    // What was said of a change holds for as long as that change is the last one, and none was refused meanwhile.
    let is_told = is_applied && before.candidate.is_none() && before.last_applied == last_applied_status;
    let told = is_told.then_some(before);
    SchemaStatus {
        observed_generation: Some(seen.generation),
        subject: seen.spec.subject.as_ref().ok().map(ToString::to_string),
        latest_version,
        id,
        last_applied: last_applied_status,
        candidate: fingerprint.filter(|_| !is_applied).map(|fingerprint| fingerprint.as_str().to_owned()),
        compatibility: compatibility(seen, plan, before, told),
        plan: match plan {
            Plan::Planned(step) => Some(one_line(&words::planned(seen, *step), MAX_PLAN)),
            _ => None,
        },
        reverts: recent_reverts(seen),
        advice: advice::advice(seen, plan, told),
        conditions: conditions(&verdict(seen, plan), &before.conditions, seen.generation, &seen.now),
    }
}

/// What the resource brought about: the latest version if that is the spec, else as before.
fn last_applied(seen: &Observed, plan: &Plan) -> Option<Applied> {
    let in_sync = matches!(plan, Plan::InSync(InSync::Latest | InSync::LatestToRegistry));
    let latest = seen.reading().and_then(|reading| reading.latest.as_ref()).filter(|_| in_sync);
    match (latest, &seen.spec.fingerprint) {
        (Some(latest), Ok(fingerprint)) => Some(latest.applied(fingerprint.clone())),
        _ => seen.last_applied.clone(),
    }
}

/// The latest version as read, else as last read.
fn latest(seen: &Observed, before: &SchemaStatus) -> (Option<i64>, Option<i64>) {
    match seen.reading() {
        Some(reading) => {
            let latest = reading.latest.as_ref();
            (latest.map(|latest| latest.version.number()), latest.map(|latest| latest.id.0))
        }
        None => (before.latest_version, before.id),
    }
}

fn recent_reverts(seen: &Observed) -> Vec<Time> {
    seen.reverts.clone()
}

fn compatibility(
    seen: &Observed,
    plan: &Plan,
    before: &SchemaStatus,
    told: Option<&SchemaStatus>,
) -> Option<CompatibilityStatus> {
    let level = match seen.reading() {
        Some(reading) => CompatibilityStatus {
            level: Some(reading.level.level),
            level_source: Some(reading.level.source.to_string()),
            ..CompatibilityStatus::default()
        },
        None => {
            let before = before.compatibility.as_ref()?;
            CompatibilityStatus {
                level: before.level,
                level_source: before.level_source.clone(),
                ..CompatibilityStatus::default()
            }
        }
    };
    let level = with_judgement(seen, told, level);
    Some(match plan {
        Plan::InSync(_) => CompatibilityStatus { compatible: Some(true), ..level },
        Plan::Refused(Refused::Incompatible { refusal, compared }) => CompatibilityStatus {
            compatible: Some(false),
            compared_versions: Some(words::versions(compared)),
            summary: Some(words::incompatible(seen, refusal, compared)),
            violations: violations(&words::explained(seen, refusal), compared),
            ..level
        },
        Plan::Refused(Refused::ByEngine) => CompatibilityStatus {
            compatible: Some(false),
            compared_versions: Some(words::versions(words::compared(seen))).filter(|versions| !versions.is_empty()),
            summary: Some(words::by_engine(seen)),
            violations: violations(&words::by_engine_violations(seen), &[]),
            ..level
        },
        _ => level,
    })
}

/// What every level says to the change, and who is upgraded first: as judged now, else as told before of the same version.
fn with_judgement(seen: &Observed, told: Option<&SchemaStatus>, level: CompatibilityStatus) -> CompatibilityStatus {
    let told = told.and_then(|told| told.compatibility.as_ref());
    match &seen.judged {
        Some(judged) => CompatibilityStatus {
            levels: judged.levels,
            upgrade_order: judged.order.map(|order| order.as_str().to_owned()),
            ..level
        },
        None => CompatibilityStatus {
            levels: told.and_then(|told| told.levels),
            upgrade_order: told.and_then(|told| told.upgrade_order.clone()),
            ..level
        },
    }
}

fn violations(all: &[Explained], compared: &[Version]) -> Vec<ViolationStatus> {
    // Not every registry says which version a reason is about; with one version there is no question.
    let only = compared.first().filter(|_| compared.len() == 1);
    let listed = all.iter().take(MAX_VIOLATIONS);
    listed
        .map(|violation| ViolationStatus {
            hint: violation.hint.as_deref().map(|hint| one_line(hint, 300)),
            message: one_line(&violation.message, 300),
            path: violation.path.as_deref().map(|path| one_line(path, 200)),
            rule: violation.rule.as_deref().map(|rule| one_line(rule, 100)),
            version: violation.version.or(only.copied()).map(Version::number),
        })
        .collect()
}

fn applied_status(applied: &Applied) -> LastApplied {
    LastApplied {
        fingerprint: applied.fingerprint.as_str().to_owned(),
        version: applied.version.number(),
        id: applied.id.0,
        stored: applied.stored.as_ref().map(|stored| stored.as_str().to_owned()),
    }
}

/// What a status says was last applied.
pub fn applied_from(status: &SchemaStatus) -> Option<Applied> {
    let applied = status.last_applied.as_ref()?;
    Some(Applied {
        fingerprint: Fingerprint::from_status(&applied.fingerprint),
        version: Version::new(applied.version)?,
        id: SchemaId(applied.id),
        stored: applied.stored.as_deref().map(Fingerprint::from_status),
    })
}

/// Whether the status says that all is well.
pub fn is_ready(status: &SchemaStatus) -> bool {
    find_condition(&status.conditions, condition::READY).is_some_and(|ready| ready.status == "True")
}

/// Whether the status says that nobody looks (paused), or that work is under way.
pub fn is_unsettled(status: &SchemaStatus) -> bool {
    let ready = find_condition(&status.conditions, condition::READY);
    ready.is_some_and(|ready| ready.reason == Reason::Paused.as_str())
        || find_condition(&status.conditions, condition::RECONCILING).is_some()
}

/// The conditions' content, a line a row of the design's table.
pub fn verdict(seen: &Observed, plan: &Plan) -> Verdict {
    let (ready, progress, reason) = match plan {
        Plan::Keep | Plan::Paused => (Truth::Unknown, Progress::Settled, Reason::Paused),
        Plan::InSync(InSync::Superseded) => (Truth::True, Progress::Settled, Reason::Superseded),
        Plan::InSync(_) => (Truth::True, Progress::Settled, Reason::InSync),
        Plan::Act(_) => (Truth::False, Progress::Reconciling, Reason::Progressing),
        Plan::Planned(_) => (Truth::False, Progress::Settled, Reason::Planned),
        Plan::Wait(wait) => (Truth::False, Progress::Reconciling, wait_reason(wait)),
        Plan::Refused(refused) => (Truth::False, Progress::Stalled, refused_reason(refused)),
        Plan::Blocked(blocked) => (Truth::False, Progress::Stalled, blocked.reason()),
    };
    let compatible = match plan {
        Plan::InSync(_) => Truth::True,
        Plan::Refused(Refused::Incompatible { .. } | Refused::ByEngine) => Truth::False,
        _ => Truth::Unknown,
    };
    Verdict {
        ready,
        progress,
        reason,
        message: words::message(seen, plan),
        compatible: Some((compatible, reason, words::compatible(seen, plan))),
        drifted: matches!(plan, Plan::Blocked(Blocked::Drifted { .. })),
    }
}

fn wait_reason(wait: &Wait) -> Reason {
    match wait {
        Wait::RegistryNotFound => Reason::RegistryNotFound,
        Wait::RegistryAway(trouble) => trouble.reason,
        Wait::Readback => Reason::AwaitingReadback,
        Wait::Config => Reason::WaitingForConfig,
        Wait::Grace { .. } => Reason::Progressing,
        Wait::RegistryFailed { .. } => Reason::RegistryError,
    }
}

fn refused_reason(refused: &Refused) -> Reason {
    match refused {
        Refused::Incompatible { .. } => Reason::Incompatible,
        Refused::ByEngine => Reason::RefusedByEngine,
        Refused::Subject(_) => Reason::InvalidSubject,
        Refused::Text(_) | Refused::Invalid(_) | Refused::NotTaken(_) => Reason::InvalidSchema,
    }
}
