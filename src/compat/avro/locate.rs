//! What the two texts have of that which a difference speaks of.
//!
//! The path is followed in both texts at once. It is the library's, and not always a way through the reader's text: a
//! pair that is met again keeps the path of the first time, and 1.11 starts anew within a writer's union. So what it
//! leads to counts only if it has the name that the difference gives it; if not, that name is looked for.

use std::collections::HashMap;
use std::ops::Range;

use super::source::Source;
use crate::compat::Difference;
use crate::compat::locate::Spans;
use crate::schema::avro::{Name, Primitive};
use crate::schema::json_text::{Json, Member, Value};

/// A schema's text, and what its names lead to.
pub(in crate::compat) struct Outline<'s, 't> {
    source: &'s Source<'t>,
    /// Definitions by where they start, and by where they are named.
    meant: HashMap<usize, &'s Json<'t>>,
}

/// What stands somewhere in a text, and the definition whose namespace it is in.
struct Found<'s, 't> {
    json: &'s Json<'t>,
    within: Option<usize>,
}

impl<'s, 't> Outline<'s, 't> {
    pub(in crate::compat) fn of(source: &'s Source<'t>) -> Outline<'s, 't> {
        let mut meant = HashMap::new();
        let mut definitions: Vec<Name> = Vec::new();
        let mut by_name: HashMap<Box<str>, &'s Json<'t>> = HashMap::new();
        let mut uses = Vec::new();
        let mut next = vec![Found { json: &source.json, within: None }];
        while let Some(Found { json, within }) = next.pop() {
            if let Value::List(branches) = &json.value {
                next.extend(branches.iter().rev().map(|json| Found { json, within }));
            }
            next.extend(["items", "values"].iter().filter_map(|key| Some(Found { json: json.get(key)?, within })));
            if let Some(name) = defined(json, namespace(&definitions, within)) {
                let fields = json.get("fields").and_then(Json::as_list).unwrap_or_default();
                let types = fields.iter().rev().filter_map(|field| field.get("type"));
                let inside = Some(definitions.len());
                next.extend(types.map(|json| Found { json, within: inside }));
                by_name.entry(name.full().into()).or_insert(json);
                meant.insert(json.span().start, json);
                definitions.push(name);
            } else if used(json).is_some() {
                uses.push(Found { json, within });
            }
        }
        for Found { json, within } in uses {
            let Some(name) = used(json) else { continue };
            let known = |name: &str| by_name.get(name).copied();
            let found = known(Name::resolve(name, namespace(&definitions, within)).full()).or_else(|| known(name));
            meant.extend(found.map(|found| (json.span().start, found)));
        }
        Outline { source, meant }
    }

    fn root(&self) -> Here<'_, 't> {
        Here { json: &self.source.json, member: None }
    }

    /// The type that stands somewhere: a name leads to its definition; none where that is in another text.
    fn settled<'o>(&'o self, here: Here<'o, 't>) -> Option<Here<'o, 't>> {
        let is_definition = here.json.as_text().is_none() && here.json.get_text("type").is_some_and(defines);
        match self.meant.get(&here.json.span().start) {
            Some(_) if is_definition => Some(here),
            Some(&json) => Some(Here { json, member: None }),
            None if is_definition || used(here.json).is_some() => None,
            None => Some(here),
        }
    }
}

fn namespace(definitions: &[Name], within: Option<usize>) -> &str {
    within.map_or("", |place| definitions[place].namespace())
}

/// Whether a definition of this type has a name.
fn defines(word: &str) -> bool {
    matches!(word, "record" | "error" | "enum" | "fixed")
}

/// The name that stands here for a definition elsewhere, alone or as the `type` of an object.
fn used<'j>(json: &'j Json) -> Option<&'j str> {
    match json.as_text() {
        Some(name) => Some(name).filter(|name| Primitive::from_word(name).is_none()),
        None => json
            .get_text("type")
            .filter(|word| !defines(word) && !matches!(*word, "array" | "map") && Primitive::from_word(word).is_none()),
    }
}

