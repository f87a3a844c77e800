//! How many ordinary pairs `compare --batch` answers a second: those that real registries judged, of all formats, one
//! process, one core.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The pairs are written so often, for a run that takes long enough to be measured.
const TIMES: usize = 100;
const RUNS: usize = 3;

pub fn measure() {
    let lines = lines();
    let count = lines.iter().filter(|byte| **byte == b'\n').count();
    for profile in ["confluent-8.3", "confluent-next"] {
        let start_up = (0..RUNS).map(|_| run(profile, b"")).min().unwrap_or_default();
        let best = (0..RUNS).map(|_| run(profile, &lines)).min().unwrap_or_default();
        let rate = count as f64 / (best - start_up.min(best)).as_secs_f64();
        println!("compare --batch, {profile}: {count} pairs, {rate:.0} a second on one core");
    }
}

fn lines() -> Vec<u8> {
    let folder = std::env::var_os("CONFORMANCE_VECTORS").map(PathBuf::from);
    let slice = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/conformance/slice");
    let (folder, times) = folder.map_or((slice, TIMES), |folder| (folder, TIMES / 10));
    let text = std::fs::read_to_string(folder.join("confluent-verdicts.jsonl"));
    let text = text.unwrap_or_else(|error| unreachable!("the pairs can be read: {error}"));
    let line = |line: &str| {
        let case: Value = serde_json::from_str(line).unwrap_or_default();
        let pair = json!({
            "id": case["id"], "schemaType": case["format"], "old": case["old"], "new": case["new"],
            "oldReferences": references(&case["old_references"]), "newReferences": references(&case["new_references"]),
        });
        format!("{pair}\n")
    };
    text.lines().map(line).collect::<String>().repeat(times).into_bytes()
}

fn references(all: &Value) -> Value {
    let one = |reference: &Value| json!({ "name": reference["name"], "schema": reference["schema"] });
    all.as_array().into_iter().flatten().map(one).collect()
}

/// How long it takes until everything is answered.
fn run(profile: &str, lines: &[u8]) -> Duration {
    let start = Instant::now();
    let command = Command::new(env!("CARGO_BIN_EXE_schema-registrar"))
        .args(["compare", "--batch", "--profile", profile])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn();
    let mut process = command.unwrap_or_else(|error| unreachable!("the command starts: {error}"));
    let mut input = process.stdin.take().unwrap_or_else(|| unreachable!("its input is a pipe"));
    input.write_all(lines).unwrap_or_else(|error| unreachable!("it reads its input: {error}"));
    drop(input);
    let ended = process.wait().unwrap_or_else(|error| unreachable!("it ends: {error}"));
    assert!(ended.success(), "it answers everything: {ended}");
    start.elapsed()
}
