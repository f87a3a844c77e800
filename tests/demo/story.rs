//! The story, step by step. A step shows what a person does and sees, and then checks what it claims.

use serde_json::{Value, json};

use super::bed::{Request, chart};
use super::readme;
use super::shell::{Failure, Shell};
use super::stage::Stage;

const ORDERS: &str = "examples/orders-value.yaml";

/// Tells it all.
pub async fn tell(shell: &Shell, stage: &mut Stage) -> Result<(), Failure> {
    first_version(shell).await?;
    compatible_change(shell).await?;
    incompatible_change(shell).await?;
    the_fix(shell).await?;
    formatting(shell, stage).await?;
    tightened(shell).await?;
    one_commit(shell).await?;
    set_back(shell).await?;
    behind_the_back(shell, stage).await?;
    taken_over(shell, stage).await?;
    advised(shell).await?;
    all_along(shell, stage)
}

async fn first_version(shell: &Shell) -> Result<(), Failure> {
    shell.screen.step("A first version", "A folder that says where the registry is, and what is to be in it.");
    // The default of ten minutes is long for a demo.
    shell.edit("examples/registry.yaml", "driftCheckSeconds: 600", "driftCheckSeconds: 5")?;
    shell.run("kubectl apply -f examples/").await?;
    shell.quietly("kubectl wait --for=condition=Ready --timeout=2m --all rregistry,rschema,rsubject").await?;
    shell.run("kubectl get registrar").await?;
    shell.screen.gap();
    shell.check("orders-value holds version 1", shell.versions("orders-value").await?, json!([1]))?;
    for (kind, plural, wanted) in [
        ("rregistry", "registries are connected", "Connected"),
        ("rschema", "Schemas are in sync", "InSync"),
        ("rsubject", "SubjectConfigs are in sync", "InSync"),
    ] {
        let all = items(&shell.quietly(&format!("kubectl get {kind} --output=json")).await?)?;
        let others: Vec<_> = all.iter().map(reason).filter(|reason| *reason != wanted).collect();
        shell.check(&format!("all {} {plural}", all.len()), (all.is_empty(), others), (false, Vec::new()))?;
    }
    Ok(())
}

async fn compatible_change(shell: &Shell) -> Result<(), Failure> {
    shell.screen.step("A compatible change", "A new field with a default: orders without it can still be read.");
    shell.edit(ORDERS, PLACED_AT, &format!("{NOTE}\n        {PLACED_AT}"))?;
    apply(shell, ORDERS).await?;
    shell.run(&ready("rschema/orders-value")).await?;
    shell.run("kubectl get rschema orders-value").await?;
    shell.screen.gap();
    shell.check("orders-value holds versions 1 and 2", shell.versions("orders-value").await?, json!([1, 2]))
}

async fn incompatible_change(shell: &Shell) -> Result<(), Failure> {
    let narration = "A new field without a default: with this schema nobody could read the orders that are there.";
    shell.screen.step("An incompatible change", narration);
    shell.edit(ORDERS, PLACED_AT, &format!("{CURRENCY}\n        {PLACED_AT}"))?;
    apply(shell, ORDERS).await?;
    shell.run(&stalled("rschema/orders-value")).await?;
    let listed = shell.run("kubectl get rschema").await?;
    let described = shell.run("kubectl describe rschema orders-value").await?;
    let versions = shell.curl("/subjects/orders-value/versions").await?;
    shell.screen.gap();
    shell.check("the registry still holds versions 1 and 2", versions, json!([1, 2]))?;
    let schema = shell.object("rschema", "orders-value").await?;
    shell.check("Ready is False, Incompatible", reason(&schema), "Incompatible")?;
    let violation = &schema["status"]["compatibility"]["violations"][0];
    let (rule, message) = (violation["rule"].as_str(), violation["message"].as_str().unwrap_or_default());
    shell.check("the status names the rule", rule, Some("READER_FIELD_MISSING_DEFAULT_VALUE"))?;
    shell.check("and the field", message.contains("currency"), true)?;
    shell.check("kubectl describe shows it", described.contains(message), true)?;
    shell.check("README.md shows the same", readme::differs_from(&[&listed, &described])?, Vec::<String>::new())
}

async fn the_fix(shell: &Shell) -> Result<(), Failure> {
    shell.screen.step("The fix", "The field gets a default.");
    shell.edit(ORDERS, CURRENCY, CURRENCY_WITH_DEFAULT)?;
    apply(shell, ORDERS).await?;
    shell.run(&ready("rschema/orders-value")).await?;
    shell.run("kubectl get rschema orders-value").await?;
    shell.screen.gap();
    shell.check("orders-value holds versions 1, 2 and 3", shell.versions("orders-value").await?, json!([1, 2, 3]))?;
    let schema = shell.object("rschema", "orders-value").await?;
    shell.check("it is compatible again", condition(&schema, "Compatible")["status"].as_str(), Some("True"))?;
    shell.check("and no longer stalled", condition(&schema, "Stalled"), &Value::Null)
}

