//! Finds in a schema's text what a difference names.

use crate::schema::json_text::{Json, Value};

/// A schema's text, read.
pub(in crate::compat) struct Source<'t> {
    pub(super) json: Json<'t>,
}

impl<'t> Source<'t> {
    pub(in crate::compat) fn read(text: &'t str) -> Option<Source<'t>> {
        Json::read(text).ok().map(|json| Source { json })
    }

    /// The definition of a type, or the field, that a subject names.
    pub(super) fn find(&self, subject: &str) -> Option<&Json<'t>> {
        match self.field(innermost(subject)) {
            Some(field) => Some(field),
            None => self.definition(subject.split_once(' ')?.1),
        }
    }

    /// The field that `field x` (of the schema itself) or `field x of R` names.
    pub(super) fn field(&self, subject: &str) -> Option<&Json<'t>> {
        let named = subject.strip_prefix("field ")?;
        let (field, record) = match named.split_once(" of ") {
            Some((field, record)) => (field, self.definition(record)?),
            None => (named, &self.json),
        };
        record.get("fields")?.as_list()?.iter().find(|candidate| candidate.get_text("name") == Some(field))
    }

    /// The type that a subject such as `items of field x` speaks of.
    pub(super) fn type_of(&self, subject: &str) -> Option<&Json<'t>> {
        if subject.is_empty() {
            return Some(&self.json);
        }
        if let Some(outer) = subject.strip_prefix("items of ") {
            return self.type_of(outer)?.get("items");
        }
        if let Some(outer) = subject.strip_prefix("values of ") {
            return self.type_of(outer)?.get("values");
        }
        match subject {
            "items" | "values" => self.json.get(subject),
            field => self.field(field)?.get("type"),
        }
    }

    /// The one definition with this name; none where there are several, in different namespaces.
    pub(super) fn definition(&self, short: &str) -> Option<&Json<'t>> {
        let mut found = None;
        let mut next = vec![&self.json];
        while let Some(json) = next.pop() {
            match &json.value {
                Value::List(branches) => next.extend(branches),
                Value::Object(_) => {
                    next.extend(["items", "values"].iter().filter_map(|key| json.get(key)));
                    let fields = json.get("fields").and_then(Json::as_list).unwrap_or_default();
                    next.extend(fields.iter().filter_map(|field| field.get("type")));
                    let name = json.get_text("name").map(|name| name.rsplit('.').next().unwrap_or(name));
                    if name == Some(short) && found.replace(json).is_some() {
                        return None;
                    }
                }
                _ => {}
            }
        }
        found
    }
}

/// `field x` of `items of field x`.
fn innermost(subject: &str) -> &str {
    subject.find("field ").map_or(subject, |at| &subject[at..])
}
