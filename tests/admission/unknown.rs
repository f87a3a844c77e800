//! A field that no definition knows is a slip of the pen: kubectl refuses it, and whoever insists is warned.

use rstest::rstest;
use serde_json::{Value, json};

use crate::bed::Output;
use crate::{least, resource, server};

async fn create(kind: &str, validate: &str) -> Output {
    let mut spec = least(kind);
    spec["compatability"] = json!("FULL");
    let object = serde_json::to_string(&resource(kind, &spec)).unwrap();
    let arguments = ["create", "--namespace=default", validate, "--output=json", "-f", "-"];
    server().await.kubectl(&arguments, &object).await
}

#[rstest]
#[tokio::test]
async fn an_unknown_field_is(#[values("SchemaRegistry", "Schema", "SubjectConfig")] kind: &str) {
    let refused_by_default = create(kind, "--validate=true").await.refused();
    assert!(refused_by_default.contains(r#"unknown field "spec.compatability""#), "{refused_by_default}");

    let warned = create(kind, "--validate=warn").await;
    assert!(warned.stderr.contains(r#"Warning: unknown field "spec.compatability""#), "{}", warned.stderr);
    let stored: Value = serde_json::from_str(&warned.ok()).unwrap();
    assert_eq!(stored["spec"]["compatability"], Value::Null);
}
