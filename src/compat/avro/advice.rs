//! What the verdict does not say about a change, and somebody has to know: compat.md §7, A1 to A8 and A11. Nothing here
//! changes a verdict. Plain facts; sentences are made of them in [`crate::compat::advice`].

use std::collections::{BTreeSet, HashMap, HashSet};

use super::outcome::{Findings, Place, PlaceId, Step};
use super::rules::{self, Source};
use super::{sound, told};
use crate::compat::Facts;
use crate::compat::advice::{Code, Given, Told};
use crate::schema::avro::{Enum, Field, Kind, Primitive, Record, Schema, TypeId};
use crate::schema::json_text::same_value;

/// One thing to know, before it is put in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noted {
    /// What it is.
    pub code: Code,
    /// Where in the new schema, as the library writes paths.
    pub path: String,
    /// What it is about, what the new schema has (`reader`), and what the old one has (`writer`): the name of the field
    /// that went, the symbols that came or went, defaults, types.
    pub facts: Facts,
}

impl Told for Noted {
    fn bytes(&self) -> usize {
        self.path.len() + self.facts.bytes()
    }
}

/// How many pairs are looked at.
const MAX_PAIRS: usize = 100_000;
/// How many fields that went are tried for one that came.
const MAX_TRIED: usize = 32;
/// How many branches of unions are held against each other.
const MAX_BRANCH_PAIRS: usize = 1_000_000;
/// The keys of a logical type.
const LOGICAL_KEYS: [&str; 3] = ["logicalType", "precision", "scale"];

/// What is to know about a change from the old schema to the new one, in the order of the new one.
pub fn advice(new: &Schema, old: &Schema) -> Vec<Noted> {
    let (places, seen, given) = (Findings::default(), HashSet::new(), Given::new());
    let mut adviser = Adviser { new, old, places, seen, branch_pairs: 0, given };
    let mut next = vec![(new.root(), old.root(), Place::START)];
    while let Some((new, old, place)) = next.pop() {
        if adviser.seen.len() == MAX_PAIRS || adviser.given.is_full() {
            break;
        }
        if adviser.seen.insert((new, old)) {
            let found = next.len();
            adviser.look(new, old, place, &mut next);
            next[found..].reverse();
        }
    }
    adviser.given.into_vec()
}

/// Whether new can read old in truth, where the registry says that it can: the place where it cannot. The registry's
/// answer is an argument since it is known by then.
pub fn accepted_though_unreadable(reader: &Schema, writer: &Schema) -> Option<Noted> {
    let (place, findings) = sound::unreadable(reader, writer)?;
    let steps = findings.steps(place);
    let facts = Facts { subject: told::subject(reader, &steps), ..Facts::default() };
    Some(Noted { code: Code::AcceptedThoughUnreadable, path: told::path(&steps, None), facts })
}

struct Adviser<'s> {
    new: &'s Schema,
    old: &'s Schema,
    places: Findings,
    seen: HashSet<(TypeId, TypeId)>,
    branch_pairs: usize,
    given: Given<Noted>,
}

type Next = Vec<(TypeId, TypeId, Place)>;

impl<'s> Adviser<'s> {
    fn look(&mut self, new: TypeId, old: TypeId, place: Place, next: &mut Next) {
        let here = self.places.keep(place);
        self.logical_type(new, old, here);
        match (self.new.kind(new), self.old.kind(old)) {
            (Kind::Primitive(reader), Kind::Primitive(writer)) => self.promotion(*reader, *writer, here),
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
            if self.given.is_full() {
                return;
            }
            match rules::source(field, old, at) {
                Source::At(found) => {
                    read[found] = true;
                    let old_field = &old.fields[found];
                    self.default(field, old_field, new, here, at);
                    if field.name != old_field.name {
                        self.give(Code::NeedsAlias, here, at, self.facts(field, new, &field.name, &old_field.name));
                    }
                    next.push((field.kind, old_field.kind, here.then(Step::Field { record: id, at: at as u32 })));
                }
                Source::Missing => added.push(at),
                Source::Ambiguous(_) => {}
            }
        }
        let mut gone = Gone::of(self.old, old, &read);
        for at in added {
            if self.given.is_full() {
                return;
            }
            let field = &new.fields[at];
            let kind = told::words(self.new, field.kind);
            if let Some(gone) = gone.take(&kind, field.default.as_deref()) {
                self.give(Code::RenameWithoutAlias, here, at, self.facts(field, new, &kind, &old.fields[gone].name));
            }
        }
    }

    /// A5.
    fn default(&mut self, field: &Field, old: &Field, record: &Record, here: PlaceId, at: usize) {
        match (field.default.as_deref(), old.default.as_deref()) {
            (Some(new), Some(old)) if !same_value(new, old) => {
                self.give(Code::DefaultChanged, here, at, self.facts(field, record, new, old));
            }
            (None, Some(old)) => self.give(Code::DefaultRemoved, here, at, self.facts(field, record, "", old)),
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
            self.give_at(Code::NeedsAlias, here, facts.clone());
        }
        self.give_at(Code::FullNameChanged, here, facts);
    }

