//! What a person reads about one `Schema`: one line each, naming the thing, what is the case, and what to do. Pure.

use super::decision::{Blocked, Change, InSync, Plan, Refused, RevertHindrance, Step, Wait};
use super::observed::{EngineAnswer, Explained, Latest, Observed};
use crate::compat::content::listed;
use crate::controller::conditions::one_line;
pub use crate::controller::words::versions;
use crate::registry::Refusal;
use crate::schema::Version;

/// The line for Ready.
pub fn message(seen: &Observed, plan: &Plan) -> String {
    match plan {
        Plan::Paused | Plan::Keep => {
            let by = seen.paused_by.as_deref().unwrap_or("this resource");
            format!(
                "paused: nothing is looked at or written until the annotation schemaregistrar.dev/paused is removed from {by}"
            )
        }
        Plan::InSync(why) => in_sync(seen, *why),
        Plan::Act(step) => format!("{} is under way", doing(seen, *step)),
        Plan::Planned(step) => format!("management is Observe, nothing was written: {}", planned(seen, *step)),
        Plan::Wait(wait) => waiting(seen, wait),
        Plan::Refused(refused) => self::refused(seen, refused),
        Plan::Blocked(blocked) => self::blocked(seen, blocked),
    }
}

/// The line for Compatible: only the verdict, the rest stands in Ready.
pub fn compatible(seen: &Observed, plan: &Plan) -> String {
    let level = level(seen);
    match plan {
        Plan::InSync(InSync::Superseded) => "this schema was accepted, and a newer version after it".to_owned(),
        Plan::InSync(_) => "the registry holds this schema as the latest version".to_owned(),
        Plan::Refused(Refused::Incompatible { compared, .. }) => format!("breaks {level}{}", against(compared)),
        Plan::Refused(Refused::ByEngine) => format!("breaks {level} by the operator's own check"),
        Plan::Planned(_) if seen.has_planned_level() => {
            format!("nothing is known to break {level}, which the SubjectConfig would set first; nothing was written")
        }
        Plan::Planned(_) => "nothing breaks the level in force; nothing was written".to_owned(),
        _ => "not judged, see Ready".to_owned(),
    }
}

/// What was done, for an event.
pub fn done(seen: &Observed, change: Change) -> String {
    let (subject, latest) = (subject(seen), latest(seen));
    match change {
        Change::First | Change::Next => format!("registered {latest} of subject {subject}"),
        Change::Rollback(version) => {
            format!("made version {version} of subject {subject} the latest again, as {latest}")
        }
        Change::Revert(version) => {
            format!(
                "put someone else's version of subject {subject} aside: version {version} is the latest again, as {latest}"
            )
        }
    }
}

fn in_sync(seen: &Observed, why: InSync) -> String {
    let (subject, latest) = (subject(seen), latest(seen));
    match (why, seen.last_applied.as_ref()) {
        (InSync::Superseded, Some(applied)) => format!(
            "{latest} of subject {subject} was registered by someone else and is accepted (driftPolicy Ignore); this schema is version {}",
            applied.version
        ),
        _ => format!("{latest} of subject {subject} is this schema"),
    }
}

fn waiting(seen: &Observed, wait: &Wait) -> String {
    let subject = subject(seen);
    match wait {
        Wait::RegistryNotFound => format!("waiting for SchemaRegistry {}, which is not there", seen.registry_name),
        Wait::RegistryAway(trouble) => format!("{}; nothing was written, retrying", trouble.message),
        Wait::Readback if seen.missing.is_some() => {
            format!("the registry does not show the version of subject {subject} that was last applied; looking again")
        }
        Wait::Readback if seen.unread_write.is_none() => format!(
            "registry {} knows this schema as a newer version of subject {subject} than the one it calls the latest; looking again",
            seen.registry_name
        ),
        Wait::Readback => {
            format!("a version of subject {subject} was sent, and the registry does not show it yet; looking again")
        }
        Wait::Config => {
            format!("waiting for the SubjectConfig of subject {subject} to settle, so that its level counts")
        }
        Wait::Grace { .. } => format!("the registry refuses this schema for subject {subject}; looking once more"),
        Wait::RegistryFailed { message } => {
            format!("registry {} failed over this schema ({message}); trying again", seen.registry_name)
        }
    }
}

