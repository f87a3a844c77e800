//! Strategies for schemas of one shape.

use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{DEFINITIONS, PATTERNS, PROPERTIES, TYPES, set};

fn leaf() -> impl Strategy<Value = Value> {
    let small = || 0..6_u8;
    let text =
        (option::weighted(0.3, small()), option::weighted(0.3, small()), option::weighted(0.2, 0..PATTERNS.len()))
            .prop_map(|(min, max, pattern)| {
                let mut node = json!({ "type": "string" });
                set(&mut node, "minLength", min);
                set(&mut node, "maxLength", max);
                set(&mut node, "pattern", pattern.map(|at| PATTERNS[at]));
                node
            });
    let limits = || (option::weighted(0.3, small()), option::weighted(0.3, small()), option::weighted(0.15, 1..4_u8));
    let number = (any::<bool>(), limits(), option::weighted(0.1, small())).prop_map(
        |(whole, (min, max, multiple), exclusive)| {
            let mut node = json!({ "type": if whole { "integer" } else { "number" } });
            set(&mut node, "minimum", min);
            set(&mut node, "maximum", max);
            set(&mut node, "multipleOf", multiple);
            set(&mut node, "exclusiveMinimum", exclusive);
            node
        },
    );
    let choice = proptest::sample::subsequence(vec![json!("P"), json!("Q"), json!("R"), json!(1), json!(null)], 1..4);
    prop_oneof![
        3 => text,
        3 => number,
        2 => (0..TYPES.len()).prop_map(|at| json!({ "type": TYPES[at] })),
        2 => choice.prop_map(|values| json!({ "enum": values })),
        1 => prop_oneof![Just(json!("P")), Just(json!(1))].prop_map(|value| json!({ "const": value })),
        2 => (0..DEFINITIONS.len()).prop_map(|at| json!({ "$ref": format!("#/definitions/{}", DEFINITIONS[at]) })),
        1 => Just(json!({})),
        1 => proptest::sample::subsequence(TYPES.to_vec(), 1..3).prop_map(|types| json!({ "type": types })),
    ]
}

pub fn node() -> BoxedStrategy<Value> {
    leaf()
        .prop_recursive(3, 10, 3, |inner| {
            prop_oneof![
                4 => object(inner.clone().boxed()),
                2 => array(inner.clone().boxed()),
                2 => (proptest::sample::select(vec!["oneOf", "anyOf", "allOf"]), vec(inner.clone(), 1..4))
                    .prop_map(|(criterion, branches)| json!({ criterion: branches })),
                1 => inner.prop_map(|not| json!({ "not": not })),
            ]
        })
        .boxed()
}

/// What a definition means is no reference itself: there would be schemas that mean nothing.
pub fn defined() -> BoxedStrategy<Value> {
    prop_oneof![2 => object(node()), 1 => array(node())].boxed()
}

fn object(inner: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    let name = || proptest::sample::select(PROPERTIES.to_vec());
    let others = prop_oneof![
        4 => Just(None),
        3 => Just(Some(json!(false))),
        1 => Just(Some(json!(true))),
        2 => inner.clone().prop_map(Some),
    ];
    let patterns = btree_map(proptest::sample::select(PATTERNS.to_vec()), inner.clone(), 1..2);
    let parts = (
        btree_map(name(), inner, 0..4),
        proptest::sample::subsequence(PROPERTIES.to_vec(), 0..3),
        others,
        option::weighted(0.1, patterns),
        option::weighted(0.1, (name(), proptest::sample::subsequence(PROPERTIES.to_vec(), 1..3))),
        (option::weighted(0.1, 0..4_u8), option::weighted(0.1, 0..4_u8), any::<bool>()),
    );
    let built = parts.prop_map(|(properties, required, others, patterns, dependency, (min, max, typed))| {
        let mut node = json!({ "properties": properties });
        if typed || min.is_none() {
            node["type"] = json!("object");
        }
        set(&mut node, "required", Some(required).filter(|required| !required.is_empty()));
        set(&mut node, "additionalProperties", others);
        set(&mut node, "patternProperties", patterns.map(|patterns| json!(patterns)));
        set(&mut node, "dependencies", dependency.map(|(name, needs)| json!({ name: needs })));
        set(&mut node, "minProperties", min);
        set(&mut node, "maxProperties", max);
        node
    });
    built.boxed()
}

fn array(inner: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    let items = prop_oneof![
        2 => Just(None),
        3 => inner.clone().prop_map(Some),
        2 => vec(inner.clone(), 1..3).prop_map(|items| Some(Value::Array(items))),
    ];
    let others = prop_oneof![3 => Just(None), 1 => Just(Some(json!(false))), 1 => inner.prop_map(Some)];
    let parts = (
        items,
        others,
        option::weighted(0.2, 0..4_u8),
        option::weighted(0.2, 0..4_u8),
        option::weighted(0.1, Just(true)),
    );
    let built = parts.prop_map(|(items, others, min, max, unique)| {
        let mut node = json!({ "type": "array" });
        let is_tuple = matches!(items, Some(Value::Array(_)));
        set(&mut node, "items", items);
        set(&mut node, "additionalItems", others.filter(|_| is_tuple));
        set(&mut node, "minItems", min);
        set(&mut node, "maxItems", max);
        set(&mut node, "uniqueItems", unique);
        node
    });
    built.boxed()
}
