//! The live versions of a subject as our own check compares them: their texts, what they refer to, under which policy,
//! and which of them count. Reads the registry; decides nothing.

mod references;

use std::collections::BTreeMap;

use super::connection::Connection;
use super::look::Session;
use super::trouble::Trouble;
use crate::api::SchemaType;
use crate::compat::engine::{self, Parsed, Unreadable};
use crate::compat::history::Past;
use crate::compat::{Policy, Profile};
use crate::registry::{Comparison, Implementation, Stored};
use crate::schema::{Reference, SchemaId, Subject, Version};
use references::{Named, Referents};

/// So many of the newest versions are read; what a transitive level says of older ones is the registry's word alone.
const MAX_VERSIONS: usize = 50;

/// So much text is read for one subject, newest versions first.
const MAX_BYTES: usize = 4 << 20;
/// So much of it is kept between looks; more is read again.
const KEPT_BYTES: usize = 256 << 10;

/// Bytes of texts that are held parsed at once, which takes many times as much.
const MAX_PARSED_BYTES: usize = 4 << 20;

/// Texts as read, kept between looks: a version never changes.
#[derive(Debug, Default)]
pub struct Texts {
    versions: BTreeMap<Version, Stored>,
    referents: Referents,
}

/// The live versions that a schema is compared with, oldest first.
#[derive(Debug, Default)]
pub struct History {
    /// What the registry compares them by.
    pub policy: Policy,
    versions: Vec<(Version, Result<Whole, String>)>,
}

/// A version and all that it refers to.
#[derive(Debug)]
struct Whole {
    stored: Stored,
    references: Vec<Named>,
}

impl Texts {
    /// Keeps a version that was just read, to be compared with. An older id in its place, or a newer version than it,
    /// belongs to a history that is gone.
    pub fn keep(&mut self, latest: &Stored) {
        let is_other = |known: &Stored| known.version == latest.version && known.id != latest.id;
        if self.versions.values().any(|known| known.version > latest.version || is_other(known)) {
            self.versions.clear();
        }
        self.versions.insert(latest.version, latest.clone());
    }

    /// Keeps nothing.
    pub fn forget(&mut self) {
        *self = Texts::default();
    }
}

/// Reads the live versions of a subject.
pub async fn read(session: &Session, subject: &Subject, texts: &mut Texts) -> Result<History, Trouble> {
    let live = session.connection.track(session.connection.client.versions(subject).await)?;
    read_listed(session, subject, &live, texts).await
}

/// The same of versions that were listed just now, oldest first.
pub async fn read_listed(
    session: &Session,
    subject: &Subject,
    live: &[Version],
    texts: &mut Texts,
) -> Result<History, Trouble> {
    let connection = &session.connection;
    let comparison = comparison(session, subject).await?;
    texts.versions.retain(|version, _| live.contains(version));
    let mut bytes = 0;
    let mut versions = Vec::with_capacity(live.len());
    for (age, version) in live.iter().rev().enumerate() {
        let whole = if age < MAX_VERSIONS && bytes < MAX_BYTES {
            whole(connection, subject, *version, texts).await?
        } else {
            Err("the version was not read: newer ones are enough to compare with at once".to_owned())
        };
        bytes += whole.as_ref().map_or(0, Whole::bytes);
        versions.push((*version, whole));
    }
    versions.reverse();
    if bytes > KEPT_BYTES {
        texts.forget();
    }
    if let Some(group) = &comparison.group {
        keep_group(&mut versions, group);
    }
    let policy = if comparison.is_lenient { Policy::Lenient } else { Policy::Strict };
    Ok(History { policy, versions })
}

/// Only Confluent compares by more than the level.
async fn comparison(session: &Session, subject: &Subject) -> Result<Comparison, Trouble> {
    if !matches!(session.facts.implementation, Implementation::Confluent | Implementation::Unknown) {
        return Ok(Comparison::default());
    }
    let connection = &session.connection;
    connection.track(connection.client.comparison(subject).await)
}

async fn whole(
    connection: &Connection,
    subject: &Subject,
    version: Version,
    texts: &mut Texts,
) -> Result<Result<Whole, String>, Trouble> {
    if !texts.versions.contains_key(&version) {
        let stored = match version_of(connection, subject, version).await? {
            Ok(stored) => stored,
            Err(why) => return Ok(Err(why)),
        };
        texts.versions.extend(stored.map(|stored| (version, stored)));
    }
    let Some(stored) = texts.versions.get(&version).cloned() else {
        return Ok(Err("the version went while it was being read".to_owned()));
    };
    let references = references::resolve(&stored, connection, &mut texts.referents).await?;
    Ok(references.map(|references| Whole { stored, references }).map_err(|error| error.to_string()))
}

/// A version, where it is there; or why it cannot be read and will not be by waiting: then it is not compared with, which
/// keeps nobody from registering.
async fn version_of(
    connection: &Connection,
    subject: &Subject,
    version: Version,
) -> Result<Result<Option<Stored>, String>, Trouble> {
    let result = connection.client.version(subject, version).await;
    readable(connection.track(result), || format!("version {version} of subject {}", subject.shown()))
}

/// Trouble that does not pass is told, the other is waited for.
fn readable<T>(result: Result<T, Trouble>, what: impl Fn() -> String) -> Result<Result<T, String>, Trouble> {
    match result {
        Err(trouble) if !trouble.passes => Ok(Err(format!("{} cannot be read: {}", what(), trouble.message))),
        other => other.map(Ok),
    }
}

