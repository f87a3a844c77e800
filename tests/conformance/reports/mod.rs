//! What users reported about registries, checkers and tools: each report's change, with the number that the project's
//! reference gives it and what the registry answers.

mod avro;
mod json;
mod protobuf;
