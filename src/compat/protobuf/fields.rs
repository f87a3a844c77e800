//! Two fields of one number: name, kind, scalar kind, named type, label.

use super::checker::{Checker, Stop};
use super::facts;
use super::node::{MessageNode, Node, Origin};
use super::rules::{self, Rule};
use crate::schema::protobuf::{Body, Field, FieldType, Message, Named, Scalar, Schema};

/// A field, and the message that it is in.
#[derive(Clone, Copy)]
pub(super) struct FieldNode<'a> {
    pub message: MessageNode<'a>,
    pub field: &'a Field,
}

/// The reader's and the writer's field.
type Fields<'a> = (&'a FieldNode<'a>, &'a FieldNode<'a>);

/// What kind of value a field holds. Enums are numbers; a message that says it is the entry of a map is one.
enum Kind<'a> {
    Scalar(ScalarKind),
    Message(&'a Named, Option<MessageNode<'a>>),
    Map(Entry<'a>),
}

/// What a map holds, and where its types are declared.
struct Entry<'a> {
    key: &'a FieldType,
    value: &'a FieldType,
    schema: &'a Schema,
}

/// Scalars that can be read as one another.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::compat) enum ScalarKind {
    Varint,
    Zigzag,
    Text,
    Fixed32,
    Fixed64,
    Float,
    Double,
}

impl Checker {
    pub(super) fn compare_fields(&mut self, reader: &FieldNode<'_>, writer: &FieldNode<'_>) -> Result<(), Stop> {
        self.compare_names_and_labels(reader, writer)?;
        self.compare_kinds(&reader.kind(), &writer.kind(), (reader, writer))
    }

    /// FIELD_NAME_CHANGED, and the rules of labels.
    fn compare_names_and_labels(&mut self, reader: &FieldNode<'_>, writer: &FieldNode<'_>) -> Result<(), Stop> {
        if reader.field.name != writer.field.name {
            self.add(rules::FIELD_NAME_CHANGED, facts::field_names(reader, writer))?;
        }
        match label_rule(reader, writer) {
            Some(rule) => self.add(rule, facts::labels(reader, writer)),
            None => Ok(()),
        }
    }

    /// What a field holds; of maps, the key and then the value.
    fn compare_kinds(&mut self, reader: &Kind<'_>, writer: &Kind<'_>, of: Fields<'_>) -> Result<(), Stop> {
        if let (Kind::Map(after), Kind::Map(before)) = (reader, writer) {
            self.compare_kinds(&after.key(), &before.key(), of)?;
            return self.compare_kinds(&after.value(), &before.value(), of);
        }
        match self.type_rule(reader, writer)? {
            Some(rule) => self.add_type_rule(rule, of),
            None => Ok(()),
        }
    }

    fn add_type_rule(&mut self, rule: Rule, of: Fields<'_>) -> Result<(), Stop> {
        self.add(rule, facts::field_types(of.0, of.1))
    }

    /// FIELD_KIND_CHANGED, FIELD_SCALAR_KIND_CHANGED, FIELD_NAMED_TYPE_CHANGED.
    fn type_rule(&mut self, reader: &Kind<'_>, writer: &Kind<'_>) -> Result<Option<Rule>, Stop> {
        let rule = match (reader, writer) {
            (Kind::Scalar(after), Kind::Scalar(before)) if after == before => None,
            (Kind::Scalar(_), Kind::Scalar(_)) => Some(rules::FIELD_SCALAR_KIND_CHANGED),
            (Kind::Message(_, Some(after)), Kind::Message(_, Some(before))) => {
                self.differs(after, before)?.then_some(rules::FIELD_NAMED_TYPE_CHANGED)
            }
            (Kind::Message(after, _), Kind::Message(before, _)) => {
                (after.written != before.written).then_some(rules::FIELD_NAMED_TYPE_CHANGED)
            }
            _ => Some(rules::FIELD_KIND_CHANGED),
        };
        Ok(rule)
    }

