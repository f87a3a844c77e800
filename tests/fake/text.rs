//! Schema texts as registries keep them: Confluent's canonical forms and Karapace's, of what the tests use of each format.
//!
//! Written from recordings, apart from the product's own notion of equality, which it is to be held against.

mod avro;

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Number;

/// A JSON value that keeps the order of its keys.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(Number),
    String(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    pub fn parse(text: &str) -> Option<Json> {
        serde_json::from_str(text).ok()
    }

    fn get(&self, key: &str) -> Option<&Json> {
        match self {
            Json::Object(fields) => fields.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    fn str(&self, key: &str) -> Option<&str> {
        match self.get(key) {
            Some(Json::String(text)) => Some(text),
            _ => None,
        }
    }

    /// With the keys of every object in order.
    fn sorted(self) -> Json {
        match self {
            Json::List(items) => Json::List(items.into_iter().map(Json::sorted).collect()),
            Json::Object(fields) => {
                let mut fields: Vec<_> = fields.into_iter().map(|(name, value)| (name, value.sorted())).collect();
                fields.sort_by(|(one, _), (other, _)| one.cmp(other));
                Json::Object(fields)
            }
            plain => plain,
        }
    }
}

/// Without white space.
impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = |text: &str| serde_json::to_string(text).unwrap_or_default();
        match self {
            Json::Null => f.write_str("null"),
            Json::Bool(truth) => write!(f, "{truth}"),
            Json::Number(number) => write!(f, "{number}"),
            Json::String(text) => f.write_str(&quoted(text)),
            Json::List(items) => {
                f.write_str("[")?;
                for (at, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if at == 0 { "" } else { "," })?;
                }
                f.write_str("]")
            }
            Json::Object(fields) => {
                f.write_str("{")?;
                for (at, (name, value)) in fields.iter().enumerate() {
                    write!(f, "{}{}:{value}", if at == 0 { "" } else { "," }, quoted(name))?;
                }
                f.write_str("}")
            }
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Json, E> {
        Ok(Json::Bool(truth))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Json, E> {
        Ok(Json::Number(number.into()))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Json, E> {
        Ok(Json::Number(number.into()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Json, E> {
        Ok(Number::from_f64(number).map_or(Json::Null, Json::Number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Json, E> {
        Ok(Json::String(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Json::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Json, A::Error> {
        let mut object: Vec<(String, Json)> = Vec::new();
        while let Some((name, value)) = fields.next_entry()? {
            object.retain(|(known, _)| *known != name);
            object.push((name, value));
        }
        Ok(Json::Object(object))
    }
}

/// A schema as a registry keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canonical {
    /// What the registry answers.
    pub text: String,
    /// Equal for what the registry takes for the same schema, looking closer than at the text.
    pub identity: String,
}

/// As Confluent keeps it; else what its parser says, after `details: `. Normalizing sorts the keys of JSON Schema,
/// and aliases and unknown properties of Avro; what it does to Protobuf is left out.
pub fn confluent(schema_type: &str, text: &str, normalize: bool) -> Result<Canonical, String> {
    match schema_type {
        "AVRO" => {
            let json = Json::parse(text).ok_or("it is not JSON")?;
            let identity = avro::canonical(&json, avro::Form::Meaning)?.to_string();
            let text = if normalize { identity.clone() } else { avro::canonical(&json, avro::Form::Text)?.to_string() };
            Ok(Canonical { text, identity })
        }
        "JSON" => {
            let json = Json::parse(text).ok_or("Invalid JSON")?;
            if !matches!(json, Json::Object(_) | Json::Bool(_)) {
                return Err("Invalid JSON".to_owned());
            }
            let text = if normalize { json.sorted() } else { json }.to_string();
            Ok(Canonical { identity: text.clone(), text })
        }
        _ => {
            let text = protobuf(text).ok_or("it is not Protobuf that this fake can read")?;
            Ok(Canonical { identity: text.clone(), text })
        }
    }
}

/// As Karapace keeps it: JSON with sorted keys. Two texts of Avro that mean the same are the same only for a lookup.
pub fn karapace(schema_type: &str, text: &str) -> Result<Canonical, String> {
    match schema_type {
        // It keeps comments.
        "PROTOBUF" if text.contains("//") || text.contains("/*") => Err("it has comments".to_owned()),
        "PROTOBUF" => confluent(schema_type, text, false),
        _ => {
            let json = Json::parse(text).ok_or("it is not JSON")?;
            let identity = match schema_type {
                "AVRO" => avro::canonical(&json, avro::Form::KarapaceMeaning)?.to_string(),
                _ => confluent(schema_type, text, false).map(|_| json.clone().sorted().to_string())?,
            };
            Ok(Canonical { text: json.sorted().to_string(), identity })
        }
    }
}

/// Wire's form, of a file with a package, options and messages of scalar fields.
fn protobuf(text: &str) -> Option<String> {
    let mut head = Vec::new();
    let mut options = Vec::new();
    let mut messages = String::new();
    if text.contains('\\') {
        return None;
    }
    let mut rest = without_comments(text);
    loop {
        rest = rest.trim_start().to_owned();
        if rest.is_empty() {
            break;
        }
        if rest.starts_with("message ") {
            let (name, body) = rest.strip_prefix("message ")?.split_once('{')?;
            let (body, after) = body.split_once('}')?;
            messages.push_str(&message(name.trim(), body)?);
            rest = after.to_owned();
            continue;
        }
        let (statement, after) = rest.split_once(';')?;
        let statement = statement.split_whitespace().collect::<Vec<_>>().join(" ");
        match statement.split(' ').next()? {
            "syntax" | "package" => head.push(format!("{statement};\n")),
            "option" => options.push(format!("{statement};\n")),
            _ => return None,
        }
        rest = after.to_owned();
    }
    if head.is_empty() {
        return None;
    }
    let options = if options.is_empty() { String::new() } else { format!("{}\n", options.concat()) };
    Some(format!("{}\n{options}{messages}", head.concat()))
}

fn message(name: &str, body: &str) -> Option<String> {
    let mut fields = String::new();
    for field in body.split(';').map(str::trim).filter(|field| !field.is_empty()) {
        let words: Vec<&str> = field.split_whitespace().collect();
        let fits = words.len() >= 4 && words[words.len() - 2] == "=" && words.iter().all(|word| !word.contains('{'));
        let other = matches!(words[0], "oneof" | "enum" | "message" | "reserved" | "option" | "map" | "extensions");
        if !fits || other {
            return None;
        }
        fields.push_str(&format!("  {};\n", words.join(" ")));
    }
    Some(if fields.is_empty() { format!("message {name} {{}}\n") } else { format!("message {name} {{\n{fields}}}\n") })
}

fn without_comments(text: &str) -> String {
    let mut left = text;
    let mut kept = String::new();
    while let Some(at) = left.find("//").into_iter().chain(left.find("/*")).min() {
        kept.push_str(&left[..at]);
        let end = if left[at..].starts_with("//") { "\n" } else { "*/" };
        left = left[at..].split_once(end).map_or("", |(_, after)| after);
        kept.push(' ');
    }
    kept + left
}
