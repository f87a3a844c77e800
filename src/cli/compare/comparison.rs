//! What the engine says to two schemas: the verdict at a level and all that explains it. No IO.

use std::collections::HashSet;

use super::input::Source;
use crate::api::Level;
use crate::compat::advice::{self, Advice, Change};
use crate::compat::effort::Effort;
use crate::compat::engine::{self, Candidate, Parsed, Unreadable};
use crate::compat::history::Answer;
use crate::compat::levels::{UpgradeOrder, Verdict, Violation, judge, upgrade_order};
use crate::compat::locate::{Located, locate_all};
use crate::compat::{Difference, Direction, Failure, Policy, Profile};
use crate::schema::{Form, Reading, Version};

/// What messages call the older schema.
pub const OLD: &str = "the old schema";

/// The older schema is compared as the only version of a subject.
const ONLY: Version = Version::FIRST;

/// For so many differences a hint is tried out, in schemas up to 80 KiB; in larger ones for fewer, since each trial
/// reads the schema anew.
const MAX_HINTS: usize = 100;
const MAX_TRIED_BYTES: usize = 8 << 20;

/// By what two schemas are compared.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// The level that the newer one is to pass.
    pub level: Level,
    /// Whose rules.
    pub profile: &'static Profile,
    /// Whether more passes than by default.
    pub policy: Policy,
    /// They are schemas of messages' keys.
    pub is_key: bool,
}

/// What there is to say.
#[derive(Debug)]
pub struct Comparison {
    /// Under the level in force.
    pub verdict: Answer,
    /// Whether the new schema reads the old one's data.
    pub backward: Answer,
    /// Whether the old schema reads the new one's data.
    pub forward: Answer,
    /// Under each level, in the order of [`Level::ALL`].
    pub levels: [Answer; 7],
    /// Who is upgraded first, where both directions could be compared.
    pub order: Option<UpgradeOrder>,
    /// Each once, BACKWARD first, in the registry's order.
    pub differences: Vec<Told>,
    /// What the verdict does not say.
    pub advice: Vec<Advice>,
    /// Why a direction could not be compared, where one could not.
    pub reason: Option<String>,
}

/// One difference, in words.
#[derive(Debug)]
pub struct Told {
    /// Who reads whose data.
    pub direction: Direction,
    /// What differs.
    pub difference: Difference,
    /// The same in a sentence.
    pub message: String,
    /// A change that mends it; it was tried.
    pub hint: Option<String>,
    /// Where it stands in the texts.
    pub place: Option<Located>,
}

/// A schema was not read.
#[derive(Debug, thiserror::Error)]
#[error("{file}: {error}{}", hint(error, *has_references))]
pub struct NotRead {
    file: String,
    error: Unreadable,
    has_references: bool,
}

/// What a schema names and does not have may be in another file.
fn hint(error: &Unreadable, has_references: bool) -> &'static str {
    let is_unknown = error.to_string().starts_with("unknown type");
    if is_unknown && !has_references { "; if another file defines it, add --reference NAME=FILE" } else { "" }
}

type Compared = Result<Vec<Difference>, Failure>;

/// Compares two schemas.
pub fn compare(old: &Source, new: &Source, terms: &Terms) -> Result<Comparison, NotRead> {
    let (old_schema, new_schema) = read(old, new, terms)?;
    let differences = |reader, writer| engine::differences(reader, writer, terms.profile, terms.policy);
    let backward = differences(&new_schema, &old_schema);
    let forward = differences(&old_schema, &new_schema);
    let under = |level| {
        let verdict = judge(level, &[ONLY], |direction, _| match of(direction, &backward, &forward) {
            Ok(all) => Ok(all.as_slice()),
            Err(failure) => Err(failure.clone()),
        });
        (Answer::from(&verdict), reason(verdict))
    };
    let (verdict, why) = under(terms.level);
    let holds = |compared: &Compared| compared.as_ref().ok().map(|all| !all.iter().any(|one| one.breaks));
    Ok(Comparison {
        verdict,
        backward: under(Level::Backward).0,
        forward: under(Level::Forward).0,
        levels: Level::ALL.map(|level| under(level).0),
        order: holds(&backward).zip(holds(&forward)).map(|(backward, forward)| upgrade_order(backward, forward)),
        differences: tell(&Pair { old, new, old_schema: &old_schema, terms }, &backward, &forward),
        advice: advise(&old_schema, &new_schema, &Terms { is_key: terms.is_key && is_another(old, new), ..*terms }),
        reason: why.or_else(|| under(Level::Full).1),
    })
}

