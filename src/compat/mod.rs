//! Whether a reader can read what a writer wrote, as the registry would answer. Pure: no IO, no Kubernetes.

pub mod avro;
mod difference;
pub mod engine;
pub mod json;
pub mod levels;
mod profile;
pub mod protobuf;

pub use difference::{Difference, Facts, Failure};
pub use profile::ALL as PROFILES;
pub use profile::{
    AvroLibrary, AvroRules, CONFLUENT_7_9, CONFLUENT_8_3, CONFLUENT_NEXT, JsonRules, Oneof, Policy, Profile,
    ProtobufRules,
};
