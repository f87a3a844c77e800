//! The schemas that are measured.

use schema_registrar::api::SchemaType::{self, Avro, Json, Protobuf};

use crate::Case;

/// All pairs.
pub fn cases() -> Vec<Case> {
    let case = |schema_type, name, size, texts, is_ordinary| Case { name, schema_type, size, texts, is_ordinary };
    vec![
        case(Avro, "record of n fields", 10_000, avro_fields, true),
        case(Avro, "record of n fields, each of another type", 10_000, avro_fields_changed, true),
        case(Avro, "record of n nullable records", 5_000, avro_nested, true),
        case(Avro, "union of n records", 500, avro_union, true),
        case(Avro, "union of n records that hold themselves", 200, avro_recursive_union, false),
        case(Avro, "record of n bytes", 1 << 20, avro_bytes, true),
        case(Json, "object of n properties", 10_000, json_properties, true),
        case(Json, "object of n properties, each of another type", 10_000, json_properties_changed, true),
        case(Json, "oneOf of n objects", 100, json_branches, false),
        case(Json, "n unions of objects that hold each other", 25, json_unions, false),
        case(Json, "object of n bytes", 1 << 20, json_bytes, true),
        case(Protobuf, "message of n fields", 10_000, protobuf_fields, true),
        case(Protobuf, "message of n fields, each of another type", 10_000, protobuf_fields_changed, true),
        case(Protobuf, "n messages, each of the one before", 5_000, protobuf_messages, true),
        case(Protobuf, "oneof of n members", 5_000, protobuf_oneof, true),
        case(Protobuf, "file of n bytes", 1 << 20, protobuf_bytes, true),
    ]
}

/// A version's text, by its number.
pub type Version = fn(usize) -> String;

