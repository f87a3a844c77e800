//! The verdict on a candidate against a subject's history: under the level in force, under all seven, and who upgrades
//! first. Each pair of schemas is compared once, however many levels ask.

use std::borrow::Borrow;
use std::collections::HashMap;

use super::difference::MAX_TOLD;
use super::effort::Effort;
use super::engine::{self, Parsed, Unreadable};
use super::levels::{Direction, UpgradeOrder, Verdict, judge, upgrade_order};
use super::profile::{Policy, Profile};
use super::{Difference, Failure};
use crate::api::Level;
use crate::schema::Version;

/// One live version of a subject, read as a stored schema.
#[derive(Debug)]
pub struct Past {
    /// Its number.
    pub version: Version,
    /// The schema, or why it is not read here.
    pub schema: Result<Parsed, Unreadable>,
}

/// What the engine says to a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// Under the level in force.
    pub verdict: Verdict,
    /// Under each level, in the order of [`Level::ALL`].
    pub levels: [Answer; 7],
    /// Who is upgraded first, where the latest version could be compared both ways.
    pub order: Option<UpgradeOrder>,
    /// What is left of the effort that one candidate is worth, for hints.
    pub effort: Effort,
}

/// A verdict without its reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It passes.
    Compatible,
    /// It is refused.
    Incompatible,
    /// The registry fails.
    RegistryError,
    /// We cannot tell.
    Unknown,
}

impl From<&Verdict> for Answer {
    fn from(verdict: &Verdict) -> Answer {
        match verdict {
            Verdict::Compatible => Answer::Compatible,
            Verdict::Incompatible(_) => Answer::Incompatible,
            Verdict::RegistryError(_) => Answer::RegistryError,
            Verdict::Unsupported(_) => Answer::Unknown,
        }
    }
}

type Compared = HashMap<(Direction, Version), Result<Vec<Difference>, Failure>>;

/// Judges a candidate. `history` holds the live versions, in any order.
pub fn judge_candidate(
    candidate: &Result<Parsed, Unreadable>,
    history: &[Past],
    level: Level,
    profile: &Profile,
    policy: Policy,
) -> Judgement {
    let live: Vec<Version> = history.iter().map(|past| past.version).collect();
    let mut newest_first: Vec<&Past> = history.iter().collect();
    newest_first.sort_by_key(|past| std::cmp::Reverse(past.version));
    judge_one_by_one(candidate, &live, newest_first.into_iter(), level, profile, policy)
}

/// Judges a candidate against versions that need not be held all at once: `past` gives the live ones, newest first.
/// Where they take too long, or differ in too much, the older ones are not compared, or what differs from them is told
/// in part.
pub fn judge_one_by_one<P: Borrow<Past>>(
    candidate: &Result<Parsed, Unreadable>,
    live: &[Version],
    past: impl Iterator<Item = P>,
    level: Level,
    profile: &Profile,
    policy: Policy,
) -> Judgement {
    judge_within(Effort::default(), candidate, live, past, level, profile, policy)
}

fn judge_within<P: Borrow<Past>>(
    mut effort: Effort,
    candidate: &Result<Parsed, Unreadable>,
    live: &[Version],
    past: impl Iterator<Item = P>,
    level: Level,
    profile: &Profile,
    policy: Policy,
) -> Judgement {
    let compared = compare_all(candidate, past, profile, policy, &mut effort);
    let under = |level| {
        judge(level, live, |direction, version| match compared.get(&(direction, version)) {
            Some(Ok(differences)) => Ok(differences.as_slice()),
            Some(Err(failure)) => Err(failure.clone()),
            None => Err(Failure::Unsupported(not_reached(version))),
        })
    };
    Judgement {
        verdict: under(level),
        levels: Level::ALL.map(|level| Answer::from(&under(level))),
        order: order(&compared, live),
        effort,
    }
}

/// The versions that would not pass a level if they came now, each after those before it, oldest first. `history` holds
/// the live versions in ascending order.
pub fn judge_history(history: &[Past], level: Level, profile: &Profile, policy: Policy) -> Vec<(Version, Verdict)> {
    let mut effort = Effort::default();
    let verdicts = history.iter().enumerate().map(|(at, past)| {
        let live: Vec<Version> = history[..at].iter().map(|earlier| earlier.version).collect();
        let newest_first = history[..at].iter().rev();
        let judgement = judge_within(effort, &past.schema, &live, newest_first, level, profile, policy);
        effort = judgement.effort;
        (past.version, judgement.verdict)
    });
    verdicts.filter(|(_, verdict)| *verdict != Verdict::Compatible).collect()
}

