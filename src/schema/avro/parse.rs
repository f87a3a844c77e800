//! Text to graph, as a library's parser does it: references first, by the same parser, then the schema itself.
//!
//! Libraries differ in when a name is known: Java 1.11 and Python know a record from its first brace on and refuse a
//! name that comes later; Java 1.12 knows it after its last brace, and looks again at the end of the text for names
//! that were not known when they stood there.

use std::collections::HashMap;

use super::defaults::{self, Defaults};
use super::error::ParseError;
use super::graph::{Index, Kind, Property, Schema, Type, TypeId};
use super::name::Name;
use super::python;
use super::repeated;
use super::rules::{Checks, Library, ParsingRules};
use super::types::{Reader, bad_default};
use crate::schema::json_text::Json;
use crate::schema::{Reading, Reference};

/// How many bytes the full names and aliases of all types have, at most: each repeats the namespace that it is in,
/// which makes of one long namespace any number of long names. Real schemas have some hundred KiB of them.
const MAX_NAME_BYTES: usize = 4 << 20;
/// How many bytes of full names are looked up, at most.
const MAX_LOOKED_UP: usize = 64 << 20;

/// Reads a schema's text, references first and in the order given: each may use the ones before it.
///
/// Where the registry checks new schemas, names, namespaces and defaults of a new one are checked, those of its
/// references too (compat.md §1.4).
pub fn parse(
    text: &str,
    references: &[Reference],
    reading: Reading,
    rules: &ParsingRules,
) -> Result<Schema, ParseError> {
    let mut parser = Parser::new(reading, rules);
    for reference in references {
        let in_reference =
            |error| ParseError::InReference { reference: reference.name.to_owned(), error: Box::new(error) };
        parser.read(reference.text).map_err(in_reference)?;
    }
    let root = parser.read(text)?;
    Ok(parser.finish(root))
}

/// What is known while texts are read.
pub(super) struct Parser {
    pub(super) types: Vec<Type>,
    pub(super) known: HashMap<Box<str>, TypeId>,
    pub(super) library: Library,
    pub(super) unwraps_names: bool,
    pub(super) checks: Checks,
    pub(super) has_field_aliases: bool,
    pub(super) has_errors: bool,
    /// What may still be spent on checking defaults.
    pub(super) steps_left: u32,
    /// How many bytes of names are kept and were looked up.
    name_bytes: usize,
    looked_up: usize,
    /// Nodes of the present text whose names were not known.
    pub(super) unresolved: Vec<TypeId>,
    /// Fields of the present text whose default met such a node: record, place.
    pub(super) unsure: Vec<(TypeId, usize)>,
}

impl Parser {
    fn new(reading: Reading, rules: &ParsingRules) -> Parser {
        Parser {
            types: Vec::new(),
            known: HashMap::new(),
            library: rules.library,
            unwraps_names: rules.unwraps_names,
            checks: match reading {
                Reading::New => rules.new,
                Reading::Stored => rules.stored,
            },
            has_field_aliases: false,
            has_errors: false,
            steps_left: defaults::MAX_STEPS,
            name_bytes: 0,
            looked_up: 0,
            unresolved: Vec::new(),
            unsure: Vec::new(),
        }
    }

    /// Reads one text to its end; all names in it are resolved after that.
    fn read(&mut self, text: &str) -> Result<TypeId, ParseError> {
        let json = match self.library {
            Library::Java1_11 | Library::Java1_12 => Json::read(text),
            Library::Python1_12 => Json::read_strictly(text, python::MAX_LEVELS),
        };
        let json = json.map_err(|error| ParseError::of_json(error, text))?;
        let first = self.types.len();
        let root = Reader { parser: self, text }.root(&json)?;
        self.resolve(first)?;
        self.check_unsure_defaults()?;
        Ok(self.known_as(root).unwrap_or(root))
    }

    /// The node that is known by a definition's name: another one where the definition was repeated.
    fn known_as(&self, id: TypeId) -> Option<TypeId> {
        let (name, _) = self.kind(id).names()?;
        self.known.get(name.full()).copied()
    }

    pub(super) fn kind(&self, id: TypeId) -> &Kind {
        &self.types[id.index()].kind
    }

    pub(super) fn add(&mut self, kind: Kind, properties: Box<[Property]>) -> TypeId {
        self.types.push(Type { kind, properties, shared: false });
        // A text of 4 GiB is refused before this.
        TypeId(self.types.len() as u32 - 1)
    }

    /// Counts a name that is kept, whole.
    pub(super) fn count_name(&mut self, full: &str) -> Result<(), ParseError> {
        self.name_bytes += full.len();
        if self.name_bytes > MAX_NAME_BYTES { Err(ParseError::NamesTooLong) } else { Ok(()) }
    }

    /// Counts a name that is looked up.
    pub(super) fn count_use(&mut self, full: &str) -> Result<(), ParseError> {
        self.looked_up += full.len();
        if self.looked_up > MAX_LOOKED_UP { Err(ParseError::NamesTooLong) } else { Ok(()) }
    }

