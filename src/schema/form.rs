//! What makes two texts the same schema.
//!
//! Avro and JSON Schema are compared as parsed values, key order ignored; Avro with redundant spellings folded;
//! Protobuf as tokens without comments. A registry may see more texts as the same: its lookup is asked as well.

use std::fmt::Write;

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::text::{TextError, parse_json, refuse_blank, without_comments};
use super::{avro_form, protobuf_form};
use crate::api::SchemaType;

/// The number of the algorithm below. A fingerprint with another number is computed anew from the version that it
/// stands for, so that an improved form never looks like a change.
const ALGORITHM: u32 = 1;

/// A schema without what does not matter about its text. Equal forms are the same schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    schema_type: SchemaType,
    text: String,
}

/// Says whether another text is the same schema, in status: `1:sha256:…`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fingerprint(String);

impl Form {
    /// Reads a text within bounds. Says nothing of whether the registry takes it.
    pub fn read(schema_type: SchemaType, text: &str) -> Result<Form, TextError> {
        refuse_blank(text)?;
        let text = match schema_type {
            SchemaType::Avro => written(&avro_form::fold(parse_json(&without_comments(text))?)),
            SchemaType::Json => written(&parse_json(text)?),
            SchemaType::Protobuf => protobuf_form::tokens(text)?,
        };
        Ok(Form { schema_type, text })
    }

    /// The format.
    pub fn schema_type(&self) -> SchemaType {
        self.schema_type
    }

    /// The text in this form, which reads as the same schema.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text as JSON, where the format is written in it.
    pub fn json(&self) -> Option<Value> {
        if self.schema_type == SchemaType::Protobuf { None } else { parse_json(&self.text).ok() }
    }

    /// The fingerprint of this form.
    pub fn fingerprint(&self) -> Fingerprint {
        let mut hash = Sha256::new();
        hash.update(self.schema_type.spelling());
        hash.update(b"\n");
        hash.update(&self.text);
        let mut written = format!("{ALGORITHM}:sha256:");
        for byte in hash.finalize() {
            // Writing to a String cannot fail.
            let _ = write!(written, "{byte:02x}");
        }
        Fingerprint(written)
    }
}

impl Fingerprint {
    /// The fingerprint that a status holds.
    pub fn from_status(written: &str) -> Fingerprint {
        Fingerprint(written.to_owned())
    }

    /// Whether the present algorithm made it: only then does it say anything about equality.
    pub fn is_of_present_algorithm(&self) -> bool {
        self.0.split_once(':').is_some_and(|(algorithm, _)| algorithm == ALGORITHM.to_string())
    }

    /// As it stands in status.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The value with keys in order, whatever order the parser keeps.
fn written(value: &Value) -> String {
    let mut out = String::new();
    write_value(value, &mut out);
    out
}

fn write_value(value: &Value, out: &mut String) {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_by_key(|(key, _)| *key);
            write_list(out, ['{', '}'], entries, |(key, value), out| {
                let _ = write!(out, "{}:", Value::String(key.clone()));
                write_value(value, out);
            });
        }
        Value::Array(items) => write_list(out, ['[', ']'], items.iter().collect(), write_value),
        scalar => {
            let _ = write!(out, "{scalar}");
        }
    }
}

