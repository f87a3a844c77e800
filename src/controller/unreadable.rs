//! Reports an object that does not decode, which only a definition other than ours lets in.

use std::sync::Arc;

use kube::Api;
use kube::core::error_boundary::InvalidObject;
use kube::runtime::controller::Action;

use super::conditions::{Progress, Truth, Verdict, conditions, one_line};
use super::context::{Context, lock};
use super::kind::Kind;
use super::ownership::ObjectKey;
use super::status_write;
use crate::api::Reason;

/// Says on the object that it cannot be read. Once a generation: what the status was before is not known.
pub async fn report<K: Kind>(invalid: &InvalidObject, context: &Arc<Context>) -> Action {
    let meta = &invalid.metadata;
    let key = ObjectKey {
        namespace: meta.namespace.clone().unwrap_or_default(),
        name: meta.name.clone().unwrap_or_default(),
    };
    let generation = meta.generation.unwrap_or_default();
    let stamp = (meta.uid.clone(), meta.generation);
    let kind = K::kind(&()).into_owned();
    if lock(&context.unreadable).insert((kind.clone(), key.clone()), stamp.clone()) == Some(stamp) {
        return Action::await_change();
    }
    let why = one_line(&without_values(&invalid.error), 500);
    let verdict = Verdict {
        ready: Truth::False,
        progress: Progress::Stalled,
        reason: Reason::InvalidResource,
        message: format!(
            "this {kind} does not fit its definition: {why}; correct it, and see that the definitions installed are those of this release"
        ),
        compatible: None,
        drifted: false,
    };
    let all = conditions(&verdict, &[], generation, &context.now());
    let api: Api<K> = Api::namespaced(context.client.clone(), &key.namespace);
    match status_write::write_conditions(&api, meta, generation, &all).await {
        Ok(()) => context.metrics.status_written(&kind),
        Err(error) => {
            tracing::warn!(%error, "status not written, trying again");
            lock(&context.unreadable).remove(&(kind, key));
            return Action::requeue(super::memory::backoff(2, fastrand::f64()));
        }
    }
    Action::await_change()
}

/// Why an object does not decode, without the values that it holds: one may be a URL with a password. Names of fields,
/// and the words that are allowed, stay.
pub fn without_values(error: &str) -> String {
    const UNKNOWN: &str = "unknown variant ";
    let mut kept = String::with_capacity(error.len());
    let mut rest = error;
    while let Some(at) = [rest.find('"'), rest.find(UNKNOWN)].into_iter().flatten().min() {
        let (before, from) = rest.split_at(at);
        kept.push_str(before);
        let behind = if from.starts_with(UNKNOWN) {
            kept.push_str(UNKNOWN);
            from.rfind(", expected ").map(|end| &from[end..])
        } else {
            behind_string(from)
        };
        kept.push('…');
        rest = behind.unwrap_or_default();
    }
    kept + rest
}

/// What stands behind a string in quotes, in which quotes are escaped.
fn behind_string(quoted: &str) -> Option<&str> {
    let mut is_escaped = false;
    let end = quoted.char_indices().skip(1).find(|(_, character)| {
        let ends = *character == '"' && !is_escaped;
        is_escaped = *character == '\\' && !is_escaped;
        ends
    });
    end.map(|(at, _)| &quoted[at + 1..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::SchemaRegistrySpec;
    use rstest::rstest;
    use serde_json::{Value, json};

    #[rstest]
    #[case::no_object(json!("http://me:s3cret@registry"), "expected struct")]
    #[case::a_quote_within(json!({"urls": "s3\"s3cret\\"}), "string …, expected")]
    #[case::no_word_that_is_allowed(json!({"urls": ["http://registry"], "management": "`s3cret`, \"s3cret"}), "expected ")]
    fn no_value_of_an_object_is_repeated(#[case] spec: Value, #[case] kept: &str) {
        let error = serde_json::from_value::<SchemaRegistrySpec>(spec).unwrap_err().to_string();
        assert!(error.contains("s3cret"), "{error}");
        let told = without_values(&error);
        assert!(!told.contains("s3cret") && told.contains(kept), "{told}");
    }

    #[test]
    fn names_of_fields_stay() {
        assert_eq!(without_values("missing field `urls`"), "missing field `urls`");
        assert_eq!(without_values("invalid type: string \"cut"), "invalid type: string …");
    }
}
