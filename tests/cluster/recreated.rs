//! An object that is deleted and created anew never shows the status of the one before, however fast that happens.

use futures::future::join_all;
use schema_registrar::api::SchemaType;
use schema_registrar::schema::Form;
use serde_json::json;

use super::stage::Stage;

/// So many at once, which is the load.
const OBJECTS: usize = 6;
const TIMES: usize = 50;

#[tokio::test]
async fn an_object_created_anew_never_shows_the_old_ones_status() {
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let stage = Stage::new("recreated").await;
    join_all((0..OBJECTS).map(async |object| {
        let mut random = fastrand::Rng::with_seed(seed + object as u64);
        let name = format!("object-{object}");
        for time in 0..TIMES {
            stage.apply(&incarnation(&stage, &name, time)).await;
            // One in three is left until it is reported, the others go while they are looked at.
            if random.u8(..3) == 0 {
                stage.until_schema_is(&name, "True", "InSync").await;
            }
            if time + 1 < TIMES {
                stage.delete("Schema", &name).await;
            }
        }
        stage.until_schema_is(&name, "True", "InSync").await;
    }))
    .await;

    let recorded = stage.record.all();
    let shown: Vec<_> = recorded.iter().filter(|it| it.kind == "Schema" && it.observed() != -1).collect();
    assert!(shown.len() >= OBJECTS * TIMES / 4, "only {} versions have a status", shown.len());
    for it in shown {
        // That the subject is its own is checked for every object of every test; the fingerprint only where texts tell objects apart.
        let own = Form::read(SchemaType::Avro, it.text("/spec/schema")).unwrap().fingerprint();
        let applied = it.text("/status/lastApplied/fingerprint");
        assert!(applied.is_empty() || applied == own.as_str(), "another one's schema: {it}");
        assert_eq!(it.observed(), 1, "another one's generation: {it}");
    }
    stage.end().await;
}

/// The object at its so manieth time: another subject and another schema than before.
fn incarnation(stage: &Stage<'_>, name: &str, time: usize) -> serde_json::Value {
    let text = format!(r#"{{"type": "fixed", "name": "Time", "size": {}}}"#, time + 1);
    stage.resource("Schema", name, json!({"subject": stage.subject(&format!("{name}.{time}")), "schema": text}))
}
