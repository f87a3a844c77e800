//! Both releases of the registry work, and keep what they hold.

use std::time::Duration;

use serde_json::{Value, json};

use crate::bed::{self, BlackHole, Registry, Release, Request, Storage, until};

/// How long the access log may be behind.
const PATIENCE: Duration = Duration::from_secs(30);

const SCHEMA: &str = r#"{"type": "record", "name": "Bed", "fields": [{"name": "legs", "type": "int"}]}"#;

async fn register(registry: &Registry, subject: &str) {
    let url = format!("{}/subjects/{subject}/versions", registry.url());
    let request =
        bed::http().post(url).header("content-type", "application/json").body(json!({"schema": SCHEMA}).to_string());
    let answer = request.send().await.expect("the registry answers");
    answer.error_for_status().expect("a valid schema is registered");
}

async fn get(registry: &Registry, path: &str) -> Value {
    let answer = bed::http().get(format!("{}{path}", registry.url())).send().await.expect("the registry answers");
    serde_json::from_str(&answer.text().await.expect("the answer is text")).expect("the registry answers in JSON")
}

#[tokio::test]
async fn release_3_3_3_survives_being_killed() {
    survives_being_killed(Release::V3_3_3).await;
}

#[tokio::test]
async fn release_3_0_9_survives_being_killed() {
    survives_being_killed(Release::V3_0_9).await;
}

async fn survives_being_killed(release: Release) {
    let registry = Registry::start("bed-registry", release, Storage::File).await;
    registry.set_global_level("FULL").await;
    register(&registry, "beds%2Fone").await;
    // The log is a moment behind the answers, and what was not written yet dies with the server.
    until("the access log to tell of both writes", PATIENCE, async || {
        let told = registry.requests().iter().filter(|request| request.is_write()).count();
        if told == 2 { Ok(()) } else { Err(told) }
    })
    .await;

    registry.kill();
    bed::http().get(registry.url()).send().await.expect_err("nobody answers");
    registry.restart().await;

    assert_eq!(get(&registry, "/subjects").await, json!(["beds/one"]));
    let level = get(&registry, "/config").await;
    assert!(level.to_string().contains("FULL"), "{level}");
    registry.stop().await;

    let request = |method: &str, path: &str| Request {
        method: method.into(),
        path: format!("/apis/ccompat/v7{path}"),
        status: 200,
    };
    let expected = [
        request("PUT", "/config"),
        request("POST", "/subjects/beds%2Fone/versions"),
        request("GET", "/subjects"),
        request("GET", "/config"),
    ];
    let asked: Vec<Request> =
        registry.requests().into_iter().filter(|request| request.path.starts_with("/apis/")).collect();
    assert_eq!(asked, expected);
    assert_eq!(asked.iter().map(Request::is_write).collect::<Vec<_>>(), [true, true, false, false]);
}

#[tokio::test]
async fn a_registry_in_memory_forgets_and_can_be_paused() {
    let registry = Registry::start("bed-registry", Release::V3_3_3, Storage::Memory).await;
    register(&registry, "beds").await;

    registry.pause();
    let answer =
        bed::http().get(format!("{}/subjects", registry.url())).timeout(Duration::from_millis(500)).send().await;
    assert!(answer.expect_err("a paused registry answers nothing").is_timeout());
    registry.resume();
    assert_eq!(get(&registry, "/subjects").await, json!(["beds"]));

    registry.restart().await;
    assert_eq!(get(&registry, "/subjects").await, json!([]));
}

#[tokio::test]
async fn a_black_hole_connects_and_never_answers() {
    let hole = BlackHole::open().await;
    let answer =
        bed::http().get(hole.url()).timeout(Duration::from_millis(500)).send().await.expect_err("it never answers");
    assert!(answer.is_timeout() && !answer.is_connect(), "{answer:?}");
}
