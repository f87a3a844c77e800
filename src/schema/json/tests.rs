//! What a text becomes: which loader reads it, what its references lead to, and what is refused.

use rstest::rstest;

use super::{Kind, ParseError, Schema, parse};
use crate::schema::{Reading, Reference};

const LATER: &str = "https://json-schema.org/draft/2020-12/schema";

fn read(text: &str) -> Result<Schema, ParseError> {
    parse(text, &[], Reading::New)
}

/// What the property `a` of the outermost schema is, references followed.
fn property_a(schema: &Schema) -> &Kind {
    let Kind::Object(object) = &schema.node(schema.root()).kind else { panic!("the root is not an object") };
    let a = object.properties.iter().find(|property| &*property.name == "a").expect("there is a");
    &schema.node(schema.followed(a.schema)).kind
}

#[test]
fn a_reference_leads_to_what_it_names() {
    let rows = [
        r##"{"properties":{"a":{"$ref":"#/definitions/A"}},"definitions":{"A":{"type":"string"}}}"##,
        r##"{"properties":{"a":{"$ref":"#/definitions/A%20B~1c"}},"definitions":{"A B/c":{"type":"string"}}}"##,
        r##"{"properties":{"a":{"$ref":"#/properties/b"},"b":{"type":"string"}}}"##,
        r##"{"properties":{"a":{"$ref":"#A"}},"definitions":{"A":{"$id":"#A","type":"string"}}}"##,
        r##"{"$schema":"LATER","properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{"type":"string"}}}"##,
        r##"{"$schema":"LATER","properties":{"a":{"$ref":"#A"}},"$defs":{"A":{"$anchor":"A","type":"string"}}}"##,
        r##"{"$schema":"LATER","$id":"http://x/y","properties":{"a":{"$ref":"z"}},"$defs":{"A":{"$id":"z","type":"string"}}}"##,
        r##"{"$schema":"LATER","properties":{"a":{"$ref":"#/properties/b"},"b":{"type":"string"}}}"##,
    ];
    for text in rows {
        let schema = read(&text.replace("LATER", LATER)).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert!(matches!(property_a(&schema), Kind::String(_)), "{text}");
    }
}

