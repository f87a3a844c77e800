//! Every code, one example: what is said, in full.

use super::notation::{Case, read};
use super::*;
use crate::api::SchemaType;
use crate::compat::history::Past;
use crate::compat::{APICURIO_3, CONFLUENT_8_3, CONFLUENT_NEXT};
use crate::schema::Version;

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
    for (code, path, message, remedy) in SAID {
        let advice = example(code).into_iter().find(|advice| advice.code == code);
        let said = Advice { code, path: path.into(), message: message.into(), remedy: Some(remedy.into()) };
        assert_eq!(advice, Some(said));
    }
    assert_eq!(SAID.map(|(code, ..)| code), Code::ALL);
}

/// Status shows message and remedy in one line of at most 500 characters.
#[test]
fn what_is_said_fits_its_place() {
    for (code, _, message, remedy) in SAID {
        assert!(message.len() + remedy.len() < 450, "{code}");
        assert!(!message.contains('\n') && !message.ends_with('.'), "{code}: {message}");
    }
}

/// Code, path, what is the case, what to do.
const SAID: [(Code, &str, &str, &str); 41] = [
    (
        Code::RenameWithoutAlias,
        "/fields/0",
        "field curr is new and field currency of version 3 is gone, and both are string: if that is a rename, readers \
         of this schema do not find what version 3 wrote as currency",
        "give curr the alias currency, or acknowledge this if they are two things",
    ),
    (
        Code::NeedsAlias,
        "/fields/0",
        "field curr is found in data of version 3 as currency by its alias alone, which readers in C++, Rust and some \
         in Go do not know",
        "keep the name currency, or try the library of every reader first",
    ),
    (
        Code::FullNameChanged,
        "/",
        "record Order is store.Order, and shop.Order in version 3: generated classes and subjects named after records \
         follow the full name",
        "keep shop.Order, or move those classes and subjects together with this schema",
    ),
    (
        Code::EnumGrew,
        "/fields/0/type",
        "enum Status has the new PAID, which readers with version 3 cannot read: they have no default for it",
        "upgrade every reader before PAID is written, and give enum Status a default for the next time",
    ),
    (
        Code::EnumDefaultHides,
        "/fields/0/type",
        "enum Status no longer has PAID: where version 3 wrote it, readers of this schema see the default NEW, \
         without an error",
        "keep PAID in enum Status for as long as there is data with it",
    ),
    (
        Code::DefaultChanged,
        "/fields/0",
        "field total has the default 1, and 0 in version 3: data without the field reads as another value than \
         before",
        "keep the default 0, unless data that lacks total is meant to change",
    ),
    (
        Code::DefaultRemoved,
        "/fields/0",
        "field total has lost the default 0 of version 3: data of versions before the field came cannot be read any \
         more, which only a transitive level would refuse",
        "keep the default of total",
    ),
    (
        Code::LogicalTypeChanged,
        "/fields/0/type",
        "field placed is long timestamp-micros, and long timestamp-millis in version 3: the registry compares only \
         the bytes, and readers of this schema give those of version 3 another meaning",
        "keep long timestamp-millis of field placed, and give what is long timestamp-micros a field of its own",
    ),
    (
        Code::AmbiguousUnion,
        "/fields/0/type",
        "field placed has more than one branch for record Place of version 3, and decoders choose by what fits: data \
         may land in the other one",
        "keep one branch with the name of record Place",
    ),
    (
        Code::AcceptedThoughUnreadable,
        "#/Order/way/2",
        "the registry takes this schema, because its checker does not look here, but field b of Order is int32 in \
         this schema and string in version 3, which have other bytes, so data written with version 3 cannot be read",
        "keep field b of Order as it is in version 3",
    ),
    (
        Code::PrecisionLost,
        "/fields/0/type",
        "field placed is double, and long in version 3: large whole numbers of old data lose digits",
        "keep long, where placed holds such numbers",
    ),
    (
        Code::NumberNotReserved,
        "#/Order/2",
        "field note of Order is gone since version 3, and number 2 is not reserved: whoever gives it to something \
         else misreads data that still has note",
        "add reserved 2; and reserved \"note\"; to Order",
    ),
    (
        Code::NumberReused,
        "#/Order/1",
        "number 1 is int64 total now, and int32 id in version 3: what version 3 wrote there is read as something \
         else",
        "give total a number that was never used, and reserve 1",
    ),
    (
        Code::NumberChanged,
        "#/Order/3",
        "field a of Order has number 3, and 1 in version 3: readers of this schema take what version 3 wrote as a for \
         b",
        "keep number 1 for a",
    ),
    (
        Code::ReservedReused,
        "#/Order/2",
        "field note of Order has number 2, which version 3 reserved: data of earlier versions may hold something else \
         there",
        "reserve number 2 again and give note one that was never used",
    ),
    (
        Code::ReservationDropped,
        "#/Order",
        "version 3 reserves number 2, 5 to 7 and \"old\" of Order, and this schema does not: whoever uses that for \
         something else misreads data of earlier versions",
        "keep that reserved, as in version 3",
    ),
    (
        Code::CardinalityChanged,
        "#/Order/1",
        "field id of Order is repeated, and single in version 3: readers with version 3 keep the last of several \
         values, and none of packed ones",
        "upgrade every reader before more than one value is written",
    ),
    (
        Code::RequiredChanged,
        "#/Order/1",
        "field id of Order is required, and not in version 3: readers of this schema refuse data of version 3 that \
         lacks it",
        "keep it optional: what is required can never be taken back",
    ),
    (
        Code::PresenceDropped,
        "#/Order/1",
        "field id of Order no longer tells unset from 0, false or empty, as it does in version 3",
        "write optional before it, if its absence means something",
    ),
    (
        Code::ValuesMayNotFit,
        "#/Order/1",
        "field id of Order is int32, and int64 in version 3: when this schema reads data of version 3, numbers beyond \
         32 bits are cut off",
        "keep int64, and give int32 a number of its own",
    ),
    (
        Code::WireTypeChanged,
        "#/Order/1",
        "field id of Order is int64, and int32 in version 3: the bytes are the same, generated code and JSON are not",
        "change code together with this schema",
    ),
    (
        Code::Renamed,
        "#/Order/1",
        "field user of Order is named user_name in version 3: the bytes are the same, but JSON, field masks and \
         generated code follow the name",
        "keep the name user_name, or set json_name = \"userName\" and change code together with this schema",
    ),
    (
        Code::NotCompared,
        "#/Order/1/1",
        "field price of group Line of Order is string, and int32 in version 3, which the registry does not compare: \
         what version 3 wrote there is misread",
        "keep int32, and give what is new a number that was never used",
    ),
    (
        Code::LevelRefusesAdditions,
        "#/Order/Line",
        "level FULL refuses every new message and every new member of a oneof, here message Order.Line: readers with \
         version 3 do not know them",
        "set BACKWARD_TRANSITIVE for Protobuf",
    ),
    (
        Code::OpenModel,
        "#/properties/note",
        "property note is new, and version 3 leaves undeclared properties free (an open content model): its data may \
         hold anything there, so BACKWARD refuses every such addition",
        "close the model from the start (additionalProperties: false), or set the policy LENIENT, or keep such \
         properties under patternProperties with a prefix, or let producers validate with a closed schema and \
         consumers with an open one",
    ),
    (
        Code::IgnoredKeyword,
        "#/properties/mail/format",
        "property mail has format email, and none in version 3: the registry does not look at format, and readers of \
         this schema may refuse data of version 3",
        "keep format as in version 3, unless all data of version 3 fits",
    ),
    (
        Code::RequiredWithDefault,
        "#/required/total",
        "property total is required and has a default, which the registry takes for an answer, but validators fill no \
         default in: readers of this schema refuse data of version 3 that lacks it",
        "leave it optional, and let readers take the default",
    ),
    (
        Code::BranchesOverlap,
        "#/oneOf/1",
        "data of version 3 that fits branch 0 of the oneOf of the schema may now fit branch 1 as well, and a oneOf \
         refuses what fits two",
        "tell the branches apart by a required property with a const for each, or use anyOf",
    ),
    (
        Code::StreamsState,
        "",
        "level FORWARD does not see to it that new code reads old records, and Kafka Streams and ksqlDB keep those in \
         state stores and changelogs",
        "set BACKWARD or FULL, or their transitive forms, where such an application reads the topic",
    ),
    (
        Code::UpgradeOrder,
        "",
        "under level FORWARD readers of the old version read data of a new one, not the other way round",
        "upgrade producers first, and consumers once the old data is read or has expired",
    ),
    (
        Code::NotTransitive,
        "/fields/1",
        "every step passed BACKWARD, which compares with one version only, but version 3 breaks it against version 1: \
         field total is new and has no default, so data written with version 1 cannot be read",
        "mend that and set BACKWARD_TRANSITIVE, where old data stays: long retention, compacted topics, replays",
    ),
    (
        Code::UncheckedHistory,
        "/fields/0/type",
        "the step to version 2 breaks BACKWARD, so it was taken under another level or none: field id is now string, \
         which cannot be read from int, so data written with version 1 cannot be read",
        "set no transitive level before the versions that nobody needs are deleted: it compares with all of them",
    ),
    (
        Code::ReferenceBump,
        "",
        "the text did not change, but it now refers to common-value 2: that is a new version with an id of its own, \
         and what is compared is what it refers to",
        "acknowledge this if the new version is meant",
    ),
    (
        Code::RegistriesDiffer,
        "#/Order/c",
        "confluent-8.3 takes this change under BACKWARD, and confluent-next would refuse it \
         (FIELD_MOVED_TO_EXISTING_ONEOF)",
        "keep to what both take, if this schema is to go to confluent-next as well",
    ),
    (
        Code::RegistryFails,
        "",
        "the registry fails (HTTP 500) when it compares this schema with version 3: exclusiveMaximum was changed \
         without a maximum, which its checker then looks for",
        "keep that part as it is, or upgrade the registry if a newer release compares it",
    ),
    (
        Code::RegistrySlow,
        "",
        "the registry compares parts of this schema that refer to each other again and again against version 3, for \
         seconds or without an end",
        "refer to parts from fewer branches, or raise the registry's request timeout and expect a retry",
    ),
    (
        Code::InvalidElsewhere,
        "/fields/0",
        "field total has the default 0, which is not of the first branch of its union: clients before Avro 1.12 \
         refuse the schema or misread old data",
        "put the branch of 0 first",
    ),
    (
        Code::KeySchemaChanged,
        "",
        "this is the schema of keys, and its id is part of their bytes: a key written with it is another one than the \
         same key written with version 3, goes to another partition and does not replace it in a compacted topic",
        "keep the schema of keys, or move to a new topic",
    ),
    (
        Code::LatestClients,
        "",
        "producers with use.latest.version write with this schema as soon as it is registered, and readers with \
         version 3 cannot read that",
        "upgrade the consumers before this schema is registered, where producers use the latest version",
    ),
    (
        Code::SubjectFrozen,
        "",
        "no schema passes FULL_TRANSITIVE any more, since it would have to suit version 1 and version 2: field id is \
         int in version 1 and string in version 2",
        "set FULL, delete the version that nobody needs, or move to a new subject",
    ),
    (
        Code::PinnedReferenceNotPortable,
        "",
        "reference common.proto is pinned to version 2 of subject common-value, a number that another registry or \
         context may give to another schema",
        "refer to a Schema resource by schemaRef, or to the latest version, before this is applied elsewhere",
    ),
];
