//! The registry and the subject of a resource are what it is about: neither is changed, taken away or added later.

use rstest::rstest;
use serde_json::{Value, json};

use crate::{TAKEN, assert_answer, change, spec};

#[rstest]
#[case::subject_changed(json!({"subject": "a"}), json!({"subject": "b"}), "subject is immutable")]
#[case::subject_removed(json!({"subject": "a"}), json!({}), "subject is immutable")]
#[case::subject_set_to_null(json!({"subject": "a"}), json!({"subject": null}), "subject is immutable")]
#[case::subject_added(json!({}), json!({"subject": "a"}), "subject is immutable")]
#[case::subject_instead_of_null(json!({"subject": null}), json!({"subject": "a"}), "subject is immutable")]
#[case::subject_the_same(json!({"subject": "a"}), json!({"subject": "a"}), TAKEN)]
#[case::null_is_no_subject(json!({"subject": null}), json!({}), TAKEN)]
#[case::no_subject_is_null(json!({}), json!({"subject": null}), TAKEN)]
#[case::registry_changed(json!({"registryRef": {"name": "a"}}), json!({"registryRef": {"name": "b"}}), "registryRef is immutable")]
#[case::registry_removed(json!({"registryRef": {"name": "a"}}), json!({}), "registryRef is immutable")]
#[case::registry_set_to_null(json!({"registryRef": {"name": "a"}}), json!({"registryRef": null}), "registryRef is immutable")]
#[case::registry_without_its_name(json!({"registryRef": {"name": "a"}}), json!({"registryRef": {}}), "registryRef is immutable")]
#[case::registry_added(json!({}), json!({"registryRef": {"name": "a"}}), "registryRef is immutable")]
#[case::registry_the_same(json!({"registryRef": {"name": "a"}}), json!({"registryRef": {"name": "a"}}), TAKEN)]
#[case::default_registry_named(json!({}), json!({"registryRef": {"kind": "SchemaRegistry", "name": "default"}}), TAKEN)]
#[case::default_registry_no_longer_named(json!({"registryRef": {"name": "default"}}), json!({}), TAKEN)]
#[tokio::test]
async fn of_a_schema_and_of_a_subject_config(#[case] before: Value, #[case] after: Value, #[case] expected: &str) {
    for kind in ["Schema", "SubjectConfig"] {
        let expected = match expected {
            "subject is immutable" => format!("{expected}; create another {kind} for another subject"),
            "registryRef is immutable" => format!("{expected}; create another {kind} for another registry"),
            other => other.to_owned(),
        };
        assert_answer(change(kind, &spec(kind, &before), &spec(kind, &after)).await, &expected);
    }
}

#[tokio::test]
async fn all_else_of_a_schema_may_change() {
    let before = json!({"subject": "a", "registryRef": {"name": "r"}});
    let after = json!({
        "subject": "a", "registryRef": {"name": "r"}, "schema": "\"int\"", "schemaType": "JSON", "normalize": true,
        "adoption": "Update", "driftPolicy": "Ignore",
    });
    assert_answer(change("Schema", &spec("Schema", &before), &spec("Schema", &after)).await, TAKEN);
}

#[tokio::test]
async fn everything_of_a_registry_may_change() {
    let after = json!({
        "urls": ["https://elsewhere"], "management": "Observe", "implementation": "Karapace", "driftCheckSeconds": 60,
        "limits": {"requestsPerSecond": 1, "maxInFlight": 1, "timeoutSeconds": 1},
    });
    assert_answer(change("SchemaRegistry", &spec("SchemaRegistry", &json!({})), &after).await, TAKEN);
}
