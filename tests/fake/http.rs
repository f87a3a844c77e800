//! A request as the fake sees it, and an answer as it gives it.

use serde_json::{Value, json};

/// What every flavour answers with, except for routes that it does not know.
pub const REGISTRY_JSON: &str = "application/vnd.schemaregistry.v1+json";

/// A request, decoded.
#[derive(Clone, Debug)]
pub struct Request {
    pub method: String,
    /// The segments of the path, decoded: `a%2Fb` is one of them.
    pub path: Vec<String>,
    pub query: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Request {
    /// `path` as it stands in a URL, with its query.
    pub fn new(method: &str, path: &str, body: Vec<u8>) -> Request {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let path = path.split('/').filter(|segment| !segment.is_empty()).map(decoded).collect();
        let query =
            query.split('&').filter_map(|pair| pair.split_once('=')).map(|(key, value)| (decoded(key), decoded(value)));
        Request { method: method.to_owned(), path, query: query.collect(), body }
    }

    pub fn param(&self, key: &str) -> Option<&str> {
        self.query.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    pub fn flag(&self, key: &str) -> bool {
        self.param(key) == Some("true")
    }

    /// The body, if it is JSON.
    pub fn json(&self) -> Option<Value> {
        serde_json::from_slice(&self.body).ok()
    }

    /// The method and the segments, to match on.
    pub fn parts(&self) -> (&str, Vec<&str>) {
        (self.method.as_str(), self.path.iter().map(String::as_str).collect())
    }

    /// Whether it asks for a change.
    pub fn is_write(&self) -> bool {
        match self.parts() {
            ("GET" | "HEAD", _) => false,
            ("POST", path) => matches!(path.as_slice(), ["subjects", _, "versions"]),
            _ => true,
        }
    }

    /// The subject, if it is about one.
    pub fn subject(&self) -> Option<&str> {
        match self.parts().1.as_slice() {
            ["subjects" | "config" | "mode", subject, ..] | ["compatibility", "subjects", subject, ..] => {
                self.path.iter().map(String::as_str).find(|segment| segment == subject)
            }
            _ => None,
        }
    }
}

fn decoded(text: &str) -> String {
    percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned()
}

/// An answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub status: u16,
    pub content_type: Option<String>,
    /// Other headers.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn ok(body: Value) -> Answer {
        Answer::json(200, body)
    }

    pub fn json(status: u16, body: Value) -> Answer {
        Answer {
            status,
            content_type: Some(REGISTRY_JSON.to_owned()),
            headers: Vec::new(),
            body: body.to_string().into_bytes(),
        }
    }

    /// A refusal in the registries' common form.
    pub fn error(status: u16, code: i64, message: impl Into<String>) -> Answer {
        Answer::json(status, json!({"error_code": code, "message": message.into()}))
    }

    pub fn text(status: u16, content_type: &str, body: &str) -> Answer {
        let content_type = Some(content_type.to_owned());
        Answer { status, content_type, headers: Vec::new(), body: body.as_bytes().to_vec() }
    }

    pub fn empty(status: u16) -> Answer {
        Answer { status, content_type: None, headers: Vec::new(), body: Vec::new() }
    }

    pub fn header(mut self, name: &str, value: &str) -> Answer {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The body as JSON, null where it is none.
    pub fn value(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}
