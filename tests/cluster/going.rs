//! A namespace that is deleted goes without a word: nothing is written on what is left of it while the rest goes.

use std::time::{Duration, Instant};

use futures::future::join_all;
use k8s_openapi::api::core::v1::Namespace;
use kube::Api;
use kube::api::DeleteParams;

use super::stage::Stage;
use super::world::PATIENCE;
use crate::bed::until;

const SCHEMAS: usize = 50;
const CONFIGS: usize = 10;

/// How long a missing registry is missed without a word.
const UNTOLD: Duration = Duration::from_secs(5);

#[tokio::test]
async fn nothing_is_written_on_what_goes_with_its_namespace() {
    let stage = Stage::new("going").await;
    let names: Vec<String> = (0..SCHEMAS).map(|number| format!("going-{number:02}")).collect();
    join_all(names[..CONFIGS].iter().map(async |name| stage.apply(&stage.config(name, "FULL")).await)).await;
    join_all(names.iter().map(async |name| stage.apply(&stage.schema(name, "\"string\"")).await)).await;
    for name in &names {
        stage.until_schema_is(name, "True", "InSync").await;
    }
    for name in &names[..CONFIGS] {
        stage.until_config_is_at_rest(name).await;
    }
    let (before, deleted_at) = (stage.record.all().len(), Instant::now());

    let namespaces: Api<Namespace> = Api::all(stage.world.server.client().await);
    namespaces.delete("going", &DeleteParams::default()).await.expect("the administrator may delete");
    until("the namespace to be gone", PATIENCE, async || match namespaces.get_opt("going").await {
        Ok(None) => Ok(()),
        Ok(Some(left)) => Err(format!("{:?}", left.status)),
        Err(error) => Err(error.to_string()),
    })
    .await;
    let went_within = deleted_at.elapsed();
    println!("the namespace went within {went_within:?}");

    // All that was there, and the SchemaRegistry.
    until("all that went to be recorded", PATIENCE, async || {
        let gone = stage.record.all()[before..].iter().filter(|snapshot| snapshot.gone).count();
        if gone == SCHEMAS + CONFIGS + 1 { Ok(()) } else { Err(format!("{gone} went")) }
    })
    .await;
    let left = stage.record.all().split_off(before);
    let changed: Vec<_> = left.iter().filter(|snapshot| !snapshot.gone).collect();
    // On a machine this slow the registry is missed for long enough to be told, once.
    let most = if went_within < UNTOLD { 0 } else { SCHEMAS + CONFIGS };
    assert!(changed.len() <= most, "{} writes, the first {}", changed.len(), changed[0]);
    assert!(changed.iter().all(|it| it.reason() == "RegistryNotFound"), "something else was written: {}", changed[0]);
    stage.end().await;
}
