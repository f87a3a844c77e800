//! Protobuf verdicts equal those of Confluent.

use std::collections::BTreeMap;

use schema_registrar::compat::{
    CONFLUENT_8_3, CONFLUENT_NEXT, Difference, Failure, Policy, Profile, protobuf as checker,
};
use schema_registrar::schema::{Reading, Reference, protobuf};
use serde::Deserialize;

use crate::vectors::{self, Said};

const RELEASES: [(&str, &Profile); 2] = [("8.3.1", &CONFLUENT_8_3), ("head", &CONFLUENT_NEXT)];

/// What we say of a pair: the differences each way, or nothing where the registry refuses a text.
struct Ours {
    backward: Vec<Difference>,
    forward: Vec<Difference>,
}

type Texts<'a> = (&'a str, Vec<Reference<'a>>);

fn compare(profile: &Profile, old: &Texts<'_>, new: &Texts<'_>) -> Result<Option<Ours>, String> {
    let rules = profile.protobuf.expect("the profile compares Protobuf");
    let read = |(text, references): &Texts<'_>, reading| match protobuf::parse(text, references, reading) {
        Ok(schema) => Ok(Some(schema)),
        Err(error) if error.is_invalid() => Ok(None),
        Err(error) => Err(format!("not read: {error}")),
    };
    let (Some(old), Some(new)) = (read(old, Reading::Stored)?, read(new, Reading::New)?) else { return Ok(None) };
    let differences = |reader, writer| {
        let found: Result<_, Failure> = checker::differences(reader, writer, &rules, Policy::Strict);
        found.map_err(|failure| failure.to_string())
    };
    Ok(Some(Ours { backward: differences(&new, &old)?, forward: differences(&old, &new)? }))
}

fn listed(differences: &[Difference]) -> Vec<String> {
    differences.iter().map(|difference| format!("{} {}", difference.rule, difference.path)).collect()
}

fn compatible(differences: &[Difference]) -> bool {
    !differences.iter().any(|difference| difference.breaks)
}

/// What is wrong about our answer; nothing, if it is what the registry said.
fn miss(said: &Said, ours: Result<Option<Ours>, String>) -> Option<String> {
    let ours = match ours {
        Ok(ours) => ours,
        Err(why) => return Some(why),
    };
    let refused = said.backward == "error" || said.forward == "error";
    let Some(ours) = ours else {
        return (!refused).then(|| "we call it invalid, the registry takes it".to_owned());
    };
    if refused {
        return Some(format!("we take it, the registry says {}", said.errors));
    }
    let mut wrong = Vec::new();
    for (direction, differences, verdict, list) in [
        ("backward", &ours.backward, &said.backward, &said.backward_diffs),
        ("forward", &ours.forward, &said.forward, &said.forward_diffs),
    ] {
        if *verdict != compatible(differences) {
            wrong.push(format!("{direction} is {verdict}"));
        }
        let expected = list.clone().unwrap_or_default();
        let ours = listed(differences);
        if ours != expected {
            wrong.push(format!("{direction}: {ours:?}, not {expected:?}"));
        }
    }
    let mut types: Vec<&str> = ours.backward.iter().map(|difference| difference.rule).collect();
    types.sort_unstable();
    types.dedup();
    if said.types.as_ref().is_some_and(|said| *said != types) {
        wrong.push(format!("types {types:?}, not {:?}", said.types));
    }
    (!wrong.is_empty()).then(|| wrong.join("; "))
}

fn report(what: &str, which: &str, ran: usize, misses: &[String]) {
    println!("{what}: {ran} judged, {} agreed, from {which}", ran - misses.len());
    assert!(misses.is_empty(), "{} of {ran} disagree:\n{}", misses.len(), misses.join("\n"));
    assert!(ran > 0, "there are no cases");
}

