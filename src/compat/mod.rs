//! Whether a reader can read what a writer wrote, as the registry would answer. Pure: no IO, no Kubernetes.

pub mod advice;
pub mod avro;
pub mod content;
mod difference;
pub mod effort;
pub mod engine;
pub mod history;
pub mod json;
pub mod levels;
pub mod locate;
mod profile;
pub mod protobuf;

pub use difference::{Difference, Facts, Failure};
pub use levels::Direction;
pub use profile::ALL as PROFILES;
pub use profile::{
    APICURIO_3, AmbiguousField, AvroRules, CONFLUENT_7_9, CONFLUENT_8_3, CONFLUENT_NEXT, JsonRules, KARAPACE_6, Oneof,
    Policy, Profile, ProtobufRules, REDPANDA_25,
};
