//! Apicurio Registry, the real schema registry of the tests.

use std::fmt;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::{Process, Scratch, free_port, java, until};

/// How long it may take to start or to end. It starts in 2 to 5 s on an idle machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// Marks a line of the access log among the others.
const ACCESS: &str = "bed-access ";

/// A release of Apicurio Registry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Release {
    /// 3.3.3, on Java 21 or newer.
    V3_3_3,
    /// 3.0.9, on Java 17 or newer: the second registry, where two are needed.
    V3_0_9,
}

/// Where a registry keeps what it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Storage {
    /// Gone when it stops.
    Memory,
    /// What it has answered survives a restart, also after SIGKILL.
    File,
}

/// A running registry. Stopped when dropped.
#[derive(Debug)]
pub struct Registry {
    process: Mutex<Process>,
    release: Release,
    storage: Storage,
    port: u16,
    /// Readiness is asked here; 3.0.9 has no port of its own for that.
    management_port: u16,
    scratch: Scratch,
}

/// A request that the registry has answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// HTTP method.
    pub method: String,
    /// Path and query as they were sent, percent-encoding included.
    pub path: String,
    /// HTTP status.
    pub status: u16,
}

impl Request {
    /// Whether it asked for a change. A lookup is a POST and asks for none.
    pub fn is_write(&self) -> bool {
        let path = self.path.split('?').next().unwrap_or_default();
        match self.method.as_str() {
            "GET" | "HEAD" | "OPTIONS" => false,
            "POST" => path.ends_with("/versions") && !path.contains("/compatibility/"),
            _ => true,
        }
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::V3_3_3 => "3.3.3",
            Self::V3_0_9 => "3.0.9",
        })
    }
}

impl Registry {
    /// Starts an empty registry and waits until it is ready. Its level is NONE. `name` is what its folder is called.
    pub async fn start(name: &str, release: Release, storage: Storage) -> Self {
        let scratch = Scratch::new(name);
        let port = free_port();
        let management_port = if release == Release::V3_3_3 { free_port() } else { port };
        let command = command(&scratch, release, storage, port, management_port);
        let process = Mutex::new(Process::start("Apicurio Registry", command, &scratch.join("registry.log")));
        let registry = Self { process, release, storage, port, management_port, scratch };
        registry.wait_ready().await;
        registry
    }

    /// Base URL of the Confluent-compatible API, without a slash at the end.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/apis/ccompat/v7", self.port)
    }

    /// SIGTERM, and waits until it has ended.
    pub async fn stop(&self) {
        let what = format!("Apicurio Registry {} to end", self.release);
        self.process().signal("TERM");
        until(&what, PATIENCE, async || self.process().ended().ok_or("still running")).await;
    }

    /// SIGKILL.
    pub fn kill(&self) {
        self.process().kill();
    }

    /// Starts it again after [`stop`](Self::stop) or [`kill`](Self::kill), on the same port and storage, and waits until it is ready.
    pub async fn restart(&self) {
        self.kill();
        let command = command(&self.scratch, self.release, self.storage, self.port, self.management_port);
        *self.process() = Process::start("Apicurio Registry", command, &self.scratch.join("registry.log"));
        self.wait_ready().await;
    }

    /// SIGSTOP: it still accepts connections, and answers none until [`resume`](Self::resume).
    pub fn pause(&self) {
        self.process().signal("STOP");
    }

    /// SIGCONT.
    pub fn resume(&self) {
        self.process().signal("CONT");
    }

    /// Sets the level that holds for subjects without one of their own, such as `BACKWARD`.
    pub async fn set_global_level(&self, level: &str) {
        let body = serde_json::json!({"compatibility": level}).to_string();
        let request = super::http().put(format!("{}/config", self.url())).header("content-type", "application/json");
        let answer = request.body(body).send().await.expect("the registry answers");
        assert!(answer.status().is_success(), "the global level could not be set to {level}: {}", answer.status());
    }

    /// Every request answered so far, in the order of the answers, by the access log; the bed's own readiness checks apart.
    /// One that was just answered may be missing for a moment.
    pub fn requests(&self) -> Vec<Request> {
        let log = fs::read(self.scratch.join("registry.log")).expect("the log is readable");
        let log = String::from_utf8_lossy(&log);
        let requests = log.split_inclusive('\n').filter_map(|line| parse_access(line.strip_suffix('\n')?));
        requests.filter(|request| !request.path.starts_with("/health/")).collect()
    }

    /// Every request answered before this is called: the log is written late, and in order. One request of our own, which
    /// is not among them, shows where it ends.
    pub async fn requests_so_far(&self) -> Vec<Request> {
        static MARKS: AtomicUsize = AtomicUsize::new(0);
        let mark = format!("/subjects/log-mark-{}/versions", MARKS.fetch_add(1, Ordering::Relaxed));
        super::http().get(format!("{}{mark}", self.url())).send().await.expect("the registry answers");
        until("the registry's log to be written", PATIENCE, async || {
            let mut requests = self.requests();
            let end = requests.iter().position(|request| request.path.ends_with(&mark)).ok_or("it is not yet")?;
            requests.truncate(end);
            Ok::<_, &str>(requests)
        })
        .await
    }

    /// The folder with its log and storage.
    pub fn folder(&self) -> &Path {
        self.scratch.path()
    }

    fn process(&self) -> std::sync::MutexGuard<'_, Process> {
        self.process.lock().expect("no panic while it was locked")
    }

    async fn wait_ready(&self) {
        let url = format!("http://127.0.0.1:{}/health/ready", self.management_port);
        let client = super::http();
        until(&format!("Apicurio Registry {} to be ready", self.release), PATIENCE, async || {
            self.process().assert_running();
            client.get(&url).send().await.and_then(reqwest::Response::error_for_status)
        })
        .await;
    }
}

fn command(scratch: &Scratch, release: Release, storage: Storage, port: u16, management_port: u16) -> Command {
    let apicurio = java::apicurio(release);
    let mut command = Command::new(apicurio.java);
    // A test makes a few thousand schemas at most; without these it takes three times the memory and twice the time to start.
    command.args(["-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]);
    command.arg("-Dquarkus.http.host=127.0.0.1").arg(format!("-Dquarkus.http.port={port}"));
    if management_port != port {
        command.arg("-Dquarkus.management.host=127.0.0.1").arg(format!("-Dquarkus.management.port={management_port}"));
    }
    command
        .arg("-Dquarkus.http.access-log.enabled=true")
        .arg(format!("-Dquarkus.http.access-log.pattern={ACCESS}%m %U %s"));
    if storage == Storage::File {
        // Without the delay: the database writes half a second late otherwise, and a killed registry would forget what it has answered.
        // Nor does it close by itself at SIGTERM: beneath a register that is under way, that leaves half a version, which is neither
        // read nor made again ever after. What is used in earnest is a server of its own, which does not go with the registry.
        let file = scratch.join("storage");
        let options = "WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE";
        command.arg(format!("-Dapicurio.datasource.url=jdbc:h2:file:{};{options}", file.display()));
    }
    command.arg("-jar").arg(apicurio.jar);
    command
}

fn parse_access(line: &str) -> Option<Request> {
    let (_, entry) = line.split_once(ACCESS)?;
    let mut parts = entry.split(' ');
    let request = Request {
        method: parts.next()?.to_owned(),
        path: parts.next()?.to_owned(),
        status: parts.next()?.trim().parse().ok()?,
    };
    Some(request)
}
