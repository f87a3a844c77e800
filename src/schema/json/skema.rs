//! Drafts 2019-09 and 2020-12 as the registry loads them: json-sKema reads one small schema a keyword, and the
//! registry's translation puts them together as objects of everit's model (compat.md §3.2). Pieces of one class are
//! merged; what is left are branches of an `allOf` that nobody wrote.

use std::collections::HashMap;

use super::anchors::{Place, Resources};
use super::error::ParseError;
use super::java;
use super::keys::{key, key_of_rest};
use super::keywords::{const_node, enum_node};
use super::model::{
    ArrayNode, CombinedNode, Criterion, Default_, Kind, Node, NodeId, Notes, NumberNode, ObjectNode, Property,
    ReferenceNode, Schema, StringNode, Text,
};
use super::number::Number;
use super::pattern;
use super::pieces::{Pieces, array, number, object_piece, string, untyped_array, untyped_object};
use super::value::{Object, Value};
use super::{MAX_NODES, wrong};

/// Whether a `$schema` is read by this loader.
pub fn reads(url: &str) -> bool {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://")).unwrap_or_default();
    ["json-schema.org/draft/2020-12/schema", "json-schema.org/draft/2019-09/schema"]
        .iter()
        .any(|known| rest.starts_with(known))
}

/// Loads the outermost schema and all that it reaches. Schemas nest no deeper than told, also where they refer to
/// others.
pub fn load<'v>(
    resources: &mut Resources<'v>,
    root: &'v Value<'v>,
    max_depth: usize,
    splits_branches: bool,
) -> Result<Schema, ParseError> {
    let place = resources.root(root)?;
    let mut loader = Loader {
        nodes: Vec::new(),
        text: 0,
        resources,
        under_way: Vec::new(),
        done: HashMap::new(),
        depth: 0,
        max_depth,
        splits_branches,
        has_split: false,
        is_checking: false,
    };
    let root = loader.target(place, root)?;
    Ok(Schema { nodes: loader.nodes, root, has_split: loader.has_split, source: Default::default() })
}

struct Loader<'r, 'v> {
    nodes: Vec<Node>,
    /// Bytes of the user's in them.
    text: usize,
    resources: &'r mut Resources<'v>,
    /// What is being translated, outermost first.
    under_way: Vec<UnderWay<'v>>,
    done: HashMap<*const Value<'v>, NodeId>,
    depth: usize,
    max_depth: usize,
    /// As the registry does, in [`Loader::combined`].
    splits_branches: bool,
    /// It mattered.
    has_split: bool,
    /// What is loaded now is not kept.
    is_checking: bool,
}

/// What a `$ref` led to, or the outermost schema, while it is being translated. It is built twice: the second one is
/// what some `$ref`s within it lead to, so that recursion shows one level more in the registry's paths.
struct UnderWay<'v> {
    value: *const Value<'v>,
    first: NodeId,
    second: NodeId,
}

/// What holds a schema, as far as that matters for a `$ref` in it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holder {
    Property,
    Other,
}

/// What a `$ref` leads to is translated anew for each, as the registry does; from this many nodes on it is shared.
const SHARED_FROM: usize = 20_000;

/// The same for bytes of names and values.
const SHARED_FROM_TEXT: usize = 4 << 20;

