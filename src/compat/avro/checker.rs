//! The walk over pairs of types, in the library's order.
//!
//! The library keeps the result of each pair of its objects. A pair that is met inside itself counts as compatible, and
//! results that were found under that assumption are kept even when it turns out wrong (compat.md §1.5); a pair that is
//! met again tells the paths of the first time. Both are part of its answers, so the order of all comparisons that can
//! be met again is kept. Comparisons that nothing can meet again, and whose result is known, are left out: that makes
//! unions of many records cheap.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::outcome::{Breach, Finding, Findings, Outcome, Place, PlaceId, Step};
use super::rules::{self, Source};
use super::{plain, told, words};
use crate::compat::effort::Effort;
use crate::compat::{AmbiguousField, AvroRules, Difference, Failure};
use crate::schema::MAX_DEPTH;
use crate::schema::avro::{Kind, Record, Schema, TypeId};

/// How many pairs are compared: seconds of the library's time, below one of ours, and some 20 MiB where all are kept.
const MAX_PAIRS: u32 = 900_000;
/// Some hundreds of nanoseconds, in units of effort.
const WORK_OF_PAIR: usize = 16;
/// Unions up to this size are searched branch by branch.
const SMALL_UNION: usize = 8;

pub(super) fn check(
    reader: &Schema,
    writer: &Schema,
    rules: &AvroRules,
    effort: &mut Effort,
) -> Result<Vec<Difference>, Failure> {
    if plain::reads(reader, writer, rules, effort) {
        return Ok(Vec::new());
    }
    let mut checker = Checker {
        reader,
        writer,
        rules,
        kept: Kept::default(),
        findings: Findings::default(),
        unions: HashMap::new(),
        pairs: 0,
        depth: 0,
    };
    let outcome = checker.compare(reader.root(), writer.root(), Place::START);
    effort.spend(checker.pairs as usize * WORK_OF_PAIR);
    match outcome {
        Ok(outcome) => Ok(told::differences(reader, writer, &checker.findings, outcome)),
        Err(Stop::Throws { record, at, writer: found }) => {
            let exception = told::exception(reader, writer, record, at, found);
            match rules.ambiguous_field {
                AmbiguousField::Fails => Err(Failure::RegistryError(words::ambiguity(&exception))),
                AmbiguousField::Breaks | AmbiguousField::TakesFirst => Ok(vec![exception]),
            }
        }
        Err(Stop::ErrorReads) => Err(Failure::RegistryError("it has no rule for types of kind error".to_owned())),
        Err(Stop::TooDeep) => Err(Failure::Unsupported(format!("the types nest deeper than {MAX_DEPTH} levels"))),
        Err(Stop::TooMany) => {
            Err(Failure::Unsupported("comparing all types with each other takes too long".to_owned()))
        }
    }
}

/// Why the walk ends early.
enum Stop {
    /// The library throws over a reader's field that more than one of the writer's match.
    Throws { record: TypeId, at: usize, writer: TypeId },
    /// Python's library throws over a reader's type that is an error.
    ErrorReads,
    /// Deeper than [`MAX_DEPTH`], though the library may go on.
    TooDeep,
    /// See [`MAX_PAIRS`].
    TooMany,
}

/// What is known of a pair.
#[derive(Clone, Copy)]
enum Known {
    InProgress,
    Result(Outcome),
}

type Kept = HashMap<(TypeId, TypeId), Known, BuildHasherDefault<PairHasher>>;

struct Checker<'s> {
    reader: &'s Schema,
    writer: &'s Schema,
    rules: &'s AvroRules,
    kept: Kept,
    findings: Findings,
    unions: HashMap<TypeId, Branches<'s>>,
    pairs: u32,
    depth: usize,
}