    /// Puts the definitions in the place of the names that were not known.
    fn resolve(&mut self, first: usize) -> Result<(), ParseError> {
        let mut meant = HashMap::new();
        for id in std::mem::take(&mut self.unresolved) {
            let Kind::Unresolved(name) = self.kind(id) else { continue };
            let known = self.known.get(name);
            meant.insert(id, *known.ok_or_else(|| ParseError::Undefined { name: name.to_string() })?);
        }
        if meant.is_empty() {
            return Ok(());
        }
        for node in &mut self.types[first..] {
            each_part(&mut node.kind, |part| *part = meant.get(part).copied().unwrap_or(*part));
        }
        for node in &self.types[first..] {
            if let Kind::Union(branches) = &node.kind {
                self.refuse_bad_union(branches)?;
            }
        }
        Ok(())
    }

    pub(super) fn refuse_bad_union(&self, branches: &[TypeId]) -> Result<(), ParseError> {
        if branches.iter().any(|&branch| matches!(self.kind(branch), Kind::Union(_))) {
            return Err(ParseError::NestedUnion);
        }
        let name = |at: usize| match self.kind(branches[at]) {
            // Not known yet, so it differs from all others; looked at again when it is.
            Kind::Unresolved(_) if self.library == Library::Java1_12 => None,
            // Python takes a named type twice.
            Kind::Record(_) | Kind::Enum(_) | Kind::Fixed(_) | Kind::Unresolved(_)
                if self.library == Library::Python1_12 =>
            {
                None
            }
            kind => Some(kind.branch_name()),
        };
        let named: Vec<&str> = (0..branches.len()).filter_map(name).collect();
        match Index::of(|at| named[at], named.len()) {
            Ok(_) => Ok(()),
            Err(twice) => Err(ParseError::DuplicateBranch { name: named[twice].to_owned() }),
        }
    }

    fn check_unsure_defaults(&mut self) -> Result<(), ParseError> {
        let mut steps_left = self.steps_left;
        for (holder, at) in std::mem::take(&mut self.unsure) {
            let Kind::Record(record) = self.kind(holder) else { continue };
            let field = &record.fields[at];
            let Some(default) = field.default.as_deref() else { continue };
            let json = Json::read(default).map_err(|error| ParseError::of_json(error, default))?;
            let mut defaults = Defaults::complete(&self.types, holder, steps_left);
            let fits = defaults.fit(field.kind, &json).map_err(|trouble| trouble.of(&field.name))?;
            steps_left = defaults.steps_left;
            if !fits {
                return Err(bad_default(&field.name, default, self.kind(field.kind)));
            }
        }
        self.steps_left = steps_left;
        Ok(())
    }

    fn finish(mut self, root: TypeId) -> Schema {
        let mut seen = vec![false; self.types.len()];
        seen[root.index()] = true;
        let mut shared = vec![false; self.types.len()];
        for node in &mut self.types {
            each_part(&mut node.kind, |part| {
                shared[part.index()] |= std::mem::replace(&mut seen[part.index()], true);
            });
        }
        for (node, shared) in self.types.iter_mut().zip(shared) {
            node.shared = shared;
        }
        let Parser { types, has_field_aliases, has_errors, .. } = self;
        Schema { types, root, has_field_aliases, has_errors }
    }

    /// Makes a definition known by its name.
    pub(super) fn define(&mut self, name: &Name, id: TypeId) -> Result<(), ParseError> {
        if self.checks.namespaces && !name.namespace().is_empty() {
            let bad = name.namespace().split('.').find(|part| !self.checks.letters.make(part));
            if let Some(part) = bad {
                return Err(ParseError::BadName { what: "namespace part", name: part.to_owned() });
            }
        }
        let Some(&known) = self.known.get(name.full()) else {
            self.known.insert(name.full().into(), id);
            return Ok(());
        };
        // Java 1.12 takes a second definition that is equal, the others none.
        if self.library == Library::Java1_12 && repeated::equal(&self.types, known, id) {
            return Ok(());
        }
        Err(ParseError::Redefined { name: name.to_string() })
    }

    pub(super) fn good_name(&self, name: &str) -> Result<(), ParseError> {
        let good = self.checks.letters.make(name);
        if good { Ok(()) } else { Err(ParseError::BadName { what: "name", name: name.to_owned() }) }
    }
}

/// The types that a type is made of.
fn each_part(kind: &mut Kind, mut see: impl FnMut(&mut TypeId)) {
    match kind {
        Kind::Array(part) | Kind::Map(part) => see(part),
        Kind::Union(branches) => branches.iter_mut().for_each(see),
        Kind::Record(record) => record.fields.iter_mut().for_each(|field| see(&mut field.kind)),
        Kind::Primitive(_) | Kind::Enum(_) | Kind::Fixed(_) | Kind::Unresolved(_) => {}
    }
}
