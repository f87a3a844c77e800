//! What `compare -o json` prints: one object, whose keys and words stay as they are. More keys may come.

use std::collections::BTreeMap;

use serde::Serialize;

use super::comparison::{Comparison, Terms, Told};
use super::input::Source;
use super::position::{Lines, Position};
use super::word::{self, Word};
use crate::api::{Level, SchemaType};
use crate::cli::output::bounded;
use crate::compat::advice::{Advice, Code};
use crate::compat::levels::UpgradeOrder;
use crate::compat::locate::Side;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report<'a> {
    old: &'a str,
    new: &'a str,
    schema_type: SchemaType,
    profile: &'a str,
    policy: &'static str,
    level: Level,
    /// Under that level.
    verdict: Word,
    backward: Word,
    forward: Word,
    levels: BTreeMap<String, Word>,
    #[serde(skip_serializing_if = "Option::is_none")]
    upgrade_order: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    differences: Vec<Difference<'a>>,
    advice: Vec<Known<'a>>,
}

#[derive(Serialize)]
struct Difference<'a> {
    direction: &'static str,
    rule: &'static str,
    path: &'a str,
    breaks: bool,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<Location<'a>>,
    /// What the old schema has there, where `location` is in the new one.
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<Location<'a>>,
}

#[derive(Serialize)]
struct Location<'a> {
    file: &'a str,
    #[serde(flatten)]
    position: Position,
}

#[derive(Serialize)]
struct Known<'a> {
    code: &'static str,
    path: &'a str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    remedy: Option<&'a str>,
}

/// The object as text, with a line break at its end.
pub fn render(comparison: &Comparison, old: &Source, new: &Source, terms: &Terms) -> String {
    let words = comparison.levels.map(Word::from);
    let report = Report {
        old: &old.name,
        new: &new.name,
        schema_type: new.schema_type,
        profile: terms.profile.name,
        policy: terms.policy.spelling(),
        level: terms.level,
        verdict: comparison.verdict.into(),
        backward: comparison.backward.into(),
        forward: comparison.forward.into(),
        levels: Level::ALL.iter().map(ToString::to_string).zip(words).collect(),
        upgrade_order: comparison.order.map(UpgradeOrder::as_str),
        reason: comparison.reason.as_deref().map(bounded),
        differences: differences(comparison, old, new),
        // Who upgrades first is told of these two schemas, not of what the level lets pass.
        advice: comparison.advice.iter().filter(|advice| advice.code != Code::UpgradeOrder).map(known).collect(),
    };
    // Texts, numbers and keys that are texts can always be written.
    let text = serde_json::to_string_pretty(&report).unwrap_or_default();
    escaped(&text) + "\n"
}

/// Characters that a terminal may obey and JSON lets stand occur in strings alone, where an escape means the same.
fn escaped(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for character in json.chars() {
        match character {
            '\n' => text.push('\n'),
            character if character.is_control() => text.push_str(&format!("\\u{:04x}", u32::from(character))),
            character => text.push(character),
        }
    }
    text
}

fn differences<'a>(comparison: &'a Comparison, old: &'a Source, new: &'a Source) -> Vec<Difference<'a>> {
    let (in_old, in_new) = (Lines::of(&old.text), Lines::of(&new.text));
    let at_old = |at: usize| Location { file: &old.name, position: in_old.position(at) };
    let at_new = |at: usize| Location { file: &new.name, position: in_new.position(at) };
    let one = |told: &'a Told| Difference {
        direction: word::direction(told.direction),
        rule: told.difference.rule,
        path: &told.difference.path,
        breaks: told.difference.breaks,
        message: bounded(&told.message),
        hint: told.hint.as_deref().map(bounded),
        location: told.place.as_ref().map(|place| match place.side {
            Side::Old => at_old(place.span.start),
            Side::New => at_new(place.span.start),
        }),
        before: told.place.as_ref().and_then(|place| Some(at_old(place.before.as_ref()?.start))),
    };
    comparison.differences.iter().map(one).collect()
}

fn known(advice: &Advice) -> Known<'_> {
    let Advice { code, path, message, remedy } = advice;
    Known { code: code.as_str(), path, message, remedy: remedy.as_deref() }
}
