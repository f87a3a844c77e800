//! Every value does what it says, and one that says nothing is refused.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use rstest::rstest;
use serde_json::{Value, json};

use crate::bed::{self, Output, Scratch};
use crate::{chart, documents, the};

/// What Helm makes of the chart with values of one's own.
async fn with(values: &Value) -> Output {
    let scratch = Scratch::new("values");
    let file = scratch.write("values.yaml", &values.to_string()).display().to_string();
    bed::helm_offline(&["template", "demo", &chart(), "--namespace", "kafka", "--values", &file]).await
}

#[rstest]
#[case::image_of_a_registry_with_a_port(json!({"image": {"repository": "[::1]:5000/a/b-c_d", "tag": "2"}}), "[::1]:5000/a/b-c_d:2")]
#[case::image(json!({"image": {"repository": "reg.example/own", "tag": "2"}}), "reg.example/own:2")]
#[case::digest_outranks_tag(json!({"image": {"tag": "2", "digest": digest()}}), &format!("schema-registrar@{}", digest()))]
#[tokio::test]
async fn the_image_is(#[case] values: Value, #[case] image: &str) {
    let documents = documents(&with(&values).await.ok());
    assert_eq!(crate::container(&documents)["image"], image);
}

fn digest() -> String {
    format!("sha256:{}", bed::cache::sha256(b""))
}

const CONTAINER: &str = "/spec/template/spec/containers/0";

#[rstest]
#[case("Deployment", "/spec/template/spec/imagePullSecrets", json!({"imagePullSecrets": [{"name": "mine"}]}), json!([{"name": "mine"}]))]
#[case("Deployment", "/spec/template/spec/securityContext/runAsUser", json!({"runAsUser": 1000}), json!(1000))]
#[case("Deployment", "/spec/template/spec/securityContext/runAsGroup", json!({"runAsUser": 1000}), json!(1000))]
#[case("Deployment", "/spec/template/spec/securityContext/runAsUser", json!({"runAsUser": null}), Value::Null)]
#[case("Deployment", "/spec/template/spec/nodeSelector", json!({"nodeSelector": {"disk": "fast"}}), json!({"disk": "fast"}))]
#[case("Deployment", "/spec/template/spec/tolerations", json!({"tolerations": [{"operator": "Exists"}]}), json!([{"operator": "Exists"}]))]
#[case("Deployment", "/spec/template/spec/affinity", json!({"affinity": {"podAffinity": {}}}), json!({"podAffinity": {}}))]
#[case("Deployment", "/spec/template/spec/priorityClassName", json!({"priorityClassName": "high"}), json!("high"))]
#[case("Deployment", "/spec/template/metadata/annotations", json!({"podAnnotations": {"a": "1"}}), json!({"a": "1"}))]
#[case("Deployment", "/spec/template/metadata/labels/team", json!({"podLabels": {"team": "data"}}), json!("data"))]
#[case("Deployment", &format!("{CONTAINER}/imagePullPolicy"), json!({"image": {"pullPolicy": "Always"}}), json!("Always"))]
#[case("Deployment", &format!("{CONTAINER}/args/2"), json!({"log": {"format": "text"}}), json!("--log-format=text"))]
#[case("Deployment", &format!("{CONTAINER}/args/3"), json!({"log": {"filter": "info,kube=warn"}}), json!("--log=info,kube=warn"))]
#[case("Deployment", &format!("{CONTAINER}/resources/limits"), json!({"resources": {"limits": {"cpu": 1}}}), json!({"cpu": 1, "memory": "512Mi"}))]
#[case("Deployment", &format!("{CONTAINER}/resources/requests"), json!({"resources": {"requests": {"memory": "1Gi"}}}), json!({"cpu": "50m", "memory": "1Gi"}))]
#[case("Service", "/spec/ports/0/port", json!({"service": {"port": 9090}}), json!(9090))]
#[case("Service", "/metadata/annotations", json!({"service": {"annotations": {"a": "1"}}}), json!({"a": "1"}))]
#[case("ServiceAccount", "/metadata/annotations", json!({"serviceAccount": {"annotations": {"a": "1"}}}), json!({"a": "1"}))]
#[case("Deployment", "/metadata/name", json!({"fullnameOverride": "own"}), json!("own"))]
#[case("Deployment", "/metadata/name", json!({"nameOverride": "own"}), json!("demo-own"))]
#[tokio::test]
async fn a_value_is_found_where_it_belongs(
    #[case] kind: &str,
    #[case] pointer: &str,
    #[case] values: Value,
    #[case] wanted: Value,
) {
    let documents = documents(&with(&values).await.ok());
    assert_eq!(the(kind, &documents).pointer(pointer).unwrap_or(&Value::Null), &wanted);
}

#[tokio::test]
async fn definitions_can_be_left_to_somebody_else() {
    let documents = documents(&with(&json!({"crds": {"enabled": false}})).await.ok());
    assert!(documents.iter().all(|document| document["kind"] != "CustomResourceDefinition"));
    the("Deployment", &documents);
}

