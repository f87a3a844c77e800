//! `Schema`: what the latest version of one subject is to be.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, Time};
use kube::{CustomResource, KubeSchema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::common::{RegistryRef, conditions_schema, times_schema};
use super::{Level, SchemaType};

/// What the latest version of one subject of a registry is to be.
#[derive(CustomResource, KubeSchema, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[kube(
    group = "schemaregistrar.dev",
    version = "v1alpha1",
    kind = "Schema",
    namespaced,
    status = "SchemaStatus",
    shortname = "rschema",
    category = "registrar",
    doc = "What the latest version of one subject of a Kafka Schema Registry is to be.",
    printcolumn(name = "Ready", type_ = "string", json_path = ".status.conditions[?(@.type==\"Ready\")].status"),
    printcolumn(name = "Subject", type_ = "string", json_path = ".status.subject"),
    printcolumn(name = "Type", type_ = "string", json_path = ".spec.schemaType"),
    printcolumn(name = "Latest", type_ = "integer", json_path = ".status.latestVersion"),
    printcolumn(name = "Level", type_ = "string", json_path = ".status.compatibility.level"),
    printcolumn(
        name = "Compatible",
        type_ = "string",
        json_path = ".status.conditions[?(@.type==\"Compatible\")].status"
    ),
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
    validation = ("self.registryRef == oldSelf.registryRef", "registryRef is immutable; create another Schema for another registry"),
    validation = (
        "has(self.subject) == has(oldSelf.subject) && (!has(self.subject) || self.subject == oldSelf.subject)",
        "subject is immutable; create another Schema for another subject"
    )
)]
#[serde(rename_all = "camelCase")]
pub struct SchemaSpec {
    /// The registry that holds the subject. Default: the SchemaRegistry named default. Immutable.
    #[serde(default)]
    pub registry_ref: RegistryRef,

    /// The subject, as the registry spells it, such as orders-value. Default: the resource's name. Immutable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 1024))]
    pub subject: Option<String>,

    /// The format of the schema: AVRO (default), JSON or PROTOBUF.
    #[serde(default)]
    pub schema_type: SchemaType,

    /// The schema's text. Above 256 KiB use kubectl apply --server-side.
    #[schemars(length(max = 524288))]
    pub schema: String,

    /// Whether the registry normalizes the text. Unset: the registry's configuration decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub normalize: Option<bool>,

    /// What happens when the subject already has versions that this resource did not make. IfLatest (default): it is
    /// taken over only if the schema is its latest version. Update: the schema is made its next version.
    #[serde(default)]
    pub adoption: Adoption,

    /// What happens when someone else registers a newer version. Report (default): it is told, nothing is written.
    /// Revert: the schema is made the latest again. Ignore: the newer version is accepted.
    #[serde(default)]
    pub drift_policy: DriftPolicy,
}

/// How a subject with versions of unknown making is met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Adoption {
    /// Taken over only if the schema is its latest version.
    #[default]
    IfLatest,
    /// Evolved: the schema becomes its next version.
    Update,
}

/// How a newer version by someone else is met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum DriftPolicy {
    /// Told, nothing is written.
    #[default]
    Report,
    /// The schema is made the latest again.
    Revert,
    /// The newer version is accepted.
    Ignore,
}

/// What the registry holds for the subject, and how the schema stands to it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SchemaStatus {
    /// The generation that the status speaks of; -1 before the first look.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,

    /// The subject in the registry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 1024))]
    pub subject: Option<String>,

    /// The latest version of the subject when last read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latest_version: Option<i64>,

    /// The schema id of the latest version; it is in every message written with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<i64>,

    /// What this resource last brought about, or found to be its schema. Kept through refusals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_applied: Option<LastApplied>,

    /// The fingerprint of the schema in spec, while it is not the one last applied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 128))]
    pub candidate: Option<String>,

    /// How the schema stands to the level in force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compatibility: Option<CompatibilityStatus>,

    /// What would be done, for a registry with management: Observe.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 1024))]
    pub plan: Option<String>,

    /// When the operator put its version back over someone else's, within the last hour.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "times_schema")]
    pub reverts: Vec<Time>,

    /// What is worth knowing and stops nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 32))]
    pub advice: Vec<AdviceStatus>,

    /// What is true of the resource.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "conditions_schema")]
    pub conditions: Vec<Condition>,
}

/// One schema that this resource brought about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LastApplied {
    /// Says whether another text is the same schema; formatting does not change it.
    #[schemars(length(max = 128))]
    pub fingerprint: String,
    /// Its version of the subject.
    pub version: i64,
    /// Its schema id.
    pub id: i64,
}

/// How the schema stands to the level in force.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CompatibilityStatus {
    /// Whether the schema passes the level; absent while it was not judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compatible: Option<bool>,

    /// The versions that a change is compared with under the level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 256))]
    pub compared_versions: Option<String>,

    /// The level in force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,

    /// Where the level in force comes from: Subject, Global or RegistryDefault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 64))]
    pub level_source: Option<String>,

    /// The verdict in one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 1024))]
    pub summary: Option<String>,

    /// What breaks, one entry a violation; a long list is cut, and the summary counts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 20))]
    pub violations: Vec<ViolationStatus>,
}

/// One thing that breaks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ViolationStatus {
    /// What breaks, in the registry's words as far as it gives any.
    #[schemars(length(max = 1024))]
    pub message: String,

    /// Where in the schema.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 512))]
    pub path: Option<String>,

    /// The registry's name of the rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 128))]
    pub rule: Option<String>,

    /// The version that the schema was compared with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<i64>,
}

/// One thing worth knowing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdviceStatus {
    /// One word for it.
    #[schemars(length(max = 64))]
    pub code: String,

    /// What it means and what can be done.
    #[schemars(length(max = 1024))]
    pub message: String,
}
