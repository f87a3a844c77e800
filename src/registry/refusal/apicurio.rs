//! Apicurio's words: `reason at /path, reason at /path]`, where reasons, and names in paths, may hold commas too.

use super::{MAX_VIOLATIONS, Violation, avro};
use crate::registry::text::one_line;

/// The violations of a list of differences.
pub(super) fn violations(diffs: &str) -> Vec<Violation> {
    let diffs = diffs.strip_suffix(']').unwrap_or(diffs);
    let mut violations = Vec::new();
    let (mut start, mut piece) = (0, 0);
    // A comma ends a difference once its path was there; one before that is part of the reason.
    for (end, separator) in diffs.match_indices(", ").chain([(diffs.len(), "")]) {
        let has_path = diffs[piece..end].contains(" at /");
        piece = end + separator.len();
        if !has_path {
            continue;
        }
        if let Some((reason, path)) = diffs[start..end].rsplit_once(" at /") {
            // 3.0.9 repeats a difference for every version under a transitive level.
            let violation = violation(reason, path);
            if !violations.contains(&violation) {
                violations.push(violation);
            }
        }
        start = piece;
        if violations.len() == MAX_VIOLATIONS {
            break;
        }
    }
    violations
}

fn violation(reason: &str, path: &str) -> Violation {
    let path = format!("/{path}");
    let is_name =
        !reason.is_empty() && reason.chars().all(|character| character.is_ascii_uppercase() || character == '_');
    if is_name && reason.contains('_') {
        // 3.0.9 names the rule and says no more.
        return Violation {
            rule: Some(one_line(reason)),
            path: Some(one_line(&path)),
            version: None,
            message: one_line(reason),
        };
    }
    avro::violation(Some(&path), reason)
}
