//! What all controllers share.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use k8s_openapi::jiff::Timestamp;
use kube::{Client, Resource, ResourceExt};

use super::connection::Connection;
use super::connections::Connections;
use super::events::Events;
use super::memory::Memories;
use super::ownership::{Claim, Claimant, ObjectKey, Ownership};
use super::schema::SchemaMemory;
use super::schema_registry::RegistryMemory;
use super::scope::{Guarded, Stores, key_of};
use super::subject_config::ConfigMemory;
use super::turns::Turns;
use super::wakes::Wakes;
use crate::api::{PAUSED_ANNOTATION, RegistryRef, Schema, SchemaRegistry, SubjectConfig};
use crate::schema::Subject;
use crate::telemetry::Metrics;

/// What tells two states of an object's spec apart: its uid and generation.
pub type Stamp = (Option<String>, Option<i64>);

/// Whether an object is paused by its annotation. In an emergency nobody looks up how to spell it: any value but false
/// does.
pub fn is_paused(object: &impl ResourceExt) -> bool {
    object.annotations().get(PAUSED_ANNOTATION).is_some_and(|paused| !paused.eq_ignore_ascii_case("false"))
}

/// What all controllers share.
pub struct Context {
    /// Speaks to the API server.
    pub client: Client,
    /// What was watched, by kind.
    pub registries: Stores<SchemaRegistry>,
    /// What was watched, by kind.
    pub schemas: Stores<Schema>,
    /// What was watched, by kind.
    pub configs: Stores<SubjectConfig>,
    /// The registries.
    pub connections: Connections,
    /// Which Schema owns which subject.
    pub schema_claims: Mutex<Ownership>,
    /// Which SubjectConfig owns which subject.
    pub config_claims: Mutex<Ownership>,
    /// The uid and generation of each SchemaRegistry as last seen, and whether it was paused.
    pub registry_specs: Mutex<HashMap<ObjectKey, (Stamp, bool)>>,
    /// Has SchemaRegistries looked at again.
    pub wake_registries: Wakes,
    /// Has Schemas looked at again.
    pub wake_schemas: Wakes,
    /// Has SubjectConfigs looked at again.
    pub wake_configs: Wakes,
    /// What is remembered of each Schema.
    pub schema_memories: Memories<SchemaMemory>,
    /// What is remembered of each SubjectConfig.
    pub config_memories: Memories<ConfigMemory>,
    /// What is remembered of each SchemaRegistry.
    pub registry_memories: Memories<RegistryMemory>,
    /// The uid and generation of each object, by kind, that was reported as unreadable.
    pub unreadable: Mutex<HashMap<(String, ObjectKey), Stamp>>,
    /// Tells transitions.
    pub events: Events,
    /// Counts.
    pub metrics: Arc<Metrics>,
    /// Who looks at which subject.
    pub turns: Turns,
    /// Bounds how many texts are parsed and compared at once, of all registries.
    pub parsers: tokio::sync::Semaphore,
}

impl Context {
    /// The time, for status.
    pub fn now(&self) -> Time {
        Time(Timestamp::now())
    }

    /// Whether everything was listed for the first time.
    pub fn is_listed(&self) -> bool {
        self.registries.is_filled() && self.configs.is_filled() && self.schemas.is_filled()
    }

    /// The registry resource that a resource of this namespace names, where it is there.
    pub fn registry(&self, namespace: &str, reference: &RegistryRef) -> Option<Arc<Guarded<SchemaRegistry>>> {
        self.registries.get(&ObjectKey { namespace: namespace.to_owned(), name: reference.name.clone() })
    }

    /// What a resource is paused by, if it is: itself, or the registry resource that it names.
    pub fn paused_by<K: ResourceExt>(&self, object: &K, reference: &RegistryRef) -> Option<String> {
        if is_paused(object) {
            return Some("this resource".to_owned());
        }
        let registry = self.registry(&object.namespace().unwrap_or_default(), reference)?;
        is_paused(&*registry).then(|| format!("SchemaRegistry {}", reference.name))
    }

