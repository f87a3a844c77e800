//! What single keywords of drafts 4, 6 and 7 become.

use super::error::ParseError;
use super::everit::Draft;
use super::keys::key;
use super::model::{ConstNode, Default_, EnumNode, Notes, NumberNode, StringNode, Text};
use super::number::Number;
use super::value::{Object, Value};
use super::{pattern, wrong};

pub(super) fn is_note(name: &str) -> bool {
    matches!(name, "title" | "description" | "default" | "id" | "$id" | "readOnly" | "writeOnly")
}

pub(super) fn notes(object: &Object, draft: Draft) -> Result<Option<Box<Notes>>, ParseError> {
    let mut notes = Notes::default();
    let mut any = false;
    for (name, value) in object.iter() {
        match name {
            "title" => notes.title = Some(text(value, "title")?),
            "description" => notes.description = Some(text(value, "description")?),
            "default" => notes.default = Some(default_of(value)),
            "readOnly" | "writeOnly" if draft == Draft::Seven => {
                let Value::Bool(is) = value else { return Err(wrong(&format!("{name} is not a boolean"))) };
                notes.access[usize::from(name == "writeOnly")] = Some(*is);
            }
            _ if name == draft.id_keyword() => notes.id = Some(text(value, name)?),
            _ => continue,
        }
        any = true;
    }
    Ok(any.then(|| Box::new(notes)))
}

pub(super) fn default_of(value: &Value) -> Default_ {
    let has_key = !matches!(value, Value::Array(_) | Value::Object(_));
    Default_ { key: has_key.then(|| key(value, Number::jackson)) }
}

pub(super) fn is_connect_bytes(object: &Object) -> bool {
    object.get("connect.type").and_then(Value::as_str) == Some("bytes")
}

/// The possible values of an enum.
pub(super) fn enum_node(values: &[Value], number: fn(&str) -> Number) -> EnumNode {
    EnumNode { keys: values.iter().map(|value| key(value, number)).collect() }
}

/// The one possible value.
pub(super) fn const_node(value: &Value, number: fn(&str) -> Number) -> ConstNode {
    let is_null = matches!(value, Value::Null);
    ConstNode { key: (!is_null).then(|| key(value, number)) }
}

pub(super) fn string_node(object: &Object, draft: Draft, requires_string: bool) -> Result<StringNode, ParseError> {
    let pattern = object.get("pattern").map(|value| text(value, "pattern")).transpose()?;
    if let Some(pattern) = &pattern {
        pattern::check(pattern)?;
    }
    let format = object.get("format").map(|value| text(value, "format")).transpose()?;
    Ok(StringNode {
        requires_string,
        min_length: integer(object, "minLength")?,
        max_length: integer(object, "maxLength")?,
        pattern,
        format: format.filter(|format| knows_format(format, draft)),
    })
}

pub(super) fn knows_format(format: &str, draft: Draft) -> bool {
    match format {
        "date-time" | "uri" | "email" | "ipv4" | "ipv6" | "hostname" => true,
        "json-pointer" | "uri-reference" | "uri-template" => draft > Draft::Four,
        "date" | "time" | "regex" | "relative-json-pointer" => draft == Draft::Seven,
        _ => false,
    }
}

pub(super) fn number_node(object: &Object, draft: Draft, requires_number: bool) -> Result<NumberNode, ParseError> {
    let mut node = NumberNode { requires_number, ..NumberNode::default() };
    node.minimum = number(object, "minimum")?;
    node.maximum = number(object, "maximum")?;
    node.multiple_of = number(object, "multipleOf")?;
    if node.multiple_of.as_ref().is_some_and(|number| number.double() == 0.0) {
        return Err(wrong("multipleOf is 0"));
    }
    if draft == Draft::Four {
        let is = |key| boolean(object, key).map(|is| is.unwrap_or(false));
        node.exclusive = [is("exclusiveMinimum")?, is("exclusiveMaximum")?];
    } else {
        node.exclusive_minimum = number(object, "exclusiveMinimum")?;
        node.exclusive_maximum = number(object, "exclusiveMaximum")?;
    }
    Ok(node)
}

pub(super) fn text(value: &Value, key: &str) -> Result<Text, ParseError> {
    value.as_str().map(Text::from).ok_or_else(|| wrong(&format!("{key} is not a string")))
}

pub(super) fn number(object: &Object, key: &str) -> Result<Option<Number>, ParseError> {
    match object.get(key) {
        Some(Value::Number(text)) => Ok(Some(Number::jackson(text))),
        Some(_) => Err(wrong(&format!("{key} is not a number"))),
        None => Ok(None),
    }
}

pub(super) fn integer(object: &Object, key: &str) -> Result<Option<i32>, ParseError> {
    match number(object, key)? {
        Some(number) => match number.integer() {
            Some(integer) => Ok(Some(integer)),
            None => Err(wrong(&format!("{key} is not a whole number of at most 2147483647"))),
        },
        None => Ok(None),
    }
}

pub(super) fn boolean(object: &Object, key: &str) -> Result<Option<bool>, ParseError> {
    match object.get(key) {
        Some(Value::Bool(is)) => Ok(Some(*is)),
        Some(_) => Err(wrong(&format!("{key} is not a boolean"))),
        None => Ok(None),
    }
}

pub(super) fn sub_object<'v>(object: &'v Object<'v>, key: &str) -> Result<Option<&'v Object<'v>>, ParseError> {
    match object.get(key) {
        Some(Value::Object(inner)) => Ok(Some(inner)),
        Some(_) => Err(wrong(&format!("{key} is not an object"))),
        None => Ok(None),
    }
}

pub(super) fn strings(value: Option<&Value>, key: &str) -> Result<Vec<Text>, ParseError> {
    match value {
        None => Ok(Vec::new()),
        Some(Value::Array(items)) => items.iter().map(|item| text(item, key)).collect(),
        Some(_) => Err(wrong(&format!("{key} is not a list"))),
    }
}