/// The name that a record, enum or fixed gets here.
fn defined(json: &Json, enclosing: &str) -> Option<Name> {
    if !defines(json.get_text("type")?) {
        return None;
    }
    Some(Name::resolve(json.get_text("name")?, json.get_text("namespace").unwrap_or(enclosing)))
}

/// A place in a text.
#[derive(Clone, Copy)]
struct Here<'o, 't> {
    json: &'o Json<'t>,
    /// The key that it is the value of.
    member: Option<&'o Member<'t>>,
}

impl<'o, 't> Here<'o, 't> {
    fn member(self, key: &str) -> Option<Here<'o, 't>> {
        let member = self.json.member(key)?;
        Some(Here { json: &member.json, member: Some(member) })
    }

    fn item(self, at: usize) -> Option<Here<'o, 't>> {
        Some(Here { json: self.json.as_list()?.get(at)?, member: None })
    }

    fn span(self) -> Range<usize> {
        self.member.map_or_else(|| name_span(self.json), Member::span)
    }
}

/// The name of a definition or a field; of what has none, all of it.
fn name_span(json: &Json) -> Range<usize> {
    json.member("name").or_else(|| json.member("type")).map_or_else(|| json.span(), Member::span)
}

/// Why a path leads nowhere.
enum Lost {
    /// Into a text that is referred to.
    Outside,
    /// It does not fit the text.
    Astray,
}

/// What both texts have of it.
pub(in crate::compat) fn spans(reader: &Outline, writer: &Outline, difference: &Difference) -> Spans {
    let mut walk = Walk::new(reader, writer);
    match walk.follow(&difference.path, difference) {
        Ok(spans) => spans,
        Err(Lost::Outside) => Spans::default(),
        Err(Lost::Astray) => Spans { reader: named(reader.source, &difference.facts.subject), writer: None },
    }
}

fn named(source: &Source, subject: &str) -> Option<Range<usize>> {
    source.find(subject).map(name_span)
}

/// The way along a path.
struct Walk<'o, 's, 't> {
    texts: (&'o Outline<'s, 't>, &'o Outline<'s, 't>),
    reader: Here<'o, 't>,
    /// None from where the writer has no such part.
    writer: Option<Here<'o, 't>>,
    /// The innermost field so far, as differences name it, and what of it.
    field: Option<String>,
    part: String,
}

