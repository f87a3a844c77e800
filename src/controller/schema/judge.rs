//! Has our own check compare a schema with the live versions, and puts what it says into words. Reads only.

use super::memory::SchemaMemory;
use super::observe::Target;
use super::observed::{EngineAnswer, Explained, Judged, Observed};
use crate::api::{Level, LevelVerdict, LevelVerdicts, SchemaType};
use crate::compat::advice::{self, Advice, Change};
use crate::compat::effort::Effort;
use crate::compat::engine::{self, Candidate, Parsed, Unreadable};
use crate::compat::history::{Judgement, Past, judge_one_by_one};
use crate::compat::levels::{Verdict, Violation, compared};
use crate::compat::{CONFLUENT_8_3, Policy, Profile};
use crate::controller::history::{self, History};
use crate::controller::memory::Memory;
use crate::controller::profile::choose;
use crate::controller::trouble::Trouble;
use crate::schema::{Fingerprint, Reading, SchemaId, Version};

/// For so many violations a hint is tried out; status lists fewer.
const MAX_HINTS: usize = 20;

/// What our own check says to the candidate.
pub async fn judge(seen: &Observed, target: &Target, memory: &mut Memory<SchemaMemory>) -> Result<Judged, Trouble> {
    let history = history::read(&target.session, &target.subject, &mut memory.own.texts).await?;
    let question = Question {
        candidate: seen.spec.fingerprint.as_ref().ok().cloned(),
        history: history.key(),
        level: level(seen),
        policy: history.policy,
        profile: profile(target).name,
    };
    // A refused change is looked at again and again: nothing is compared anew until something changed.
    if let Some((asked, judged)) = &memory.own.judged
        && *asked == question
    {
        return Ok(judged.clone());
    }
    let judged = compare(seen, target, history, Reading::New).await;
    memory.own.judged = Some((question, judged.clone()));
    Ok(judged)
}

/// All that an answer depends on.
#[derive(Debug, PartialEq)]
pub struct Question {
    candidate: Option<Fingerprint>,
    history: Vec<(Version, Option<SchemaId>)>,
    level: Level,
    policy: Policy,
    profile: &'static str,
}

fn level(seen: &Observed) -> Level {
    seen.reading().map_or(Level::None, |reading| reading.level.level)
}

fn profile(target: &Target) -> &'static Profile {
    let facts = &target.session.facts;
    choose(facts.implementation, facts.version.as_deref()).profile
}

/// What it says of the latest version, which is the spec, as a change of those before it.
pub async fn judge_latest(
    seen: &Observed,
    target: &Target,
    memory: &mut Memory<SchemaMemory>,
    latest: Version,
) -> Result<Judged, Trouble> {
    // A first version comes after nothing.
    let history = if latest == Version::FIRST {
        History::default()
    } else {
        history::read(&target.session, &target.subject, &mut memory.own.texts).await?.before(latest)
    };
    memory.own.texts.forget();
    Ok(compare(seen, target, history, Reading::Stored).await)
}

async fn compare(seen: &Observed, target: &Target, history: History, reading: Reading) -> Judged {
    let work = Work {
        schema_type: target.candidate.schema_type,
        text: target.candidate.text.clone(),
        reading,
        history,
        level: level(seen),
        profile: profile(target),
        is_key: advice::names_a_key(target.subject.as_str()),
    };
    target.session.blocking(move || work.judge()).await.unwrap_or_else(cannot_tell)
}

/// What our own reading finds wrong with the candidate. Where the registry's rules are not known, by those of Confluent's:
/// what is no schema to one is none to the other.
pub async fn why_invalid(target: &Target) -> Option<String> {
    let (schema_type, text, own) = (target.candidate.schema_type, target.candidate.text.clone(), profile(target));
    let read = move || {
        [own, &CONFLUENT_8_3].into_iter().find_map(|profile| {
            match engine::read(schema_type, &text, &[], Reading::New, profile) {
                Err(Unreadable::Invalid(why)) => Some(why),
                _ => None,
            }
        })
    };
    target.session.blocking(read).await.flatten()
}

