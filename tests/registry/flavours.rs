//! How the client gets on with registries other than Confluent's, and how it finds out which it has.

use schema_registrar::api::{Level, Mode};
use schema_registrar::registry::{
    Capabilities, Check, Client, GlobalSettings, Implementation, LevelInForce, LevelSource, Lookup, Placement,
    Register, RegistryError, SetLevel,
};
use schema_registrar::schema::SchemaId;
use serde_json::{Value, json};

use crate::fake::{Answer, Fake, Fault, Flavour};
use crate::support::*;

const NONE: GlobalSettings = GlobalSettings { level: Some(Level::None), mode: Mode::Readwrite };
const CHECK_ALL: &str = "POST /compatibility/subjects/{}/versions";
const CHECK_ONE: &str = "POST /compatibility/subjects/{}/versions/{}";
const CHECK_LATEST: &str = "POST /compatibility/subjects/{}/versions/latest";

#[tokio::test]
async fn each_implementation_is_recognised() {
    let probe = async |fake: &Fake| client(fake).probe().await.expect("facts");

    let facts = probe(&Fake::start(Flavour::Confluent).await).await;
    assert_eq!((facts.implementation, facts.version.as_deref()), (Implementation::Confluent, Some("8.3.1")));
    assert_eq!(facts.cluster_id.as_deref(), Some("fake-kafka/schema-registry"));
    assert!(facts.capabilities.make_latest && facts.capabilities.enforces_mode);
    assert_eq!(facts.global, GlobalSettings { level: Some(Level::Backward), mode: Mode::Readwrite });

    let facts = probe(&Fake::start(Flavour::Karapace).await).await;
    assert_eq!((facts.implementation, facts.version.as_deref()), (Implementation::Karapace, Some("6.2.0")));
    assert!(!facts.capabilities.check_all_versions && !facts.capabilities.make_latest);
    assert_eq!(facts.cluster_id, None);

    let facts = probe(&Fake::start(Flavour::Apicurio).await).await;
    assert_eq!((facts.implementation, facts.version.as_deref()), (Implementation::Apicurio, Some("3.3.3")));
    assert_eq!(facts.global.level, Some(Level::None));
}

#[tokio::test]
async fn redpanda_is_recognised_by_its_server() {
    let fake = Fake::start(Flavour::Karapace).await;
    fake.fail("GET /_health", 1, Fault::Reply(Answer::empty(404)));
    fake.fail("GET /status/ready", 1, Fault::Reply(Answer::ok(json!({})).header("Server", "Seastar httpd")));
    let facts = client(&fake).probe().await.expect("facts");
    assert_eq!((facts.implementation, facts.version), (Implementation::Redpanda, None));
    assert!(!facts.capabilities.make_latest && facts.capabilities.enforces_mode);
}

#[tokio::test]
async fn a_registry_behind_a_gateway_that_hides_it_is_unknown_and_works() {
    let fake = Fake::start(Flavour::Confluent).await;
    for route in ["GET /v1/metadata/version", "GET /v1/metadata/id", "GET /_health", "GET /status/ready"] {
        fake.fail(route, 1, Fault::Reply(Answer::empty(403)));
    }
    let facts = client(&fake).probe().await.expect("facts");
    assert_eq!(facts.implementation, Implementation::Unknown);
    assert_eq!((facts.version.clone(), facts.cluster_id.clone()), (None, None));
    assert_eq!(facts.global.level, Some(Level::Backward));
    // What a person says wins.
    let told = facts.overridden(Implementation::Confluent, Some("7.6.4".to_owned()));
    assert!(told.capabilities.make_latest);
}

#[tokio::test]
async fn odd_answers_to_the_probe_decide_nothing() {
    let fake = Fake::start(Flavour::Confluent).await;
    fake.fail("GET /v1/metadata/version", 1, Fault::Reply(Answer::text(200, "text/html", "<html>")));
    fake.fail("GET /v1/metadata/id", 1, Fault::Endless);
    fake.fail("GET /_health", 1, Fault::Reply(Answer::ok(json!({"karapace_version": 6}))));
    fake.fail("GET /status/ready", 1, Fault::Reply(Answer::ok(json!({}))));
    assert_eq!(client(&fake).probe().await.expect("facts").implementation, Implementation::Unknown);
}