fn read(old: &Source, new: &Source, terms: &Terms) -> Result<(Parsed, Parsed), NotRead> {
    let (own, candidates) = (old.references(), new.references());
    let not_read = |source: &Source, error| NotRead {
        file: source.name.clone(),
        error,
        has_references: !source.references().is_empty(),
    };
    let old_schema = engine::read_stored(old.schema_type, &old.text, &own, &candidates, terms.profile);
    let new_schema = engine::read(new.schema_type, &new.text, &candidates, Reading::New, terms.profile);
    Ok((old_schema.map_err(|error| not_read(old, error))?, new_schema.map_err(|error| not_read(new, error))?))
}

fn of<'c>(direction: Direction, backward: &'c Compared, forward: &'c Compared) -> &'c Compared {
    match direction {
        Direction::Backward => backward,
        Direction::Forward => forward,
    }
}

fn reason(verdict: Verdict) -> Option<String> {
    match verdict {
        Verdict::RegistryError(why) | Verdict::Unsupported(why) => Some(why),
        Verdict::Compatible | Verdict::Incompatible(_) => None,
    }
}

/// What words are made of.
struct Pair<'a> {
    old: &'a Source,
    new: &'a Source,
    old_schema: &'a Parsed,
    terms: &'a Terms,
}

fn tell(pair: &Pair<'_>, backward: &Compared, forward: &Compared) -> Vec<Told> {
    let mut told = Vec::new();
    for direction in [Direction::Backward, Direction::Forward] {
        let Ok(all) = of(direction, backward, forward) else { continue };
        let breaking = all.iter().filter(|one| one.breaks).count();
        let mut effort = Effort::default();
        let (mut seen, mut hints_left) = (HashSet::new(), MAX_HINTS.min(MAX_TRIED_BYTES / pair.new.text.len().max(1)));
        for difference in all {
            let message = engine::sentence_about(pair.new.schema_type, difference, direction, OLD);
            // The registry repeats itself.
            if !seen.insert((difference.rule, difference.path.clone(), message.clone())) {
                continue;
            }
            let tries = difference.breaks && hints_left > 0;
            hints_left -= usize::from(tries);
            let hint = if tries { pair.hint(direction, difference, breaking, &mut effort) } else { None };
            told.push(Told { direction, difference: difference.clone(), message, hint, place: None });
        }
    }
    pair.place(&mut told);
    told
}

impl Pair<'_> {
    fn hint(
        &self,
        direction: Direction,
        difference: &Difference,
        breaking: usize,
        effort: &mut Effort,
    ) -> Option<String> {
        let references = self.new.references();
        let (schema_type, text) = (self.new.schema_type, &*self.new.text);
        let candidate = Candidate { schema_type, text, references: &references };
        let violation = Violation { version: ONLY, direction, difference: difference.clone() };
        let Terms { profile, policy, .. } = self.terms;
        engine::verified_hint(&candidate, self.old_schema, &violation, breaking, profile, *policy, effort)
    }

    fn place(&self, told: &mut [Told]) {
        if self.old.schema_type != self.new.schema_type {
            return;
        }
        let differences: Vec<(Direction, &Difference)> =
            told.iter().map(|one| (one.direction, &one.difference)).collect();
        let places = locate_all(self.new.schema_type, &self.old.text, &self.new.text, &differences);
        for (one, place) in told.iter_mut().zip(places) {
            one.place = place;
        }
    }
}

/// Whether a registry would give the new schema another id: formatting changes nothing.
fn is_another(old: &Source, new: &Source) -> bool {
    let form = |source: &Source| Form::read(source.schema_type, &source.text).ok();
    let references = |source: &Source| -> Vec<(String, String)> {
        source.references().iter().map(|one| (one.name.to_owned(), one.text.to_owned())).collect()
    };
    let is_same = form(old).zip(form(new)).is_some_and(|(old, new)| old == new);
    !is_same || references(old) != references(new)
}

fn advise(old: &Parsed, new: &Parsed, terms: &Terms) -> Vec<Advice> {
    let Terms { level, profile, policy, is_key } = *terms;
    let change = Change { old, new, old_name: OLD, level, profile, policy, is_key };
    let mut given = advice::of_change(&change);
    given.extend(advice::standing(&change));
    given
}
