//! Types of a schema as the checker walks them.

use crate::schema::protobuf::{Body, Definition, Enum, Message, Schema, Target, TypeId};

/// A type, and the schema that declares it.
#[derive(Clone, Copy)]
pub(super) struct Node<'a> {
    pub schema: &'a Schema,
    pub target: Target,
    pub definition: &'a Definition,
}

impl<'a> Node<'a> {
    pub fn new(schema: &'a Schema, target: Target) -> Node<'a> {
        let (declaring, id) = schema.target(target);
        Node { schema: declaring, target, definition: declaring.get(id) }
    }

    fn nested(self, id: TypeId) -> Node<'a> {
        let target = match self.target {
            Target::Declared(_) => Target::Declared(id),
            Target::WellKnown(_) => Target::WellKnown(id),
        };
        Node { target, definition: self.schema.get(id), ..self }
    }

    pub fn origin(self) -> Origin {
        match self.target {
            Target::WellKnown(id) => Origin::WellKnown(id),
            Target::Declared(_) if self.schema.declares(self.definition) => Origin::Own,
            Target::Declared(_) => Origin::Reference,
        }
    }
}

/// Where a type is declared.
#[derive(Clone, Copy)]
pub(super) enum Origin {
    /// In the schema's own text.
    Own,
    /// In one that it refers to.
    Reference,
    /// In one that every registry knows.
    WellKnown(TypeId),
}

/// A message, and the type that it is.
#[derive(Clone, Copy)]
pub(super) struct MessageNode<'a> {
    pub node: Node<'a>,
    pub message: &'a Message,
}

impl<'a> MessageNode<'a> {
    /// The types declared in it.
    pub fn nested(&self) -> Vec<Node<'a>> {
        self.message.nested.iter().map(|id| self.node.nested(*id)).collect()
    }
}

/// An enum, and the type that it is.
#[derive(Clone, Copy)]
pub(super) struct EnumNode<'a> {
    pub node: Node<'a>,
    pub enumeration: &'a Enum,
}

/// The top-level types of a schema.
pub(super) fn own(schema: &Schema) -> Vec<Node<'_>> {
    schema.main().types.iter().map(|id| Node::new(schema, Target::Declared(*id))).collect()
}

/// The messages among these types; entries of maps are no messages of their own.
pub(super) fn messages<'a>(types: &[Node<'a>]) -> Vec<MessageNode<'a>> {
    let message = |node: &Node<'a>| match &node.definition.body {
        Body::Message(message) if !message.map_entry => Some(MessageNode { node: *node, message }),
        _ => None,
    };
    types.iter().filter_map(message).collect()
}

/// The enums among these types.
pub(super) fn enums<'a>(types: &[Node<'a>]) -> Vec<EnumNode<'a>> {
    let enumeration = |node: &Node<'a>| match &node.definition.body {
        Body::Enum(enumeration) => Some(EnumNode { node: *node, enumeration }),
        Body::Message(_) => None,
    };
    types.iter().filter_map(enumeration).collect()
}

pub(super) fn names<'a>(messages: &[MessageNode<'a>]) -> impl ExactSizeIterator<Item = &'a str> {
    messages.iter().map(|message| &*message.node.definition.name)
}

pub(super) fn enum_names<'a>(enums: &[EnumNode<'a>]) -> impl ExactSizeIterator<Item = &'a str> {
    enums.iter().map(|enumeration| &*enumeration.node.definition.name)
}
