//! The controller of `Schema`: observe, plan, apply, report.

mod advice;
mod apply;
mod judge;
mod observe;
pub mod observed;
pub mod plan;
mod report;
pub mod status;
mod words;

use std::sync::Arc;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use kube::runtime::controller::Action;
use tokio::time::Instant;

use super::context::Context;
use super::history::Texts;
use super::memory::Memory;
use super::scope::key_of;
use super::status_write::{self, Written};
use crate::api::{Level, Schema, SchemaStatus};
use crate::schema::{Fingerprint, Form, SchemaId, TextError, Version};
use observed::{Applied, Observed};
use plan::{InSync, Plan, Step};

/// Steps in one look: our own check, a question or a register, and what follows from its answer. More means that plan
/// and registry disagree about what a step did; then the next look decides.
const STEPS: usize = 3;

/// The form of a spec and its fingerprint, or why its text cannot be read.
type ReadForm = Result<(Arc<Form>, Fingerprint), TextError>;

/// What this process remembers of one Schema.
#[derive(Debug, Default)]
pub struct SchemaMemory {
    /// The status as last written by this process.
    written: Option<Written<SchemaStatus>>,
    /// The form of the spec at a generation.
    form: Option<(i64, ReadForm)>,
    /// A write whose effect was not read yet.
    unread_write: Option<UnreadWrite>,
    /// Since when the version last applied does not show.
    missing_since: Option<Instant>,
    /// What this process brought about and no status tells yet.
    unreported: Option<Applied>,
    /// The id that the registry answered for a candidate: it takes the schema of that id for this one.
    taken_as: Option<(Fingerprint, SchemaId)>,
    /// The level last seen, and since when, if it changed.
    level: Option<(Level, Option<Instant>)>,
    /// What the spec is compared with, while it is not the latest version.
    texts: Texts,
    /// How often in a row the registry failed over a candidate.
    failures: Option<(Fingerprint, u32)>,
    /// Reverts that a status may not tell yet.
    reverts: Vec<Time>,
}

/// A write whose effect was not read yet.
#[derive(Debug)]
struct UnreadWrite {
    /// What was sent; the spec may be another one by now.
    fingerprint: Fingerprint,
    /// The id that the registry gave it, where it answered.
    id: Option<SchemaId>,
    makes_latest: bool,
    absent_since: Option<Instant>,
}

impl SchemaMemory {
    fn failures_of(&self, candidate: &Fingerprint) -> u32 {
        self.failures.as_ref().filter(|(known, _)| known == candidate).map_or(0, |(_, times)| *times)
    }
}

/// Whether nothing is left to do or to tell about it.
pub fn is_converged(schema: &Schema) -> bool {
    schema
        .status
        .as_ref()
        .is_some_and(|status| status.observed_generation == schema.metadata.generation && status::is_ready(status))
}

/// Looks at one Schema, does what is to be done, and reports.
pub async fn reconcile(schema: &Schema, context: &Arc<Context>) -> Action {
    if schema.metadata.deletion_timestamp.is_some() {
        return Action::await_change();
    }
    let key = key_of(schema);
    let mut memory = context.schema_memories.take(&key, &schema.metadata);
    let action = look(schema, context, &mut memory).await;
    context.schema_memories.put(key, memory, |key| context.schemas.get(key).is_some());
    action
}

/// What is in sync is compared with what came before it, once a generation, version and level: for a subject that was
/// taken over nobody did. Where that fails, the next look tries again.
async fn look_back(
    why: InSync,
    seen: &mut Observed,
    before: &SchemaStatus,
    target: &observe::Target,
    memory: &mut Memory<SchemaMemory>,
) {
    let Some(reading) = seen.reading() else { return };
    let Some(latest) = reading.latest.as_ref().filter(|_| why != InSync::Superseded) else { return };
    let told = before.compatibility.as_ref();
    let is_told = before.observed_generation == Some(seen.generation)
        && before.latest_version == Some(latest.version.number())
        && told.is_some_and(|told| told.level == Some(reading.level.level))
        && (latest.version == Version::FIRST || told.is_some_and(|told| told.levels.is_some()));
    if seen.judged.is_none() && !is_told {
        seen.judged = judge::judge_latest(seen, target, memory, latest.version).await.ok();
    }
}

async fn look(schema: &Schema, context: &Arc<Context>, memory: &mut Memory<SchemaMemory>) -> Action {
    let version = schema.metadata.resource_version.as_deref();
    let before = status_write::newest(schema.status.as_ref(), version, memory.own.written.as_ref());
    let before = before.cloned().unwrap_or_default();
    let observe::Look { mut seen, target } = observe::observe(schema, &before, context, memory).await;
    let mut effect = apply::Effect::None;
    let mut plan = plan::plan(&seen);
    for _ in 0..STEPS {
        let (Plan::Act(step), Some(target)) = (&plan, &target) else { break };
        let done = apply::apply(*step, &mut seen, target, memory).await;
        if done != apply::Effect::None {
            effect = done;
        }
        plan = plan::plan(&seen);
        if effect != apply::Effect::None && matches!(plan, Plan::Act(Step::Register(_))) {
            break;
        }
    }
    if let (Plan::InSync(why), Some(target)) = (&plan, &target) {
        look_back(*why, &mut seen, &before, target, memory).await;
    }
    // The place in the connection is free for others while the API server is written to.
    drop(target);
    report::report(schema, &before, &seen, &plan, effect, context, memory).await
}
