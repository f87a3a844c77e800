//! What each call asks and what it makes of the usual answers of Confluent.

use std::sync::Arc;

use schema_registrar::api::{Level, Mode, SchemaType};
use schema_registrar::registry::{
    Check, GlobalSettings, LevelInForce, LevelSource, Lookup, Outcome, Placement, Refusal, Register, RegistryError,
    Route, SetLevel, StoredReference,
};
use schema_registrar::schema::SchemaId;
use serde_json::{Value, json};

use crate::fake::{Fake, Fault, Flavour};
use crate::support::*;

const GLOBAL: GlobalSettings = GlobalSettings { level: Some(Level::Backward), mode: Mode::Readwrite };

#[tokio::test]
async fn a_new_subject_is_registered_looked_up_and_read() {
    let fake = Fake::start(Flavour::Confluent).await;
    let (client, orders) = (client(&fake), subject("orders-value"));
    assert_eq!(client.latest(&orders).await, Ok(None));
    assert_eq!(client.versions(&orders).await, Ok(vec![]));
    assert_eq!(client.lookup(&orders, &avro(BARGE), false).await, Ok(Lookup::Absent));

    let registered = client.register(&orders, &avro(BARGE), Placement::Append).await;
    assert_eq!(registered, Ok(Register::Accepted { id: SchemaId(1) }));
    client.register(&orders, &avro(BARGE_TONS), Placement::Append).await.expect("a second version");

    assert_eq!(client.versions(&orders).await, Ok(vec![version(1), version(2)]));
    assert_eq!(client.lookup(&orders, &avro(BARGE), false).await, Ok(Lookup::Found(version(1))));
    assert_eq!(client.lookup(&orders, &avro(BARGE_STRICT), true).await, Ok(Lookup::Absent));
    let latest = client.latest(&orders).await.expect("an answer").expect("a version");
    assert_eq!((latest.subject.as_str(), latest.version, latest.id), ("orders-value", version(2), SchemaId(2)));
    assert_eq!(
        (latest.schema_type, latest.text, latest.references),
        (SchemaType::Avro, Arc::from(BARGE_TONS), Vec::new())
    );
    assert_eq!(
        client.version(&orders, version(1)).await.expect("an answer").expect("a version").text,
        Arc::from(BARGE)
    );
    assert_eq!(client.version(&orders, version(3)).await, Ok(None));
}

#[tokio::test]
async fn requests_hold_only_what_is_needed() {
    let fake = Fake::start(Flavour::Confluent).await;
    let (client, orders) = (client(&fake), subject("orders-value"));
    client.register(&orders, &avro(BARGE), Placement::Append).await.expect("an answer");
    let normalized = schema_registrar::registry::Candidate { normalize: Some(true), ..json_schema("{}") };
    client.register(&subject("j"), &normalized, Placement::MakeLatest).await.expect("an answer");
    client.latest(&orders).await.expect("an answer");

    let log = fake.log();
    let bodies: Vec<Option<Value>> = log.iter().map(|logged| logged.request.json()).collect();
    let normalized = json!({"schema": "{}", "schemaType": "JSON", "version": -1});
    assert_eq!(bodies, [Some(json!({"schema": BARGE})), Some(normalized), None]);
    assert_eq!(log[0].request.query, []);
    assert_eq!(log[1].request.query, [("normalize".to_owned(), "true".to_owned())]);

    let header = |at: usize, name: &str| {
        log[at].headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    };
    let json = "application/vnd.schemaregistry.v1+json";
    let accepted = format!("{json}, application/vnd.schemaregistry+json, application/json");
    assert_eq!((header(0, "content-type"), header(2, "content-type")), (Some(json), None));
    assert_eq!((header(0, "accept"), header(2, "accept")), (Some(accepted.as_str()), Some(accepted.as_str())));
    assert_eq!(header(0, "user-agent"), Some(concat!("schema-registrar/", env!("CARGO_PKG_VERSION"))));
    assert_eq!(header(0, "referer"), None);
}

