//! Full names, and which names a registry's release takes.

use std::fmt;

use super::rules::Letters;

/// A name with its namespace.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    full: Box<str>,
    /// Where the short name begins.
    short: usize,
}

impl Name {
    /// The name as written somewhere inside a namespace. A dot in it overrides that namespace; what stands before the
    /// last dot may be empty, which is no namespace at all.
    pub(crate) fn resolve(written: &str, enclosing: &str) -> Name {
        let (namespace, short) = written.rsplit_once('.').unwrap_or((enclosing, written));
        if namespace.is_empty() {
            return Name { full: short.into(), short: 0 };
        }
        Name { full: [namespace, ".", short].concat().into(), short: namespace.len() + 1 }
    }

    /// With its namespace.
    pub fn full(&self) -> &str {
        &self.full
    }

    /// Without its namespace.
    pub fn short(&self) -> &str {
        &self.full[self.short..]
    }

    /// Empty where it has none.
    pub fn namespace(&self) -> &str {
        &self.full[..self.short.saturating_sub(1)]
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.full)
    }
}

/// Whether a name, or one part of a namespace, is one that every client of Avro takes.
pub fn is_plain(name: &str) -> bool {
    Letters::Ascii.make(name)
}

impl Letters {
    /// Whether a name is a letter or underscore, followed by letters, digits and underscores.
    pub(super) fn make(self, name: &str) -> bool {
        let mut characters = name.chars();
        characters.next().is_some_and(|first| first == '_' || self.letter(first))
            && characters.all(|next| next == '_' || self.letter(next) || self.digit(next))
    }

    fn letter(self, character: char) -> bool {
        match self {
            Letters::Ascii => character.is_ascii_alphabetic(),
            Letters::Any => character.is_alphabetic() && u32::from(character) <= 0xffff,
        }
    }

    fn digit(self, character: char) -> bool {
        match self {
            Letters::Ascii => character.is_ascii_digit(),
            Letters::Any => character.is_numeric() && u32::from(character) <= 0xffff,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::plain("A", "", "A", "")]
    #[case::enclosed("A", "x.y", "x.y.A", "x.y")]
    #[case::dotted("z.A", "x.y", "z.A", "z")]
    #[case::no_namespace_at_all(".A", "x.y", "A", "")]
    fn names_are_qualified(#[case] written: &str, #[case] enclosing: &str, #[case] full: &str, #[case] space: &str) {
        let name = Name::resolve(written, enclosing);
        assert_eq!((name.full(), name.short(), name.namespace()), (full, "A", space));
    }

    #[rstest]
    #[case("aB_9", true, true)]
    #[case("_", true, true)]
    #[case("é", false, true)]
    #[case("aé", false, true)]
    #[case("9a", false, false)]
    #[case("a-b", false, false)]
    #[case("a$", false, false)]
    #[case("", false, false)]
    #[case("😀", false, false)]
    #[case("𝒜", false, false)]
    fn letters_make_names(#[case] name: &str, #[case] ascii: bool, #[case] any: bool) {
        assert_eq!((Letters::Ascii.make(name), Letters::Any.make(name)), (ascii, any));
    }
}
