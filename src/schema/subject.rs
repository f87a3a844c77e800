//! Which names can be a subject, and when two names mean the same subject.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use super::shown;

/// The longest subject that is taken, in bytes of UTF-8. Apicurio refuses 600 characters and takes 255.
pub const MAX_SUBJECT_BYTES: usize = 1024;

/// The name of a subject, as the registry spells it. [`Subject::parse`] is the only way in.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Subject(Arc<str>);

/// Why a name cannot be a subject.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SubjectError {
    /// Nothing, or only white space.
    #[error("the subject is empty; name one, such as orders-value")]
    Empty,
    /// Longer than any registry takes.
    #[error("the subject has {bytes} bytes; at most {MAX_SUBJECT_BYTES} are taken")]
    TooLong {
        /// Its length.
        bytes: usize,
    },
    /// Confluent answers 42208, Karapace stores what it cannot read back.
    #[error("the subject has a control character at byte {at}; registries cannot address it")]
    ControlCharacter {
        /// Where, in bytes.
        at: usize,
    },
    /// Reserved by Confluent for the registry as a whole.
    #[error("the subject {} is reserved by registries; choose another", shown::name(.0))]
    Reserved(String),
    /// A path segment that every URL parser removes.
    #[error("the subject {0} cannot be addressed in a URL; choose another")]
    DotSegment(String),
}

impl Subject {
    /// Takes any name that a registry can store, address and give back.
    pub fn parse(name: &str) -> Result<Subject, SubjectError> {
        if name.trim().is_empty() {
            return Err(SubjectError::Empty);
        }
        if name.len() > MAX_SUBJECT_BYTES {
            return Err(SubjectError::TooLong { bytes: name.len() });
        }
        if let Some((at, _)) = name.char_indices().find(|(_, character)| character.is_control()) {
            return Err(SubjectError::ControlCharacter { at });
        }
        if ["__GLOBAL", "__EMPTY"].contains(&name) || name.starts_with(":.__GLOBAL:") {
            return Err(SubjectError::Reserved(name.to_owned()));
        }
        if name == "." || name == ".." {
            return Err(SubjectError::DotSegment(name.to_owned()));
        }
        Ok(Subject(name.into()))
    }

    /// The name as written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name in a sentence, with all in it that would not be seen.
    pub fn shown(&self) -> Cow<'_, str> {
        shown::name(&self.0)
    }

    /// The name without the default context, which a registry adds by itself: `:.:orders` is `orders`.
    pub fn without_default_context(&self) -> &str {
        match self.0.strip_prefix(":.:") {
            Some("") | None => &self.0,
            Some(rest) => rest,
        }
    }
}

/// The name as written. A sentence takes [`Subject::shown`].
impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::plain("orders-value")]
    #[case::slash_colon_plus_percent_hash("a/b:c+d%e#f")]
    #[case::space_inside("my orders")]
    #[case::not_ascii("größe-値")]
    #[case::in_a_context(":.ctx:orders")]
    fn takes_what_registries_take(#[case] name: &str) {
        assert_eq!(Subject::parse(name).unwrap().as_str(), name);
    }

    #[rstest]
    #[case::empty("", SubjectError::Empty)]
    #[case::blank("  ", SubjectError::Empty)]
    #[case::newline("a\nb", SubjectError::ControlCharacter { at: 1 })]
    #[case::next_line("a\u{85}", SubjectError::ControlCharacter { at: 1 })]
    #[case::reserved("__GLOBAL", SubjectError::Reserved("__GLOBAL".into()))]
    #[case::dots("..", SubjectError::DotSegment("..".into()))]
    fn refuses_what_cannot_be_addressed(#[case] name: &str, #[case] error: SubjectError) {
        assert_eq!(Subject::parse(name), Err(error));
    }

    #[test]
    fn the_default_context_names_the_same_subject() {
        assert_eq!(Subject::parse(":.:orders").unwrap().without_default_context(), "orders");
    }
}
