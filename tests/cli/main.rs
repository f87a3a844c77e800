//! The command line as a person or a script meets it: the real program, its output, its exit codes.

mod bad_input;
mod command;
mod golden;
mod hostile;
mod readme;
mod references;
#[path = "../tables/mod.rs"]
mod rows;
mod streams;
mod tables;
mod types;
mod verdicts;
