//! Reads of a subject: its latest version, any version, the list of them, and whether it knows a schema.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::calls::Route;
use super::client::{Candidate, Client};
use super::error::{Problem, RegistryError};
use super::reply::Reply;
use super::transport::versions_path;
use super::wire::{CandidateBody, MetadataBody, ReferenceBody, StoredBody};
use crate::api::SchemaType;
use crate::registry::base_url::segment;
use crate::schema::{SchemaId, Subject, Version, shown};

/// Apicurio gives at most this many versions and says nothing of the rest; 3.3.3 does not give them by offset either.
const PAGE: usize = 500;
/// No subject has so many versions; a registry that goes on beyond is lying.
const MAX_VERSIONS: usize = 100_000;

/// A version of a subject, as the registry keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The subject, in the registry's spelling.
    pub subject: String,
    /// Its number.
    pub version: Version,
    /// The id by which messages name it.
    pub id: SchemaId,
    /// Its format.
    pub schema_type: SchemaType,
    /// Its text, in the registry's form of it.
    pub text: Arc<str>,
    /// What it refers to, in its own order.
    pub references: Vec<StoredReference>,
    /// The properties of its metadata (Confluent).
    pub properties: BTreeMap<String, String>,
}

/// One version that another one refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredReference {
    /// The name that the referring schema uses.
    pub name: String,
    /// The subject, in the registry's spelling. Without a context it is in the one of the referring version.
    pub subject: String,
    /// Its version; none: the latest.
    pub version: Option<Version>,
}

/// Whether a subject knows a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// It does, as this version: not necessarily the latest.
    Found(Version),
    /// It does not, or there is no such subject.
    Absent,
    /// The registry cannot parse the schema; in its words.
    Invalid(String),
}

impl Client {
    /// The latest version of a subject; none if there is no such subject, or no version that is not deleted.
    pub async fn latest(&self, subject: &Subject) -> Result<Option<Stored>, RegistryError> {
        self.stored(Route::Latest, subject, "latest").await
    }

    /// A version of a subject; none if there is none.
    pub async fn version(&self, subject: &Subject, version: Version) -> Result<Option<Stored>, RegistryError> {
        self.stored(Route::Version, subject, &version.to_string()).await
    }

    async fn stored(&self, route: Route, subject: &Subject, version: &str) -> Result<Option<Stored>, RegistryError> {
        let reply = self.get_of(subject, route, &versions_path(subject, Some(version)), "").await?;
        if reply.is_not_found() {
            return Ok(None);
        }
        let body: StoredBody = successful(&reply)?;
        match whose(&body.subject, subject) {
            Whose::Asked => stored(&reply, body).map(Some),
            Whose::OtherContext => Ok(None),
            Whose::Another => Err(another(&reply, subject, &body.subject)),
        }
    }

    /// The versions of a subject that are not deleted, in ascending order; empty if there is no such subject. The latest
    /// is always among them; of a subject with more than 500, Apicurio does not tell those between the 500th and it.
    pub async fn versions(&self, subject: &Subject) -> Result<Vec<Version>, RegistryError> {
        let path = versions_path(subject, None);
        let mut seen = BTreeSet::new();
        let mut query = String::new();
        while seen.len() < MAX_VERSIONS {
            let reply = self.get_of(subject, Route::Versions, &path, &query).await?;
            if reply.is_not_found() {
                break;
            }
            if reply.status != 200 {
                return Err(reply.error());
            }
            let page: Vec<i64> = reply.list()?;
            let known = seen.len();
            for &number in &page {
                seen.insert(version_of(&reply, number)?);
            }
            // Less than a page, or more, is all there is; and not every registry pages.
            if page.len() != PAGE || seen.len() == known {
                break;
            }
            query = format!("offset={}&limit={PAGE}", seen.len());
        }
        if seen.len() >= PAGE && seen.len() % PAGE == 0 {
            seen.extend(self.latest(subject).await?.map(|latest| latest.version));
        }
        Ok(seen.into_iter().collect())
    }

