//! Words that several kinds use. Pure.

use super::conditions::one_line;
use crate::api::AdviceStatus;
use crate::compat::advice::Advice;
use crate::schema::Version;

/// Versions in one line: `3`, `1, 2, 5`, or their range where there are many.
pub fn versions(versions: &[Version]) -> String {
    const LISTED: usize = 12;
    let mut sorted = versions.to_vec();
    sorted.sort();
    match (sorted.as_slice(), sorted.len()) {
        ([first, .., last], many) if many > LISTED => format!("{first} to {last} ({many} versions)"),
        (all, _) => all.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
    }
}

/// A piece of advice as status tells it: what is the case, and what to do.
pub fn advice_status(advice: &Advice) -> AdviceStatus {
    let remedy = advice.remedy.as_ref().map(|remedy| format!("; {remedy}")).unwrap_or_default();
    AdviceStatus {
        code: advice.code.as_str().to_owned(),
        message: one_line(&format!("{}{remedy}", advice.message), 500),
        path: Some(one_line(&advice.path, 200)).filter(|path| !path.is_empty()),
    }
}
