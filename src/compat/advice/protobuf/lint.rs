//! What the registry takes in a text and protoc refuses: A24.

use std::collections::HashMap;

use super::slots;
use crate::compat::advice::words::advice;
use crate::compat::advice::{Advice, Code, Given};
use crate::schema::protobuf::{Body, Definition, Enum, Message, Schema, TypeId};

/// The largest number that a field can have.
const MAX_NUMBER: i32 = (1 << 29) - 1;

/// What other clients refuse.
pub(in crate::compat::advice) fn of_schema(schema: &Schema) -> Vec<Advice> {
    let mut told = Given::new();
    let mut next: Vec<(String, TypeId)> = schema.main().types.iter().rev().map(|id| ("#".to_owned(), *id)).collect();
    while let Some((around, id)) = next.pop() {
        if told.is_full() {
            break;
        }
        let definition = schema.get(id);
        let path = format!("{around}/{}", definition.name);
        match &definition.body {
            Body::Message(message) => {
                fields(&path, definition, message, &mut told);
                next.extend(message.nested.iter().rev().map(|id| (path.clone(), *id)));
            }
            Body::Enum(constants) => {
                let found = first_constant(&path, definition, constants, schema.main().proto3);
                found.into_iter().for_each(|one| told.push(one));
            }
        }
    }
    told.into_vec()
}

fn fields(path: &str, definition: &Definition, message: &Message, told: &mut Given<Advice>) {
    let slots = slots(message);
    let members = message.oneofs.iter().flat_map(|oneof| &oneof.fields);
    let mut names = HashMap::new();
    for field in message.fields.iter().chain(members) {
        if told.is_full() {
            return;
        }
        let (name, number, inside) = (&field.name, field.number, &definition.local_name);
        let why = match slots.get(&number).map(super::Slot::name) {
            Some(first) if *first != **name => Some(format!("number {number} is that of field {first} as well")),
            _ if !(1..=MAX_NUMBER).contains(&number) => Some(format!("{number} is no number that a field can have")),
            _ if (19_000..20_000).contains(&number) => Some(format!("{number} is kept for Protobuf itself")),
            _ if message.reserved.has_number(number) => Some(format!("number {number} is reserved")),
            _ if message.reserved.has_name(name) => Some(format!("the name {name} is reserved")),
            _ => None,
        };
        let twice = names.insert(&**name, number).map(|_| "another field has its name".to_owned());
        if let Some(why) = why.or(twice) {
            let message = format!("field {name} of {inside} is refused by protoc: {why}");
            let remedy = format!("give {name} a number and a name of its own");
            told.push(advice(Code::InvalidElsewhere, format!("{path}/{number}"), message, remedy));
        }
    }
}

/// proto3 reads what is unset as 0.
fn first_constant(path: &str, definition: &Definition, constants: &Enum, proto3: bool) -> Option<Advice> {
    let first = constants.constants.first().filter(|first| proto3 && first.number != 0)?;
    let message = format!(
        "enum {} is refused by protoc: its first constant {} is {}, and proto3 wants 0",
        definition.local_name, first.name, first.number
    );
    let remedy = format!("put a constant with number 0 first in enum {}", definition.local_name);
    Some(advice(Code::InvalidElsewhere, path, message, remedy))
}
