//! What the two texts have of that which a difference speaks of.
//!
//! The path is the registry's: through `$ref`s without a word, with names as they are, also where they hold a slash,
//! and by numbers of branches that are not those of the text. Where it can mean more than one place, it means none; at
//! a combination it ends.

use std::ops::Range;

use super::facts::is_of_enum_beside_a_type;
use crate::compat::Difference;
use crate::compat::locate::Spans;
use crate::schema::json_text::{Json, Member, Value};

/// How many `$ref`s are followed to one part.
const MAX_REFERENCES: usize = 100;
/// How many steps are tried for one path.
const MAX_STEPS: usize = 20_000;
/// Longer paths lead in circles.
const MAX_SEGMENTS: usize = 2_000;

const COMBINATIONS: [&str; 3] = ["allOf", "anyOf", "oneOf"];

/// A schema's text, read.
pub(in crate::compat) struct Source<'t> {
    json: Json<'t>,
    /// Before it stands a mark of this many bytes.
    skipped: usize,
}

/// A place in the text.
#[derive(Clone, Copy)]
struct Here<'s, 't> {
    json: &'s Json<'t>,
    /// The key that it is the value of.
    member: Option<&'s Member<'t>>,
    /// It stands in a part with an own `$id`, by which names in it go.
    is_apart: bool,
}

impl<'t> Source<'t> {
    pub(in crate::compat) fn read(text: &'t str) -> Option<Source<'t>> {
        let marked = text.strip_prefix('\u{feff}').unwrap_or(text);
        Json::read(marked).ok().map(|json| Source { json, skipped: text.len() - marked.len() })
    }

    /// What the path leads to, where that is one place.
    fn find(&self, path: &str) -> Option<Here<'_, 't>> {
        let path = path.strip_prefix("#/")?;
        let segments: Vec<&str> = if path.is_empty() { Vec::new() } else { path.split('/').collect() };
        if segments.len() > MAX_SEGMENTS {
            return None;
        }
        let mut search = Search { source: self, found: Vec::new(), steps_left: MAX_STEPS };
        search.go(self.root(), &segments);
        match search.found.as_slice() {
            [found] => Some(*found),
            _ => None,
        }
    }

    fn span(&self, here: Here<'_, 't>) -> Range<usize> {
        let span = here.member.map_or_else(|| here.json.span(), Member::span);
        span.start + self.skipped..span.end + self.skipped
    }

    fn root(&self) -> Here<'_, 't> {
        Here { json: &self.json, member: None, is_apart: false }
    }

    /// The keyword that a rule speaks of, where its path does not name it.
    fn keyword<'s>(&'s self, difference: &Difference, here: Here<'s, 't>) -> Option<Here<'s, 't>> {
        let schema = self.referred(here)?;
        match difference.rule {
            _ if is_of_enum_beside_a_type(difference) => schema.member("enum"),
            "TYPE_EXTENDED" | "TYPE_NARROWED" | "TYPE_CHANGED" => schema.member("type"),
            "ID_CHANGED" => schema.member("$id").or_else(|| schema.member("id")),
            "TITLE_CHANGED" => schema.member("title"),
            "DESCRIPTION_CHANGED" => schema.member("description"),
            "DEFAULT_CHANGED" => schema.member("default"),
            rule if ["COMBINED_TYPE", "PRODUCT_TYPE", "SUM_TYPE"].iter().any(|name| rule.starts_with(name)) => {
                let mut combinations = COMBINATIONS.into_iter().filter_map(|name| schema.member(name));
                combinations.next().filter(|_| combinations.next().is_none())
            }
            _ => None,
        }
    }

    /// What `$ref`s lead to; none where that is not in this text, or not certain.
    fn referred<'s>(&'s self, here: Here<'s, 't>) -> Option<Here<'s, 't>> {
        let mut here = here;
        for _ in 0..MAX_REFERENCES {
            let Some(reference) = here.json.get_text("$ref") else { return Some(here) };
            here = self.named(reference).filter(|_| !here.is_apart)?;
        }
        None
    }

    /// `#`, `#/definitions/x`, `#name`, or one of these after the schema's own `$id`.
    fn named(&self, reference: &str) -> Option<Here<'_, 't>> {
        let (document, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let is_own = |key: &str| self.json.get_text(key).is_some_and(|id| id.trim_end_matches('#') == document);
        if !document.is_empty() && !is_own("$id") && !is_own("id") {
            return None;
        }
        match fragment.strip_prefix('/') {
            Some(pointer) => self.pointed(pointer),
            None if fragment.is_empty() => Some(self.root()),
            None => self.anchored(fragment),
        }
    }

    fn pointed(&self, pointer: &str) -> Option<Here<'_, 't>> {
        let mut here = self.root();
        for token in pointer.split('/') {
            let token = percent_encoding::percent_decode_str(token).decode_utf8().ok()?;
            let key = token.replace("~1", "/").replace("~0", "~");
            here = match here.json.as_list() {
                Some(_) => here.item(key.parse().ok()?)?,
                None => here.member(&key)?,
            };
        }
        Some(here)
    }

    /// The one part that calls itself so.
    fn anchored(&self, name: &str) -> Option<Here<'_, 't>> {
        let is_called = |json: &Json| {
            let id = |key| json.get_text(key).and_then(|id: &str| id.strip_prefix('#')) == Some(name);
            id("$id") || id("id") || json.get_text("$anchor") == Some(name)
        };
        let mut found = None;
        let mut next = vec![self.root()];
        while let Some(here) = next.pop() {
            if is_called(here.json) && found.replace(here).is_some() {
                return None;
            }
            match &here.json.value {
                Value::List(items) => next.extend((0..items.len()).filter_map(|at| here.item(at))),
                Value::Object(members) => next.extend(members.iter().map(|member| here.entered(member))),
                _ => {}
            }
        }
        found
    }
}

