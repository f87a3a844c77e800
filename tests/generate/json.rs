//! JSON Schemas: as values in the words of draft 7, written in those of a later draft where that is asked for.

use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{around, place, shuffle};

const PROPERTIES: [&str; 4] = ["a", "b", "c", "d"];
const DEFINITIONS: [&str; 3] = ["D0", "D1", "D2"];
/// Patterns that any flavour of regular expressions reads in the same way.
const PATTERNS: [&str; 4] = ["^a", "b$", "^[a-c]*$", "^x"];
const TYPES: [&str; 7] = ["string", "integer", "number", "boolean", "null", "object", "array"];

/// A schema in the words of draft 7.
#[derive(Clone, Debug)]
pub struct Json {
    pub root: Value,
    /// What `#/definitions/D0` and so on mean.
    pub definitions: Vec<Value>,
}

/// In whose words a schema is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draft {
    Unnamed,
    Draft7,
    Draft2020,
}

/// Every draft that schemas are written in.
pub const DRAFTS: [Draft; 3] = [Draft::Unnamed, Draft::Draft7, Draft::Draft2020];

/// A change of a schema; what it does depends on what is at the place.
#[derive(Clone, Debug)]
pub struct Edit {
    what: u8,
    at: u16,
    with: u16,
    fresh: Value,
}

/// Any schema.
pub fn schemas() -> impl Strategy<Value = Json> {
    (node(), vec(defined(), DEFINITIONS.len())).prop_map(|(root, definitions)| Json { root, definitions })
}

/// A schema, and one that was made of it by some changes.
pub fn changes() -> impl Strategy<Value = (Json, Json)> {
    (schemas(), vec(edit(), 0..5)).prop_map(|(old, edits)| {
        let new = edits.iter().fold(old.clone(), Json::edited);
        (old, new)
    })
}

/// A history of a few versions.
pub fn histories() -> impl Strategy<Value = Vec<Json>> {
    (schemas(), vec(vec(edit(), 0..3), 1..4)).prop_map(|(first, steps)| {
        let mut versions = vec![first];
        for edits in &steps {
            let last = versions.last().cloned().expect("there is a first one");
            versions.push(edits.iter().fold(last, Json::edited));
        }
        versions
    })
}

pub fn drafts() -> impl Strategy<Value = Draft> {
    proptest::sample::select(DRAFTS.to_vec())
}

fn edit() -> impl Strategy<Value = Edit> {
    (0..22_u8, any::<u16>(), any::<u16>(), node()).prop_map(|(what, at, with, fresh)| Edit { what, at, with, fresh })
}

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