impl<'s> Checker<'s> {
    fn compare(&mut self, reader: TypeId, writer: TypeId, place: Place) -> Result<Outcome, Stop> {
        self.spend()?;
        // Only a node that more than one place leads to can be met again with the same other one.
        if !self.reader.is_shared(reader) && !self.writer.is_shared(writer) {
            return self.calculate(reader, writer, place);
        }
        match self.kept.get(&(reader, writer)) {
            Some(Known::InProgress) => return Ok(Outcome::COMPATIBLE),
            Some(Known::Result(outcome)) => return Ok(*outcome),
            None => {}
        }
        self.kept.insert((reader, writer), Known::InProgress);
        let outcome = self.calculate(reader, writer, place)?;
        self.kept.insert((reader, writer), Known::Result(outcome));
        Ok(outcome)
    }

    fn calculate(&mut self, reader: TypeId, writer: TypeId, place: Place) -> Result<Outcome, Stop> {
        let before = self.findings.mark();
        let outcome = self.look(reader, writer, place)?;
        self.findings.forget_unused(before);
        Ok(outcome)
    }

    fn look(&mut self, reader: TypeId, writer: TypeId, place: Place) -> Result<Outcome, Stop> {
        let here = Here { reader, writer, place };
        match (self.reader.kind(reader), self.writer.kind(writer)) {
            (Kind::Primitive(one), Kind::Primitive(other)) if rules::reads_primitive(*one, *other) => {
                Ok(Outcome::COMPATIBLE)
            }
            (Kind::Array(one), Kind::Array(other)) => self.part(here, *one, *other, Step::Items),
            (Kind::Map(one), Kind::Map(other)) => self.part(here, *one, *other, Step::Values),
            (Kind::Union(_), Kind::Union(branches)) => self.union_by_union(here, branches),
            (_, Kind::Union(branches)) => self.any_by_union(here, branches),
            (Kind::Union(_), _) => self.union_by_any(here),
            (one @ Kind::Fixed(fixed), other @ Kind::Fixed(other_fixed)) => {
                let names = self.breach_unless(rules::names_match(one, other), here, Breach::Name);
                let sizes = self.breach_unless(rules::sizes_match(fixed, other_fixed), here, Breach::Size);
                Ok(self.findings.both(names, sizes))
            }
            (one @ Kind::Enum(symbols), other @ Kind::Enum(other_symbols)) => {
                let names = self.breach_unless(rules::names_match(one, other), here, Breach::Name);
                let reads = rules::reads_symbols(symbols, other_symbols);
                let symbols = self.breach_unless(reads, here, Breach::Symbols);
                Ok(self.findings.both(names, symbols))
            }
            (Kind::Record(record), _) if record.is_error && !self.rules.errors_are_records => Err(Stop::ErrorReads),
            (Kind::Record(_), Kind::Record(record)) if record.is_error && !self.rules.errors_are_records => {
                Ok(self.breach(here, Breach::Type))
            }
            (one @ Kind::Record(record), other @ Kind::Record(other_record)) => {
                let names = self.breach_unless(rules::names_match(one, other), here, Breach::Name);
                let fields = self.fields(here, record, other_record)?;
                Ok(self.findings.both(names, fields))
            }
            _ => Ok(self.breach(here, Breach::Type)),
        }
    }

    /// The one part of two arrays or maps.
    fn part(&mut self, here: Here, reader: TypeId, writer: TypeId, step: Step) -> Result<Outcome, Stop> {
        let place = self.findings.keep(here.place).then(step);
        self.deeper(|checker| checker.compare(reader, writer, place))
    }

    fn fields(&mut self, here: Here, reader: &'s Record, writer: &'s Record) -> Result<Outcome, Stop> {
        let place = self.findings.keep(here.place);
        self.deeper(|checker| {
            let mut outcome = Outcome::COMPATIBLE;
            for at in 0..reader.fields.len() {
                let field = checker.field(here, (reader, writer), at, place)?;
                outcome = checker.findings.both(outcome, field);
            }
            Ok(outcome)
        })
    }

