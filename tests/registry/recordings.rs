//! The fake registry answers as real servers did: their recordings, replayed request by request, full answers compared.
//!
//! A slice of the recordings lies in tests/fake/recordings. `CONFORMANCE_VECTORS` can name a folder with all of them.
//! Which scenarios are replayed is decided by [`scope`]; the rest is counted and named.

pub mod format;
mod placeholders;
mod scope;
mod verdicts;

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::bed;
use crate::fake::{Fake, Flavour};
use format::{Answered, Asked, Scenario, Step, load, repeated};
use placeholders::Placeholders;
use verdicts::Verdicts;

/// So many scenarios are replayed at least: of the slice, and of all.
const CONFLUENT: (usize, usize) = (31, 142);
const KARAPACE: (usize, usize) = (36, 47);

#[tokio::test]
async fn the_fake_answers_as_confluent_did() {
    replay(Flavour::Confluent, CONFLUENT).await;
}

#[tokio::test]
async fn the_fake_answers_as_karapace_did() {
    replay(Flavour::Karapace, KARAPACE).await;
}

/// The proof that a replay can fail.
#[tokio::test]
async fn an_altered_answer_is_noticed() {
    let (mut scenarios, _) = load(Flavour::Confluent);
    scenarios.retain(|scenario| reason(Flavour::Confluent, scenario).is_none());
    let verdicts = Verdicts::collect(&scenarios);
    let mut altered = 0;
    for (at, mut scenario) in scenarios.into_iter().enumerate().step_by(3) {
        let count = scenario.steps.len();
        let step = &mut scenario.steps[at % count];
        let was = step.answered().clone();
        step.alter(match (&was.body, at % 2) {
            (Some(body), 0) => Answered { body: Some(alter(body)), ..was },
            _ => Answered { status: was.status + 1, ..was },
        });
        assert!(run(Flavour::Confluent, &scenario, &verdicts).await.is_err(), "{}: not noticed", scenario.name);
        altered += 1;
    }
    assert!(altered >= 10, "only {altered} altered");
}

async fn replay(flavour: Flavour, (of_slice, of_all): (usize, usize)) {
    let (scenarios, all) = load(flavour);
    let verdicts = Verdicts::collect(&scenarios);
    let mut left_out: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut replayed, mut steps, mut wrong) = (0, 0, Vec::new());
    for scenario in &scenarios {
        if let Some(why) = reason(flavour, scenario) {
            *left_out.entry(why).or_default() += 1;
            continue;
        }
        replayed += 1;
        steps += scenario.steps.len();
        if let Err(difference) = run(flavour, scenario, &verdicts).await {
            wrong.push(format!("{}: {difference}", scenario.name));
        }
    }
    println!(
        "{flavour:?}: {replayed} of {} scenarios replayed ({steps} steps); left out, by their first step of the kind:",
        scenarios.len()
    );
    for (why, count) in left_out {
        println!("  {count:>4}  {why}");
    }
    assert!(wrong.is_empty(), "the fake differs from the real server:\n{}", wrong.join("\n"));
    let least = if all { of_all } else { of_slice };
    assert!(replayed >= least, "only {replayed} scenarios were replayed, of at least {least}");
}

/// Why a scenario is not replayed.
fn reason(flavour: Flavour, scenario: &Scenario) -> Option<&'static str> {
    scenario.steps.iter().find_map(|step| scope::beyond(flavour, step))
}

async fn run(flavour: Flavour, scenario: &Scenario, verdicts: &Verdicts) -> Result<(), String> {
    let fake = Fake::start(flavour).await;
    fake.ids_from(if scenario.isolated { 1 } else { 1000 });
    let verdicts = verdicts.clone();
    fake.judge(move |comparison| verdicts.differences(comparison));
    let client = bed::http();
    let mut known = Placeholders::default();
    for (at, step) in scenario.steps.iter().enumerate() {
        let times = step.times.unwrap_or(1);
        for time in 1..=times {
            let answer = ask(&client, &fake, &step.request, &known, time).await;
            if time == times && !step.unstable && !is_recorded(step, &answer, &mut known) {
                let (method, path) = (&step.request.method, &step.request.path);
                let recorded = step.answered();
                return Err(format!(
                    "step {at}, {method} {path}: answered {} {:.400}, recorded {} {:.400}",
                    answer.status,
                    answer.body,
                    recorded.status,
                    recorded.body.as_ref().map(Value::to_string).unwrap_or_default()
                ));
            }
        }
    }
    Ok(())
}

struct Given {
    status: u16,
    content_type: Option<String>,
    body: String,
}

async fn ask(client: &reqwest::Client, fake: &Fake, asked: &Asked, known: &Placeholders, time: usize) -> Given {
    let fill = |text: &str| repeated(&known.fill(text)).replace("<i>", &time.to_string());
    let method = asked.method.parse().expect("a method");
    let mut request = client.request(method, format!("{}{}", fake.url(), fill(&asked.path)));
    if let Some(body) = &asked.body {
        let body = fill(&body.to_string());
        request = request.header("content-type", "application/vnd.schemaregistry.v1+json").body(body);
    }
    let response = request.send().await.expect("the fake answers");
    let content_type = response.headers().get("content-type").and_then(|value| value.to_str().ok()).map(str::to_owned);
    let status = response.status().as_u16();
    Given { status, content_type, body: response.text().await.expect("the fake answers to the end") }
}

fn is_recorded(step: &Step, given: &Given, known: &mut Placeholders) -> bool {
    let recorded = step.answered();
    if given.status != recorded.status || given.content_type != recorded.content_type {
        return false;
    }
    let Some(body) = &recorded.body else {
        return given.body == recorded.text.as_deref().unwrap_or_default();
    };
    let Ok(mut actual) = serde_json::from_str::<Value>(&given.body) else {
        return false;
    };
    // Of several versions with one id a hash table picks the one that is named.
    if step.request.path.starts_with("/schemas/ids/") && body["subject"].is_string() {
        actual["subject"] = body["subject"].clone();
        actual["version"] = body["version"].clone();
    }
    if step.unordered { known.matches_unordered(body, &actual) } else { known.matches(body, &actual) }
}

/// Another body of the same shape.
fn alter(body: &Value) -> Value {
    match body {
        Value::Object(fields) => {
            let mut fields = fields.clone();
            fields.insert("altered".to_owned(), json!(true));
            Value::Object(fields)
        }
        Value::Array(items) => Value::Array([items.as_slice(), &[json!(999)]].concat()),
        _ => json!([body]),
    }
}
