//! Holds the versions that a subject has to the level that it was given: what breaks it already, and whether anything
//! could still pass. The level is in force all the same. Reads only.

use super::plan::{Observed, Plan};
use crate::api::{AdviceStatus, HistoryStatus, HistoryViolation, Level, SubjectConfigStatus};
use crate::compat::engine;
use crate::compat::history::judge_history;
use crate::compat::levels::{Verdict, Violation};
use crate::compat::{Profile, advice};
use crate::controller::conditions::one_line;
use crate::controller::history::{self, History, Texts};
use crate::controller::look::Session;
use crate::controller::profile::choose;
use crate::controller::words::{advice_status, versions};
use crate::schema::Version;

/// How many violations and pieces of advice are listed.
const MAX_LISTED: usize = 10;

/// What the versions say to the level; as told before where that was about this level and spec. Where it cannot be read,
/// the next look tries again.
pub async fn look_back(
    seen: &Observed,
    plan: &Plan,
    before: &SubjectConfigStatus,
    session: &Session,
) -> Option<HistoryStatus> {
    let level = seen.wanted.filter(|_| *plan == Plan::InSync)?;
    let subject = seen.subject.as_ref().ok()?;
    let live = session.connection.track(session.connection.client.versions(subject).await).ok()?;
    if live.is_empty() {
        return None;
    }
    let is_told =
        |told: &HistoryStatus| told.level == level && told.compared_versions.as_ref() == Some(&versions(&live));
    if let Some(told) = before.history.as_ref().filter(|told| is_told(told))
        && before.observed_generation == Some(seen.generation)
    {
        return Some(told.clone());
    }
    let history = history::read_listed(session, subject, &live, &mut Texts::default()).await.ok()?;
    let facts = &session.facts;
    let profile = choose(facts.implementation, facts.version.as_deref()).profile;
    session.blocking(move || judge(&history, level, profile)).await
}

fn judge(history: &History, level: Level, profile: &Profile) -> HistoryStatus {
    let (numbers, past) = (history.numbers(), history.parse_all(profile));
    let broken = judge_history(&past, level, profile, history.policy);
    let mut given = advice::of_history(level, &past, profile, history.policy);
    given.extend(advice::frozen(level, &past, profile, history.policy));
    let types = |version: Version| history.schema_type(version).unwrap_or_default();
    let violations = broken.iter().filter_map(|(version, verdict)| match verdict {
        Verdict::Incompatible(all) => Some(all.iter().map(|one| violation(*version, one, types(*version)))),
        _ => None,
    });
    HistoryStatus {
        summary: one_line(&summary(level, &numbers, &broken), 700),
        level,
        compared_versions: Some(versions(&numbers)).filter(|all| !all.is_empty()),
        advice: given.iter().take(MAX_LISTED).map(advice_status).collect::<Vec<AdviceStatus>>(),
        violations: violations.flatten().take(MAX_LISTED).collect(),
    }
}

fn violation(version: Version, violation: &Violation, schema_type: crate::api::SchemaType) -> HistoryViolation {
    let Violation { version: against, direction, difference } = violation;
    HistoryViolation {
        against: against.number(),
        message: one_line(&engine::sentence(schema_type, difference, *direction, *against), 300),
        path: Some(one_line(&difference.path, 200)).filter(|path| !path.is_empty()),
        rule: difference.rule.to_owned(),
        version: version.number(),
    }
}

fn summary(level: Level, all: &[Version], broken: &[(Version, Verdict)]) -> String {
    let refused: Vec<Version> = broken
        .iter()
        .filter(|(_, verdict)| matches!(verdict, Verdict::Incompatible(_)))
        .map(|(version, _)| *version)
        .collect();
    let unknown = broken.len() - refused.len();
    let unread = if unknown == 0 { String::new() } else { format!("; of {unknown} it cannot be told here") };
    match (all.len(), refused.len()) {
        (0, _) => "the subject has no versions yet".to_owned(),
        (1, _) => "the subject has one version, which comes after none".to_owned(),
        (many, 0) if unknown == 0 => format!("all {many} versions would pass {level}, each after those before it"),
        (many, 0) => format!("none of {many} versions is known to break {level}{unread}"),
        (many, some) => format!(
            "{some} of {many} versions would not pass {level} if it came now: {}{unread}; the level holds for the next version",
            versions(&refused)
        ),
    }
}
