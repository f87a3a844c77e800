//! Our verdicts equal those that a real registry gave. A slice of the cases lies here; all of them are run where
//! CONFORMANCE_VECTORS names their folder, and each test says how many it ran.

mod avro;
mod field_tables;
mod histories;
mod json;
mod locate;
mod others;
mod protobuf;
mod reports;
mod rows;
mod subject;
#[path = "../tables/mod.rs"]
mod tables;
mod vectors;
