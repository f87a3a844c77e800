//! Text to graph, as the library's parser does it: references first, by the same parser, then the schema itself.
//!
//! The releases differ in when a name is known: 1.11 knows a record from its first brace on and refuses a name that
//! comes later; 1.12 knows it after its last brace, and looks again at the end of the text for names that were not
//! known when they stood there.

use std::collections::{HashMap, HashSet};

use super::defaults::{self, Defaults};
use super::error::ParseError;
use super::graph::{Enum, Field, Fixed, Index, Kind, Order, Primitive, Property, Record, Schema, Type, TypeId};
use super::json::{Json, Value};
use super::name::{Letters, Name};
use super::repeated;
use crate::compat::{AvroLibrary, AvroRules};
use crate::schema::{Reading, Reference};

/// Reads a schema's text, references first and in the order given: each may use the ones before it.
///
/// Where the registry checks new schemas, names, namespaces and defaults of a new one are checked, those of its
/// references too (compat.md §1.4).
pub fn parse(text: &str, references: &[Reference], reading: Reading, rules: &AvroRules) -> Result<Schema, ParseError> {
    let mut parser = Parser::new(reading, rules);
    for reference in references {
        let in_reference =
            |error| ParseError::InReference { reference: reference.name.to_owned(), error: Box::new(error) };
        parser.read(reference.text).map_err(in_reference)?;
    }
    let root = parser.read(text)?;
    Ok(parser.finish(root))
}

/// Keys that Avro defines for types; all others are properties. `default` is one of enums only.
const TYPE_KEYS: [&str; 10] =
    ["doc", "fields", "items", "name", "namespace", "size", "symbols", "values", "type", "aliases"];
/// Keys that Avro defines for fields.
const FIELD_KEYS: [&str; 6] = ["default", "doc", "name", "order", "type", "aliases"];
/// The largest array that the library allocates.
const MAX_SIZE: i32 = i32::MAX - 8;
/// How much of a text is shown in an error.
const SHOWN: usize = 80;

struct Parser {
    types: Vec<Type>,
    known: HashMap<Box<str>, TypeId>,
    library: AvroLibrary,
    letters: Letters,
    checks_namespaces: bool,
    checks_defaults: bool,
    has_field_aliases: bool,
    /// Nodes of the present text whose names were not known.
    unresolved: Vec<TypeId>,
    /// Fields of the present text whose default met such a node: record, place.
    unsure: Vec<(TypeId, usize)>,
}

impl Parser {
    fn new(reading: Reading, rules: &AvroRules) -> Parser {
        let strict = reading == Reading::New && rules.validates_new;
        let strict_names = strict && rules.library == AvroLibrary::V1_12;
        Parser {
            types: Vec::new(),
            known: HashMap::new(),
            library: rules.library,
            letters: if strict_names { Letters::Ascii } else { Letters::Any },
            checks_namespaces: strict_names,
            checks_defaults: strict,
            has_field_aliases: false,
            unresolved: Vec::new(),
            unsure: Vec::new(),
        }
    }

    /// Reads one text to its end; all names in it are resolved after that.
    fn read(&mut self, text: &str) -> Result<TypeId, ParseError> {
        let json = Json::read(text).map_err(|error| ParseError::of_json(error, text))?;
        let first = self.types.len();
        let root = Reader { parser: self, text }.any(&json, "")?;
        self.resolve(first)?;
        self.check_unsure_defaults()?;
        Ok(self.known_as(root).unwrap_or(root))
    }

    /// The node that is known by a definition's name: another one where the definition was repeated.
    fn known_as(&self, id: TypeId) -> Option<TypeId> {
        let (name, _) = self.kind(id).names()?;
        self.known.get(name.full()).copied()
    }

    fn kind(&self, id: TypeId) -> &Kind {
        &self.types[id.index()].kind
    }