impl<'v> Loader<'_, 'v> {
    fn push(&mut self, node: impl Into<Node>) -> Result<NodeId, ParseError> {
        if self.nodes.len() >= MAX_NODES {
            return Err(ParseError::TooLarge(MAX_NODES));
        }
        let node = node.into();
        self.text += node.text();
        self.nodes.push(node);
        Ok(NodeId(self.nodes.len() as u32 - 1))
    }

    fn schema(&mut self, place: Place, value: &'v Value<'v>) -> Result<NodeId, ParseError> {
        let node = self.built(place, value, Holder::Other)?;
        self.push(node)
    }

    fn child(&mut self, place: Place, key: &str, value: &'v Value<'v>) -> Result<NodeId, ParseError> {
        self.schema(place, value).map_err(|error| error.inside(key))
    }

    fn built(&mut self, place: Place, value: &'v Value<'v>, holder: Holder) -> Result<Node, ParseError> {
        match value {
            Value::Bool(true) => Ok(Kind::True.into()),
            Value::Bool(false) => Ok(Kind::False.into()),
            Value::Object(object) => {
                let place = self.resources.entered(place, object)?;
                let pieces = self.pieces(place, object, holder)?;
                self.joined(object, pieces, false)
            }
            _ => Err(wrong("a schema is an object or a boolean")),
        }
    }

    /// The outermost schema, or what a `$ref` leads to.
    fn target(&mut self, place: Place, value: &'v Value<'v>) -> Result<NodeId, ParseError> {
        let (first, second) = (self.push(Kind::Empty)?, self.push(Kind::Empty)?);
        self.under_way.push(UnderWay { value, first, second });
        let built = self.built(place, value, Holder::Other)?;
        self.under_way.pop();
        self.text += 2 * built.text();
        self.nodes[second.index()] = built.clone();
        self.nodes[first.index()] = built;
        Ok(first)
    }

    /// One piece is the schema; several are branches of an `allOf`.
    fn joined(&mut self, object: &'v Object<'v>, pieces: Pieces, is_branch: bool) -> Result<Node, ParseError> {
        let mut pieces = pieces.0;
        let kind = match pieces.len() {
            0 => Kind::Empty,
            1 => pieces.remove(0),
            _ => {
                let branches = pieces.into_iter().map(|piece| self.push(piece)).collect::<Result<_, _>>()?;
                Kind::Combined(CombinedNode { criterion: Criterion::All, branches, is_synthetic: true })
            }
        };
        Ok(Node {
            notes: notes(object)?,
            unprocessed: if is_branch { key_of_rest(object, is_known) } else { None },
            is_connect_bytes: object.get("connect.type").and_then(Value::as_str) == Some("bytes"),
            kind,
        })
    }

    fn pieces(&mut self, place: Place, object: &'v Object<'v>, holder: Holder) -> Result<Pieces, ParseError> {
        self.depth += 1;
        if self.depth > self.max_depth {
            return Err(ParseError::TooDeep);
        }
        let mut pieces = Pieces::default();
        for (name, value) in object.iter() {
            let piece = match (name, holder) {
                ("$ref", holder) => self.reference(place, value, holder).map(Some),
                _ => self.keyword(place, object, name, value),
            };
            if let Some(piece) = piece.map_err(|error| error.inside(name))? {
                pieces.add(piece);
            }
        }
        if let Some(properties) = object.get("properties") {
            let piece = self.properties(place, properties).map_err(|error| error.inside("properties"))?;
            if let Some(piece) = piece {
                pieces.add(piece);
            }
        }
        if let Some(patterns) = object.get("patternProperties") {
            let piece = self.patterns(place, patterns).map_err(|error| error.inside("patternProperties"))?;
            if let Some(piece) = piece {
                pieces.add(piece);
            }
        }
        if let Some(value) = object.get("unevaluatedItems") {
            let unevaluated = Some(self.child(place, "unevaluatedItems", value)?);
            pieces.add(array(ArrayNode { unevaluated, ..untyped_array() }));
        }
        if let Some(value) = object.get("unevaluatedProperties") {
            let unevaluated = Some(self.child(place, "unevaluatedProperties", value)?);
            pieces.add(object_piece(ObjectNode { unevaluated, ..untyped_object() }));
        }
        pieces.settle(&mut self.nodes);
        for piece in &mut pieces.0 {
            if let Kind::Object(node) = piece {
                let capacity = java::capacity(16, node.properties.len());
                java::iteration_order(&mut node.properties, capacity, |property| property.hash);
                node.finish();
            }
        }
        self.depth -= 1;
        Ok(pieces)
    }

    /// What one keyword demands; none where the translation drops it.
    fn keyword(
        &mut self,
        place: Place,
        object: &'v Object<'v>,
        name: &str,
        value: &'v Value<'v>,
    ) -> Result<Option<Kind>, ParseError> {
        Ok(Some(match name {
            "type" => self.typed(value)?,
            "enum" => Kind::Enum(enum_node(list(value)?, Number::skema)),
            "const" => Kind::Const(const_node(value, Number::skema)),
            "not" => Kind::Not(self.schema(place, value)?),
            "allOf" => self.combined(place, Criterion::All, value)?,
            "anyOf" => self.combined(place, Criterion::Any, value)?,
            "oneOf" => self.combined(place, Criterion::One, value)?,
            "minLength" => string(StringNode { min_length: Some(int(value)?), ..StringNode::default() }),
            "maxLength" => string(StringNode { max_length: Some(int(value)?), ..StringNode::default() }),
            "pattern" => {
                let text = text(value)?;
                pattern::check(&text)?;
                string(StringNode { pattern: Some(text), ..StringNode::default() })
            }
            "minimum" => number(NumberNode { minimum: Some(any_number(value)?), ..NumberNode::default() }),
            "maximum" => number(NumberNode { maximum: Some(any_number(value)?), ..NumberNode::default() }),
            "exclusiveMinimum" => {
                number(NumberNode { exclusive_minimum: Some(any_number(value)?), ..NumberNode::default() })
            }
            "exclusiveMaximum" => {
                number(NumberNode { exclusive_maximum: Some(any_number(value)?), ..NumberNode::default() })
            }
            "multipleOf" => number(NumberNode { multiple_of: Some(any_number(value)?), ..NumberNode::default() }),
            "minItems" => array(ArrayNode { min_items: Some(int(value)?), ..untyped_array() }),
            "maxItems" => array(ArrayNode { max_items: Some(int(value)?), ..untyped_array() }),
            "uniqueItems" => array(ArrayNode { unique_items: boolean(value)?, ..untyped_array() }),
            "prefixItems" => self.prefix_items(place, value)?,
            "items" => self.items(place, object, value)?,
            "contains" => self.contains(place, object, value)?,
            "required" => object_piece(ObjectNode { required: names(value)?, ..untyped_object() }),
            "minProperties" => object_piece(ObjectNode { min_properties: Some(int(value)?), ..untyped_object() }),
            "maxProperties" => object_piece(ObjectNode { max_properties: Some(int(value)?), ..untyped_object() }),
            "additionalProperties" => self.additional_properties(place, value)?,
            "propertyNames" => {
                let property_names = Some(self.schema(place, value)?);
                object_piece(ObjectNode { property_names, ..untyped_object() })
            }
            "dependentRequired" => dependent_required(value)?,
            "dependentSchemas" => self.dependent_schemas(place, value)?,
            "if" => {
                let mut parts = [Some(self.schema(place, value)?), None, None];
                for (part, keyword) in parts[1..].iter_mut().zip(["then", "else"]) {
                    *part = object.get(keyword).map(|value| self.child(place, keyword, value)).transpose()?;
                }
                Kind::Conditional(parts)
            }
            "$dynamicRef" => return Err(ParseError::NotKnown("$dynamicRef")),
            "format" => {
                text(value)?;
                Kind::Empty
            }
            "readOnly" | "writeOnly" if boolean(value)? => Kind::Empty,
            "deprecated" => {
                boolean(value)?;
                return Ok(None);
            }
            "$defs" => {
                self.check(place, value)?;
                return Ok(None);
            }
            _ => return Ok(None),
        }))
    }

    /// Definitions are loaded though nothing may refer to them: what is wrong in them is refused.
    fn check(&mut self, place: Place, definitions: &'v Value<'v>) -> Result<(), ParseError> {
        let was_checking = std::mem::replace(&mut self.is_checking, true);
        for (name, definition) in map(definitions)?.iter() {
            let kept = self.nodes.len();
            self.child(place, name, definition)?;
            self.nodes.truncate(kept);
        }
        self.is_checking = was_checking;
        Ok(())
    }

    fn typed(&mut self, value: &'v Value<'v>) -> Result<Kind, ParseError> {
        match value {
            Value::String(name) => of_type(name),
            Value::Array(names) => {
                let mut branches = Vec::with_capacity(names.len());
                for name in names {
                    let kind = of_type(&text(name)?)?;
                    branches.push(self.push(kind)?);
                }
                Ok(Kind::Combined(CombinedNode { criterion: Criterion::Any, branches, is_synthetic: true }))
            }
            _ => Err(wrong("type is neither a name nor a list of names")),
        }
    }

    /// Pieces that were not merged become branches by themselves: the translation does not keep them apart from
    /// the branches of the combination that they stand in.
    fn combined(&mut self, place: Place, criterion: Criterion, value: &'v Value<'v>) -> Result<Kind, ParseError> {
        let mut branches = Vec::new();
        for branch in list(value)? {
            match branch {
                Value::Object(object) => {
                    let place = self.resources.entered(place, object)?;
                    let pieces = self.pieces(place, object, Holder::Other)?;
                    if pieces.0.len() > 1 && (self.splits_branches || criterion == Criterion::All) {
                        self.has_split |= criterion != Criterion::All;
                        for piece in pieces.0 {
                            branches.push(self.push(piece)?);
                        }
                    } else {
                        let node = self.joined(object, pieces, true)?;
                        branches.push(self.push(node)?);
                    }
                }
                _ => branches.push(self.schema(place, branch)?),
            }
        }
        Ok(Kind::Combined(CombinedNode { criterion, branches, is_synthetic: false }))
    }

    fn reference(&mut self, place: Place, value: &'v Value<'v>, holder: Holder) -> Result<Kind, ParseError> {
        let (name, place, value) = self.resources.look_up(place, &text(value)?)?;
        if self.is_checking {
            return Ok(Kind::Empty);
        }
        let target = match self.under_way.iter().rposition(|under_way| std::ptr::eq(under_way.value, value)) {
            Some(at) => {
                // The outermost schema is at 0, what it refers to at 1.
                let is_innermost = at + 1 == self.under_way.len();
                let is_second = at < 2 || is_innermost && holder == Holder::Property;
                if is_second { self.under_way[at].second } else { self.under_way[at].first }
            }
            None => match self.done.get(&std::ptr::from_ref(value)) {
                Some(done) if self.nodes.len() > SHARED_FROM || self.text > SHARED_FROM_TEXT => *done,
                _ => {
                    let target = self.target(place, value)?;
                    self.done.insert(value, target);
                    target
                }
            },
        };
        Ok(Kind::Reference(ReferenceNode { target, reference: name.into() }))
    }

    fn prefix_items(&mut self, place: Place, value: &'v Value<'v>) -> Result<Kind, ParseError> {
        let items: Vec<NodeId> = list(value)?.iter().map(|item| self.schema(place, item)).collect::<Result<_, _>>()?;
        Ok(array(ArrayNode { items: (!items.is_empty()).then_some(items), ..untyped_array() }))
    }

    /// After `prefixItems` these are the rest.
    fn items(&mut self, place: Place, object: &'v Object<'v>, value: &'v Value<'v>) -> Result<Kind, ParseError> {
        let has_prefix = matches!(object.get("prefixItems"), Some(Value::Array(items)) if !items.is_empty());
        let mut node = untyped_array();
        match value {
            Value::Bool(permits) if has_prefix => node.permits_additional = *permits,
            _ if has_prefix => node.additional = Some(self.schema(place, value)?),
            _ => node.all_items = Some(self.schema(place, value)?),
        }
        Ok(array(node))
    }

    fn contains(&mut self, place: Place, object: &'v Object<'v>, value: &'v Value<'v>) -> Result<Kind, ParseError> {
        let count = |keyword: &str| match object.get(keyword) {
            Some(Value::Number(text)) => Some(Number::skema(text)),
            _ => None,
        };
        let min_contains = Some(count("minContains").unwrap_or_else(|| Number::skema("1")));
        let max_contains = count("maxContains");
        let contains = Some(self.schema(place, value)?);
        Ok(array(ArrayNode { contains, min_contains, max_contains, ..untyped_array() }))
    }

    fn additional_properties(&mut self, place: Place, value: &'v Value<'v>) -> Result<Kind, ParseError> {
        let mut node = untyped_object();
        match value {
            Value::Bool(permits) => node.permits_additional = *permits,
            _ => node.additional = Some(self.schema(place, value)?),
        }
        Ok(object_piece(node))
    }

    fn dependent_schemas(&mut self, place: Place, value: &'v Value<'v>) -> Result<Kind, ParseError> {
        let mut node = untyped_object();
        for (name, schema) in map(value)?.iter() {
            node.schema_dependencies.push((name.into(), self.child(place, name, schema)?));
        }
        Ok(object_piece(node))
    }

    fn properties(&mut self, place: Place, value: &'v Value<'v>) -> Result<Option<Kind>, ParseError> {
        let mut node = untyped_object();
        for (name, schema) in map(value)?.iter() {
            let schema = self.built(place, schema, Holder::Property).map_err(|error| error.inside(name))?;
            let schema = self.push(schema)?;
            let (hash, required) = (java::hash(name), false);
            node.properties.push(Property { name: name.into(), hash, schema, required });
        }
        Ok((!node.properties.is_empty()).then(|| object_piece(node)))
    }

    fn patterns(&mut self, place: Place, value: &'v Value<'v>) -> Result<Option<Kind>, ParseError> {
        let mut node = untyped_object();
        for (pattern, schema) in map(value)?.iter() {
            pattern::check(pattern)?;
            let schema = self.child(place, pattern, schema)?;
            node.patterns.push((pattern.into(), schema));
        }
        Ok((!node.patterns.is_empty()).then(|| object_piece(node)))
    }
}