async fn formatting(shell: &Shell, stage: &Stage) -> Result<(), Failure> {
    shell.screen.step("Only formatting changes", "The same schema in another layout makes no version.");
    let before = writes(stage).await;
    shell.edit(ORDERS, CURRENCY_WITH_DEFAULT, CURRENCY_LAID_OUT)?;
    apply(shell, ORDERS).await?;
    shell.run(&ready("rschema/orders-value")).await?;
    shell.run("kubectl get rschema orders-value").await?;
    shell.screen.gap();
    let versions = shell.versions("orders-value").await?;
    shell.check("orders-value still holds versions 1, 2 and 3", versions, json!([1, 2, 3]))?;
    shell.check("the registry was not written to", writes(stage).await, before)
}

async fn tightened(shell: &Shell) -> Result<(), Failure> {
    let file = "examples/orders-value-level.yaml";
    shell.screen.step("A tighter level", "From now on old readers must be able to read new orders, too.");
    shell.edit(file, "compatibility: BACKWARD", "compatibility: FULL")?;
    apply(shell, file).await?;
    shell.run(&ready("rsubject/orders-value")).await?;
    let level = "kubectl wait --for=jsonpath={.status.compatibility.level}=FULL --timeout=2m rschema/orders-value";
    shell.quietly(level).await?;
    shell.run("kubectl get rsubject,rschema orders-value").await?;
    let config = shell.curl("/config/orders-value").await?;
    shell.screen.gap();
    shell.check("the registry's level of orders-value is FULL", &config["compatibilityLevel"], &json!("FULL"))
}

async fn one_commit(shell: &Shell) -> Result<(), Failure> {
    let file = "examples/shipments.yaml";
    let narration = "Schema and level change in one apply; the level is set before the schema is judged.";
    shell.screen.step("A breaking change, on purpose", narration);
    shell.edit(file, "compatibility: FULL_TRANSITIVE", "compatibility: NONE")?;
    shell.edit(file, WEIGHT_AS_TEXT, WEIGHT_AS_NUMBER)?;
    apply(shell, file).await?;
    shell.run(&ready("rschema/shipments-value")).await?;
    shell.run("kubectl get rsubject,rschema shipments-value").await?;
    shell.screen.gap();
    shell.check("shipments-value holds versions 1 and 2", shell.versions("shipments-value").await?, json!([1, 2]))?;
    let warnings = "kubectl get events --output=json --field-selector=type=Warning,involvedObject.name=shipments-value";
    shell.check("it was never refused on the way", items(&shell.quietly(warnings).await?)?.len(), 0)
}

async fn set_back(shell: &Shell) -> Result<(), Failure> {
    let file = "examples/shipments.yaml";
    let narration = "The next commit sets the level back; what was done meanwhile is told, and the level holds.";
    shell.screen.step("And the level again", narration);
    shell.edit(file, "compatibility: NONE", "compatibility: FULL_TRANSITIVE")?;
    apply(shell, file).await?;
    shell.run(&ready("rsubject/shipments-value")).await?;
    shell.run("kubectl get rsubject shipments-value --output=jsonpath={.status.history.summary}").await?;
    let config = shell.object("rsubject", "shipments-value").await?;
    let (history, in_force) = (&config["status"]["history"], &config["status"]["compatibility"]["level"]);
    shell.screen.gap();
    shell.check("FULL_TRANSITIVE is in force", in_force, &json!("FULL_TRANSITIVE"))?;
    let broken = &history["violations"][0];
    shell.check("version 2 is named as what breaks it", &broken["version"], &json!(2))
}

async fn advised(shell: &Shell) -> Result<(), Failure> {
    let narration = "A field gets another name. Every level lets that pass; the old values are lost all the same.";
    shell.screen.step("What no verdict says", narration);
    shell.edit(ORDERS, NOTE, REMARK)?;
    apply(shell, ORDERS).await?;
    shell.run(&ready("rschema/orders-value")).await?;
    shell.run("kubectl get rschema orders-value --output=jsonpath={.status.advice}").await?;
    let schema = shell.object("rschema", "orders-value").await?;
    shell.screen.gap();
    let versions = shell.versions("orders-value").await?;
    shell.check("orders-value holds versions 1 to 5", versions, json!([1, 2, 3, 4, 5]))?;
    let codes = schema["status"]["advice"].as_array().cloned().unwrap_or_default();
    let is_told = codes.iter().any(|advice| advice["code"] == "RenameWithoutAlias");
    shell.check("the advice is to give it an alias", is_told, true)
}

