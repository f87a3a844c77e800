//! The laws that hold in every format.

use std::cell::Cell;

use schema_registrar::api::{Level, SchemaType};
use schema_registrar::compat::avro::EXCEPTION;
use schema_registrar::compat::engine::{self, Parsed, Unreadable};
use schema_registrar::compat::history::{Answer, Judgement, Past, judge_candidate};
use schema_registrar::compat::levels::Verdict;
use schema_registrar::compat::{CONFLUENT_7_9, CONFLUENT_8_3, CONFLUENT_NEXT, Policy, Profile};
use schema_registrar::schema::{Reading, Reference, Version};

/// Every profile that judges all formats.
pub const PROFILES: [&Profile; 3] = [&CONFLUENT_8_3, &CONFLUENT_NEXT, &CONFLUENT_7_9];

/// A schema as texts.
#[derive(Clone, Debug)]
pub struct Texts {
    pub schema_type: SchemaType,
    pub text: String,
    pub references: Vec<(String, String)>,
}

/// One text.
pub fn text(schema_type: SchemaType, text: String) -> Texts {
    Texts { schema_type, text, references: Vec::new() }
}

impl Texts {
    fn read(&self, reading: Reading, profile: &Profile) -> Result<Parsed, Unreadable> {
        let references: Vec<Reference<'_>> =
            self.references.iter().map(|(name, text)| Reference { name, text }).collect();
        engine::read(self.schema_type, &self.text, &references, reading, profile)
    }

    fn past(&self, number: i64, profile: &Profile) -> Past {
        let version = Version::new(number).expect("versions count from 1");
        Past { version, schema: self.read(Reading::Stored, profile) }
    }
}

/// The candidate is judged against a history under a level.
pub fn judge(new: &Texts, old: &[&Texts], level: Level, profile: &Profile) -> Judgement {
    let history: Vec<Past> = (1..).zip(old).map(|(number, old)| old.past(number, profile)).collect();
    judge_candidate(&new.read(Reading::New, profile), &history, level, profile, Policy::Strict)
}

fn under(judgement: &Judgement, level: Level) -> Answer {
    let at = Level::ALL.iter().position(|one| *one == level).expect("every level is there");
    judgement.levels[at]
}

/// Every schema is compatible with itself under every level. The one exception is the library's: an alias of a field
/// that could mean two fields makes it throw, also while it tries out a union's branches on one another.
pub fn is_compatible_with_itself(schema: &Texts) -> Result<(), String> {
    for profile in PROFILES {
        for reading in [Reading::New, Reading::Stored] {
            schema.read(reading, profile).map_err(|error| format!("{} cannot be read: {error}", schema.text))?;
        }
        let judgement = judge(schema, &[schema], Level::Full, profile);
        if judgement.levels.iter().any(|answer| *answer != Answer::Compatible) && !throws(&judgement) {
            return Err(format!("{}: {judgement:?} with itself:\n{}", profile.name, schema.text));
        }
    }
    Ok(())
}

/// Whether the Avro library throws, which depends on what it comes to first.
fn throws(judgement: &Judgement) -> bool {
    let Verdict::Incompatible(violations) = &judgement.verdict else { return false };
    violations.iter().any(|violation| violation.difference.rule == EXCEPTION)
}

/// How many of the changes pass BACKWARD, and how many are refused: laws that are checked on neither prove little.
#[derive(Default)]
pub struct Mix {
    passed: Cell<u32>,
    refused: Cell<u32>,
}

impl Mix {
    pub fn count(&self, old: &Texts, new: &Texts) -> Result<(), String> {
        let judgement = judge(new, &[old], Level::Backward, &CONFLUENT_8_3);
        let counted = match under(&judgement, Level::Backward) {
            Answer::Compatible => &self.passed,
            Answer::Incompatible => &self.refused,
            Answer::RegistryError => return Ok(()),
            Answer::Unknown => return Err(format!("it cannot be told: {judgement:?}\n{old:#?}\n{new:#?}")),
        };
        counted.set(counted.get() + 1);
        Ok(())
    }

    pub fn assert_both(&self) {
        let (passed, refused) = (self.passed.get(), self.refused.get());
        println!("{passed} changes pass BACKWARD, {refused} are refused");
        assert!(passed.min(refused) * 5 > passed.max(refused), "{passed} pass and {refused} are refused");
    }
}

