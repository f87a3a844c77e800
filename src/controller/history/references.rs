//! Reads what a version refers to, and what that refers to, so that it can be compared as a whole. Reads only.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use super::{readable, version_of};
use crate::controller::connection::Connection;
use crate::controller::trouble::Trouble;
use crate::registry::{Stored, StoredReference};
use crate::schema::{Subject, Version};

/// So many versions at most are read for one; the largest known schema refers to 54.
const MAX_REFERENCES: usize = 256;

/// Versions of other subjects as read: they never change.
pub type Referents = BTreeMap<(Subject, Version), Stored>;

/// A referred text under the name that it is referred to by.
pub type Named = (String, Arc<str>);

/// Why a version cannot be compared as a whole.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unresolved {
    /// The registry does not have it.
    #[error("the version refers to {subject}, version {version}, which the registry does not have")]
    Missing {
        /// The subject, as it is referred to.
        subject: String,
        /// The version: a number, or latest.
        version: String,
    },
    /// The registry does not let it be read.
    #[error("the version refers to another one: {why}")]
    Unreadable {
        /// Which, and why.
        why: String,
    },
    /// More than is read for one.
    #[error("the version refers to more than {MAX_REFERENCES} others")]
    TooMany,
}

/// Everything that a version refers to, what others need first. A name counts once, as registries take it.
pub async fn resolve(
    version: &Stored,
    connection: &Connection,
    known: &mut Referents,
) -> Result<Result<Vec<Named>, Unresolved>, Trouble> {
    let (mut found, mut names) = (Vec::new(), HashSet::new());
    let mut next: Vec<Step> = steps(version);
    while let Some(step) = next.pop() {
        match step {
            Step::Give(named) => found.push(named),
            Step::Read { parent, reference } => {
                if !names.insert(reference.name.clone()) {
                    continue;
                }
                if names.len() > MAX_REFERENCES {
                    return Ok(Err(Unresolved::TooMany));
                }
                let referent = match referent(&parent, &reference, connection, known).await? {
                    Ok(Some(referent)) => referent,
                    Ok(None) => return Ok(Err(missing(&reference))),
                    Err(why) => return Ok(Err(Unresolved::Unreadable { why })),
                };
                next.push(Step::Give((reference.name, referent.text.clone())));
                next.extend(steps(&referent));
            }
        }
    }
    Ok(Ok(found))
}

enum Step {
    Read { parent: String, reference: StoredReference },
    Give(Named),
}

/// The last one is taken first.
fn steps(version: &Stored) -> Vec<Step> {
    let read =
        |reference: &StoredReference| Step::Read { parent: version.subject.clone(), reference: reference.clone() };
    version.references.iter().rev().map(read).collect()
}

async fn referent(
    parent: &str,
    reference: &StoredReference,
    connection: &Connection,
    known: &mut Referents,
) -> Result<Result<Option<Stored>, String>, Trouble> {
    let Ok(subject) = Subject::parse(&in_context_of(parent, &reference.subject)) else { return Ok(Ok(None)) };
    let Some(version) = reference.version else {
        let latest = connection.client.latest(&subject).await;
        return readable(connection.track(latest), || format!("the latest version of subject {}", subject.shown()));
    };
    let key = (subject, version);
    if let Some(stored) = known.get(&key) {
        return Ok(Ok(Some(stored.clone())));
    }
    let stored = version_of(connection, &key.0, version).await?;
    if let Ok(Some(stored)) = &stored {
        known.insert(key, stored.clone());
    }
    Ok(stored)
}

/// A subject without a context is in the one of the version that refers to it.
fn in_context_of(parent: &str, subject: &str) -> String {
    let context = parent.strip_prefix(":.").and_then(|rest| rest.split_once(':')).map(|(context, _)| context);
    match context {
        Some(context) if !context.is_empty() && !subject.starts_with(":.") => format!(":.{context}:{subject}"),
        _ => subject.to_owned(),
    }
}

fn missing(reference: &StoredReference) -> Unresolved {
    let version = reference.version.map_or_else(|| "latest".to_owned(), |version| version.to_string());
    Unresolved::Missing { subject: reference.subject.clone(), version }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::no_context("orders", "money", "money")]
    #[case::default_context(":.:orders", "money", "money")]
    #[case::the_same_context(":.eu:orders", "money", ":.eu:money")]
    #[case::a_context_of_its_own(":.eu:orders", ":.us:money", ":.us:money")]
    fn a_reference_stays_in_the_context_of_who_refers(
        #[case] parent: &str,
        #[case] subject: &str,
        #[case] found: &str,
    ) {
        assert_eq!(in_context_of(parent, subject), found);
    }
}
