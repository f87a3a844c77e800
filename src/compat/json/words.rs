//! What a person reads about a difference, and what they can do about it.
//!
//! The rules speak of a reader and a writer; which of the two is the schema at hand, and which an earlier version, is
//! told by the [`Direction`].

use super::facts::is_of_enum_beside_a_type;
use crate::compat::difference::{Difference, Facts};
use crate::compat::levels::Direction;
use crate::compat::profile::JsonRules;

/// One sentence: what differs, and what follows. The sides are named as they stand in it, such as `this schema` and
/// `version 3`.
pub fn sentence(difference: &Difference, reader: &str, writer: &str) -> String {
    let Facts { subject, reader: here, writer: there } = &difference.facts;
    let subject = if subject.is_empty() { "the schema" } else { subject };
    let refused = format!("so {reader} refuses data that {writer} allows");
    if let Some((keyword, change)) = bound(difference.rule) {
        return match change {
            Change::Added => format!("{subject} has {keyword} {here} in {reader} and none in {writer}, {refused}"),
            Change::Removed => format!("{subject} has {keyword} {there} in {writer} and none in {reader}"),
            Change::Tightened => {
                format!("{keyword} of {subject} is {here} in {reader} and {there} in {writer}, {refused}")
            }
            Change::Loosened => format!("{keyword} of {subject} is {here} in {reader} and {there} in {writer}"),
        };
    }
    match difference.rule {
        "ID_CHANGED" => format!("{subject} has another $id in {reader} than in {writer}"),
        "TITLE_CHANGED" => format!("{subject} has another title in {reader} than in {writer}"),
        "DESCRIPTION_CHANGED" => format!("{subject} has another description in {reader} than in {writer}"),
        "DEFAULT_CHANGED" => format!("{subject} has another default in {reader} than in {writer}"),
        "SCHEMA_ADDED" => format!("{subject} must fit a schema in {reader} and none in {writer}, {refused}"),
        "SCHEMA_REMOVED" => format!("{subject} must fit a schema in {writer} and none in {reader}"),
        "TYPE_EXTENDED" => format!("{subject} is {here} in {reader} and {there} in {writer}, which is narrower"),
        "TYPE_NARROWED" | "TYPE_CHANGED" => {
            format!("{subject} is {here} in {reader} and {there} in {writer}, {refused}")
        }
        "PATTERN_ADDED" => format!("{subject} must match {here} in {reader} and nothing in {writer}, {refused}"),
        "PATTERN_REMOVED" => format!("{subject} must match {there} in {writer} and nothing in {reader}"),
        "PATTERN_CHANGED" => format!(
            "{subject} must match {here} in {reader} and {there} in {writer}, and whether one covers the other is not \
             looked at"
        ),
        "REQUIRED_ATTRIBUTE_ADDED" => format!(
            "{subject} is required in {reader} and optional in {writer}, so data written with {writer} may lack it"
        ),
        "REQUIRED_ATTRIBUTE_WITH_DEFAULT_ADDED" => {
            format!("{subject} is required in {reader} and optional in {writer}; it has a default")
        }
        "REQUIRED_ATTRIBUTE_REMOVED" => format!("{subject} is optional in {reader} and required in {writer}"),
        "DEPENDENCY_ARRAY_ADDED" | "DEPENDENCY_ARRAY_EXTENDED" | "DEPENDENCY_ARRAY_CHANGED" => {
            format!("{subject} needs other properties beside it in {reader} that it does not in {writer}, {refused}")
        }
        "DEPENDENCY_ARRAY_REMOVED" | "DEPENDENCY_ARRAY_NARROWED" => {
            format!("{subject} needs fewer properties beside it in {reader} than in {writer}")
        }
        "DEPENDENCY_SCHEMA_ADDED" => {
            format!("{subject} demands more of the object in {reader} than in {writer}, {refused}")
        }
        "DEPENDENCY_SCHEMA_REMOVED" => format!("{subject} demands less of the object in {reader} than in {writer}"),
        "UNIQUE_ITEMS_ADDED" => format!("{subject} must hold no item twice in {reader}, {refused}"),
        "UNIQUE_ITEMS_REMOVED" => format!("{subject} may hold an item twice in {reader}"),
        "ENUM_ARRAY_EXTENDED" => format!("{subject} allows {here} in {reader}, which {writer} does not"),
        _ if difference.rule == "ENUM_ARRAY_NARROWED" || is_of_enum_beside_a_type(difference) => {
            format!("{subject} allows {there} in {writer} and not in {reader}, {refused}")
        }
        "ENUM_ARRAY_CHANGED" => {
            format!("{subject} allows {there} in {writer} and {here} in {reader}, {refused}")
        }
        "COMBINED_TYPE_CHANGED" => format!("{subject} is {here} in {reader} and {there} in {writer}, {refused}"),
        "COMBINED_TYPE_EXTENDED" => format!("{subject} is {here} in {reader} and {there} in {writer}"),
        "COMBINED_TYPE_SUBSCHEMAS_CHANGED" => {
            format!("not every branch of {subject} in {writer} has one in {reader} that takes its data, {refused}")
        }
        "PRODUCT_TYPE_EXTENDED" => format!("{subject} must fit more branches in {reader} than in {writer}, {refused}"),
        "PRODUCT_TYPE_NARROWED" => format!("{subject} must fit fewer branches in {reader} than in {writer}"),
        "SUM_TYPE_EXTENDED" => format!("{subject} may fit more branches in {reader} than in {writer}"),
        "SUM_TYPE_NARROWED" => format!("{subject} may fit fewer branches in {reader} than in {writer}, {refused}"),
        "NOT_TYPE_EXTENDED" => format!("{subject} forbids more in {reader} than in {writer}, {refused}"),
        "NOT_TYPE_NARROWED" => format!("{subject} forbids no more in {reader} than in {writer}"),
        rule => content_model(rule, subject, reader, writer).unwrap_or_else(|| rule.to_owned()),
    }
}

