//! Reads of subjects, versions and ids, and lookups.

use serde_json::{Value, json};

use super::sent::sent;
use super::{Answered, subject_not_found, unknown, version_not_found};
use crate::fake::http::{Answer, Request};
use crate::fake::store::{Entry, Store, guid};

pub fn subjects(store: &Store, request: &Request) -> Answer {
    let (deleted, only) = (request.flag("deleted"), request.flag("deletedOnly"));
    let names = store.names(request.param("subjectPrefix").unwrap_or(""), |name| match (deleted, only) {
        (_, true) => !store.is_live(name),
        (true, false) => true,
        (false, false) => store.is_live(name),
    });
    Answer::ok(json!(names))
}

pub fn versions(store: &Store, request: &Request, subject: &str) -> Answered {
    let only = request.flag("deletedOnly");
    let negative = request.flag("deletedAsNegative");
    let deleted = request.flag("deleted") || only || negative;
    if !store.exists(subject) || (!deleted && !store.is_live(subject)) {
        return Err(subject_not_found(subject));
    }
    let chosen = store.all(subject).filter(|entry| if only { entry.deleted } else { deleted || !entry.deleted });
    let numbers = chosen.map(|entry| if negative && entry.deleted { -entry.version } else { entry.version });
    let number = |key| request.param(key).and_then(|text| text.parse::<usize>().ok());
    let limit = number("limit").filter(|limit| *limit > 0).unwrap_or(usize::MAX);
    Ok(Answer::ok(json!(numbers.skip(number("offset").unwrap_or(0)).take(limit).collect::<Vec<_>>())))
}

/// The version that a path names: none for the latest.
pub fn parse_version(text: &str) -> Answered<Option<i64>> {
    let trimmed = text.trim();
    if trimmed.eq_ignore_ascii_case("latest") {
        return Ok(None);
    }
    match trimmed.parse::<i64>() {
        Ok(-1) => Ok(None),
        Ok(number) if (1..=i64::from(i32::MAX)).contains(&number) => Ok(Some(number)),
        _ => Err(Answer::error(
            422,
            42202,
            format!(
                "The specified version '{text}' is not a valid version id. \
                 Allowed values are between [1, 2^31-1] and the string \"latest\""
            ),
        )),
    }
}

pub fn find<'a>(store: &'a Store, subject: &str, version: &str, deleted: bool) -> Answered<&'a Entry> {
    let version = parse_version(version)?;
    if !store.exists(subject) || (!deleted && !store.is_live(subject)) {
        return Err(subject_not_found(subject));
    }
    match version {
        None => store.latest(subject).ok_or_else(|| version_not_found(-1)),
        Some(number) => {
            let found = store.all(subject).find(|entry| entry.version == number && (deleted || !entry.deleted));
            found.ok_or_else(|| version_not_found(number))
        }
    }
}

/// A version as it is answered: `complete` where it was read, or found by looking through the versions.
pub fn stored(subject: &str, entry: &Entry, complete: bool) -> Value {
    let mut body = registered(entry, complete);
    body["subject"] = json!(subject);
    body
}

pub fn registered(entry: &Entry, complete: bool) -> Value {
    let mut body = json!({
        "id": entry.id,
        "version": entry.version,
        "guid": guid(&entry.text, entry.metadata.as_ref()),
        "schemaType": entry.schema_type,
        "schema": entry.text,
    });
    if let Some(metadata) = &entry.metadata {
        body["metadata"] = metadata.clone();
    }
    if complete {
        body["ts"] = json!(entry.ts);
        body["deleted"] = json!(entry.deleted);
    }
    body
}

pub fn by_id(store: &Store, request: &Request, id: &str, what: &[&str]) -> Answered {
    let Ok(number) = id.parse::<i64>() else {
        return Err(Answer::error(404, 404, "HTTP 404 Not Found"));
    };
    let Some((subject, entry)) = store.by_id(number) else {
        let message =
            if what.is_empty() { format!("Schema {number} not found") } else { "Schema not found".to_owned() };
        return Err(Answer::error(404, 40403, message));
    };
    let holders =
        store.everything().filter(|(_, other)| other.id == number && (request.flag("deleted") || !other.deleted));
    match what {
        [] => {
            let mut body = stored(subject, entry, true);
            body.as_object_mut().map(|fields| fields.remove("id"));
            Ok(Answer::ok(body))
        }
        ["versions"] => {
            let holders = holders.map(|(subject, other)| json!({"subject": subject, "version": other.version}));
            Ok(Answer::ok(Value::Array(holders.collect())))
        }
        ["subjects"] => Ok(Answer::ok(holders.map(|(subject, _)| json!(subject)).collect())),
        _ => Err(unknown(404, "HTTP 404 Not Found")),
    }
}

/// Only the schema, as JSON where it is JSON.
pub fn schema(entry: &Entry) -> Answer {
    Answer::ok(serde_json::from_str(&entry.text).unwrap_or(Value::String(entry.text.clone())))
}

pub fn lookup(store: &Store, request: &Request, subject: &str) -> Answered {
    let deleted = request.flag("deleted");
    let (mut sent, _) = sent(request, subject)?;
    let known = || store.all(subject).rev().filter(|entry| deleted || !entry.deleted);
    if known().next().is_none() {
        return Err(subject_not_found(subject));
    }
    if let Some(entry) = sent.by_content(known()) {
        return Ok(Answer::ok(stored(subject, entry, false)));
    }
    if let Some(entry) = sent.by_meaning(known(), sent.metadata.as_ref()) {
        return Ok(Answer::ok(stored(subject, entry, true)));
    }
    // Then with the metadata of the latest version, as a register would inherit it; then with any.
    if sent.metadata.is_none() {
        sent.metadata = store.latest(subject).and_then(|latest| latest.metadata.clone());
        if let Some(entry) = sent.by_content(known()) {
            return Ok(Answer::ok(stored(subject, entry, false)));
        }
        if let Some(entry) = known().find(|entry| sent.is_schema_of(entry)) {
            return Ok(Answer::ok(stored(subject, entry, true)));
        }
    }
    Err(Answer::error(404, 40403, "Schema not found"))
}
