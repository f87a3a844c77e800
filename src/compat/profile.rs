//! Which rules a registry goes by. Verdicts differ between implementations and releases (compat.md §4.5); what differs
//! is a field here, asked at the one place where it matters.

use crate::schema::avro::{Checks, Letters, Library, ParsingRules};

/// The rules of one registry, by release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Its name on the command line.
    pub name: &'static str,
    /// Avro.
    pub avro: Option<AvroRules>,
    /// JSON Schema; none where the registry's own checker is not reproduced.
    pub json: Option<JsonRules>,
    /// Protobuf; none where the registry's own checker is not reproduced.
    pub protobuf: Option<ProtobufRules>,
}

/// What differs between the Avro checkers of registries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AvroRules {
    /// How texts are read.
    pub parsing: ParsingRules,
    /// Paths tell which branch of a writer's union is meant (Java from 1.12 on).
    pub paths_tell_branches: bool,
    /// What comes of a reader's field that more than one field of the writer matches.
    pub ambiguous_field: AmbiguousField,
    /// An error is a record. To Python it is not: no error reads anything.
    pub errors_are_records: bool,
    /// A stored schema is read with the references of the candidate that it is compared with instead of its own.
    pub lends_references: bool,
}

/// What comes of a field that its name and its aliases find in more than one place, or in one place twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AmbiguousField {
    /// Java throws, which the registry takes as incompatible.
    Breaks,
    /// Java throws, and so the registry fails.
    Fails,
    /// Python takes the first.
    TakesFirst,
}

/// What differs between releases of Confluent's JSON Schema checker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonRules {
    /// `multipleOf` is compared as whole numbers, and fails below 1 (final releases up to 8.3.1).
    pub multiple_of_as_integers: bool,
    /// Recursion is compared by memo and fixpoint (after 8.3.1); before, without a memo.
    pub memoizes_recursion: bool,
    /// unevaluatedProperties, unevaluatedItems, minContains and maxContains are compared (from 8.0.6, 8.2.2, 8.3.0).
    pub compares_unevaluated: bool,
    /// An added property is told by whether it is required and has a default (from 8.0.6); before, by one name.
    pub splits_added_properties: bool,
    /// There is a policy LENIENT (from 8.0.3); before, all is STRICT, whatever is asked for.
    pub has_lenient: bool,
}

impl JsonRules {
    /// The policy in force where one is asked for.
    pub fn policy(&self, asked: Policy) -> Policy {
        if self.has_lenient { asked } else { Policy::Strict }
    }
}

/// What differs between releases of Confluent's Protobuf checker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProtobufRules {
    /// How the members of oneofs are matched.
    pub oneof: Oneof,
}

/// How the members of oneofs are matched (compat.md §2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Oneof {
    /// By the oneof's name: final releases up to 8.3.1.
    ByName,
    /// By where each member came from: after 8.3.1.
    ByOrigin,
}

const JAVA_1_11: AvroRules = AvroRules {
    parsing: ParsingRules {
        library: Library::Java1_11,
        unwraps_names: true,
        new: Checks::FEWEST,
        stored: Checks::FEWEST,
    },
    paths_tell_branches: false,
    ambiguous_field: AmbiguousField::Breaks,
    errors_are_records: true,
    lends_references: false,
};

const JAVA_1_12: AvroRules = AvroRules {
    parsing: ParsingRules { library: Library::Java1_12, unwraps_names: true, new: Checks::ALL, stored: Checks::FEWEST },
    paths_tell_branches: true,
    ..JAVA_1_11
};

/// Java 1.12.2 with its own defaults, for old schemas as for new ones.
const APICURIO_AVRO: AvroRules = AvroRules {
    parsing: ParsingRules {
        library: Library::Java1_12,
        unwraps_names: false,
        new: Checks { letters: Letters::Any, ..Checks::ALL },
        stored: Checks { letters: Letters::Any, ..Checks::ALL },
    },
    ambiguous_field: AmbiguousField::Fails,
    lends_references: true,
    ..JAVA_1_12
};

