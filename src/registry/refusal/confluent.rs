//! Confluent's words, and Redpanda's after them: a list of items in braces, with single or double quotes or, in JSON
//! Schema's, a double one that a single one closes.

use super::{MAX_VIOLATIONS, Violation, avro, karapace};
use crate::registry::text::one_line;
use crate::schema::Version;

/// What an item in braces can start with.
const ITEMS: [&str; 4] = ["{errorType:", "{oldSchemaVersion:", "{oldSchema:", "{validateFields:"];

/// The items of a list as it stands in a refused register: `item, item, …]`.
pub(super) fn items(details: &str) -> Vec<&str> {
    // The old schema comes last but for the settings, and may hold anything.
    let details = match details.find("{oldSchema:") {
        Some(at) => details[..at].trim_end_matches(", "),
        None => details.strip_suffix(']').unwrap_or(details),
    };
    let mut items = Vec::new();
    let mut start = 0;
    for (at, separator) in details.match_indices(", {") {
        let next = at + separator.len() - 1;
        if ITEMS.iter().any(|item| details[next..].starts_with(item)) {
            items.push(&details[start..at]);
            start = next;
        }
        if items.len() > MAX_VIOLATIONS {
            return items;
        }
    }
    items.push(&details[start..]);
    items
}

/// Violations from items. The version that an item names is that of the violations before it.
pub(super) fn violations<'a>(items: impl IntoIterator<Item = &'a str>) -> Vec<Violation> {
    let mut violations: Vec<Violation> = Vec::new();
    for item in items {
        let item = item.trim();
        if let Some(version) = item.strip_prefix("{oldSchemaVersion:") {
            let digits = version.trim_start().split(|character: char| !character.is_ascii_digit()).next();
            let version = digits.and_then(|digits| digits.parse().ok()).and_then(Version::new);
            violations.iter_mut().for_each(|violation| violation.version = violation.version.or(version));
        } else if !item.is_empty() && !item.starts_with("{oldSchema:") && !item.starts_with("{validateFields:") {
            violations.push(violation(item));
        }
        if violations.len() == MAX_VIOLATIONS {
            break;
        }
    }
    violations
}

fn violation(item: &str) -> Violation {
    if let Some(fields) = item.strip_prefix("{errorType:") {
        return described(fields);
    }
    if let Some(fields) = item.split_once("Incompatibility{type:").map(|(_, fields)| fields) {
        return of_avro_library(fields);
    }
    if let Some((_, fields)) = item.split_once("Difference{") {
        return of_difference(fields);
    }
    karapace::violation(item)
}

/// `'RULE', description:'…', additionalInfo:'…'}`, since 7.4.
fn described(fields: &str) -> Violation {
    let (rule, rest) = fields.split_once(", description:").unwrap_or((fields, ""));
    let (description, additional) = rest.split_once(", additionalInfo:").unwrap_or((rest, ""));
    let (description, additional) = (unquoted(description), unquoted(additional));
    let message = match additional {
        "" => description.to_owned(),
        // A field's name that the description says already.
        name if description.contains(&format!("'{name}'")) => description.to_owned(),
        more => format!("{description} ({more})"),
    };
    Violation { rule: name(unquoted(rule)), path: quoted_path(description), version: None, message: one_line(&message) }
}

/// `RULE, location:…, message:…, reader:…, writer:…}`, of the Avro library, before 7.4.
fn of_avro_library(fields: &str) -> Violation {
    let (rule, rest) = fields.split_once(", location:").unwrap_or((fields, ""));
    let (path, rest) = rest.split_once(", message:").unwrap_or((rest, ""));
    let message = rest.split(", reader:").next().unwrap_or_default();
    Violation { rule: name(rule), ..avro::violation(Some(path), message) }
}

/// `jsonPath='…', type=RULE}` and `fullPath='…', type=RULE}`, before 7.4.
fn of_difference(fields: &str) -> Violation {
    let (path, rule) = fields.split_once(", type=").unwrap_or((fields, ""));
    let path = path.split_once('=').map(|(_, path)| one_line(unquoted(path)));
    let rule = name(rule.trim_end_matches('}'));
    let message =
        format!("{} at {}", rule.as_deref().unwrap_or("a difference"), path.as_deref().unwrap_or("an unknown place"));
    Violation { rule, path, version: None, message: one_line(&message) }
}

/// A text without the brace that closes its item, and without one quote at each end.
fn unquoted(text: &str) -> &str {
    let text = text.trim();
    let text = text.strip_suffix('}').unwrap_or(text);
    let text = text.strip_prefix(['\'', '"']).unwrap_or(text);
    text.strip_suffix(['\'', '"']).unwrap_or(text)
}

/// A rule's name, if it is one.
fn name(text: &str) -> Option<String> {
    let fits = text.len() <= 100 && text.chars().all(|character| character.is_ascii_alphanumeric() || character == '_');
    (fits && !text.is_empty()).then(|| text.to_owned())
}

/// The path in `… at path '/fields/1' in …`: up to a quote that ends a word, since names may hold quotes.
fn quoted_path(description: &str) -> Option<String> {
    let start =
        ["path '", "path: '", " at '"].iter().find_map(|lead| description.find(lead).map(|at| at + lead.len()))?;
    let rest = &description[start..];
    let end = rest.match_indices('\'').map(|(at, _)| at).find(|at| {
        let after = rest[at + 1..].chars().next();
        after.is_none_or(|after| after.is_whitespace() || after == ')')
    })?;
    Some(one_line(&rest[..end])).filter(|path| !path.is_empty())
}
