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
    /// The registry that holds the subject. Immutable. Default: the SchemaRegistry named default in the same namespace.
    #[serde(default)]
    pub registry_ref: RegistryRef,

    /// The subject, such as orders-value, as the registry spells it. Immutable. Unset: the name of this resource.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 1024))]
    pub subject: Option<String>,

    /// The format of the schema: AVRO, JSON or PROTOBUF. Default: AVRO.
    #[serde(default)]
    pub schema_type: SchemaType,

    /// The text of the schema, at most 524,288 characters. A changed text becomes a new version only if it is another
    /// schema: indentation and the order of keys make none, and comments in Protobuf neither. Above 256 KiB, kubectl
    /// apply needs --server-side.
    #[schemars(length(max = 524288))]
    pub schema: String,

    /// Whether the registry normalizes the text before it stores it. Unset: the registry's configuration decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub normalize: Option<bool>,

    /// What to do with a subject whose versions this resource did not make. IfLatest (default): take it over only if
    /// this schema is its latest version. Update: take it over, and make this schema its next version.
    #[serde(default)]
    pub adoption: Adoption,

    /// What to do when someone else registers a newer version. Report (default): say so, and write nothing. Revert:
    /// make this schema the latest version again, if it is compatible. Ignore: accept the newer version.
    #[serde(default)]
    pub drift_policy: DriftPolicy,

    /// Advice of status.advice that was read and accepted, and is not to be told again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 64))]
    pub acknowledge: Vec<Acknowledgement>,
}

/// Advice that was read and accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Acknowledgement {
    /// The code of the advice, such as RenameWithoutAlias.
    #[schemars(length(min = 1, max = 64), regex(pattern = "^[A-Z][A-Za-z]*$"))]
    pub code: String,

    /// The path of the advice, such as /fields/1. Unset: wherever it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 512))]
    pub path: Option<String>,

    /// Why it is accepted, for those who read this later.
    #[schemars(length(min = 1, max = 512))]
    pub reason: String,
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

    /// The subject that was looked at in the registry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 1024))]
    pub subject: Option<String>,

    /// The latest version of the subject when last read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latest_version: Option<i64>,

    /// The registry's id of the latest version, which every message written with it carries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<i64>,

    /// The version that this resource last registered, or found to be its schema. It stays while a change is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_applied: Option<LastApplied>,

    /// The fingerprint of the schema in spec, while it is not the one last applied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 128))]
    pub candidate: Option<String>,

    /// How the schema stands to the compatibility level in force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compatibility: Option<CompatibilityStatus>,

    /// What would be written, where the registry has management: Observe.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 1024))]
    pub plan: Option<String>,

    /// When the operator put its version back over someone else's, within the last hour.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "times_schema")]
    pub reverts: Vec<Time>,

    /// What is worth knowing about the schema or its last change, though it stops nothing. A long list is cut.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 32))]
    pub advice: Vec<AdviceStatus>,

    /// What is true of the resource. Ready and Compatible are always there once it was looked at; Stalled (only a
    /// person can help), Reconciling (work is under way) and Drifted (someone else registered a version) while true.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "conditions_schema")]
    pub conditions: Vec<Condition>,
}

/// One schema that this resource brought about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LastApplied {
    /// The same for every text of the same schema, however it is formatted.
    #[schemars(length(max = 128))]
    pub fingerprint: String,
    /// The version of the subject.
    pub version: i64,
    /// The registry's id of the version.
    pub id: i64,
    /// The fingerprint of what the registry keeps for it, where that is another text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 128))]
    pub stored: Option<String>,
}

/// How the schema stands to the level in force.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CompatibilityStatus {
    /// Whether the schema passes the level. Absent while it is not judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compatible: Option<bool>,

    /// The versions that the schema was compared with, such as 3, or 1, 2, 3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 256))]
    pub compared_versions: Option<String>,

    /// The level in force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,

    /// Where the level comes from: Subject, Global or RegistryDefault. Planned: a SubjectConfig would set it, which
    /// management: Observe keeps from being written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 64))]
    pub level_source: Option<String>,

    /// What each of the seven levels would say to the last change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub levels: Option<LevelVerdicts>,

    /// The verdict in one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 1024))]
    pub summary: Option<String>,

    /// Who is upgraded first. ConsumersFirst, ProducersFirst, AnyOrder or Coordinated, for the last change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 64))]
    pub upgrade_order: Option<String>,

    /// What breaks, one entry a violation. A long list is cut; the summary says how many there are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 20))]
    pub violations: Vec<ViolationStatus>,
}

/// What each level would say to a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub struct LevelVerdicts {
    /// Readers of the new version read data of the latest.
    pub backward: LevelVerdict,
    /// Readers of the new version read data of every version.
    pub backward_transitive: LevelVerdict,
    /// Readers of the latest version read data of the new one.
    pub forward: LevelVerdict,
    /// Readers of every version read data of the new one.
    pub forward_transitive: LevelVerdict,
    /// Both ways, against the latest version.
    pub full: LevelVerdict,
    /// Both ways, against every version.
    pub full_transitive: LevelVerdict,
    /// Nothing is compared.
    pub none: LevelVerdict,
}

/// What one level would say to a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum LevelVerdict {
    /// The change passes.
    Compatible,
    /// The change is refused.
    Incompatible,
    /// The registry fails over the change.
    RegistryError,
    /// It cannot be told here; the registry decides.
    Unknown,
}

/// One thing that breaks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ViolationStatus {
    /// What would mend it, where a change of the schema does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 512))]
    pub hint: Option<String>,

    /// What breaks: in our own words where our own check finds it too, else in the registry's.
    #[schemars(length(max = 1024))]
    pub message: String,

    /// Where in the schema, such as /fields/2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 512))]
    pub path: Option<String>,

    /// The rule, as the registry names it.
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
    /// One word for it, such as RegistryIgnoredChange.
    #[schemars(length(max = 64))]
    pub code: String,

    /// What it means and what can be done.
    #[schemars(length(max = 1024))]
    pub message: String,

    /// Where in the schema, such as /fields/1. Absent where it is about the schema as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 512))]
    pub path: Option<String>,
}
