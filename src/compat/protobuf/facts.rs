//! What the differences are about, named as the person who wrote the schema would. Of what one side does not have,
//! the declaration is kept, since putting it back or out mends the difference.

use super::fields::FieldNode;
use super::node::Node;
use crate::compat::Facts;
use crate::schema::protobuf::{Field, FieldType, Label, Oneof};

pub(super) fn of(subject: impl Into<String>, reader: impl Into<String>, writer: impl Into<String>) -> Facts {
    Facts { subject: subject.into(), reader: reader.into(), writer: writer.into() }
}

pub(super) fn message_added(node: Node<'_>) -> Facts {
    of(message(node), declaration(node), "")
}

pub(super) fn message_removed(node: Node<'_>) -> Facts {
    of(message(node), "", declaration(node))
}

/// Places count from 1, among the messages around it.
pub(super) fn message_moved(node: Node<'_>, before: usize, after: usize) -> Facts {
    of(message(node), (after + 1).to_string(), (before + 1).to_string())
}

pub(super) fn enumeration(node: Node<'_>) -> Facts {
    of(format!("enum {}", node.definition.local_name), "", "")
}

/// The names of a number on both sides.
pub(super) fn constant(node: Node<'_>, number: i32, reader: Option<&str>, writer: Option<&str>) -> Facts {
    let subject = format!("number {number} of enum {}", node.definition.local_name);
    of(subject, reader.unwrap_or_default(), writer.unwrap_or_default())
}

pub(super) fn field_added(field: &FieldNode<'_>) -> Facts {
    of(subject(field), field_declaration(field), "")
}

pub(super) fn field_removed(field: &FieldNode<'_>) -> Facts {
    of(subject(field), "", field_declaration(field))
}

pub(super) fn field_names(reader: &FieldNode<'_>, writer: &FieldNode<'_>) -> Facts {
    of(subject(reader), &*reader.field.name, &*writer.field.name)
}

pub(super) fn field_types(reader: &FieldNode<'_>, writer: &FieldNode<'_>) -> Facts {
    of(subject(reader), type_name(&reader.field.field_type), type_name(&writer.field.field_type))
}

pub(super) fn labels(reader: &FieldNode<'_>, writer: &FieldNode<'_>) -> Facts {
    of(subject(reader), label(reader.field), label(writer.field))
}

pub(super) fn oneof(node: Node<'_>, oneof: &Oneof) -> Facts {
    of(oneof_subject(node, oneof), "", "")
}

/// The names of the fields that moved, with commas, and the writer's declarations of them, a line each.
pub(super) fn moved_fields<'a>(node: Node<'_>, oneof: &Oneof, moved: impl Iterator<Item = FieldNode<'a>>) -> Facts {
    let (mut names, mut declarations) = (Vec::new(), Vec::new());
    for field in moved {
        names.push(&*field.field.name);
        declarations.push(field_declaration(&field));
    }
    of(oneof_subject(node, oneof), names.join(", "), declarations.join("\n"))
}

pub(super) fn member_added(field: &FieldNode<'_>, oneof: &Oneof) -> Facts {
    of(member(field, oneof), field_declaration(field), "")
}

pub(super) fn member_removed(field: &FieldNode<'_>, oneof: &Oneof) -> Facts {
    of(member(field, oneof), "", field_declaration(field))
}

fn message(node: Node<'_>) -> String {
    format!("message {}", node.definition.local_name)
}

fn subject(field: &FieldNode<'_>) -> String {
    format!("field {} of {}", field.field.name, field.message.node.definition.local_name)
}

fn member(field: &FieldNode<'_>, oneof: &Oneof) -> String {
    let inside = &field.message.node.definition.local_name;
    format!("field {} of oneof {} of {inside}", field.field.name, oneof.name)
}

fn oneof_subject(node: Node<'_>, oneof: &Oneof) -> String {
    format!("oneof {} of {}", oneof.name, node.definition.local_name)
}

fn declaration(node: Node<'_>) -> &str {
    let text = &node.schema.file(node.definition).text;
    text.get(node.definition.span.clone()).unwrap_or_default()
}

fn field_declaration<'a>(field: &FieldNode<'a>) -> &'a str {
    let node = field.message.node;
    node.schema.file(node.definition).text.get(field.field.span.clone()).unwrap_or_default()
}

pub(super) fn label(field: &Field) -> &'static str {
    field.label.map(Label::spelling).unwrap_or_default()
}

pub(super) fn type_name(field_type: &FieldType) -> String {
    match field_type {
        FieldType::Scalar(scalar) => scalar.keyword().to_owned(),
        FieldType::Named(named) => named.written.to_string(),
        FieldType::Map(entry) => format!("map<{}, {}>", type_name(&entry.0), type_name(&entry.1)),
    }
}
