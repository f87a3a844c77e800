//! What a `$ref` names in drafts 4, 6 and 7, as the registry's loader finds it: by absolute name among what was
//! found before, by an `id` in the same document, by a pointer into it, or among the schema's references.

use std::collections::HashMap;

use super::bases::Bases;
use super::error::ParseError;
use super::everit::Draft;
use super::model::{NodeId, Text};
use super::uri;
use super::value::{Object, Value};
use super::wrong;
use crate::schema::reference::Reference;

/// Where a part of a document stands, as far as that matters for what it refers to.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The document, in [`Documents::opened`].
    document: u32,
    /// Names are resolved against this one.
    base: u32,
    pub draft: Draft,
}

/// A `$ref` that was found.
pub struct Found<'v> {
    pub node: NodeId,
    /// To be loaded into that node; none where it was found before.
    pub to_load: Option<(Place, &'v Value<'v>)>,
    /// The name that the loader keeps.
    pub reference: Text,
    /// It refers to what is being loaded, and so stands within it.
    pub is_under_way: bool,
}

/// The schema's text and the texts that it refers to.
pub struct Documents<'v> {
    /// By absolute name.
    named: HashMap<String, &'v Value<'v>>,
    /// Each document as often as it was opened: its draft depends on where it is referred to.
    opened: Vec<(&'v Value<'v>, Place)>,
    bases: Bases,
    /// What `$ref`s led to, by absolute name.
    knots: HashMap<String, NodeId>,
    /// What is being loaded.
    pub under_way: Option<NodeId>,
    ids: HashMap<*const Value<'v>, HashMap<&'v str, (Place, &'v Value<'v>)>>,
}

/// Reads the texts of references; each must be an object, as the registry makes one of it.
pub fn parse_references<'v>(references: &[Reference<'v>]) -> Result<Vec<Value<'v>>, ParseError> {
    references.iter().map(|reference| Value::parse(reference.text)).collect()
}