fn node() -> BoxedStrategy<Value> {
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
fn defined() -> BoxedStrategy<Value> {
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

fn set(node: &mut Value, keyword: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        node[keyword] = value.into();
    }
}

/// The keywords whose value is a schema, a list of schemas, or schemas by name.
const ONE: [&str; 4] = ["items", "additionalProperties", "additionalItems", "not"];
const LISTED: [&str; 4] = ["items", "oneOf", "anyOf", "allOf"];
const NAMED: [&str; 2] = ["properties", "patternProperties"];

/// Calls something for a schema and each one inside it.
pub fn each_node(node: &mut Value, visit: &mut impl FnMut(&mut Value)) {
    visit(node);
    let Value::Object(keywords) = node else { return };
    for (keyword, value) in keywords.iter_mut() {
        let keyword = keyword.as_str();
        match value {
            Value::Object(named) if NAMED.contains(&keyword) => {
                named.values_mut().for_each(|value| each_node(value, visit));
            }
            Value::Array(listed) if LISTED.contains(&keyword) => {
                listed.iter_mut().for_each(|value| each_node(value, visit));
            }
            value if ONE.contains(&keyword) => each_node(value, visit),
            _ => {}
        }
    }
}

impl Json {
    /// The schema with a change made.
    pub fn edited(mut self, edit: &Edit) -> Json {
        // What a definition means may not be used: most changes are of the root.
        match edit.at % 4 {
            3 => change_one(&mut self.definitions[usize::from(edit.with) % DEFINITIONS.len()], edit),
            _ => change_one(&mut self.root, edit),
        }
        // What a definition means is no reference itself.
        for definition in &mut self.definitions {
            if !definition.is_object() || definition.get("$ref").is_some() {
                *definition = json!({ "type": "object", "properties": { "a": definition } });
            }
        }
        self
    }

    /// The same with its definitions under other names.
    pub fn renamed_text(&self, draft: Draft) -> String {
        self.text(draft).replace("s/D", "s/Renamed").replace("\"D", "\"Renamed")
    }

    /// One text.
    pub fn text(&self, draft: Draft) -> String {
        self.whole(draft).to_string()
    }

    /// One text, with keys, and all lists whose order means nothing, in another order.
    pub fn reordered_text(&self, draft: Draft, order: u64) -> String {
        let mut whole = self.clone();
        whole.each_node(&mut |node| {
            for keyword in ["required", "enum", "oneOf", "anyOf", "allOf", "type"] {
                if let Some(Value::Array(list)) = node.get_mut(keyword) {
                    shuffle(list, order);
                }
            }
        });
        let mut out = String::new();
        write_shuffled(&whole.whole(draft), &mut fastrand::Rng::with_seed(order), &mut out);
        out
    }

    /// One text in which what a definition means stands where it is referred to. None if one refers to itself.
    pub fn inlined_text(&self, draft: Draft) -> Option<String> {
        Some(self.inlined()?.text(draft))
    }

    /// Whether the registry makes another combination of it once it is inlined: it takes branches that are the same for
    /// one, and looks through no reference for that; and what later drafts say in one branch becomes several if it is
    /// of several classes, but not behind a reference.
    pub fn combines_otherwise_inlined(&self, draft: Draft) -> bool {
        let mut is_found = false;
        let Some(mut inlined) = self.inlined() else { return false };
        each_node(&mut inlined.root, &mut |node| {
            let all = branches(node).map(|branches| branches.as_slice()).unwrap_or_default();
            is_found |= all.iter().enumerate().any(|(at, branch)| all[..at].contains(branch));
        });
        let mut whole = self.clone();
        whole.each_node(&mut |node| {
            let all = branches(node).map(|branches| branches.as_slice()).unwrap_or_default();
            is_found |= draft == Draft::Draft2020 && all.iter().any(|branch| referred(branch).is_some());
        });
        is_found
    }

    fn inlined(&self) -> Option<Json> {
        // Of as many definitions as there are, a longer chain holds one twice.
        if self.height(&self.root, DEFINITIONS.len() + 1) > DEFINITIONS.len() {
            return None;
        }
        let mut inlined = self.clone();
        each_node(&mut inlined.root, &mut |node| {
            if let Some(at) = referred(node) {
                *node = self.definitions[at].clone();
            }
        });
        Some(inlined)
    }

    /// A text that refers to other texts, and those: name and text. None if one refers to itself.
    pub fn text_and_references(&self, draft: Draft) -> Option<(String, Vec<(String, String)>)> {
        self.inlined()?;
        let outside = |node: &Value| {
            let mut node = node.clone();
            each_node(&mut node, &mut |node| {
                if let Some(at) = referred(node) {
                    *node = json!({ "$ref": format!("{}.json", DEFINITIONS[at]) });
                }
            });
            Json { root: node, definitions: Vec::new() }.text(draft)
        };
        let reference = |(name, node)| (format!("{name}.json"), outside(node));
        // Those that the others need come first.
        let mut order: Vec<usize> = (0..self.definitions.len()).collect();
        order.sort_by_key(|at| self.height(&self.definitions[*at], DEFINITIONS.len()));
        let references = order.into_iter().map(|at| reference((DEFINITIONS[at], &self.definitions[at])));
        Some((outside(&self.root), references.collect()))
    }

    /// Calls something for every schema in it.
    pub fn each_node(&mut self, visit: &mut impl FnMut(&mut Value)) {
        each_node(&mut self.root, visit);
        self.definitions.iter_mut().for_each(|definition| each_node(definition, visit));
    }

    /// Over how many definitions it reaches.
    fn height(&self, node: &Value, most: usize) -> usize {
        let mut height = 0;
        each_node(&mut node.clone(), &mut |node| {
            if let (Some(at), true) = (referred(node), most > 0) {
                height = height.max(1 + self.height(&self.definitions[at], most - 1));
            }
        });
        height
    }

    fn whole(&self, draft: Draft) -> Value {
        let mut whole = match &self.root {
            Value::Object(keywords) => keywords.clone(),
            other => Map::from_iter([("allOf".to_owned(), json!([other]))]),
        };
        // Beside a reference nothing counts, and in a reference nothing else is to be found.
        if whole.contains_key("$ref") {
            whole = Map::from_iter([("allOf".to_owned(), json!([whole]))]);
        }
        let mut whole = Value::Object(whole);
        if !self.definitions.is_empty() {
            let named = DEFINITIONS.iter().zip(&self.definitions).map(|(name, node)| (name.to_string(), node.clone()));
            whole["definitions"] = Value::Object(named.collect());
        }
        match draft {
            Draft::Unnamed => {}
            Draft::Draft7 => whole["$schema"] = json!("http://json-schema.org/draft-07/schema#"),
            Draft::Draft2020 => {
                in_later_words(&mut whole);
                whole["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
            }
        }
        whole
    }
}

/// Which definition it refers to.
fn referred(node: &Value) -> Option<usize> {
    let name = node.get("$ref")?.as_str()?.strip_prefix("#/definitions/")?;
    DEFINITIONS.iter().position(|definition| *definition == name)
}

fn in_later_words(whole: &mut Value) {
    let rename = |node: &mut Value| {
        let Value::Object(keywords) = node else { return };
        if let Some(Value::String(reference)) = keywords.get_mut("$ref") {
            *reference = reference.replace("#/definitions/", "#/$defs/");
        }
        if let Some(Value::Array(_)) = keywords.get("items")
            && let Some(tuple) = keywords.remove("items")
        {
            keywords.insert("prefixItems".to_owned(), tuple);
            rename_key(keywords, "additionalItems", "items");
        }
        rename_key(keywords, "dependencies", "dependentRequired");
    };
    let mut definitions = whole.as_object_mut().and_then(|keywords| keywords.remove("definitions"));
    if let Some(Value::Object(named)) = &mut definitions {
        named.values_mut().for_each(|node| each_node_inside_out(node, &rename));
    }
    each_node_inside_out(whole, &rename);
    set(whole, "$defs", definitions);
}

fn rename_key(keywords: &mut Map<String, Value>, from: &str, to: &str) {
    if let Some(value) = keywords.remove(from) {
        keywords.insert(to.to_owned(), value);
    }
}

fn each_node_inside_out(node: &mut Value, visit: &impl Fn(&mut Value)) {
    if let Value::Object(keywords) = node {
        for (keyword, value) in keywords.iter_mut() {
            let keyword = keyword.as_str();
            match value {
                Value::Object(named) if NAMED.contains(&keyword) => {
                    named.values_mut().for_each(|value| each_node_inside_out(value, visit));
                }
                Value::Array(listed) if LISTED.contains(&keyword) => {
                    listed.iter_mut().for_each(|value| each_node_inside_out(value, visit));
                }
                value if ONE.contains(&keyword) => each_node_inside_out(value, visit),
                _ => {}
            }
        }
    }
    visit(node);
}

fn write_shuffled(value: &Value, rng: &mut fastrand::Rng, out: &mut String) {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            rng.shuffle(&mut entries);
            out.push('{');
            for (at, (key, value)) in entries.into_iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                out.push_str(&Value::from(key.as_str()).to_string());
                out.push(':');
                write_shuffled(value, rng, out);
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for (at, value) in items.iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                write_shuffled(value, rng, out);
            }
            out.push(']');
        }
        scalar => out.push_str(&scalar.to_string()),
    }
}

