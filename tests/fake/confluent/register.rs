//! Registering a schema.

use serde_json::json;

use super::compatibility::{incompatibilities, targets};
use super::read::registered;
use super::sent::{Sent, sent};
use super::{Answered, mode_of, not_permitted, writable};
use crate::fake::http::{Answer, Request};
use crate::fake::judge::Judge;
use crate::fake::store::{Entry, Store};

/// What a record of Kafka takes.
const LARGEST: usize = 1 << 20;

pub fn register(store: &mut Store, judge: &Judge, request: &Request, subject: &str) -> Answered {
    if ["__GLOBAL", "__EMPTY"].contains(&subject) || subject.chars().any(char::is_control) {
        return Err(Answer::error(422, 42208, format!("The specified subject '{subject}' is not a valid.")));
    }
    let (mut sent, body) = sent(request, subject)?;
    let id = body["id"].as_i64().filter(|id| *id >= 0);
    let version = body["version"].as_i64().filter(|version| *version != 0);
    if id.is_none()
        && version.is_none()
        && let Some(entry) = sent.by_content(store.live(subject).rev())
    {
        return Ok(Answer::ok(registered(entry, false)));
    }
    // What is the latest already needs no write, also where none is allowed.
    if id.is_none() && version.is_some_and(|version| version < 0) {
        let latest = store.latest(subject);
        let metadata = sent.metadata.as_ref().or_else(|| latest?.metadata.as_ref());
        if let Some(latest) = sent.by_meaning(latest.into_iter(), metadata) {
            return Ok(Answer::ok(registered(latest, true)));
        }
    }
    may_register(store, subject, id)?;
    if let Some(id) = id {
        return import(store, subject, sent, id, version);
    }
    let as_sent = sent.metadata.clone();
    sent.metadata = sent.metadata.or_else(|| store.latest(subject)?.metadata.clone());
    if version.is_none() {
        let live = || store.live(subject).rev();
        if let Some(entry) = sent.by_meaning(live(), as_sent.as_ref()) {
            return Ok(Answer::ok(registered(entry, true)));
        }
        if let Some(entry) = sent.by_content(live()) {
            return Ok(Answer::ok(registered(entry, false)));
        }
        if let Some(entry) = sent.by_meaning(live(), sent.metadata.as_ref()) {
            return Ok(Answer::ok(registered(entry, true)));
        }
    }
    let messages = incompatibilities(store, judge, subject, &sent, &targets(store, subject));
    if !messages.is_empty() {
        let details = messages.join(", ");
        return Err(Answer::error(
            409,
            40901,
            format!(
                "Schema being registered is incompatible with an earlier schema for subject \"{subject}\", details: [{details}]"
            ),
        ));
    }
    if sent.raw.len() > LARGEST {
        return Err(Answer::error(422, 42209, "Register operation failed because schema is too large"));
    }
    let next = store.next_version(subject);
    if version.is_some_and(|version| version > 0 && version != next) {
        return Err(Answer::error(422, 42201, "Version is not one more than previous version"));
    }
    let stamped = sent.metadata.as_ref().is_some_and(|metadata| !metadata["properties"]["confluent:version"].is_null());
    if version.is_some() || stamped {
        let metadata = sent.metadata.get_or_insert_with(|| json!({}));
        metadata["properties"]["confluent:version"] = json!(next.to_string());
    }
    let entry = add(store, subject, sent, None, next);
    Ok(Answer::ok(registered(&entry, false)))
}

fn may_register(store: &Store, subject: &str, id: Option<i64>) -> Answered<()> {
    writable(store, subject)?;
    let import = ["IMPORT", "FORWARD"].contains(&mode_of(store, subject).as_str());
    match id {
        Some(_) if !import => Err(not_permitted(format!("Subject {subject} in context  is not in import mode"))),
        None if import => Err(not_permitted(format!("Subject {subject} in context  is not in read-write mode"))),
        _ => Ok(()),
    }
}

fn import(store: &mut Store, subject: &str, sent: Sent, id: i64, version: Option<i64>) -> Answered {
    let taken = store.by_id(id).is_some_and(|(_, entry)| entry.text != sent.canonical.text);
    if taken {
        return Err(not_permitted(format!("Overwrite new schema with id {id} in context  is not permitted.")));
    }
    let version = version.unwrap_or_else(|| store.next_version(subject));
    let entry = add(store, subject, sent, Some(id), version);
    Ok(Answer::ok(registered(&entry, false)))
}

/// Makes a version. The same content has one id everywhere; deleted versions of the subject that had it go for good.
fn add(store: &mut Store, subject: &str, sent: Sent, id: Option<i64>, version: i64) -> Entry {
    let same =
        |entry: &Entry| sent.is_kind_of(entry) && entry.text == sent.canonical.text && entry.metadata == sent.metadata;
    let known = store.everything().find(|(_, entry)| same(entry)).map(|(_, entry)| entry.id);
    let id = id.or(known).unwrap_or(store.next_id);
    if let Some(versions) = store.subjects.get_mut(subject) {
        versions.retain(|_, entry| !(entry.deleted && entry.id == id));
    }
    let entry = Entry {
        version,
        id,
        schema_type: sent.schema_type,
        text: sent.canonical.text,
        identity: sent.canonical.identity,
        metadata: sent.metadata,
        deleted: false,
        ts: 0,
    };
    store.add(subject, entry.clone());
    entry
}
