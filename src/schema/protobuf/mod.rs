//! Protobuf text into types whose names are resolved, references included.
//!
//! Types are kept as written, before linking: Confluent compares those, and takes much that protoc refuses. Bounded:
//! messages nest at most [`crate::schema::MAX_DEPTH`] deep, all else is read in one pass.

mod descriptor;
mod elements;
mod error;
mod lexical;
mod options;
mod parser;
mod resolve;
pub(in crate::schema) mod scanner;
#[cfg(test)]
mod tests;
mod uses;
mod well_known;

pub use elements::{
    Body, Constant, Definition, Enum, Extension, Field, FieldOptions, FieldType, File, Group, Label, Message, Named,
    Oneof, Reserved, Scalar, Target, TypeId,
};
pub use error::ParseError;

use super::{Reading, Reference};
use parser::{Parser, Use};
use resolve::{Names, TooMuch};
use scanner::Scanner;

/// A schema and all that it refers to.
#[derive(Debug, Default)]
pub struct Schema {
    files: Vec<File>,
    types: Vec<Definition>,
}

/// Reads a schema and what it refers to. A new one must know every type that it names; of a stored one, names that
/// mean nothing are kept as they are.
pub fn parse(text: &str, references: &[Reference<'_>], reading: Reading) -> Result<Schema, ParseError> {
    if text.trim().is_empty() {
        return Err(ParseError::invalid(&Scanner::new(text), 0, "the schema is blank"));
    }
    let (mut schema, other_uses) = Schema::read(text).map_err(|error| descriptor::or_descriptor(text, error))?;
    for reference in references {
        let in_reference = |error| ParseError::Reference { name: reference.name.to_owned(), error: Box::new(error) };
        schema.append(reference.text).map_err(in_reference)?;
    }
    let names = Names::of(&schema, false).map_err(|twice| schema.declared_twice(twice))?;
    let scanner = Scanner::new(text);
    match names.resolve(&mut schema, &other_uses) {
        Ok(Some(unknown)) if reading == Reading::New => {
            Err(ParseError::invalid(&scanner, unknown.at, format!("unknown type {:?}", unknown.written)))
        }
        Ok(_) => Ok(schema),
        Err(TooMuch) => Err(ParseError::unsupported(&scanner, 0, "too many names in too many scopes")),
    }
}

/// Reads a schema for where things stand in its text, without what it refers to: no name means anything.
pub fn outline(text: &str) -> Result<Schema, ParseError> {
    Ok(Schema::read(text)?.0)
}

impl Schema {
    /// The schema itself, without what it refers to.
    pub fn main(&self) -> &File {
        &self.files[0]
    }

    /// What it refers to.
    pub fn references(&self) -> &[File] {
        self.files.get(1..).unwrap_or_default()
    }

    /// The file that declares a type.
    pub fn file(&self, definition: &Definition) -> &File {
        &self.files[definition.file]
    }

    /// A type of this schema.
    pub fn get(&self, id: TypeId) -> &Definition {
        &self.types[id.0 as usize]
    }

    /// What a name means: the schema that declares it, which is another one for well-known types, and the type.
    pub fn target(&self, target: Target) -> (&Schema, TypeId) {
        match target {
            Target::Declared(id) => (self, id),
            Target::WellKnown(id) => (well_known::schema(), id),
        }
    }

    /// Whether a type is declared in the schema's own text.
    pub fn declares(&self, definition: &Definition) -> bool {
        definition.file == 0
    }

    /// Whether both refer to the same texts.
    pub fn refers_to_the_same(&self, other: &Schema) -> bool {
        self.files.len() == other.files.len()
            && self.files.iter().zip(&other.files).skip(1).all(|(file, other)| file.text == other.text)
    }

    /// How many types there are.
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// Whether there is no type at all.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    fn read(text: &str) -> Result<(Schema, Vec<Use>), ParseError> {
        let mut schema = Schema::default();
        let other_uses = schema.append(text)?;
        Ok((schema, other_uses))
    }

    fn append(&mut self, text: &str) -> Result<Vec<Use>, ParseError> {
        let mut parser = Parser::new(text, self.files.len(), std::mem::take(&mut self.types));
        parser.read()?;
        let with_package = parser.package.len().saturating_mul(parser.types.len());
        if with_package > parser::MAX_NAME_BYTES {
            return Err(parser.unsupported_at(0, "the name of the package is too long to be compared"));
        }
        let file = File {
            package: parser.package.into(),
            package_span: parser.package_span,
            types: parser.top,
            proto3: parser.proto3,
            extensions: parser.extensions,
            text: text.into(),
        };
        self.types = parser.types;
        self.files.push(file);
        Ok(parser.other_uses)
    }

    fn declared_twice(&self, id: TypeId) -> ParseError {
        let definition = self.get(id);
        let scanner = Scanner::new(&self.file(definition).text);
        ParseError::invalid(&scanner, definition.span.start, format!("{} is already defined", definition.name))
    }
}
