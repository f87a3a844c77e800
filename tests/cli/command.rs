//! Runs the program in the folder of the schemas.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// What the program left behind.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// The folder of the schemas.
pub fn schemas() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/schemas")
}

/// `schema-registrar compare` with arguments that blanks separate.
pub fn compare(arguments: &str) -> Ran {
    compare_with(&arguments.split_whitespace().collect::<Vec<_>>(), b"")
}

/// The same with arguments that may hold blanks, and something to read.
pub fn compare_with(arguments: &[&str], input: &[u8]) -> Ran {
    let mut child = command(arguments).spawn().expect("the program starts");
    // It may end without reading all of it.
    let _ = child.stdin.take().expect("its input is a pipe").write_all(input);
    let output = child.wait_with_output().expect("the program ends");
    let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
    let code = output.status.code().expect("the program ends by itself");
    Ran { code, stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// The program, to be started otherwise.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_schema-registrar"));
    command.arg("compare").args(arguments).current_dir(schemas());
    for variable in ["NO_COLOR", "COLUMNS", "TERM", "CLICOLOR_FORCE"] {
        command.env_remove(variable);
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A folder that is gone with its last user.
pub struct Scratch(PathBuf);

impl Scratch {
    /// An empty folder.
    pub fn new() -> Scratch {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("schema-registrar-cli-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("the folder can be made");
        Scratch(folder)
    }

    /// Its path.
    pub fn path(&self) -> &str {
        self.0.to_str().expect("the folder's name is UTF-8")
    }

    /// Writes a file, and gives its path.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, content).expect("the file can be written");
        path.to_str().expect("the file's name is UTF-8").to_owned()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
