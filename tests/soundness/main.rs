//! Where the engine says that a new schema reads what an old one wrote, data says so as well: Avro data written with
//! the old one decodes with the new one, JSON instances that are valid under the old one are valid under the new one,
//! and Protobuf bytes of the old one decode with the new one and lose nothing.
//!
//! Registries let more pass than that, and the engine answers as they do. What is known to pass wrongly has a name in
//! each format's table; anything else fails. How often each was met is printed.

#[path = "../generate/mod.rs"]
mod generate;
#[path = "../conformance/vectors.rs"]
mod vectors;

mod avro;
mod instances;
mod json;
mod json_places;
mod json_spots;
mod protobuf;
mod resolution;
mod tally;
mod verdict;
