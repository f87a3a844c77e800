//! The types that every registry knows without a reference: those of `google/protobuf`, `google/type` and `confluent`.
//! They are seen also where nothing is imported.

use std::sync::LazyLock;

use super::resolve::Names;
use super::{Schema, TypeId};

const TEXTS: [&str; 5] = [
    include_str!("well_known/google_protobuf.proto"),
    include_str!("well_known/descriptor.proto"),
    include_str!("well_known/google_type.proto"),
    include_str!("well_known/confluent.proto"),
    include_str!("well_known/confluent_type.proto"),
];

struct WellKnown {
    schema: Schema,
    names: Names,
}

static WELL_KNOWN: LazyLock<WellKnown> = LazyLock::new(|| {
    let mut schema = Schema::default();
    for text in TEXTS {
        // A test reads each of them; one that could not be read would only be missing here.
        let _ = schema.append(text);
    }
    let names = Names::of(&schema, true).unwrap_or_default();
    let _ = names.resolve(&mut schema, &[]);
    WellKnown { schema, names }
});

/// The schema that declares them.
pub(super) fn schema() -> &'static Schema {
    &WELL_KNOWN.schema
}

/// The type with this full name.
pub(super) fn find(full_name: &str) -> Option<TypeId> {
    let may_be_known = full_name.starts_with("google.") || full_name.starts_with("confluent.");
    if may_be_known { WELL_KNOWN.names.declared(full_name) } else { None }
}

#[cfg(test)]
mod tests {
    use super::super::{Body, FieldType};
    use super::*;

    #[test]
    fn every_text_is_read() {
        for text in TEXTS {
            Schema::default().append(text).unwrap();
        }
        assert!(Names::of(schema(), true).is_ok());
    }

    #[test]
    fn every_type_that_they_name_is_known() {
        for definition in &schema().types {
            let Body::Message(message) = &definition.body else { continue };
            for field in message.fields.iter().chain(message.oneofs.iter().flat_map(|oneof| &oneof.fields)) {
                if let FieldType::Named(named) = &field.field_type {
                    assert!(named.target.is_some(), "{} of {}", named.written, definition.local_name);
                }
            }
        }
    }

    #[test]
    fn types_are_found_by_full_name() {
        assert!(find("google.protobuf.Timestamp").is_some());
        assert!(find("google.type.PhoneNumber.ShortCode").is_some());
        assert!(find("confluent.type.Decimal").is_some());
        assert!(find("google.protobuf.Timestamps").is_none());
    }
}
