//! The chart can be a part of somebody's own chart.

use serde_json::json;

use crate::bed::{self, Scratch};
use crate::{chart, documents, the};

/// A chart in `scratch` that depends on this one.
fn parent(scratch: &Scratch, values: &serde_json::Value) -> String {
    let dependency = json!({
        "name": "schema-registrar", "version": env!("CARGO_PKG_VERSION"), "repository": format!("file://{}", chart()),
        "condition": "schema-registrar.enabled",
    });
    let about = json!({"apiVersion": "v2", "name": "parent", "version": "1.0.0", "dependencies": [dependency]});
    scratch.write("Chart.yaml", &about.to_string());
    scratch.write("values.yaml", &values.to_string());
    scratch.path().display().to_string()
}

async fn rendered(values: serde_json::Value) -> String {
    let scratch = Scratch::new("parent-chart");
    let folder = parent(&scratch, &values);
    bed::helm_offline(&["dependency", "update", &folder]).await.ok();
    bed::helm_offline(&["template", "demo", &folder]).await.ok()
}

#[tokio::test]
async fn values_of_the_parent_and_for_all_its_charts_are_taken() {
    let values = json!({"global": {"region": "eu"}, "schema-registrar": {"image": {"repository": "own"}}});
    let documents = documents(&rendered(values).await);
    let image = format!("own:{}", env!("CARGO_PKG_VERSION"));
    assert_eq!(the("Deployment", &documents)["spec"]["template"]["spec"]["containers"][0]["image"], image);
}

#[tokio::test]
async fn the_parent_can_switch_it_on_and_off() {
    let on = rendered(json!({"schema-registrar": {"enabled": true}})).await;
    the("Deployment", &documents(&on));
    let off = rendered(json!({"schema-registrar": {"enabled": false}})).await;
    assert_eq!(off.trim(), "");
}