    fn add(&mut self, kind: Kind, properties: Box<[Property]>) -> TypeId {
        self.types.push(Type { kind, properties, shared: false });
        // A text of 4 GiB is refused before this.
        TypeId(self.types.len() as u32 - 1)
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

    fn refuse_bad_union(&self, branches: &[TypeId]) -> Result<(), ParseError> {
        if branches.iter().any(|&branch| matches!(self.kind(branch), Kind::Union(_))) {
            return Err(ParseError::NestedUnion);
        }
        let name = |at: usize| match self.kind(branches[at]) {
            // Not known yet, so it differs from all others; looked at again when it is.
            Kind::Unresolved(_) if self.library == AvroLibrary::V1_12 => None,
            kind => Some(kind.branch_name()),
        };
        let named: Vec<&str> = (0..branches.len()).filter_map(name).collect();
        match Index::of(|at| named[at], named.len()) {
            Ok(_) => Ok(()),
            Err(twice) => Err(ParseError::DuplicateBranch { name: named[twice].to_owned() }),
        }
    }

    fn check_unsure_defaults(&mut self) -> Result<(), ParseError> {
        for (holder, at) in std::mem::take(&mut self.unsure) {
            let Kind::Record(record) = self.kind(holder) else { continue };
            let field = &record.fields[at];
            let Some(Ok(json)) = field.default.as_deref().map(Json::read) else { continue };
            let mut defaults = Defaults::complete(&self.types, holder);
            let fits = defaults.fit(field.kind, &json).map_err(|trouble| trouble.of(&field.name))?;
            if !fits {
                return Err(bad_default(&field.name, json_text(field.default.as_deref()), self.kind(field.kind)));
            }
        }
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
        Schema { types: self.types, root, has_field_aliases: self.has_field_aliases }
    }

    /// Makes a definition known by its name.
    fn define(&mut self, name: &Name, id: TypeId) -> Result<(), ParseError> {
        if self.checks_namespaces && !name.namespace().is_empty() {
            let bad = name.namespace().split('.').find(|part| !self.letters.make(part));
            if let Some(part) = bad {
                return Err(ParseError::BadName { what: "namespace part", name: part.to_owned() });
            }
        }
        let Some(&known) = self.known.get(name.full()) else {
            self.known.insert(name.full().into(), id);
            return Ok(());
        };
        // 1.11 takes no second definition, 1.12 one that is equal.
        if self.library == AvroLibrary::V1_12 && repeated::equal(&self.types, known, id) {
            return Ok(());
        }
        Err(ParseError::Redefined { name: name.to_string() })
    }

    fn good_name(&self, name: &str) -> Result<(), ParseError> {
        if self.letters.make(name) { Ok(()) } else { Err(ParseError::BadName { what: "name", name: name.to_owned() }) }
    }
}

/// Reads the types of one text.
struct Reader<'p, 't> {
    parser: &'p mut Parser,
    text: &'t str,
}

impl Reader<'_, '_> {
    /// A name, a definition or a union, inside a namespace.
    fn any(&mut self, json: &Json, enclosing: &str) -> Result<TypeId, ParseError> {
        match &json.value {
            Value::Text(name) => self.named(name, enclosing, true),
            Value::Object(_) => self.definition(json, enclosing),
            Value::List(branches) => self.union(branches, enclosing),
            _ => Err(ParseError::NotAType { found: self.shown(json) }),
        }
    }

    fn definition(&mut self, json: &Json, enclosing: &str) -> Result<TypeId, ParseError> {
        let word = json.get_text("type").ok_or_else(|| ParseError::NoType { found: self.shown(json) })?;
        if let Some(primitive) = Primitive::from_word(word) {
            let properties = self.properties(json, &TYPE_KEYS);
            return Ok(self.parser.add(Kind::Primitive(primitive), properties));
        }
        match word {
            "record" | "error" => self.record(json, enclosing),
            "enum" => self.symbols(json, enclosing),
            "fixed" => self.fixed(json, enclosing),
            "array" => self.container(json, enclosing, ("array", "items"), Kind::Array),
            "map" => self.container(json, enclosing, ("map", "values"), Kind::Map),
            name => self.named(name, enclosing, false),
        }
    }

