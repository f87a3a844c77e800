//! What the client makes of a registry that fails, lies or stays away.

use std::time::Duration;

use schema_registrar::api::{Level, Reason};
use schema_registrar::registry::{
    Cause, Client, Placement, Problem, Register, RegistryError, Route, SetLevel, Unknown,
};
use serde_json::json;

use crate::fake::{Answer, Fake, Fault, Flavour};
use crate::support::*;

const LATEST: &str = "GET /subjects/{}/versions/latest";
const REGISTER: &str = "POST /subjects/{}/versions";

fn host(fake: &Fake) -> String {
    fake.url().trim_start_matches("http://").to_owned()
}

fn no_answer(fake: &Fake, cause: Cause) -> RegistryError {
    RegistryError::OutcomeUnknown { host: host(fake), why: Unknown::NoAnswer(cause) }
}

#[tokio::test]
async fn nobody_listens() {
    let fake = Fake::start(Flavour::Confluent).await;
    let (client, orders) = (client(&fake), subject("orders"));
    fake.stop();
    let refused = RegistryError::Unreachable { host: host(&fake), cause: Cause::Refused };
    assert_eq!(client.latest(&orders).await, Err(refused.clone()));
    assert_eq!(client.ping().await, Err(refused.clone()));
    assert_eq!(client.probe().await, Err(refused.clone()));
    assert_eq!(refused.to_string(), format!("connection refused at {}", host(&fake)));
    // What was not sent was not done.
    assert_eq!(client.register(&orders, &avro(BARGE), Placement::Append).await, Err(refused.clone()));
    assert_eq!(client.set_level(&orders, Level::Full).await, Err(refused));
    fake.restart().await;
    assert_eq!(client.latest(&orders).await, Ok(None));
}

#[tokio::test]
async fn no_tls_where_tls_is_asked_for() {
    let fake = Fake::start(Flavour::Confluent).await;
    let url = fake.url().replace("http://", "https://");
    let client = Client::new(config(&url, TIMEOUT)).expect("a client");
    let error = client.latest(&subject("orders")).await.expect_err("no TLS there");
    assert_eq!(error, RegistryError::Unreachable { host: host(&fake), cause: Cause::Tls });
    assert!(!error.is_transient());
}

#[tokio::test]
async fn a_read_that_is_never_answered() {
    let fake = Fake::start(Flavour::Confluent).await;
    let client = hasty(&fake);
    fake.fail(LATEST, 1, Fault::NeverAnswer);
    let error = client.latest(&subject("orders")).await.expect_err("no answer");
    assert_eq!(error, RegistryError::Unreachable { host: host(&fake), cause: Cause::Timeout });
    assert_eq!(fake.count(LATEST), 1, "it has waited long enough");
    assert!(error.hits_breaker() && error.is_transient());
}

#[tokio::test]
async fn a_read_is_tried_again_where_that_may_help() {
    let faults = [
        Fault::Reset,
        Fault::Truncated,
        Fault::Reply(Answer::text(502, "text/html", "<html>bad gateway</html>")),
        Fault::Reply(Answer::empty(503)),
        Fault::Reply(Answer::empty(504)),
        Fault::Reply(Answer::empty(503).header("Retry-After", "0")),
    ];
    let fake = Fake::start(Flavour::Confluent).await;
    let (client, orders) = (client(&fake), subject("orders"));
    for fault in faults {
        fake.clear_log();
        fake.fail(LATEST, 2, fault.clone());
        assert_eq!(client.latest(&orders).await, Ok(None), "{fault:?}");
        assert_eq!(fake.count(LATEST), 3, "{fault:?}");
        fake.clear_log();
        fake.fail(LATEST, 3, fault.clone());
        let error = client.latest(&orders).await.expect_err("three failures");
        assert!(error.is_transient() && error.hits_breaker(), "{error}");
        assert_eq!(error.reason(), Reason::RegistryUnavailable);
        assert_eq!(fake.count(LATEST), 3, "{fault:?}");
    }
}

