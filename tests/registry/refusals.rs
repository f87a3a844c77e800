//! Every refusal that was recorded from a real registry is read whole: each reason with its rule, place and version,
//! and nothing of the old schema.

use schema_registrar::api::Level;
use schema_registrar::registry::{Check, Client, Placement, Refusal, Register};
use serde_json::Value;

use crate::fake::{Answer, Fake, Fault, Flavour};
use crate::recordings::format::{Scenario, load};
use crate::support::*;

/// So many refusals are read at least, from the slice of Confluent's recordings.
const AT_LEAST: usize = 50;

#[tokio::test]
async fn what_confluent_said() {
    let (scenarios, _) = load(Flavour::Confluent);
    let fake = Fake::start(Flavour::Confluent).await;
    let client = client(&fake);
    let mut read = 0;
    for body in refusals(&scenarios) {
        let refusal = heard(&fake, &client, &body).await;
        let text = body.to_string().replace("\\\"", "\"");
        let named = text.matches("{errorType:").count().min(100);
        let with_rule = refusal.violations.iter().filter(|violation| violation.rule.is_some()).count();
        assert_eq!(with_rule, named, "{text}\n{refusal:?}");
        for violation in &refusal.violations {
            assert_eq!(violation.path.is_some(), violation.rule.is_some(), "{violation:?}");
            assert_eq!(violation.version.is_some(), text.contains("{oldSchemaVersion:"), "{violation:?}");
            assert!(!violation.message.is_empty(), "{violation:?}");
            is_fit_for_a_message(&violation.message);
        }
        is_fit_for_a_message(&refusal.message);
        read += 1;
    }
    assert!(read >= AT_LEAST, "only {read} refusals");
}

#[tokio::test]
async fn what_karapace_said() {
    let (scenarios, _) = load(Flavour::Karapace);
    let fake = Fake::start(Flavour::Karapace).await;
    let client = client(&fake);
    let mut read = 0;
    for body in refusals(&scenarios) {
        let refusal = heard(&fake, &client, &body).await;
        let messages = body["messages"].as_array().map_or(0, Vec::len);
        assert_eq!(refusal.violations.len(), messages, "{body}\n{refusal:?}");
        assert!(refusal.violations.iter().all(|violation| !violation.message.is_empty()), "{refusal:?}");
        is_fit_for_a_message(&refusal.message);
        read += 1;
    }
    assert!(read >= 8, "only {read} refusals");
}

/// The bodies of refused registers and of checks that said no, but for those about schemas that do not parse.
fn refusals(scenarios: &[Scenario]) -> Vec<Value> {
    let answers = scenarios.iter().flat_map(|scenario| scenario.steps.iter().map(|step| step.answered()));
    let bodies = answers.filter_map(|answer| answer.body.as_ref());
    let says_no = |body: &&Value| {
        let first = body["messages"][0].as_str();
        let register = body["error_code"] == 40901 || body["error_code"] == 409;
        register
            || first.is_some_and(|first| !first.starts_with("Invalid schema") && !first.starts_with("Empty schema"))
    };
    bodies.filter(says_no).cloned().collect()
}

/// What the client makes of it.
async fn heard(fake: &Fake, client: &Client, body: &Value) -> Refusal {
    let (orders, candidate) = (subject("orders"), avro(BARGE));
    let status = if body["error_code"].is_null() { 200 } else { 409 };
    fake.heal();
    fake.fail("*", 2, Fault::Reply(Answer::json(status, body.clone())));
    if status == 409 {
        match client.register(&orders, &candidate, Placement::Append).await {
            Ok(Register::Incompatible(refusal)) => refusal,
            other => panic!("{body}: {other:?}"),
        }
    } else {
        match client.check(&orders, &candidate, Level::Backward).await {
            Ok(Check::Incompatible(refusal)) => refusal,
            other => panic!("{body}: {other:?}"),
        }
    }
}

fn is_fit_for_a_message(text: &str) {
    assert!(text.chars().count() <= 300, "{text}");
    assert!(!text.chars().any(char::is_control), "{text}");
    assert!(!text.contains("oldSchema") && !text.contains("\"fields\"") && !text.contains("syntax ="), "{text}");
}
