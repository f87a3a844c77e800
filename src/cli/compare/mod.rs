//! `schema-registrar compare`: the verdict on two schemas, or on a stream of pairs.

mod batch;
mod comparison;
mod diagnostic;
mod human;
mod input;
mod json;
mod object;
mod pair;
mod position;
mod word;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;

use self::comparison::{Comparison, Terms};
use self::input::{Files, NamedFile};
use super::output::{self, Look, bounded};
use crate::api::{Level, SchemaType};
use crate::compat::history::Answer;
use crate::compat::{Policy, Profile};

/// What is compared, and how.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "schema-registrar compare [OPTIONS] OLD NEW\n       schema-registrar compare --batch [--profile PROFILE]",
    after_help = EXIT_CODES,
    after_long_help = EXAMPLES
)]
pub struct CompareArguments {
    /// The schema that comes first: a file, or - for standard input.
    #[arg(required_unless_present = "batch")]
    old: Option<PathBuf>,
    /// The schema that is to follow it: a file, or - for standard input.
    #[arg(required_unless_present = "batch")]
    new: Option<PathBuf>,
    /// AVRO, JSON or PROTOBUF. Unset: by the files' names (.avsc, .json, .proto).
    #[arg(long = "type", value_name = "TYPE", value_parser = schema_type)]
    schema_type: Option<SchemaType>,
    /// The level that NEW is to pass: NONE, BACKWARD, FORWARD, FULL, or one of them with _TRANSITIVE.
    #[arg(long, default_value = "BACKWARD", value_parser = level)]
    level: Level,
    /// Whose rules: confluent-8.3, confluent-7.9, confluent-next, karapace-6, redpanda-25 or apicurio-3.
    #[arg(long, default_value = "confluent-8.3", value_parser = profile)]
    profile: &'static Profile,
    /// STRICT, or LENIENT to let JSON Schemas open and close their content models.
    #[arg(long, default_value = "STRICT", value_parser = policy)]
    policy: Policy,
    /// A schema that both refer to by NAME: an import, a $ref, a full name. Those that others need come first.
    #[arg(long = "reference", value_name = "NAME=FILE")]
    references: Vec<NamedFile>,
    /// The same for OLD alone; read after those of both.
    #[arg(long = "old-reference", value_name = "NAME=FILE")]
    old_references: Vec<NamedFile>,
    /// The same for NEW alone; read after those of both.
    #[arg(long = "new-reference", value_name = "NAME=FILE")]
    new_references: Vec<NamedFile>,
    /// The schemas are those of messages' keys: advises about partitions and compaction, too.
    #[arg(long)]
    key: bool,
    /// Shows every difference, also those that do not break the level.
    #[arg(long)]
    all: bool,
    /// How the answer is printed.
    #[arg(long, short, value_enum, default_value_t, value_name = "FORM")]
    output: Output,
    /// Reads pairs as JSON lines from standard input, and writes one JSON line for each. Exit code: 0 when every line has
    /// its answer, whatever it says; 2 where input or output fails.
    #[arg(long, conflicts_with_all = ["old", "new", "schema_type", "level", "policy", "references", "old_references",
                                      "new_references", "key", "all", "output"])]
    batch: bool,
}

const EXIT_CODES: &str = "Exit code: 0 compatible at the level, 1 incompatible, 2 could not be told.";

const EXAMPLES: &str = "\
Examples:
  schema-registrar compare orders-1.avsc orders-2.avsc
  schema-registrar compare --level FULL --reference common/money.proto=protos/common/money.proto old.proto new.proto
  git show main:orders.avsc | schema-registrar compare - orders.avsc
  schema-registrar compare -o json old.json new.json | jq -r '.differences[] | select(.breaks) | .message'

A line of --batch is {\"id\", \"schemaType\", \"old\", \"new\", \"oldReferences\": [{\"name\", \"schema\"}], \"newReferences\", \"policy\"};
schemas stand in it as texts.

Exit code: 0 compatible at the level, 1 incompatible, 2 could not be told (a file or schema that cannot be read, a
schema or profile whose verdict is not known here, or the registry would fail). Messages go to standard error.";

/// How a comparison is told.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Output {
    /// For a person, with the source text.
    #[default]
    Human,
    /// As one JSON object.
    Json,
}

fn schema_type(word: &str) -> Result<SchemaType, String> {
    word.to_ascii_uppercase()
        .parse()
        .map_err(|_| format!("there is no type {word}; the types are AVRO, JSON, PROTOBUF"))
}

fn level(word: &str) -> Result<Level, String> {
    let names = Level::ALL.map(|level| level.to_string()).join(", ");
    word.parse().map_err(|_| format!("there is no level {word}; the levels are {names}"))
}

fn profile(name: &str) -> Result<&'static Profile, String> {
    let names = crate::compat::PROFILES.map(|profile| profile.name).join(", ");
    Profile::named(name).ok_or_else(|| format!("there is no profile {name}; the profiles are {names}"))
}

fn policy(word: &str) -> Result<Policy, String> {
    let names = Policy::ALL.map(Policy::spelling).join(", ");
    Policy::named(&word.to_ascii_uppercase())
        .ok_or_else(|| format!("there is no policy {word}; the policies are {names}"))
}

/// What could not be told, or not be said.
const COULD_NOT_TELL: u8 = 2;

/// Compares.
pub fn run(arguments: &CompareArguments) -> ExitCode {
    let result = match (&arguments.old, &arguments.new) {
        (Some(old), Some(new)) => compare(arguments, [old, new]),
        _ => batch(arguments.profile),
    };
    result.unwrap_or_else(|error| {
        eprintln!("schema-registrar: {}", bounded(&error.to_string()));
        ExitCode::from(COULD_NOT_TELL)
    })
}

fn batch(profile: &Profile) -> Result<ExitCode, Box<dyn std::error::Error>> {
    output::unless_closed(batch::run(profile))?;
    Ok(ExitCode::SUCCESS)
}

fn compare(arguments: &CompareArguments, schemas: [&Path; 2]) -> Result<ExitCode, Box<dyn std::error::Error>> {
    let with_own = |own| arguments.references.iter().chain(own).collect();
    let references = [with_own(&arguments.old_references), with_own(&arguments.new_references)];
    let [old, new] = input::read(&Files { schemas, references, schema_type: arguments.schema_type })?;
    let CompareArguments { level, profile, policy, key: is_key, .. } = *arguments;
    let terms = Terms { level, profile, policy, is_key };
    let comparison = comparison::compare(&old, &new, &terms)?;
    let text = match arguments.output {
        Output::Json => json::render(&comparison, &old, &new, &terms),
        Output::Human => {
            let look = Look::of_standard_output();
            let (comparison, shows_all) = (&comparison, arguments.all);
            human::Report { comparison, old: &old, new: &new, terms: &terms, shows_all, look }.render()
        }
    };
    output::print(&text)?;
    Ok(exit_code(&comparison))
}

fn exit_code(comparison: &Comparison) -> ExitCode {
    match comparison.verdict {
        Answer::Compatible => ExitCode::SUCCESS,
        Answer::Incompatible => ExitCode::FAILURE,
        Answer::RegistryError | Answer::Unknown => ExitCode::from(COULD_NOT_TELL),
    }
}
