//! The advice in status: what a change brought up, what the registry made of it, and what was acknowledged. Pure.

use std::collections::HashSet;

use super::decision::{InSync, Plan, Refused};
use super::observed::{EngineAnswer, Observed};
use super::words;
use crate::api::{Acknowledgement, AdviceStatus, SchemaStatus};
use crate::compat::advice::Code;
use crate::controller::words::advice_status;

/// The registry takes the latest version for the spec, though it holds another text.
pub const REGISTRY_IGNORED_CHANGE: &str = "RegistryIgnoredChange";
/// Registry and own check say different things about the change.
const VERDICTS_DIFFER: &str = "VerdictsDiffer";
/// An acknowledgement names advice that there is none of.
const UNKNOWN_CODE: &str = "UnknownCode";
/// Stands for what was cut.
const MORE: &str = "MoreAdvice";

/// How much advice is listed.
const MAX_ADVICE: usize = 12;
/// How many acknowledgements of no advice are listed.
const MAX_UNKNOWN: usize = 8;

/// The advice to show. `told` is the status before, where it speaks of the same version.
pub fn advice(seen: &Observed, plan: &Plan, told: Option<&SchemaStatus>) -> Vec<AdviceStatus> {
    let mut all: Vec<AdviceStatus> = ignored_change(seen, plan).into_iter().collect();
    match (&seen.judged, told) {
        (Some(judged), _) => {
            all.extend(verdicts_differ(seen, plan));
            all.extend(judged.advice.iter().map(advice_status));
        }
        // Nobody compared anew: what was said of this version still holds.
        (None, Some(told)) => all.extend(told.advice.iter().filter(|advice| is_of_change(&advice.code)).cloned()),
        (None, None) => {}
    }
    all.retain(|advice| !seen.acknowledged.iter().any(|known| acknowledges(known, advice)));
    let more = all.len().saturating_sub(MAX_ADVICE);
    if more > 0 {
        all.truncate(MAX_ADVICE);
        all.push(plain(MORE, format!("and {} more; schema-registrar compare lists all", counted(more))));
    }
    let mut told = HashSet::new();
    all.extend(seen.acknowledged.iter().filter(|known| told.insert(&known.code)).filter_map(unknown).take(MAX_UNKNOWN));
    all
}

/// Whether the advice came with a change, and stays until the next one.
fn is_of_change(code: &str) -> bool {
    code == VERDICTS_DIFFER || code == MORE || code.parse::<Code>().is_ok()
}

fn acknowledges(known: &Acknowledgement, advice: &AdviceStatus) -> bool {
    known.code == advice.code && (known.path.is_none() || known.path == advice.path)
}

/// A code that is misspelt silences nothing, which nobody would notice.
fn unknown(known: &Acknowledgement) -> Option<AdviceStatus> {
    let is_known = known.code == REGISTRY_IGNORED_CHANGE || is_of_change(&known.code);
    let message =
        || format!("spec.acknowledge names {}, which is the code of no advice; correct or remove it", known.code);
    (!is_known).then(|| plain(UNKNOWN_CODE, message()))
}

fn ignored_change(seen: &Observed, plan: &Plan) -> Option<AdviceStatus> {
    let ignored = matches!(plan, Plan::InSync(InSync::LatestToRegistry));
    words::registry_ignored_change(seen).filter(|_| ignored).map(|message| plain(REGISTRY_IGNORED_CHANGE, message))
}

/// The registry decided alone, and otherwise than our own check would have.
fn verdicts_differ(seen: &Observed, plan: &Plan) -> Option<AdviceStatus> {
    let judged = seen.judged.as_ref().filter(|judged| judged.is_of_candidate)?;
    match (plan, judged.answer) {
        (Plan::InSync(_), EngineAnswer::Incompatible) => Some(plain(VERDICTS_DIFFER, words::only_registry_takes(seen))),
        (Plan::Refused(Refused::Incompatible { .. }), EngineAnswer::Compatible) => {
            Some(plain(VERDICTS_DIFFER, words::only_registry_refuses(seen)))
        }
        _ => None,
    }
}

fn plain(code: &str, message: String) -> AdviceStatus {
    AdviceStatus { code: code.to_owned(), message, path: None }
}

fn counted(more: usize) -> String {
    if more == 1 { "1 piece of advice".to_owned() } else { format!("{more} pieces of advice") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn acknowledgement(code: &str, path: Option<&str>) -> Acknowledgement {
        Acknowledgement { code: code.into(), path: path.map(Into::into), reason: "read".into() }
    }

    fn at(path: Option<&str>) -> AdviceStatus {
        AdviceStatus { path: path.map(Into::into), ..plain("EnumGrew", "an enum grew".into()) }
    }

    #[test]
    fn an_acknowledgement_silences_one_path_or_all() {
        let everywhere = acknowledgement("EnumGrew", None);
        assert!(acknowledges(&everywhere, &at(Some("/fields/1"))) && acknowledges(&everywhere, &at(None)));
        let one = acknowledgement("EnumGrew", Some("/fields/1"));
        assert!(acknowledges(&one, &at(Some("/fields/1"))));
        assert!(!acknowledges(&one, &at(Some("/fields/2"))), "another path");
        assert!(!acknowledges(&acknowledgement("DefaultChanged", None), &at(None)), "another code");
    }

    #[test]
    fn a_code_that_there_is_none_of_is_told() {
        let told = unknown(&acknowledgement("EnumGrow", None)).map(|advice| advice.message);
        let words = "spec.acknowledge names EnumGrow, which is the code of no advice; correct or remove it";
        assert_eq!(told.as_deref(), Some(words));
        for known in Code::ALL.map(Code::as_str).into_iter().chain([REGISTRY_IGNORED_CHANGE, VERDICTS_DIFFER]) {
            assert_eq!(unknown(&acknowledgement(known, None)), None);
        }
    }
}
