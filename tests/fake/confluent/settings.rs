//! Levels and modes, of subjects and of the registry.

use serde_json::{Map, Value, json};

use super::{Answered, not_permitted, subject_not_found, unknown, writable};
use crate::fake::http::{Answer, Request};
use crate::fake::store::{GLOBAL, Store};

const LEVELS: [&str; 7] =
    ["NONE", "BACKWARD", "BACKWARD_TRANSITIVE", "FORWARD", "FORWARD_TRANSITIVE", "FULL", "FULL_TRANSITIVE"];
const MODES: [&str; 5] = ["READWRITE", "READONLY", "READONLY_OVERRIDE", "IMPORT", "FORWARD"];
/// What `PUT /config` keeps; all else is dropped in silence.
const SETTINGS: [&str; 6] =
    ["compatibility", "normalize", "validateFields", "validateRules", "alias", "compatibilityGroup"];

pub fn config(store: &mut Store, request: &Request, subject: &str) -> Answered {
    match request.method.as_str() {
        "GET" => {
            let own = store.configs.get(subject);
            let inherit = request.flag("defaultToGlobal") || subject == GLOBAL;
            match own.or_else(|| store.configs.get(GLOBAL).filter(|_| inherit)) {
                Some(config) => Ok(Answer::ok(read_config(config))),
                None if inherit => Ok(Answer::ok(read_config(&Map::new()))),
                None => Err(Answer::error(
                    404,
                    40408,
                    format!("Subject '{subject}' does not have subject-level compatibility configured"),
                )),
            }
        }
        "PUT" => put_config(store, request, subject),
        "DELETE" => {
            writable(store, subject)?;
            match store.configs.remove(subject) {
                Some(config) => Ok(Answer::ok(read_config(&config))),
                None if subject == GLOBAL => Ok(Answer::ok(read_config(&Map::new()))),
                None => Err(subject_not_found(subject)),
            }
        }
        _ => Err(unknown(405, "HTTP 405 Method Not Allowed")),
    }
}

fn put_config(store: &mut Store, request: &Request, subject: &str) -> Answered {
    let Some(Value::Object(body)) = request.json() else {
        return Err(Answer::error(400, 400, "the body is no object"));
    };
    let mut changes = Map::new();
    for (name, value) in body.into_iter().filter(|(name, _)| SETTINGS.contains(&name.as_str())) {
        let value = match (name.as_str(), &value) {
            ("compatibility", Value::String(word)) => json!(known_level(word)?),
            _ => value,
        };
        changes.insert(name, value);
    }
    writable(store, subject)?;
    let config = store.configs.entry(subject.to_owned()).or_default();
    config.extend(changes);
    config.retain(|_, value| !value.is_null());
    Ok(Answer::ok(Value::Object(config.clone())))
}

fn known_level(word: &str) -> Answered<String> {
    let level = word.to_uppercase();
    if LEVELS.contains(&level.as_str()) {
        return Ok(level);
    }
    Err(Answer::error(
        422,
        42203,
        "Invalid compatibility level. Valid values are none, backward, forward, full, backward_transitive, \
         forward_transitive, and full_transitive",
    ))
}

/// As a GET spells it, with the level that holds where none is set.
fn read_config(config: &Map<String, Value>) -> Value {
    let mut body = config.clone();
    let level = body.remove("compatibility").unwrap_or_else(|| json!("BACKWARD"));
    body.insert("compatibilityLevel".to_owned(), level);
    Value::Object(body)
}

pub fn mode_of(store: &Store, subject: &str) -> String {
    let mode = store.modes.get(subject).or_else(|| store.modes.get(GLOBAL));
    mode.cloned().unwrap_or_else(|| "READWRITE".to_owned())
}

pub fn mode(store: &mut Store, request: &Request, subject: &str) -> Answered {
    match request.method.as_str() {
        "GET" if subject == GLOBAL || request.flag("defaultToGlobal") || store.modes.contains_key(subject) => {
            Ok(Answer::ok(json!({"mode": mode_of(store, subject)})))
        }
        "GET" => {
            Err(Answer::error(404, 40409, format!("Subject '{subject}' does not have subject-level mode configured")))
        }
        "PUT" => put_mode(store, request, subject),
        "DELETE" => {
            if subject != GLOBAL && !store.modes.contains_key(subject) {
                return Err(subject_not_found(subject));
            }
            let mode = mode_of(store, subject);
            store.modes.remove(subject);
            Ok(Answer::ok(json!({"mode": mode})))
        }
        _ => Err(unknown(405, "HTTP 405 Method Not Allowed")),
    }
}

fn put_mode(store: &mut Store, request: &Request, subject: &str) -> Answered {
    let invalid =
        || Answer::error(422, 42204, "Invalid mode. Valid values are READWRITE, READONLY, IMPORT and FORWARD.");
    let spelled = request.json().and_then(|body| body.get("mode").cloned()).ok_or_else(invalid)?;
    if spelled.is_null() {
        store.modes.remove(subject);
        return Ok(Answer::ok(json!({"mode": null})));
    }
    let mode = spelled.as_str().map(str::to_uppercase).ok_or_else(invalid)?;
    if !MODES.contains(&mode.as_str()) {
        return Err(invalid());
    }
    if mode == "FORWARD" {
        return Err(Answer::error(422, 42204, "Forward mode only supported on global level"));
    }
    if mode == "IMPORT" && !request.flag("force") {
        let names = store.names("", |name| subject == GLOBAL || name == subject);
        if names.iter().any(|name| store.is_live(name)) {
            return Err(not_permitted("Cannot import since found existing subjects".to_owned()));
        }
        for name in names {
            store.hard_delete(&name, None);
        }
    }
    store.modes.insert(subject.to_owned(), mode);
    Ok(Answer::ok(json!({"mode": spelled})))
}
