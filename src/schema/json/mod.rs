//! JSON Schema as the registry's checker sees it: not the text but the objects that its loader makes of it
//! (compat.md §3.2).

mod anchors;
mod bases;
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
use super::{MAX_DEPTH, Reading, Reference};

/// More objects than any schema of at most half a million characters has, unless its references multiply.
const MAX_NODES: usize = 1_000_000;

/// Schemas within schemas that are loaded on the stack of whoever asks, which may be small.
const SHALLOW: usize = 50;

/// For those that nest deeper; only what is used of it takes memory.
const OWN_STACK: usize = 64 << 20;

/// Reads a schema with what it refers to. The registry reads new schemas and stored ones alike.
pub fn parse(text: &str, references: &[Reference], _reading: Reading) -> Result<Schema, ParseError> {
    let schema = read(text, references, true)?;
    Ok(Schema { source: Source::of(text, references), ..schema })
}

/// Reads a schema. `splits_branches`: as the registry does, see [`skema`].
fn read(text: &str, references: &[Reference], splits_branches: bool) -> Result<Schema, ParseError> {
    let root = Value::parse(text)?;
    let values = lookup::parse_references(references)?;
    match load(&root, references, &values, (SHALLOW, splits_branches)) {
        Err(ParseError::TooDeep) => on_own_stack(|| load(&root, references, &values, (MAX_DEPTH, splits_branches))),
        loaded => loaded,
    }
}

/// Without such a stack, what is deep is too deep.
fn on_own_stack(load: impl FnOnce() -> Result<Schema, ParseError> + Send) -> Result<Schema, ParseError> {
    let thread = std::thread::Builder::new().stack_size(OWN_STACK);
    let loaded = std::thread::scope(|scope| thread.spawn_scoped(scope, load).ok()?.join().ok());
    loaded.unwrap_or(Err(ParseError::TooDeep))
}

fn load<'v>(
    root: &'v Value<'v>,
    references: &[Reference<'v>],
    values: &'v [Value<'v>],
    (max_depth, splits_branches): (usize, bool),
) -> Result<Schema, ParseError> {
    match root {
        Value::Bool(is) => Ok(Schema::boolean(*is)),
        Value::Object(object) if object.get("$schema").and_then(Value::as_str).is_some_and(skema::reads) => {
            let id = object.get("$id").and_then(Value::as_str);
            let mut resources = anchors::Resources::new(id, references, values)?;
            skema::load(&mut resources, root, max_depth, splits_branches)
        }
        Value::Object(object) => {
            let draft = object.get("$schema").and_then(Value::as_str).and_then(everit::Draft::of_url);
            let keyword = draft.unwrap_or(everit::Draft::Seven).id_keyword();
            let id = object.get(keyword).and_then(Value::as_str);
            let mut documents = lookup::Documents::new(id, references, values)?;
            everit::load(&mut documents, root, max_depth)
        }
        _ => Err(wrong("a schema is an object or a boolean")),
    }
}

fn wrong(what: &str) -> ParseError {
    ParseError::NotASchema { what: what.to_owned(), at: String::new() }
}
