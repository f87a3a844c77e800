//! Answers much as Apicurio 3.3.3 does through its `ccompat` API, where that differs from Confluent's in what a client
//! sees. There are no recordings of it: the real server is part of the tests. This one is for faults and lag.

use serde_json::{Map, Value, json};

use super::http::{Answer, Request};
use super::judge::{Comparison, Difference, Judge};
use super::store::{Entry, GLOBAL, Store};
use super::text;

/// Where its `ccompat` API stands.
pub const PREFIX: &str = "/apis/ccompat/v7";

pub fn handle(store: &mut Store, judge: &Judge, request: &Request) -> Answer {
    let (method, path) = request.parts();
    if (method, path.as_slice()) == ("GET", &["apis", "registry", "v3", "system", "info"]) {
        return plain(Answer::ok(json!({"name": "Apicurio Registry (fake)", "version": "3.3.3"})));
    }
    let Some(path) = path.strip_prefix(&["apis", "ccompat", "v7"]) else {
        return Answer::text(404, "application/json", "");
    };
    let answer = match (method, path) {
        ("GET", ["schemas", "types"]) => Ok(Answer::ok(json!(["JSON", "PROTOBUF", "AVRO"]))),
        ("GET", ["subjects"]) => Ok(Answer::ok(json!(store.names("", |name| store.is_live(name))))),
        ("GET", ["subjects", subject, "versions"]) => versions(store, subject, request),
        ("GET", ["subjects", subject, "versions", version]) => {
            find(store, subject, version).map(|entry| Answer::ok(stored(subject, entry)))
        }
        ("POST", ["subjects", subject]) => lookup(store, request, subject),
        ("POST", ["subjects", subject, "versions"]) => register(store, judge, request, subject),
        ("POST", ["compatibility", "subjects", subject, "versions"]) => check(store, judge, request, subject),
        (_, ["config"]) => config(store, request, GLOBAL),
        (_, ["config", subject]) => config(store, request, subject),
        ("GET", ["mode"] | ["mode", _]) => Ok(Answer::ok(json!({"mode": "READWRITE"}))),
        _ => Ok(Answer::text(404, "application/json", "")),
    };
    plain(answer.unwrap_or_else(|refusal| refusal))
}

/// It answers with the plain type, whatever was asked for.
fn plain(answer: Answer) -> Answer {
    Answer { content_type: Some("application/json".to_owned()), ..answer }
}

fn subject_not_found(subject: &str) -> Answer {
    Answer::error(404, 40401, format!("Subject '{subject}' not found."))
}

fn versions(store: &Store, subject: &str, request: &Request) -> Result<Answer, Answer> {
    let numbers: Vec<i64> = store.live(subject).map(|entry| entry.version).collect();
    if numbers.is_empty() {
        return Err(subject_not_found(subject));
    }
    let number = |key, default| request.param(key).and_then(|text| text.parse().ok()).unwrap_or(default);
    // Only the first 500 can be had, in pages or not.
    let page = numbers.into_iter().take(500).skip(number("offset", 0)).take(number("limit", 500));
    Ok(Answer::ok(page.map(Value::from).collect()))
}

fn find<'a>(store: &'a Store, subject: &str, version: &str) -> Result<&'a Entry, Answer> {
    if !store.is_live(subject) {
        return Err(subject_not_found(subject));
    }
    let found = match version {
        "latest" => store.latest(subject),
        number => store.live(subject).find(|entry| Ok(entry.version) == number.parse()),
    };
    found.ok_or_else(|| Answer::error(404, 40402, format!("Version {version} not found.")))
}

/// Without a type for Avro.
fn stored(subject: &str, entry: &Entry) -> Value {
    let mut body = json!({"subject": subject, "version": entry.version, "id": entry.id, "schema": entry.text});
    if entry.schema_type != "AVRO" {
        body["schemaType"] = json!(entry.schema_type);
    }
    body
}

/// Type, text as sent, text in its own form.
fn sent(request: &Request) -> Option<(String, String, String)> {
    let body = request.json()?;
    let schema_type = body["schemaType"].as_str().unwrap_or("AVRO").to_owned();
    let raw = body["schema"].as_str()?.to_owned();
    let canonical = text::confluent(&schema_type, &raw, false).ok()?;
    Some((schema_type, raw, canonical.identity))
}