fn refused(seen: &Observed, refused: &Refused) -> String {
    match refused {
        Refused::Incompatible { refusal, compared } => format!("refused: {}", incompatible(seen, refusal, compared)),
        Refused::ByEngine if seen.has_planned_level() => format!(
            "would be refused: {}; the SubjectConfig would set {} first (management is Observe, nothing was written)",
            by_engine(seen),
            level(seen)
        ),
        Refused::ByEngine => format!(
            "refused, though registry {} would take it: {}; set verdict to Registry on SchemaRegistry {} to let the registry decide alone",
            seen.registry_name,
            by_engine(seen),
            seen.registry_name
        ),
        Refused::Subject(why) | Refused::Text(why) => why.clone(),
        Refused::Invalid(message) => {
            format!("registry {} cannot read this {} schema: {message}", seen.registry_name, seen.spec.schema_type)
        }
        Refused::NotTaken(message) => format!("registry {} does not take this schema: {message}", seen.registry_name),
    }
}

/// The verdict in one line: how many violations of which level, against what, and the first of them.
pub fn incompatible(seen: &Observed, refusal: &Refusal, compared: &[Version]) -> String {
    let level = level(seen);
    let against = against(compared);
    let line = match explained(seen, refusal).as_slice() {
        [] => format!("breaks {level}{against}: {}", refusal.message),
        all => format!("{} of {level}{against}{}", counted(all), first_told(all)),
    };
    one_line(&line, 700)
}

/// The reasons: our own check's where it finds the same, else the registry's.
pub fn explained(seen: &Observed, refusal: &Refusal) -> Vec<Explained> {
    let ours = by_engine_violations(seen);
    if !ours.is_empty() {
        return ours;
    }
    let theirs = refusal.violations.iter();
    theirs
        .map(|violation| Explained {
            rule: violation.rule.clone(),
            path: violation.path.clone(),
            version: violation.version,
            message: violation.message.clone(),
            hint: None,
        })
        .collect()
}

/// What our own check finds to break the level in force.
pub fn by_engine_violations(seen: &Observed) -> Vec<Explained> {
    seen.judged.as_ref().map(|judged| judged.violations.clone()).unwrap_or_default()
}

/// The versions that our own check compared with under the level in force.
pub fn compared(seen: &Observed) -> &[Version] {
    seen.judged.as_ref().map(|judged| judged.compared.as_slice()).unwrap_or_default()
}

/// What our own check says, in one line.
pub fn by_engine(seen: &Observed) -> String {
    let all = by_engine_violations(seen);
    let against = against(compared(seen));
    one_line(&format!("{} of {}{against}{}", counted(&all), level(seen), first_told(&all)), 700)
}

/// Advice: the registry took what our own check finds to break the level.
pub fn only_registry_takes(seen: &Observed) -> String {
    format!(
        "registry {0} took this schema, but the operator's own check finds {1}; set verdict to Both on SchemaRegistry {0} to have such changes refused",
        seen.registry_name,
        by_engine(seen)
    )
}

/// Advice: the registry refuses what our own check finds nothing wrong with.
pub fn only_registry_refuses(seen: &Observed) -> String {
    format!(
        "the operator's own check finds nothing that breaks {}{}: this is what registry {} says alone",
        level(seen),
        against(compared(seen)),
        seen.registry_name
    )
}

fn level(seen: &Observed) -> String {
    seen.reading().map(|reading| reading.level.level.to_string()).unwrap_or_default()
}

fn counted(all: &[Explained]) -> String {
    match all.len() {
        1 => "1 violation".to_owned(),
        many => format!("{many} violations"),
    }
}

