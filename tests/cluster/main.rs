//! Proves the operator on real servers: kube-apiserver, Apicurio Registry, and the operator as a process of its own with
//! the rights of its ServiceAccount. One file a behaviour; what the servers are is in [`world`], what a test sees of them in [`stage`].

// What a test cannot do without fails it.
#![allow(clippy::panic)]

#[path = "../bed/mod.rs"]
mod bed;
#[path = "../fake/mod.rs"]
mod fake;
#[path = "../tables/mod.rs"]
mod tables;

mod grown;
mod hostile;
mod orders;
mod plain;
mod record;
mod snapshot;
mod stage;
mod truth;
mod world;

mod bad_input;
mod confluent;
mod crash;
mod explained;
mod going;
mod held_back;
mod levels;
mod others;
mod outage;
mod quiet;
mod recreated;
mod rights;
mod story;
