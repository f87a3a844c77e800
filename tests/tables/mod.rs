//! What teaching texts say of compatibility, as changes with the answer that a registry gives: first the tables that are
//! right, then the claims that are not, each with the true answer.

/// A change of a schema.
pub struct Row {
    /// What changes, in words that can stand in a name.
    pub name: &'static str,
    /// AVRO, JSON or PROTOBUF.
    pub schema_type: &'static str,
    /// The text before.
    pub old: String,
    /// The text after.
    pub new: String,
    /// Whether it passes BACKWARD, FORWARD and FULL.
    pub passes: [bool; 3],
}

const NOTHING: [bool; 3] = [false; 3];
const ALL: [bool; 3] = [true; 3];
const BACKWARD: [bool; 3] = [true, false, false];
const FORWARD: [bool; 3] = [false, true, false];

/// All of them.
pub fn rows() -> Vec<Row> {
    let tables = [an_order(), an_order_with_a_currency(), avro_claims(), protobuf_claims(), json_schema_claims()];
    tables.into_iter().flatten().collect()
}

/// A record of fields such as `id: string` and `currency: string = "RUB"`.
pub fn order(fields: &str) -> String {
    let field = |field: &str| {
        let (name, kind) = field.split_once(": ").expect("a field has a type");
        let (kind, default) = kind.split_once(" = ").map_or((kind, None), |(kind, default)| (kind, Some(default)));
        let kind = if kind.starts_with('[') { kind.to_owned() } else { format!("\"{kind}\"") };
        let default = default.map_or_else(String::new, |default| format!(r#","default":{default}"#));
        format!(r#"{{"name":"{name}","type":{kind}{default}}}"#)
    };
    let fields: Vec<String> = fields.split("; ").map(field).collect();
    format!(r#"{{"type":"record","name":"Order","fields":[{}]}}"#, fields.join(","))
}

/// Order{id, amount, status}.
fn an_order() -> Vec<Row> {
    let row = |name, new: &str, passes| {
        let old = "id: string; amount: double; status: string";
        Row { name, schema_type: "AVRO", old: order(old), new: order(new), passes }
    };
    vec![
        row("field-added-with-default", r#"id: string; amount: double; status: string; currency: string = "RUB""#, ALL),
        row("field-added", "id: string; amount: double; status: string; currency: string", FORWARD),
        row("field-removed", "id: string; amount: double", BACKWARD),
        row("field-renamed-without-alias", "id: string; amount: double; state: string", NOTHING),
        row("double-to-int", "id: string; amount: int; status: string", FORWARD),
        row("double-to-string", "id: string; amount: string; status: string", NOTHING),
    ]
}

/// Order{order_id, amount, currency = "EUR"}.
fn an_order_with_a_currency() -> Vec<Row> {
    let changed = |name, old: &str, new: &str, passes| Row {
        name,
        schema_type: "AVRO",
        old: order(old),
        new: order(new),
        passes,
    };
    let row =
        |name, new, passes| changed(name, r#"order_id: string; amount: double; currency: string = "EUR""#, new, passes);
    vec![
        row(
            "nullable-field-added",
            r#"order_id: string; amount: double; currency: string = "EUR"; coupon: ["null","string"] = null"#,
            ALL,
        ),
        row(
            "note-added-without-default",
            r#"order_id: string; amount: double; currency: string = "EUR"; note: string"#,
            FORWARD,
        ),
        row("field-with-default-removed", "order_id: string; amount: double", ALL),
        row("field-without-default-removed", r#"order_id: string; currency: string = "EUR""#, BACKWARD),
        row("amount-to-string", r#"order_id: string; amount: string; currency: string = "EUR""#, NOTHING),
        changed("int-to-long", "amount: int", "amount: long", BACKWARD),
    ]
}

fn avro_claims() -> Vec<Row> {
    let row = |name, old: &str, new: &str, passes| Row {
        name,
        schema_type: "AVRO",
        old: old.into(),
        new: new.into(),
        passes,
    };
    let named = |name: &str, rest: &str| format!(r#"{{"type":"record","name":"{name}",{rest}"fields":[]}}"#);
    let person =
        |name: &str| format!(r#"{{"type":"record","name":"{name}","fields":[{{"name":"name","type":"string"}}]}}"#);
    let symbols = |all: &str, rest: &str| format!(r#"{{"type":"enum","name":"E","symbols":[{all}]{rest}}}"#);
    let (one, two, or_a) = (r#""A""#, r#""A","B""#, r#","default":"A""#);
    vec![
        row("another-namespace-needs-no-none", &named("n.Order", ""), &named("m.Order", ""), ALL),
        row(
            "another-name-needs-but-an-alias",
            &named("n.Order", ""),
            &named("m.Sale", r#""aliases":["n.Order"],"#),
            BACKWARD,
        ),
        row("another-name-with-the-same-fields", &person("Employee"), &person("User"), NOTHING),
        row("string-to-bytes", r#""string""#, r#""bytes""#, ALL),
        row("bytes-to-string", r#""bytes""#, r#""string""#, ALL),
        row("branch-added", r#"["null","int"]"#, r#"["null","int","string"]"#, BACKWARD),
        row("branch-removed", r#"["null","int","string"]"#, r#"["null","int"]"#, FORWARD),
        row("symbol-added", &symbols(one, ""), &symbols(two, ""), BACKWARD),
        row("symbol-added-that-readers-have-a-default-for", &symbols(one, or_a), &symbols(two, or_a), ALL),
        row("symbol-removed", &symbols(two, ""), &symbols(one, ""), FORWARD),
    ]
}

fn protobuf_claims() -> Vec<Row> {
    let text = |body: &str| format!("syntax = \"proto3\"; message M {{ {body} }}");
    let row = |name, old, new, passes| Row { name, schema_type: "PROTOBUF", old: text(old), new: text(new), passes };
    let (two, one) = ("int32 a = 1; int32 b = 2;", "int32 a = 1;");
    vec![
        row("one-field-into-a-new-oneof", two, "oneof o { int32 a = 1; } int32 b = 2;", ALL),
        row("two-fields-into-a-new-oneof", two, "oneof o { int32 a = 1; int32 b = 2; }", FORWARD),
        row(
            "one-field-into-an-existing-oneof",
            "oneof o { int32 a = 1; } int32 b = 2;",
            "oneof o { int32 a = 1; int32 b = 2; }",
            NOTHING,
        ),
        row("a-removed-number-is-not-reserved", two, one, ALL),
        row("a-removed-number-is-reserved", two, "int32 a = 1; reserved 2;", ALL),
        row("a-varint-to-a-zigzag", one, "sint32 a = 1;", NOTHING),
        row("a-varint-to-a-fixed-number", one, "fixed32 a = 1;", NOTHING),
        row("a-varint-to-a-wider-one", one, "int64 a = 1;", ALL),
    ]
}

fn json_schema_claims() -> Vec<Row> {
    // A registry that finds the type out by itself needs to be told.
    let text = |rest: &str| format!(r#"{{"$schema":"http://json-schema.org/draft-07/schema#",{rest}}}"#);
    let row = |name, old, new, passes| Row { name, schema_type: "JSON", old: text(old), new: text(new), passes };
    let (open, closed) = (r#""type":"object""#, r#""type":"object","additionalProperties":false"#);
    let extended = |object: &str| format!(r#"{object},"properties":{{"a":{{"type":"string"}}}}"#);
    let (any, one, pattern) = (r#""type":"string""#, r#""type":["string"]"#, r#""type":"string","pattern":"^a""#);
    let nullable = r#""type":["string","null"]"#;
    vec![
        row("an-open-model-does-not-extend-freely", open, &extended(open), FORWARD),
        row("a-closed-model-does", closed, &extended(closed), BACKWARD),
        row("a-list-of-types-narrowed", nullable, one, FORWARD),
        row("a-list-of-types-extended", one, nullable, BACKWARD),
        row("a-pattern-added", any, pattern, FORWARD),
        row("a-pattern-removed", pattern, any, BACKWARD),
    ]
}
