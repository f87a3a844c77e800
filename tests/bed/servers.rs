//! Every server and tool can be had. `make servers` runs this alone, so that a log shows what is built and how long it takes.

use std::fs;
use std::process::Command;

use axum::Router;
use axum::routing::get;
use tokio::net::TcpListener;

use crate::bed::registry::Release;
use crate::bed::{Output, Scratch, go, java, tools};

#[test]
fn every_server_and_tool_is_in_the_cache() {
    let kubernetes = go::kubernetes();
    let commands = [kubernetes.apiserver, kubernetes.controller_manager, kubernetes.kubectl];
    let built = commands.into_iter().chain([go::etcd(), go::helm(), go::kstatus(), go::maven()]);
    let apicurio = [Release::V3_3_3, Release::V3_0_9].map(java::apicurio);
    for file in built.chain(apicurio.into_iter().flat_map(|it| [it.java, it.jar])) {
        assert!(file.is_file(), "{} is missing", file.display());
    }
}

/// The way to Apicurio Registry on a machine without mvn, which this one may not be.
#[tokio::test]
async fn a_file_is_downloaded_from_a_maven_repository() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let repository = format!("http://{}/maven", listener.local_addr().unwrap());
    let files = Router::new().route("/maven/org/example/bed/1.0/bed-1.0-all.tar.gz", get(async || "an archive"));
    tokio::spawn(async { axum::serve(listener, files).await });

    let scratch = Scratch::new("bed-maven");
    let file = scratch.join("archive");
    let download = async |version: &str| -> Output {
        let mut command = Command::new(go::maven());
        command.env("MAVEN_REPOSITORY", &repository).args(["org.example", "bed", version, "all.tar.gz"]).arg(&file);
        tools::run("maven", command, "").await
    };
    download("1.0").await.ok();
    assert_eq!(fs::read_to_string(&file).unwrap(), "an archive");
    let refusal = download("2.0").await.refused();
    assert!(refusal.contains("org.example:bed@2.0"), "{refusal}");
}
