//! Whether a reader can read a writer in truth, by the same rules, but without the library's shortcuts: a pair is
//! readable if nothing that it needs is unreadable, however often it is met.

use std::collections::HashMap;

use super::outcome::{Findings, Place, PlaceId, Step};
use super::rules::{self, Source};
use crate::schema::avro::{Kind, Schema, TypeId};

/// How many pairs are looked at.
const MAX_PAIRS: usize = 100_000;

/// How many branches are tried out on a type by their names.
const MAX_TRIED: usize = 4_000_000;

/// Where the reader cannot read the writer. None also where that takes too long to tell.
pub(super) fn unreadable(reader: &Schema, writer: &Schema) -> Option<(PlaceId, Findings)> {
    let (places, numbers) = (Findings::default(), HashMap::new());
    let mut pairs = Pairs { reader, writer, places, numbers, all: Vec::new(), tried: 0 };
    pairs.number(reader.root(), writer.root(), Place::START);
    let mut at = 0;
    while at < pairs.all.len() {
        if pairs.all.len() > MAX_PAIRS || pairs.tried > MAX_TRIED {
            return None;
        }
        let needs = pairs.needs(at);
        pairs.all[at].needs = needs;
        at += 1;
    }
    let place = pairs.solve()?;
    Some((place, pairs.places))
}

/// What a pair needs.
enum Needs {
    /// It reads: all of these do.
    All(Vec<usize>),
    /// It reads: one of these does.
    One(Vec<usize>),
    /// It does not.
    Never,
}

struct Pair {
    reader: TypeId,
    writer: TypeId,
    place: PlaceId,
    needs: Needs,
}

struct Pairs<'s> {
    reader: &'s Schema,
    writer: &'s Schema,
    places: Findings,
    numbers: HashMap<(TypeId, TypeId), usize>,
    all: Vec<Pair>,
    tried: usize,
}

impl Pairs<'_> {
    fn number(&mut self, reader: TypeId, writer: TypeId, place: Place) -> usize {
        if let Some(&number) = self.numbers.get(&(reader, writer)) {
            return number;
        }
        let number = self.all.len();
        self.numbers.insert((reader, writer), number);
        let place = self.places.keep(place);
        self.all.push(Pair { reader, writer, place, needs: Needs::Never });
        number
    }

    fn needs(&mut self, at: usize) -> Needs {
        let Pair { reader, writer, place, .. } = self.all[at];
        let (one, other) = (self.reader.kind(reader), self.writer.kind(writer));
        match (one, other) {
            (Kind::Primitive(one), Kind::Primitive(other)) => holds(rules::reads_primitive(*one, *other)),
            (Kind::Array(one), Kind::Array(other)) => {
                Needs::All(vec![self.number(*one, *other, place.then(Step::Items))])
            }
            (Kind::Map(one), Kind::Map(other)) => Needs::All(vec![self.number(*one, *other, place.then(Step::Values))]),
            (_, Kind::Union(branches)) => {
                let numbered = (0..).zip(branches);
                let each =
                    numbered.map(|(index, &branch)| self.number(reader, branch, place.then(Step::Branch(index))));
                Needs::All(each.collect())
            }
            (Kind::Union(branches), _) => {
                self.tried += branches.len();
                let from = Place { from: Some(place), step: Step::Start };
                let may_read: Vec<TypeId> =
                    branches.iter().copied().filter(|&branch| may_read(self.reader.kind(branch), other)).collect();
                match may_read.is_empty() {
                    true => Needs::Never,
                    false => Needs::One(may_read.into_iter().map(|branch| self.number(branch, writer, from)).collect()),
                }
            }
            (Kind::Fixed(fixed), Kind::Fixed(other_fixed)) => {
                holds(rules::names_match(one, other) && rules::sizes_match(fixed, other_fixed))
            }
            (Kind::Enum(symbols), Kind::Enum(other_symbols)) => {
                holds(rules::names_match(one, other) && rules::reads_symbols(symbols, other_symbols))
            }
            (Kind::Record(_), Kind::Record(_)) if rules::names_match(one, other) => self.fields(reader, writer, place),
            _ => Needs::Never,
        }
    }

    fn fields(&mut self, reader: TypeId, writer: TypeId, place: PlaceId) -> Needs {
        let (Kind::Record(record), Kind::Record(other)) = (self.reader.kind(reader), self.writer.kind(writer)) else {
            return Needs::Never;
        };
        let mut needed = Vec::new();
        for (at, field) in record.fields.iter().enumerate() {
            match rules::source(field, other, at) {
                Source::At(found) => {
                    let step = Step::Field { record: reader, at: at as u32 };
                    needed.push(self.number(field.kind, other.fields[found].kind, place.then(step)));
                }
                Source::Missing if rules::can_be_missing(field) => {}
                Source::Missing | Source::Ambiguous(_) => return Needs::Never,
            }
        }
        Needs::All(needed)
    }

    /// Takes back what fails until nothing more does. Then follows what fails from the root to its end.
    fn solve(&self) -> Option<PlaceId> {
        let mut reads: Vec<bool> = self.all.iter().map(|pair| !matches!(pair.needs, Needs::Never)).collect();
        let mut needed_by = vec![Vec::new(); self.all.len()];
        for (number, pair) in self.all.iter().enumerate() {
            if let Needs::All(needed) | Needs::One(needed) = &pair.needs {
                needed.iter().for_each(|&other| needed_by[other].push(number));
            }
        }
        let mut failed: Vec<usize> = (0..reads.len()).filter(|&number| !reads[number]).collect();
        while let Some(number) = failed.pop() {
            for &user in &needed_by[number] {
                let fails = match &self.all[user].needs {
                    Needs::All(_) => true,
                    Needs::One(any) => !any.iter().any(|&other| reads[other]),
                    Needs::Never => false,
                };
                if fails && std::mem::replace(&mut reads[user], false) {
                    failed.push(user);
                }
            }
        }
        self.culprit(&reads)
    }

    fn culprit(&self, reads: &[bool]) -> Option<PlaceId> {
        let mut seen = vec![false; reads.len()];
        let mut at = 0;
        if *reads.first()? {
            return None;
        }
        while let (Needs::All(needed), false) = (&self.all[at].needs, std::mem::replace(&mut seen[at], true)) {
            match needed.iter().find(|&&other| !reads[other]) {
                Some(&other) => at = other,
                None => break,
            }
        }
        Some(self.all[at].place)
    }
}

/// Whether a branch may read a type; no other one does.
fn may_read(branch: &Kind, other: &Kind) -> bool {
    match (branch, other) {
        (Kind::Primitive(one), Kind::Primitive(other)) => rules::reads_primitive(*one, *other),
        _ => std::mem::discriminant(branch) == std::mem::discriminant(other) && rules::names_match(branch, other),
    }
}

fn holds(holds: bool) -> Needs {
    if holds { Needs::All(Vec::new()) } else { Needs::Never }
}
