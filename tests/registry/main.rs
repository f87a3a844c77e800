//! The registry client against the fake registry and against real ones, and the fake against recordings of real ones.

#![allow(clippy::panic)]

#[path = "../bed/mod.rs"]
mod bed;
#[path = "../fake/mod.rs"]
mod fake;

mod apicurio;
mod calls;
mod faults;
mod flavours;
mod levels;
mod recordings;
mod refusals;
mod support;
