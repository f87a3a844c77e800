//! What Confluent's registry can do and Apicurio cannot: rollback, revert, modes, unknown outcomes, reads behind writes.
//! Played by the fake registry, which answers as recordings of the real one do.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use super::fake::{Answer, Fake, Fault, Flavour};
use super::snapshot::Snapshot;
use super::stage::Stage;
use super::world::{PATIENCE, shared};
use crate::bed::until;

const A: &str = r#"{"type":"record","name":"Order","fields":[{"name":"id","type":"string"}]}"#;
/// Compatible with A both ways.
const B: &str = r#"{"type":"record","name":"Order","fields":[{"name":"id","type":"string"},{"name":"coupon","type":"string","default":""}]}"#;
/// Breaks BACKWARD against A: data of A has no currency.
const C: &str =
    r#"{"type":"record","name":"Order","fields":[{"name":"id","type":"string"},{"name":"currency","type":"string"}]}"#;

const REGISTER: &str = "POST /subjects/{}/versions";

/// A namespace with a fake registry of its own, which gives up on a request after two seconds.
async fn stage(namespace: &str, flavour: Flavour) -> (Stage<'static>, Fake) {
    let fake = Fake::start(flavour).await;
    let stage = Stage::bare(shared().await, &format!("confluent-{namespace}"), &fake.url()).await;
    let mut registry = stage.default_registry();
    registry["spec"]["limits"] = json!({"timeoutSeconds": 2, "requestsPerSecond": 1000});
    registry["spec"]["driftCheckSeconds"] = json!(5);
    stage.apply(&registry).await;
    stage.until_registry_is("default", "True", "Connected").await;
    (stage, fake)
}

/// The Schema orders with this text, once it is in sync.
async fn orders(stage: &Stage<'_>, text: &str) -> Arc<Snapshot> {
    stage.apply(&stage.schema("orders", text)).await;
    stage.until_schema_is("orders", "True", "InSync").await
}

fn with(mut schema: Value, field: &str, value: &str) -> Value {
    schema["spec"][field] = json!(value);
    schema
}

fn error(status: u16, code: i64) -> Answer {
    Answer::error(status, code, "told to fail")
}

#[tokio::test]
async fn an_older_version_of_ours_is_made_the_latest_again() {
    let (stage, fake) = stage("rollback", Flavour::Confluent).await;
    orders(&stage, A).await;
    orders(&stage, B).await;

    let back = orders(&stage, A).await;
    assert_eq!((back.latest(), back.applied()), (Some(3), Some(3)));
    assert_eq!(stage.registry.texts(&stage.subject("orders")).await.len(), 3, "nothing was taken away");
    stage.until_event("Schema", "orders", "Normal RolledBack: ").await;
    assert_eq!(fake.count(REGISTER), 3);
    stage.end().await;
}

#[tokio::test]
async fn a_foreign_version_is_put_aside_three_times_an_hour_and_then_told() {
    let (stage, fake) = stage("revert", Flavour::Confluent).await;
    let schema = with(stage.schema("orders", A), "driftPolicy", "Revert");
    stage.apply(&schema).await;
    stage.until_schema_is("orders", "True", "InSync").await;

    let versions_path = format!("/subjects/{}/versions", stage.subject("orders"));
    for (round, latest) in [3, 5, 7].into_iter().enumerate() {
        let foreign = B.replace("coupon", &format!("coupon{round}"));
        stage.vet().await;
        assert_eq!(fake.behind("POST", &versions_path, json!({"schema": foreign})).status, 200);
        let reverted = stage
            .until("Schema", "orders", &format!("put back as version {latest}"), PATIENCE, |orders| {
                orders.state("Ready") == "True" && orders.latest() == Some(latest)
            })
            .await;
        assert_eq!(reverted.object["status"]["reverts"].as_array().map(Vec::len), Some(round + 1), "{reverted}");
    }
    stage.until_event("Schema", "orders", "Normal Reverted: ").await;

    stage.vet().await;
    assert_eq!(fake.behind("POST", &versions_path, json!({"schema": B.replace("coupon", "last")})).status, 200);
    let given_up = stage.until_schema_is("orders", "False", "Drifted").await;
    assert!(given_up.is("Stalled") && given_up.is("Drifted"), "{given_up}");
    assert!(given_up.message().contains("3 times within an hour"), "{}", given_up.message());
    assert_eq!(given_up.latest(), Some(8));
    stage.end().await;
}

