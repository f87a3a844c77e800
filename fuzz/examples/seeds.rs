//! Writes what fuzzing starts from: the schemas and pairs that real registries judged.

use std::path::Path;
use std::{fs, io};

use serde_json::Value;

fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("../tests/conformance/slice/confluent-verdicts.jsonl"))?;
    let mut written = 0;
    for line in text.lines() {
        let case: Value = serde_json::from_str(line)?;
        let of = |key: &str| case[key].as_str().unwrap_or_default();
        let (id, format, old, new) = (of("id"), of("format"), of("old"), of("new"));
        let parser = format!("parse_{}", format.to_lowercase());
        write(root, &parser, &format!("{id}-old"), old)?;
        write(root, &parser, &format!("{id}-new"), new)?;
        let mut pair = format!("{format}\n{old}\n---\n{new}");
        for reference in case["old_references"].as_array().into_iter().flatten().take(1) {
            // Both refer to it by a name of one letter.
            let (name, text) = (reference["name"].as_str().unwrap_or_default(), &reference["schema"]);
            pair = format!("{}\n---\n{}", pair.replace(name, "r"), text.as_str().unwrap_or_default());
        }
        write(root, "compare", id, &pair)?;
        written += 3;
    }
    println!("{written} seeds");
    Ok(())
}

fn write(root: &Path, target: &str, name: &str, text: &str) -> io::Result<()> {
    let folder = root.join("corpus").join(target);
    fs::create_dir_all(&folder)?;
    fs::write(folder.join(name), text)
}