    /// A primitive, or what a name means here: a type of the enclosing namespace first, then one without namespace.
    fn named(&mut self, name: &str, enclosing: &str, or_without_namespace: bool) -> Result<TypeId, ParseError> {
        if let Some(primitive) = Primitive::from_word(name) {
            return Ok(self.parser.add(Kind::Primitive(primitive), Box::default()));
        }
        let undefined = |name: String| Err(ParseError::Undefined { name });
        let known = |name: &str| self.parser.known.get(name).copied();
        if self.parser.library == AvroLibrary::V1_11 {
            let full = Name::resolve(name, enclosing);
            let fallback = || or_without_namespace.then(|| known(Name::resolve(name, "").full())).flatten();
            return known(full.full()).or_else(fallback).map_or_else(|| undefined(full.to_string()), Ok);
        }
        // 1.12 does not fold a leading dot.
        let full =
            if enclosing.is_empty() || name.contains('.') { name.into() } else { [enclosing, ".", name].concat() };
        if let Some(id) = known(&full).or_else(|| known(name)) {
            return Ok(id);
        }
        let id = self.parser.add(Kind::Unresolved(full.into()), Box::default());
        self.parser.unresolved.push(id);
        Ok(id)
    }

    fn union(&mut self, branches: &[Json], enclosing: &str) -> Result<TypeId, ParseError> {
        let branches: Vec<TypeId> =
            branches.iter().map(|branch| self.any(branch, enclosing)).collect::<Result<_, _>>()?;
        self.parser.refuse_bad_union(&branches)?;
        Ok(self.parser.add(Kind::Union(branches.into()), Box::default()))
    }

    fn container(
        &mut self,
        json: &Json,
        enclosing: &str,
        (kind, key): (&'static str, &'static str),
        make: fn(TypeId) -> Kind,
    ) -> Result<TypeId, ParseError> {
        let part = json.get(key).ok_or(ParseError::Missing { kind, name: String::new(), key })?;
        let part = self.any(part, enclosing)?;
        let properties = self.properties(json, &TYPE_KEYS);
        Ok(self.parser.add(make(part), properties))
    }

    fn record(&mut self, json: &Json, enclosing: &str) -> Result<TypeId, ParseError> {
        let name = self.name(json, enclosing, "a record")?;
        let known_at_once = self.parser.library == AvroLibrary::V1_11;
        let early = known_at_once.then(|| self.parser.add(Kind::Unresolved(name.full().into()), Box::default()));
        if let Some(id) = early {
            self.parser.define(&name, id)?;
        }
        let missing = || ParseError::Missing { kind: "record", name: name.to_string(), key: "fields" };
        let written = json.get("fields").and_then(Json::as_list).ok_or_else(missing)?;
        let mut fields = Vec::with_capacity(written.len());
        let mut unsure = Vec::new();
        for (at, field) in written.iter().enumerate() {
            let (field, sure) = self.field(field, &name)?;
            fields.push(field);
            unsure.extend((!sure).then_some(at));
        }
        let index = Index::of(|at| &fields[at].name, fields.len()).map_err(|twice| ParseError::DuplicateField {
            record: name.to_string(),
            field: fields[twice].name.to_string(),
        })?;
        let aliases = self.aliases(json, &name)?;
        let properties = self.properties(json, &TYPE_KEYS);
        let kind = Kind::Record(Box::new(Record { name: name.clone(), aliases, fields: fields.into(), index }));
        let id = match early {
            Some(id) => {
                self.parser.types[id.index()] = Type { kind, properties, shared: false };
                id
            }
            None => self.parser.add(kind, properties),
        };
        self.parser.unsure.extend(unsure.into_iter().map(|at| (id, at)));
        if !known_at_once {
            self.parser.define(&name, id)?;
        }
        Ok(id)
    }