#[tokio::test]
async fn a_read_is_not_tried_again_where_that_cannot_help() {
    let fake = Fake::start(Flavour::Confluent).await;
    let (client, orders) = (client(&fake), subject("orders"));
    for status in [400, 401, 403, 405, 406, 409, 418, 422, 429, 500, 501] {
        fake.clear_log();
        fake.fail(LATEST, 1, Fault::Reply(refused(status, i64::from(status), "")));
        client.latest(&orders).await.expect_err("a failure");
        assert_eq!(fake.count(LATEST), 1, "{status}");
    }
}

/// The heart of "never write twice": each ending of a register, and whether it was done after all.
#[tokio::test]
async fn a_write_whose_outcome_is_not_known_says_so_and_is_sent_once() {
    let failed = |status, code| Unknown::Failed { status, code };
    let cases = [
        (Fault::NeverAnswer, Unknown::NoAnswer(Cause::Timeout), false),
        (Fault::DoneNeverAnswer, Unknown::NoAnswer(Cause::Timeout), true),
        (Fault::Reset, Unknown::NoAnswer(Cause::Reset), false),
        (Fault::DoneReset, Unknown::NoAnswer(Cause::Reset), true),
        (Fault::DoneReply(refused(500, 50001, "store")), failed(500, Some(50001)), true),
        (Fault::DoneReply(refused(500, 50002, "timeout")), failed(500, Some(50002)), true),
        (Fault::Reply(refused(500, 50002, "timeout")), failed(500, Some(50002)), false),
        (Fault::DoneReply(Answer::text(502, "text/html", "<html>")), failed(502, None), true),
        (Fault::DoneReply(Answer::empty(504)), failed(504, None), true),
        (Fault::DoneReply(Answer::text(503, "text/plain", "upstream reset")), failed(503, None), true),
        (Fault::Endless, Unknown::Unreadable, false),
        (Fault::DoneReply(Answer::empty(200)), Unknown::Unreadable, true),
        (Fault::DoneReply(Answer::text(200, "text/html", "<html>log in</html>")), Unknown::Unreadable, true),
        (Fault::DoneReply(Answer::ok(json!({"id": "x"}))), Unknown::Unreadable, true),
        (Fault::DoneReply(Answer::ok(json!([1]))), Unknown::Unreadable, true),
    ];
    for (fault, why, done) in cases {
        let fake = Fake::start(Flavour::Confluent).await;
        let (client, orders) = (hasty(&fake), subject("orders"));
        fake.fail(REGISTER, 1, fault.clone());
        let error = client.register(&orders, &avro(BARGE), Placement::Append).await.expect_err("not known");
        assert_eq!(error, RegistryError::OutcomeUnknown { host: host(&fake), why }, "{fault:?}");
        assert_eq!((error.reason(), error.is_transient()), (Reason::AwaitingReadback, true));
        assert_eq!(fake.count(REGISTER), 1, "{fault:?}");
        assert_eq!(client.latest(&orders).await.expect("an answer").is_some(), done, "{fault:?}");
    }
}