/// Versions of another group are not compared with. A candidate inherits the latest version's metadata, and so its
/// group (compat.md §4.1).
fn keep_group(versions: &mut Vec<(Version, Result<Whole, String>)>, group: &str) {
    let value = |whole: &Result<Whole, String>| whole.as_ref().ok().and_then(|whole| whole.group(group));
    let latest = versions.last().and_then(|(_, whole)| value(whole));
    versions.retain(|(_, whole)| whole.is_err() || value(whole) == latest);
}

impl Whole {
    fn bytes(&self) -> usize {
        self.stored.text.len() + self.references.iter().map(|(_, text)| text.len()).sum::<usize>()
    }

    fn group(&self, property: &str) -> Option<String> {
        self.stored.properties.get(property).cloned()
    }

    fn read(&self, candidates: &[Reference<'_>], profile: &Profile) -> Result<Parsed, Unreadable> {
        let own: Vec<Reference> = self.references.iter().map(|(name, text)| Reference { name, text }).collect();
        engine::read_stored(self.stored.schema_type, &self.stored.text, &own, candidates, profile)
    }
}

impl History {
    /// Only what came before a version.
    pub fn before(mut self, version: Version) -> History {
        self.versions.retain(|(earlier, _)| *earlier < version);
        self
    }

    /// What tells this history from another one of the subject: versions, and what they hold.
    pub fn key(&self) -> Vec<(Version, Option<SchemaId>)> {
        let id = |whole: &Result<Whole, String>| whole.as_ref().ok().map(|whole| whole.stored.id);
        self.versions.iter().map(|(version, whole)| (*version, id(whole))).collect()
    }

    /// The versions' numbers.
    pub fn numbers(&self) -> Vec<Version> {
        self.versions.iter().map(|(version, _)| *version).collect()
    }

    /// The format of a version, where it was read.
    pub fn schema_type(&self, version: Version) -> Option<SchemaType> {
        let (_, whole) = self.versions.iter().find(|(number, _)| *number == version)?;
        whole.as_ref().ok().map(|whole| whole.stored.schema_type)
    }

    /// A version, parsed by a registry's rules, for a candidate that refers to these. Parsed, they take many times the
    /// memory of their texts: no more of them are held than are needed at once.
    pub fn parse(&self, version: Version, candidates: &[Reference<'_>], profile: &Profile) -> Option<Past> {
        let (_, whole) = self.versions.iter().find(|(number, _)| *number == version)?;
        let whole = whole.as_ref().map_err(|why| Unreadable::Unsupported(why.clone()));
        Some(Past { version, schema: whole.and_then(|whole| whole.read(candidates, profile)) })
    }

    /// The versions, oldest first, parsed to be compared with each other: the newest ones that there is memory for.
    pub fn parse_all(&self, profile: &Profile) -> Vec<Past> {
        let mut room = MAX_PARSED_BYTES;
        let mut newest_first = Vec::new();
        for (version, whole) in self.versions.iter().rev() {
            room = room.saturating_sub(whole.as_ref().map_or(0, |whole| whole.stored.text.len()));
            let too_large = "the versions are too large to be compared with each other";
            newest_first.push(match room {
                0 => Some(Past { version: *version, schema: Err(Unreadable::Unsupported(too_large.to_owned())) }),
                _ => self.parse(*version, &[], profile),
            });
        }
        newest_first.into_iter().rev().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(version: i64, id: i64) -> Stored {
        Stored {
            subject: "orders-value".into(),
            version: Version::new(version).unwrap(),
            id: SchemaId(id),
            schema_type: SchemaType::Avro,
            text: "\"int\"".into(),
            references: Vec::new(),
            properties: BTreeMap::new(),
        }
    }

    #[test]
    fn versions_are_kept_while_the_history_goes_on() {
        let mut texts = Texts::default();
        let mut kept = |latest: Stored| -> Vec<(i64, i64)> {
            texts.keep(&latest);
            texts.versions.values().map(|stored| (stored.version.number(), stored.id.0)).collect()
        };
        assert_eq!(kept(stored(1, 10)), [(1, 10)]);
        assert_eq!(kept(stored(2, 20)), [(1, 10), (2, 20)]);
        assert_eq!(kept(stored(2, 21)), [(2, 21)], "version 2 is another schema now");
        assert_eq!(kept(stored(1, 30)), [(1, 30)], "the subject was made anew");
    }

    #[test]
    fn only_versions_of_the_latest_ones_group_are_compared() {
        let whole = |version: i64, major: Option<&str>| {
            let properties = major.map(|major| ("major".to_owned(), major.to_owned())).into_iter().collect();
            let stored = Stored { properties, ..stored(version, version) };
            (stored.version, Ok(Whole { stored, references: Vec::new() }))
        };
        let numbers = |mut versions: Vec<(Version, Result<Whole, String>)>| -> Vec<i64> {
            keep_group(&mut versions, "major");
            versions.iter().map(|(version, _)| version.number()).collect()
        };
        assert_eq!(numbers(vec![whole(1, Some("1")), whole(2, Some("2")), whole(3, Some("2"))]), [2, 3]);
        assert_eq!(numbers(vec![whole(1, Some("1")), whole(2, None)]), [2], "none is a group of its own");
        let unread = (Version::new(1).unwrap(), Err("not read".to_owned()));
        assert_eq!(numbers(vec![unread, whole(2, Some("2"))]), [1, 2], "what is not known is not passed over");
    }
}
