//! Child processes that cannot be left behind.
//!
//! A [`Process`] is killed when it is dropped. That is not enough: a test binary keeps servers in statics, which are never dropped, and may
//! itself be killed. So a small shell, the guard, reads from a pipe whose other end only this process holds. It is told the ids of the
//! children, and when the pipe closes, for whatever reason, it kills those that are left.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use super::until;

/// What the guard runs. `+ID` is a child to end, `-ID` one that has ended.
const GUARD: &str = r#"
children=' '
while read -r line; do
    case $line in
        +*) children="$children${line#+} " ;;
        -*) children="${children%% ${line#-} *} ${children#* ${line#-} }" ;;
    esac
done
for child in $children; do kill -KILL "$child"; done
"#;

/// A running child whose output goes to a log file.
#[derive(Debug)]
pub struct Process {
    name: String,
    child: Child,
    log: PathBuf,
    ended: Option<ExitStatus>,
}

impl Process {
    /// Starts `command`. Standard output and error are appended to `log`.
    pub fn start(name: &str, mut command: Command, log: &Path) -> Self {
        let output = OpenOptions::new().create(true).append(true).open(log);
        let output = output.unwrap_or_else(|error| panic!("cannot open {}: {error}", log.display()));
        let errors = output.try_clone().expect("a file can be opened twice");
        // A group of its own, so that an interrupt from the terminal ends the tests first and the guard then ends the child.
        let child = command.stdin(Stdio::null()).stdout(output).stderr(errors).process_group(0).spawn();
        let child = child.unwrap_or_else(|error| panic!("cannot start {name}: {error}"));
        tell_guard('+', child.id());
        Self { name: name.to_owned(), child, log: log.to_owned(), ended: None }
    }

    /// The process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Where the output goes.
    pub fn log(&self) -> &Path {
        &self.log
    }

    /// The exit status, once it has ended.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        if self.ended.is_none() {
            self.ended = self.child.try_wait().expect("a child can be waited for");
            if self.ended.is_some() {
                tell_guard('-', self.pid());
            }
        }
        self.ended
    }

    /// Panics with the tail of the log if it has ended. For use while waiting for something that it should do.
    pub fn assert_running(&mut self) {
        if let Some(status) = self.ended() {
            panic!("{} ended too early, {status}; the end of {}:\n{}", self.name, self.log.display(), self.log_tail());
        }
    }

    /// Sends a signal by its name without `SIG`, such as `TERM`, `STOP` or `CONT`. Nothing happens if the process has ended.
    pub fn signal(&mut self, signal: &str) {
        if self.ended().is_none() {
            let pid = self.pid().to_string();
            let sent = Command::new("sh").args(["-c", r#"kill -s "$0" "$1""#, signal, &pid]).status();
            assert!(sent.expect("sh can be started").success(), "cannot send {signal} to {}", self.name);
        }
    }

    /// SIGKILL, and waits until it is gone.
    pub fn kill(&mut self) {
        if self.ended().is_none() {
            // An error means that it has just ended by itself.
            let _ = self.child.kill();
            self.ended = self.child.wait().ok();
            tell_guard('-', self.pid());
        }
    }

    /// SIGTERM, and waits until it has ended by itself.
    pub async fn terminate(&mut self, limit: Duration) -> ExitStatus {
        self.signal("TERM");
        self.exit(limit).await
    }

    /// Waits until it has ended.
    pub async fn exit(&mut self, limit: Duration) -> ExitStatus {
        let what = format!("{} to end", self.name);
        until(&what, limit, async || {
            self.ended().ok_or_else(|| format!("still running; its log ends:\n{}", self.log_tail()))
        })
        .await
    }

    /// The last lines of the log.
    pub fn log_tail(&self) -> String {
        tail(&self.log)
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
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{} has ended, {path}: {error}", self.name))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The last 25 lines of a log.
pub fn tail(log: &Path) -> String {
    let text = fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(25)..].join("\n")
}

fn tell_guard(sign: char, pid: u32) {
    static PIPE: OnceLock<Mutex<ChildStdin>> = OnceLock::new();
    let pipe = PIPE.get_or_init(|| Mutex::new(start_guard()));
    let mut pipe = pipe.lock().expect("no panic while the pipe was locked");
    writeln!(pipe, "{sign}{pid}").expect("the guard reads as long as this process lives");
}

// It outlives this process, so nobody is left to wait for it.
#[allow(clippy::zombie_processes)]
fn start_guard() -> ChildStdin {
    let mut guard = Command::new("sh");
    guard.args(["-c", GUARD]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
    guard.spawn().expect("sh can be started").stdin.expect("standard input is a pipe")
}
