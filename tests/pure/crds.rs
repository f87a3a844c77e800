//! The definitions in `crds/` and in the chart are the ones that the types generate. `UPDATE_CRDS=1 cargo test --test pure` writes them.

#![allow(clippy::panic, reason = "a file that cannot be read fails the test")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use schema_registrar::api::{crds, to_yaml};

const NOTICE: &str = "# Generated from src/api by: UPDATE_CRDS=1 cargo test --test pure\n";

#[test]
fn the_definitions_are_what_the_types_generate() {
    let files = definitions().into_iter().map(|(name, yaml)| (name, format!("{NOTICE}{yaml}")));
    the_folder_holds_exactly("crds", files.collect());
}

#[test]
fn the_chart_has_the_same_definitions_as_templates() {
    let files = definitions().into_iter().map(|(name, yaml)| (name, as_template(&yaml)));
    the_folder_holds_exactly("charts/schema-registrar/templates/crds", files.collect());
}

/// Text of each definition, by file name.
fn definitions() -> BTreeMap<String, String> {
    let all = crds().into_iter().map(|crd| {
        let yaml = to_yaml(&crd).expect("definitions can be written as YAML");
        (format!("{}.yaml", crd.metadata.name.expect("definitions have names")), yaml)
    });
    all.collect()
}

/// A definition that a value switches off, and that outlives its release.
fn as_template(yaml: &str) -> String {
    assert!(!yaml.contains("{{"), "Helm would take a part of this for an action: {yaml}");
    let (head, tail) = yaml.split_once("\nmetadata:\n").expect("definitions have metadata");
    let annotated = format!("{head}\nmetadata:\n  annotations:\n    helm.sh/resource-policy: keep\n{tail}");
    format!("{NOTICE}{{{{- if .Values.crds.enabled }}}}\n{annotated}{{{{- end }}}}\n")
}

fn the_folder_holds_exactly(folder: &str, wanted: BTreeMap<String, String>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    if std::env::var_os("UPDATE_CRDS").is_some() {
        write(&folder, &wanted);
    }
    let found = read(&folder);
    let names = |files: &BTreeMap<String, String>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&found), names(&wanted), "the files of {}", folder.display());
    for (name, wanted) in &wanted {
        let found = &found[name];
        let same = found.lines().zip(wanted.lines()).take_while(|(found, wanted)| found == wanted).count();
        let line = |text: &str| text.lines().nth(same).unwrap_or("(the end)").to_owned();
        assert!(
            found == wanted,
            "{name}, line {} is\n{}\nand the types generate\n{}\nwrite it anew: UPDATE_CRDS=1 cargo test --test pure",
            same + 1,
            line(found),
            line(wanted)
        );
    }
}

fn read(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("cannot read {}: {error}", folder.display()));
    let files = entries.map(|entry| {
        let path = entry.expect("the folder is readable").path();
        let name = path.file_name().expect("an entry has a name").to_string_lossy().into_owned();
        (name, fs::read_to_string(&path).unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display())))
    });
    files.collect()
}

fn write(folder: &Path, files: &BTreeMap<String, String>) {
    fs::create_dir_all(folder).expect("the source is writable");
    for stale in read(folder).keys().filter(|name| !files.contains_key(*name)) {
        fs::remove_file(folder.join(stale)).expect("the source is writable");
    }
    for (name, text) in files {
        fs::write(folder.join(name), text).expect("the source is writable");
    }
}