    /// Whether two messages that fields refer to differ: by name without the package or, where one comes from a
    /// reference, by what breaks in them.
    fn differs(&mut self, reader: &MessageNode<'_>, writer: &MessageNode<'_>) -> Result<bool, Stop> {
        if reader.node.definition.local_name != writer.node.definition.local_name {
            return Ok(true);
        }
        let same = match (reader.node.origin(), writer.node.origin()) {
            (Origin::Own, Origin::Own) => true,
            (Origin::Reference, Origin::Reference) => self.same_references,
            (Origin::WellKnown(id), Origin::WellKnown(other)) => id == other,
            _ => false,
        };
        if same {
            return Ok(false);
        }
        self.compare_referenced(reader, writer)
    }
}

impl<'a> FieldNode<'a> {
    fn kind(&self) -> Kind<'a> {
        kind(&self.field.field_type, self.message.node.schema)
    }
}

impl<'a> Entry<'a> {
    fn key(&self) -> Kind<'a> {
        kind(self.key, self.schema)
    }

    fn value(&self) -> Kind<'a> {
        kind(self.value, self.schema)
    }
}

/// FIELD_NUMERIC_LABEL_CHANGED, FIELD_STRING_OR_BYTES_LABEL_CHANGED: only labels that both sides write are compared, and
/// only those of scalars of one kind.
fn label_rule(reader: &FieldNode<'_>, writer: &FieldNode<'_>) -> Option<Rule> {
    if reader.field.label? == writer.field.label? {
        return None;
    }
    match (reader.kind(), writer.kind()) {
        (Kind::Scalar(kind), Kind::Scalar(other)) if kind == other => Some(match kind {
            ScalarKind::Text => rules::FIELD_STRING_OR_BYTES_LABEL_CHANGED,
            _ => rules::FIELD_NUMERIC_LABEL_CHANGED,
        }),
        _ => None,
    }
}

fn kind<'a>(field_type: &'a FieldType, schema: &'a Schema) -> Kind<'a> {
    match field_type {
        FieldType::Scalar(scalar) => Kind::Scalar(scalar_kind(*scalar)),
        FieldType::Map(entry) => Kind::Map(Entry { key: &entry.0, value: &entry.1, schema }),
        FieldType::Named(named) => {
            let Some(target) = named.target else { return Kind::Message(named, None) };
            let node = Node::new(schema, target);
            match &node.definition.body {
                Body::Enum(_) => Kind::Scalar(ScalarKind::Varint),
                Body::Message(message) => match entry(message) {
                    Some((key, value)) => Kind::Map(Entry { key, value, schema: node.schema }),
                    None => Kind::Message(named, Some(MessageNode { node, message })),
                },
            }
        }
    }
}

/// Key and value of a message that says it is the entry of a map.
fn entry(message: &Message) -> Option<(&FieldType, &FieldType)> {
    let field = |name| message.fields.iter().find(|field| &*field.name == name).map(|field| &field.field_type);
    if message.map_entry { field("key").zip(field("value")) } else { None }
}

/// Which of them a scalar is.
pub(in crate::compat) fn scalar_kind(scalar: Scalar) -> ScalarKind {
    match scalar {
        Scalar::Int32 | Scalar::Int64 | Scalar::Uint32 | Scalar::Uint64 | Scalar::Bool => ScalarKind::Varint,
        Scalar::Sint32 | Scalar::Sint64 => ScalarKind::Zigzag,
        Scalar::String | Scalar::Bytes => ScalarKind::Text,
        Scalar::Fixed32 | Scalar::Sfixed32 => ScalarKind::Fixed32,
        Scalar::Fixed64 | Scalar::Sfixed64 => ScalarKind::Fixed64,
        Scalar::Float => ScalarKind::Float,
        Scalar::Double => ScalarKind::Double,
    }
}
