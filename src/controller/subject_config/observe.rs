//! Gathers all that is needed to decide about one `SubjectConfig`. Reads only.

use std::sync::Arc;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use kube::ResourceExt;
use tokio::time::Instant;

use super::plan::{Observed, RegistrySeen};
use super::{ConfigMemory, is_in_sync};
use crate::api::{Level, Mode, SubjectConfig, SubjectConfigStatus};
use crate::controller::context::Context;
use crate::controller::look::{self, NoSession, Session};
use crate::controller::memory::{Memory, within_the_hour};
use crate::controller::ownership::Claim;
use crate::controller::scope::key_of;
use crate::controller::trouble::Trouble;
use crate::registry::Priority;
use crate::schema::Subject;

/// Looks at a resource and its subject. `before` is its status as it now stands.
pub async fn observe(
    config: &SubjectConfig,
    before: &SubjectConfigStatus,
    context: &Arc<Context>,
    memory: &mut Memory<ConfigMemory>,
) -> (Observed, Option<Session>) {
    let mut seen = Observed {
        generation: config.metadata.generation.unwrap_or_default(),
        now: context.now(),
        paused_by: context.paused_by(config, &config.spec.registry_ref),
        claim: context.config_claim(&key_of(config)),
        subject: Subject::parse(config.spec.subject.as_deref().unwrap_or(&config.name_any())),
        wanted: config.spec.compatibility,
        was_in_sync: is_in_sync(config, before),
        was_held: memory.own.held_at.is_some() && memory.own.held_at == config.metadata.generation,
        put_backs: put_backs(config, before, &memory.own, &context.now()),
        registry_name: config.spec.registry_ref.name.clone(),
        registry: RegistrySeen::NotLooked,
        unread: None,
        answer: None,
        history: None,
    };
    let (None, Claim::Owner, Ok(subject)) = (&seen.paused_by, &seen.claim, seen.subject.clone()) else {
        return (seen, None);
    };
    let priority = if seen.was_in_sync { Priority::Drift } else { Priority::Change };
    let namespace = config.namespace().unwrap_or_default();
    match look::begin(context, &namespace, &config.spec.registry_ref, priority, memory).await {
        Ok(session) => {
            // All this may have taken long.
            if !context.is_still_asked_for(&context.configs, config, &config.spec.registry_ref, &session.connection) {
                return (seen, None);
            }
            // Which registry this is may only be known since its first probe, which was waited for.
            seen.claim = context.config_claim(&key_of(config));
            if seen.claim != Claim::Owner {
                return (seen, None);
            }
            seen.registry = match read(&session, &subject, seen.wanted).await {
                Ok(read) => read,
                Err(trouble) => RegistrySeen::Away(session.connection.as_shown(trouble).await),
            };
            let read = seen.level().copied();
            seen.unread = read.and_then(|read| memory.own.unread_for(seen.wanted, read.level, Instant::now()));
            (seen, Some(session))
        }
        Err(NoSession::NotFound { missed_for }) => {
            seen.registry = RegistrySeen::NotFound { missed_for };
            (seen, None)
        }
        Err(NoSession::Away(trouble)) => {
            seen.registry = RegistrySeen::Away(trouble);
            (seen, None)
        }
    }
}

/// Those of this generation: whoever edits the resource has looked.
fn put_backs(config: &SubjectConfig, before: &SubjectConfigStatus, memory: &ConfigMemory, now: &Time) -> Vec<Time> {
    if before.observed_generation != config.metadata.generation {
        return Vec::new();
    }
    within_the_hour(before.put_backs.iter().chain(&memory.put_backs), now)
}

/// Reads the level, and the mode where the level is to change.
pub async fn read(session: &Session, subject: &Subject, wanted: Option<Level>) -> Result<RegistrySeen, Trouble> {
    let connection = &session.connection;
    let level = connection.track(connection.client.level(subject, &session.facts.global).await)?;
    let mode = if wanted.is_none() || wanted == level.own {
        Mode::Readwrite
    } else {
        connection.track(connection.client.mode(subject).await)?
    };
    Ok(RegistrySeen::Read { management: connection.management, level, mode })
}
