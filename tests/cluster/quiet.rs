//! A converged fleet is quiet: it is looked at, and nothing is written to the API server or the registry, and nothing is told.

use std::time::Duration;

use futures::future::join_all;

use super::stage::Stage;
use super::world::{PATIENCE, shared_registry};
use crate::bed::until;

const SCHEMAS: usize = 200;
const CONFIGS: usize = 20;

/// A drift check takes place every 5 s; a minute has so many, of which each sixth looks at more than the list of versions.
const LOOKS: u64 = 12;

#[tokio::test]
async fn a_converged_fleet_is_quiet() {
    let (stage, registry) = tokio::join!(Stage::new("quiet"), shared_registry());
    stage.watch_for_drift().await;
    let names: Vec<String> = (0..SCHEMAS).map(|number| format!("fleet-{number:03}")).collect();
    join_all(names[..CONFIGS].iter().map(async |name| stage.apply(&stage.config(name, "FULL")).await)).await;
    join_all(names.iter().map(async |name| stage.apply(&stage.schema(name, &text(name))).await)).await;
    for name in &names {
        stage.until_schema_is(name, "True", "InSync").await;
    }
    for name in &names[..CONFIGS] {
        stage.until_config_is_at_rest(name).await;
    }
    // The audit log is behind the watch by a moment; one round of looks is more than that.
    wait_for_looks(&stage, 1).await;
    let (asked, sent) = (stage.world.asked_by_operator().len(), registry.requests().len());
    let (recorded, told) = (stage.record.all().len(), stage.all_events().await.len());

    wait_for_looks(&stage, LOOKS).await;

    let asked = stage.world.asked_by_operator().split_off(asked);
    let written: Vec<_> = asked.iter().filter(|entry| entry.namespace == stage.namespace && entry.is_write()).collect();
    assert!(written.is_empty(), "{} writes to the API server, first {:?}", written.len(), written[0]);

    let sent = registry.requests().split_off(sent);
    let of_fleet: Vec<_> = sent.iter().filter(|request| request.path.contains("/quiet.fleet-")).collect();
    let written: Vec<_> = of_fleet.iter().filter(|request| request.is_write()).collect();
    assert!(written.is_empty(), "{} writes to the registry, first {:?}", written.len(), written[0]);
    for name in &names {
        let looks = of_fleet.iter().filter(|request| request.path.contains(&format!("/quiet.{name}/versions"))).count();
        assert!(looks as u64 >= LOOKS / 2, "{name} was looked at {looks} times only");
    }

    assert_eq!(stage.record.all().len(), recorded, "an object changed");
    let events = stage.all_events().await;
    assert_eq!(events.len(), told, "something was told: {events:#?}");
    stage.end().await;
}

/// Waits until, on average, each subject's versions were looked at so often from now on.
async fn wait_for_looks(stage: &Stage<'_>, rounds: u64) {
    let before = looks(stage).await;
    let wanted = rounds * SCHEMAS as u64;
    let limit = PATIENCE + Duration::from_secs(10) * u32::try_from(rounds).expect("a few");
    until(&format!("{wanted} looks at subjects"), limit, async || {
        // It takes a minute, and asking for the count is not for nothing.
        tokio::time::sleep(Duration::from_secs(1)).await;
        let made = looks(stage).await - before;
        if made >= wanted { Ok(()) } else { Err(format!("{made} were made")) }
    })
    .await;
}

/// How often the operator asked the stage's registry for the versions of a subject, or for the latest one.
async fn looks(stage: &Stage<'_>) -> u64 {
    stage.world.calls(&stage.namespace, "GET", "/subjects/{subject}/versions").await
}

/// Another schema for each.
fn text(name: &str) -> String {
    let record = name.replace('-', "_");
    format!(
        r#"{{"type": "record", "name": "{record}", "fields": [{{"name": "id", "type": "string", "default": ""}}]}}"#
    )
}