    /// Whether a subject knows a schema. `normalize` is asked for as said, whatever the candidate says: a schema that
    /// was stored the other way may only be found the other way.
    pub async fn lookup(
        &self,
        subject: &Subject,
        candidate: &Candidate,
        normalize: bool,
    ) -> Result<Lookup, RegistryError> {
        let path = format!("/subjects/{}", segment(subject.as_str()));
        let query = if normalize { "normalize=true" } else { "" };
        let reply =
            self.send_json(Route::Lookup, &path, query, &CandidateBody::ask(candidate)).await?.about(subject)?;
        match (reply.status, reply.code()) {
            (200, _) => {
                let body: StoredBody = successful(&reply)?;
                match whose(&body.subject, subject) {
                    Whose::Asked => Ok(Lookup::Found(version_of(&reply, body.version)?)),
                    Whose::OtherContext => Ok(Lookup::Absent),
                    Whose::Another => Err(another(&reply, subject, &body.subject)),
                }
            }
            (404, _) if reply.is_not_found() => Ok(Lookup::Absent),
            (422, Some(42201 | 422)) => Ok(Lookup::Invalid(reply.about_schema())),
            (500, _) if reply.is_candidate_failure() && self.capabilities().invalid_schema_is_500 => {
                Ok(Lookup::Invalid(reply.about_schema()))
            }
            _ => Err(reply.candidate_error()),
        }
    }
}

/// The body of an answer that should be a success.
pub(super) fn successful<T: serde::de::DeserializeOwned>(reply: &Reply) -> Result<T, RegistryError> {
    if reply.status != 200 {
        return Err(reply.error());
    }
    reply.object()
}

/// Of which subject a reply speaks.
#[derive(Debug, PartialEq, Eq)]
enum Whose {
    /// Of the one that was asked for.
    Asked,
    /// Of one by the same name in another context: Confluent looks there too, for a name without one.
    OtherContext,
    /// Of another one, as where the name is an alias: what is written to the name goes there.
    Another,
}

fn whose(answered: &str, asked: &Subject) -> Whose {
    let asked = asked.without_default_context();
    let in_context = |answered: &str| answered.split_once(':').is_some_and(|(_, name)| name == asked);
    match answered.strip_prefix(":.") {
        _ if answered == asked => Whose::Asked,
        Some(rest) if rest.strip_prefix(':') == Some(asked) => Whose::Asked,
        Some(rest) if in_context(rest) => Whose::OtherContext,
        _ => Whose::Another,
    }
}

fn another(reply: &Reply, asked: &Subject, answered: &str) -> RegistryError {
    RegistryError::AnotherSubject {
        host: reply.host.clone(),
        asked: asked.shown().into_owned(),
        answered: shown::name(answered).into_owned(),
    }
}

fn stored(reply: &Reply, body: StoredBody) -> Result<Stored, RegistryError> {
    let version = version_of(reply, body.version)?;
    let schema_type = match body.schema_type.as_deref() {
        None => SchemaType::Avro,
        Some(word) => word.parse().map_err(|_| unfit(reply, "a schema type that is not known"))?,
    };
    let Some(text) = body.schema else {
        return Err(unfit(reply, "no schema"));
    };
    Ok(Stored {
        subject: body.subject,
        version,
        id: SchemaId(body.id),
        schema_type,
        text: text.into(),
        references: body.references.unwrap_or_default().into_iter().map(reference).collect(),
        properties: properties(body.metadata),
    })
}

fn properties(metadata: Option<MetadataBody>) -> BTreeMap<String, String> {
    let all = metadata.and_then(|metadata| metadata.properties).unwrap_or_default();
    all.into_iter().filter_map(|(name, value)| Some((name, value.as_str()?.to_owned()))).collect()
}

/// A number that is none, as -1, means the latest.
fn reference(body: ReferenceBody) -> StoredReference {
    StoredReference { name: body.name, subject: body.subject, version: Version::new(body.version) }
}

fn version_of(reply: &Reply, number: i64) -> Result<Version, RegistryError> {
    Version::new(number).ok_or_else(|| unfit(reply, "a version that is not a positive number"))
}

fn unfit(reply: &Reply, what: &str) -> RegistryError {
    reply.unexpected(Problem::NotTheJson(reply.status, what.to_owned()))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::plain("orders", "orders", Whose::Asked)]
    #[case::default_context_told(":.:orders", "orders", Whose::Asked)]
    #[case::default_context_asked("orders", ":.:orders", Whose::Asked)]
    #[case::in_a_context(":.ctx:orders", ":.ctx:orders", Whose::Asked)]
    #[case::found_in_another_context(":.ctx:orders", "orders", Whose::OtherContext)]
    #[case::name_with_a_colon(":.ctx:a:b", "a:b", Whose::OtherContext)]
    #[case::alias("orders-v2", "orders", Whose::Another)]
    #[case::alias_into_a_context(":.ctx:orders-v2", "orders", Whose::Another)]
    #[case::alias_within_a_context(":.ctx:b", ":.ctx:a", Whose::Another)]
    fn an_answer_about_another_subject_is_told_from_one_in_another_context(
        #[case] answered: &str,
        #[case] asked: &str,
        #[case] expected: Whose,
    ) {
        assert_eq!(whose(answered, &Subject::parse(asked).unwrap()), expected);
    }
}
