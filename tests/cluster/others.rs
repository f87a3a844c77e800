//! Where others write to the same subject: someone else behind the operator's back, or a second resource.

use std::time::Duration;

use serde_json::json;

use super::orders::{V1, WITH_COUPON, WITH_CURRENCY_FIXED};
use super::snapshot::Snapshot;
use super::stage::Stage;
use super::world::{PATIENCE, shared_registry};
use crate::bed::until;

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

/// Two names of one registry that does not say which it is: each resource owns the level, as far as can be known.
#[tokio::test]
async fn a_level_that_is_changed_back_again_and_again_is_left_to_a_person() {
    let stage = Stage::new("level-fight").await;
    stage.watch_for_drift().await;
    stage.apply(&stage.schema("orders", V1)).await;
    stage.until_schema_is("orders", "True", "InSync").await;
    let by_another_name = stage.registry.url().replace("127.0.0.1", "localhost");
    let mut other = stage.registry_resource("other", &by_another_name);
    other["spec"]["driftCheckSeconds"] = json!(5);
    stage.apply(&other).await;
    stage.until_registry_is("other", "True", "Connected").await;

    stage.apply(&stage.config("orders", "FULL")).await;
    let spec = json!({"registryRef": {"name": "other"}, "subject": stage.subject("orders"), "compatibility": "NONE"});
    stage.apply(&stage.resource("SubjectConfig", "none", spec)).await;

    let limit = Duration::from_secs(120);
    let lost = |name: &str| stage.settled("SubjectConfig", name, |it| it.reason() == "NotHeld" && it.is("Stalled"));
    let either = || lost("orders").or_else(|full| lost("none").map_err(|none| format!("{full}\n{none}")));
    let loser = until("one of the two to give up", limit, async || either()).await;
    assert!(loser.message().contains("3 times within an hour"), "{loser}");
    stage.end().await;
}