#[tokio::test]
async fn rights_that_end_short_of_the_registry_as_a_whole_are_enough() {
    let fake = Fake::start(Flavour::Karapace).await;
    let forbidden = || Fault::Reply(Answer::json(403, json!({"message": "Forbidden"})));
    fake.fail("GET /config", 1, forbidden());
    let facts = client(&fake).probe().await.expect("facts");
    assert_eq!(facts.global, GlobalSettings { level: None, mode: Mode::Readwrite });

    fake.fail("*", 20, forbidden());
    let error = client(&fake).probe().await.expect_err("nothing is allowed");
    assert!(matches!(error, RegistryError::Forbidden { .. }), "{error:?}");
}

#[tokio::test]
async fn a_server_that_is_no_registry_is_told_apart() {
    let fake = Fake::start(Flavour::Apicurio).await;
    let url = fake.url().replace("/apis/ccompat/v7", "/apis/registry/v3");
    let client = Client::new(config(&url, TIMEOUT)).expect("a client");
    let error = client.probe().await.expect_err("another API");
    assert!(matches!(error, RegistryError::UnexpectedReply { .. }), "{error:?}");
    assert_eq!(client.ping().await, Ok(()), "but it is up");
}

#[tokio::test]
async fn a_ping_tells_up_from_down_and_from_shut() {
    let fake = Fake::start(Flavour::Confluent).await;
    let client = client(&fake);
    assert_eq!(client.ping().await, Ok(()));
    assert_eq!(fake.routes(), ["GET /schemas/types"]);
    fake.fail("*", 100, Fault::Reply(Answer::empty(503)));
    assert!(matches!(client.ping().await, Err(RegistryError::Overloaded { .. })));
    fake.heal();
    fake.fail("GET /schemas/types", 100, Fault::Reply(Answer::empty(503)));
    assert_eq!(client.ping().await, Ok(()), "one call that fails by itself is no outage");
    fake.heal();
    fake.fail("*", 1, Fault::Reply(Answer::empty(401)));
    assert!(matches!(client.ping().await, Err(RegistryError::Unauthorized { .. })));
}

#[tokio::test]
async fn karapace_is_asked_about_one_version_at_a_time() {
    let fake = Fake::start(Flavour::Karapace).await;
    let (client, orders) = (client(&fake), subject("orders"));
    let check = async |text: &str, level| client.check(&orders, &avro(text), level).await.expect("an answer");
    assert_eq!(check(BARGE, Level::Backward).await, Check::Compatible, "a subject that is not there");
    assert_eq!(fake.count(CHECK_ALL), 1);

    history(&fake, "orders", &[BARGE, BARGE_TONS]);
    fake.clear_log();
    assert_eq!(check(BARGE_STRICT, Level::Backward).await, Check::Compatible, "with the latest version");
    assert_eq!(fake.routes(), [CHECK_LATEST], "what it has not is not asked for again");

    fake.clear_log();
    let Check::Incompatible(refusal) = check(BARGE_STRICT, Level::BackwardTransitive).await else {
        panic!("compatible")
    };
    assert_eq!(fake.routes(), ["GET /subjects/{}/versions", CHECK_ONE, CHECK_ONE]);
    let asked: Vec<_> = fake.log()[1..].iter().map(|logged| logged.request.path[4].clone()).collect();
    assert_eq!(asked, ["2", "1"], "newest first");
    assert_eq!(refusal.violations[0].rule.as_deref(), Some("READER_FIELD_MISSING_DEFAULT_VALUE"));
    assert_eq!(check(BARGE_TONS, Level::FullTransitive).await, Check::Compatible);
}

#[tokio::test]
async fn a_registry_without_any_check_says_so() {
    let fake = Fake::start(Flavour::Karapace).await;
    fake.fail("*", 2, Fault::Reply(Answer::empty(405)));
    let checked = client(&fake).check(&subject("orders"), &avro(BARGE), Level::Backward).await;
    assert_eq!(checked, Ok(Check::Unavailable));
}

#[tokio::test]
async fn a_check_that_knows_no_versions_where_there_are_some_is_about_rights() {
    let fake = Fake::start(Flavour::Confluent).await;
    history(&fake, "orders", &[BARGE]);
    fake.fail(CHECK_ALL, 1, Fault::Reply(refused(404, 40401, "Subject 'orders' not found.")));
    let error = client(&fake).check(&subject("orders"), &avro(BARGE), Level::Backward).await.expect_err("hidden");
    assert!(matches!(error, RegistryError::Forbidden { status: 404, .. }), "{error:?}");
}

