//! The closed set of advice: one word each, as in status and in `acknowledge`.

use std::fmt;
use std::str::FromStr;

/// What an advice is about.
///
/// Most are caused by a change and stand in status from then on, for as long as that version is the latest. The
/// standing ones ([`Code::is_standing`]) are true of what is there, whoever changed what; they would appear on nearly
/// every resource, so only the command line says them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Code {
    /// A1. Avro: a field went and one of the same type came, without an alias: a rename that loses the old values
    /// without an error wherever the new field has a default.
    RenameWithoutAlias,
    /// A2, standing. Avro: a field or type is found by its alias only, which helps readers only, and not all clients.
    NeedsAlias,
    /// A3. Avro: the full name of a type changed. Generated classes and subjects by record name follow it.
    FullNameChanged,
    /// A4. Avro: an enum has new symbols, which old readers read as their default or not at all.
    EnumGrew,
    /// A4. Avro: an enum lost symbols and has a default, which hides them in old data.
    EnumDefaultHides,
    /// A5. Avro and Protobuf: data without the field is read with another default than before.
    DefaultChanged,
    /// A5. Avro: a default went, so data of versions before the field cannot be read any more.
    DefaultRemoved,
    /// A6. Avro: the same bytes mean something else: the logical type, its precision or its scale changed.
    LogicalTypeChanged,
    /// A7. Avro: several records of a union match one of the other union, so decoders choose by what fits.
    AmbiguousUnion,
    /// A7. The registry takes the change, though data cannot be read: its checker takes a shortcut there.
    AcceptedThoughUnreadable,
    /// A8, standing. Avro: a whole number is read as a floating point number, and large ones lose digits.
    PrecisionLost,
    /// A9. Protobuf: a number went and is not reserved, so that it can be given to something else one day.
    NumberNotReserved,
    /// A9. Protobuf: a number has another meaning than before: its name and its type changed.
    NumberReused,
    /// A9. Protobuf: a name has another number than before; what is stored under the old one is lost.
    NumberChanged,
    /// A9. Protobuf: a number or name that was reserved is in use again.
    ReservedReused,
    /// A9. Protobuf: a number or name is no longer reserved.
    ReservationDropped,
    /// A10. Protobuf: a field is repeated and was not, or the other way round, which the registry does not see.
    CardinalityChanged,
    /// A10. Protobuf: a field is required and was not, or the other way round, which the registry does not see.
    RequiredChanged,
    /// A10. Protobuf: a field lost the label that told unset from zero.
    PresenceDropped,
    /// A11. Avro and Protobuf: values of the old type may not fit the new one, or mean something else in it.
    ValuesMayNotFit,
    /// A11, standing. Protobuf: a type changed to one with the same bytes. Generated code and JSON differ.
    WireTypeChanged,
    /// A12. Protobuf: a field, constant or oneof has another name. JSON, field masks and generated code follow it.
    Renamed,
    /// A10. Protobuf: a group or an extension changed, which the registry does not compare.
    NotCompared,
    /// A13. Protobuf: the level in force refuses new messages and new members of oneofs.
    LevelRefusesAdditions,
    /// A14. JSON Schema: a typed property was added to an open model. Names the ways out.
    OpenModel,
    /// A15. JSON Schema: a keyword changed that the registry does not look at, and data may not fit any more.
    IgnoredKeyword,
    /// A15. JSON Schema: the registry takes a required property for its default, which no validator fills in.
    RequiredWithDefault,
    /// A16. JSON Schema: data may fit two branches of a oneOf, and is refused then.
    BranchesOverlap,
    /// A17, standing. The level is unsafe for Kafka Streams and ksqlDB, whose state holds old records.
    StreamsState,
    /// A18, standing. Who upgrades first under the level.
    UpgradeOrder,
    /// A19. Every step passed the level, but the latest version does not get along with an older one.
    NotTransitive,
    /// A20. Two versions in a row break the level: nothing was checked when the second one came.
    UncheckedHistory,
    /// A21. Only a reference moved; the schema's own text did not change.
    ReferenceBump,
    /// A22. Another registry would answer otherwise. Only where it is asked for.
    RegistriesDiffer,
    /// A23. The registry fails over this change.
    RegistryFails,
    /// A23. The registry compares for long.
    RegistrySlow,
    /// A24. The registry takes the schema, other clients do not.
    InvalidElsewhere,
    /// The schema of messages' keys changed: its id is part of the key's bytes, so partitions and compaction change.
    KeySchemaChanged,
    /// Clients with `use.latest.version` switch at once, before or after the side that this change needs upgraded
    /// first. Only where the change holds in one direction: most changes hold in both, and nobody cares then.
    LatestClients,
    /// No change could pass the level any more, whatever it is.
    SubjectFrozen,
    /// A reference by a version's number, which another registry or context gives to something else.
    PinnedReferenceNotPortable,
}