impl<'v> Documents<'v> {
    /// The references are known by their names, resolved against the outermost schema's own.
    pub fn new(
        root_id: Option<&str>,
        references: &[Reference<'v>],
        values: &'v [Value<'v>],
    ) -> Result<Documents<'v>, ParseError> {
        let (mut named, mut bases) = (HashMap::new(), Bases::new(None));
        for (reference, value) in references.iter().zip(values) {
            if value.as_object().is_none() {
                return Err(wrong(&format!("the reference {} is not an object", reference.name)));
            }
            named.insert(bases.resolved_by(root_id, reference.name)?, value);
        }
        let (opened, knots, ids) = (Vec::new(), HashMap::new(), HashMap::new());
        Ok(Documents { named, opened, bases, knots, under_way: None, ids })
    }

    /// Opens the outermost schema.
    pub fn root(&mut self, value: &'v Value<'v>) -> Result<Place, ParseError> {
        let draft = declared_draft(value)?.flatten().unwrap_or(Draft::Seven);
        let place = Place { document: 0, base: 0, draft };
        let place = self.entered(place, value)?;
        self.opened.push((value, place));
        Ok(place)
    }

    /// The place of a part: its own id, if it has one, is what names in it are resolved against.
    pub fn entered(&mut self, place: Place, value: &Value) -> Result<Place, ParseError> {
        match value {
            Value::Object(object) => self.entered_object(place, object),
            _ => Ok(place),
        }
    }

    /// The same for an object.
    pub fn entered_object(&mut self, place: Place, object: &Object) -> Result<Place, ParseError> {
        let Some(id) = object.get(place.draft.id_keyword()).and_then(Value::as_str) else { return Ok(place) };
        let base = self.bases.entered(place.base, id, Bases::resolved)?;
        Ok(Place { base, ..place })
    }

    /// Finds what `$ref` names. What is found for the first time gets the node `next`.
    pub fn look_up(&mut self, place: Place, text: &str, next: NodeId) -> Result<Found<'v>, ParseError> {
        let absolute = self.bases.resolved(place.base, text)?;
        if let Some(&node) = self.knots.get(&absolute) {
            let is_under_way = self.under_way == Some(node);
            return Ok(Found { node, to_load: None, reference: absolute.into(), is_under_way });
        }
        let to_load = Some(self.find(place, text, &absolute)?);
        self.knots.insert(absolute, next);
        Ok(Found { node: next, to_load, reference: text.into(), is_under_way: false })
    }

    /// What `$ref` names, whether it was found before or not.
    pub fn locate(&mut self, place: Place, text: &str) -> Result<(Place, &'v Value<'v>), ParseError> {
        let absolute = self.bases.resolved(place.base, text)?;
        self.find(place, text, &absolute)
    }

    fn find(&mut self, place: Place, text: &str, absolute: &str) -> Result<(Place, &'v Value<'v>), ParseError> {
        if let Some(found) = self.by_id(place.document, absolute)? {
            return Ok(found);
        }
        if text.starts_with('#') {
            return self.by_pointer(place.document, text);
        }
        if absolute.starts_with('#') {
            return self.by_pointer(place.document, absolute);
        }
        let document = uri::without_fragment(absolute);
        if let Some(&value) = self.named.get(absolute) {
            return self.in_other_document(place, value, absolute, "#");
        }
        if let Some(&value) = self.named.get(document) {
            return self.in_other_document(place, value, absolute, &absolute[document.len()..]);
        }
        let is_reachable = matches!(uri::scheme(absolute), Some("http" | "https" | "ftp" | "file" | "jar"));
        if is_reachable {
            Err(ParseError::Elsewhere(absolute.to_owned()))
        } else {
            Err(wrong(&format!("{absolute} is not among the schema's references")))
        }
    }

    fn in_other_document(
        &mut self,
        from: Place,
        document: &'v Value<'v>,
        absolute: &str,
        fragment: &str,
    ) -> Result<(Place, &'v Value<'v>), ParseError> {
        let scope = self.bases.number(uri::without_fragment(absolute));
        let number = self.opened.len() as u32;
        let opened = Place { document: number, base: scope, ..from };
        let opened = self.entered(opened, document)?;
        self.opened.push((document, opened));

        let (_, value) = if fragment.is_empty() { (opened, document) } else { self.by_pointer(number, fragment)? };
        // The loader starts anew here, with the draft that the document declares.
        let draft = match declared_draft(document)? {
            Some(Some(draft)) => draft,
            Some(None) if from.draft == Draft::Four => return Err(wrong("$schema of a reference is not known")),
            _ => from.draft,
        };
        let place = Place { document: number, base: scope, draft };
        Ok((self.entered(place, value)?, value))
    }

    /// A fragment of a document: the `id` of a part, or a pointer.
    fn by_pointer(&mut self, document: u32, fragment: &str) -> Result<(Place, &'v Value<'v>), ParseError> {
        if let Some(found) = self.by_id(document, fragment)? {
            return Ok(found);
        }
        let (mut value, mut place) = self.opened[document as usize];
        // What is neither an id nor a pointer names the whole document.
        for token in fragment.trim_end_matches('/').split('/').skip(1) {
            let key = unescaped(token);
            let next = match value {
                Value::Object(object) => object.get(&key),
                Value::Array(items) => key.parse::<usize>().ok().and_then(|at| items.get(at)),
                _ => None,
            };
            value = next.ok_or_else(|| wrong(&format!("{fragment} is not there")))?;
            place = self.entered(place, value)?;
        }
        Ok((place, value))
    }

    fn by_id(&mut self, document: u32, id: &str) -> Result<Option<(Place, &'v Value<'v>)>, ParseError> {
        let (value, place) = self.opened[document as usize];
        let key: *const Value<'v> = value;
        if !self.ids.contains_key(&key) {
            let mut ids = HashMap::new();
            self.collect_ids(place, value, &mut ids)?;
            self.ids.insert(key, ids);
        }
        Ok(self.ids.get(&key).and_then(|ids| ids.get(id)).copied())
    }

    fn collect_ids(
        &mut self,
        place: Place,
        value: &'v Value<'v>,
        ids: &mut HashMap<&'v str, (Place, &'v Value<'v>)>,
    ) -> Result<(), ParseError> {
        match value {
            Value::Object(object) => {
                if let Some(id) = object.get(place.draft.id_keyword()).and_then(Value::as_str) {
                    ids.insert(id, (place, value));
                }
                for (_, member) in object.iter() {
                    let place = self.entered(place, member)?;
                    self.collect_ids(place, member, ids)?;
                }
            }
            Value::Array(items) => {
                for item in items {
                    let place = self.entered(place, item)?;
                    self.collect_ids(place, item, ids)?;
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// The draft of `$schema`: none without it, `Some(None)` for one that this loader does not know.
fn declared_draft(value: &Value) -> Result<Option<Option<Draft>>, ParseError> {
    match value.as_object().and_then(|object| object.get("$schema")) {
        None => Ok(None),
        Some(Value::String(url)) => Ok(Some(Draft::of_url(url))),
        Some(_) => Err(wrong("$schema is not a string")),
    }
}

/// A token of a pointer in a fragment: `+` and `%` as in forms, then the pointer's own escapes.
pub fn unescaped(token: &str) -> String {
    if !token.contains(['%', '+', '~', '\\']) {
        return token.to_owned();
    }
    let spaced = token.replace('+', " ");
    let decoded = percent_encoding::percent_decode_str(&spaced).decode_utf8_lossy();
    decoded.replace("~1", "/").replace("~0", "~").replace("\\\"", "\"").replace("\\\\", "\\")
}