fn compare_all<P: Borrow<Past>>(
    candidate: &Result<Parsed, Unreadable>,
    past: impl Iterator<Item = P>,
    profile: &Profile,
    policy: Policy,
    effort: &mut Effort,
) -> Compared {
    let (mut compared, mut room) = (Compared::new(), MAX_TOLD);
    for past in past {
        if effort.is_spent() {
            break;
        }
        let past = past.borrow();
        for direction in [Direction::Backward, Direction::Forward] {
            let mut found = compare(candidate, past, direction, profile, policy, effort);
            if let Ok(differences) = &mut found {
                cut(differences, &mut room);
            }
            compared.insert((direction, past.version), found);
        }
    }
    compared
}

fn not_reached(version: Version) -> String {
    format!("comparing with version {version}, or with those after it, takes too long")
}

/// Leaves out what there is no room for, but for one that breaks.
fn cut(differences: &mut Vec<Difference>, room: &mut usize) {
    let mut breaks = false;
    differences.retain(|difference| {
        let is_told = *room > 0 || difference.breaks && !breaks;
        breaks |= difference.breaks;
        if is_told {
            *room = room.saturating_sub(size_of::<Difference>() + difference.bytes());
        }
        is_told
    });
    differences.shrink_to_fit();
}

fn compare(
    candidate: &Result<Parsed, Unreadable>,
    past: &Past,
    direction: Direction,
    profile: &Profile,
    policy: Policy,
    effort: &mut Effort,
) -> Result<Vec<Difference>, Failure> {
    let new = candidate.as_ref().map_err(|error| Failure::Unsupported(error.to_string()))?;
    let old = past.schema.as_ref().map_err(|error| match error {
        // It held that version; comparing with it, it fails.
        Unreadable::Invalid(why) => Failure::RegistryError(format!("version {}: {why}", past.version)),
        Unreadable::Unsupported(why) => Failure::Unsupported(why.clone()),
    })?;
    if effort.is_spent() {
        return Err(Failure::Unsupported(not_reached(past.version)));
    }
    match direction {
        Direction::Backward => engine::differences_within(new, old, profile, policy, effort),
        Direction::Forward => engine::differences_within(old, new, profile, policy, effort),
    }
}

