//! JSON Schemas: as values in the words of draft 7, written in those of a later draft where that is asked for.

mod changes;
mod nodes;
mod words;

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use self::changes::{Edit, change_one, edit};
use self::nodes::{defined, node};
use self::words::{in_later_words, write_shuffled};
use super::shuffle;

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

fn branches(node: &mut Value) -> Option<&mut Vec<Value>> {
    let criterion = ["oneOf", "anyOf", "allOf"].into_iter().find(|criterion| node.get(criterion).is_some())?;
    node[criterion].as_array_mut()
}
