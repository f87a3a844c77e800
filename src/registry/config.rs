//! Compatibility levels and modes: of a subject, and of the registry as a whole.

use std::fmt;

use super::base_url::segment;
use super::calls::Route;
use super::client::Client;
use super::error::{Problem, RegistryError};
use super::facts::Capabilities;
use super::reply::Reply;
use super::subjects::successful;
use super::wire::{LevelBody, ModeBody, SetLevelBody};
use crate::api::{Level, Mode};
use crate::schema::Subject;

/// Asks a registry for what is in force, not only for what is set right there.
const EFFECTIVE: &str = "defaultToGlobal=true";

/// The settings of a registry as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GlobalSettings {
    /// The level of subjects without one of their own; none if the registry does not say.
    pub level: Option<Level>,
    /// What the registry lets clients do; READWRITE where it has no modes or does not enforce them.
    pub mode: Mode,
}

/// The level that a subject's next version is held to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelInForce {
    /// The level.
    pub level: Level,
    /// Where it comes from.
    pub source: LevelSource,
    /// The subject's own level. A registry that answers NONE for both "unset" and "NONE" (Apicurio) counts as set.
    pub own: Option<Level>,
}

/// Where a level comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LevelSource {
    /// The subject's own.
    Subject,
    /// Above the subject: the registry's, or its context's.
    Global,
    /// Nothing is set, and the registry does not say what then holds: BACKWARD, which all of them start with.
    RegistryDefault,
    /// A SubjectConfig's, which `management: Observe` keeps from being set.
    Planned,
}

impl fmt::Display for LevelSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LevelSource::Subject => "Subject",
            LevelSource::Global => "Global",
            LevelSource::RegistryDefault => "RegistryDefault",
            LevelSource::Planned => "Planned",
        })
    }
}

/// How a subject's versions are compared, apart from the level. Confluent alone lets that be set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Whether JSON Schema's content models may be opened and closed (`compatibilityPolicy: LENIENT`).
    pub is_lenient: bool,
    /// The property of a version's metadata whose value tells which versions are compared with each other.
    pub group: Option<String>,
}

/// What the registry did with a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetLevel {
    /// It stored it.
    Stored,
    /// It takes no level before the subject's first version.
    SubjectMissing,
    /// The registry, or the subject, takes no writes now.
    ReadOnly {
        /// In its words.
        message: String,
    },
    /// It does not take this level.
    Refused {
        /// In its words.
        message: String,
    },
}

impl Client {
    /// The level that a subject is held to. `global` is what [`Client::global`] answered lately: it is gone by where
    /// the subject has no level of its own.
    pub async fn level(&self, subject: &Subject, global: &GlobalSettings) -> Result<LevelInForce, RegistryError> {
        let Some(own) = self.level_of(subject, "").await? else {
            return self.inherited(subject, global).await;
        };
        if own == Level::None && self.capabilities().unset_level_reads_none {
            return self.perhaps_unset(subject, global).await;
        }
        Ok(LevelInForce { level: own, source: LevelSource::Subject, own: Some(own) })
    }

    /// Of a subject without a level of its own. In a context of its own it has the context's, which only the registry knows.
    async fn inherited(&self, subject: &Subject, global: &GlobalSettings) -> Result<LevelInForce, RegistryError> {
        let in_context = subject.without_default_context().starts_with(":.");
        let ask = in_context || global.level.is_none();
        let level = if ask { self.level_of(subject, EFFECTIVE).await? } else { None };
        Ok(match level.or(global.level) {
            Some(level) => LevelInForce { level, source: LevelSource::Global, own: None },
            None => LevelInForce { level: Level::Backward, source: LevelSource::RegistryDefault, own: None },
        })
    }

    /// Of a subject for which the registry said NONE, which it also says of one that has no level of its own.
    async fn perhaps_unset(&self, subject: &Subject, global: &GlobalSettings) -> Result<LevelInForce, RegistryError> {
        Ok(match self.level_of(subject, EFFECTIVE).await? {
            Some(Level::None) => {
                let overrides = global.level.is_some_and(|level| level != Level::None);
                let source = if overrides { LevelSource::Subject } else { LevelSource::Global };
                LevelInForce { level: Level::None, source, own: Some(Level::None) }
            }
            Some(level) => LevelInForce { level, source: LevelSource::Global, own: None },
            None => return self.inherited(subject, global).await,
        })
    }

    /// `GET /config/{subject}`: none if nothing is set there, under whichever code (40408; before Confluent 5.5.6 and
    /// for a subject that is not known to Apicurio or Karapace 40401).
    async fn level_of(&self, subject: &Subject, query: &str) -> Result<Option<Level>, RegistryError> {
        let reply =
            self.get_of(subject, Route::GetLevel, &format!("/config/{}", segment(subject.as_str())), query).await?;
        if reply.is_not_found() {
            return Ok(None);
        }
        level_in(&reply).map(Some)
    }

