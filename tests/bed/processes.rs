//! Nothing that a test started stays behind.

use std::fs;
use std::process::Command;
use std::time::Duration;

use crate::bed::{Process, Scratch, until};

const PATIENCE: Duration = Duration::from_secs(10);

/// Set in the copy of this binary that [`a_test_that_dies_leaves_nothing_running`] starts; the value is where to write the child's id.
const DIE: &str = "BED_START_A_CHILD_AND_DIE";

fn sleeper(scratch: &Scratch) -> Process {
    let mut command = Command::new("sleep");
    command.arg("1000");
    Process::start("sleep", command, &scratch.join("log"))
}

/// An orphan that has ended and that nobody waited for yet counts as gone.
fn is_running(pid: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"));
    stat.is_ok_and(|stat| !stat.contains(") Z "))
}

async fn wait_until_gone(pid: &str) {
    until("the process to be gone", PATIENCE, async || if is_running(pid) { Err("it still runs") } else { Ok(()) })
        .await;
}

#[tokio::test]
async fn a_dropped_process_is_gone() {
    let process = sleeper(&Scratch::new("bed-process"));
    let pid = process.pid().to_string();
    assert!(is_running(&pid));
    drop(process);
    wait_until_gone(&pid).await;
}

#[tokio::test]
async fn a_test_that_dies_leaves_nothing_running() {
    let scratch = Scratch::new("bed-process");
    if let Some(file) = std::env::var_os(DIE) {
        let [ended, left] = [sleeper(&scratch), sleeper(&scratch)];
        fs::write(file, left.pid().to_string()).unwrap();
        drop(ended);
        std::process::abort();
    }
    let file = scratch.join("pid");
    let mut copy = Command::new(std::env::current_exe().unwrap());
    copy.args(["--exact", "processes::a_test_that_dies_leaves_nothing_running", "--nocapture"]).env(DIE, &file);
    let output = copy.output().unwrap();
    assert!(!output.status.success(), "it should have died");
    wait_until_gone(&fs::read_to_string(&file).unwrap()).await;
}

#[tokio::test]
async fn time_and_memory_of_a_process_are_known() {
    let scratch = Scratch::new("bed-process");
    let mut command = Command::new("sh");
    command.args(["-c", "while :; do :; done"]);
    let process = Process::start("busy sh", command, &scratch.join("log"));
    until("the process to use time", PATIENCE, async || match process.cpu() {
        time if time >= Duration::from_millis(50) => Ok(()),
        time => Err(format!("it has used {time:?}")),
    })
    .await;
    let memory = process.peak_memory();
    assert!((100_000..100_000_000).contains(&memory), "a shell needs a few megabytes, not {memory} bytes");
}
