//! What this process remembers of one Schema between two looks, and what a reading says about it. Nothing here is needed
//! after a restart.

use std::sync::Arc;
use std::time::Duration;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use tokio::time::Instant;

use super::decision::Change;
use super::judge::Question;
use super::observed::{Applied, Judged, Observed, Reading, Sameness};
use super::plan::READBACK_PATIENCE;
use crate::api::{Level, SchemaStatus};
use crate::controller::history::Texts;
use crate::controller::status_write::Written;
use crate::registry::{Placement, Stored};
use crate::schema::{Fingerprint, Form, SchemaId, TextError};

/// The form of a spec and its fingerprint, or why its text cannot be read.
pub type ReadForm = Result<(Arc<Form>, Fingerprint), TextError>;

/// What this process remembers of one Schema.
#[derive(Debug, Default)]
pub struct SchemaMemory {
    /// The status as last written by this process.
    pub written: Option<Written<SchemaStatus>>,
    /// The form of the spec at a generation.
    pub form: Option<(i64, ReadForm)>,
    /// A write whose effect was not read yet.
    pub unread_write: Option<UnreadWrite>,
    /// What a write of the present spec brought about, when it first shows.
    pub shown: Option<Change>,
    /// Since when the version last applied does not show.
    missing_since: Option<Instant>,
    /// What this process brought about and no status tells yet.
    pub unreported: Option<Applied>,
    /// The id that the registry answered for a candidate: it takes the schema of that id for this one.
    pub taken_as: Option<(Fingerprint, SchemaId)>,
    /// The level last seen, and since when, if it changed.
    level: Option<(Level, Option<Instant>)>,
    /// What the spec is compared with, while it is not the latest version.
    pub texts: Texts,
    /// What our own check was last asked about a candidate, and answered.
    pub judged: Option<(Question, Judged)>,
    /// How often in a row the registry failed over a candidate.
    pub failures: Option<(Fingerprint, u32)>,
    /// Reverts that a status may not tell yet.
    pub reverts: Vec<Time>,
}

/// A write whose effect was not read yet.
#[derive(Debug)]
pub struct UnreadWrite {
    /// What was sent; the spec may be another one by now.
    pub fingerprint: Fingerprint,
    /// The id that the registry gave it, where it answered.
    pub id: Option<SchemaId>,
    /// What it is to bring about.
    pub change: Change,
    /// Since when readings do not show it.
    pub absent_since: Option<Instant>,
}

impl SchemaMemory {
    /// How often in a row the registry failed over a candidate.
    pub fn failures_of(&self, candidate: &Fingerprint) -> u32 {
        self.failures.as_ref().filter(|(known, _)| known == candidate).map_or(0, |(_, times)| *times)
    }

    /// A registry can take the latest version for the spec and say so only when the spec is registered. That counts for
    /// the reading that first shows it; from then on the text that it keeps is known.
    pub fn as_taken(&mut self, seen: &Observed, mut reading: Reading) -> Reading {
        let is_taken = |(candidate, id): &mut (Fingerprint, SchemaId)| match &reading.latest {
            Some(latest) => seen.spec.fingerprint.as_ref() == Ok(candidate) && latest.id == *id,
            None => false,
        };
        if self.taken_as.take_if(is_taken).is_some()
            && let Some(latest) = reading
                .latest
                .as_mut()
                .filter(|latest| latest.sameness == Sameness::Other && latest.schema_type == seen.spec.schema_type)
        {
            latest.sameness = Sameness::SameToRegistry;
        }
        reading
    }

    /// Whether a write that was not read yet was of another spec than the present one.
    pub fn has_earlier_write(&self, seen: &Observed) -> bool {
        self.unread_write.as_ref().is_some_and(|write| seen.spec.fingerprint.as_ref() != Ok(&write.fingerprint))
    }

    /// The write of an earlier spec shows: that version is ours, and the present spec is judged as a change of it.
    pub fn take_in_earlier_write(&mut self, seen: &mut Observed, latest: &Stored, form: Option<&Form>) {
        let shows = |write: &mut UnreadWrite| {
            write.id == Some(latest.id) || form.is_some_and(|form| form.fingerprint() == write.fingerprint)
        };
        if let Some(write) = self.unread_write.take_if(shows) {
            let stored = form.map(Form::fingerprint).filter(|stored| *stored != write.fingerprint);
            let applied = Applied { fingerprint: write.fingerprint, version: latest.version, id: latest.id, stored };
            self.unreported = Some(applied.clone());
            seen.last_applied = Some(applied);
        }
    }

