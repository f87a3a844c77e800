//! What a `$ref` names in drafts 2019-09 and 2020-12, as json-sKema finds it: by absolute URI among `$id`s, anchors
//! and the schema's references, or by a pointer.

use std::collections::HashMap;

use super::bases::Bases;
use super::error::ParseError;
use super::lookup::unescaped;
use super::skema::is_known;
use super::uri;
use super::value::{Object, Value};
use super::wrong;
use crate::schema::reference::Reference;

/// The URI of a schema that has none.
const NAMELESS: &str = "mem://input";

/// What names are resolved against.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    base: u32,
}

/// The schema's text and the texts that it refers to.
pub struct Resources<'v> {
    /// References by URI.
    mapped: HashMap<String, &'v Value<'v>>,
    bases: Bases,
    /// `$id`s, anchors and opened documents, by URI.
    known: HashMap<String, (&'v Value<'v>, Place)>,
}

impl<'v> Resources<'v> {
    /// The references are known by their names, resolved against the outermost schema's own.
    pub fn new(
        root_id: Option<&str>,
        references: &[Reference<'v>],
        values: &'v [Value<'v>],
    ) -> Result<Resources<'v>, ParseError> {
        if let Some(id) = root_id.filter(|id| !uri::is_uri(id)) {
            return Err(wrong(&format!("{id} is not a URI")));
        }
        let mut bases = Bases::new(Some(root_id.unwrap_or(NAMELESS)));
        let mut mapped = HashMap::new();
        for (reference, value) in references.iter().zip(values) {
            mapped.insert(bases.resolved_by(root_id, reference.name)?, value);
        }
        Ok(Resources { mapped, bases, known: HashMap::new() })
    }

    /// Opens the outermost schema.
    pub fn root(&mut self, value: &'v Value<'v>) -> Result<Place, ParseError> {
        let place = Place { base: 0 };
        let own = self.base(place).trim_end_matches('#').to_owned();
        self.known.insert(own, (value, place));
        self.collect(place, value, &mut Vec::new())?;
        Ok(place)
    }

    /// The place within an object: its own `$id`, if it has one, is what names are resolved against.
    pub fn entered(&mut self, place: Place, object: &Object) -> Result<Place, ParseError> {
        let Some(id) = object.get("$id").and_then(Value::as_str) else { return Ok(place) };
        if self.base(place).ends_with(id) {
            return Ok(place);
        }
        Ok(Place { base: self.bases.entered(place.base, id, resolved_here)? })
    }

    fn base(&self, place: Place) -> &str {
        self.bases.get(place.base).unwrap_or_default()
    }

    fn resolved(&mut self, place: Place, name: &str) -> Result<String, ParseError> {
        let is_mapped = self.mapped.contains_key(uri::without_fragment(name));
        if uri::is_absolute(name) || is_mapped && uri::is_uri(name) {
            return Ok(name.to_owned());
        }
        match resolved_here(&mut self.bases, place.base, name) {
            Err(ParseError::NotASchema { .. }) => self.bases.appended(place.base, name),
            resolved => resolved,
        }
    }

    /// Finds what `$ref` names: its absolute name, and where it stands.
    pub fn look_up(&mut self, place: Place, reference: &str) -> Result<(String, Place, &'v Value<'v>), ParseError> {
        let absolute = self.resolved(place, reference)?;
        let (place, value) = self.find(absolute.strip_suffix('#').unwrap_or(&absolute))?;
        Ok((absolute, place, value))
    }

    fn find(&mut self, name: &str) -> Result<(Place, &'v Value<'v>), ParseError> {
        if let Some(&(value, place)) = self.known.get(name) {
            return Ok((place, value));
        }
        let document = uri::without_fragment(name);
        let (root, place) = self.opened(document)?;
        if let Some(&(value, place)) = self.known.get(name) {
            return Ok((place, value));
        }
        self.by_pointer(root, place, &name[document.len()..])
    }

    fn opened(&mut self, document: &str) -> Result<(&'v Value<'v>, Place), ParseError> {
        if let Some(&known) = self.known.get(document) {
            return Ok(known);
        }
        let Some(&value) = self.mapped.get(document) else {
            let is_reachable = matches!(uri::scheme(document), Some("http" | "https" | "ftp" | "file" | "jar"));
            return Err(match is_reachable {
                true => ParseError::Elsewhere(document.to_owned()),
                false => wrong(&format!("{document} is not among the schema's references")),
            });
        };
        let place = Place { base: self.bases.number(document) };
        self.known.insert(document.to_owned(), (value, place));
        self.collect(place, value, &mut Vec::new())?;
        Ok((value, place))
    }

    /// Registers `$id`s and anchors, within what is known to hold schemas.
    fn collect(&mut self, place: Place, value: &'v Value<'v>, path: &mut Vec<&'v str>) -> Result<(), ParseError> {
        if let [.., last] = path[..]
            && !is_known(last)
        {
            let holder = path.len().checked_sub(2).map_or("", |at| path[at]);
            if !matches!(holder, "$defs" | "allOf" | "anyOf" | "oneOf" | "properties" | "patternProperties") {
                return Ok(());
            }
        }
        match value {
            Value::Object(object) => {
                let inner = self.entered(place, object)?;
                if object.get("$id").and_then(Value::as_str).is_some() {
                    let name = self.base(inner).trim_end_matches('#').to_owned();
                    self.register(name, value, inner)?;
                }
                if let Some(anchor) = object.get("$anchor").and_then(Value::as_str) {
                    let name = resolved_here(&mut self.bases, inner.base, &format!("#{anchor}"))?;
                    self.register(name, value, inner)?;
                }
                if let Some(anchor) = object.get("$dynamicAnchor").and_then(Value::as_str) {
                    let name = resolved_here(&mut self.bases, inner.base, &format!("#{anchor}"))?;
                    self.known.insert(name, (value, inner));
                }
                for (name, member) in object.iter().filter(|(name, _)| *name != "enum" && *name != "const") {
                    path.push(name);
                    self.collect(inner, member, path)?;
                    path.pop();
                }
            }
            Value::Array(items) => {
                for item in items {
                    path.push("0");
                    self.collect(place, item, path)?;
                    path.pop();
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn register(&mut self, name: String, value: &'v Value<'v>, place: Place) -> Result<(), ParseError> {
        match self.known.get(&name) {
            Some((other, _)) if !std::ptr::eq(*other, value) => Err(wrong(&format!("two schemas are named {name}"))),
            _ => {
                self.known.insert(name, (value, place));
                Ok(())
            }
        }
    }

    fn by_pointer(
        &mut self,
        root: &'v Value<'v>,
        place: Place,
        pointer: &str,
    ) -> Result<(Place, &'v Value<'v>), ParseError> {
        let (mut value, mut place) = (root, place);
        let mut tokens = pointer.split('/');
        if !matches!(tokens.next(), Some("" | "#")) {
            return Err(wrong(&format!("{pointer} is no anchor that is known")));
        }
        for token in tokens {
            let key = unescaped(token);
            let next = match value {
                Value::Object(object) => {
                    place = self.entered(place, object)?;
                    object.get(&key)
                }
                Value::Array(items) => key.parse::<usize>().ok().and_then(|at| items.get(at)),
                _ => None,
            };
            value = next.ok_or_else(|| wrong(&format!("{pointer} is not there")))?;
        }
        Ok((place, value))
    }
}

/// Behind what is no hierarchy, names are appended.
fn resolved_here(bases: &mut Bases, base: u32, name: &str) -> Result<String, ParseError> {
    match bases.get(base).and_then(uri::scheme) {
        Some("urn" | "tag") => bases.appended(base, name),
        _ => bases.resolved(base, name),
    }
}
