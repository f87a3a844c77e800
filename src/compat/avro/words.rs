//! What a difference means, for the person who changed the schema, and what would mend it.

use crate::compat::Difference;
use crate::compat::avro::EXCEPTION;
use crate::compat::levels::Direction;

/// How a reason ends that a default would mend.
const WRITER_LACKS_IT: &str = " has no default, and the writer lacks it";

/// What breaks and for whom: who read old data with the new schema (BACKWARD), or who read new data with the old one
/// (FORWARD). `old` is what the old one is called, such as `version 3`.
pub fn sentence(difference: &Difference, direction: Direction, old: &str) -> String {
    let what = match direction {
        Direction::Backward => backward(difference, old),
        Direction::Forward => forward(difference, old),
    };
    let so = match direction {
        _ if difference.rule == EXCEPTION => "so the registry cannot compare them".to_owned(),
        Direction::Backward => format!("so data written with {old} cannot be read"),
        Direction::Forward => format!("so readers with {old} cannot read new data"),
    };
    format!("{what}, {so}")
}

/// The reader is the new schema.
fn backward(difference: &Difference, old: &str) -> String {
    let facts = &difference.facts;
    let (subject, reader, writer) = (subject(difference), &facts.reader, &facts.writer);
    match difference.rule {
        "READER_FIELD_MISSING_DEFAULT_VALUE" => format!("{subject} is new and has no default"),
        "TYPE_MISMATCH" if writer.is_empty() => {
            format!("{subject} is new and has no default of its own; that of {reader} does not count")
        }
        "TYPE_MISMATCH" => format!("{subject} is now {reader}, which cannot be read from {writer}"),
        "NAME_MISMATCH" => format!("{subject} is {writer} in {old} and has no alias for that"),
        "FIXED_SIZE_MISMATCH" => format!("{subject} has {reader} bytes, and {writer} in {old}"),
        "MISSING_ENUM_SYMBOLS" => format!("{subject} lacks {writer} and has no default"),
        "MISSING_UNION_BRANCH" => match split_reason(reader) {
            (_, Some(reason)) => format!("{subject} cannot read {writer} as {old} has it ({reason})"),
            (branches, None) => format!("{subject} is {branches}, which lacks {writer}"),
        },
        EXCEPTION => format!("{subject} matches more than one field of {old} by name and alias ({writer})"),
        rule => format!("{subject}: {rule}"),
    }
}

/// The reader is the schema of the old version.
fn forward(difference: &Difference, old: &str) -> String {
    let facts = &difference.facts;
    let (subject, reader, writer) = (subject(difference), &facts.reader, &facts.writer);
    match difference.rule {
        "READER_FIELD_MISSING_DEFAULT_VALUE" => format!("{subject} is gone and has no default in {old}"),
        "TYPE_MISMATCH" if writer.is_empty() => {
            format!("{subject} is gone and has no default of its own in {old}; that of {reader} does not count")
        }
        "TYPE_MISMATCH" => format!("{subject} is now {writer}, which cannot be read as {reader}"),
        "NAME_MISMATCH" => format!("{subject} is now {writer}, and {old} has no alias for that"),
        "FIXED_SIZE_MISMATCH" => format!("{subject} has now {writer} bytes, and {reader} in {old}"),
        "MISSING_ENUM_SYMBOLS" => {
            format!("{subject} has now {writer}, which {old} lacks without a default")
        }
        "MISSING_UNION_BRANCH" => match split_reason(reader) {
            (_, Some(reason)) => {
                format!("{subject} may hold the new {writer}, which {old} cannot read ({reason})")
            }
            (branches, None) => format!("{subject} may now be {writer}, and is only {branches} in {old}"),
        },
        EXCEPTION => {
            format!("{subject} of {old} matches more than one field by name and alias ({writer})")
        }
        rule => format!("{subject}: {rule}"),
    }
}

/// Where a field that matches more than one makes the registry fail instead of answering.
pub(super) fn ambiguity(exception: &Difference) -> String {
    let (subject, matched) = (subject(exception), &exception.facts.writer);
    format!("{subject} matches more than one field by name and alias ({matched})")
}

