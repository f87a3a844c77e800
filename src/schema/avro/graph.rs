//! The resolved graph: each place where a schema's text writes a type is a node, and a name stands for the node that
//! defines it. Two types are the same object to the registry's checker exactly when they are the same node here.

use std::fmt;

use super::name::Name;

/// A schema with its names resolved.
#[derive(Clone, Debug)]
pub struct Schema {
    pub(super) types: Vec<Type>,
    pub(super) root: TypeId,
    pub(super) has_field_aliases: bool,
    pub(super) has_errors: bool,
}

/// A node of one [`Schema`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub(super) u32);

/// A node: what it is, and what else was written about it.
#[derive(Clone, Debug)]
pub(super) struct Type {
    pub(super) kind: Kind,
    pub(super) properties: Box<[Property]>,
    /// Whether more than one place leads here.
    pub(super) shared: bool,
}

/// What a type is.
#[derive(Clone, Debug)]
pub enum Kind {
    /// One of the eight.
    Primitive(Primitive),
    /// An array of this.
    Array(TypeId),
    /// A map of strings to this.
    Map(TypeId),
    /// One of these.
    Union(Box<[TypeId]>),
    /// A record; an error is one.
    Record(Box<Record>),
    /// An enum.
    Enum(Box<Enum>),
    /// So many bytes.
    Fixed(Box<Fixed>),
    /// A full name that nothing has defined yet. No schema that [`super::parse`] returns has one.
    #[doc(hidden)]
    Unresolved(Box<str>),
}

/// A type without parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Primitive {
    /// Nothing.
    Null,
    /// True or false.
    Boolean,
    /// 32 bits.
    Int,
    /// 64 bits.
    Long,
    /// 32 bits.
    Float,
    /// 64 bits.
    Double,
    /// Bytes.
    Bytes,
    /// Text.
    String,
}

/// A record.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its name.
    pub name: Name,
    /// What it may be called in a writer's schema, as the library lists them.
    pub aliases: Aliases,
    /// In the order of the text.
    pub fields: Box<[Field]>,
    /// Written as an error, which is a record to Java's library.
    pub is_error: bool,
    pub(super) index: Index,
}

/// A field of a record.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: Box<str>,
    /// What it may be called in a writer's schema.
    pub aliases: Box<[Box<str>]>,
    /// Its type.
    pub kind: TypeId,
    /// Its default as JSON text; `null` is one.
    pub default: Option<Box<str>>,
    pub(super) order: Order,
    pub(super) properties: Box<[Property]>,
}

/// How a field counts when records are sorted. Tells two definitions apart, nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Ascending,
    Descending,
    Ignore,
}

/// An enum.
#[derive(Clone, Debug)]
pub struct Enum {
    /// Its name.
    pub name: Name,
    /// What it may be called in a writer's schema, as the library lists them.
    pub aliases: Aliases,
    /// In the order of the text.
    pub symbols: Box<[Box<str>]>,
    /// What unknown symbols are read as; one of the symbols.
    pub default: Option<Box<str>>,
    pub(super) index: Index,
}

/// A fixed type.
#[derive(Clone, Debug)]
pub struct Fixed {
    /// Its name.
    pub name: Name,
    /// What it may be called in a writer's schema, as the library lists them.
    pub aliases: Aliases,
    /// In bytes, not negative.
    pub size: i32,
}

/// The aliases of a definition: there may be thousands, of which each type of a large union looks for its name.
#[derive(Clone, Debug, Default)]
pub struct Aliases(Box<[Box<str>]>);

impl Aliases {
    pub(super) fn of(mut names: Vec<Box<str>>) -> Aliases {
        names.sort_unstable();
        names.dedup();
        Aliases(names.into())
    }

    /// Whether this is one.
    pub fn hold(&self, name: &str) -> bool {
        self.0.binary_search_by(|alias| (**alias).cmp(name)).is_ok()
    }

    /// All, sorted.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        self.0.iter().map(|alias| &**alias)
    }
}

/// What else the text says of a type, such as `logicalType`.
#[derive(Clone, Debug)]
pub struct Property {
    /// The key.
    pub key: Box<str>,
    /// The value as JSON text.
    pub value: Box<str>,
}

/// Where the names of a list are; small lists are searched as they are.
#[derive(Clone, Debug)]
pub(super) struct Index(Box<[u32]>);

/// Lists up to this length are searched without an index.
const SMALL: usize = 8;

impl Schema {
    /// Where the schema begins.
    pub fn root(&self) -> TypeId {
        self.root
    }

    /// What a node is.
    pub fn kind(&self, id: TypeId) -> &Kind {
        &self.types[id.0 as usize].kind
    }

    /// Whether more than one place of the text means this node: by name, or from within itself.
    pub fn is_shared(&self, id: TypeId) -> bool {
        self.types[id.0 as usize].shared
    }

    /// Whether any field has an alias.
    pub fn has_field_aliases(&self) -> bool {
        self.has_field_aliases
    }

    /// Whether any record is an error.
    pub fn has_errors(&self) -> bool {
        self.has_errors
    }

