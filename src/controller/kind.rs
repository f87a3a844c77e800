//! What a kind has to say for itself to be watched and looked at.

use std::fmt::Debug;
use std::sync::Arc;

use kube::Resource;
use kube::core::NamespaceResourceScope;
use kube::runtime::controller::Action;
use kube::runtime::watcher::Event;
use serde::de::DeserializeOwned;

use super::context::Context;
use super::scope::Guarded;
use super::{schema, schema_registry, subject_config, watches};
use crate::api::{Schema, SchemaRegistry, SubjectConfig};

/// A kind that is reconciled.
pub trait Kind:
    Resource<DynamicType = (), Scope = NamespaceResourceScope> + Clone + Debug + DeserializeOwned + Send + Sync + 'static
{
    /// What follows from a watched event beyond a look at the object itself.
    fn on_event(context: &Context, event: &Event<Guarded<Self>>);

    /// After a watch listed anew: what came while nobody watched was triggered before the store held it. At the first
    /// listing every look waits for its end.
    fn on_listed_anew(context: &Context);

    /// Looks at an object, does what is to be done, and reports.
    fn look(&self, context: &Arc<Context>) -> impl Future<Output = Action> + Send;
}

impl Kind for SchemaRegistry {
    fn on_event(context: &Context, event: &Event<Guarded<Self>>) {
        watches::on_registry(context, event);
    }

    fn on_listed_anew(context: &Context) {
        context.wake_registries.wake_all(context.registries.keys_where(|_| true));
    }

    async fn look(&self, context: &Arc<Context>) -> Action {
        schema_registry::reconcile(self, context).await
    }
}

impl Kind for SubjectConfig {
    fn on_event(context: &Context, event: &Event<Guarded<Self>>) {
        watches::on_config(context, event);
    }

    fn on_listed_anew(context: &Context) {
        context.wake_configs.wake_all(context.configs.keys_where(|config| !subject_config::is_converged(config)));
        // They may have waited for one that is gone.
        context.wake_schemas.wake_all(context.schemas.keys_where(|schema| !schema::is_converged(schema)));
    }

    async fn look(&self, context: &Arc<Context>) -> Action {
        subject_config::reconcile(self, context).await
    }
}

impl Kind for Schema {
    fn on_event(context: &Context, event: &Event<Guarded<Self>>) {
        watches::on_schema(context, event);
    }

    fn on_listed_anew(context: &Context) {
        context.wake_schemas.wake_all(context.schemas.keys_where(|schema| !schema::is_converged(schema)));
    }

    async fn look(&self, context: &Arc<Context>) -> Action {
        schema::reconcile(self, context).await
    }
}
