//! The operator itself, as a child process.

use std::fs;
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
        let url = format!("http://127.0.0.1:{}/readyz", self.port);
        let client = super::http();
        until("the operator to be ready", limit, async || {
            self.process.assert_running();
            client.get(&url).send().await.and_then(reqwest::Response::error_for_status)
        })
        .await;
    }

    /// The text of `/metrics`.
    pub async fn metrics(&self) -> String {
        let answer = super::http().get(format!("http://127.0.0.1:{}/metrics", self.port)).send().await;
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
        let status = self.proc("status");
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("Linux tells the peak");
        let kibibytes: u64 = line.trim().trim_end_matches(" kB").parse().expect("the peak is a number");
        kibibytes * 1024
    }

    /// The processor time that it used so far.
    pub fn cpu(&self) -> Duration {
        let stat = self.proc("stat");
        // The name, in parentheses, may hold anything; user and system time are fields 14 and 15 of the line, 12 and 13 after it.
        let (_, fields) = stat.rsplit_once(") ").expect("the name is in parentheses");
        let ticks: u64 =
            fields.split(' ').skip(11).take(2).map(|field| field.parse::<u64>().expect("times are numbers")).sum();
        // Linux shows times in hundredths of a second, whatever its own clock does.
        Duration::from_millis(ticks * 10)
    }

    fn proc(&self, file: &str) -> String {
        let path = format!("/proc/{}/{file}", self.pid());
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("the operator has ended, {path}: {error}"))
    }
}
