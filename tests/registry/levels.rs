//! Which changes a real registry takes under which level: the tables that Avro's users know, and some of the other
//! formats where this registry agrees with Confluent.

use futures::StreamExt;
use rstest::rstest;
use schema_registrar::api::{Level, SchemaType};
use schema_registrar::registry::{Candidate, Check, Client, Placement, Register};

use crate::bed::{Registry, Release, Storage};
use crate::support::*;

/// A change, and whether it passes BACKWARD, FORWARD and FULL.
struct Change {
    what: &'static str,
    schema_type: SchemaType,
    old: String,
    new: String,
    passes: [bool; 3],
}

const LEVELS: [Level; 3] = [Level::Backward, Level::Forward, Level::Full];

#[rstest]
#[case::release_3_3_3(Release::V3_3_3)]
#[case::release_3_0_9(Release::V3_0_9)]
#[tokio::test]
async fn changes_under_each_level(#[case] release: Release) {
    let registry = Registry::start("registry-levels", release, Storage::Memory).await;
    let client = Client::new(config(&registry.url(), TIMEOUT)).expect("a client");
    client.learn(&client.probe().await.expect("facts"));
    let changes = [avro_changes(), json_changes(), protobuf_changes()];
    let each = changes.iter().flatten().enumerate().flat_map(|(at, change)| {
        LEVELS.into_iter().zip(change.passes).map(move |(level, passes)| (at, change, level, passes))
    });
    let wrong = futures::stream::iter(each).map(async |(at, change, level, passes)| {
        let verdict = verdict(&client, &format!("change-{at}-{level}"), level, change).await;
        (verdict != passes)
            .then(|| format!("{} {} under {level}: passes is {verdict}", change.schema_type, change.what))
    });
    let wrong: Vec<String> = wrong.buffered(8).filter_map(std::future::ready).collect().await;
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    a_history_that_only_a_transitive_level_refuses(&client).await;
}

/// Whether the registry takes the change. Its check says the same, and a refusal says why.
async fn verdict(client: &Client, name: &str, level: Level, change: &Change) -> bool {
    let named = subject(name);
    let candidate = |text: &str| Candidate { schema_type: change.schema_type, ..avro(text) };
    client.set_level(&named, level).await.expect("an answer");
    let first = client.register(&named, &candidate(&change.old), Placement::Append).await;
    assert!(matches!(first, Ok(Register::Accepted { .. })), "{}: {first:?}", change.what);
    let checked = client.check(&named, &candidate(&change.new), level).await.expect("an answer");
    let registered = client.register(&named, &candidate(&change.new), Placement::Append).await.expect("an answer");
    let passes = match registered {
        Register::Accepted { .. } => true,
        Register::Incompatible(refusal) => {
            assert!(!refusal.violations.is_empty(), "{} under {level}: {refusal:?}", change.what);
            false
        }
        other => panic!("{} under {level}: {other:?}", change.what),
    };
    assert_eq!(checked == Check::Compatible, passes, "{} under {level}: {checked:?}", change.what);
    passes
}

