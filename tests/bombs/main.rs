//! Schemas that are made to take long, or much memory, or the whole process: each is answered with a verdict or an
//! error, in less than a second of an optimised build, in less than 64 MiB, on the stack of an ordinary thread.

mod avro;
mod core_time;
mod json;
mod protobuf;

use std::time::{Duration, Instant};

use core_time::core_time;
use peak_alloc::PeakAlloc;
use schema_registrar::api::{Level, SchemaType};
use schema_registrar::compat::advice::{Change, frozen, of_change};
use schema_registrar::compat::engine::{self, Parsed, Unreadable};
use schema_registrar::compat::history::{Past, judge_candidate};
use schema_registrar::compat::levels::Verdict;
use schema_registrar::compat::{CONFLUENT_8_3, CONFLUENT_NEXT, Policy, Profile};
use schema_registrar::schema::{Form, Reading, Reference, Version};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// What a thread of the operator has.
const STACK: usize = 2 << 20;
/// Beyond the texts themselves.
const MOST_MEMORY: usize = 64 << 20;
/// Of a core's time, since other tests share the machine. Code that is not optimised takes many times as long.
const MOST_TIME: Duration = Duration::from_secs(if cfg!(debug_assertions) { 12 } else { 1 });

/// Two versions of a schema.
pub struct Bomb {
    /// What it is.
    pub name: &'static str,
    /// The schema before.
    pub old: String,
    /// The schema after.
    pub new: String,
    /// What both refer to.
    pub references: Vec<(String, String)>,
}

/// A schema that is compared with itself.
pub fn alone(name: &'static str, text: String) -> Bomb {
    pair(name, text.clone(), text)
}

/// A schema, and what it becomes.
pub fn pair(name: &'static str, old: String, new: String) -> Bomb {
    Bomb { name, old, new, references: Vec::new() }
}

const PROFILES: [&Profile; 2] = [&CONFLUENT_8_3, &CONFLUENT_NEXT];

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes unoptimised: cargo test --release --test bombs")]
fn every_bomb_is_answered_within_bounds() {
    let formats = [
        (SchemaType::Avro, avro::bombs as fn() -> Vec<Bomb>),
        (SchemaType::Json, json::bombs),
        (SchemaType::Protobuf, protobuf::bombs),
    ];
    let mut wrong = Vec::new();
    for (schema_type, bombs) in formats {
        for bomb in bombs() {
            for profile in PROFILES {
                let name = format!("{schema_type} {} ({})", bomb.name, profile.name);
                wrong.extend(explode(&name, || bomb.judge(schema_type, profile)));
                wrong.extend(explode(&format!("{name}, frozen"), || bomb.freeze(schema_type, profile)));
            }
        }
    }
    assert!(wrong.is_empty(), "{} are out of bounds:\n{}", wrong.len(), wrong.join("\n"));
}

/// Does something with a schema; what was out of bounds. What was too slow is tried once more: a machine that is shared
/// may be slow for a moment.
fn explode(name: &str, with: impl Fn() -> String + Sync) -> Option<String> {
    let (time, wrong) = measured(name, &with);
    if time > MOST_TIME { measured(name, &with).1 } else { wrong }
}

/// The time that it took, and what was out of bounds.
fn measured(name: &str, with: &(impl Fn() -> String + Sync)) -> (Duration, Option<String>) {
    MEMORY.reset_peak_usage();
    let (before, start) = (MEMORY.current_usage(), core_time());
    let thread = std::thread::Builder::new().stack_size(STACK);
    let answer = std::thread::scope(|scope| thread.spawn_scoped(scope, with).expect("a thread starts").join());
    let (time, memory) = (core_time().saturating_sub(start), MEMORY.peak_usage().saturating_sub(before));
    let answer = answer.unwrap_or_else(|_| "panicked".to_owned());
    let mebibytes = memory as f64 / f64::from(1 << 20);
    let told = format!("{name}: {} ms, {mebibytes:.1} MiB: {answer}", time.as_millis());
    println!("{told}");
    (time, (time > MOST_TIME || memory > MOST_MEMORY || answer == "panicked").then_some(told))
}

impl Bomb {
    fn read(
        &self,
        text: &str,
        reading: Reading,
        schema_type: SchemaType,
        profile: &Profile,
    ) -> Result<Parsed, Unreadable> {
        let references: Vec<Reference<'_>> =
            self.references.iter().map(|(name, text)| Reference { name, text }).collect();
        engine::read(schema_type, text, &references, reading, profile)
    }

    /// What is asked of a level's history.
    fn freeze(&self, schema_type: SchemaType, profile: &Profile) -> String {
        let past = |(number, text)| Past {
            version: Version::new(number).expect("it is positive"),
            schema: self.read(text, Reading::Stored, schema_type, profile),
        };
        let history = [(1, &*self.old), (2, &*self.new)].map(past);
        let advice = frozen(Level::FullTransitive, &history, profile, Policy::Strict);
        advice.map_or_else(|| "takes more".to_owned(), |advice| short(&advice.message))
    }

    /// All that is done about a change.
    fn judge(&self, schema_type: SchemaType, profile: &Profile) -> String {
        let mut clock = Clock(Instant::now(), String::new());
        // Whether it is the same schema is asked before anything else.
        let _same = Form::read(schema_type, &self.old).ok() == Form::read(schema_type, &self.new).ok();
        clock.tick("form");
        let new = self.read(&self.new, Reading::New, schema_type, profile);
        let old = self.read(&self.old, Reading::Stored, schema_type, profile);
        let history = [Past { version: Version::FIRST, schema: old }];
        clock.tick("read");
        let verdict = judge_candidate(&new, &history, Level::FullTransitive, profile, Policy::Strict).verdict;
        clock.tick("judge");
        let advice = match (&new, &history[0].schema) {
            (Ok(new), Ok(old)) => format!(", {} advice", advice(old, new, profile)),
            (Err(Unreadable::Invalid(why) | Unreadable::Unsupported(why)), _) => format!(", new: {}", short(why)),
            (_, Err(why)) => format!(", old: {}", short(&why.to_string())),
        };
        clock.tick("advice");
        let advice = format!("{advice} [{}]", clock.1);
        match verdict {
            Verdict::Compatible => format!("compatible{advice}"),
            Verdict::Incompatible(violations) => {
                let first = &violations[0];
                let told = engine::sentence(schema_type, &first.difference, first.direction, first.version);
                format!("incompatible, {} violations{advice}: {}", violations.len(), short(&told))
            }
            Verdict::RegistryError(why) => format!("the registry fails: {}", short(&why)),
            Verdict::Unsupported(why) => format!("cannot be told: {}{advice}", short(&why)),
        }
    }
}

/// What took how long, in milliseconds.
struct Clock(Instant, String);

impl Clock {
    fn tick(&mut self, what: &str) {
        let passed = self.0.elapsed().as_millis();
        if passed > 0 {
            self.1.push_str(&format!("{what} {passed} "));
        }
        self.0 = Instant::now();
    }
}

fn advice(old: &Parsed, new: &Parsed, profile: &Profile) -> usize {
    let (level, policy) = (Level::FullTransitive, Policy::Strict);
    let change = Change { old, new, old_name: "version 1", level, profile, policy, is_key: false };
    of_change(&change).len()
}

fn short(text: &str) -> String {
    let start: String = text.chars().take(70).collect();
    if start.len() < text.len() { format!("{start}…") } else { start }
}
