//! A schema keyword by keyword as its text has it, also what the registry's loader leaves out, with `$ref`s found as
//! that loader finds them.

use std::collections::HashMap;

use super::anchors::{self, Resources};
use super::everit::Draft;
use super::lookup::{self, Documents};
use super::model::Schema;
use super::skema;
use super::value::{Object, Value};
use crate::schema::reference::Reference;

/// The texts that a schema was read from.
#[derive(Clone, Debug, Default)]
pub(super) struct Source {
    text: Box<str>,
    /// Name and text.
    references: Box<[(Box<str>, Box<str>)]>,
}

impl Source {
    pub(super) fn of(text: &str, references: &[Reference<'_>]) -> Source {
        let references = references.iter().map(|reference| (reference.name.into(), reference.text.into()));
        Source { text: text.into(), references: references.collect() }
    }

    /// The schema that a checker would see that keeps the branches of anyOf and oneOf apart from their pieces.
    pub(super) fn with_whole_branches(&self) -> Option<Schema> {
        super::read(&self.text, &self.references(), false).ok()
    }

    fn references(&self) -> Vec<Reference<'_>> {
        self.references.iter().map(|(name, text)| Reference { name, text }).collect()
    }

    /// The texts as values. They were read before, so this does not fail.
    pub(super) fn texts(&self) -> Option<Texts<'_>> {
        let references = self.references();
        let values = lookup::parse_references(&references).ok()?;
        Some(Texts { root: Value::parse(&self.text).ok()?, references, values })
    }
}

/// The values of a schema's texts.
pub(crate) struct Texts<'s> {
    root: Value<'s>,
    references: Vec<Reference<'s>>,
    values: Vec<Value<'s>>,
}

/// Which keywords there are, and what they mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Dialect {
    Four,
    Six,
    Seven,
    /// 2019-09 and 2020-12.
    Later,
}

/// A schema, to be looked at part by part.
pub(crate) struct Written<'v> {
    finder: Finder<'v>,
    root: Part<'v>,
    /// Where `$ref`s lead, by the object that they stand in.
    followed: HashMap<*const Object<'v>, Option<Part<'v>>>,
}

enum Finder<'v> {
    Documents(Documents<'v>),
    Resources(Resources<'v>),
}

/// A part of a schema that is a schema itself.
#[derive(Clone, Copy)]
pub(crate) struct Part<'v> {
    pub value: &'v Value<'v>,
    place: Place,
}

#[derive(Clone, Copy)]
enum Place {
    Document(lookup::Place),
    Resource(anchors::Place),
}

impl<'v> Written<'v> {
    /// None where the text does not say what it refers to.
    pub(crate) fn open(texts: &'v Texts<'v>) -> Option<Written<'v>> {
        let Texts { root, references, values } = texts;
        let keyword = |name: &str| root.as_object().and_then(|object| object.get(name)).and_then(Value::as_str);
        let (finder, place) = if keyword("$schema").is_some_and(skema::reads) {
            let mut resources = Resources::new(keyword("$id"), references, values).ok()?;
            let place = resources.root(root).ok()?;
            (Finder::Resources(resources), Place::Resource(place))
        } else {
            let draft = keyword("$schema").and_then(Draft::of_url).unwrap_or(Draft::Seven);
            let mut documents = Documents::new(keyword(draft.id_keyword()), references, values).ok()?;
            let place = documents.root(root).ok()?;
            (Finder::Documents(documents), Place::Document(place))
        };
        Some(Written { finder, root: Part { value: root, place }, followed: HashMap::new() })
    }

    /// The outermost schema.
    pub(crate) fn root(&self) -> Part<'v> {
        self.root
    }

    /// A schema within a part.
    pub(crate) fn child(&mut self, of: Part<'v>, value: &'v Value<'v>) -> Part<'v> {
        let place = match (&mut self.finder, of.place) {
            (Finder::Documents(documents), Place::Document(place)) => {
                Place::Document(documents.entered(place, value).unwrap_or(place))
            }
            (Finder::Resources(resources), Place::Resource(place)) => {
                let entered = value.as_object().and_then(|object| resources.entered(place, object).ok());
                Place::Resource(entered.unwrap_or(place))
            }
            (_, place) => place,
        };
        Part { value, place }
    }

    /// Where the `$ref` of a part leads; none where it has none, or one that leads nowhere.
    pub(crate) fn behind(&mut self, part: Part<'v>) -> Option<Part<'v>> {
        let object = part.value.as_object()?;
        let name = object.get("$ref")?.as_str()?;
        let key: *const Object<'v> = object;
        if let Some(found) = self.followed.get(&key) {
            return *found;
        }
        let found = match (&mut self.finder, part.place) {
            (Finder::Documents(documents), Place::Document(place)) => {
                documents.locate(place, name).ok().map(|(place, value)| Part { value, place: Place::Document(place) })
            }
            (Finder::Resources(resources), Place::Resource(place)) => {
                let found = resources.look_up(place, name).ok();
                found.map(|(_, place, value)| Part { value, place: Place::Resource(place) })
            }
            _ => None,
        };
        self.followed.insert(key, found);
        found
    }
}

impl<'v> Part<'v> {
    /// Which keywords it goes by.
    pub(crate) fn dialect(&self) -> Dialect {
        match self.place {
            Place::Resource(_) => Dialect::Later,
            Place::Document(place) => match place.draft {
                Draft::Four => Dialect::Four,
                Draft::Six => Dialect::Six,
                Draft::Seven => Dialect::Seven,
            },
        }
    }
}
