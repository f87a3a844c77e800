//! Reads the two schemas and what they refer to from files. The only part that reads them; bounded before it does.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::api::SchemaType;
use crate::schema::{MAX_CHARACTERS, Reference};

/// `NAME=FILE`: a schema that others refer to by this name.
#[derive(Clone, Debug)]
pub struct NamedFile {
    name: String,
    file: PathBuf,
}

/// A schema as it was given.
#[derive(Debug)]
pub struct Source {
    /// What messages call it: its file as it was named.
    pub name: String,
    /// Its type.
    pub schema_type: SchemaType,
    /// Its text.
    pub text: String,
    references: Vec<(String, String)>,
}

/// Which files to read.
#[derive(Debug)]
pub struct Files<'a> {
    /// The file of each schema; `-` is standard input.
    pub schemas: [&'a Path; 2],
    /// What each refers to, in the order in which they are read.
    pub references: [Vec<&'a NamedFile>; 2],
    /// The type of both; unset: by their names.
    pub schema_type: Option<SchemaType>,
}

/// Why a schema was not read.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// Standard input cannot be read twice.
    #[error("only one of OLD and NEW can be standard input; name a file for the other")]
    StandardInputTwice,
    /// The system does not give it.
    #[error("{file}: {}", why(.error))]
    Unreadable {
        /// As it was named.
        file: String,
        /// What the system says.
        error: io::Error,
    },
    /// Schemas are UTF-8.
    #[error("{file}: not UTF-8 at line {line}, column {column}; save it as UTF-8")]
    NotUtf8 {
        /// As it was named.
        file: String,
        /// From 1.
        line: usize,
        /// From 1, in characters.
        column: usize,
    },
    /// See [`MAX_CHARACTERS`].
    #[error("{file}: more than {MAX_CHARACTERS} characters, the most that a schema may have")]
    TooLarge {
        /// As it was named.
        file: String,
    },
    /// Nothing but white space.
    #[error("{file}: blank; write the schema's text")]
    Blank {
        /// As it was named.
        file: String,
    },
    /// Neither `--type` nor the name says.
    #[error("{file}: the name does not tell the type; add --type AVRO, --type JSON or --type PROTOBUF")]
    UnknownType {
        /// As it was named.
        file: String,
    },
    /// A `.json` that holds what no JSON Schema does.
    #[error("{file}: named as JSON, but it holds an Avro {what}; add --type AVRO, or --type JSON if that is meant")]
    AvroInJson {
        /// As it was named.
        file: String,
        /// `record`, `enum`, `fixed` or `union`.
        what: &'static str,
    },
    /// One name can mean one schema.
    #[error("reference {name} is given twice for {file}; give each name once")]
    ReferenceTwice {
        /// The reference.
        name: String,
        /// The schema that refers to it.
        file: String,
    },
}

fn why(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::IsADirectory => "a directory; name a file in it".to_owned(),
        io::ErrorKind::PermissionDenied => "it may not be read; see to its permissions".to_owned(),
        _ => format!("it cannot be read: {error}"),
    }
}

impl FromStr for NamedFile {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<NamedFile, &'static str> {
        match text.split_once('=') {
            Some((name, file)) if !name.is_empty() && !file.is_empty() => {
                Ok(NamedFile { name: name.to_owned(), file: file.into() })
            }
            _ => Err("write NAME=FILE, such as common/money.proto=protos/common/money.proto"),
        }
    }
}

impl Source {
    /// What it refers to.
    pub fn references(&self) -> Vec<Reference<'_>> {
        self.references.iter().map(|(name, text)| Reference { name, text }).collect()
    }
}

/// Reads both schemas, the older one first.
pub fn read(files: &Files<'_>) -> Result<[Source; 2], InputError> {
    if files.schemas.iter().all(|file| is_standard_input(file)) {
        return Err(InputError::StandardInputTwice);
    }
    let [old, new] = files.schemas;
    let texts = [text(old)?, text(new)?];
    let of_old = schema_type(files, old, &texts[0])?;
    let of_new = schema_type(files, new, &texts[1])?;
    let unknown = |file| InputError::UnknownType { file: shown(file) };
    // What does not tell is taken for what the other one is: `git show HEAD:a.avsc | … - a.avsc`.
    let types = [of_old.or(of_new).ok_or_else(|| unknown(old))?, of_new.or(of_old).ok_or_else(|| unknown(new))?];
    let [old_text, new_text] = texts;
    Ok([source(old, types[0], old_text, &files.references[0])?, source(new, types[1], new_text, &files.references[1])?])
}

fn source(file: &Path, schema_type: SchemaType, text: String, references: &[&NamedFile]) -> Result<Source, InputError> {
    let mut read: Vec<(String, String)> = Vec::with_capacity(references.len());
    for NamedFile { name, file: path } in references {
        if read.iter().any(|(known, _)| known == name) {
            return Err(InputError::ReferenceTwice { name: name.clone(), file: shown(file) });
        }
        read.push((name.clone(), self::text(path)?));
    }
    Ok(Source { name: shown(file), schema_type, text, references: read })
}

fn is_standard_input(file: &Path) -> bool {
    file.as_os_str() == "-"
}

fn shown(file: &Path) -> String {
    if is_standard_input(file) { "<stdin>".to_owned() } else { file.display().to_string() }
}

/// No more is read than the largest schema has.
fn text(file: &Path) -> Result<String, InputError> {
    const MAX_BYTES: u64 = MAX_CHARACTERS as u64 * 4;
    let name = || shown(file);
    let mut bytes = Vec::new();
    let read = if is_standard_input(file) {
        io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut bytes)
    } else {
        File::open(file).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes))
    };
    read.map_err(|error| InputError::Unreadable { file: name(), error })?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(InputError::TooLarge { file: name() });
    }
    let text = String::from_utf8(bytes).map_err(|error| not_utf8(name(), error.as_bytes(), error.utf8_error()))?;
    if text.trim().is_empty() {
        return Err(InputError::Blank { file: name() });
    }
    if text.chars().count() > MAX_CHARACTERS {
        return Err(InputError::TooLarge { file: name() });
    }
    Ok(text)
}

fn not_utf8(file: String, bytes: &[u8], error: std::str::Utf8Error) -> InputError {
    let before = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    let line = 1 + before.matches('\n').count();
    InputError::NotUtf8 { file, line, column: 1 + before[line_start..].chars().count() }
}

/// By `--type`, else by the file's extension; none where neither tells.
fn schema_type(files: &Files<'_>, file: &Path, text: &str) -> Result<Option<SchemaType>, InputError> {
    if files.schema_type.is_some() {
        return Ok(files.schema_type);
    }
    let extension = file.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    Ok(match extension.as_deref() {
        Some("avsc") => Some(SchemaType::Avro),
        Some("proto") => Some(SchemaType::Protobuf),
        Some("json" | "jsonschema") => match crate::schema::avro::looks_like(text) {
            Some(what) => return Err(InputError::AvroInJson { file: shown(file), what }),
            None => Some(SchemaType::Json),
        },
        _ => None,
    })
}
