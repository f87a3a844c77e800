//! One subject as a registry keeps it: versions that come and go, and a level. Only what it is asked is modelled; what
//! a candidate is told comes from the engine.

use std::collections::BTreeSet;

use schema_registrar::api::{Level, SchemaType};
use schema_registrar::compat::engine::{self, Unreadable};
use schema_registrar::compat::history::{Past, judge_candidate};
use schema_registrar::compat::levels::{Verdict, Violation};
use schema_registrar::compat::{Direction, Policy, Profile};
use schema_registrar::schema::{Form, Reading, Version};
use serde_json::{Value, json};

/// What a registry without a configuration of its own goes by.
const DEFAULT_LEVEL: Level = Level::Backward;

/// A text of some type.
#[derive(Clone, Copy, Debug)]
pub struct Text<'t> {
    pub schema_type: SchemaType,
    pub text: &'t str,
}

/// What a candidate is compared with.
#[derive(Clone, Copy, Debug)]
pub enum Against {
    /// The latest live version, if there is one.
    Latest,
    /// Every live version.
    All,
    /// One version, which has to be live.
    Number(i64),
}

/// Which version is deleted.
#[derive(Clone, Copy, Debug)]
pub enum Which {
    Latest,
    Number(i64),
}

struct Kept {
    number: i64,
    schema_type: SchemaType,
    text: String,
    is_live: bool,
}

impl Kept {
    fn text(&self) -> Text<'_> {
        Text { schema_type: self.schema_type, text: &self.text }
    }
}

/// The subject.
pub struct Subject {
    profile: &'static Profile,
    versions: Vec<Kept>,
    level: Option<Level>,
}

impl Subject {
    pub fn new(profile: &'static Profile) -> Subject {
        Subject { profile, versions: Vec::new(), level: None }
    }

    pub fn set_level(&mut self, level: Level) -> Value {
        self.level = Some(level);
        json!({ "status": 200 })
    }

    /// A text that a live version has keeps that version, whatever the level; else it is judged against the live ones.
    pub fn register(&mut self, new: Text<'_>) -> Value {
        let candidate = self.read(new, Reading::New);
        if let Err(Unreadable::Invalid(_)) = candidate {
            return failure(422, 42201);
        }
        if let Some(number) = self.find(new) {
            return json!({ "status": 200, "version": number });
        }
        let live: Vec<i64> = self.live().collect();
        match self.judge(new, &live) {
            Verdict::Compatible => {}
            Verdict::Incompatible(violations) => return self.told(failure(409, 40901), &violations),
            Verdict::RegistryError(_) => return failure(500, 500),
            Verdict::Unsupported(why) => return json!({ "cannot be told": why }),
        }
        let number = self.versions.iter().map(|kept| kept.number).max().unwrap_or(0) + 1;
        let Text { schema_type, text } = new;
        self.versions.push(Kept { number, schema_type, text: text.to_owned(), is_live: true });
        json!({ "status": 200, "version": number })
    }

    /// Never looks the text up: also one that is registered is compared.
    pub fn check(&self, new: Text<'_>, against: Against) -> Value {
        if let Err(Unreadable::Invalid(_)) = self.read(new, Reading::New) {
            return json!({ "status": 200, "is_compatible": false });
        }
        let live: Vec<i64> = self.live().collect();
        let versions = match against {
            Against::All => live,
            Against::Latest => live.last().copied().into_iter().collect(),
            Against::Number(number) if live.contains(&number) => vec![number],
            Against::Number(_) => return failure(404, 40402),
        };
        match self.judge(new, &versions) {
            Verdict::Compatible => json!({ "status": 200, "is_compatible": true }),
            Verdict::Incompatible(violations) => {
                self.told(json!({ "status": 200, "is_compatible": false }), &violations)
            }
            Verdict::RegistryError(_) => failure(500, 500),
            Verdict::Unsupported(why) => json!({ "cannot be told": why }),
        }
    }