    /// A field, and whether its default is known to be good.
    fn field(&mut self, json: &Json, record: &Name) -> Result<(Field, bool), ParseError> {
        let name = json.get_text("name").ok_or(ParseError::NoName { kind: "a field" })?;
        let written = json.get("type").ok_or_else(|| ParseError::NoFieldType { field: name.to_owned() })?;
        let kind = self.any(written, record.namespace())?;
        let order = match json.get("order") {
            None => Order::Ascending,
            Some(order) => read_order(order).ok_or_else(|| ParseError::BadOrder { field: name.to_owned() })?,
        };
        self.parser.good_name(name)?;
        let default = json.get("default");
        let aliases = unique(list_of_texts(json.get("aliases"), self.text)?);
        self.parser.has_field_aliases |= !aliases.is_empty();
        let sure = default.map_or(Ok(true), |default| self.check_default(name, kind, default))?;
        let field = Field {
            name: name.into(),
            aliases: aliases.into_iter().map(Into::into).collect(),
            kind,
            default: default.map(|default| self.text[default.span()].into()),
            order,
            properties: self.properties(json, &FIELD_KEYS),
        };
        Ok((field, sure))
    }

    /// Refuses a bad default. False where a type in it is not known yet.
    fn check_default(&self, field: &str, kind: TypeId, default: &Json) -> Result<bool, ParseError> {
        let bad = || bad_default(field, &self.text[default.span()], self.parser.kind(kind));
        if let (Kind::Primitive(Primitive::Float | Primitive::Double), Some(text)) =
            (self.parser.kind(kind), default.as_text())
        {
            // Read as a number by every release and for every schema: "NaN" is a default, "oops" is none.
            return if defaults::is_java_double(text) { Ok(true) } else { Err(bad()) };
        }
        if !self.parser.checks_defaults {
            return Ok(true);
        }
        let any_branch = self.parser.library == AvroLibrary::V1_12;
        let mut defaults = Defaults::partial(&self.parser.types, any_branch);
        let fits = defaults.fit(kind, default).map_err(|trouble| trouble.of(field))?;
        if !fits || (defaults.met_unresolved && !any_branch) {
            return Err(bad());
        }
        Ok(!defaults.met_unresolved)
    }

    fn symbols(&mut self, json: &Json, enclosing: &str) -> Result<TypeId, ParseError> {
        let name = self.name(json, enclosing, "an enum")?;
        let missing = || ParseError::Missing { kind: "enum", name: name.to_string(), key: "symbols" };
        let written = json.get("symbols").and_then(Json::as_list).ok_or_else(missing)?;
        let texts = written.iter().map(|symbol| symbol.as_text().ok_or_else(missing));
        let symbols: Vec<Box<str>> = texts.map(|text| text.map(Into::into)).collect::<Result<_, _>>()?;
        for symbol in &symbols {
            self.parser.good_name(symbol)?;
        }
        let index = Index::of(|at| &symbols[at], symbols.len()).map_err(|twice| ParseError::DuplicateSymbol {
            name: name.to_string(),
            symbol: symbols[twice].to_string(),
        })?;
        let default: Option<Box<str>> = json.get_text("default").map(Into::into);
        let made = Enum { aliases: self.aliases(json, &name)?, name, symbols: symbols.into(), default, index };
        if let Some(default) = made.default.as_deref().filter(|default| !made.has(default)) {
            return Err(ParseError::BadEnumDefault { name: made.name.to_string(), default: default.to_owned() });
        }
        let mut properties = self.properties(json, &TYPE_KEYS).into_vec();
        properties.retain(|property| &*property.key != "default");
        let name = made.name.clone();
        let id = self.parser.add(Kind::Enum(Box::new(made)), properties.into());
        self.parser.define(&name, id)?;
        Ok(id)
    }