#[tokio::test]
async fn a_read_only_subject_matters_only_while_a_write_is_pending() {
    let (stage, fake) = stage("readonly", Flavour::Confluent).await;
    orders(&stage, A).await;
    for mode in ["READONLY", "READONLY_OVERRIDE"] {
        let path = format!("/mode/{}", stage.subject("orders"));
        assert_eq!(fake.behind("PUT", &path, json!({"mode": mode})).status, 200);
        // The same schema, written otherwise: there is nothing to write.
        orders(&stage, &A.replace(':', ": ")).await;

        stage.apply(&stage.schema("orders", B)).await;
        let blocked = stage.until_schema_is("orders", "False", "RegistryReadOnly").await;
        assert!(blocked.is("Stalled") && blocked.message().contains(mode), "{blocked}");
        assert_eq!(blocked.latest(), Some(1));
        orders(&stage, A).await;
    }
    let path = format!("/mode/{}", stage.subject("orders"));
    assert_eq!(fake.behind("PUT", &path, json!({"mode": "READWRITE"})).status, 200);
    assert_eq!(orders(&stage, B).await.latest(), Some(2));
    stage.end().await;
}

#[tokio::test]
async fn a_subject_that_only_a_web_page_is_answered_about_is_told_of_where_the_others_are_not() {
    let (stage, fake) = stage("page", Flavour::Confluent).await;
    orders(&stage, A).await;
    let page = Answer::text(200, "text/html", "<!DOCTYPE html><html><body>Please log in</body></html>");
    for answer in [page, Answer::empty(200)] {
        for route in ["GET /subjects/{}/versions", "GET /subjects/{}/versions/latest"] {
            fake.fail(route, usize::MAX, Fault::Reply(answer.clone()));
        }
        let told = stage.until_schema_is("orders", "False", "RegistryError").await;
        assert!(told.message().contains("GET /subjects/{subject}/versions/latest"), "{told}");
        let registry = stage.record.newest("SchemaRegistry", "default").expect("it is there");
        assert_eq!(registry.reason(), "Connected", "it answers: {registry}");
        fake.heal();
        stage.until_schema_is("orders", "True", "InSync").await;
    }
    assert_eq!(fake.count(REGISTER), 1);
    stage.end().await;
}

#[tokio::test]
async fn a_registry_in_import_mode_is_not_written_to_and_is_once_it_is_over() {
    let (stage, fake) = stage("import", Flavour::Confluent).await;
    assert_eq!(fake.behind("PUT", "/mode", json!({"mode": "IMPORT"})).status, 200);
    stage.apply(&stage.schema("orders", A)).await;
    let blocked = stage.until_schema_is("orders", "False", "RegistryReadOnly").await;
    assert!(blocked.is("Stalled") && blocked.message().contains("IMPORT"), "{blocked}");
    assert_eq!(fake.count(REGISTER), 0);

    assert_eq!(fake.behind("PUT", "/mode", json!({"mode": "READWRITE"})).status, 200);
    assert_eq!(stage.until_schema_is("orders", "True", "InSync").await.latest(), Some(1));
    stage.end().await;
}

#[tokio::test]
async fn a_write_that_was_done_without_an_answer_is_found_and_not_done_twice() {
    let (stage, fake) = stage("unknown-done", Flavour::Confluent).await;
    orders(&stage, A).await;
    let lost = [
        Fault::DoneNeverAnswer,
        Fault::DoneReset,
        Fault::DoneReply(error(500, 50001)),
        Fault::DoneReply(error(500, 50002)),
        Fault::DoneReply(error(504, 504)),
    ];
    for (round, fault) in lost.into_iter().enumerate() {
        let text = B.replace("coupon", &format!("coupon{round}"));
        fake.clear_log();
        fake.fail(REGISTER, 1, fault.clone());
        let found = orders(&stage, &text).await;
        assert_eq!(found.latest(), Some(round as i64 + 2), "{fault:?}");
        assert_eq!(fake.count(REGISTER), 1, "{fault:?}");
    }
    stage.end().await;
}