    pub fn lookup(&self, wanted: Text<'_>) -> Value {
        match self.find(wanted) {
            Some(number) => json!({ "status": 200, "version": number }),
            None => failure(404, 40403),
        }
    }

    pub fn versions(&self) -> Value {
        json!({ "status": 200, "value": self.live().collect::<Vec<_>>() })
    }

    /// A version is hidden first; only a hidden one can be deleted for good.
    pub fn delete_version(&mut self, which: Which, permanent: bool) -> Value {
        let number = match which {
            Which::Number(number) => Some(number),
            Which::Latest => self.live().last(),
        };
        let Some(at) = self.versions.iter().position(|kept| Some(kept.number) == number) else {
            return failure(404, 40402);
        };
        match (permanent, self.versions[at].is_live) {
            (false, true) => self.versions[at].is_live = false,
            (false, false) => return failure(404, 40406),
            (true, true) => return failure(404, 40407),
            (true, false) => drop(self.versions.remove(at)),
        }
        json!({ "status": 200, "value": number })
    }

    /// The subject's level stays.
    pub fn delete_subject(&mut self, permanent: bool) -> Value {
        let live: Vec<i64> = self.live().collect();
        if !permanent {
            self.versions.iter_mut().for_each(|kept| kept.is_live = false);
            return json!({ "status": 200, "value": live });
        }
        if !live.is_empty() {
            return failure(404, 40405);
        }
        let hidden: Vec<i64> = self.versions.drain(..).map(|kept| kept.number).collect();
        json!({ "status": 200, "value": hidden })
    }

    fn live(&self) -> impl Iterator<Item = i64> {
        self.versions.iter().filter(|kept| kept.is_live).map(|kept| kept.number)
    }

    fn find(&self, wanted: Text<'_>) -> Option<i64> {
        let wanted = form(wanted);
        let same = self.versions.iter().filter(|kept| kept.is_live && form(kept.text()) == wanted);
        same.map(|kept| kept.number).max()
    }

    fn level(&self) -> Level {
        self.level.unwrap_or(DEFAULT_LEVEL)
    }

    fn read(&self, text: Text<'_>, reading: Reading) -> Result<engine::Parsed, Unreadable> {
        engine::read(text.schema_type, text.text, &[], reading, self.profile)
    }

    fn judge(&self, new: Text<'_>, versions: &[i64]) -> Verdict {
        let candidate = self.read(new, Reading::New);
        let named = self.versions.iter().filter(|kept| versions.contains(&kept.number));
        let past = |kept: &Kept| Past {
            version: Version::new(kept.number).expect("versions count from 1"),
            schema: self.read(kept.text(), Reading::Stored),
        };
        let history: Vec<Past> = named.map(past).collect();
        judge_candidate(&candidate, &history, self.level(), self.profile, Policy::Strict).verdict
    }

    /// What the registry's messages tell: the version that it stopped at, and what it found there. Confluent leaves the
    /// version out where a level asks for both directions and the forward one alone fails, and tells of another type in
    /// a plain sentence.
    fn told(&self, mut answer: Value, violations: &[Violation]) -> Value {
        let stopped_at = violations[0].version;
        let there = || violations.iter().filter(|violation| violation.version == stopped_at);
        let types: BTreeSet<&str> = there().map(|violation| violation.difference.rule).collect();
        if types.contains("SCHEMA_TYPE_CHANGED") {
            return answer;
        }
        answer["error_types"] = json!(types);
        let asks_both = matches!(self.level(), Level::Full | Level::FullTransitive);
        if !asks_both || there().any(|violation| violation.direction == Direction::Backward) {
            answer["blamed_version"] = json!(stopped_at.number());
        }
        answer
    }
}

fn form(text: Text<'_>) -> Form {
    Form::read(text.schema_type, text.text).expect("the texts can be read")
}

fn failure(status: u16, code: u32) -> Value {
    json!({ "status": status, "error_code": code })
}