/// A schema, and all that it is compared with.
struct Work {
    schema_type: SchemaType,
    text: std::sync::Arc<str>,
    reading: Reading,
    history: History,
    level: Level,
    profile: &'static Profile,
    is_key: bool,
}

impl Work {
    fn judge(&self) -> Judged {
        let schema = engine::read(self.schema_type, &self.text, &[], self.reading, self.profile);
        let live = self.history.numbers();
        let newest_first = live.iter().rev().filter_map(|version| self.past(*version));
        let (level, policy) = (self.level, self.history.policy);
        let judgement = judge_one_by_one(&schema, &live, newest_first, level, self.profile, policy);
        Judged {
            violations: self.violations(&judgement),
            compared: compared(level, &live),
            advice: self.advice(&schema, live.last().and_then(|newest| self.past(*newest))),
            levels: (!live.is_empty()).then(|| level_verdicts(judgement.levels)),
            answer: EngineAnswer::from(&judgement.verdict),
            order: judgement.order,
            is_of_candidate: self.reading == Reading::New,
        }
    }

    fn past(&self, version: Version) -> Option<Past> {
        self.history.parse(version, &[], self.profile)
    }

    fn violations(&self, judgement: &Judgement) -> Vec<Explained> {
        let Verdict::Incompatible(all) = &judgement.verdict else { return Vec::new() };
        let (mut effort, mut past) = (judgement.effort, None);
        let explain = |(at, violation): (usize, &Violation)| {
            let tries = at < MAX_HINTS && !effort.is_spent();
            let hint = || self.hint(violation, told_of_pair(all, violation), &mut past, &mut effort);
            explained(self.schema_type, violation, tries.then(hint).flatten())
        };
        all.iter().enumerate().map(explain).collect()
    }

    /// `past` keeps the version that the one before was about.
    fn hint(
        &self,
        violation: &Violation,
        before: usize,
        past: &mut Option<Past>,
        effort: &mut Effort,
    ) -> Option<String> {
        if past.as_ref().is_none_or(|past| past.version != violation.version) {
            *past = self.past(violation.version);
        }
        let old = past.as_ref()?.schema.as_ref().ok()?;
        let candidate = Candidate { schema_type: self.schema_type, text: &self.text, references: &[] };
        engine::verified_hint(&candidate, old, violation, before, self.profile, self.history.policy, effort)
    }

    /// What to know about the change from the newest version to the schema.
    fn advice(&self, schema: &Result<Parsed, Unreadable>, newest: Option<Past>) -> Vec<Advice> {
        let Ok(new) = schema else { return Vec::new() };
        let Some(newest) = newest else { return advice::of_schema(new) };
        let Ok(old) = &newest.schema else { return Vec::new() };
        advice::of_change(&Change {
            old,
            new,
            old_name: &format!("version {}", newest.version),
            level: self.level,
            profile: self.profile,
            policy: self.history.policy,
            is_key: self.is_key,
        })
    }
}

fn level_verdicts(answers: [EngineAnswer; 7]) -> LevelVerdicts {
    let [none, backward, backward_transitive, forward, forward_transitive, full, full_transitive] =
        answers.map(level_verdict);
    LevelVerdicts { backward, backward_transitive, forward, forward_transitive, full, full_transitive, none }
}

/// The check itself failed, which is a mistake of ours: the registry decides.
fn cannot_tell() -> Judged {
    Judged {
        answer: EngineAnswer::Unknown,
        violations: Vec::new(),
        levels: None,
        order: None,
        compared: Vec::new(),
        advice: Vec::new(),
        is_of_candidate: true,
    }
}

fn level_verdict(answer: EngineAnswer) -> LevelVerdict {
    match answer {
        EngineAnswer::Compatible => LevelVerdict::Compatible,
        EngineAnswer::Incompatible => LevelVerdict::Incompatible,
        EngineAnswer::RegistryError => LevelVerdict::RegistryError,
        EngineAnswer::Unknown => LevelVerdict::Unknown,
    }
}

/// How much breaks between the schema and the version of a violation, in its direction.
fn told_of_pair(all: &[Violation], of: &Violation) -> usize {
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
