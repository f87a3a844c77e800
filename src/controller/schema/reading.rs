//! Reads one subject, and what that says of the spec and of what was last applied. Reads only.

use super::forms::form_in;
use super::memory::SchemaMemory;
use super::observe::Target;
use super::observed::{Applied, Latest, Observed, Reading, Sameness};
use crate::api::{Adoption, Mode};
use crate::compat::content::{Changes, Content};
use crate::controller::profile::choose;
use crate::controller::trouble::Trouble;
use crate::registry::{LevelInForce, Lookup, RegistryError, Stored};
use crate::schema::{Fingerprint, Form, Version};

/// Reads the subject.
pub async fn reading(seen: &mut Observed, target: &Target, memory: &mut SchemaMemory) -> Result<Reading, Trouble> {
    let Target { session, subject, .. } = target;
    let connection = &session.connection;
    let stored = connection.track(connection.client.latest(subject).await)?;
    let form = match &stored {
        Some(stored) => form_in(target, stored).await,
        None => None,
    };
    if let Some(stored) = &stored
        && memory.has_earlier_write(seen)
    {
        memory.take_in_earlier_write(seen, stored, form.as_ref());
    }
    recompute_applied(seen, target).await?;
    let (mut latest, mut spec_at) = (None, None);
    if let Some(stored) = &stored {
        let is_spec = stored.references.is_empty() && form.as_ref() == Some(&*target.form);
        let kept = form.as_ref().filter(|_| !is_spec).map(Form::fingerprint);
        let found =
            if is_spec { (Sameness::Same, None) } else { sameness(seen, target, stored, kept.as_ref()).await? };
        spec_at = found.1;
        latest = Some(Latest {
            version: stored.version,
            id: stored.id,
            schema_type: stored.schema_type,
            sameness: found.0,
            stored: kept,
        });
    }
    let is_spec = latest.as_ref().is_some_and(|latest| latest.sameness != Sameness::Other);
    match stored.as_ref().filter(|_| !is_spec) {
        Some(latest) => memory.texts.keep(latest),
        None => {
            memory.texts.forget();
            memory.judged = None;
        }
    }
    let applied_is_there = is_spec || applied_is_there(seen, target, stored.as_ref(), spec_at).await?;
    // What was read before a write of this look holds for it: level and mode are not read twice.
    let known = seen.reading().map(|before| (before.level, before.mode));
    let (level, mode) = match known {
        Some(known) => known,
        None => (level(target).await?, mode(target, latest.as_ref()).await?),
    };
    let capabilities = connection.client.capabilities();
    let lags = spec_at > latest.as_ref().map(|latest| latest.version);
    let management = connection.management;
    let facts = &session.facts;
    let engine_binds = choose(facts.implementation, facts.version.as_deref()).binds(connection.verdict);
    let differs = stored.as_ref().filter(|_| !is_spec && spec_at.is_none() && seen.spec.adoption == Adoption::IfLatest);
    let (from_latest, lost) = match differs {
        Some(stored) => differences(seen, target, stored).await?,
        None => (None, None),
    };
    Ok(Reading {
        management,
        latest,
        spec_at,
        lags,
        applied_is_there,
        level,
        mode,
        can_make_latest: capabilities.make_latest,
        one_type_a_subject: capabilities.one_type_a_subject,
        engine_binds,
        from_latest,
        lost,
    })
}

/// What a person has to see before a version that this resource did not make is overwritten: how the spec differs from
/// it, and where it came after one of this resource, what of it would be lost.
async fn differences(
    seen: &Observed,
    target: &Target,
    latest: &Stored,
) -> Result<(Option<Changes>, Option<Changes>), Trouble> {
    let is_foreign = |applied: &Applied| latest.version > applied.version && seen.is_pending();
    let base = match &seen.last_applied {
        Some(applied) if is_foreign(applied) => {
            let connection = &target.session.connection;
            let stored = connection.track(connection.client.version(&target.subject, applied.version).await)?;
            let Some(stored) = stored else { return Ok((None, None)) };
            form_in(target, &stored).await
        }
        Some(_) => return Ok((None, None)),
        None => None,
    };
    let Some(theirs) = form_in(target, latest).await else { return Ok((None, None)) };
    let ours = target.form.clone();
    let told = target.session.blocking(move || {
        let (theirs, ours) = (Content::of(&theirs)?, Content::of(&ours)?);
        let base = base.as_ref().and_then(Content::of);
        let lost = base.and_then(|base| theirs.changes_that_are_not_in(&base, &ours));
        Some((theirs.changes_to(&ours), lost))
    });
    Ok(told.await.flatten().map_or((None, None), |(from_latest, lost)| (Some(from_latest), lost)))
}

async fn level(target: &Target) -> Result<LevelInForce, Trouble> {
    let connection = &target.session.connection;
    connection.track(connection.client.level(&target.subject, &target.session.facts.global).await)
}

/// The mode matters only where something may be written.
async fn mode(target: &Target, latest: Option<&Latest>) -> Result<Mode, Trouble> {
    if latest.is_some_and(|latest| latest.sameness != Sameness::Other) {
        return Ok(Mode::Readwrite);
    }
    let connection = &target.session.connection;
    connection.track(connection.client.mode(&target.subject).await)
}

