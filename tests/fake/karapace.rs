//! Answers as Karapace 6.2.0 does, without references and without users.

use serde_json::{Map, Value, json};

use super::http::{Answer, Request};
use super::judge::{Comparison, Difference, Judge};
use super::store::{Entry, GLOBAL, Store};
use super::text::{self, Canonical};

const LEVELS: [&str; 7] =
    ["NONE", "BACKWARD", "BACKWARD_TRANSITIVE", "FORWARD", "FORWARD_TRANSITIVE", "FULL", "FULL_TRANSITIVE"];
/// It cuts messages here.
const MESSAGE: usize = 300;

type Answered<T = Answer> = Result<T, Answer>;

struct Sent {
    schema_type: String,
    raw: String,
    canonical: Canonical,
}

pub fn handle(store: &mut Store, judge: &Judge, request: &Request) -> Answer {
    route(store, judge, request).unwrap_or_else(|refusal| refusal)
}

fn route(store: &mut Store, judge: &Judge, request: &Request) -> Answered {
    let (method, path) = request.parts();
    match (method, path.as_slice()) {
        ("GET", []) => Ok(Answer::text(200, "application/json", "{}")),
        ("GET", ["_health"]) => Ok(Answer::text(
            200,
            "application/json",
            r#"{"karapace_version":"6.2.0","status":{"schema_registry_ready":true}}"#,
        )),
        ("GET", ["subjects"]) => Ok(subjects(store, request)),
        ("POST", ["subjects", subject]) => lookup(store, request, subject),
        ("DELETE", ["subjects", subject]) => delete_subject(store, request, subject),
        ("GET", ["subjects", subject, "versions"]) => versions(store, request, subject),
        ("POST", ["subjects", subject, "versions"]) => register(store, judge, request, subject),
        ("GET", ["subjects", subject, "versions", version]) => {
            find(store, subject, version, request.flag("deleted")).map(|entry| Answer::ok(stored(subject, entry)))
        }
        ("DELETE", ["subjects", subject, "versions", version]) => delete_version(store, request, subject, version),
        ("POST", ["compatibility", "subjects", subject, "versions", version]) => {
            check(store, judge, request, subject, version)
        }
        (_, ["config"]) => config(store, request, GLOBAL),
        (_, ["config", subject]) => config(store, request, subject),
        ("GET", ["mode"]) => Ok(Answer::ok(json!({"mode": "READWRITE"}))),
        ("GET", ["mode", subject]) if known(store, subject) => Ok(Answer::ok(json!({"mode": "READWRITE"}))),
        ("GET", ["mode", subject]) => Err(subject_not_found(subject)),
        ("GET", ["schemas", "types"]) => Ok(Answer::ok(json!(["JSON", "AVRO", "PROTOBUF"]))),
        ("GET", ["schemas", "ids", id, what @ ..]) => by_id(store, id, what),
        (_, ["mode"] | ["mode", _] | ["subjects"] | ["subjects", _]) => Err(no_method()),
        _ => Err(Answer::text(404, "application/json", "\"Not Found\"")),
    }
}

fn no_method() -> Answer {
    Answer::text(405, "application/json", "\"Method Not Allowed\"")
}

fn crash() -> Answer {
    Answer::text(500, "text/plain; charset=utf-8", "Internal Server Error")
}

fn subject_not_found(subject: &str) -> Answer {
    Answer::error(404, 40401, format!("Subject '{subject}' not found."))
}

fn version_not_found(version: impl std::fmt::Display) -> Answer {
    Answer::error(404, 40402, format!("Version {version} not found."))
}

/// Whether it was ever heard of: also by a level that was set or removed.
fn known(store: &Store, subject: &str) -> bool {
    store.exists(subject) || store.configs.contains_key(subject)
}

// ---- reads

fn subjects(store: &Store, request: &Request) -> Answer {
    let deleted = request.flag("deleted");
    let mut names = store.names("", |name| deleted || store.is_live(name));
    if deleted {
        names.extend(store.configs.keys().filter(|name| *name != GLOBAL && !store.exists(name)).cloned());
    }
    Answer::ok(json!(names))
}

