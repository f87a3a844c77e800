//! What registries do not look at in JSON Schema, and whether that is why an instance is not valid.

use schema_registrar::api::SchemaType;
use schema_registrar::compat::CONFLUENT_NEXT;
use schema_registrar::compat::advice::Code;
use serde_json::{Map, Value, json};

use crate::json::validator;
use crate::verdict::{self, Spot, Texts};

const RECURSION: Spot = Spot::new("recursion, up to 8.3.1", &[Code::AcceptedThoughUnreadable]);
const SEVERAL: Spot =
    Spot::new("several of these", &[Code::IgnoredKeyword, Code::RequiredWithDefault, Code::BranchesOverlap]);

/// Within a branch of a oneOf, what is not looked at may be what kept it apart from another one.
const IN_A_BRANCH: &[Code] = &[Code::IgnoredKeyword, Code::BranchesOverlap];

/// What registries do not look at, or look at wrongly: its name, and a rewriting of a schema that takes it away. If an
/// instance is valid once that is done to the new schema, it is why the instance was not.
///
/// Within `not` the two change places: there it is the old schema that loses it, and then allows less.
type Rewrite = fn(&mut Map<String, Value>, &Loose);

const BLIND_SPOTS: &[(Spot, Rewrite)] = &[
    (Spot::new("format", &[Code::IgnoredKeyword]), |node, _| drop(node.remove("format"))),
    (Spot::new("if, then, else", &[Code::IgnoredKeyword]), |node, _| {
        ["if", "then", "else"].iter().for_each(|keyword| drop(node.remove(*keyword)))
    }),
    (Spot::new("patternProperties", &[Code::IgnoredKeyword]), |node, _| {
        if let Some(Value::Object(patterns)) = node.get_mut("patternProperties") {
            patterns.values_mut().for_each(|schema| *schema = json!(true));
        }
    }),
    (Spot::new("a property beside patternProperties", IN_A_BRANCH), |node, loose| {
        if (loose.had_patterns || node.contains_key("patternProperties"))
            && let Some(Value::Object(properties)) = node.get_mut("properties")
        {
            properties.values_mut().for_each(|schema| *schema = json!(true));
        }
    }),
    (Spot::new("propertyNames", &[Code::IgnoredKeyword]), |node, _| drop(node.remove("propertyNames"))),
    (Spot::new("contains", &[Code::IgnoredKeyword]), |node, _| {
        ["contains", "minContains", "maxContains"].iter().for_each(|word| drop(node.remove(*word)))
    }),
    (Spot::new("required, but not declared", &[Code::IgnoredKeyword]), |node, _| {
        let declared = node.get("properties").cloned().unwrap_or_default();
        keep_required(node, |name| declared.get(name).is_some());
    }),
    (Spot::new("required, with a default", &[Code::RequiredWithDefault]), |node, _| {
        let declared = node.get("properties").cloned().unwrap_or_default();
        keep_required(node, |name| declared[name].get("default").is_none());
    }),
    (Spot::new("required, and takes anything", &[Code::IgnoredKeyword]), |node, _| {
        let declared = node.get("properties").cloned().unwrap_or_default();
        keep_required(node, |name| declared[name] != json!(true) && declared[name] != json!({}));
    }),
    (Spot::new("exclusive limits of draft 4", &[Code::IgnoredKeyword]), |node, _| {
        for keyword in ["exclusiveMinimum", "exclusiveMaximum"] {
            if node.get(keyword).is_some_and(Value::is_boolean) {
                node.remove(keyword);
            }
        }
    }),
    (Spot::new("a type for what had none", IN_A_BRANCH), |node, loose| {
        let names = node.get("type").map(type_names).unwrap_or_default();
        if names.iter().any(|name| loose.classes.contains(name)) {
            node.remove("type");
        }
    }),
    (Spot::new("keywords beside $ref", &[Code::IgnoredKeyword]), |node, _| {
        if node.contains_key("$ref") {
            node.retain(|keyword, _| ["$ref", "$defs", "definitions", "$schema", "$id"].contains(&keyword.as_str()));
        }
    }),
    (Spot::new("exclusiveMaximum below a greater maximum", IN_A_BRANCH), |node, _| {
        drop(node.remove("exclusiveMaximum"))
    }),
    (Spot::new("additionalItems without a list of items", &[Code::IgnoredKeyword]), |node, loose| {
        if loose.is_closed_to_nothing && node.get("items").is_some_and(Value::is_array) {
            ["items", "additionalItems"].iter().for_each(|keyword| drop(node.remove(*keyword)));
        }
    }),
    (Spot::new("multipleOf as whole numbers", &[Code::AcceptedThoughUnreadable]), |node, _| {
        drop(node.remove("multipleOf"))
    }),
    (Spot::new("branches of oneOf that overlap", &[Code::BranchesOverlap]), |node, _| {
        if let Some(branches) = node.remove("oneOf") {
            let both = match node.remove("anyOf") {
                Some(others) => json!([{ "anyOf": others }, { "anyOf": branches }]),
                None => json!([{ "anyOf": branches }]),
            };
            match node.get_mut("allOf").and_then(Value::as_array_mut) {
                Some(all) => all.extend(both.as_array().cloned().unwrap_or_default()),
                None => drop(node.insert("allOf".to_owned(), both)),
            }
        }
    }),
    // The pieces that it makes of a branch, a class each, it does not keep apart from the branches.
    (Spot::new("2020-12: pieces of a branch are branches", &[Code::AcceptedThoughUnreadable]), |node, loose| {
        for keyword in ["oneOf", "anyOf"] {
            if let Some(Value::Array(branches)) = node.get(keyword).filter(|_| loose.is_translated) {
                let pieces = json!({ "anyOf": branches.iter().flat_map(pieces).collect::<Vec<_>>() });
                node.remove(keyword);
                match node.get_mut("allOf").and_then(Value::as_array_mut) {
                    Some(all) => all.push(pieces),
                    None => drop(node.insert("allOf".to_owned(), json!([pieces]))),
                }
            }
        }
    }),
    (Spot::new("patternProperties that are gone", &[Code::IgnoredKeyword]), |node, loose| {
        if loose.had_patterns && !node.contains_key("patternProperties") {
            drop(node.remove("additionalProperties"));
        }
    }),
];

