//! Carries out one step of a plan, and takes what came of it into what is known. The plan is made anew from that: only
//! `plan` decides.

use super::decision::{Change, Step};
use super::judge;
use super::memory::{SchemaMemory, UnreadWrite};
use super::observe::{self, Target};
use super::observed::{Answer, Applied, EngineAnswer, Observed, Sameness};
use super::plan::FAILURE_TRIES;
use crate::api::SchemaType;
use crate::controller::conditions::one_line;
use crate::controller::memory::Memory;
use crate::controller::trouble::Trouble;
use crate::registry::{Candidate, Check, Implementation, Placement, Refusal, Register, RegistryError};
use crate::schema::{SchemaId, Version};

/// What a step did to the registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing was written.
    None,
    /// The registry took a schema.
    Registered(Change),
}

/// Carries out a step.
pub async fn apply(step: Step, seen: &mut Observed, target: &Target, memory: &mut Memory<SchemaMemory>) -> Effect {
    match step {
        Step::Judge(_) => {
            match judge::judge(seen, target, memory).await {
                Ok(judged) => seen.judged = Some(judged),
                Err(trouble) => settle(seen, memory, Answer::Away(trouble)),
            }
            Effect::None
        }
        Step::Check(change) => {
            let answer = if change == Change::First { read_text(target).await } else { check(seen, target).await };
            settle(seen, memory, answer);
            doubt_level(seen, target);
            Effect::None
        }
        Step::Register(change) => {
            let effect = register(change, seen, target, memory).await;
            doubt_level(seen, target);
            effect
        }
    }
}

/// Where registry and own check disagree, one of them may go by a registry-wide level of before.
fn doubt_level(seen: &Observed, target: &Target) {
    let judged = seen.judged.as_ref().map(|judged| judged.answer);
    let disagree = match (&seen.answer, judged) {
        (Some(Answer::Incompatible { .. }), judged) => judged == Some(EngineAnswer::Compatible),
        (Some(Answer::WouldTake), judged) => judged == Some(EngineAnswer::Incompatible),
        _ => false,
    };
    if disagree && seen.reading().is_some_and(|reading| reading.level.own.is_none()) {
        target.session.connection.doubted.notify_one();
    }
}

async fn register(change: Change, seen: &mut Observed, target: &Target, memory: &mut Memory<SchemaMemory>) -> Effect {
    // Whatever is still unread was looked for long enough. Where nobody knew what became of it, it was never made; where
    // it was taken it never showed: after some tries a person is asked, and each look tries once more.
    if let Some(UnreadWrite { id: Some(_), .. }) = memory.own.unread_write.take() {
        let message = "it takes the schema and does not show it".to_owned();
        settle(seen, memory, Answer::Failed { message });
        if seen.failures >= FAILURE_TRIES {
            return Effect::None;
        }
        seen.answer = None;
    }
    let connection = &target.session.connection;
    let result = connection.client.register(&target.subject, &target.candidate, change.placement()).await;
    connection.note(&result);
    let answer = match result {
        Ok(Register::Accepted { id }) => {
            accepted(change, id, seen, target, memory).await;
            return Effect::Registered(change);
        }
        Err(RegistryError::OutcomeUnknown { .. }) => {
            sent(change, None, seen, memory);
            observe::read(seen, target, memory).await;
            return Effect::None;
        }
        Ok(Register::Incompatible(refusal)) => incompatible(refusal, seen, target).await,
        Ok(Register::Invalid { message }) => invalid(message, target).await,
        Ok(Register::ReadOnly { message }) => Answer::ReadOnly { message },
        Ok(Register::Refused { message }) => Answer::Refused { message },
        Ok(Register::CandidateFailed { message }) => Answer::Failed { message },
        Err(error) => Answer::Away(connection.words(&error)),
    };
    settle(seen, memory, answer);
    Effect::None
}

/// The registry took the schema: the subject is read again, since whatever is reported must have been read.
async fn accepted(
    change: Change,
    id: SchemaId,
    seen: &mut Observed,
    target: &Target,
    memory: &mut Memory<SchemaMemory>,
) {
    sent(change, Some(id), seen, memory);
    memory.own.taken_as = seen.spec.fingerprint.as_ref().ok().map(|fingerprint| (fingerprint.clone(), id));
    observe::read(seen, target, memory).await;
    if seen.unread_write.is_none() {
        memory.own.failures = None;
    }
    if let Some(applied) = brought_about(change, id, seen) {
        memory.own.unreported = Some(applied.clone());
        seen.last_applied = Some(applied);
    }
}

