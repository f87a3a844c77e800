//! What the library takes in a schema and other clients do not: compat.md §7, A24. Plain facts, as in [`super::advice`].

use super::advice::Noted;
use super::outcome::{Findings, Place, PlaceId, Step};
use super::told;
use crate::compat::Facts;
use crate::compat::advice::{Code, Given};
use crate::schema::avro::{DefaultFit, Kind, Name, Record, Schema, TypeId, is_plain};

/// What is wrong: the `writer` of the facts.
pub const NAME: &str = "name";
/// A union's default is a value of another branch than the first.
pub const BRANCH: &str = "branch";
/// An enum's field has a default that is none of its symbols.
pub const SYMBOL: &str = "symbol";
/// A default is no value of its field's type.
pub const DEFAULT: &str = "default";

/// How many values are held against types for all defaults.
const MAX_STEPS: u32 = 1_000_000;

/// What other clients refuse. Facts: what it is about, the name or default (`reader`), and what is wrong (`writer`).
pub fn lint(schema: &Schema) -> Vec<Noted> {
    let mut linter = Linter { schema, places: Findings::default(), noted: Given::new(), steps_left: MAX_STEPS };
    let mut seen = std::collections::HashSet::new();
    let mut next = vec![(schema.root(), Place::START)];
    while let Some((id, place)) = next.pop() {
        if linter.noted.is_full() {
            break;
        }
        if seen.insert(id) {
            let found = next.len();
            linter.look(id, place, &mut next);
            next[found..].reverse();
        }
    }
    linter.noted.into_vec()
}

struct Linter<'s> {
    schema: &'s Schema,
    places: Findings,
    noted: Given<Noted>,
    steps_left: u32,
}

impl Linter<'_> {
    fn look(&mut self, id: TypeId, place: Place, next: &mut Vec<(TypeId, Place)>) {
        let here = self.places.keep(place);
        let kind = self.schema.kind(id);
        if let Some((name, _)) = kind.names().filter(|(name, _)| !all_plain(name)) {
            self.note(here, None, told::named(kind), name.full(), NAME);
        }
        match kind {
            Kind::Array(part) => next.push((*part, here.then(Step::Items))),
            Kind::Map(part) => next.push((*part, here.then(Step::Values))),
            Kind::Union(branches) => {
                next.extend((0..).zip(branches).map(|(at, branch)| (*branch, here.then(Step::Branch(at)))));
            }
            Kind::Enum(symbols) => {
                if let Some(symbol) = symbols.symbols.iter().find(|symbol| !is_plain(symbol)) {
                    self.note(here, None, format!("a symbol of {}", told::named(kind)), symbol, NAME);
                }
            }
            Kind::Record(record) => self.fields(id, record, here, next),
            _ => {}
        }
    }

    fn fields(&mut self, id: TypeId, record: &Record, here: PlaceId, next: &mut Vec<(TypeId, Place)>) {
        for (at, field) in (0..).zip(&record.fields) {
            if self.noted.is_full() {
                return;
            }
            let subject = || told::field_words(field, record, id == self.schema.root());
            let what = match self.schema.default_fit(field, &mut self.steps_left) {
                Some(DefaultFit::OtherBranch) => Some(BRANCH),
                Some(DefaultFit::NoSymbol) => Some(SYMBOL),
                Some(DefaultFit::Misfit) => Some(DEFAULT),
                _ => None,
            };
            if let Some(what) = what {
                self.note(here, Some(at), subject(), field.default.as_deref().unwrap_or_default(), what);
            }
            if !is_plain(&field.name) {
                self.note(here, Some(at), subject(), &field.name, NAME);
            }
            next.push((field.kind, here.then(Step::Field { record: id, at })));
        }
    }

    fn note(&mut self, here: PlaceId, field: Option<u32>, subject: String, reader: &str, what: &str) {
        let last = field.map(|at| format!("fields/{at}"));
        let facts = Facts { subject, reader: reader.to_owned(), writer: what.to_owned() };
        self.noted.push(Noted {
            code: Code::InvalidElsewhere,
            path: told::path(&self.places.steps(here), last),
            facts,
        });
    }
}

fn all_plain(name: &Name) -> bool {
    name.full().split('.').all(is_plain)
}
