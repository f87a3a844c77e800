//! A15: keywords that the registry does not look at, one function each.

use super::same::{demands, key};
use super::{Adviser, Breaks, Pair, Side, list, members};
use crate::schema::json::{Dialect, Object, Value};

impl<'v> Adviser<'_, 'v> {
    pub(super) fn keywords(&mut self, pair: &Pair<'v>, new: &'v Object<'v>, old: &'v Object<'v>) {
        self.format(pair, new, old);
        self.conditions(pair, new, old);
        self.schema_keyword(pair, new, old, "propertyNames");
        self.contains(pair, new, old);
        self.access(pair, new, old);
        self.type_asked(pair, new, old);
        self.type_of_bytes(pair, new, old);
        self.items_beside_nothing(pair, new, old);
    }

    /// additionalItems counts only beside a list of items; the registry takes it for a closed array all the same.
    fn items_beside_nothing(&mut self, pair: &Pair<'v>, new: &'v Object<'v>, old: &'v Object<'v>) {
        let is_closed = |object: &'v Object<'v>| matches!(object.get("additionalItems"), Some(Value::Bool(false)));
        let (is_listed, was_listed) = (!list(new, "items").is_empty(), !list(old, "items").is_empty());
        let breaks = Breaks {
            backward: is_listed && !was_listed && is_closed(old),
            forward: was_listed && !is_listed && is_closed(new),
        };
        if breaks == Breaks::NOBODY {
            return;
        }
        let (subject, version) = (self.subject(pair.place), &self.version);
        let what = match is_listed {
            true => format!("{subject} lists its items, and {version} does not"),
            false => format!("{subject} does not list its items, and {version} does"),
        };
        self.ignored(pair, "items", "additionalItems without a list of items", breaks, &what);
    }

    fn format(&mut self, pair: &Pair<'v>, new: &'v Object<'v>, old: &'v Object<'v>) {
        let text = |object: &'v Object<'v>| object.get("format").and_then(Value::as_str);
        let (is, was) = (text(new), text(old));
        let (breaks, what) = match (is, was) {
            (Some(is), Some(was)) if is != was => (Breaks::BOTH, format!("has format {is}, and {was}")),
            (Some(is), None) => (ADDED, format!("has format {is}, and none")),
            (None, Some(was)) => (REMOVED, format!("has no format, and {was}")),
            _ => return,
        };
        let what = format!("{} {what} in {}", self.subject(pair.place), self.version);
        self.ignored(pair, "format", "format", breaks, &what);
    }

    /// if, then and else: added they are told from what was there, removed they are welcome; changed they are not seen.
    fn conditions(&mut self, pair: &Pair<'v>, new: &'v Object<'v>, old: &'v Object<'v>) {
        let knows = |dialect| dialect >= Dialect::Seven;
        if !knows(pair.new.dialect()) || !knows(pair.old.dialect()) || !new.has("if") || !old.has("if") {
            return;
        }
        for keyword in ["if", "then", "else"] {
            let same = match (new.get(keyword), old.get(keyword)) {
                (Some(after), Some(before)) => self.same_children(pair, after, before),
                (None, None) => true,
                _ => false,
            };
            if !same {
                let subject = self.subject(pair.place);
                let what = format!("{keyword} of {subject} is another condition than in {}", self.version);
                self.ignored(pair, keyword, "if, then and else", Breaks::BOTH, &what);
                return;
            }
        }
    }

    /// A keyword that holds a schema which the registry does not compare.
    fn schema_keyword(&mut self, pair: &Pair<'v>, new: &'v Object<'v>, old: &'v Object<'v>, keyword: &str) {
        let (breaks, what) = match (new.get(keyword), old.get(keyword)) {
            (Some(after), Some(before)) if !self.same_children(pair, after, before) => {
                (Breaks::BOTH, "demands something else in")
            }
            (Some(_), None) => (ADDED, "is new against"),
            (None, Some(_)) => (REMOVED, "is gone since"),
            _ => return,
        };
        let what = format!("{keyword} of {} {what} {}", self.subject(pair.place), self.version);
        self.ignored(pair, keyword, keyword, breaks, &what);
    }

    /// Where minContains is compared, its coming with contains is seen.
    fn contains(&mut self, pair: &Pair<'v>, new: &'v Object<'v>, old: &'v Object<'v>) {
        let counts = self.change.profile.json.is_some_and(|rules| rules.compares_unevaluated);
        let is_seen = counts && pair.new.dialect() == Dialect::Later && new.has("contains") != old.has("contains");
        if !is_seen && pair.new.dialect() > Dialect::Four {
            self.schema_keyword(pair, new, old, "contains");
        }
    }

    /// readOnly and writeOnly.
    fn access(&mut self, pair: &Pair<'v>, new: &'v Object<'v>, old: &'v Object<'v>) {
        for keyword in ["readOnly", "writeOnly"] {
            let is = |object: &'v Object<'v>| matches!(object.get(keyword), Some(Value::Bool(true)));
            if is(new) && !is(old) {
                let what = format!("{} is {keyword}, and not in {}", self.subject(pair.place), self.version);
                self.ignored(pair, keyword, keyword, ADDED, &what);
            }
        }
    }

    /// What has keywords of a type without asking for it takes all that is of another type; to ask for it is no
    /// difference.
    fn type_asked(&mut self, pair: &Pair<'v>, new: &'v Object<'v>, old: &'v Object<'v>) {
        let breaks = match (asks_for_more(new, old), asks_for_more(old, new)) {
            (true, _) => ADDED,
            (_, true) => REMOVED,
            _ => return,
        };
        let (is, was) = (type_words(new), type_words(old));
        let (subject, version) = (self.subject(pair.place), &self.version);
        let what = match breaks {
            ADDED => format!("{subject} must be {is}, and may be {was} in {version}"),
            _ => format!("{subject} may be {is}, and must be {was} in {version}"),
        };
        self.ignored(pair, "type", "a type beside keywords of that type", breaks, &what);
    }

    /// `connect.type: bytes` on both sides is enough for the registry.
    fn type_of_bytes(&mut self, pair: &Pair<'v>, new: &'v Object<'v>, old: &'v Object<'v>) {
        let is_bytes = |object: &'v Object<'v>| object.get("connect.type").and_then(Value::as_str) == Some("bytes");
        let types = (new.get("type").and_then(Value::as_str), old.get("type").and_then(Value::as_str));
        if let (Some(is), Some(was)) = types
            && is_bytes(new)
            && is_bytes(old)
            && family(is) != family(was)
        {
            let what = format!("{} is {is}, and {was} in {}", self.subject(pair.place), self.version);
            self.ignored(pair, "type", "types where connect.type is bytes", Breaks::BOTH, &what);
        }
    }

    /// Before 2019-09, what stands beside $ref counts for nobody.
    pub(super) fn siblings(&mut self, pair: &Pair<'v>) {
        let (Some(new), Some(old)) = (pair.new.value.as_object(), pair.old.value.as_object()) else { return };
        if pair.new.dialect() == Dialect::Later || !new.has("$ref") || self.new.behind(pair.new).is_none() {
            return;
        }
        let is_new = |keyword: &str, value: &Value<'_>| {
            let before = old.get(keyword).filter(|_| old.has("$ref"));
            demands(keyword) && before.is_none_or(|before| key(before) != key(value))
        };
        for (keyword, _) in new.iter().filter(|(keyword, value)| is_new(keyword, value)) {
            if self.spent_at(pair.place) {
                return;
            }
            let message = format!(
                "{keyword} stands beside $ref in {}, where neither the registry nor validators before 2019-09 look at it",
                self.subject(pair.place)
            );
            let remedy = format!("put $ref and {keyword} into an allOf, as two branches");
            self.give(super::Code::IgnoredKeyword, self.path(pair.place, keyword), message, remedy);
        }
    }

    /// Whether a keyword's schemas demand the same.
    pub(super) fn same_children(&mut self, pair: &Pair<'v>, new: &'v Value<'v>, old: &'v Value<'v>) -> bool {
        let new = self.written(Side::New).child(pair.new, new);
        let old = self.written(Side::Old).child(pair.old, old);
        self.same(new, old)
    }
}

