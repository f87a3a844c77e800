//! The registry, or the API server, may go at any moment: the operator stays, does not run hot, and goes on where it was
//! within half a minute of the return. One registry's trouble is not another's.

use std::time::{Duration, Instant};

use futures::future::{join, join_all};
use tokio::sync::{Mutex, MutexGuard, OnceCell};

use super::fake::{Fake, Flavour};
use super::grown::{apply_all, held, version};
use super::snapshot::Snapshot;
use super::stage::Stage;
use super::world::{PATIENCE, World, shared, shared_registry};
use crate::bed::{BlackHole, Registry, Release, Storage, until};

/// From the return of what was away until everything is as it should be.
const RECOVERY: Duration = Duration::from_secs(30);

/// Schemas that are changed while something is away.
const SCHEMAS: usize = 40;

/// One world for these tests, and one test at a time in it.
async fn world() -> (&'static World, MutexGuard<'static, ()>) {
    static WORLD: OnceCell<World> = OnceCell::const_new();
    static TURN: Mutex<()> = Mutex::const_new(());
    let turn = TURN.lock().await;
    (WORLD.get_or_init(|| World::start("cluster-outage")).await, turn)
}

async fn stage(world: &'static World, namespace: &str, registry: &str) -> Stage<'static> {
    let stage = Stage::bare(world, namespace, registry).await;
    stage.apply(&stage.default_registry()).await;
    stage.until_registry_is("default", "True", "Connected").await;
    stage
}

fn names() -> Vec<String> {
    (0..SCHEMAS).map(|number| format!("grown-{number}")).collect()
}

/// Waits until all are in sync with this version, which has to be within [`RECOVERY`] of now.
async fn all_recover(stage: &Stage<'_>, names: &[String], number: i64) {
    let start = Instant::now();
    for name in names {
        let left = RECOVERY.saturating_sub(start.elapsed());
        let is = |it: &Snapshot| it.is("Ready") && it.latest() == Some(number);
        stage.until("Schema", name, &format!("Ready with version {number} soon after the return"), left, is).await;
    }
    println!("{} recovered within {:?}", stage.namespace, start.elapsed());
}

#[tokio::test]
async fn a_registry_that_goes_and_comes_back_gets_each_change_once() {
    let (world, _turn) = world().await;
    let registry = Registry::start("cluster-outage-registry", Release::V3_3_3, Storage::File).await;
    let stage = stage(world, "registry-outage", &registry.url()).await;
    // Should all changes have been made before it goes, this is how it is missed.
    stage.watch_for_drift().await;
    let names = names();
    apply_all(&stage, &names, 1).await;
    for name in &names {
        stage.until_schema_is(name, "True", "InSync").await;
    }

    // Stopped, then killed, while changes are under way: which of them it took nobody knows.
    for (number, by_force) in [(2, false), (3, true)] {
        let before = registers(&stage).await;
        let goes = async {
            wait_for_registers(&stage, before + SCHEMAS as u64 / 3).await;
            if by_force { registry.kill() } else { registry.stop().await }
        };
        join(apply_all(&stage, &names, number), goes).await;
        stage.until_registry_is("default", "False", "RegistryUnavailable").await;
        stays_cool_while_it_is_away(&stage).await;

        registry.restart().await;
        all_recover(&stage, &names, i64::try_from(number).unwrap()).await;
        stage.until_registry_is("default", "True", "Connected").await;
        for name in &names {
            assert_eq!(held(&stage, name).await, Vec::from_iter(1..=number), "of {name}");
        }
    }
    stage.end().await;
}

/// The registry is tried, and that is all.
async fn stays_cool_while_it_is_away(stage: &Stage<'_>) {
    // By the first try, what was under way has ended.
    wait_for_tries(stage, 1).await;
    let (calls, pings, cpu) = effort(stage).await;
    wait_for_tries(stage, 3).await;
    let after = effort(stage).await;
    let (calls, pings, cpu) = (after.0 - calls, after.1 - pings, after.2 - cpu);
    assert!(calls <= pings + 1, "{calls} calls were made, of which only {pings} were to find out whether it is back");
    assert!(cpu < Duration::from_secs(2), "{cpu:?} of processor time for doing nothing");
    let newest = stage.record.newest("Schema", "grown-0").expect("it is there");
    assert!(newest.is("Ready") || newest.is("Reconciling"), "an outage needs nobody's help: {newest}");
}

async fn wait_for_tries(stage: &Stage<'_>, wanted: u64) {
    let before = effort(stage).await.1;
    until(&format!("{wanted} tries whether the registry is back"), PATIENCE, async || {
        match effort(stage).await.1 - before {
            tried if tried >= wanted => Ok(()),
            tried => Err(format!("{tried} were made")),
        }
    })
    .await;
}

/// Calls to the registry, those of them that only try whether it is there, and processor time.
async fn effort(stage: &Stage<'_>) -> (u64, u64, Duration) {
    let calls = stage.world.calls(&stage.namespace, "", "").await;
    let pings = stage.world.calls(&stage.namespace, "GET", "/schemas/types").await;
    (calls, pings, stage.world.operator().await.cpu())
}

async fn registers(stage: &Stage<'_>) -> u64 {
    stage.world.calls(&stage.namespace, "POST", "/subjects/{subject}/versions").await
}

async fn wait_for_registers(stage: &Stage<'_>, wanted: u64) {
    until(&format!("{wanted} registers"), PATIENCE, async || match registers(stage).await {
        made if made >= wanted => Ok(()),
        made => Err(format!("{made} were made")),
    })
    .await;
}

#[tokio::test]
async fn an_api_server_that_is_killed_and_comes_back_finds_the_operator_at_work() {
    let (world, _turn) = world().await;
    let stage = stage(world, "api-outage", &shared_registry().await.url()).await;
    stage.watch_for_drift().await;
    let names = names();
    apply_all(&stage, &names, 1).await;
    for name in &names {
        stage.until_schema_is(name, "True", "InSync").await;
    }

    // Killed while changes are registered: of some, nobody could be told.
    apply_all(&stage, &names, 2).await;
    wait_for_registers(&stage, (SCHEMAS + SCHEMAS / 3) as u64).await;
    world.assert_nothing_forbidden();
    world.server.kill();
    // Meanwhile someone else registers a version.
    until("the change of the last one to be registered", PATIENCE, async || match held(&stage, &names[0]).await {
        held if held == [1, 2] => Ok(()),
        held => Err(format!("{held:?}")),
    })
    .await;
    stage.registry.register(&stage.subject(&names[0]), "AVRO", &version(3)).await.ok();

    let cpu = world.operator().await.cpu();
    // A watch is tried again after 0.8 s at most, then 1.6, 3.2, 5; a status that could not be written after 1, 2, 4.
    let (watches, all) = (tries(world, "watch failed"), tries(world, ""));
    until("each watch to be tried four times", PATIENCE, async || match tries(world, "watch failed") - watches {
        tried if tried >= 12 => Ok(()),
        tried => Err(format!("{tried} tries")),
    })
    .await;
    let (all, cpu) = (tries(world, "") - all, world.operator().await.cpu() - cpu);
    println!("{all} tries, {cpu:?} of processor time");
    assert!(all <= 12 + 5 * SCHEMAS, "{all} tries for {SCHEMAS} statuses and three watches");
    assert!(cpu < Duration::from_secs(2), "{cpu:?} of processor time for doing nothing");

    world.server.restart().await;
    let drifted = |it: &Snapshot| it.reason() == "Drifted" && it.latest() == Some(3);
    stage.until("Schema", &names[0], "told as moved on by someone else", RECOVERY, drifted).await;
    // Changed again at once: what it registered itself while it could tell nobody is not taken for someone else's.
    apply_all(&stage, &names, 3).await;
    all_recover(&stage, &names, 3).await;
    world.excuse_forbidden();
    let foreign = |it: &Snapshot| it.reason() == "OverwritesForeign";
    let taken_for_foreign = names.iter().flat_map(|name| stage.record.history("Schema", name)).find(|it| foreign(it));
    assert!(taken_for_foreign.is_none(), "{}", taken_for_foreign.expect("there is one"));
    for name in &names {
        assert_eq!(held(&stage, name).await, [1, 2, 3], "of {name}");
    }
    world.assert_operator_runs().await;
    stage.end().await;
}

/// How often the operator's log says so far that something could not be had from, or told to, the API server, and that it tries again.
fn tries(world: &World, what: &str) -> usize {
    let log = std::fs::read_to_string(world.server.folder().join("operator.log")).expect("the log is readable");
    log.lines().filter(|line| line.contains("trying again") && line.contains(what)).count()
}

#[tokio::test]
async fn a_black_holed_registry_does_not_slow_another_down() {
    const PENDING: usize = 200;
    const ROUNDS: usize = 5;
    let (world, _turn) = world().await;
    let healthy = stage(world, "healthy", &shared_registry().await.url()).await;
    let hole = BlackHole::open().await;
    let holed = Stage::bare(world, "black-holed", &hole.url()).await;
    let pending: Vec<String> = (0..PENDING).map(|number| format!("pending-{number}")).collect();
    apply_all(&holed, &pending, 1).await;

    // By turns, and each compared with its neighbour, since other work on the machine comes and goes.
    let mut ratios = Vec::new();
    for round in 0..ROUNDS {
        all_wait(&holed, &pending, "RegistryNotFound").await;
        nothing_is_written(&holed).await;
        let alone = time_to_converge(&healthy, &format!("alone-{round}")).await;

        let connections = hole.connections();
        holed.apply(&holed.default_registry()).await;
        until("the black hole to be asked", PATIENCE, async || match hole.connections() {
            more if more > connections => Ok(()),
            _ => Err("it was not"),
        })
        .await;
        let beside = time_to_converge(&healthy, &format!("beside-{round}")).await;
        println!("alone {alone:?}, beside a black hole {beside:?}");
        ratios.push(beside.as_secs_f64() / alone.as_secs_f64());
        if round + 1 < ROUNDS {
            holed.delete("SchemaRegistry", "default").await;
        }
    }
    all_wait(&holed, &pending, "RegistryUnavailable").await;

    ratios.sort_by(f64::total_cmp);
    assert!(ratios[ROUNDS / 2] <= 2.0, "beside a black hole it takes so many times as long: {ratios:.2?}");
    holed.end().await;
    healthy.end().await;
}

/// With the next drift check ten minutes away.
#[tokio::test]
async fn an_outage_is_noticed_within_two_minutes_though_there_is_nothing_to_do() {
    let fake = Fake::start(Flavour::Confluent).await;
    let stage = Stage::bare(shared().await, "outage-idle", &fake.url()).await;
    stage.apply(&stage.default_registry()).await;
    stage.until_registry_is("default", "True", "Connected").await;
    fake.stop();
    let away = |it: &Snapshot| it.reason() == "RegistryUnavailable";
    stage.until("SchemaRegistry", "default", "away", Duration::from_secs(120), away).await;
    fake.restart().await;
    stage.until_registry_is("default", "True", "Connected").await;
    stage.end().await;
}

/// Waits until all say that they wait, and why.
async fn all_wait(stage: &Stage<'_>, names: &[String], reason: &str) {
    for name in names {
        let waits = |it: &Snapshot| it.state("Ready") == "False" && it.reason() == reason;
        stage.until("Schema", name, reason, PATIENCE, waits).await;
    }
}

/// Waits until a second passes in which none of the objects changes.
async fn nothing_is_written(stage: &Stage<'_>) {
    until("a second without a write", PATIENCE, async || {
        let before = stage.record.all().len();
        tokio::time::sleep(Duration::from_secs(1)).await;
        match stage.record.all().len() - before {
            0 => Ok(()),
            written => Err(format!("{written} writes")),
        }
    })
    .await;
}

async fn time_to_converge(stage: &Stage<'_>, prefix: &str) -> Duration {
    const SUBJECTS: usize = 40;
    let names: Vec<String> = (0..SUBJECTS).map(|number| format!("{prefix}-{number}")).collect();
    let start = Instant::now();
    apply_all(stage, &names, 1).await;
    join_all(names.iter().map(async |name| stage.until_schema_is(name, "True", "InSync").await)).await;
    start.elapsed()
}
