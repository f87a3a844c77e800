//! What users copy works: the files in `examples/`, and the YAML in README.md.

#[path = "../bed/mod.rs"]
mod bed;

use std::fs;
use std::path::{Path, PathBuf};

use bed::{ApiServer, Registry, Release, Storage, chart};
use tokio::sync::OnceCell;

/// One control plane with the chart installed.
async fn server() -> &'static ApiServer {
    static SERVER: OnceCell<ApiServer> = OnceCell::const_new();
    SERVER
        .get_or_init(async || {
            let server = ApiServer::start("examples").await;
            chart::install(&server).await;
            server
        })
        .await
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Name and text of each example.
fn examples() -> Vec<(String, String)> {
    let entries = fs::read_dir(root().join("examples")).expect("there is a folder examples");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("the folder is readable").path()).collect();
    files.sort();
    let read = |file: PathBuf| (file.display().to_string(), fs::read_to_string(&file).expect("examples are text"));
    files.into_iter().map(read).collect()
}

/// The blocks of YAML in README.md.
fn blocks() -> Vec<String> {
    let readme = fs::read_to_string(root().join("README.md")).expect("README.md is readable");
    let blocks = readme.split("```yaml\n").skip(1);
    blocks.map(|rest| rest.split_once("```").expect("a block ends").0.to_owned()).collect()
}

const DRY_RUN: [&str; 5] = ["apply", "--server-side", "--dry-run=server", "--validate=strict", "--filename=-"];

#[test]
fn each_example_says_in_two_lines_what_it_is_for() {
    for (file, text) in examples() {
        let comments = text.lines().take_while(|line| line.starts_with("# ")).count();
        assert_eq!(comments, 2, "{file} opens with {comments} lines of comment");
    }
}

#[tokio::test]
async fn each_example_fits_the_definitions() {
    for (_, text) in examples() {
        server().await.kubectl(&DRY_RUN, &text).await.ok();
    }
    let (_, registry) =
        examples().into_iter().find(|(_, text)| text.contains("driftCheckSeconds")).expect("one sets it");
    let misspelt = registry.replace("driftCheckSeconds", "driftCheckSecond");
    let refusal = server().await.kubectl(&DRY_RUN, &misspelt).await.refused();
    assert!(refusal.contains("spec.driftCheckSecond"), "a field that is none is refused: {refusal}");
}

#[tokio::test]
async fn each_block_of_yaml_in_the_readme_fits_the_definitions() {
    let all = blocks();
    assert!(all.iter().any(|block| block.contains("kind: Schema\n")), "a first Schema is shown");
    for block in all {
        server().await.kubectl(&DRY_RUN, &block).await.ok();
    }
}

#[tokio::test]
async fn all_examples_become_ready_together() {
    let server = server().await;
    let registry = Registry::start("examples-registry", Release::V3_3_3, Storage::Memory).await;
    let _operator = chart::start_operator(server).await;
    server.kubectl(&["create", "namespace", "examples"], "").await.ok();
    let texts: Vec<String> = examples().into_iter().map(|(_, text)| text).collect();
    let all = texts.join("\n---\n").replace("http://localhost:8081", &registry.url());
    server.kubectl(&["apply", "--namespace=examples", "--filename=-"], &all).await.ok();
    for (kind, short) in [("SchemaRegistry", "rregistry"), ("SubjectConfig", "rsubject"), ("Schema", "rschema")] {
        let wait = ["wait", "--namespace=examples", "--for=condition=Ready", "--timeout=60s", "--all", short];
        let ready = server.kubectl(&wait, "").await.ok().lines().count();
        assert_eq!(ready, all.matches(&format!("kind: {kind}\n")).count(), "each {kind} of the examples is ready");
    }
}
