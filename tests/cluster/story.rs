//! What a team writes is what the registry holds, or the resource says why not.

use serde_json::json;

use super::orders::{V1, WITH_COUPON, WITH_CURRENCY, WITH_CURRENCY_FIXED};
use super::snapshot::Snapshot;
use super::stage::Stage;
use super::world::{PATIENCE, shared_registry};
use crate::bed::until;

#[tokio::test]
async fn the_first_version_is_registered() {
    let stage = Stage::new("first").await;
    stage.apply(&stage.schema("orders", V1)).await;

    let orders = stage.until_schema_is("orders", "True", "InSync").await;
    assert_eq!(orders.latest(), Some(1));
    assert_eq!(orders.applied(), Some(1));
    assert_eq!(orders.text("/status/compatibility/level"), "BACKWARD");
    assert_eq!(orders.text("/status/compatibility/levelSource"), "Global");
    assert_eq!(stage.registry.texts(&stage.subject("orders")).await.len(), 1);
    assert_eq!(stage.events("Schema", "orders").await, Vec::<String>::new(), "nothing to tell a person");
    stage.end().await;
}

#[tokio::test]
async fn a_compatible_change_becomes_the_next_version() {
    let stage = Stage::new("compatible").await;
    stage.apply(&stage.schema("orders", V1)).await;
    stage.until_schema_is("orders", "True", "InSync").await;

    stage.apply(&stage.schema("orders", WITH_COUPON)).await;
    let orders = stage.until_schema_is("orders", "True", "InSync").await;
    assert_eq!(orders.latest(), Some(2));
    let texts = stage.registry.texts(&stage.subject("orders")).await;
    assert_eq!(texts.len(), 2);
    assert!(texts[1].contains("coupon"), "{texts:?}");
    let event = stage.until_event("Schema", "orders", "Normal Registered: ").await;
    assert!(event.contains("version 2"), "{event}");
    stage.end().await;
}

#[tokio::test]
async fn an_incompatible_change_is_refused_until_it_is_fixed() {
    let stage = Stage::new("refused").await;
    stage.apply(&stage.schema("orders", V1)).await;
    stage.until_schema_is("orders", "True", "InSync").await;

    stage.apply(&stage.schema("orders", WITH_CURRENCY)).await;
    let orders = stage.until_schema_is("orders", "False", "Incompatible").await;
    assert!(orders.is("Stalled"));
    assert_eq!(orders.state("Compatible"), "False");
    assert_eq!((orders.latest(), orders.applied()), (Some(1), Some(1)), "what was registered stays told");
    assert_eq!(orders.object["status"]["compatibility"]["compatible"], false);
    assert_eq!(orders.text("/status/compatibility/comparedVersions"), "1");
    assert!(orders.message().contains("BACKWARD") && orders.message().contains("version 1"), "{}", orders.message());
    assert_eq!(stage.registry.texts(&stage.subject("orders")).await.len(), 1, "nothing was written");
    stage.until_event("Schema", "orders", "Warning Incompatible: ").await;

    stage.apply(&stage.schema("orders", WITH_CURRENCY_FIXED)).await;
    let orders = stage.until_schema_is("orders", "True", "InSync").await;
    assert_eq!((orders.latest(), orders.is("Stalled")), (Some(2), false));
    assert!(orders.object["status"]["compatibility"].get("violations").is_none(), "what is past is not told");
    stage.end().await;
}

#[tokio::test]
async fn a_change_of_formatting_alone_makes_no_version() {
    let stage = Stage::new("formatting").await;
    stage.apply(&stage.schema("orders", WITH_COUPON)).await;
    let before = stage.until_schema_is("orders", "True", "InSync").await;

    let compact = serde_json::from_str::<serde_json::Value>(WITH_COUPON).unwrap().to_string();
    assert_ne!(compact, WITH_COUPON);
    stage.apply(&stage.schema("orders", &compact)).await;
    let after = stage.until_schema_is("orders", "True", "InSync").await;
    assert!(after.generation() > before.generation());
    assert_eq!(after.object["status"]["lastApplied"], before.object["status"]["lastApplied"]);
    assert_eq!(stage.registry.versions(&stage.subject("orders")).await, [1]);
    assert!(stage.record.history("Schema", "orders").iter().all(|it| it.reason() != "Incompatible"));
    stage.end().await;
}

