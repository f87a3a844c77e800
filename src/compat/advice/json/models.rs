//! A14, and what the registry takes for a default: from what its checker itself names.

use crate::compat::Difference;
use crate::compat::advice::compared::{BOTH, Compared};
use crate::compat::advice::words::{advice, listed, named};
use crate::compat::advice::{Advice, Change, Code, Given};
use crate::compat::levels::{Direction, directions};

/// What the differences bring up.
pub(super) fn of_differences(change: &Change<'_>, compared: &Compared) -> Vec<Advice> {
    let mut given = Given::of(open_model(change, compared));
    for direction in BOTH.into_iter().filter(|direction| change.promises(*direction)) {
        let by_default = compared.differences(direction).iter().filter(|one| is_taken_for_its_default(one.rule));
        for one in by_default {
            if given.is_full() {
                break;
            }
            given.push(required_with_default(change, direction, one));
        }
    }
    given.into_vec()
}

/// A14: once for all properties.
fn open_model(change: &Change<'_>, compared: &Compared) -> Option<Advice> {
    if !directions(change.level).contains(&Direction::Backward) {
        return None;
    }
    let is_refused = |one: &&Difference| one.breaks && is_added_to_open(one.rule);
    let refused: Vec<&Difference> = compared.differences(Direction::Backward).iter().filter(is_refused).collect();
    let subjects: Vec<&str> = refused.iter().map(|one| &*one.facts.subject).collect();
    let first = refused.first()?;
    let (are, old, level) = (if subjects.len() == 1 { "is" } else { "are" }, change.old_name, change.level);
    let message = format!(
        "{} {are} new, and {old} leaves undeclared properties free (an open content model): its data may hold anything \
         there, so {level} refuses every such addition",
        listed(&subjects)
    );
    let has_lenient = change.profile.json.is_some_and(|rules| rules.has_lenient);
    let lenient = if has_lenient { " or set the policy LENIENT," } else { "" };
    let remedy = format!(
        "close the model from the start (additionalProperties: false),{lenient} or keep such properties under \
         patternProperties with a prefix, or let producers validate with a closed schema and consumers with an open one"
    );
    Some(advice(Code::OpenModel, first.path.clone(), message, remedy))
}

fn is_added_to_open(rule: &str) -> bool {
    matches!(
        rule,
        "OPTIONAL_PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL"
            | "REQUIRED_PROPERTY_WITH_DEFAULT_ADDED_TO_OPEN_CONTENT_MODEL"
            | "PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL"
    )
}

fn is_taken_for_its_default(rule: &str) -> bool {
    matches!(
        rule,
        "REQUIRED_ATTRIBUTE_WITH_DEFAULT_ADDED" | "REQUIRED_PROPERTY_WITH_DEFAULT_ADDED_TO_UNOPEN_CONTENT_MODEL"
    )
}

/// A15: data that lacks the property is refused all the same.
fn required_with_default(change: &Change<'_>, direction: Direction, one: &Difference) -> Advice {
    let (subject, old) = (named(&one.facts.subject), change.old_name);
    let who = match direction {
        Direction::Backward => format!("readers of this schema refuse data of {old} that lacks it"),
        Direction::Forward => format!("readers with {old} refuse new data that lacks it"),
    };
    let message = format!(
        "{subject} is required and has a default, which the registry takes for an answer, but validators fill no default \
         in: {who}"
    );
    let remedy = match direction {
        Direction::Backward => "leave it optional, and let readers take the default".to_owned(),
        Direction::Forward => format!("go on writing it until readers with {old} are gone"),
    };
    advice(Code::RequiredWithDefault, one.path.clone(), message, remedy)
}