fn write_list<T>(
    out: &mut String,
    [open, close]: [char; 2],
    items: Vec<T>,
    mut write_item: impl FnMut(T, &mut String),
) {
    out.push(open);
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write_item(item, out);
    }
    out.push(close);
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn form(schema_type: SchemaType, text: &str) -> Form {
        Form::read(schema_type, text).unwrap()
    }

    #[rstest]
    #[case::layout(
        r#"{"type":"record","name":"A","fields":[]}"#,
        "{ \"name\": \"A\",\n \"type\": \"record\", \"fields\": [ ] }"
    )]
    #[case::comments(
        r#"{"type":"fixed","name":"A","size":1}"#,
        "/* why */ {\"type\":\"fixed\", // what\n \"name\":\"A\",\"size\":1}"
    )]
    #[case::wrapped_primitive(r#"{"type":"string"}"#, r#""string""#)]
    #[case::wrapped_field_type(
        r#"{"type":"record","name":"A","fields":[{"name":"b","type":{"type":"int"}}]}"#,
        r#"{"type":"record","name":"A","fields":[{"name":"b","type":"int"}]}"#
    )]
    #[case::namespace_in_the_name(
        r#"{"type":"record","name":"x.A","fields":[]}"#,
        r#"{"type":"record","namespace":"x","name":"A","fields":[]}"#
    )]
    #[case::namespace_repeated_inside(
        r#"{"type":"record","name":"x.A","fields":[{"name":"e","type":{"type":"enum","name":"E","namespace":"x","symbols":["S"]}}]}"#,
        r#"{"type":"record","name":"x.A","fields":[{"name":"e","type":{"type":"enum","name":"E","symbols":["S"]}}]}"#
    )]
    #[case::one_number_spelled_twice(r#"{"type":"int","x":1.0}"#, r#"{"type":"int","x":1e0}"#)]
    fn the_same_avro_schema(#[case] one: &str, #[case] other: &str) {
        assert_eq!(form(SchemaType::Avro, one), form(SchemaType::Avro, other));
    }

    #[rstest]
    #[case::doc(
        r#"{"type":"enum","name":"A","symbols":["S"]}"#,
        r#"{"type":"enum","name":"A","doc":"d","symbols":["S"]}"#
    )]
    #[case::another_namespace(r#"{"type":"fixed","name":"x.A","size":1}"#, r#"{"type":"fixed","name":"A","size":1}"#)]
    #[case::namespace_left_inside(
        r#"{"type":"record","name":"x.A","fields":[{"name":"e","type":{"type":"enum","name":"E","namespace":"","symbols":["S"]}}]}"#,
        r#"{"type":"record","name":"x.A","fields":[{"name":"e","type":{"type":"enum","name":"E","symbols":["S"]}}]}"#
    )]
    #[case::a_default_is_data(
        r#"{"type":"record","name":"A","fields":[{"name":"m","type":{"type":"map","values":"string"},"default":{"type":"string"}}]}"#,
        r#"{"type":"record","name":"A","fields":[{"name":"m","type":{"type":"map","values":"string"},"default":"string"}]}"#
    )]
    #[case::integer_or_not(r#"{"type":"int","x":1}"#, r#"{"type":"int","x":1.0}"#)]
    #[case::beyond_64_bits(
        r#"{"type":"int","x":123456789012345678901234567890}"#,
        r#"{"type":"int","x":123456789012345678901234567891}"#
    )]
    #[case::more_digits_than_are_kept(
        r#"{"type":"int","x":0.1234567890123456781}"#,
        r#"{"type":"int","x":0.1234567890123456782}"#
    )]
    fn another_avro_schema(#[case] one: &str, #[case] other: &str) {
        assert_ne!(form(SchemaType::Avro, one), form(SchemaType::Avro, other));
    }

    #[test]
    fn json_schema_keeps_all_but_layout_and_key_order() {
        let one = form(SchemaType::Json, r#"{"type": "object", "title": "t"}"#);
        assert_eq!(one, form(SchemaType::Json, r#"{"title":"t","type":"object"}"#));
        assert_ne!(one, form(SchemaType::Json, r#"{"title":"u","type":"object"}"#));
    }

    #[test]
    fn json_schema_has_no_comments() {
        assert!(matches!(Form::read(SchemaType::Json, "{} // no"), Err(TextError::NotJson { .. })));
    }

    #[test]
    fn protobuf_comments_layout_and_quotes_do_not_matter() {
        let one = "syntax = 'proto3'; // which\nmessage A { /* a\n b */ string b=1; }";
        let other = "syntax=\"proto3\";\n\nmessage A {\n  string b = 1;\n}\n";
        assert_eq!(form(SchemaType::Protobuf, one), form(SchemaType::Protobuf, other));
        assert_ne!(form(SchemaType::Protobuf, one), form(SchemaType::Protobuf, "message A { string b = 2; }"));
    }

    #[test]
    fn a_protobuf_string_may_look_like_a_comment() {
        let text = "option x = \"// no comment\";";
        assert_eq!(form(SchemaType::Protobuf, text).text, "option x = \"// no comment\" ;");
    }

    #[rstest]
    #[case::blank(SchemaType::Protobuf, " \n", TextError::Blank)]
    #[case::open_comment(SchemaType::Protobuf, "a\n/* b", TextError::NotClosed { what: "comment", line: 2 })]
    #[case::open_string(SchemaType::Protobuf, "a = \"b", TextError::NotClosed { what: "string", line: 1 })]
    fn unreadable_text_is_named(#[case] schema_type: SchemaType, #[case] text: &str, #[case] error: TextError) {
        assert_eq!(Form::read(schema_type, text), Err(error));
    }

    #[test]
    fn protobuf_nesting_is_bounded() {
        assert!(matches!(
            Form::read(SchemaType::Protobuf, &"message A {".repeat(100_000)),
            Err(TextError::TooDeep { .. })
        ));
    }

    #[test]
    fn the_type_is_part_of_the_schema() {
        assert_ne!(form(SchemaType::Avro, "\"int\"").fingerprint(), form(SchemaType::Json, "\"int\"").fingerprint());
    }

    #[test]
    fn a_fingerprint_of_another_algorithm_is_known_as_such() {
        let fingerprint = form(SchemaType::Avro, "\"int\"").fingerprint();
        assert!(Fingerprint::from_status(fingerprint.as_str()).is_of_present_algorithm());
        assert!(!Fingerprint::from_status("0:sha256:00").is_of_present_algorithm());
        assert!(!Fingerprint::from_status("sha256:00").is_of_present_algorithm());
    }
}
