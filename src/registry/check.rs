//! Asking a registry whether it would take a schema, without registering it.

use super::base_url::segment;
use super::calls::Route;
use super::client::{Candidate, Client};
use super::error::RegistryError;
use super::refusal::Refusal;
use super::reply::Reply;
use super::subjects::successful;
use super::text::about_schema;
use super::transport::normalize_query;
use super::wire::{CandidateBody, CheckBody};
use crate::api::Level;
use crate::schema::{Subject, Version};

/// The most versions that are asked about one at a time, the newest first.
const MOST_ASKED: usize = 50;

/// What the registry says to a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Check {
    /// It is compatible with the versions that the level in force names; also if there are none.
    Compatible,
    /// It is not.
    Incompatible(Refusal),
    /// The registry cannot parse it.
    Invalid {
        /// In its words, without the schema.
        message: String,
    },
    /// The registry fails on this schema (a 500 without a code of its own). Others may pass.
    CandidateFailed {
        /// In its words.
        message: String,
    },
    /// The registry cannot say: it has no such call; or it takes one version at a time, there are too many of them, and
    /// the newest do not say no.
    Unavailable,
}

impl Client {
    /// Asks whether a candidate is compatible with the versions that the level in force names. `level` is that level:
    /// it says which versions to ask about where the registry takes only one at a time.
    pub async fn check(&self, subject: &Subject, candidate: &Candidate, level: Level) -> Result<Check, RegistryError> {
        if self.capabilities().check_all_versions {
            let reply = self.ask(Route::CheckAll, subject, "", candidate).await?;
            if !reply.is_missing_route() {
                return self.answer(subject, &reply).await;
            }
            self.update(|known| known.check_all_versions = false);
        }
        self.check_each(subject, candidate, level).await
    }

    /// The latest version only, or the live ones from the newest to the oldest, up to the first that says no. Of those
    /// beyond the newest [`MOST_ASKED`] nothing is known: then the answer is that there is none.
    async fn check_each(&self, subject: &Subject, candidate: &Candidate, level: Level) -> Result<Check, RegistryError> {
        let (versions, is_all) = if level.is_transitive() {
            newest(&self.versions(subject).await?)
        } else {
            (vec!["/latest".to_owned()], true)
        };
        for version in versions {
            let reply = self.ask(Route::CheckOne, subject, &version, candidate).await?;
            if reply.is_missing_route() {
                return Ok(Check::Unavailable);
            }
            let answer = self.answer(subject, &reply).await?;
            if answer != Check::Compatible {
                return Ok(answer);
            }
        }
        Ok(if is_all { Check::Compatible } else { Check::Unavailable })
    }

    async fn ask(
        &self,
        route: Route,
        subject: &Subject,
        version: &str,
        candidate: &Candidate,
    ) -> Result<Reply, RegistryError> {
        let path = format!("/compatibility/subjects/{}/versions{version}", segment(subject.as_str()));
        let query = match normalize_query(candidate.normalize) {
            "" => "verbose=true".to_owned(),
            normalize => format!("verbose=true&{normalize}"),
        };
        self.send_json(route, &path, &query, &CandidateBody::ask(candidate)).await?.about(subject)
    }

    async fn answer(&self, subject: &Subject, reply: &Reply) -> Result<Check, RegistryError> {
        match (reply.status, reply.code()) {
            (200, _) => {
                let body: CheckBody = successful(reply)?;
                Ok(verdict(body))
            }
            // Nothing to compare with; but Karapace also says so to someone who may not look.
            (404, _) if reply.is_not_found() => match self.versions(subject).await?.is_empty() {
                true => Ok(Check::Compatible),
                false => Err(RegistryError::Forbidden {
                    host: reply.host.clone(),
                    status: reply.status,
                    message: reply.short_message(),
                }),
            },
            (400 | 422, Some(42201 | 422)) => Ok(Check::Invalid { message: reply.about_schema() }),
            (500, _) if reply.is_candidate_failure() => Ok(Check::CandidateFailed { message: reply.told() }),
            _ => Err(reply.error()),
        }
    }
}

/// The versions to ask about, as in a path, and whether they are all.
fn newest(versions: &[Version]) -> (Vec<String>, bool) {
    let newest = versions.iter().rev().take(MOST_ASKED).map(|version| format!("/{version}")).collect();
    (newest, versions.len() <= MOST_ASKED)
}

fn verdict(body: CheckBody) -> Check {
    if body.is_compatible {
        return Check::Compatible;
    }
    let messages = body.messages.unwrap_or_default();
    // Confluent answers a verbose check of a schema that it cannot parse with 200 and "incompatible"; there is no code
    // to tell it by, only that nothing else is said and how it begins.
    if let [message] = messages.as_slice()
        && ["Invalid schema", "Empty schema"].iter().any(|start| message.starts_with(start))
    {
        return Check::Invalid { message: about_schema(message) };
    }
    Check::Incompatible(Refusal::of_check(&messages))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A client that looked at the messages alone let it pass.
    #[test]
    fn incompatible_without_a_word_is_incompatible() {
        for messages in [None, Some(Vec::new())] {
            assert!(matches!(verdict(CheckBody { is_compatible: false, messages }), Check::Incompatible(_)));
        }
    }

    #[test]
    fn of_many_versions_the_newest_are_asked_about() {
        let versions = |count: i64| (1..=count).map(|number| Version::new(number).unwrap()).collect::<Vec<_>>();
        assert_eq!(newest(&versions(2)), (vec!["/2".to_owned(), "/1".to_owned()], true));
        assert!(newest(&versions(50)).1);
        let (asked, is_all) = newest(&versions(500));
        assert_eq!((asked.len(), asked[0].as_str(), asked[49].as_str(), is_all), (50, "/500", "/451", false));
    }
}