#[tokio::test]
async fn karapace_has_no_modes_and_is_not_asked_once_that_is_known() {
    let fake = Fake::start(Flavour::Karapace).await;
    let (client, orders) = (learned(&fake).await, subject("orders"));
    assert_eq!(client.mode(&orders).await, Ok(Mode::Readwrite));
    assert!(fake.log().is_empty());
}

#[tokio::test]
async fn a_registry_whose_modes_are_missing_is_asked_once() {
    for answer in [Answer::empty(204), Answer::empty(404), Answer::empty(405)] {
        let fake = Fake::start(Flavour::Confluent).await;
        let client = client(&fake);
        fake.fail("GET /mode/{}", 1, Fault::Reply(answer));
        for _ in 0..2 {
            assert_eq!(client.mode(&subject("orders")).await.expect("an answer"), Mode::Readwrite);
        }
        assert_eq!(fake.count("GET /mode/{}"), 1);
    }
}

#[tokio::test]
async fn karapace_registers_and_looks_up() {
    let fake = Fake::start(Flavour::Karapace).await;
    let (client, orders) = (learned(&fake).await, subject("orders"));
    let accepted = client.register(&orders, &avro(BARGE), Placement::Append).await;
    assert_eq!(accepted, Ok(Register::Accepted { id: SchemaId(1) }));
    let latest = client.latest(&orders).await.expect("an answer").expect("a version");
    assert_ne!(&*latest.text, BARGE, "its text has other key order");
    assert_eq!(client.lookup(&orders, &avro(BARGE), false).await, Ok(Lookup::Found(version(1))));
    let Ok(Register::Incompatible(refusal)) = client.register(&orders, &avro(BARGE_STRICT), Placement::Append).await
    else {
        panic!("not refused")
    };
    assert_eq!(refusal.message, "Incompatible schema, compatibility_mode=BACKWARD. Incompatibilities: tons");
    assert_eq!(refusal.violations, [], "its list cannot be told apart; the check gives it");
    assert!(matches!(client.lookup(&orders, &avro(BROKEN), false).await, Ok(Lookup::Invalid(_))));

    // The same words as for "no such subject" mean "not allowed" there.
    fake.fail("PUT /config/{}", 1, Fault::Reply(refused(404, 40401, "")));
    let error = client.set_level(&orders, Level::Full).await.expect_err("not allowed");
    assert!(matches!(error, RegistryError::Forbidden { .. }), "{error:?}");
}

#[tokio::test]
async fn a_crash_on_a_schema_means_invalid_only_where_that_is_known() {
    let fake = Fake::start(Flavour::Confluent).await;
    let (client, orders) = (client(&fake), subject("orders"));
    let crash = || Fault::Reply(Answer::text(500, "text/plain", "Internal Server Error"));
    fake.fail("*", 1, crash());
    let error = client.lookup(&orders, &avro(BARGE), false).await.expect_err("a crash");
    assert!(matches!(error, RegistryError::CandidateFailed { .. }) && !error.hits_breaker(), "{error:?}");

    let facts = client.probe().await.expect("facts").overridden(Implementation::Redpanda, None);
    assert_eq!(facts.capabilities, Capabilities::of(Implementation::Redpanda, Some("8.3.1")));
    client.learn(&facts);
    fake.fail("*", 1, crash());
    let invalid = Lookup::Invalid("an answer that is no registry's (status 500, text/plain)".to_owned());
    assert_eq!(client.lookup(&orders, &avro(BARGE), false).await, Ok(invalid));
}

