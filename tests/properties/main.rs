//! What holds for the verdicts on any schemas, whatever they are: the algebra of levels, and that what a format calls
//! the same is judged the same.

#[path = "../generate/mod.rs"]
mod generate;

mod avro;
mod json;
mod laws;
mod protobuf;