    fn field(
        &mut self,
        here: Here,
        (reader, writer): (&'s Record, &'s Record),
        at: usize,
        place: PlaceId,
    ) -> Result<Outcome, Stop> {
        let field = &reader.fields[at];
        let step = Step::Field { record: here.reader, at: at as u32 };
        match rules::source(field, writer, at) {
            Source::Ambiguous(_) if self.rules.ambiguous_field != AmbiguousField::TakesFirst => {
                Err(Stop::Throws { record: here.reader, at, writer: here.writer })
            }
            Source::At(found) | Source::Ambiguous(found) => {
                self.compare(field.kind, writer.fields[found].kind, place.then(step))
            }
            Source::Missing if rules::can_be_missing(field) => Ok(Outcome::COMPATIBLE),
            Source::Missing if rules::falls_back_on_enum(self.reader.kind(field.kind)) => {
                self.compare(field.kind, here.writer, place.then(step))
            }
            Source::Missing => {
                self.spend()?;
                let breach = Breach::Default { at: at as u32 };
                Ok(self.findings.one(Finding { breach, place, reader: here.reader, writer: here.writer }))
            }
        }
    }

    /// Each branch of the writer's union has to be read by the reader's union.
    fn union_by_union(&mut self, here: Here, branches: &'s [TypeId]) -> Result<Outcome, Stop> {
        let place = self.findings.keep(here.place);
        let mut outcome = Outcome::COMPATIBLE;
        for (index, &branch) in (0..).zip(branches) {
            let read = self.deeper(|checker| checker.compare(here.reader, branch, Place::START))?;
            if let Some(reason) = self.reason(read) {
                let place = self.findings.keep(place.then(Step::Branch(index)));
                let breach = Breach::Branch { branch, reason };
                let one = self.findings.one(Finding { breach, place, reader: here.reader, writer: here.writer });
                outcome = self.findings.both(outcome, one);
            }
        }
        Ok(outcome)
    }

    /// Why a union does not read a type, where it does not.
    fn reason(&self, read: Outcome) -> Option<Outcome> {
        match self.findings.first(read)?.breach {
            Breach::Branch { reason, .. } => Some(reason),
            _ => Some(Outcome::COMPATIBLE),
        }
    }

    /// Each branch of the writer's union has to be read by the reader's type.
    fn any_by_union(&mut self, here: Here, branches: &'s [TypeId]) -> Result<Outcome, Stop> {
        let place = self.findings.keep(here.place);
        let mut outcome = Outcome::COMPATIBLE;
        for (index, &branch) in (0..).zip(branches) {
            // Elsewhere a branch is looked at from the start, and so are its paths told.
            let place = if self.rules.paths_tell_branches { place.then(Step::Branch(index)) } else { Place::START };
            let read = self.deeper(|checker| checker.compare(here.reader, branch, place))?;
            outcome = self.findings.both(outcome, read);
        }
        Ok(outcome)
    }

    /// Some branch of the reader's union has to read the writer's type. The first one that does ends the search.
    fn union_by_any(&mut self, here: Here) -> Result<Outcome, Stop> {
        let mut reason = Outcome::COMPATIBLE;
        for branch in self.candidates(here) {
            let read = self.deeper(|checker| checker.compare(branch, here.writer, Place::START))?;
            if read.is_compatible() {
                return Ok(read);
            }
            if reason.is_compatible() && self.looks_alike(branch, here.writer) {
                reason = self.findings.reason(read);
            }
        }
        Ok(self.breach(here, Breach::Branch { branch: here.writer, reason }))
    }

    fn looks_alike(&self, reader: TypeId, writer: TypeId) -> bool {
        let (reader, writer) = (self.reader.kind(reader), self.writer.kind(writer));
        std::mem::discriminant(reader) == std::mem::discriminant(writer)
            && !matches!(reader, Kind::Primitive(_))
            && rules::names_match(reader, writer)
    }