#[test]
fn every_pair_is_judged_as_by_the_registry() {
    let (cases, which) = vectors::pairs("protobuf");
    let mut misses = Vec::new();
    for case in &cases {
        let old = (&*case.old, referred(&case.old_references));
        let new = (&*case.new, referred(&case.new_references));
        for (release, profile) in RELEASES {
            let said = case.verdicts.get(release).expect("both releases judged the case");
            if let Some(miss) = miss(said, compare(profile, &old, &new)) {
                misses.push(format!("{} at {release}: {miss}", case.id));
            }
        }
    }
    report("Protobuf pairs", which, cases.len() * RELEASES.len(), &misses);
}

fn referred(references: &[vectors::Reference]) -> Vec<Reference<'_>> {
    references.iter().map(|reference| Reference { name: &reference.name, text: &reference.schema }).collect()
}

/// One of the cases that compat.md lists: a pair, judged in one direction.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    id: String,
    old: String,
    new: String,
    level: String,
    #[serde(default)]
    old_refs: Vec<ListedReference>,
    #[serde(default)]
    new_refs: Vec<ListedReference>,
    verdicts: BTreeMap<String, ListedVerdict>,
}

#[derive(Deserialize)]
struct ListedReference {
    name: String,
    subject: String,
    version: i64,
    schema: String,
}

#[derive(Deserialize)]
struct ListedVerdict {
    compatible: bool,
    differences: Vec<ListedDifference>,
}

#[derive(Deserialize)]
struct ListedDifference {
    r#type: String,
    path: String,
    ok: bool,
}

/// The registry takes a reference to one version of one subject for unchanged, without looking at its text. That a
/// version has two texts can be made up in a case only: here, the earlier one counts.
fn text_of<'a>(reference: &'a ListedReference, earlier: &'a [ListedReference]) -> Reference<'a> {
    let same = |other: &&ListedReference| (&other.subject, other.version) == (&reference.subject, reference.version);
    let text = &earlier.iter().find(same).unwrap_or(reference).schema;
    Reference { name: &reference.name, text }
}

impl Listed {
    fn miss(&self, release: &str, profile: &Profile) -> Option<String> {
        let old = (&*self.old, self.old_refs.iter().map(|reference| text_of(reference, &[])).collect());
        let new = (&*self.new, self.new_refs.iter().map(|reference| text_of(reference, &self.old_refs)).collect());
        let ours = match compare(profile, &old, &new) {
            Ok(Some(ours)) => ours,
            Ok(None) => return Some("we call it invalid".to_owned()),
            Err(why) => return Some(why),
        };
        let ours = if self.level == "FORWARD" { ours.forward } else { ours.backward };
        let said = self.verdicts.get(release)?;
        let expected: Vec<_> = said.differences.iter().map(|said| (&*said.r#type, &*said.path, said.ok)).collect();
        let listed: Vec<_> = ours.iter().map(|ours| (ours.rule, &*ours.path, !ours.breaks)).collect();
        let agrees = listed == expected && compatible(&ours) == said.compatible;
        (!agrees).then(|| format!("{listed:?}, not {expected:?}"))
    }
}

#[test]
fn every_listed_case_is_judged_as_by_the_registry() {
    let (folder, which) = vectors::folder();
    let text = std::fs::read_to_string(folder.join("protobuf-cases.jsonl")).expect("the cases can be read");
    let cases: Vec<Listed> = text.lines().map(|line| serde_json::from_str(line).expect("a line is a case")).collect();
    let mut misses = Vec::new();
    for case in &cases {
        for (release, profile) in [("v8.3.1", &CONFLUENT_8_3), ("HEAD", &CONFLUENT_NEXT)] {
            assert!(case.verdicts.contains_key(release), "{} has a verdict of {release}", case.id);
            if let Some(miss) = case.miss(release, profile) {
                misses.push(format!("{} at {release}: {miss}", case.id));
            }
        }
    }
    report("listed Protobuf cases", which, cases.len() * 2, &misses);
}
