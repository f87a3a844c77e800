//! Soft and permanent deletes.

use serde_json::json;

use super::read::parse_version;
use super::{Answered, subject_not_found, version_not_found, writable};
use crate::fake::http::{Answer, Request};
use crate::fake::store::Store;

pub fn delete_subject(store: &mut Store, request: &Request, subject: &str) -> Answered {
    if !store.exists(subject) {
        return Err(subject_not_found(subject));
    }
    writable(store, subject)?;
    let permanent = request.flag("permanent");
    match (permanent, store.is_live(subject)) {
        (true, true) => {
            let message = format!("Subject '{subject}' was not deleted first before being permanently deleted");
            return Err(Answer::error(404, 40405, message));
        }
        (false, false) => {
            let message = format!("Subject '{subject}' was soft deleted.Set permanent=true to delete permanently");
            return Err(Answer::error(404, 40404, message));
        }
        _ => {}
    }
    let numbers = if permanent { store.hard_delete(subject, None) } else { store.soft_delete(subject, None) };
    Ok(Answer::ok(json!(numbers)))
}

pub fn delete_version(store: &mut Store, request: &Request, subject: &str, version: &str) -> Answered {
    if !store.exists(subject) {
        return Err(subject_not_found(subject));
    }
    let version = match parse_version(version)? {
        Some(number) => number,
        None => store.latest(subject).ok_or_else(|| version_not_found(-1))?.version,
    };
    let entry = store.all(subject).find(|entry| entry.version == version).ok_or_else(|| version_not_found(version))?;
    writable(store, subject)?;
    let permanent = request.flag("permanent");
    match (permanent, entry.deleted) {
        (true, false) => {
            let message =
                format!("Subject '{subject}' Version {version} was not deleted first before being permanently deleted");
            return Err(Answer::error(404, 40407, message));
        }
        (false, true) => {
            let message = format!(
                "Subject '{subject}' Version {version} was soft deleted.Set permanent=true to delete permanently"
            );
            return Err(Answer::error(404, 40406, message));
        }
        (true, true) => drop(store.hard_delete(subject, Some(version))),
        (false, false) => drop(store.soft_delete(subject, Some(version))),
    }
    Ok(Answer::ok(json!(version)))
}