/// What a translated branch falls into: the keywords of each class, and all others one by one.
fn pieces(branch: &Value) -> Vec<Value> {
    let Value::Object(node) = branch else { return vec![branch.clone()] };
    let mut left = node.clone();
    let asked = node.get("type").map(type_names).unwrap_or_default();
    let mut pieces = Vec::new();
    for (types, keywords) in CLASSES {
        let is_asked = asked.iter().any(|name| types.contains(&name.as_str()));
        let names = keywords.iter().chain(is_asked.then_some(&"type"));
        let piece: Map<String, Value> =
            names.filter_map(|name| left.remove(*name).map(|value| ((*name).to_owned(), value))).collect();
        if !piece.is_empty() {
            pieces.push(Value::Object(piece));
        }
    }
    pieces.extend(left.into_iter().map(|(keyword, value)| json!({ keyword: value })));
    pieces
}

fn keep_required(node: &mut Map<String, Value>, keeps: impl Fn(&str) -> bool) {
    if let Some(Value::Array(required)) = node.get_mut("required") {
        required.retain(|name| name.as_str().is_some_and(&keeps));
    }
}

/// What schemas leave open that registries take for closed.
struct Loose {
    /// The types that they have keywords for without asking for the type.
    classes: Vec<String>,
    /// One of them has `additionalItems: false` that is beside no list of items, and so means nothing.
    is_closed_to_nothing: bool,
    /// One of them has patterns of properties.
    had_patterns: bool,
    /// The schemas are of a draft that the registry translates.
    is_translated: bool,
}

/// Types, and keywords that mean something for them alone.
const CLASSES: [(&[&str], &[&str]); 4] = [
    (&["array"], &["items", "prefixItems", "additionalItems", "minItems", "maxItems", "uniqueItems", "contains"]),
    (
        &["object"],
        &[
            "properties",
            "required",
            "additionalProperties",
            "minProperties",
            "maxProperties",
            "dependencies",
            "dependentRequired",
            "patternProperties",
            "propertyNames",
        ],
    ),
    (&["integer", "number"], &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]),
    (&["string"], &["minLength", "maxLength", "pattern", "format"]),
];

impl Loose {
    fn of(schemas: &[Value]) -> Loose {
        let is_translated = schemas.iter().any(|schema| {
            let draft = schema.get("$schema").and_then(Value::as_str).unwrap_or_default();
            draft.contains("2020-12") || draft.contains("2019-09")
        });
        let mut loose = Loose { classes: Vec::new(), is_closed_to_nothing: false, had_patterns: false, is_translated };
        schemas.iter().for_each(|schema| loose.look(schema));
        loose
    }