fn of_type(name: &str) -> Result<Kind, ParseError> {
    Ok(match name {
        "string" => string(StringNode { requires_string: true, ..StringNode::default() }),
        "integer" => number(NumberNode { requires_number: true, requires_integer: true, ..NumberNode::default() }),
        "number" => number(NumberNode { requires_number: true, ..NumberNode::default() }),
        "boolean" => Kind::Boolean,
        "null" => Kind::Null,
        "array" => array(ArrayNode::open()),
        "object" => object_piece(ObjectNode::open()),
        _ => return Err(wrong(&format!("unknown type {name}"))),
    })
}

fn dependent_required(value: &Value) -> Result<Kind, ParseError> {
    let mut node = untyped_object();
    for (name, needed) in map(value)?.iter() {
        let mut needed = names(needed)?;
        needed.sort();
        needed.dedup();
        if !needed.is_empty() {
            node.property_dependencies.push((name.into(), needed));
        }
    }
    Ok(object_piece(node))
}

/// Keywords that json-sKema knows, used or not.
pub(super) fn is_known(name: &str) -> bool {
    matches!(
        name,
        "$id"
            | "$anchor"
            | "$dynamicRef"
            | "$dynamicAnchor"
            | "$ref"
            | "$defs"
            | "$schema"
            | "$vocabulary"
            | "minLength"
            | "maxLength"
            | "allOf"
            | "anyOf"
            | "oneOf"
            | "additionalProperties"
            | "properties"
            | "patternProperties"
            | "title"
            | "description"
            | "readOnly"
            | "writeOnly"
            | "deprecated"
            | "default"
            | "enum"
            | "const"
            | "false"
            | "true"
            | "type"
            | "not"
            | "required"
            | "maximum"
            | "minimum"
            | "exclusiveMaximum"
            | "exclusiveMinimum"
            | "multipleOf"
            | "uniqueItems"
            | "items"
            | "prefixItems"
            | "contains"
            | "minContains"
            | "maxContains"
            | "if"
            | "then"
            | "else"
            | "dependentSchemas"
            | "dependentRequired"
            | "unevaluatedItems"
            | "unevaluatedProperties"
            | "minItems"
            | "maxItems"
            | "minProperties"
            | "maxProperties"
            | "propertyNames"
            | "pattern"
            | "format"
    )
}

