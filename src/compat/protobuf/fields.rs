//! Two fields of one number: name, kind, scalar kind, named type, label.

use super::checker::{Checker, MessageNode, Node};
use super::{facts, rules};
use crate::compat::Failure;
use crate::schema::protobuf::{Body, Field, FieldType, Message, Named, Scalar, Schema};

/// A field, and the message that it is in.
#[derive(Clone, Copy)]
pub(super) struct FieldNode<'a> {
    pub message: MessageNode<'a>,
    pub field: &'a Field,
}

/// What kind of value a field holds. Enums are numbers; a message that says it is the entry of a map is one.
enum Kind<'a> {
    Scalar(ScalarKind),
    Message(&'a Named, Option<MessageNode<'a>>),
    Map(&'a FieldType, &'a FieldType, &'a Schema),
}

/// Scalars that can be read as one another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ScalarKind {
    Varint,
    Zigzag,
    Text,
    Fixed32,
    Fixed64,
    Float,
    Double,
}

impl Checker {
    pub(super) fn compare_fields<'a>(&mut self, reader: FieldNode<'a>, writer: FieldNode<'a>) -> Result<(), Failure> {
        if reader.field.name != writer.field.name {
            self.add(rules::FIELD_NAME_CHANGED, facts::field_names(reader, writer));
        }
        self.compare_labels(reader, writer);
        let schemas = (reader.message.node.schema, writer.message.node.schema);
        self.compare_field_types((reader, writer), &reader.field.field_type, &writer.field.field_type, schemas)
    }

    fn compare_field_types<'a>(
        &mut self,
        fields: (FieldNode<'a>, FieldNode<'a>),
        reader: &'a FieldType,
        writer: &'a FieldType,
        schemas: (&'a Schema, &'a Schema),
    ) -> Result<(), Failure> {
        match (kind(reader, schemas.0), kind(writer, schemas.1)) {
            (Kind::Scalar(reader), Kind::Scalar(writer)) => {
                if reader != writer {
                    self.add(rules::FIELD_SCALAR_KIND_CHANGED, facts::field_types(fields.0, fields.1));
                }
                Ok(())
            }
            (Kind::Message(reader, reader_type), Kind::Message(writer, writer_type)) => {
                let differs = match (reader_type, writer_type) {
                    (Some(reader), Some(writer)) => self.compare_named(reader, writer)?,
                    _ => reader.written != writer.written,
                };
                if differs {
                    self.add(rules::FIELD_NAMED_TYPE_CHANGED, facts::field_types(fields.0, fields.1));
                }
                Ok(())
            }
            (Kind::Map(reader, reader_value, of_reader), Kind::Map(writer, writer_value, of_writer)) => {
                self.compare_field_types(fields, reader, writer, (of_reader, of_writer))?;
                self.compare_field_types(fields, reader_value, writer_value, (of_reader, of_writer))
            }
            _ => {
                self.add(rules::FIELD_KIND_CHANGED, facts::field_types(fields.0, fields.1));
                Ok(())
            }
        }
    }

    /// Whether two messages that fields refer to differ: by name without the package or, where one comes from a
    /// reference, by what breaks in them.
    fn compare_named<'a>(&mut self, reader: MessageNode<'a>, writer: MessageNode<'a>) -> Result<bool, Failure> {
        if reader.node.definition.local_name != writer.node.definition.local_name {
            return Ok(true);
        }
        if reader.node.is_own() && writer.node.is_own() || reader.node.is_known_to_be(writer.node) {
            return Ok(false);
        }
        self.compare_referenced(reader, writer)
    }

    /// Only labels that both sides write are compared, and only those of scalars.
    fn compare_labels<'a>(&mut self, reader: FieldNode<'a>, writer: FieldNode<'a>) {
        let (Some(after), Some(before)) = (reader.field.label, writer.field.label) else { return };
        if after == before {
            return;
        }
        let schemas = (reader.message.node.schema, writer.message.node.schema);
        let kinds = (kind(&reader.field.field_type, schemas.0), kind(&writer.field.field_type, schemas.1));
        let (Kind::Scalar(reader_kind), Kind::Scalar(writer_kind)) = kinds else { return };
        if reader_kind != writer_kind {
            return;
        }
        let rule = match reader_kind {
            ScalarKind::Text => rules::FIELD_STRING_OR_BYTES_LABEL_CHANGED,
            _ => rules::FIELD_NUMERIC_LABEL_CHANGED,
        };
        self.add(rule, facts::labels(reader, after, before));
    }
}

fn kind<'a>(field_type: &'a FieldType, schema: &'a Schema) -> Kind<'a> {
    match field_type {
        FieldType::Scalar(scalar) => Kind::Scalar(scalar_kind(*scalar)),
        FieldType::Map(entry) => Kind::Map(&entry.0, &entry.1, schema),
        FieldType::Named(named) => {
            let Some(target) = named.target else { return Kind::Message(named, None) };
            let node = Node::new(schema, target);
            match &node.definition.body {
                Body::Enum(_) => Kind::Scalar(ScalarKind::Varint),
                Body::Message(message) => match entry(message) {
                    Some((key, value)) => Kind::Map(key, value, node.schema),
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

fn scalar_kind(scalar: Scalar) -> ScalarKind {
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
