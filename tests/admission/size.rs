//! A schema's text may have 524,288 characters. The larger ones need server-side apply.

use serde_json::json;

use crate::bed::Output;
use crate::server;

/// As many as a text may have.
const MOST: usize = 524_288;

/// Client-side apply keeps the whole object once more in an annotation, and all of those together may have 256 KiB.
const MOST_FOR_CLIENT_SIDE_APPLY: usize = 256 * 1024;

async fn apply(name: &str, text: String, arguments: &[&str]) -> Output {
    let schema = json!({
        "apiVersion": "schemaregistrar.dev/v1alpha1", "kind": "Schema", "metadata": {"name": name, "namespace": "default"},
        "spec": {"schema": text},
    });
    server().await.kubectl(&[&["apply", "-f", "-"], arguments].concat(), &schema.to_string()).await
}

async fn stored_length(name: &str) -> usize {
    let text = server().await.kubectl(&["get", "rschema", name, "--output=jsonpath={.spec.schema}"], "").await.ok();
    text.chars().count()
}

#[tokio::test]
async fn the_longest_text_is_taken_by_server_side_apply() {
    apply("longest", "x".repeat(MOST), &["--server-side"]).await.ok();
    assert_eq!(stored_length("longest").await, MOST);
}

/// Of bytes there are twice as many.
#[tokio::test]
async fn characters_are_counted_and_not_bytes() {
    apply("longest-umlauts", "ü".repeat(MOST), &["--server-side"]).await.ok();
    assert_eq!(stored_length("longest-umlauts").await, MOST);
}

#[tokio::test]
async fn one_character_more_is_refused_at_once() {
    let refusal = apply("too-long", "x".repeat(MOST + 1), &["--server-side"]).await.refused();
    assert!(refusal.contains("spec.schema: Too long: may not be more than 524288"), "{refusal}");
}

#[tokio::test]
async fn the_longest_text_may_not_grow() {
    apply("grown", "x".repeat(MOST), &["--server-side"]).await.ok();
    let refusal = apply("grown", "x".repeat(MOST + 1), &["--server-side"]).await.refused();
    assert!(refusal.contains("spec.schema: Too long"), "{refusal}");
}

/// The description of the field says so.
#[tokio::test]
async fn client_side_apply_takes_less() {
    let refusal = apply("client-side", "x".repeat(MOST_FOR_CLIENT_SIDE_APPLY), &[]).await.refused();
    assert!(refusal.contains("metadata.annotations: Too long"), "{refusal}");
    apply("client-side", "x".repeat(MOST_FOR_CLIENT_SIDE_APPLY - 1024), &[]).await.ok();
}
