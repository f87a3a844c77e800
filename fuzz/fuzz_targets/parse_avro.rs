//! Any text is read as Avro, or refused with a reason.

#![no_main]

use libfuzzer_sys::fuzz_target;
use schema_registrar::api::SchemaType;
use schema_registrar::compat::{PROFILES, engine};
use schema_registrar::schema::{Form, Reading};

fuzz_target!(|text: &str| {
    let _ = Form::read(SchemaType::Avro, text);
    for profile in PROFILES {
        for reading in [Reading::New, Reading::Stored] {
            let _ = engine::read(SchemaType::Avro, text, &[], reading, profile);
        }
    }
});