/// Karapace refuses the same names in old schemas as in new ones; it looks at no default.
const KARAPACE_AVRO: AvroRules = AvroRules {
    parsing: ParsingRules {
        library: Library::Python1_12,
        unwraps_names: false,
        new: Checks { defaults: false, ..Checks::ALL },
        stored: Checks { defaults: false, ..Checks::ALL },
    },
    ambiguous_field: AmbiguousField::TakesFirst,
    errors_are_records: false,
    ..JAVA_1_11
};

const RELEASED_JSON: JsonRules = JsonRules {
    multiple_of_as_integers: true,
    memoizes_recursion: false,
    compares_unevaluated: true,
    splits_added_properties: true,
    has_lenient: true,
};

/// Confluent's final releases of the 7.9 line.
pub const CONFLUENT_7_9: Profile = Profile {
    name: "confluent-7.9",
    avro: Some(JAVA_1_11),
    json: Some(JsonRules {
        compares_unevaluated: false,
        splits_added_properties: false,
        has_lenient: false,
        ..RELEASED_JSON
    }),
    protobuf: Some(ProtobufRules { oneof: Oneof::ByName }),
};

/// Confluent 8.3, the newest final release line.
pub const CONFLUENT_8_3: Profile = Profile {
    name: "confluent-8.3",
    avro: Some(JAVA_1_12),
    json: Some(RELEASED_JSON),
    protobuf: Some(ProtobufRules { oneof: Oneof::ByName }),
};

/// Confluent's development head, which the next releases come from.
pub const CONFLUENT_NEXT: Profile = Profile {
    name: "confluent-next",
    avro: Some(JAVA_1_12),
    json: Some(JsonRules { multiple_of_as_integers: false, memoizes_recursion: true, ..RELEASED_JSON }),
    protobuf: Some(ProtobufRules { oneof: Oneof::ByOrigin }),
};

/// Whether a policy lets more pass than STRICT does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// The default.
    #[default]
    Strict,
    /// JSON Schema only: content models may be opened and closed.
    Lenient,
}

impl Policy {
    /// Both, the default first.
    pub const ALL: [Policy; 2] = [Policy::Strict, Policy::Lenient];

    /// The registry's spelling.
    pub fn spelling(self) -> &'static str {
        match self {
            Policy::Strict => "STRICT",
            Policy::Lenient => "LENIENT",
        }
    }

    /// The policy of this name.
    pub fn named(name: &str) -> Option<Policy> {
        Policy::ALL.into_iter().find(|policy| policy.spelling() == name)
    }
}

/// Karapace 6. Its Avro checker is Python's; its JSON Schema and Protobuf checkers are its own (karapace-measured.md).
pub const KARAPACE_6: Profile = Profile { name: "karapace-6", avro: Some(KARAPACE_AVRO), json: None, protobuf: None };

/// The registry of Redpanda 25, whose checkers are all its own.
pub const REDPANDA_25: Profile = Profile { name: "redpanda-25", avro: None, json: None, protobuf: None };

/// Apicurio Registry 3. Its Avro checker is Java's; its JSON Schema and Protobuf checkers are its own
/// (real-registries.md).
pub const APICURIO_3: Profile = Profile { name: "apicurio-3", avro: Some(APICURIO_AVRO), json: None, protobuf: None };

/// Every profile, the default of the command line first.
pub const ALL: [&Profile; 6] =
    [&CONFLUENT_8_3, &CONFLUENT_7_9, &CONFLUENT_NEXT, &KARAPACE_6, &REDPANDA_25, &APICURIO_3];

impl Profile {
    /// The profile of this name.
    pub fn named(name: &str) -> Option<&'static Profile> {
        ALL.into_iter().find(|profile| profile.name == name)
    }
}