/// What is demanded now and was not.
pub(super) const ADDED: Breaks = Breaks { backward: true, forward: false };
/// What was demanded and is not now.
pub(super) const REMOVED: Breaks = Breaks { backward: false, forward: true };

/// The type that a keyword is about.
fn type_of(keyword: &str) -> Option<&'static str> {
    Some(match keyword {
        "properties"
        | "required"
        | "minProperties"
        | "maxProperties"
        | "dependencies"
        | "patternProperties"
        | "additionalProperties"
        | "propertyNames"
        | "unevaluatedProperties"
        | "dependentRequired"
        | "dependentSchemas" => "object",
        "items" | "additionalItems" | "minItems" | "maxItems" | "uniqueItems" | "contains" | "prefixItems"
        | "unevaluatedItems" => "array",
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => "number",
        "minLength" | "maxLength" | "pattern" | "format" => "string",
        _ => return None,
    })
}

/// Whether one asks for a type that the other only has keywords of.
fn asks_for_more(one: &Object<'_>, other: &Object<'_>) -> bool {
    let (asked, others) = (asked_families(one), asked_families(other));
    let of_keywords = other.iter().filter_map(|(keyword, _)| type_of(keyword));
    of_keywords.into_iter().any(|family| asked.contains(&family) && !others.contains(&family))
}

fn asked_families<'v>(object: &'v Object<'v>) -> Vec<&'v str> {
    match object.get("type") {
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).map(family).collect(),
        Some(name) => name.as_str().map(family).into_iter().collect(),
        None => Vec::new(),
    }
}

/// `string`, `string or null`, `of any type`
fn type_words(object: &Object<'_>) -> String {
    match object.get("type") {
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
        Some(name) => name.as_str().unwrap_or_default().to_owned(),
        None => "of any type".to_owned(),
    }
}

/// The types that an object asks for or has keywords of.
pub(super) fn families<'v>(object: &'v Object<'v>) -> Vec<&'v str> {
    let mut families = asked_families(object);
    families.extend(object.iter().filter_map(|(keyword, _)| type_of(keyword)));
    families
}

/// Types that the registry has one class for.
fn family(name: &str) -> &str {
    if name == "integer" { "number" } else { name }
}

/// Whether an object lists a property.
pub(super) fn declares(object: &Object<'_>, property: &str) -> bool {
    members(object, "properties").is_some_and(|properties| properties.has(property))
}