/// Versions by their number: each adds a field that breaks nothing.
pub fn histories() -> [(SchemaType, Version); 3] {
    [
        (Avro, |version| avro_record(20 + version % 50, "int")),
        (Json, |version| {
            let more: String = (0..version % 50).map(|at| format!(r#""p{at}":{{"type":"string"}},"#)).collect();
            format!(
                r#"{{"type":"object","properties":{{{more}"id":{{"type":"string"}}}},"additionalProperties":{{"type":"string"}}}}"#
            )
        }),
        (Protobuf, |version| protobuf_message(20 + version % 50, "int32")),
    ]
}

fn alike(text: String) -> (String, String) {
    (text.clone(), text)
}

fn avro_record(fields: usize, kind: &str) -> String {
    let field = |at: usize| format!(r#"{{"name":"field{at}","type":"{kind}","default":0}}"#);
    let fields: Vec<String> = (0..fields).map(field).collect();
    format!(r#"{{"type":"record","name":"R","fields":[{}]}}"#, fields.join(","))
}

fn avro_fields(size: usize) -> (String, String) {
    alike(avro_record(size, "int"))
}

fn avro_fields_changed(size: usize) -> (String, String) {
    let text = |kind: &str| avro_record(size, kind).replace(r#","default":0"#, "");
    (text("int"), text("string"))
}

fn avro_nested(size: usize) -> (String, String) {
    let field = |at: usize| {
        let inner = format!(r#"{{"type":"record","name":"N{at}","fields":[{{"name":"a","type":"long"}}]}}"#);
        format!(r#"{{"name":"field{at}","type":["null",{inner}],"default":null}}"#)
    };
    let fields: Vec<String> = (0..size).map(field).collect();
    alike(format!(r#"{{"type":"record","name":"R","fields":[{}]}}"#, fields.join(",")))
}

fn avro_branches(size: usize, tag: &str, next: &str) -> String {
    let branch = |at: usize| {
        let name = format!("{tag}{at}");
        let next = next.replace("SELF", &name);
        format!(
            r#"{{"type":"record","name":"{name}","fields":[{{"name":"id","type":"long"}},{{"name":"text","type":"string"}}{next}]}}"#
        )
    };
    format!("[{}]", (0..size).map(branch).collect::<Vec<_>>().join(","))
}

fn avro_union(size: usize) -> (String, String) {
    (avro_branches(size, "A", ""), avro_branches(size, "B", ""))
}

fn avro_recursive_union(size: usize) -> (String, String) {
    let next = r#",{"name":"next","type":["null","SELF"]}"#;
    (avro_branches(size, "A", next), avro_branches(size, "B", next))
}

fn avro_bytes(size: usize) -> (String, String) {
    let length = avro_record(1_000, "int").len() / 1_000;
    alike(avro_record(size / length, "int"))
}

fn json_object(properties: usize, kind: &str) -> String {
    let property = |at: usize| format!(r#""property{at}":{{"type":"{kind}","description":"property {at}"}}"#);
    let properties: Vec<String> = (0..properties).map(property).collect();
    format!(r#"{{"type":"object","properties":{{{}}},"required":["property0"]}}"#, properties.join(","))
}

fn json_properties(size: usize) -> (String, String) {
    alike(json_object(size, "string"))
}

fn json_properties_changed(size: usize) -> (String, String) {
    (json_object(size, "string"), json_object(size, "integer"))
}

fn json_branches(size: usize) -> (String, String) {
    let branch =
        |at: usize| format!(r#"{{"type":"object","properties":{{"k{at}":{{"type":"string"}}}},"required":["k{at}"]}}"#);
    alike(format!(r#"{{"oneOf":[{}]}}"#, (0..size).map(branch).collect::<Vec<_>>().join(",")))
}

fn json_unions(size: usize) -> (String, String) {
    let branch = |i: usize, j: usize| {
        format!(
            r##"{{"type":"object","properties":{{"k{i}_{j}":{{"type":"string"}},"next":{{"$ref":"#/definitions/T{j}"}}}}}}"##
        )
    };
    let union = |i: usize| (0..size).map(|j| branch(i, j)).collect::<Vec<_>>().join(",");
    let all: Vec<String> = (0..size).map(|i| format!(r#""T{i}":{{"oneOf":[{}]}}"#, union(i))).collect();
    alike(format!(r##"{{"definitions":{{{}}},"$ref":"#/definitions/T0"}}"##, all.join(",")))
}

fn json_bytes(size: usize) -> (String, String) {
    let length = json_object(1_000, "string").len() / 1_000;
    alike(json_object(size / length, "string"))
}

fn protobuf_message(fields: usize, kind: &str) -> String {
    let fields: String = (1..=fields).map(|at| format!("  {kind} field{at} = {at};\n")).collect();
    format!("syntax = \"proto3\";\nmessage M {{\n{fields}}}\n")
}

fn protobuf_fields(size: usize) -> (String, String) {
    alike(protobuf_message(size, "int32"))
}

fn protobuf_fields_changed(size: usize) -> (String, String) {
    (protobuf_message(size, "int32"), protobuf_message(size, "string"))
}

fn protobuf_messages(size: usize) -> (String, String) {
    let message = |at: usize| match at {
        0 => "message N0 { int32 x = 1; }\n".to_owned(),
        at => format!("message N{at} {{ N{} a = 1; string name = 2; }}\n", at - 1),
    };
    alike(format!("syntax = \"proto3\";\n{}", (0..size).map(message).collect::<String>()))
}

fn protobuf_oneof(size: usize) -> (String, String) {
    let members: String = (1..=size).map(|at| format!("    int32 field{at} = {at};\n")).collect();
    alike(format!("syntax = \"proto3\";\nmessage M {{\n  oneof o {{\n{members}  }}\n}}\n"))
}

fn protobuf_bytes(size: usize) -> (String, String) {
    let length = protobuf_message(1_000, "int32").len() / 1_000;
    alike(protobuf_message(size / length, "int32"))
}
