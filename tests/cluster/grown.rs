//! A schema that can go on growing, for tests that change many schemas again and again.

use futures::future::join_all;

use super::stage::Stage;

/// Version `number` of a schema, from 1: each adds a field that readers can do without.
pub fn version(number: usize) -> String {
    let fields: Vec<String> =
        (1..=number).map(|it| format!(r#"{{"name": "f{it}", "type": "int", "default": {it}}}"#)).collect();
    format!(r#"{{"type": "record", "name": "Grown", "fields": [{}]}}"#, fields.join(", "))
}

/// Which of the versions by [`version`] the registry holds, in its order.
pub async fn held(stage: &Stage<'_>, name: &str) -> Vec<usize> {
    let texts = stage.registry.texts(&stage.subject(name)).await;
    texts.iter().map(|text| text.matches("default").count()).collect()
}

/// Applies a version of all of these at once.
pub async fn apply_all(stage: &Stage<'_>, names: &[String], number: usize) {
    join_all(names.iter().map(async |name| stage.apply(&stage.schema(name, &version(number))).await)).await;
}
