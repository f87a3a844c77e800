//! Whether a reader can read what a writer wrote, as the registry would answer. Pure: no IO, no Kubernetes.

mod difference;
pub mod json;
mod profile;

pub use difference::{Difference, Facts, Failure};
pub use profile::{
    AvroLibrary, AvroRules, CONFLUENT_7_9, CONFLUENT_8_3, CONFLUENT_NEXT, JsonRules, Oneof, Policy, Profile,
    ProtobufRules,
};
