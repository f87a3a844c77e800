//! What the chart says without any values: one operator, with no right that it does not use.

use clap::Parser;
use schema_registrar::api::crds;
use schema_registrar::cli::Arguments;
use serde_json::{Value, json};

use crate::{bed, chart, container, documents, rendered, the};

#[tokio::test]
async fn helm_finds_nothing_to_mend() {
    let report = bed::helm_offline(&["lint", "--strict", "--quiet", &chart()]).await.ok();
    assert_eq!(report.trim(), "");
}

#[tokio::test]
async fn chart_operator_and_image_are_of_one_version() {
    let about = documents(&bed::helm_offline(&["show", "chart", &chart()]).await.ok());
    assert_eq!(about[0]["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(about[0]["appVersion"], env!("CARGO_PKG_VERSION"));
    let image = format!("schema-registrar:{}", env!("CARGO_PKG_VERSION"));
    assert_eq!(container(&rendered(&[]).await)["image"], image);
}

#[tokio::test]
async fn nothing_is_installed_that_nobody_needs() {
    let mut kinds: Vec<_> = rendered(&[]).await.iter().map(|it| it["kind"].as_str().unwrap().to_owned()).collect();
    kinds.sort();
    let definition = "CustomResourceDefinition";
    let others = ["ClusterRole", "ClusterRoleBinding", definition, definition, definition];
    assert_eq!(kinds, [&others[..], &["Deployment", "Service", "ServiceAccount"]].concat());
}

#[tokio::test]
async fn definitions_are_those_of_the_types_and_stay_when_the_release_goes() {
    let mut found: Vec<Value> =
        rendered(&[]).await.into_iter().filter(|it| it["kind"] == "CustomResourceDefinition").collect();
    found.sort_by_key(|definition| definition["metadata"]["name"].as_str().unwrap().to_owned());
    for (found, wanted) in found.iter_mut().zip(crds()) {
        let annotations = found["metadata"].as_object_mut().unwrap().remove("annotations");
        assert_eq!(annotations, Some(json!({"helm.sh/resource-policy": "keep"})));
        assert_eq!(as_numbers(found.take()), as_numbers(serde_json::to_value(wanted).unwrap()));
    }
}

/// The same value for 5 and 5.0.
fn as_numbers(value: Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64()),
        Value::Array(items) => items.into_iter().map(as_numbers).collect(),
        Value::Object(entries) => entries.into_iter().map(|(key, value)| (key, as_numbers(value))).collect(),
        other => other,
    }
}

#[tokio::test]
async fn the_role_has_exactly_what_the_operator_asks_for() {
    let documents = rendered(&[]).await;
    let rules = json!([
        {
            "apiGroups": ["schemaregistrar.dev"],
            "resources": ["schemaregistries", "schemas", "subjectconfigs"],
            "verbs": ["get", "list", "watch"],
        },
        {
            "apiGroups": ["schemaregistrar.dev"],
            "resources": ["schemaregistries/status", "schemas/status", "subjectconfigs/status"],
            "verbs": ["patch"],
        },
        {"apiGroups": ["events.k8s.io"], "resources": ["events"], "verbs": ["create", "patch"]},
    ]);
    assert_eq!(the("ClusterRole", &documents)["rules"], rules);

    let binding = the("ClusterRoleBinding", &documents);
    assert_eq!(binding["roleRef"]["name"], the("ClusterRole", &documents)["metadata"]["name"]);
    let account = &the("ServiceAccount", &documents)["metadata"];
    let subject = json!({"kind": "ServiceAccount", "name": account["name"], "namespace": account["namespace"]});
    assert_eq!(binding["subjects"], json!([subject]));
    assert_eq!(the("Deployment", &documents)["spec"]["template"]["spec"]["serviceAccountName"], account["name"]);
}

#[tokio::test]
async fn there_are_never_two_operators() {
    let documents = rendered(&[]).await;
    let spec = &the("Deployment", &documents)["spec"];
    assert_eq!(spec["replicas"], 1);
    assert_eq!(spec["strategy"], json!({"type": "Recreate"}));
}

#[tokio::test]
async fn the_operator_understands_its_arguments() {
    let documents = rendered(&[]).await;
    let arguments = container(&documents)["args"].as_array().unwrap().iter().map(|it| it.as_str().unwrap());
    let arguments: Vec<&str> = ["schema-registrar"].into_iter().chain(arguments).collect();
    assert_eq!(arguments[1..3], ["run", "--listen=0.0.0.0:8080"]);
    if let Err(error) = Arguments::try_parse_from(arguments) {
        panic!("{error}");
    }
}

#[tokio::test]
async fn metrics_and_probes_find_the_operator() {
    let documents = rendered(&[]).await;
    let container = container(&documents);
    assert_eq!(container["ports"], json!([{"name": "metrics", "containerPort": 8080}]));
    assert_eq!(container["livenessProbe"]["httpGet"], json!({"path": "/healthz", "port": "metrics"}));
    assert_eq!(container["readinessProbe"]["httpGet"], json!({"path": "/readyz", "port": "metrics"}));

    let service = &the("Service", &documents)["spec"];
    assert_eq!(service["ports"], json!([{"name": "metrics", "port": 8080, "targetPort": "metrics"}]));
    let deployment = &the("Deployment", &documents)["spec"];
    assert_eq!(service["selector"], deployment["selector"]["matchLabels"]);
    let labels = deployment["template"]["metadata"]["labels"].as_object().unwrap();
    for (key, value) in service["selector"].as_object().unwrap() {
        assert_eq!(labels.get(key), Some(value));
    }
}

#[tokio::test]
async fn the_root_file_system_is_read_only_and_the_pod_is_known_to_its_events() {
    let documents = rendered(&[]).await;
    let container = container(&documents);
    assert_eq!(container["securityContext"]["readOnlyRootFilesystem"], true);
    let field = json!({"fieldRef": {"fieldPath": "metadata.name"}});
    assert_eq!(container["env"], json!([{"name": "POD_NAME", "valueFrom": field}]));
}
