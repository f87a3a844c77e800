//! Avro.

use super::{Bomb, alone, pair};

/// Deeper than anything recursive survives.
const DEEP: usize = 100_000;

fn record(name: &str, fields: &[String]) -> String {
    format!(r#"{{"type":"record","name":"{name}","fields":[{}]}}"#, fields.join(","))
}

fn field(name: &str, kind: &str) -> String {
    format!(r#"{{"name":"{name}","type":{kind}}}"#)
}

fn quoted(word: &str) -> String {
    format!("\"{word}\"")
}

pub fn bombs() -> Vec<Bomb> {
    let nested =
        |levels: usize| format!("{}\"int\"{}", r#"{"type":"array","items":"#.repeat(levels), "}".repeat(levels));
    let mut all = vec![
        alone("brackets", "[".repeat(1 << 20)),
        alone("nested arrays", nested(DEEP)),
        alone("nested as deep as they may be", nested(490)),
        alone("nested types of types", format!("{}\"int\"{}", r#"{"type":"#.repeat(DEEP), "}".repeat(DEEP))),
        alone("blank", " ".repeat(1 << 20)),
        alone("nothing but commas", ",".repeat(1 << 20)),
        alone("a name of 1 MiB", record(&"N".repeat(1 << 20), &[])),
        alone("a namespace of 1 MiB", record(&"n.".repeat(1 << 19), &[])),
        alone("an unknown name of 1 MiB", quoted(&"N".repeat(1 << 20))),
        alone("half a surrogate", r#"{"type":"record","name":"R","doc":"\ud800","fields":[]}"#.to_owned()),
        alone("an escape that is none", r#"{"type":"\x41"}"#.to_owned()),
        alone("a key twice", r#"{"type":"int","type":"string"}"#.to_owned()),
        alone("a key many times", format!(r#"{{{}"type":"int"}}"#, r#""type":"string","#.repeat(60_000))),
        alone("a size beyond all numbers", r#"{"type":"fixed","name":"F","size":1e999999999}"#.to_owned()),
        alone(
            "a default beyond all numbers",
            record("R", &[r#"{"name":"a","type":"double","default":1e999999999}"#.to_owned()]),
        ),
    ];
    all.extend(references());
    all.extend(wide());
    all.extend(long_names());
    all
}

/// Types that refer to each other in ways that multiply.
fn references() -> Vec<Bomb> {
    let doubling = |levels: usize, innermost: &str| {
        let first = field("f0", &record("N0", &[field("x", &quoted(innermost))]));
        let level = |at: usize| {
            let before = quoted(&format!("N{}", at - 1));
            field(&format!("f{at}"), &record(&format!("N{at}"), &[field("a", &before), field("b", &before)]))
        };
        record("R", &std::iter::once(first).chain((1..levels).map(level)).collect::<Vec<_>>())
    };
    let chain = |links: usize, innermost: &str| {
        let link = |at: usize| {
            let inner = if at == 0 { innermost.to_owned() } else { format!("N{}", at - 1) };
            field(&format!("f{at}"), &record(&format!("N{at}"), &[field("a", &quoted(&inner))]))
        };
        record("R", &(0..links).rev().map(link).collect::<Vec<_>>())
    };
    let reasons = |links: usize, innermost: &str| {
        let link = |at: usize| {
            let inner = match at {
                0 => field("x", &quoted(innermost)),
                at => field("u", &format!(r#"["R{}"]"#, at - 1)),
            };
            field(&format!("a{at}"), &record(&format!("R{at}"), &[inner]))
        };
        record("T", &(0..links).map(link).collect::<Vec<_>>())
    };
    let unions = |tag: &str, branches: usize| {
        let branch = |at: usize| {
            let next = format!(r#"["null","{tag}{at}"]"#);
            record(&format!("{tag}{at}"), &[field("id", "\"long\""), field("next", &next)])
        };
        format!("[{}]", (0..branches).map(branch).collect::<Vec<_>>().join(","))
    };
    vec![
        pair("each holds the one before twice", doubling(200, "string"), doubling(200, "int")),
        alone("each holds the one before twice, alone", doubling(3_000, "int")),
        pair("a long chain", chain(5_000, "string"), chain(5_000, "int")),
        pair("a long chain of reasons", reasons(5_000, "int"), reasons(5_000, "boolean")),
        pair("unions of recursive records", unions("A", 2_000), unions("B", 2_000)),
        alone("a union of recursive records", unions("A", 4_000)),
        alone("a record of itself", record("R", &[field("r", "\"R\"")])),
    ]
}

/// Much of one thing.
fn wide() -> Vec<Bomb> {
    let enumeration = |from: usize, count: usize| {
        let symbols: Vec<String> = (from..from + count).map(|at| format!("\"S{at}\"")).collect();
        format!(r#"{{"type":"enum","name":"E","symbols":[{}]}}"#, symbols.join(","))
    };
    let fields = |kind: &str| {
        record("R", &(0..20_000).map(|at| field(&format!("field{at}"), &quoted(kind))).collect::<Vec<_>>())
    };
    let aliases = |count: usize| {
        let aliases: Vec<String> = (0..count).map(|at| format!("\"a{at}\"")).collect();
        let field = format!(r#"{{"name":"a","type":"int","aliases":[{}]}}"#, aliases.join(","));
        record("R", &[field])
    };
    let of_aliases = |tag: &str| {
        let aliases: Vec<String> = (0..50_000).map(|at| format!("\"{tag}{at}\"")).collect();
        format!(r#"{{"type":"enum","name":"{tag}","symbols":["A"],"aliases":[{}]}}"#, aliases.join(","))
    };
    let one_of_many = |count: usize| {
        let branch = |at| format!(r#"{{"type":"enum","name":"E{at}","symbols":["A"]}}"#);
        format!("[{}]", (0..count).map(branch).collect::<Vec<_>>().join(","))
    };
    let renamed =
        |tag: &str| record("R", &(0..5_000).map(|at| field(&format!("{tag}{at}"), "\"int\"")).collect::<Vec<_>>());
    vec![
        pair("an enum that becomes another", enumeration(0, 80_000), enumeration(80_000, 80_000)),
        alone("an enum of one symbol, many times", enumeration(0, 1).replace("\"S0\"", &"\"S\",".repeat(100_000))),
        pair("many fields of another type", fields("int"), fields("string")),
        pair("many fields that are renamed", renamed("a"), renamed("b")),
        alone("many aliases", aliases(60_000)),
        pair("many aliases of two types", of_aliases("a"), of_aliases("b")),
        pair("many types that may have one of many aliases", of_aliases("a"), one_of_many(9_000)),
        pair("a type of many aliases that may be one of many", one_of_many(9_000), of_aliases("a")),
        pair("a field that many aliases find", renamed("a"), aliases(5_000)),
        alone(
            "many unknown names",
            record(
                "R",
                &(0..20_000).map(|at| field(&format!("f{at}"), &quoted(&format!("X{at}")))).collect::<Vec<_>>(),
            ),
        ),
        alone("many definitions of one name", format!("[{}]", vec![record("R", &[]); 20_000].join(","))),
    ]
}

/// A long name that many things repeat.
fn long_names() -> Vec<Bomb> {
    let within = |bytes: usize, rest: &str| {
        let namespace = format!("{}b", "a.".repeat(bytes / 2));
        format!(r#"{{"type":"record","name":"T","namespace":"{namespace}",{rest}}}"#)
    };
    let in_namespace = |bytes: usize, kinds: Vec<String>| {
        let fields: Vec<String> = kinds.iter().enumerate().map(|(at, kind)| field(&format!("f{at}"), kind)).collect();
        within(bytes, &format!(r#""fields":[{}]"#, fields.join(",")))
    };
    let fixed = |at: usize| format!(r#"{{"type":"fixed","name":"F{at}","size":1}}"#);
    let definitions = |count: usize| (0..count).map(fixed).collect::<Vec<_>>();
    let aliases: Vec<String> = (0..10_000).map(|at| format!("\"a{at}\"")).collect();
    let uses = || std::iter::once(fixed(0)).chain((0..20_000).map(|_| quoted("F0"))).collect();
    let nested = |levels: usize| {
        let open: String = (0..levels)
            .map(|at| format!(r#"{{"type":"record","name":"R{at}","fields":[{{"name":"f","type":"#))
            .collect();
        format!("{open}\"int\"{}", "}]}".repeat(levels))
    };
    let of_long_name = |default: usize| {
        let fields = (0..10_000).map(|at| format!(r#"{{"name":"f{at}","type":"int","default":{default}}}"#));
        let inner = record(&"N".repeat(200_000), &fields.collect::<Vec<_>>());
        record("R", &[field("n", &inner)])
    };
    vec![
        alone("a long namespace of many types", in_namespace(240_000, definitions(4_000))),
        alone(
            "a long namespace of many aliases",
            within(120_000, &format!(r#""aliases":[{}],"fields":[]"#, aliases.join(","))),
        ),
        alone("a long namespace of many uses", in_namespace(240_000, uses())),
        alone("a long namespace of a name that comes later", in_namespace(240_000, vec![quoted("T"); 20_000])),
        alone("a long namespace of deep types", in_namespace(240_000, vec![nested(160)])),
        pair("a long name of many fields", of_long_name(0), of_long_name(1)),
    ]
}