#[tokio::test]
async fn a_subject_config_tightens_the_level_of_its_subject() {
    let stage = Stage::new("tightened").await;
    stage.apply(&stage.schema("orders", V1)).await;
    stage.until_schema_is("orders", "True", "InSync").await;

    stage.apply(&stage.config("orders", "FULL")).await;
    let config = stage.until_config_is("orders", "True", "InSync").await;
    assert_eq!(config.text("/status/compatibility/levelSource"), "Subject");
    assert_eq!(stage.registry.level(&stage.subject("orders")).await.as_deref(), Some("FULL"));

    // Passes BACKWARD, but under FULL the old reader has to read the new data too, and misses id.
    let without_id = r#"{"type": "record", "name": "Order", "fields": []}"#;
    stage.apply(&stage.schema("orders", without_id)).await;
    let orders = stage.until_schema_is("orders", "False", "Incompatible").await;
    assert_eq!(orders.text("/status/compatibility/level"), "FULL");
    assert_eq!(stage.registry.versions(&stage.subject("orders")).await, [1]);
    stage.end().await;
}

#[tokio::test]
async fn a_level_that_someone_else_changed_is_put_back() {
    let stage = Stage::new("level-put-back").await;
    stage.watch_for_drift().await;
    stage.apply(&stage.schema("orders", V1)).await;
    stage.apply(&stage.config("orders", "FULL")).await;
    stage.until_schema_is("orders", "True", "InSync").await;
    stage.until_config_is("orders", "True", "InSync").await;

    let subject = stage.subject("orders");
    stage.registry.set_level(&subject, "NONE").await;
    until("the level to be put back", PATIENCE, async || match stage.registry.level(&subject).await {
        Some(level) if level == "FULL" => Ok(()),
        other => Err(format!("it is {other:?}")),
    })
    .await;
    stage.until_event("SubjectConfig", "orders", "Normal LevelPutBack: ").await;
    stage.end().await;
}

#[tokio::test]
async fn a_breaking_change_in_one_commit_with_a_looser_level_never_looks_refused() {
    let stage = Stage::new("one-commit").await;
    stage.kubectl_apply(&[stage.schema("orders", V1), stage.config("orders", "FULL")]).await;
    stage.until_schema_is("orders", "True", "InSync").await;
    stage.until_config_is("orders", "True", "InSync").await;

    // kubectl applies in this order: the schema first.
    stage.kubectl_apply(&[stage.schema("orders", WITH_CURRENCY), stage.config("orders", "NONE")]).await;
    let orders = stage.until_schema_is("orders", "True", "InSync").await;
    assert_eq!((orders.latest(), orders.text("/status/compatibility/level")), (Some(2), "NONE"));
    let refused = |it: &Snapshot| it.is("Stalled") || it.reason() == "Incompatible";
    let flashed: Vec<_> = stage.record.history("Schema", "orders").into_iter().filter(|it| refused(it)).collect();
    assert!(flashed.is_empty(), "it was told as refused meanwhile: {}", flashed[0]);
    assert!(stage.events("Schema", "orders").await.iter().all(|it| it.starts_with("Normal ")));
    stage.end().await;
}

#[tokio::test]
async fn a_level_is_set_before_the_first_version() {
    let stage = Stage::new("level-first").await;
    stage.kubectl_apply(&[stage.schema("orders", V1), stage.config("orders", "FULL")]).await;
    stage.until_config_is("orders", "True", "InSync").await;
    let orders = stage.until_schema_is("orders", "True", "InSync").await;
    assert_eq!(orders.latest(), Some(1));
    stage.end().await;
}

#[tokio::test]
async fn comments_in_avro_are_taken_and_make_no_version() {
    let stage = Stage::new("comments").await;
    stage.apply(&stage.schema("orders", &format!("// one order\n{V1}"))).await;
    stage.until_schema_is("orders", "True", "InSync").await;

    stage.apply(&stage.schema("orders", &format!("/* an order */ {V1}"))).await;
    let orders =
        stage.until("Schema", "orders", "looked at again", PATIENCE, |it| it.is_observed() && it.is("Ready")).await;
    assert_eq!(orders.latest(), Some(1));
    assert_eq!(stage.registry.versions(&stage.subject("orders")).await, [1]);
    stage.end().await;
}