fn versions(store: &Store, request: &Request, subject: &str) -> Answered {
    let deleted = request.flag("deleted");
    let numbers: Vec<i64> =
        store.all(subject).filter(|entry| deleted || !entry.deleted).map(|entry| entry.version).collect();
    if numbers.is_empty() { Err(subject_not_found(subject)) } else { Ok(Answer::ok(json!(numbers))) }
}

fn parse_version(text: &str) -> Option<Option<i64>> {
    match text.parse::<i64>() {
        _ if text == "latest" => Some(None),
        Ok(-1) => Some(None),
        Ok(number) if number > 0 => Some(Some(number)),
        _ => None,
    }
}

fn bad_version(text: &str) -> Answer {
    let message = format!(
        "The specified version '{text}' is not a valid version id. Allowed values are between [1, 2^31-1] and the string \"latest\""
    );
    Answer::error(422, 42202, message)
}

fn find<'a>(store: &'a Store, subject: &str, version: &str, deleted: bool) -> Answered<&'a Entry> {
    let version = parse_version(version).ok_or_else(|| bad_version(version))?;
    let mut entries = store.all(subject).filter(|entry| deleted || !entry.deleted).peekable();
    if entries.peek().is_none() {
        return Err(subject_not_found(subject));
    }
    match version {
        None => entries.next_back().ok_or_else(|| version_not_found(-1)),
        Some(number) => entries.find(|entry| entry.version == number).ok_or_else(|| version_not_found(number)),
    }
}

fn stored(subject: &str, entry: &Entry) -> Value {
    let mut body = schema(entry);
    body["subject"] = json!(subject);
    body["version"] = json!(entry.version);
    body["id"] = json!(entry.id);
    body
}

fn schema(entry: &Entry) -> Value {
    let mut body = json!({"schema": entry.text});
    if entry.schema_type != "AVRO" {
        body["schemaType"] = json!(entry.schema_type);
    }
    body
}

fn by_id(store: &Store, id: &str, what: &[&str]) -> Answered {
    let Ok(number) = id.parse::<i64>() else {
        return Err(Answer::error(404, 404, "HTTP 404 Not Found"));
    };
    match what {
        [] => {
            let entry = store.by_id(number).map(|(_, entry)| entry);
            // It keeps contents for ever.
            let entry = entry.or_else(|| store.kept.iter().find(|entry| entry.id == number));
            entry.map(|entry| Answer::ok(schema(entry))).ok_or_else(|| Answer::error(404, 40403, "Schema not found"))
        }
        ["versions"] => {
            let holders = store.everything().filter(|(_, entry)| entry.id == number && !entry.deleted);
            let holders = holders.map(|(subject, entry)| json!({"subject": subject, "version": entry.version}));
            Ok(Answer::ok(Value::Array(holders.collect())))
        }
        _ => Err(Answer::text(404, "application/json", "\"Not Found\"")),
    }
}

// ---- what a request carries

fn sent(request: &Request) -> Answered<Sent> {
    let Some(body @ Value::Object(_)) = request.json() else {
        return Err(Answer::error(422, 422, "the body is no object"));
    };
    let schema_type = body["schemaType"].as_str().unwrap_or("AVRO").to_owned();
    let raw = body["schema"].as_str().unwrap_or_default().to_owned();
    if raw.is_empty() {
        return Err(Answer::error(422, 42201, "Empty schema"));
    }
    match text::karapace(&schema_type, &raw) {
        Ok(canonical) => Ok(Sent { schema_type, raw, canonical }),
        Err(cause) => Err(Answer::error(422, 42201, format!("Invalid {schema_type} schema. Error: {cause}"))),
    }
}

fn lookup(store: &Store, request: &Request, subject: &str) -> Answered {
    let deleted = request.flag("deleted");
    let sent = sent(request)?;
    let mut known = store.all(subject).rev().filter(|entry| deleted || !entry.deleted).peekable();
    if known.peek().is_none() {
        return Err(subject_not_found(subject));
    }
    let same = |entry: &&Entry| entry.schema_type == sent.schema_type && entry.identity == sent.canonical.identity;
    let found = known.find(same).ok_or_else(|| Answer::error(404, 40403, "Schema not found"))?;
    Ok(Answer::ok(stored(subject, found)))
}

