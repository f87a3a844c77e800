//! What the two texts have of that which a difference speaks of.
//!
//! A path leads through both texts alike, but what it leads to may be told of a type in a reference that has the same
//! name. So what is found counts only if it is what the difference says of that side.

use std::ops::Range;

use super::facts::{label, type_name};
use super::place::Place;
use crate::compat::locate::Spans;
use crate::compat::{Difference, Facts};
use crate::schema::protobuf::{Body, Definition, Field, Oneof, Schema};

/// What both texts have of it.
pub(in crate::compat) fn spans(reader: &Schema, writer: &Schema, difference: &Difference) -> Spans {
    let Facts { reader: here, writer: there, .. } = &difference.facts;
    Spans { reader: part(reader, difference, here), writer: part(writer, difference, there) }
}

/// What one side has of it. `told` is what the difference says of that side.
fn part(schema: &Schema, difference: &Difference, told: &str) -> Option<Range<usize>> {
    let Difference { rule, path, facts, .. } = difference;
    let place = Place::find(schema, path);
    let is_inside = |kind: &str, inside: &Definition| facts.subject.ends_with(&format!("{kind} {}", inside.local_name));
    match *rule {
        "PACKAGE_CHANGED" => {
            let file = schema.main();
            (*file.package == *told).then(|| file.package_span.clone()).filter(|span| !span.is_empty())
        }
        "MESSAGE_ADDED" | "MESSAGE_REMOVED" | "MESSAGE_MOVED" | "ENUM_ADDED" | "ENUM_REMOVED" => {
            let found = place.definition.filter(|_| place.rest.is_empty())?;
            let kind = if matches!(found.body, Body::Enum(_)) { "enum" } else { "message" };
            is_inside(kind, found).then(|| heading(schema, &found.span))
        }
        "ENUM_CONST_ADDED" | "ENUM_CONST_REMOVED" | "ENUM_CONST_CHANGED" => {
            let found = place.definition.filter(|found| is_inside("enum", found))?;
            let (Body::Enum(enumeration), number) = (&found.body, place.number()?) else { return None };
            let mut named = enumeration.constants.iter().filter(|constant| *constant.name == *told);
            named.find(|constant| constant.number == number).map(|constant| constant.span.clone())
        }
        rule => {
            place.definition.filter(|found| is_inside("of", found))?;
            match rule {
                "ONEOF_ADDED" | "ONEOF_REMOVED" => place.oneof().map(|oneof| heading(schema, &oneof.span)),
                "MULTIPLE_FIELDS_MOVED_TO_ONEOF" | "FIELD_MOVED_TO_EXISTING_ONEOF" => moved(schema, &place, facts),
                rule => place.field().and_then(|field| part_of_field(schema, rule, field, told)),
            }
        }
    }
}

/// The oneof, or the first of its fields where that is outside of it.
fn moved(schema: &Schema, place: &Place<'_>, facts: &Facts) -> Option<Range<usize>> {
    let first = facts.reader.split(", ").next();
    let outside = place.message()?.fields.iter().find(|field| Some(&*field.name) == first);
    let oneof = || place.oneof().map(|oneof: &Oneof| heading(schema, &oneof.span));
    outside.map(|field| field.span.clone()).or_else(oneof)
}

fn part_of_field(schema: &Schema, rule: &str, field: &Field, told: &str) -> Option<Range<usize>> {
    match rule {
        "FIELD_KIND_CHANGED" | "FIELD_SCALAR_KIND_CHANGED" | "FIELD_NAMED_TYPE_CHANGED" => {
            (type_name(&field.field_type) == told).then(|| field.type_span.clone())
        }
        "FIELD_NUMERIC_LABEL_CHANGED" | "FIELD_STRING_OR_BYTES_LABEL_CHANGED" => {
            (label(field) == told).then(|| trimmed(schema, field.span.start..field.type_span.start))
        }
        "FIELD_NAME_CHANGED" => (*field.name == *told).then(|| field.span.clone()),
        _ => Some(field.span.clone()),
    }
}

/// A declaration up to its brace.
fn heading(schema: &Schema, span: &Range<usize>) -> Range<usize> {
    let text = schema.main().text.get(span.clone()).unwrap_or_default();
    trimmed(schema, span.start..span.start + text.find('{').unwrap_or(text.len()))
}

fn trimmed(schema: &Schema, span: Range<usize>) -> Range<usize> {
    let text = schema.main().text.get(span.clone()).unwrap_or_default();
    span.start..span.start + text.trim_end().len()
}
