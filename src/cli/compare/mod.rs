//! `schema-registrar compare`: the verdict on two schemas, or on a stream of pairs.

mod batch;

use std::process::ExitCode;

use crate::compat::Profile;

/// What is compared, and how.
#[derive(Debug, clap::Args)]
pub struct CompareArguments {
    /// Reads pairs as JSON lines from standard input, and writes one JSON line for each.
    #[arg(long, required = true)]
    batch: bool,
    /// Whose rules: confluent-7.9, confluent-8.3 or confluent-next.
    #[arg(long, default_value = "confluent-8.3", value_parser = profile)]
    profile: &'static Profile,
}

fn profile(name: &str) -> Result<&'static Profile, String> {
    Profile::named(name).ok_or_else(|| format!("there is no profile {name}; the profiles are {}", names()))
}

fn names() -> String {
    crate::compat::PROFILES.map(|profile| profile.name).join(", ")
}

/// Compares.
pub fn run(arguments: &CompareArguments) -> ExitCode {
    match batch::run(arguments.profile) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("schema-registrar: {error}");
            ExitCode::from(2)
        }
    }
}
