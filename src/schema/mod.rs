//! Schema text, what makes two texts the same schema, subjects and versions. Pure: no IO, no Kubernetes.

pub mod avro;
mod avro_form;
mod form;
pub mod json;
pub(crate) mod json_text;
mod numbers;
pub mod protobuf;
mod protobuf_form;
mod reference;
pub mod shown;
mod subject;
mod text;
mod version;

pub use form::{Fingerprint, Form};
pub use reference::{Reading, Reference};
pub use subject::{MAX_SUBJECT_BYTES, Subject, SubjectError};
pub use text::{MAX_CHARACTERS, MAX_DEPTH, TextError};
pub use version::{SchemaId, Version};