    /// A4.
    fn symbols(&mut self, kind: &Kind, new: &Enum, old: &Enum, here: PlaceId) {
        let grown = told::listed_symbols(rules::missing_symbols(old, new));
        if !grown.is_empty() {
            let default = old.default.as_deref().unwrap_or_default().to_owned();
            self.give_at(Code::EnumGrew, here, Facts { subject: told::named(kind), reader: grown, writer: default });
        }
        let lost = told::listed_symbols(rules::missing_symbols(new, old));
        if let Some(default) = new.default.as_deref().filter(|_| !lost.is_empty()) {
            let facts = Facts { subject: told::named(kind), reader: default.to_owned(), writer: lost };
            self.give_at(Code::EnumDefaultHides, here, facts);
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
            self.give_at(Code::LogicalTypeChanged, here, Facts { subject, reader, writer });
        }
    }

    /// A8, and A11: bytes that are no UTF-8 are no text.
    fn promotion(&mut self, new: Primitive, old: Primitive, here: PlaceId) {
        use Primitive::{Bytes, Double, Float, Int, Long, String};
        let code = match (old, new) {
            (Int | Long, Float) | (Long, Double) => Code::PrecisionLost,
            (Bytes, String) | (String, Bytes) => Code::ValuesMayNotFit,
            _ => return,
        };
        let subject = told::subject(self.new, &self.places.steps(here));
        self.give_at(code, here, Facts { subject, reader: new.to_string(), writer: old.to_string() });
    }

    /// Compares the branches that are meant for each other, and A7.
    fn union(&mut self, new: TypeId, old: TypeId, here: PlaceId, next: &mut Next) {
        let (new_branches, old_branches) = (branches(self.new, &new), branches(self.old, &old));
        self.branch_pairs += new_branches.len() * old_branches.len();
        if self.branch_pairs > MAX_BRANCH_PAIRS {
            return;
        }
        for (index, &old) in (0..).zip(old_branches) {
            if self.given.is_full() {
                return;
            }
            let kind = self.old.kind(old);
            let alike = |&&new: &&TypeId| alike(self.new.kind(new), kind);
            let promoted = |&&new: &&TypeId| promoted(self.new.kind(new), kind);
            let mut found = new_branches.iter().filter(alike);
            let Some(&new) = found.next().or_else(|| new_branches.iter().find(promoted)) else { continue };
            if found.next().is_some() {
                let subject = told::subject(self.new, &self.places.steps(here));
                let writer = told::words(self.old, old);
                self.give_at(Code::AmbiguousUnion, here, Facts { subject, reader: String::new(), writer });
            }
            next.push((new, old, here.then(Step::Branch(index))));
        }
        for &new in new_branches {
            if self.given.is_full() {
                return;
            }
            let kind = self.new.kind(new);
            let meant = old_branches.iter().filter(|&&old| alike(kind, self.old.kind(old))).count();
            if meant > 1 {
                let subject = told::subject(self.new, &self.places.steps(here));
                let reader = told::words(self.new, new);
                self.give_at(Code::AmbiguousUnion, here, Facts { subject, reader, writer: String::new() });
            }
        }
    }

    fn facts(&self, field: &Field, record: &Record, reader: &str, writer: &str) -> Facts {
        let is_root = matches!(self.new.kind(self.new.root()), Kind::Record(root) if root.name == record.name);
        let subject = told::field_words(field, record, is_root);
        Facts { subject, reader: reader.to_owned(), writer: writer.to_owned() }
    }

    fn give(&mut self, code: Code, here: PlaceId, at: usize, facts: Facts) {
        let path = told::path(&self.places.steps(here), Some(format!("fields/{at}")));
        self.given.push(Noted { code, path, facts });
    }

    fn give_at(&mut self, code: Code, here: PlaceId, facts: Facts) {
        self.given.push(Noted { code, path: told::path(&self.places.steps(here), None), facts });
    }
}

/// A1: fields of the old record that no field of the new one reads, by type and by default.
struct Gone<'s> {
    by_type: HashMap<String, BTreeSet<usize>>,
    fields: &'s [Field],
}

impl<'s> Gone<'s> {
    fn of(schema: &Schema, old: &'s Record, read: &[bool]) -> Gone<'s> {
        let mut by_type: HashMap<String, BTreeSet<usize>> = HashMap::new();
        for (at, field) in old.fields.iter().enumerate().filter(|&(at, _)| !read[at]) {
            by_type.entry(told::words(schema, field.kind)).or_default().insert(at);
        }
        Gone { by_type, fields: &old.fields }
    }

    /// The field that a new one was before, by its type and default; by its type alone if only one has that.
    fn take(&mut self, kind: &str, default: Option<&str>) -> Option<usize> {
        let alike = self.by_type.get_mut(kind)?;
        let same = |&&at: &&usize| same_default(default, self.fields[at].default.as_deref());
        let by_default = alike.iter().take(MAX_TRIED).find(same);
        let found = *by_default.or(alike.first().filter(|_| alike.len() == 1))?;
        alike.remove(&found);
        Some(found)
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

/// Whether a branch reads a primitive that is not its own.
fn promoted(new: &Kind, old: &Kind) -> bool {
    matches!((new, old), (Kind::Primitive(new), Kind::Primitive(old)) if rules::reads_primitive(*new, *old))
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
