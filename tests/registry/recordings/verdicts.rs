//! What real servers said about pairs of schemas. The fake has no checker of its own; it is asked here which versions
//! it compares, in which direction, and what it makes of the differences.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

use super::format::Scenario;
use crate::fake::{Comparison, Difference, simple};

/// The old schema as it is kept, the new one as it was sent, and whether the new one reads.
type Pair = (String, String, bool);

/// The differences of pairs, in the registry's words. What is not in it is left to a few rules of Avro.
#[derive(Clone, Default)]
pub struct Verdicts(HashMap<Pair, Vec<String>>);

impl Verdicts {
    pub fn differences(&self, comparison: &Comparison) -> Vec<Difference> {
        let pair = (comparison.old.to_owned(), comparison.new.to_owned(), comparison.backward);
        match self.0.get(&pair) {
            Some(words) => words.iter().cloned().map(Difference::Words).collect(),
            None => simple(comparison),
        }
    }

    /// Every verdict in the recordings of Confluent.
    pub fn collect(scenarios: &[Scenario]) -> Verdicts {
        let mut verdicts = Verdicts::default();
        let refusals: Vec<Refusal> = scenarios.iter().flat_map(refusals).collect();
        for refusal in refusals.iter().filter(|refusal| refusal.level != "FULL") {
            let pair = refusal.pair(refusal.level == "BACKWARD");
            verdicts.0.insert(pair, refusal.differences.clone());
        }
        // Under FULL the halves run into each other; only the backward one names the version.
        for refusal in refusals.iter().filter(|refusal| refusal.level == "FULL") {
            let (blamed, other) = (refusal.pair(refusal.names_version), refusal.pair(!refusal.names_version));
            if !verdicts.0.contains_key(&blamed) && !verdicts.0.contains_key(&other) {
                verdicts.0.insert(blamed, refusal.differences.clone());
                verdicts.0.insert(other, Vec::new());
            }
        }
        verdicts
    }
}

/// A recorded "no".
struct Refusal {
    old: String,
    new: String,
    /// BACKWARD, FORWARD or FULL.
    level: String,
    names_version: bool,
    differences: Vec<String>,
}

impl Refusal {
    fn pair(&self, backward: bool) -> Pair {
        (self.old.clone(), self.new.clone(), backward)
    }
}

fn refusals(scenario: &Scenario) -> Vec<Refusal> {
    let mut refusals = Vec::new();
    // By subject and version.
    let mut kept: BTreeMap<(String, i64), String> = BTreeMap::new();
    for step in &scenario.steps {
        let path = step.request.path.trim_start_matches("/compatibility");
        let subject = path.split(['/', '?']).nth(2).unwrap_or_default().to_owned();
        let Some(body) = &step.answered().body else {
            continue;
        };
        if let (Some(version), Some(schema)) = (body["version"].as_i64(), body["schema"].as_str()) {
            kept.insert((subject, version), schema.to_owned());
        } else if let Some((new, _)) = step.schema() {
            refusals.extend(refusal(&kept, subject, new, items(body)));
        }
    }
    refusals
}

fn refusal(
    kept: &BTreeMap<(String, i64), String>,
    subject: String,
    new: String,
    items: Vec<String>,
) -> Option<Refusal> {
    let settings = items.last()?.strip_prefix("{validateFields: 'false', compatibility: '")?;
    let level = settings.trim_end_matches("'}").trim_end_matches("_TRANSITIVE").to_owned();
    let named = |item: &String| item.strip_prefix("{oldSchemaVersion: ")?.strip_suffix('}')?.parse().ok();
    let named: Option<i64> = items.iter().find_map(named);
    let latest = || Some(kept.range((subject.clone(), 0)..(subject.clone(), i64::MAX)).next_back()?.0.1);
    let old = kept.get(&(subject.clone(), named.or_else(latest)?))?.clone();
    let is_difference = |item: &&String| !item.starts_with("{oldSchema") && !item.starts_with("{validateFields");
    let differences = items.iter().take_while(is_difference).cloned().collect();
    Some(Refusal { old, new, level, names_version: named.is_some(), differences })
}

/// The messages of a check, or those within the message of a refused register.
fn items(body: &Value) -> Vec<String> {
    if let Some(messages) = body["messages"].as_array() {
        return messages.iter().filter_map(|message| message.as_str().map(str::to_owned)).collect();
    }
    let Some((_, list)) = body["message"].as_str().and_then(|message| message.split_once(", details: [")) else {
        return Vec::new();
    };
    let list = list.strip_suffix(']').unwrap_or(list);
    let braced = |(at, item)| if at == 0 { String::from(item) } else { format!("{{{item}") };
    list.split(", {").enumerate().map(braced).collect()
}
