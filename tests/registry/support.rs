//! What the tests of the client have in common.

use std::time::Duration;

use schema_registrar::api::SchemaType;
use schema_registrar::registry::{BaseUrl, Candidate, Client, ClientConfig, DEFAULT_MAX_REPLY_BYTES};
use schema_registrar::schema::{Subject, Version};
use serde_json::{Value, json};

use crate::bed;
use crate::fake::{Answer, Fake};

/// A record with one field.
pub const BARGE: &str = r#"{"type":"record","name":"Barge","fields":[{"name":"hull","type":"string"}]}"#;
/// A second field, with a default: compatible both ways.
pub const BARGE_TONS: &str = r#"{"type":"record","name":"Barge","fields":[{"name":"hull","type":"string"},{"name":"tons","type":"int","default":0}]}"#;
/// A second field, without a default: breaks BACKWARD.
pub const BARGE_STRICT: &str =
    r#"{"type":"record","name":"Barge","fields":[{"name":"hull","type":"string"},{"name":"tons","type":"int"}]}"#;
/// No JSON.
pub const BROKEN: &str = r#"{"type":"#;

/// Long enough for a loaded machine, short enough to wait for where a timeout is what is tested.
pub const TIMEOUT: Duration = Duration::from_secs(20);
pub const SHORT: Duration = Duration::from_millis(600);

pub fn config(url: &str, timeout: Duration) -> ClientConfig {
    bed::install_crypto();
    let base = BaseUrl::parse(url).expect("a base URL");
    ClientConfig { base, timeout, requests_per_second: 10_000, max_reply_bytes: DEFAULT_MAX_REPLY_BYTES }
}

pub fn client(fake: &Fake) -> Client {
    Client::new(config(&fake.url(), TIMEOUT)).expect("a client")
}

/// One that gives up soon.
pub fn hasty(fake: &Fake) -> Client {
    Client::new(config(&fake.url(), SHORT)).expect("a client")
}

/// One that has learnt what there is to learn. The log of the fake begins after that.
pub async fn learned(fake: &Fake) -> Client {
    let client = client(fake);
    client.learn(&client.probe().await.expect("a probe"));
    fake.clear_log();
    client
}

pub fn subject(name: &str) -> Subject {
    Subject::parse(name).expect("a subject")
}

pub fn version(number: i64) -> Version {
    Version::new(number).expect("a version")
}

pub fn avro(text: &str) -> Candidate {
    Candidate { schema_type: SchemaType::Avro, text: text.into(), normalize: None }
}

pub fn json_schema(text: &str) -> Candidate {
    Candidate { schema_type: SchemaType::Json, ..avro(text) }
}

pub fn protobuf(text: &str) -> Candidate {
    Candidate { schema_type: SchemaType::Protobuf, ..avro(text) }
}

/// Registers versions behind everybody's back, whatever the level.
pub fn history(fake: &Fake, subject: &str, texts: &[&str]) {
    fake.behind("PUT", &format!("/config/{subject}"), json!({"compatibility": "NONE"}));
    for text in texts {
        let answer = fake.behind("POST", &format!("/subjects/{subject}/versions"), json!({"schema": text}));
        assert_eq!(answer.status, 200, "{}", answer.value());
    }
    fake.behind("DELETE", &format!("/config/{subject}"), Value::Null);
}

/// The numbers of a subject's versions, as the fake has them.
pub fn numbers(fake: &Fake, subject: &str) -> Value {
    fake.behind("GET", &format!("/subjects/{subject}/versions"), Value::Null).value()
}

pub fn refused(status: u16, code: i64, message: &str) -> Answer {
    Answer::error(status, code, message)
}
