//! The rules as tables: a change, and what it brings out both ways. Rows stand for compat.md §3.1, its blind spots
//! (§3.4) and the reports of §6.

use super::{compare, differences, differences_within, hint, mend, sentence};
use crate::compat::difference::{Difference, Failure, MAX_TOLD};
use crate::compat::effort::Effort;
use crate::compat::levels::Direction;
use crate::compat::profile::{CONFLUENT_7_9, CONFLUENT_8_3, CONFLUENT_NEXT, JsonRules, Policy, Profile};
use crate::schema::json::{Schema, parse};
use crate::schema::{Reading, Reference};

fn rules(profile: &Profile) -> JsonRules {
    profile.json.expect("it judges JSON Schema")
}

fn read(text: &str) -> Schema {
    parse(text, &[], Reading::New).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn listed(profile: &Profile, reader: &str, writer: &str) -> Vec<String> {
    let found = differences(&read(reader), &read(writer), &rules(profile), Policy::Strict);
    let found = found.unwrap_or_else(|failure| panic!("{reader} {writer}: {failure}"));
    let mark = |breaks: bool| if breaks { "X " } else { "" };
    found.iter().map(|d| format!("{}{} {}", mark(d.breaks), d.rule, d.path)).collect()
}

/// A name, the old schema, the new one, what new reads of old, and what old reads of new. `X` breaks.
type Row = (&'static str, &'static str, &'static str, &'static [&'static str], &'static [&'static str]);

fn check(rows: &[Row]) {
    check_by(&CONFLUENT_8_3, rows);
}

fn check_by(profile: &Profile, rows: &[Row]) {
    for (name, old, new, backward, forward) in rows {
        assert_eq!(listed(profile, new, old), *backward, "{name}, backward");
        assert_eq!(listed(profile, old, new), *forward, "{name}, forward");
    }
}

#[rustfmt::skip]
const SCALARS: &[Row] = &[
    ("maxLength", r#"{"type":"string"}"#, r#"{"type":"string","maxLength":5}"#, &["X MAX_LENGTH_ADDED #/maxLength"], &["MAX_LENGTH_REMOVED #/maxLength"]),
    ("maxLength changed", r#"{"type":"string","maxLength":5}"#, r#"{"type":"string","maxLength":6}"#, &["MAX_LENGTH_INCREASED #/maxLength"], &["X MAX_LENGTH_DECREASED #/maxLength"]),
    ("minLength 0 counts", r#"{"type":"string"}"#, r#"{"type":"string","minLength":0}"#, &["X MIN_LENGTH_ADDED #/minLength"], &["MIN_LENGTH_REMOVED #/minLength"]),
    ("minLength changed", r#"{"type":"string","minLength":5}"#, r#"{"type":"string","minLength":6}"#, &["X MIN_LENGTH_INCREASED #/minLength"], &["MIN_LENGTH_DECREASED #/minLength"]),
    ("pattern", r#"{"type":"string"}"#, r#"{"type":"string","pattern":"^a$"}"#, &["X PATTERN_ADDED #/pattern"], &["PATTERN_REMOVED #/pattern"]),
    ("pattern of one language", r#"{"type":"string","pattern":"[ab]"}"#, r#"{"type":"string","pattern":"[ba]"}"#, &["X PATTERN_CHANGED #/pattern"], &["X PATTERN_CHANGED #/pattern"]),
    ("maximum", r#"{"type":"number"}"#, r#"{"type":"number","maximum":5}"#, &["X MAXIMUM_ADDED #/maximum"], &["MAXIMUM_REMOVED #/maximum"]),
    ("maximum changed", r#"{"type":"number","maximum":5}"#, r#"{"type":"number","maximum":6.5}"#, &["MAXIMUM_INCREASED #/maximum"], &["X MAXIMUM_DECREASED #/maximum"]),
    ("minimum", r#"{"type":"number"}"#, r#"{"type":"number","minimum":5}"#, &["X MINIMUM_ADDED #/minimum"], &["MINIMUM_REMOVED #/minimum"]),
    ("minimum changed", r#"{"type":"number","minimum":5}"#, r#"{"type":"number","minimum":6}"#, &["X MINIMUM_INCREASED #/minimum"], &["MINIMUM_DECREASED #/minimum"]),
    ("exclusive limits", r#"{"type":"number","exclusiveMinimum":5}"#, r#"{"type":"number","exclusiveMaximum":6}"#, &["X EXCLUSIVE_MAXIMUM_ADDED #/exclusiveMaximum", "EXCLUSIVE_MINIMUM_REMOVED #/exclusiveMinimum"], &["EXCLUSIVE_MAXIMUM_REMOVED #/exclusiveMaximum", "X EXCLUSIVE_MINIMUM_ADDED #/exclusiveMinimum"]),
    ("exclusiveMinimum changed", r#"{"type":"number","exclusiveMinimum":5}"#, r#"{"type":"number","exclusiveMinimum":6}"#, &["X EXCLUSIVE_MINIMUM_INCREASED #/exclusiveMinimum"], &["EXCLUSIVE_MINIMUM_DECREASED #/exclusiveMinimum"]),
    ("exclusiveMaximum below a greater maximum is not seen", r#"{"type":"number","exclusiveMaximum":10,"maximum":100}"#, r#"{"type":"number","exclusiveMaximum":5,"maximum":100}"#, &[], &["EXCLUSIVE_MAXIMUM_INCREASED #/exclusiveMaximum"]),
    ("exclusiveMaximum beside a smaller maximum", r#"{"type":"number","exclusiveMaximum":10,"maximum":3}"#, r#"{"type":"number","exclusiveMaximum":5,"maximum":3}"#, &["X EXCLUSIVE_MAXIMUM_DECREASED #/exclusiveMaximum"], &["EXCLUSIVE_MAXIMUM_INCREASED #/exclusiveMaximum"]),
    ("multipleOf", r#"{"type":"number"}"#, r#"{"type":"number","multipleOf":5}"#, &["X MULTIPLE_OF_ADDED #/multipleOf"], &["MULTIPLE_OF_REMOVED #/multipleOf"]),
    ("multipleOf of the old one", r#"{"type":"number","multipleOf":5}"#, r#"{"type":"number","multipleOf":10}"#, &["X MULTIPLE_OF_EXPANDED #/multipleOf"], &["MULTIPLE_OF_REDUCED #/multipleOf"]),
    ("multipleOf apart", r#"{"type":"number","multipleOf":5}"#, r#"{"type":"number","multipleOf":7}"#, &["X MULTIPLE_OF_CHANGED #/multipleOf"], &["X MULTIPLE_OF_CHANGED #/multipleOf"]),
    ("integer to number", r#"{"type":"integer"}"#, r#"{"type":"number"}"#, &["TYPE_EXTENDED #/"], &["X TYPE_NARROWED #/"]),
    ("another type", r#"{"type":"integer"}"#, r#"{"type":"string"}"#, &["X TYPE_CHANGED #/"], &["X TYPE_CHANGED #/"]),
    ("anything takes all", r#"{"type":"string"}"#, "{}", &[], &["X TYPE_CHANGED #/"]),
    ("nothing gives all", "false", r#"{"type":"string"}"#, &[], &["X TYPE_CHANGED #/"]),
    ("both are connect bytes", r#"{"type":"string","connect.type":"bytes"}"#, r#"{"type":"number","connect.type":"bytes"}"#, &[], &[]),
    ("enum", r#"{"enum":["A","B"]}"#, r#"{"enum":["B","A","C"]}"#, &["ENUM_ARRAY_EXTENDED #/enum"], &["X ENUM_ARRAY_NARROWED #/enum"]),
    ("enum apart", r#"{"enum":["A","B"]}"#, r#"{"enum":["A","C"]}"#, &["X ENUM_ARRAY_CHANGED #/enum"], &["X ENUM_ARRAY_CHANGED #/enum"]),
    ("1 is not 1.0", r#"{"enum":[1]}"#, r#"{"enum":[1.0]}"#, &["X ENUM_ARRAY_CHANGED #/enum"], &["X ENUM_ARRAY_CHANGED #/enum"]),
    ("const", r#"{"const":"a"}"#, r#"{"const":"b"}"#, &["X ENUM_ARRAY_CHANGED #/const"], &["X ENUM_ARRAY_CHANGED #/const"]),
    ("an enum with a type is a combination", r#"{"type":"string","enum":["A","B"]}"#, r#"{"type":"string","enum":["A"]}"#, &["X COMBINED_TYPE_SUBSCHEMAS_CHANGED #/"], &["ENUM_ARRAY_EXTENDED #/allOf/0/enum"]),
    ("not", r#"{"not":{"type":"integer"}}"#, r#"{"not":{"type":"number"}}"#, &["X NOT_TYPE_EXTENDED #/not"], &["NOT_TYPE_NARROWED #/not"]),
    ("what describes", r#"{"type":"string"}"#, r#"{"type":"string","$id":"http://x/y","title":"t","description":"d","default":"e"}"#, &["ID_CHANGED #/", "TITLE_CHANGED #/", "DESCRIPTION_CHANGED #/", "DEFAULT_CHANGED #/"], &["ID_CHANGED #/", "TITLE_CHANGED #/", "DESCRIPTION_CHANGED #/", "DEFAULT_CHANGED #/"]),
    ("format is not looked at", r#"{"type":"string","format":"date"}"#, r#"{"type":"string","format":"email"}"#, &[], &[]),
    ("nor exclusive limits of draft 4", r#"{"$schema":"http://json-schema.org/draft-04/schema#","type":"number","maximum":5}"#, r#"{"$schema":"http://json-schema.org/draft-04/schema#","type":"number","maximum":5,"exclusiveMaximum":true}"#, &[], &[]),
    ("nor what stands beside $ref", r##"{"definitions":{"A":{"type":"string"}},"$ref":"#/definitions/A"}"##, r##"{"definitions":{"A":{"type":"string"}},"$ref":"#/definitions/A","maxLength":1}"##, &[], &[]),
];

#[test]
fn scalars() {
    check(SCALARS);
}

#[rustfmt::skip]
const OBJECTS: &[Row] = &[
    ("optional property, open", r#"{"type":"object"}"#, r#"{"type":"object","properties":{"a":{"type":"string"}}}"#, &["X OPTIONAL_PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL #/properties/a"], &["PROPERTY_REMOVED_FROM_OPEN_CONTENT_MODEL #/properties/a"]),
    ("required property, open", r#"{"type":"object"}"#, r#"{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}"#, &["X REQUIRED_PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL #/properties/a"], &["PROPERTY_REMOVED_FROM_OPEN_CONTENT_MODEL #/properties/a"]),
    ("required property with default, open", r#"{"type":"object"}"#, r#"{"type":"object","properties":{"a":{"type":"string","default":"x"}},"required":["a"]}"#, &["X REQUIRED_PROPERTY_WITH_DEFAULT_ADDED_TO_OPEN_CONTENT_MODEL #/properties/a"], &["PROPERTY_REMOVED_FROM_OPEN_CONTENT_MODEL #/properties/a"]),
    ("property without a type, open", r#"{"type":"object"}"#, r#"{"type":"object","properties":{"a":{}}}"#, &["PROPERTY_WITH_EMPTY_SCHEMA_ADDED_TO_OPEN_CONTENT_MODEL #/properties/a"], &["PROPERTY_REMOVED_FROM_OPEN_CONTENT_MODEL #/properties/a"]),
    ("optional property, closed", r#"{"type":"object","additionalProperties":false}"#, r#"{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}"#, &["OPTIONAL_PROPERTY_ADDED_TO_UNOPEN_CONTENT_MODEL #/properties/a"], &["X PROPERTY_REMOVED_FROM_CLOSED_CONTENT_MODEL #/properties/a"]),
    ("required property, closed", r#"{"type":"object","additionalProperties":false}"#, r#"{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}"#, &["X REQUIRED_PROPERTY_ADDED_TO_UNOPEN_CONTENT_MODEL #/properties/a"], &["X PROPERTY_REMOVED_FROM_CLOSED_CONTENT_MODEL #/properties/a"]),
    ("required property with default, closed", r#"{"type":"object","additionalProperties":false}"#, r#"{"type":"object","properties":{"a":{"type":"string","default":null}},"required":["a"],"additionalProperties":false}"#, &["REQUIRED_PROPERTY_WITH_DEFAULT_ADDED_TO_UNOPEN_CONTENT_MODEL #/properties/a"], &["X PROPERTY_REMOVED_FROM_CLOSED_CONTENT_MODEL #/properties/a"]),
    ("false removed from closed", r#"{"type":"object","properties":{"a":false},"additionalProperties":false}"#, r#"{"type":"object","additionalProperties":false}"#, &["PROPERTY_WITH_FALSE_REMOVED_FROM_CLOSED_CONTENT_MODEL #/properties/a"], &["OPTIONAL_PROPERTY_ADDED_TO_UNOPEN_CONTENT_MODEL #/properties/a"]),
    ("covered by additionalProperties", r#"{"type":"object","additionalProperties":{"type":"string"}}"#, r#"{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":{"type":"string"}}"#, &["PROPERTY_ADDED_IS_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL #/properties/a", "OPTIONAL_PROPERTY_ADDED_TO_UNOPEN_CONTENT_MODEL #/properties/a"], &["PROPERTY_REMOVED_IS_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL #/properties/a"]),
    ("not covered by patternProperties", r#"{"type":"object","patternProperties":{"^a":{"type":"string"}}}"#, r#"{"type":"object","properties":{"a":{"type":"null"}},"patternProperties":{"^a":{"type":"string"}}}"#, &["X TYPE_CHANGED #/properties/a", "X PROPERTY_ADDED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL #/properties/a", "OPTIONAL_PROPERTY_ADDED_TO_UNOPEN_CONTENT_MODEL #/properties/a"], &["X TYPE_CHANGED #/properties/a", "X PROPERTY_REMOVED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL #/properties/a"]),
    ("any pattern makes the model not open", r#"{"type":"object","patternProperties":{"^x":{}}}"#, r#"{"type":"object","properties":{"a":{"type":"string"}},"patternProperties":{"^x":{}}}"#, &["OPTIONAL_PROPERTY_ADDED_TO_UNOPEN_CONTENT_MODEL #/properties/a"], &["X PROPERTY_REMOVED_FROM_CLOSED_CONTENT_MODEL #/properties/a"]),
    ("required", r#"{"properties":{"a":{}}}"#, r#"{"properties":{"a":{}},"required":["a"]}"#, &["X REQUIRED_ATTRIBUTE_ADDED #/required/a"], &["REQUIRED_ATTRIBUTE_REMOVED #/required/a"]),
    ("required with default", r#"{"properties":{"a":{"default":1}}}"#, r#"{"properties":{"a":{"default":1}},"required":["a"]}"#, &["REQUIRED_ATTRIBUTE_WITH_DEFAULT_ADDED #/required/a"], &["REQUIRED_ATTRIBUTE_REMOVED #/required/a"]),
    ("required, but not declared", r#"{"type":"object"}"#, r#"{"type":"object","required":["a"]}"#, &[], &[]),
    ("a type for a typeless object", r#"{"properties":{"a":{}}}"#, r#"{"type":"object","properties":{"a":{}}}"#, &[], &[]),
    ("dependency", r#"{"type":"object"}"#, r#"{"type":"object","dependencies":{"a":["b"]}}"#, &["X DEPENDENCY_ARRAY_ADDED #/dependencies/a"], &["DEPENDENCY_ARRAY_REMOVED #/dependencies/a"]),
    ("dependency on more", r#"{"dependencies":{"a":["b"]}}"#, r#"{"dependencies":{"a":["c","b"]}}"#, &["X DEPENDENCY_ARRAY_EXTENDED #/dependencies/a"], &["DEPENDENCY_ARRAY_NARROWED #/dependencies/a"]),
    ("dependency on other", r#"{"dependencies":{"a":["b"]}}"#, r#"{"dependencies":{"a":["c"]}}"#, &["X DEPENDENCY_ARRAY_CHANGED #/dependencies/a"], &["X DEPENDENCY_ARRAY_CHANGED #/dependencies/a"]),
    ("dependency on a schema", r#"{"type":"object"}"#, r#"{"type":"object","dependencies":{"a":{"required":["b"]}}}"#, &["X DEPENDENCY_SCHEMA_ADDED #/dependencies/a"], &["DEPENDENCY_SCHEMA_REMOVED #/dependencies/a"]),
    ("closed", r#"{"type":"object"}"#, r#"{"type":"object","additionalProperties":false}"#, &["X ADDITIONAL_PROPERTIES_REMOVED #/additionalProperties"], &["ADDITIONAL_PROPERTIES_ADDED #/additionalProperties"]),
    ("true is open, {} is not", r#"{"type":"object","additionalProperties":true}"#, r#"{"type":"object","additionalProperties":{}}"#, &["X ADDITIONAL_PROPERTIES_NARROWED #/additionalProperties"], &["ADDITIONAL_PROPERTIES_EXTENDED #/additionalProperties"]),
    ("counts of properties", r#"{"type":"object","minProperties":1}"#, r#"{"type":"object","minProperties":2,"maxProperties":3}"#, &["X MAX_PROPERTIES_ADDED #/maxProperties", "X MIN_PROPERTIES_INCREASED #/minProperties"], &["MAX_PROPERTIES_REMOVED #/maxProperties", "MIN_PROPERTIES_DECREASED #/minProperties"]),
    ("patterns are not compared", r#"{"patternProperties":{"^a":{"type":"string"}}}"#, r#"{"patternProperties":{"^a":{"type":"null"}}}"#, &[], &[]),
    ("nor are names of properties", r#"{"type":"object"}"#, r#"{"type":"object","propertyNames":{"pattern":"^a"}}"#, &[], &[]),
    ("nor what if says", r#"{"if":{"type":"string"},"then":{"minLength":1}}"#, r#"{"if":{"type":"string"},"then":{"minLength":9}}"#, &[], &[]),
    ("$id as the name of a property", r#"{"properties":{"$id":{"type":"string"}}}"#, r#"{"properties":{"$id":{"type":"null"}}}"#, &["X TYPE_CHANGED #/properties/$id"], &["X TYPE_CHANGED #/properties/$id"]),
];

#[test]
fn objects() {
    check(OBJECTS);
}

#[rustfmt::skip]
const ARRAYS: &[Row] = &[
    ("items", r#"{"type":"array"}"#, r#"{"type":"array","items":{"type":"string"}}"#, &["X SCHEMA_ADDED #/items"], &["SCHEMA_REMOVED #/items"]),
    ("item, open", r#"{"type":"array","items":[{}]}"#, r#"{"type":"array","items":[{},{"type":"string"}]}"#, &["X ITEM_ADDED_TO_OPEN_CONTENT_MODEL #/items/1"], &["ITEM_REMOVED_FROM_OPEN_CONTENT_MODEL #/items/1"]),
    ("item without a type, open", r#"{"type":"array","items":[{}]}"#, r#"{"type":"array","items":[{},{}]}"#, &["ITEM_WITH_EMPTY_SCHEMA_ADDED_TO_OPEN_CONTENT_MODEL #/items/1"], &["ITEM_REMOVED_FROM_OPEN_CONTENT_MODEL #/items/1"]),
    ("item, closed", r#"{"items":[{}],"additionalItems":false}"#, r#"{"items":[{},{"type":"string"}],"additionalItems":false}"#, &["ITEM_ADDED_TO_CLOSED_CONTENT_MODEL #/items/1"], &["X ITEM_REMOVED_FROM_CLOSED_CONTENT_MODEL #/items/1"]),
    ("false, closed", r#"{"items":[{},false],"additionalItems":false}"#, r#"{"items":[{}],"additionalItems":false}"#, &["ITEM_WITH_FALSE_REMOVED_FROM_CLOSED_CONTENT_MODEL #/items/1"], &["ITEM_ADDED_TO_CLOSED_CONTENT_MODEL #/items/1"]),
    ("item, covered", r#"{"items":[{}],"additionalItems":{"type":"string"}}"#, r#"{"items":[{},{"type":"string"}],"additionalItems":{"type":"string"}}"#, &["ITEM_ADDED_IS_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL #/items/1"], &["ITEM_REMOVED_IS_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL #/items/1"]),
    ("item, not covered", r#"{"items":[{}],"additionalItems":{"type":"string"}}"#, r#"{"items":[{},{"type":"null"}],"additionalItems":{"type":"string"}}"#, &["X TYPE_CHANGED #/items/1", "X ITEM_ADDED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL #/items/1"], &["X TYPE_CHANGED #/items/1", "X ITEM_REMOVED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL #/items/1"]),
    ("list to tuple", r#"{"items":{"type":"string"}}"#, r#"{"items":[{"type":"string"}]}"#, &["SCHEMA_REMOVED #/items", "X ITEM_ADDED_TO_OPEN_CONTENT_MODEL #/items/0"], &["X SCHEMA_ADDED #/items", "ITEM_REMOVED_FROM_OPEN_CONTENT_MODEL #/items/0"]),
    ("additional items", r#"{"items":[{}]}"#, r#"{"items":[{}],"additionalItems":false}"#, &["X ADDITIONAL_ITEMS_REMOVED #/additionalItems"], &["ADDITIONAL_ITEMS_ADDED #/additionalItems"]),
    ("a schema for additional items", r#"{"items":[{}]}"#, r#"{"items":[{}],"additionalItems":{"type":"null"}}"#, &["X ADDITIONAL_ITEMS_NARROWED #/additionalItems"], &["ADDITIONAL_ITEMS_EXTENDED #/additionalItems"]),
    ("counts", r#"{"type":"array","maxItems":4}"#, r#"{"type":"array","minItems":0,"maxItems":3}"#, &["X MAX_ITEMS_DECREASED #/maxItems", "X MIN_ITEMS_ADDED #/minItems"], &["MAX_ITEMS_INCREASED #/maxItems", "MIN_ITEMS_REMOVED #/minItems"]),
    ("uniqueItems", r#"{"type":"array"}"#, r#"{"type":"array","uniqueItems":true}"#, &["X UNIQUE_ITEMS_ADDED #/uniqueItems"], &["UNIQUE_ITEMS_REMOVED #/uniqueItems"]),
    ("contains is not looked at", r#"{"type":"array"}"#, r#"{"type":"array","contains":{"type":"string"}}"#, &[], &[]),
];

#[test]
fn arrays() {
    check(ARRAYS);
}

#[rustfmt::skip]
const COMBINATIONS: &[Row] = &[
    ("a type into one of a list", r#"{"type":"string"}"#, r#"{"type":["string","null"]}"#, &["SUM_TYPE_EXTENDED #/"], &["X TYPE_CHANGED #/"]),
    ("a list of one is that one", r#"{"type":"string"}"#, r#"{"type":["string"]}"#, &[], &[]),
    ("a list of types grows", r#"{"type":["string","null"]}"#, r#"{"type":["string","null","integer"]}"#, &["SUM_TYPE_EXTENDED #/"], &["X SUM_TYPE_NARROWED #/"]),
    ("allOf grows", r#"{"allOf":[{"type":"string"}]}"#, r#"{"allOf":[{"type":"string"},{"maxLength":3}]}"#, &["X PRODUCT_TYPE_EXTENDED #/"], &["PRODUCT_TYPE_NARROWED #/"]),
    ("one part of allOf", r#"{"allOf":[{"type":"string"},{"maxLength":3}]}"#, r#"{"type":"string"}"#, &["PRODUCT_TYPE_NARROWED #/"], &["X TYPE_CHANGED #/"]),
    ("allOf to anyOf", r#"{"allOf":[{"type":"string"},{"type":"null"}]}"#, r#"{"anyOf":[{"type":"string"},{"type":"null"}]}"#, &["COMBINED_TYPE_EXTENDED #/"], &["X COMBINED_TYPE_CHANGED #/"]),
    ("branches that all fit a plain type", r#"{"anyOf":[{"type":"integer"},{"type":"number"}]}"#, r#"{"type":"number"}"#, &["X TYPE_CHANGED #/"], &["SUM_TYPE_EXTENDED #/"]),
    ("a branch changes its type", r#"{"oneOf":[{"type":"string"},{"type":"null"}]}"#, r#"{"oneOf":[{"type":"string"},{"type":"boolean"}]}"#, &["X COMBINED_TYPE_SUBSCHEMAS_CHANGED #/"], &["X COMBINED_TYPE_SUBSCHEMAS_CHANGED #/"]),
    ("branches that are written alike are one", r#"{"anyOf":[{"type":"boolean"},{"type":"boolean"}]}"#, r#"{"anyOf":[{"type":"boolean"}]}"#, &[], &[]),
    ("true and {} are not written alike", r#"{"anyOf":[true]}"#, r#"{"anyOf":[true,{}]}"#, &["SUM_TYPE_EXTENDED #/"], &["X SUM_TYPE_NARROWED #/"]),
    ("$ref for what it names", r##"{"oneOf":[{"$ref":"#/definitions/A"},{"type":"null"}],"definitions":{"A":{"type":"string"}}}"##, r#"{"oneOf":[{"type":"string"},{"type":"null"}]}"#, &[], &[]),
];

#[test]
fn combinations() {
    check(COMBINATIONS);
}

#[rustfmt::skip]
const LATER_DRAFTS: &[Row] = &[
    ("an enum with a type", r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"string","enum":["A","B"]}"#, r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"string","enum":["A"]}"#, &["X COMBINED_TYPE_SUBSCHEMAS_CHANGED #/"], &["ENUM_ARRAY_EXTENDED #/allOf/1/enum"]),
    ("unevaluatedProperties", r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object"}"#, r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","unevaluatedProperties":false}"#, &["X UNEVALUATED_PROPERTIES_REMOVED #/unevaluatedProperties"], &["UNEVALUATED_PROPERTIES_ADDED #/unevaluatedProperties"]),
    ("unevaluatedProperties true", r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object"}"#, r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","unevaluatedProperties":true}"#, &["X UNEVALUATED_PROPERTIES_NARROWED #/unevaluatedProperties"], &["UNEVALUATED_PROPERTIES_EXTENDED #/unevaluatedProperties"]),
    ("a property where unevaluated ones are refused", r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","unevaluatedProperties":false}"#, r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","unevaluatedProperties":false,"properties":{"a":{"type":"string"}}}"#, &["OPTIONAL_PROPERTY_ADDED_TO_UNOPEN_CONTENT_MODEL #/properties/a"], &["X PROPERTY_REMOVED_FROM_CLOSED_CONTENT_MODEL #/properties/a"]),
    ("a place where unevaluated items fit a schema", r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"array","unevaluatedItems":{"type":"string"},"prefixItems":[{}]}"#, r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"array","unevaluatedItems":{"type":"string"},"prefixItems":[{},{"type":"string"}]}"#, &["ITEM_ADDED_IS_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL #/items/1"], &["ITEM_REMOVED_IS_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL #/items/1"]),
    ("contains counts from 1", r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"array","contains":{}}"#, r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"array","contains":{},"minContains":2,"maxContains":3}"#, &["X MAX_CONTAINS_ADDED #/maxContains", "X MIN_CONTAINS_INCREASED #/minContains"], &["MAX_CONTAINS_REMOVED #/maxContains", "MIN_CONTAINS_DECREASED #/minContains"]),
    ("prefixItems", r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","prefixItems":[{"type":"string"}],"items":false}"#, r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","prefixItems":[{"type":"string","minLength":3}],"items":false}"#, &["X MIN_LENGTH_ADDED #/items/0/minLength"], &["MIN_LENGTH_REMOVED #/items/0/minLength"]),
    ("keywords belong to their type", r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"string","maxLength":5}"#, r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":["string","null"],"maxLength":5}"#, &["SUM_TYPE_EXTENDED #/"], &["X TYPE_CHANGED #/"]),
    ("the draft alone is no difference", r#"{"type":"object","properties":{"a":{"type":"string"}}}"#, r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"a":{"type":"string"}}}"#, &[], &[]),
    ("$ref with a description", r##"{"$schema":"https://json-schema.org/draft/2020-12/schema","$defs":{"A":{"type":"string"}},"properties":{"a":{"$ref":"#/$defs/A"}}}"##, r##"{"$schema":"https://json-schema.org/draft/2020-12/schema","$defs":{"A":{"type":"string"}},"properties":{"a":{"$ref":"#/$defs/A","description":"d"}}}"##, &[], &[]),
];

#[test]
fn later_drafts() {
    check(LATER_DRAFTS);
}

#[test]
fn content_models_may_be_opened_and_closed_under_lenient() {
    for (old, new, expected) in [
        (r#"{"type":"object"}"#, r#"{"type":"object","properties":{"b":{"type":"string"}}}"#, true),
        (r#"{"type":"object"}"#, r#"{"type":"object","properties":{"b":{"type":"string"}},"required":["b"]}"#, false),
        (r#"{"properties":{"b":{}},"additionalProperties":false}"#, r#"{"additionalProperties":false}"#, true),
        (r#"{"items":[{}]}"#, r#"{"items":[{}],"additionalItems":false}"#, false),
    ] {
        let found = differences(&read(new), &read(old), &rules(&CONFLUENT_8_3), Policy::Lenient).unwrap();
        assert_eq!(!found.iter().any(|difference| difference.breaks), expected, "{old} {new}");
    }
}

#[test]
fn releases_without_lenient_are_strict_whatever_is_asked_for() {
    let (old, new) = (r#"{"type":"object"}"#, r#"{"type":"object","properties":{"b":{"type":"string"}}}"#);
    for (profile, passes) in [(&CONFLUENT_7_9, false), (&CONFLUENT_8_3, true), (&CONFLUENT_NEXT, true)] {
        let found = compare(&read(new), &read(old), &rules(profile), Policy::Lenient).unwrap().differences;
        assert_eq!(!found.iter().any(|difference| difference.breaks), passes, "{}", profile.name);
    }
}

#[test]
fn lenient_is_offered_where_it_is_known() {
    let (old, new) = (r#"{"type":"object"}"#, r#"{"type":"object","properties":{"b":{"type":"string"}}}"#);
    let hint = |profile| {
        let found = differences(&read(new), &read(old), &rules(profile), Policy::Strict).unwrap();
        hint(&found[0], Direction::Backward, &rules(profile)).unwrap()
    };
    assert_eq!(hint(&CONFLUENT_7_9), "declare property b as {}, without a type");
    let offered = "declare property b as {}, without a type; the policy LENIENT takes optional properties with one";
    assert_eq!(hint(&CONFLUENT_8_3), offered);
}

/// A default behind a `$ref` does not count: the registry looks at what stands beside it.
#[test]
fn what_became_required_is_to_be_left_optional_and_nothing_else() {
    let with = |rest: &str| {
        format!(
            r##"{{"definitions":{{"A":{{"type":"string"}}}},"properties":{{"a":{{"$ref":"#/definitions/A"}}}}{rest}}}"##
        )
    };
    let (old, new, rules) = (with(""), with(r#","required":["a"]"#), rules(&CONFLUENT_8_3));
    let found = differences(&read(&new), &read(&old), &rules, Policy::Strict).unwrap();
    assert_eq!(hint(&found[0], Direction::Backward, &rules).unwrap(), "leave property a optional");
    let mended = mend(&new, &found[0], Direction::Backward).unwrap();
    assert!(differences(&read(&mended), &read(&old), &rules, Policy::Strict).unwrap().is_empty(), "{mended}");
}

#[test]
fn what_the_registry_fails_over_is_a_failure() {
    let rows = [
        (r#"{"const":null}"#, r#"{"const":"a"}"#, true, true),
        (r#"{"type":"number","exclusiveMaximum":10}"#, r#"{"type":"number","exclusiveMaximum":5}"#, true, true),
        (r#"{"type":"number","multipleOf":0.5}"#, r#"{"type":"number","multipleOf":1}"#, true, false),
    ];
    for (old, new, released, next) in rows {
        for (profile, fails) in [(CONFLUENT_8_3, released), (CONFLUENT_NEXT, next)] {
            let found = differences(&read(new), &read(old), &rules(&profile), Policy::Strict);
            assert_eq!(matches!(found, Err(Failure::RegistryError(_))), fails, "{} {old} {new}", profile.name);
        }
    }
}

#[test]
fn releases_before_8_0_6_know_one_name_for_an_added_property() {
    let (old, new) = (read(r#"{"type":"object"}"#), read(r#"{"type":"object","properties":{"a":{"type":"null"}}}"#));
    let found = differences(&new, &old, &rules(&CONFLUENT_7_9), Policy::Strict).unwrap();
    assert_eq!(found[0].rule, "PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL");
}

#[rustfmt::skip]
const BEFORE_8_0_6: &[Row] = &[
    ("unevaluatedProperties", r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object"}"#, r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","unevaluatedProperties":false}"#, &[], &[]),
    ("a property where unevaluated ones are refused", r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","unevaluatedProperties":false}"#, r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","unevaluatedProperties":false,"properties":{"a":{"type":"string"}}}"#, &["X PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL #/properties/a"], &["PROPERTY_REMOVED_FROM_OPEN_CONTENT_MODEL #/properties/a"]),
    ("a property where unevaluated ones fit a schema", r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","unevaluatedProperties":{"type":"string"}}"#, r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","unevaluatedProperties":{"type":"string"},"properties":{"a":{"type":"string"}}}"#, &["X PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL #/properties/a"], &["PROPERTY_REMOVED_FROM_OPEN_CONTENT_MODEL #/properties/a"]),
    ("a place where unevaluated items are refused", r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"array","unevaluatedItems":false,"prefixItems":[{}]}"#, r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"array","unevaluatedItems":false,"prefixItems":[{},{"type":"string"}]}"#, &["X ITEM_ADDED_TO_OPEN_CONTENT_MODEL #/items/1"], &["ITEM_REMOVED_FROM_OPEN_CONTENT_MODEL #/items/1"]),
    ("a place where unevaluated items fit a schema", r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"array","unevaluatedItems":{"type":"string"},"prefixItems":[{}]}"#, r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"array","unevaluatedItems":{"type":"string"},"prefixItems":[{},{"type":"string"}]}"#, &["X ITEM_ADDED_TO_OPEN_CONTENT_MODEL #/items/1"], &["ITEM_REMOVED_FROM_OPEN_CONTENT_MODEL #/items/1"]),
];

#[test]
fn releases_before_8_0_6_look_at_nothing_unevaluated() {
    check_by(&CONFLUENT_7_9, BEFORE_8_0_6);
}

#[test]
fn references_are_compared_by_content() {
    let text = r#"{"properties":{"a":{"$ref":"a.json"}}}"#;
    let with = |text_of_a| {
        parse(text, &[Reference { name: "a.json", text: text_of_a }], Reading::New).expect("the reference is there")
    };
    let (old, new) = (with(r#"{"type":"string"}"#), with(r#"{"type":"integer"}"#));
    let found = differences(&new, &old, &rules(&CONFLUENT_8_3), Policy::Strict).unwrap();
    assert_eq!((found[0].rule, found[0].path.as_str()), ("TYPE_CHANGED", "#/properties/a"));
}

#[test]
fn recursion_ends_in_both_ways_of_comparing() {
    let tree = |kind: &str| {
        read(&format!(r##"{{"type":"object","properties":{{"kind":{{"type":"{kind}"}},"parent":{{"$ref":"#"}}}}}}"##))
    };
    let paths = |profile: &Profile| -> Vec<String> {
        let found = differences(&tree("integer"), &tree("number"), &rules(profile), Policy::Strict).unwrap();
        found.into_iter().map(|difference| difference.path).collect()
    };
    assert_eq!(paths(&CONFLUENT_8_3), ["#/properties/parent/properties/kind", "#/properties/kind"]);
    assert_eq!(paths(&CONFLUENT_NEXT)[0], "#/properties/parent/properties/parent/properties/kind");
}

#[test]
fn bombs_are_answered_within_bounds() {
    let unions = |count: usize| {
        let branch = |i: usize, j: usize| {
            format!(r##"{{"type":"object","properties":{{"k{i}_{j}":{{}},"next":{{"$ref":"#/definitions/T{j}"}}}}}}"##)
        };
        let union = |i: usize| (0..count).map(|j| branch(i, j)).collect::<Vec<_>>().join(",");
        let all: Vec<String> = (0..count).map(|i| format!(r#""T{i}":{{"oneOf":[{}]}}"#, union(i))).collect();
        format!(r##"{{"definitions":{{{}}},"$ref":"#/definitions/T0"}}"##, all.join(","))
    };
    let nested = |depth: usize| format!("{}true{}", r#"{"not":"#.repeat(depth), "}".repeat(depth));
    let chain: Vec<String> =
        (0..3000).map(|i| format!(r##""D{i}":{{"items":{{"$ref":"#/definitions/D{}"}}}}"##, (i + 1) % 3000)).collect();
    let chain = format!(r##"{{"definitions":{{{}}},"$ref":"#/definitions/D0"}}"##, chain.join(","));
    for text in [unions(6), unions(12), nested(490), chain] {
        let schema = read(&text);
        for profile in [CONFLUENT_8_3, CONFLUENT_NEXT] {
            let found = differences(&schema, &schema, &rules(&profile), Policy::Strict);
            assert!(found.is_ok_and(|found| !found.iter().any(|difference| difference.breaks)), "{}", profile.name);
        }
    }
}

#[test]
fn a_choice_between_branches_is_told() {
    let old = read(r#"{"oneOf":[{"type":"integer"},{"type":"integer","maximum":5}]}"#);
    let new = read(r#"{"oneOf":[{"type":"number"},{"type":"null"}]}"#);
    assert!(compare(&new, &old, &rules(&CONFLUENT_8_3), Policy::Strict).unwrap().is_unsettled);
    assert!(!compare(&old, &old, &rules(&CONFLUENT_8_3), Policy::Strict).unwrap().differences.iter().any(|d| d.breaks));
}

#[test]
fn every_difference_has_a_sentence_and_what_mends_it_does() {
    let tables = [SCALARS, OBJECTS, ARRAYS, COMBINATIONS, LATER_DRAFTS];
    let rules = rules(&CONFLUENT_8_3);
    let mut mended = 0;
    for (name, old, new, ..) in tables.into_iter().flatten() {
        for direction in [Direction::Backward, Direction::Forward] {
            let (reader, writer) = if direction == Direction::Backward { (new, old) } else { (old, new) };
            for difference in differences(&read(reader), &read(writer), &rules, Policy::Strict).unwrap() {
                let told = sentence(&difference, "this schema", "version 3");
                assert_ne!(told, difference.rule, "{name}");
                assert!(!told.contains("  ") && !told.contains("is  "), "{name}: {told}");
                let Some(_hint) = hint(&difference, direction, &rules).filter(|_| difference.breaks) else { continue };
                let Some(text) = mend(new, &difference, direction) else { continue };
                let (reader, writer) =
                    if direction == Direction::Backward { (text.as_str(), *old) } else { (*old, text.as_str()) };
                let after = differences(&read(reader), &read(writer), &rules, Policy::Strict).unwrap();
                let is_gone = !after.iter().any(|a| (a.rule, &a.path) == (difference.rule, &difference.path));
                assert!(is_gone, "{name}: {text}");
                mended += 1;
            }
        }
    }
    assert!(mended > 30, "{mended}");
}

/// The registry compares `enum` beside `type` as branches that nobody wrote.
#[test]
fn values_that_an_enum_beside_a_type_lost_are_told() {
    let old = r#"{"properties":{"a":{"type":"string","enum":["A","B","C"]}}}"#;
    let new = r#"{"properties":{"a":{"type":"string","enum":["A"]}}}"#;
    let rules = rules(&CONFLUENT_8_3);
    let backward = differences(&read(new), &read(old), &rules, Policy::Strict).unwrap();
    assert_eq!(
        sentence(&backward[0], "this schema", "version 3"),
        "property a allows B, C in version 3 and not in this schema, so this schema refuses data that version 3 allows"
    );
    assert_eq!(hint(&backward[0], Direction::Backward, &rules).unwrap(), "keep B, C in property a");
    let mended = mend(new, &backward[0], Direction::Backward).unwrap();
    assert!(differences(&read(&mended), &read(old), &rules, Policy::Strict).unwrap().is_empty(), "{mended}");
    let forward = differences(&read(new), &read(old), &rules, Policy::Strict).unwrap();
    assert_eq!(hint(&forward[0], Direction::Forward, &rules).unwrap(), "leave B, C out of property a");
}

/// Objects that each refer to the next two: what differs is reached on exponentially many ways.
fn mutual(count: usize, kind: &str) -> Schema {
    let object = |at: usize| {
        let (next, other) = ((at + 1) % count, (at + 2) % count);
        format!(
            r##""d{at}":{{"properties":{{"a":{{"$ref":"#/definitions/d{next}"}},"b":{{"$ref":"#/definitions/d{other}"}},"z":{{"type":"{kind}"}}}}}}"##
        )
    };
    let all = (0..count).map(object).collect::<Vec<_>>().join(",");
    read(&format!(r##"{{"definitions":{{{all}}},"$ref":"#/definitions/d0"}}"##))
}

#[test]
fn what_is_reached_on_many_ways_is_compared_once_and_told_in_part() {
    for count in [30, 300, 2_000] {
        for profile in [CONFLUENT_8_3, CONFLUENT_NEXT] {
            let (old, new) = (mutual(count, "string"), mutual(count, "integer"));
            let mut effort = Effort::default();
            let found = differences_within(&new, &old, &rules(&profile), Policy::Strict, &mut effort).unwrap();
            assert!(!effort.is_spent(), "{count} objects by {}", profile.name);
            let bytes: usize = found.iter().map(Difference::bytes).sum();
            assert!(found.iter().any(|difference| difference.breaks) && bytes < 2 * MAX_TOLD, "{count}: {bytes} bytes");
        }
    }
}

#[test]
fn the_nearest_that_breaks_is_told_where_the_list_is_cut() {
    let old = r#"{"properties":{"many":{"properties":{"X":{}}},"z":{"type":"string"}}}"#;
    let wide = |kind: &str, tag: &str| {
        let many = (0..25_000).map(|at| format!(r#""{tag}{at}":{{}}"#)).collect::<Vec<_>>().join(",");
        read(&old.replace(r#""X":{}"#, &many).replace("string", kind))
    };
    for profile in [CONFLUENT_8_3, CONFLUENT_NEXT] {
        let found = differences(&wide("null", "a"), &wide("string", "b"), &rules(&profile), Policy::Strict).unwrap();
        let breaking: Vec<&str> = found.iter().filter(|one| one.breaks).map(|one| one.path.as_str()).collect();
        assert_eq!(breaking, ["#/properties/z"], "{} of {}", found.len(), profile.name);
        assert!(found.len() < 25_000, "{}", found.len());
    }
}
