//! A registry by plain HTTP, beside the operator: to see what it holds, and to do what other people do to it.

use std::fmt;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::Method;
use serde_json::{Value, json};

use crate::bed;

/// What a subject in a path is spelt with: letters, digits, and what RFC 3986 calls unreserved.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Speaks to a registry. It belongs to the runtime of the caller.
#[derive(Debug, Clone)]
pub struct Plain {
    url: String,
    client: reqwest::Client,
}

/// What a registry answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// The body, null where it is no JSON.
    pub body: Value,
}

impl Plain {
    /// For the registry with this base URL.
    pub fn new(url: &str) -> Self {
        Self { url: url.to_owned(), client: bed::http() }
    }

    /// Its base URL.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The live versions of a subject, none if there is no such subject.
    pub async fn versions(&self, subject: &str) -> Vec<i64> {
        let answer = self.ask(Method::GET, &format!("/subjects/{}/versions", encoded(subject)), None).await;
        if answer.status == 404 {
            return Vec::new();
        }
        serde_json::from_value(answer.ok()).expect("versions are numbers")
    }

    /// A version of a subject; `version` is a number or `latest`.
    pub async fn version(&self, subject: &str, version: impl fmt::Display) -> Option<Value> {
        let answer = self.ask(Method::GET, &format!("/subjects/{}/versions/{version}", encoded(subject)), None).await;
        if answer.status == 404 { None } else { Some(answer.ok()) }
    }

    /// Every text of a subject, in the order of the versions.
    pub async fn texts(&self, subject: &str) -> Vec<String> {
        let mut texts = Vec::new();
        for version in self.versions(subject).await {
            let stored = self.version(subject, version).await.expect("it was listed");
            texts.push(stored["schema"].as_str().expect("a version has a text").to_owned());
        }
        texts
    }

    /// The version which the registry says is this schema.
    pub async fn lookup(&self, subject: &str, schema_type: &str, text: &str) -> Option<i64> {
        let body = json!({"schema": text, "schemaType": schema_type});
        let answer = self.ask(Method::POST, &format!("/subjects/{}", encoded(subject)), Some(body)).await;
        answer.body["version"].as_i64().filter(|_| answer.status == 200)
    }

    /// Registers, as someone else than the operator.
    pub async fn register(&self, subject: &str, schema_type: &str, text: &str) -> Answer {
        let body = json!({"schema": text, "schemaType": schema_type});
        self.ask(Method::POST, &format!("/subjects/{}/versions", encoded(subject)), Some(body)).await
    }

    /// Deletes a subject.
    pub async fn delete(&self, subject: &str) {
        self.ask(Method::DELETE, &format!("/subjects/{}", encoded(subject)), None).await.ok();
    }

    /// The level set on a subject itself, if any.
    pub async fn level(&self, subject: &str) -> Option<String> {
        let answer = self.ask(Method::GET, &format!("/config/{}", encoded(subject)), None).await;
        answer.body["compatibilityLevel"].as_str().map(ToOwned::to_owned)
    }

    /// Sets the level of a subject.
    pub async fn set_level(&self, subject: &str, level: &str) {
        let body = json!({"compatibility": level});
        self.ask(Method::PUT, &format!("/config/{}", encoded(subject)), Some(body)).await.ok();
    }

    /// A read is tried once more: on a busy machine one may fail for reasons of its own.
    async fn ask(&self, method: Method, path: &str, body: Option<Value>) -> Answer {
        let first = self.ask_once(&method, path, body.as_ref()).await;
        let answer =
            if method == Method::GET && first.is_err() { self.ask_once(&method, path, None).await } else { first };
        answer.unwrap_or_else(|error| panic!("the registry does not answer: {error:?}"))
    }

    async fn ask_once(&self, method: &Method, path: &str, body: Option<&Value>) -> Result<Answer, reqwest::Error> {
        let mut request = self.client.request(method.clone(), format!("{}{path}", self.url));
        if let Some(body) = body {
            request = request.header("content-type", "application/json").body(body.to_string());
        }
        let answer = request.send().await?;
        let status = answer.status().as_u16();
        Ok(Answer { status, body: serde_json::from_str(&answer.text().await?).unwrap_or_default() })
    }
}

impl Answer {
    /// The body of a success.
    pub fn ok(self) -> Value {
        assert!((200..300).contains(&self.status), "the registry answered {}: {}", self.status, self.body);
        self.body
    }
}

fn encoded(subject: &str) -> String {
    utf8_percent_encode(subject, SEGMENT).to_string()
}
