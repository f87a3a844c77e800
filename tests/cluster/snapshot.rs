//! One version of one object, as the API server showed it.

use serde_json::Value;

/// A version of a Schema, SubjectConfig or SchemaRegistry.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// The kind.
    pub kind: &'static str,
    /// The whole object.
    pub object: Value,
    /// Whether this is what was left when it was deleted.
    pub gone: bool,
}

impl Snapshot {
    /// `metadata.name`.
    pub fn name(&self) -> &str {
        self.text("/metadata/name")
    }

    /// `metadata.uid`.
    pub fn uid(&self) -> &str {
        self.text("/metadata/uid")
    }

    /// `metadata.resourceVersion`, which is an ordered number.
    pub fn resource_version(&self) -> u64 {
        self.text("/metadata/resourceVersion").parse().expect("resource versions are numbers")
    }

    /// `metadata.generation`.
    pub fn generation(&self) -> i64 {
        self.number("/metadata/generation")
    }

    /// The generation that the status speaks of; -1 before the first look.
    pub fn observed(&self) -> i64 {
        self.number("/status/observedGeneration")
    }

    /// Whether the status speaks of the spec as it is.
    pub fn is_observed(&self) -> bool {
        self.observed() == self.generation()
    }

    /// A condition.
    pub fn condition(&self, name: &str) -> Option<&Value> {
        self.conditions().iter().find(|condition| condition["type"] == name)
    }

    /// All conditions.
    pub fn conditions(&self) -> &[Value] {
        self.object.pointer("/status/conditions").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
    }

    /// The status of a condition; empty where there is none.
    pub fn state(&self, condition: &str) -> &str {
        self.condition(condition).and_then(|condition| condition["status"].as_str()).unwrap_or_default()
    }

    /// Whether a condition is true.
    pub fn is(&self, condition: &str) -> bool {
        self.state(condition) == "True"
    }

    /// Why Ready is as it is.
    pub fn reason(&self) -> &str {
        self.condition("Ready").and_then(|ready| ready["reason"].as_str()).unwrap_or_default()
    }

    /// What a person reads.
    pub fn message(&self) -> &str {
        self.condition("Ready").and_then(|ready| ready["message"].as_str()).unwrap_or_default()
    }

    /// `status.latestVersion`.
    pub fn latest(&self) -> Option<i64> {
        self.object.pointer("/status/latestVersion").and_then(Value::as_i64)
    }

    /// `status.lastApplied.version`.
    pub fn applied(&self) -> Option<i64> {
        self.object.pointer("/status/lastApplied/version").and_then(Value::as_i64)
    }

    /// A string in the object; empty where there is none.
    pub fn text(&self, pointer: &str) -> &str {
        self.object.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
    }

    /// The object without the schema's text, which can be long.
    pub fn without_text(&self) -> Value {
        let mut short = self.object.clone();
        if let Some(spec) = short.pointer_mut("/spec").and_then(Value::as_object_mut) {
            spec.remove("schema");
        }
        short
    }

    fn number(&self, pointer: &str) -> i64 {
        self.object.pointer(pointer).and_then(Value::as_i64).unwrap_or(-1)
    }
}

/// In a message: what it is, and its status.
impl std::fmt::Display for Snapshot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (kind, name, generation) = (self.kind, self.name(), self.generation());
        let gone = if self.gone { " (deleted)" } else { "" };
        write!(f, "{kind} {name}{gone}, generation {generation}, status {:#}", self.object["status"])
    }
}
