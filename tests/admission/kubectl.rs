//! What kubectl shows, and by which names.

use kube::api::{Patch, PatchParams};
use rstest::rstest;
use serde_json::{Value, json};

use crate::{least, resource, resources, server};

async fn kubectl(arguments: &[&str]) -> String {
    server().await.kubectl(arguments, "").await.ok()
}

/// Creates a resource under this name, with this status.
async fn with_status(kind: &str, name: &str, spec: &Value, status: &Value) {
    let api = resources(kind).await;
    let mut object = resource(kind, spec);
    object.metadata.name = Some(name.to_owned());
    api.create(&Default::default(), &object).await.unwrap();
    let patch = Patch::Merge(json!({"status": status}));
    api.patch_status(name, &PatchParams::default(), &patch).await.unwrap();
}

fn conditions(all: &[(&str, &str, &str, &str)]) -> Value {
    let condition = |(kind, status, reason, message): &(&str, &str, &str, &str)| {
        json!({
            "type": kind, "status": status, "reason": reason, "message": message,
            "lastTransitionTime": "2030-01-01T00:00:00Z",
        })
    };
    all.iter().map(condition).collect()
}

/// The words of each line of a table. No cell of ours holds a space, but for the message at the end.
fn lines(table: &str) -> Vec<String> {
    table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

#[tokio::test]
async fn a_schema_is_one_line() {
    let refused = "refused: field currency is new and has no default";
    let status = json!({
        "observedGeneration": 1, "subject": "orders-value", "latestVersion": 3, "compatibility": {"level": "BACKWARD"},
        "conditions": conditions(&[("Ready", "False", "Incompatible", refused), ("Compatible", "False", "Incompatible", refused)]),
    });
    let spec = json!({"schema": "\"int\"", "subject": "orders-value"});
    with_status("Schema", "orders", &spec, &status).await;
    let table = lines(&kubectl(&["get", "rschema", "orders"]).await);
    assert_eq!(table[0], "NAME READY SUBJECT TYPE LATEST LEVEL COMPATIBLE REASON AGE");
    assert!(table[1].starts_with("orders False orders-value AVRO 3 BACKWARD False Incompatible "), "{}", table[1]);
    let wide = lines(&kubectl(&["get", "rschema", "orders", "--output=wide"]).await);
    assert_eq!(wide[0], "NAME READY SUBJECT TYPE LATEST LEVEL COMPATIBLE REASON AGE REGISTRY PLAN MESSAGE");
    assert!(wide[1].ends_with(&format!("default {refused}")), "{}", wide[1]);
}

#[tokio::test]
async fn a_subject_config_is_one_line() {
    let status = json!({
        "observedGeneration": 1, "subject": "orders-value", "plan": "set FULL",
        "compatibility": {"level": "BACKWARD", "levelSource": "Global"},
        "conditions": conditions(&[("Ready", "False", "Planned", "the level would be set to FULL")]),
    });
    with_status("SubjectConfig", "orders", &json!({"compatibility": "FULL"}), &status).await;
    let table = lines(&kubectl(&["get", "rsubject", "orders"]).await);
    assert_eq!(table[0], "NAME READY SUBJECT LEVEL IN-FORCE REASON AGE");
    assert!(table[1].starts_with("orders False orders-value FULL BACKWARD Planned "), "{}", table[1]);
    let wide = lines(&kubectl(&["get", "rsubject", "orders", "--output=wide"]).await);
    assert_eq!(wide[0], "NAME READY SUBJECT LEVEL IN-FORCE REASON AGE REGISTRY PLAN MESSAGE");
    assert!(wide[1].ends_with("default set FULL the level would be set to FULL"), "{}", wide[1]);
}

#[tokio::test]
async fn a_registry_is_one_line() {
    let status = json!({
        "observedGeneration": 1, "implementation": {"name": "Apicurio", "version": "3.3.3"}, "compatibility": "FULL",
        "conditions": conditions(&[("Ready", "True", "Connected", "connected")]),
    });
    with_status("SchemaRegistry", "main", &json!({"urls": ["http://registry:8081"]}), &status).await;
    let table = lines(&kubectl(&["get", "rregistry", "main"]).await);
    assert_eq!(table[0], "NAME READY IMPLEMENTATION VERSION LEVEL REASON AGE");
    assert!(table[1].starts_with("main True Apicurio 3.3.3 FULL Connected "), "{}", table[1]);
    let wide = lines(&kubectl(&["get", "rregistry", "main", "--output=wide"]).await);
    assert_eq!(wide[0], "NAME READY IMPLEMENTATION VERSION LEVEL REASON AGE URL MANAGEMENT MESSAGE");
    assert!(wide[1].ends_with("http://registry:8081 Full connected"), "{}", wide[1]);
}

#[tokio::test]
async fn one_word_gets_everything() {
    for kind in ["SchemaRegistry", "Schema", "SubjectConfig"] {
        let mut object = resource(kind, &least(kind));
        object.metadata.name = Some("one-of-each".to_owned());
        resources(kind).await.create(&Default::default(), &object).await.unwrap();
    }
    let all = kubectl(&["get", "registrar", "--output=name"]).await;
    for resource in ["schemaregistry", "schema", "subjectconfig"] {
        let name = format!("{resource}.schemaregistrar.dev/one-of-each");
        assert!(all.lines().any(|line| line == name), "{name} is not in\n{all}");
    }
}

#[tokio::test]
async fn short_names_are_unlike_those_of_other_products() {
    let table = kubectl(&["api-resources", "--api-group=schemaregistrar.dev", "--no-headers"]).await;
    let expected = [
        "schemaregistries rregistry schemaregistrar.dev/v1alpha1 true SchemaRegistry",
        "schemas rschema schemaregistrar.dev/v1alpha1 true Schema",
        "subjectconfigs rsubject schemaregistrar.dev/v1alpha1 true SubjectConfig",
    ];
    assert_eq!(lines(&table), expected);
}

#[rstest]
#[case("rregistry.spec", &["driftCheckSeconds", "implementation", "limits", "management", "urls", "verdict"], "urls")]
#[case("rregistry.spec.limits", &["maxInFlight", "requestsPerSecond", "timeoutSeconds"], "")]
#[case(
    "rschema.spec",
    &["acknowledge", "adoption", "driftPolicy", "normalize", "registryRef", "schema", "schemaType", "subject"], "schema"
)]
#[case("rschema.spec.registryRef", &["kind", "name"], "")]
#[case("rsubject.spec", &["compatibility", "registryRef", "subject"], "")]
#[tokio::test]
async fn explain_names_each_field_with_what_it_is(#[case] path: &str, #[case] fields: &[&str], #[case] required: &str) {
    let page = kubectl(&["explain", path]).await;
    let (_, listed) = page.split_once("FIELDS:\n").expect("explain lists fields");
    let entries: Vec<&str> = listed.trim_end().split("\n\n").collect();
    let heads = entries.iter().map(|entry| entry.trim_start().lines().next().unwrap());
    let (names, kinds): (Vec<&str>, Vec<&str>) = heads.map(|head| head.split_once('\t').unwrap()).unzip();
    assert_eq!(names, fields);
    for ((name, kind), entry) in names.iter().zip(kinds).zip(&entries) {
        assert_eq!(kind.ends_with("-required-"), *name == required, "{entry}");
        assert!(entry.trim_end().ends_with('.'), "{entry}");
    }
    assert!(page.lines().all(|line| line.chars().count() <= 84), "{page}");
}

#[tokio::test]
async fn explain_says_what_a_kind_is_for() {
    let about = |page: String| page.split_once("DESCRIPTION:\n").map(|(_, text)| lines(text)[0].clone());
    assert_eq!(
        about(kubectl(&["explain", "rschema"]).await).as_deref(),
        Some("What the latest version of one subject of a Kafka Schema Registry is to be.")
    );
    assert_eq!(
        about(kubectl(&["explain", "rregistry"]).await).as_deref(),
        Some("A connection to one Kafka Schema Registry. Schemas and SubjectConfigs of the")
    );
    assert_eq!(
        about(kubectl(&["explain", "rsubject"]).await).as_deref(),
        Some("How one subject of a Kafka Schema Registry may change: its compatibility")
    );
}