/// BACKWARD from one to the other is FORWARD from the other to the one; FULL is both; a level that is transitive is the
/// same against one version.
pub fn directions_mirror(old: &Texts, new: &Texts) -> Result<(), String> {
    for profile in PROFILES {
        let (there, back) = (judge(new, &[old], Level::Full, profile), judge(old, &[new], Level::Full, profile));
        let told = || format!("{}: {there:?} and {back:?}\n{}\n{}", profile.name, old.text, new.text);
        let mirrored = under(&there, Level::Backward) == under(&back, Level::Forward)
            && under(&there, Level::Forward) == under(&back, Level::Backward);
        if !mirrored {
            return Err(format!("not mirrored: {}", told()));
        }
        let both = [under(&there, Level::Forward), under(&there, Level::Backward)];
        if under(&there, Level::Full) != both_ways(both) {
            return Err(format!("FULL is not both: {}", told()));
        }
        for (one, all) in TRANSITIVE {
            if under(&there, one) != under(&there, all) {
                return Err(format!("{all} is not {one}: {}", told()));
            }
        }
        if under(&there, Level::None) != Answer::Compatible {
            return Err(format!("NONE refuses: {}", told()));
        }
    }
    Ok(())
}

const TRANSITIVE: [(Level, Level); 3] = [
    (Level::Backward, Level::BackwardTransitive),
    (Level::Forward, Level::ForwardTransitive),
    (Level::Full, Level::FullTransitive),
];

/// A transitive verdict is the conjunction over the history, newest version first; one that is not is about the latest.
pub fn transitive_is_the_conjunction(versions: &[Texts]) -> Result<(), String> {
    let (new, history) = versions.split_last().ok_or("there is no candidate")?;
    let history: Vec<&Texts> = history.iter().collect();
    for profile in PROFILES {
        let whole = judge(new, &history, Level::FullTransitive, profile);
        let alone: Vec<Judgement> = history.iter().rev().map(|old| judge(new, &[old], Level::Full, profile)).collect();
        for (one, all) in TRANSITIVE {
            let latest = alone.first().map_or(Answer::Compatible, |judgement| under(judgement, one));
            let every = all_of(alone.iter().map(|judgement| under(judgement, one)));
            if (under(&whole, one), under(&whole, all)) != (latest, every) {
                return Err(format!("{}: {all} is {whole:?}, each alone {alone:?}\n{versions:#?}", profile.name));
            }
        }
    }
    Ok(())
}

/// What is answered of one version under FULL: registries look both ways before they answer.
fn both_ways(answers: [Answer; 2]) -> Answer {
    let worst_first = [Answer::RegistryError, Answer::Incompatible, Answer::Unknown];
    worst_first.into_iter().find(|answer| answers.contains(answer)).unwrap_or(Answer::Compatible)
}

/// What is answered where each of these was, newest first: the first that is no yes. Behind one that cannot be told, it is
/// certain only that something breaks.
fn all_of(answers: impl IntoIterator<Item = Answer>) -> Answer {
    let mut whole = Answer::Compatible;
    for answer in answers {
        whole = match (whole, answer) {
            (Answer::Compatible, answer) => answer,
            (Answer::Unknown, Answer::Incompatible) => Answer::Incompatible,
            (whole, _) => whole,
        };
    }
    whole
}

/// What is the same schema, written in another way, is judged the same: each way of writing the old one against each of
/// the new one.
pub fn are_judged_alike(old: [&Texts; 2], new: [&Texts; 2]) -> Result<(), String> {
    are_judged_as(old, new, &[(0, 1), (1, 0), (1, 1)])
}

/// The same where both have to be written in the other way.
pub fn are_judged_alike_together(old: [&Texts; 2], new: [&Texts; 2]) -> Result<(), String> {
    are_judged_as(old, new, &[(1, 1)])
}

fn are_judged_as(old: [&Texts; 2], new: [&Texts; 2], ways: &[(usize, usize)]) -> Result<(), String> {
    for profile in PROFILES {
        let expected = judge(new[0], &[old[0]], Level::Full, profile);
        for &(old_way, new_way) in ways {
            let found = judge(new[new_way], &[old[old_way]], Level::Full, profile);
            if found.levels == expected.levels || throws(&found) || throws(&expected) {
                continue;
            }
            let pairs = format!("{:#?}\n{:#?}\nthen\n{:#?}\n{:#?}", old[0], new[0], old[old_way], new[new_way]);
            return Err(format!("{}: {expected:?}\nthen {found:?}:\n{pairs}", profile.name));
        }
    }
    Ok(())
}
