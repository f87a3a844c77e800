//! What differs between registries in how they parse Avro; each is asked at the one place where it matters.

/// How a registry parses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParsingRules {
    /// The library that parses.
    pub library: Library,
    /// `{"type": "Name"}` is the type of that name (Java up to 1.12.1); elsewhere it is refused.
    pub unwraps_names: bool,
    /// What is checked of a newly registered schema, and of what it refers to.
    pub new: Checks,
    /// What is checked of a schema that the registry holds.
    pub stored: Checks,
}

/// The libraries that registries parse with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Library {
    /// Java 1.11: a record is known from its first brace on, and a name that comes later is refused.
    Java1_11,
    /// Java 1.12: names may come later, and an equal definition may be repeated.
    Java1_12,
    /// Python 1.12: like Java 1.11, but names are looked up in their namespace alone, aliases are taken as written,
    /// defaults and the names of fields as they come, and a text is JSON without comments.
    Python1_12,
}

/// What is checked beyond what no library reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checks {
    /// What names are made of.
    pub letters: Letters,
    /// The parts of a namespace are names, too.
    pub namespaces: bool,
    /// A default is a value of its field's type.
    pub defaults: bool,
}

impl Checks {
    /// Only the letters of names, of whatever script.
    pub const FEWEST: Checks = Checks { letters: Letters::Any, namespaces: false, defaults: false };
    /// All that there are.
    pub const ALL: Checks = Checks { letters: Letters::Ascii, namespaces: true, defaults: true };
}

/// Which letters names are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letters {
    /// A to Z, as the specification says.
    Ascii,
    /// Those of any script, as Java's `char` knows them: none beyond the first 65,536 characters.
    Any,
}
