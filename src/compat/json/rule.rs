//! The differences that the registry names, and which of them break (compat.md §3.1).

use crate::compat::profile::Policy;

/// A difference's name and whether it breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// As the registry writes it.
    pub name: &'static str,
    verdict: Verdict,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Breaks,
    BreaksUnlessLenient,
    Harmless,
}

impl Rule {
    /// Whether the reader cannot read what the writer wrote because of it.
    pub fn breaks(self, policy: Policy) -> bool {
        match self.verdict {
            Verdict::Breaks => true,
            Verdict::BreaksUnlessLenient => policy == Policy::Strict,
            Verdict::Harmless => false,
        }
    }
}

const fn breaks(name: &'static str) -> Rule {
    Rule { name, verdict: Verdict::Breaks }
}

const fn breaks_unless_lenient(name: &'static str) -> Rule {
    Rule { name, verdict: Verdict::BreaksUnlessLenient }
}

const fn harmless(name: &'static str) -> Rule {
    Rule { name, verdict: Verdict::Harmless }
}

pub const ID_CHANGED: Rule = harmless("ID_CHANGED");
pub const DESCRIPTION_CHANGED: Rule = harmless("DESCRIPTION_CHANGED");
pub const TITLE_CHANGED: Rule = harmless("TITLE_CHANGED");
pub const DEFAULT_CHANGED: Rule = harmless("DEFAULT_CHANGED");
pub const SCHEMA_ADDED: Rule = breaks("SCHEMA_ADDED");
pub const SCHEMA_REMOVED: Rule = harmless("SCHEMA_REMOVED");
pub const TYPE_EXTENDED: Rule = harmless("TYPE_EXTENDED");
pub const TYPE_NARROWED: Rule = breaks("TYPE_NARROWED");
pub const TYPE_CHANGED: Rule = breaks("TYPE_CHANGED");

/// The four ways in which a bound changes.
pub struct Bound {
    pub keyword: &'static str,
    pub added: Rule,
    pub removed: Rule,
    pub increased: Rule,
    pub decreased: Rule,
}

