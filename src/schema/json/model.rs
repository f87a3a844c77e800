//! The object model that the registry's checker compares: everit's classes, with what the checker looks at.
//!
//! Nodes refer to each other by number, so that recursion is a cycle in a list. Two nodes may stem from the same
//! part of the text: what is reached through `$ref` is loaded apart from what stands there.

use super::java;
use super::number::Number;
use super::written::{Source, Texts};

/// Text of the user's.
pub(crate) type Text = Box<str>;

/// A schema with its references resolved.
#[derive(Clone, Debug)]
pub struct Schema {
    pub(super) nodes: Vec<Node>,
    pub(super) root: NodeId,
    /// Branches of anyOf or oneOf fell into pieces that are branches by themselves.
    pub(super) has_split: bool,
    pub(super) source: Source,
}

/// Names a node of a [`Schema`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct NodeId(pub(super) u32);

/// One schema object.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// What only describes; none where there is nothing of it.
    pub notes: Option<Box<Notes>>,
    /// Keywords that the loader has no use for, as canonical JSON; none where there are none or nobody asks.
    pub unprocessed: Option<Text>,
    /// `connect.type` is `bytes`.
    pub is_connect_bytes: bool,
    /// What it demands.
    pub kind: Kind,
}

/// What describes a schema.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes {
    pub id: Option<Text>,
    pub title: Option<Text>,
    pub description: Option<Text>,
    pub default: Option<Default_>,
    /// `readOnly` and `writeOnly`, which only tell branches of combinations apart.
    pub access: [Option<bool>; 2],
}

/// A default value.
#[derive(Clone, Debug)]
pub(crate) struct Default_ {
    /// Equal for equal values. Objects and arrays never equal another in the registry: they have none.
    pub key: Option<Text>,
}

