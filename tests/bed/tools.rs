//! The command line tools that tests and the demo ask: kubectl, Helm, and the oracle for status.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use super::{Scratch, go};

/// What a tool printed, and its exit code.
#[derive(Debug, Clone)]
pub struct Output {
    /// The command line, for messages.
    pub command: String,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// Exit code; -1 when a signal ended it.
    pub code: i32,
}

impl Output {
    /// Standard output of a command that has to succeed; panics with what it printed otherwise.
    pub fn ok(self) -> String {
        let Self { command, stdout, stderr, code } = self;
        assert!(code == 0, "`{command}` ended with {code}\n{stderr}{stdout}");
        stdout
    }

    /// Standard error of a command that has to fail; panics with what it printed otherwise.
    pub fn refused(self) -> String {
        let Self { command, stdout, stderr, code } = self;
        assert!(code != 0, "`{command}` should have failed\n{stderr}{stdout}");
        stderr
    }
}

/// Runs kubectl with the rights of `kubeconfig`; `stdin` is what `-f -` reads.
pub async fn kubectl(kubeconfig: &Path, arguments: &[&str], stdin: &str) -> Output {
    let mut command = Command::new(go::kubernetes().kubectl);
    command.env("KUBECONFIG", kubeconfig).env("HOME", home(kubeconfig)).env_remove("KUBECACHEDIR").args(arguments);
    run("kubectl", command, stdin).await
}

/// Runs Helm with the rights of `kubeconfig`.
pub async fn helm(kubeconfig: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(go::helm());
    command.env("KUBECONFIG", kubeconfig).env("HOME", home(kubeconfig)).args(arguments);
    run("helm", without_users_settings(command), "").await
}

/// Runs a Helm command that needs no cluster, such as `lint` or `template`.
pub async fn helm_offline(arguments: &[&str]) -> Output {
    let scratch = Scratch::new("helm");
    let mut command = Command::new(go::helm());
    command.env("KUBECONFIG", "/dev/null").env("HOME", scratch.path()).args(arguments);
    run("helm", without_users_settings(command), "").await
}

/// What kstatus, the code behind `kubectl wait`-like tools, says of objects: `Current`, `InProgress`, `Failed`, `Terminating`, …
pub async fn kstatus(objects: &[serde_json::Value]) -> Vec<String> {
    let lines: Vec<String> = objects.iter().map(ToString::to_string).collect();
    let answers = run("kstatus", Command::new(go::kstatus()), &lines.join("\n")).await.ok();
    let answers: Vec<serde_json::Value> =
        answers.lines().map(|line| serde_json::from_str(line).expect("kstatus answers in JSON")).collect();
    assert_eq!(answers.len(), objects.len(), "kstatus answers once an object");
    answers.iter().map(|answer| answer["status"].as_str().expect("kstatus answers with a status").to_owned()).collect()
}

/// Runs a command to its end without blocking the caller's runtime.
pub async fn run(name: &str, mut command: Command, stdin: &str) -> Output {
    let arguments: Vec<_> = command.get_args().map(|argument| argument.to_string_lossy().into_owned()).collect();
    let line = format!("{name} {}", arguments.join(" "));
    let input = stdin.to_owned();
    let output = tokio::task::spawn_blocking(move || {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let mut pipe = child.stdin.take().expect("standard input is a pipe");
        // Beside the reading, or a long input and a long output would wait for each other. A tool may also end without reading all.
        let writer = std::thread::spawn(move || drop(pipe.write_all(input.as_bytes())));
        let output = child.wait_with_output();
        writer.join().expect("the writer does not panic");
        output
    });
    let output =
        output.await.expect("the runtime is running").unwrap_or_else(|error| panic!("cannot run {line}: {error}"));
    Output {
        command: line,
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        code: output.status.code().unwrap_or(-1),
    }
}

/// The folder of the kubeconfig serves as home, so that discovery caches of another server on the same port are never used.
fn home(kubeconfig: &Path) -> &Path {
    kubeconfig.parent().expect("a kubeconfig is in a folder")
}

fn without_users_settings(mut command: Command) -> Command {
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("HELM_") {
            command.env_remove(name);
        }
    }
    command
}
