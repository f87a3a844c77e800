//! Decides what to do about one `SubjectConfig`. Total, no IO, no clock. The first rule that speaks wins.

use std::time::Duration;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;

use crate::api::{HistoryStatus, Level, Management, Mode};
use crate::controller::ownership::Claim;
use crate::controller::schema::plan::{MISSING_PATIENCE, READBACK_PATIENCE};
use crate::controller::trouble::Trouble;
use crate::registry::LevelInForce;
use crate::schema::{Subject, SubjectError};

/// How often an hour someone else's level is changed back before a person is asked.
pub const PUT_BACKS_AN_HOUR: usize = 3;

/// All that is known about one SubjectConfig.
#[derive(Clone, Debug)]
pub struct Observed {
    /// The generation of the resource that all of this speaks of.
    pub generation: i64,
    /// The time of the look.
    pub now: Time,
    /// What asks for nothing to be done: this resource, or the registry resource.
    pub paused_by: Option<String>,
    /// Who owns the subject.
    pub claim: Claim,
    /// The subject.
    pub subject: Result<Subject, SubjectError>,
    /// The level that is asked for; none: not managed.
    pub wanted: Option<Level>,
    /// Whether the level was in order at this generation when last reported.
    pub was_in_sync: bool,
    /// Whether the level was seen in force at this generation before.
    pub was_held: bool,
    /// When someone else's level was changed back to that of this generation, within the last hour.
    pub put_backs: Vec<Time>,
    /// The name of the registry resource.
    pub registry_name: String,
    /// What the registry showed.
    pub registry: RegistrySeen,
    /// How long ago the registry took the level, where every reading since has shown another.
    pub unread: Option<Duration>,
    /// What the registry answered to the level, in this reconcile.
    pub answer: Option<Answer>,
    /// How the versions stand to the level, once it is in force.
    pub history: Option<HistoryStatus>,
}

/// What the registry showed.
#[derive(Clone, Debug)]
pub enum RegistrySeen {
    /// Not at all: something earlier decides.
    NotLooked,
    /// There is no such registry resource that the resource may use.
    NotFound {
        /// Since it was first missed.
        missed_for: Duration,
    },
    /// The registry did not answer, or not usefully.
    Away(Trouble),
    /// The level and the mode were read.
    Read {
        /// Whether the registry may be written to.
        management: Management,
        /// The level in force.
        level: LevelInForce,
        /// The mode in force.
        mode: Mode,
    },
}

/// What the registry answered to the level.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// It took it.
    Stored,
    /// It takes none before the first version.
    SubjectMissing,
    /// The mode takes no writes.
    ReadOnly(String),
    /// It does not take this one.
    Refused(String),
    /// It went away meanwhile, or did not say what it did.
    Away(Trouble),
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq)]
pub enum Plan {
    /// Nothing, on request.
    Paused,
    /// Nothing: nothing is pending, and the registry's trouble is shown on the registry.
    Keep,
    /// Nothing: the level is as the spec says, or not managed.
    InSync,
    /// The level is to be set.
    Set(Level),
    /// `management: Observe`: the level would be set.
    Planned(Level),
    /// Nothing yet.
    Wait(Wait),
    /// Nothing, until a person decides.
    Blocked(Blocked),
}

/// What is waited for.
#[derive(Clone, Debug, PartialEq)]
pub enum Wait {
    /// The registry resource.
    RegistryNotFound,
    /// The registry.
    RegistryAway(Trouble),
    /// The first version of the subject.
    SubjectMissing,
    /// A level that was taken to show up.
    Readback,
}

/// Why a person has to decide.
#[derive(Clone, Debug, PartialEq)]
pub enum Blocked {
    /// Another resource owns the subject.
    Conflict {
        /// Which, as far as may be told.
        owner: String,
    },
    /// The subject cannot be addressed.
    Subject(String),
    /// `registryRef` names nothing.
    RegistryNotFound,
    /// The registry's trouble does not pass by itself.
    RegistryTrouble(Trouble),
    /// The mode takes no writes.
    ReadOnly(String),
    /// The registry does not take the level.
    Refused(String),
    /// The registry took the level, and another is in force.
    NotHeld {
        /// The level in force.
        in_force: Level,
    },
    /// Someone else changes the level again and again.
    FoughtOver {
        /// The level in force.
        in_force: Level,
    },
}

impl Observed {
    /// The level in force, where it was read.
    pub fn level(&self) -> Option<&LevelInForce> {
        read(self).map(|(level, _, _)| level)
    }

    /// Whether setting the level changes it back: it was in force at this generation already.
    pub fn is_put_back(&self) -> bool {
        self.was_in_sync || self.was_held || !self.put_backs.is_empty()
    }
}

