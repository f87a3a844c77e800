//! The chart gives the operator exactly the rights that it uses: nothing that it asks for is forbidden, and every verb of
//! every rule is asked for.

use std::collections::BTreeSet;

use k8s_openapi::api::rbac::v1::{ClusterRole, ClusterRoleBinding, Subject};
use kube::Api;
use kube::api::ListParams;
use serde_json::json;

use super::stage::Stage;
use super::world::{PATIENCE, World, shared_registry};
use crate::bed::{AuditEntry, BlackHole, chart, until};

const V1: &str = r#"{"type": "record", "name": "Order", "fields": [{"name": "id", "type": "string"}]}"#;
const BROKEN: &str = r#"{"type": "record", "name": "Order", "fields": [{"name": "number", "type": "long"}]}"#;

#[tokio::test]
async fn every_right_of_the_chart_is_used_and_no_other_is_missed() {
    let world = World::start("cluster-rights").await;
    let stage = Stage::bare(&world, "rights", &shared_registry().await.url()).await;
    stage.apply(&stage.default_registry()).await;
    stage.apply(&stage.config("orders", "FULL")).await;
    stage.apply(&stage.schema("orders", V1)).await;
    stage.until_schema_is("orders", "True", "InSync").await;
    // Refused, mended, and refused again: the second time the same event is counted up.
    for text in [BROKEN, V1, BROKEN, V1] {
        stage.apply(&stage.schema("orders", text)).await;
        let (ready, reason) = if text == V1 { ("True", "InSync") } else { ("False", "Incompatible") };
        stage.until_schema_is("orders", ready, reason).await;
    }
    objects_change_while_they_are_looked_at(&stage).await;

    let granted = granted(&world).await;
    until("every right to be used", PATIENCE, async || {
        let used: BTreeSet<_> = world.asked_by_operator().iter().map(right).collect();
        let unused: Vec<_> = granted.difference(&used).cloned().collect();
        if unused.is_empty() { Ok(()) } else { Err(format!("never used: {unused:#?}")) }
    })
    .await;
    stage.end().await;
}

/// Then the status that is written speaks of an older version of the object, and the live one is read.
async fn objects_change_while_they_are_looked_at(stage: &Stage<'_>) {
    let hole = BlackHole::open().await;
    let mut registry = stage.registry_resource("hole", &hole.url());
    registry["spec"]["limits"]["timeoutSeconds"] = json!(5);
    let reference = json!({"name": "hole"});
    let looked_at = [
        registry,
        stage.resource("Schema", "held", json!({"registryRef": reference, "subject": "held", "schema": V1})),
        stage.resource(
            "SubjectConfig",
            "held",
            json!({"registryRef": reference, "subject": "held", "compatibility": "FULL"}),
        ),
    ];
    for resource in &looked_at {
        stage.apply(resource).await;
    }
    until("the black hole to be asked", PATIENCE, async || match hole.connections() {
        0 => Err("it was not"),
        _ => Ok(()),
    })
    .await;
    for resource in &looked_at {
        let text = |part: &serde_json::Value| part.as_str().expect("a resource has kind and name").to_owned();
        let (kind, name) = (text(&resource["kind"]), text(&resource["metadata"]["name"]));
        stage.patch(&kind, &name, json!({"metadata": {"labels": {"changed": "meanwhile"}}})).await;
    }
    stage.until_registry_is("hole", "False", "RegistryUnavailable").await;
    stage.until_schema_is("held", "False", "RegistryUnavailable").await;
    stage.until_config_is("held", "False", "RegistryUnavailable").await;
}

/// A verb on a resource of a group; a subresource is part of the resource.
type Right = (String, String, String);

fn right(entry: &AuditEntry) -> Right {
    let resource = match entry.subresource.as_str() {
        "" => entry.resource.clone(),
        subresource => format!("{}/{subresource}", entry.resource),
    };
    (entry.group.clone(), resource, entry.verb.clone())
}

/// Every right in every role that is bound to the operator's ServiceAccount.
async fn granted(world: &World) -> BTreeSet<Right> {
    let client = world.server.client().await;
    let bindings: Api<ClusterRoleBinding> = Api::all(client.clone());
    let bindings = bindings.list(&ListParams::default()).await.expect("the administrator may list bindings");
    let is_operator = |it: &Subject| it.kind == "ServiceAccount" && it.namespace.as_deref() == Some(chart::NAME);
    let ours = bindings.into_iter().filter(|it| it.subjects.iter().flatten().any(is_operator));
    let roles: Api<ClusterRole> = Api::all(client);
    let mut rules = Vec::new();
    for binding in ours {
        let role = roles.get(&binding.role_ref.name).await.expect("the role of a binding is there");
        rules.extend(role.rules.unwrap_or_default());
    }
    let mut granted = BTreeSet::new();
    for rule in rules {
        assert!(rule.non_resource_urls.is_none(), "a right that the audit log does not show: {rule:?}");
        for group in rule.api_groups.iter().flatten() {
            for resource in rule.resources.iter().flatten() {
                granted.extend(rule.verbs.iter().map(|verb| (group.clone(), resource.clone(), verb.clone())));
            }
        }
    }
    assert!(
        granted.iter().all(|(group, resource, verb)| [group, resource, verb].iter().all(|it| *it != "*")),
        "{granted:?}"
    );
    assert!(!granted.is_empty(), "nothing is bound to the operator");
    granted
}
