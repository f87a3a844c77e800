//! Why a text is no Avro schema to a registry.

use crate::schema::json_text::JsonError;

/// Why a text could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// Not JSON with comments.
    #[error("the schema is not JSON: {what} at line {line}, column {column}")]
    NotJson {
        /// What is wrong.
        what: &'static str,
        /// From 1.
        line: usize,
        /// From 1, in characters.
        column: usize,
    },
    /// Nothing but white space and comments.
    #[error("the schema is blank; write its text")]
    Blank,
    /// Deeper than is read here, though a registry may read it.
    #[error("the schema nests deeper than {levels} levels; flatten it or name its parts")]
    TooDeep {
        /// How deep is read.
        levels: usize,
    },
    /// The registry takes it by accident, in a way that is not reproduced here.
    #[error("{what}; write it as Avro's specification says")]
    Accident {
        /// What was found, in one clause.
        what: String,
    },
    /// Checking the defaults takes more than is spent on it here, though a registry may do it.
    #[error("the defaults of the schema take too long to check")]
    TooCostly,
    /// The full names are more than is held here, though a registry may hold them.
    #[error("the names of the schema's types are too long to be compared; shorten their namespace")]
    NamesTooLong,
    /// Whether the registry takes this default depends on the order in which it completes records.
    #[error("the default of field {field} is a record that the field itself is a part of")]
    DefaultWithinItself {
        /// The field.
        field: String,
    },
    /// Neither a name, nor a definition, nor a union.
    #[error("expected a type, found {found}")]
    NotAType {
        /// The text found.
        found: String,
    },
    /// A definition without `type`, or with one that is no text.
    #[error("a type without \"type\": {found}")]
    NoType {
        /// The text found.
        found: String,
    },
    /// A name that nothing defines.
    #[error("unknown type {name}")]
    Undefined {
        /// The full name that was looked for.
        name: String,
    },
    /// A definition whose `type` is a name, where the registry looks no name up.
    #[error("a definition cannot have type {name}: write {name} alone, without \"type\"")]
    WrappedName {
        /// The name.
        name: String,
    },
    /// Two definitions of one name that differ.
    #[error("{name} is defined twice")]
    Redefined {
        /// The full name.
        name: String,
    },
    /// A record, enum or fixed without a name.
    #[error("{kind} without a name")]
    NoName {
        /// "a record", "an enum", "a fixed", "a field".
        kind: &'static str,
    },
    /// A name with a letter that the registry refuses.
    #[error("{what} {name:?} is no name: use letters, digits and underscores, and begin with none of the digits")]
    BadName {
        /// "name", "namespace", "namespace part".
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A type with the name of a primitive.
    #[error("no type can be named {name}: that is a primitive")]
    NamedAsPrimitive {
        /// The name.
        name: String,
    },
    /// A record, array, map, enum or fixed without what it is made of.
    #[error("{kind} {name} without \"{key}\"")]
    Missing {
        /// "record", "array" and so on.
        kind: &'static str,
        /// The full name, or nothing.
        name: String,
        /// The key that is missing, or whose value is no such thing.
        key: &'static str,
    },
    /// A field without a type.
    #[error("field {field} without a type")]
    NoFieldType {
        /// The field.
        field: String,
    },
    /// Two fields of one name.
    #[error("record {record} has two fields {field}")]
    DuplicateField {
        /// The record's full name.
        record: String,
        /// The field.
        field: String,
    },
    /// Two symbols of one spelling.
    #[error("enum {name} has symbol {symbol} twice")]
    DuplicateSymbol {
        /// The enum's full name.
        name: String,
        /// The symbol.
        symbol: String,
    },
    /// An enum whose default is none of its symbols.
    #[error("enum {name} has default {default}, which is none of its symbols")]
    BadEnumDefault {
        /// The enum's full name.
        name: String,
        /// The default.
        default: String,
    },
    /// A negative size, or one beyond what the library allocates.
    #[error("fixed {name} cannot have size {size}")]
    BadSize {
        /// The full name.
        name: String,
        /// The size.
        size: i128,
    },
    /// A union directly in a union.
    #[error("a union directly in a union")]
    NestedUnion,
    /// Two branches that cannot be told apart.
    #[error("a union with {name} twice")]
    DuplicateBranch {
        /// The kind or full name.
        name: String,
    },
    /// Aliases that are no list of texts.
    #[error("aliases are a list of names, found {found}")]
    BadAliases {
        /// The text found.
        found: String,
    },
    /// None of ascending, descending, ignore.
    #[error("field {field} has an order that is none of ascending, descending, ignore")]
    BadOrder {
        /// The field.
        field: String,
    },
    /// A default that is no value of the field's type.
    #[error("the default of field {field} is {default}, which is no {kind}")]
    BadDefault {
        /// The field.
        field: String,
        /// The default as JSON text.
        default: String,
        /// The type's word.
        kind: String,
    },
    /// The same of a schema that this one refers to.
    #[error("in the referenced schema {reference}: {error}")]
    InReference {
        /// The reference's name.
        reference: String,
        /// What is wrong there.
        error: Box<ParseError>,
    },
}

impl ParseError {
    /// Whether a registry refuses the text as invalid (42201). Otherwise this cannot be told here.
    pub fn is_refusal(&self) -> bool {
        match self {
            ParseError::TooDeep { .. }
            | ParseError::Accident { .. }
            | ParseError::TooCostly
            | ParseError::NamesTooLong
            | ParseError::DefaultWithinItself { .. } => false,
            ParseError::InReference { error, .. } => error.is_refusal(),
            _ => true,
        }
    }

    pub(super) fn of_json(error: JsonError, text: &str) -> ParseError {
        match error {
            JsonError::Nothing => ParseError::Blank,
            JsonError::TooDeep { levels, .. } => ParseError::TooDeep { levels },
            JsonError::Malformed { what, at } => {
                let before = text.get(..at).unwrap_or(text);
                let line_start = before.rfind('\n').map_or(0, |end| end + 1);
                let line = before.matches('\n').count() + 1;
                ParseError::NotJson { what, line, column: before[line_start..].chars().count() + 1 }
            }
        }
    }
}
