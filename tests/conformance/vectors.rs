//! The cases, and where they are read from.

#![allow(dead_code, reason = "each format's test uses a part")]

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;

/// One pair of schemas and what the registry said of it, by release.
#[derive(Clone, Debug, Deserialize)]
pub struct Case {
    /// Names the case.
    pub id: String,
    /// AVRO, JSON or PROTOBUF.
    pub format: String,
    /// The earlier schema.
    pub old: String,
    /// The later one.
    pub new: String,
    /// What the earlier one refers to.
    #[serde(default)]
    pub old_references: Vec<Reference>,
    /// What the later one refers to.
    #[serde(default)]
    pub new_references: Vec<Reference>,
    /// What the registry said: "8.3.1" and "head".
    pub verdicts: BTreeMap<String, Said>,
}

/// A named schema.
#[derive(Clone, Debug, Deserialize)]
pub struct Reference {
    /// The name that the schema uses.
    pub name: String,
    /// The subject that it was registered under.
    #[serde(default)]
    pub subject: String,
    /// Its version there.
    #[serde(default)]
    pub version: i64,
    /// Its text.
    pub schema: String,
}

/// What one release said.
#[derive(Clone, Debug, Deserialize)]
pub struct Said {
    /// true, false or "error".
    pub backward: serde_json::Value,
    /// true, false or "error".
    pub forward: serde_json::Value,
    /// `TYPE path`, in the checker's order.
    #[serde(default)]
    pub backward_diffs: Option<Vec<String>>,
    /// `TYPE path`, in the checker's order.
    #[serde(default)]
    pub forward_diffs: Option<Vec<String>>,
    /// The types of all backward differences, those that break nothing too.
    #[serde(default)]
    pub types: Option<Vec<String>>,
    /// The same under LENIENT.
    #[serde(default)]
    pub backward_lenient: serde_json::Value,
    /// The same under LENIENT.
    #[serde(default)]
    pub forward_lenient: serde_json::Value,
    /// The places of allOf branches vary from run to run: only types can be compared.
    #[serde(default)]
    pub diff_paths_unstable: bool,
    /// What went wrong, where something did.
    #[serde(default)]
    pub errors: serde_json::Value,
    /// HTTP status and error code, where something went wrong.
    #[serde(default)]
    pub http: serde_json::Value,
}

/// All cases of one format, and whether they are all there are or the slice.
pub fn pairs(format: &str) -> (Vec<Case>, &'static str) {
    let (folder, which) = folder();
    let text = std::fs::read_to_string(folder.join("confluent-verdicts.jsonl")).expect("the cases can be read");
    let all = text.lines().map(|line| serde_json::from_str::<Case>(line).expect("a line is a case"));
    (all.filter(|case| case.format.eq_ignore_ascii_case(format)).collect(), which)
}

/// Where the cases are.
pub fn folder() -> (PathBuf, &'static str) {
    match std::env::var_os("CONFORMANCE_VECTORS") {
        Some(folder) => (folder.into(), "all cases"),
        None => {
            let slice = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/conformance/slice");
            (slice, "the slice in this repository (set CONFORMANCE_VECTORS to run all)")
        }
    }
}
