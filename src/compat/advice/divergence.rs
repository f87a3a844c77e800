//! What other registries would answer to the same change: A22.

use super::words::advice;
use super::{Advice, Change, Code};
use crate::compat::engine;
use crate::compat::levels::directions;
use crate::compat::{Difference, Profile};

/// The registries among these that would answer otherwise than the one at hand, where both answers can be told.
/// Only the pair is compared: a transitive level looks at more.
pub fn divergence(change: &Change<'_>, among: &[&Profile]) -> Vec<Advice> {
    let Some(ours) = answer(change, change.profile) else { return Vec::new() };
    let others = among.iter().filter(|profile| profile.name != change.profile.name);
    others.filter_map(|other| told(change, &ours, other)).collect()
}

/// The first difference that breaks the level; none where it passes. None at all where that cannot be told.
fn answer(change: &Change<'_>, profile: &Profile) -> Option<Option<Difference>> {
    for direction in directions(change.level) {
        let (reader, writer) = change.sides(*direction);
        let all = engine::differences(reader, writer, profile, change.policy).ok()?;
        if let Some(first) = all.into_iter().find(|one| one.breaks) {
            return Some(Some(first));
        }
    }
    Some(None)
}

fn told(change: &Change<'_>, ours: &Option<Difference>, other: &Profile) -> Option<Advice> {
    let theirs = answer(change, other)?;
    let (here, there, level) = (change.profile.name, other.name, change.level);
    let (difference, message) = match (ours, &theirs) {
        (Some(ours), None) => {
            (ours, format!("{here} refuses this change under {level} ({}), and {there} would take it", ours.rule))
        }
        (None, Some(theirs)) => {
            (theirs, format!("{here} takes this change under {level}, and {there} would refuse it ({})", theirs.rule))
        }
        _ => return None,
    };
    let remedy = format!("keep to what both take, if this schema is to go to {there} as well");
    Some(advice(Code::RegistriesDiffer, difference.path.clone(), message, remedy))
}