#[test]
fn a_named_reference_is_found_by_its_name_or_beside_the_schemas_own() {
    for id in ["", r#""$id":"http://x/y/root.json","#] {
        for draft in ["http://json-schema.org/draft-07/schema#", LATER] {
            for name in ["a.json", "a.json#/definitions/A"] {
                let text = format!(r#"{{"$schema":"{draft}",{id}"properties":{{"a":{{"$ref":"{name}"}}}}}}"#);
                let a = r#"{"type":"string","definitions":{"A":{"type":"string"}}}"#;
                let schema = parse(&text, &[Reference { name: "a.json", text: a }], Reading::New);
                let schema = schema.unwrap_or_else(|error| panic!("{text}: {error}"));
                assert!(matches!(property_a(&schema), Kind::String(_)), "{text}");
            }
        }
    }
}

#[test]
fn references_of_references_are_found_among_them() {
    let references = [
        Reference {
            name: "a.json",
            text: r##"{"properties":{"b":{"$ref":"b.json"},"c":{"$ref":"#/definitions/C"}},"definitions":{"C":{}}}"##,
        },
        Reference { name: "b.json", text: r#"{"type":"null"}"# },
    ];
    for draft in ["http://json-schema.org/draft-07/schema#", LATER] {
        let text = format!(r#"{{"$schema":"{draft}","properties":{{"a":{{"$ref":"a.json"}}}}}}"#);
        assert!(parse(&text, &references, Reading::New).is_ok(), "{draft}");
        assert!(parse(&text, &references[..1], Reading::New).is_err_and(|error| error.is_refusal()), "{draft}");
    }
}

#[test]
fn what_the_registry_cannot_load_is_refused() {
    let rows = [
        "[]",
        "1",
        "null",
        "",
        "{",
        r#"{"type":"strng"}"#,
        r#"{"type":1}"#,
        r#"{"minLength":1.0}"#,
        r#"{"minLength":"1"}"#,
        r#"{"pattern":"[a"}"#,
        r#"{"multipleOf":0}"#,
        r#"{"required":"a"}"#,
        r#"{"items":1}"#,
        r#"{"title":1}"#,
        r#"{"properties":{"a":1}}"#,
        r##"{"$ref":"#/definitions/A"}"##,
        r#"{"$ref":"a b"}"#,
        r#"{"$ref":"other.json"}"#,
        r#"{"$schema":5}"#,
        r#"{"$schema":"http://json-schema.org/draft-04/schema#","items":true}"#,
        r#"{"$schema":"http://json-schema.org/draft-04/schema#","exclusiveMaximum":1}"#,
        r#"{"$schema":"LATER","items":[{}]}"#,
        r#"{"$schema":"LATER","$defs":{"A":{"minLength":"1"}}}"#,
        r#"{"$schema":"LATER","$defs":{"A":{"$anchor":"x"},"B":{"$anchor":"x"}}}"#,
        r##"{"$schema":"LATER","$defs":{"A":{"$ref":"#/$defs/B"}}}"##,
    ];
    for text in rows {
        let read = read(&text.replace("LATER", LATER));
        assert!(read.as_ref().is_err_and(ParseError::is_refusal), "{text}: {read:?}");
    }
}

#[test]
fn what_only_the_registry_may_fetch_is_not_told() {
    for draft in ["http://json-schema.org/draft-07/schema#", LATER] {
        let text = format!(r#"{{"$schema":"{draft}","$ref":"https://elsewhere.example/a.json"}}"#);
        assert!(matches!(read(&text), Err(ParseError::Elsewhere(_))), "{draft}");
    }
    // The loader of earlier drafts looks for a schema's own name elsewhere, too.
    let text = r#"{"$id":"http://x/y.json","properties":{"a":{"$ref":"y.json#/definitions/A"}}}"#;
    assert!(matches!(read(text), Err(ParseError::Elsewhere(_))));
}

#[test]
fn odd_texts_that_the_registry_takes_are_taken() {
    let rows = [
        "true",
        "false",
        "{}",
        "\u{feff}{}",
        r#"{"$schema":"http://elsewhere/schema","type":"string"}"#,
        r#"{"type":[]}"#,
        r#"{"enum":[]}"#,
        r#"{"allOf":[]}"#,
        r#"{"definitions":{"A":{"type":"strng"}}}"#,
        r##"{"$ref":"#"}"##,
        r##"{"definitions":{"A":{"$ref":"#/definitions/A"}},"$ref":"#/definitions/A"}"##,
        r#"{"$schema":"LATER","minLength":1.5}"#,
        r#"{"$schema":"LATER","type":[]}"#,
    ];
    for text in rows {
        let read = read(&text.replace("LATER", LATER));
        assert!(read.is_ok(), "{text}: {:?}", read.err());
    }
}

#[test]
fn references_that_multiply_are_bounded() {
    let definition = |at: usize| {
        let next: Vec<String> = (0..8).map(|n| format!(r##""p{n}":{{"$ref":"#/$defs/D{}"}}"##, at + 1)).collect();
        format!(r#""D{at}":{{"properties":{{{}}}}}"#, next.join(","))
    };
    let all: Vec<String> = (0..20).map(definition).collect();
    let text = format!(r##"{{"$schema":"{LATER}","$ref":"#/$defs/D0","$defs":{{{},"D20":{{}}}}}}"##, all.join(","));
    assert!(read(&text).is_ok_and(|schema| schema.size() < 50_000));
}

/// One part that many refer to, or many parts that are named, under an `$id` of so many letters.
fn named(id: usize, property: &str, count: usize) -> String {
    let properties: Vec<String> =
        (0..count).map(|at| format!(r#""p{at}":{}"#, property.replace("AT", &at.to_string()))).collect();
    let (id, properties) = ("a".repeat(id), properties.join(","));
    format!(r#"{{"$id":"http://x/{id}/","definitions":{{"A":{{}}}},"properties":{{{properties}}}}}"#)
}

#[rstest]
#[case::references(r##"{"$ref":"#/definitions/A"}"##)]
#[case::references_to_many(r##"{"$ref":"#/properties/pAT/items","items":{}}"##)]
#[case::ids(r#"{"$id":"pAT"}"#)]
fn long_names_are_bounded(#[case] property: &str) {
    for translate in [str::to_owned, later as fn(&str) -> String] {
        let error = read(&translate(&named(100_000, property, 200))).err();
        assert!(error.is_some_and(|error| matches!(error, ParseError::LongNames(_)) && !error.is_refusal()));
        let ordinary = read(&translate(&named(60, property, 1_000)));
        assert!(!matches!(ordinary, Err(ParseError::LongNames(_))), "ordinary names are no matter");
    }
}

#[test]
fn long_anchors_and_long_names_of_references_are_bounded() {
    let anchors = later(&named(100_000, r#"{"$anchor":"AAT"}"#, 200));
    assert!(matches!(read(&anchors), Err(ParseError::LongNames(_))));
    let names: Vec<String> = (0..200).map(|at| format!("r{at}.json")).collect();
    let references: Vec<Reference<'_>> = names.iter().map(|name| Reference { name, text: "{}" }).collect();
    for text in [named(100_000, "{}", 1), later(&named(100_000, "{}", 1))] {
        assert!(matches!(parse(&text, &references, Reading::New), Err(ParseError::LongNames(_))));
    }
}

#[test]
fn many_references_under_an_ordinary_id_are_read() {
    let text = named(60, r##"{"$ref":"#/definitions/A"}"##, 20_000);
    assert!(read(&text).is_ok());
    assert!(read(&later(&text)).is_ok());
}

fn later(text: &str) -> String {
    text.replacen('{', r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","#, 1)
}

#[rstest]
#[case::items("items")]
#[case::not("not")]
#[case::additional_properties("additionalProperties")]
fn deep_texts_are_read_on_any_stack(#[case] keyword: &str) {
    let text = format!("{}{{}}{}", format!("{{\"{keyword}\":").repeat(480), "}".repeat(480));
    assert!(parse(&text, &[], Reading::New).is_ok());
    assert!(parse(&later(&text), &[], Reading::New).is_ok());
}

#[test]
fn long_chains_of_references_are_read_on_any_stack() {
    let chain = |length: usize| {
        let one = |at| format!(r##""d{at}":{{"properties":{{"a":{{"$ref":"#/$defs/d{}"}}}}}}"##, at + 1);
        let definitions: Vec<String> = (0..length).map(one).collect();
        later(&format!(r##"{{"$ref":"#/$defs/d0","$defs":{{{},"d{length}":{{}}}}}}"##, definitions.join(",")))
    };
    assert!(parse(&chain(200), &[], Reading::New).is_ok());
    assert_eq!(parse(&chain(480), &[], Reading::New).unwrap_err(), ParseError::TooDeep);
}
