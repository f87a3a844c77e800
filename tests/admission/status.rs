//! A status is the operator's: nobody else writes one by the way, and until the first look it says that there was none.

use kube::api::{DynamicObject, Patch, PatchParams, PostParams};
use rstest::rstest;
use serde_json::{Value, json};

use crate::{TAKEN, answer, assert_answer, bed, create, least, resource, resources};

#[rstest]
#[tokio::test]
async fn a_fresh_resource_says_that_nothing_was_looked_at(
    #[values("SchemaRegistry", "Schema", "SubjectConfig")] kind: &str,
    #[values(None, Some(json!({"observedGeneration": 7, "conditions": []})), Some(Value::Null))] given: Option<Value>,
) {
    let mut fresh = resource(kind, &least(kind));
    if let Some(status) = given {
        fresh.data["status"] = status;
    }
    let stored = answer(resources(kind).await.create(&PostParams::default(), &fresh).await).unwrap();
    assert_eq!(stored.data["status"], json!({"observedGeneration": -1}));
    assert_eq!(stored.metadata.generation, Some(1));
    assert_eq!(bed::kstatus(&[serde_json::to_value(&stored).unwrap()]).await, ["InProgress"]);
}

#[rstest]
#[tokio::test]
async fn a_change_of_the_resource_leaves_the_status_alone(
    #[values("SchemaRegistry", "Schema", "SubjectConfig")] kind: &str,
) {
    let mut object = create(kind, &least(kind)).await.unwrap();
    object.data["status"] = json!({"observedGeneration": 7});
    let name = object.metadata.name.clone().unwrap();
    let stored = resources(kind).await.replace(&name, &PostParams::default(), &object).await.unwrap();
    assert_eq!(stored.data["status"], json!({"observedGeneration": -1}));
}

async fn report(kind: &str, status: &Value) -> Result<DynamicObject, String> {
    let name = create(kind, &least(kind)).await.unwrap().metadata.name.unwrap();
    let patch = Patch::Merge(json!({"spec": {"registryRef": {"name": "moved"}}, "status": status}));
    answer(resources(kind).await.patch_status(&name, &PatchParams::default(), &patch).await)
}

#[tokio::test]
async fn a_report_leaves_the_spec_alone() {
    let stored = report("Schema", &json!({"observedGeneration": 1})).await.unwrap();
    assert_eq!(stored.data["status"]["observedGeneration"], 1);
    assert_eq!(stored.data["spec"]["registryRef"]["name"], "default");
    assert_eq!(stored.metadata.generation, Some(1));
}

fn condition(fields: Value) -> Value {
    let mut condition = json!({
        "type": "Ready", "status": "True", "reason": "InSync", "message": "", "observedGeneration": 1,
        "lastTransitionTime": "2030-01-01T00:00:00Z",
    });
    for (name, value) in fields.as_object().unwrap() {
        condition[name] = value.clone();
    }
    condition
}

#[rstest]
#[case(json!([condition(json!({}))]), TAKEN)]
#[case(json!([condition(json!({})), condition(json!({"type": "Stalled"}))]), TAKEN)]
#[case(json!([condition(json!({})), condition(json!({}))]), r#"status.conditions[1]: Duplicate value: {"type":"Ready"}"#)]
#[case(json!([condition(json!({"status": "Yes"}))]), r#"status.conditions[0].status: Unsupported value: "Yes""#)]
#[case(json!([condition(json!({"reason": "two words"}))]), "conditions[0].reason in body should match")]
#[case(json!([condition(json!({"reason": ""}))]), "status.conditions[0].reason")]
#[case(json!([condition(json!({"message": "x".repeat(32_769)}))]), "status.conditions[0].message: Too long")]
#[case(json!([condition(json!({"lastTransitionTime": "today"}))]), "conditions[0].lastTransitionTime in body must be of type date-time")]
#[case(json!([{"type": "Ready"}]), "status.conditions[0].status: Required value")]
#[tokio::test]
async fn conditions_are_what_tools_expect(#[case] conditions: Value, #[case] expected: &str) {
    for kind in ["SchemaRegistry", "Schema", "SubjectConfig"] {
        assert_answer(report(kind, &json!({"conditions": conditions})).await, expected);
    }
}
