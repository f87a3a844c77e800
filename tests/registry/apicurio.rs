//! The client against a real Apicurio Registry, 3.3.3 and 3.0.9.

use std::time::Duration;

use rstest::rstest;
use schema_registrar::api::{Level, Mode, SchemaType};
use schema_registrar::registry::{
    Check, Client, GlobalSettings, Implementation, LevelInForce, LevelSource, Lookup, Placement, Register,
    RegistryError, SetLevel, Unknown,
};

use crate::bed::{Registry, Release, Storage};
use crate::support::*;

const NONE: GlobalSettings = GlobalSettings { level: Some(Level::None), mode: Mode::Readwrite };
/// Only invalid for a registry that checks against an earlier version: its parser does not know this draft.
const DRAFT_2020: &str = r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object"}"#;

/// A client that has learnt what there is to learn.
async fn connect(registry: &Registry, timeout: Duration) -> Client {
    let client = Client::new(config(&registry.url(), timeout)).expect("a client");
    client.learn(&client.probe().await.expect("facts"));
    client
}

#[rstest]
#[case::release_3_3_3(Release::V3_3_3)]
#[case::release_3_0_9(Release::V3_0_9)]
#[tokio::test]
async fn the_calls_of_a_reconcile(#[case] release: Release) {
    let registry = Registry::start("registry-calls", release, Storage::Memory).await;
    let client = connect(&registry, TIMEOUT).await;
    it_is_recognised(&client, release).await;
    a_subject_lives(&client).await;
    schemas_are_refused(&client).await;
    levels_are_found_where_they_come_from(&client, release).await;
    levels_set_at_the_same_moment_are_all_set(&client).await;
    names_survive(&client).await;
    names_are_refused(&client).await;
    an_old_version_stays_old(&client).await;
    outages_are_what_they_are(&registry).await;
}

async fn it_is_recognised(client: &Client, release: Release) {
    let facts = client.probe().await.expect("facts");
    assert_eq!(facts.implementation, Implementation::Apicurio);
    assert_eq!(facts.version, Some(release.to_string()));
    assert_eq!(facts.global, NONE);
    assert_eq!(client.global().await, Ok(NONE));
    assert_eq!(client.ping().await, Ok(()));
    assert!(!client.capabilities().make_latest && !client.capabilities().enforces_mode);
    assert_eq!(client.mode(&subject("x")).await.expect("an answer"), Mode::Readwrite);
}

async fn a_subject_lives(client: &Client) {
    let orders = subject("orders-value");
    assert_eq!(client.latest(&orders).await, Ok(None));
    assert_eq!(client.versions(&orders).await, Ok(vec![]));
    assert_eq!(client.lookup(&orders, &avro(BARGE), false).await, Ok(Lookup::Absent));
    let check = client.check(&orders, &avro(BARGE), Level::Backward).await;
    assert_eq!(check, Ok(Check::Compatible), "nothing to compare with");

    assert_eq!(client.set_level(&orders, Level::Backward).await, Ok(SetLevel::Stored), "before the first version");
    let Ok(Register::Accepted { id }) = client.register(&orders, &avro(BARGE), Placement::Append).await else {
        panic!("not accepted")
    };
    let again = client.register(&orders, &avro(BARGE), Placement::Append).await;
    assert_eq!(again, Ok(Register::Accepted { id }));
    client.register(&orders, &avro(BARGE_TONS), Placement::Append).await.expect("an answer");
    assert_eq!(client.versions(&orders).await, Ok(vec![version(1), version(2)]));
    assert_eq!(client.lookup(&orders, &avro(BARGE), false).await, Ok(Lookup::Found(version(1))));
    assert_eq!(client.lookup(&orders, &avro(BARGE), true).await, Ok(Lookup::Found(version(1))));
    let first = client.version(&orders, version(1)).await.expect("an answer").expect("a version");
    assert_eq!((first.id, first.schema_type, &*first.text), (id, SchemaType::Avro, BARGE));
    assert_eq!(client.version(&orders, version(9)).await, Ok(None));
    assert_eq!(client.latest(&orders).await.expect("an answer").expect("a version").version, version(2));

    let check = client.check(&orders, &avro(BARGE_TONS), Level::Backward).await;
    assert_eq!(check, Ok(Check::Compatible));
    let other =
        r#"{"type":"record","name":"Barge","fields":[{"name":"hull","type":"int"},{"name":"crew","type":"int"}]}"#;
    let Ok(Check::Incompatible(refusal)) = client.check(&orders, &avro(other), Level::Backward).await else {
        panic!("compatible")
    };
    assert!(refusal.violations.is_empty(), "its check never says why");
    let Ok(Register::Incompatible(refusal)) = client.register(&orders, &avro(other), Placement::Append).await else {
        panic!("not refused")
    };
    assert_eq!(refusal.message, "Incompatible artifact: orders-value [AVRO], num of incompatible diffs: {2}");
    let mut reasons: Vec<_> = refusal
        .violations
        .iter()
        .map(|v| (v.rule.as_deref().unwrap_or_default(), v.path.as_deref().unwrap_or_default()))
        .collect();
    reasons.sort_unstable();
    assert_eq!(reasons, [("READER_FIELD_MISSING_DEFAULT_VALUE", "/fields/1"), ("TYPE_MISMATCH", "/fields/0/type")]);
    assert_eq!(client.versions(&orders).await.expect("an answer").len(), 2);
}