pub const MAX_LENGTH: Bound = Bound {
    keyword: "maxLength",
    added: breaks("MAX_LENGTH_ADDED"),
    removed: harmless("MAX_LENGTH_REMOVED"),
    increased: harmless("MAX_LENGTH_INCREASED"),
    decreased: breaks("MAX_LENGTH_DECREASED"),
};
pub const MIN_LENGTH: Bound = Bound {
    keyword: "minLength",
    added: breaks("MIN_LENGTH_ADDED"),
    removed: harmless("MIN_LENGTH_REMOVED"),
    increased: breaks("MIN_LENGTH_INCREASED"),
    decreased: harmless("MIN_LENGTH_DECREASED"),
};
pub const MAXIMUM: Bound = Bound {
    keyword: "maximum",
    added: breaks("MAXIMUM_ADDED"),
    removed: harmless("MAXIMUM_REMOVED"),
    increased: harmless("MAXIMUM_INCREASED"),
    decreased: breaks("MAXIMUM_DECREASED"),
};
pub const MINIMUM: Bound = Bound {
    keyword: "minimum",
    added: breaks("MINIMUM_ADDED"),
    removed: harmless("MINIMUM_REMOVED"),
    increased: breaks("MINIMUM_INCREASED"),
    decreased: harmless("MINIMUM_DECREASED"),
};
pub const EXCLUSIVE_MAXIMUM: Bound = Bound {
    keyword: "exclusiveMaximum",
    added: breaks("EXCLUSIVE_MAXIMUM_ADDED"),
    removed: harmless("EXCLUSIVE_MAXIMUM_REMOVED"),
    increased: harmless("EXCLUSIVE_MAXIMUM_INCREASED"),
    decreased: breaks("EXCLUSIVE_MAXIMUM_DECREASED"),
};
pub const EXCLUSIVE_MINIMUM: Bound = Bound {
    keyword: "exclusiveMinimum",
    added: breaks("EXCLUSIVE_MINIMUM_ADDED"),
    removed: harmless("EXCLUSIVE_MINIMUM_REMOVED"),
    increased: breaks("EXCLUSIVE_MINIMUM_INCREASED"),
    decreased: harmless("EXCLUSIVE_MINIMUM_DECREASED"),
};
pub const MAX_PROPERTIES: Bound = Bound {
    keyword: "maxProperties",
    added: breaks("MAX_PROPERTIES_ADDED"),
    removed: harmless("MAX_PROPERTIES_REMOVED"),
    increased: harmless("MAX_PROPERTIES_INCREASED"),
    decreased: breaks("MAX_PROPERTIES_DECREASED"),
};
pub const MIN_PROPERTIES: Bound = Bound {
    keyword: "minProperties",
    added: breaks("MIN_PROPERTIES_ADDED"),
    removed: harmless("MIN_PROPERTIES_REMOVED"),
    increased: breaks("MIN_PROPERTIES_INCREASED"),
    decreased: harmless("MIN_PROPERTIES_DECREASED"),
};
pub const MAX_ITEMS: Bound = Bound {
    keyword: "maxItems",
    added: breaks("MAX_ITEMS_ADDED"),
    removed: harmless("MAX_ITEMS_REMOVED"),
    increased: harmless("MAX_ITEMS_INCREASED"),
    decreased: breaks("MAX_ITEMS_DECREASED"),
};
pub const MIN_ITEMS: Bound = Bound {
    keyword: "minItems",
    added: breaks("MIN_ITEMS_ADDED"),
    removed: harmless("MIN_ITEMS_REMOVED"),
    increased: breaks("MIN_ITEMS_INCREASED"),
    decreased: harmless("MIN_ITEMS_DECREASED"),
};
pub const MAX_CONTAINS: Bound = Bound {
    keyword: "maxContains",
    added: breaks("MAX_CONTAINS_ADDED"),
    removed: harmless("MAX_CONTAINS_REMOVED"),
    increased: harmless("MAX_CONTAINS_INCREASED"),
    decreased: breaks("MAX_CONTAINS_DECREASED"),
};
pub const MIN_CONTAINS: Bound = Bound {
    keyword: "minContains",
    added: breaks("MIN_CONTAINS_ADDED"),
    removed: harmless("MIN_CONTAINS_REMOVED"),
    increased: breaks("MIN_CONTAINS_INCREASED"),
    decreased: harmless("MIN_CONTAINS_DECREASED"),
};

pub const PATTERN_ADDED: Rule = breaks("PATTERN_ADDED");
pub const PATTERN_REMOVED: Rule = harmless("PATTERN_REMOVED");
pub const PATTERN_CHANGED: Rule = breaks("PATTERN_CHANGED");

pub const MULTIPLE_OF_ADDED: Rule = breaks("MULTIPLE_OF_ADDED");
pub const MULTIPLE_OF_REMOVED: Rule = harmless("MULTIPLE_OF_REMOVED");
pub const MULTIPLE_OF_EXPANDED: Rule = breaks("MULTIPLE_OF_EXPANDED");
pub const MULTIPLE_OF_REDUCED: Rule = harmless("MULTIPLE_OF_REDUCED");
pub const MULTIPLE_OF_CHANGED: Rule = breaks("MULTIPLE_OF_CHANGED");

pub const REQUIRED_ATTRIBUTE_ADDED: Rule = breaks("REQUIRED_ATTRIBUTE_ADDED");
pub const REQUIRED_ATTRIBUTE_WITH_DEFAULT_ADDED: Rule = harmless("REQUIRED_ATTRIBUTE_WITH_DEFAULT_ADDED");
pub const REQUIRED_ATTRIBUTE_REMOVED: Rule = harmless("REQUIRED_ATTRIBUTE_REMOVED");

pub const DEPENDENCY_ARRAY_ADDED: Rule = breaks("DEPENDENCY_ARRAY_ADDED");
pub const DEPENDENCY_ARRAY_REMOVED: Rule = harmless("DEPENDENCY_ARRAY_REMOVED");
pub const DEPENDENCY_ARRAY_EXTENDED: Rule = breaks("DEPENDENCY_ARRAY_EXTENDED");
pub const DEPENDENCY_ARRAY_NARROWED: Rule = harmless("DEPENDENCY_ARRAY_NARROWED");
pub const DEPENDENCY_ARRAY_CHANGED: Rule = breaks("DEPENDENCY_ARRAY_CHANGED");
pub const DEPENDENCY_SCHEMA_ADDED: Rule = breaks("DEPENDENCY_SCHEMA_ADDED");
pub const DEPENDENCY_SCHEMA_REMOVED: Rule = harmless("DEPENDENCY_SCHEMA_REMOVED");

