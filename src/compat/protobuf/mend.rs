//! Makes the change that a hint names, in the text of the schema at hand.
//!
//! Whoever asks compares the outcome before telling anyone: a change may be refused for another reason.

use std::ops::Range;

use super::place::{Place, before_brace};
use crate::compat::levels::Direction;
use crate::compat::{Difference, Facts};
use crate::schema::protobuf::{Field, Schema, outline};

/// The text with the change that [`super::words::hint`] names.
pub fn mend(text: &str, difference: &Difference, direction: Direction) -> Option<String> {
    let schema = outline(text).ok()?;
    let place = Place::find(&schema, &difference.path);
    let edits = edits(&schema, &place, difference, direction)?;
    Some(edited(text, edits))
}

/// A stretch of the text, and what is to stand there.
type Edit = (Range<usize>, String);

fn edits(schema: &Schema, place: &Place<'_>, difference: &Difference, direction: Direction) -> Option<Vec<Edit>> {
    use Direction::{Backward, Forward};
    let Facts { reader, writer, .. } = &difference.facts;
    let old = match direction {
        Backward => writer,
        Forward => reader,
    };
    let edit = match (difference.rule, direction) {
        ("PACKAGE_CHANGED", _) => (schema.main().package_span.clone(), package(old)),
        ("REQUIRED_FIELD_ADDED", Backward) | ("REQUIRED_FIELD_REMOVED", Forward) => {
            labelled(place.field()?, "optional")
        }
        ("MESSAGE_REMOVED" | "REQUIRED_FIELD_REMOVED", Backward) | ("REQUIRED_FIELD_ADDED", Forward) => {
            (place.end(schema), format!("{old}\n"))
        }
        ("ONEOF_FIELD_REMOVED", Backward) => (before_brace(&place.oneof()?.span), format!("{old}\n")),
        ("ONEOF_FIELD_REMOVED", Forward) => return moved_out(schema, place, &[place.field()?], None),
        ("FIELD_KIND_CHANGED" | "FIELD_SCALAR_KIND_CHANGED" | "FIELD_NAMED_TYPE_CHANGED", _) => {
            (place.field()?.type_span.clone(), old.clone())
        }
        ("FIELD_NUMERIC_LABEL_CHANGED", _) => labelled(place.field()?, old),
        ("MULTIPLE_FIELDS_MOVED_TO_ONEOF" | "FIELD_MOVED_TO_EXISTING_ONEOF", Backward) if !reader.is_empty() => {
            let names: Vec<&str> = reader.split(", ").collect();
            let members = place.oneof()?.fields.iter().filter(|field| names.contains(&&*field.name));
            return moved_out(schema, place, &members.collect::<Vec<_>>(), Some(writer));
        }
        _ => return None,
    };
    Some(vec![edit])
}

fn package(name: &str) -> String {
    if name.is_empty() { String::new() } else { format!("package {name};") }
}

/// The field with another label before its type.
fn labelled(field: &Field, label: &str) -> Edit {
    (field.span.start..field.type_span.start, format!("{label} "))
}

/// Members of a oneof, declared before it instead: as the earlier schema does or, if it does not, with the label that
/// proto2 wants.
fn moved_out(schema: &Schema, place: &Place<'_>, members: &[&Field], declared: Option<&str>) -> Option<Vec<Edit>> {
    let file = schema.main();
    let label = if file.proto3 { "" } else { "optional " };
    let as_now = || members.iter().filter_map(|field| Some(format!("{label}{}\n", file.text.get(field.span.clone())?)));
    let outside = declared.map_or_else(|| as_now().collect(), |declared| format!("{declared}\n"));
    let oneof = place.oneof()?;
    if members.len() == oneof.fields.len() {
        return Some(vec![(oneof.span.clone(), outside)]);
    }
    let mut edits = vec![(oneof.span.start..oneof.span.start, outside)];
    edits.extend(members.iter().map(|field| (field.span.clone(), String::new())));
    Some(edits)
}

/// Makes the edits, which do not overlap.
fn edited(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|(span, _)| span.start);
    let mut out = text.to_owned();
    for (span, new) in edits.into_iter().rev() {
        out.replace_range(span, &new);
    }
    out
}
