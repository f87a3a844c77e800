//! Every code, one example: what is said, in full.

use super::notation::{Case, read};
use super::*;
use crate::api::SchemaType;
use crate::compat::history::Past;
use crate::compat::{APICURIO_3, CONFLUENT_8_3, CONFLUENT_NEXT};

fn version(number: i64) -> Version {
    Version::new(number).unwrap()
}

fn record(fields: &str) -> String {
    format!(r#"{{"type":"record","name":"Order","fields":[{fields}]}}"#)
}

fn avro(old: &str, new: &str) -> Case {
    Case::of(SchemaType::Avro, &record(old), &record(new))
}

fn protobuf(old: &str, new: &str) -> Case {
    let text = |body: &str| format!("syntax = \"proto3\"; message Order {{ {body} }}");
    Case::of(SchemaType::Protobuf, &text(old), &text(new))
}

fn proto2(old: &str, new: &str) -> Case {
    let text = |body: &str| format!("syntax = \"proto2\"; message Order {{ {body} }}");
    Case::of(SchemaType::Protobuf, &text(old), &text(new))
}

fn json(old: &str, new: &str) -> Case {
    Case::of(SchemaType::Json, old, new)
}

fn history(versions: &[&str]) -> Vec<Past> {
    let past = |(index, fields): (usize, &&str)| Past {
        version: version(index as i64 + 1),
        schema: Ok(read(SchemaType::Avro, &record(fields))),
    };
    versions.iter().enumerate().map(past).collect()
}

const A: &str = r#"{"name":"id","type":"int"}"#;
const A_B_DEFAULT: &str = r#"{"name":"id","type":"int"},{"name":"total","type":"int","default":0}"#;
const A_B: &str = r#"{"name":"id","type":"int"},{"name":"total","type":"int"}"#;
const TEXT: &str = r#"{"name":"id","type":"string"}"#;

/// All that an example of a code brings up.
fn example(code: Code) -> Vec<Advice> {
    let symbols = |symbols: &str, default: &str| {
        let default = if default.is_empty() { String::new() } else { format!(r#","default":"{default}""#) };
        format!(r#"{{"name":"status","type":{{"type":"enum","name":"Status","symbols":[{symbols}]{default}}}}}"#)
    };
    let typed = |kind: &str| format!(r#"{{"name":"placed","type":{kind}}}"#);
    match code {
        Code::RenameWithoutAlias => {
            avro(r#"{"name":"currency","type":"string"}"#, r#"{"name":"curr","type":"string","default":"EUR"}"#).given()
        }
        Code::NeedsAlias => {
            let new = r#"{"name":"curr","type":"string","aliases":["currency"]}"#;
            avro(r#"{"name":"currency","type":"string"}"#, new).standing()
        }
        Code::FullNameChanged => {
            let of = |space: &str| format!(r#"{{"type":"record","namespace":"{space}","name":"Order","fields":[]}}"#);
            Case::of(SchemaType::Avro, &of("shop"), &of("store")).given()
        }
        Code::EnumGrew => avro(&symbols(r#""NEW""#, ""), &symbols(r#""NEW","PAID""#, "")).given(),
        Code::EnumDefaultHides => avro(&symbols(r#""NEW","PAID""#, ""), &symbols(r#""NEW""#, "NEW")).given(),
        Code::DefaultChanged => {
            let of = |default: &str| format!(r#"{{"name":"total","type":"int","default":{default}}}"#);
            avro(&of("0"), &of("1")).given()
        }
        Code::DefaultRemoved => {
            avro(r#"{"name":"total","type":"int","default":0}"#, r#"{"name":"total","type":"int"}"#).given()
        }
        Code::LogicalTypeChanged => avro(
            &typed(r#"{"type":"long","logicalType":"timestamp-millis"}"#),
            &typed(r#"{"type":"long","logicalType":"timestamp-micros"}"#),
        )
        .given(),
        Code::AmbiguousUnion => avro(
            &typed(r#"[{"type":"record","name":"Place","fields":[]}]"#),
            &typed(
                r#"[{"type":"record","name":"a.Place","fields":[]},{"type":"record","name":"b.Place","fields":[]}]"#,
            ),
        )
        .given(),
        Code::AcceptedThoughUnreadable => {
            protobuf("oneof how { int32 a = 1; string b = 2; }", "oneof way { int32 a = 1; int32 b = 2; }").given()
        }
        Code::PrecisionLost => avro(&typed(r#""long""#), &typed(r#""double""#)).standing(),
        Code::NumberNotReserved => protobuf("int32 id = 1; string note = 2;", "int32 id = 1;").given(),
        Code::NumberReused => protobuf("int32 id = 1;", "int64 total = 1;").given(),
        Code::NumberChanged => protobuf("int32 a = 1; int32 b = 2;", "int32 b = 1; int32 c = 2; int32 a = 3;").given(),
        Code::ReservedReused => protobuf("reserved 2;", "string note = 2;").given(),
        Code::ReservationDropped => protobuf("reserved 2, 5 to 7; reserved \"old\";", "").given(),
        Code::CardinalityChanged => protobuf("int32 id = 1;", "repeated int32 id = 1;").given(),
        Code::RequiredChanged => proto2("optional string id = 1;", "required string id = 1;").given(),
        Code::PresenceDropped => protobuf("optional int32 id = 1;", "int32 id = 1;").given(),
        Code::ValuesMayNotFit => protobuf("int64 id = 1;", "int32 id = 1;").given(),
        Code::WireTypeChanged => protobuf("int32 id = 1;", "int64 id = 1;").standing(),
        Code::Renamed => protobuf("string user_name = 1;", "string user = 1;").given(),
        Code::NotCompared => {
            let group = |kind: &str| format!("optional group Line = 1 {{ optional {kind} price = 1; }}");
            proto2(&group("int32"), &group("string")).given()
        }
        Code::LevelRefusesAdditions => {
            protobuf("int32 id = 1;", "int32 id = 1; message Line {}").at(Level::Full).given()
        }
        Code::OpenModel => json(
            r#"{"type":"object","properties":{"id":{}}}"#,
            r#"{"type":"object","properties":{"id":{},"note":{"type":"string"}}}"#,
        )
        .given(),
        Code::IgnoredKeyword => json(
            r#"{"properties":{"mail":{"type":"string"}}}"#,
            r#"{"properties":{"mail":{"type":"string","format":"email"}}}"#,
        )
        .given(),
        Code::RequiredWithDefault => {
            let of = |rest: &str| format!(r#"{{"properties":{{"total":{{"type":"integer","default":0}}}}{rest}}}"#);
            json(&of(""), &of(r#","required":["total"]"#)).given()
        }
        Code::BranchesOverlap => {
            json(r#"{"oneOf":[{"type":"string"}]}"#, r#"{"oneOf":[{"type":"string"},{"type":"string","maxLength":3}]}"#)
                .given()
        }
        Code::StreamsState | Code::UpgradeOrder => of_level(Level::Forward, None),
        Code::NotTransitive => {
            of_history(Level::Backward, &history(&[A, A_B_DEFAULT, A_B]), &CONFLUENT_8_3, Policy::Strict)
        }
        Code::UncheckedHistory => of_history(Level::Backward, &history(&[A, TEXT]), &CONFLUENT_8_3, Policy::Strict),
        Code::ReferenceBump | Code::PinnedReferenceNotPortable => {
            let of = |number| {
                let version = version(number);
                [Referred { name: "common.proto", subject: "common-value", version, is_pinned: true }]
            };
            of_references(true, &of(1), &of(2))
        }
        Code::RegistriesDiffer => {
            let case =
                protobuf("oneof a { int32 x = 1; } oneof b { int32 y = 2; }", "oneof c { int32 x = 1; int32 y = 2; }");
            divergence(&case.change(), &[&CONFLUENT_8_3, &CONFLUENT_NEXT, &APICURIO_3])
        }
        Code::RegistryFails => {
            json(r#"{"type":"number","exclusiveMaximum":10}"#, r#"{"type":"number","exclusiveMaximum":5}"#).given()
        }
        Code::RegistrySlow => {
            let text = super::json::tests::mutual(4);
            json(&text, &text).given()
        }
        Code::InvalidElsewhere => avro("", r#"{"name":"total","type":["null","int"],"default":0}"#).given(),
        Code::KeySchemaChanged => Case { is_key: true, ..avro(A, A_B_DEFAULT) }.given(),
        Code::LatestClients => avro(A_B, A).given(),
        Code::SubjectFrozen => {
            frozen(Level::FullTransitive, &history(&[A, TEXT]), &CONFLUENT_8_3, Policy::Strict).into_iter().collect()
        }
    }
}

#[test]
fn every_code_is_said_like_this() {
    let mut said = String::new();
    for code in Code::ALL {
        let advice = example(code).into_iter().find(|advice| advice.code == code).unwrap_or_else(|| panic!("{code}"));
        let Advice { path, message, remedy, .. } = advice;
        said += &format!("{code} {path}\n  {message}\n  {}\n", remedy.unwrap_or_default());
    }
    println!("{said}");
}
