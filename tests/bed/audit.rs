//! The API server's audit log: who asked for what, and what came of it.

use std::fs;
use std::path::Path;

use serde::Deserialize;

/// A request that the API server has answered. A watch counts once, when it begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`
    pub verb: String,
    /// API group, empty for the core.
    pub group: String,
    /// Plural name of the resource; empty for paths that are none, such as `/readyz`.
    pub resource: String,
    /// Such as `status`; mostly empty.
    pub subresource: String,
    /// Empty for what has none.
    pub namespace: String,
    /// Empty for lists and creations.
    pub name: String,
    /// Such as `system:serviceaccount:NAMESPACE:NAME`.
    pub user: String,
    /// HTTP status.
    pub code: u16,
}

impl AuditEntry {
    /// Whether it asked for a change.
    pub fn is_write(&self) -> bool {
        !matches!(self.verb.as_str(), "get" | "list" | "watch")
    }
}

/// Reads the answered requests from an audit log at Metadata level, in the order of their answers.
pub fn read(log: &Path) -> Vec<AuditEntry> {
    entries(log, |_| true)
}

/// The same of one user alone. Other lines are not parsed, which in a long log is most of the work.
pub fn read_of(log: &Path, user: &str) -> Vec<AuditEntry> {
    let mut found = entries(log, |line| line.contains(user));
    found.retain(|entry| entry.user == user);
    found
}

fn entries(log: &Path, wanted: impl Fn(&str) -> bool) -> Vec<AuditEntry> {
    let text = fs::read_to_string(log).unwrap_or_else(|error| panic!("cannot read {}: {error}", log.display()));
    // A last line without an end is still being written.
    let complete = text.rfind('\n').map_or("", |end| &text[..end]);
    // A killed server leaves a line cut off in the middle.
    let lines = complete.lines().filter(|line| wanted(line));
    let events = lines.filter_map(|line| serde_json::from_str::<Event>(line).ok());
    events.filter(Event::is_answer).map(AuditEntry::from).collect()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Event {
    stage: String,
    verb: String,
    user: User,
    #[serde(default)]
    object_ref: ObjectRef,
    #[serde(default)]
    response_status: ResponseStatus,
}

impl Event {
    /// An accepted watch is logged twice, when it begins and when it ends; one that was refused, like all else, when it ends.
    fn is_answer(&self) -> bool {
        let begun = self.verb == "watch" && self.response_status.code == 200;
        self.stage == if begun { "ResponseStarted" } else { "ResponseComplete" }
    }
}

#[derive(Deserialize)]
struct User {
    username: String,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct ObjectRef {
    api_group: String,
    resource: String,
    subresource: String,
    namespace: String,
    name: String,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct ResponseStatus {
    code: u16,
}

impl From<Event> for AuditEntry {
    fn from(event: Event) -> Self {
        let object = event.object_ref;
        Self {
            verb: event.verb,
            group: object.api_group,
            resource: object.resource,
            subresource: object.subresource,
            namespace: object.namespace,
            name: object.name,
            user: event.user.username,
            code: event.response_status.code,
        }
    }
}
