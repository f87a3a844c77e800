//! A person's terminal: runs what a person would type, and shows it with what it printed.

use std::fmt::Debug;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use super::bed::{self, Output, go, tools};
use super::checkout::Checkout;
use super::screen::Screen;
use super::stage::Stage;

/// The namespace of the story.
pub const NAMESPACE: &str = "shop";

/// Why the demo cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Something is not as it should be.
    #[error("{0}")]
    NotSo(String),
    /// A file or a process of this machine.
    #[error("the machine does not play along: {0}")]
    System(#[from] std::io::Error),
    /// The registry, asked by the demo itself.
    #[error("the registry does not answer the demo: {0}")]
    Registry(#[from] reqwest::Error),
    /// Text that is not the JSON that it should be.
    #[error("what was answered is not JSON: {0}")]
    Json(#[from] serde_json::Error),
}

impl Failure {
    /// Something is not as it should be.
    pub fn new(what: impl Into<String>) -> Self {
        Self::NotSo(what.into())
    }
}

/// A terminal with kubectl and curl.
#[derive(Debug)]
pub struct Shell {
    /// Where everything is shown.
    pub screen: Screen,
    /// Where commands run.
    pub checkout: Checkout,
    kubeconfig: PathBuf,
    registry: String,
}

impl Shell {
    /// Opens one in a fresh namespace, as the administrator of the stage's cluster.
    pub async fn open(screen: Screen, stage: &Stage) -> Result<Self, Failure> {
        let folder = stage.folder().join(NAMESPACE);
        let registry = stage.registry.url();
        let checkout = Checkout::make(folder, &registry)?;
        let shell = Self { screen, checkout, kubeconfig: stage.server.admin().to_owned(), registry };
        shell.quietly(&format!("kubectl create namespace {NAMESPACE}")).await?;
        shell.quietly(&format!("kubectl config set-context --current --namespace={NAMESPACE}")).await?;
        Ok(shell)
    }

    /// Runs a kubectl command, shows it and what it printed.
    pub async fn run(&self, line: &str) -> Result<String, Failure> {
        self.screen.command(line);
        let printed = self.quietly(line).await?;
        self.screen.output(&printed);
        Ok(printed)
    }

    /// Runs a kubectl command. Its words are split at spaces.
    pub async fn quietly(&self, line: &str) -> Result<String, Failure> {
        let Output { stdout, stderr, code, .. } = self.start(line).await;
        if code == 0 { Ok(stdout) } else { Err(Failure::new(format!("`{line}` ended with {code}: {}", stderr.trim()))) }
    }

    /// An object as JSON.
    pub async fn object(&self, kind: &str, name: &str) -> Result<Value, Failure> {
        let text = self.quietly(&format!("kubectl get {kind} {name} --output=json")).await?;
        Ok(serde_json::from_str(&text)?)
    }

    /// Asks the registry, and shows that as curl would.
    pub async fn curl(&self, path: &str) -> Result<Value, Failure> {
        self.screen.command(&format!("curl $REGISTRY{path}"));
        let text = self.get(path).await?;
        self.screen.output(&text);
        Ok(serde_json::from_str(&text)?)
    }

    /// Registers the schema in a file, as someone with curl would who does not know of the operator.
    pub async fn curl_register(&self, subject: &str, file: &str) -> Result<Value, Failure> {
        self.screen.command(&format!("curl --json @{file} $REGISTRY/subjects/{subject}/versions"));
        let body = self.checkout.read(file)?;
        let url = format!("{}/subjects/{subject}/versions", self.registry);
        let answer = bed::http().post(url).header("content-type", "application/json").body(body).send().await?;
        let text = answer.error_for_status()?.text().await?;
        self.screen.output(&text);
        Ok(serde_json::from_str(&text)?)
    }

    /// The versions of a subject that the registry holds.
    pub async fn versions(&self, subject: &str) -> Result<Value, Failure> {
        Ok(serde_json::from_str(&self.get(&format!("/subjects/{subject}/versions")).await?)?)
    }

    /// Edits a file and shows what changed.
    pub fn edit(&self, file: &str, old: &str, new: &str) -> Result<(), Failure> {
        let edit = self.checkout.edit(file, old, new)?;
        let lines = |lines: &[String]| lines.iter().map(String::as_str).collect::<Vec<_>>().join("\n");
        let (removed, added) = (lines(&edit.removed), lines(&edit.added));
        self.screen.change(file, &removed.lines().collect::<Vec<_>>(), &added.lines().collect::<Vec<_>>());
        Ok(())
    }

    /// Checks a claim and shows that it holds.
    pub fn check<T: PartialEq + Debug>(&self, claim: &str, found: T, wanted: T) -> Result<(), Failure> {
        if found == wanted {
            self.screen.checked(claim);
            return Ok(());
        }
        Err(Failure::new(format!("not so: {claim} (found {found:?}, wanted {wanted:?})")))
    }

    async fn start(&self, line: &str) -> Output {
        let mut words = line.split_whitespace();
        assert_eq!(words.next(), Some("kubectl"), "the only program of this shell");
        let mut command = Command::new(go::kubernetes().kubectl);
        let home = self.kubeconfig.parent().unwrap_or(self.checkout.folder());
        command.env("KUBECONFIG", &self.kubeconfig).env("HOME", home).env_remove("KUBECACHEDIR");
        command.current_dir(self.checkout.folder()).args(words);
        tools::run("kubectl", command, "").await
    }

    async fn get(&self, path: &str) -> Result<String, Failure> {
        let answer = bed::http().get(format!("{}{path}", self.registry)).send().await?;
        Ok(answer.error_for_status()?.text().await?)
    }
}
