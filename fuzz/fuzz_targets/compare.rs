//! Any two texts of one format are compared, explained, located and advised on. The first line names the format; a line of three
//! dashes parts the old text from the new one, and those from a text that both refer to as `r`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use schema_registrar::api::{Level, SchemaType};
use schema_registrar::compat::advice::{Change, of_change, standing};
use schema_registrar::compat::engine::{self, Candidate};
use schema_registrar::compat::history::{Past, judge_candidate};
use schema_registrar::compat::levels::{Verdict, Violation};
use schema_registrar::compat::locate::{Side, locate_all};
use schema_registrar::compat::{CONFLUENT_7_9, CONFLUENT_8_3, CONFLUENT_NEXT, Policy, Profile};
use schema_registrar::schema::{Reading, Reference, Version};

/// Sentences and hints are made of so many violations: status tells no more.
const MOST_TOLD: usize = 20;

fuzz_target!(|input: &str| {
    let Some((schema_type, texts)) = input.split_once('\n') else { return };
    let Ok(schema_type) = schema_type.parse::<SchemaType>() else { return };
    let mut texts = texts.split("\n---\n");
    let (Some(old), Some(new)) = (texts.next(), texts.next()) else { return };
    let references: Vec<Reference<'_>> = texts.take(1).map(|text| Reference { name: "r", text }).collect();
    for profile in [&CONFLUENT_8_3, &CONFLUENT_NEXT, &CONFLUENT_7_9] {
        for policy in [Policy::Strict, Policy::Lenient] {
            compare(schema_type, old, new, &references, profile, policy);
        }
    }
});

fn compare(
    schema_type: SchemaType,
    old: &str,
    new: &str,
    references: &[Reference<'_>],
    profile: &Profile,
    policy: Policy,
) {
    let read = |text: &str, reading| engine::read(schema_type, text, references, reading, profile);
    let candidate = read(new, Reading::New);
    let history = [Past { version: Version::FIRST, schema: read(old, Reading::Stored) }];
    let judged = judge_candidate(&candidate, &history, Level::FullTransitive, profile, policy);
    let (Ok(after), Ok(before)) = (&candidate, &history[0].schema) else { return };
    let candidate = Candidate { schema_type, text: new, references };
    let mut effort = judged.effort;
    if let Verdict::Incompatible(violations) = &judged.verdict {
        let told: Vec<_> = violations.iter().take(MOST_TOLD).map(|one| (one.direction, &one.difference)).collect();
        for place in locate_all(schema_type, old, new, &told).into_iter().flatten() {
            let (text, before) = if place.side == Side::New { (new, old) } else { (old, new) };
            assert!(text.get(place.span).is_some(), "a place is within its text");
            assert!(place.before.is_none_or(|span| before.get(span).is_some()), "so is what stood there before");
        }
        for violation in violations.iter().take(MOST_TOLD) {
            let Violation { difference, direction, version } = violation;
            let _ = engine::sentence(schema_type, difference, *direction, *version);
            let _ = engine::verified_hint(&candidate, before, violation, usize::MAX, profile, policy, &mut effort);
        }
    }
    let (level, old_name) = (Level::FullTransitive, "version 1");
    let change = Change { old: before, new: after, old_name, level, profile, policy, is_key: true };
    let _ = (of_change(&change), standing(&change));
}
