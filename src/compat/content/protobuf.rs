//! The parts of a Protobuf schema: messages, fields by their number, values of enums; and the text around them.

use super::Content;
use crate::schema::protobuf::{Body, Field, Message, Schema, outline};

/// Takes a text apart. Nothing is told where it cannot be read.
pub(super) fn take_apart(text: &str, content: &mut Content) -> Option<()> {
    let schema = outline(text).ok()?;
    let file = schema.main();
    content.add("the package".to_owned(), file.package.to_string());
    let mut around = text.to_owned();
    for id in &file.types {
        let definition = schema.get(*id);
        // What is told below is blanked out, at the same length: spans stay true.
        if let Some(told) = text.get(definition.span.clone()) {
            around.replace_range(definition.span.clone(), &" ".repeat(told.len()));
        }
    }
    content.add("the text outside messages and enums".to_owned(), words(&around));
    let mut next = file.types.clone();
    while let Some(id) = next.pop() {
        let definition = schema.get(id);
        match &definition.body {
            Body::Message(message) => {
                next.extend(&message.nested);
                message_parts(&definition.local_name, message, text, content);
                content.add(
                    format_args!("message {}", definition.local_name),
                    rest(&schema, text, definition.span.clone(), message),
                );
            }
            Body::Enum(values) => {
                for value in &values.constants {
                    content.add(
                        format_args!("value {} of {}", value.name, definition.local_name),
                        value.number.to_string(),
                    );
                }
                let said = format!("{:?}", values.reserved);
                content.add(format_args!("enum {}", definition.local_name), said);
            }
        }
    }
    Some(())
}

fn message_parts(name: &str, message: &Message, text: &str, content: &mut Content) {
    let mut field = |field: &Field, oneof: &str| {
        let says = text.get(field.span.clone()).map(words).unwrap_or_default();
        content.add(format_args!("field {} = {} of {name}", field.name, field.number), format_args!("{oneof} {says}"));
    };
    message.fields.iter().for_each(|one| field(one, ""));
    for oneof in &message.oneofs {
        oneof.fields.iter().for_each(|one| field(one, &oneof.name));
    }
}

/// What a message says besides its fields and the types in it: reserved numbers, options, groups.
fn rest(schema: &Schema, text: &str, span: std::ops::Range<usize>, message: &Message) -> String {
    let fields = message.fields.iter().chain(message.oneofs.iter().flat_map(|oneof| &oneof.fields));
    let mut told: Vec<_> = fields.map(|field| field.span.clone()).collect();
    told.extend(message.nested.iter().map(|id| schema.get(*id).span.clone()));
    told.sort_by_key(|span| span.start);
    let (mut rest, mut at) = (String::new(), span.start);
    for inner in told {
        rest.push_str(text.get(at..inner.start).unwrap_or_default());
        at = at.max(inner.end);
    }
    rest.push_str(text.get(at..span.end).unwrap_or_default());
    words(&rest)
}

/// The text with one blank between words. Semicolons end fields, and are left out with them or not.
fn words(text: &str) -> String {
    text.replace(';', " ").split_whitespace().collect::<Vec<_>>().join(" ")
}
