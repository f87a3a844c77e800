//! What is to know about changes of JSON Schema: one row a change, draft 7 unless the row says otherwise.

use rstest::rstest;

use crate::api::{Level, SchemaType};
use crate::compat::advice::Code;
use crate::compat::advice::notation::{Case, places};
use crate::compat::{CONFLUENT_7_9, CONFLUENT_8_3};

fn case(draft: &str, old: &str, new: &str) -> Case {
    let url = match draft {
        "4" | "6" | "7" => format!("http://json-schema.org/draft-0{draft}/schema#"),
        later => format!("https://json-schema.org/draft/{later}/schema"),
    };
    let text = |body: &str| {
        let body = body.trim_start_matches('{');
        let comma = if body.trim_start().starts_with('}') { "" } else { "," };
        format!(r#"{{"$schema":"{url}"{comma}{body}"#)
    };
    Case::of(SchemaType::Json, &text(old), &text(new))
}

/// Without what is said of every change that holds in one direction only.
fn told(case: &Case) -> String {
    let mut given = case.given();
    given.retain(|advice| advice.code != Code::LatestClients);
    places(&given)
}

const FORMAT: &str = r#"{"properties":{"a":{"type":"string"}}}"#;
const OF_FORMAT: &str = r#"{"properties":{"a":{"type":"string","format":"email"}}}"#;

#[rstest]
#[case::format_added(FORMAT, OF_FORMAT, Level::Backward, "IgnoredKeyword #/properties/a/format")]
#[case::format_added_is_forward(FORMAT, OF_FORMAT, Level::Forward, "")]
#[case::format_removed(OF_FORMAT, FORMAT, Level::Forward, "IgnoredKeyword #/properties/a/format")]
#[case::format_removed_is_backward(OF_FORMAT, FORMAT, Level::Backward, "")]
#[case::condition_changed(
    r#"{"if":{"required":["a"]},"then":{"required":["b"]}}"#,
    r#"{"if":{"required":["a"]},"then":{"required":["c"]}}"#,
    Level::Backward,
    "IgnoredKeyword #/then"
)]
#[case::condition_described(
    r#"{"if":{"required":["a"]},"then":{"minProperties":2}}"#,
    r#"{"if":{"required":["a"]},"then":{"description":"both","minProperties":2}}"#,
    Level::Backward,
    ""
)]
#[case::condition_moved_to_a_definition(
    r#"{"if":{"required":["a"]},"then":{"minProperties":2}}"#,
    r##"{"if":{"required":["a"]},"then":{"$ref":"#/definitions/two"},"definitions":{"two":{"minProperties":2}}}"##,
    Level::Backward,
    ""
)]
#[case::pattern_added_to_open(
    r#"{"type":"object"}"#,
    r#"{"type":"object","patternProperties":{"^x":{"type":"string"}}}"#,
    Level::Backward,
    "IgnoredKeyword #/patternProperties/^x"
)]
#[case::pattern_added_to_closed(
    r#"{"type":"object","additionalProperties":false}"#,
    r#"{"type":"object","additionalProperties":false,"patternProperties":{"^x":{"type":"string"}}}"#,
    Level::Backward,
    ""
)]
#[case::pattern_changed(
    r#"{"type":"object","patternProperties":{"^x":{"type":"string"}}}"#,
    r#"{"type":"object","patternProperties":{"^x":{"type":"integer"}}}"#,
    Level::Backward,
    "IgnoredKeyword #/patternProperties/^x"
)]
#[case::pattern_removed_from_closed(
    r#"{"type":"object","additionalProperties":false,"patternProperties":{"^x":{}}}"#,
    r#"{"type":"object","additionalProperties":false}"#,
    Level::Backward,
    "IgnoredKeyword #/patternProperties/^x"
)]
#[case::pattern_removed_from_open(
    r#"{"type":"object","patternProperties":{"^x":{"type":"string"}}}"#,
    r#"{"type":"object"}"#,
    Level::Backward,
    ""
)]
#[case::property_names(
    r#"{"type":"object"}"#,
    r#"{"type":"object","propertyNames":{"maxLength":3}}"#,
    Level::Backward,
    "IgnoredKeyword #/propertyNames"
)]
#[case::contains_added(
    r#"{"type":"array"}"#,
    r#"{"type":"array","contains":{"const":1}}"#,
    Level::Backward,
    "IgnoredKeyword #/contains"
)]
#[case::contains_changed(
    r#"{"type":"array","contains":{"const":1}}"#,
    r#"{"type":"array","contains":{"const":2}}"#,
    Level::Backward,
    "IgnoredKeyword #/contains"
)]
#[case::required_undeclared(
    r#"{"properties":{"a":{}}}"#,
    r#"{"properties":{"a":{}},"required":["b"]}"#,
    Level::Backward,
    "IgnoredKeyword #/required/b"
)]
#[case::required_in_another_branch(
    r#"{"properties":{"a":{}},"allOf":[{"minProperties":0}]}"#,
    r#"{"properties":{"a":{}},"allOf":[{"minProperties":0,"required":["a"]}]}"#,
    Level::Backward,
    "IgnoredKeyword #/allOf/0/required/a"
)]
#[case::required_with_a_default(
    r#"{"properties":{"a":{"type":"integer","default":0}}}"#,
    r#"{"properties":{"a":{"type":"integer","default":0}},"required":["a"]}"#,
    Level::Backward,
    "RequiredWithDefault #/required/a"
)]
#[case::read_only(
    r#"{"properties":{"a":{"type":"string"}}}"#,
    r#"{"properties":{"a":{"type":"string","readOnly":true}}}"#,
    Level::Backward,
    "IgnoredKeyword #/properties/a/readOnly"
)]
#[case::type_added(
    r#"{"properties":{"a":{}}}"#,
    r#"{"type":"object","properties":{"a":{}}}"#,
    Level::Backward,
    "IgnoredKeyword #/type"
)]
#[case::type_added_to_anything_is_refused(r#"{}"#, r#"{"type":"object"}"#, Level::Backward, "")]
#[case::beside_a_reference(
    r##"{"properties":{"a":{"$ref":"#/definitions/d"}},"definitions":{"d":{"type":"string"}}}"##,
    r##"{"properties":{"a":{"$ref":"#/definitions/d","maxLength":3}},"definitions":{"d":{"type":"string"}}}"##,
    Level::Backward,
    "IgnoredKeyword #/properties/a/maxLength"
)]
#[case::title_beside_a_reference(
    r##"{"properties":{"a":{"$ref":"#/definitions/d"}},"definitions":{"d":{"type":"string"}}}"##,
    r##"{"properties":{"a":{"$ref":"#/definitions/d","title":"A"}},"definitions":{"d":{"type":"string"}}}"##,
    Level::Backward,
    ""
)]
#[case::exclusive_maximum_below_a_larger_maximum(
    r#"{"type":"number","exclusiveMaximum":10,"maximum":100}"#,
    r#"{"type":"number","exclusiveMaximum":5,"maximum":100}"#,
    Level::Backward,
    "IgnoredKeyword #/exclusiveMaximum"
)]
#[case::beyond_doubles(
    r#"{"type":"integer","maximum":9007199254740993}"#,
    r#"{"type":"integer","maximum":9007199254740992}"#,
    Level::Backward,
    "IgnoredKeyword #/maximum"
)]
#[case::beyond_doubles_the_other_way(
    r#"{"type":"integer","maximum":9007199254740992}"#,
    r#"{"type":"integer","maximum":9007199254740993}"#,
    Level::Backward,
    ""
)]
#[case::free_beside_patterns(
    r#"{"type":"object","patternProperties":{"^x":{}}}"#,
    r#"{"type":"object","patternProperties":{"^x":{}},"properties":{"b":{"type":"string"}}}"#,
    Level::Backward,
    "IgnoredKeyword #/properties/b"
)]
#[case::covered_by_a_pattern(
    r#"{"type":"object","additionalProperties":false,"patternProperties":{"^x":{"type":"string"}}}"#,
    r#"{"type":"object","additionalProperties":false,"patternProperties":{"^x":{"type":"string"}},"properties":{"xb":{"type":"string"}}}"#,
    Level::Full, ""
)]
#[case::a_property_of_what_was_the_rest(
    r#"{"type":"object","additionalProperties":{"type":"string"}}"#,
    r#"{"type":"object","additionalProperties":{"type":"string"},"properties":{"b":{"type":"string","format":"date"}}}"#,
    Level::Backward,
    "IgnoredKeyword #/properties/b/format"
)]
#[case::a_property_that_becomes_one_of_the_rest(
    r#"{"type":"object","additionalProperties":true,"properties":{"b":{"type":"string"}}}"#,
    r#"{"type":"object","additionalProperties":{"type":"string","format":"date"}}"#,
    Level::Backward,
    "IgnoredKeyword #/properties/b/format"
)]
#[case::a_property_that_a_pattern_finds(
    r#"{"type":"object","patternProperties":{"^d":{"type":"string","format":"date"}},"additionalProperties":{"type":"string"}}"#,
    r#"{"type":"object","patternProperties":{"^d":{"type":"string","format":"date"}},"additionalProperties":{"type":"string"},"properties":{"da":{"type":"string","format":"date"}}}"#,
    Level::Backward,
    ""
)]
#[case::a_branch_that_takes_all_before_others(
    r#"{"type":"string"}"#,
    r#"{"anyOf":[{"type":"string","minLength":0},{"oneOf":[{"type":"string","format":"date"},{"type":"number"}]}]}"#,
    Level::Backward,
    ""
)]
#[case::a_limit_of_zero_before_a_branch_that_takes_all(
    r#"{"type":"object"}"#,
    r#"{"anyOf":[{"type":"object","maxProperties":0},{"type":"object","required":["c"]}]}"#,
    Level::Backward,
    "IgnoredKeyword #/required/c"
)]
#[case::values_beside_another_branch(
    r#"{"anyOf":[{"enum":["auto"]},{"type":"string","format":"uri","maxLength":50}]}"#,
    r#"{"anyOf":[{"type":"null"},{"enum":["auto","off"]},{"type":"string","format":"uri","maxLength":100}]}"#,
    Level::Backward,
    ""
)]
#[case::a_oneof_in_another_branch_than_the_first(
    r#"{"type":"object"}"#,
    r#"{"anyOf":[{"type":"object","maxProperties":1},{"oneOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object"}]}]}"#,
    Level::Backward,
    "BranchesOverlap #/oneOf/0"
)]
#[case::a_branch_that_takes_all_after_one_that_does_not(
    r#"{"type":"object"}"#,
    r#"{"anyOf":[{"type":"object","additionalProperties":false},{"type":"object","required":["c"]}]}"#,
    Level::Backward,
    "IgnoredKeyword #/required/c"
)]
#[case::values_in_a_branch_of_their_type(
    r#"{"enum":[null]}"#,
    r#"{"anyOf":[{"type":"array"},{"oneOf":[{"enum":[null]},{"type":["null","array"]}]}]}"#,
    Level::Backward,
    "BranchesOverlap #/oneOf/1"
)]
#[case::items_beside_nothing(
    r#"{"type":"array","additionalItems":false}"#,
    r#"{"type":"array","additionalItems":false,"items":[{"type":"string"}]}"#,
    Level::Backward,
    "IgnoredKeyword #/items"
)]
#[case::a_pattern_that_matches_what_is_listed(
    r#"{"type":"object","additionalProperties":false,"properties":{"a":{"type":"string"}}}"#,
    r#"{"type":"object","additionalProperties":false,"properties":{"a":{"type":"string"}},"patternProperties":{"^a":{"maxLength":0}}}"#,
    Level::Backward,
    "IgnoredKeyword #/patternProperties/^a"
)]
#[case::a_oneof_within_not(
    r#"{"not":{"oneOf":[{"type":"array"},{"maxItems":3}]}}"#,
    r#"{"not":{"type":"array"}}"#,
    Level::Backward,
    "BranchesOverlap #/not/oneOf/1"
)]
#[case::plain_within_a_oneof_within_a_oneof(
    r#"{"type":"string"}"#,
    r#"{"oneOf":[{"oneOf":[{"type":"string"},{"maxLength":3}]}]}"#,
    Level::Backward,
    "BranchesOverlap #/oneOf/1"
)]
#[case::bytes(
    r#"{"type":"string","connect.type":"bytes"}"#,
    r#"{"type":"number","connect.type":"bytes"}"#,
    Level::Backward,
    "IgnoredKeyword #/type"
)]
#[case::open_model(
    r#"{"type":"object","properties":{"a":{}}}"#,
    r#"{"type":"object","properties":{"a":{},"b":{"type":"string"},"c":{"type":"string"}}}"#,
    Level::Backward,
    "OpenModel #/properties/b"
)]
#[case::open_model_is_no_matter_of_forward(
    r#"{"type":"object"}"#,
    r#"{"type":"object","properties":{"b":{"type":"string"}}}"#,
    Level::Forward,
    ""
)]
#[case::a_branch_that_overlaps(
    r#"{"oneOf":[{"type":"string"}]}"#,
    r#"{"oneOf":[{"type":"string"},{"type":"string","maxLength":3}]}"#,
    Level::Backward,
    "BranchesOverlap #/oneOf/1"
)]
#[case::a_branch_of_another_type(
    r#"{"oneOf":[{"type":"string"}]}"#,
    r#"{"oneOf":[{"type":"string"},{"type":"null"}]}"#,
    Level::Backward,
    ""
)]
#[case::branches_told_apart_by_a_constant(
    r#"{"oneOf":[{"type":"object","required":["k"],"properties":{"k":{"const":"a"}}}]}"#,
    r#"{"oneOf":[{"type":"object","required":["k"],"properties":{"k":{"const":"a"}}},{"type":"object","required":["k"],"properties":{"k":{"const":"b"}}}]}"#,
    Level::Backward, ""
)]
#[case::a_branch_that_grew_into_another(
    r#"{"oneOf":[{"type":"integer","maximum":5},{"type":"integer","minimum":6}]}"#,
    r#"{"oneOf":[{"type":"integer","maximum":9},{"type":"integer","minimum":6}]}"#,
    Level::Backward,
    "BranchesOverlap #/oneOf/0"
)]
#[case::branches_that_overlapped_less(
    r#"{"oneOf":[{"type":"integer","maximum":5},{"type":"integer","minimum":5}]}"#,
    r#"{"oneOf":[{"type":"integer","maximum":9},{"type":"integer","minimum":5}]}"#,
    Level::Backward,
    "BranchesOverlap #/oneOf/0"
)]
#[case::branches_that_overlap_no_more_than_before(
    r#"{"oneOf":[{"type":"integer","maximum":9},{"type":"integer","minimum":5}]}"#,
    r#"{"oneOf":[{"type":"integer","maximum":9},{"type":"integer","minimum":5,"description":"a"}]}"#,
    Level::Backward,
    ""
)]
#[case::an_integer_that_becomes_a_number(
    r#"{"oneOf":[{"type":"integer","minimum":0},{"type":"number","minimum":0.4,"maximum":0.5}]}"#,
    r#"{"oneOf":[{"type":"number","minimum":0},{"type":"number","minimum":0.4,"maximum":0.5}]}"#,
    Level::Backward,
    "BranchesOverlap #/oneOf/0"
)]
#[case::an_integer_or_nothing_that_becomes_a_number(
    r#"{"oneOf":[{"type":["integer","null"]},{"type":"number","minimum":0.4,"maximum":0.5}]}"#,
    r#"{"oneOf":[{"type":["number","null"]},{"type":"number","minimum":0.4,"maximum":0.5}]}"#,
    Level::Backward,
    "BranchesOverlap #/oneOf/0"
)]
#[case::an_integer_that_becomes_a_number_apart_from_the_others(
    r#"{"oneOf":[{"type":"integer","minimum":1},{"type":"number","minimum":0.4,"maximum":0.5}]}"#,
    r#"{"oneOf":[{"type":"number","minimum":1},{"type":"number","minimum":0.4,"maximum":0.5}]}"#,
    Level::Backward,
    ""
)]
#[case::a_pattern_in_a_closed_branch(
    r#"{"oneOf":[{"type":"object","properties":{"a":{}},"additionalProperties":false},{"type":"object","required":["b"],"properties":{"b":{}}}]}"#,
    r#"{"oneOf":[{"type":"object","properties":{"a":{}},"additionalProperties":false,"patternProperties":{"^b":{}}},{"type":"object","required":["b"],"properties":{"b":{}}}]}"#,
    Level::Backward,
    "BranchesOverlap #/oneOf/0"
)]
#[case::the_first_property_of_a_closed_branch(
    r#"{"oneOf":[{"type":"object","additionalProperties":false},{"type":"object","required":["b"],"properties":{"b":{}}}]}"#,
    r#"{"oneOf":[{"type":"object","additionalProperties":false,"properties":{"b":{}}},{"type":"object","required":["b"],"properties":{"b":{}}}]}"#,
    Level::Backward,
    "BranchesOverlap #/oneOf/0"
)]
#[case::a_oneof_within_an_anyof_that_becomes_plain(
    r#"{"anyOf":[{"type":"null"},{"oneOf":[{"type":"string"},{"maxLength":3}]}]}"#,
    r#"{"type":"string"}"#,
    Level::Forward,
    "BranchesOverlap #/oneOf/1"
)]
#[case::a_oneof_within_an_anyof_that_was_plain(
    r#"{"type":"string"}"#,
    r#"{"anyOf":[{"type":"null"},{"oneOf":[{"type":"string"},{"maxLength":3}]}]}"#,
    Level::Backward,
    "BranchesOverlap #/oneOf/1"
)]
#[case::plain_becomes_a_branch(
    r#"{"type":"string"}"#,
    r#"{"oneOf":[{"type":"string"},{"maxLength":3}]}"#,
    Level::Backward,
    "BranchesOverlap #/oneOf/1"
)]
#[case::within_a_branch_that_plain_became(
    r#"{"type":"string"}"#,
    r#"{"anyOf":[{"type":"null"},{"type":"string","format":"email"}]}"#,
    Level::Backward,
    "IgnoredKeyword #/format"
)]
#[case::within_a_branch_of_no_type_that_plain_became(
    r#"{"not":{"not":{"type":"object"}}}"#,
    r#"{"anyOf":[{"type":"null"},{"not":{"not":{"type":"object","patternProperties":{"^a":{"type":"string"}}}}}]}"#,
    Level::Backward,
    "IgnoredKeyword #/not/not/patternProperties/^a"
)]
#[case::within_not(
    r#"{"not":{"type":"string","format":"email"}}"#,
    r#"{"not":{"type":"string"}}"#,
    Level::Backward,
    "IgnoredKeyword #/not/format"
)]
#[case::behind_a_chain_of_references(
    r##"{"properties":{"a":{"$ref":"#/definitions/b"}},"definitions":{"b":{"$ref":"#/definitions/c"},"c":{"type":"string"}}}"##,
    r##"{"properties":{"a":{"$ref":"#/definitions/b"}},"definitions":{"b":{"$ref":"#/definitions/c"},"c":{"type":"integer"}}}"##,
    Level::Backward, "AcceptedThoughUnreadable #/properties/a"
)]
#[case::recursion_that_is_met_again(
    r##"{"properties":{"n":{"$ref":"#"}}}"##,
    r##"{"properties":{"n":{"properties":{"n":{"maxProperties":1}}}}}"##,
    Level::Backward,
    "AcceptedThoughUnreadable #/properties/n/properties/n/maxProperties"
)]
#[case::multiples_compared_by_their_whole_parts(
    r#"{"type":"number","multipleOf":3.5}"#,
    r#"{"type":"number","multipleOf":1.5}"#,
    Level::Backward,
    "AcceptedThoughUnreadable #/multipleOf"
)]
#[case::the_registry_fails(
    r#"{"type":"number","exclusiveMaximum":10}"#,
    r#"{"type":"number","exclusiveMaximum":5}"#,
    Level::Backward,
    "RegistryFails "
)]
fn changes(#[case] old: &str, #[case] new: &str, #[case] level: Level, #[case] expected: &str) {
    assert_eq!(told(&case("7", old, new).at(level)), expected);
}