/// The first reason, and what would mend it.
fn first_told(all: &[Explained]) -> String {
    let Some(first) = all.first() else { return String::new() };
    let hint = first.hint.as_ref().map(|hint| format!("; {hint}")).unwrap_or_default();
    let which = if all.len() > 1 { ", first" } else { "" };
    format!("{which}: {}{hint}", first.message)
}

fn against(compared: &[Version]) -> String {
    match compared {
        [] => String::new(),
        [one] => format!(" against version {one}"),
        many => format!(" against versions {}", versions(many)),
    }
}

fn blocked(seen: &Observed, blocked: &Blocked) -> String {
    let subject = subject(seen);
    match blocked {
        Blocked::Conflict { owner } => {
            format!(
                "subject {subject} is owned by {owner}, which is older; delete one of the two, or name another subject"
            )
        }
        Blocked::RegistryNotFound => format!(
            "there is no SchemaRegistry {} in this namespace; create it, or create this resource anew with the right registryRef",
            seen.registry_name
        ),
        Blocked::RegistryTrouble(trouble) => trouble.message.clone(),
        Blocked::VersionMissing { applied } => format!(
            "version {applied} of subject {subject}, which held this resource's schema, is gone from registry {}; nothing is written until a person has looked: recreate this resource{} to register the schema anew",
            seen.registry_name,
            if has_versions(seen) { " with adoption Update" } else { "" }
        ),
        Blocked::Drifted { latest, revert } => drifted(seen, *latest, *revert),
        Blocked::NotLatest { spec_at, latest, can_make_latest } => {
            not_latest(seen, *spec_at, *latest, *can_make_latest)
        }
        Blocked::NotAdopted { latest } => format!(
            "subject {subject} already has version {latest}, and this schema is not among its versions{}; put version {latest} in spec.schema to take it over, or set adoption to Update to make this schema the next version",
            from_latest(seen)
        ),
        Blocked::OverwritesForeign { latest } => format!(
            "version {latest} of subject {subject} was registered by someone else{}; take its changes into spec.schema, or set adoption to Update to register this schema over it",
            lost(seen)
        ),
        Blocked::ReadOnly(why) => format!(
            "registry {} takes no writes for subject {subject} ({}); the change is registered once the mode is READWRITE",
            seen.registry_name,
            one_line(why, 300)
        ),
        Blocked::RegistryFails { message } => format!(
            "registry {} keeps failing over this schema ({message}); change the schema, or see the registry's log",
            seen.registry_name
        ),
    }
}

/// How the spec differs from the latest version.
fn from_latest(seen: &Observed) -> String {
    let Some(changes) = seen.reading().and_then(|reading| reading.from_latest.as_ref()) else { return String::new() };
    let part = |verb: &str, parts: &[String]| (!parts.is_empty()).then(|| format!("{verb} {}", listed(parts)));
    let parts = [
        part("adds", &changes.added),
        part("does not have", &changes.removed),
        part("says something else of", &changes.changed),
    ];
    let told: Vec<String> = parts.into_iter().flatten().collect();
    if told.is_empty() { String::new() } else { format!(" (it {})", told.join("; ")) }
}

/// What of someone else's version the spec does not have.
fn lost(seen: &Observed) -> String {
    let Some(changes) = seen.reading().and_then(|reading| reading.lost.as_ref()) else { return String::new() };
    let part = |words: &str, parts: &[String]| (!parts.is_empty()).then(|| format!("{words} {}", listed(parts)));
    let parts = [
        part("would drop", &changes.added),
        part("would bring back", &changes.removed),
        part("would undo its change of", &changes.changed),
    ];
    let told: Vec<String> = parts.into_iter().flatten().collect();
    if told.is_empty() { String::new() } else { format!(", and this schema {}", told.join(" and ")) }
}

