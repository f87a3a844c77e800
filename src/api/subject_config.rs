//! `SubjectConfig`: how one subject may change.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, Time};
use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::common::{RegistryRef, conditions_schema, times_schema};
use super::{AdviceStatus, Level};

/// How one subject of a registry may change: its compatibility level.
#[derive(CustomResource, KubeSchema, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[kube(
    group = "schemaregistrar.dev",
    version = "v1alpha1",
    kind = "SubjectConfig",
    namespaced,
    status = "SubjectConfigStatus",
    shortname = "rsubject",
    category = "registrar",
    doc = "How one subject of a Kafka Schema Registry may change: its compatibility level.",
    printcolumn(name = "Ready", type_ = "string", json_path = ".status.conditions[?(@.type==\"Ready\")].status"),
    printcolumn(name = "Subject", type_ = "string", json_path = ".status.subject"),
    printcolumn(name = "Level", type_ = "string", json_path = ".spec.compatibility"),
    printcolumn(name = "In-Force", type_ = "string", json_path = ".status.compatibility.level"),
    printcolumn(name = "Reason", type_ = "string", json_path = ".status.conditions[?(@.type==\"Ready\")].reason"),
    printcolumn(name = "Age", type_ = "date", json_path = ".metadata.creationTimestamp"),
    printcolumn(name = "Registry", type_ = "string", json_path = ".spec.registryRef.name", priority = 1),
    printcolumn(name = "Plan", type_ = "string", json_path = ".status.plan", priority = 1),
    printcolumn(
        name = "Message",
        type_ = "string",
        json_path = ".status.conditions[?(@.type==\"Ready\")].message",
        priority = 1
    )
)]
#[x_kube(
    validation = ("self.registryRef == oldSelf.registryRef", "registryRef is immutable; create another SubjectConfig for another registry"),
    validation = (
        "has(self.subject) == has(oldSelf.subject) && (!has(self.subject) || self.subject == oldSelf.subject)",
        "subject is immutable; create another SubjectConfig for another subject"
    )
)]
#[serde(rename_all = "camelCase")]
pub struct SubjectConfigSpec {
    /// The registry that holds the subject. Immutable. Default: the SchemaRegistry named default in the same namespace.
    #[serde(default)]
    pub registry_ref: RegistryRef,

    /// The subject, such as orders-value, as the registry spells it. Immutable. Unset: the name of this resource.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 1024))]
    pub subject: Option<String>,

    /// How far the next version of the subject may differ from what it has. BACKWARD: readers with the next version
    /// can read what was written with the latest. FORWARD: readers with the latest can read what is written with the
    /// next. FULL: both. BACKWARD_TRANSITIVE, FORWARD_TRANSITIVE, FULL_TRANSITIVE: the same with every version, not
    /// only the latest. NONE: anything goes. Unset: not managed, what the registry has stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compatibility: Option<Level>,
}

/// What the registry holds for the subject.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SubjectConfigStatus {
    /// The generation that the status speaks of; -1 before the first look.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,

    /// The subject that was looked at in the registry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 1024))]
    pub subject: Option<String>,

    /// The compatibility level in force when last read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compatibility: Option<LevelStatus>,

    /// How the versions that the subject had stand to the level that it was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history: Option<HistoryStatus>,

    /// What would be written, where the registry has management: Observe.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 1024))]
    pub plan: Option<String>,

    /// When someone else's change of the level was undone, within the last hour.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "times_schema")]
    pub put_backs: Vec<Time>,

    /// What is true of the resource. Ready is always there once it was looked at; Stalled (only a person can help)
    /// and Reconciling (work is under way) while true.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "conditions_schema")]
    pub conditions: Vec<Condition>,
}

/// How versions stand to a level that was set after them. The level holds all the same: it is about the next version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryStatus {
    /// What is worth knowing about the versions together. SubjectFrozen: no next version could pass.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 32))]
    pub advice: Vec<AdviceStatus>,

    /// The versions that were looked at, such as 1, 2, 3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 256))]
    pub compared_versions: Option<String>,

    /// The level that they were held to.
    pub level: Level,

    /// The finding in one line.
    #[schemars(length(max = 1024))]
    pub summary: String,

    /// What breaks the level. A long list is cut; the summary says how many versions there are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 20))]
    pub violations: Vec<HistoryViolation>,
}

/// One thing that breaks a level within a history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryViolation {
    /// The earlier version, against which the later one breaks the level.
    pub against: i64,

    /// What breaks.
    #[schemars(length(max = 1024))]
    pub message: String,

    /// Where in the schema, such as /fields/2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 512))]
    pub path: Option<String>,

    /// The rule, as the registry names it.
    #[schemars(length(max = 128))]
    pub rule: String,

    /// The later version.
    pub version: i64,
}

/// A level, and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LevelStatus {
    /// The level in force.
    pub level: Level,
    /// Where the level comes from: Subject, Global or RegistryDefault.
    #[schemars(length(max = 64))]
    pub level_source: String,
}