    fn look(&mut self, value: &Value) {
        match value {
            Value::Object(node) => {
                let asked = node.get("type").map(type_names).unwrap_or_default();
                for (types, keywords) in CLASSES {
                    let is_asked = asked.iter().any(|name| types.contains(&name.as_str()));
                    if !is_asked && keywords.iter().any(|keyword| node.contains_key(*keyword)) {
                        self.classes.extend(types.iter().map(|name| (*name).to_owned()));
                    }
                }
                self.is_closed_to_nothing |= node.get("additionalItems") == Some(&json!(false))
                    && !node.get("items").is_some_and(Value::is_array);
                self.had_patterns |= node.contains_key("patternProperties");
                node.values().for_each(|inner| self.look(inner));
            }
            Value::Array(items) => items.iter().for_each(|item| self.look(item)),
            _ => {}
        }
    }
}

fn type_names(written: &Value) -> Vec<String> {
    let listed = written.as_array().map_or_else(|| std::slice::from_ref(written), Vec::as_slice);
    listed.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// A schema that can be rewritten, and what it refers to.
struct Rewritable {
    schema: Value,
    references: Vec<(String, Value)>,
}

impl Rewritable {
    fn of(schema: &Value, texts: &Texts) -> Option<Rewritable> {
        let read = |(name, text): &(String, String)| Some((name.clone(), serde_json::from_str(text).ok()?));
        let references = texts.references.iter().map(read).collect::<Option<_>>()?;
        Some(Rewritable { schema: schema.clone(), references })
    }

    fn all(&self) -> Vec<Value> {
        self.references.iter().map(|(_, schema)| schema.clone()).chain([self.schema.clone()]).collect()
    }

    /// Whether an instance is valid once everything is rewritten, within `not` or outside it.
    fn accepts_after(&self, instance: &Value, rewrites: &[Rewrite], loose: &Loose, within_not: bool) -> Option<bool> {
        let rewritten = |schema: &Value| {
            let mut schema = schema.clone();
            rewrites.iter().for_each(|rewrite| rewrite_all(&mut schema, &|node| rewrite(node, loose), !within_not));
            schema
        };
        let references =
            self.references.iter().map(|(name, schema)| (name.clone(), rewritten(schema).to_string())).collect();
        let texts = Texts { text: String::new(), references };
        Some(validator(&rewritten(&self.schema), &texts)?.is_valid(instance))
    }
}

/// Each that explains by itself why an instance passes wrongly; else that it is several of them.
pub fn known_to_pass_wrongly(
    [new, old]: [&Value; 2],
    reader: &Texts,
    writer: &Texts,
    instance: &Value,
) -> Option<Vec<Spot>> {
    let (new, old) = (Rewritable::of(new, reader)?, Rewritable::of(old, writer)?);
    // Where the two change places, the new one is what the type is taken from.
    let (outside, inside) = (Loose::of(&old.all()), Loose::of(&new.all()));
    let explain = |rewrites: &[Rewrite]| {
        new.accepts_after(instance, rewrites, &outside, false) == Some(true)
            || old.accepts_after(instance, rewrites, &inside, true) == Some(false)
    };
    let each: Vec<Spot> =
        BLIND_SPOTS.iter().filter(|(_, rewrite)| explain(&[*rewrite])).map(|(spot, _)| *spot).collect();
    if !each.is_empty() {
        return Some(each);
    }
    if verdict::reads(SchemaType::Json, reader, writer, &CONFLUENT_NEXT) == Some(false) {
        return Some(vec![RECURSION]);
    }
    let all: Vec<Rewrite> = BLIND_SPOTS.iter().map(|(_, rewrite)| *rewrite).collect();
    explain(&all).then(|| vec![SEVERAL])
}

/// Rewrites the objects in it that stand, or do not stand, within a `not`. All keywords that hold schemas are gone
/// through, and what is none has none of the keywords.
fn rewrite_all(value: &mut Value, rewrite: &impl Fn(&mut Map<String, Value>), is_here: bool) {
    match value {
        Value::Object(node) => {
            for (keyword, inner) in node.iter_mut() {
                match keyword.as_str() {
                    "enum" | "const" | "default" => {}
                    // What is referred to may be so from anywhere.
                    "definitions" | "$defs" => rewrite_all(inner, rewrite, true),
                    _ => rewrite_all(inner, rewrite, is_here != (keyword == "not")),
                }
            }
            if is_here {
                rewrite(node);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| rewrite_all(item, rewrite, is_here)),
        _ => {}
    }
}
