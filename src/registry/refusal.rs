//! Why a registry refuses a schema, as far as its text tells. The texts are not JSON, whatever they look like, and
//! hold pieces of schemas: read leniently, bounded in time and count, never a panic.

mod apicurio;
mod avro;
mod confluent;
mod karapace;

use super::text::{one_line, without_class_name};
use crate::schema::Version;

/// The most violations that are taken from one refusal.
const MAX_VIOLATIONS: usize = 100;
/// The most bytes of a refusal that are looked at. Confluent repeats up to 10 KiB of an old schema.
const MAX_BYTES: usize = 256 << 10;

/// A refusal, in the registry's words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refusal {
    /// The registry's sentence, or its reasons where it has none: one line, at most 300 characters; may be empty.
    pub message: String,
    /// Each reason; empty if the registry gives none, or none that can be told apart.
    pub violations: Vec<Violation>,
}

/// One reason of a refusal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Violation {
    /// The name of the rule, in the registry's or the Avro library's spelling: `READER_FIELD_MISSING_DEFAULT_VALUE`.
    pub rule: Option<String>,
    /// Where in the schema: `/fields/2`, `#/properties/a`.
    pub path: Option<String>,
    /// The version that the candidate was compared with.
    pub version: Option<Version>,
    /// The registry's sentence: one line, at most 300 characters.
    pub message: String,
}

impl Refusal {
    /// From the message of a refused register.
    pub(super) fn of_register(message: &str) -> Refusal {
        let message = bounded(message);
        let (sentence, violations) = if let Some((sentence, details)) = message.split_once(", details: [") {
            (sentence, confluent::violations(confluent::items(details)))
        } else if let Some((sentence, diffs)) = message.split_once(", list of diff types: [") {
            (sentence, apicurio::violations(diffs))
        } else {
            (message, Vec::new())
        };
        Refusal { message: one_line(without_class_name(sentence)), violations }
    }

    /// From the messages of a verbose check; there may be none.
    pub(super) fn of_check(messages: &[String]) -> Refusal {
        let mut left = MAX_BYTES;
        let bounded = messages.iter().map(|message| bounded(message)).take_while(|message| {
            left = left.saturating_sub(message.len());
            left > 0
        });
        let violations = confluent::violations(bounded);
        let reasons: Vec<&str> = violations.iter().take(10).map(|violation| violation.message.as_str()).collect();
        Refusal { message: one_line(&reasons.join("; ")), violations }
    }
}

