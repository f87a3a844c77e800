//! What the API server fills in. The operator and every other reader see these values.

use rstest::rstest;
use serde_json::{Value, json};

use crate::{create, spec};

fn default_registry() -> Value {
    json!({"kind": "SchemaRegistry", "name": "default"})
}

fn default_limits() -> Value {
    json!({"requestsPerSecond": 100, "maxInFlight": 16, "timeoutSeconds": 15})
}

fn smallest_schema() -> Value {
    json!({
        "registryRef": default_registry(), "schemaType": "AVRO", "schema": "\"string\"", "adoption": "IfLatest",
        "driftPolicy": "Report",
    })
}

#[rstest]
#[case("SchemaRegistry", json!({}), "/spec/management", json!("Full"))]
#[case("SchemaRegistry", json!({}), "/spec/implementation", json!("Auto"))]
#[case("SchemaRegistry", json!({}), "/spec/driftCheckSeconds", json!(600))]
#[case("SchemaRegistry", json!({}), "/spec/limits", default_limits())]
#[case("SchemaRegistry", json!({"limits": {}}), "/spec/limits", default_limits())]
#[case("SchemaRegistry", json!({"limits": null}), "/spec/limits", default_limits())]
#[case("SchemaRegistry", json!({"limits": {"maxInFlight": 2}}), "/spec/limits", json!({"requestsPerSecond": 100, "maxInFlight": 2, "timeoutSeconds": 15}))]
#[case("Schema", json!({}), "/spec/registryRef", default_registry())]
#[case("Schema", json!({"registryRef": {}}), "/spec/registryRef", default_registry())]
#[case("Schema", json!({"registryRef": null}), "/spec/registryRef", default_registry())]
#[case("Schema", json!({"registryRef": {"name": "other"}}), "/spec/registryRef", json!({"kind": "SchemaRegistry", "name": "other"}))]
#[case("Schema", json!({}), "/spec/schemaType", json!("AVRO"))]
#[case("Schema", json!({}), "/spec/adoption", json!("IfLatest"))]
#[case("Schema", json!({}), "/spec/driftPolicy", json!("Report"))]
#[case("Schema", json!({}), "/spec/subject", Value::Null)]
#[case("Schema", json!({}), "/spec/normalize", Value::Null)]
#[case("SubjectConfig", json!({}), "/spec/registryRef", default_registry())]
#[case("SubjectConfig", json!({}), "/spec/subject", Value::Null)]
#[case("SubjectConfig", json!({}), "/spec/compatibility", Value::Null)]
#[case::null_is_dropped("Schema", json!({"subject": null, "normalize": null}), "/spec", smallest_schema())]
#[case::null_is_dropped("SubjectConfig", json!({"subject": null, "compatibility": null}), "/spec", json!({"registryRef": default_registry()}))]
#[tokio::test]
async fn a_field_is_stored_as(
    #[case] kind: &str,
    #[case] fields: Value,
    #[case] pointer: &str,
    #[case] expected: Value,
) {
    let object = create(kind, &spec(kind, &fields)).await.unwrap();
    assert_eq!(object.data.pointer(pointer).unwrap_or(&Value::Null), &expected);
}
