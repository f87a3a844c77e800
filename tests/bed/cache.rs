//! The user's cache folder, where built servers and downloads are kept by name and version.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use sha2::{Digest, Sha256};

/// `$XDG_CACHE_HOME/schema-registrar`, or `~/.cache/schema-registrar`.
pub fn folder() -> PathBuf {
    let given = std::env::var_os("XDG_CACHE_HOME").filter(|path| Path::new(path).is_absolute()).map(PathBuf::from);
    let cache = given.or_else(|| std::env::home_dir().map(|home| home.join(".cache")));
    cache
        .expect("set HOME or XDG_CACHE_HOME: built servers are kept in the user's cache folder")
        .join("schema-registrar")
}

/// The folder `name` of the cache; when it is not there, `make` fills it first.
///
/// Half-made folders are never seen, and two processes never make the same one: the second waits for the first.
pub fn ensure(name: &str, make: impl FnOnce(&Path)) -> PathBuf {
    let wanted = folder().join(name);
    if wanted.is_dir() {
        return wanted;
    }
    fs::create_dir_all(folder()).unwrap_or_else(|error| panic!("cannot make {}: {error}", folder().display()));
    let lock = File::create(folder().join(format!("{name}.lock"))).expect("the cache folder is writable");
    lock.lock().expect("the cache folder is on a file system with locks");
    if wanted.is_dir() {
        return wanted;
    }
    let partial = folder().join(format!("{name}.partial"));
    if partial.exists() {
        fs::remove_dir_all(&partial).expect("the cache folder is writable");
    }
    fs::create_dir(&partial).expect("the cache folder is writable");
    say(&format!("making {name} (kept in {})", folder().display()));
    let start = Instant::now();
    make(&partial);
    fs::rename(&partial, &wanted).expect("the cache folder is writable");
    say(&format!("made {name} in {:.0} s", start.elapsed().as_secs_f32()));
    wanted
}

/// Tells the person who waits. Written past the test harness, which would keep it until the test has failed.
pub fn say(message: &str) {
    let _ = writeln!(std::io::stderr(), "bed: {message}");
}

/// SHA-256 in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