impl Code {
    /// Every code, in the order of the reference's table.
    pub const ALL: [Code; 41] = [
        Code::RenameWithoutAlias,
        Code::NeedsAlias,
        Code::FullNameChanged,
        Code::EnumGrew,
        Code::EnumDefaultHides,
        Code::DefaultChanged,
        Code::DefaultRemoved,
        Code::LogicalTypeChanged,
        Code::AmbiguousUnion,
        Code::AcceptedThoughUnreadable,
        Code::PrecisionLost,
        Code::NumberNotReserved,
        Code::NumberReused,
        Code::NumberChanged,
        Code::ReservedReused,
        Code::ReservationDropped,
        Code::CardinalityChanged,
        Code::RequiredChanged,
        Code::PresenceDropped,
        Code::ValuesMayNotFit,
        Code::WireTypeChanged,
        Code::Renamed,
        Code::NotCompared,
        Code::LevelRefusesAdditions,
        Code::OpenModel,
        Code::IgnoredKeyword,
        Code::RequiredWithDefault,
        Code::BranchesOverlap,
        Code::StreamsState,
        Code::UpgradeOrder,
        Code::NotTransitive,
        Code::UncheckedHistory,
        Code::ReferenceBump,
        Code::RegistriesDiffer,
        Code::RegistryFails,
        Code::RegistrySlow,
        Code::InvalidElsewhere,
        Code::KeySchemaChanged,
        Code::LatestClients,
        Code::SubjectFrozen,
        Code::PinnedReferenceNotPortable,
    ];

