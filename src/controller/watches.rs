//! What follows from each watched event, beyond a look at the object itself: claims on subjects, and whom to wake.

use kube::runtime::watcher::Event;
use kube::{Resource, ResourceExt};

use super::context::{Context, claimant, is_paused, lock};
use super::ownership::ObjectKey;
use super::scope::{Guarded, key_of};
use super::subject_config::{is_unsettled, waits_for_history, waits_for_schema};
use crate::api::{Schema, SchemaRegistry, SubjectConfig};

/// A Schema came, changed or went.
pub fn on_schema(context: &Context, event: &Event<Guarded<Schema>>) {
    match event {
        Event::Apply(object) | Event::InitApply(object) => {
            let key = key_of(object);
            let rivals = match &object.0 {
                Ok(schema) => {
                    let claim = claimant(schema, &schema.spec.registry_ref, schema.spec.subject.as_deref());
                    lock(&context.schema_claims).set(claim)
                }
                Err(_) => lock(&context.schema_claims).remove(&key),
            };
            context.wake_schemas.wake_all(rivals);
            wake_waiting_config(context, &key, object.0.as_ref().is_ok_and(has_version));
        }
        Event::Delete(object) => {
            let key = key_of(object);
            let rivals = lock(&context.schema_claims).remove(&key);
            context.wake_schemas.wake_all(rivals);
            context.schema_memories.forget(&key);
            forget_unreadable::<Schema>(context, |known| *known != key);
        }
        Event::Init => {}
        Event::InitDone => {
            let is_there = |key: &ObjectKey| context.schemas.get(key).is_some();
            let rivals = lock(&context.schema_claims).retain(is_there);
            context.schema_memories.retain(is_there);
            forget_unreadable::<Schema>(context, is_there);
            context.wake_schemas.wake_all(rivals);
        }
    }
}

/// A SubjectConfig came, changed or went.
pub fn on_config(context: &Context, event: &Event<Guarded<SubjectConfig>>) {
    match event {
        Event::Apply(object) | Event::InitApply(object) => {
            let key = key_of(object);
            let rivals = match &object.0 {
                Ok(config) => {
                    let claim = claimant(config, &config.spec.registry_ref, config.spec.subject.as_deref());
                    lock(&context.config_claims).set(claim)
                }
                Err(_) => lock(&context.config_claims).remove(&key),
            };
            context.wake_configs.wake_all(rivals);
            let settled = object.0.as_ref().is_ok_and(|config| !is_unsettled(config, context));
            if settled {
                context.wake_schemas.wake_all(context.schema_of(&key));
            }
        }
        Event::Delete(object) => {
            let key = key_of(object);
            let schema = context.schema_of(&key);
            let rivals = lock(&context.config_claims).remove(&key);
            context.wake_configs.wake_all(rivals);
            context.wake_schemas.wake_all(schema);
            context.config_memories.forget(&key);
            forget_unreadable::<SubjectConfig>(context, |known| *known != key);
        }
        Event::Init => {}
        Event::InitDone => {
            let is_there = |key: &ObjectKey| context.configs.get(key).is_some();
            let rivals = lock(&context.config_claims).retain(is_there);
            context.config_memories.retain(is_there);
            forget_unreadable::<SubjectConfig>(context, is_there);
            context.wake_configs.wake_all(rivals);
        }
    }
}

/// A SchemaRegistry came, changed or went. Our own status writes change nothing for others.
pub fn on_registry(context: &Context, event: &Event<Guarded<SchemaRegistry>>) {
    match event {
        Event::Apply(object) => came(context, object),
        Event::Delete(object) => gone(context, &key_of(object)),
        // The store holds what was listed only at the end, and who is woken looks there.
        Event::Init | Event::InitApply(_) => {}
        Event::InitDone => {
            context.registries.all().iter().for_each(|object| came(context, object));
            let known: Vec<_> = lock(&context.registry_specs).keys().cloned().collect();
            known.iter().filter(|key| context.registries.get(key).is_none()).for_each(|key| gone(context, key));
        }
    }
}

fn came(context: &Context, registry: &Guarded<SchemaRegistry>) {
    let (key, stamp) = (key_of(registry), ((registry.uid(), registry.meta().generation), is_paused(registry)));
    let before = lock(&context.registry_specs).insert(key.clone(), stamp.clone());
    // Before everything is listed no look has got further than to wait for that.
    if before.as_ref() != Some(&stamp) && context.is_listed() {
        context.wake_dependents(&key);
    }
}

fn gone(context: &Context, registry: &ObjectKey) {
    lock(&context.registry_specs).remove(registry);
    context.connections.remove(registry);
    context.registry_memories.forget(registry);
    context.metrics.forget_registry(&registry.namespace, &registry.name);
    forget_unreadable::<SchemaRegistry>(context, |known| known != registry);
    context.wake_dependents(registry);
}

/// Forgets that objects of a kind were reported as unreadable, but for these.
fn forget_unreadable<K: Resource<DynamicType = ()>>(context: &Context, keep: impl Fn(&ObjectKey) -> bool) {
    let kind = K::kind(&());
    lock(&context.unreadable).retain(|(known, key), _| *known != kind || keep(key));
}

fn has_version(schema: &Schema) -> bool {
    schema.status.as_ref().is_some_and(|status| status.latest_version.is_some())
}

/// A level that the registry takes only after the first version is set when there is one; and one that was set before is
/// held to it.
fn wake_waiting_config(context: &Context, schema: &ObjectKey, has_version: bool) {
    let Some(key) = context.config_of(schema) else { return };
    let Some(config) = context.configs.get(&key) else { return };
    if config.0.as_ref().is_ok_and(|config| waits_for_schema(config) || (has_version && waits_for_history(config))) {
        context.wake_configs.wake(key);
    }
}
