//! Gathers all that is needed to decide about one `Schema`. Reads only.

use std::sync::Arc;
use std::time::Duration;

use kube::ResourceExt;
use tokio::time::Instant;

use super::forms::form_of;
use super::memory::{ReadForm, SchemaMemory};
use super::observed::{ConfigSeen, Observed, RegistrySeen, Spec};
use super::reading::reading;
use super::status::{applied_from, is_unsettled as is_unsettled_status};
use crate::api::{Management, Schema, SchemaSpec, SchemaStatus, SubjectConfig};
use crate::controller::context::Context;
use crate::controller::look::{self, NoSession, Session};
use crate::controller::memory::{Memory, within_the_hour};
use crate::controller::ownership::Claim;
use crate::controller::scope::key_of;
use crate::controller::subject_config::{is_unsettled, planned_level};
use crate::controller::turns::Turn;
use crate::registry::{Candidate, LevelInForce, LevelSource, Priority};
use crate::schema::{Form, Subject};

/// How long after a change of spec or level a refusal is looked at once more before it is reported.
const GRACE: Duration = Duration::from_secs(5);
/// What a look found, and what is needed to act on it.
pub struct Look {
    /// What is known.
    pub seen: Observed,
    /// A place in the registry's connection, where the registry was read.
    pub target: Option<Target>,
}

/// Where and what to register.
pub struct Target {
    /// A place in the registry's connection.
    pub session: Session,
    /// The subject.
    pub subject: Subject,
    /// The spec, as the registry is asked about it.
    pub candidate: Candidate,
    /// The spec's form.
    pub form: Arc<Form>,
    /// Nobody else looks at the subject meanwhile.
    _turn: Turn,
}

/// Looks at a resource and its subject. `before` is its status as it now stands.
pub async fn observe(
    schema: &Schema,
    before: &SchemaStatus,
    context: &Arc<Context>,
    memory: &mut Memory<SchemaMemory>,
) -> Look {
    let key = key_of(schema);
    let form = form_of(schema, context, memory).await;
    let generation = schema.metadata.generation.unwrap_or_default();
    let now = Instant::now();
    let age = memory.generation_age(generation, before.observed_generation, now);
    let mut seen = Observed {
        generation,
        now: context.now(),
        paused_by: context.paused_by(schema, &schema.spec.registry_ref),
        claim: context.schema_claim(&key),
        spec: spec(&schema.spec, &schema.name_any(), &form),
        last_applied: memory.own.unreported.clone().or_else(|| applied_from(before)),
        unsettled_before: is_unsettled_status(before) || before.observed_generation != Some(generation),
        reverts: within_the_hour(before.reverts.iter().chain(&memory.own.reverts), &context.now()),
        registry_name: schema.spec.registry_ref.name.clone(),
        registry: RegistrySeen::NotLooked,
        config: ConfigSeen::Settled,
        unread_write: None,
        missing: None,
        grace_left: age.and_then(|age| GRACE.checked_sub(age)),
        answer: None,
        failures: 0,
        judged: None,
        acknowledged: schema.spec.acknowledge.clone(),
    };
    if seen.paused_by.is_some() || seen.claim != Claim::Owner {
        return Look { seen, target: None };
    }
    let namespace = schema.namespace().unwrap_or_default();
    if context.registry(&namespace, &schema.spec.registry_ref).is_none() {
        seen.registry = RegistrySeen::NotFound { missed_for: memory.missed_for(now) };
        return Look { seen, target: None };
    }
    memory.missed_since = None;
    let (Ok((form, fingerprint)), Ok(subject)) = (form, seen.spec.subject.clone()) else {
        return Look { seen, target: None };
    };
    seen.failures = memory.own.failures_of(&fingerprint);
    let priority = if seen.is_pending() { Priority::Change } else { Priority::Drift };
    let session = match look::begin(context, &namespace, &schema.spec.registry_ref, priority, memory).await {
        Ok(session) => session,
        Err(NoSession::NotFound { missed_for }) => {
            seen.registry = RegistrySeen::NotFound { missed_for };
            return Look { seen, target: None };
        }
        Err(NoSession::Away(trouble)) => {
            seen.registry = RegistrySeen::Away(trouble);
            return Look { seen, target: None };
        }
    };
    let turn = context.turns.take(&session.connection.identity(), &subject).await;
    // All this may have taken long.
    if !context.is_still_asked_for(&context.schemas, schema, &schema.spec.registry_ref, &session.connection) {
        return Look { seen, target: None };
    }
    // Which registry this is may only be known since its first probe, which was waited for; and whoever had the turn
    // before may have given the subject up.
    seen.claim = context.schema_claim(&key);
    if seen.claim != Claim::Owner {
        return Look { seen, target: None };
    }
    let candidate = Candidate {
        schema_type: schema.spec.schema_type,
        text: schema.spec.schema.as_str().into(),
        normalize: schema.spec.normalize,
    };
    let target = Target { session, subject, candidate, form, _turn: turn };
    read(&mut seen, &target, memory).await;
    // Asked last: the status of a SubjectConfig that settled meanwhile is the fresher one.
    let config = context.config_of(&key).and_then(|key| context.configs.get(&key));
    if let Some(config) = config.as_ref().and_then(|config| config.0.as_ref().ok()) {
        take_in_config(&mut seen, config, context);
    }
    Look { seen, target: Some(target) }
}

/// Where the SubjectConfig of the subject stands, and with `management: Observe` its level: a change is held to the one
/// that would be set before it would be registered.
fn take_in_config(seen: &mut Observed, config: &SubjectConfig, context: &Context) {
    if is_unsettled(config, context) {
        seen.config = ConfigSeen::Unsettled;
    }
    let RegistrySeen::Read(reading) = &mut seen.registry else { return };
    let planned = planned_level(config).filter(|level| *level != reading.level.level);
    if let (Management::Observe, Some(level)) = (reading.management, planned) {
        reading.level = LevelInForce { level, source: LevelSource::Planned, ..reading.level };
    }
}

/// Reads the subject, and takes in what that says about earlier writes and about the level.
pub async fn read(seen: &mut Observed, target: &Target, memory: &mut Memory<SchemaMemory>) {
    let reading = match reading(seen, target, &mut memory.own).await {
        Ok(reading) => memory.own.as_taken(seen, reading),
        Err(trouble) => {
            memory.own.nothing_was_read();
            seen.unread_write = memory.own.unread_write.as_ref().map(|_| Duration::ZERO);
            seen.registry = RegistrySeen::Away(target.session.connection.as_shown(trouble).await);
            return;
        }
    };
    let now = Instant::now();
    seen.unread_write = memory.own.unread_for(seen, &reading, now);
    seen.missing = memory.own.missing_for(&reading, now);
    let level_age = memory.own.level_age(reading.level.level, now);
    let level_grace = level_age.and_then(|age| GRACE.checked_sub(age));
    seen.grace_left = seen.grace_left.max(level_grace);
    seen.registry = RegistrySeen::Read(Box::new(reading));
}

fn spec(spec: &SchemaSpec, name: &str, form: &ReadForm) -> Spec {
    Spec {
        subject: Subject::parse(spec.subject.as_deref().unwrap_or(name)),
        schema_type: spec.schema_type,
        fingerprint: form.as_ref().map(|(_, fingerprint)| fingerprint.clone()).map_err(Clone::clone),
        adoption: spec.adoption,
        drift_policy: spec.drift_policy,
    }
}
