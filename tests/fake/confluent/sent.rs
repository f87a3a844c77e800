//! A schema that a request carries, and which version it is.

use serde_json::Value;

use super::Answered;
use crate::fake::http::{Answer, Request};
use crate::fake::store::{Entry, guid};
use crate::fake::text::{self, Canonical};

/// A schema that a request carries.
pub struct Sent {
    pub schema_type: String,
    pub raw: String,
    pub canonical: Canonical,
    pub metadata: Option<Value>,
}

pub fn sent(request: &Request, subject: &str) -> Answered<(Sent, Value)> {
    let Some(body @ Value::Object(_)) = request.json() else {
        return Err(Answer::error(400, 400, "the body is no object"));
    };
    let schema_type = body["schemaType"].as_str().unwrap_or("AVRO").to_owned();
    if !["AVRO", "JSON", "PROTOBUF"].contains(&schema_type.as_str()) {
        return Err(Answer::error(422, 42201, format!("Invalid schema type {schema_type}")));
    }
    let raw = body["schema"].as_str().unwrap_or_default().to_owned();
    let metadata = body.get("metadata").filter(|metadata| !metadata.is_null()).cloned();
    match text::confluent(&schema_type, &raw, request.flag("normalize")) {
        Ok(canonical) => Ok((Sent { schema_type, raw, canonical, metadata }, body)),
        Err(cause) => Err(Answer::error(422, 42201, invalid(subject, &schema_type, &raw, &cause))),
    }
}

fn invalid(subject: &str, schema_type: &str, raw: &str, cause: &str) -> String {
    let guid = guid(raw, None);
    let (version, id) = if schema_type == "AVRO" { ("null", "null") } else { ("0", "-1") };
    let request = format!(
        "Invalid schema {{subject={subject},version={version},id={id},guid={guid},schemaType={schema_type},references=[],\
         metadata=null,ruleSet=null,schema={raw},schemaTags=null,ts=null,deleted=null}}"
    );
    if schema_type == "AVRO" {
        return format!("Invalid schema of type AVRO, details: {request} with refs [] of type AVRO, details: {cause}");
    }
    format!("{request}, details: {cause}")
}

impl Sent {
    /// The version whose content is the very same. An answer about it is short.
    pub fn by_content<'a>(&self, mut entries: impl Iterator<Item = &'a Entry>) -> Option<&'a Entry> {
        entries.find(|entry| {
            self.is_kind_of(entry) && entry.text == self.canonical.text && entry.metadata == self.metadata
        })
    }

    /// The version whose schema is equal when looked at closely, and whose metadata is, but for the stamp.
    pub fn by_meaning<'a>(
        &self,
        mut entries: impl Iterator<Item = &'a Entry>,
        metadata: Option<&Value>,
    ) -> Option<&'a Entry> {
        let stamped = metadata.is_some_and(|metadata| !metadata["properties"]["confluent:version"].is_null());
        let same = |entry: &Entry| match stamped {
            true => entry.metadata.as_ref() == metadata,
            false => without_stamp(entry.metadata.as_ref()) == without_stamp(metadata),
        };
        entries.find(|entry| self.is_schema_of(entry) && same(entry))
    }

    pub fn is_schema_of(&self, entry: &Entry) -> bool {
        self.is_kind_of(entry) && entry.identity == self.canonical.identity
    }

    pub fn is_kind_of(&self, entry: &Entry) -> bool {
        entry.schema_type == self.schema_type
    }
}

/// Metadata without the number that `version` in a request stamps it with.
fn without_stamp(metadata: Option<&Value>) -> Option<Value> {
    let mut metadata = metadata?.clone();
    let properties = metadata["properties"].as_object_mut()?;
    properties.remove("confluent:version");
    (!properties.is_empty()).then_some(metadata)
}