pub const PROPERTY_WITH_EMPTY_SCHEMA_ADDED_TO_OPEN: Rule =
    harmless("PROPERTY_WITH_EMPTY_SCHEMA_ADDED_TO_OPEN_CONTENT_MODEL");
pub const PROPERTY_ADDED_TO_OPEN: Rule = breaks("PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL");
pub const REQUIRED_PROPERTY_ADDED_TO_OPEN: Rule = breaks("REQUIRED_PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL");
pub const REQUIRED_PROPERTY_WITH_DEFAULT_ADDED_TO_OPEN: Rule =
    breaks_unless_lenient("REQUIRED_PROPERTY_WITH_DEFAULT_ADDED_TO_OPEN_CONTENT_MODEL");
pub const OPTIONAL_PROPERTY_ADDED_TO_OPEN: Rule =
    breaks_unless_lenient("OPTIONAL_PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL");
pub const REQUIRED_PROPERTY_ADDED_TO_UNOPEN: Rule = breaks("REQUIRED_PROPERTY_ADDED_TO_UNOPEN_CONTENT_MODEL");
pub const REQUIRED_PROPERTY_WITH_DEFAULT_ADDED_TO_UNOPEN: Rule =
    harmless("REQUIRED_PROPERTY_WITH_DEFAULT_ADDED_TO_UNOPEN_CONTENT_MODEL");
pub const OPTIONAL_PROPERTY_ADDED_TO_UNOPEN: Rule = harmless("OPTIONAL_PROPERTY_ADDED_TO_UNOPEN_CONTENT_MODEL");
pub const PROPERTY_ADDED_IS_COVERED: Rule = harmless("PROPERTY_ADDED_IS_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL");
pub const PROPERTY_ADDED_NOT_COVERED: Rule =
    breaks_unless_lenient("PROPERTY_ADDED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL");
pub const PROPERTY_WITH_FALSE_REMOVED_FROM_CLOSED: Rule =
    harmless("PROPERTY_WITH_FALSE_REMOVED_FROM_CLOSED_CONTENT_MODEL");
pub const PROPERTY_REMOVED_FROM_CLOSED: Rule = breaks_unless_lenient("PROPERTY_REMOVED_FROM_CLOSED_CONTENT_MODEL");
pub const PROPERTY_REMOVED_FROM_OPEN: Rule = harmless("PROPERTY_REMOVED_FROM_OPEN_CONTENT_MODEL");
pub const PROPERTY_REMOVED_IS_COVERED: Rule = harmless("PROPERTY_REMOVED_IS_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL");
pub const PROPERTY_REMOVED_NOT_COVERED: Rule =
    breaks_unless_lenient("PROPERTY_REMOVED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL");

/// The four ways in which what a model does not list changes.
pub struct Rest {
    pub keyword: &'static str,
    pub added: Rule,
    pub removed: Rule,
    pub extended: Rule,
    pub narrowed: Rule,
}

