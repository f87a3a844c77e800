//! Servers and tools that are built from Go modules, at the versions in the `go.mod` files beside this file.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::cache;

/// etcd.
pub fn etcd() -> PathBuf {
    let module = Module::read("etcd", "go.etcd.io/etcd/server/v3");
    module.built(&["go.etcd.io/etcd/server/v3"], "").join("server")
}

/// The commands of Kubernetes.
pub struct Kubernetes {
    /// kube-apiserver
    pub apiserver: PathBuf,
    /// kube-controller-manager
    pub controller_manager: PathBuf,
    /// kubectl
    pub kubectl: PathBuf,
}

/// kube-apiserver, kube-controller-manager and kubectl.
pub fn kubernetes() -> Kubernetes {
    let module = Module::read("kubernetes", "k8s.io/kubernetes");
    let commands =
        ["kube-apiserver", "kube-controller-manager", "kubectl"].map(|name| format!("k8s.io/kubernetes/cmd/{name}"));
    // Without these the servers do not know their own version, and Helm and others ask for it.
    let (major, minor) = module.major_and_minor();
    let version = &module.version;
    let flags = ["k8s.io/component-base/version", "k8s.io/client-go/pkg/version"].map(|package| {
        format!("-X {package}.gitVersion={version} -X {package}.gitMajor={major} -X {package}.gitMinor={minor}")
    });
    let folder = module.built(&commands.each_ref().map(String::as_str), &flags.join(" "));
    Kubernetes {
        apiserver: folder.join("kube-apiserver"),
        controller_manager: folder.join("kube-controller-manager"),
        kubectl: folder.join("kubectl"),
    }
}

/// Helm.
pub fn helm() -> PathBuf {
    Module::read("helm", "helm.sh/helm/v4").built(&["helm.sh/helm/v4/cmd/helm"], "").join("helm")
}

/// The oracle for status, see `go/kstatus/main.go`.
pub fn kstatus() -> PathBuf {
    Module::read("kstatus", "sigs.k8s.io/cli-utils").built(&["."], "").join("kstatus")
}

/// The downloader for Maven repositories, see `go/maven/main.go`.
pub fn maven() -> PathBuf {
    Module::read("maven", "github.com/google/osv-scalibr").built(&["."], "").join("maven")
}

/// One folder of `tests/bed/go`.
struct Module {
    name: &'static str,
    folder: PathBuf,
    /// Version of the dependency that the module is there for.
    version: String,
}

impl Module {
    fn read(name: &'static str, dependency: &str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bed/go").join(name);
        let requirements = fs::read_to_string(folder.join("go.mod")).expect("each folder of tests/bed/go has a go.mod");
        let version = requirements.lines().find_map(|line| {
            let (path, rest) = line.trim().trim_start_matches("require ").split_once(' ')?;
            (path == dependency && !rest.starts_with("=>")).then(|| rest.split(' ').next().unwrap_or(rest).to_owned())
        });
        let version = version.unwrap_or_else(|| panic!("{}/go.mod does not require {dependency}", folder.display()));
        Self { name, folder, version }
    }

    /// `("1", "34")` of `v1.34.4`.
    fn major_and_minor(&self) -> (&str, &str) {
        let mut parts = self.version.trim_start_matches('v').split('.');
        (parts.next().unwrap_or_default(), parts.next().unwrap_or_default())
    }

    /// The cache folder with the packages' executables, which are built if that did not happen yet.
    fn built(&self, packages: &[&str], link_flags: &str) -> PathBuf {
        let sources = ["go.mod", "go.sum", "main.go"].map(|file| fs::read(self.folder.join(file)).unwrap_or_default());
        let hash = cache::sha256(&[&sources.concat(), link_flags.as_bytes()].concat());
        cache::ensure(&format!("{}-{}-{}", self.name, self.version, &hash[..8]), |target| {
            let mut go = Command::new("go");
            go.current_dir(&self.folder).env("CGO_ENABLED", "0").args(["build", "-trimpath"]);
            go.arg(format!("-ldflags=-s -w {link_flags}")).arg("-o").arg(target).args(packages);
            let status = go.status().unwrap_or_else(|error| {
                panic!("{} is built with Go, and `go` does not start ({error}); install Go", self.name)
            });
            assert!(status.success(), "{} {} could not be built with Go: {status}, see above", self.name, self.version);
        })
    }
}
