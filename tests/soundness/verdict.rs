//! What the engine says of a pair, and pairs that real registries judged.

use schema_registrar::api::{Level, SchemaType};
use schema_registrar::compat::advice::{self, Change, Code};
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

/// A known way of passing wrongly: what it is called, and the advice that speaks of it; of JSON Schema also the one
/// that says of a place that it passes wrongly, whatever is why. None speaks of what is not the registry's doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    pub name: &'static str,
    pub codes: &'static [Code],
}

impl Spot {
    pub const fn new(name: &'static str, codes: &'static [Code]) -> Spot {
        Spot { name, codes }
    }

    /// Whether who makes the change is told of it, somewhere.
    pub fn is_advised(
        &self,
        schema_type: SchemaType,
        reader: &Texts,
        writer: &Texts,
        profile: &Profile,
    ) -> Result<(), String> {
        self.is_advised_at(schema_type, reader, writer, profile, &[|_: &str| true])
    }

    /// Whether who makes the change is told of each of these places, by an advice whose path is about it.
    pub fn is_advised_at(
        &self,
        schema_type: SchemaType,
        reader: &Texts,
        writer: &Texts,
        profile: &Profile,
        places: &[impl Fn(&str) -> bool],
    ) -> Result<(), String> {
        let read = |texts: &Texts| engine::read(schema_type, &texts.text, &texts.referred(), Reading::Stored, profile);
        let (new, old) = (read(reader).map_err(|e| e.to_string())?, read(writer).map_err(|e| e.to_string())?);
        let change = Change {
            old: &old,
            new: &new,
            old_name: "version 1",
            level: Level::Backward,
            profile,
            policy: Policy::Strict,
            is_key: false,
        };
        let given = [advice::of_change(&change), advice::standing(&change)].concat();
        let speaks_of_any = |code| schema_type == SchemaType::Json && code == Code::AcceptedThoughUnreadable;
        let speaks_of_it = |code| self.codes.contains(&code) || speaks_of_any(code);
        let of_it: Vec<&str> =
            given.iter().filter(|advice| speaks_of_it(advice.code)).map(|advice| &*advice.path).collect();
        let is_told = self.codes.is_empty() || places.iter().all(|is_at| of_it.iter().any(|path| is_at(path)));
        let all: Vec<(Code, &str)> = given.iter().map(|advice| (advice.code, &*advice.path)).collect();
        is_told.then_some(()).ok_or_else(|| format!("{}: not advised where it is, only {all:?}", self.name))
    }
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
