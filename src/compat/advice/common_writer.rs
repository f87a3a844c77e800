//! Avro: whether there can be a schema that two readers both read.

use std::collections::HashSet;

use crate::schema::avro::{Field, Kind, Primitive, Schema, TypeId};

/// So many pairs of types are looked at; beyond that there may be one.
const MAX_PAIRS: usize = 100_000;

/// Why no schema that data can be written with is read by both, where that is certain.
pub(super) fn conflict(one: &Schema, other: &Schema) -> Option<String> {
    let mut search = Search { one, other, seen: HashSet::new(), why: String::new() };
    let shares = search.may_share(one.root(), other.root(), 0);
    (!shares && search.seen.len() < MAX_PAIRS).then_some(search.why)
}

struct Search<'s> {
    one: &'s Schema,
    other: &'s Schema,
    /// Pairs that were looked at; what recurs is taken to be readable, as where a list ends.
    seen: HashSet<(TypeId, TypeId)>,
    why: String,
}

/// How deep types are followed, each within the one before.
const MAX_DEPTH: usize = 100;

impl Search<'_> {
    fn may_share(&mut self, one: TypeId, other: TypeId, depth: usize) -> bool {
        if depth == MAX_DEPTH || self.seen.len() == MAX_PAIRS || !self.seen.insert((one, other)) {
            return true;
        }
        let (kind, other_kind) = (self.one.kind(one), self.other.kind(other));
        match (kind, other_kind) {
            (Kind::Union(branches), _) => branches.iter().any(|&branch| self.may_share(branch, other, depth + 1)),
            (_, Kind::Union(branches)) => branches.iter().any(|&branch| self.may_share(one, branch, depth + 1)),
            (Kind::Primitive(one), Kind::Primitive(other)) => {
                self.because(shares(*one, *other), || format!("one has {one}, the other {other}"))
            }
            // An empty one is read by both.
            (Kind::Array(_), Kind::Array(_)) | (Kind::Map(_), Kind::Map(_)) => true,
            (Kind::Fixed(one), Kind::Fixed(other)) if one.size != other.size => self.because(false, || {
                format!("{} has {} bytes in one and {} in the other", one.name, one.size, other.size)
            }),
            (Kind::Record(one), Kind::Record(other)) => {
                self.names_share(kind, other_kind)
                    && one.fields.iter().filter(|field| is_needed(field)).all(|field| {
                        let found = other.field(&field.name).filter(|found| is_needed(found));
                        found.is_none_or(|found| self.field_shares(field, found, depth))
                    })
            }
            (Kind::Enum(_), Kind::Enum(_)) | (Kind::Fixed(_), Kind::Fixed(_)) => self.names_share(kind, other_kind),
            _ => self.because(false, || format!("one has {}, the other {}", kind.word(), other_kind.word())),
        }
    }

    fn field_shares(&mut self, one: &Field, other: &Field, depth: usize) -> bool {
        let shares = self.may_share(one.kind, other.kind, depth + 1);
        if !shares {
            self.why = format!("of field {}, {}", one.name, self.why);
        }
        shares
    }

    /// Whether there is a name that both go by.
    fn names_share(&mut self, one: &Kind, other: &Kind) -> bool {
        let (Some((name, aliases)), Some((other_name, other_aliases))) = (one.names(), other.names()) else {
            return true;
        };
        let short = |full: &str| full.rsplit('.').next().unwrap_or(full).to_owned();
        let goes_by = |full: &str, name: &str, aliases: &[Box<str>]| {
            short(full) == name || aliases.iter().any(|alias| **alias == *full)
        };
        let shares = name.short() == other_name.short()
            || aliases.iter().any(|alias| goes_by(alias, other_name.short(), other_aliases))
            || other_aliases.iter().any(|alias| goes_by(alias, name.short(), aliases));
        self.because(shares, || format!("one has {} {name}, the other {other_name}", one.word()))
    }

    fn because(&mut self, shares: bool, why: impl FnOnce() -> String) -> bool {
        if !shares {
            self.why = why();
        }
        shares
    }
}

/// A field that every writer must have, by this name.
fn is_needed(field: &Field) -> bool {
    field.default.is_none() && field.aliases.is_empty()
}

/// Whether some primitive is read as both.
fn shares(one: Primitive, other: Primitive) -> bool {
    use Primitive::{Bytes, Double, Float, Int, Long, String};
    let is_number = |kind| matches!(kind, Int | Long | Float | Double);
    let is_text = |kind| matches!(kind, String | Bytes);
    one == other || is_number(one) && is_number(other) || is_text(one) && is_text(other)
}
