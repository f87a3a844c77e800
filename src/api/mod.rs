//! The resources as users write them: types, CEL rules, columns and conditions. No logic, no IO.

mod reason;
mod vocabulary;

pub use reason::Reason;
pub use vocabulary::{Level, Mode, SchemaType, UnknownWord};
