//! What is not written for the registry resource's sake: it is missing, only observed, or paused.

use serde_json::json;

use super::orders::{V1, WITH_COUPON, WITH_CURRENCY};
use super::snapshot::Snapshot;
use super::stage::Stage;
use super::world::{PATIENCE, shared_registry};

#[tokio::test]
async fn a_missing_registry_is_waited_for_and_then_called_a_mistake() {
    let stage = Stage::new("no-registry").await;
    let orders = stage.resource(
        "Schema",
        "orders",
        json!({"registryRef": {"name": "other"}, "subject": stage.subject("orders"), "schema": V1}),
    );
    stage.apply(&orders).await;
    let waiting = stage.until_schema_is("orders", "False", "RegistryNotFound").await;
    assert!(waiting.is("Reconciling") && waiting.message().contains("other"), "{waiting}");

    let stalled = |it: &Snapshot| it.reason() == "RegistryNotFound" && it.is("Stalled");
    stage.until("Schema", "orders", "stalled", PATIENCE, stalled).await;

    stage.apply(&stage.registry_resource("other", stage.registry.url())).await;
    stage.until_schema_is("orders", "True", "InSync").await;
    stage.end().await;
}

#[tokio::test]
async fn a_registry_that_is_only_observed_is_planned_for_and_never_written_to() {
    let stage = Stage::new("observed").await;
    stage.registry.register(&stage.subject("orders"), "AVRO", V1).await.ok();
    stage.registry.register(&stage.subject("bills"), "AVRO", V1).await.ok();
    stage.patch("SchemaRegistry", "default", json!({"spec": {"management": "Observe"}})).await;
    stage.until_registry_is("default", "True", "Connected").await;

    stage.apply(&stage.schema("orders", V1)).await;
    stage.until_schema_is("orders", "True", "InSync").await;
    stage.apply(&stage.schema("orders", WITH_COUPON)).await;
    let planned = stage.until_schema_is("orders", "False", "Planned").await;
    assert!(!planned.is("Stalled") && !planned.is("Reconciling"), "{planned}");
    assert!(planned.text("/status/plan").contains("would register the version after 1"), "{planned}");

    stage.apply(&stage.schema("orders", WITH_CURRENCY)).await;
    let refused = stage.until_schema_is("orders", "False", "Incompatible").await;
    assert_eq!(refused.text("/status/plan"), "");
    // With a level that would be set first, that one counts.
    stage.apply(&stage.config("orders", "NONE")).await;
    stage.until_config_is("orders", "False", "Planned").await;
    let planned = stage.until_schema_is("orders", "False", "Planned").await;
    assert_eq!(planned.text("/status/compatibility/levelSource"), "Planned", "{planned}");

    stage.apply(&stage.schema("fresh", V1)).await;
    let fresh = stage.until_schema_is("fresh", "False", "Planned").await;
    assert!(fresh.text("/status/plan").contains("first version"), "{fresh}");
    stage.apply(&stage.config("bills", "FULL")).await;
    let config = stage.until_config_is("bills", "False", "Planned").await;
    assert!(config.text("/status/plan").contains("FULL"), "{config}");

    let written = shared_registry().await.requests().into_iter();
    let written: Vec<_> = written.filter(|it| it.is_write() && it.path.contains("/observed.")).collect();
    assert_eq!(written.len(), 2, "more than what this test wrote itself: {written:#?}");
    stage.end().await;
}

#[tokio::test]
async fn a_registry_that_is_paused_pauses_all_that_use_it() {
    let stage = Stage::new("paused-registry").await;
    stage.apply(&stage.schema("orders", V1)).await;
    stage.until_schema_is("orders", "True", "InSync").await;
    stage.apply(&stage.config("orders", "BACKWARD")).await;
    stage.until_config_is("orders", "True", "InSync").await;
    let paused = |value: serde_json::Value| json!({"metadata": {"annotations": {"schemaregistrar.dev/paused": value}}});
    stage.patch("SchemaRegistry", "default", paused(json!("yes"))).await;
    let orders = stage.until_schema_is("orders", "Unknown", "Paused").await;
    assert!(orders.message().contains("from SchemaRegistry default"), "{orders}");

    stage.patch("Schema", "orders", json!({"spec": {"schema": WITH_COUPON}})).await;
    stage.until_config_is("orders", "Unknown", "Paused").await;
    assert_eq!(stage.registry.versions(&stage.subject("orders")).await, [1]);

    stage.patch("SchemaRegistry", "default", paused(json!(null))).await;
    let orders = stage.until_schema_is("orders", "True", "InSync").await;
    assert_eq!(orders.latest(), Some(2));
    stage.end().await;
}

#[tokio::test]
async fn what_is_paused_is_left_alone() {
    let stage = Stage::new("paused").await;
    stage.apply(&stage.schema("orders", V1)).await;
    stage.until_schema_is("orders", "True", "InSync").await;
    let paused = |value: serde_json::Value| json!({"metadata": {"annotations": {"schemaregistrar.dev/paused": value}}});
    stage.patch("Schema", "orders", paused(json!("true"))).await;
    let before = stage.until_schema_is("orders", "Unknown", "Paused").await;

    stage.patch("Schema", "orders", json!({"spec": {"schema": WITH_COUPON}})).await;
    // Another resource that is worked on after it shows that the change was seen and left.
    stage.apply(&stage.schema("bills", V1)).await;
    stage.until_schema_is("bills", "True", "InSync").await;
    assert_eq!(stage.registry.versions(&stage.subject("orders")).await, [1]);
    let after = stage.record.newest("Schema", "orders").unwrap();
    assert_eq!(after.generation(), 2, "{after}");
    assert_eq!(after.object["status"], before.object["status"], "a paused resource is not looked at");

    stage.patch("Schema", "orders", paused(json!(null))).await;
    let orders = stage.until_schema_is("orders", "True", "InSync").await;
    assert_eq!(orders.latest(), Some(2));
    stage.end().await;
}
