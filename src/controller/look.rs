//! What a look at any resource of a registry begins with: the registry resource, its connection, and a place in it.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::connection::Connection;
use super::context::Context;
use super::memory::Memory;
use super::trouble::Trouble;
use super::unreadable::without_values;
use crate::api::{Reason, RegistryRef};
use crate::registry::{Facts, Permit, Priority};

/// A place in a connection, held from the first call of a look to its last.
pub struct Session {
    /// The registry.
    pub connection: Arc<Connection>,
    /// What was learnt about it.
    pub facts: Arc<Facts>,
    /// What all controllers share.
    pub context: Arc<Context>,
    _permit: Permit,
}

impl Session {
    /// Does work that is bounded, but not short enough for a thread that others wait for: one piece a registry, and few of
    /// all. None where it panicked.
    pub async fn blocking<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        let _own = self.connection.comparing.acquire().await;
        let _few_at_once = self.context.parsers.acquire().await;
        tokio::task::spawn_blocking(work).await.ok()
    }
}

/// Why there is no session.
pub enum NoSession {
    /// The registry resource is not there.
    NotFound {
        /// Since when it is missed.
        missed_for: Duration,
    },
    /// The registry is away, or cannot be spoken to.
    Away(Trouble),
}

/// Begins a look.
pub async fn begin<M>(
    context: &Arc<Context>,
    namespace: &str,
    reference: &RegistryRef,
    priority: Priority,
    memory: &mut Memory<M>,
) -> Result<Session, NoSession> {
    let Some(resource) = context.registry(namespace, reference) else {
        return Err(NoSession::NotFound { missed_for: memory.missed_for(Instant::now()) });
    };
    memory.missed_since = None;
    let resource = resource.0.as_ref().map_err(|invalid| {
        let message = format!("SchemaRegistry {} cannot be read: {}", reference.name, without_values(&invalid.error));
        NoSession::Away(Trouble { reason: Reason::InvalidResource, message, passes: false, is_of_subject: false })
    })?;
    let connection = context.connections.get(resource, context).map_err(NoSession::Away)?;
    let permit = connection.permits.acquire(priority).await;
    let facts = connection.facts().await.map_err(NoSession::Away)?;
    Ok(Session { connection, facts, context: context.clone(), _permit: permit })
}
