//! `make demo`: the operator on real servers, told as a story with the real output of kubectl.
//!
//! A test without the harness: it runs once with all tests, prints what it does, and fails if any step is not as it says.
//! With DEMO_KEEP set, everything is left running until it is interrupted.

#[path = "../bed/mod.rs"]
mod bed;

mod checkout;
mod readme;
mod screen;
mod shell;
mod stage;
mod story;

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use tokio::signal::unix::{SignalKind, signal};

use screen::Screen;
use shell::{Failure, Shell};
use stage::Stage;

fn main() -> ExitCode {
    if !is_asked_for() {
        return ExitCode::SUCCESS;
    }
    bed::install_crypto();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let told = runtime.map_err(Failure::from).and_then(|runtime| runtime.block_on(demo()));
    match told {
        Ok(ended) => ended,
        Err(failure) => {
            eprintln!("\ndemo: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// `cargo test` hands its filters and flags to every test program, also to one without the harness.
fn is_asked_for() -> bool {
    let (flags, filters): (Vec<_>, Vec<_>) = std::env::args().skip(1).partition(|it| it.starts_with('-'));
    if flags.iter().any(|flag| flag == "--list") {
        println!("demo: test");
        return false;
    }
    let asked = filters.is_empty() || filters.iter().any(|filter| "demo".contains(filter.as_str()));
    if !asked {
        println!("demo: filtered out");
    }
    asked
}

async fn demo() -> Result<ExitCode, Failure> {
    let mut stop = signal(SignalKind::interrupt())?;
    tokio::select! {
        told = tell(keep()) => told,
        _ = stop.recv() => {
            println!();
            Err(Failure::new("interrupted; everything that was started is stopped"))
        }
    }
}

fn keep() -> bool {
    std::env::var_os("DEMO_KEEP").is_some_and(|keep| !keep.is_empty() && keep != "0")
}

/// The failure of a step is shown where it happens, and makes the exit code.
async fn tell(keep: bool) -> Result<ExitCode, Failure> {
    let begun = Instant::now();
    let screen = Screen::new();
    screen.title("Schema Registrar, on real servers");
    let mut stage = Stage::set(&screen).await;
    let shell = Shell::open(screen, &stage).await?;
    let told = story::tell(&shell, &mut stage).await;
    match &told {
        Ok(()) => shell.screen.title(&format!(
            "{} steps, {} things checked, all as they should be, in {:.0} s",
            shell.screen.steps(),
            shell.screen.checks(),
            begun.elapsed().as_secs_f64()
        )),
        Err(failure) => {
            shell.screen.failed(failure);
            shell.screen.note(&format!("logs: {}", stage.folder().display()));
        }
    }
    if keep {
        leave_running(&shell, &stage).await?;
    } else if told.is_ok() {
        shell.screen.note("make demo KEEP=1 leaves it running, to play with");
    }
    Ok(if told.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

async fn leave_running(shell: &Shell, stage: &Stage) -> Result<(), Failure> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    shell.screen.title("Everything keeps running. In another terminal:");
    let tools = bed::go::kubernetes().kubectl;
    let folder = |tool: &Path| tool.parent().map(|folder| folder.display().to_string()).unwrap_or_default();
    let path = format!("{}:{}", folder(&tools), folder(&bed::go::helm()));
    for line in [
        format!("export KUBECONFIG={}", stage.server.admin().display()),
        format!("export REGISTRY={}", stage.registry.url()),
        format!("export PATH={path}:$PATH   # kubectl, helm"),
        format!("cd {}", shell.checkout.folder().display()),
        String::new(),
        "kubectl get registrar".to_owned(),
        "curl $REGISTRY/subjects".to_owned(),
        format!("curl {}/metrics", stage.operator_url()),
        format!("tail -f {}", stage.folder().join("operator.log").display()),
        String::new(),
        "# Namespace shop has its SchemaRegistry already: apply a Schema of a name of yours.".to_owned(),
        "# The operator is a process beside the cluster, as the chart's ServiceAccount; the chart's Deployment has no node.".to_owned(),
    ] {
        shell.screen.line(&line);
    }
    shell.screen.title(&format!("Stop it with Ctrl-C here, or with: kill {}", std::process::id()));
    tokio::select! { _ = terminate.recv() => {}, _ = interrupt.recv() => {} }
    println!("\nstopped");
    Ok(())
}
