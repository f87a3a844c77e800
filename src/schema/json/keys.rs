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
    rest.sort_by_key(|(name, _)| *name);
    let mut text = String::new();
    for (name, value) in rest {
        let _ = write!(text, "{name:?}:");
        write_value(&mut text, value, Number::jackson);
    }
    Some(text.into())
}

fn write_value(text: &mut String, value: &Value, number: fn(&str) -> Number) {
    // Writing to a String cannot fail.
    let _ = match value {
        Value::Null => write!(text, "null"),
        Value::Bool(is) => write!(text, "{is}"),
        Value::Number(written) => write!(text, "{}", number(written).key()),
        Value::String(string) => write!(text, "{string:?}"),
        Value::Array(items) => {
            text.push('[');
            for item in items {
                write_value(text, item, number);
                text.push(',');
            }
            text.push(']');
            Ok(())
        }
        Value::Object(object) => {
            let mut members: Vec<(&str, &Value)> = object.iter().collect();
            members.sort_by_key(|(name, _)| *name);
            text.push('{');
            for (name, member) in members {
                let _ = write!(text, "{name:?}:");
                write_value(text, member, number);
                text.push(',');
            }
            text.push('}');
            Ok(())
        }
    };
}

/// The value as JSON on one line, numbers as written: what a person is shown.
pub fn written(value: &Value) -> Box<str> {
    let mut text = String::new();
    write_json(&mut text, value);
    text.into()
}

fn write_json(text: &mut String, value: &Value) {
    let _ = match value {
        Value::Null => write!(text, "null"),
        Value::Bool(is) => write!(text, "{is}"),
        Value::Number(written) => write!(text, "{written}"),
        Value::String(string) => write_string(text, string),
        Value::Array(items) => {
            text.push('[');
            for (at, item) in items.iter().enumerate() {
                text.push_str(if at > 0 { ", " } else { "" });
                write_json(text, item);
            }
            text.push(']');
            Ok(())
        }
        Value::Object(object) => {
            text.push('{');
            for (at, (name, member)) in object.iter().enumerate() {
                text.push_str(if at > 0 { ", " } else { "" });
                let _ = write_string(text, name);
                text.push_str(": ");
                write_json(text, member);
            }
            text.push('}');
            Ok(())
        }
    };
}

fn write_string(text: &mut String, string: &str) -> std::fmt::Result {
    text.push('"');
    for c in string.chars() {
        match c {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            c if c < ' ' => write!(text, "\\u{:04x}", u32::from(c))?,
            c => text.push(c),
        }
    }
    text.push('"');
    Ok(())
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
    fn a_value_is_written_as_json() {
        let text = r#"{"b": [1.50, "a\"\\\n\u0001"], "a": null}"#;
        assert_eq!(&*written(&Value::parse(text).unwrap()), text);
    }
}
