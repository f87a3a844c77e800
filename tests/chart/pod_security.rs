//! The operator's pod is admitted where the strictest of the Pod Security Standards is enforced.

use rstest::rstest;
use serde_json::{Value, json};

use crate::bed::Output;
use crate::installed::server;
use crate::{rendered, the};

const NAMESPACE: &str = "strict";

/// What the API server says of the Deployment's pod, made a little different.
async fn pod(change: impl FnOnce(&mut Value)) -> Output {
    let server = server().await;
    let documents = rendered(&[]).await;
    let account = &the("Deployment", &documents)["spec"]["template"]["spec"]["serviceAccountName"];
    let label = json!({"pod-security.kubernetes.io/enforce": "restricted"});
    let namespace = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE, "labels": label}});
    let account =
        json!({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": account, "namespace": NAMESPACE}});
    for object in [namespace, account] {
        server.kubectl(&["apply", "--server-side", "-f", "-"], &object.to_string()).await.ok();
    }
    let mut spec = the("Deployment", &documents)["spec"]["template"]["spec"].clone();
    change(&mut spec);
    let metadata = json!({"name": "operator", "namespace": NAMESPACE});
    let pod = json!({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec});
    server.kubectl(&["create", "--dry-run=server", "-f", "-"], &pod.to_string()).await
}

#[tokio::test]
async fn the_pod_is_admitted() {
    let admitted = pod(|_| ()).await;
    assert_eq!(admitted.stderr, "");
    admitted.ok();
}

/// Without these the test above would pass for any pod.
#[rstest]
#[case("/securityContext", "runAsNonRoot")]
#[case("/securityContext", "seccompProfile")]
#[case("/containers/0/securityContext", "allowPrivilegeEscalation")]
#[case("/containers/0/securityContext", "capabilities")]
#[tokio::test]
async fn the_pod_needs(#[case] within: &str, #[case] setting: &str) {
    let refusal = pod(|spec| {
        let context = spec.pointer_mut(within).and_then(Value::as_object_mut).unwrap();
        context.remove(setting).expect("the setting is there");
    });
    let refusal = refusal.await.refused();
    assert!(refusal.contains("violates PodSecurity \"restricted:latest\"") && refusal.contains(setting), "{refusal}");
}
