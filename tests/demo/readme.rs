//! What README.md shows of kubectl is what kubectl prints, numbers and times apart.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use super::shell::Failure;

/// The lines of README.md's blocks of console output that none of these texts has. A line `…` stands for what was left out,
/// one that begins with `$` is the command.
pub fn differs_from(printed: &[&str]) -> Result<Vec<String>, Failure> {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md"));
    let readme = readme.map_err(|error| Failure::new(format!("README.md cannot be read: {error}")))?;
    let shown: Vec<&str> = readme.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    if shown.len() != printed.len() {
        return Err(Failure::new(format!("README.md has {} blocks of console output", shown.len())));
    }
    let printed: HashSet<String> = printed.iter().flat_map(|text| text.lines()).map(without_numbers).collect();
    let lines = shown.iter().flat_map(|block| block.lines()).filter(|line| *line != "…" && !line.starts_with('$'));
    let others = lines.filter(|line| !printed.contains(&without_numbers(line)));
    Ok(others.map(str::to_owned).collect())
}

/// Times, ids and ages differ from run to run, and with them the widths of columns.
fn without_numbers(line: &str) -> String {
    line.split_whitespace().map(without_number).collect::<Vec<_>>().join(" ")
}

fn without_number(word: &str) -> String {
    let is_age = word.starts_with(|first: char| first.is_ascii_digit())
        && word.chars().all(|it| it.is_ascii_digit() || "smhd".contains(it));
    if is_age {
        return "#".to_owned();
    }
    word.split(|it: char| it.is_ascii_digit()).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("#")
}