#[tokio::test]
async fn a_write_that_was_not_done_is_done_after_ten_seconds_in_which_it_could_have_shown() {
    let (stage, fake) = stage("unknown-lost", Flavour::Confluent).await;
    orders(&stage, A).await;
    fake.clear_log();
    fake.fail(REGISTER, 1, Fault::NeverAnswer);
    stage.apply(&stage.schema("orders", B)).await;
    assert_eq!(stage.until_schema_is("orders", "True", "InSync").await.latest(), Some(2));
    let history = stage.record.history("Schema", "orders");
    assert!(history.iter().any(|it| it.reason() == "AwaitingReadback" && it.is("Reconciling")), "{history:#?}");
    assert_eq!(fake.count(REGISTER), 2);
    stage.end().await;
}

#[tokio::test]
async fn a_registry_whose_reads_lag_behind_its_writes_is_waited_for() {
    let (stage, fake) = stage("lag", Flavour::Confluent).await;
    orders(&stage, A).await;
    fake.clear_log();
    // The register takes a second, in which the lag that begins with it is set.
    fake.fail(REGISTER, 1, Fault::Delay(Duration::from_secs(1)));
    stage.apply(&stage.schema("orders", B)).await;
    until("the change to be sent", PATIENCE, async || match fake.count(REGISTER) {
        0 => Err("it is not"),
        _ => Ok(()),
    })
    .await;
    fake.lag(4);
    assert_eq!(stage.until_schema_is("orders", "True", "InSync").await.latest(), Some(2));
    let history = stage.record.history("Schema", "orders");
    assert!(history.iter().any(|it| it.reason() == "AwaitingReadback" && it.is("Reconciling")), "{history:#?}");
    assert_eq!(fake.count(REGISTER), 1, "never written twice");
    stage.end().await;
}

#[tokio::test]
async fn a_refusal_tells_the_registrys_own_reasons() {
    let (stage, _fake) = stage("reasons", Flavour::Confluent).await;
    orders(&stage, A).await;
    stage.apply(&stage.schema("orders", C)).await;
    let refused = stage.until_schema_is("orders", "False", "Incompatible").await;
    let violation = &refused.object["status"]["compatibility"]["violations"][0];
    assert_eq!(violation["rule"], "READER_FIELD_MISSING_DEFAULT_VALUE", "{refused}");
    assert_eq!((&violation["path"], &violation["version"]), (&json!("/fields/1"), &json!(1)), "{violation}");
    assert!(
        refused.message().starts_with("refused: 1 violation of BACKWARD against version 1: "),
        "{}",
        refused.message()
    );
    stage.end().await;
}

#[tokio::test]
async fn a_registry_that_fails_over_one_schema_is_asked_three_times_and_serves_the_others() {
    let (stage, fake) = stage("fails-over-one", Flavour::Confluent).await;
    fake.fail(REGISTER, 3, Fault::Reply(error(500, 500)));
    stage.apply(&stage.schema("orders", A)).await;
    let failed = stage.until_schema_is("orders", "False", "RegistryError").await;
    assert!(failed.is("Reconciling") || failed.is("Stalled"), "{failed}");
    stage.apply(&stage.schema("parcels", &A.replace("Order", "Parcel"))).await;
    stage
        .until("Schema", "orders", "stalled or through", PATIENCE, |it| it.is("Stalled") || it.state("Ready") == "True")
        .await;
    stage.until_schema_is("parcels", "True", "InSync").await;
    // Looked at again with the next drift check, by when the registry is well.
    assert_eq!(stage.until_schema_is("orders", "True", "InSync").await.latest(), Some(1));
    stage.end().await;
}

#[tokio::test]
async fn a_level_under_read_only_is_told_and_set_once_it_is_over() {
    let (stage, fake) = stage("level-readonly", Flavour::Confluent).await;
    orders(&stage, A).await;
    let path = format!("/mode/{}", stage.subject("orders"));
    assert_eq!(fake.behind("PUT", &path, json!({"mode": "READONLY"})).status, 200);
    stage.apply(&stage.config("orders", "FULL")).await;
    assert!(stage.until_config_is("orders", "False", "RegistryReadOnly").await.is("Stalled"));

    assert_eq!(fake.behind("PUT", &path, json!({"mode": "READWRITE"})).status, 200);
    stage.until_config_is("orders", "True", "InSync").await;
    assert_eq!(stage.registry.level(&stage.subject("orders")).await.as_deref(), Some("FULL"));
    stage.end().await;
}