/// Where the schema that the registry took now stands, if it shows.
fn brought_about(change: Change, id: SchemaId, seen: &Observed) -> Option<Applied> {
    let fingerprint = seen.spec.fingerprint.as_ref().ok()?.clone();
    let reading = seen.reading()?;
    let latest = reading.latest.as_ref().filter(|latest| latest.sameness != Sameness::Other);
    if let Some(latest) = latest {
        return Some(latest.applied(fingerprint));
    }
    // Someone may have registered a newer version right after us: then this one is ours, and that one is foreign.
    let version = reading.spec_at.filter(|_| change.placement() == Placement::Append)?;
    Some(Applied { fingerprint, version, id, stored: None })
}

/// Remembers a write that the registry took, or may have taken: one whose outcome is unknown counts as a revert too.
fn sent(change: Change, id: Option<SchemaId>, seen: &mut Observed, memory: &mut Memory<SchemaMemory>) {
    if matches!(change, Change::Revert(_)) {
        memory.own.reverts.push(seen.now.clone());
        seen.reverts.push(seen.now.clone());
    }
    let Ok(fingerprint) = seen.spec.fingerprint.clone() else { return };
    memory.own.unread_write = Some(UnreadWrite { fingerprint, id, change, absent_since: None });
}

/// Takes an answer in, and counts failures over one candidate.
fn settle(seen: &mut Observed, memory: &mut Memory<SchemaMemory>, answer: Answer) {
    if let Ok(fingerprint) = &seen.spec.fingerprint {
        memory.own.failures = match answer {
            Answer::Failed { .. } => Some((fingerprint.clone(), memory.own.failures_of(fingerprint) + 1)),
            Answer::Away(_) => memory.own.failures.take(),
            _ => None,
        };
        seen.failures = memory.own.failures_of(fingerprint);
    }
    seen.answer = Some(answer);
}

/// No registry has a check for a first version; whether its text is a schema can be told all the same.
async fn read_text(target: &Target) -> Answer {
    match judge::why_invalid(target).await {
        Some(message) => Answer::Invalid { message },
        None => Answer::WouldTake,
    }
}

/// Asks without writing.
async fn check(seen: &Observed, target: &Target) -> Answer {
    let connection = &target.session.connection;
    let Some(level) = seen.reading().map(|reading| reading.level.level) else { return Answer::WouldTake };
    match connection.track(connection.client.check(&target.subject, &target.candidate, level).await) {
        // A registry without the call says what it thinks when it is written to.
        Ok(Check::Compatible | Check::Unavailable) => Answer::WouldTake,
        Ok(Check::Incompatible(refusal)) => Answer::Incompatible { refusal, compared: compared(seen, target).await },
        Ok(Check::Invalid { message }) => invalid(message, target).await,
        Ok(Check::CandidateFailed { message }) => Answer::Failed { message },
        Err(trouble) => Answer::Away(trouble),
    }
}

/// What is wrong with the text in our own words, where we see it: a registry's can be poor.
async fn invalid(message: String, target: &Target) -> Answer {
    let message = match judge::why_invalid(target).await {
        Some(ours) => format!("{}; its own words: {message}", one_line(&ours, 400)),
        None if is_unrecognised(target) => format!(
            "it finds out by itself what a text is, and knows JSON Schema by \"$schema\": write that into the schema; its own words: {message}"
        ),
        None => message,
    };
    Answer::Invalid { message }
}

/// Apicurio takes nobody's word for the type of a text.
fn is_unrecognised(target: &Target) -> bool {
    let Candidate { schema_type, text, .. } = &target.candidate;
    let finds_out = target.session.facts.implementation == Implementation::Apicurio;
    finds_out && *schema_type == SchemaType::Json && !text.contains("\"$schema\"")
}

/// A refusal without reasons is followed by one check that gives them, where the registry's does.
async fn incompatible(mut refusal: Refusal, seen: &Observed, target: &Target) -> Answer {
    let client = &target.session.connection.client;
    let level = seen.reading().map(|reading| reading.level.level);
    if let (true, true, Some(level)) = (refusal.violations.is_empty(), client.capabilities().check_gives_reasons, level)
        && let Ok(Check::Incompatible(explained)) = client.check(&target.subject, &target.candidate, level).await
        && !explained.violations.is_empty()
    {
        refusal.violations = explained.violations;
    }
    Answer::Incompatible { refusal, compared: compared(seen, target).await }
}

/// The versions that the level names: as our own check found them, else the latest, or every live one.
async fn compared(seen: &Observed, target: &Target) -> Vec<Version> {
    if let Some(judged) = seen.judged.as_ref().filter(|judged| !judged.compared.is_empty()) {
        return judged.compared.clone();
    }
    let Some(reading) = seen.reading() else { return Vec::new() };
    let latest = || reading.latest.iter().map(|latest| latest.version).collect();
    if !reading.level.level.is_transitive() {
        return latest();
    }
    let connection = &target.session.connection;
    let all: Result<Vec<Version>, Trouble> = connection.track(connection.client.versions(&target.subject).await);
    all.unwrap_or_else(|_| latest())
}