#[tokio::test]
async fn a_write_that_was_certainly_not_done_says_that() {
    let fake = Fake::start(Flavour::Confluent).await;
    let (client, orders) = (client(&fake), subject("orders"));
    let failing =
        |code: i64| RegistryError::Failing { host: host(&fake), status: 500, code: Some(code), message: "m".into() };
    let overloaded = |status, seconds: Option<u64>| {
        let retry_after = seconds.map(Duration::from_secs);
        RegistryError::Overloaded { host: host(&fake), status, retry_after }
    };
    let forbidden =
        |status, message: &str| RegistryError::Forbidden { host: host(&fake), status, message: message.into() };
    let conflict = RegistryError::Conflict { host: host(&fake), message: "limit exceeded".into() };
    let cases = [
        (refused(500, 50003, "m"), failing(50003)),
        (refused(500, 50004, "m"), failing(50004)),
        (refused(429, 42901, "").header("Retry-After", "1"), overloaded(429, Some(1))),
        (refused(503, 50301, "write collision"), overloaded(503, None)),
        (Answer::empty(503).header("Retry-After", "3"), overloaded(503, Some(3))),
        (Answer::empty(401), RegistryError::Unauthorized { host: host(&fake) }),
        (Answer::json(403, json!({"message": "Forbidden"})), forbidden(403, "")),
        // Karapace's way to say it to someone who may only read.
        (refused(404, 40401, "Subject 'orders' not found."), forbidden(404, "Subject 'orders' not found.")),
        (refused(409, 0, "limit exceeded"), conflict.clone()),
    ];
    for (answer, expected) in cases {
        fake.clear_log();
        fake.fail(REGISTER, 1, Fault::Reply(answer));
        assert_eq!(client.register(&orders, &avro(BARGE), Placement::Append).await, Err(expected));
        assert_eq!(fake.count(REGISTER), 1);
    }
}

#[tokio::test]
async fn the_outcome_of_a_level_may_be_unknown_too() {
    let fake = Fake::start(Flavour::Confluent).await;
    let (client, orders) = (hasty(&fake), subject("orders"));
    fake.fail("PUT /config/{}", 1, Fault::DoneReset);
    assert_eq!(client.set_level(&orders, Level::Full).await, Err(no_answer(&fake, Cause::Reset)));
    fake.fail("PUT /config/{}", 1, Fault::DoneReply(refused(500, 50001, "Failed to update compatibility level")));
    let error = client.set_level(&orders, Level::Full).await.expect_err("not known");
    assert!(matches!(error, RegistryError::OutcomeUnknown { .. }), "{error}");
    fake.fail("PUT /config/{}", 2, Fault::Reply(refused(409, 0, "rule already exists")));
    let error = client.set_level(&orders, Level::Full).await.expect_err("twice");
    assert!(matches!(error, RegistryError::Conflict { .. }), "{error}");
    assert_eq!(client.set_level(&orders, Level::Full).await, Ok(SetLevel::Stored));
}

#[tokio::test]
async fn answers_that_no_registry_gives() {
    let stored = |value| Answer::ok(value);
    let whole = json!({"subject": "orders", "version": 1, "id": 1, "schema": BARGE});
    let without = |key: &str| {
        let mut body = whole.clone();
        body.as_object_mut().expect("an object").remove(key);
        stored(body)
    };
    let with = |key: &str, value| {
        let mut body = whole.clone();
        body[key] = value;
        stored(body)
    };
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let cases = [
        ("a web page", Answer::text(200, "text/html", "<!DOCTYPE html><html>log in here</html>")),
        ("a web page for an error", Answer::text(404, "text/html", "<html>no such page</html>")),
        ("nothing", Answer::empty(200)),
        ("no content", Answer::empty(204)),
        ("text", Answer::text(200, "application/json", "ok")),
        ("half an object", Answer::text(200, "application/json", "{\"subject\":")),
        ("a list", stored(json!(["orders", 1, 1]))),
        ("null", stored(json!(null))),
        ("a deep list", Answer::text(200, "application/json", &deep)),
        ("deep where a text is due", Answer::text(200, "application/json", &format!("{{\"subject\":{deep}}}"))),
        ("no subject", without("subject")),
        ("no version", without("version")),
        ("no id", without("id")),
        ("no schema", without("schema")),
        ("a version that is none", with("version", json!(0))),
        ("a version beyond numbers", with("version", json!(1e300))),
        ("a format that is none", with("schemaType", json!("XML"))),
        ("not found, of nothing that we know", Answer::text(404, "application/json", "\"Not Found\"")),
        ("a teapot", refused(418, 418, "teapot")),
    ];
    let fake = Fake::start(Flavour::Confluent).await;
    let (client, orders) = (client(&fake), subject("orders"));
    for (what, answer) in cases {
        fake.fail(LATEST, 1, Fault::Reply(answer));
        let error = client.latest(&orders).await.expect_err(what);
        assert!(matches!(error, RegistryError::UnexpectedReply { .. }), "{what}: {error:?}");
        assert_eq!((error.reason(), error.hits_breaker()), (Reason::RegistryError, false), "{what}");
        let message = error.to_string();
        assert!(message.len() < 600 && !message.contains('\n') && !message.contains('<'), "{what}: {message}");
        assert!(!message.contains("log in here"), "{what}: {message}");
    }
}

