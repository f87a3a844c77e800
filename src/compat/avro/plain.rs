//! A quick yes, for schemas that nothing separates.
//!
//! Where the library is wrong, it is wrong in one direction: it assumes that pairs are compatible while it is looking at
//! them. So if a set of pairs holds every pair that the rules ask for, with one branch chosen for each one that a union
//! has to read, the library finds nothing either. Only if that fails does the order of its steps matter.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasherDefault;

use super::checker::PairHasher;
use super::rules::{self, Source};
use crate::compat::AvroRules;
use crate::compat::effort::Effort;
use crate::schema::avro::{Kind, Schema, TypeId};

/// Unions up to this size are searched branch by branch.
const SMALL_UNION: usize = 8;

/// How many pairs are looked at.
const MAX_PAIRS: u32 = 1_000_000;

/// In units of effort.
const WORK_OF_PAIR: usize = 8;

/// Whether the reader plainly reads the writer. False says nothing.
pub(super) fn reads(reader: &Schema, writer: &Schema, rules: &AvroRules, effort: &mut Effort) -> bool {
    // With aliases or errors the library may throw, also over pairs that need not be compatible.
    let has_errors = (reader.has_errors() || writer.has_errors()) && !rules.errors_are_records;
    if reader.has_field_aliases() || has_errors {
        return false;
    }
    let mut plain = Plain { reader, writer, next: Vec::new(), seen: HashSet::default(), unions: HashMap::new() };
    plain.ask(reader.root(), writer.root());
    for _ in 0..MAX_PAIRS {
        effort.spend(WORK_OF_PAIR);
        match plain.next.pop() {
            Some((reader, writer)) if plain.pair_holds(reader, writer) => {}
            Some(_) => return false,
            None => return true,
        }
    }
    false
}

struct Plain<'s> {
    reader: &'s Schema,
    writer: &'s Schema,
    next: Vec<(TypeId, TypeId)>,
    seen: HashSet<(TypeId, TypeId), BuildHasherDefault<PairHasher>>,
    /// The branches of large unions of the reader, by kind and name.
    unions: HashMap<TypeId, HashMap<&'s str, TypeId>>,
}

impl Plain<'_> {
    fn ask(&mut self, reader: TypeId, writer: TypeId) {
        let shared = self.reader.is_shared(reader) || self.writer.is_shared(writer);
        if !shared || self.seen.insert((reader, writer)) {
            self.next.push((reader, writer));
        }
    }

    fn pair_holds(&mut self, reader: TypeId, writer: TypeId) -> bool {
        let (one, other) = (self.reader.kind(reader), self.writer.kind(writer));
        match (one, other) {
            (Kind::Primitive(one), Kind::Primitive(other)) => rules::reads_primitive(*one, *other),
            (Kind::Array(one), Kind::Array(other)) | (Kind::Map(one), Kind::Map(other)) => {
                self.ask(*one, *other);
                true
            }
            (_, Kind::Union(branches)) => {
                branches.iter().for_each(|&branch| self.ask(reader, branch));
                true
            }
            (Kind::Union(branches), _) => match self.choose(reader, branches, other) {
                Some(branch) => {
                    self.ask(branch, writer);
                    true
                }
                None => false,
            },
            (Kind::Fixed(fixed), Kind::Fixed(other_fixed)) => {
                rules::names_match(one, other) && rules::sizes_match(fixed, other_fixed)
            }
            (Kind::Enum(symbols), Kind::Enum(other_symbols)) => {
                rules::names_match(one, other) && rules::reads_symbols(symbols, other_symbols)
            }
            (Kind::Record(_), Kind::Record(_)) => rules::names_match(one, other) && self.fields_hold(reader, writer),
            _ => false,
        }
    }

    fn fields_hold(&mut self, reader: TypeId, writer: TypeId) -> bool {
        let (Kind::Record(reader), Kind::Record(writer)) = (self.reader.kind(reader), self.writer.kind(writer)) else {
            return false;
        };
        for (at, field) in reader.fields.iter().enumerate() {
            match rules::source(field, writer, at) {
                Source::At(found) => self.ask(field.kind, writer.fields[found].kind),
                Source::Missing if rules::can_be_missing(field) => {}
                Source::Missing | Source::Ambiguous(_) => return false,
            }
        }
        true
    }

    /// The branch that is most likely to read a type.
    fn choose(&mut self, union: TypeId, branches: &[TypeId], writer: &Kind) -> Option<TypeId> {
        if branches.len() > SMALL_UNION {
            let reader = self.reader;
            let index = self
                .unions
                .entry(union)
                .or_insert_with(|| branches.iter().rev().map(|&branch| (key(reader.kind(branch)), branch)).collect());
            return index.get(key(writer)).copied();
        }
        let find =
            |fits: &dyn Fn(&Kind) -> bool| branches.iter().copied().find(|&branch| fits(self.reader.kind(branch)));
        let exact = |kind: &Kind| key(kind) == key(writer) && kind.word() == writer.word();
        let promoted = |kind: &Kind| match (kind, writer) {
            (Kind::Primitive(one), Kind::Primitive(other)) => rules::reads_primitive(*one, *other),
            _ => false,
        };
        let renamed =
            |kind: &Kind| kind.word() == writer.word() && kind.names().is_some() && rules::names_match(kind, writer);
        find(&exact).or_else(|| find(&renamed)).or_else(|| find(&promoted))
    }
}

/// Equal for types that usually read each other.
fn key(kind: &Kind) -> &str {
    kind.names().map_or_else(|| kind.word(), |(name, _)| name.short())
}
