//! What can be decided about one `Schema`, and why.

use std::time::Duration;

use crate::api::Reason;
use crate::controller::trouble::Trouble;
use crate::registry::{Placement, Refusal};
use crate::schema::Version;

/// What is to be done.
#[derive(Clone, Debug, PartialEq)]
pub enum Plan {
    /// Nothing, on request.
    Paused,
    /// Nothing: nothing is pending, and the registry's trouble is shown on the registry.
    Keep,
    /// Nothing: the registry is as the spec says.
    InSync(InSync),
    /// A request that may change the registry, or a question to it.
    Act(Step),
    /// `management: Observe`: what would be done.
    Planned(Step),
    /// Nothing yet.
    Wait(Wait),
    /// Nothing: the candidate cannot be registered.
    Refused(Refused),
    /// Nothing, until a person decides.
    Blocked(Blocked),
}

/// Why all is well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InSync {
    /// The latest version is the spec.
    Latest,
    /// The registry takes the latest version for the spec, though it holds another text.
    LatestToRegistry,
    /// A newer version by someone else is accepted.
    Superseded,
}

/// A request to the registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Compare with the live versions, by our own check.
    Judge(Change),
    /// Only ask whether the change would be taken.
    Check(Change),
    /// Register the spec.
    Register(Change),
}

/// What kind of change is to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The first version of the subject.
    First,
    /// A further version.
    Next,
    /// An older version is made the latest again.
    Rollback(Version),
    /// The version last applied is made the latest again, over someone else's.
    Revert(Version),
}

/// What is waited for.
#[derive(Clone, Debug, PartialEq)]
pub enum Wait {
    /// The registry resource.
    RegistryNotFound,
    /// The registry.
    RegistryAway(Trouble),
    /// A write to show up.
    Readback,
    /// The subject's SubjectConfig.
    Config,
    /// The rest of one commit: spec or level only just changed.
    Grace {
        /// When to look again.
        left: Duration,
    },
    /// Another try after the registry failed over the candidate.
    RegistryFailed {
        /// The registry's words.
        message: String,
    },
}

/// Why the candidate cannot be registered.
#[derive(Clone, Debug, PartialEq)]
pub enum Refused {
    /// It breaks the level in force.
    Incompatible {
        /// What breaks.
        refusal: Refusal,
        /// The versions that it was compared with.
        compared: Vec<Version>,
    },
    /// The registry would take it; our own check finds that it breaks the level in force.
    ByEngine,
    /// The subject cannot be addressed.
    Subject(String),
    /// The text cannot be read.
    Text(String),
    /// The registry cannot read the text.
    Invalid(String),
    /// The registry cannot take it, whatever the level.
    NotTaken(String),
}

/// Why a person has to decide.
#[derive(Clone, Debug, PartialEq)]
pub enum Blocked {
    /// Another resource owns the subject.
    Conflict {
        /// Which, as far as may be told.
        owner: String,
    },
    /// `registryRef` names nothing.
    RegistryNotFound,
    /// The registry's trouble does not pass by itself.
    RegistryTrouble(Trouble),
    /// The version last applied is gone.
    VersionMissing {
        /// That version.
        applied: Version,
    },
    /// Someone else registered a newer version.
    Drifted {
        /// The newer version.
        latest: Version,
        /// Why the policy Revert does not put it aside.
        revert: RevertHindrance,
    },
    /// The spec is an older version.
    NotLatest {
        /// That version.
        spec_at: Version,
        /// The latest.
        latest: Version,
        /// Whether the registry could make it the latest.
        can_make_latest: bool,
    },
    /// The subject has versions that this resource did not make.
    NotAdopted {
        /// The latest.
        latest: Version,
    },
    /// A change, while the latest version is someone else's.
    OverwritesForeign {
        /// The latest.
        latest: Version,
    },
    /// The mode takes no writes.
    ReadOnly(String),
    /// The registry keeps failing over this candidate.
    RegistryFails {
        /// The registry's words.
        message: String,
    },
}

/// Why a foreign version is not put aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RevertHindrance {
    /// The policy does not ask for it.
    NotAsked,
    /// The registry has no way to make an older version the latest.
    CannotMakeLatest,
    /// It was done too often within an hour: someone fights back.
    TooOften,
}

impl Change {
    /// How the registry is asked for it.
    pub fn placement(self) -> Placement {
        match self {
            Change::First | Change::Next => Placement::Append,
            Change::Rollback(_) | Change::Revert(_) => Placement::MakeLatest,
        }
    }
}

impl Blocked {
    /// One word.
    pub fn reason(&self) -> Reason {
        match self {
            Blocked::Conflict { .. } => Reason::SubjectConflict,
            Blocked::RegistryNotFound => Reason::RegistryNotFound,
            Blocked::RegistryTrouble(trouble) => trouble.reason,
            Blocked::VersionMissing { .. } => Reason::VersionMissing,
            Blocked::Drifted { .. } => Reason::Drifted,
            Blocked::NotLatest { .. } => Reason::NotLatest,
            Blocked::NotAdopted { .. } => Reason::NotAdopted,
            Blocked::OverwritesForeign { .. } => Reason::OverwritesForeign,
            Blocked::ReadOnly(_) => Reason::RegistryReadOnly,
            Blocked::RegistryFails { .. } => Reason::RegistryError,
        }
    }
}
