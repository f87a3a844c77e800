//! Proves the bed itself: the real servers start, keep what they hold, and end.

#[path = "mod.rs"]
mod bed;

mod cluster;
mod processes;
mod registries;
mod servers;