#[tokio::test]
async fn apicurio_says_none_where_nothing_is_set() {
    let fake = Fake::start(Flavour::Apicurio).await;
    let (client, orders) = (learned(&fake).await, subject("orders"));
    let level = async |global: &GlobalSettings| client.level(&orders, global).await.expect("an answer");
    let full = GlobalSettings { level: Some(Level::Full), ..NONE };

    let inherited = LevelInForce { level: Level::Full, source: LevelSource::Global, own: None };
    assert_eq!(level(&full).await, inherited, "a subject that is not there");
    assert_eq!(fake.routes(), ["GET /config/{}"]);

    fake.behind("POST", "/subjects/orders/versions", json!({"schema": BARGE}));
    let unset = LevelInForce { level: Level::None, source: LevelSource::Global, own: Some(Level::None) };
    assert_eq!(level(&NONE).await, unset);
    fake.behind("PUT", "/config", json!({"compatibility": "FULL"}));
    assert_eq!(level(&full).await, inherited);
    assert_eq!(fake.routes().len(), 5, "NONE costs a second call");

    assert_eq!(client.set_level(&orders, Level::None).await, Ok(SetLevel::Stored));
    let overridden = LevelInForce { level: Level::None, source: LevelSource::Subject, own: Some(Level::None) };
    assert_eq!(level(&full).await, overridden);
    client.set_level(&orders, Level::Forward).await.expect("an answer");
    let own = LevelInForce { level: Level::Forward, source: LevelSource::Subject, own: Some(Level::Forward) };
    assert_eq!(level(&full).await, own);
}

#[tokio::test]
async fn apicurio_gives_reasons_only_when_it_refuses() {
    let fake = Fake::start(Flavour::Apicurio).await;
    let (client, orders) = (learned(&fake).await, subject("orders"));
    history(&fake, "orders", &[BARGE]);
    client.set_level(&orders, Level::Backward).await.expect("an answer");
    let Ok(Check::Incompatible(refusal)) = client.check(&orders, &avro(BARGE_STRICT), Level::Backward).await else {
        panic!("compatible")
    };
    assert_eq!((refusal.message.as_str(), refusal.violations.len()), ("", 0));
    let Ok(Register::Incompatible(refusal)) = client.register(&orders, &avro(BARGE_STRICT), Placement::Append).await
    else {
        panic!("not refused")
    };
    assert_eq!(refusal.message, "Incompatible artifact: orders [AVRO], num of incompatible diffs: {1}");
    assert_eq!(refusal.violations[0].path.as_deref(), Some("/fields/1"));
    // No schema of its own: an invalid one is one that it does not have.
    assert_eq!(client.lookup(&orders, &avro(BROKEN), false).await, Ok(Lookup::Absent));
    let check = client.check(&subject("none"), &avro(BARGE), Level::Backward).await;
    assert_eq!(check, Ok(Check::Compatible), "404 for a subject that is not there");
}

#[tokio::test]
async fn apicurio_lists_five_hundred_versions_and_the_latest_is_added() {
    let fake = Fake::start(Flavour::Apicurio).await;
    let client = client(&fake);
    for (name, count, listed, calls) in [("few", 3, 3, 1), ("page", 500, 500, 3), ("more", 503, 501, 3)] {
        for number in 0..count {
            let text = format!(r#"{{"type":"fixed","name":"F","size":{number}}}"#);
            fake.behind("POST", &format!("/subjects/{name}/versions"), json!({"schema": text}));
        }
        fake.clear_log();
        let versions = client.versions(&subject(name)).await.expect("an answer");
        assert_eq!((versions.len(), versions.last()), (listed, Some(&version(count))), "{name}");
        assert_eq!(fake.routes().len(), calls, "{name}");
    }
}

#[tokio::test]
async fn every_page_is_read_where_there_are_pages() {
    let fake = Fake::start(Flavour::Confluent).await;
    for (from, to) in [(1, 500), (501, 1000), (1001, 1203)] {
        fake.fail("GET /subjects/{}/versions", 1, Fault::Reply(Answer::ok((from..=to).collect())));
    }
    let versions = client(&fake).versions(&subject("orders")).await.expect("an answer");
    assert_eq!(versions, (1..=1203).map(version).collect::<Vec<_>>());
    let queries: Vec<_> = fake.log().iter().map(|logged| logged.request.query.clone()).collect();
    assert_eq!(queries[2], [("offset".to_owned(), "1000".to_owned()), ("limit".to_owned(), "500".to_owned())]);
    assert_eq!(queries.len(), 3);
}

#[tokio::test]
async fn a_list_that_never_ends_does() {
    let fake = Fake::start(Flavour::Confluent).await;
    let client = client(&fake);
    // Always the same 500, whatever offset is asked for.
    let page: Value = (1..=500).collect();
    fake.fail("GET /subjects/{}/versions", 5, Fault::Reply(Answer::ok(page)));
    assert_eq!(client.versions(&subject("orders")).await.expect("an answer").len(), 500);
    assert_eq!(fake.routes().len(), 3, "the list, once more, and the latest");
}
