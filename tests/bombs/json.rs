//! JSON Schema.

use super::{Bomb, alone, pair};

const DEEP: usize = 100_000;
const DRAFT_2020: &str = r#""$schema":"https://json-schema.org/draft/2020-12/schema","#;

fn with_definitions(definitions: &[String], root: &str) -> String {
    format!(r#"{{"definitions":{{{}}},{root}}}"#, definitions.join(","))
}

pub fn bombs() -> Vec<Bomb> {
    let nested =
        |open: &str, levels: usize, close: &str| format!("{}{{}}{}", open.repeat(levels), close.repeat(levels));
    let in_2020 = |text: &str| text.replacen('{', &format!("{{{DRAFT_2020}"), 1);
    let mut all = vec![
        alone("brackets", "[".repeat(1 << 20)),
        alone("nested not", nested(r#"{"not":"#, DEEP, "}")),
        alone("nested not, as deep as it may be", nested(r#"{"not":"#, 490, "}")),
        alone("nested allOf", nested(r#"{"allOf":["#, 240, "]}")),
        alone("nested oneOf, twice each", nested(r#"{"oneOf":[{"type":"string"},"#, 240, "]}")),
        alone("nested properties", nested(r#"{"properties":{"a":"#, 240, "}}")),
        alone("half a surrogate", r#"{"properties":{"\udead":{"pattern":"\ud800"}}}"#.to_owned()),
        alone("an escape that is none", r#"{"title":"\q"}"#.to_owned()),
        alone("a key twice", r#"{"type":"integer","type":"string"}"#.to_owned()),
        alone("a key many times", format!(r#"{{{}"type":"string"}}"#, r#""type":"null","#.repeat(60_000))),
        alone("a property with a name of 1 MiB", format!(r#"{{"properties":{{"{}":{{}}}}}}"#, "p".repeat(1 << 20))),
        alone("blank", "\n".repeat(1 << 20)),
        alone("a list of many types", format!(r#"{{"type":[{}"null"]}}"#, r#""string","#.repeat(50_000))),
    ];
    all.extend(numbers());
    all.extend(references());
    all.extend(wide());
    let later: Vec<Bomb> = (all.iter().filter(|bomb| bomb.old.len() < 1 << 19 && bomb.old.starts_with('{')))
        .map(|bomb| Bomb {
            name: bomb.name,
            old: in_2020(&bomb.old).replace("definitions", "$defs"),
            new: in_2020(&bomb.new).replace("definitions", "$defs"),
            references: bomb.references.clone(),
        })
        .collect();
    all.extend(later);
    all
}

/// Numbers that take all memory once they are written out.
fn numbers() -> Vec<Bomb> {
    let number = |keyword: &str, value: &str| format!(r#"{{"type":"number","{keyword}":{value}}}"#);
    let digits = format!("1{}", "0".repeat(200_000));
    let all = |written: &'static str| number("enum", &format!("[{written}]"));
    vec![
        pair("a limit beyond all numbers", number("maximum", "1e999999999"), number("maximum", "1e999999998")),
        pair("a limit below all numbers", number("minimum", "-1e999999999"), number("minimum", "1e-999999999")),
        pair("a step beyond all numbers", number("multipleOf", "1e999999999"), number("multipleOf", "3e-999999999")),
        pair("a step of many digits", number("multipleOf", &digits), number("multipleOf", "7")),
        pair("a step that fits no number", number("multipleOf", "1e400"), number("multipleOf", "1e-400")),
        pair("values beyond all numbers", all("1e999999999"), all("1e999999999, 10e999999998")),
        pair(
            "a length beyond all numbers",
            r#"{"type":"string","minLength":1e999999999}"#.to_owned(),
            r#"{"type":"string","minLength":99999999999999999999999999}"#.to_owned(),
        ),
        alone("an exponent beyond all exponents", number("maximum", "1e99999999999999999999999999")),
    ]
}

/// Schemas that refer to each other in ways that multiply.
fn references() -> Vec<Bomb> {
    let doubling = |levels: usize, innermost: &str| {
        let definition = |at: usize| match at {
            0 => format!(r#""D0":{{"type":"{innermost}"}}"#),
            at => {
                let below = format!(r##"{{"$ref":"#/definitions/D{}"}}"##, at - 1);
                format!(r#""D{at}":{{"allOf":[{below},{below}]}}"#)
            }
        };
        let definitions: Vec<String> = (0..levels).map(definition).collect();
        with_definitions(&definitions, &format!(r##""$ref":"#/definitions/D{}""##, levels - 1))
    };
    let twice = |levels: usize, innermost: &str| {
        let definition = |at: usize| match at {
            0 => format!(r#""D0":{{"type":"{innermost}"}}"#),
            at => {
                let below = format!(r##"{{"$ref":"#/definitions/D{}"}}"##, at - 1);
                format!(r#""D{at}":{{"type":"object","properties":{{"a":{below},"b":{below}}}}}"#)
            }
        };
        let definitions: Vec<String> = (0..levels).map(definition).collect();
        with_definitions(&definitions, &format!(r##""$ref":"#/definitions/D{}""##, levels - 1))
    };
    let unions = |count: usize, tag: &str| {
        let branch = |i: usize, j: usize| {
            format!(
                r##"{{"type":"object","properties":{{"k{i}_{j}":{{"type":"{tag}"}},"next":{{"$ref":"#/definitions/T{j}"}}}},"required":["k{i}_{j}"]}}"##
            )
        };
        let union = |i: usize| (0..count).map(|j| branch(i, j)).collect::<Vec<_>>().join(",");
        let all: Vec<String> = (0..count).map(|i| format!(r#""T{i}":{{"oneOf":[{}]}}"#, union(i))).collect();
        with_definitions(&all, r##""$ref":"#/definitions/T0""##)
    };
    let ring = |links: usize, keyword: &str| {
        let link = |at: usize| format!(r##""D{at}":{{"{keyword}":{{"$ref":"#/definitions/D{}"}}}}"##, (at + 1) % links);
        with_definitions(&(0..links).map(link).collect::<Vec<_>>(), r##""$ref":"#/definitions/D0""##)
    };
    let nothing = |links: usize| {
        let link = |at: usize| format!(r##""D{at}":{{"$ref":"#/definitions/D{}"}}"##, (at + 1) % links);
        with_definitions(&(0..links).map(link).collect::<Vec<_>>(), r##""$ref":"#/definitions/D0""##)
    };
    let mutual = |count: usize, name: usize, tag: &str| {
        let object = |at: usize| {
            let property = |key: &str, step: usize| {
                format!(r##""{}":{{"$ref":"#/definitions/D{}"}}"##, key.repeat(name), (at + step) % count)
            };
            let (a, b) = (property("a", 1), property("b", 2));
            format!(r#""D{at}":{{"type":"object","properties":{{{a},{b},"z":{{"type":"{tag}"}}}}}}"#)
        };
        with_definitions(&(0..count).map(object).collect::<Vec<_>>(), r##""$ref":"#/definitions/D0""##)
    };
    let mutual = |what, count, name| pair(what, mutual(count, name, "string"), mutual(count, name, "integer"));
    let entitled = |count: usize, tag: &str| {
        let branch = |i: usize, j: usize| {
            format!(r##"{{"title":"{tag}{i}_{j}","properties":{{"next":{{"$ref":"#/definitions/T{j}"}}}}}}"##)
        };
        let union = |i: usize| (0..count).map(|j| branch(i, j)).collect::<Vec<_>>().join(",");
        let all: Vec<String> = (0..count).map(|i| format!(r#""T{i}":{{"oneOf":[{}]}}"#, union(i))).collect();
        with_definitions(&all, r##""$ref":"#/definitions/T0""##)
    };
    let mut outside = alone("texts that refer to each other", r#"{"$ref":"a.json"}"#.to_owned());
    outside.references = vec![
        ("a.json".to_owned(), r#"{"properties":{"b":{"$ref":"b.json"}}}"#.to_owned()),
        ("b.json".to_owned(), r#"{"properties":{"a":{"$ref":"a.json"}}}"#.to_owned()),
    ];
    let named = |property: &str| {
        let id = format!("http://x/{}/", "a".repeat(100_000));
        let property = |at: usize| format!(r#""p{at}":{}"#, property.replace("AT", &at.to_string()));
        let properties = (0..2_000).map(property).collect::<Vec<_>>().join(",");
        with_definitions(
            &[r#""A":{"type":"string"}"#.to_owned()],
            &format!(r#""$id":"{id}","properties":{{{properties}}}"#),
        )
    };
    vec![
        pair("allOf doubles", doubling(40, "string"), doubling(40, "integer")),
        alone("allOf doubles, alone", doubling(60, "string")),
        pair("properties double", twice(40, "string"), twice(40, "integer")),
        alone("properties double, alone", twice(60, "string")),
        alone("25 unions of each other", unions(25, "string")),
        pair("12 unions of each other, changed", unions(12, "string"), unions(12, "integer")),
        mutual("30 objects of each other, changed", 30, 1),
        mutual("600 objects of each other, changed", 600, 1),
        mutual("2,000 objects of each other, changed", 2_000, 1),
        mutual("25 objects of each other under names of 10,000 letters, changed", 25, 10_000),
        pair("30 unions of each other, each branch with another title", entitled(30, "a"), entitled(30, "b")),
        alone("a ring of items", ring(3_000, "items")),
        pair("a ring of not", ring(501, "not"), ring(500, "not")),
        alone("references that mean nothing", nothing(1)),
        alone("a ring of references that mean nothing", nothing(1_000)),
        outside,
        alone("an $id of 100,000 letters above 2,000 references", named(r##"{"$ref":"#/definitions/A"}"##)),
        alone("an $id of 100,000 letters above 2,000 others", named(r#"{"$id":"pAT"}"#)),
        alone("an $id of 100,000 letters above 2,000 anchors", named(r#"{"$anchor":"AAT"}"#)),
        alone("a reference to nowhere", r#"{"$ref":"http://127.0.0.1:1/x.json#/a/b"}"#.to_owned()),
        alone("a reference of 1 MiB", format!(r##"{{"$ref":"#/{}"}}"##, "a/".repeat(1 << 19))),
    ]
}

/// Much of one thing.
fn wide() -> Vec<Bomb> {
    let branches = |criterion: &str, count: usize, extra: &str| {
        let branch =
            |at: usize| format!(r#"{{"type":"object","required":["k{at}"{extra}],"properties":{{"k{at}":{{}}}}}}"#);
        format!(r#"{{"{criterion}":[{}]}}"#, (0..count).map(branch).collect::<Vec<_>>().join(","))
    };
    let properties = |kind: &str| {
        let property = |at: usize| format!(r#""p{at}":{{"type":"{kind}"}}"#);
        format!(r#"{{"type":"object","properties":{{{}}}}}"#, (0..20_000).map(property).collect::<Vec<_>>().join(","))
    };
    let patterns = |count: usize, length: usize| {
        let pattern = |at: usize| format!(r#""^(a+)+{at}$":{{"type":"string"}}"#);
        let property = |at: usize| format!(r#""{}{at}":{{"type":"string"}}"#, "a".repeat(length));
        let (patterns, properties): (Vec<String>, Vec<String>) =
            ((0..count).map(pattern).collect(), (0..count).map(property).collect());
        (
            format!(r#"{{"type":"object","patternProperties":{{{}}}}}"#, patterns.join(",")),
            format!(
                r#"{{"type":"object","patternProperties":{{{}}},"properties":{{{}}}}}"#,
                patterns.join(","),
                properties.join(",")
            ),
        )
    };
    let values = |from: usize| {
        let value = |at: usize| format!("\"v{at}\"");
        format!(r#"{{"enum":[{}]}}"#, (from..from + 80_000).map(value).collect::<Vec<_>>().join(","))
    };
    let (for_ever, for_ever_and_names) = patterns(400, 40);
    let (for_long, for_long_and_names) = patterns(400, 13);
    let letters = |tag: &str| {
        let class: String = (1_000..1_400).filter_map(char::from_u32).step_by(2).collect();
        let pattern = |at: usize| format!(r#""[{class}]{{4000}}{at}":{{}}"#);
        let property = |at: usize| format!(r#""{tag}{at}":{{}}"#);
        let (patterns, properties): (Vec<String>, Vec<String>) =
            ((0..150).map(pattern).collect(), (0..2_000).map(property).collect());
        format!(r#"{{"patternProperties":{{{}}},"properties":{{{}}}}}"#, patterns.join(","), properties.join(","))
    };
    let often = |tag: &str| {
        let value = |at: usize| format!("\"{tag}{at}\"");
        let property = |at: usize| format!(r##""p{at}":{{"$ref":"#/definitions/E"}}"##);
        let values: Vec<String> = (0..15_000).map(value).collect();
        let properties: Vec<String> = (0..6_000).map(property).collect();
        let root = format!(r#""properties":{{{}}}"#, properties.join(","));
        with_definitions(&[format!(r#""E":{{"enum":[{}]}}"#, values.join(","))], &root)
    };
    let of_long_name = |format: &str| {
        let property = |at: usize| format!(r#""q{at}":{{"type":"string","format":"{format}"}}"#);
        let properties: Vec<String> = (0..10_000).map(property).collect();
        format!(r#"{{"properties":{{"{}":{{"properties":{{{}}}}}}}}}"#, "p".repeat(200_000), properties.join(","))
    };
    vec![
        pair("a long name of many properties", of_long_name("date"), of_long_name("email")),
        alone("500 branches of oneOf", branches("oneOf", 500, "")),
        pair("500 branches of anyOf, each changed", branches("anyOf", 500, ""), branches("anyOf", 500, r#","x""#)),
        pair("a oneOf that becomes an allOf", branches("oneOf", 500, ""), branches("allOf", 500, "")),
        pair("many properties of another type", properties("string"), properties("integer")),
        pair("patterns that go back and forth for ever", for_ever, for_ever_and_names),
        pair("patterns that go back and forth for long", for_long, for_long_and_names),
        pair("an enum that becomes another", values(0), values(80_000)),
        alone(
            "a pattern of 100,000 brackets",
            format!(r#"{{"type":"string","pattern":"{}a{}"}}"#, "(".repeat(50_000), ")".repeat(50_000)),
        ),
        pair("patterns of many letters, many times", letters("a"), letters("b")),
        pair("an enum of many values, many times", often("a"), often("b")),
        alone(
            "a pattern of nothing, many times",
            r#"{"properties":{"a":{}},"patternProperties":{"(?:(?:(?:){5000}){5000}){5000}":{}}}"#.to_owned(),
        ),
        alone("a pattern of many repeats", r#"{"type":"string","pattern":"((a{1,1000}){1,1000}){1,1000}"}"#.to_owned()),
    ]
}
