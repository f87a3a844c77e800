//! What a difference's path leads to in a schema's text.

use std::ops::Range;

use crate::schema::protobuf::{Body, Definition, Field, Message, Oneof, Schema};

/// The innermost type that is there, and the steps that lead on. A step may go through several types at once, with
/// dots: so does the path of what is compared because a field refers to it.
pub(super) struct Place<'a> {
    pub definition: Option<&'a Definition>,
    pub rest: Vec<&'a str>,
}

impl<'a> Place<'a> {
    pub fn find(schema: &'a Schema, path: &'a str) -> Place<'a> {
        let mut place = Place { definition: None, rest: path.split('/').skip(1).collect() };
        let mut siblings = schema.main().types.as_slice();
        while let Some(step) = place.rest.first() {
            let (name, further) = step.split_once('.').unwrap_or((step, ""));
            let mut types = siblings.iter().map(|id| schema.get(*id));
            let Some(definition) = types.find(|definition| *definition.name == *name) else { break };
            place.definition = Some(definition);
            siblings = place.message().map(|message| message.nested.as_slice()).unwrap_or_default();
            if further.is_empty() {
                place.rest.remove(0);
            } else {
                place.rest[0] = further;
            }
        }
        place
    }

    /// The innermost type, where it is a message.
    pub fn message(&self) -> Option<&'a Message> {
        match &self.definition?.body {
            Body::Message(message) => Some(message),
            Body::Enum(_) => None,
        }
    }

    /// The number that ends the path.
    pub fn number(&self) -> Option<i32> {
        self.rest.last()?.parse().ok()
    }

    /// The field whose number ends the path.
    pub fn field(&self) -> Option<&'a Field> {
        let number = self.number()?;
        let message = self.message()?;
        let members = message.oneofs.iter().flat_map(|oneof| &oneof.fields);
        message.fields.iter().chain(members).find(|field| field.number == number)
    }

    /// The oneof that the path goes through.
    pub fn oneof(&self) -> Option<&'a Oneof> {
        let name = self.rest.first()?;
        self.message()?.oneofs.iter().find(|oneof| *oneof.name == **name)
    }

    /// The end of the message or, where there is none, of the text.
    pub fn end(&self, schema: &Schema) -> Range<usize> {
        let end = schema.main().text.len();
        self.definition.map_or(end..end, |definition| before_brace(&definition.span))
    }
}

/// The place before the brace that ends a declaration.
pub(super) fn before_brace(span: &Range<usize>) -> Range<usize> {
    let brace = span.end.saturating_sub(1);
    brace..brace
}