    /// What else the text says of a node, as JSON text.
    pub fn property(&self, id: TypeId, key: &str) -> Option<&str> {
        let properties = &self.types[id.0 as usize].properties;
        properties.iter().rev().find(|property| &*property.key == key).map(|property| &*property.value)
    }

    /// All that the text says of a node besides what Avro defines.
    pub fn properties(&self, id: TypeId) -> &[Property] {
        &self.types[id.0 as usize].properties
    }
}

impl TypeId {
    /// Its place among the nodes of its schema, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Kind {
    /// The name and aliases, where the kind has them.
    pub fn names(&self) -> Option<(&Name, &Aliases)> {
        match self {
            Kind::Record(record) => Some((&record.name, &record.aliases)),
            Kind::Enum(symbols) => Some((&symbols.name, &symbols.aliases)),
            Kind::Fixed(fixed) => Some((&fixed.name, &fixed.aliases)),
            _ => None,
        }
    }

    /// The word for the kind in a schema's text.
    pub fn word(&self) -> &'static str {
        match self {
            Kind::Primitive(primitive) => primitive.word(),
            Kind::Array(_) => "array",
            Kind::Map(_) => "map",
            Kind::Union(_) => "union",
            Kind::Record(_) | Kind::Unresolved(_) => "record",
            Kind::Enum(_) => "enum",
            Kind::Fixed(_) => "fixed",
        }
    }

    /// What branches of one union differ by.
    pub(super) fn branch_name(&self) -> &str {
        match (self, self.names()) {
            (Kind::Unresolved(full), _) => full,
            (_, Some((name, _))) => name.full(),
            _ => self.word(),
        }
    }
}

impl Primitive {
    /// The primitive that a word means.
    pub fn from_word(word: &str) -> Option<Primitive> {
        Some(match word {
            "null" => Primitive::Null,
            "boolean" => Primitive::Boolean,
            "int" => Primitive::Int,
            "long" => Primitive::Long,
            "float" => Primitive::Float,
            "double" => Primitive::Double,
            "bytes" => Primitive::Bytes,
            "string" => Primitive::String,
            _ => return None,
        })
    }

    /// Its word in a schema's text.
    pub fn word(self) -> &'static str {
        match self {
            Primitive::Null => "null",
            Primitive::Boolean => "boolean",
            Primitive::Int => "int",
            Primitive::Long => "long",
            Primitive::Float => "float",
            Primitive::Double => "double",
            Primitive::Bytes => "bytes",
            Primitive::String => "string",
        }
    }
}

impl fmt::Display for Primitive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl Record {
    /// The place of the field with this name.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.index.find(name, |at| &self.fields[at].name, self.fields.len())
    }

    /// The field with this name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.position(name).map(|at| &self.fields[at])
    }
}

impl Enum {
    /// Whether it has a symbol.
    pub fn has(&self, symbol: &str) -> bool {
        self.index.find(symbol, |at| &self.symbols[at], self.symbols.len()).is_some()
    }
}

impl Index {
    /// An index of names, or the place of a name that stands in the list a second time.
    pub(super) fn of<'n>(names: impl Fn(usize) -> &'n str, length: usize) -> Result<Index, usize> {
        if length <= SMALL {
            let twice = (1..length).find(|&at| (0..at).any(|before| names(before) == names(at)));
            return twice.map_or_else(|| Ok(Index(Box::default())), Err);
        }
        // A text of 4 GiB is refused before this.
        let mut order: Vec<u32> = (0..length as u32).collect();
        order.sort_unstable_by(|&a, &b| names(a as usize).cmp(names(b as usize)).then(a.cmp(&b)));
        let twice = order.windows(2).filter(|pair| names(pair[0] as usize) == names(pair[1] as usize));
        match twice.map(|pair| pair[1] as usize).min() {
            Some(twice) => Err(twice),
            None => Ok(Index(order.into())),
        }
    }

    fn find<'n>(&self, name: &str, names: impl Fn(usize) -> &'n str, length: usize) -> Option<usize> {
        if self.0.is_empty() {
            return (0..length).find(|&at| names(at) == name);
        }
        let found = self.0.binary_search_by(|&at| names(at as usize).cmp(name)).ok()?;
        Some(self.0[found] as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::small(5)]
    #[case::indexed(50)]
    fn names_are_found_where_they_stand(#[case] length: usize) {
        let names: Vec<String> = (0..length).map(|at| format!("n{}", (at * 7) % length)).collect();
        let index = Index::of(|at| &names[at], length).unwrap();
        for at in 0..length {
            assert_eq!(index.find(&names[at], |at| &names[at], length), Some(at));
        }
        assert_eq!(index.find("other", |at| &names[at], length), None);
    }

    #[rstest]
    #[case::small(5)]
    #[case::indexed(50)]
    fn a_repeated_name_is_told_by_its_second_place(#[case] length: usize) {
        let mut names: Vec<String> = (0..length).map(|at| format!("n{at}")).collect();
        names[length - 1] = "n1".to_owned();
        names[3] = "n1".to_owned();
        assert_eq!(Index::of(|at| &names[at], length).unwrap_err(), 3);
    }
}