    fn fixed(&mut self, json: &Json, enclosing: &str) -> Result<TypeId, ParseError> {
        let name = self.name(json, enclosing, "a fixed")?;
        let size = json.get("size").and_then(Json::as_whole_number);
        let missing = || ParseError::Missing { kind: "fixed", name: name.to_string(), key: "size" };
        let size = size.ok_or_else(missing)?;
        let bytes = i32::try_from(size).ok().filter(|bytes| (0..=MAX_SIZE).contains(bytes));
        let bytes = bytes.ok_or_else(|| ParseError::BadSize { name: name.to_string(), size })?;
        let aliases = self.aliases(json, &name)?;
        let properties = self.properties(json, &TYPE_KEYS);
        let kind = Kind::Fixed(Box::new(Fixed { name: name.clone(), aliases, size: bytes }));
        let id = self.parser.add(kind, properties);
        self.parser.define(&name, id)?;
        Ok(id)
    }

    fn name(&self, json: &Json, enclosing: &str, kind: &'static str) -> Result<Name, ParseError> {
        let namespace = json.get_text("namespace").unwrap_or(enclosing);
        let written = json.get_text("name").ok_or(ParseError::NoName { kind })?;
        let name = Name::resolve(written, namespace);
        self.parser.good_name(name.short())?;
        if Primitive::from_word(name.full()).is_some() {
            return Err(ParseError::NamedAsPrimitive { name: name.to_string() });
        }
        Ok(name)
    }

    /// The aliases of a definition as the library lists them for its checker: full names, each once. 1.12 marks one
    /// without namespace by a dot where the type has a namespace, and no writer's name begins with a dot.
    fn aliases(&self, json: &Json, name: &Name) -> Result<Box<[Box<str>]>, ParseError> {
        let mut aliases: Vec<Box<str>> = Vec::new();
        for written in list_of_texts(json.get("aliases"), self.text)? {
            let alias = Name::resolve(written, name.namespace());
            self.parser.good_name(alias.short())?;
            let marked = self.parser.library == AvroLibrary::V1_12
                && alias.namespace().is_empty()
                && !name.namespace().is_empty();
            aliases.push(if marked { [".", alias.full()].concat().into() } else { alias.full().into() });
        }
        Ok(aliases.into())
    }

    fn properties(&self, json: &Json, defined: &[&str]) -> Box<[Property]> {
        let Value::Object(members) = &json.value else { return Box::default() };
        let others = members.iter().filter(|member| !defined.contains(&&*member.key));
        let kept = |text: &str| Box::<str>::from(text);
        others.map(|member| Property { key: kept(&member.key), value: kept(&self.text[member.json.span()]) }).collect()
    }

    fn shown(&self, json: &Json) -> String {
        shown(&self.text[json.span()])
    }
}

fn list_of_texts<'j>(json: Option<&'j Json>, text: &str) -> Result<Vec<&'j str>, ParseError> {
    let bad = |json: &Json| ParseError::BadAliases { found: shown(&text[json.span()]) };
    let Some(json) = json else { return Ok(Vec::new()) };
    let items = json.as_list().ok_or_else(|| bad(json))?;
    items.iter().map(|item| item.as_text().ok_or_else(|| bad(item))).collect()
}

/// Each of them once, in their order.
fn unique(mut texts: Vec<&str>) -> Vec<&str> {
    if texts.len() > 1 {
        let mut seen = HashSet::new();
        texts.retain(|text| seen.insert(*text));
    }
    texts
}

fn read_order(order: &Json) -> Option<Order> {
    match order.as_text()?.to_uppercase().as_str() {
        "ASCENDING" => Some(Order::Ascending),
        "DESCENDING" => Some(Order::Descending),
        "IGNORE" => Some(Order::Ignore),
        _ => None,
    }
}

fn bad_default(field: &str, default: &str, kind: &Kind) -> ParseError {
    let kind = kind.names().map_or_else(|| kind.word().to_owned(), |(name, _)| name.to_string());
    ParseError::BadDefault { field: field.to_owned(), default: shown(default), kind }
}

fn json_text(default: Option<&str>) -> &str {
    default.unwrap_or("null")
}

/// The beginning of a text, for an error.
fn shown(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
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
