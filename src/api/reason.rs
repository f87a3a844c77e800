//! The closed set of reasons: one word in conditions, columns, events and metric labels.

use std::fmt;

/// Why a condition has its status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The registry's latest version is the spec, or the level is the spec's.
    InSync,
    /// A newer version that someone else registered is accepted (`driftPolicy: Ignore`).
    Superseded,
    /// The registry answers and is understood.
    Connected,
    /// The change breaks the compatibility level in force.
    Incompatible,
    /// The registry would take the change; the operator's own check finds that it breaks the level in force.
    RefusedByEngine,
    /// No registry can take this text.
    InvalidSchema,
    /// The subject cannot be addressed in a registry.
    InvalidSubject,
    /// The resource does not decode into what its kind says.
    InvalidResource,
    /// The URL cannot be used.
    InvalidUrl,
    /// The spec is an older version, and the registry's latest is not to be moved back, or cannot be.
    NotLatest,
    /// The subject has versions that this resource did not make.
    NotAdopted,
    /// The spec changed while the latest version is someone else's.
    OverwritesForeign,
    /// Someone else registered a newer version.
    Drifted,
    /// The version that this resource brought about is gone.
    VersionMissing,
    /// Another resource owns the subject.
    SubjectConflict,
    /// The subject has no version yet, and the registry takes no level before the first.
    SubjectMissing,
    /// A SubjectConfig of the subject is not settled yet.
    WaitingForConfig,
    /// The registry's mode takes no writes.
    RegistryReadOnly,
    /// `registryRef` names nothing that is there and allowed.
    RegistryNotFound,
    /// The registry cannot be reached or is overloaded.
    RegistryUnavailable,
    /// The registry refused the credentials.
    RegistryUnauthorized,
    /// The registry answered what it should not.
    RegistryError,
    /// A write's outcome is not known yet.
    AwaitingReadback,
    /// `management: Observe`: this is what would be done.
    Planned,
    /// The registry took a value and holds another.
    NotHeld,
    /// Work is under way.
    Progressing,
    /// Reconciling is paused by annotation.
    Paused,
}

impl Reason {
    /// The word.
    pub fn as_str(self) -> &'static str {
        match self {
            Reason::InSync => "InSync",
            Reason::Superseded => "Superseded",
            Reason::Connected => "Connected",
            Reason::Incompatible => "Incompatible",
            Reason::RefusedByEngine => "RefusedByEngine",
            Reason::InvalidSchema => "InvalidSchema",
            Reason::InvalidSubject => "InvalidSubject",
            Reason::InvalidResource => "InvalidResource",
            Reason::InvalidUrl => "InvalidUrl",
            Reason::NotLatest => "NotLatest",
            Reason::NotAdopted => "NotAdopted",
            Reason::OverwritesForeign => "OverwritesForeign",
            Reason::Drifted => "Drifted",
            Reason::VersionMissing => "VersionMissing",
            Reason::SubjectConflict => "SubjectConflict",
            Reason::SubjectMissing => "SubjectMissing",
            Reason::WaitingForConfig => "WaitingForConfig",
            Reason::RegistryReadOnly => "RegistryReadOnly",
            Reason::RegistryNotFound => "RegistryNotFound",
            Reason::RegistryUnavailable => "RegistryUnavailable",
            Reason::RegistryUnauthorized => "RegistryUnauthorized",
            Reason::RegistryError => "RegistryError",
            Reason::AwaitingReadback => "AwaitingReadback",
            Reason::Planned => "Planned",
            Reason::NotHeld => "NotHeld",
            Reason::Progressing => "Progressing",
            Reason::Paused => "Paused",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
