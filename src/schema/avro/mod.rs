//! Avro schemas as the libraries of registries read them: text to a graph with its names resolved, references
//! included. Uses JSON text and the rules of a registry's release, nothing else.

mod defaults;
mod error;
mod graph;
mod name;
mod parse;
#[cfg(test)]
mod parse_tests;
mod python;
#[cfg(test)]
mod python_tests;
mod repeated;
mod rules;
mod types;

pub use defaults::DefaultFit;
pub use error::ParseError;
pub use graph::{Aliases, Enum, Field, Fixed, Kind, Primitive, Property, Record, Schema, TypeId};
pub use name::{Name, is_plain};
pub use parse::parse;
pub use rules::{Checks, Letters, Library, ParsingRules};

/// What kind of Avro schema a text holds that nobody would write into a JSON Schema; none where it is no such thing.
pub fn looks_like(text: &str) -> Option<&'static str> {
    let json = crate::schema::json_text::Json::read(text).ok()?;
    if json.as_list().is_some() {
        return Some("union");
    }
    ["record", "enum", "fixed"].into_iter().find(|kind| json.get_text("type") == Some(kind))
}