/// Changes a schema, or one inside it.
fn change_one(root: &mut Value, edit: &Edit) {
    let mut count = 0;
    each_node(root, &mut |_| count += 1);
    let mut left = Some(edit.at / 4 % count);
    each_node(root, &mut |node| {
        if left == Some(0) {
            change(node, edit);
        }
        left = left.and_then(|left| left.checked_sub(1));
    });
}

/// Changes one schema, whatever it is.
fn change(node: &mut Value, edit: &Edit) {
    let name = PROPERTIES[usize::from(edit.with) % PROPERTIES.len()];
    let number = json!(edit.with % 6);
    if !node.is_object() || edit.what == 0 {
        *node = edit.fresh.clone();
        return;
    }
    // Whether keywords count beside a reference is a matter of the draft.
    if node.get("$ref").is_some() && edit.what > 3 {
        return;
    }
    match edit.what {
        1 => *node = json!({ "anyOf": [node, { "type": "null" }] }),
        2 => *node = json!({ "oneOf": [node] }),
        3 => *node = json!({ "oneOf": [node, edit.fresh] }),
        4 => toggle(node, "description", json!("changed")),
        5 => change_limit(node, &number),
        6 => toggle_in(node, "required", json!(name)),
        7 => toggle(node, "additionalProperties", json!(false)),
        8 => node["type"] = json!(TYPES[usize::from(edit.with) % TYPES.len()]),
        9 => toggle_in(node, "enum", json!("S")),
        10 => *node = json!({ "type": ["null", "string"] }),
        11 | 12 => add_branch(node, edit),
        13 | 14 => drop_branch(node, edit.with),
        15 => toggle(node, "additionalProperties", edit.fresh.clone()),
        16 => toggle(node, "patternProperties", json!({ "^a": edit.fresh })),
        17 => toggle(node, "items", edit.fresh.clone()),
        18 => {
            if let Some(Value::Object(properties)) = node.get_mut("properties") {
                properties.remove(name);
            }
        }
        _ => {
            if node.get("properties").is_some_and(Value::is_object) {
                node["properties"][name] = edit.fresh.clone();
            } else {
                change_limit(node, &number);
            }
        }
    }
}