fn order(compared: &Compared, live: &[Version]) -> Option<UpgradeOrder> {
    let latest = *live.iter().max()?;
    let passes = |direction| {
        let differences = compared.get(&(direction, latest))?.as_ref().ok()?;
        Some(!differences.iter().any(|difference| difference.breaks))
    };
    Some(upgrade_order(passes(Direction::Backward)?, passes(Direction::Forward)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::SchemaType;
    use crate::compat::CONFLUENT_8_3;
    use crate::schema::Reading;

    fn read(fields: &str, reading: Reading) -> Result<Parsed, Unreadable> {
        let text = format!(r#"{{"type":"record","name":"R","fields":[{fields}]}}"#);
        engine::read(SchemaType::Avro, &text, &[], reading, &CONFLUENT_8_3)
    }

    fn past(versions: &[&str]) -> Vec<Past> {
        let stored = |(index, fields): (usize, &&str)| Past {
            version: Version::new(index as i64 + 1).unwrap(),
            schema: read(fields, Reading::Stored),
        };
        versions.iter().enumerate().map(stored).collect()
    }

    const A: &str = r#"{"name":"a","type":"int"}"#;
    const A_B_DEFAULT: &str = r#"{"name":"a","type":"int"},{"name":"b","type":"int","default":0}"#;
    const A_B: &str = r#"{"name":"a","type":"int"},{"name":"b","type":"int"}"#;

    /// Each step passes BACKWARD; the first against the last does not (field-tables.md §3).
    #[test]
    fn a_default_that_is_dropped_breaks_what_came_before_it() {
        let judgement = judge_candidate(
            &read(A_B, Reading::New),
            &past(&[A, A_B_DEFAULT]),
            Level::Backward,
            &CONFLUENT_8_3,
            Policy::Strict,
        );
        assert_eq!(judgement.verdict, Verdict::Compatible);
        let at = |level| judgement.levels[Level::ALL.iter().position(|one| *one == level).unwrap()];
        assert_eq!(at(Level::BackwardTransitive), Answer::Incompatible);
        assert_eq!(at(Level::FullTransitive), Answer::Incompatible);
        assert_eq!(at(Level::ForwardTransitive), Answer::Compatible);
        assert_eq!(at(Level::None), Answer::Compatible);
        assert_eq!(judgement.order, Some(UpgradeOrder::AnyOrder));
    }

    /// Each of several, all of which refer to all.
    fn unions(count: usize) -> String {
        let branch = |i: usize, j: usize| {
            format!(r##"{{"properties":{{"k{i}_{j}":{{}},"next":{{"$ref":"#/definitions/T{j}"}}}}}}"##)
        };
        let union = |i: usize| (0..count).map(|j| branch(i, j)).collect::<Vec<_>>().join(",");
        let all: Vec<String> = (0..count).map(|i| format!(r#""T{i}":{{"oneOf":[{}]}}"#, union(i))).collect();
        format!(r##"{{"definitions":{{{}}},"$ref":"#/definitions/T0"}}"##, all.join(","))
    }

    #[test]
    fn versions_that_take_too_long_are_not_all_compared() {
        let text = unions(40);
        let read = |reading| engine::read(SchemaType::Json, &text, &[], reading, &CONFLUENT_8_3);
        let live: Vec<Version> = (1..=50).filter_map(Version::new).collect();
        let mut compared = Vec::new();
        let newest_first = live.iter().rev().map(|version| {
            compared.push(version.number());
            Past { version: *version, schema: read(Reading::Stored) }
        });
        let level = Level::BackwardTransitive;
        let new = read(Reading::New);
        let judgement = judge_one_by_one(&new, &live, newest_first, level, &CONFLUENT_8_3, Policy::Strict);
        assert!(matches!(judgement.verdict, Verdict::Unsupported(_)), "{judgement:?}");
        assert!(judgement.effort.is_spent());
        assert_eq!(compared.first(), Some(&50), "the newest first");
        assert!(compared.len() < 5, "{compared:?} are more than there is time for");
    }

    #[test]
    fn a_history_is_judged_as_if_each_version_came_now() {
        let history = past(&[A, A_B_DEFAULT, A_B]);
        let broken = |level| -> Vec<i64> {
            let found = judge_history(&history, level, &CONFLUENT_8_3, Policy::Strict);
            found.iter().map(|(version, _)| version.number()).collect()
        };
        assert_eq!(broken(Level::Backward), [0; 0]);
        assert_eq!(broken(Level::BackwardTransitive), [3], "against version 1");
        assert_eq!(broken(Level::None), [0; 0]);
    }

    #[test]
    fn a_violation_names_its_version() {
        let judgement = judge_candidate(
            &read(A_B, Reading::New),
            &past(&[A, A_B_DEFAULT]),
            Level::BackwardTransitive,
            &CONFLUENT_8_3,
            Policy::Strict,
        );
        let Verdict::Incompatible(violations) = judgement.verdict else { panic!("{judgement:?}") };
        assert_eq!((violations.len(), violations[0].version.number()), (1, 1));
        assert_eq!(violations[0].difference.rule, "READER_FIELD_MISSING_DEFAULT_VALUE");
    }

    #[test]
    fn a_version_that_the_registry_cannot_read_makes_it_fail() {
        let schema = Err(Unreadable::Invalid("unknown type In".into()));
        let history = [Past { version: Version::FIRST, schema }];
        let judgement =
            judge_candidate(&read(A, Reading::New), &history, Level::Backward, &CONFLUENT_8_3, Policy::Strict);
        assert_eq!(judgement.verdict, Verdict::RegistryError("version 1: unknown type In".into()));
    }

    #[test]
    fn another_type_is_told_in_words() {
        let json = engine::read(SchemaType::Json, "{}", &[], Reading::New, &CONFLUENT_8_3);
        let judgement = judge_candidate(&json, &past(&[A]), Level::Full, &CONFLUENT_8_3, Policy::Strict);
        let Verdict::Incompatible(violations) = judgement.verdict else { panic!("{judgement:?}") };
        let told = violations
            .iter()
            .map(|one| engine::sentence(SchemaType::Json, &one.difference, one.direction, one.version))
            .collect::<Vec<_>>();
        assert_eq!(
            told,
            [
                "the type is JSON now and AVRO in version 1, and a subject keeps its type",
                "the type is JSON now and AVRO in version 1, and a subject keeps its type",
            ]
        );
    }

    #[test]
    fn what_cannot_be_read_is_not_guessed_at() {
        let unreadable = Err(Unreadable::Unsupported("editions".into()));
        let judgement = judge_candidate(&unreadable, &past(&[A]), Level::Backward, &CONFLUENT_8_3, Policy::Strict);
        assert_eq!(judgement.verdict, Verdict::Unsupported("editions".into()));
        assert_eq!(
            (judgement.levels[0], judgement.levels[1], judgement.order),
            (Answer::Compatible, Answer::Unknown, None)
        );
    }
}
