//! `SchemaRegistry`: a connection to one registry, and what is true for the whole of it.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use kube::{CustomResource, KubeSchema};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::common::conditions_schema;
use super::{Level, Mode};

/// A connection to one Kafka Schema Registry. Schemas and SubjectConfigs of the same namespace name it in registryRef.
#[derive(CustomResource, KubeSchema, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[kube(
    group = "schemaregistrar.dev",
    version = "v1alpha1",
    kind = "SchemaRegistry",
    plural = "schemaregistries",
    namespaced,
    status = "SchemaRegistryStatus",
    shortname = "rregistry",
    category = "registrar",
    doc = "A connection to one Kafka Schema Registry. Schemas and SubjectConfigs of the same namespace name it in registryRef.",
    printcolumn(name = "Ready", type_ = "string", json_path = ".status.conditions[?(@.type==\"Ready\")].status"),
    printcolumn(name = "Implementation", type_ = "string", json_path = ".status.implementation.name"),
    printcolumn(name = "Version", type_ = "string", json_path = ".status.implementation.version"),
    printcolumn(name = "Level", type_ = "string", json_path = ".status.compatibility"),
    printcolumn(name = "Reason", type_ = "string", json_path = ".status.conditions[?(@.type==\"Ready\")].reason"),
    printcolumn(name = "Age", type_ = "date", json_path = ".metadata.creationTimestamp"),
    printcolumn(name = "URL", type_ = "string", json_path = ".spec.urls[0]", priority = 1),
    printcolumn(name = "Management", type_ = "string", json_path = ".spec.management", priority = 1),
    printcolumn(
        name = "Message",
        type_ = "string",
        json_path = ".status.conditions[?(@.type==\"Ready\")].message",
        priority = 1
    )
)]
#[serde(rename_all = "camelCase")]
pub struct SchemaRegistrySpec {
    /// The base URL of the registry, such as http://registry.kafka:8081; exactly one. A path stays in front of every
    /// request, as in http://apicurio:8080/apis/ccompat/v7. User and password in the URL are refused.
    #[schemars(schema_with = "urls_schema")]
    pub urls: Vec<String>,

    /// Whether the registry is written to. Full (default): it is brought to what the resources say. Observe: what
    /// would be written is told in the column PLAN (-o wide), and nothing is written.
    #[serde(default)]
    pub management: Management,

    /// Which product answers: Auto, Confluent, Karapace, Redpanda or Apicurio. Auto (default): found out by asking.
    /// Name it where a gateway hides who answers.
    #[serde(default)]
    pub implementation: ImplementationChoice,

    /// Who has to accept a change. Auto (default): the registry, and the operator's own check too where it knows the
    /// registry's rules. Both: both, whatever is known. Registry: the registry alone; the own check only explains.
    #[serde(default)]
    pub verdict: VerdictChoice,

    /// The load that the operator may put on the registry.
    #[serde(default)]
    pub limits: Limits,

    /// Seconds between two looks at a subject that is as it should be. Default 600, 5 to 86,400. A
    /// tenth more or less, at random.
    #[serde(default = "default_drift_check_seconds")]
    #[schemars(range(min = 5, max = 86400))]
    pub drift_check_seconds: i32,
}

/// The schema of the URLs. Rules and not a pattern: they say what to write, and do not repeat a password in a URL.
fn urls_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "array",
        "minItems": 1,
        "maxItems": 1,
        "items": {
            "description": "A base URL: http or https, host, port and path.",
            "type": "string",
            "minLength": 1,
            "maxLength": 2048,
            "x-kubernetes-validations": [
                {
                    "rule": r"self.matches(r'^(?i:https?)://[^/?#\s]')",
                    "message": "a URL starts with http:// or https:// and a host, such as http://registry.kafka:8081",
                },
                {
                    "rule": "!self.contains('@')",
                    "message": "a URL has no user and password: everyone who may read this resource would see them",
                },
                {
                    "rule": r"!self.matches(r'[?#\s]')",
                    "message": "a URL has no query, no fragment and no white space; write only the base of the registry's paths",
                },
                {
                    "rule": "isURL(self) && url(self).getHostname() != ''",
                    "message": "this is not a URL; write it like http://registry.kafka:8081",
                },
                {
                    "rule": "!isURL(self) || url(self).getPort() == '' || (url(self).getPort().size() <= 5 && int(url(self).getPort()) >= 1 && int(url(self).getPort()) <= 65535)",
                    "message": "the port of a URL is a number from 1 to 65535",
                },
                {
                    "rule": r"!self.matches(r'(?i)/contexts/([.:]|%2e|%3a)')",
                    "message": "a URL with a context is not supported yet; leave out all from /contexts/ on, and name the context in the subject, like :.context:orders",
                },
            ],
        },
    })
}

/// Whether the operator writes to the registry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Management {
    /// The registry is brought to what the resources say.
    #[default]
    Full,
    /// Everything is planned and reported, nothing is written.
    Observe,
}

/// Who has to accept a change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum VerdictChoice {
    /// Both where the registry's rules are known, else the registry.
    #[default]
    Auto,
    /// The registry and the operator's own check.
    Both,
    /// The registry alone.
    Registry,
}

/// The implementations whose answers are known, and Auto.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum ImplementationChoice {
    /// Found out by asking the registry.
    #[default]
    Auto,
    /// Confluent Schema Registry.
    Confluent,
    /// Aiven's Karapace.
    Karapace,
    /// The registry in Redpanda.
    Redpanda,
    /// Apicurio Registry, through its Confluent-compatible API.
    Apicurio,
}

/// How hard one registry may be asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Limits {
    /// Requests a second at most, on average. Default 100, 1 to 100,000.
    #[serde(default = "default_requests_per_second")]
    #[schemars(range(min = 1, max = 100000))]
    pub requests_per_second: i32,
    /// Subjects worked on at the same time at most. Default 16, 1 to 1,024.
    #[serde(default = "default_max_in_flight")]
    #[schemars(range(min = 1, max = 1024))]
    pub max_in_flight: i32,
    /// Seconds that one request may take. Default 15, 1 to 120.
    #[serde(default = "default_timeout_seconds")]
    #[schemars(range(min = 1, max = 120))]
    pub timeout_seconds: i32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            requests_per_second: default_requests_per_second(),
            max_in_flight: default_max_in_flight(),
            timeout_seconds: default_timeout_seconds(),
        }
    }
}

fn default_drift_check_seconds() -> i32 {
    600
}

fn default_requests_per_second() -> i32 {
    100
}

fn default_max_in_flight() -> i32 {
    16
}

fn default_timeout_seconds() -> i32 {
    15
}

/// What was last seen of the registry.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SchemaRegistryStatus {
    /// The generation that the status speaks of; -1 before the first look.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,

    /// Which product answers, as far as it says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub implementation: Option<ImplementationStatus>,

    /// By what two resources are known to speak of one registry: its cluster id, else its URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 2048))]
    pub identity: Option<String>,

    /// The compatibility level of subjects that have none of their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compatibility: Option<Level>,

    /// The mode of subjects that have none of their own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,

    /// What is true of the connection. Ready is always there once it was tried; Stalled (only a person can help) and
    /// Reconciling (work is under way) while true.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "conditions_schema")]
    pub conditions: Vec<Condition>,
}

/// Who answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImplementationStatus {
    /// Whose rules the operator's own check goes by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 64))]
    pub profile: Option<String>,
    /// The product: Confluent, Karapace, Redpanda, Apicurio or Unknown.
    #[schemars(length(max = 64))]
    pub name: String,
    /// The release, where the registry tells it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 128))]
    pub version: Option<String>,
}
