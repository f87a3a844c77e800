//! What the fake leaves out, told by what a step asks or is answered, never by a scenario's name.

use serde_json::Value;

use super::format::Step;
use crate::fake::{Flavour, reads};

const QUERIES: [&str; 11] = [
    "normalize",
    "deleted",
    "deletedOnly",
    "deletedAsNegative",
    "subjectPrefix",
    "defaultToGlobal",
    "permanent",
    "verbose",
    "force",
    "offset",
    "limit",
];

/// Why a step is beyond the fake; none if it is not.
pub fn beyond(flavour: Flavour, step: &Step) -> Option<&'static str> {
    let rules = [routes, segments, queries, negotiation, fields, contexts, crashes, parsers, cut];
    rules.iter().find_map(|rule| rule(step)).or_else(|| schemas(flavour, step))
}

fn routes(step: &Step) -> Option<&'static str> {
    let known = matches!(
        path(step).as_slice(),
        ["subjects" | "config" | "mode"]
            | ["subjects" | "config" | "mode", _]
            | ["subjects", _, "versions"]
            | ["subjects", _, "versions", _]
            | ["compatibility", "subjects", _, "versions"]
            | ["compatibility", "subjects", _, "versions", _]
            | ["schemas", "types"]
            | ["schemas", "ids", _]
            | ["schemas", "ids", _, "versions" | "subjects"]
    );
    (!known).then_some("other routes")
}

fn segments(step: &Step) -> Option<&'static str> {
    let odd = |segment: &&str| {
        ["", ".", ".."].contains(segment) || ["+", "\\", "%2E", "%5C"].iter().any(|piece| segment.contains(piece))
    };
    path(step).iter().any(odd).then_some("path segments that servers read in ways of their own")
}

fn queries(step: &Step) -> Option<&'static str> {
    let (_, query) = step.request.path.split_once('?')?;
    let known = |pair: &str| {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let free = ["offset", "limit", "subjectPrefix"].contains(&key);
        QUERIES.contains(&key) && (free || ["true", "false"].contains(&value))
    };
    (!query.split('&').all(known)).then_some("normalize, format and other query parameters")
}

fn negotiation(step: &Step) -> Option<&'static str> {
    let (asked, answered) = (&step.request, step.answered());
    let odd_body = asked.raw_body.is_some() || asked.body.as_ref().is_some_and(|body| !body.is_object());
    let refused = matches!(answered.status, 400 | 405 | 406 | 415) || answered.allow.is_some();
    (asked.headers.is_some() || odd_body || refused).then_some("content types, methods, bodies that are no objects")
}

fn fields(step: &Step) -> Option<&'static str> {
    let fits = |(key, value): (&String, &Value)| match key.as_str() {
        "version" | "id" => value.is_i64(),
        "metadata" => value.is_object(),
        "schema" | "schemaType" | "compatibility" | "mode" => value.is_string() || value.is_null(),
        // No setting, and dropped as any key that is not known.
        "compatibilityLevel" | "zzz" => true,
        _ => false,
    };
    let all_fit = step.request.body.as_ref().and_then(Value::as_object).is_none_or(|fields| fields.iter().all(fits));
    (!all_fit).then_some("references, rules, aliases and other fields")
}

fn contexts(step: &Step) -> Option<&'static str> {
    (step.request.path.contains("%3A.") || step.request.path.contains("/:.")).then_some("contexts")
}

fn crashes(step: &Step) -> Option<&'static str> {
    (step.answered().status == 500).then_some("crashes of the server")
}

fn parsers(step: &Step) -> Option<&'static str> {
    let body = step.answered().body.as_ref()?;
    let is_own = |message: &str| message.starts_with("Invalid schema type") || message.contains("not one more than");
    let refused = body["error_code"] == 42201 && !body["message"].as_str().is_some_and(is_own);
    let first = body["messages"][0].as_str().unwrap_or_default();
    (refused || first.starts_with("Invalid schema")).then_some("the parsers' words about invalid schemas")
}

/// An old schema that was cut in the recordings is not known whole, and so is the verdict on it.
fn cut(step: &Step) -> Option<&'static str> {
    let body = step.answered().body.as_ref()?.to_string();
    (body.contains("<cut ") && body.contains("oldSchema")).then_some("answers that were not kept whole")
}

fn schemas(flavour: Flavour, step: &Step) -> Option<&'static str> {
    let (text, schema_type) = step.schema()?;
    if ["AVRO", "JSON", "PROTOBUF"].contains(&schema_type) && !reads(flavour, schema_type, &text) {
        return Some("Protobuf beyond messages of scalar fields, blank schemas");
    }
    if schema_type == "PROTOBUF" && step.request.path.contains("normalize=true") {
        return Some("normalized Protobuf");
    }
    if schema_type == "JSON" && has_exponent(&text) {
        return Some("numbers with an exponent");
    }
    let body = step.answered().body.as_ref()?.to_string();
    let judged = step.answered().status == 409 || body.contains("\"messages\"");
    let words = flavour == Flavour::Karapace && schema_type != "AVRO" && !body.contains("different schema types");
    (words && judged).then_some("Karapace's verdicts on JSON Schema and Protobuf")
}

fn has_exponent(text: &str) -> bool {
    let pairs = text.as_bytes().windows(2);
    pairs.into_iter().any(|pair| pair[0].is_ascii_digit() && matches!(pair[1], b'e' | b'E'))
}

fn path(step: &Step) -> Vec<&str> {
    let path = step.request.path.split('?').next().unwrap_or_default();
    path.split('/').skip(1).collect()
}
