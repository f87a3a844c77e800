//! Drafts 4, 6 and 7 as the registry loads them (everit's loader): keywords are told apart by group and become one
//! object each; where there are several, they become branches of an `allOf` that nobody wrote (compat.md §3.2).

use super::error::ParseError;
use super::java;
use super::keys::key_of_rest;
use super::keywords::{
    boolean, const_node, enum_node, integer, is_connect_bytes, is_note, notes, number_node, string_node, strings,
    sub_object,
};
use super::lookup::{Documents, Place};
use super::model::{
    ArrayNode, CombinedNode, Criterion, Kind, Node, NodeId, ObjectNode, Property, ReferenceNode, Schema,
};
use super::number::Number;
use super::pattern;
use super::value::{Object, Value};
use super::{MAX_NODES, wrong};

/// The drafts that this loader knows, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Draft {
    Four,
    Six,
    Seven,
}

impl Draft {
    /// The keyword that names a schema.
    pub fn id_keyword(self) -> &'static str {
        if self == Draft::Four { "id" } else { "$id" }
    }

    /// The draft of a meta-schema's URL.
    pub fn of_url(url: &str) -> Option<Draft> {
        let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"))?;
        let rest = rest.strip_prefix("json-schema.org/")?;
        if rest.starts_with("draft-04/schema") || rest.starts_with("schema") {
            Some(Draft::Four)
        } else if rest.starts_with("draft-06/schema") {
            Some(Draft::Six)
        } else if rest.starts_with("draft-07/schema") {
            Some(Draft::Seven)
        } else {
            None
        }
    }
}

/// Loads the outermost schema and all that it reaches. Schemas nest no deeper than told.
pub fn load<'v>(documents: &mut Documents<'v>, root: &'v Value<'v>, max_depth: usize) -> Result<Schema, ParseError> {
    let (nodes, pending) = (Vec::new(), Vec::new());
    let mut loader = Loader { nodes, documents, pending, keeps_rest: false, depth_left: max_depth };
    let place = loader.documents.root(root)?;
    let root = loader.load(place, root)?;
    while let Some(target) = loader.pending.pop() {
        loader.load_target(target)?;
    }
    Ok(Schema { nodes: loader.nodes, root, has_split: false, source: Default::default() })
}

/// A reference's target: what it is and the node kept for it.
pub(super) struct Target<'v> {
    pub node: NodeId,
    pub place: Place,
    pub value: &'v Value<'v>,
}

struct Loader<'d, 'v> {
    nodes: Vec<Node>,
    documents: &'d mut Documents<'v>,
    pending: Vec<Target<'v>>,
    /// Whether the rest of the keywords is kept: only branches of combinations are told apart by it.
    keeps_rest: bool,
    depth_left: usize,
}

/// Keywords by the object that they become part of.
#[derive(Clone, Copy, Default)]
struct Groups {
    array: bool,
    object: bool,
    number: bool,
    string: bool,
    conditional: bool,
}

fn groups_of(object: &Object, draft: Draft) -> Groups {
    let mut groups = Groups::default();
    for (name, _) in object.iter() {
        match name {
            "items" | "additionalItems" | "minItems" | "maxItems" | "uniqueItems" => groups.array = true,
            "contains" if draft > Draft::Four => groups.array = true,
            "properties" | "required" | "minProperties" | "maxProperties" | "dependencies" => groups.object = true,
            "patternProperties" | "additionalProperties" => groups.object = true,
            "propertyNames" if draft > Draft::Four => groups.object = true,
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => groups.number = true,
            "minLength" | "maxLength" | "pattern" | "format" => groups.string = true,
            "if" | "then" | "else" if draft == Draft::Seven => groups.conditional = true,
            _ => {}
        }
    }
    groups
}

fn is_used(name: &str, draft: Draft, used: Groups) -> bool {
    match name {
        "enum" | "allOf" | "anyOf" | "oneOf" | "not" | "type" | "title" | "description" | "default" => true,
        "const" => draft > Draft::Four,
        "id" => draft == Draft::Four,
        "$id" => draft > Draft::Four,
        "readOnly" | "writeOnly" => draft == Draft::Seven,
        "items" | "additionalItems" | "minItems" | "maxItems" | "uniqueItems" => used.array,
        "contains" => used.array && draft > Draft::Four,
        "properties" | "required" | "minProperties" | "maxProperties" | "dependencies" => used.object,
        "patternProperties" | "additionalProperties" => used.object,
        "propertyNames" => used.object && draft > Draft::Four,
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => used.number,
        "minLength" | "maxLength" | "pattern" | "format" => used.string,
        "if" | "then" | "else" => used.conditional,
        _ => false,
    }
}

