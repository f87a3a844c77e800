//! Answers as Confluent Schema Registry 8.3.1 does, without references, rules, contexts and aliases.

mod compatibility;
mod delete;
mod read;
mod register;
mod sent;
mod settings;

use serde_json::json;

use super::http::{Answer, Request};
use super::judge::Judge;
use super::store::{GLOBAL, Store};
use compatibility::check;
use delete::{delete_subject, delete_version};
use read::{by_id, find, lookup, schema, stored, subjects, versions};
use register::register;
use settings::{config, mode, mode_of};

/// A result whose error is an answer too.
type Answered<T = Answer> = Result<T, Answer>;

pub fn handle(store: &mut Store, judge: &Judge, request: &Request) -> Answer {
    route(store, judge, request).unwrap_or_else(|refusal| refusal)
}

fn route(store: &mut Store, judge: &Judge, request: &Request) -> Answered {
    let (method, path) = request.parts();
    match (method, path.as_slice()) {
        ("GET", []) => Ok(Answer::ok(json!({}))),
        ("GET", ["subjects"]) => Ok(subjects(store, request)),
        ("POST", ["subjects", subject]) => lookup(store, request, subject),
        ("DELETE", ["subjects", subject]) => delete_subject(store, request, subject),
        ("GET", ["subjects", subject, "versions"]) => versions(store, request, subject),
        ("POST", ["subjects", subject, "versions"]) => register(store, judge, request, subject),
        ("GET", ["subjects", subject, "versions", version]) => {
            find(store, subject, version, request.flag("deleted")).map(|entry| Answer::ok(stored(subject, entry, true)))
        }
        ("GET", ["subjects", subject, "versions", version, "schema"]) => {
            find(store, subject, version, request.flag("deleted")).map(schema)
        }
        ("DELETE", ["subjects", subject, "versions", version]) => delete_version(store, request, subject, version),
        ("POST", ["compatibility", "subjects", subject, "versions"]) => check(store, judge, request, subject, None),
        ("POST", ["compatibility", "subjects", subject, "versions", version]) => {
            check(store, judge, request, subject, Some(version))
        }
        (_, ["config"]) => config(store, request, GLOBAL),
        (_, ["config", subject]) => config(store, request, subject),
        (_, ["mode"]) => mode(store, request, GLOBAL),
        (_, ["mode", subject]) => mode(store, request, subject),
        ("GET", ["schemas", "types"]) => Ok(Answer::ok(json!(["JSON", "PROTOBUF", "AVRO"]))),
        ("GET", ["schemas", "ids", id, what @ ..]) => by_id(store, request, id, what),
        ("GET", ["v1", "metadata", "version"]) => Ok(Answer::ok(json!({"version": "8.3.1", "commitId": "0"}))),
        ("GET", ["v1", "metadata", "id"]) => {
            let clusters = json!({"kafka-cluster": "fake-kafka", "schema-registry-cluster": "schema-registry"});
            Ok(Answer::ok(json!({"id": "", "scope": {"path": [], "clusters": clusters}})))
        }
        (_, ["subjects"] | ["subjects", _] | ["subjects", _, "versions"] | ["subjects", _, "versions", _]) => {
            Err(unknown(405, "HTTP 405 Method Not Allowed"))
        }
        _ => Err(unknown(404, "HTTP 404 Not Found")),
    }
}

fn unknown(status: u16, message: &str) -> Answer {
    Answer { content_type: None, ..Answer::error(status, i64::from(status), message) }
}

fn subject_not_found(subject: &str) -> Answer {
    Answer::error(404, 40401, format!("Subject '{subject}' not found."))
}

fn version_not_found(version: impl std::fmt::Display) -> Answer {
    Answer::error(404, 40402, format!("Version {version} not found."))
}

fn not_permitted(message: String) -> Answer {
    Answer::error(422, 42205, message)
}

/// What a mode is called that takes no writes.
fn writable(store: &Store, subject: &str) -> Answered<()> {
    if mode_of(store, subject).starts_with("READONLY") {
        let subject = if subject == GLOBAL { "null" } else { subject };
        return Err(not_permitted(format!("Subject {subject} in context  is in read-only mode")));
    }
    Ok(())
}