async fn schemas_are_refused(client: &Client) {
    let orders = subject("orders-value");
    let undefined = avro(r#"{"type":"record","name":"A","fields":[{"name":"x","type":"Zed"}]}"#);
    for candidate in [&avro(BROKEN), &undefined, &protobuf("syntax = \"proto3\"; mess")] {
        let answer = client.register(&subject("refused"), candidate, Placement::Append).await;
        assert!(matches!(answer, Ok(Register::Invalid { .. })), "{answer:?}");
        assert_eq!(client.lookup(&orders, candidate, false).await, Ok(Lookup::Absent));
    }
    let check = client.check(&orders, &avro(BROKEN), Level::Backward).await;
    assert!(matches!(check, Ok(Check::Invalid { .. })), "{check:?}");

    // The registry fails on this draft, but only under a level.
    let ships = subject("ships");
    client.set_level(&ships, Level::Backward).await.expect("an answer");
    let first = client.register(&ships, &json_schema(r#"{"type":"object","properties":{}}"#), Placement::Append).await;
    assert!(matches!(first, Ok(Register::Accepted { .. })), "{first:?}");
    let answer = client.register(&ships, &json_schema(DRAFT_2020), Placement::Append).await;
    assert!(matches!(answer, Ok(Register::CandidateFailed { .. })), "{answer:?}");
    let answer = client.register(&subject("free"), &json_schema(DRAFT_2020), Placement::Append).await;
    assert!(matches!(answer, Ok(Register::Accepted { .. })), "{answer:?}");

    let long = subject(&"x".repeat(600));
    let answer = client.register(&long, &avro(BARGE), Placement::Append).await;
    assert!(matches!(answer, Ok(Register::Refused { .. })), "{answer:?}");
}

async fn levels_are_found_where_they_come_from(client: &Client, release: Release) {
    let (orders, known, unknown) = (subject("orders-value"), subject("known"), subject("unknown"));
    client.register(&known, &avro(BARGE), Placement::Append).await.expect("an answer");
    let backward = GlobalSettings { level: Some(Level::Backward), mode: Mode::Readwrite };
    let level = async |subject, global| client.level(subject, &global).await.expect("an answer");

    let own = LevelInForce { level: Level::Backward, source: LevelSource::Subject, own: Some(Level::Backward) };
    assert_eq!(level(&orders, NONE).await, own);
    let unset = LevelInForce { level: Level::None, source: LevelSource::Global, own: Some(Level::None) };
    assert_eq!(level(&known, NONE).await, unset);
    let missing = LevelInForce { level: Level::None, source: LevelSource::Global, own: None };
    assert_eq!(level(&unknown, NONE).await, missing);

    set_global(client, "BACKWARD").await;
    assert_eq!(client.global().await, Ok(backward));
    let inherited = LevelInForce { level: Level::Backward, source: LevelSource::Global, own: None };
    assert_eq!(level(&known, backward).await, inherited);
    assert_eq!(level(&unknown, backward).await, inherited);

    // 3.3.3 lets a subject's NONE win over the registry's level, 3.0.9 does not, and says so.
    assert_eq!(client.set_level(&known, Level::None).await, Ok(SetLevel::Stored));
    let none = LevelInForce { level: Level::None, source: LevelSource::Subject, own: Some(Level::None) };
    let breaking = client.register(&known, &avro(BARGE_STRICT), Placement::Append).await.expect("an answer");
    if release == Release::V3_3_3 {
        assert_eq!(level(&known, backward).await, none);
        assert!(matches!(breaking, Register::Accepted { .. }), "{breaking:?}");
    } else {
        assert_eq!(level(&known, backward).await, inherited);
        assert!(matches!(breaking, Register::Incompatible(_)), "{breaking:?}");
    }
    set_global(client, "NONE").await;
}

async fn set_global(client: &Client, level: &str) {
    let request = crate::bed::http().put(format!("{}/config", client.base().identity()));
    let body = format!(r#"{{"compatibility":"{level}"}}"#);
    let answer = request.header("content-type", "application/json").body(body).send().await.expect("an answer");
    assert!(answer.status().is_success(), "{}", answer.status());
}

async fn levels_set_at_the_same_moment_are_all_set(client: &Client) {
    let contested = subject("contested");
    client.register(&contested, &avro(BARGE), Placement::Append).await.expect("an answer");
    let set = futures::future::join_all((0..4).map(|_| client.set_level(&contested, Level::Full))).await;
    // Two of four may meet twice; then it is a conflict that passes.
    let stored = set.iter().filter(|answer| matches!(answer, Ok(SetLevel::Stored))).count();
    let conflicts = set.iter().filter(|answer| matches!(answer, Err(RegistryError::Conflict { .. }))).count();
    assert!(stored >= 1 && stored + conflicts == 4, "{set:?}");
    assert_eq!(client.level(&contested, &NONE).await.expect("an answer").level, Level::Full);
}

async fn names_survive(client: &Client) {
    let names = [
        "a/b",
        "a:b",
        "a+b",
        "a b",
        "a%b",
        "a%2Fb",
        "a#b",
        "a?b",
        "a&b=c",
        "a;b",
        "größe-値",
        "a..b",
        "~a",
        "a\"b'c",
        ":.ctx:a",
        "a,b@c$d!e*f(g)",
        "latest",
        "versions",
    ];
    for name in names {
        let named = subject(name);
        let accepted = client.register(&named, &avro(BARGE), Placement::Append).await;
        assert!(matches!(accepted, Ok(Register::Accepted { .. })), "{name}: {accepted:?}");
        let latest = client.latest(&named).await.expect("an answer");
        assert_eq!(latest.map(|latest| latest.subject), Some(name.to_owned()));
        assert_eq!(client.versions(&named).await, Ok(vec![version(1)]), "{name}");
        assert_eq!(client.lookup(&named, &avro(BARGE), false).await, Ok(Lookup::Found(version(1))), "{name}");
        assert_eq!(client.set_level(&named, Level::Forward).await, Ok(SetLevel::Stored), "{name}");
        assert_eq!(client.level(&named, &NONE).await.expect("an answer").own, Some(Level::Forward), "{name}");
        let check = client.check(&named, &avro(BARGE_TONS), Level::Forward).await;
        assert_eq!(check, Ok(Check::Compatible), "{name}");
    }
}

/// `version: -1` is ignored; that is why it is known as a registry that cannot.
/// What it takes for no id. That is about the name, and says nothing of the registry.
async fn names_are_refused(client: &Client) {
    for name in ["x".repeat(1024), "a\u{2028}b".to_owned()] {
        let refused = subject(&name);
        for read in [client.latest(&refused).await.map(drop), client.versions(&refused).await.map(drop)] {
            let error = read.expect_err("no such name is taken");
            assert!(matches!(error, RegistryError::SubjectRefused { .. }) && !error.hits_breaker(), "{error:?}");
        }
    }
}

async fn an_old_version_stays_old(client: &Client) {
    let fixed = subject("fixed");
    for text in [BARGE, BARGE_TONS] {
        client.register(&fixed, &avro(text), Placement::Append).await.expect("an answer");
    }
    let answer = client.register(&fixed, &avro(BARGE), Placement::MakeLatest).await;
    assert!(matches!(answer, Ok(Register::Accepted { .. })), "{answer:?}");
    assert_eq!(client.latest(&fixed).await.expect("an answer").expect("a version").version, version(2));
}

async fn outages_are_what_they_are(registry: &Registry) {
    let client = connect(registry, Duration::from_secs(2)).await;
    let orders = subject("orders-value");
    registry.pause();
    let error = client.latest(&orders).await.expect_err("it is stopped in its tracks");
    assert!(matches!(error, RegistryError::Unreachable { .. }) && error.hits_breaker(), "{error:?}");
    let error = client.register(&subject("late"), &avro(BARGE), Placement::Append).await.expect_err("no answer");
    let unknown = matches!(error, RegistryError::OutcomeUnknown { why: Unknown::NoAnswer(_), .. });
    assert!(unknown, "it may be done when it wakes up: {error:?}");
    registry.resume();
    crate::bed::until("the registry to answer again", TIMEOUT, async || client.ping().await).await;
    registry.stop().await;
    let error = client.register(&orders, &avro(BARGE), Placement::Append).await.expect_err("it is gone");
    assert!(matches!(error, RegistryError::Unreachable { .. }), "{error:?}");
}