/// The loader does not keep `$id`.
fn notes(object: &Object) -> Result<Option<Box<Notes>>, ParseError> {
    let mut notes = Notes::default();
    let mut any = false;
    for (name, value) in object.iter() {
        match name {
            "title" => notes.title = Some(text(value).map_err(|error| error.inside(name))?),
            "description" => notes.description = Some(text(value).map_err(|error| error.inside(name))?),
            "default" => {
                let is_null = matches!(value, Value::Null); // which counts as no default here
                notes.default = (!is_null).then(|| Default_ { key: Some(key(value, Number::skema)) });
            }
            _ => continue,
        }
        any = true;
    }
    Ok(any.then(|| Box::new(notes)))
}

fn text(value: &Value) -> Result<Text, ParseError> {
    value.as_str().map(Text::from).ok_or_else(|| wrong("this is not a string"))
}

fn list<'a, 'v>(value: &'a Value<'v>) -> Result<&'a [Value<'v>], ParseError> {
    match value {
        Value::Array(items) => Ok(items),
        _ => Err(wrong("this is not a list")),
    }
}

fn map<'a, 'v>(value: &'a Value<'v>) -> Result<&'a Object<'v>, ParseError> {
    value.as_object().ok_or_else(|| wrong("this is not an object"))
}

fn names(value: &Value) -> Result<Vec<Text>, ParseError> {
    list(value)?.iter().map(text).collect()
}

fn boolean(value: &Value) -> Result<bool, ParseError> {
    match value {
        Value::Bool(is) => Ok(*is),
        _ => Err(wrong("this is not a boolean")),
    }
}

fn any_number(value: &Value) -> Result<Number, ParseError> {
    match value {
        Value::Number(text) => Ok(Number::skema(text)),
        _ => Err(wrong("this is not a number")),
    }
}

/// `Number.intValue()`, also of fractions.
fn int(value: &Value) -> Result<i32, ParseError> {
    any_number(value).map(|number| number.int())
}
