//! Where in the two texts a difference stands, for whoever shows it. What comes from a reference stands in neither.

use std::ops::Range;

use super::levels::Direction;
use super::{Difference, avro, json, protobuf};
use crate::api::SchemaType;

/// Which of the two texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The older schema's.
    Old,
    /// The newer schema's.
    New,
}

/// Where a difference stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// The text to look at first: the new one, whose author is told, unless only the old one has what it is about.
    pub side: Side,
    /// The part of that text, in bytes.
    pub span: Range<usize>,
    /// What the old text has in its place, where `side` is the new one.
    pub before: Option<Range<usize>>,
}

/// What the reader's and the writer's text have of that which a difference speaks of, in bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::compat) struct Spans {
    pub(in crate::compat) reader: Option<Range<usize>>,
    pub(in crate::compat) writer: Option<Range<usize>>,
}

/// Finds one difference between two schemas of one type. BACKWARD has the new schema read, FORWARD the old one.
pub fn locate(
    schema_type: SchemaType,
    old: &str,
    new: &str,
    difference: &Difference,
    direction: Direction,
) -> Option<Located> {
    locate_all(schema_type, old, new, &[(direction, difference)]).pop().flatten()
}

/// Finds many, and reads the texts once.
pub fn locate_all(
    schema_type: SchemaType,
    old: &str,
    new: &str,
    differences: &[(Direction, &Difference)],
) -> Vec<Option<Located>> {
    match schema_type {
        SchemaType::Avro => {
            let (Some(old), Some(new)) = (avro::Source::read(old), avro::Source::read(new)) else {
                return vec![None; differences.len()];
            };
            let (old, new) = (avro::Outline::of(&old), avro::Outline::of(&new));
            each(differences, &old, &new, avro::spans)
        }
        SchemaType::Json => match (json::Source::read(old), json::Source::read(new)) {
            (Some(old), Some(new)) => each(differences, &old, &new, json::spans),
            _ => vec![None; differences.len()],
        },
        SchemaType::Protobuf => match (crate::schema::protobuf::outline(old), crate::schema::protobuf::outline(new)) {
            (Ok(old), Ok(new)) => each(differences, &old, &new, protobuf::spans),
            _ => vec![None; differences.len()],
        },
    }
}

fn each<T>(
    differences: &[(Direction, &Difference)],
    old: &T,
    new: &T,
    spans: impl Fn(&T, &T, &Difference) -> Spans,
) -> Vec<Option<Located>> {
    let one = |(direction, difference): &(Direction, &Difference)| match direction {
        Direction::Backward => {
            let Spans { reader, writer } = spans(new, old, difference);
            located(reader, writer)
        }
        Direction::Forward => {
            let Spans { reader, writer } = spans(old, new, difference);
            located(writer, reader)
        }
    };
    differences.iter().map(one).collect()
}

fn located(new: Option<Range<usize>>, old: Option<Range<usize>>) -> Option<Located> {
    match (new, old) {
        (Some(span), before) => Some(Located { side: Side::New, span, before }),
        (None, Some(span)) => Some(Located { side: Side::Old, span, before: None }),
        (None, None) => None,
    }
}

#[cfg(test)]
#[path = "locate_tests.rs"]
mod tests;
