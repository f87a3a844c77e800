//! What a person reads about a difference, and what they can do about it.
//!
//! The rules speak of a reader and a writer; which of the two is the schema at hand, and which an earlier version, is
//! told by the [`Direction`].

use crate::compat::levels::Direction;
use crate::compat::{Difference, Facts};

/// One sentence: what differs, and what follows. The sides are named as they stand in it, such as `this schema` and
/// `version 3`.
pub fn sentence(difference: &Difference, reader: &str, writer: &str) -> String {
    let Facts { subject, reader: here, writer: there } = &difference.facts;
    let unreadable = format!("so data written with {writer} cannot be read");
    match difference.rule {
        "PACKAGE_CHANGED" => {
            let (here, there) = (package(here), package(there));
            format!("{subject} is {here} in {reader} and {there} in {writer}, so every message has another full name")
        }
        "MESSAGE_ADDED" => format!("{subject} is in {reader} and not in {writer}"),
        "MESSAGE_REMOVED" => {
            format!("{subject} of {writer} is missing in {reader}, so data written with it cannot be read")
        }
        "MESSAGE_MOVED" => format!(
            "{subject} has place {here} among its neighbours in {reader} and place {there} in {writer}, so the index \
             before each value changes"
        ),
        "ENUM_ADDED" => format!("{subject} is in {reader} and not in {writer}"),
        "ENUM_REMOVED" => format!("{subject} is in {writer} and not in {reader}"),
        "ENUM_CONST_ADDED" => format!("{subject} is {here} in {reader} and unknown in {writer}"),
        "ENUM_CONST_REMOVED" => format!("{subject} is {there} in {writer} and unknown in {reader}"),
        "ENUM_CONST_CHANGED" => format!("{subject} is {here} in {reader} and {there} in {writer}"),
        "FIELD_ADDED" => {
            format!("{subject} is in {reader} and not in {writer}, so it is unset in data written with {writer}")
        }
        "FIELD_REMOVED" => {
            format!("{subject} is in {writer} and not in {reader}, so what it holds is skipped")
        }
        "REQUIRED_FIELD_ADDED" => {
            format!("{subject} is required in {reader} and missing in {writer}, {unreadable}")
        }
        "REQUIRED_FIELD_REMOVED" => {
            format!("{subject} is required in {writer} and missing in {reader}, which the registry refuses")
        }
        "FIELD_NAME_CHANGED" => {
            format!("{subject} is named {there} in {writer}: the bytes are the same, their JSON form is not")
        }
        "FIELD_KIND_CHANGED" => format!(
            "{subject} is {here} in {reader} and {there} in {writer}, and a scalar, a message and a map cannot be read \
             as one another, {unreadable}"
        ),
        "FIELD_SCALAR_KIND_CHANGED" => {
            format!("{subject} is {here} in {reader} and {there} in {writer}, which have other bytes, {unreadable}")
        }
        "FIELD_NAMED_TYPE_CHANGED" if here == there => {
            format!("{subject} holds {here}, which differs between {reader} and {writer}, {unreadable}")
        }
        "FIELD_NAMED_TYPE_CHANGED" => {
            format!("{subject} is {here} in {reader} and {there} in {writer}, {unreadable}")
        }
        "FIELD_NUMERIC_LABEL_CHANGED" => {
            format!("{subject} is {here} in {reader} and {there} in {writer}, {unreadable}")
        }
        "FIELD_STRING_OR_BYTES_LABEL_CHANGED" => {
            format!("{subject} is {here} in {reader} and {there} in {writer}")
        }
        "ONEOF_ADDED" => format!("{subject} is in {reader} and not in {writer}"),
        "ONEOF_REMOVED" => format!("{subject} is in {writer} and not in {reader}"),
        "ONEOF_FIELD_ADDED" => format!("{subject} is in {reader} and not in {writer}"),
        "ONEOF_FIELD_REMOVED" => format!(
            "{subject} is in {writer} and missing in {reader}, so where it is set, readers see none of the oneof's fields"
        ),
        "ONEOF_FIELD_MOVED_TO_TOP_LEVEL" => format!("{subject} is outside of it in {reader}"),
        "MULTIPLE_FIELDS_MOVED_TO_ONEOF" => format!(
            "{subject} takes in {here}, which are outside of it in {writer}: data written with {writer} may hold \
             several of them, and all but one are lost"
        ),
        "FIELD_MOVED_TO_EXISTING_ONEOF" if here.is_empty() => format!(
            "{subject} takes in fields of several oneofs of {writer}: data written with {writer} may hold several of \
             them, and all but one are lost"
        ),
        "FIELD_MOVED_TO_EXISTING_ONEOF" => format!(
            "{subject} takes in {here}, which is outside of it in {writer}: data written with {writer} may hold it \
             beside another field of the oneof, and one of them is lost"
        ),
        rule => format!("{subject}: {rule}"),
    }
}

fn package(name: &str) -> &str {
    if name.is_empty() { "none" } else { name }
}

/// What would mend it in the schema at hand, where there is such a change; [`super::mend`] makes it.
pub fn hint(difference: &Difference, direction: Direction) -> Option<String> {
    use Direction::{Backward, Forward};
    let Facts { subject, reader, writer } = &difference.facts;
    let old = match direction {
        Backward => writer,
        Forward => reader,
    };
    let hint = match (difference.rule, direction) {
        ("PACKAGE_CHANGED", _) if old.is_empty() => "leave the package out".to_owned(),
        ("PACKAGE_CHANGED", _) => format!("keep package {old}"),
        ("REQUIRED_FIELD_ADDED", Backward) | ("REQUIRED_FIELD_REMOVED", Forward) => format!("make {subject} optional"),
        ("MESSAGE_REMOVED" | "REQUIRED_FIELD_REMOVED" | "ONEOF_FIELD_REMOVED", Backward)
        | ("REQUIRED_FIELD_ADDED", Forward) => format!("keep {subject}"),
        ("ONEOF_FIELD_REMOVED", Forward) => format!("declare {subject} outside of the oneof"),
        ("FIELD_NAMED_TYPE_CHANGED", _) if reader == writer => return None,
        ("FIELD_KIND_CHANGED" | "FIELD_SCALAR_KIND_CHANGED" | "FIELD_NAMED_TYPE_CHANGED", _) => {
            format!("keep type {old} of {subject}, and give a field of another type its own number")
        }
        ("FIELD_NUMERIC_LABEL_CHANGED", _) => format!("keep {subject} {old}"),
        ("MULTIPLE_FIELDS_MOVED_TO_ONEOF" | "FIELD_MOVED_TO_EXISTING_ONEOF", Backward) if !reader.is_empty() => {
            format!("leave {reader} outside of {subject}")
        }
        _ => return None,
    };
    Some(hint)
}
