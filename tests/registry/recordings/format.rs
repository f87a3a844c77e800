//! The files of recordings, as far as they are read here.

use std::path::PathBuf;

use serde::Deserialize;
use serde_json::Value;

use crate::fake::Flavour;

#[derive(Deserialize)]
struct File {
    scenarios: Vec<Scenario>,
}

/// Requests to an empty registry, one after the other, each with its answer.
#[derive(Deserialize)]
pub struct Scenario {
    pub name: String,
    /// Recorded on a server of its own: ids start at 1.
    #[serde(default)]
    pub isolated: bool,
    pub steps: Vec<Step>,
}

#[derive(Deserialize)]
pub struct Step {
    pub request: Asked,
    /// Where the two recorded releases of Confluent agree.
    both: Option<Answered>,
    #[serde(rename = "8.3.1")]
    confluent: Option<Answered>,
    #[serde(rename = "karapace-6.2.0")]
    karapace: Option<Answered>,
    /// The list comes out of a hash table.
    #[serde(default)]
    pub unordered: bool,
    /// The answer differs from run to run.
    #[serde(default)]
    pub unstable: bool,
    /// Sent so often; the answer is the last one.
    pub times: Option<usize>,
}

#[derive(Deserialize)]
pub struct Asked {
    pub method: String,
    /// Percent-encoded.
    pub path: String,
    pub body: Option<Value>,
    #[serde(rename = "rawBody")]
    pub raw_body: Option<String>,
    /// In place of the usual ones.
    pub headers: Option<Value>,
}

#[derive(Clone, Deserialize)]
pub struct Answered {
    pub status: u16,
    #[serde(rename = "contentType")]
    pub content_type: Option<String>,
    pub allow: Option<Value>,
    /// JSON.
    pub body: Option<Value>,
    /// Anything else.
    pub text: Option<String>,
}

impl Step {
    pub fn answered(&self) -> &Answered {
        let answered = self.both.as_ref().or(self.confluent.as_ref()).or(self.karapace.as_ref());
        answered.expect("every step has an answer")
    }

    /// The same step, if the server had answered something else.
    pub fn alter(&mut self, answered: Answered) {
        self.both = Some(answered);
    }

    /// The text and the type of the schema that the request carries.
    pub fn schema(&self) -> Option<(String, &str)> {
        let body = self.request.body.as_ref()?;
        Some((repeated(body["schema"].as_str()?), body["schemaType"].as_str().unwrap_or("AVRO")))
    }
}

/// The recordings of a flavour: all of them from the folder that `CONFORMANCE_VECTORS` names, else the slice kept here.
/// Also answers whether they are all.
pub fn load(flavour: Flavour) -> (Vec<Scenario>, bool) {
    let name = match flavour {
        Flavour::Karapace => "karapace-recordings.json",
        _ => "confluent-recordings.json",
    };
    let all = std::env::var_os("CONFORMANCE_VECTORS").map(PathBuf::from);
    let slice = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fake/recordings");
    let path = all.clone().unwrap_or_else(slice).join(name);
    let text = std::fs::read_to_string(&path).expect("the recordings are there");
    let file: File = serde_json::from_str(&text).expect("recordings in their form");
    (file.scenarios, all.is_some())
}

/// `<repeat:3:ab:end>` is `ababab`.
pub fn repeated(text: &str) -> String {
    let Some((before, rest)) = text.split_once("<repeat:") else {
        return text.to_owned();
    };
    let (count, rest) = rest.split_once(':').expect("a count");
    let (piece, after) = rest.split_once(":end>").expect("an end");
    format!("{before}{}{}", piece.repeat(count.parse().expect("a number")), repeated(after))
}