pub const ADDITIONAL_PROPERTIES: Rest = Rest {
    keyword: "additionalProperties",
    added: harmless("ADDITIONAL_PROPERTIES_ADDED"),
    removed: breaks_unless_lenient("ADDITIONAL_PROPERTIES_REMOVED"),
    extended: harmless("ADDITIONAL_PROPERTIES_EXTENDED"),
    narrowed: breaks_unless_lenient("ADDITIONAL_PROPERTIES_NARROWED"),
};
pub const UNEVALUATED_PROPERTIES: Rest = Rest {
    keyword: "unevaluatedProperties",
    added: harmless("UNEVALUATED_PROPERTIES_ADDED"),
    removed: breaks_unless_lenient("UNEVALUATED_PROPERTIES_REMOVED"),
    extended: harmless("UNEVALUATED_PROPERTIES_EXTENDED"),
    narrowed: breaks_unless_lenient("UNEVALUATED_PROPERTIES_NARROWED"),
};
pub const ADDITIONAL_ITEMS: Rest = Rest {
    keyword: "additionalItems",
    added: harmless("ADDITIONAL_ITEMS_ADDED"),
    removed: breaks("ADDITIONAL_ITEMS_REMOVED"),
    extended: harmless("ADDITIONAL_ITEMS_EXTENDED"),
    narrowed: breaks("ADDITIONAL_ITEMS_NARROWED"),
};
pub const UNEVALUATED_ITEMS: Rest = Rest {
    keyword: "unevaluatedItems",
    added: harmless("UNEVALUATED_ITEMS_ADDED"),
    removed: breaks("UNEVALUATED_ITEMS_REMOVED"),
    extended: harmless("UNEVALUATED_ITEMS_EXTENDED"),
    narrowed: breaks("UNEVALUATED_ITEMS_NARROWED"),
};

pub const UNIQUE_ITEMS_ADDED: Rule = breaks("UNIQUE_ITEMS_ADDED");
pub const UNIQUE_ITEMS_REMOVED: Rule = harmless("UNIQUE_ITEMS_REMOVED");

pub const ITEM_WITH_EMPTY_SCHEMA_ADDED_TO_OPEN: Rule = harmless("ITEM_WITH_EMPTY_SCHEMA_ADDED_TO_OPEN_CONTENT_MODEL");
pub const ITEM_ADDED_TO_OPEN: Rule = breaks("ITEM_ADDED_TO_OPEN_CONTENT_MODEL");
pub const ITEM_ADDED_TO_CLOSED: Rule = harmless("ITEM_ADDED_TO_CLOSED_CONTENT_MODEL");
pub const ITEM_ADDED_IS_COVERED: Rule = harmless("ITEM_ADDED_IS_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL");
pub const ITEM_ADDED_NOT_COVERED: Rule = breaks("ITEM_ADDED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL");
pub const ITEM_WITH_FALSE_REMOVED_FROM_CLOSED: Rule = harmless("ITEM_WITH_FALSE_REMOVED_FROM_CLOSED_CONTENT_MODEL");
pub const ITEM_REMOVED_FROM_CLOSED: Rule = breaks("ITEM_REMOVED_FROM_CLOSED_CONTENT_MODEL");
pub const ITEM_REMOVED_FROM_OPEN: Rule = harmless("ITEM_REMOVED_FROM_OPEN_CONTENT_MODEL");
pub const ITEM_REMOVED_IS_COVERED: Rule = harmless("ITEM_REMOVED_IS_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL");
pub const ITEM_REMOVED_NOT_COVERED: Rule = breaks("ITEM_REMOVED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL");

pub const ENUM_ARRAY_EXTENDED: Rule = harmless("ENUM_ARRAY_EXTENDED");
pub const ENUM_ARRAY_NARROWED: Rule = breaks("ENUM_ARRAY_NARROWED");
pub const ENUM_ARRAY_CHANGED: Rule = breaks("ENUM_ARRAY_CHANGED");

pub const COMBINED_TYPE_EXTENDED: Rule = harmless("COMBINED_TYPE_EXTENDED");
pub const COMBINED_TYPE_CHANGED: Rule = breaks("COMBINED_TYPE_CHANGED");
pub const COMBINED_TYPE_SUBSCHEMAS_CHANGED: Rule = breaks("COMBINED_TYPE_SUBSCHEMAS_CHANGED");
pub const PRODUCT_TYPE_EXTENDED: Rule = breaks("PRODUCT_TYPE_EXTENDED");
pub const PRODUCT_TYPE_NARROWED: Rule = harmless("PRODUCT_TYPE_NARROWED");
pub const SUM_TYPE_EXTENDED: Rule = harmless("SUM_TYPE_EXTENDED");
pub const SUM_TYPE_NARROWED: Rule = breaks("SUM_TYPE_NARROWED");

pub const NOT_TYPE_EXTENDED: Rule = breaks("NOT_TYPE_EXTENDED");
pub const NOT_TYPE_NARROWED: Rule = harmless("NOT_TYPE_NARROWED");
