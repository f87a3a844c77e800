//! What a type's name means where it is used.
//!
//! A name is looked for in the message around it, then in those around that, then in the package and those around
//! it; the first full name that exists is meant. Types of all files are seen, imported or not. A leading dot means
//! the full name.

use std::collections::HashMap;

use super::elements::{Body, FieldType, Named, Target, TypeId};
use super::parser::Use;
use super::{Schema, well_known};

/// Full names of the types of a schema.
#[derive(Default)]
pub(super) struct Names {
    declared: HashMap<String, TypeId>,
    /// Whether these are the types that every registry knows; if not, those are seen as well.
    of_well_known: bool,
}

/// A type's name that means nothing.
pub(super) struct Unknown {
    pub written: Box<str>,
    /// Where it is used, in bytes.
    pub at: usize,
}

/// Resolving the names would take too much work.
pub(super) struct TooMuch;

impl Names {
    /// All types, by full name; what several files declare means the last one. In one file, a name is declared once:
    /// if not, gives the type that comes second.
    pub fn of(schema: &Schema, of_well_known: bool) -> Result<Names, TypeId> {
        let mut declared = HashMap::with_capacity(schema.types.len());
        for (id, definition) in (0..).map(TypeId).zip(&schema.types) {
            let mut full_name = schema.file(definition).package.to_string();
            append(&mut full_name, &definition.local_name);
            if let Some(earlier) = declared.insert(full_name, id)
                && schema.get(earlier).file == definition.file
            {
                return Err(id);
            }
        }
        Ok(Names { declared, of_well_known })
    }

    /// The declared type with this full name.
    pub fn declared(&self, full_name: &str) -> Option<TypeId> {
        self.declared.get(full_name).copied()
    }

    fn get(&self, full_name: &str) -> Option<Target> {
        let declared = self.declared(full_name);
        if self.of_well_known {
            return declared.map(Target::WellKnown);
        }
        declared.map(Target::Declared).or_else(|| well_known::find(full_name).map(Target::WellKnown))
    }

    /// Resolves the types of all fields. Gives the first name in the schema's own text that means nothing.
    pub fn resolve(&self, schema: &mut Schema, other_uses: &[Use]) -> Result<Option<Unknown>, TooMuch> {
        let mut search = Search::default();
        let mut unknown = None;
        let Schema { files, types } = schema;
        for definition in types.iter_mut() {
            let Body::Message(message) = &mut definition.body else { continue };
            let package = &files[definition.file].package;
            let members = message.oneofs.iter_mut().flat_map(|oneof| &mut oneof.fields);
            for field in message.fields.iter_mut().chain(members) {
                let Some(named) = named_type(&mut field.field_type) else { continue };
                named.target = search.find(self, &named.written, package, &definition.local_name);
                if named.target.is_none() && definition.file == 0 && unknown.is_none() {
                    unknown = Some(Unknown { written: named.written.clone(), at: field.span.start });
                }
            }
            // What a group names and does not exist is found among the other uses.
            for field in message.groups.iter_mut().flat_map(|group| &mut group.fields) {
                let Some(named) = named_type(&mut field.field_type) else { continue };
                named.target = search.find(self, &named.written, package, &definition.local_name);
            }
        }
        let unknown = unknown.or_else(|| self.unknown_among(&mut search, schema, other_uses));
        if search.work > MAX_WORK { Err(TooMuch) } else { Ok(unknown) }
    }

    fn unknown_among(&self, search: &mut Search, schema: &Schema, uses: &[Use]) -> Option<Unknown> {
        let package = &schema.main().package;
        let unknown = uses.iter().find(|used| {
            let inside = used.inside.map_or("", |id| &schema.get(id).local_name);
            search.find(self, &used.written, package, inside).is_none()
        })?;
        Some(Unknown { written: unknown.written.clone(), at: unknown.at })
    }
}

/// The only type of a field that can be a name: its own, or that of a map's values.
fn named_type(field_type: &mut FieldType) -> Option<&mut Named> {
    match field_type {
        FieldType::Named(named) => Some(named),
        FieldType::Map(entry) => named_type(&mut entry.1),
        FieldType::Scalar(_) => None,
    }
}

/// How many bytes of names are looked at, at most: nested scopes multiply them, which no real schema comes near.
const MAX_WORK: usize = 64 << 20;

/// Looks for names; its buffers are used again from one to the next.
#[derive(Default)]
struct Search {
    /// The full name of what is around the use.
    around: String,
    /// The full name that is tried.
    candidate: String,
    /// How many bytes of names were looked at.
    work: usize,
}

impl Search {
    fn find(&mut self, names: &Names, written: &str, package: &str, inside: &str) -> Option<Target> {
        if let Some(full_name) = written.strip_prefix('.') {
            return names.get(full_name);
        }
        self.around.clear();
        append(&mut self.around, package);
        append(&mut self.around, inside);
        loop {
            self.candidate.clear();
            append(&mut self.candidate, &self.around);
            append(&mut self.candidate, written);
            self.work += self.candidate.len();
            let found = names.get(&self.candidate);
            if found.is_some() || self.work > MAX_WORK || self.around.is_empty() {
                return found;
            }
            self.around.truncate(self.around.rfind('.').unwrap_or(0));
        }
    }
}

fn append(name: &mut String, part: &str) {
    if !name.is_empty() && !part.is_empty() {
        name.push('.');
    }
    name.push_str(part);
}