#[rstest]
#[case::exclusive(
    "4",
    r#"{"type":"number","maximum":5}"#,
    r#"{"type":"number","maximum":5,"exclusiveMaximum":true}"#,
    "IgnoredKeyword #/exclusiveMaximum"
)]
#[case::contains_is_unknown_to_draft_4("4", r#"{"type":"array"}"#, r#"{"type":"array","contains":{}}"#, "")]
#[case::contains_is_counted("2020-12", r#"{"type":"array"}"#, r#"{"type":"array","contains":{"const":1}}"#, "")]
#[case::contains_changed(
    "2020-12",
    r#"{"type":"array","contains":{"const":1}}"#,
    r#"{"type":"array","contains":{"const":2}}"#,
    "IgnoredKeyword #/contains"
)]
#[case::beside_a_reference_it_counts(
    "2020-12",
    r##"{"properties":{"a":{"$ref":"#/$defs/d","format":"email"}},"$defs":{"d":{"type":"string"}}}"##,
    r##"{"properties":{"a":{"$ref":"#/$defs/d","format":"date"}},"$defs":{"d":{"type":"string"}}}"##,
    "IgnoredKeyword #/properties/a/format"
)]
#[case::unevaluated_over_parts(
    "2020-12",
    r#"{"allOf":[{"properties":{"a":{},"b":{}}}],"unevaluatedProperties":false}"#,
    r#"{"allOf":[{"properties":{"a":{}}}],"unevaluatedProperties":false}"#,
    "IgnoredKeyword #/allOf/0/properties/b"
)]
fn changes_of_other_drafts(#[case] draft: &str, #[case] old: &str, #[case] new: &str, #[case] expected: &str) {
    assert_eq!(told(&case(draft, old, new)), expected);
}

