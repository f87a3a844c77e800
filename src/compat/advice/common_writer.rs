//! Avro: whether there can be a schema that two readers both read.

use std::collections::HashSet;

use super::frozen::Conflict;
use crate::schema::avro::{Field, Kind, Primitive, Schema, TypeId};

/// So many pairs of types are looked at; beyond that there may be one.
const MAX_PAIRS: usize = 100_000;

/// Why no schema that data can be written with is read by both, where that is certain.
pub(super) fn conflict(old: &Schema, new: &Schema) -> Option<Conflict> {
    let mut search = Search { old, new, seen: HashSet::new(), why: None };
    let shares = search.may_share(old.root(), new.root(), 0);
    search.why.filter(|_| !shares && search.seen.len() < MAX_PAIRS)
}

struct Search<'s> {
    old: &'s Schema,
    new: &'s Schema,
    /// Pairs that were looked at; what recurs is taken to be readable, as where a list ends.
    seen: HashSet<(TypeId, TypeId)>,
    why: Option<Conflict>,
}

/// How deep types are followed, each within the one before.
const MAX_DEPTH: usize = 100;

impl Search<'_> {
    fn may_share(&mut self, old: TypeId, new: TypeId, depth: usize) -> bool {
        if depth == MAX_DEPTH || self.seen.len() == MAX_PAIRS || !self.seen.insert((old, new)) {
            return true;
        }
        let (kind, new_kind) = (self.old.kind(old), self.new.kind(new));
        match (kind, new_kind) {
            (Kind::Union(branches), _) => branches.iter().any(|&branch| self.may_share(branch, new, depth + 1)),
            (_, Kind::Union(branches)) => branches.iter().any(|&branch| self.may_share(old, branch, depth + 1)),
            (Kind::Primitive(old), Kind::Primitive(new)) if share_a_writer(*old, *new) => true,
            // An empty one is read by both.
            (Kind::Array(_), Kind::Array(_)) | (Kind::Map(_), Kind::Map(_)) => true,
            (Kind::Enum(_), Kind::Enum(_)) if names_share(kind, new_kind) => true,
            (Kind::Fixed(old), Kind::Fixed(new)) if old.size == new.size && names_share(kind, new_kind) => true,
            (Kind::Record(old), Kind::Record(new)) if names_share(kind, new_kind) => {
                old.fields.iter().filter(|field| is_needed(field)).all(|field| {
                    let found = new.field(&field.name).filter(|found| is_needed(found));
                    found.is_none_or(|found| self.field_shares(field, found, depth))
                })
            }
            _ => self.conflict(words(kind), words(new_kind)),
        }
    }

    fn field_shares(&mut self, old: &Field, new: &Field, depth: usize) -> bool {
        let shares = self.may_share(old.kind, new.kind, depth + 1);
        if let Some(why) = self.why.as_mut().filter(|why| !shares && why.subject == ROOT) {
            why.subject = format!("field {}", old.name);
        }
        shares
    }

    fn conflict(&mut self, old: String, new: String) -> bool {
        self.why = Some(Conflict { subject: ROOT.to_owned(), old, new });
        false
    }
}

/// What a conflict is about while no field is known that it stands in.
const ROOT: &str = "the schema";

/// `int`, `record shop.Order`, `fixed Id of 16 bytes`
fn words(kind: &Kind) -> String {
    match (kind, kind.names()) {
        (Kind::Fixed(fixed), _) => format!("fixed {} of {} bytes", fixed.name, fixed.size),
        (_, Some((name, _))) => format!("{} {name}", kind.word()),
        _ => kind.word().to_owned(),
    }
}

/// Of types with more aliases it is not looked whether they share a name: it would be for each pair of types.
const MAX_ALIASES: usize = 16;

/// Whether there is a name that both go by.
fn names_share(old: &Kind, new: &Kind) -> bool {
    let (Some((name, aliases)), Some((new_name, new_aliases))) = (old.names(), new.names()) else { return true };
    if aliases.iter().len().max(new_aliases.iter().len()) > MAX_ALIASES {
        return true;
    }
    let ends_in = |full: &str, name: &str| full.rsplit('.').next() == Some(name);
    name.short() == new_name.short()
        || aliases.iter().any(|alias| ends_in(alias, new_name.short()) || new_aliases.hold(alias))
        || new_aliases.iter().any(|alias| ends_in(alias, name.short()))
}

/// A field that every writer must have, by this name.
fn is_needed(field: &Field) -> bool {
    field.default.is_none() && field.aliases.is_empty()
}

/// Whether some primitive is read as both.
fn share_a_writer(one: Primitive, other: Primitive) -> bool {
    use Primitive::{Bytes, Double, Float, Int, Long, String};
    let is_number = |kind| matches!(kind, Int | Long | Float | Double);
    let is_text = |kind| matches!(kind, String | Bytes);
    one == other || is_number(one) && is_number(other) || is_text(one) && is_text(other)
}
