//! Which values a field takes: when it is created, and when it is changed.

use rstest::rstest;
use serde_json::{Value, json};

use crate::{TAKEN, assert_answer, change, create, least, spec};

const NO_SCHEME: &str = "a URL starts with http:// or https:// and a host, such as http://registry.kafka:8081";
const USER_INFO: &str = "a URL has no user and password: everyone who may read this resource would see them";
const NO_URL: &str = "this is not a URL; write it like http://registry.kafka:8081";
const PORT: &str = "the port of a URL is a number from 1 to 65535";
const CONTEXT: &str = "a URL with a context is not supported yet; leave out all from /contexts/ on";
const NAME: &str = "spec.registryRef.name in body should match";
const QUERY: &str = "a URL has no query, no fragment and no white space; write only the base of the registry's paths";

#[rstest]
// urls
#[case("SchemaRegistry", json!({"urls": ["https://registry.example"]}), TAKEN)]
#[case("SchemaRegistry", json!({"urls": ["http://apicurio:8080/apis/ccompat/v7"]}), TAKEN)]
#[case("SchemaRegistry", json!({"urls": ["http://[::1]:8081/"]}), TAKEN)]
#[case("SchemaRegistry", json!({"urls": []}), "spec.urls: Invalid value: 0: spec.urls in body should have at least 1 items")]
#[case("SchemaRegistry", json!({"urls": ["http://a:8081", "http://b:8081"]}), "spec.urls: Too many: 2: must have at most 1 item")]
#[case("SchemaRegistry", json!({"urls": ["registry:8081"]}), NO_SCHEME)]
#[case("SchemaRegistry", json!({"urls": ["ftp://registry"]}), NO_SCHEME)]
#[case("SchemaRegistry", json!({"urls": ["http:///path"]}), NO_SCHEME)]
#[case("SchemaRegistry", json!({"urls": ["http://me:secret@registry"]}), USER_INFO)]
#[case("SchemaRegistry", json!({"urls": ["http://me@registry"]}), USER_INFO)]
#[case("SchemaRegistry", json!({"urls": ["http://registry?key=1"]}), QUERY)]
#[case("SchemaRegistry", json!({"urls": ["http://registry/#top"]}), QUERY)]
#[case("SchemaRegistry", json!({"urls": ["http://registry/a b"]}), QUERY)]
#[case("SchemaRegistry", json!({"urls": ["HTTP://Registry.Kafka:8081"]}), TAKEN)]
#[case("SchemaRegistry", json!({"urls": ["Https://größe.example/ü"]}), TAKEN)]
#[case("SchemaRegistry", json!({"urls": ["http://registry:65535"]}), TAKEN)]
#[case("SchemaRegistry", json!({"urls": ["http://registry:65536"]}), PORT)]
#[case("SchemaRegistry", json!({"urls": ["http://registry:0"]}), PORT)]
#[case("SchemaRegistry", json!({"urls": ["http://registry:99999999999999999999"]}), PORT)]
#[case("SchemaRegistry", json!({"urls": ["http://registry:http"]}), NO_URL)]
#[case("SchemaRegistry", json!({"urls": ["http://:80"]}), NO_URL)]
#[case("SchemaRegistry", json!({"urls": ["http://[::1"]}), NO_URL)]
#[case("SchemaRegistry", json!({"urls": ["http://user:pw%40host"]}), NO_URL)]
#[case("SchemaRegistry", json!({"urls": ["http://registry/contexts/v1"]}), TAKEN)]
#[case("SchemaRegistry", json!({"urls": ["http://registry/contexts/.x"]}), CONTEXT)]
#[case("SchemaRegistry", json!({"urls": ["http://registry/a/contexts/%3A.x:"]}), CONTEXT)]
#[case("SchemaRegistry", json!({"urls": [long("http://registry/", 2048)]}), TAKEN)]
#[case("SchemaRegistry", json!({"urls": [long("http://registry/", 2049)]}), "spec.urls[0]: Too long")]
#[case("SchemaRegistry", json!({"urls": "http://registry"}), "spec.urls: Invalid value")]
#[case("SchemaRegistry", json!({"urls": null}), "spec.urls: ")]
// management, implementation
#[case("SchemaRegistry", json!({"management": "Full"}), TAKEN)]
#[case("SchemaRegistry", json!({"management": "Observe"}), TAKEN)]
#[case("SchemaRegistry", json!({"management": "observe"}), r#"spec.management: Unsupported value: "observe": supported values: "Full", "Observe""#)]
#[case("SchemaRegistry", json!({"implementation": "Auto"}), TAKEN)]
#[case("SchemaRegistry", json!({"implementation": "Confluent"}), TAKEN)]
#[case("SchemaRegistry", json!({"implementation": "Karapace"}), TAKEN)]
#[case("SchemaRegistry", json!({"implementation": "Redpanda"}), TAKEN)]
#[case("SchemaRegistry", json!({"implementation": "Apicurio"}), TAKEN)]
#[case("SchemaRegistry", json!({"implementation": "Unknown"}), r#"spec.implementation: Unsupported value: "Unknown""#)]
// limits
#[case("SchemaRegistry", json!({"limits": {}}), TAKEN)]
#[case("SchemaRegistry", json!({"limits": {"requestsPerSecond": 1}}), TAKEN)]
#[case("SchemaRegistry", json!({"limits": {"requestsPerSecond": 0}}), "spec.limits.requestsPerSecond in body should be greater than or equal to 1")]
#[case("SchemaRegistry", json!({"limits": {"requestsPerSecond": 100_000}}), TAKEN)]
#[case("SchemaRegistry", json!({"limits": {"requestsPerSecond": 100_001}}), "spec.limits.requestsPerSecond in body should be less than or equal to 100000")]
#[case("SchemaRegistry", json!({"limits": {"maxInFlight": 1}}), TAKEN)]
#[case("SchemaRegistry", json!({"limits": {"maxInFlight": 0}}), "spec.limits.maxInFlight in body should be greater than or equal to 1")]
#[case("SchemaRegistry", json!({"limits": {"maxInFlight": 1024}}), TAKEN)]
#[case("SchemaRegistry", json!({"limits": {"maxInFlight": 1025}}), "spec.limits.maxInFlight in body should be less than or equal to 1024")]
#[case("SchemaRegistry", json!({"limits": {"timeoutSeconds": 1}}), TAKEN)]
#[case("SchemaRegistry", json!({"limits": {"timeoutSeconds": 0}}), "spec.limits.timeoutSeconds in body should be greater than or equal to 1")]
#[case("SchemaRegistry", json!({"limits": {"timeoutSeconds": 120}}), TAKEN)]
#[case("SchemaRegistry", json!({"limits": {"timeoutSeconds": 121}}), "spec.limits.timeoutSeconds in body should be less than or equal to 120")]
#[case("SchemaRegistry", json!({"limits": {"timeoutSeconds": 1.5}}), "spec.limits.timeoutSeconds in body must be of type integer")]
// driftCheckSeconds
#[case("SchemaRegistry", json!({"driftCheckSeconds": 5}), TAKEN)]
#[case("SchemaRegistry", json!({"driftCheckSeconds": 4}), "spec.driftCheckSeconds in body should be greater than or equal to 5")]
#[case("SchemaRegistry", json!({"driftCheckSeconds": 86_400}), TAKEN)]
#[case("SchemaRegistry", json!({"driftCheckSeconds": 86_401}), "spec.driftCheckSeconds in body should be less than or equal to 86400")]
#[case("SchemaRegistry", json!({"driftCheckSeconds": "600"}), "spec.driftCheckSeconds in body must be of type integer")]
// schemaType
#[case("Schema", json!({"schemaType": "AVRO"}), TAKEN)]
#[case("Schema", json!({"schemaType": "JSON"}), TAKEN)]
#[case("Schema", json!({"schemaType": "PROTOBUF"}), TAKEN)]
#[case("Schema", json!({"schemaType": "avro"}), r#"spec.schemaType: Unsupported value: "avro": supported values: "AVRO", "JSON", "PROTOBUF""#)]
// schema: what is no schema is told on the resource, in words
#[case("Schema", json!({"schema": ""}), TAKEN)]
#[case("Schema", json!({"schema": "no schema at all"}), TAKEN)]
#[case("Schema", json!({"schema": null}), "spec.schema: ")]
#[case("Schema", json!({"schema": {"type": "string"}}), "spec.schema in body must be of type string")]
// normalize
#[case("Schema", json!({"normalize": true}), TAKEN)]
#[case("Schema", json!({"normalize": false}), TAKEN)]
#[case("Schema", json!({"normalize": null}), TAKEN)]
#[case("Schema", json!({"normalize": "true"}), "spec.normalize in body must be of type boolean")]
// adoption, driftPolicy
#[case("Schema", json!({"adoption": "IfLatest"}), TAKEN)]
#[case("Schema", json!({"adoption": "Update"}), TAKEN)]
#[case("Schema", json!({"adoption": "Never"}), r#"spec.adoption: Unsupported value: "Never": supported values: "IfLatest", "Update""#)]
#[case("Schema", json!({"driftPolicy": "Report"}), TAKEN)]
#[case("Schema", json!({"driftPolicy": "Revert"}), TAKEN)]
#[case("Schema", json!({"driftPolicy": "Ignore"}), TAKEN)]
#[case("Schema", json!({"driftPolicy": "Warn"}), r#"spec.driftPolicy: Unsupported value: "Warn": supported values: "Report", "Revert", "Ignore""#)]
// compatibility
#[case("SubjectConfig", json!({"compatibility": "NONE"}), TAKEN)]
#[case("SubjectConfig", json!({"compatibility": "BACKWARD"}), TAKEN)]
#[case("SubjectConfig", json!({"compatibility": "BACKWARD_TRANSITIVE"}), TAKEN)]
#[case("SubjectConfig", json!({"compatibility": "FORWARD"}), TAKEN)]
#[case("SubjectConfig", json!({"compatibility": "FORWARD_TRANSITIVE"}), TAKEN)]
#[case("SubjectConfig", json!({"compatibility": "FULL"}), TAKEN)]
#[case("SubjectConfig", json!({"compatibility": "FULL_TRANSITIVE"}), TAKEN)]
#[case("SubjectConfig", json!({"compatibility": null}), TAKEN)]
#[case("SubjectConfig", json!({"compatibility": "backward"}), r#"spec.compatibility: Unsupported value: "backward""#)]
#[case("SubjectConfig", json!({"compatibility": ""}), r#"spec.compatibility: Unsupported value: """#)]
#[tokio::test]
async fn a_value_is_taken_or_refused(#[case] kind: &str, #[case] fields: Value, #[case] expected: &str) {
    assert_answer(create(kind, &spec(kind, &fields)).await, expected);
    assert_answer(change(kind, &least(kind), &spec(kind, &fields)).await, expected);
}

