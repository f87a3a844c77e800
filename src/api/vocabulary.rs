//! The registry's own vocabulary. Its spelling is ours, in YAML, on the wire and in messages.

use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};

/// The format of a schema.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum SchemaType {
    /// Apache Avro.
    #[default]
    Avro,
    /// JSON Schema.
    Json,
    /// Protocol Buffers.
    Protobuf,
}

/// How far a new version of a subject may differ from earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schemars(transform = leave_the_description_to_the_field)]
pub enum Level {
    /// Nothing is checked.
    None,
    /// Readers of the new version can read data of the latest.
    Backward,
    /// Readers of the new version can read data of every version.
    BackwardTransitive,
    /// Readers of the latest version can read data of the new one.
    Forward,
    /// Readers of every version can read data of the new one.
    ForwardTransitive,
    /// Both ways, against the latest version.
    Full,
    /// Both ways, against every version.
    FullTransitive,
}

/// The description of an optional field would otherwise give way to the one of its type.
fn leave_the_description_to_the_field(schema: &mut Schema) {
    schema.remove("description");
}

impl Level {
    /// Every level, in the order in which registries document them.
    pub const ALL: [Level; 7] = [
        Level::None,
        Level::Backward,
        Level::BackwardTransitive,
        Level::Forward,
        Level::ForwardTransitive,
        Level::Full,
        Level::FullTransitive,
    ];

    /// Whether a new version is compared with every live version, not only with the latest.
    pub fn is_transitive(self) -> bool {
        matches!(self, Level::BackwardTransitive | Level::ForwardTransitive | Level::FullTransitive)
    }

    fn spelling(self) -> &'static str {
        match self {
            Level::None => "NONE",
            Level::Backward => "BACKWARD",
            Level::BackwardTransitive => "BACKWARD_TRANSITIVE",
            Level::Forward => "FORWARD",
            Level::ForwardTransitive => "FORWARD_TRANSITIVE",
            Level::Full => "FULL",
            Level::FullTransitive => "FULL_TRANSITIVE",
        }
    }
}

/// What a registry lets clients do with a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schemars(transform = leave_the_description_to_the_field)]
pub enum Mode {
    /// Everything.
    Readwrite,
    /// Nothing is written.
    Readonly,
    /// Nothing is written, whatever the subjects' own modes say.
    ReadonlyOverride,
    /// Only writes that name their id: another registry is being copied in.
    Import,
    /// Writes go to another registry.
    Forward,
}

impl Mode {
    /// Whether a plain register is taken in this mode.
    pub fn takes_writes(self) -> bool {
        self == Mode::Readwrite
    }

    fn spelling(self) -> &'static str {
        match self {
            Mode::Readwrite => "READWRITE",
            Mode::Readonly => "READONLY",
            Mode::ReadonlyOverride => "READONLY_OVERRIDE",
            Mode::Import => "IMPORT",
            Mode::Forward => "FORWARD",
        }
    }
}

impl SchemaType {
    /// The registry's spelling.
    pub fn spelling(self) -> &'static str {
        match self {
            SchemaType::Avro => "AVRO",
            SchemaType::Json => "JSON",
            SchemaType::Protobuf => "PROTOBUF",
        }
    }
}

impl fmt::Display for SchemaType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.spelling())
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.spelling())
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.spelling())
    }
}

/// A word that is not in the registry's vocabulary.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{word} is not a {what}")]
pub struct UnknownWord {
    /// What was expected: "compatibility level", "mode" or "schema type".
    pub what: &'static str,
    /// The word that was found.
    pub word: String,
}

impl FromStr for Level {
    type Err = UnknownWord;

    /// Case does not matter: registries take and echo either.
    fn from_str(word: &str) -> Result<Self, UnknownWord> {
        let found = Level::ALL.into_iter().find(|level| level.spelling().eq_ignore_ascii_case(word));
        found.ok_or_else(|| UnknownWord { what: "compatibility level", word: word.to_owned() })
    }
}

impl FromStr for Mode {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Self, UnknownWord> {
        let all = [Mode::Readwrite, Mode::Readonly, Mode::ReadonlyOverride, Mode::Import, Mode::Forward];
        let found = all.into_iter().find(|mode| mode.spelling().eq_ignore_ascii_case(word));
        found.ok_or_else(|| UnknownWord { what: "mode", word: word.to_owned() })
    }
}

impl FromStr for SchemaType {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Self, UnknownWord> {
        let all = [SchemaType::Avro, SchemaType::Json, SchemaType::Protobuf];
        let found = all.into_iter().find(|schema_type| schema_type.spelling() == word);
        found.ok_or_else(|| UnknownWord { what: "schema type", word: word.to_owned() })
    }
}
