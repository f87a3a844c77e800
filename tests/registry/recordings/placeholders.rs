//! What `<id:1>`, `<guid:1>` and their like stand for, and whether an answer is the recorded one.

use std::collections::HashMap;

use serde_json::Value;
use sha2::{Digest, Sha256};

/// The values that the placeholders of one scenario stand for, as far as they were met.
#[derive(Default)]
pub struct Placeholders(HashMap<String, String>);

impl Placeholders {
    /// A request's text with its placeholders filled in; a string that is only an id becomes a number.
    pub fn fill(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (name, value) in &self.0 {
            if name.starts_with("<id:") {
                text = text.replace(&format!("\"{name}\""), value);
            }
            text = text.replace(name, value);
        }
        text
    }

    /// Whether an answer is as recorded. Placeholders met for the first time take their value from it.
    pub fn matches(&mut self, recorded: &Value, actual: &Value) -> bool {
        match (recorded, actual) {
            (Value::String(text), Value::Number(number)) => {
                text == "<ts>" || self.text_matches(text, &number.to_string())
            }
            (Value::String(text), Value::String(other)) => self.text_matches(text, other),
            (Value::Array(items), Value::Array(others)) => {
                items.len() == others.len() && items.iter().zip(others).all(|(item, other)| self.matches(item, other))
            }
            (Value::Object(fields), Value::Object(others)) => {
                fields.len() == others.len()
                    && fields.iter().all(|(key, value)| others.get(key).is_some_and(|other| self.matches(value, other)))
            }
            _ => recorded == actual,
        }
    }

    /// The same for a list in any order.
    pub fn matches_unordered(&mut self, recorded: &Value, actual: &Value) -> bool {
        let (Value::Array(items), Value::Array(others)) = (recorded, actual) else {
            return self.matches(recorded, actual);
        };
        let mut left: Vec<&Value> = others.iter().collect();
        let all_found = items.iter().all(|item| {
            let found = left.iter().position(|other| self.matches(item, other));
            found.map(|at| left.remove(at)).is_some()
        });
        all_found && left.is_empty()
    }

    fn text_matches(&mut self, recorded: &str, actual: &str) -> bool {
        if let Some((start, cut)) = recorded.split_once("<cut chars=") {
            let (total, hash) = cut.trim_end_matches('>').split_once(" sha256=").expect("a hash");
            let hex: String = Sha256::digest(actual).iter().map(|byte| format!("{byte:02x}")).collect();
            return actual.starts_with(start) && actual.chars().count().to_string() == total && hex == hash;
        }
        let names = ["<id:", "<guid:", "<n>"];
        let Some(start) = names.iter().filter_map(|name| recorded.find(name)).min() else {
            return recorded == actual;
        };
        let end = start + recorded[start..].find('>').expect("the end of a placeholder");
        let Some(rest) = actual.strip_prefix(&recorded[..start]) else {
            return false;
        };
        let name = &recorded[start..=end];
        let value = self.0.get(name).cloned().unwrap_or_else(|| leading_value(name, rest));
        let Some(rest) = rest.strip_prefix(&value).filter(|_| !value.is_empty()) else {
            return false;
        };
        // The counter in `<n>` is another one each time.
        if name != "<n>" {
            self.0.insert(name.to_owned(), value);
        }
        self.text_matches(&recorded[end + 1..], rest)
    }
}

/// The beginning of a text that can be the value of a placeholder.
fn leading_value(name: &str, text: &str) -> String {
    let fits = |character: &char| match name.starts_with("<guid:") {
        true => character.is_ascii_hexdigit() || *character == '-',
        false => character.is_ascii_digit(),
    };
    text.chars().take_while(fits).collect()
}