#[tokio::test]
async fn an_old_version_becomes_the_latest_again() {
    let fake = Fake::start(Flavour::Confluent).await;
    let (client, orders) = (client(&fake), subject("orders-value"));
    history(&fake, "orders-value", &[BARGE, BARGE_TONS]);
    client.register(&orders, &avro(BARGE), Placement::Append).await.expect("an answer");
    assert_eq!(numbers(&fake, "orders-value"), json!([1, 2]), "a plain register changes nothing");
    for _ in 0..2 {
        let answer = client.register(&orders, &avro(BARGE), Placement::MakeLatest).await;
        assert_eq!(answer, Ok(Register::Accepted { id: SchemaId(3) }));
        assert_eq!(numbers(&fake, "orders-value"), json!([1, 2, 3]));
    }
    assert_eq!(client.latest(&orders).await.expect("an answer").expect("a version").text, Arc::from(BARGE));
}

#[tokio::test]
async fn what_a_register_refuses() {
    let fake = Fake::start(Flavour::Confluent).await;
    let (client, orders) = (client(&fake), subject("orders-value"));
    history(&fake, "orders-value", &[BARGE]);
    let register =
        async |text: &str| client.register(&orders, &avro(text), Placement::Append).await.expect("an answer");

    let Register::Incompatible(refusal) = register(BARGE_STRICT).await else { panic!("not refused") };
    let violation = &refusal.violations[0];
    assert_eq!(violation.rule.as_deref(), Some("READER_FIELD_MISSING_DEFAULT_VALUE"));
    assert_eq!((violation.path.as_deref(), violation.version), (Some("/fields/1"), Some(version(1))));
    assert!(refusal.message.contains("orders-value") && !refusal.message.contains("Barge"), "{}", refusal.message);

    let Register::Invalid { message } =
        register(r#"{"type":"record","name":"A","fields":[{"name":"x","type":"Zed"}]}"#).await
    else {
        panic!("not refused")
    };
    assert_eq!(message, "Undefined schema: Zed");

    let large = format!(r#"{{"type":"record","name":"Barge","doc":"{}","fields":[]}}"#, "x".repeat(1_100_000));
    let too_large = "Register operation failed because schema is too large".to_owned();
    assert_eq!(register(&large).await, Register::Refused { message: too_large });

    fake.behind("PUT", "/mode/orders-value", json!({"mode": "READONLY"}));
    let read_only = Register::ReadOnly { message: "Subject orders-value in context is in read-only mode".to_owned() };
    assert_eq!(register(BARGE_TONS).await, read_only);
    assert_eq!(register(BARGE).await, Register::Accepted { id: SchemaId(1) }, "known content needs no write");

    let answer = fake.behind("PUT", "/mode/orders-value?force=true", json!({"mode": "IMPORT"}));
    assert_eq!(answer.status, 200);
    let import = Register::ReadOnly { message: "Subject orders-value in context is not in read-write mode".to_owned() };
    assert_eq!(register(BARGE_TONS).await, import);
    assert_eq!(numbers(&fake, "orders-value"), json!([1]));
}

#[tokio::test]
async fn other_answers_to_a_register() {
    let cases = [
        (409, 409, "old code", Register::Incompatible(Refusal { message: "old code".to_owned(), violations: vec![] })),
        (422, 422, "no", Register::Invalid { message: "no".to_owned() }),
        (422, 44302, "references", Register::Refused { message: "references".to_owned() }),
        (413, 413, "", Register::Refused { message: "status 413 without a word".to_owned() }),
        (400, 0, "too long", Register::Refused { message: "too long".to_owned() }),
        (
            409,
            0,
            "storage is in read-only mode",
            Register::ReadOnly { message: "storage is in read-only mode".to_owned() },
        ),
        (500, 0, "version?", Register::CandidateFailed { message: "version?".to_owned() }),
        (500, 500, "bug", Register::CandidateFailed { message: "bug".to_owned() }),
    ];
    let fake = Fake::start(Flavour::Confluent).await;
    let (client, orders) = (client(&fake), subject("orders-value"));
    for (status, code, message, expected) in cases {
        fake.fail("POST /subjects/{}/versions", 1, Fault::Reply(refused(status, code, message)));
        let answer = client.register(&orders, &avro(BARGE), Placement::Append).await;
        assert_eq!(answer, Ok(expected), "{status}/{code}");
    }
    fake.fail("POST /subjects/{}/versions", 1, Fault::Reply(refused(422, 42208, "Invalid subject")));
    let error = client.register(&orders, &avro(BARGE), Placement::Append).await.expect_err("refused");
    assert!(matches!(error, RegistryError::SubjectRefused { .. }), "{error:?}");
    assert_eq!(fake.routes().len(), 9, "none is asked twice");
}

#[tokio::test]
async fn a_check_asks_about_all_versions_at_once() {
    let fake = Fake::start(Flavour::Confluent).await;
    let (client, orders) = (client(&fake), subject("orders-value"));
    let check = async |text: &str| client.check(&orders, &avro(text), Level::Backward).await.expect("an answer");
    assert_eq!(check(BARGE).await, Check::Compatible, "a subject that is not there");
    history(&fake, "orders-value", &[BARGE]);
    assert_eq!(check(BARGE_TONS).await, Check::Compatible);
    let Check::Incompatible(refusal) = check(BARGE_STRICT).await else { panic!("compatible") };
    assert_eq!(refusal.violations.len(), 1);
    assert_eq!(refusal.violations[0].version, Some(version(1)));
    let Check::Invalid { message } = check(BROKEN).await else { panic!("not invalid") };
    assert_eq!(message, "it is not JSON");
    assert_eq!(fake.count("POST /compatibility/subjects/{}/versions"), 4);
    assert_eq!(fake.routes().len(), 4, "{:?}", fake.routes());
    assert_eq!(fake.log()[0].request.query, [("verbose".to_owned(), "true".to_owned())]);

    fake.fail("*", 1, Fault::Reply(refused(500, 500, "")));
    assert_eq!(check(BARGE).await, Check::CandidateFailed { message: "status 500 without a word".to_owned() });
    fake.fail("*", 1, Fault::Reply(refused(422, 42201, "Empty schema")));
    assert_eq!(check(BARGE).await, Check::Invalid { message: "Empty schema".to_owned() });
}

#[tokio::test]
async fn levels_come_from_the_subject_or_from_the_registry() {
    let fake = Fake::start(Flavour::Confluent).await;
    let (client, orders) = (learned(&fake).await, subject("orders-value"));
    let inherited = LevelInForce { level: Level::Backward, source: LevelSource::Global, own: None };
    assert_eq!(client.level(&orders, &GLOBAL).await, Ok(inherited));
    assert_eq!(fake.routes(), ["GET /config/{}"], "one call is enough");

    assert_eq!(client.set_level(&orders, Level::FullTransitive).await, Ok(SetLevel::Stored));
    assert_eq!(fake.log()[1].request.json(), Some(json!({"compatibility": "FULL_TRANSITIVE"})));
    let own =
        LevelInForce { level: Level::FullTransitive, source: LevelSource::Subject, own: Some(Level::FullTransitive) };
    assert_eq!(client.level(&orders, &GLOBAL).await, Ok(own));

    // Known to be Confluent: NONE is NONE, and not asked about again.
    client.set_level(&orders, Level::None).await.expect("an answer");
    fake.clear_log();
    let none = LevelInForce { level: Level::None, source: LevelSource::Subject, own: Some(Level::None) };
    assert_eq!(client.level(&orders, &GLOBAL).await, Ok(none));
    assert_eq!(fake.routes(), ["GET /config/{}"]);

    fake.behind("PUT", "/config", json!({"compatibility": "FORWARD"}));
    assert_eq!(client.global().await, Ok(GlobalSettings { level: Some(Level::Forward), mode: Mode::Readwrite }));
}

#[tokio::test]
async fn a_subject_in_a_context_has_the_level_that_the_registry_says() {
    let fake = Fake::start(Flavour::Confluent).await;
    fake.behind("PUT", "/config", json!({"compatibility": "FORWARD"}));
    let level = client(&fake).level(&subject(":.ctx:orders"), &GLOBAL).await;
    assert_eq!(level, Ok(LevelInForce { level: Level::Forward, source: LevelSource::Global, own: None }));
}

#[tokio::test]
async fn a_level_that_nobody_tells_is_the_default_of_registries() {
    let fake = Fake::start(Flavour::Karapace).await;
    let hidden = GlobalSettings { level: None, ..GLOBAL };
    let level = client(&fake).level(&subject("orders-value"), &hidden).await;
    assert_eq!(level, Ok(LevelInForce { level: Level::Backward, source: LevelSource::RegistryDefault, own: None }));
}

#[tokio::test]
async fn answers_to_a_level() {
    let fake = Fake::start(Flavour::Confluent).await;
    let (client, orders) = (client(&fake), subject("orders-value"));
    let set = async || client.set_level(&orders, Level::Full).await.expect("an answer");
    for (status, code, message, expected) in [
        (404, 40401, "", SetLevel::SubjectMissing),
        (422, 42205, "READONLY", SetLevel::ReadOnly { message: "READONLY".to_owned() }),
        (422, 42203, "bad", SetLevel::Refused { message: "bad".to_owned() }),
    ] {
        fake.fail("PUT /config/{}", 1, Fault::Reply(refused(status, code, message)));
        assert_eq!(set().await, expected, "{status}/{code}");
    }
    fake.fail("PUT /config/{}", 1, Fault::Reply(refused(500, 0, "bad")));
    let failed = client.set_level(&orders, Level::Full).await;
    assert!(matches!(failed, Err(RegistryError::Failing { .. })), "it may pass: {failed:?}");
    fake.clear_log();
    fake.fail("PUT /config/{}", 1, Fault::Reply(refused(409, 0, "rule already exists")));
    assert_eq!(set().await, SetLevel::Stored);
    assert_eq!(fake.routes().len(), 2, "once more, since two of us met");
}

#[tokio::test]
async fn modes_come_from_the_subject_or_from_the_registry() {
    let fake = Fake::start(Flavour::Confluent).await;
    let (client, orders) = (client(&fake), subject("orders-value"));
    let mode = async || client.mode(&orders).await.expect("an answer");
    assert_eq!(mode().await, Mode::Readwrite);
    assert_eq!(fake.routes(), ["GET /mode/{}"]);
    fake.behind("PUT", "/mode", json!({"mode": "READONLY"}));
    assert_eq!(mode().await, Mode::Readonly);
    assert_eq!(client.global().await.expect("an answer").mode, Mode::Readonly);
    fake.behind("PUT", "/mode/orders-value", json!({"mode": "IMPORT"}));
    assert_eq!(mode().await, Mode::Import);
    fake.behind("PUT", "/mode/orders-value", json!({"mode": "READWRITE"}));
    assert_eq!(mode().await, Mode::Readwrite);
}

#[tokio::test]
async fn another_subject_of_the_same_name_is_not_ours() {
    let fake = Fake::start(Flavour::Confluent).await;
    let (client, orders) = (client(&fake), subject("orders"));
    let leak = json!({"subject": ":.other:orders", "version": 4, "id": 7, "schemaType": "AVRO", "schema": BARGE});
    fake.fail("*", 3, Fault::Reply(crate::fake::Answer::ok(leak)));
    assert_eq!(client.latest(&orders).await, Ok(None));
    assert_eq!(client.version(&orders, version(4)).await, Ok(None));
    assert_eq!(client.lookup(&orders, &avro(BARGE), false).await, Ok(Lookup::Absent));

    // The default context may be spelled out, by us or by the registry.
    let spelled = json!({"subject": ":.:orders", "version": 4, "id": 7, "schema": BARGE, "references": []});
    fake.fail("*", 1, Fault::Reply(crate::fake::Answer::ok(spelled)));
    assert_eq!(client.latest(&orders).await.expect("an answer").expect("ours").version, version(4));
    let plain = json!({"subject": "orders", "version": 4, "id": 7, "schema": BARGE, "references": [{"name": "x"}], "metadata": {"properties": {"major": "2", "odd": 7}}});
    fake.fail("*", 1, Fault::Reply(crate::fake::Answer::ok(plain)));
    let read = client.latest(&subject(":.:orders")).await.expect("an answer").expect("ours");
    assert_eq!(read.references, [StoredReference { name: "x".into(), subject: "".into(), version: None }]);
    assert_eq!(read.properties, [("major".to_owned(), "2".to_owned())].into(), "what is no text is passed over");
}

#[tokio::test]
async fn calls_are_counted_without_names() {
    let fake = Fake::start(Flavour::Confluent).await;
    let (client, orders) = (hasty(&fake), subject("orders-value"));
    client.latest(&orders).await.expect("an answer");
    client.register(&orders, &avro(BARGE), Placement::Append).await.expect("an answer");
    fake.fail("GET /subjects/{}/versions/latest", 3, Fault::Reset);
    client.latest(&orders).await.expect_err("a reset");
    let lines: Vec<_> = client.counts().snapshot().iter().map(|line| (line.route, line.outcome, line.count)).collect();
    assert_eq!(
        lines,
        [
            (Route::Latest, Outcome::Refused, 1),
            (Route::Latest, Outcome::NoAnswer, 3),
            (Route::Register, Outcome::Success, 1)
        ]
    );
}
