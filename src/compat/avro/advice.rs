//! What the verdict does not say about a change, and somebody has to know: compat.md §7, A1 to A8. Nothing here changes
//! a verdict. Plain facts; sentences are made of them elsewhere.

use std::collections::HashSet;

use super::outcome::{Findings, Place, PlaceId, Step};
use super::rules::{self, Source};
use super::{sound, told};
use crate::compat::Facts;
use crate::schema::avro::json::same_value;
use crate::schema::avro::{Enum, Field, Kind, Primitive, Record, Schema, TypeId};

/// One thing to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// One of the constants of this module.
    pub code: &'static str,
    /// Where in the new schema, as the library writes paths.
    pub path: String,
    /// What it is about, what the new schema has (`reader`), and what the old one has (`writer`).
    pub facts: Facts,
}

/// A1: a field went and one of the same type came, without an alias. The old values are lost without an error wherever
/// the new field has a default. Subject: the new field; writer: the name of the old one.
pub const RENAME_WITHOUT_ALIAS: &str = "RenameWithoutAlias";
/// A2: a field or type is found by its alias only. Aliases help readers only, and not all clients know them.
pub const NEEDS_ALIAS: &str = "NeedsAlias";
/// A3: the namespace of a type changed, or its name did. Generated classes and subjects by record name follow the full
/// name.
pub const FULL_NAME_CHANGED: &str = "FullNameChanged";
/// A4: an enum has new symbols. Old readers read them as their default, or not at all. Reader: the symbols; writer: the
/// old default, or nothing.
pub const ENUM_GREW: &str = "EnumGrew";
/// A4: an enum lost symbols and has a default, which hides them. Reader: the default; writer: the symbols.
pub const ENUM_DEFAULT_HIDES: &str = "EnumDefaultHides";
/// A5: old data without the field is read with another default than before.
pub const DEFAULT_CHANGED: &str = "DefaultChanged";
/// A5: a default went. Versions before the field came cannot be read any more.
pub const DEFAULT_REMOVED: &str = "DefaultRemoved";
/// A6: the same bytes mean something else: the logical type, its precision, or its scale changed.
pub const LOGICAL_TYPE_CHANGED: &str = "LogicalTypeChanged";
/// A7: more than one record of a union matches one of the other union, so decoders choose by what fits.
pub const AMBIGUOUS_UNION: &str = "AmbiguousUnion";
/// A8: int or long is read as float, or long as double: large numbers lose digits.
pub const PRECISION_LOST: &str = "PrecisionLost";
/// The registry says that data can be read which cannot (compat.md §1.5).
pub const ACCEPTED_THOUGH_UNREADABLE: &str = "AcceptedThoughUnreadable";

/// How many pairs are looked at, and how many advices are given.
const MAX_PAIRS: usize = 100_000;
const MAX_ADVICE: usize = 1_000;
/// The keys of a logical type.
const LOGICAL_KEYS: [&str; 3] = ["logicalType", "precision", "scale"];

/// What is to know about a change from the old schema to the new one, in the order of the new one.
pub fn advice(new: &Schema, old: &Schema) -> Vec<Advice> {
    let mut adviser = Adviser { new, old, places: Findings::default(), seen: HashSet::new(), given: Vec::new() };
    let mut next = vec![(new.root(), old.root(), Place::START)];
    while let Some((new, old, place)) = next.pop() {
        if adviser.seen.len() == MAX_PAIRS || adviser.given.len() >= MAX_ADVICE {
            break;
        }
        if adviser.seen.insert((new, old)) {
            let found = next.len();
            adviser.look(new, old, place, &mut next);
            next[found..].reverse();
        }
    }
    adviser.given
}

/// Whether new can read old in truth, where the registry says that it can: the place where it cannot. The registry's
/// answer is an argument since it is known by then.
pub fn accepted_though_unreadable(reader: &Schema, writer: &Schema) -> Option<Advice> {
    let (place, findings) = sound::unreadable(reader, writer)?;
    let steps = findings.steps(place);
    let facts = Facts { subject: told::subject(reader, &steps), ..Facts::default() };
    Some(Advice { code: ACCEPTED_THOUGH_UNREADABLE, path: told::path(&steps, None), facts })
}

struct Adviser<'s> {
    new: &'s Schema,
    old: &'s Schema,
    places: Findings,
    seen: HashSet<(TypeId, TypeId)>,
    given: Vec<Advice>,
}

type Next = Vec<(TypeId, TypeId, Place)>;

