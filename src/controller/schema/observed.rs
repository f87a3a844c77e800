//! All that is known about one `Schema` when it is decided what to do: plain data, gathered by `observe`.

use std::time::Duration;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;

use crate::api::{Acknowledgement, Adoption, DriftPolicy, LevelVerdicts, Management, Mode, SchemaType};
use crate::compat::advice::Advice;
use crate::compat::content::Changes;
pub use crate::compat::history::Answer as EngineAnswer;
use crate::compat::levels::UpgradeOrder;
use crate::controller::ownership::Claim;
use crate::controller::trouble::Trouble;
use crate::registry::{LevelInForce, LevelSource, Refusal};
use crate::schema::{Fingerprint, SchemaId, Subject, SubjectError, TextError, Version};

/// What is known when a decision is made.
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
    /// What the resource asks for.
    pub spec: Spec,
    /// What the resource last brought about.
    pub last_applied: Option<Applied>,
    /// Whether the status as it stands is not of this generation, says that nobody looks, or that work is under way: it must
    /// not stay.
    pub unsettled_before: bool,
    /// When a foreign version was last put aside (`driftPolicy: Revert`), within the last hour.
    pub reverts: Vec<Time>,
    /// The name of the registry resource.
    pub registry_name: String,
    /// What the registry showed.
    pub registry: RegistrySeen,
    /// Where the SubjectConfig of the subject stands.
    pub config: ConfigSeen,
    /// A write was sent, and every reading since, for this long, has not shown it.
    pub unread_write: Option<Duration>,
    /// The version last applied was there, and every reading since, for this long, has not shown it.
    pub missing: Option<Duration>,
    /// What is left of the time in which a refusal is not reported yet, because spec or level only just changed.
    pub grace_left: Option<Duration>,
    /// What the registry answered to the candidate, in this reconcile.
    pub answer: Option<Answer>,
    /// How often in a row the registry failed over this candidate.
    pub failures: u32,
    /// What our own check says to the candidate, in this reconcile; in sync, to the latest version after those before.
    pub judged: Option<Judged>,
    /// Advice that is silenced: its code, and the path where only one is meant.
    pub acknowledged: Vec<Acknowledgement>,
}

/// What our own check says to the candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// Under the level in force.
    pub answer: EngineAnswer,
    /// What breaks the level in force.
    pub violations: Vec<Explained>,
    /// Under each of the seven levels; none where there is nothing to compare with.
    pub levels: Option<LevelVerdicts>,
    /// Who is upgraded first, where that can be told.
    pub order: Option<UpgradeOrder>,
    /// The versions that the level in force names.
    pub compared: Vec<Version>,
    /// What is worth knowing about the change from the newest version.
    pub advice: Vec<Advice>,
    /// Whether a candidate was compared; else the latest version, which is the spec.
    pub is_of_candidate: bool,
}

/// One thing that breaks, explained.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explained {
    /// The registry's name of the rule, where there is one.
    pub rule: Option<String>,
    /// Where in the schema.
    pub path: Option<String>,
    /// The version compared with.
    pub version: Option<Version>,
    /// What breaks, in one sentence.
    pub message: String,
    /// What would mend it.
    pub hint: Option<String>,
}

/// What the resource asks for.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The subject.
    pub subject: Result<Subject, SubjectError>,
    /// The format of the schema.
    pub schema_type: SchemaType,
    /// What identifies the schema, where its text can be read.
    pub fingerprint: Result<Fingerprint, TextError>,
    /// How versions of unknown making are met.
    pub adoption: Adoption,
    /// How a newer version by someone else is met.
    pub drift_policy: DriftPolicy,
}

/// What the resource last brought about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// What identifies the schema.
    pub fingerprint: Fingerprint,
    /// Its version.
    pub version: Version,
    /// Its id.
    pub id: SchemaId,
    /// What the registry keeps for it, where that is another text that it takes for the same schema.
    pub stored: Option<Fingerprint>,
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
    /// The subject was read.
    Read(Box<Reading>),
}

