//! One line of `compare --batch` and its answer. `new` is read as a newly registered schema, `old` as one that the
//! registry holds.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::object::Object;
use super::word::{self, Word};
use crate::api::SchemaType;
use crate::compat::engine::{self, Parsed, Unreadable};
use crate::compat::levels::Direction;
use crate::compat::{Difference, Policy, Profile};
use crate::schema::{Reading, Reference, Version};

/// What messages call the old schema.
const OLD: Version = Version::FIRST;

/// A key that is not known is refused: `schema_type` would be another comparison than the one that was meant.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Pair<'a> {
    id: Option<Value>,
    schema_type: Option<SchemaType>,
    #[serde(borrow)]
    old: Cow<'a, str>,
    #[serde(borrow)]
    new: Cow<'a, str>,
    #[serde(borrow, default)]
    old_references: Option<Vec<Object<Named<'a>>>>,
    #[serde(borrow, default)]
    new_references: Option<Vec<Object<Named<'a>>>>,
    policy: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Named<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow)]
    schema: Cow<'a, str>,
}

/// What is said to a line.
#[derive(Serialize)]
pub struct Answer {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Value>,
    backward: Word,
    forward: Word,
    differences: Vec<Told>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// One difference. `breaks` is false for those that a checker names and takes.
#[derive(Serialize)]
struct Told {
    direction: &'static str,
    rule: &'static str,
    path: String,
    message: String,
    breaks: bool,
}

/// The answer to a line. One that is no pair is answered as well.
pub fn answer(line: &[u8], profile: &Profile) -> Answer {
    let pair = match serde_json::from_slice::<Object<Pair>>(line) {
        Ok(Object(pair)) => pair,
        Err(error) => return bad(id_of(line), format!("the line is no pair: {error}")),
    };
    let policy = pair.policy.as_deref().unwrap_or(Policy::Strict.spelling());
    let Some(policy) = Policy::named(policy) else {
        return bad(pair.id, format!("policy {policy} is not known; STRICT and LENIENT are"));
    };
    let schema_type = pair.schema_type.unwrap_or_default();
    let listed = |references| Option::as_deref(references).unwrap_or_default();
    let (own, candidates) = (references(listed(&pair.old_references)), references(listed(&pair.new_references)));
    let old = engine::read_stored(schema_type, &pair.old, &own, &candidates, profile);
    let new = engine::read(schema_type, &pair.new, &candidates, Reading::New, profile);
    match (old, new) {
        (Ok(old), Ok(new)) => judged(pair.id, schema_type, &old, &new, profile, policy),
        (Err(error), _) => unreadable(pair.id, "old", error),
        (_, Err(error)) => unreadable(pair.id, "new", error),
    }
}

fn references<'a>(named: &'a [Object<Named<'_>>]) -> Vec<Reference<'a>> {
    named.iter().map(|Object(one)| Reference { name: &one.name, text: &one.schema }).collect()
}

fn judged(
    id: Option<Value>,
    schema_type: SchemaType,
    old: &Parsed,
    new: &Parsed,
    profile: &Profile,
    policy: Policy,
) -> Answer {
    let (mut differences, mut reason) = (Vec::new(), None);
    let mut word = |direction: Direction, reader: &Parsed, writer: &Parsed| match engine::differences(
        reader, writer, profile, policy,
    ) {
        Ok(all) => {
            let word = Word::of(&Ok(all.as_slice()));
            differences.extend(all.into_iter().map(|difference| told(schema_type, direction, difference)));
            word
        }
        Err(failure) => {
            reason = Some(failure.to_string());
            Word::of(&Err(&failure))
        }
    };
    let backward = word(Direction::Backward, new, old);
    let forward = word(Direction::Forward, old, new);
    Answer { id, backward, forward, differences, reason }
}

fn told(schema_type: SchemaType, direction: Direction, difference: Difference) -> Told {
    let message = engine::sentence(schema_type, &difference, direction, OLD);
    Told {
        direction: word::direction(direction),
        rule: difference.rule,
        path: difference.path,
        message,
        breaks: difference.breaks,
    }
}

fn unreadable(id: Option<Value>, which: &str, error: Unreadable) -> Answer {
    let word = match error {
        // A registry answers an error to what it cannot read.
        Unreadable::Invalid(_) => Word::RegistryError,
        Unreadable::Unsupported(_) => Word::Unsupported,
    };
    Answer { id, backward: word, forward: word, differences: Vec::new(), reason: Some(format!("{which}: {error}")) }
}

/// What is said to a line that is no pair.
pub fn bad(id: Option<Value>, reason: String) -> Answer {
    let word = Word::Unsupported;
    Answer { id, backward: word, forward: word, differences: Vec::new(), reason: Some(reason) }
}

/// The id of a line that is JSON, but no pair.
fn id_of(line: &[u8]) -> Option<Value> {
    serde_json::from_slice::<Value>(line).ok()?.get("id").cloned()
}