    /// How the versions of a subject are compared, apart from the level.
    pub async fn comparison(&self, subject: &Subject) -> Result<Comparison, RegistryError> {
        let reply =
            self.get_of(subject, Route::GetLevel, &format!("/config/{}", segment(subject.as_str())), EFFECTIVE).await?;
        if reply.is_not_found() {
            return Ok(Comparison::default());
        }
        let body: LevelBody = successful(&reply)?;
        Ok(Comparison {
            is_lenient: body.policy.is_some_and(|policy| policy.eq_ignore_ascii_case("LENIENT")),
            group: body.group.filter(|group| !group.is_empty()),
        })
    }

    /// Gives a subject a level of its own.
    ///
    /// An error of kind [`RegistryError::OutcomeUnknown`] means that it may have been stored: read it back first.
    pub async fn set_level(&self, subject: &Subject, level: Level) -> Result<SetLevel, RegistryError> {
        let mut reply = self.put_level(subject, level).await?;
        // Apicurio answers 409/0 "rule already exists" to one of two that set a level at the same moment.
        if reply.status == 409 && reply.code() == Some(0) {
            reply = self.put_level(subject, level).await?;
        }
        let message = || reply.short_message();
        match (reply.status, reply.code()) {
            (200..300, _) => Ok(SetLevel::Stored),
            (404, Some(40401)) if self.capabilities().not_found_may_be_forbidden => {
                Err(RegistryError::Forbidden { host: reply.host.clone(), status: reply.status, message: message() })
            }
            (404, _) if reply.is_not_found() => Ok(SetLevel::SubjectMissing),
            (422, Some(42205)) => Ok(SetLevel::ReadOnly { message: message() }),
            // Only its words tell a read-only storage of Apicurio.
            (409, _) if reply.message().contains("read-only") => Ok(SetLevel::ReadOnly { message: message() }),
            (400 | 422, _) => Ok(SetLevel::Refused { message: reply.told() }),
            // Apicurio before 3.3 fails on a level that it does not know.
            (500, _) if reply.is_candidate_failure() && self.capabilities().unknown_level_is_500 => {
                Ok(SetLevel::Refused { message: reply.told() })
            }
            _ => Err(reply.write_error()),
        }
    }

    async fn put_level(&self, subject: &Subject, level: Level) -> Result<Reply, RegistryError> {
        let body = SetLevelBody { compatibility: level.to_string() };
        self.send_json(Route::SetLevel, &format!("/config/{}", segment(subject.as_str())), "", &body)
            .await?
            .about(subject)
    }

    /// What a subject may be used for: its own mode, or the one above it. No call is made where modes are known not to be
    /// enforced.
    pub async fn mode(&self, subject: &Subject) -> Result<Mode, RegistryError> {
        if !self.capabilities().enforces_mode {
            return Ok(Mode::Readwrite);
        }
        let reply =
            self.get_of(subject, Route::GetMode, &format!("/mode/{}", segment(subject.as_str())), EFFECTIVE).await?;
        if has_no_modes(&reply) {
            self.update(|known| known.enforces_mode = false);
            return Ok(Mode::Readwrite);
        }
        if reply.is_not_found() {
            return Ok(Mode::Readwrite);
        }
        mode_in(&reply)
    }

    /// The registry-wide settings.
    pub async fn global(&self) -> Result<GlobalSettings, RegistryError> {
        self.global_of(&self.capabilities()).await
    }

    pub(super) async fn global_of(&self, capabilities: &Capabilities) -> Result<GlobalSettings, RegistryError> {
        // Of what is in force: a level set for all contexts of Confluent (`:.__GLOBAL:`) shows only so.
        let reply = self.get(Route::GetGlobalLevel, "/config", EFFECTIVE).await?;
        // Who may write a subject need not be allowed to read this.
        let level = if reply.status == 403 { None } else { Some(level_in(&reply)?) };
        let mode = if capabilities.enforces_mode { self.global_mode().await? } else { Mode::Readwrite };
        Ok(GlobalSettings { level, mode })
    }

    async fn global_mode(&self) -> Result<Mode, RegistryError> {
        let reply = self.get(Route::GetGlobalMode, "/mode", EFFECTIVE).await?;
        if has_no_modes(&reply) || reply.is_not_found() || reply.status == 403 {
            return Ok(Mode::Readwrite);
        }
        mode_in(&reply)
    }
}

/// Apicurio 3.0.9 answers 204, or 404; others 405.
fn has_no_modes(reply: &Reply) -> bool {
    reply.status == 204 || reply.is_missing_route()
}

fn level_in(reply: &Reply) -> Result<Level, RegistryError> {
    let body: LevelBody = successful(reply)?;
    let word = body.compatibility_level.or(body.compatibility).unwrap_or_default();
    word.parse().map_err(|_| reply.unexpected(Problem::NotTheJson(reply.status, "no level that is known".to_owned())))
}

fn mode_in(reply: &Reply) -> Result<Mode, RegistryError> {
    let body: ModeBody = successful(reply)?;
    body.mode
        .parse()
        .map_err(|_| reply.unexpected(Problem::NotTheJson(reply.status, "no mode that is known".to_owned())))
}