/// Each step passes BACKWARD; the last schema cannot read data of the first.
async fn a_history_that_only_a_transitive_level_refuses(client: &Client) {
    let named = subject("history");
    let record = |fields: &str| avro(&format!(r#"{{"type":"record","name":"H","fields":[{fields}]}}"#));
    let a = r#"{"name":"a","type":"int"}"#;
    let steps = [
        record(a),
        record(&format!(r#"{a},{{"name":"b","type":"int","default":0}}"#)),
        record(&format!(r#"{a},{{"name":"b","type":"int"}}"#)),
    ];
    for (level, taken) in [(Level::Backward, true), (Level::BackwardTransitive, false)] {
        let named = subject(&format!("{named}-{level}"));
        client.set_level(&named, level).await.expect("an answer");
        for step in &steps[..2] {
            let answer = client.register(&named, step, Placement::Append).await;
            assert!(matches!(answer, Ok(Register::Accepted { .. })), "{answer:?}");
        }
        let last = client.register(&named, &steps[2], Placement::Append).await.expect("an answer");
        assert_eq!(matches!(last, Register::Accepted { .. }), taken, "{level}: {last:?}");
    }
}

/// `Order{id: string, amount: double, status: string, currency: string = "EUR"}` and what may become of it.
fn avro_changes() -> Vec<Change> {
    const ID: &str = r#"{"name":"id","type":"string"}"#;
    const STATUS: &str = r#"{"name":"status","type":"string"}"#;
    const CURRENCY: &str = r#"{"name":"currency","type":"string","default":"EUR"}"#;
    let amount = |name: &str| format!(r#"{{"name":"amount","type":"{name}"}}"#);
    let record = |fields: &[&str]| format!(r#"{{"type":"record","name":"Order","fields":[{}]}}"#, fields.join(","));
    let double = amount("double");
    let base = record(&[ID, &double, STATUS, CURRENCY]);
    let kind = |symbols: &str, default: &str| {
        record(&[
            ID,
            &format!(r#"{{"name":"kind","type":{{"type":"enum","name":"Kind","symbols":[{symbols}]{default}}}}}"#),
        ])
    };
    let (two, three) = (r#""A","B""#, r#""A","B","C""#);
    let default = r#","default":"A""#;
    let change = |what, old: &str, new: &str, passes| Change {
        what,
        schema_type: SchemaType::Avro,
        old: old.to_owned(),
        new: new.to_owned(),
        passes,
    };
    let with = |field: &str| record(&[ID, &double, STATUS, CURRENCY, field]);
    let optional = r#"{"name":"coupon","type":["null","string"],"default":null}"#;
    let required = r#"{"name":"note","type":"string"}"#;
    let renamed = r#"{"name":"state","type":"string"}"#;
    let aliased = r#"{"name":"state","type":"string","aliases":["status"]}"#;
    vec![
        change("field added with default", &base, &with(optional), [true, true, true]),
        change("field added without default", &base, &with(required), [false, true, false]),
        change("field without default removed", &base, &record(&[ID, &double, CURRENCY]), [true, false, false]),
        change("field with default removed", &base, &record(&[ID, &double, STATUS]), [true, true, true]),
        change("field renamed without alias", &base, &record(&[ID, &double, renamed, CURRENCY]), [false, false, false]),
        change("field renamed with alias", &base, &record(&[ID, &double, aliased, CURRENCY]), [true, false, false]),
        change("double to int", &base, &record(&[ID, &amount("int"), STATUS, CURRENCY]), [false, true, false]),
        change("double to string", &base, &record(&[ID, &amount("string"), STATUS, CURRENCY]), [false, false, false]),
        change("int to long", &record(&[ID, &amount("int")]), &record(&[ID, &amount("long")]), [true, false, false]),
        change("enum symbol added", &kind(two, ""), &kind(three, ""), [true, false, false]),
        change("enum symbol added, with enum default", &kind(two, default), &kind(three, default), [true, true, true]),
        change("enum symbol removed", &kind(three, ""), &kind(two, ""), [false, true, false]),
        change(
            "enum symbol removed, with enum default",
            &kind(three, default),
            &kind(two, default),
            [true, true, true],
        ),
        change(
            "nothing but the order of keys",
            &base,
            &base.replace(r#""type":"record","name":"Order""#, r#""name":"Order","type":"record""#),
            [true, true, true],
        ),
    ]
}

fn json_changes() -> Vec<Change> {
    let object = |properties: &str, rest: &str| {
        format!(
            r#"{{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{{{properties}}}{rest}}}"#
        )
    };
    let closed = |properties: &str| object(properties, r#","additionalProperties":false"#);
    let id = r#""id":{"type":"string"}"#;
    let change =
        |what, old: String, new: String, passes| Change { what, schema_type: SchemaType::Json, old, new, passes };
    vec![
        change(
            "optional property added to a closed model",
            closed(id),
            closed(&format!(r#"{id},"note":{{"type":"string"}}"#)),
            [true, false, false],
        ),
        change(
            "property removed from a closed model",
            closed(&format!(r#"{id},"note":{{"type":"string"}}"#)),
            closed(id),
            [false, true, false],
        ),
        change("type changed", closed(id), closed(r#""id":{"type":"integer"}"#), [false, false, false]),
        change("length bounded", closed(id), closed(r#""id":{"type":"string","maxLength":9}"#), [false, true, false]),
        change(
            "enum value added",
            closed(r#""id":{"enum":["a"]}"#),
            closed(r#""id":{"enum":["a","b"]}"#),
            [true, false, false],
        ),
        change("property required", object(id, ""), object(id, r#","required":["id"]"#), [false, true, false]),
    ]
}

fn protobuf_changes() -> Vec<Change> {
    let file = |fields: &str| format!("syntax = \"proto3\";\npackage shop;\nmessage Order {{ {fields} }}\n");
    let change =
        |what, old: String, new: String, passes| Change { what, schema_type: SchemaType::Protobuf, old, new, passes };
    let base = file("string id = 1; double amount = 2;");
    vec![
        change("double to string", base.clone(), file("string id = 1; string amount = 2;"), [false, false, false]),
        change("string to int32", base.clone(), file("int32 id = 1; double amount = 2;"), [false, false, false]),
        change(
            "nothing but a comment",
            base.clone(),
            base.replace("message", "// what is bought\nmessage"),
            [true, true, true],
        ),
    ]
}