/// The subject, as the registry showed it.
#[derive(Clone, Debug)]
pub struct Reading {
    /// Whether the registry may be written to.
    pub management: Management,
    /// The latest live version; none where the subject is unknown.
    pub latest: Option<Latest>,
    /// The version that the registry says is the spec, where that is not the latest.
    pub spec_at: Option<Version>,
    /// Whether the latest version was read from a node that lags: the registry knows the spec as a newer one.
    pub lags: bool,
    /// Whether the version last applied is still there, with what was applied.
    pub applied_is_there: bool,
    /// The level in force.
    pub level: LevelInForce,
    /// The mode in force.
    pub mode: Mode,
    /// Whether the registry can make an older version the latest.
    pub can_make_latest: bool,
    /// Whether a subject keeps the format of its first version, whatever the level.
    pub one_type_a_subject: bool,
    /// Whether our own check can refuse a change, or only explain.
    pub engine_binds: bool,
    /// How the spec differs from the latest version, where that is for a person to look at.
    pub from_latest: Option<Changes>,
    /// What someone else's newer version changed and the spec does not have; none where that cannot be told.
    pub lost: Option<Changes>,
}

/// The latest version of the subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Latest {
    /// Its number.
    pub version: Version,
    /// Its id.
    pub id: SchemaId,
    /// Its format.
    pub schema_type: SchemaType,
    /// Whether it is what the spec says.
    pub sameness: Sameness,
    /// What identifies its text, where that can be read and is not the spec's.
    pub stored: Option<Fingerprint>,
}

/// Whether a version is what the spec says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sameness {
    /// Equal form.
    Same,
    /// Another form, but the registry takes the two for one schema and would not store the spec's.
    SameToRegistry,
    /// Another schema.
    Other,
}

/// Where the SubjectConfig of the subject stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfigSeen {
    /// There is none, or it is settled one way or the other.
    Settled,
    /// It is there, owns the subject, and was not looked at yet or is being worked on.
    Unsettled,
}

/// What the registry answered to the candidate.
#[derive(Clone, Debug)]
pub enum Answer {
    /// It would take it (only asked, nothing was written).
    WouldTake,
    /// It breaks the level in force.
    Incompatible {
        /// The registry's reasons.
        refusal: Refusal,
        /// The versions that it was compared with.
        compared: Vec<Version>,
    },
    /// It is not a schema.
    Invalid {
        /// The registry's words.
        message: String,
    },
    /// The mode takes no writes.
    ReadOnly {
        /// The registry's words.
        message: String,
    },
    /// It cannot be taken, whatever the level: too large, or a name that is not allowed.
    Refused {
        /// The registry's words.
        message: String,
    },
    /// The registry failed over this candidate.
    Failed {
        /// The registry's words.
        message: String,
    },
    /// The registry went away meanwhile.
    Away(Trouble),
}

impl Latest {
    /// The spec, as brought about by this version.
    pub fn applied(&self, fingerprint: Fingerprint) -> Applied {
        Applied { fingerprint, version: self.version, id: self.id, stored: self.stored.clone() }
    }
}

impl Observed {
    /// The subject as read, where it was read.
    pub fn reading(&self) -> Option<&Reading> {
        match &self.registry {
            RegistrySeen::Read(reading) => Some(reading),
            _ => None,
        }
    }

    /// Whether our own check finds that the candidate breaks the level in force, and may refuse it.
    pub fn engine_refuses(&self) -> bool {
        let breaks = self.judged.as_ref().is_some_and(|judged| judged.answer == EngineAnswer::Incompatible);
        breaks && self.reading().is_some_and(|reading| reading.engine_binds)
    }

    /// Whether the level is one that `management: Observe` keeps from being set.
    pub fn has_planned_level(&self) -> bool {
        self.reading().is_some_and(|reading| reading.level.source == LevelSource::Planned)
    }

    /// Whether the spec is something else than what was last applied.
    pub fn is_pending(&self) -> bool {
        let applied = self.last_applied.as_ref().map(|applied| &applied.fingerprint);
        applied != self.spec.fingerprint.as_ref().ok()
    }
}
