//! What the engine says of a pair, and pairs that real registries judged.

use schema_registrar::api::{Level, SchemaType};
use schema_registrar::compat::advice::{Advice, Change, Code, of_change, standing};
use schema_registrar::compat::{Policy, Profile, engine};
use schema_registrar::schema::{Reading, Reference, Version};

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

/// What passes wrongly is told as advice, whatever its name: nobody finds out by the data.
pub fn is_told(schema_type: SchemaType, reader: &Texts, writer: &Texts, profile: &Profile) -> Result<(), String> {
    let read = |texts: &Texts| engine::read(schema_type, &texts.text, &texts.referred(), Reading::Stored, profile).ok();
    let (Some(new), Some(old)) = (read(reader), read(writer)) else { return Ok(()) };
    let change = Change {
        old: &old,
        new: &new,
        old_version: Version::FIRST,
        level: Level::Backward,
        profile,
        policy: Policy::Strict,
        is_key: false,
    };
    let is_of_data = |advice: &Advice| ![Code::LatestClients, Code::UpgradeOrder].contains(&advice.code);
    let mut told = of_change(&change);
    told.extend(standing(&change));
    if told.iter().any(is_of_data) { Ok(()) } else { Err(format!("no advice on\n{reader:#?}\n{writer:#?}")) }
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
