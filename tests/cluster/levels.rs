//! Under every level, the resource's verdict is the registry's own, and is what is known of that release.
//!
//! Each case is tried twice: by the operator on one subject, and by plain HTTP on another.

use std::fmt;

use futures::future::join_all;
use serde_json::json;

use super::plain::Plain;
use super::stage::Stage;
use super::tables::{Row, rows};
use super::world::{PATIENCE, shared};
use crate::bed::{Registry, Release, Storage};

const LEVELS: [&str; 3] = ["BACKWARD", "FORWARD", "FULL"];

/// What comes of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Taken,
    Refused,
}
use Verdict::{Refused, Taken};

/// A change of a schema.
struct Case {
    /// What changes; part of the subjects' names.
    name: &'static str,
    schema_type: &'static str,
    old: String,
    new: String,
    /// Under BACKWARD, FORWARD and FULL.
    expected: [Verdict; 3],
}

/// A record Order with these fields.
fn record(fields: &str) -> String {
    format!(r#"{{"type": "record", "name": "Order", "fields": [{fields}]}}"#)
}

fn avro(name: &'static str, old: &str, new: &str, expected: [Verdict; 3]) -> Case {
    Case { name, schema_type: "AVRO", old: record(old), new: record(new), expected }
}

fn json_schema(name: &'static str, old: &str, new: &str, expected: [Verdict; 3]) -> Case {
    let object = |rest: &str| format!(r#"{{"type": "object", {rest}, "additionalProperties": false}}"#);
    Case { name, schema_type: "JSON", old: object(old), new: object(new), expected }
}

fn protobuf(name: &'static str, old: &str, new: &str, expected: [Verdict; 3]) -> Case {
    let file = |messages: &str| format!("syntax = \"proto3\";\npackage shop;\n{messages}\n");
    Case { name, schema_type: "PROTOBUF", old: file(old), new: file(new), expected }
}

/// Alike in both releases, and in Confluent's: what the field's tables and the Avro specification say.
fn avro_cases() -> Vec<Case> {
    const ID: &str = r#"{"name": "id", "type": "string"}"#;
    const AMOUNT: &str = r#"{"name": "id", "type": "string"}, {"name": "amount", "type": "double"}"#;
    const COUNT: &str = r#"{"name": "id", "type": "string"}, {"name": "count", "type": "int"}"#;
    const STATUS: &str = r#"{"name": "id", "type": "string"}, {"name": "status", "type": "string"}"#;
    const STATUS_OR_NEW: &str =
        r#"{"name": "id", "type": "string"}, {"name": "status", "type": "string", "default": "new"}"#;
    let with = |field: &str| format!("{ID}, {field}");
    let state = |symbols: &str, default: &str| {
        with(&format!(
            r#"{{"name": "state", "type": {{"type": "enum", "name": "State", "symbols": [{symbols}]{default}}}}}"#
        ))
    };
    let (two, three, or_open) = (r#""OPEN", "PAID""#, r#""OPEN", "PAID", "LOST""#, r#", "default": "OPEN""#);
    vec![
        avro("added-with-default", ID, STATUS_OR_NEW, [Taken, Taken, Taken]),
        avro("added", ID, STATUS, [Refused, Taken, Refused]),
        avro("removed", STATUS, ID, [Taken, Refused, Refused]),
        avro("removed-with-default", STATUS_OR_NEW, ID, [Taken, Taken, Taken]),
        avro("renamed", STATUS, &with(r#"{"name": "state", "type": "string"}"#), [Refused, Refused, Refused]),
        avro(
            "renamed-with-alias",
            STATUS,
            &with(r#"{"name": "state", "type": "string", "aliases": ["status"]}"#),
            [Taken, Refused, Refused],
        ),
        avro("double-to-int", AMOUNT, &AMOUNT.replace("double", "int"), [Refused, Taken, Refused]),
        avro("double-to-string", AMOUNT, &AMOUNT.replace("double", "string"), [Refused, Refused, Refused]),
        avro("int-to-long", COUNT, &COUNT.replace("int", "long"), [Taken, Refused, Refused]),
        avro("symbol-added", &state(two, ""), &state(three, ""), [Taken, Refused, Refused]),
        avro("symbol-removed", &state(three, ""), &state(two, ""), [Refused, Taken, Refused]),
        avro("symbol-added-default", &state(two, or_open), &state(three, or_open), [Taken, Taken, Taken]),
        avro("symbol-removed-default", &state(three, or_open), &state(two, or_open), [Taken, Taken, Taken]),
    ]
}

fn json_cases() -> Vec<Case> {
    const ID: &str = r#""properties": {"id": {"type": "string"}}"#;
    const NOTE: &str = r#""properties": {"id": {"type": "string"}, "note": {"type": "string"}}"#;
    const AMOUNT: &str = r#""properties": {"amount": {"type": "number"}}"#;
    vec![
        json_schema("optional-added-closed", ID, NOTE, [Taken, Refused, Refused]),
        json_schema("optional-removed-closed", NOTE, ID, [Refused, Taken, Refused]),
        json_schema("made-required", ID, &format!(r#"{ID}, "required": ["id"]"#), [Refused, Taken, Refused]),
        json_schema("number-to-integer", AMOUNT, &AMOUNT.replace("number", "integer"), [Refused, Taken, Refused]),
    ]
}

/// Where Apicurio differs from Confluent: it is stricter under FORWARD and over types, and its releases differ under FULL.
fn protobuf_cases(release: Release) -> Vec<Case> {
    const ORDER: &str = "message Order { string id = 1; }";
    const WITH_NOTE: &str = "message Order { string id = 1; string note = 2; }";
    const WITH_COUNT: &str = "message Order { int32 count = 1; }";
    const TWO: &str = "message Order { string id = 1; } message Bill { string id = 1; }";
    let full = if release == Release::V3_3_3 { Refused } else { Taken };
    vec![
        protobuf("field-added", ORDER, WITH_NOTE, [Taken, Refused, full]),
        protobuf("int32-to-int64", WITH_COUNT, &WITH_COUNT.replace("int32", "int64"), [Refused, Refused, Refused]),
        protobuf("int32-to-string", WITH_COUNT, &WITH_COUNT.replace("int32", "string"), [Refused, Refused, Refused]),
        protobuf("message-removed", TWO, ORDER, [Refused, Taken, full]),
    ]
}

/// Rows of the field's tables to which Apicurio has another answer than Confluent: Protobuf, by rules of its own.
const APICURIO_DIFFERS: &[(&str, [Verdict; 3])] = &[
    ("two-fields-into-a-new-oneof", [Taken, Taken, Taken]),
    ("one-field-into-an-existing-oneof", [Taken, Taken, Taken]),
    ("a-removed-number-is-not-reserved", [Refused, Taken, Refused]),
    ("a-removed-number-is-reserved", [Refused, Refused, Refused]),
    ("a-varint-to-a-wider-one", [Refused, Refused, Refused]),
];

/// What teaching texts say, and do not say.
fn field_tables() -> Vec<Case> {
    let verdict = |passes: bool| if passes { Taken } else { Refused };
    let expected = |name: &str, passes: [bool; 3]| {
        let differs = APICURIO_DIFFERS.iter().find(|(row, _)| *row == name);
        differs.map_or_else(|| passes.map(verdict), |(_, verdicts)| *verdicts)
    };
    let case = |row: Row| Case {
        name: row.name,
        schema_type: row.schema_type,
        old: row.old,
        new: row.new,
        expected: expected(row.name, row.passes),
    };
    rows().into_iter().map(case).collect()
}

#[tokio::test]
async fn the_tables_of_the_field_hold_on_a_real_registry() {
    let stage = Stage::new("field-tables").await;
    follow(&stage, &field_tables()).await;
    stage.end().await;
}

#[tokio::test]
async fn release_3_3_3_is_followed_under_every_level() {
    let stage = Stage::new("levels").await;
    is_followed(&stage, Release::V3_3_3).await;
    stage.end().await;
}

#[tokio::test]
async fn release_3_0_9_is_followed_under_every_level() {
    let (world, registry) = tokio::join!(shared(), Registry::start("cluster-levels", Release::V3_0_9, Storage::Memory));
    let stage = Stage::bare(world, "levels-3-0-9", &registry.url()).await;
    stage.apply(&stage.default_registry()).await;
    is_followed(&stage, Release::V3_0_9).await;
    stage.end().await;
}

async fn is_followed(stage: &Stage<'_>, release: Release) {
    let cases = avro_cases().into_iter().chain(json_cases()).chain(protobuf_cases(release)).collect::<Vec<_>>();
    follow(stage, &cases).await;
}

async fn follow(stage: &Stage<'_>, cases: &[Case]) {
    let tried: Vec<Tried> = cases.iter().flat_map(Tried::under_each_level).collect();

    join_all(tried.iter().map(async |tried| {
        stage.apply(&stage.config(&tried.name(), tried.level)).await;
        stage.apply(&tried.schema(stage, &tried.case.old)).await;
    }))
    .await;
    for tried in &tried {
        stage.until_config_is(&tried.name(), "True", "InSync").await;
        stage.until_schema_is(&tried.name(), "True", "InSync").await;
    }
    join_all(tried.iter().map(|tried| async { stage.apply(&tried.schema(stage, &tried.case.new)).await })).await;

    let mut wrong = Vec::new();
    for tried in &tried {
        let by_operator = tried.verdict_of_resource(stage).await;
        let by_registry = tried.verdict_of_registry(&stage.registry, &stage.subject(&format!("{tried}.plain"))).await;
        if by_operator != by_registry || by_registry != tried.expected {
            wrong.push(format!(
                "{tried}: the resource says {by_operator:?}, the registry {by_registry:?}, the table {:?}",
                tried.expected
            ));
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", stage.namespace, wrong.join("\n"));
}

/// A case under one level.
struct Tried<'a> {
    case: &'a Case,
    level: &'static str,
    expected: Verdict,
}

impl<'a> Tried<'a> {
    fn under_each_level(case: &'a Case) -> impl Iterator<Item = Tried<'a>> {
        LEVELS.into_iter().zip(case.expected).map(move |(level, expected)| Tried { case, level, expected })
    }

    fn name(&self) -> String {
        self.to_string()
    }

    fn schema(&self, stage: &Stage<'_>, text: &str) -> serde_json::Value {
        let spec = json!({"subject": stage.subject(&self.name()), "schemaType": self.case.schema_type, "schema": text});
        stage.resource("Schema", &self.name(), spec)
    }

    /// By what the operator says, which has to fit what the registry then holds.
    async fn verdict_of_resource(&self, stage: &Stage<'_>) -> Verdict {
        let is_judged = |it: &super::snapshot::Snapshot| it.is("Ready") || it.reason() == "Incompatible";
        let judged = stage.until("Schema", &self.name(), "judged", PATIENCE, is_judged).await;
        let verdict = if judged.is("Ready") { Taken } else { Refused };
        let versions = stage.registry.versions(&stage.subject(&self.name())).await;
        assert_eq!(versions.len(), if verdict == Taken { 2 } else { 1 }, "{versions:?} in the registry, but {judged}");
        assert_eq!(judged.text("/status/compatibility/level"), self.level);
        assert_eq!(judged.state("Compatible"), if verdict == Taken { "True" } else { "False" });
        verdict
    }

    /// By what the registry answers to someone who just tries.
    async fn verdict_of_registry(&self, registry: &Plain, subject: &str) -> Verdict {
        let Case { schema_type, old, new, .. } = self.case;
        registry.register(subject, schema_type, old).await.ok();
        registry.set_level(subject, self.level).await;
        match registry.register(subject, schema_type, new).await {
            answer if answer.status == 200 => Taken,
            answer if answer.status == 409 => Refused,
            answer => panic!("{self}: the registry answered {answer:?}"),
        }
    }
}

impl fmt::Display for Tried<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.case.schema_type.to_lowercase(), self.case.name, self.level.to_lowercase())
    }
}

/// Each step passes BACKWARD; the third breaks with the first.
#[tokio::test]
async fn a_history_that_is_backward_at_each_step_may_break_backward_transitive() {
    const A: &str = r#"{"name": "a", "type": "int"}"#;
    const B: &str = r#"{"name": "b", "type": "int"}"#;
    const B_OR_0: &str = r#"{"name": "b", "type": "int", "default": 0}"#;
    let history = [record(A), record(&format!("{A}, {B_OR_0}")), record(&format!("{A}, {B}"))];

    let stage = Stage::new("transitive").await;
    for level in ["BACKWARD", "BACKWARD_TRANSITIVE"] {
        let name = level.to_lowercase().replace('_', "-");
        stage.apply(&stage.config(&name, level)).await;
        stage.until_config_is(&name, "True", "InSync").await;
        for text in &history[..2] {
            stage.apply(&stage.schema(&name, text)).await;
            stage.until_schema_is(&name, "True", "InSync").await;
        }
        stage.apply(&stage.schema(&name, &history[2])).await;
    }
    let step_by_step = stage.until_schema_is("backward", "True", "InSync").await;
    assert_eq!(step_by_step.latest(), Some(3));
    let with_all = stage.until_schema_is("backward-transitive", "False", "Incompatible").await;
    assert_eq!(with_all.latest(), Some(2));
    assert_eq!(with_all.text("/status/compatibility/comparedVersions"), "1, 2");
    assert_eq!(stage.registry.versions(&stage.subject("backward-transitive")).await, [1, 2]);
    stage.end().await;
}

/// Release 3.0.9 takes NONE for a subject and goes on enforcing the level that holds for all.
#[tokio::test]
async fn a_level_that_the_registry_takes_and_does_not_hold_is_told() {
    let (world, registry) =
        tokio::join!(shared(), Registry::start("cluster-not-held", Release::V3_0_9, Storage::Memory));
    registry.set_global_level("BACKWARD").await;
    let stage = Stage::bare(world, "not-held", &registry.url()).await;
    stage.apply(&stage.default_registry()).await;
    stage.apply(&stage.schema("orders", &record(""))).await;
    stage.until_schema_is("orders", "True", "InSync").await;
    stage.apply(&stage.config("orders", "NONE")).await;
    let config = stage.until_config_is("orders", "False", "NotHeld").await;
    assert!(config.is("Stalled") && config.message().contains("BACKWARD"), "{config}");
    stage.end().await;
}