impl<'s> Adviser<'s> {
    fn look(&mut self, new: TypeId, old: TypeId, place: Place, next: &mut Next) {
        let here = self.places.keep(place);
        self.logical_type(new, old, here);
        match (self.new.kind(new), self.old.kind(old)) {
            (Kind::Primitive(reader), Kind::Primitive(writer)) => self.precision(*reader, *writer, here),
            (Kind::Array(new), Kind::Array(old)) => next.push((*new, *old, here.then(Step::Items))),
            (Kind::Map(new), Kind::Map(old)) => next.push((*new, *old, here.then(Step::Values))),
            (Kind::Union(_), _) | (_, Kind::Union(_)) => self.union(new, old, here, next),
            (kind @ Kind::Record(record), other @ Kind::Record(old_record)) => {
                self.names(kind, other, here);
                self.fields((new, record), old_record, here, next);
            }
            (kind @ Kind::Enum(symbols), other @ Kind::Enum(old_symbols)) => {
                self.names(kind, other, here);
                self.symbols(kind, symbols, old_symbols, here);
            }
            (kind @ Kind::Fixed(_), other @ Kind::Fixed(_)) => self.names(kind, other, here),
            _ => {}
        }
    }

    fn fields(&mut self, (id, new): (TypeId, &'s Record), old: &'s Record, here: PlaceId, next: &mut Next) {
        let mut read = vec![false; old.fields.len()];
        let mut added = Vec::new();
        for (at, field) in new.fields.iter().enumerate() {
            match rules::source(field, old, at) {
                Source::At(found) => {
                    read[found] = true;
                    let old_field = &old.fields[found];
                    self.default(field, old_field, new, here, at);
                    if field.name != old_field.name {
                        self.give(NEEDS_ALIAS, here, at, self.facts(field, new, &field.name, &old_field.name));
                    }
                    next.push((field.kind, old_field.kind, here.then(Step::Field { record: id, at: at as u32 })));
                }
                Source::Missing => added.push(at),
                Source::Ambiguous(_) => {}
            }
        }
        for at in added {
            let removed = (0..old.fields.len()).filter(|&gone| !read[gone]);
            if let Some(gone) = self.renamed(&new.fields[at], old, removed) {
                read[gone] = true;
                let field = &new.fields[at];
                let kind = told::words(self.new, field.kind);
                self.give(RENAME_WITHOUT_ALIAS, here, at, self.facts(field, new, &kind, &old.fields[gone].name));
            }
        }
    }

    /// A1: the field that an added one was before, by its type and default; by its type alone if one has that.
    fn renamed(&self, field: &Field, old: &Record, removed: impl Iterator<Item = usize>) -> Option<usize> {
        let kind = told::words(self.new, field.kind);
        let alike: Vec<usize> = removed.filter(|&gone| told::words(self.old, old.fields[gone].kind) == kind).collect();
        let same_default =
            |&&gone: &&usize| same_default(field.default.as_deref(), old.fields[gone].default.as_deref());
        let by_default = alike.iter().find(same_default);
        by_default.or(alike.first().filter(|_| alike.len() == 1)).copied()
    }

    /// A5.
    fn default(&mut self, field: &Field, old: &Field, record: &Record, here: PlaceId, at: usize) {
        match (field.default.as_deref(), old.default.as_deref()) {
            (Some(new), Some(old)) if !same_value(new, old) => {
                self.give(DEFAULT_CHANGED, here, at, self.facts(field, record, new, old));
            }
            (None, Some(old)) => self.give(DEFAULT_REMOVED, here, at, self.facts(field, record, "", old)),
            _ => {}
        }
    }

    /// A2 and A3.
    fn names(&mut self, new: &Kind, old: &Kind, here: PlaceId) {
        let (Some((new_name, _)), Some((old_name, _))) = (new.names(), old.names()) else { return };
        if new_name.full() == old_name.full() {
            return;
        }
        let facts = Facts { subject: told::named(new), reader: new_name.to_string(), writer: old_name.to_string() };
        if new_name.short() != old_name.short() && rules::names_match(new, old) {
            self.give_at(NEEDS_ALIAS, here, facts.clone());
        }
        self.give_at(FULL_NAME_CHANGED, here, facts);
    }

    /// A4.
    fn symbols(&mut self, kind: &Kind, new: &Enum, old: &Enum, here: PlaceId) {
        let grown = told::listed_symbols(rules::missing_symbols(old, new));
        if !grown.is_empty() {
            let default = old.default.as_deref().unwrap_or_default().to_owned();
            self.give_at(ENUM_GREW, here, Facts { subject: told::named(kind), reader: grown, writer: default });
        }
        let lost = told::listed_symbols(rules::missing_symbols(new, old));
        if let Some(default) = new.default.as_deref().filter(|_| !lost.is_empty()) {
            let facts = Facts { subject: told::named(kind), reader: default.to_owned(), writer: lost };
            self.give_at(ENUM_DEFAULT_HIDES, here, facts);
        }
    }

    /// A6.
    fn logical_type(&mut self, new: TypeId, old: TypeId, here: PlaceId) {
        let changed = LOGICAL_KEYS.iter().any(|key| match (self.new.property(new, key), self.old.property(old, key)) {
            (Some(new), Some(old)) => !same_value(new, old),
            (new, old) => new.is_some() || old.is_some(),
        });
        let both_are_types =
            !matches!(self.new.kind(new), Kind::Union(_)) && !matches!(self.old.kind(old), Kind::Union(_));
        if changed && both_are_types {
            let (reader, writer) = (logical_words(self.new, new), logical_words(self.old, old));
            let subject = told::subject(self.new, &self.places.steps(here));
            self.give_at(LOGICAL_TYPE_CHANGED, here, Facts { subject, reader, writer });
        }
    }

    /// A8.
    fn precision(&mut self, reader: Primitive, writer: Primitive, here: PlaceId) {
        use Primitive::{Double, Float, Int, Long};
        if matches!((writer, reader), (Int | Long, Float) | (Long, Double)) {
            let subject = told::subject(self.new, &self.places.steps(here));
            self.give_at(
                PRECISION_LOST,
                here,
                Facts { subject, reader: reader.to_string(), writer: writer.to_string() },
            );
        }
    }

    /// Compares the branches that are meant for each other, and A7.
    fn union(&mut self, new: TypeId, old: TypeId, here: PlaceId, next: &mut Next) {
        let (new_branches, old_branches) = (branches(self.new, &new), branches(self.old, &old));
        for (index, &old) in (0..).zip(old_branches) {
            let kind = self.old.kind(old);
            let alike = |&&new: &&TypeId| alike(self.new.kind(new), kind);
            let mut found = new_branches.iter().filter(alike);
            let Some(&new) = found.next() else { continue };
            if found.next().is_some() {
                let subject = told::subject(self.new, &self.places.steps(here));
                let writer = told::words(self.old, old);
                self.give_at(AMBIGUOUS_UNION, here, Facts { subject, reader: String::new(), writer });
            }
            next.push((new, old, here.then(Step::Branch(index))));
        }
        for &new in new_branches {
            let kind = self.new.kind(new);
            let meant = old_branches.iter().filter(|&&old| alike(kind, self.old.kind(old))).count();
            if meant > 1 {
                let subject = told::subject(self.new, &self.places.steps(here));
                let reader = told::words(self.new, new);
                self.give_at(AMBIGUOUS_UNION, here, Facts { subject, reader, writer: String::new() });
            }
        }
    }

    fn facts(&self, field: &Field, record: &Record, reader: &str, writer: &str) -> Facts {
        let is_root = matches!(self.new.kind(self.new.root()), Kind::Record(root) if root.name == record.name);
        let subject = told::field_words(field, record, is_root);
        Facts { subject, reader: reader.to_owned(), writer: writer.to_owned() }
    }

    fn give(&mut self, code: &'static str, here: PlaceId, at: usize, facts: Facts) {
        let path = told::path(&self.places.steps(here), Some(format!("fields/{at}")));
        self.given.push(Advice { code, path, facts });
    }

    fn give_at(&mut self, code: &'static str, here: PlaceId, facts: Facts) {
        self.given.push(Advice { code, path: told::path(&self.places.steps(here), None), facts });
    }
}

/// The branches of a union, or the one type.
fn branches<'s>(schema: &'s Schema, id: &'s TypeId) -> &'s [TypeId] {
    match schema.kind(*id) {
        Kind::Union(branches) => branches,
        _ => std::slice::from_ref(id),
    }
}

/// Whether two branches are meant for each other.
fn alike(new: &Kind, old: &Kind) -> bool {
    match (new, old) {
        (Kind::Primitive(new), Kind::Primitive(old)) => new == old,
        _ => new.word() == old.word() && rules::names_match(new, old),
    }
}

fn same_default(one: Option<&str>, other: Option<&str>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => same_value(one, other),
        (one, other) => one.is_none() && other.is_none(),
    }
}

/// `bytes decimal(10, 2)`, `long timestamp-millis`, `int`.
fn logical_words(schema: &Schema, id: TypeId) -> String {
    let value = |key| schema.property(id, key).map(|value| value.trim_matches('"'));
    let mut words = schema.kind(id).word().to_owned();
    if let Some(logical) = value("logicalType") {
        words.push(' ');
        words.push_str(logical);
    }
    match (value("precision"), value("scale")) {
        (Some(precision), Some(scale)) => words + &format!("({precision}, {scale})"),
        (Some(precision), None) => words + &format!("({precision})"),
        _ => words,
    }
}
