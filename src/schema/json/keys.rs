//! One text for values that the registry's Java calls equal.

use std::fmt::Write;

use super::number::Number;
use super::value::{Object, Value};

/// A text that is equal for equal values; numbers as the loader holds them.
pub fn key(value: &Value, number: fn(&str) -> Number) -> Box<str> {
    let mut text = String::new();
    write_value(&mut text, value, number);
    text.into()
}

/// The same for what an object has left of keywords that the loader did not use.
pub fn key_of_rest<'v>(object: &'v Object<'v>, is_used: impl Fn(&str) -> bool) -> Option<Box<str>> {
    let mut rest: Vec<(&str, &Value)> = object.iter().filter(|(name, _)| !is_used(name)).collect();
    if rest.is_empty() {
        return None;
    }
    rest.sort_unstable_by_key(|(name, _)| *name);
    let mut text = String::new();
    for (name, value) in rest {
        write_text(&mut text, name);
        write_value(&mut text, value, Number::jackson);
    }
    Some(text.into())
}

fn write_value(text: &mut String, value: &Value, number: fn(&str) -> Number) {
    match value {
        Value::Null => text.push('n'),
        Value::Bool(is) => text.push(if *is { 't' } else { 'f' }),
        Value::Number(written) => text.push_str(&number(written).key()),
        Value::String(string) => write_text(text, string),
        Value::Array(items) => {
            text.push('[');
            for item in items {
                write_value(text, item, number);
                text.push(',');
            }
            text.push(']');
        }
        Value::Object(object) => {
            let mut members: Vec<(&str, &Value)> = object.iter().collect();
            members.sort_unstable_by_key(|(name, _)| *name);
            text.push('{');
            for (name, member) in members {
                write_text(text, name);
                write_value(text, member, number);
                text.push(',');
            }
            text.push('}');
        }
    }
}

/// With its length in front, so that no text looks like two.
fn write_text(text: &mut String, string: &str) {
    // Writing to a String cannot fail.
    let _ = write!(text, "s{}:", string.len());
    text.push_str(string);
}

/// A key as a person would write the value: numbers and texts; lists and objects as they are kept.
pub fn shown(key: &str) -> String {
    match key.split_at_checked(1) {
        Some(("n", "")) => "null".to_owned(),
        Some(("t", "")) => "true".to_owned(),
        Some(("f", "")) => "false".to_owned(),
        Some(("s", text)) => text.split_once(':').map_or(text, |(_, text)| text).to_owned(),
        Some(("i", number)) => number.get(1..).unwrap_or(number).to_owned(),
        Some(("d", number)) => number.to_owned(),
        _ => key.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_have_one_key() {
        let key = |text: &str| key(&Value::parse(text).unwrap(), Number::jackson);
        assert_eq!(key(r#"{"a": [1, null], "b": "x"}"#), key(r#"{"b": "\u0078", "a": [1,null]}"#));
        assert_ne!(key("1"), key("1.0"));
        assert_ne!(key("1"), key("\"1\""));
        assert_ne!(key("[1]"), key("[[1]]"));
    }

    #[test]
    fn a_key_is_shown_as_its_value() {
        for (text, expected) in [("null", "null"), ("true", "true"), ("-12", "-12"), ("1.5", "1.5"), ("\"a:b\"", "a:b")]
        {
            assert_eq!(shown(&key(&Value::parse(text).unwrap(), Number::jackson)), expected);
        }
    }
}