fn drifted(seen: &Observed, latest: Version, revert: RevertHindrance) -> String {
    let subject = subject(seen);
    let ours =
        seen.last_applied.as_ref().map(|applied| format!(" over version {}", applied.version)).unwrap_or_default();
    let what = format!("someone else registered version {latest} of subject {subject}{ours}");
    match revert {
        RevertHindrance::NotAsked => {
            let can_revert = seen.reading().is_some_and(|reading| reading.can_make_latest);
            let aside = if can_revert { "Revert to put it aside or " } else { "" };
            format!("{what}; put it in spec.schema to take it over, or set driftPolicy to {aside}Ignore to accept it")
        }
        RevertHindrance::CannotMakeLatest => format!(
            "{what}, and registry {} cannot make an older version the latest again; put version {latest} in spec.schema to take it over",
            seen.registry_name
        ),
        RevertHindrance::TooOften => format!(
            "{what}, again, after it was put aside 3 times within an hour; find out who registers it, or set driftPolicy to Ignore to accept it"
        ),
    }
}

fn not_latest(seen: &Observed, spec_at: Version, latest: Version, can_make_latest: bool) -> String {
    let subject = subject(seen);
    let what = format!("this schema is version {spec_at} of subject {subject}, and version {latest} is the latest");
    if seen.last_applied.is_none() {
        format!("{what}; a new resource never moves a subject back: put version {latest} in spec.schema")
    } else if can_make_latest {
        format!(
            "{what}; someone else registered both after what this resource had, and an older version is not put over a newer one: put version {latest} in spec.schema"
        )
    } else {
        format!(
            "{what}; registry {} cannot make an older version the latest again: put version {latest} in spec.schema, or a schema that differs from version {spec_at}",
            seen.registry_name
        )
    }
}

/// What would be done, for status.plan.
pub fn planned(seen: &Observed, step: Step) -> String {
    let subject = subject(seen);
    let (Step::Judge(change) | Step::Check(change) | Step::Register(change)) = step;
    match change {
        Change::First => format!("would register the first version of subject {subject}"),
        Change::Next if seen.has_planned_level() => format!(
            "would register the version after {} of subject {subject}, once the SubjectConfig has set {}{}",
            latest_number(seen),
            level(seen),
            if is_known_to_pass(seen) { "" } else { ", if the registry then takes it" }
        ),
        Change::Next => format!("would register the version after {} of subject {subject}", latest_number(seen)),
        Change::Rollback(version) => format!("would make version {version} of subject {subject} the latest again"),
        Change::Revert(version) => {
            format!(
                "would put version {} aside and make version {version} of subject {subject} the latest again",
                latest_number(seen)
            )
        }
    }
}

fn doing(seen: &Observed, step: Step) -> String {
    let subject = subject(seen);
    match step {
        Step::Judge(_) | Step::Check(_) => format!("checking the change of subject {subject}"),
        Step::Register(_) => format!("registering the change of subject {subject}"),
    }
}

/// Advice: the registry sees no change where the text changed.
pub fn registry_ignored_change(seen: &Observed) -> Option<String> {
    let latest = seen.reading()?.latest.as_ref()?;
    Some(format!(
        "registry {} takes version {} for this schema though it holds another text: differences that it ignores, such as in doc, aliases or spelling, are not stored",
        seen.registry_name, latest.version
    ))
}

fn is_known_to_pass(seen: &Observed) -> bool {
    seen.judged.as_ref().is_some_and(|judged| judged.answer == EngineAnswer::Compatible)
}

fn has_versions(seen: &Observed) -> bool {
    seen.reading().is_some_and(|reading| reading.latest.is_some())
}

fn subject(seen: &Observed) -> String {
    seen.spec.subject.as_ref().map(|subject| subject.shown().into_owned()).unwrap_or_default()
}

fn latest(seen: &Observed) -> String {
    let latest = seen.reading().and_then(|reading| reading.latest.as_ref());
    latest.map(|Latest { version, id, .. }| format!("version {version} (id {id})")).unwrap_or_default()
}

fn latest_number(seen: &Observed) -> String {
    let latest = seen.reading().and_then(|reading| reading.latest.as_ref());
    latest.map(|latest| latest.version.to_string()).unwrap_or_default()
}