/// The classes of the registry's object model.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Empty,
    True,
    False,
    Null,
    Boolean,
    String(Box<StringNode>),
    Number(Box<NumberNode>),
    Object(Box<ObjectNode>),
    Array(Box<ArrayNode>),
    Combined(CombinedNode),
    Not(NodeId),
    Enum(EnumNode),
    Const(ConstNode),
    Conditional([Option<NodeId>; 3]),
    Reference(ReferenceNode),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct StringNode {
    pub requires_string: bool,
    pub min_length: Option<i32>,
    pub max_length: Option<i32>,
    pub pattern: Option<Text>,
    /// A format that the loader knows.
    pub format: Option<Text>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct NumberNode {
    pub requires_number: bool,
    pub requires_integer: bool,
    pub minimum: Option<Number>,
    pub maximum: Option<Number>,
    pub exclusive_minimum: Option<Number>,
    pub exclusive_maximum: Option<Number>,
    pub multiple_of: Option<Number>,
    /// Draft 4: whether minimum and maximum are exclusive.
    pub exclusive: [bool; 2],
}

#[derive(Clone, Debug)]
pub(crate) struct ObjectNode {
    pub requires_object: bool,
    /// In the order of the registry's map.
    pub properties: Vec<Property>,
    /// Places in `properties` by hash and name, where there are many.
    pub(super) index: Vec<u32>,
    /// As written; also names that are no property.
    pub required: Vec<Text>,
    pub permits_additional: bool,
    pub additional: Option<NodeId>,
    pub unevaluated: Option<NodeId>,
    pub patterns: Vec<(Text, NodeId)>,
    pub property_dependencies: Vec<(Text, Vec<Text>)>,
    pub schema_dependencies: Vec<(Text, NodeId)>,
    pub min_properties: Option<i32>,
    pub max_properties: Option<i32>,
    pub property_names: Option<NodeId>,
}

/// A property of an object.
#[derive(Clone, Debug)]
pub(crate) struct Property {
    pub name: Text,
    /// As Java's maps spread it.
    pub hash: u32,
    pub schema: NodeId,
    pub required: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct ArrayNode {
    pub requires_array: bool,
    pub all_items: Option<NodeId>,
    pub items: Option<Vec<NodeId>>,
    pub permits_additional: bool,
    pub additional: Option<NodeId>,
    pub unevaluated: Option<NodeId>,
    pub min_items: Option<i32>,
    pub max_items: Option<i32>,
    pub unique_items: bool,
    pub contains: Option<NodeId>,
    pub min_contains: Option<Number>,
    pub max_contains: Option<Number>,
}

#[derive(Clone, Debug)]
pub(crate) struct CombinedNode {
    pub criterion: Criterion,
    pub branches: Vec<NodeId>,
    /// Made by the loader, not written by the user: the order of its branches is not determined.
    pub is_synthetic: bool,
}

/// How many branches must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Criterion {
    All,
    Any,
    One,
}

#[derive(Clone, Debug)]
pub(crate) struct EnumNode {
    /// In the order of the text: equal for values that Java calls equal.
    pub keys: Vec<Text>,
}

#[derive(Clone, Debug)]
pub(crate) struct ConstNode {
    /// None for null; equal for values that Java calls equal.
    pub key: Option<Text>,
}

#[derive(Clone, Debug)]
pub(crate) struct ReferenceNode {
    pub target: NodeId,
    /// As the loader keeps it.
    pub reference: Text,
}

impl Schema {
    /// A schema that is only `true` or `false`.
    pub(super) fn boolean(is: bool) -> Schema {
        Schema {
            nodes: vec![if is { Kind::True } else { Kind::False }.into()],
            root: NodeId(0),
            has_split: false,
            source: Source::default(),
        }
    }

    /// The outermost schema object.
    pub(crate) fn root(&self) -> NodeId {
        self.root
    }

    /// What its text says, keyword by keyword.
    pub(crate) fn texts(&self) -> Option<Texts<'_>> {
        self.source.texts()
    }

    /// How many schema objects there are.
    pub(crate) fn size(&self) -> usize {
        self.nodes.len()
    }

    /// All schema objects.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter()
    }

    /// The schema object of that number.
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// Whether branches of anyOf or oneOf fell into pieces that are branches by themselves.
    pub(crate) fn has_split_branches(&self) -> bool {
        self.has_split
    }

    /// The same schema with its branches whole, and with every `$ref` leading to its end: behind a `$ref` to a `$ref`
    /// the checker looks no further.
    pub(crate) fn without_shortcuts(&self) -> Schema {
        let whole = if self.has_split { self.source.with_whole_branches() } else { None };
        let mut schema = whole.unwrap_or_else(|| self.clone());
        for at in 0..schema.nodes.len() {
            let end = schema.end_of_chain(NodeId(at as u32));
            if let Kind::Reference(reference) = &mut schema.nodes[at].kind {
                reference.target = end;
            }
        }
        schema
    }

    /// Where a chain of `$ref`s leads. One that leads back to itself ends anywhere.
    fn end_of_chain(&self, from: NodeId) -> NodeId {
        let mut at = from;
        for _ in 0..MAX_CHAIN {
            match &self.node(at).kind {
                Kind::Reference(reference) => at = reference.target,
                _ => break,
            }
        }
        at
    }

    /// What stands behind one `$ref`, as the checker follows them: only one.
    pub(crate) fn followed(&self, id: NodeId) -> NodeId {
        match &self.node(id).kind {
            Kind::Reference(reference) => reference.target,
            _ => id,
        }
    }
}

impl NodeId {
    /// The node of that number.
    pub fn of(index: u32) -> NodeId {
        NodeId(index)
    }

    /// From 0, dense.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Criterion {
    /// The keyword.
    pub fn keyword(self) -> &'static str {
        match self {
            Criterion::All => "allOf",
            Criterion::Any => "anyOf",
            Criterion::One => "oneOf",
        }
    }
}

