//! The real servers that tests, the demo and the benchmark stand on, and the tools that ask them.
//!
//! Everything comes from public package registries and is kept in the user's cache folder ([`cache`]), so that only the first run
//! builds. Servers listen on loopback, on ports that were free, keep their data and logs in a folder of their own under `target/tmp`
//! ([`scratch`]), and end when their value is dropped, or when the process that started them is gone ([`process`]).
//! A failure panics, with the tail of the log of what failed.
//!
//! Included by a test binary with `#[path = "../bed/mod.rs"] mod bed;`.

// Each test binary uses a part of the bed, and a bed that cannot be laid fails the test.
#![allow(dead_code, unused_imports, clippy::panic)]

pub mod apiserver;
pub mod audit;
pub mod black_hole;
pub mod cache;
pub mod chart;
pub mod go;
pub mod java;
pub mod operator;
pub mod process;
pub mod registry;
pub mod scratch;
pub mod tools;
pub mod wait;

pub use apiserver::ApiServer;
pub use audit::AuditEntry;
pub use black_hole::BlackHole;
pub use operator::Operator;
pub use process::Process;
pub use registry::{Registry, Release, Request, Storage};
pub use scratch::{Scratch, free_port};
pub use tools::{Output, helm, helm_offline, kstatus, kubectl};
pub use wait::until;

/// TLS for clients of this process. Only the first call counts.
pub fn install_crypto() {
    // The error says that a provider is installed already.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// A client for plain HTTP on loopback. It belongs to the runtime of the caller.
pub fn http() -> reqwest::Client {
    install_crypto();
    let client = reqwest::Client::builder().no_proxy().timeout(std::time::Duration::from_secs(30));
    client.build().expect("a client without special wishes can be built")
}
