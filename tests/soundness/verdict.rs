//! What the engine says of a pair, and pairs that real registries judged.

use schema_registrar::api::SchemaType;
use schema_registrar::compat::{Policy, Profile, engine};
use schema_registrar::schema::{Reading, Reference};

use crate::vectors::{self, Case};

/// A schema as texts.
#[derive(Clone, Debug)]
pub struct Texts {
    pub text: String,
    pub references: Vec<(String, String)>,
}

/// One text.
pub fn text(text: String) -> Texts {
    Texts { text, references: Vec::new() }
}

impl Texts {
    /// What it refers to.
    pub fn referred(&self) -> Vec<Reference<'_>> {
        self.references.iter().map(|(name, text)| Reference { name, text }).collect()
    }
}

/// Whether the reader reads the writer, by verdict; nothing where that is not known, or the registry fails.
pub fn reads(schema_type: SchemaType, reader: &Texts, writer: &Texts, profile: &Profile) -> Option<bool> {
    let read = |texts: &Texts| engine::read(schema_type, &texts.text, &texts.referred(), Reading::Stored, profile).ok();
    let differences = engine::differences(&read(reader)?, &read(writer)?, profile, Policy::Strict).ok()?;
    Some(!differences.iter().any(|difference| difference.breaks))
}

/// The pairs of a format that registries judged, each both ways: reader and writer.
pub fn judged_pairs(format: &str) -> Vec<(String, Texts, Texts)> {
    let side = |text: &String, references: &[vectors::Reference]| Texts {
        text: text.clone(),
        references: references.iter().map(|one| (one.name.clone(), one.schema.clone())).collect(),
    };
    let both_ways = |case: &Case| {
        let (old, new) = (side(&case.old, &case.old_references), side(&case.new, &case.new_references));
        [(case.id.clone(), new.clone(), old.clone()), (case.id.clone(), old, new)]
    };
    vectors::pairs(format).0.iter().flat_map(both_ways).collect()
}
