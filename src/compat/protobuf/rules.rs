//! The names of Confluent's Protobuf rules, and which of them break readers (compat.md §2.1).

/// A rule by the registry's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rule {
    pub name: &'static str,
    /// Whether the reader cannot read what the writer wrote.
    pub breaks: bool,
}

const fn breaking(name: &'static str) -> Rule {
    Rule { name, breaks: true }
}

const fn harmless(name: &'static str) -> Rule {
    Rule { name, breaks: false }
}

pub(super) const PACKAGE_CHANGED: Rule = breaking("PACKAGE_CHANGED");
pub(super) const MESSAGE_ADDED: Rule = harmless("MESSAGE_ADDED");
pub(super) const MESSAGE_REMOVED: Rule = breaking("MESSAGE_REMOVED");
pub(super) const MESSAGE_MOVED: Rule = harmless("MESSAGE_MOVED");
pub(super) const ENUM_ADDED: Rule = harmless("ENUM_ADDED");
pub(super) const ENUM_REMOVED: Rule = harmless("ENUM_REMOVED");
pub(super) const ENUM_CONST_ADDED: Rule = harmless("ENUM_CONST_ADDED");
pub(super) const ENUM_CONST_CHANGED: Rule = harmless("ENUM_CONST_CHANGED");
pub(super) const ENUM_CONST_REMOVED: Rule = harmless("ENUM_CONST_REMOVED");
pub(super) const FIELD_ADDED: Rule = harmless("FIELD_ADDED");
pub(super) const FIELD_REMOVED: Rule = harmless("FIELD_REMOVED");
pub(super) const REQUIRED_FIELD_ADDED: Rule = breaking("REQUIRED_FIELD_ADDED");
pub(super) const REQUIRED_FIELD_REMOVED: Rule = breaking("REQUIRED_FIELD_REMOVED");
pub(super) const FIELD_NAME_CHANGED: Rule = harmless("FIELD_NAME_CHANGED");
pub(super) const FIELD_KIND_CHANGED: Rule = breaking("FIELD_KIND_CHANGED");
pub(super) const FIELD_SCALAR_KIND_CHANGED: Rule = breaking("FIELD_SCALAR_KIND_CHANGED");
pub(super) const FIELD_NAMED_TYPE_CHANGED: Rule = breaking("FIELD_NAMED_TYPE_CHANGED");
pub(super) const FIELD_NUMERIC_LABEL_CHANGED: Rule = breaking("FIELD_NUMERIC_LABEL_CHANGED");
pub(super) const FIELD_STRING_OR_BYTES_LABEL_CHANGED: Rule = harmless("FIELD_STRING_OR_BYTES_LABEL_CHANGED");
pub(super) const ONEOF_ADDED: Rule = harmless("ONEOF_ADDED");
pub(super) const ONEOF_REMOVED: Rule = harmless("ONEOF_REMOVED");
pub(super) const ONEOF_FIELD_ADDED: Rule = harmless("ONEOF_FIELD_ADDED");
pub(super) const ONEOF_FIELD_REMOVED: Rule = breaking("ONEOF_FIELD_REMOVED");
pub(super) const ONEOF_FIELD_MOVED_TO_TOP_LEVEL: Rule = harmless("ONEOF_FIELD_MOVED_TO_TOP_LEVEL");
pub(super) const MULTIPLE_FIELDS_MOVED_TO_ONEOF: Rule = breaking("MULTIPLE_FIELDS_MOVED_TO_ONEOF");
pub(super) const FIELD_MOVED_TO_EXISTING_ONEOF: Rule = breaking("FIELD_MOVED_TO_EXISTING_ONEOF");
