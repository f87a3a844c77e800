//! The command line.

mod compare;
mod operator;
mod output;

use std::net::SocketAddr;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::api::{crds, to_yaml};
use crate::telemetry::{DEFAULT_FILTER, LogFormat};

/// Owns what a Kafka Schema Registry holds, from Kubernetes resources.
#[derive(Debug, Parser)]
#[command(name = "schema-registrar", version)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Runs the operator.
    Run(RunArguments),
    /// Compares schemas as a registry would, without one.
    Compare(compare::CompareArguments),
    /// Prints the CustomResourceDefinitions as YAML.
    Crd,
}

/// How the operator runs.
#[derive(Debug, clap::Args)]
pub struct RunArguments {
    /// Where /metrics, /healthz and /readyz are served.
    #[arg(long, default_value = "0.0.0.0:8080", env = "SCHEMA_REGISTRAR_LISTEN")]
    listen: SocketAddr,
    /// How log lines look.
    #[arg(long, value_enum, default_value_t, env = "SCHEMA_REGISTRAR_LOG_FORMAT")]
    log_format: LogFormat,
    /// What is logged: a level, or levels by part, such as debug,kube=info.
    #[arg(long, default_value = DEFAULT_FILTER, env = "SCHEMA_REGISTRAR_LOG")]
    log: String,
}

/// Does what the arguments say.
pub fn main(arguments: Arguments) -> ExitCode {
    match arguments.command {
        Command::Run(arguments) => operator::run(&arguments),
        Command::Compare(arguments) => compare::run(&arguments),
        Command::Crd => print_crds(),
    }
}

fn print_crds() -> ExitCode {
    let failed = |why: String| {
        eprintln!("schema-registrar: {why}");
        ExitCode::from(2)
    };
    let yaml: Result<Vec<String>, _> = crds().iter().map(to_yaml).collect();
    let text = match yaml {
        Ok(all) => all.iter().map(|yaml| format!("---\n{}\n", yaml.trim_end())).collect::<String>(),
        Err(error) => return failed(format!("a definition cannot be written as YAML: {error}")),
    };
    match output::print(&text) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(format!("the definitions cannot be written: {error}")),
    }
}
