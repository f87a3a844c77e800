//! Schema text, what makes two texts the same schema, subjects and versions. Pure: no IO, no Kubernetes.

mod avro_form;
mod form;
pub mod json;
mod protobuf_form;
mod reading;
mod reference;
mod subject;
mod text;
mod version;

pub use form::{Fingerprint, Form};
pub use reading::Reading;
pub use reference::Reference;
pub use subject::{MAX_SUBJECT_BYTES, Subject, SubjectError};
pub use text::{MAX_DEPTH, TextError};
pub use version::{SchemaId, Version};
