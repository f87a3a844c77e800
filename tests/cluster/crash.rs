//! An operator that is killed at any moment and started again registers what is wanted, once.

use std::cell::Cell;
use std::time::Duration;

use futures::future::{join, join_all};
use tokio::sync::{Mutex, MutexGuard, OnceCell};

use super::grown::{apply_all, held, version};
use super::snapshot::Snapshot;
use super::stage::Stage;
use super::world::{PATIENCE, World, shared_registry};
use crate::bed::until;

/// One world for these tests, and one test at a time in it.
async fn world() -> (&'static World, MutexGuard<'static, ()>) {
    static WORLD: OnceCell<World> = OnceCell::const_new();
    static TURN: Mutex<()> = Mutex::const_new(());
    let turn = TURN.lock().await;
    (WORLD.get_or_init(|| World::start("cluster-crash")).await, turn)
}

async fn stage(world: &'static World, namespace: &str) -> Stage<'static> {
    let stage = Stage::bare(world, namespace, &shared_registry().await.url()).await;
    stage.apply(&stage.default_registry()).await;
    stage.until_registry_is("default", "True", "Connected").await;
    stage
}

#[tokio::test]
async fn killed_at_twenty_moments_it_makes_the_right_versions_and_no_other() {
    const SCHEMAS: usize = 100;
    const KILLS: usize = 20;
    let (world, _turn) = world().await;
    let stage = stage(world, "crash").await;
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    let over = Cell::new(false);

    let kills = async {
        for _ in 0..KILLS {
            tokio::time::sleep(Duration::from_millis(random.u64(20..1200))).await;
            world.kill_operator().await;
            world.start_operator_again().await;
            world.operator().await.ready(PATIENCE).await;
        }
        over.set(true);
    };
    // Each is changed as soon as the change before is reported, for as long as there are kills, and once more.
    let changes = join_all((0..SCHEMAS).map(async |number| {
        let name = format!("grown-{number}");
        let mut made = 0;
        loop {
            let is_last = over.get();
            made += 1;
            stage.apply(&stage.schema(&name, &version(made))).await;
            stage.until_schema_is(&name, "True", "InSync").await;
            if is_last {
                return (name, made);
            }
        }
    }));
    let ((), changed) = join(kills, changes).await;

    for (name, made) in &changed {
        assert_eq!(held(&stage, name).await, Vec::from_iter(1..=*made), "of {name}, seed {seed}");
        let reported = stage.record.newest("Schema", name).and_then(|it| it.latest());
        assert_eq!(reported, i64::try_from(*made).ok(), "of {name}, seed {seed}");
    }
    println!("{} versions of {SCHEMAS} schemas", changed.iter().map(|(_, made)| made).sum::<usize>());
    stage.end().await;
}

#[tokio::test]
async fn edited_while_it_was_down_it_goes_on_or_names_the_version_that_is_in_the_way() {
    const SCHEMAS: usize = 40;
    const ROUNDS: usize = 4;
    let (world, _turn) = world().await;
    let stage = stage(world, "edited").await;
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    let mut in_the_way = 0;

    for round in 0..ROUNDS {
        let names: Vec<String> = (0..SCHEMAS).map(|number| format!("edited-{round}-{number}")).collect();
        let (known, all) = (&names[..SCHEMAS / 2], &names);
        apply_all(&stage, known, 1).await;
        for name in known {
            stage.until_schema_is(name, "True", "InSync").await;
        }

        // Killed while it registers version 2 of the known ones, and of the others their first: with some of them it has just not
        // told so yet.
        let registered = registers(&stage).await;
        let moment = registered + random.u64(1..SCHEMAS as u64);
        let kill = async {
            until(&format!("{moment} registers"), PATIENCE, async || match registers(&stage).await {
                made if made >= moment => Ok(()),
                made => Err(format!("{made} were made")),
            })
            .await;
            world.kill_operator().await;
        };
        join(apply_all(&stage, all, 2), kill).await;
        apply_all(&stage, all, 3).await;
        world.start_operator_again().await;

        for (number, name) in all.iter().enumerate() {
            let it = stage.until("Schema", name, "settled", PATIENCE, is_settled).await;
            let before = if number < known.len() { vec![1] } else { vec![] };
            in_the_way += usize::from(!it.is("Ready"));
            assert_no_extra_version(&held(&stage, name).await, before, &it);
        }
    }
    println!("{in_the_way} of {} had a version in their way", SCHEMAS * ROUNDS);
    stage.end().await;
}

async fn registers(stage: &Stage<'_>) -> u64 {
    stage.world.calls(&stage.namespace, "POST", "/subjects/{subject}/versions").await
}

fn is_settled(it: &Snapshot) -> bool {
    it.is("Ready") || it.is("Stalled")
}

/// Version 2 is there or not, as the kill would have it. Version 3 is there if nothing is in its way, which only an
/// unreported version 2 may be.
fn assert_no_extra_version(held: &[usize], mut before: Vec<usize>, it: &Snapshot) {
    if it.is("Ready") {
        let without_2 = [before.clone(), vec![3]].concat();
        before.extend([2, 3]);
        assert!(held == before || held == without_2, "the registry holds {held:?}, and {it}");
        return;
    }
    let expected = if before.is_empty() { "NotAdopted" } else { "OverwritesForeign" };
    before.push(2);
    assert_eq!(held, before, "{it}");
    assert_eq!(it.reason(), expected, "{it}");
    assert!(it.message().contains(&format!("version {}", before.len())), "the version is not named: {it}");
}
