//! Small parts of sentences.

use super::{Advice, Code};

/// An advice with a remedy.
pub(super) fn advice(code: Code, path: impl Into<String>, message: String, remedy: impl Into<String>) -> Advice {
    Advice { code, path: path.into(), message, remedy: Some(remedy.into()) }
}

/// `the schema` where there is no name for it.
pub(super) fn named(subject: &str) -> &str {
    if subject.is_empty() { "the schema" } else { subject }
}

/// `currency` of `field currency`, the way it is said in what to do.
pub(super) fn bare(subject: &str) -> &str {
    subject.strip_prefix("field ").unwrap_or(subject)
}

/// How many names a sentence lists.
const MOST_LISTED: usize = 5;

/// `a`, `a and b`, `a, b and c`, `a, b, c, d, e and 7 more`.
pub(super) fn listed<S: AsRef<str>>(names: &[S]) -> String {
    let shown = if names.len() > MOST_LISTED + 1 { MOST_LISTED } else { names.len() };
    let more = names.len() - shown;
    let mut parts: Vec<String> = names[..shown].iter().map(|name| name.as_ref().to_owned()).collect();
    if more > 0 {
        parts.push(format!("{more} more"));
    }
    match parts.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, before)) => format!("{} and {last}", before.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_cut_with_a_count() {
        let names = |count: usize| (1..=count).map(|at| format!("f{at}")).collect::<Vec<_>>();
        assert_eq!(listed(&names(0)), "");
        assert_eq!(listed(&names(1)), "f1");
        assert_eq!(listed(&names(3)), "f1, f2 and f3");
        assert_eq!(listed(&names(6)), "f1, f2, f3, f4, f5 and f6");
        assert_eq!(listed(&names(9)), "f1, f2, f3, f4, f5 and 4 more");
    }
}
