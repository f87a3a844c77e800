//! Schema text, what makes two texts the same schema, subjects and versions. Pure: no IO, no Kubernetes.

mod subject;
mod version;

pub use subject::{MAX_SUBJECT_BYTES, Subject, SubjectError};
pub use version::{SchemaId, Version};