#[tokio::test]
async fn a_level_before_the_first_version_is_set_first_and_judges_it() {
    let (stage, fake) = stage("level-first", Flavour::Confluent).await;
    stage.kubectl_apply(&[stage.schema("orders", A), stage.config("orders", "FULL_TRANSITIVE")]).await;
    let first = stage.until_schema_is("orders", "True", "InSync").await;
    stage.until_config_is("orders", "True", "InSync").await;
    assert_eq!(first.latest(), Some(1));
    assert_eq!(fake.count(REGISTER), 1);
    stage.end().await;
}

#[tokio::test]
async fn a_level_that_could_not_be_put_back_is_tried_again_and_not_counted() {
    let (stage, fake) = stage("put-back", Flavour::Confluent).await;
    orders(&stage, A).await;
    stage.apply(&stage.config("orders", "FULL")).await;
    stage.until_config_is("orders", "True", "InSync").await;
    fake.fail("PUT /config/{}", 3, Fault::Reply(error(500, 50003)));
    let path = format!("/config/{}", stage.subject("orders"));
    assert_eq!(fake.behind("PUT", &path, json!({"compatibility": "NONE"})).status, 200);

    until("the level to be put back", PATIENCE, async || {
        let told = stage.events("SubjectConfig", "orders").await;
        if told.iter().any(|it| it.contains("LevelSet") || it.contains("LevelPutBack")) {
            Ok(())
        } else {
            Err(told.join("\n"))
        }
    })
    .await;
    let config = stage.until_config_is("orders", "True", "InSync").await;
    assert_eq!(config.text("/status/compatibility/level"), "FULL");
    assert!(stage.record.history("SubjectConfig", "orders").iter().all(|it| it.reason() != "NotHeld"));
    stage.end().await;
}

/// Both are woken at once; the level is to be set before it could be missed.
#[tokio::test]
async fn a_change_waits_for_its_level_when_a_registry_is_no_longer_only_observed() {
    let (stage, fake) = stage("no-longer-observed", Flavour::Confluent).await;
    assert_eq!(fake.behind("PUT", "/config", json!({"compatibility": "NONE"})).status, 200);
    orders(&stage, A).await;
    let management = |management: &str| json!({"spec": {"management": management}});
    stage.patch("SchemaRegistry", "default", management("Observe")).await;
    stage.until_registry_is("default", "True", "Connected").await;
    stage.apply(&stage.config("orders", "FULL")).await;
    stage.until_config_is("orders", "False", "Planned").await;
    stage.apply(&stage.schema("orders", C)).await;
    let predicted = stage.until_schema_is("orders", "False", "RefusedByEngine").await;
    assert!(predicted.message().contains("would set FULL first"), "{}", predicted.message());

    fake.fail("PUT /config/{}", 1, Fault::Delay(Duration::from_secs(1)));
    stage.patch("SchemaRegistry", "default", management("Full")).await;
    stage.until_config_is("orders", "True", "InSync").await;
    stage.until_schema_is("orders", "False", "Incompatible").await;
    assert_eq!(stage.registry.versions(&stage.subject("orders")).await, [1]);
    stage.end().await;
}

/// The next drift check is ten minutes away.
#[tokio::test]
async fn a_refusal_under_a_level_that_changed_for_all_names_that_level() {
    let fake = Fake::start(Flavour::Confluent).await;
    let stage = Stage::bare(shared().await, "confluent-global-level", &fake.url()).await;
    stage.apply(&stage.default_registry()).await;
    stage.until_registry_is("default", "True", "Connected").await;
    orders(&stage, C).await;
    assert_eq!(fake.behind("PUT", "/config", json!({"compatibility": "FORWARD"})).status, 200);

    // Passes BACKWARD: what was written with C has all that A reads.
    stage.apply(&stage.schema("orders", A)).await;
    let is_right = |it: &Snapshot| it.reason() == "Incompatible" && it.text("/status/compatibility/level") == "FORWARD";
    let refused = stage.until("Schema", "orders", "refused under FORWARD", PATIENCE, is_right).await;
    assert!(refused.message().contains("violation of FORWARD"), "{}", refused.message());
    stage.end().await;
}

