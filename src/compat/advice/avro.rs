//! Avro: the words for A1 to A8, A11 and A24.

use super::words::{advice, bare, named};
use super::{Advice, Change, Code, Given};
use crate::compat::Facts;
use crate::compat::avro::advice::{Noted, advice as noted};
use crate::compat::avro::lint::{self, lint};
use crate::compat::levels::Direction;
use crate::schema::avro::Schema;

/// What a change caused, and what stands.
pub(super) fn of_change(change: &Change<'_>, new: &Schema, old: &Schema) -> Vec<Advice> {
    let changed = noted(new, old).into_iter().filter(|noted| matters(change, noted));
    let mut given = Given::of(changed.filter_map(|noted| told(change, noted))).into_vec();
    let before = lint(old);
    let is_new = |noted: &Noted| !before.iter().any(|other| other.facts == noted.facts);
    given.extend(Given::of(lint(new).into_iter().filter(is_new).filter_map(invalid_elsewhere)).into_vec());
    given
}

/// What is wrong with a schema by itself.
pub(super) fn of_schema(schema: &Schema) -> Vec<Advice> {
    Given::of(lint(schema).into_iter().filter_map(invalid_elsewhere)).into_vec()
}

/// A24.
fn invalid_elsewhere(noted: Noted) -> Option<Advice> {
    let Facts { subject, reader, writer } = &noted.facts;
    let (message, remedy) = match &**writer {
        lint::NAME => (
            format!("{subject} is named {reader}, which other clients of Avro refuse as a name"),
            "use letters, digits and underscores, and begin with none of the digits".to_owned(),
        ),
        lint::BRANCH => (
            format!(
                "{subject} has the default {reader}, which is not of the first branch of its union: clients before \
                 Avro 1.12 refuse the schema or misread old data"
            ),
            format!("put the branch of {reader} first"),
        ),
        lint::SYMBOL => (
            format!("{subject} has the default {reader}, which its enum lacks: reading data without the field fails"),
            format!("give {} a default that is a symbol, or add {reader} to the enum", bare(subject)),
        ),
        lint::DEFAULT => (
            format!(
                "{subject} has the default {reader}, which is no value of its type: reading data without the field fails"
            ),
            format!("give {} a default of its own type", bare(subject)),
        ),
        _ => return None,
    };
    Some(advice(noted.code, noted.path, message, remedy))
}

/// Whether the side that a note is about is one that the level promises something to.
fn matters(change: &Change<'_>, noted: &Noted) -> bool {
    match (noted.code, &*noted.facts.writer) {
        (Code::ValuesMayNotFit, "bytes") => change.promises(Direction::Backward),
        (Code::ValuesMayNotFit, _) => change.promises(Direction::Forward),
        _ => true,
    }
}

fn told(change: &Change<'_>, noted: Noted) -> Option<Advice> {
    let Noted { code, path, facts } = noted;
    let (message, remedy) = sentence(code, &facts, change.old_name)?;
    Some(advice(code, path, message, remedy))
}

/// What is the case, and what to do. Every code that Avro notes has its words.
fn sentence(code: Code, facts: &Facts, old: &str) -> Option<(String, String)> {
    let Facts { subject, reader, writer } = facts;
    let (subject, name) = (named(subject), bare(named(subject)));
    Some(match code {
        Code::RenameWithoutAlias => (
            format!(
                "{subject} is new and field {writer} of {old} is gone, and both are {reader}: if that is a rename, \
                 readers of this schema do not find what {old} wrote as {writer}"
            ),
            format!("give {name} the alias {writer}, or acknowledge this if they are two things"),
        ),
        Code::NeedsAlias => (
            format!(
                "{subject} is found in data of {old} as {writer} by its alias alone, which readers in C++, Rust and \
                 some in Go do not know"
            ),
            format!("keep the name {writer}, or try the library of every reader first"),
        ),
        Code::FullNameChanged => (
            format!(
                "{subject} is {reader}, and {writer} in {old}: generated classes and subjects named after records \
                 follow the full name"
            ),
            format!("keep {writer}, or move those classes and subjects together with this schema"),
        ),
        Code::EnumGrew if writer.is_empty() => (
            format!(
                "{subject} has the new {reader}, which readers with {old} cannot read: they have no default for it"
            ),
            format!("upgrade every reader before {reader} is written, and give {subject} a default for the next time"),
        ),
        Code::EnumGrew => (
            format!("{subject} has the new {reader}, which readers with {old} take for its default {writer}"),
            format!("upgrade every reader before {reader} is written"),
        ),
        Code::EnumDefaultHides => (
            format!(
                "{subject} no longer has {writer}: where {old} wrote it, readers of this schema see the default \
                 {reader}, without an error"
            ),
            format!("keep {writer} in {subject} for as long as there is data with it"),
        ),
        Code::DefaultChanged => (
            format!(
                "{subject} has the default {reader}, and {writer} in {old}: data without the field reads as another \
                 value than before"
            ),
            format!("keep the default {writer}, unless data that lacks {name} is meant to change"),
        ),
        Code::DefaultRemoved => (
            format!(
                "{subject} has lost the default {writer} of {old}: data of versions before the field came cannot be \
                 read any more, which only a transitive level would refuse"
            ),
            format!("keep the default of {name}"),
        ),
        Code::LogicalTypeChanged => (
            format!(
                "{subject} is {reader}, and {writer} in {old}: the registry compares only the bytes, and readers of \
                 this schema give those of {old} another meaning"
            ),
            match &*facts.subject {
                "" => format!("keep {writer}"),
                _ => format!("keep {writer} of {subject}, and give what is {reader} a field of its own"),
            },
        ),
        Code::AmbiguousUnion if reader.is_empty() => (
            format!(
                "{subject} has more than one branch for {writer} of {old}, and decoders choose by what fits: data may \
                 land in the other one"
            ),
            format!("keep one branch with the name of {writer}"),
        ),
        Code::AmbiguousUnion => (
            format!(
                "{subject} reads several branches of {old} as {reader}, though some decoders cannot tell them apart"
            ),
            "keep a branch for each".to_owned(),
        ),
        Code::PrecisionLost => (
            format!("{subject} is {reader}, and {writer} in {old}: large whole numbers of old data lose digits"),
            format!("keep {writer}, where {name} holds such numbers"),
        ),
        Code::ValuesMayNotFit if reader == "string" => (
            format!("{subject} is string, and bytes in {old}: bytes that are no UTF-8 cannot be read by this schema"),
            format!("keep bytes of {subject}, unless all of its data is UTF-8"),
        ),
        Code::ValuesMayNotFit => (
            format!("{subject} is bytes, and string in {old}: readers with {old} cannot read bytes that are no UTF-8"),
            format!("write nothing but UTF-8 to {name} until readers with {old} are gone"),
        ),
        _ => return None,
    })
}