async fn behind_the_back(shell: &Shell, stage: &Stage) -> Result<(), Failure> {
    let narration = "Someone registers a version by hand. (Looked for every 5 s here, every 10 min by default.)";
    shell.screen.step("Behind the operator's back", narration);
    let text = schema_text(&shell.checkout.read(ORDERS)?).replace(PLACED_AT, &format!("{CHANNEL}\n{PLACED_AT}"));
    shell.checkout.write("by-hand.json", &json!({"schema": text}).to_string())?;
    shell.curl_register("orders-value", "by-hand.json").await?;
    let before = writes(stage).await;
    shell.run(&stalled("rschema/orders-value")).await?;
    shell.run("kubectl get rschema orders-value").await?;
    shell.run("kubectl events --for=schema/orders-value").await?;
    shell.screen.gap();
    let schema = shell.object("rschema", "orders-value").await?;
    shell.check("Ready is False, Drifted", reason(&schema), "Drifted")?;
    let message = condition(&schema, "Ready")["message"].as_str().unwrap_or_default();
    shell.check("the message names version 4", message.contains("version 4"), true)?;
    shell.check("version 4 was left as it is", shell.versions("orders-value").await?, json!([1, 2, 3, 4]))?;
    shell.check("the registry was not written to", writes(stage).await, before)
}

async fn taken_over(shell: &Shell, stage: &Stage) -> Result<(), Failure> {
    shell.screen.step("And taken over", "The team likes that version: what it adds goes into the file.");
    let before = writes(stage).await;
    shell.edit(ORDERS, PLACED_AT, &format!("{CHANNEL}\n        {PLACED_AT}"))?;
    apply(shell, ORDERS).await?;
    shell.run(&ready("rschema/orders-value")).await?;
    shell.run("kubectl get rschema orders-value").await?;
    shell.screen.gap();
    let schema = shell.object("rschema", "orders-value").await?;
    let (latest, wanted) = (&schema["status"]["latestVersion"], json!(4));
    shell.check("orders-value is in sync at version 4", (reason(&schema), latest), ("InSync", &wanted))?;
    shell.check("the registry was not written to", writes(stage).await, before)
}

/// Not a step of the story, but true through all of it.
fn all_along(shell: &Shell, stage: &mut Stage) -> Result<(), Failure> {
    shell.screen.title("All along");
    stage.operator_runs()?;
    shell.screen.checked("the operator ran");
    let asked = stage.server.audit().into_iter().filter(|entry| entry.user == chart::USER);
    let (forbidden, allowed): (Vec<_>, Vec<_>) = asked.partition(|entry| entry.code == 403);
    let claim = format!("none of its {} requests to the API server was forbidden", allowed.len());
    shell.check(&claim, forbidden, Vec::new())
}

async fn apply(shell: &Shell, file: &str) -> Result<String, Failure> {
    shell.run(&format!("kubectl apply -f {file}")).await
}

fn ready(what: &str) -> String {
    format!("kubectl wait --for=condition=Ready --timeout=2m {what}")
}

fn stalled(what: &str) -> String {
    format!("kubectl wait --for=condition=Stalled --timeout=2m {what}")
}

const PLACED_AT: &str = r#"{"name": "placedAt", "type": {"type": "long", "logicalType": "timestamp-millis"}}"#;
const NOTE: &str = r#"{"name": "note", "type": ["null", "string"], "default": null},"#;
const REMARK: &str = r#"{"name": "remark", "type": ["null", "string"], "default": null},"#;
const CURRENCY: &str = r#"{"name": "currency", "type": "string"},"#;
const CURRENCY_WITH_DEFAULT: &str = r#"{"name": "currency", "type": "string", "default": "EUR"},"#;
const CHANNEL: &str = r#"{"name": "channel", "type": "string", "default": "web"},"#;

const CURRENCY_LAID_OUT: &str = "{
          \"name\": \"currency\",
          \"default\": \"EUR\",
          \"type\": \"string\"
        },";
const WEIGHT_AS_TEXT: &str = r#"{"name": "weight", "type": "string"}"#;
const WEIGHT_AS_NUMBER: &str = r#"{"name": "weight", "type": "double"}"#;

/// How often the registry was asked to register something for orders-value.
async fn writes(stage: &Stage) -> usize {
    let of_orders = |request: &Request| request.is_write() && request.path.contains("/subjects/orders-value/");
    stage.registry.requests_so_far().await.iter().filter(|request| of_orders(request)).count()
}

/// The schema in a file with one Schema, which ends with it.
fn schema_text(file: &str) -> String {
    file.split_once("schema: |\n").map_or(file, |(_, text)| text).to_owned()
}

fn items(list: &str) -> Result<Vec<Value>, Failure> {
    let list: Value = serde_json::from_str(list)?;
    Ok(list["items"].as_array().cloned().unwrap_or_default())
}

fn condition<'a>(object: &'a Value, name: &str) -> &'a Value {
    let all = object["status"]["conditions"].as_array().map(Vec::as_slice).unwrap_or_default();
    all.iter().find(|condition| condition["type"] == name).unwrap_or(&Value::Null)
}

fn reason(object: &Value) -> &str {
    condition(object, "Ready")["reason"].as_str().unwrap_or_default()
}
