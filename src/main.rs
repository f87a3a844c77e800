//! Arguments, the crypto provider, and what the arguments say.

use std::process::ExitCode;

use clap::Parser;
use schema_registrar::cli::{self, Arguments};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    // One provider everywhere; another could only have been installed before main.
    if rustls::crypto::ring::default_provider().install_default().is_err() {
        eprintln!("schema-registrar: another TLS provider is installed already");
        return ExitCode::FAILURE;
    }
    cli::main(arguments)
}
