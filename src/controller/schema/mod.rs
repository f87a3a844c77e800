//! The controller of `Schema`: observe, plan, apply, report.

mod advice;
mod apply;
pub mod decision;
mod forms;
mod judge;
mod memory;
mod observe;
pub mod observed;
pub mod plan;
mod reading;
mod report;
pub mod status;
mod words;

use std::sync::Arc;

use kube::runtime::controller::Action;

pub use memory::SchemaMemory;

use super::context::Context;
use super::memory::Memory;
use super::scope::key_of;
use super::status_write;
use crate::api::{Schema, SchemaStatus};
use crate::schema::Version;
use decision::{InSync, Plan, Step};
use observed::Observed;

/// Steps in one look: our own check, a question or a register, and what follows from its answer. More means that plan
/// and registry disagree about what a step did; then the next look decides.
const STEPS: usize = 3;

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

/// What was edited, deleted or paused meanwhile is not written any more; its next look is on its way.
fn is_still_asked_for(schema: &Schema, context: &Arc<Context>, target: &observe::Target) -> bool {
    context.is_still_asked_for(&context.schemas, schema, &schema.spec.registry_ref, &target.session.connection)
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
        if matches!(step, Step::Register(_)) && !is_still_asked_for(schema, context, target) {
            plan = Plan::Keep;
            break;
        }
        let done = apply::apply(*step, &mut seen, target, memory).await;
        if done != apply::Effect::None {
            effect = done;
        }
        plan = plan::plan(&seen);
        if effect != apply::Effect::None && matches!(plan, Plan::Act(Step::Register(_))) {
            break;
        }
    }
    // A write that shows only now is told of now.
    if let (apply::Effect::None, Some(change)) = (effect, memory.own.shown.take()) {
        effect = apply::Effect::Registered(change);
    }
    if let (Plan::InSync(why), Some(target)) = (&plan, &target) {
        look_back(*why, &mut seen, &before, target, memory).await;
    }
    // Texts are kept only for a change that is looked at again and again.
    if seen.judged.is_none() {
        memory.own.texts.forget();
    }
    // The place in the connection is free for others while the API server is written to.
    drop(target);
    report::report(schema, &before, &seen, &plan, effect, context, memory).await
}
