//! What no verdict says is told as advice; what was there before is told against the level; what would be overwritten is
//! named. Each as a person finds it on the resource.

use serde_json::{Value, json};

use super::snapshot::Snapshot;
use super::stage::Stage;
use super::world::PATIENCE;

const V1: &str = r#"{"type": "record", "name": "Order", "fields": [{"name": "id", "type": "string"},
    {"name": "note", "type": "string", "default": ""}]}"#;

/// The field note is another one now, as a reader sees it.
const RENAMED: &str = r#"{"type": "record", "name": "Order", "fields": [{"name": "id", "type": "string"},
    {"name": "remark", "type": "string", "default": ""}]}"#;

/// V1 and a field of someone else.
const WITH_COUPON: &str = r#"{"type": "record", "name": "Order", "fields": [{"name": "id", "type": "string"},
    {"name": "note", "type": "string", "default": ""},
    {"name": "coupon", "type": ["null", "string"], "default": null}]}"#;

/// V1 and a field of our own.
const WITH_TOTAL: &str = r#"{"type": "record", "name": "Order", "fields": [{"name": "id", "type": "string"},
    {"name": "note", "type": "string", "default": ""}, {"name": "total", "type": "long", "default": 0}]}"#;

/// Both.
const WITH_BOTH: &str = r#"{"type": "record", "name": "Order", "fields": [{"name": "id", "type": "string"},
    {"name": "note", "type": "string", "default": ""},
    {"name": "coupon", "type": ["null", "string"], "default": null},
    {"name": "total", "type": "long", "default": 0}]}"#;

/// Cannot read V1: its id is a number.
const NUMBERED: &str = r#"{"type": "record", "name": "Order", "fields": [{"name": "id", "type": "long"}]}"#;

fn advice<'s>(it: &'s Snapshot, code: &str) -> Option<&'s Value> {
    let all = it.object.pointer("/status/advice").and_then(Value::as_array)?;
    all.iter().find(|advice| advice["code"] == code)
}

#[tokio::test]
async fn a_rename_without_alias_is_advised_on_until_it_is_acknowledged() {
    let stage = Stage::new("advised").await;
    stage.apply(&stage.schema("orders", V1)).await;
    stage.until_schema_is("orders", "True", "InSync").await;
    stage.apply(&stage.schema("orders", RENAMED)).await;

    let told = |it: &Snapshot| it.is_observed() && it.is("Ready") && advice(it, "RenameWithoutAlias").is_some();
    let orders = stage.until("Schema", "orders", "advised on", PATIENCE, told).await;
    let rename = advice(&orders, "RenameWithoutAlias").expect("it is there");
    let message = rename["message"].as_str().unwrap_or_default();
    assert!(message.contains("remark") && message.contains("note"), "{message}");
    assert_eq!(rename["path"], "/fields/1");

    let known = json!([{"code": "RenameWithoutAlias", "path": "/fields/1", "reason": "no reader used it"}]);
    stage.patch("Schema", "orders", json!({"spec": {"acknowledge": known}})).await;
    let silent = |it: &Snapshot| it.is_observed() && advice(it, "RenameWithoutAlias").is_none();
    stage.until("Schema", "orders", "silent", PATIENCE, silent).await;
    stage.patch("Schema", "orders", json!({"spec": {"acknowledge": null}})).await;
    stage.until("Schema", "orders", "advised on again", PATIENCE, told).await;
    assert_eq!(stage.registry.versions(&stage.subject("orders")).await, [1, 2], "advice registers nothing");
    stage.end().await;
}

#[tokio::test]
async fn a_subject_that_was_taken_over_is_compared_with_what_came_before() {
    let stage = Stage::new("looked-back").await;
    stage.registry.register(&stage.subject("orders"), "AVRO", V1).await.ok();
    stage.registry.register(&stage.subject("orders"), "AVRO", RENAMED).await.ok();
    stage.apply(&stage.schema("orders", RENAMED)).await;

    let orders = stage.until_schema_is("orders", "True", "InSync").await;
    assert_eq!(orders.text("/status/compatibility/levels/FULL"), "Compatible", "{orders}");
    assert_eq!(orders.text("/status/compatibility/upgradeOrder"), "AnyOrder", "{orders}");
    assert!(advice(&orders, "RenameWithoutAlias").is_some(), "{orders}");
    stage.end().await;
}

#[tokio::test]
async fn a_level_that_the_history_breaks_is_set_and_the_versions_are_named() {
    let stage = Stage::new("history").await;
    let subject = stage.subject("orders");
    stage.registry.register(&subject, "AVRO", V1).await.ok();
    stage.registry.set_level(&subject, "NONE").await;
    stage.registry.register(&subject, "AVRO", NUMBERED).await.ok();

    stage.apply(&stage.config("orders", "FULL")).await;
    let config = stage.until_config_is("orders", "True", "InSync").await;
    assert_eq!(config.text("/status/compatibility/level"), "FULL", "the level holds all the same");
    let broken = config.object.pointer("/status/history/violations/0").expect("a violation is told");
    assert_eq!((&broken["version"], &broken["against"]), (&json!(2), &json!(1)), "{config}");
    assert_eq!(broken["rule"], "TYPE_MISMATCH");
    assert!(config.message().contains("1 of 2 versions would not pass FULL"), "{config}");
    stage.end().await;
}

#[tokio::test]
async fn what_someone_else_added_is_named_before_it_is_dropped_and_kept_where_the_change_has_it() {
    let stage = Stage::new("kept").await;
    stage.watch_for_drift().await;
    stage.apply(&stage.schema("orders", V1)).await;
    stage.until_schema_is("orders", "True", "InSync").await;
    stage.registry.register(&stage.subject("orders"), "AVRO", WITH_COUPON).await.ok();

    stage.apply(&stage.schema("orders", WITH_TOTAL)).await;
    let orders = stage.until_schema_is("orders", "False", "OverwritesForeign").await;
    assert!(orders.message().contains("would drop field coupon"), "{orders}");
    assert_eq!(stage.registry.versions(&stage.subject("orders")).await, [1, 2]);

    stage.apply(&stage.schema("orders", WITH_BOTH)).await;
    let orders = stage.until_schema_is("orders", "True", "InSync").await;
    assert_eq!(orders.latest(), Some(3), "a change on top of it is a change like any other");
    stage.end().await;
}
