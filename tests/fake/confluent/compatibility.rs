//! Which versions a schema is compared with, and how the differences are told.

use serde_json::json;

use super::read::parse_version;
use super::sent::{Sent, sent};
use super::{Answered, version_not_found};
use crate::fake::http::{Answer, Request};
use crate::fake::judge::{Comparison, Difference, Judge};
use crate::fake::store::{Entry, GLOBAL, Store};

/// Longer old schemas are cut in messages.
const OLD_SCHEMA: usize = 10_240;

fn level_of(store: &Store, subject: &str) -> String {
    let config = store.configs.get(subject).or_else(|| store.configs.get(GLOBAL));
    let level = config.and_then(|config| config.get("compatibility")?.as_str());
    level.unwrap_or("BACKWARD").to_owned()
}

/// The versions that a new one is compared with, newest first.
pub fn targets(store: &Store, subject: &str) -> Vec<Entry> {
    let transitive = level_of(store, subject).ends_with("_TRANSITIVE");
    store.live(subject).rev().take(if transitive { usize::MAX } else { 1 }).cloned().collect()
}

/// Of the first version that the schema does not go with.
pub fn incompatibilities(store: &Store, judge: &Judge, subject: &str, sent: &Sent, targets: &[Entry]) -> Vec<String> {
    let level = level_of(store, subject);
    if level == "NONE" {
        return Vec::new();
    }
    let settings = store.configs.get(subject).or_else(|| store.configs.get(GLOBAL));
    let validate = settings.is_some_and(|settings| settings.get("validateFields") == Some(&json!(true)));
    for old in targets {
        let mut messages = against(judge, sent, old, level.trim_end_matches("_TRANSITIVE"));
        if !messages.is_empty() {
            messages.push(format!("{{validateFields: '{validate}', compatibility: '{level}'}}"));
            return messages;
        }
    }
    Vec::new()
}

fn against(judge: &Judge, sent: &Sent, old: &Entry, level: &str) -> Vec<String> {
    if sent.schema_type != old.schema_type {
        return vec!["Incompatible because of different schema type".to_owned()];
    }
    let differences = |backward| {
        let comparison = Comparison { schema_type: &sent.schema_type, new: &sent.raw, old: &old.text, backward };
        let words = |difference: Difference| difference.confluent(backward);
        judge(&comparison).into_iter().map(words).collect::<Vec<_>>()
    };
    let forward = if level == "BACKWARD" { Vec::new() } else { differences(false) };
    let backward = if level == "FORWARD" { Vec::new() } else { differences(true) };
    // Under FULL the version is only named by the backward half.
    let named = if level == "FULL" { !backward.is_empty() } else { !forward.is_empty() || !backward.is_empty() };
    let mut messages = [forward, backward].concat();
    if named {
        messages.push(format!("{{oldSchemaVersion: {}}}", old.version));
        messages.push(match old.text.char_indices().nth(OLD_SCHEMA) {
            Some((end, _)) => format!("{{oldSchema: <truncated> '{}...'}}", &old.text[..end]),
            None => format!("{{oldSchema: '{}'}}", old.text),
        });
    }
    messages
}

pub fn check(store: &Store, judge: &Judge, request: &Request, subject: &str, version: Option<&str>) -> Answered {
    let verbose = request.flag("verbose");
    let targets = match version.map(parse_version).transpose()? {
        None => targets(store, subject),
        Some(None) => store.latest(subject).cloned().into_iter().collect(),
        Some(Some(number)) => {
            let found = store.live(subject).find(|entry| entry.version == number);
            vec![found.ok_or_else(|| version_not_found(number))?.clone()]
        }
    };
    let messages = match sent(request, subject) {
        Ok((sent, _)) => incompatibilities(store, judge, subject, &sent, &targets),
        Err(refusal) if verbose && refusal.status == 422 => {
            vec![refusal.value()["message"].as_str().unwrap_or_default().to_owned()]
        }
        Err(refusal) => return Err(refusal),
    };
    let mut body = json!({"is_compatible": messages.is_empty()});
    if verbose {
        body["messages"] = json!(messages);
    }
    Ok(Answer::ok(body))
}