fn toggle(node: &mut Value, keyword: &str, value: Value) {
    let Value::Object(keywords) = node else { return };
    if keywords.remove(keyword).is_none() {
        keywords.insert(keyword.to_owned(), value);
    }
}

fn toggle_in(node: &mut Value, keyword: &str, value: Value) {
    let Value::Object(keywords) = node else { return };
    let Some(Value::Array(list)) = keywords.get_mut(keyword) else {
        // An enum of one value is another schema; a required property is a change.
        if keyword == "required" {
            keywords.insert(keyword.to_owned(), json!([value]));
        }
        return;
    };
    match list.iter().position(|other| *other == value) {
        Some(at) if list.len() > 1 => drop(list.remove(at)),
        Some(_) => drop(keywords.remove(keyword)),
        None => list.push(value),
    }
}

/// The limits of a type: one of them comes, goes or moves.
fn change_limit(node: &mut Value, number: &Value) {
    let limits: &[&str] = match node.get("type").and_then(Value::as_str) {
        Some("string") => &["minLength", "maxLength"],
        Some("integer" | "number") => &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
        Some("object") => &["minProperties", "maxProperties"],
        Some("array") => &["minItems", "maxItems"],
        _ => return,
    };
    let at = number.as_u64().unwrap_or_default() as u16;
    let limit = *around(limits, at).expect("there are some");
    match node.get(limit) {
        Some(_) if at == 0 => toggle(node, limit, json!(null)),
        _ => node[limit] = number.clone(),
    }
}

fn branches(node: &mut Value) -> Option<&mut Vec<Value>> {
    let criterion = ["oneOf", "anyOf", "allOf"].into_iter().find(|criterion| node.get(criterion).is_some())?;
    node[criterion].as_array_mut()
}

fn add_branch(node: &mut Value, edit: &Edit) {
    match branches(node) {
        Some(branches) => branches.push(edit.fresh.clone()),
        None => *node = json!({ "anyOf": [node, edit.fresh] }),
    }
}

fn drop_branch(node: &mut Value, with: u16) {
    if let Some(branches) = branches(node)
        && branches.len() > 1
        && let Some(at) = place(branches, with)
    {
        branches.remove(at);
    }
}
