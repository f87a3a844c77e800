//! What a team writes is what the registry holds, or the resource says why not.

use std::time::Duration;

use serde_json::json;

use super::snapshot::Snapshot;
use super::stage::Stage;
use super::world::{PATIENCE, shared_registry};
use crate::bed::until;

const V1: &str = r#"{"type": "record", "name": "Order", "fields": [{"name": "id", "type": "string"}]}"#;

/// Compatible with V1 under every level.
const WITH_COUPON: &str = r#"{"type": "record", "name": "Order", "fields": [
    {"name": "id", "type": "string"}, {"name": "coupon", "type": ["null", "string"], "default": null}]}"#;

/// Breaks BACKWARD against V1: data of V1 has no currency.
const WITH_CURRENCY: &str = r#"{"type": "record", "name": "Order", "fields": [
    {"name": "id", "type": "string"}, {"name": "currency", "type": "string"}]}"#;

/// Passes BACKWARD against V1, and so does V1 against it.
const WITH_CURRENCY_FIXED: &str = r#"{"type": "record", "name": "Order", "fields": [
    {"name": "id", "type": "string"}, {"name": "currency", "type": "string", "default": "EUR"}]}"#;

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
async fn a_foreign_version_is_reported_and_accepted_on_request() {
    let stage = Stage::new("foreign").await;
    stage.watch_for_drift().await;
    stage.apply(&stage.schema("orders", V1)).await;
    stage.until_schema_is("orders", "True", "InSync").await;

    stage.registry.register(&stage.subject("orders"), "AVRO", WITH_COUPON).await.ok();
    let orders = stage.until_schema_is("orders", "False", "Drifted").await;
    assert!(orders.is("Drifted") && orders.is("Stalled"));
    assert!(orders.message().contains("version 2"), "{}", orders.message());
    assert_eq!((orders.latest(), orders.applied()), (Some(2), Some(1)));

    stage.patch("Schema", "orders", json!({"spec": {"driftPolicy": "Ignore"}})).await;
    let orders = stage.until_schema_is("orders", "True", "Superseded").await;
    assert_eq!((orders.latest(), orders.applied(), orders.is("Drifted")), (Some(2), Some(1), false));

    // Taken over by putting it into spec.
    stage.apply(&stage.schema("orders", WITH_COUPON)).await;
    let orders = stage.until_schema_is("orders", "True", "InSync").await;
    assert_eq!(orders.applied(), Some(2));
    assert_eq!(stage.registry.versions(&stage.subject("orders")).await, [1, 2]);
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
async fn a_registry_that_cannot_move_back_says_so_when_asked_to_revert() {
    let stage = Stage::new("revert").await;
    stage.watch_for_drift().await;
    stage.apply(&stage.schema("orders", V1)).await;
    stage.until_schema_is("orders", "True", "InSync").await;
    stage.patch("Schema", "orders", json!({"spec": {"driftPolicy": "Revert"}})).await;

    stage.registry.register(&stage.subject("orders"), "AVRO", WITH_COUPON).await.ok();
    let orders = stage.until_schema_is("orders", "False", "Drifted").await;
    let message = orders.message();
    assert!(message.contains("cannot make an older version the latest"), "{message}");
    assert_eq!(stage.registry.versions(&stage.subject("orders")).await, [1, 2]);
    stage.end().await;
}

#[tokio::test]
async fn a_change_over_a_foreign_version_is_not_written_until_it_is_asked_for() {
    let stage = Stage::new("overwrites").await;
    stage.watch_for_drift().await;
    stage.apply(&stage.schema("orders", V1)).await;
    stage.until_schema_is("orders", "True", "InSync").await;
    stage.registry.register(&stage.subject("orders"), "AVRO", WITH_COUPON).await.ok();

    stage.apply(&stage.schema("orders", WITH_CURRENCY_FIXED)).await;
    let orders = stage.until_schema_is("orders", "False", "OverwritesForeign").await;
    assert!(orders.is("Stalled") && orders.message().contains("version 2"), "{orders}");
    assert_eq!(stage.registry.versions(&stage.subject("orders")).await, [1, 2]);

    stage.patch("Schema", "orders", json!({"spec": {"adoption": "Update"}})).await;
    let orders = stage.until_schema_is("orders", "True", "InSync").await;
    assert_eq!(orders.latest(), Some(3));
    stage.end().await;
}

#[tokio::test]
async fn a_subject_with_another_schema_is_not_adopted_until_it_is_asked_for() {
    let stage = Stage::new("not-adopted").await;
    stage.registry.register(&stage.subject("orders"), "AVRO", V1).await.ok();

    stage.apply(&stage.schema("orders", WITH_COUPON)).await;
    let orders = stage.until_schema_is("orders", "False", "NotAdopted").await;
    assert!(orders.is("Stalled") && orders.message().contains("version 1"), "{orders}");
    assert_eq!(stage.registry.versions(&stage.subject("orders")).await, [1]);

    stage.patch("Schema", "orders", json!({"spec": {"adoption": "Update"}})).await;
    let orders = stage.until_schema_is("orders", "True", "InSync").await;
    assert_eq!(orders.latest(), Some(2));
    stage.end().await;
}

#[tokio::test]
async fn a_new_resource_with_an_old_version_moves_nothing_back() {
    let stage = Stage::new("not-latest").await;
    stage.registry.register(&stage.subject("orders"), "AVRO", V1).await.ok();
    stage.registry.register(&stage.subject("orders"), "AVRO", WITH_COUPON).await.ok();

    let stale = stage.schema("orders", V1);
    for adoption in ["IfLatest", "Update"] {
        stage.apply(&stale).await;
        stage.patch("Schema", "orders", json!({"spec": {"adoption": adoption}})).await;
        let orders = stage.until_schema_is("orders", "False", "NotLatest").await;
        assert!(orders.is("Stalled"), "{orders}");
        assert!(orders.message().contains("version 1") && orders.message().contains("version 2"), "{orders}");
    }
    assert_eq!(stage.registry.versions(&stage.subject("orders")).await, [1, 2]);
    stage.end().await;
}

#[tokio::test]
async fn a_rollback_that_the_registry_cannot_make_is_told() {
    let stage = Stage::new("rollback").await;
    for text in [V1, WITH_COUPON] {
        stage.apply(&stage.schema("orders", text)).await;
        stage.until_schema_is("orders", "True", "InSync").await;
    }

    stage.apply(&stage.schema("orders", V1)).await;
    let orders = stage.until_schema_is("orders", "False", "NotLatest").await;
    assert!(orders.is("Stalled"), "{orders}");
    assert!(orders.message().contains("cannot make an older version the latest"), "{}", orders.message());
    assert_eq!(stage.registry.versions(&stage.subject("orders")).await, [1, 2]);
    stage.end().await;
}

#[tokio::test]
async fn a_subject_that_is_deleted_behind_its_back_is_not_filled_again() {
    let stage = Stage::new("missing").await;
    stage.watch_for_drift().await;
    stage.apply(&stage.schema("orders", V1)).await;
    stage.until_schema_is("orders", "True", "InSync").await;
    stage.vet().await;

    stage.registry.delete(&stage.subject("orders")).await;
    let orders = stage.until_schema_is("orders", "False", "VersionMissing").await;
    assert!(orders.is("Stalled"), "{orders}");
    assert_eq!((orders.latest(), orders.applied()), (None, Some(1)));
    assert_eq!(stage.registry.versions(&stage.subject("orders")).await, Vec::<i64>::new());
    stage.end().await;
}

#[tokio::test]
async fn a_subject_whose_latest_version_is_the_spec_is_adopted_without_a_write() {
    let stage = Stage::new("adopted").await;
    stage.registry.register(&stage.subject("orders"), "AVRO", V1).await.ok();
    let registry = shared_registry().await;
    let writes = || {
        let written = registry.requests().into_iter().filter(|it| it.is_write() && it.path.contains("/adopted.orders"));
        written.count()
    };
    until("the access log to tell of it", PATIENCE, async || if writes() == 1 { Ok(()) } else { Err(writes()) }).await;

    stage.apply(&stage.schema("orders", V1)).await;
    let orders = stage.until_schema_is("orders", "True", "InSync").await;
    assert_eq!((orders.latest(), orders.applied()), (Some(1), Some(1)));
    assert_eq!(writes(), 1, "{:#?}", registry.requests());
    stage.end().await;
}

#[tokio::test]
async fn the_older_of_two_owns_the_subject_and_the_younger_takes_over() {
    let stage = Stage::new("conflict").await;
    let shared = stage.subject("orders");
    let claim = |name: &str, text: &str| stage.resource("Schema", name, json!({"subject": shared, "schema": text}));
    stage.apply(&claim("older", V1)).await;
    let older = stage.until_schema_is("older", "True", "InSync").await;
    a_second_after(&older).await;

    stage.apply(&claim("younger", WITH_COUPON)).await;
    let younger = stage.until_schema_is("younger", "False", "SubjectConflict").await;
    assert!(younger.is("Stalled") && younger.message().contains("older"), "{younger}");
    assert_eq!(stage.registry.versions(&shared).await, [1]);
    assert!(stage.record.newest("Schema", "older").unwrap().is("Ready"));

    stage.delete("Schema", "older").await;
    let younger = stage.until_schema_is("younger", "False", "NotAdopted").await;
    assert!(younger.message().contains("version 1"), "{younger}");
    stage.patch("Schema", "younger", json!({"spec": {"adoption": "Update"}})).await;
    stage.until_schema_is("younger", "True", "InSync").await;
    assert_eq!(stage.registry.versions(&shared).await, [1, 2]);
    stage.end().await;
}

#[tokio::test]
async fn the_owner_of_a_subject_in_another_namespace_is_not_named() {
    let (ours, theirs) = tokio::join!(Stage::new("conflict-ours"), Stage::new("conflict-theirs"));
    let spec = json!({"subject": "conflict-of-two-namespaces", "schema": V1});
    ours.apply(&ours.resource("Schema", "secret-name", spec.clone())).await;
    let owner = ours.until_schema_is("secret-name", "True", "InSync").await;
    a_second_after(&owner).await;

    theirs.apply(&theirs.resource("Schema", "orders", spec)).await;
    let loser = theirs.until_schema_is("orders", "False", "SubjectConflict").await;
    assert!(loser.message().contains("another namespace"), "{loser}");
    assert!(!loser.object["status"].to_string().contains("secret-name"), "{loser}");
    ours.end().await;
    theirs.end().await;
}

#[tokio::test]
async fn of_two_subject_configs_the_older_sets_the_level() {
    let stage = Stage::new("config-conflict").await;
    let subject = stage.subject("orders");
    let config = |name, level| {
        stage.resource("SubjectConfig", name, json!({"subject": stage.subject("orders"), "compatibility": level}))
    };
    stage.apply(&config("older", "FULL")).await;
    let older = stage.until_config_is("older", "True", "InSync").await;
    a_second_after(&older).await;
    stage.apply(&config("younger", "NONE")).await;
    let younger = stage.until_config_is("younger", "False", "SubjectConflict").await;
    assert!(younger.is("Stalled") && younger.message().contains("older"), "{younger}");
    assert_eq!(stage.registry.level(&subject).await.as_deref(), Some("FULL"));

    stage.delete("SubjectConfig", "older").await;
    stage.until_config_is("younger", "True", "InSync").await;
    assert_eq!(stage.registry.level(&subject).await.as_deref(), Some("NONE"));
    stage.end().await;
}

/// Ownership goes by creation in whole seconds, then by uid: without another second, the wrong one may be the older.
async fn a_second_after(it: &Snapshot) {
    let created = it.text("/metadata/creationTimestamp");
    until("the next second", Duration::from_secs(5), async || {
        let now = k8s_openapi::jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
        if now.as_str() > created { Ok(()) } else { Err(now) }
    })
    .await;
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