/// They began to look before; nothing of them was sent.
#[tokio::test]
async fn who_waits_for_a_turn_is_not_written_once_the_registry_is_paused() {
    let (stage, fake) = stage("paused-queue", Flavour::Confluent).await;
    let mut registry = stage.default_registry();
    registry["spec"]["limits"] = json!({"maxInFlight": 1, "timeoutSeconds": 10, "requestsPerSecond": 1000});
    stage.apply(&registry).await;
    stage.until_registry_is("default", "True", "Connected").await;
    fake.fail(REGISTER, 1, Fault::Delay(Duration::from_secs(4)));
    let names = ["a", "b", "c", "d"];
    stage.kubectl_apply(&names.map(|name| stage.schema(name, A))).await;
    until("the first to be sent", PATIENCE, async || match fake.count(REGISTER) {
        0 => Err("nothing was sent".to_owned()),
        _ => Ok(()),
    })
    .await;
    let paused = |value: Value| json!({"metadata": {"annotations": {"schemaregistrar.dev/paused": value}}});
    stage.patch("SchemaRegistry", "default", paused(json!("true"))).await;
    // Of those that nobody looked at, the status speaks of no generation.
    until("all to be paused", PATIENCE, async || {
        let reasons = names.map(|name| stage.record.newest("Schema", name).map(|it| it.reason().to_owned()));
        if reasons.iter().flatten().filter(|it| *it == "Paused").count() == names.len() {
            Ok(())
        } else {
            Err(format!("{reasons:?}"))
        }
    })
    .await;
    assert_eq!(fake.count(REGISTER), 1);

    stage.patch("SchemaRegistry", "default", paused(Value::Null)).await;
    for name in names {
        stage.until_schema_is(name, "True", "InSync").await;
    }
    assert_eq!(fake.count(REGISTER), names.len());
    stage.end().await;
}

#[tokio::test]
async fn karapace_has_no_check_against_all_versions_and_is_asked_one_by_one() {
    let (stage, fake) = stage("karapace", Flavour::Karapace).await;
    let mut registry = stage.default_registry();
    orders(&stage, A).await;
    registry["spec"]["management"] = json!("Observe");
    stage.apply(&registry).await;
    stage.until_registry_is("default", "True", "Connected").await;

    stage.apply(&stage.schema("orders", B)).await;
    let planned = stage.until_schema_is("orders", "False", "Planned").await;
    assert_eq!(
        planned.text("/status/plan"),
        format!("would register the version after 1 of subject {}", stage.subject("orders"))
    );
    stage.apply(&stage.schema("orders", C)).await;
    let refused = stage.until_schema_is("orders", "False", "Incompatible").await;
    assert!(refused.message().contains("currency"), "{}", refused.message());
    assert_eq!(fake.count(REGISTER), 1, "management is Observe");
    stage.end().await;
}

#[tokio::test]
async fn a_registry_that_stops_between_two_changes_is_waited_for() {
    let (stage, fake) = stage("stops", Flavour::Confluent).await;
    orders(&stage, A).await;
    fake.stop();
    stage.until_registry_is("default", "False", "RegistryUnavailable").await;
    stage.apply(&stage.schema("orders", B)).await;
    let waiting = stage.until_schema_is("orders", "False", "RegistryUnavailable").await;
    assert!(waiting.is("Reconciling") && !waiting.is("Stalled"), "{waiting}");
    assert_eq!(waiting.latest(), Some(1), "what was last read stays told");

    fake.restart().await;
    let back = until("orders to be in sync within 30 s", Duration::from_secs(30), async || {
        stage.settled("Schema", "orders", |it| it.state("Ready") == "True")
    });
    assert_eq!(back.await.latest(), Some(2));
    stage.until_registry_is("default", "True", "Connected").await;
    stage.end().await;
}