    /// The word.
    pub fn as_str(self) -> &'static str {
        match self {
            Code::RenameWithoutAlias => "RenameWithoutAlias",
            Code::NeedsAlias => "NeedsAlias",
            Code::FullNameChanged => "FullNameChanged",
            Code::EnumGrew => "EnumGrew",
            Code::EnumDefaultHides => "EnumDefaultHides",
            Code::DefaultChanged => "DefaultChanged",
            Code::DefaultRemoved => "DefaultRemoved",
            Code::LogicalTypeChanged => "LogicalTypeChanged",
            Code::AmbiguousUnion => "AmbiguousUnion",
            Code::AcceptedThoughUnreadable => "AcceptedThoughUnreadable",
            Code::PrecisionLost => "PrecisionLost",
            Code::NumberNotReserved => "NumberNotReserved",
            Code::NumberReused => "NumberReused",
            Code::NumberChanged => "NumberChanged",
            Code::ReservedReused => "ReservedReused",
            Code::ReservationDropped => "ReservationDropped",
            Code::CardinalityChanged => "CardinalityChanged",
            Code::RequiredChanged => "RequiredChanged",
            Code::PresenceDropped => "PresenceDropped",
            Code::ValuesMayNotFit => "ValuesMayNotFit",
            Code::WireTypeChanged => "WireTypeChanged",
            Code::Renamed => "Renamed",
            Code::NotCompared => "NotCompared",
            Code::LevelRefusesAdditions => "LevelRefusesAdditions",
            Code::OpenModel => "OpenModel",
            Code::IgnoredKeyword => "IgnoredKeyword",
            Code::RequiredWithDefault => "RequiredWithDefault",
            Code::BranchesOverlap => "BranchesOverlap",
            Code::StreamsState => "StreamsState",
            Code::UpgradeOrder => "UpgradeOrder",
            Code::NotTransitive => "NotTransitive",
            Code::UncheckedHistory => "UncheckedHistory",
            Code::ReferenceBump => "ReferenceBump",
            Code::RegistriesDiffer => "RegistriesDiffer",
            Code::RegistryFails => "RegistryFails",
            Code::RegistrySlow => "RegistrySlow",
            Code::InvalidElsewhere => "InvalidElsewhere",
            Code::KeySchemaChanged => "KeySchemaChanged",
            Code::LatestClients => "LatestClients",
            Code::SubjectFrozen => "SubjectFrozen",
            Code::PinnedReferenceNotPortable => "PinnedReferenceNotPortable",
        }
    }

    /// Whether it is true without a change that caused it: for the command line, never on a resource.
    pub fn is_standing(self) -> bool {
        matches!(self.row(), Some(2 | 8 | 17 | 18)) || self == Code::WireTypeChanged
    }

    /// Its row in the table of advisories (compat.md §7, A1 to A24).
    pub fn row(self) -> Option<u8> {
        Some(match self {
            Code::RenameWithoutAlias => 1,
            Code::NeedsAlias => 2,
            Code::FullNameChanged => 3,
            Code::EnumGrew | Code::EnumDefaultHides => 4,
            Code::DefaultChanged | Code::DefaultRemoved => 5,
            Code::LogicalTypeChanged => 6,
            Code::AmbiguousUnion | Code::AcceptedThoughUnreadable => 7,
            Code::PrecisionLost => 8,
            Code::NumberNotReserved
            | Code::NumberReused
            | Code::NumberChanged
            | Code::ReservedReused
            | Code::ReservationDropped => 9,
            Code::CardinalityChanged | Code::RequiredChanged | Code::PresenceDropped | Code::NotCompared => 10,
            Code::ValuesMayNotFit | Code::WireTypeChanged => 11,
            Code::Renamed => 12,
            Code::LevelRefusesAdditions => 13,
            Code::OpenModel => 14,
            Code::IgnoredKeyword | Code::RequiredWithDefault => 15,
            Code::BranchesOverlap => 16,
            Code::StreamsState => 17,
            Code::UpgradeOrder => 18,
            Code::NotTransitive => 19,
            Code::UncheckedHistory => 20,
            Code::ReferenceBump => 21,
            Code::RegistriesDiffer => 22,
            Code::RegistryFails | Code::RegistrySlow => 23,
            Code::InvalidElsewhere => 24,
            Code::KeySchemaChanged | Code::LatestClients | Code::SubjectFrozen | Code::PinnedReferenceNotPortable => {
                return None;
            }
        })
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A word that names no advice.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no advice")]
pub struct UnknownCode(String);

impl FromStr for Code {
    type Err = UnknownCode;

    fn from_str(word: &str) -> Result<Code, UnknownCode> {
        Code::ALL.into_iter().find(|code| code.as_str() == word).ok_or_else(|| UnknownCode(word.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_code_is_read_as_it_is_written() {
        for code in Code::ALL {
            assert_eq!(code.to_string().parse(), Ok(code));
        }
        assert_eq!("Nonsense".parse::<Code>(), Err(UnknownCode("Nonsense".to_owned())));
    }

    #[test]
    fn every_row_of_the_reference_has_a_code() {
        let rows: BTreeSet<u8> = Code::ALL.into_iter().filter_map(Code::row).collect();
        assert_eq!(rows, (1..=24).collect());
    }

    #[test]
    fn standing_is_what_no_change_caused() {
        let standing: Vec<Code> = Code::ALL.into_iter().filter(|code| code.is_standing()).collect();
        let expected =
            [Code::NeedsAlias, Code::PrecisionLost, Code::WireTypeChanged, Code::StreamsState, Code::UpgradeOrder];
        assert_eq!(standing, expected);
    }
}