/// Helm takes null for "not even the default".
#[rstest]
#[tokio::test]
async fn what_nothing_needs_may_be_null(
    #[values(
        "nameOverride",
        "fullnameOverride",
        "serviceAccount",
        "resources",
        "runAsUser",
        "podAnnotations",
        "podLabels",
        "nodeSelector",
        "tolerations",
        "affinity",
        "priorityClassName",
        "imagePullSecrets"
    )]
    name: &str,
) {
    let documents = documents(&with(&json!({name: null})).await.ok());
    assert_eq!(the("Deployment", &documents)["metadata"]["name"], "demo-schema-registrar");
}

#[rstest]
#[case::a_slip_of_the_pen(json!({"imgae": {}}), "'imgae' not allowed")]
#[case::a_slip_further_in(json!({"image": {"tga": "2"}}), "'tga' not allowed")]
#[case::in_the_resources(json!({"resources": {"limit": {}}}), "'limit' not allowed")]
#[case::what_only_other_charts_have(json!({"replicaCount": 2}), "'replicaCount' not allowed")]
#[case::a_tag_that_yaml_makes_a_number(json!({"image": {"tag": 1.0}}), "got number, want string")]
#[case::no_image(json!({"image": {"repository": ""}}), "/image/repository")]
#[case::image_with_a_blank(json!({"image": {"repository": "own image"}}), "/image/repository")]
#[case::image_with_a_tag_in_the_wrong_place(json!({"image": {"repository": "own:2"}}), "/image/repository")]
#[case::image_in_upper_case(json!({"image": {"repository": "reg.example/Own"}}), "/image/repository")]
#[case::no_image_at_all(json!({"image": null}), "missing property 'image'")]
#[case::nothing_about_the_log(json!({"log": null}), "missing property 'log'")]
#[case::no_filter(json!({"log": {"filter": null}}), "missing property 'filter'")]
#[case::nothing_about_the_service(json!({"service": null}), "missing property 'service'")]
#[case::no_port(json!({"service": {"port": null}}), "missing property 'port'")]
#[case::nothing_about_definitions(json!({"crds": null}), "missing property 'crds'")]
#[case::name_in_upper_case(json!({"nameOverride": "Own"}), "/nameOverride")]
#[case::name_that_is_a_number(json!({"nameOverride": 123}), "got number, want null or string")]
#[case::full_name_that_begins_with_a_digit(json!({"fullnameOverride": "1-own"}), "/fullnameOverride")]
#[case::full_name_with_a_dot(json!({"fullnameOverride": "own.2"}), "/fullnameOverride")]
#[case::full_name_that_ends_with_a_hyphen(json!({"fullnameOverride": "own-"}), "/fullnameOverride")]
#[case::priority_class_in_two_words(json!({"priorityClassName": "very high"}), "/priorityClassName")]
#[case::half_a_digest(json!({"image": {"digest": "sha256:12"}}), "/image/digest")]
#[case::no_such_policy(json!({"image": {"pullPolicy": "Sometimes"}}), "/image/pullPolicy")]
#[case::no_such_format(json!({"log": {"format": "xml"}}), "/log/format")]
#[case::no_such_port(json!({"service": {"port": 70000}}), "/service/port")]
#[case::root(json!({"runAsUser": 0}), "/runAsUser")]
#[case::a_word_for_a_switch(json!({"crds": {"enabled": "no"}}), "/crds/enabled")]
#[case::a_label_that_is_no_text(json!({"podLabels": {"a": true}}), "/podLabels/a")]
#[tokio::test]
async fn refused_are(#[case] values: Value, #[case] why: &str) {
    let refusal = with(&values).await.refused();
    assert!(refusal.contains(why), "{refusal}");
}

#[test]
fn the_schema_and_the_defaults_name_the_same_values() {
    let read = |name: &str| fs::read_to_string(Path::new(&chart()).join(name)).unwrap();
    let schema: Value = serde_json::from_str(&read("values.schema.json")).unwrap();
    let defaults: Value = serde_saphyr::from_str(&read("values.yaml")).unwrap();
    let mut allowed = BTreeSet::new();
    gather_properties("", &schema, &mut allowed);
    for of_parent_charts in ["/enabled", "/global"] {
        assert!(allowed.remove(of_parent_charts), "{of_parent_charts} is for charts that depend on this one");
    }
    let mut given = BTreeSet::new();
    gather_values("", &defaults, &schema, &mut given);
    assert_eq!(given, allowed);
}

/// Every object of the schema that names its values refuses others.
fn gather_properties(path: &str, schema: &Value, all: &mut BTreeSet<String>) {
    let Some(properties) = schema["properties"].as_object() else { return };
    assert_eq!(schema["additionalProperties"], false, "{path}");
    for (name, property) in properties {
        all.insert(format!("{path}/{name}"));
        gather_properties(&format!("{path}/{name}"), property, all);
    }
}

/// Values as far as the schema names them: what is in a free map is not looked at.
fn gather_values(path: &str, values: &Value, schema: &Value, all: &mut BTreeSet<String>) {
    for (name, value) in values.as_object().into_iter().flatten() {
        if !path.is_empty() && schema["properties"].is_null() {
            return;
        }
        all.insert(format!("{path}/{name}"));
        gather_values(&format!("{path}/{name}"), value, &schema["properties"][name], all);
    }
}