/// Properties and items that only one side lists.
fn content_model(rule: &str, subject: &str, reader: &str, writer: &str) -> Option<String> {
    let refused = format!("so {reader} refuses data that {writer} allows");
    let anything = format!("data written with {writer} may hold anything there");
    Some(match rule {
        "REQUIRED_PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL" => {
            format!("{subject} is required in {reader} and not declared in {writer}, so {anything}, or lack it")
        }
        "PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL"
        | "OPTIONAL_PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL"
        | "REQUIRED_PROPERTY_WITH_DEFAULT_ADDED_TO_OPEN_CONTENT_MODEL" => {
            format!("{subject} is new in {reader}, and {writer} leaves undeclared properties free, so {anything}")
        }
        "REQUIRED_PROPERTY_ADDED_TO_UNOPEN_CONTENT_MODEL" => {
            format!("{subject} is required in {reader} and not declared in {writer}, so data written with it lacks it")
        }
        "REQUIRED_PROPERTY_WITH_DEFAULT_ADDED_TO_UNOPEN_CONTENT_MODEL" => {
            format!("{subject} is new and required in {reader}; it has a default")
        }
        "PROPERTY_WITH_EMPTY_SCHEMA_ADDED_TO_OPEN_CONTENT_MODEL"
        | "OPTIONAL_PROPERTY_ADDED_TO_UNOPEN_CONTENT_MODEL"
        | "PROPERTY_ADDED_IS_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL" => format!("{subject} is new in {reader}"),
        "PROPERTY_ADDED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL" => {
            format!("{subject} is new in {reader} and does not take all that {writer} allows undeclared properties")
        }
        "PROPERTY_REMOVED_FROM_CLOSED_CONTENT_MODEL" => {
            format!("{subject} of {writer} is missing in {reader}, which takes no undeclared properties, {refused}")
        }
        "PROPERTY_REMOVED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL" => {
            format!("{subject} of {writer} is missing in {reader}, which allows undeclared properties less, {refused}")
        }
        "PROPERTY_REMOVED_FROM_OPEN_CONTENT_MODEL"
        | "PROPERTY_WITH_FALSE_REMOVED_FROM_CLOSED_CONTENT_MODEL"
        | "PROPERTY_REMOVED_IS_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL" => {
            format!("{subject} of {writer} is no longer declared in {reader}")
        }
        "ADDITIONAL_PROPERTIES_ADDED"
        | "UNEVALUATED_PROPERTIES_ADDED"
        | "ADDITIONAL_PROPERTIES_EXTENDED"
        | "UNEVALUATED_PROPERTIES_EXTENDED"
        | "ADDITIONAL_ITEMS_ADDED"
        | "UNEVALUATED_ITEMS_ADDED"
        | "ADDITIONAL_ITEMS_EXTENDED"
        | "UNEVALUATED_ITEMS_EXTENDED" => format!("{subject} are freer in {reader} than in {writer}"),
        "ADDITIONAL_PROPERTIES_REMOVED"
        | "UNEVALUATED_PROPERTIES_REMOVED"
        | "ADDITIONAL_ITEMS_REMOVED"
        | "UNEVALUATED_ITEMS_REMOVED" => {
            format!("{subject} are forbidden in {reader} and allowed in {writer}, {refused}")
        }
        "ADDITIONAL_PROPERTIES_NARROWED"
        | "UNEVALUATED_PROPERTIES_NARROWED"
        | "ADDITIONAL_ITEMS_NARROWED"
        | "UNEVALUATED_ITEMS_NARROWED" => {
            format!("{subject} must fit a schema in {reader} and are free in {writer}, {refused}")
        }
        "ITEM_ADDED_TO_OPEN_CONTENT_MODEL" => {
            format!("{subject} have one more place in {reader}, and {writer} leaves further items free, so {anything}")
        }
        "ITEM_ADDED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL" => {
            format!("{subject} have one more place in {reader}, which does not take all that {writer} allows there")
        }
        "ITEM_REMOVED_FROM_CLOSED_CONTENT_MODEL" => {
            format!("{subject} have one place less in {reader}, which takes no further items, {refused}")
        }
        "ITEM_REMOVED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL" => {
            format!("{subject} have one place less in {reader}, which allows further items less, {refused}")
        }
        "ITEM_WITH_EMPTY_SCHEMA_ADDED_TO_OPEN_CONTENT_MODEL"
        | "ITEM_ADDED_TO_CLOSED_CONTENT_MODEL"
        | "ITEM_ADDED_IS_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL" => {
            format!("{subject} have one more place in {reader}")
        }
        "ITEM_WITH_FALSE_REMOVED_FROM_CLOSED_CONTENT_MODEL"
        | "ITEM_REMOVED_FROM_OPEN_CONTENT_MODEL"
        | "ITEM_REMOVED_IS_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL" => {
            format!("{subject} have one place less in {reader}")
        }
        _ => return None,
    })
}

