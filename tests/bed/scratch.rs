//! Where a server of the bed lives: a folder of its own, and ports that nobody else has.

use std::collections::HashSet;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// A folder under `target/tmp`, named after what uses it and this process.
///
/// It is left in place, because logs are read after a failure; the next run removes those of processes that are gone.
#[derive(Debug)]
pub struct Scratch(PathBuf);

impl Scratch {
    /// Makes the folder `target/tmp/<name>.<number>.<pid>`; two of one name get different numbers.
    pub fn new(name: &str) -> Self {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR"));
        remove_abandoned(root);
        let pid = std::process::id();
        let mut number = 1;
        loop {
            let folder = root.join(format!("{name}.{number}.{pid}"));
            match fs::create_dir(&folder) {
                Ok(()) => return Self(folder),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => panic!("cannot make {}: {error}", folder.display()),
            }
        }
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The path of something in the folder.
    pub fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes a file into the folder and returns its path.
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.join(name);
        fs::write(&path, text).unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
        path
    }
}

/// Removes the folders of processes that no longer run. Errors are ignored: another run may be removing the same ones.
fn remove_abandoned(root: &Path) {
    for entry in fs::read_dir(root).into_iter().flatten().flatten() {
        let path = entry.path();
        let pid = path.extension().and_then(|pid| pid.to_str()).and_then(|pid| pid.parse::<u32>().ok());
        if pid.is_some_and(|pid| !Path::new("/proc").join(pid.to_string()).exists()) {
            let _ = fs::remove_dir_all(&path);
        }
    }
}

/// A loopback port that nothing listens on, and that this process is not given again.
///
/// Taken from below the range that the kernel gives to outgoing connections: a server that is down for a while must find its port free
/// when it comes back, and a client that retries from a port equal to the server's would connect to itself.
pub fn free_port() -> u16 {
    const RANGE: std::ops::Range<u16> = 20_000..32_000;
    static TAKEN: Mutex<Option<HashSet<u16>>> = Mutex::new(None);
    let mut taken = TAKEN.lock().expect("no panic while the ports were locked");
    let taken = taken.get_or_insert_default();
    for _ in RANGE {
        let port = fastrand::u16(RANGE);
        if !taken.contains(&port) && TcpListener::bind(("127.0.0.1", port)).is_ok() {
            taken.insert(port);
            return port;
        }
    }
    panic!("no port of {RANGE:?} is free on 127.0.0.1");
}