/// The same in few words, as the reason of another difference. Says neither which schema is old nor what follows.
pub(super) fn fragment(difference: &Difference) -> String {
    let facts = &difference.facts;
    let (subject, reader, writer) = (subject(difference), &facts.reader, &facts.writer);
    match difference.rule {
        "READER_FIELD_MISSING_DEFAULT_VALUE" => format!("{subject}{WRITER_LACKS_IT}"),
        "TYPE_MISMATCH" if writer.is_empty() => format!("{subject}{WRITER_LACKS_IT}"),
        "TYPE_MISMATCH" => format!("{subject} is {reader} for the reader and {writer} for the writer"),
        "NAME_MISMATCH" => format!("{subject} of the reader is {writer} for the writer"),
        "FIXED_SIZE_MISMATCH" => format!("{subject} has {reader} bytes for the reader and {writer} for the writer"),
        "MISSING_ENUM_SYMBOLS" => format!("{subject} of the reader lacks {writer} and has no default"),
        "MISSING_UNION_BRANCH" => match split_reason(reader) {
            (_, Some(reason)) => reason.to_owned(),
            (branches, None) => format!("{subject} is {branches} for the reader, which lacks {writer}"),
        },
        rule => format!("{subject}: {rule}"),
    }
}

/// A change of the new schema that mends the difference. Only those are named that [`super::mend`] can make, so that
/// whoever shows the hint can try it first.
pub fn hint(difference: &Difference, direction: Direction) -> Option<String> {
    let Difference { rule, facts, .. } = difference;
    let subject = subject(difference);
    let (named, reader, writer) = (without_kind(&subject), &facts.reader, &facts.writer);
    Some(match (*rule, direction) {
        ("READER_FIELD_MISSING_DEFAULT_VALUE", Direction::Backward) => format!("give {named} a default"),
        ("READER_FIELD_MISSING_DEFAULT_VALUE", Direction::Forward) => format!("keep {named}"),
        ("TYPE_MISMATCH", Direction::Backward) if writer.is_empty() => format!("give {named} a default"),
        ("TYPE_MISMATCH", Direction::Forward) if writer.is_empty() => return None,
        ("TYPE_MISMATCH", Direction::Backward) => format!("keep {subject} {writer}"),
        ("TYPE_MISMATCH", Direction::Forward) => format!("keep {subject} {reader}"),
        ("NAME_MISMATCH", Direction::Backward) => format!("give {subject} the alias {writer}"),
        ("NAME_MISMATCH", Direction::Forward) => format!("keep the name {reader}"),
        ("FIXED_SIZE_MISMATCH", Direction::Backward) => format!("keep the size {writer} of {subject}"),
        ("FIXED_SIZE_MISMATCH", Direction::Forward) => format!("keep the size {reader} of {subject}"),
        ("MISSING_ENUM_SYMBOLS", Direction::Backward) => format!("keep {writer} in {subject}"),
        ("MISSING_ENUM_SYMBOLS", Direction::Forward) => {
            format!("leave {writer} out of {subject} until its readers have a default")
        }
        ("MISSING_UNION_BRANCH", Direction::Backward) => match split_reason(reader) {
            (_, Some(reason)) => format!("give {} a default", without_kind(missing_field(reason)?)),
            (_, None) => format!("keep {writer} in {subject}"),
        },
        ("MISSING_UNION_BRANCH", Direction::Forward) => match split_reason(reader) {
            (_, Some(_)) => return None,
            (_, None) => format!("leave {writer} out of {subject}"),
        },
        (EXCEPTION, Direction::Backward) => format!("take the aliases off {subject}"),
        _ => return None,
    })
}

/// `field x`, or the schema itself, or what an array or map as a whole is made of.
fn subject(difference: &Difference) -> String {
    match &*difference.facts.subject {
        "" => "the schema".to_owned(),
        part @ ("items" | "values") => format!("the type of the {part}"),
        subject => subject.to_owned(),
    }
}

/// `currency` of `field currency`, the way it is said in a hint.
fn without_kind(subject: &str) -> &str {
    subject.strip_prefix("field ").unwrap_or(subject)
}

/// The branches of a union, and why the one that was meant does not read.
pub(super) fn split_reason(reader: &str) -> (&str, Option<&str>) {
    match reader.split_once("; ") {
        Some((branches, reason)) => (branches, Some(reason)),
        None => (reader, None),
    }
}

/// The field that a reason says to have no default.
pub(super) fn missing_field(reason: &str) -> Option<&str> {
    reason.strip_suffix(WRITER_LACKS_IT)
}