/// What change of the new schema would mend it, where one is plain: the one that [`super::mend()`] makes.
pub fn hint(difference: &Difference, direction: Direction, rules: &JsonRules) -> Option<String> {
    use Direction::{Backward, Forward};
    let Facts { subject, reader, writer } = &difference.facts;
    let subject = if subject.is_empty() { "the schema" } else { subject };
    if let Some((keyword, change)) = bound(difference.rule) {
        return match (change, direction) {
            (Change::Added, Backward) => Some(format!("leave {keyword} out of {subject}")),
            (Change::Added, Forward) => Some(format!("keep {keyword} {reader} of {subject}")),
            (Change::Tightened, Backward) => Some(format!("keep {keyword} {writer} of {subject}")),
            (Change::Tightened, Forward) => Some(format!("keep {keyword} {reader} of {subject}")),
            (Change::Removed | Change::Loosened, _) => None,
        };
    }
    Some(match (difference.rule, direction) {
        ("PATTERN_ADDED", Backward) => format!("leave pattern out of {subject}"),
        ("PATTERN_CHANGED", Backward) => format!("keep pattern {writer} of {subject}"),
        ("PATTERN_ADDED" | "PATTERN_CHANGED", Forward) => format!("keep pattern {reader} of {subject}"),
        ("REQUIRED_ATTRIBUTE_ADDED", Forward) => format!("keep {subject} required"),
        ("REQUIRED_ATTRIBUTE_ADDED" | "REQUIRED_PROPERTY_ADDED_TO_UNOPEN_CONTENT_MODEL", Backward) => {
            format!("leave {subject} optional")
        }
        (
            "REQUIRED_PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL"
            | "REQUIRED_PROPERTY_WITH_DEFAULT_ADDED_TO_OPEN_CONTENT_MODEL"
            | "OPTIONAL_PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL"
            | "PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL",
            Backward,
        ) => {
            let lenient = match rules.has_lenient {
                true => "; the policy LENIENT takes optional properties with one",
                false => "",
            };
            format!("declare {subject} as {{}}, without a type{lenient}")
        }
        (
            "REQUIRED_PROPERTY_ADDED_TO_UNOPEN_CONTENT_MODEL"
            | "REQUIRED_PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL"
            | "REQUIRED_PROPERTY_WITH_DEFAULT_ADDED_TO_OPEN_CONTENT_MODEL"
            | "OPTIONAL_PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL"
            | "PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL",
            Forward,
        )
        | (
            "PROPERTY_REMOVED_FROM_CLOSED_CONTENT_MODEL"
            | "PROPERTY_REMOVED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL",
            Backward,
        ) => format!("keep {subject}"),
        (
            "PROPERTY_REMOVED_FROM_CLOSED_CONTENT_MODEL"
            | "PROPERTY_REMOVED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL",
            Forward,
        ) => format!("leave {subject} out"),
        ("ADDITIONAL_PROPERTIES_REMOVED", Backward) => format!("keep {subject} allowed"),
        ("ADDITIONAL_PROPERTIES_REMOVED", Forward) => format!("keep {subject} forbidden"),
        ("ADDITIONAL_PROPERTIES_NARROWED", Backward) => format!("leave {subject} free"),
        ("UNIQUE_ITEMS_ADDED", Backward) => format!("leave uniqueItems out of {subject}"),
        ("UNIQUE_ITEMS_ADDED", Forward) => format!("keep uniqueItems of {subject}"),
        (rule, direction) if rule == "ENUM_ARRAY_NARROWED" || is_of_enum_beside_a_type(difference) => match direction {
            Backward => format!("keep {writer} in {subject}"),
            Forward => format!("leave {writer} out of {subject}"),
        },
        ("TYPE_NARROWED" | "TYPE_CHANGED", Backward) if is_type(writer) => format!("keep type {writer} of {subject}"),
        ("TYPE_NARROWED" | "TYPE_CHANGED", Forward) if is_type(reader) => format!("keep type {reader} of {subject}"),
        _ => return None,
    })
}

