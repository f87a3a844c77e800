//! Status never lies: every status that the operator wrote, in every test, is held against what was the case.
//!
//! Three judges, none of which is ours: the rules by which Flux checks conditions (FAIL0001 to FAIL0007 of fluxcd/pkg), the code of
//! kstatus, and the registry itself.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde_json::Value;

use super::plain::Plain;
use super::snapshot::Snapshot;
use crate::bed;

/// Reasons for which only a person can help.
const REFUSED: [&str; 10] = [
    "Incompatible",
    "InvalidSchema",
    "InvalidSubject",
    "NotLatest",
    "NotAdopted",
    "OverwritesForeign",
    "Drifted",
    "VersionMissing",
    "SubjectConflict",
    "RegistryReadOnly",
];

/// Conditions that tell of something bad, or unfinished, when they are true.
const NEGATIVE: [&str; 3] = ["Stalled", "Reconciling", "Drifted"];

/// What was checked so far.
#[derive(Debug, Default)]
pub struct Truth {
    vetted: usize,
    held: HashSet<(String, i64, String)>,
}

impl Truth {
    /// Checks what was recorded and not checked yet.
    pub async fn vet(&mut self, record: &[Arc<Snapshot>], registry: &Plain) {
        let new = &record[self.vetted..];
        self.vetted = record.len();
        written_by_operator(record).for_each(conditions_are_sound);
        new.iter().for_each(|snapshot| speaks_of_itself(snapshot));
        let judged = bed::kstatus(&new.iter().map(|snapshot| snapshot.without_text()).collect::<Vec<_>>()).await;
        for (snapshot, status) in new.iter().zip(&judged).filter(|(snapshot, _)| !snapshot.gone) {
            waits_end_when_they_should(snapshot, status);
            if status == "Current" && snapshot.kind == "Schema" && is_plain_in_sync(snapshot) {
                self.registry_holds(snapshot, registry).await;
            }
        }
    }

    /// The version that the status names is in the registry, with the id that it names, and is this spec.
    async fn registry_holds(&mut self, snapshot: &Snapshot, registry: &Plain) {
        let (subject, text) = (snapshot.text("/spec/subject").to_owned(), snapshot.text("/spec/schema").to_owned());
        let version = snapshot.latest().unwrap_or_else(|| panic!("Ready, and no version is named: {snapshot}"));
        if !self.held.insert((subject.clone(), version, text.clone())) {
            return;
        }
        let stored = registry.version(&subject, version).await;
        let stored = stored.unwrap_or_else(|| panic!("Ready, and the registry has no version {version}: {snapshot}"));
        assert_eq!(stored["id"], snapshot.object["status"]["id"], "another id than the registry's: {snapshot}");
        let schema_type = snapshot.text("/spec/schemaType");
        let same_text = same_json(stored["schema"].as_str().unwrap_or_default(), &text);
        let same = same_text || registry.lookup(&subject, schema_type, &text).await == Some(version);
        assert!(same, "Ready, and version {version} is another schema, {stored}: {snapshot}\n{text}");
    }
}

/// The versions whose status differs from that of the version before.
fn written_by_operator(record: &[Arc<Snapshot>]) -> impl Iterator<Item = &Snapshot> {
    let mut before: HashMap<&str, &Value> = HashMap::new();
    record.iter().map(AsRef::as_ref).filter(move |snapshot: &&Snapshot| {
        let status = &snapshot.object["status"];
        before.insert(snapshot.uid(), status) != Some(status) && snapshot.observed() != -1
    })
}

/// FAIL0001 to FAIL0007, for a status when it was written: it speaks of the generation that was observed, which may be older than
/// the spec by then, and each condition speaks of the same.
fn conditions_are_sound(snapshot: &Snapshot) {
    let hold = |rule: &str, holds: bool| assert!(holds, "{rule}: {snapshot}");
    let negative = NEGATIVE.into_iter().any(|condition| snapshot.is(condition));
    hold("FAIL0001, Ready is always there", snapshot.condition("Ready").is_some());
    hold("FAIL0002, nothing negative is true beside Ready", !(snapshot.is("Ready") && negative));
    hold("FAIL0003, what reconciles is not Ready", !(snapshot.is("Ready") && snapshot.is("Reconciling")));
    hold("FAIL0004, what is stalled is not Ready", !snapshot.is("Stalled") || snapshot.state("Ready") == "False");
    hold("FAIL0005, never stalled and reconciling", !(snapshot.is("Stalled") && snapshot.is("Reconciling")));
    hold("FAIL0006, nothing of the future is observed", snapshot.observed() <= snapshot.generation());
    let mut of = snapshot.conditions().iter().map(|condition| condition["observedGeneration"].as_i64());
    hold("FAIL0007, Ready, like all else, is of the generation observed", of.all(|it| it == Some(snapshot.observed())));
    let present_means_true = NEGATIVE.into_iter().all(|it| snapshot.condition(it).is_none() || snapshot.is(it));
    hold("a negative condition is there only while it is true", present_means_true);
}

/// What the status says of the object is so of this object, and not of an older one by that name.
fn speaks_of_itself(snapshot: &Snapshot) {
    let (told, asked) = (snapshot.text("/status/subject"), snapshot.text("/spec/subject"));
    assert!(told.is_empty() || asked.is_empty() || told == asked, "the status speaks of another subject: {snapshot}");
}

/// What kstatus makes of it: fresh and unobserved is in progress, refused has failed.
fn waits_end_when_they_should(snapshot: &Snapshot, status: &str) {
    let expected = |expected: &str| assert_eq!(status, expected, "kstatus: {snapshot}");
    if !snapshot.is_observed() {
        expected("InProgress");
    } else if REFUSED.contains(&snapshot.reason()) {
        expected("Failed");
    } else if status == "Current" {
        assert!(snapshot.is("Ready"), "kstatus sees what is not Ready as done: {snapshot}");
    }
    if status == "Current" && snapshot.kind == "SubjectConfig" {
        let (asked, told) = (snapshot.text("/spec/compatibility"), snapshot.text("/status/compatibility/level"));
        assert_eq!(asked, told, "Ready, and another level is in force: {snapshot}");
    }
}

/// Neither Superseded nor RegistryIgnoredChange: the latest version is the spec, as it is.
fn is_plain_in_sync(snapshot: &Snapshot) -> bool {
    let advice = snapshot.object.pointer("/status/advice").and_then(Value::as_array);
    snapshot.reason() == "InSync"
        && !advice.is_some_and(|advice| advice.iter().any(|it| it["code"] == "RegistryIgnoredChange"))
}

fn same_json(a: &str, b: &str) -> bool {
    matches!((serde_json::from_str::<Value>(a), serde_json::from_str::<Value>(b)), (Ok(a), Ok(b)) if a == b)
}
