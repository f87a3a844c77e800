//! README.md says what is so: fields, reasons, annotations, flags and metrics.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::CommandFactory;
use schema_registrar::api::{PAUSED_ANNOTATION, RECONCILE_ANNOTATION, crds};
use schema_registrar::cli::Arguments;
use schema_registrar::compat::PROFILES;
use schema_registrar::telemetry::{Metrics, RefusedBy, RegistryFigures};
use serde_json::Value;

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")
}

fn readme() -> String {
    fs::read_to_string(path()).expect("README.md is readable")
}

/// The first cell of each row of the table whose head begins with `head`, without its backquotes; none where there is no such table.
fn first_cells(head: &str) -> BTreeSet<String> {
    let readme = readme();
    let table = readme.split_once(&format!("| {head} |")).map(|(_, table)| table).unwrap_or_default();
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let cells = rows.map(|row| row.split('|').nth(1).expect("a row has cells").trim().trim_matches('`').to_owned());
    cells.collect()
}

fn set<'a>(words: impl IntoIterator<Item = &'a str>) -> BTreeSet<String> {
    words.into_iter().map(str::to_owned).collect()
}

#[test]
fn the_fields_are_those_of_the_definitions() {
    let mut wanted = readme();
    for crd in crds() {
        let kind = crd.spec.names.kind.clone();
        let mark = format!("<!-- fields of {kind}: written by UPDATE_README=1 cargo test --test pure -->\n");
        let (head, rest) = wanted.split_once(&mark).unwrap_or_else(|| panic!("no place for the fields of {kind}"));
        let (_, tail) = rest.split_once("\n#").expect("another heading follows");
        let crd = serde_json::to_value(&crd).expect("a definition is JSON");
        let spec = &crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"];
        let mut table = "\n| field | meaning |\n|---|---|\n".to_owned();
        add_rows(&mut table, "", spec);
        wanted = format!("{head}{mark}{table}\n#{tail}");
    }
    if std::env::var_os("UPDATE_README").is_some() {
        fs::write(path(), &wanted).expect("README.md is writable");
    }
    let readme = readme();
    let other = readme.lines().zip(wanted.lines()).find(|(found, wanted)| found != wanted);
    assert!(readme == wanted, "{other:?}; write the fields anew: UPDATE_README=1 cargo test --test pure");
}

fn add_rows(table: &mut String, prefix: &str, object: &Value) {
    let required: Vec<&str> = object["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for (name, field) in object["properties"].as_object().into_iter().flatten() {
        let required = if required.contains(&name.as_str()) { "Required. " } else { "" };
        let description = field["description"].as_str().expect("every field is described").replace('|', "\\|");
        table.push_str(&format!("| `{prefix}{name}` | {required}{description} |\n"));
        add_rows(table, &format!("{prefix}{name}."), field);
    }
}

#[test]
fn every_reason_is_explained_and_no_other_word() {
    let source = include_str!("../../src/api/reason.rs");
    let words =
        source.lines().filter_map(|line| line.trim().strip_suffix("\",")?.split_once("=> \"")).map(|(_, word)| word);
    assert_eq!(first_cells("reason | what is the case | what to do"), set(words));
}

#[test]
fn every_profile_is_named() {
    let readme = readme();
    let missing: Vec<_> = PROFILES.iter().filter(|it| !readme.contains(&format!("`{}`", it.name))).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn the_annotations_are_named() {
    let paused = format!("{PAUSED_ANNOTATION}: \"true\"");
    assert_eq!(first_cells("annotation |"), set([paused.as_str(), RECONCILE_ANNOTATION]));
}

#[test]
fn the_flags_are_those_of_the_command() {
    let command = Arguments::command();
    let run = command.find_subcommand("run").expect("there is a command run");
    let flags: Vec<_> = run.get_arguments().filter(|it| it.get_id() != "help").collect();
    let names: Vec<String> = flags.iter().map(|it| format!("--{}", it.get_long().expect("flags are long"))).collect();
    let named = first_cells("flag of `schema-registrar run` | environment | default");
    assert_eq!(named, set(names.iter().map(String::as_str)));
    let readme = readme();
    for flag in flags {
        let variable = flag.get_env().expect("flags can be set by the environment").to_string_lossy();
        let default = flag.get_default_values()[0].to_string_lossy();
        let row = format!("| `--{}` | `{variable}` | `{default}`", flag.get_long().unwrap_or_default());
        assert!(readme.contains(&row), "README.md has no row that begins with {row}");
    }
}

#[test]
fn the_metrics_are_those_that_are_served() {
    let metrics = Metrics::default();
    metrics.looked("Schema", Duration::from_millis(1), true);
    metrics.status_written("Schema");
    metrics.disagreed("shop", "default", RefusedBy::Operator);
    let calls = vec![("GET", "/subjects", "success", 1)];
    let figures = RegistryFigures { namespace: "shop".into(), name: "default".into(), is_up: true, calls };
    metrics.collect_registries(move || vec![figures.clone()]);
    let text = metrics.render().expect("metrics can be written");
    let types = text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split_once(' '));
    let names = types.map(|(name, of)| if of == "counter" { format!("{name}_total") } else { name.to_owned() });
    assert_eq!(first_cells("metric | labels |"), names.collect::<BTreeSet<_>>());
}
