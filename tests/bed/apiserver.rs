//! A Kubernetes control plane: etcd, kube-apiserver and kube-controller-manager, without nodes.
//!
//! RBAC decides, ServiceAccount tokens are real, every answered request is in the audit log.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::Duration;

use k8s_openapi::api::authentication::v1::{TokenRequest, TokenRequestSpec};
use k8s_openapi::api::core::v1::ServiceAccount;
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Api, Client, Config};

use super::{AuditEntry, Output, Process, Scratch, audit, free_port, go, tools, until};

/// How long a server may take to start or to end. It takes a second or two on an idle machine.
const PATIENCE: Duration = Duration::from_secs(60);

const ADMIN_TOKEN: &str = "admin-of-this-test-bed";

const AUDIT_POLICY: &str = "\
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: Metadata
";

/// Namespace deletion, garbage collection, and what RBAC and ServiceAccounts need. There are no nodes, so nothing is ever scheduled.
const CONTROLLERS: &str =
    "namespace-controller,garbage-collector-controller,serviceaccount-controller,clusterrole-aggregation-controller";

/// A running control plane. Stopped when dropped.
#[derive(Debug)]
pub struct ApiServer {
    // In this order they are dropped: what talks to another one first.
    _controller_manager: Process,
    apiserver: Mutex<Process>,
    _etcd: Process,
    admin: PathBuf,
    port: u16,
    etcd_port: u16,
    scratch: Scratch,
}

impl ApiServer {
    /// Starts a control plane and waits until it is ready. `name` is what its folder is called.
    pub async fn start(name: &str) -> Self {
        let kubernetes = go::kubernetes();
        let scratch = Scratch::new(name);
        let (port, etcd_port) = (free_port(), free_port());
        scratch.write("tokens.csv", &format!("{ADMIN_TOKEN},admin,admin,\"system:masters\"\n"));
        scratch.write("audit-policy.yaml", AUDIT_POLICY);

        let etcd = Process::start("etcd", etcd_command(&scratch, etcd_port), &scratch.join("etcd.log"));
        let log = scratch.join("kube-apiserver.log");
        let apiserver =
            Mutex::new(Process::start("kube-apiserver", apiserver_command(&scratch, port, etcd_port), &log));
        let certificate = scratch.join("certificates/apiserver.crt");
        until("kube-apiserver to make its certificate", PATIENCE, async || {
            assert_running(&apiserver);
            if certificate.exists() { Ok(()) } else { Err("not there yet") }
        })
        .await;
        let admin = scratch.write("admin.kubeconfig", &kubeconfig(port, &certificate, ADMIN_TOKEN));
        wait_ready(&apiserver, &admin).await;

        let mut command = Command::new(kubernetes.controller_manager);
        command.arg(format!("--kubeconfig={}", admin.display())).arg(format!("--controllers={CONTROLLERS}"));
        command.args(["--leader-elect=false", "--bind-address=127.0.0.1", "--secure-port=0"]);
        command.args(["--kube-api-qps=200", "--kube-api-burst=400"]);
        let log = scratch.join("kube-controller-manager.log");
        let controller_manager = Process::start("kube-controller-manager", command, &log);
        Self { _controller_manager: controller_manager, apiserver, _etcd: etcd, admin, port, etcd_port, scratch }
    }

    /// Where it listens.
    pub fn url(&self) -> String {
        format!("https://127.0.0.1:{}", self.port)
    }

    /// Path of a kubeconfig of a member of `system:masters`.
    pub fn admin(&self) -> &Path {
        &self.admin
    }

    /// A client for the administrator. It belongs to the runtime of the caller: make one a test.
    pub async fn client(&self) -> Client {
        client(&self.admin).await
    }

    /// Runs kubectl as the administrator; `stdin` is what `-f -` reads.
    pub async fn kubectl(&self, arguments: &[&str], stdin: &str) -> Output {
        tools::kubectl(&self.admin, arguments, stdin).await
    }

    /// Runs Helm as the administrator.
    pub async fn helm(&self, arguments: &[&str]) -> Output {
        tools::helm(&self.admin, arguments).await
    }

    /// Path of a kubeconfig with a fresh token of a ServiceAccount, which has to exist. The token is good for a day.
    pub async fn service_account(&self, namespace: &str, name: &str) -> PathBuf {
        let accounts: Api<ServiceAccount> = Api::namespaced(self.client().await, namespace);
        let day = TokenRequestSpec { expiration_seconds: Some(24 * 60 * 60), ..TokenRequestSpec::default() };
        let request = TokenRequest { spec: day, ..TokenRequest::default() };
        let answer = accounts.create_token_request(name, &Default::default(), &request).await;
        let answer = answer.unwrap_or_else(|error| panic!("no token for ServiceAccount {namespace}/{name}: {error}"));
        let token = answer.status.expect("a token request is answered with a token").token;
        let text = kubeconfig(self.port, &self.scratch.join("certificates/apiserver.crt"), &token);
        self.scratch.write(&format!("{namespace}-{name}.kubeconfig"), &text)
    }

