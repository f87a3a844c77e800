//! The servers of the demo: a control plane with the chart installed, a registry, and the operator as the chart's ServiceAccount.

use std::path::Path;
use std::time::Instant;

use super::bed::{ApiServer, Operator, Registry, Release, Storage, chart};
use super::screen::Screen;
use super::shell::Failure;

/// The servers, the last started first: that is the order in which they are stopped.
#[derive(Debug)]
pub struct Stage {
    operator: Operator,
    /// The registry; its registry-wide level is BACKWARD.
    pub registry: Registry,
    /// The control plane.
    pub server: ApiServer,
}

impl Stage {
    /// Starts everything and waits until it is ready.
    pub async fn set(screen: &Screen) -> Self {
        let started = |what: &str, begun: Instant| {
            screen.line(&format!("{what:<70}{:>5.1} s", begun.elapsed().as_secs_f64()));
        };
        let begun = Instant::now();
        let server = ApiServer::start("demo").await;
        started("etcd, kube-apiserver, kube-controller-manager", begun);
        let begun = Instant::now();
        let release = Release::V3_3_3;
        let registry = Registry::start("demo-registry", release, Storage::Memory).await;
        registry.set_global_level("BACKWARD").await;
        started(&format!("Apicurio Registry {release}, registry-wide level BACKWARD"), begun);
        let begun = Instant::now();
        chart::install(&server).await;
        started("the chart, with Helm: definitions, ServiceAccount, RBAC", begun);
        let begun = Instant::now();
        let operator = chart::start_operator(&server).await;
        started("the operator, as that ServiceAccount", begun);
        Self { operator, registry, server }
    }

    /// Where the operator is asked how it is.
    pub fn operator_url(&self) -> String {
        self.operator.url()
    }

    /// Where logs are.
    pub fn folder(&self) -> &Path {
        self.server.folder()
    }

    /// An operator that ended, whatever it did before, is a failure.
    pub fn operator_runs(&mut self) -> Result<(), Failure> {
        match self.operator.ended() {
            None => Ok(()),
            Some(status) => Err(Failure::new(format!("the operator ended, {status}:\n{}", self.operator.log_tail()))),
        }
    }
}
