//! What the compatibility engine costs: large and awkward schemas at two sizes each, to show how it grows, and ordinary
//! pairs through `compare --batch`. Every figure is a core's time, which other work on the machine does not count in.

mod batch;
#[path = "../../tests/bombs/core_time.rs"]
mod core_time;
mod schemas;

use std::time::Duration;

use core_time::core_time;
use schema_registrar::api::{Level, SchemaType};
use schema_registrar::compat::engine::{self, Parsed};
use schema_registrar::compat::history::{Answer, Past, judge_candidate};
use schema_registrar::compat::{CONFLUENT_8_3, CONFLUENT_NEXT, Policy, Profile};
use schema_registrar::schema::{Reading, Version};

/// Each is run until it has had so much of a core: time is told in hundredths of a second.
const ENOUGH: Duration = Duration::from_millis(300);
/// From one size to its double: what n·log n grows by, and half as much again for caches that are too small.
const ORDINARY_GROWTH: f64 = 3.5;

fn main() {
    // `cargo test` runs this with --test, to see that it builds.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    println!(
        "{:<58} {:>8} {:>10} {:>10} {:>8}",
        "reading and comparing both ways", "size", "ms", "twice: ms", "growth"
    );
    for case in schemas::cases() {
        measure_pair(&case);
    }
    println!();
    for (format, history) in schemas::histories() {
        measure_history(format, history);
    }
    println!();
    batch::measure();
}

/// A schema and what it becomes, at any size.
pub struct Case {
    /// What it is.
    pub name: &'static str,
    /// Its format.
    pub schema_type: SchemaType,
    /// How large it is, in its own unit.
    pub size: usize,
    /// The old and the new text.
    pub texts: fn(usize) -> (String, String),
    /// Real schemas look like this: it is to grow as n·log n at most.
    pub is_ordinary: bool,
}

fn measure_pair(case: &Case) {
    for profile in [&CONFLUENT_8_3, &CONFLUENT_NEXT] {
        let times = [case.size / 2, case.size].map(|size| {
            let (old, new) = (case.texts)(size);
            average(|| compare(case.schema_type, &old, &new, profile))
        });
        let name = format!("{} {} ({})", case.schema_type, case.name, profile.name);
        print_row(&name, case.size, times, case.is_ordinary);
    }
}

fn compare(schema_type: SchemaType, old: &str, new: &str, profile: &Profile) {
    let read = |text: &str, reading| engine::read(schema_type, text, &[], reading, profile);
    let old = read(old, Reading::Stored).unwrap_or_else(|error| unreachable!("the old schema is read: {error}"));
    let new = read(new, Reading::New).unwrap_or_else(|error| unreachable!("the new schema is read: {error}"));
    let differences = |reader: &Parsed, writer: &Parsed| {
        let found = engine::differences(reader, writer, profile, Policy::Strict);
        found.unwrap_or_else(|failure| unreachable!("they are compared: {failure}")).len()
    };
    std::hint::black_box(differences(&new, &old) + differences(&old, &new));
}

/// A candidate against many versions, transitively.
fn measure_history(schema_type: SchemaType, text: fn(usize) -> String) {
    let profile = &CONFLUENT_8_3;
    const VERSIONS: usize = 1_000;
    let times = [VERSIONS / 2, VERSIONS].map(|versions| {
        let read = |number: usize, reading| engine::read(schema_type, &text(number), &[], reading, profile);
        let past = |number: usize| Past {
            version: Version::new(number as i64).unwrap_or(Version::FIRST),
            schema: read(number, Reading::Stored),
        };
        let history: Vec<Past> = (1..=versions).map(past).collect();
        let candidate = read(versions + 1, Reading::New);
        average(|| {
            let judged = judge_candidate(&candidate, &history, Level::BackwardTransitive, profile, Policy::Strict);
            assert_eq!(Answer::from(&judged.verdict), Answer::Compatible, "each version adds a field with a default");
        })
    });
    print_row(&format!("{schema_type} a transitive history, all seven levels"), VERSIONS, times, true);
}

fn average(mut run: impl FnMut()) -> Duration {
    run();
    let (start, mut runs) = (core_time(), 0);
    loop {
        run();
        runs += 1;
        let passed = core_time().saturating_sub(start);
        if passed >= ENOUGH {
            return passed / runs;
        }
    }
}

fn print_row(name: &str, size: usize, [half, whole]: [Duration; 2], is_ordinary: bool) {
    let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
    let growth = whole.as_secs_f64() / half.as_secs_f64();
    let note = match is_ordinary {
        true if growth > ORDINARY_GROWTH => "  above n·log n",
        true => "",
        false => "  awkward",
    };
    println!("{name:<58} {size:>8} {:>10.2} {:>10.2} {growth:>7.1}×{note}", milliseconds(half), milliseconds(whole));
}
