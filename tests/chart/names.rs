//! Names are of what is installed, and short enough for Kubernetes.

use rstest::rstest;
use serde_json::Value;

use crate::{bed, chart, documents, the};

/// Kubernetes takes 63 characters in names of Services and values of labels.
const LIMIT: usize = 63;

async fn of_release(release: &str, namespace: &str, arguments: &[&str]) -> Vec<Value> {
    let folder = chart();
    let command = ["template", release, &folder, "--namespace", namespace, "--set=crds.enabled=false"];
    documents(&bed::helm_offline(&[&command, arguments].concat()).await.ok())
}

#[rstest]
#[case::release_and_chart("demo", &[], "demo-schema-registrar")]
#[case::a_release_that_says_the_chart_already("schema-registrar-eu", &[], "schema-registrar-eu")]
#[case::another_name_for_the_chart("demo", &["--set=nameOverride=registrar"], "demo-registrar")]
#[case::another_name("demo", &["--set=fullnameOverride=owner"], "owner")]
#[case::cut_without_a_hyphen_at_the_end(
    "a-release-with-the-longest-name-that-helm-takes-of-53", &[], "a-release-with-the-longest-name-that-helm-takes-of-53-schema-re"
)]
#[case::cut_before_two_hyphens(
    "demo", &["--set=fullnameOverride=a-name-whose-two-last-characters-of-those-that-are-kept-are-h--more"],
    "a-name-whose-two-last-characters-of-those-that-are-kept-are-h"
)]
#[case::a_release_that_yaml_takes_for_a_number("123", &[], "r123-schema-registrar")]
#[case::a_release_that_yaml_takes_for_a_fraction("1e3", &[], "r1e3-schema-registrar")]
#[case::a_release_with_dots("v1.2", &[], "v1-2-schema-registrar")]
#[case::words_that_yaml_takes_for_others("true", &["--set-string=fullnameOverride=null"], "null")]
#[case::cut_before_a_hyphen(
    "demo", &["--set=fullnameOverride=a-name-whose-sixty-third-character-is-a-hyphen-and-no-letter-1-is-cut"],
    "a-name-whose-sixty-third-character-is-a-hyphen-and-no-letter-1"
)]
#[tokio::test]
async fn names_are(#[case] release: &str, #[case] arguments: &[&str], #[case] name: &str) {
    let documents = of_release(release, "kafka", arguments).await;
    for kind in ["Deployment", "Service", "ServiceAccount"] {
        assert_eq!(the(kind, &documents)["metadata"]["name"], name);
        assert_eq!(the(kind, &documents)["metadata"]["namespace"], "kafka");
    }
}

#[rstest]
#[tokio::test]
async fn labels_and_names_are_text(#[values("123", "1e3", "true", "1.2")] release: &str) {
    let overrides = ["--set-string=nameOverride=12", "--set-string=priorityClassName=7"];
    let documents = of_release(release, "456", &overrides).await;
    for document in &documents {
        let metadata = &document["metadata"];
        assert!(metadata["name"].is_string(), "{metadata}");
        assert_eq!(metadata["labels"]["app.kubernetes.io/instance"], release);
        assert!(metadata["labels"].as_object().unwrap().values().all(Value::is_string), "{metadata}");
    }
    let spec = &the("Deployment", &documents)["spec"];
    assert_eq!(spec["selector"]["matchLabels"]["app.kubernetes.io/name"], "12");
    assert_eq!(spec["template"]["spec"]["priorityClassName"], "7");
    assert_eq!(the("Service", &documents)["metadata"]["namespace"], "456");
    assert_eq!(the("ClusterRoleBinding", &documents)["subjects"][0]["namespace"], "456");
}

#[tokio::test]
async fn names_and_labels_are_never_too_long() {
    let (name, namespace) = ("n".repeat(80), "n".repeat(LIMIT));
    let release = "a-release-with-the-longest-name-that-helm-takes-of-53";
    let documents = of_release(release, &namespace, &[&format!("--set=nameOverride={name}")]).await;
    for document in &documents {
        let metadata = &document["metadata"];
        // A name that no Service and no label holds may have 253 characters.
        let limit = if document["kind"].as_str().unwrap().starts_with("Cluster") { 253 } else { LIMIT };
        assert!(metadata["name"].as_str().unwrap().len() <= limit, "{metadata}");
        for label in metadata["labels"].as_object().unwrap().values() {
            assert!(label.as_str().unwrap().len() <= LIMIT, "{metadata}");
        }
    }
}

/// What has no namespace would be taken for the other release's.
#[tokio::test]
async fn releases_of_one_name_in_two_namespaces_share_nothing() {
    let [here, there] = [of_release("demo", "here", &[]).await, of_release("demo", "there", &[]).await];
    for kind in ["ClusterRole", "ClusterRoleBinding"] {
        assert_ne!(the(kind, &here)["metadata"]["name"], the(kind, &there)["metadata"]["name"]);
    }
}
