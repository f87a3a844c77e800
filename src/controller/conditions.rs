//! Builds a status' conditions from the ones before. Pure.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, Time};

use crate::api::{Reason, condition, find_condition};
use crate::schema::shown::{self, Limit};

/// The longest message that a condition carries, in bytes: one readable line.
const MAX_MESSAGE: usize = 1024;

/// The state of Ready and of the conditions that go with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Ready.
    pub ready: Truth,
    /// Whether only a person can help, or work is under way.
    pub progress: Progress,
    /// One word, for Ready and its companion.
    pub reason: Reason,
    /// One line for a person.
    pub message: String,
    /// Compatible, for kinds that have it.
    pub compatible: Option<(Truth, Reason, String)>,
    /// Whether someone else moved the subject.
    pub drifted: bool,
}

/// The status of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// It is so.
    True,
    /// It is not so.
    False,
    /// Nobody can tell.
    Unknown,
}

/// What goes on about a resource. Never both stalled and under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Nothing more to do, or nothing that is to be done.
    Settled,
    /// Work is under way.
    Reconciling,
    /// Only a person can help.
    Stalled,
}

impl Truth {
    fn as_str(self) -> &'static str {
        match self {
            Truth::True => "True",
            Truth::False => "False",
            Truth::Unknown => "Unknown",
        }
    }
}

/// The conditions that say so. A condition whose status stays keeps the time of its last transition.
pub fn conditions(verdict: &Verdict, before: &[Condition], generation: i64, now: &Time) -> Vec<Condition> {
    let one = |condition_type: &str, truth: Truth, reason: Reason, message: &str| {
        let previous = find_condition(before, condition_type).filter(|previous| previous.status == truth.as_str());
        Condition {
            type_: condition_type.to_owned(),
            status: truth.as_str().to_owned(),
            reason: reason.as_str().to_owned(),
            message: one_line(message, MAX_MESSAGE),
            observed_generation: Some(generation),
            last_transition_time: previous
                .map_or_else(|| now.clone(), |previous| previous.last_transition_time.clone()),
        }
    };
    let (reason, message) = (verdict.reason, verdict.message.as_str());
    let mut all = vec![one(condition::READY, verdict.ready, reason, message)];
    if let Some((truth, reason, message)) = &verdict.compatible {
        all.push(one(condition::COMPATIBLE, *truth, *reason, message));
    }
    match verdict.progress {
        Progress::Settled => {}
        Progress::Reconciling => all.push(one(condition::RECONCILING, Truth::True, reason, message)),
        Progress::Stalled => all.push(one(condition::STALLED, Truth::True, reason, message)),
    }
    if verdict.drifted {
        all.push(one(condition::DRIFTED, Truth::True, reason, message));
    }
    all
}

/// The conditions of a status that stays as it is: they speak of the generation that it speaks of, whatever the spec has
/// become. Nothing was observed where that is none.
pub fn frozen(verdict: &Verdict, before: &[Condition], observed: Option<i64>, now: &Time) -> Vec<Condition> {
    let observed = observed.filter(|generation| *generation >= 0);
    let mut all = conditions(verdict, before, 0, now);
    all.iter_mut().for_each(|condition| condition.observed_generation = observed);
    all
}

/// Text on one line, with nothing in it that hides, and no longer than `limit` bytes.
pub fn one_line(text: &str, limit: usize) -> String {
    shown::one_line(text, Limit::Bytes(limit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use k8s_openapi::jiff::Timestamp;

    fn at(second: i64) -> Time {
        Time(Timestamp::from_second(second).unwrap())
    }

    fn verdict(ready: Truth, progress: Progress) -> Verdict {
        let message = "m".to_owned();
        Verdict { ready, progress, reason: Reason::InSync, message, compatible: None, drifted: false }
    }

    #[test]
    fn a_status_that_stays_keeps_its_time_and_one_that_flips_does_not() {
        let first = conditions(&verdict(Truth::False, Progress::Stalled), &[], 1, &at(1));
        let second = conditions(&verdict(Truth::False, Progress::Reconciling), &first, 2, &at(2));
        assert_eq!(find_condition(&second, "Ready").unwrap().last_transition_time, at(1));
        assert_eq!(find_condition(&second, "Ready").unwrap().observed_generation, Some(2));
        assert_eq!(find_condition(&second, "Reconciling").unwrap().last_transition_time, at(2));
        assert!(find_condition(&second, "Stalled").is_none(), "absent unless true");
        let third = conditions(&verdict(Truth::True, Progress::Settled), &second, 2, &at(3));
        assert_eq!(find_condition(&third, "Ready").unwrap().last_transition_time, at(3));
    }

    #[test]
    fn a_message_is_one_bounded_line() {
        assert_eq!(one_line("a\n  b\u{7}\tc", 80), "a b c");
        assert_eq!(one_line("ä".repeat(10).as_str(), 9), "äää…");
    }
}
