//! Has our own check compare the candidate with the live versions, and puts what it says into words. Reads only.

use super::SchemaMemory;
use super::observe::Target;
use super::observed::{EngineAnswer, Explained, Judged, Observed};
use crate::api::{Level, LevelVerdict, LevelVerdicts, SchemaType};
use crate::compat::Profile;
use crate::compat::engine;
use crate::compat::history::{Judgement, judge_candidate};
use crate::compat::levels::{Verdict, Violation};
use crate::controller::history::{self, History};
use crate::controller::memory::Memory;
use crate::controller::profile::choose;
use crate::controller::trouble::Trouble;
use crate::schema::Reading;

/// For so many violations a hint is tried out; status lists fewer.
const MAX_HINTS: usize = 20;

/// What our own check says to the candidate.
pub async fn judge(seen: &Observed, target: &Target, memory: &mut Memory<SchemaMemory>) -> Result<Judged, Trouble> {
    let level = seen.reading().map_or(Level::None, |reading| reading.level.level);
    let facts = &target.session.facts;
    let profile = choose(facts.implementation, facts.version.as_deref()).profile;
    let history = history::read(&target.session, &target.subject, &mut memory.own.texts).await?;
    let (schema_type, text) = (target.candidate.schema_type, target.candidate.text.clone());
    let work = move || judge_texts(schema_type, &text, &history, level, profile);
    // Comparing is bounded, but not short enough for a thread that others wait for.
    let _few_at_once = target.session.context.parsers.acquire().await;
    Ok(tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| cannot_tell()))
}

fn judge_texts(schema_type: SchemaType, text: &str, history: &History, level: Level, profile: &Profile) -> Judged {
    let references = [];
    let candidate = engine::read(schema_type, text, &references, Reading::New, profile);
    let past = history.parse(&references, profile);
    let judgement = judge_candidate(&candidate, &past, level, profile, history.policy);
    let hint = |violation: &Violation| {
        let past = past.iter().find(|past| past.version == violation.version)?;
        let (old, before) = (past.schema.as_ref().ok()?, told_of_pair(&judgement, violation));
        engine::verified_hint(schema_type, text, old, violation, before, profile, history.policy)
    };
    judged(&judgement, |at, violation| {
        explained(schema_type, violation, if at < MAX_HINTS { hint(violation) } else { None })
    })
}

fn judged(judgement: &Judgement, explain: impl Fn(usize, &Violation) -> Explained) -> Judged {
    let violations = match &judgement.verdict {
        Verdict::Incompatible(all) => all.iter().enumerate().map(|(at, one)| explain(at, one)).collect(),
        _ => Vec::new(),
    };
    let levels = judgement.levels.map(level_verdict);
    let [none, backward, backward_transitive, forward, forward_transitive, full, full_transitive] = levels;
    Judged {
        answer: EngineAnswer::from(&judgement.verdict),
        violations,
        levels: LevelVerdicts {
            backward,
            backward_transitive,
            forward,
            forward_transitive,
            full,
            full_transitive,
            none,
        },
        order: judgement.order,
    }
}

/// The check itself failed, which is a mistake of ours: the registry decides.
fn cannot_tell() -> Judged {
    let unknown = Verdict::Unsupported(String::new());
    let nothing = Judgement { verdict: unknown, levels: [EngineAnswer::Unknown; 7], order: None };
    judged(&nothing, |_, _| Explained::default())
}

fn level_verdict(answer: EngineAnswer) -> LevelVerdict {
    match answer {
        EngineAnswer::Compatible => LevelVerdict::Compatible,
        EngineAnswer::Incompatible => LevelVerdict::Incompatible,
        EngineAnswer::RegistryError => LevelVerdict::RegistryError,
        EngineAnswer::Unknown => LevelVerdict::Unknown,
    }
}

/// How much breaks between the candidate and the version of a violation, in its direction.
fn told_of_pair(judgement: &Judgement, of: &Violation) -> usize {
    let Verdict::Incompatible(all) = &judgement.verdict else { return 0 };
    all.iter().filter(|one| (one.version, one.direction) == (of.version, of.direction)).count()
}

fn explained(schema_type: SchemaType, violation: &Violation, hint: Option<String>) -> Explained {
    let Violation { version, direction, difference } = violation;
    Explained {
        rule: Some(difference.rule.to_owned()),
        path: Some(difference.path.clone()).filter(|path| !path.is_empty()),
        version: Some(*version),
        message: engine::sentence(schema_type, difference, *direction, *version),
        hint,
    }
}
