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
    let why = one_line(&invalid.error, 500);
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
