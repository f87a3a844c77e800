//! Whatever a user writes or a registry answers: a clear condition on that resource, and nothing changes for the others.

use futures::future::join_all;
use kube::api::{Patch, PatchParams};
use serde_json::json;

use super::hostile::{Habit, Hostile};
use super::snapshot::Snapshot;
use super::stage::Stage;
use super::world::{PATIENCE, World, shared_registry};
use crate::bed::until;

const FINE: &str = r#"{"type": "record", "name": "Fine", "fields": [{"name": "id", "type": "string"}]}"#;

/// The bound of spec.schema, in code points.
const BOUND: usize = 524_288;

/// What a person gets: one line of bearable length that is about this resource.
fn assert_clear(it: &Snapshot, about: &str) {
    let message = it.message();
    assert!(message.len() <= 1024 && !message.contains('\n') && message.len() > 20, "not one clear line: {message:?}");
    assert!(message.contains(about), "nothing of {about:?}: {message:?}");
}

#[tokio::test]
async fn a_text_that_is_no_schema_is_told_so() {
    let stage = Stage::new("bad-texts").await;
    let deep_protobuf = "syntax = \"proto3\"; ".to_owned() + &"message M {".repeat(40_000) + &"}".repeat(40_000);
    let deep_json = "[".repeat(100_000) + &"]".repeat(100_000);
    let twice =
        r#"{"type": "record", "name": "R", "fields": [{"name": "a", "type": "int"}, {"name": "a", "type": "int"}]}"#;
    let unknown = r#"{"type": "record", "name": "R", "fields": [{"name": "a", "type": "strng"}]}"#;
    let bad: [(&str, &str, &str, &str); 15] = [
        ("blank", "AVRO", " \n\t", "blank"),
        ("empty", "JSON", "", "blank"),
        ("open-brace", "AVRO", "{", "JSON"),
        ("two-values", "AVRO", "\"int\" \"int\"", "JSON"),
        ("control-characters", "AVRO", "\"in\u{0}t\"", "JSON"),
        ("deep-avro", "AVRO", &deep_json, "500 levels"),
        ("deep-json", "JSON", &deep_json, "500 levels"),
        ("deep-protobuf", "PROTOBUF", &deep_protobuf, "500 levels"),
        ("unknown-type", "AVRO", unknown, "AVRO schema: unknown type strng"),
        ("no-name", "AVRO", r#"{"type": "record", "fields": []}"#, "AVRO schema"),
        ("field-twice", "AVRO", twice, "AVRO schema: record R has two fields a"),
        ("number", "AVRO", "7", "AVRO schema"),
        ("open-comment", "PROTOBUF", "syntax = \"proto3\"; /* never", "comment"),
        ("unrecognised", "JSON", r#"{"type": "object"}"#, "$schema"),
        ("no-protobuf", "PROTOBUF", "massage M {}", "PROTOBUF schema"),
    ];
    for (name, schema_type, text, _) in &bad {
        let spec = json!({"subject": stage.subject(name), "schemaType": schema_type, "schema": text});
        stage.apply(&stage.resource("Schema", name, spec)).await;
    }
    stage.apply(&stage.schema("fine", FINE)).await;

    for (name, _, _, about) in &bad {
        let it = stage.until_schema_is(name, "False", "InvalidSchema").await;
        assert!(it.is("Stalled"), "{it}");
        assert_clear(&it, about);
        assert_eq!(stage.registry.versions(&stage.subject(name)).await, Vec::<i64>::new(), "{name}");
    }
    stage.until_schema_is("fine", "True", "InSync").await;
    stage.end().await;
}

#[tokio::test]
async fn a_text_at_the_bound_is_registered_and_one_above_it_is_refused_at_admission() {
    let stage = Stage::new("long-texts").await;
    let filled = |length: usize| {
        let around = r#"{"type": "record", "name": "Long", "doc": "", "fields": []}"#;
        around.replace(r#""doc": """#, &format!(r#""doc": "{}""#, "x".repeat(length - around.len())))
    };
    stage.apply(&stage.schema("long", &filled(BOUND))).await;
    stage.until_schema_is("long", "True", "InSync").await;

    let too_long = stage.schema("too-long", &filled(BOUND + 1));
    let refusal = stage.api("Schema").patch("too-long", &PatchParams::apply("user"), &Patch::Apply(too_long)).await;
    let refusal = refusal.expect_err("the definition bounds it").to_string();
    assert!(refusal.contains("spec.schema: Too long"), "{}", &refusal[..refusal.len().min(500)]);
    stage.end().await;
}

#[tokio::test]
async fn subjects_of_any_characters_are_told_apart() {
    let stage = Stage::new("odd-subjects").await;
    let odd = [
        "a/b", "a:b", "a+b", "a%b", "a%2Fb", "a#b", "a?b", "a&b", "a;b", "a b", "a\\b", "a=b", "a\"b", "a<b>", "äöü",
        "ключ", "注文", "🦀", "a..b", "a/../b", ".a", "a.", " a", "A/B", "-a", "{a}", "[a]", "a|b", "a^b", "a`b",
        "a@b", "a,b", "a*b",
    ];
    let subject = |odd: &str| format!("odd-subjects.{odd}");
    let name = |number: usize| format!("odd-{number}");
    for (number, odd) in odd.iter().enumerate() {
        stage.apply(&stage.resource("Schema", &name(number), json!({"subject": subject(odd), "schema": FINE}))).await;
        let config = json!({"subject": subject(odd), "compatibility": "FULL"});
        stage.apply(&stage.resource("SubjectConfig", &name(number), config)).await;
    }
    for (number, odd) in odd.iter().enumerate() {
        let it = stage.until_schema_is(&name(number), "True", "InSync").await;
        assert_eq!(it.text("/status/subject"), subject(odd));
        stage.until_config_is(&name(number), "True", "InSync").await;
        // Not the list of versions: for Apicurio a * in it stands for any characters.
        let latest = stage.registry.version(&subject(odd), "latest").await.expect("it is registered");
        assert_eq!((latest["version"].as_i64(), latest["subject"].as_str()), (Some(1), Some(subject(odd).as_str())));
        assert_eq!(stage.registry.level(&subject(odd)).await.as_deref(), Some("FULL"), "{odd}");
    }
    stage.end().await;
}

#[tokio::test]
async fn a_subject_that_cannot_be_addressed_is_told_so() {
    let stage = Stage::new("bad-subjects").await;
    let bad =
        [("dots", ".."), ("dot", "."), ("blank", "  "), ("line", "a\nb"), ("nul", "a\u{0}b"), ("reserved", "__GLOBAL")];
    for (name, subject) in bad {
        stage.apply(&stage.resource("Schema", name, json!({"subject": subject, "schema": FINE}))).await;
        stage.apply(&stage.resource("SubjectConfig", name, json!({"subject": subject, "compatibility": "FULL"}))).await;
    }
    // What this registry alone refuses is not the registry's fault either.
    let refused = format!("{}\u{2028}b", stage.subject("refused"));
    stage.apply(&stage.resource("Schema", "refused", json!({"subject": refused, "schema": FINE}))).await;
    let it = stage.until_schema_is("refused", "False", "InvalidSubject").await;
    assert!(
        it.is("Stalled") && it.message().contains(r#"bad-subjects.refused\u{2028}b" as the name of a subject"#),
        "{it}"
    );
    let registries = stage.record.history("SchemaRegistry", "default");
    assert!(registries.iter().all(|it| it.observed() == -1 || it.reason() == "Connected"), "{registries:#?}");

    for (name, _) in bad {
        let it = stage.until_schema_is(name, "False", "InvalidSubject").await;
        assert!(it.is("Stalled"), "{it}");
        assert_clear(&it, "subject");
        let it = stage.until_config_is(name, "False", "InvalidSubject").await;
        assert!(it.is("Stalled"), "{it}");
        assert_clear(&it, "subject");
    }
    stage.end().await;
}

#[tokio::test]
async fn a_server_that_answers_like_no_registry_troubles_only_what_names_it() {
    const HABITS: [(&str, Habit, &str); 8] = [
        ("page", Habit::Page, "RegistryError"),
        ("bad-gateway", Habit::BadGateway, "RegistryUnavailable"),
        ("nothing", Habit::Nothing, "RegistryError"),
        ("other-json", Habit::OtherJson, "RegistryError"),
        ("deep-json", Habit::DeepJson, "RegistryError"),
        ("endless", Habit::Endless, "RegistryError"),
        ("dripping", Habit::Dripping, "RegistryUnavailable"),
        ("redirect", Habit::Redirect, "RegistryError"),
    ];
    let stage = Stage::new("hostile").await;
    let servers = join_all(HABITS.map(|(_, habit, _)| Hostile::start(habit))).await;
    for ((name, ..), server) in HABITS.iter().zip(&servers) {
        let mut registry = stage.registry_resource(name, &server.url());
        registry["spec"]["limits"]["timeoutSeconds"] = json!(2);
        stage.apply(&registry).await;
        let spec = json!({"registryRef": {"name": name}, "subject": stage.subject(name), "schema": FINE});
        stage.apply(&stage.resource("Schema", name, spec)).await;
    }
    stage.apply(&stage.schema("fine", FINE)).await;
    stage.until_schema_is("fine", "True", "InSync").await;

    for (name, _, reason) in HABITS {
        let registry = stage.until_registry_is(name, "False", reason).await;
        assert_clear(&registry, name);
        let schema = stage.until_schema_is(name, "False", reason).await;
        assert_clear(&schema, name);
        assert!(schema.latest().is_none() && schema.applied().is_none(), "nothing is known of it: {schema}");
    }
    stage.end().await;
}

/// Of a definition that lets in what ours does not, as an older or a newer release's might.
#[tokio::test]
async fn an_object_that_does_not_decode_is_told_so_and_the_rest_goes_on() {
    let world = World::start("cluster-undecodable").await;
    let stage = Stage::bare(&world, "undecodable", &shared_registry().await.url()).await;
    stage.apply(&stage.default_registry()).await;
    stage.apply(&stage.schema("before", FINE)).await;
    stage.until_schema_is("before", "True", "InSync").await;
    loosen(&world, "schemas", "/driftPolicy", json!({"type": "string"})).await;
    loosen(&world, "schemaregistries", "/driftCheckSeconds", json!({"x-kubernetes-preserve-unknown-fields": true}))
        .await;

    let mut odd = stage.schema("odd", FINE);
    odd["spec"]["driftPolicy"] = json!("Sometimes");
    let mut often = stage.registry_resource("often", stage.registry.url());
    often["spec"]["driftCheckSeconds"] = json!("often");
    until("the loosened definitions to hold", PATIENCE, async || {
        for it in [&odd, &often] {
            let (kind, name) = (it["kind"].as_str().unwrap(), it["metadata"]["name"].as_str().unwrap());
            stage
                .api(kind)
                .patch(name, &PatchParams::apply("user"), &Patch::Apply(it))
                .await
                .map_err(|it| it.to_string())?;
        }
        Ok::<_, String>(())
    })
    .await;
    let spec = json!({"registryRef": {"name": "often"}, "subject": stage.subject("dependent"), "schema": FINE});
    stage.apply(&stage.resource("Schema", "dependent", spec)).await;
    stage.apply(&stage.schema("after", FINE)).await;

    let it = stage.until_schema_is("odd", "False", "InvalidResource").await;
    assert!(it.is("Stalled"), "{it}");
    assert_clear(&it, "Sometimes");
    let it = stage.until_registry_is("often", "False", "InvalidResource").await;
    assert_clear(&it, "Expected i32"); // the value itself may be a secret
    let it = stage.until_schema_is("dependent", "False", "InvalidResource").await;
    assert_clear(&it, "SchemaRegistry often");
    stage.until_schema_is("after", "True", "InSync").await;

    // One that was in order keeps what is known of it.
    stage.patch("Schema", "after", json!({"spec": {"driftPolicy": "Sometimes"}})).await;
    let it = stage.until_schema_is("after", "False", "InvalidResource").await;
    assert_eq!((it.latest(), it.applied(), it.is("Stalled")), (Some(1), Some(1), true), "{it}");

    // What was changed while the odd ones are there is seen; and they, once they are corrected.
    let other = FINE.replace("Fine", "Finer");
    stage.apply(&stage.config("before", "NONE")).await;
    stage.apply(&stage.schema("before", &other)).await;
    stage.until_schema_is("before", "True", "InSync").await;
    stage.apply(&stage.schema("odd", FINE)).await;
    stage.patch("Schema", "after", json!({"spec": {"driftPolicy": "Report"}})).await;
    for name in ["odd", "after"] {
        stage.until_schema_is(name, "True", "InSync").await;
    }
    stage.end().await;
}

/// Replaces the schema of one field of spec.
async fn loosen(world: &World, plural: &str, field: &str, schema: serde_json::Value) {
    let path = format!("/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties{field}");
    let patch = json!([{"op": "replace", "path": path, "value": schema}]).to_string();
    let crd = format!("crd/{plural}.schemaregistrar.dev");
    world.server.kubectl(&["patch", &crd, "--type=json", "--patch", &patch], "").await.ok();
}
