//! Reads the types that one text writes down, innermost first.

use std::collections::HashSet;

use super::defaults::{self, Defaults};
use super::error::ParseError;
use super::graph::{Aliases, Enum, Field, Fixed, Index, Kind, Order, Primitive, Property, Record, Type, TypeId};
use super::name::Name;
use super::parse::Parser;
use super::python;
use super::rules::Library;
use crate::schema::json_text::{Json, Value};

/// Keys that Avro defines for types; all others are properties. `default` is one of enums only.
const TYPE_KEYS: [&str; 10] =
    ["doc", "fields", "items", "name", "namespace", "size", "symbols", "values", "type", "aliases"];
/// Keys that Avro defines for fields.
const FIELD_KEYS: [&str; 6] = ["default", "doc", "name", "order", "type", "aliases"];
/// The largest array that the library allocates.
const MAX_SIZE: i32 = i32::MAX - 8;
/// How much of a text is shown in an error.
const SHOWN: usize = 80;

/// Reads the types of one text.
pub(super) struct Reader<'p, 't> {
    pub(super) parser: &'p mut Parser,
    pub(super) text: &'t str,
}

impl Reader<'_, '_> {
    /// What a whole text is. Python looks no name up here.
    pub(super) fn root(&mut self, json: &Json) -> Result<TypeId, ParseError> {
        match json.as_text() {
            Some(name) if self.is_python() && Primitive::from_word(name).is_none() => {
                Err(ParseError::Undefined { name: name.to_owned() })
            }
            _ => self.any(json, ""),
        }
    }

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
            "error_union" if self.is_python() => {
                Err(python::accident("error_union stands for a union with string".to_owned()))
            }
            name if self.parser.unwraps_names => self.named(name, enclosing, false),
            name => Err(ParseError::WrappedName { name: name.to_owned() }),
        }
    }

    /// A primitive, or what a name means here: a type of the enclosing namespace first, then one without namespace.
    fn named(&mut self, name: &str, enclosing: &str, or_without_namespace: bool) -> Result<TypeId, ParseError> {
        let primitive = Primitive::from_word(name);
        // Inside a namespace Python has types of a primitive's name.
        if let (Some(primitive), false) = (primitive, self.is_python()) {
            return Ok(self.parser.add(Kind::Primitive(primitive), Box::default()));
        }
        let full = self.full_name(name, enclosing);
        self.parser.count_use(&full)?;
        let known = |name: &str| self.parser.known.get(name).copied();
        let found = known(&full).or_else(|| match self.parser.library {
            Library::Java1_11 if or_without_namespace => known(Name::resolve(name, "").full()),
            Library::Java1_12 => known(name),
            Library::Java1_11 | Library::Python1_12 => None,
        });
        match (found, primitive, self.parser.library) {
            (Some(id), ..) => Ok(id),
            (None, Some(primitive), _) => Ok(self.parser.add(Kind::Primitive(primitive), Box::default())),
            (None, None, Library::Java1_12) => {
                self.parser.count_name(&full)?;
                let id = self.parser.add(Kind::Unresolved(full.into()), Box::default());
                self.parser.unresolved.push(id);
                Ok(id)
            }
            (None, None, _) => Err(ParseError::Undefined { name: full }),
        }
    }

    /// The full name that a name means inside a namespace. Only Java 1.11 folds a leading dot.
    fn full_name(&self, name: &str, enclosing: &str) -> String {
        if self.parser.library == Library::Java1_11 {
            return Name::resolve(name, enclosing).to_string();
        }
        if enclosing.is_empty() || name.contains('.') { name.to_owned() } else { [enclosing, ".", name].concat() }
    }

    fn is_python(&self) -> bool {
        self.parser.library == Library::Python1_12
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
        let within = match self.parser.library {
            Library::Java1_11 | Library::Java1_12 => name.namespace(),
            Library::Python1_12 => python::namespace_within(json, &name, enclosing),
        };
        let known_at_once = self.parser.library != Library::Java1_12;
        let early = known_at_once.then(|| self.parser.add(Kind::Unresolved(name.full().into()), Box::default()));
        if let Some(id) = early {
            self.parser.define(&name, id)?;
        }
        let missing = || ParseError::Missing { kind: "record", name: name.to_string(), key: "fields" };
        let written = json.get("fields").and_then(Json::as_list).ok_or_else(missing)?;
        let mut fields = Vec::with_capacity(written.len());
        let mut unsure = Vec::new();
        for (at, field) in written.iter().enumerate() {
            let (field, sure) = self.field(field, within)?;
            fields.push(field);
            unsure.extend((!sure).then_some(at));
        }
        let index = Index::of(|at| &fields[at].name, fields.len()).map_err(|twice| ParseError::DuplicateField {
            record: name.to_string(),
            field: fields[twice].name.to_string(),
        })?;
        let aliases = self.aliases(json, &name)?;
        let properties = self.properties(json, &TYPE_KEYS);
        let is_error = json.get_text("type") == Some("error");
        self.parser.has_errors |= is_error;
        let record = Record { name: name.clone(), aliases, fields: fields.into(), is_error, index };
        let kind = Kind::Record(Box::new(record));
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

    /// A field inside a namespace, and whether its default is known to be good.
    fn field(&mut self, json: &Json, enclosing: &str) -> Result<(Field, bool), ParseError> {
        let name = json.get_text("name").ok_or(ParseError::NoName { kind: "a field" })?;
        let written = json.get("type").ok_or_else(|| ParseError::NoFieldType { field: name.to_owned() })?;
        let kind = self.any(written, enclosing)?;
        let order = match json.get("order") {
            None => Order::Ascending,
            Some(order) => self.order(order).ok_or_else(|| ParseError::BadOrder { field: name.to_owned() })?,
        };
        if name.is_empty() || !self.is_python() {
            self.parser.good_name(name)?;
        }
        let default = json.get("default");
        let aliases = if self.is_python() {
            python::field_aliases(json, name)?
        } else {
            unique(list_of_texts(json.get("aliases"), self.text)?)
        };
        self.parser.has_field_aliases |= !aliases.is_empty();
        let sure = default.map_or(Ok(true), |default| self.check_default(name, kind, default))?;
        let field = Field {
            name: name.into(),
            aliases: aliases.into(),
            kind,
            default: default.map(|default| self.text[default.span()].into()),
            order,
            properties: self.properties(json, &FIELD_KEYS),
        };
        Ok((field, sure))
    }

    /// Refuses a bad default. False where a type in it is not known yet.
    fn check_default(&mut self, field: &str, kind: TypeId, default: &Json) -> Result<bool, ParseError> {
        if self.is_python() {
            return Ok(true);
        }
        let bad = || bad_default(field, &self.text[default.span()], self.parser.kind(kind));
        if let (Kind::Primitive(Primitive::Float | Primitive::Double), Some(text)) =
            (self.parser.kind(kind), default.as_text())
        {
            // Read as a number by every release of Java's and for every schema: "NaN" is a default, "oops" is none.
            return if defaults::is_java_double(text) { Ok(true) } else { Err(bad()) };
        }
        if !self.parser.checks.defaults {
            return Ok(true);
        }
        let any_branch = self.parser.library == Library::Java1_12;
        let mut defaults = Defaults::partial(&self.parser.types, any_branch, self.parser.steps_left);
        let fits = defaults.fit(kind, default).map_err(|trouble| trouble.of(field))?;
        if !fits || (defaults.met_unresolved && !any_branch) {
            return Err(bad());
        }
        let sure = !defaults.met_unresolved;
        self.parser.steps_left = defaults.steps_left;
        Ok(sure)
    }

    /// In Java also in capitals, in Python also `null`.
    fn order(&self, order: &Json) -> Option<Order> {
        let word = match &order.value {
            Value::Null if self.is_python() => return Some(Order::Ascending),
            Value::Text(word) if self.is_python() && !word.bytes().all(|byte| byte.is_ascii_lowercase()) => {
                return None;
            }
            Value::Text(word) => word.to_uppercase(),
            _ => return None,
        };
        match word.as_str() {
            "ASCENDING" => Some(Order::Ascending),
            "DESCENDING" => Some(Order::Descending),
            "IGNORE" => Some(Order::Ignore),
            _ => None,
        }
    }

    fn symbols(&mut self, json: &Json, enclosing: &str) -> Result<TypeId, ParseError> {
        let name = self.name(json, enclosing, "an enum")?;
        if let (Some(_), true) = (json.get_text("symbols"), self.is_python()) {
            return Err(python::accident(format!("the symbols of {name} are one text instead of a list")));
        }
        let missing = || ParseError::Missing { kind: "enum", name: name.to_string(), key: "symbols" };
        let written = json.get("symbols").and_then(Json::as_list).ok_or_else(missing)?;
        let texts = written.iter().map(|symbol| symbol.as_text().ok_or_else(missing));
        let symbols: Vec<Box<str>> = texts.map(|text| text.map(Into::into)).collect::<Result<_, _>>()?;
        for symbol in &symbols {
            if !(self.is_python() && python::is_good_symbol(symbol, self.parser.checks.letters)) {
                self.parser.good_name(symbol)?;
            }
        }
        let index = Index::of(|at| &symbols[at], symbols.len()).map_err(|twice| ParseError::DuplicateSymbol {
            name: name.to_string(),
            symbol: symbols[twice].to_string(),
        })?;
        let default = json.get("default").filter(|default| self.is_python() || default.as_text().is_some());
        let default: Option<Box<str>> =
            default.map(|default| default.as_text().unwrap_or(&self.text[default.span()]).into());
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
        let is_odd = size.is_some_and(|size| size > MAX_SIZE.into())
            || matches!(json.get("size").map(|size| &size.value), Some(Value::Bool(_)));
        if self.is_python() && is_odd {
            return Err(python::accident(format!("fixed {name} has a size that is no 32-bit number")));
        }
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

    fn name(&mut self, json: &Json, enclosing: &str, kind: &'static str) -> Result<Name, ParseError> {
        let namespace = match self.parser.library {
            Library::Java1_11 | Library::Java1_12 => json.get_text("namespace").unwrap_or(enclosing),
            Library::Python1_12 => python::own_namespace(json, enclosing, self.text)?,
        };
        let written = json.get_text("name").ok_or(ParseError::NoName { kind })?;
        let name = Name::resolve(written, namespace);
        self.parser.count_name(name.full())?;
        self.parser.good_name(name.short())?;
        if self.is_python() && written.starts_with('.') {
            return Err(ParseError::BadName { what: "name", name: written.to_owned() });
        }
        if Primitive::from_word(name.full()).is_some() {
            return Err(ParseError::NamedAsPrimitive { name: name.to_string() });
        }
        Ok(name)
    }

    /// The aliases of a definition as the library lists them for its checker: full names, each once. 1.12 marks one
    /// without namespace by a dot where the type has a namespace, and no writer's name begins with a dot.
    fn aliases(&mut self, json: &Json, name: &Name) -> Result<Aliases, ParseError> {
        if self.is_python() {
            return python::aliases(json, name);
        }
        let mut aliases: Vec<Box<str>> = Vec::new();
        for written in list_of_texts(json.get("aliases"), self.text)? {
            let alias = Name::resolve(written, name.namespace());
            self.parser.count_name(alias.full())?;
            self.parser.good_name(alias.short())?;
            let marked = self.parser.library == Library::Java1_12
                && alias.namespace().is_empty()
                && !name.namespace().is_empty();
            aliases.push(if marked { [".", alias.full()].concat().into() } else { alias.full().into() });
        }
        Ok(Aliases::of(aliases))
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
fn unique(mut texts: Vec<&str>) -> Vec<Box<str>> {
    if texts.len() > 1 {
        let mut seen = HashSet::new();
        texts.retain(|text| seen.insert(*text));
    }
    texts.into_iter().map(Into::into).collect()
}

pub(super) fn bad_default(field: &str, default: &str, kind: &Kind) -> ParseError {
    let kind = kind.names().map_or_else(|| kind.word().to_owned(), |(name, _)| name.to_string());
    ParseError::BadDefault { field: field.to_owned(), default: shown(default), kind }
}

/// The beginning of a text, for an error.
fn shown(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
