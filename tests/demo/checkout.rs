//! A copy of `examples/` that a story may edit, with the registry of the stage in place of the one that the files name.

use std::fs;
use std::path::{Path, PathBuf};

use super::shell::Failure;

/// The URL in the examples.
const PLACEHOLDER: &str = "http://localhost:8081";

/// A folder with a folder `examples` in it.
#[derive(Debug)]
pub struct Checkout(PathBuf);

/// What an edit changed, whole lines.
#[derive(Debug, PartialEq, Eq)]
pub struct Edit {
    /// The lines that went.
    pub removed: Vec<String>,
    /// The lines that came.
    pub added: Vec<String>,
}

impl Checkout {
    /// Copies the examples to `folder`, which must not exist.
    pub fn make(folder: PathBuf, registry: &str) -> Result<Self, Failure> {
        let copies = folder.join("examples");
        fs::create_dir_all(&copies)?;
        for file in examples()? {
            let text = fs::read_to_string(&file)?.replace(PLACEHOLDER, registry);
            fs::write(copies.join(file.file_name().unwrap_or_default()), text)?;
        }
        Ok(Self(folder))
    }

    /// Where the folder `examples` is.
    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// Replaces the one place where `old` stands in a file.
    pub fn edit(&self, file: &str, old: &str, new: &str) -> Result<Edit, Failure> {
        let path = self.0.join(file);
        let before = fs::read_to_string(&path)?;
        let places = before.matches(old).count();
        if places != 1 {
            return Err(Failure::new(format!("{file} has {places} places to edit, not one: {old}")));
        }
        let after = before.replacen(old, new, 1);
        fs::write(&path, &after)?;
        Ok(difference(&before, &after))
    }

    /// Writes a file beside the examples.
    pub fn write(&self, file: &str, text: &str) -> Result<(), Failure> {
        Ok(fs::write(self.0.join(file), text)?)
    }

    /// Reads a file.
    pub fn read(&self, file: &str) -> Result<String, Failure> {
        Ok(fs::read_to_string(self.0.join(file))?)
    }
}

/// Every file of `examples/`, in order.
pub fn examples() -> Result<Vec<PathBuf>, Failure> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        files.push(entry?.path());
    }
    files.sort();
    Ok(files)
}

/// The lines between those that both texts begin with and those that both end with.
fn difference(before: &str, after: &str) -> Edit {
    let (before, after): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let same = |(a, b): &(&&str, &&str)| a == b;
    let head = before.iter().zip(&after).take_while(same).count();
    let (before, after) = (&before[head..], &after[head..]);
    let tail = before.iter().rev().zip(after.iter().rev()).take_while(same).count();
    let middle = |lines: &[&str]| lines[..lines.len() - tail].iter().map(|line| (*line).to_owned()).collect();
    Edit { removed: middle(before), added: middle(after) }
}