// ---- writes

fn register(store: &mut Store, judge: &Judge, request: &Request, subject: &str) -> Answered {
    let sent = sent(request)?;
    let same = |entry: &Entry| entry.schema_type == sent.schema_type && entry.text == sent.canonical.text;
    // The format is no part of what it knows a schema by.
    if let Some(entry) = store.live(subject).find(|entry| entry.text == sent.canonical.text) {
        return Ok(Answer::ok(json!({"id": entry.id})));
    }
    let level = level_of(store, subject);
    let transitive = level.ends_with("_TRANSITIVE");
    let targets: Vec<Entry> = if transitive {
        store.live(subject).cloned().collect()
    } else {
        store.latest(subject).cloned().into_iter().collect()
    };
    if let Some(words) = incompatibilities(judge, &sent, &targets, &level) {
        let message =
            format!("Incompatible schema, compatibility_mode={level}. Incompatibilities: {}", words.join(", "));
        return Err(Answer::error(409, 409, message.chars().take(MESSAGE).collect::<String>()));
    }
    let kept = || store.everything().map(|(_, entry)| entry).chain(&store.kept);
    let known = kept().find(|entry| same(entry)).map(|entry| entry.id);
    // A text that it knows already is read back in the format that it had first.
    let first = kept().find(|entry| entry.text == sent.canonical.text).map(|entry| entry.schema_type.clone());
    let entry = Entry {
        version: store.next_version(subject),
        id: known.unwrap_or(store.next_id),
        schema_type: first.unwrap_or(sent.schema_type),
        text: sent.canonical.text,
        identity: sent.canonical.identity,
        metadata: None,
        deleted: false,
        ts: 0,
    };
    let id = entry.id;
    store.add(subject, entry);
    Ok(Answer::ok(json!({"id": id})))
}

fn delete_subject(store: &mut Store, request: &Request, subject: &str) -> Answered {
    let permanent = request.flag("permanent");
    if !store.exists(subject) {
        return Err(subject_not_found(subject));
    }
    let numbers = match (permanent, store.is_live(subject)) {
        (true, true) => {
            let message = format!("Subject '{subject}' was not deleted first before being permanently deleted");
            return Err(Answer::error(404, 40405, message));
        }
        (false, false) => {
            let message = format!("Subject '{subject}' was soft deleted.Set permanent=true to delete permanently");
            return Err(Answer::error(404, 40404, message));
        }
        (true, false) => store.hard_delete(subject, None),
        (false, true) => store.soft_delete(subject, None),
    };
    Ok(Answer::ok(json!(numbers)))
}

fn delete_version(store: &mut Store, request: &Request, subject: &str, version: &str) -> Answered {
    let number = parse_version(version).ok_or_else(|| bad_version(version))?;
    if !store.exists(subject) {
        return Err(subject_not_found(subject));
    }
    // With nothing but deleted versions it fails to find the latest.
    let number = number.or_else(|| Some(store.latest(subject)?.version)).ok_or_else(crash)?;
    let entry = store.all(subject).find(|entry| entry.version == number).ok_or_else(|| version_not_found(number))?;
    match (request.flag("permanent"), entry.deleted) {
        (true, false) => {
            let message =
                format!("Subject '{subject}' Version {number} was not deleted first before being permanently deleted");
            return Err(Answer::error(404, 40407, message));
        }
        (false, true) => {
            let message = format!(
                "Subject '{subject}' Version {number} was soft deleted. Set permanent=true to delete permanently"
            );
            return Err(Answer::error(404, 40406, message));
        }
        (true, true) => drop(store.hard_delete(subject, Some(number))),
        (false, false) => drop(store.soft_delete(subject, Some(number))),
    }
    Ok(Answer::ok(json!(number)))
}

// ---- compatibility