/// Whether it is the name of a type, and not of another keyword.
pub(super) fn is_type(name: &str) -> bool {
    matches!(name, "string" | "integer" | "number" | "boolean" | "null" | "object" | "array")
}

/// How a bound changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Added,
    Removed,
    Tightened,
    Loosened,
}

/// The keyword of a bound, and how it changed.
pub(super) fn bound(rule: &str) -> Option<(&'static str, Change)> {
    let (name, change) = rule.rsplit_once('_')?;
    let (keyword, is_upper) = match name {
        "MAX_LENGTH" => ("maxLength", true),
        "MIN_LENGTH" => ("minLength", false),
        "MAXIMUM" => ("maximum", true),
        "MINIMUM" => ("minimum", false),
        "EXCLUSIVE_MAXIMUM" => ("exclusiveMaximum", true),
        "EXCLUSIVE_MINIMUM" => ("exclusiveMinimum", false),
        "MAX_PROPERTIES" => ("maxProperties", true),
        "MIN_PROPERTIES" => ("minProperties", false),
        "MAX_ITEMS" => ("maxItems", true),
        "MIN_ITEMS" => ("minItems", false),
        "MAX_CONTAINS" => ("maxContains", true),
        "MIN_CONTAINS" => ("minContains", false),
        "MULTIPLE_OF" => ("multipleOf", true),
        _ => return None,
    };
    let change = match change {
        "ADDED" => Change::Added,
        "REMOVED" => Change::Removed,
        "EXPANDED" | "CHANGED" => Change::Tightened,
        "REDUCED" => Change::Loosened,
        "DECREASED" if is_upper => Change::Tightened,
        "INCREASED" if !is_upper => Change::Tightened,
        "DECREASED" | "INCREASED" => Change::Loosened,
        _ => return None,
    };
    Some((keyword, change))
}