    /// Kills kube-apiserver alone (SIGKILL); etcd keeps the data.
    pub fn kill(&self) {
        self.apiserver.lock().expect("no panic while it was locked").kill();
    }

    /// Starts a killed kube-apiserver again, on the same port, and waits until it is ready.
    pub async fn restart(&self) {
        self.kill();
        let command = apiserver_command(&self.scratch, self.port, self.etcd_port);
        let process = Process::start("kube-apiserver", command, &self.scratch.join("kube-apiserver.log"));
        *self.apiserver.lock().expect("no panic while it was locked") = process;
        wait_ready(&self.apiserver, &self.admin).await;
    }

    /// Every request answered so far, by the audit log.
    pub fn audit(&self) -> Vec<AuditEntry> {
        audit::read(&self.scratch.join("audit.log"))
    }

    /// Every request of one user answered so far, by the audit log.
    pub fn audit_of(&self, user: &str) -> Vec<AuditEntry> {
        audit::read_of(&self.scratch.join("audit.log"), user)
    }

    /// The folder with kubeconfigs, logs and data.
    pub fn folder(&self) -> &Path {
        self.scratch.path()
    }
}

/// A client with the rights of a kubeconfig. It belongs to the runtime of the caller.
pub async fn client(kubeconfig: &Path) -> Client {
    super::install_crypto();
    let file = Kubeconfig::read_from(kubeconfig).expect("the kubeconfig is readable");
    let config = Config::from_custom_kubeconfig(file, &KubeConfigOptions::default()).await;
    Client::try_from(config.expect("the kubeconfig is complete")).expect("the kubeconfig makes a client")
}

fn etcd_command(scratch: &Scratch, port: u16) -> Command {
    let (clients, peers) = (format!("http://127.0.0.1:{port}"), format!("http://127.0.0.1:{}", free_port()));
    let mut command = Command::new(go::etcd());
    command.arg(format!("--data-dir={}", scratch.join("etcd").display()));
    command.arg(format!("--listen-client-urls={clients}")).arg(format!("--advertise-client-urls={clients}"));
    command.arg(format!("--listen-peer-urls={peers}")).arg(format!("--initial-advertise-peer-urls={peers}"));
    command.arg(format!("--initial-cluster=default={peers}"));
    // The machine is not expected to lose power during a test, and disks that sync slowly make tests slow.
    command.arg("--unsafe-no-fsync");
    command
}

fn apiserver_command(scratch: &Scratch, port: u16, etcd_port: u16) -> Command {
    let path = |name: &str| scratch.join(name).display().to_string();
    let mut command = Command::new(go::kubernetes().apiserver);
    command.arg(format!("--etcd-servers=http://127.0.0.1:{etcd_port}"));
    command.args(["--bind-address=127.0.0.1", "--external-hostname=localhost", "--endpoint-reconciler-type=none"]);
    command.arg(format!("--secure-port={port}"));
    // It signs its own certificate in this folder at the first start, and finds it there at the next.
    command.arg(format!("--cert-dir={}", path("certificates")));
    command.arg(format!("--token-auth-file={}", path("tokens.csv")));
    command.args(["--authorization-mode=RBAC", "--service-cluster-ip-range=10.0.0.0/24"]);
    command.arg("--service-account-issuer=https://kubernetes.default.svc");
    command.arg(format!("--service-account-key-file={}", path("certificates/apiserver.key")));
    command.arg(format!("--service-account-signing-key-file={}", path("certificates/apiserver.key")));
    command.arg(format!("--audit-policy-file={}", path("audit-policy.yaml")));
    command.arg(format!("--audit-log-path={}", path("audit.log")));
    command
}

/// JSON is YAML, and quotes paths and tokens right.
fn kubeconfig(port: u16, certificate: &Path, token: &str) -> String {
    let config = serde_json::json!({
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{
            "name": "bed",
            "cluster": {"server": format!("https://127.0.0.1:{port}"), "certificate-authority": certificate},
        }],
        "users": [{"name": "bed", "user": {"token": token}}],
        "contexts": [{"name": "bed", "context": {"cluster": "bed", "user": "bed"}}],
        "current-context": "bed",
    });
    format!("{config:#}\n")
}

async fn wait_ready(apiserver: &Mutex<Process>, admin: &Path) {
    let client = client(admin).await;
    until("kube-apiserver to be ready", PATIENCE, async || {
        assert_running(apiserver);
        let request = axum::http::Request::get("/readyz").body(Vec::new()).expect("a request without a body is valid");
        client.request_text(request).await
    })
    .await;
}

fn assert_running(process: &Mutex<Process>) {
    process.lock().expect("no panic while it was locked").assert_running();
}