impl Node {
    /// Bytes of names and values in it.
    pub(super) fn text(&self) -> usize {
        let notes = self.notes.as_deref().map_or(0, |notes| {
            let default = notes.default.as_ref().and_then(|default| default.key.as_ref());
            [&notes.id, &notes.title, &notes.description]
                .into_iter()
                .flatten()
                .chain(default)
                .map(|text| text.len())
                .sum()
        });
        let own: usize = match &self.kind {
            Kind::Object(object) => {
                let properties = object.properties.iter().map(|property| property.name.len());
                let patterns = object.patterns.iter().map(|(pattern, _)| pattern.len());
                properties.chain(patterns).chain(object.required.iter().map(|name| name.len())).sum()
            }
            Kind::Enum(values) => values.keys.iter().map(|key| key.len()).sum(),
            Kind::Const(value) => value.key.as_ref().map_or(0, |key| key.len()),
            Kind::String(string) => string.pattern.as_ref().map_or(0, |pattern| pattern.len()),
            Kind::Reference(reference) => reference.reference.len(),
            _ => 0,
        };
        own + notes + self.unprocessed.as_ref().map_or(0, |text| text.len())
    }

    /// Whether a default is given, be it null.
    pub fn has_default(&self) -> bool {
        self.notes.as_ref().is_some_and(|notes| notes.default.is_some())
    }
}

impl From<Kind> for Node {
    fn from(kind: Kind) -> Node {
        Node { notes: None, unprocessed: None, is_connect_bytes: false, kind }
    }
}

/// More `$ref`s in a row than anyone writes.
const MAX_CHAIN: usize = 64;

/// Objects with more properties than this get an index of them.
const INDEXED_FROM: usize = 8;

impl ObjectNode {
    /// Anything.
    pub fn open() -> ObjectNode {
        ObjectNode {
            requires_object: true,
            properties: Vec::new(),
            index: Vec::new(),
            required: Vec::new(),
            permits_additional: true,
            additional: None,
            unevaluated: None,
            patterns: Vec::new(),
            property_dependencies: Vec::new(),
            schema_dependencies: Vec::new(),
            min_properties: None,
            max_properties: None,
            property_names: None,
        }
    }

    /// The property of that name.
    pub fn property(&self, name: &str, hash: u32) -> Option<&Property> {
        self.place(name, hash).map(|place| &self.properties[place])
    }

    fn place(&self, name: &str, hash: u32) -> Option<usize> {
        if self.index.is_empty() {
            return self.properties.iter().position(|property| property.hash == hash && *property.name == *name);
        }
        let order = |&place: &u32| {
            let property = &self.properties[place as usize];
            property.hash.cmp(&hash).then_with(|| (*property.name).cmp(name))
        };
        self.index.binary_search_by(order).ok().map(|at| self.index[at] as usize)
    }

    /// Marks the required properties and makes the index; once all properties and required names are there.
    pub(super) fn finish(&mut self) {
        if self.properties.len() > INDEXED_FROM {
            let mut index: Vec<u32> = (0..self.properties.len() as u32).collect();
            index.sort_by(|&a, &b| {
                let (a, b) = (&self.properties[a as usize], &self.properties[b as usize]);
                a.hash.cmp(&b.hash).then_with(|| a.name.cmp(&b.name))
            });
            self.index = index;
        }
        for at in 0..self.required.len() {
            let name = &self.required[at];
            if let Some(place) = self.place(name, java::hash(name)) {
                self.properties[place].required = true;
            }
        }
    }
}

impl ArrayNode {
    /// Anything.
    pub fn open() -> ArrayNode {
        ArrayNode {
            requires_array: true,
            all_items: None,
            items: None,
            permits_additional: true,
            additional: None,
            unevaluated: None,
            min_items: None,
            max_items: None,
            unique_items: false,
            contains: None,
            min_contains: None,
            max_contains: None,
        }
    }
}
