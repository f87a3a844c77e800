//! Schemas in few words, for tests.

use crate::compat::{AvroRules, CONFLUENT_8_3, Difference, Policy};
use crate::schema::Reading;
use crate::schema::avro::{Schema, parse};

/// The rules of the newest final release.
pub(super) fn rules() -> AvroRules {
    CONFLUENT_8_3.avro.unwrap()
}

/// A record of fields such as `id: string`, `currency: string = "EUR"`, `curr: string = "" aka currency`.
pub(super) fn record(name: &str, fields: &[&str]) -> String {
    let fields: Vec<String> = fields.iter().map(|field| self::field(field)).collect();
    format!(r#"{{"type":"record","name":"{name}","fields":[{}]}}"#, fields.join(","))
}

/// An enum of symbols such as `A B C`.
pub(super) fn symbols(name: &str, symbols: &str) -> String {
    format!(r#"{{"type":"enum","name":"{name}","symbols":[{}]}}"#, quoted(symbols))
}

/// The same with a default.
pub(super) fn symbols_or(name: &str, symbols: &str, default: &str) -> String {
    format!(r#"{{"type":"enum","name":"{name}","symbols":[{}],"default":"{default}"}}"#, quoted(symbols))
}

/// A fixed type.
pub(super) fn fixed(name: &str, size: u32) -> String {
    format!(r#"{{"type":"fixed","name":"{name}","size":{size}}}"#)
}

/// A definition with aliases such as `A n.B`.
pub(super) fn aka(definition: &str, aliases: &str) -> String {
    definition.replacen('{', &format!(r#"{{"aliases":[{}],"#, quoted(aliases)), 1)
}

/// A definition in a namespace.
pub(super) fn within(namespace: &str, definition: &str) -> String {
    definition.replacen('{', &format!(r#"{{"namespace":"{namespace}","#), 1)
}

/// A union of types such as `null string`, or of definitions.
pub(super) fn union(branches: &[&str]) -> String {
    let branches: Vec<String> = branches.iter().map(|branch| kind(branch)).collect();
    format!("[{}]", branches.join(","))
}

/// An array of a type.
pub(super) fn array(items: &str) -> String {
    format!(r#"{{"type":"array","items":{}}}"#, kind(items))
}

/// A map of a type.
pub(super) fn map(values: &str) -> String {
    format!(r#"{{"type":"map","values":{}}}"#, kind(values))
}

/// A primitive with a logical type such as `decimal","precision":4,"scale":"2`.
pub(super) fn logical(primitive: &str, logical: &str) -> String {
    format!(r#"{{"type":"{primitive}","logicalType":{logical}}}"#)
}

/// A type as it stands in a schema's text: a bare name is quoted.
pub(super) fn kind(written: &str) -> String {
    if written.starts_with(char::is_alphabetic) { format!("\"{written}\"") } else { written.to_owned() }
}

fn field(written: &str) -> String {
    let (name, rest) = written.split_once(": ").unwrap();
    let (rest, aliases) = rest.split_once(" aka ").map_or((rest, None), |(rest, aliases)| (rest, Some(aliases)));
    let (written, default) = rest.split_once(" = ").map_or((rest, None), |(rest, default)| (rest, Some(default)));
    let default = default.map(|default| format!(r#","default":{default}"#)).unwrap_or_default();
    let aliases = aliases.map(|aliases| format!(r#","aliases":[{}]"#, quoted(aliases))).unwrap_or_default();
    format!(r#"{{"name":"{name}","type":{}{default}{aliases}}}"#, kind(written))
}

fn quoted(words: &str) -> String {
    let words: Vec<String> = words.split(' ').map(|word| format!("\"{word}\"")).collect();
    words.join(",")
}

/// A schema as a registry holds it.
pub(super) fn schema(text: &str) -> Schema {
    parse(&kind(text), &[], Reading::Stored, &rules().parsing).unwrap()
}

/// The differences of a reader from a writer.
pub(super) fn compare(reader: &str, writer: &str) -> Vec<Difference> {
    super::differences(&schema(reader), &schema(writer), &rules(), Policy::Strict).unwrap()
}

/// The same as rules and paths: `TYPE_MISMATCH /fields/0/type, …`; empty where the reader reads the writer.
pub(super) fn told(reader: &str, writer: &str) -> String {
    let lines: Vec<String> =
        compare(reader, writer).iter().map(|found| format!("{} {}", found.rule, found.path)).collect();
    lines.join(", ")
}
