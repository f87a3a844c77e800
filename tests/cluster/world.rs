//! The servers that tests stand on: an API server with the chart installed, and the operator as the chart's ServiceAccount.
//!
//! Most tests share one world and one registry, and are kept apart by namespaces. A test that kills something makes its own.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::{Mutex, MutexGuard, OnceCell};

use crate::bed::{ApiServer, AuditEntry, Operator, Registry, Release, Storage, chart};

/// How long anything that works may take on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(150);

/// An API server and its operator. Stopped when dropped.
#[derive(Debug)]
pub struct World {
    // Dropped in this order: what talks to the other one first.
    operator: Mutex<Operator>,
    /// The API server.
    pub server: ApiServer,
    was_killed: AtomicBool,
    excused: AtomicUsize,
    kubeconfig: PathBuf,
}

impl World {
    /// Starts one whose operator is ready. `name` is what its folder is called.
    pub async fn start(name: &str) -> Self {
        let server = ApiServer::start(name).await;
        chart::install(&server).await;
        let kubeconfig = server.service_account(chart::NAME, chart::NAME).await;
        let operator = Mutex::new(start_operator(&server, &kubeconfig));
        let (was_killed, excused) = Default::default();
        let world = Self { server, operator, was_killed, excused, kubeconfig };
        world.operator().await.ready(PATIENCE).await;
        world
    }

    /// The operator, as a process.
    pub async fn operator(&self) -> MutexGuard<'_, Operator> {
        self.operator.lock().await
    }

    /// SIGKILL for the operator.
    pub async fn kill_operator(&self) {
        self.was_killed.store(true, Ordering::SeqCst);
        self.operator().await.sigkill();
    }

    /// Starts the operator again after it was killed. Does not wait for it.
    pub async fn start_operator_again(&self) {
        *self.operator().await = start_operator(&self.server, &self.kubeconfig);
        self.was_killed.store(false, Ordering::SeqCst);
    }

    /// Panics with the end of its log if the operator has ended by itself.
    pub async fn assert_operator_runs(&self) {
        let mut operator = self.operator().await;
        let ended = operator.ended().filter(|_| !self.was_killed.load(Ordering::SeqCst));
        assert!(ended.is_none(), "the operator has ended, {ended:?}; its log ends:\n{}", operator.log_tail());
    }

    /// How often the operator, since it was started, called the registries of a namespace by a method and a route; both may be
    /// beginnings.
    pub async fn calls(&self, namespace: &str, method: &str, route: &str) -> u64 {
        let metrics = self.operator().await.metrics().await;
        let parts = [format!("namespace=\"{namespace}\""), format!("method=\"{method}"), format!("route=\"{route}")];
        let counted = metrics.lines().filter(|line| line.starts_with("schema_registrar_registry_calls_total{"));
        let counted = counted.filter(|line| parts.iter().all(|part| line.contains(part)));
        counted.map(|line| line.rsplit(' ').next().and_then(|count| count.parse::<u64>().ok()).expect("a count")).sum()
    }

    /// What the operator asked of the API server, as far as it was answered.
    pub fn asked_by_operator(&self) -> Vec<AuditEntry> {
        self.server.audit_of(chart::USER)
    }

    /// Checks that the operator never asked for what it may not.
    pub fn assert_nothing_forbidden(&self) {
        let asked = self.asked_by_operator().split_off(self.excused.load(Ordering::SeqCst));
        let forbidden: Vec<_> = asked.into_iter().filter(|entry| entry.code == 403).collect();
        assert!(forbidden.is_empty(), "the operator asked for what it may not: {forbidden:#?}");
    }

    /// Has [`assert_nothing_forbidden`](Self::assert_nothing_forbidden) leave out what was asked so far. An API server that has just
    /// started forbids everything until it has loaded the rights.
    pub fn excuse_forbidden(&self) {
        self.excused.store(self.asked_by_operator().len(), Ordering::SeqCst);
    }
}

/// The world that tests share which leave it as it is.
pub async fn shared() -> &'static World {
    static WORLD: OnceCell<World> = OnceCell::const_new();
    WORLD.get_or_init(|| World::start("cluster")).await
}

/// The registry that tests share which leave it as it is: release 3.3.3, with the level BACKWARD for all.
pub async fn shared_registry() -> &'static Registry {
    static REGISTRY: OnceCell<Registry> = OnceCell::const_new();
    REGISTRY
        .get_or_init(async || {
            let registry = Registry::start("cluster-registry", Release::V3_3_3, Storage::Memory).await;
            registry.set_global_level("BACKWARD").await;
            registry
        })
        .await
}

fn start_operator(server: &ApiServer, kubeconfig: &Path) -> Operator {
    Operator::start(kubeconfig, &["--log=info,schema_registrar=debug"], &server.folder().join("operator.log"))
}
