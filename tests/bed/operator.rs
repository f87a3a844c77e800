//! The operator itself, as a child process.

use std::path::Path;
use std::process::{Command, ExitStatus};
use std::time::Duration;

use super::{Process, free_port, until};

/// A running operator. Killed when dropped.
#[derive(Debug)]
pub struct Operator {
    process: Process,
    port: u16,
}

impl Operator {
    /// Starts `schema-registrar run` with the rights of `kubeconfig`. Its log is appended to `log`.
    pub fn start(kubeconfig: &Path, arguments: &[&str], log: &Path) -> Self {
        let port = free_port();
        let mut command = Command::new(env!("CARGO_BIN_EXE_schema-registrar"));
        command.env("KUBECONFIG", kubeconfig).arg("run").arg(format!("--listen=127.0.0.1:{port}")).args(arguments);
        Self { process: Process::start("schema-registrar", command, log), port }
    }

    /// Waits until `/readyz` says so.
    pub async fn ready(&mut self, limit: Duration) {
        let url = self.url() + "/readyz";
        let client = super::http();
        until("the operator to be ready", limit, async || {
            self.process.assert_running();
            client.get(&url).send().await.and_then(reqwest::Response::error_for_status)
        })
        .await;
    }

    /// Where it is asked how it is.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The text of `/metrics`.
    pub async fn metrics(&self) -> String {
        let answer = super::http().get(self.url() + "/metrics").send().await;
        answer.expect("the operator answers").text().await.expect("metrics are text")
    }

    /// The process id.
    pub fn pid(&self) -> u32 {
        self.process.pid()
    }

    /// SIGKILL.
    pub fn sigkill(&mut self) {
        self.process.kill();
    }

    /// SIGTERM, and waits until it has ended.
    pub async fn sigterm(&mut self, limit: Duration) -> ExitStatus {
        self.process.terminate(limit).await
    }

    /// The exit status, once it has ended.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.process.ended()
    }

    /// The last lines of its log.
    pub fn log_tail(&self) -> String {
        self.process.log_tail()
    }

    /// The most memory that it had resident so far, in bytes.
    pub fn peak_memory(&self) -> u64 {
        self.process.peak_memory()
    }

    /// The processor time that it used so far.
    pub fn cpu(&self) -> Duration {
        self.process.cpu()
    }
}