    /// How long a write has not shown in readings; none if it shows, or if there is none.
    pub fn unread_for(&mut self, seen: &Observed, reading: &Reading, now: Instant) -> Option<Duration> {
        let is_earlier = self.has_earlier_write(seen);
        let write = self.unread_write.as_mut()?;
        let is_latest = reading.latest.as_ref().is_some_and(|latest| latest.sameness != Sameness::Other);
        let shows =
            is_latest || (write.change.placement() == Placement::Append && reading.spec_at.is_some() && !reading.lags);
        let absent = now.duration_since(*write.absent_since.get_or_insert(now));
        // One of an earlier spec shows otherwise, and after this long was never made.
        let is_settled = if is_earlier { absent >= READBACK_PATIENCE } else { shows };
        if is_settled {
            self.shown = self.unread_write.take().map(|write| write.change).filter(|_| !is_earlier);
            return None;
        }
        Some(absent)
    }

    /// Time in which nothing could be read says nothing of what is there.
    pub fn nothing_was_read(&mut self) {
        self.missing_since = None;
        if let Some(write) = &mut self.unread_write {
            write.absent_since = None;
        }
    }

    /// How long the version last applied has not shown in readings; none if it shows.
    pub fn missing_for(&mut self, reading: &Reading, now: Instant) -> Option<Duration> {
        if reading.applied_is_there {
            self.missing_since = None;
            return None;
        }
        Some(now.duration_since(*self.missing_since.get_or_insert(now)))
    }

    /// How long ago the level changed; none if it did not while this process looked.
    pub fn level_age(&mut self, level: Level, now: Instant) -> Option<Duration> {
        match &mut self.level {
            Some((known, since)) if *known == level => since.map(|since| now.duration_since(since)),
            Some(known) => {
                *known = (level, Some(now));
                Some(Duration::ZERO)
            }
            None => {
                self.level = Some((level, None));
                None
            }
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::api::SchemaType;
    use crate::controller::ownership::Claim;
    use crate::controller::schema::observed::{ConfigSeen, RegistrySeen, Spec};
    use crate::schema::{Subject, Version};

    fn stored(version: i64, id: i64) -> Stored {
        Stored {
            subject: "orders-value".into(),
            version: Version::new(version).unwrap(),
            id: SchemaId(id),
            schema_type: SchemaType::Avro,
            text: "\"int\"".into(),
            references: Vec::new(),
            properties: Default::default(),
        }
    }

    fn seen(spec: &str) -> Observed {
        seen_with(Form::read(SchemaType::Avro, spec).unwrap().fingerprint(), None)
    }

    /// A look that has not come to the registry yet.
    pub fn seen_with(spec: Fingerprint, last_applied: Option<Applied>) -> Observed {
        Observed {
            generation: 1,
            now: Time(k8s_openapi::jiff::Timestamp::UNIX_EPOCH),
            paused_by: None,
            claim: Claim::Owner,
            spec: Spec {
                subject: Subject::parse("orders-value"),
                schema_type: SchemaType::Avro,
                fingerprint: Ok(spec),
                adoption: crate::api::Adoption::IfLatest,
                drift_policy: crate::api::DriftPolicy::Report,
            },
            last_applied,
            unsettled_before: false,
            reverts: Vec::new(),
            registry_name: "default".into(),
            registry: RegistrySeen::NotLooked,
            config: ConfigSeen::Settled,
            unread_write: None,
            missing: None,
            grace_left: None,
            answer: None,
            judged: None,
            acknowledged: Vec::new(),
            failures: 0,
        }
    }

    #[test]
    fn a_write_of_an_earlier_spec_is_ours_when_it_shows() {
        let int = Form::read(SchemaType::Avro, "\"int\"").unwrap();
        let sent = |id: Option<i64>| SchemaMemory {
            unread_write: Some(UnreadWrite {
                fingerprint: int.fingerprint(),
                id: id.map(SchemaId),
                change: Change::Next,
                absent_since: None,
            }),
            ..SchemaMemory::default()
        };
        let shown = |mut memory: SchemaMemory, form: Option<&Form>| {
            let mut seen = seen("\"long\"");
            assert!(memory.has_earlier_write(&seen));
            memory.take_in_earlier_write(&mut seen, &stored(3, 7), form);
            assert_eq!(memory.unread_write.is_none(), seen.last_applied.is_some());
            seen.last_applied
        };
        let long = Form::read(SchemaType::Avro, "\"long\"").unwrap();
        let ours = |stored: Option<&Form>| {
            let stored = stored.map(Form::fingerprint);
            Some(Applied { fingerprint: int.fingerprint(), version: Version::new(3).unwrap(), id: SchemaId(7), stored })
        };
        assert_eq!(shown(sent(None), Some(&int)), ours(None), "by its form");
        assert_eq!(shown(sent(Some(7)), Some(&long)), ours(Some(&long)), "by its id");
        assert_eq!(shown(sent(None), Some(&long)), None, "someone else's");
        assert_eq!(shown(sent(Some(8)), None), None, "someone else's, which cannot be read");
        assert!(!sent(None).has_earlier_write(&seen("\"int\"")), "the present spec is read back as ever");
    }
}