#[tokio::test]
async fn extra_keys_and_odd_types_of_errors_do_no_harm() {
    let fake = Fake::start(Flavour::Confluent).await;
    let (client, orders) = (client(&fake), subject("orders"));
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let body = format!(
        r#"{{"subject":"orders","version":1,"id":1,"schema":"\"int\"","compatibility":"FULL","references":null,"deep":{deep}}}"#
    );
    fake.fail(LATEST, 1, Fault::Reply(Answer::text(200, "application/json", &body)));
    assert_eq!(client.latest(&orders).await.expect("an answer").expect("a version").version, version(1));
    let not_found = json!({"error_code": "40401", "message": ["a", {"msg": "b"}], "detail": {}});
    fake.fail(LATEST, 1, Fault::Reply(Answer::json(404, not_found)));
    assert_eq!(client.latest(&orders).await, Ok(None));
}

#[tokio::test]
async fn an_endless_answer_is_read_up_to_the_cap() {
    let fake = Fake::start(Flavour::Confluent).await;
    let mut config = config(&fake.url(), TIMEOUT);
    config.max_reply_bytes = 100_000;
    let client = Client::new(config).expect("a client");
    fake.fail(LATEST, 1, Fault::Endless);
    let error = client.latest(&subject("orders")).await.expect_err("endless");
    let (host, route) = (host(&fake), Route::Latest);
    assert_eq!(error, RegistryError::ReplyTooLarge { host, route, limit: 100_000 });
    assert_eq!(fake.count(LATEST), 1);
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let (fake, elsewhere) = (Fake::start(Flavour::Confluent).await, Fake::start(Flavour::Confluent).await);
    let (client, orders) = (client(&fake), subject("orders"));
    for status in [301, 302, 303, 307, 308] {
        let target = format!("{}/subjects/orders/versions/latest?token=s3cret", elsewhere.url());
        fake.fail("*", 1, Fault::Reply(Answer::empty(status).header("Location", &target)));
        let error = client.latest(&orders).await.expect_err("a redirect");
        let problem = Problem::Redirect(status, "127.0.0.1".to_owned());
        assert_eq!(error, RegistryError::UnexpectedReply { host: host(&fake), route: Route::Latest, problem });
        assert!(!error.to_string().contains("s3cret"));
        fake.fail("*", 1, Fault::Reply(Answer::empty(status).header("Location", &target)));
        client.register(&orders, &avro(BARGE), Placement::Append).await.expect_err("a redirect");
    }
    assert!(elsewhere.log().is_empty());
}

#[tokio::test]
async fn reads_that_lag_show_what_was() {
    let fake = Fake::start(Flavour::Confluent).await;
    let (client, orders) = (client(&fake), subject("orders"));
    let answer = client.register(&orders, &avro(BARGE), Placement::Append).await;
    assert!(matches!(answer, Ok(Register::Accepted { .. })));
    fake.lag(2);
    assert_eq!(client.latest(&orders).await, Ok(None));
    assert_eq!(client.versions(&orders).await, Ok(vec![]));
    assert!(client.latest(&orders).await.expect("an answer").is_some());
}

#[tokio::test]
async fn a_registry_that_is_slow_is_waited_for() {
    let fake = Fake::start(Flavour::Confluent).await;
    fake.fail(LATEST, 1, Fault::Delay(Duration::from_millis(300)));
    assert_eq!(client(&fake).latest(&subject("orders")).await, Ok(None));
}