impl<'o, 's, 't> Walk<'o, 's, 't> {
    fn new(reader: &'o Outline<'s, 't>, writer: &'o Outline<'s, 't>) -> Walk<'o, 's, 't> {
        let (texts, field, part) = ((reader, writer), None, String::new());
        Walk { texts, reader: reader.root(), writer: Some(writer.root()), field, part }
    }

    fn follow(&mut self, path: &str, difference: &Difference) -> Result<Spans, Lost> {
        let subject = &difference.facts.subject;
        let mut steps = path.split('/').filter(|step| !step.is_empty()).peekable();
        while let Some(step) = steps.next() {
            match step {
                "fields" => {
                    let at = steps.next().and_then(|at| at.parse().ok()).ok_or(Lost::Astray)?;
                    let fields = self.field(at)?;
                    if steps.next().is_none() {
                        let spans = self.spans_of(fields.0, fields.1);
                        return self.is_named(subject).then_some(spans).ok_or(Lost::Astray);
                    }
                    self.reader = fields.0.member("type").ok_or(Lost::Astray)?;
                    self.writer = fields.1.and_then(|field| field.member("type"));
                }
                "items" | "values" => self.part_of(step)?,
                "name" | "size" | "symbols" => return self.of_definition(step, difference),
                branch => {
                    let branch = branch.parse().map_err(|_| Lost::Astray)?;
                    self.writer = self.settled_writer().and_then(|writer| writer.item(branch));
                }
            }
        }
        self.is_named(subject).then(|| self.spans_of(self.reader, self.writer)).ok_or(Lost::Astray)
    }

    fn spans_of(&self, reader: Here<'o, 't>, writer: Option<Here<'o, 't>>) -> Spans {
        Spans { reader: Some(reader.span()), writer: writer.map(Here::span) }
    }

    fn settled_reader(&self) -> Result<Here<'o, 't>, Lost> {
        self.texts.0.settled(self.reader).ok_or(Lost::Outside)
    }

    fn settled_writer(&self) -> Option<Here<'o, 't>> {
        self.texts.1.settled(self.writer?)
    }

    /// The reader's field at a place, and the writer's that it reads.
    fn field(&mut self, at: usize) -> Result<(Here<'o, 't>, Option<Here<'o, 't>>), Lost> {
        let record = self.settled_reader()?;
        let field = record.member("fields").and_then(|fields| fields.item(at)).ok_or(Lost::Astray)?;
        let name = field.json.get_text("name").ok_or(Lost::Astray)?;
        self.field = Some(match record.json.get_text("name").and_then(|name| name.rsplit('.').next()) {
            Some(of) if record.json.span() != self.texts.0.source.json.span() => format!("field {name} of {of}"),
            _ => format!("field {name}"),
        });
        self.part.clear();
        let aliases = field.json.get("aliases").and_then(Json::as_list).unwrap_or_default();
        let mut names = std::iter::once(name).chain(aliases.iter().filter_map(Json::as_text));
        let fields = self.settled_writer().and_then(|record| record.member("fields"));
        let source = fields.and_then(|fields| names.find_map(|name| field_named(fields, name, at)));
        Ok((field, source))
    }

    fn part_of(&mut self, step: &str) -> Result<(), Lost> {
        self.part.insert_str(0, &format!("{step} of "));
        self.writer = self.settled_writer().and_then(|writer| writer.member(step));
        self.reader = self.settled_reader()?.member(step).ok_or(Lost::Astray)?;
        Ok(())
    }

    /// Whether a difference would give what was reached this name.
    fn is_named(&self, subject: &str) -> bool {
        match &self.field {
            Some(field) => subject.strip_prefix(&*self.part) == Some(field),
            None => subject == self.part.strip_suffix(" of ").unwrap_or_default(),
        }
    }

    /// The key of a definition that a rule speaks of.
    fn of_definition(&self, key: &str, difference: &Difference) -> Result<Spans, Lost> {
        let reader = match self.settled_reader() {
            // What the definition's name is stands elsewhere, but which one is meant stands here.
            Err(Lost::Outside) if key == "name" => return Ok(self.spans_of(self.reader, self.writer)),
            reader => reader?,
        };
        let (kind, name) = difference.facts.subject.split_once(' ').ok_or(Lost::Astray)?;
        let is_kind = reader.json.get_text("type").is_some_and(|word| word == kind || word == "error");
        let short = reader.json.get_text("name").and_then(|name| name.rsplit('.').next());
        if !is_kind || short != Some(name) {
            return Err(Lost::Astray);
        }
        let reader = reader.member(key).ok_or(Lost::Astray)?;
        let writer = self.settled_writer().and_then(|writer| writer.member(key));
        let missing = writer.and_then(|symbols| item_with_text(symbols, &difference.facts.writer));
        Ok(self.spans_of(reader, missing.or(writer)))
    }
}

/// The field of a name, which most often stands at the reader's place: thousands may be asked for.
fn field_named<'o, 't>(fields: Here<'o, 't>, name: &str, near: usize) -> Option<Here<'o, 't>> {
    let is_it = |field: &Json| field.get_text("name") == Some(name);
    let all = fields.json.as_list()?;
    let at = if all.get(near).is_some_and(is_it) { near } else { all.iter().position(is_it)? };
    fields.item(at)
}

fn item_with_text<'o, 't>(list: Here<'o, 't>, text: &str) -> Option<Here<'o, 't>> {
    let at = list.json.as_list()?.iter().position(|item| item.as_text() == Some(text))?;
    list.item(at)
}