#[test]
fn lenient_is_advised_where_the_registry_knows_it() {
    let remedy = |profile| {
        let case = case("7", r#"{"type":"object"}"#, r#"{"type":"object","properties":{"b":{"type":"string"}}}"#);
        let given = Case { profile, ..case }.given();
        let open = given.into_iter().find(|advice| advice.code == Code::OpenModel).expect("the model is open");
        open.remedy.expect("there is something to do")
    };
    assert!(remedy(&CONFLUENT_8_3).contains("LENIENT"));
    assert!(!remedy(&CONFLUENT_7_9).contains("LENIENT"));
}

#[test]
fn another_draft_is_no_difference_to_the_registry() {
    let text =
        |draft: &str| format!(r#"{{"$schema":"http://json-schema.org/draft-0{draft}/schema#","type":"string"}}"#);
    let case = Case::of(SchemaType::Json, &text("6"), &text("7"));
    assert_eq!(told(&case), "IgnoredKeyword #/$schema");
}

/// Types that each are one of several objects, each of which refers to all types.
pub(in crate::compat::advice) fn mutual(types: usize) -> String {
    let one_of = |_| {
        let objects = (0..types).map(|at| {
            let refs = (0..types).map(|to| format!(r##""p{to}":{{"$ref":"#/definitions/t{to}"}}"##));
            format!(
                r#"{{"type":"object","properties":{{"k":{{"const":{at}}},{}}}}}"#,
                refs.collect::<Vec<_>>().join(",")
            )
        });
        format!(r#"{{"oneOf":[{}]}}"#, objects.collect::<Vec<_>>().join(","))
    };
    let definitions: Vec<String> = (0..types).map(|at| format!(r#""t{at}":{}"#, one_of(at))).collect();
    format!(r##"{{"$ref":"#/definitions/t0","definitions":{{{}}}}}"##, definitions.join(","))
}

#[test]
fn what_takes_the_registry_seconds_is_told() {
    let (quick, slow) = (mutual(3), mutual(4));
    assert_eq!(told(&case("7", &quick, &quick)), "");
    assert_eq!(told(&case("7", &slow, &slow)), "RegistrySlow ");
    let next = Case { profile: &crate::compat::CONFLUENT_NEXT, ..case("7", &slow, &slow) };
    assert_eq!(told(&next), "");
}