/// Of the first version, oldest first, that the schema does not go with.
fn incompatibilities(judge: &Judge, sent: &Sent, targets: &[Entry], level: &str) -> Option<Vec<String>> {
    let level = level.trim_end_matches("_TRANSITIVE");
    targets.iter().filter(|_| level != "NONE").find_map(|old| {
        if old.schema_type != sent.schema_type {
            let name = |schema_type: &str| if schema_type == "JSON" { "JSONSCHEMA" } else { schema_type }.to_owned();
            let (old, new) = (name(&old.schema_type), name(&sent.schema_type));
            return Some(vec![format!("Comparing different schema types: SchemaType.{old} with SchemaType.{new}")]);
        }
        let differences = |backward| {
            let comparison = Comparison { schema_type: &sent.schema_type, new: &sent.raw, old: &old.text, backward };
            judge(&comparison)
        };
        let backward = if level == "FORWARD" { Vec::new() } else { differences(true) };
        let forward = if level == "BACKWARD" { Vec::new() } else { differences(false) };
        let words: Vec<String> = backward.iter().chain(&forward).map(Difference::karapace).collect();
        (!words.is_empty()).then_some(words)
    })
}

fn check(store: &Store, judge: &Judge, request: &Request, subject: &str, version: &str) -> Answered {
    let sent = sent(request)?;
    let number = parse_version(version).ok_or_else(crash)?;
    let named = match number {
        None => store.latest(subject).ok_or_else(|| version_not_found(-1))?,
        Some(number) => {
            let found = store.live(subject).find(|entry| entry.version == number);
            found.ok_or_else(|| version_not_found(number))?
        }
    };
    let level = level_of(store, subject);
    // A transitive level looks at all, whichever version was named.
    let targets: Vec<Entry> =
        if level.ends_with("_TRANSITIVE") { store.live(subject).cloned().collect() } else { vec![named.clone()] };
    Ok(Answer::ok(match incompatibilities(judge, &sent, &targets, &level) {
        None => json!({"is_compatible": true}),
        Some(words) => json!({"is_compatible": false, "messages": words}),
    }))
}

// ---- settings

fn level_of(store: &Store, subject: &str) -> String {
    let level = |name| store.configs.get(name).and_then(|config: &Map<String, Value>| config.get("compatibility"));
    let level = level(subject).or_else(|| level(GLOBAL)).and_then(Value::as_str);
    level.unwrap_or("BACKWARD").to_owned()
}

fn config(store: &mut Store, request: &Request, subject: &str) -> Answered {
    match request.method.as_str() {
        "GET" => {
            let own = store.configs.get(subject).is_some_and(|config| config.contains_key("compatibility"));
            if subject != GLOBAL && !known(store, subject) {
                return Err(subject_not_found(subject));
            }
            if own || subject == GLOBAL || request.flag("defaultToGlobal") {
                return Ok(Answer::ok(json!({"compatibilityLevel": level_of(store, subject)})));
            }
            let message = format!("Subject '{subject}' does not have subject-level compatibility configured");
            Err(Answer::error(404, 40408, message))
        }
        "PUT" => {
            let body = request.json().unwrap_or_default();
            let Some(word) = body["compatibility"].as_str() else {
                return Err(missing(&body));
            };
            if !LEVELS.contains(&word) {
                let every = "Valid values are none, backward, forward, full, backward_transitive, forward_transitive, and full_transitive";
                let message = "Invalid compatibility level";
                let message = if subject == GLOBAL { format!("{message}. {every}") } else { message.to_owned() };
                return Err(Answer::error(422, 42203, message));
            }
            let config = store.configs.entry(subject.to_owned()).or_default();
            config.insert("compatibility".to_owned(), json!(word));
            Ok(Answer::ok(json!({"compatibility": word})))
        }
        "DELETE" if subject != GLOBAL => {
            // Whoever was never heard of is known from now on.
            store.configs.insert(subject.to_owned(), Map::new());
            Ok(Answer::ok(json!({"compatibility": level_of(store, subject)})))
        }
        _ => Err(no_method()),
    }
}

/// How its validation of bodies says that the level is missing, or no string.
fn missing(body: &Value) -> Answer {
    let complaint = match body.get("compatibility") {
        None => json!({"type": "missing", "loc": ["body", "compatibility"], "msg": "Field required", "input": body}),
        Some(other) => {
            let message = "Input should be a valid string";
            json!({"type": "string_type", "loc": ["body", "compatibility"], "msg": message, "input": other})
        }
    };
    Answer::json(422, json!({"error_code": 422, "message": [complaint]}))
}