impl<'v> Loader<'_, 'v> {
    fn push(&mut self, node: impl Into<Node>) -> Result<NodeId, ParseError> {
        if self.nodes.len() >= MAX_NODES {
            return Err(ParseError::TooLarge(MAX_NODES));
        }
        self.nodes.push(node.into());
        Ok(NodeId(self.nodes.len() as u32 - 1))
    }

    fn load(&mut self, place: Place, value: &'v Value<'v>) -> Result<NodeId, ParseError> {
        match value {
            Value::Bool(true) => self.push(Kind::True),
            Value::Bool(false) => self.push(Kind::False),
            Value::Object(object) => {
                self.depth_left = self.depth_left.checked_sub(1).ok_or(ParseError::TooDeep)?;
                let node = self.object(place, object)?;
                self.depth_left += 1;
                self.push(node)
            }
            _ => Err(wrong("a schema is an object or a boolean")),
        }
    }

    fn load_target(&mut self, target: Target<'v>) -> Result<(), ParseError> {
        self.documents.under_way = Some(target.node);
        let node = match target.value {
            Value::Bool(true) => Kind::True.into(),
            Value::Bool(false) => Kind::False.into(),
            Value::Object(object) => self.object(target.place, object)?,
            _ => return Err(wrong("a schema is an object or a boolean")),
        };
        self.nodes[target.node.index()] = node;
        Ok(())
    }

    /// What a keyword holds, as a schema.
    fn child(&mut self, place: Place, key: &str, value: &'v Value<'v>) -> Result<NodeId, ParseError> {
        let kept = std::mem::take(&mut self.keeps_rest);
        let place = self.documents.entered(place, value)?;
        let loaded = self.load(place, value).map_err(|error| error.inside(key));
        self.keeps_rest = kept;
        loaded
    }

    fn maybe_child(&mut self, place: Place, object: &'v Object<'v>, key: &str) -> Result<Option<NodeId>, ParseError> {
        object.get(key).map(|value| self.child(place, key, value)).transpose()
    }

    fn object(&mut self, place: Place, object: &'v Object<'v>) -> Result<Node, ParseError> {
        if let Some(reference) = object.get("$ref") {
            return self.reference(place, object, reference);
        }
        let groups = groups_of(object, place.draft);
        let mut parts: Vec<Kind> = Vec::new();
        self.enumeration(object, &mut parts)?;
        self.combinations(place, object, &mut parts)?;
        if let Some(negated) = self.maybe_child(place, object, "not")? {
            parts.push(Kind::Not(negated));
        }
        if let Some(constant) = object.get("const").filter(|_| place.draft > Draft::Four) {
            parts.push(Kind::Const(const_node(constant, Number::jackson)));
        }
        let mut left = groups;
        if let Some(kind) = object.get("type") {
            parts.push(self.typed(place, object, kind, &mut left)?);
        }
        self.sniffed(place, object, left, &mut parts)?;

        let kind = match parts.len() {
            0 => Kind::Empty,
            1 => parts.remove(0),
            _ => {
                let branches = parts.into_iter().map(|part| self.push(part)).collect::<Result<_, _>>()?;
                Kind::Combined(CombinedNode { criterion: Criterion::All, branches, is_synthetic: true })
            }
        };
        let used = |name: &str| is_used(name, place.draft, groups);
        Ok(Node {
            notes: notes(object, place.draft)?,
            unprocessed: if self.keeps_rest { key_of_rest(object, used) } else { None },
            is_connect_bytes: is_connect_bytes(object),
            kind,
        })
    }

    /// An object with `$ref` is that reference; what stands beside it does not count.
    fn reference(
        &mut self,
        place: Place,
        object: &'v Object<'v>,
        reference: &'v Value<'v>,
    ) -> Result<Node, ParseError> {
        let Some(text) = reference.as_str() else { return Err(wrong("$ref is not a string")) };
        let next = NodeId(self.nodes.len() as u32);
        let found = self.documents.look_up(place, text, next).map_err(|error| error.inside("$ref"))?;
        if let Some((target_place, value)) = found.to_load {
            self.push(Kind::Empty)?;
            self.pending.push(Target { node: next, place: target_place, value });
        }
        let mut notes = notes(object, place.draft)?;
        if let Some(notes) = &mut notes {
            // The loader makes the reference before it reads these, except within what it refers to.
            if !found.is_under_way {
                notes.default = None;
            }
        }
        let used = |name: &str| name == "$ref" || is_used(name, place.draft, Groups::default()) && is_note(name);
        Ok(Node {
            notes,
            unprocessed: if self.keeps_rest { key_of_rest(object, used) } else { None },
            is_connect_bytes: is_connect_bytes(object),
            kind: Kind::Reference(ReferenceNode { target: found.node, reference: found.reference }),
        })
    }

    fn enumeration(&mut self, object: &'v Object<'v>, parts: &mut Vec<Kind>) -> Result<(), ParseError> {
        match object.get("enum") {
            Some(Value::Array(values)) => parts.push(Kind::Enum(enum_node(values, Number::jackson))),
            Some(_) => return Err(wrong("enum is not a list")),
            None => {}
        }
        Ok(())
    }

    fn combinations(&mut self, place: Place, object: &'v Object<'v>, parts: &mut Vec<Kind>) -> Result<(), ParseError> {
        for criterion in [Criterion::All, Criterion::Any, Criterion::One] {
            let keyword = criterion.keyword();
            match object.get(keyword) {
                Some(Value::Array(values)) => {
                    let mut branches = Vec::with_capacity(values.len());
                    for value in values {
                        branches.push(self.branch(place, keyword, value)?);
                    }
                    parts.push(Kind::Combined(CombinedNode { criterion, branches, is_synthetic: false }));
                }
                Some(_) => return Err(wrong("allOf, anyOf and oneOf are lists").inside(keyword)),
                None => {}
            }
        }
        Ok(())
    }

    fn branch(&mut self, place: Place, keyword: &str, value: &'v Value<'v>) -> Result<NodeId, ParseError> {
        let place = self.documents.entered(place, value)?;
        let kept = std::mem::replace(&mut self.keeps_rest, true);
        let loaded = self.load(place, value).map_err(|error| error.inside(keyword));
        self.keeps_rest = kept;
        loaded
    }

    /// A list of types is an `anyOf` of parts that are all built from the same keywords.
    fn typed(
        &mut self,
        place: Place,
        object: &'v Object<'v>,
        kind: &'v Value<'v>,
        left: &mut Groups,
    ) -> Result<Kind, ParseError> {
        match kind {
            Value::String(name) => self.of_type(place, object, name, left),
            Value::Array(names) => {
                let mut branches = Vec::with_capacity(names.len());
                for name in names {
                    let Some(name) = name.as_str() else { return Err(wrong("type lists something else than names")) };
                    let part = self.of_type(place, object, name, left)?;
                    branches.push(self.push(part)?);
                }
                Ok(Kind::Combined(CombinedNode { criterion: Criterion::Any, branches, is_synthetic: false }))
            }
            _ => Err(wrong("type is neither a name nor a list of names")),
        }
    }

    fn of_type(
        &mut self,
        place: Place,
        object: &'v Object<'v>,
        name: &str,
        left: &mut Groups,
    ) -> Result<Kind, ParseError> {
        Ok(match name {
            "string" => {
                left.string = false;
                Kind::String(Box::new(string_node(object, place.draft, true)?))
            }
            "integer" | "number" => {
                left.number = false;
                let mut node = number_node(object, place.draft, true)?;
                node.requires_integer = name == "integer";
                Kind::Number(Box::new(node))
            }
            "boolean" => Kind::Boolean,
            "null" => Kind::Null,
            "array" => {
                left.array = false;
                Kind::Array(self.array(place, object, true)?)
            }
            "object" => {
                left.object = false;
                Kind::Object(self.object_node(place, object, true)?)
            }
            _ => return Err(wrong(&format!("unknown type {name}"))),
        })
    }

    /// What no type laid claim to.
    fn sniffed(
        &mut self,
        place: Place,
        object: &'v Object<'v>,
        left: Groups,
        parts: &mut Vec<Kind>,
    ) -> Result<(), ParseError> {
        if left.array {
            parts.push(Kind::Array(self.array(place, object, false)?));
        }
        if left.object {
            parts.push(Kind::Object(self.object_node(place, object, false)?));
        }
        if left.number {
            parts.push(Kind::Number(Box::new(number_node(object, place.draft, false)?)));
        }
        if left.string {
            parts.push(Kind::String(Box::new(string_node(object, place.draft, false)?)));
        }
        if left.conditional {
            let mut branches = [None; 3];
            for (branch, keyword) in branches.iter_mut().zip(["if", "then", "else"]) {
                *branch = self.maybe_child(place, object, keyword)?;
            }
            parts.push(Kind::Conditional(branches));
        }
        Ok(())
    }

    fn array(
        &mut self,
        place: Place,
        object: &'v Object<'v>,
        requires_array: bool,
    ) -> Result<Box<ArrayNode>, ParseError> {
        let mut node = ArrayNode { requires_array, ..ArrayNode::open() };
        node.min_items = integer(object, "minItems")?;
        node.max_items = integer(object, "maxItems")?;
        node.unique_items = boolean(object, "uniqueItems")?.unwrap_or(false);
        match object.get("additionalItems") {
            Some(Value::Bool(permits)) => node.permits_additional = *permits,
            Some(value @ Value::Object(_)) => node.additional = Some(self.child(place, "additionalItems", value)?),
            Some(_) => return Err(wrong("additionalItems is neither a boolean nor a schema")),
            None => {}
        }
        match object.get("items") {
            Some(Value::Array(items)) if items.is_empty() => {}
            Some(Value::Array(items)) => {
                let items: Result<Vec<NodeId>, _> = items.iter().map(|item| self.child(place, "items", item)).collect();
                node.items = Some(items?);
            }
            Some(Value::Bool(_)) if place.draft == Draft::Four => {
                return Err(wrong("items is neither a schema nor a list of schemas"));
            }
            Some(value) => node.all_items = Some(self.child(place, "items", value)?),
            None => {}
        }
        node.permits_additional |= node.all_items.is_some() || node.additional.is_some();
        if place.draft > Draft::Four {
            node.contains = self.maybe_child(place, object, "contains")?;
        }
        Ok(Box::new(node))
    }

    fn object_node(
        &mut self,
        place: Place,
        object: &'v Object<'v>,
        requires_object: bool,
    ) -> Result<Box<ObjectNode>, ParseError> {
        let mut node = ObjectNode { requires_object, ..ObjectNode::open() };
        node.min_properties = integer(object, "minProperties")?;
        node.max_properties = integer(object, "maxProperties")?;
        if let Some(properties) = sub_object(object, "properties")? {
            node.properties = self.properties(place, properties)?;
        }
        match object.get("additionalProperties") {
            Some(Value::Bool(permits)) => node.permits_additional = *permits,
            Some(value @ Value::Object(_)) => {
                node.additional = Some(self.child(place, "additionalProperties", value)?);
            }
            Some(_) => return Err(wrong("additionalProperties is neither a boolean nor a schema")),
            None => {}
        }
        node.required = strings(object.get("required"), "required")?;
        if let Some(patterns) = sub_object(object, "patternProperties")? {
            let place = self.documents.entered_object(place, patterns)?;
            for (pattern, value) in patterns.iter() {
                pattern::check(pattern)?;
                let schema = self.child(place, pattern, value).map_err(|e| e.inside("patternProperties"))?;
                node.patterns.push((pattern.into(), schema));
            }
        }
        if let Some(dependencies) = sub_object(object, "dependencies")? {
            self.dependencies(place, dependencies, &mut node)?;
        }
        if place.draft > Draft::Four {
            node.property_names = self.maybe_child(place, object, "propertyNames")?;
        }
        node.finish();
        Ok(Box::new(node))
    }

    /// The properties in the order of the registry's map, which went through several maps before.
    fn properties(&mut self, place: Place, object: &'v Object<'v>) -> Result<Vec<Property>, ParseError> {
        let place = self.documents.entered_object(place, object)?;
        let mut properties = Vec::with_capacity(object.len());
        for (name, value) in object.iter() {
            if name == place.draft.id_keyword() && value.as_object().is_none() {
                continue;
            }
            let schema = self.child(place, name, value).map_err(|error| error.inside("properties"))?;
            let required = false;
            properties.push(Property { name: name.into(), hash: java::hash(name), schema, required });
        }
        let count = object.len();
        for capacity in [java::capacity(16, count), java::capacity(count, count), java::capacity(16, count)] {
            java::iteration_order(&mut properties, capacity, |property| property.hash);
        }
        Ok(properties)
    }

    fn dependencies(&mut self, place: Place, object: &'v Object<'v>, node: &mut ObjectNode) -> Result<(), ParseError> {
        let place = self.documents.entered_object(place, object)?;
        for (name, value) in object.iter() {
            match value {
                Value::Array(_) => {
                    let mut names = strings(Some(value), "dependencies")?;
                    names.sort();
                    names.dedup();
                    if !names.is_empty() {
                        node.property_dependencies.push((name.into(), names));
                    }
                }
                Value::Bool(_) if place.draft == Draft::Four => {
                    return Err(wrong("a dependency is neither a schema nor a list of names"));
                }
                _ => {
                    let schema = self.child(place, name, value).map_err(|error| error.inside("dependencies"))?;
                    node.schema_dependencies.push((name.into(), schema));
                }
            }
        }
        let count = object.len();
        for capacity in [java::capacity(16, count), java::capacity(count, count)] {
            java::iteration_order(&mut node.property_dependencies, capacity, |(name, _)| java::hash(name));
            java::iteration_order(&mut node.schema_dependencies, capacity, |(name, _)| java::hash(name));
        }
        Ok(())
    }
}
