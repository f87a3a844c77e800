//! Tables of changes with what a registry answers to them, put to the engine as a whole: texts, a level, a profile.

use schema_registrar::api::{Level, SchemaType};
use schema_registrar::compat::engine::{self, Parsed, Unreadable};
use schema_registrar::compat::history::{Past, judge_candidate};
use schema_registrar::compat::levels::{Verdict, Violation};
use schema_registrar::compat::{CONFLUENT_7_9, CONFLUENT_8_3, CONFLUENT_NEXT, Policy, Profile};
use schema_registrar::schema::{Reading, Reference, Version};

/// A change, and what is answered to it.
pub struct Row {
    /// The number of the report that it comes from.
    pub number: u32,
    /// What it is about.
    pub about: &'static str,
    /// The live versions, oldest first.
    pub old: &'static [&'static str],
    /// The candidate.
    pub new: &'static str,
    /// What the versions refer to: name and text.
    pub old_references: &'static [(&'static str, &'static str)],
    /// What the candidate refers to.
    pub new_references: &'static [(&'static str, &'static str)],
    /// A question such as `BACKWARD`, `FULL LENIENT` or `BACKWARD next`, and the answer: `ok`, `500`, `42201`, or what
    /// breaks: `RULE path, RULE path`, with the version before it where it is not the only one.
    pub says: &'static [(&'static str, &'static str)],
}

/// A change of one version without references.
pub const fn row(
    number: u32,
    about: &'static str,
    old: &'static [&'static str],
    new: &'static str,
    says: &'static [(&'static str, &'static str)],
) -> Row {
    Row { number, about, old, new, old_references: &[], new_references: &[], says }
}

/// Puts every question of every row; says how many there were.
pub fn check(schema_type: SchemaType, rows: &[Row]) {
    let mut wrong = Vec::new();
    let mut asked = 0;
    for row in rows {
        assert!(!row.says.is_empty(), "report {} asks nothing", row.number);
        for (question, expected) in row.says {
            asked += 1;
            let answer = row.ask(schema_type, question);
            if answer != *expected {
                wrong.push(format!("{} ({}) {question}: {answer}, not {expected}", row.number, row.about));
            }
        }
    }
    println!("{schema_type}: {} rows, {asked} questions, {} answered otherwise", rows.len(), wrong.len());
    assert!(wrong.is_empty(), "{} of {asked}:\n{}", wrong.len(), wrong.join("\n"));
}

impl Row {
    fn ask(&self, schema_type: SchemaType, question: &str) -> String {
        let (level, profile, policy) = understand(question);
        let read = |text: &str, references: &[(&str, &str)], reading| -> Result<Parsed, Unreadable> {
            let references: Vec<Reference<'_>> =
                references.iter().map(|&(name, text)| Reference { name, text }).collect();
            engine::read(schema_type, text, &references, reading, profile)
        };
        let candidate = read(self.new, self.new_references, Reading::New);
        if let Err(Unreadable::Invalid(_)) = candidate {
            return "42201".to_owned();
        }
        let past = |(version, text): (i64, &&str)| Past {
            version: Version::new(version).expect("versions count from 1"),
            schema: read(text, self.old_references, Reading::Stored),
        };
        let history: Vec<Past> = (1..).zip(self.old).map(past).collect();
        told(&judge_candidate(&candidate, &history, level, profile, policy).verdict, history.len() > 1)
    }
}

fn understand(question: &str) -> (Level, &'static Profile, Policy) {
    let (mut profile, mut policy) = (&CONFLUENT_8_3, Policy::Strict);
    let mut words = question.split(' ');
    let level = words.next().and_then(|word| word.parse().ok()).unwrap_or_else(|| unreachable!("{question}"));
    for word in words {
        match word {
            "next" => profile = &CONFLUENT_NEXT,
            "7.9" => profile = &CONFLUENT_7_9,
            "LENIENT" => policy = Policy::Lenient,
            _ => unreachable!("{question}"),
        }
    }
    (level, profile, policy)
}

fn told(verdict: &Verdict, names_versions: bool) -> String {
    let line = |violation: &Violation| {
        let version = if names_versions { format!("v{} ", violation.version) } else { String::new() };
        format!("{version}{} {}", violation.difference.rule, violation.difference.path)
    };
    match verdict {
        Verdict::Compatible => "ok".to_owned(),
        Verdict::Incompatible(violations) => violations.iter().map(line).collect::<Vec<_>>().join(", "),
        Verdict::RegistryError(_) => "500".to_owned(),
        Verdict::Unsupported(why) => format!("cannot be told: {why}"),
    }
}
