//! The resources as users write them: types, CEL rules, columns and conditions. No logic, no IO.

mod vocabulary;

pub use vocabulary::{Level, Mode, SchemaType, UnknownWord};