impl<'s, 't> Here<'s, 't> {
    fn entered(self, member: &'s Member<'t>) -> Here<'s, 't> {
        let id = member.json.get_text("$id").or_else(|| member.json.get_text("id"));
        let is_apart = self.is_apart || id.is_some_and(|id| !id.starts_with('#'));
        Here { json: &member.json, member: Some(member), is_apart }
    }

    fn member(self, key: &str) -> Option<Here<'s, 't>> {
        self.json.member(key).map(|member| self.entered(member))
    }

    fn item(self, at: usize) -> Option<Here<'s, 't>> {
        Some(Here { json: self.json.as_list()?.get(at)?, member: None, ..self })
    }

    fn key(self) -> Option<&'s str> {
        self.member.map(|member| &*member.key)
    }

    /// The item of a list that is this text.
    fn item_with(self, text: &str) -> Option<Here<'s, 't>> {
        self.item(self.json.as_list()?.iter().position(|item| item.as_text() == Some(text))?)
    }
}

/// All that a path may mean.
struct Search<'s, 't> {
    source: &'s Source<'t>,
    found: Vec<Here<'s, 't>>,
    steps_left: usize,
}

impl<'s, 't> Search<'s, 't> {
    fn go(&mut self, here: Here<'s, 't>, segments: &[&str]) {
        let Some((&first, rest)) = segments.split_first() else {
            self.found.push(here);
            return;
        };
        let Some(steps_left) = self.steps_left.checked_sub(1) else { return };
        self.steps_left = steps_left;
        let Some(here) = self.source.referred(here) else { return };
        match first {
            "properties" => {
                let before = self.found.len();
                self.go_by_name(here.member("properties"), rest);
                if self.found.len() == before {
                    self.go_to_cover(here, rest);
                }
            }
            "dependencies" => {
                for keyword in ["dependencies", "dependentRequired", "dependentSchemas"] {
                    self.go_by_name(here.member(keyword), rest);
                }
            }
            "required" => {
                let name = rest.join("/");
                self.found.extend(here.member("required").and_then(|names| names.item_with(&name)));
            }
            "items" => self.go_to_items(here, rest),
            "additionalItems" if here.json.get("prefixItems").is_some() => self.go_by_key(here, "items", rest),
            combination if COMBINATIONS.contains(&combination) => {
                self.found.push(here.member(combination).unwrap_or(here));
            }
            keyword => self.go_by_key(here, keyword, rest),
        }
    }

    fn go_by_key(&mut self, here: Here<'s, 't>, key: &str, rest: &[&str]) {
        if let Some(next) = here.member(key) {
            self.go(next, rest);
        }
    }

    /// Names may hold slashes, so as many segments as there are may be one.
    fn go_by_name(&mut self, map: Option<Here<'s, 't>>, segments: &[&str]) {
        let Some(map) = map else { return };
        let mut name = String::new();
        for (at, segment) in segments.iter().enumerate() {
            if at > 0 {
                name.push('/');
            }
            name.push_str(segment);
            self.go_by_key(map, &name, &segments[at + 1..]);
        }
    }

    /// A property that is not declared here was compared with what stands for all others.
    fn go_to_cover(&mut self, here: Here<'s, 't>, segments: &[&str]) {
        let Some((name, rest)) = segments.split_first().filter(|(_, rest)| !rest.is_empty()) else { return };
        let is_declared = here.json.get("properties").is_some_and(|properties| properties.get(name).is_some());
        if !is_declared && here.json.get("patternProperties").is_none() {
            self.go_by_key(here, "additionalProperties", rest);
        }
    }

    /// One schema for all items, or one for each place.
    fn go_to_items(&mut self, here: Here<'s, 't>, rest: &[&str]) {
        let places =
            here.member("prefixItems").or_else(|| here.member("items")).filter(|at| at.json.as_list().is_some());
        let place = rest.first().and_then(|place| place.parse().ok());
        match places.zip(place) {
            Some((places, place)) => {
                if let Some(item) = places.item(place) {
                    self.go(item, &rest[1..]);
                }
            }
            None => self.go_by_key(here, "items", rest),
        }
    }
}

/// What both texts have of it.
pub(in crate::compat) fn spans(reader: &Source, writer: &Source, difference: &Difference) -> Spans {
    let rule = difference.rule;
    let (here, there) = (reader.find(&difference.path), writer.find(&difference.path));
    let keyword = here.and_then(|here| reader.keyword(difference, here));
    let its_keyword = there.and_then(|there| writer.keyword(difference, there));
    let is_note = matches!(rule, "ID_CHANGED" | "TITLE_CHANGED" | "DESCRIPTION_CHANGED" | "DEFAULT_CHANGED");
    // The type may be the same, and what stands beside it makes another kind of schema of it.
    let differs = match (keyword, its_keyword) {
        (Some(one), Some(other)) => one.key() != other.key() || !one.json.is_same(other.json),
        _ => true,
    };
    let part =
        |keyword: Option<_>, whole| keyword.filter(|_| differs).or(whole).filter(|_| !is_note || keyword.is_some());
    Spans {
        reader: part(keyword, here).map(|here| reader.span(here)),
        writer: part(its_keyword, there).map(|there| writer.span(there)),
    }
}