/// The beginning of a text that is short enough to look at.
fn bounded(text: &str) -> &str {
    let end = (0..=MAX_BYTES.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or(0)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn violation(rule: Option<&str>, path: Option<&str>, version: Option<i64>, message: &str) -> Violation {
        Violation {
            rule: rule.map(str::to_owned),
            path: path.map(str::to_owned),
            version: version.and_then(Version::new),
            message: message.to_owned(),
        }
    }

    #[test]
    fn confluent_register_avro() {
        let refusal = Refusal::of_register(
            "Schema being registered is incompatible with an earlier schema for subject \"a\", details: \
             [{errorType:'READER_FIELD_MISSING_DEFAULT_VALUE', description:'The field 'n' at path '/fields/1' in the new \
             schema has no default value and is missing in the old schema', additionalInfo:'n'}, \
             {errorType:'TYPE_MISMATCH', description:'The type (path '/fields/0/type') of a field in the new schema does \
             not match with the old schema', additionalInfo:'reader type: INT not compatible with writer type: STRING'}, \
             {oldSchemaVersion: 2}, {oldSchema: '{\"doc\":\"{errorType:'X'}, {errorType:'Y'}\"}'}, \
             {validateFields: 'false', compatibility: 'BACKWARD'}]",
        );
        assert_eq!(refusal.message, "Schema being registered is incompatible with an earlier schema for subject \"a\"");
        assert_eq!(
            refusal.violations,
            [
                violation(
                    Some("READER_FIELD_MISSING_DEFAULT_VALUE"),
                    Some("/fields/1"),
                    Some(2),
                    "The field 'n' at path '/fields/1' in the new schema has no default value and is missing in the old schema"
                ),
                violation(
                    Some("TYPE_MISMATCH"),
                    Some("/fields/0/type"),
                    Some(2),
                    "The type (path '/fields/0/type') of a field in the new schema does not match with the old schema \
                     (reader type: INT not compatible with writer type: STRING)"
                ),
            ]
        );
    }

    #[rstest]
    #[case::json_whose_description_ends_with_the_wrong_quote(
        "{errorType:\"TYPE_CHANGED\", description:\"A type at path '#/properties/hull' is different between the new schema and the old schema'}",
        violation(
            Some("TYPE_CHANGED"),
            Some("#/properties/hull"),
            None,
            "A type at path '#/properties/hull' is different between the new schema and the old schema"
        )
    )]
    #[case::protobuf(
        "{errorType:\"REQUIRED_FIELD_REMOVED\", description:\"The old schema is missing a required field at path: '#/Pier/2' in the new schema\"}",
        violation(
            Some("REQUIRED_FIELD_REMOVED"),
            Some("#/Pier/2"),
            None,
            "The old schema is missing a required field at path: '#/Pier/2' in the new schema"
        )
    )]
    #[case::path_in_brackets(
        "{errorType:'NAME_MISMATCH', description:'The name of the schema has changed (path '/name')', additionalInfo:'expected: One'}",
        violation(
            Some("NAME_MISMATCH"),
            Some("/name"),
            None,
            "The name of the schema has changed (path '/name') (expected: One)"
        )
    )]
    #[case::quotes_in_a_name(
        "{errorType:\"TYPE_CHANGED\", description:\"A type at path '#/properties/it's' is different'}",
        violation(
            Some("TYPE_CHANGED"),
            Some("#/properties/it's"),
            None,
            "A type at path '#/properties/it's' is different"
        )
    )]
    #[case::a_sentence(
        "The new schema has field that conflicts with the reserved field y.",
        violation(None, None, None, "The new schema has field that conflicts with the reserved field y.")
    )]
    #[case::older_confluent_avro(
        "Incompatibility{type:READER_FIELD_MISSING_DEFAULT_VALUE, location:/fields/1, message:tons, reader:{\"type\":\"record\"}, writer:{}}",
        violation(
            Some("READER_FIELD_MISSING_DEFAULT_VALUE"),
            Some("/fields/1"),
            None,
            "field tons has no default, and is missing in the schema that the data is written with"
        )
    )]
    #[case::older_confluent_json(
        "Found incompatible change: Difference{jsonPath='#/properties/a', type=TYPE_CHANGED}",
        violation(Some("TYPE_CHANGED"), Some("#/properties/a"), None, "TYPE_CHANGED at #/properties/a")
    )]
    #[case::karapace_field(
        "draught",
        violation(
            Some("READER_FIELD_MISSING_DEFAULT_VALUE"),
            None,
            None,
            "field draught has no default, and is missing in the schema that the data is written with"
        )
    )]
    #[case::karapace_symbols(
        "{'C', 'B'}",
        violation(
            Some("MISSING_ENUM_SYMBOLS"),
            None,
            None,
            "the enum that the data is read with lacks the symbols 'C', 'B'"
        )
    )]
    #[case::karapace_type(
        "reader type: int not compatible with writer type: string",
        violation(Some("TYPE_MISMATCH"), None, None, "reader type: int not compatible with writer type: string")
    )]
    #[case::karapace_protobuf(
        "Incompatible modification Modification.FIELD_KIND_ALTER found",
        violation(Some("FIELD_KIND_ALTER"), None, None, "Incompatible modification FIELD_KIND_ALTER found")
    )]
    fn each_message_of_a_check_is_a_violation(#[case] message: &str, #[case] expected: Violation) {
        let refusal = Refusal::of_check(&[message.to_owned()]);
        assert_eq!(refusal.violations, std::slice::from_ref(&expected));
        assert_eq!(refusal.message, expected.message);
    }

    #[test]
    fn the_old_schema_and_the_settings_are_no_violations_of_a_check() {
        let messages = [
            "{errorType:\"A\", description:\"a'}",
            "{oldSchemaVersion: 7}",
            "{oldSchema: <truncated> 'secret",
            "{validateFields: 'false', compatibility: 'FULL'}",
        ];
        let refusal = Refusal::of_check(&messages.map(str::to_owned));
        assert_eq!(refusal.violations, [violation(Some("A"), None, Some(7), "a")]);
    }

    #[test]
    fn apicurio_register_avro() {
        let refusal = Refusal::of_register(
            "io.apicurio.registry.rules.violation.RuleViolationException: Incompatible artifact: a [AVRO], num of \
             incompatible diffs: {4}, list of diff types: [expected: 4, found: 8 at /fields/4/type/size, tons at \
             /fields/1, [B, C] at /fields/2/type/symbols, reader union lacking writer type: INT at /fields/3/type/1]",
        );
        assert_eq!(refusal.message, "Incompatible artifact: a [AVRO], num of incompatible diffs: {4}");
        assert_eq!(
            refusal.violations,
            [
                violation(
                    Some("FIXED_SIZE_MISMATCH"),
                    Some("/fields/4/type/size"),
                    None,
                    "the sizes of the fixed type differ: expected: 4, found: 8"
                ),
                violation(
                    Some("READER_FIELD_MISSING_DEFAULT_VALUE"),
                    Some("/fields/1"),
                    None,
                    "field tons has no default, and is missing in the schema that the data is written with"
                ),
                violation(
                    Some("MISSING_ENUM_SYMBOLS"),
                    Some("/fields/2/type/symbols"),
                    None,
                    "the enum that the data is read with lacks the symbols B, C"
                ),
                violation(
                    Some("MISSING_UNION_BRANCH"),
                    Some("/fields/3/type/1"),
                    None,
                    "reader union lacking writer type: INT"
                ),
            ]
        );
    }

    #[test]
    fn apicurio_register_json_and_protobuf() {
        let refused = |diffs: &str| {
            Refusal::of_register(&format!(
                "Incompatible artifact: a [JSON], num of incompatible diffs: {{9}}, list of diff types: [{diffs}]"
            ))
            .violations
        };
        assert_eq!(
            refused("SUBSCHEMA_TYPE_CHANGED at /properties/c, Enum type values member removed at /properties/q'/enum"),
            [
                violation(Some("SUBSCHEMA_TYPE_CHANGED"), Some("/properties/c"), None, "SUBSCHEMA_TYPE_CHANGED"),
                violation(None, Some("/properties/q'/enum"), None, "Enum type values member removed"),
            ]
        );
        assert_eq!(refused("z at /fields/1, z at /fields/1, z at /fields/1").len(), 1);
        assert_eq!(
            refused(
                "2 fields removed without reservation, message A at /A, Field type changed, message A , before: int32 , after string at /A"
            ),
            [
                violation(None, Some("/A"), None, "2 fields removed without reservation, message A"),
                violation(None, Some("/A"), None, "Field type changed, message A , before: int32 , after string"),
            ]
        );
    }

    #[rstest]
    #[case::karapace(
        "Incompatible schema, compatibility_mode=BACKWARD. Incompatibilities: draught",
        "Incompatible schema, compatibility_mode=BACKWARD. Incompatibilities: draught"
    )]
    #[case::old_confluent(
        "Schema being registered is incompatible with an earlier schema",
        "Schema being registered is incompatible with an earlier schema"
    )]
    #[case::empty("", "")]
    fn a_refusal_without_a_list_has_no_violations(#[case] message: &str, #[case] kept: &str) {
        assert_eq!(Refusal::of_register(message), Refusal { message: kept.to_owned(), violations: Vec::new() });
    }

    #[test]
    fn hostile_texts_neither_panic_nor_take_long() {
        let pieces = [
            ", details: [",
            ", list of diff types: [",
            "{errorType:",
            "{errorType:'",
            "description:'",
            ", additionalInfo:",
            "{oldSchemaVersion: 99999999999999999999}",
            "{oldSchema: ",
            ", {",
            " at /",
            "path '",
            "Incompatibility{type:",
            ", location:",
            ", message:",
            "Modification.",
            "}",
            "]",
            "'",
            "\"",
            "ü",
            "\u{0}",
            "\u{202e}",
        ];
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..3_000 {
            let text: String = (0..random.usize(0..30)).map(|_| pieces[random.usize(..pieces.len())]).collect();
            Refusal::of_register(&text);
            Refusal::of_check(&[text]);
        }
        let started = std::time::Instant::now();
        for piece in pieces {
            let long = piece.repeat((4 << 20) / piece.len());
            let refusal = Refusal::of_register(&format!("x, details: [{long}"));
            assert!(refusal.violations.len() <= MAX_VIOLATIONS);
            let refusal = Refusal::of_register(&format!("x, list of diff types: [{long}"));
            assert!(refusal.violations.len() <= MAX_VIOLATIONS);
            Refusal::of_check(&vec![long; 3]);
        }
        assert!(started.elapsed().as_secs() < 20, "took {:?}", started.elapsed());
    }
}