/// These cannot be changed later: see `immutable.rs`.
#[rstest]
#[case("Schema", json!({"subject": "orders-value"}), TAKEN)]
#[case("Schema", json!({"subject": ":.ctx:a/b + %#äöü"}), TAKEN)]
#[case("Schema", json!({"subject": long("", 1024)}), TAKEN)]
#[case("Schema", json!({"subject": ""}), "spec.subject in body should be at least 1 chars long")]
#[case("Schema", json!({"subject": long("", 1025)}), "spec.subject: Too long")]
#[case("Schema", json!({"registryRef": {"kind": "SchemaRegistry", "name": "other"}}), TAKEN)]
#[case("Schema", json!({"registryRef": {"kind": "Registry"}}), r#"spec.registryRef.kind: Unsupported value: "Registry": supported values: "SchemaRegistry""#)]
#[case("Schema", json!({"registryRef": {"name": ""}}), "spec.registryRef.name in body should be at least 1 chars long")]
#[case("Schema", json!({"registryRef": {"name": long("", 253)}}), TAKEN)]
#[case("Schema", json!({"registryRef": {"name": long("", 254)}}), "spec.registryRef.name: Too long")]
#[case("Schema", json!({"registryRef": {"name": "my.registry-1"}}), TAKEN)]
#[case("Schema", json!({"registryRef": {"name": "../x"}}), NAME)]
#[case("Schema", json!({"registryRef": {"name": "A_B"}}), NAME)]
#[case("Schema", json!({"registryRef": {"name": "a."}}), NAME)]
#[case("Schema", json!({"registryRef": "other"}), "spec.registryRef in body must be of type object")]
#[case("SubjectConfig", json!({"subject": "orders-value"}), TAKEN)]
#[case("SubjectConfig", json!({"subject": long("", 1024)}), TAKEN)]
#[case("SubjectConfig", json!({"subject": ""}), "spec.subject in body should be at least 1 chars long")]
#[case("SubjectConfig", json!({"subject": long("", 1025)}), "spec.subject: Too long")]
#[case("SubjectConfig", json!({"registryRef": {"name": "other"}}), TAKEN)]
#[case("SubjectConfig", json!({"registryRef": {"name": "-a"}}), NAME)]
#[case("SubjectConfig", json!({"registryRef": {"name": ""}}), "spec.registryRef.name in body should be at least 1 chars long")]
#[tokio::test]
async fn a_lasting_value_is_taken_or_refused(#[case] kind: &str, #[case] fields: Value, #[case] expected: &str) {
    assert_answer(create(kind, &spec(kind, &fields)).await, expected);
}

#[rstest]
#[case("SchemaRegistry", "spec.urls: Required value")]
#[case("Schema", "spec.schema: Required value")]
#[case("SubjectConfig", TAKEN)]
#[tokio::test]
async fn a_spec_without_any_field_is(#[case] kind: &str, #[case] expected: &str) {
    assert_answer(create(kind, &json!({})).await, expected);
}

/// So many characters, these first.
fn long(start: &str, length: usize) -> String {
    format!("{start}{}", "x".repeat(length - start.len()))
}