/// An invalid schema is one that is not found.
fn lookup(store: &Store, request: &Request, subject: &str) -> Result<Answer, Answer> {
    if !store.exists(subject) {
        return Err(subject_not_found(subject));
    }
    let missing =
        || Answer::error(404, 40403, format!("The given schema does not match any schema under the subject {subject}"));
    let (_, raw, identity) = sent(request).ok_or_else(missing)?;
    let entry = store.live(subject).rev().find(|entry| entry.identity == identity).ok_or_else(missing)?;
    let mut body = stored(subject, entry);
    body["schema"] = json!(raw);
    body.as_object_mut().map(|fields| fields.remove("schemaType"));
    Ok(Answer::ok(body))
}

fn register(store: &mut Store, judge: &Judge, request: &Request, subject: &str) -> Result<Answer, Answer> {
    let invalid = || Answer::error(422, 42201, "Failed to discover artifact type from content.");
    let (schema_type, raw, identity) = sent(request).ok_or_else(invalid)?;
    if let Some(entry) = store.live(subject).find(|entry| entry.identity == identity) {
        return Ok(Answer::ok(json!({"id": entry.id})));
    }
    let words = incompatibilities(store, judge, subject, &schema_type, &raw);
    if !words.is_empty() {
        let message = format!(
            "io.apicurio.registry.rules.violation.RuleViolationException: Incompatible artifact: {subject} [{schema_type}], \
             num of incompatible diffs: {{{}}}, list of diff types: [{}]",
            words.len(),
            words.join(", ")
        );
        return Err(Answer::error(409, 409, message));
    }
    let entry = Entry {
        version: store.next_version(subject),
        id: store.next_id,
        schema_type,
        text: raw,
        identity,
        metadata: None,
        deleted: false,
        ts: 0,
    };
    let id = entry.id;
    store.add(subject, entry);
    Ok(Answer::ok(json!({"id": id})))
}

/// It never says why.
fn check(store: &Store, judge: &Judge, request: &Request, subject: &str) -> Result<Answer, Answer> {
    if !store.is_live(subject) {
        return Err(subject_not_found(subject));
    }
    let (schema_type, raw, _) = sent(request).ok_or_else(|| Answer::error(422, 42201, "Invalid schema"))?;
    let words = incompatibilities(store, judge, subject, &schema_type, &raw);
    Ok(Answer::ok(json!({"is_compatible": words.is_empty()})))
}

fn incompatibilities(store: &Store, judge: &Judge, subject: &str, schema_type: &str, raw: &str) -> Vec<String> {
    let level = level_of(store, subject);
    let targets = store.live(subject).rev().take(if level.ends_with("_TRANSITIVE") { usize::MAX } else { 1 });
    let level = level.trim_end_matches("_TRANSITIVE");
    let directions: &[bool] = match level {
        "NONE" => &[],
        "BACKWARD" => &[true],
        "FORWARD" => &[false],
        _ => &[true, false],
    };
    let differences = targets.flat_map(|old| {
        directions.iter().flat_map(|&backward| judge(&Comparison { schema_type, new: raw, old: &old.text, backward }))
    });
    differences.map(|difference: Difference| difference.apicurio()).collect()
}

fn level_of(store: &Store, subject: &str) -> String {
    let level = |name| store.configs.get(name).and_then(|config: &Map<String, Value>| config.get("compatibility"));
    level(subject).or_else(|| level(GLOBAL)).and_then(Value::as_str).unwrap_or("NONE").to_owned()
}

/// A subject without a level of its own reads NONE, unless what is in force is asked for.
fn config(store: &mut Store, request: &Request, subject: &str) -> Result<Answer, Answer> {
    match request.method.as_str() {
        "GET" if subject != GLOBAL && !store.exists(subject) => Err(subject_not_found(subject)),
        "GET" => {
            let own = store.configs.get(subject).and_then(|config| config.get("compatibility")).cloned();
            let level = match own {
                Some(own) => own,
                None if request.flag("defaultToGlobal") => json!(level_of(store, subject)),
                None => json!("NONE"),
            };
            Ok(Answer::ok(json!({"compatibilityLevel": level})))
        }
        "PUT" => {
            let level = request.json().map(|body| body["compatibility"].clone()).unwrap_or_default();
            store.configs.entry(subject.to_owned()).or_default().insert("compatibility".to_owned(), level.clone());
            Ok(Answer::ok(json!({"compatibility": level, "normalize": false})))
        }
        _ => Ok(Answer::text(405, "application/json", "")),
    }
}
