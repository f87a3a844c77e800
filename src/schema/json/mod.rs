//! JSON Schema as the registry's checker sees it: not the text but the objects that its loader makes of it
//! (compat.md §3.2).

mod anchors;
mod error;
mod everit;
pub(crate) mod java;
mod keys;
mod keywords;
mod lookup;
mod model;
mod number;
mod pattern;
mod pieces;
mod skema;
#[cfg(test)]
mod tests;
mod uri;
mod value;
mod written;

pub use error::ParseError;
pub(crate) use keys::{key as canonical, shown};
pub use model::Schema;
pub(crate) use model::{
    ArrayNode, CombinedNode, ConstNode, Criterion, EnumNode, Kind, Node, NodeId, Notes, NumberNode, ObjectNode,
    Property, StringNode, Text,
};
pub(crate) use number::Number;
pub(crate) use pattern::Pattern;

pub(crate) use value::{Object, Value};
pub(crate) use written::{Dialect, Part, Written};

use self::written::Source;
use super::{Reading, Reference};

/// More objects than any schema of at most half a million characters has, unless its references multiply.
const MAX_NODES: usize = 1_000_000;

/// Reads a schema with what it refers to. The registry reads new schemas and stored ones alike.
pub fn parse(text: &str, references: &[Reference], _reading: Reading) -> Result<Schema, ParseError> {
    let schema = load(text, references)?;
    Ok(Schema { source: Source::of(text, references), ..schema })
}

fn load(text: &str, references: &[Reference]) -> Result<Schema, ParseError> {
    let root = Value::parse(text)?;
    let values = lookup::parse_references(references)?;
    match &root {
        Value::Bool(is) => Ok(Schema::boolean(*is)),
        Value::Object(object) if object.get("$schema").and_then(Value::as_str).is_some_and(skema::reads) => {
            let id = object.get("$id").and_then(Value::as_str);
            let mut resources = anchors::Resources::new(id, references, &values)?;
            skema::load(&mut resources, &root)
        }
        Value::Object(object) => {
            let draft = object.get("$schema").and_then(Value::as_str).and_then(everit::Draft::of_url);
            let keyword = draft.unwrap_or(everit::Draft::Seven).id_keyword();
            let id = object.get(keyword).and_then(Value::as_str);
            let mut documents = lookup::Documents::new(id, references, &values)?;
            everit::load(&mut documents, &root)
        }
        _ => Err(wrong("a schema is an object or a boolean")),
    }
}

fn wrong(what: &str) -> ParseError {
    ParseError::NotASchema { what: what.to_owned(), at: String::new() }
}