/// What to do about the resource.
pub fn plan(seen: &Observed) -> Plan {
    RULES.iter().find_map(|rule| rule(seen)).unwrap_or(Plan::Keep)
}

type Rule = fn(&Observed) -> Option<Plan>;

const RULES: &[Rule] = &[
    paused,
    subject_conflict,
    registry_missing,
    invalid_subject,
    registry_away,
    not_managed,
    awaiting_readback,
    answered,
    in_sync,
    read_only,
    observed_only,
    fought_over,
    change,
];

/// Paused by annotation.
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

/// A subject that no registry can address.
fn invalid_subject(seen: &Observed) -> Option<Plan> {
    seen.subject.as_ref().err().map(|error| Plan::Blocked(Blocked::Subject(error.to_string())))
}

/// The registry is down: retried while there is something to do, else only the registry resource shows it.
fn registry_away(seen: &Observed) -> Option<Plan> {
    match &seen.registry {
        RegistrySeen::NotLooked => Some(Plan::Keep),
        RegistrySeen::Away(trouble) if seen.was_in_sync && !trouble.is_of_subject => Some(Plan::Keep),
        RegistrySeen::Away(trouble) => Some(away(trouble)),
        _ => None,
    }
}

fn away(trouble: &Trouble) -> Plan {
    let trouble = trouble.clone();
    if trouble.passes {
        Plan::Wait(Wait::RegistryAway(trouble))
    } else {
        Plan::Blocked(Blocked::RegistryTrouble(trouble))
    }
}

/// No level in spec: what the registry has stays.
fn not_managed(seen: &Observed) -> Option<Plan> {
    seen.wanted.is_none().then_some(Plan::InSync)
}

/// A read may come from a node that does not know of the write yet.
fn awaiting_readback(seen: &Observed) -> Option<Plan> {
    read(seen)?;
    seen.unread.is_some_and(|unread| unread < READBACK_PATIENCE).then_some(Plan::Wait(Wait::Readback))
}

/// The registry was written to: what it then showed counts, whatever it answered.
fn answered(seen: &Observed) -> Option<Plan> {
    let answer = seen.answer.as_ref()?;
    let (level, _, _) = read(seen)?;
    Some(match answer {
        Answer::Stored if seen.wanted == Some(level.level) => Plan::InSync,
        Answer::Stored => Plan::Blocked(Blocked::NotHeld { in_force: level.level }),
        Answer::SubjectMissing => Plan::Wait(Wait::SubjectMissing),
        Answer::ReadOnly(why) => Plan::Blocked(Blocked::ReadOnly(why.clone())),
        Answer::Refused(why) => Plan::Blocked(Blocked::Refused(why.clone())),
        Answer::Away(trouble) => away(trouble),
    })
}

/// The subject has the level of its own.
fn in_sync(seen: &Observed) -> Option<Plan> {
    let (level, _, _) = read(seen)?;
    (level.own == seen.wanted).then_some(Plan::InSync)
}

/// READONLY takes no level. (IMPORT and FORWARD do.)
fn read_only(seen: &Observed) -> Option<Plan> {
    use crate::api::Mode::{Readonly, ReadonlyOverride};
    let (_, mode, _) = read(seen)?;
    let refuses = matches!(mode, Readonly | ReadonlyOverride);
    refuses.then(|| Plan::Blocked(Blocked::ReadOnly(format!("the mode is {mode}"))))
}

/// `management: Observe`: nothing is written.
fn observed_only(seen: &Observed) -> Option<Plan> {
    let (_, _, management) = read(seen)?;
    seen.wanted.filter(|_| management == Management::Observe).map(Plan::Planned)
}

/// Someone else sets another level whenever it is put back, such as the operator itself by another resource, where the
/// registry has two names.
fn fought_over(seen: &Observed) -> Option<Plan> {
    let (level, _, _) = read(seen)?;
    // One of our own that does not show is nobody's change.
    let too_often = seen.put_backs.len() >= PUT_BACKS_AN_HOUR && seen.unread.is_none();
    too_often.then_some(Plan::Blocked(Blocked::FoughtOver { in_force: level.level }))
}

/// The level differs: set, or put back where someone else changed it.
fn change(seen: &Observed) -> Option<Plan> {
    read(seen)?;
    seen.wanted.map(Plan::Set)
}

fn read(seen: &Observed) -> Option<(&LevelInForce, Mode, Management)> {
    match &seen.registry {
        RegistrySeen::Read { management, level, mode } => Some((level, *mode, *management)),
        _ => None,
    }
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
