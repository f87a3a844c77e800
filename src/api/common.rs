//! What several kinds share: the reference to a registry, conditions in a schema with bounds, and names of annotations.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// The API group of every kind.
pub const GROUP: &str = "schemaregistrar.dev";

/// With any value but `false`, nothing is looked at or written for the resource.
pub const PAUSED_ANNOTATION: &str = "schemaregistrar.dev/paused";

/// Any new value asks for a look at once.
pub const RECONCILE_ANNOTATION: &str = "schemaregistrar.dev/reconcile-requested-at";

/// Which registry a resource speaks of.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegistryRef {
    /// The kind of the registry resource. Default: SchemaRegistry.
    #[serde(default)]
    pub kind: RegistryKind,
    /// The name of the registry resource. Default: default.
    #[serde(default = "default_registry_name")]
    #[schemars(
        length(min = 1, max = 253),
        regex(pattern = r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$")
    )]
    pub name: String,
}

/// The kinds of registry resource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub enum RegistryKind {
    /// A registry of the same namespace.
    #[default]
    SchemaRegistry,
}

impl Default for RegistryRef {
    fn default() -> Self {
        RegistryRef { kind: RegistryKind::default(), name: default_registry_name() }
    }
}

fn default_registry_name() -> String {
    "default".to_owned()
}

/// The schema of a list of conditions: a map by type, every string bounded, as in metav1. The field describes it.
pub fn conditions_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "array",
        "maxItems": 16,
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["type"],
        "items": {
            "description": "One aspect of the resource's state.",
            "type": "object",
            "required": ["type", "status", "lastTransitionTime", "reason", "message"],
            "properties": {
                "type": {
                    "description": "The aspect, such as Ready, Compatible, Stalled, Reconciling or Drifted.",
                    "type": "string",
                    "maxLength": 316,
                },
                "status": {
                    "description": "True, False or Unknown.",
                    "type": "string",
                    "enum": ["True", "False", "Unknown"],
                },
                "reason": {
                    "description": "One word that says why.",
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 1024,
                    "pattern": "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$",
                },
                "message": {
                    "description": "One line for a person: what is the case, and what to do about it.",
                    "type": "string",
                    "maxLength": 32768,
                },
                "observedGeneration": {
                    "description": "The generation of the resource that the condition speaks of.",
                    "type": "integer",
                    "format": "int64",
                    "minimum": 0,
                },
                "lastTransitionTime": {
                    "description": "When the status last changed.",
                    "type": "string",
                    "format": "date-time",
                    "maxLength": 64,
                },
            },
        },
    })
}

/// The schema of a list of times, in RFC 3339. The field describes it.
pub fn times_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "array",
        "maxItems": 8,
        "items": {
            "description": "One such moment.",
            "type": "string",
            "format": "date-time",
            "maxLength": 64,
        },
    })
}

/// The names of condition types, in one place.
pub mod condition {
    /// Whether the registry holds what the spec says.
    pub const READY: &str = "Ready";
    /// Whether the spec passes the level in force.
    pub const COMPATIBLE: &str = "Compatible";
    /// Only a person can help. Present only while true.
    pub const STALLED: &str = "Stalled";
    /// Work is under way. Present only while true.
    pub const RECONCILING: &str = "Reconciling";
    /// Someone else moved the subject. Present only while true.
    pub const DRIFTED: &str = "Drifted";
}

/// The condition of that type, where there is one.
pub fn find_condition<'a>(conditions: &'a [Condition], condition_type: &str) -> Option<&'a Condition> {
    conditions.iter().find(|condition| condition.type_ == condition_type)
}