/// Whether the registry takes the latest version, which has another form, for the spec; if not, which version is.
async fn sameness(
    seen: &Observed,
    target: &Target,
    latest: &Stored,
    kept: Option<&Fingerprint>,
) -> Result<(Sameness, Option<Version>), Trouble> {
    if was_taken_for(seen, latest, kept) {
        return Ok((Sameness::SameToRegistry, None));
    }
    let normalize = target.candidate.normalize.unwrap_or(false);
    // A registry that stored one form can miss a lookup of the other.
    for normalize in [normalize, !normalize] {
        let connection = &target.session.connection;
        let lookup = connection.client.lookup(&target.subject, &target.candidate, normalize).await;
        // What trips over this schema alone is asked to take it: that is counted, and ends with a person.
        if let Err(RegistryError::CandidateFailed { .. }) = lookup {
            break;
        }
        match connection.track(lookup)? {
            // What the registry serves as another format is not the spec to any reader, whatever was sent.
            Lookup::Found(version) if version == latest.version => {
                let is_same = latest.schema_type == target.candidate.schema_type;
                return Ok((if is_same { Sameness::SameToRegistry } else { Sameness::Other }, None));
            }
            Lookup::Found(version) => return Ok((Sameness::Other, Some(version))),
            Lookup::Absent => {}
            Lookup::Invalid(_) => break,
        }
    }
    Ok((Sameness::Other, None))
}

/// Whether the registry took this very version, with this very text, for the spec before: some say so only when the spec
/// is registered. An id alone says little: in a registry that was wiped they start anew.
fn was_taken_for(seen: &Observed, latest: &Stored, kept: Option<&Fingerprint>) -> bool {
    let applied = seen.last_applied.as_ref().filter(|_| !seen.is_pending());
    applied.is_some_and(|applied| {
        (applied.version, applied.id) == (latest.version, latest.id)
            && kept.is_some()
            && applied.stored.as_ref() == kept
    })
}

/// Whether the version last applied is still there, with what was applied, where the latest version is not the spec.
async fn applied_is_there(
    seen: &Observed,
    target: &Target,
    latest: Option<&Stored>,
    spec_at: Option<Version>,
) -> Result<bool, Trouble> {
    let Some(applied) = &seen.last_applied else { return Ok(true) };
    let Some(latest) = latest else { return Ok(false) };
    if latest.version <= applied.version {
        // Where the spec is what was applied, it is known by now that this version is not.
        return Ok(latest.version == applied.version && seen.is_pending() && is_applied(applied, target, latest).await);
    }
    if spec_at == Some(applied.version) && !seen.is_pending() {
        return Ok(true);
    }
    let connection = &target.session.connection;
    let stored = connection.track(connection.client.version(&target.subject, applied.version).await)?;
    match stored {
        Some(stored) => Ok(is_applied(applied, target, &stored).await),
        None => Ok(false),
    }
}

/// Whether a version is what was applied, by its text. The id says so only where the text cannot be read.
async fn is_applied(applied: &Applied, target: &Target, stored: &Stored) -> bool {
    match form_in(target, stored).await.map(|form| form.fingerprint()) {
        Some(kept) => kept == applied.fingerprint || applied.stored.as_ref() == Some(&kept),
        None => stored.id == applied.id,
    }
}

/// A fingerprint by another algorithm is computed anew from the version that it stands for.
async fn recompute_applied(seen: &mut Observed, target: &Target) -> Result<(), Trouble> {
    let Some(applied) = &mut seen.last_applied else { return Ok(()) };
    if applied.fingerprint.is_of_present_algorithm() {
        return Ok(());
    }
    let connection = &target.session.connection;
    let stored = connection.track(connection.client.version(&target.subject, applied.version).await)?;
    let Some(stored) = stored.filter(|stored| stored.id == applied.id) else { return Ok(()) };
    if let Some(form) = form_in(target, &stored).await {
        applied.fingerprint = form.fingerprint();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::SchemaType;
    use crate::schema::SchemaId;

    #[test]
    fn what_the_registry_took_for_the_spec_stays_taken_while_its_text_does() {
        let fingerprint = |text: &str| Form::read(SchemaType::Avro, text).unwrap().fingerprint();
        let (int, long, string) = (fingerprint("\"int\""), fingerprint("\"long\""), fingerprint("\"string\""));
        let stored = |version: i64, id: i64| Stored {
            subject: "orders-value".into(),
            version: Version::new(version).unwrap(),
            id: SchemaId(id),
            schema_type: SchemaType::Avro,
            text: "\"long\"".into(),
            references: Vec::new(),
            properties: Default::default(),
        };
        // The spec is int, and the registry keeps long for it.
        let is_taken =
            |spec: &Fingerprint, applied: Option<&Fingerprint>, latest: Stored, kept: Option<&Fingerprint>| {
                let applied = Applied {
                    fingerprint: int.clone(),
                    version: Version::new(2).unwrap(),
                    id: SchemaId(7),
                    stored: applied.cloned(),
                };
                let seen = super::super::memory::tests::seen_with(spec.clone(), Some(applied));
                was_taken_for(&seen, &latest, kept)
            };
        assert!(is_taken(&int, Some(&long), stored(2, 7), Some(&long)));
        assert!(!is_taken(&int, None, stored(2, 7), Some(&long)), "it was never taken for it");
        assert!(!is_taken(&string, Some(&long), stored(2, 7), Some(&long)), "another spec");
        assert!(!is_taken(&int, Some(&long), stored(3, 7), Some(&long)), "another version");
        assert!(!is_taken(&int, Some(&long), stored(2, 8), Some(&long)), "another id");
        assert!(!is_taken(&int, Some(&long), stored(2, 7), Some(&string)), "another text, as after a wipe");
        assert!(!is_taken(&int, Some(&long), stored(2, 7), None), "a text that cannot be read");
    }
}