    /// Whether an object still asks for what it did when a look at it began: it was not edited, deleted or paused since,
    /// and the connection is that of its registry resource as that now stands. If not, another look is on its way.
    pub fn is_still_asked_for<K>(
        self: &Arc<Self>,
        all: &Stores<K>,
        object: &K,
        reference: &RegistryRef,
        connection: &Arc<Connection>,
    ) -> bool
    where
        K: Resource<DynamicType = ()> + Clone + 'static,
    {
        let Some(now) = all.get(&key_of(object)) else { return false };
        let (meta, then) = (now.meta(), object.meta());
        let is_same = meta.uid == then.uid && meta.generation == then.generation && meta.deletion_timestamp.is_none();
        let registry = self.registry(&object.namespace().unwrap_or_default(), reference);
        let present = registry.and_then(|registry| self.connections.get(registry.0.as_ref().ok()?, self).ok());
        is_same
            && present.is_some_and(|present| Arc::ptr_eq(&present, connection))
            && self.paused_by(&*now, reference).is_none()
    }

    /// The identity of the registry that a registry resource speaks of; nothing where it is not there.
    pub fn identity(&self, registry: &ObjectKey) -> Option<String> {
        let resource = self.registries.get(registry)?;
        resource.0.as_ref().ok().map(|resource| self.connections.identity(resource))
    }

    /// Where a Schema stands among those that name its subject.
    pub fn schema_claim(&self, key: &ObjectKey) -> Claim {
        lock(&self.schema_claims).claim(key, |registry| self.identity(registry))
    }

    /// Where a SubjectConfig stands among those that name its subject.
    pub fn config_claim(&self, key: &ObjectKey) -> Claim {
        lock(&self.config_claims).claim(key, |registry| self.identity(registry))
    }

    /// The SubjectConfig that owns the subject of a Schema.
    pub fn config_of(&self, schema: &ObjectKey) -> Option<ObjectKey> {
        let claimant = lock(&self.schema_claims).claimant(schema).cloned()?;
        self.owner_in(&self.config_claims, &claimant)
    }

    /// The Schema that owns the subject of a SubjectConfig.
    pub fn schema_of(&self, config: &ObjectKey) -> Option<ObjectKey> {
        let claimant = lock(&self.config_claims).claimant(config).cloned()?;
        self.owner_in(&self.schema_claims, &claimant)
    }

    fn owner_in(&self, claims: &Mutex<Ownership>, claimant: &Claimant) -> Option<ObjectKey> {
        let identity = self.identity(&claimant.registry)?;
        let claims = lock(claims);
        claims.owner(&claimant.subject, &identity, |registry| self.identity(registry)).map(|owner| owner.object.clone())
    }

    /// Has everything that names a registry resource looked at again.
    pub fn wake_dependents(&self, registry: &ObjectKey) {
        let of = |claims: &Mutex<Ownership>| -> Vec<ObjectKey> {
            lock(claims).of_registry(registry).map(|claimant| claimant.object.clone()).collect()
        };
        // Levels first: Schemas wait for them.
        self.wake_configs.wake_all(of(&self.config_claims));
        self.wake_schemas.wake_all(of(&self.schema_claims));
    }

    /// Has every resource that shares its subject's name looked at again: which of them speak of one registry, and so
    /// who owns what, may have changed.
    pub fn wake_contested(&self) {
        self.wake_configs.wake_all(lock(&self.config_claims).contested());
        self.wake_schemas.wake_all(lock(&self.schema_claims).contested());
    }
}

/// What a resource claims.
pub fn claimant<K: ResourceExt + kube::Resource>(
    object: &K,
    reference: &RegistryRef,
    subject: Option<&str>,
) -> Claimant {
    let key = key_of(object);
    let named = subject.unwrap_or(&key.name);
    // A name that cannot be a subject claims itself, and is refused elsewhere.
    let subject =
        Subject::parse(named).map_or_else(|_| named.to_owned(), |subject| subject.without_default_context().to_owned());
    Claimant {
        registry: ObjectKey { namespace: key.namespace.clone(), name: reference.name.clone() },
        subject,
        created: object.creation_timestamp().map_or(i64::MAX, |created| created.0.as_second()),
        uid: object.uid().unwrap_or_default(),
        object: key,
    }
}

/// The content of a lock, also after a panic elsewhere: each change to what is behind it is whole.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