    /// The branches of the reader's union that are to be compared with the writer's type, in order.
    fn candidates(&mut self, here: Here) -> Vec<TypeId> {
        let (reader, schema) = (here.reader, self.reader);
        let Kind::Union(branches) = schema.kind(reader) else { return Vec::new() };
        if branches.len() <= SMALL_UNION {
            return branches.to_vec();
        }
        let index = self.unions.entry(reader).or_insert_with(|| Branches::of(schema, branches));
        index.candidates(branches, self.writer.kind(here.writer))
    }

    fn spend(&mut self) -> Result<(), Stop> {
        self.pairs += 1;
        if self.pairs > MAX_PAIRS { Err(Stop::TooMany) } else { Ok(()) }
    }

    fn deeper<T>(&mut self, walk: impl FnOnce(&mut Self) -> Result<T, Stop>) -> Result<T, Stop> {
        if self.depth == MAX_DEPTH {
            return Err(Stop::TooDeep);
        }
        self.depth += 1;
        let walked = walk(self);
        self.depth -= 1;
        walked
    }

    fn breach_unless(&mut self, holds: bool, here: Here, breach: Breach) -> Outcome {
        if holds { Outcome::COMPATIBLE } else { self.breach(here, breach) }
    }

    fn breach(&mut self, here: Here, breach: Breach) -> Outcome {
        let place = self.findings.keep(here.place);
        self.findings.one(Finding { breach, place, reader: here.reader, writer: here.writer })
    }
}

/// A pair, and where it is met.
#[derive(Clone, Copy)]
struct Here {
    reader: TypeId,
    writer: TypeId,
    place: Place,
}

/// The branches of a large union by what finds them.
struct Branches<'s> {
    by_name: HashMap<&'s str, Vec<u32>>,
    by_alias: HashMap<&'s str, Vec<u32>>,
    /// Those that have no name, and those that a comparison cannot leave out without being noticed.
    always: Vec<u32>,
}

impl<'s> Branches<'s> {
    fn of(schema: &'s Schema, branches: &[TypeId]) -> Branches<'s> {
        let mut index = Branches { by_name: HashMap::new(), by_alias: HashMap::new(), always: Vec::new() };
        for (at, &branch) in (0..).zip(branches) {
            match schema.kind(branch).names() {
                Some((name, aliases)) if is_unnoticed(schema, branch) => {
                    index.by_name.entry(name.short()).or_default().push(at);
                    for alias in aliases.iter() {
                        index.by_alias.entry(alias).or_default().push(at);
                    }
                }
                _ => index.always.push(at),
            }
        }
        index
    }

    fn candidates(&self, branches: &[TypeId], writer: &Kind) -> Vec<TypeId> {
        let mut found = self.always.clone();
        if let Some((name, _)) = writer.names() {
            found.extend(self.by_name.get(name.short()).into_iter().flatten());
            found.extend(self.by_alias.get(name.full()).into_iter().flatten());
            found.sort_unstable();
            found.dedup();
        }
        found.into_iter().map(|at| branches[at as usize]).collect()
    }
}

/// Whether a comparison with this type changes nothing but its own result: no part of it can be met from elsewhere, no
/// field of it can be ambiguous, and it is no error.
fn is_unnoticed(schema: &Schema, id: TypeId) -> bool {
    let mut next = vec![id];
    while let Some(id) = next.pop() {
        if schema.is_shared(id) {
            return false;
        }
        match schema.kind(id) {
            Kind::Array(part) | Kind::Map(part) => next.push(*part),
            Kind::Union(branches) => next.extend(branches),
            Kind::Record(record) => {
                if record.is_error || record.fields.iter().any(|field| !field.aliases.is_empty()) {
                    return false;
                }
                next.extend(record.fields.iter().map(|field| field.kind));
            }
            _ => {}
        }
    }
    true
}

/// Nodes are numbered by us, so nobody can choose them to collide.
#[derive(Default)]
pub(super) struct PairHasher(u64);

impl Hasher for PairHasher {
    fn finish(&self) -> u64 {
        self.0.rotate_left(26)
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u32(byte.into()));
    }

    fn write_u32(&mut self, value: u32) {
        self.0 = (self.0.rotate_left(5) ^ u64::from(value)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}