#[tokio::test]
async fn a_change_that_the_registry_does_not_store_is_advice_and_not_tried_again() {
    let stage = Stage::new("ignored").await;
    stage.watch_for_drift().await;
    stage.apply(&stage.schema("orders", V1)).await;
    stage.until_schema_is("orders", "True", "InSync").await;

    // This release takes a schema with another doc for the one that it has.
    let documented = V1.replace(r#""name": "Order""#, r#""name": "Order", "doc": "one order""#);
    stage.apply(&stage.schema("orders", &documented)).await;
    let orders = stage.until_schema_is("orders", "True", "InSync").await;
    assert_eq!(orders.text("/status/advice/0/code"), "RegistryIgnoredChange", "{orders}");
    let looked_at = stage.world.calls("ignored", "GET", "/subjects/{subject}/versions").await;
    until("two more drift checks", PATIENCE, async || {
        let looks = stage.world.calls("ignored", "GET", "/subjects/{subject}/versions").await - looked_at;
        if looks >= 2 { Ok(()) } else { Err(format!("{looks} looks")) }
    })
    .await;
    let registry = shared_registry().await.requests();
    let posted = registry.iter().filter(|it| it.is_write() && it.path.contains("/ignored.orders/")).count();
    assert!(posted <= 2, "posted {posted} times");
    assert_eq!(stage.registry.versions(&stage.subject("orders")).await, [1]);
    assert_eq!(
        stage.record.newest("Schema", "orders").map(|it| it.resource_version()),
        Some(orders.resource_version())
    );
    stage.end().await;
}

#[tokio::test]
async fn another_schema_type_is_refused_under_a_level() {
    let stage = Stage::new("type-change").await;
    stage.apply(&stage.schema("orders", V1)).await;
    stage.until_schema_is("orders", "True", "InSync").await;

    let spec = json!({"subject": stage.subject("orders"), "schemaType": "JSON", "schema": r#"{"type": "object"}"#});
    stage.apply(&stage.resource("Schema", "orders", spec)).await;
    let orders = stage.until_schema_is("orders", "False", "Incompatible").await;
    assert!(orders.message().contains("AVRO to JSON"), "{}", orders.message());
    assert_eq!(stage.registry.versions(&stage.subject("orders")).await, [1]);
    stage.end().await;
}

/// This release fails over any change of a JSON Schema of the draft 2020-12.
#[tokio::test]
async fn a_schema_that_the_registry_fails_over_is_tried_three_times_and_troubles_no_other() {
    let stage = Stage::new("fails-over").await;
    let schema = |property: &str| {
        let draft = r#""$schema": "https://json-schema.org/draft/2020-12/schema""#;
        let text = format!(r#"{{{draft}, "type": "object", "properties": {{"{property}": {{"type": "string"}}}}}}"#);
        let spec = json!({"subject": stage.subject("orders"), "schemaType": "JSON", "schema": text});
        stage.resource("Schema", "orders", spec)
    };
    stage.apply(&schema("id")).await;
    stage.until_schema_is("orders", "True", "InSync").await;
    stage.apply(&schema("number")).await;
    let stalled = |it: &Snapshot| it.reason() == "RegistryError" && it.is("Stalled");
    let orders = stage.until("Schema", "orders", "stalled", PATIENCE, stalled).await;
    assert!(orders.message().contains("registry default"), "{}", orders.message());
    let registry = shared_registry().await;
    let failures = || {
        let requests = registry.requests().into_iter().filter(|it| it.is_write() && it.status == 500);
        requests.filter(|it| it.path.contains("/fails-over.orders/")).count()
    };
    until("the access log to tell of all", PATIENCE, async || if failures() >= 3 { Ok(()) } else { Err(failures()) })
        .await;

    stage.apply(&stage.schema("bills", V1)).await;
    stage.until_schema_is("bills", "True", "InSync").await;
    assert!(stage.record.history("SchemaRegistry", "default").iter().all(|it| it.reason() != "RegistryUnavailable"));
    assert_eq!(failures(), 3, "tried again before anything changed");
    stage.end().await;
}
