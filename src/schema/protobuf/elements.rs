//! What a Protobuf text declares, as far as compatibility sees it: types before linking, labels as written.

use std::ops::Range;

/// A type of one [`super::Schema`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub(super) u32);

/// One file: the schema itself, or one that it refers to.
#[derive(Debug, Default)]
pub struct File {
    /// Its package; empty for none.
    pub package: Box<str>,
    /// Where the package is declared or, if it is not, where that could stand.
    pub package_span: Range<usize>,
    /// Its top-level types, in order.
    pub types: Vec<TypeId>,
    /// It says that it is proto3; if not, fields outside oneofs need labels.
    pub proto3: bool,
    /// The fields that it adds to messages declared elsewhere. They are not compared.
    pub extensions: Vec<Extension>,
    /// Its text.
    pub text: Box<str>,
}

/// A message or an enum.
#[derive(Debug)]
pub struct Definition {
    /// Its name.
    pub name: Box<str>,
    /// Its name and those of the messages around it, with dots, without the package.
    pub local_name: Box<str>,
    /// Which file declares it: 0 is the schema itself.
    pub file: usize,
    /// Where its declaration stands in the text of its file.
    pub span: Range<usize>,
    /// What it is.
    pub body: Body,
}

/// What a type is.
#[derive(Debug)]
pub enum Body {
    /// A message.
    Message(Message),
    /// An enum.
    Enum(Enum),
}

/// A field that a file adds to a message declared elsewhere.
#[derive(Debug)]
pub struct Extension {
    /// The message, as written.
    pub extended: Box<str>,
    /// The field.
    pub field: Field,
}

/// Numbers and names that are not to be used again.
#[derive(Debug, Default)]
pub struct Reserved {
    /// First and last of each range, in order of the text.
    pub numbers: Vec<(i32, i32)>,
    /// The names.
    pub names: Vec<Box<str>>,
}

impl Reserved {
    /// Whether a number is among them.
    pub fn has_number(&self, number: i32) -> bool {
        self.numbers.iter().any(|(first, last)| (*first..=*last).contains(&number))
    }

    /// Whether a name is among them.
    pub fn has_name(&self, name: &str) -> bool {
        self.names.iter().any(|reserved| **reserved == *name)
    }
}

/// A group of proto2: a field and the message that it holds. Groups are not compared.
#[derive(Debug)]
pub struct Group {
    /// Its name.
    pub name: Box<str>,
    /// Its number.
    pub number: i32,
    /// Its label, where one is written.
    pub label: Option<Label>,
    /// Its fields, in order.
    pub fields: Vec<Field>,
}

/// A message.
#[derive(Debug, Default)]
pub struct Message {
    /// The fields outside oneofs, in order.
    pub fields: Vec<Field>,
    /// Its oneofs, in order.
    pub oneofs: Vec<Oneof>,
    /// The types declared in it, in order.
    pub nested: Vec<TypeId>,
    /// It says of itself that it is the entry of a map.
    pub map_entry: bool,
    /// Its groups, also those in oneofs.
    pub groups: Vec<Group>,
    /// What is not to be used again.
    pub reserved: Reserved,
}

impl Message {
    /// How many fields it has, inside and outside oneofs.
    pub fn size(&self) -> usize {
        self.fields.len() + self.oneofs.iter().map(|oneof| oneof.fields.len()).sum::<usize>()
    }
}

/// An enum.
#[derive(Debug, Default)]
pub struct Enum {
    /// Its constants, in order.
    pub constants: Vec<Constant>,
    /// What is not to be used again.
    pub reserved: Reserved,
}

/// A constant of an enum.
#[derive(Debug)]
pub struct Constant {
    /// Its name.
    pub name: Box<str>,
    /// Its number.
    pub number: i32,
    /// Where its declaration stands in the text of its file.
    pub span: Range<usize>,
}

/// A oneof.
#[derive(Debug)]
pub struct Oneof {
    /// Its name.
    pub name: Box<str>,
    /// Its members, in order; groups are left out.
    pub fields: Vec<Field>,
    /// Where its declaration stands in the text of its file.
    pub span: Range<usize>,
}

/// A field.
#[derive(Debug)]
pub struct Field {
    /// Its name.
    pub name: Box<str>,
    /// Its number, which identifies it in data.
    pub number: i32,
    /// Its label, where one is written.
    pub label: Option<Label>,
    /// What it holds.
    pub field_type: FieldType,
    /// Its options that matter to readers; none where none is set.
    pub options: Option<Box<FieldOptions>>,
    /// Where its type stands, without the label before it.
    pub type_span: Range<usize>,
    /// Where its declaration stands in the text of its file.
    pub span: Range<usize>,
}

/// Options of a field that matter to readers, as written, without quotes.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct FieldOptions {
    /// Its name in JSON.
    pub json_name: Option<Box<str>>,
    /// What is read where it is unset (proto2).
    pub default: Option<Box<str>>,
}

impl Field {
    /// Its name in JSON, where one is set.
    pub fn json_name(&self) -> Option<&str> {
        self.options.as_ref()?.json_name.as_deref()
    }

    /// What is read where it is unset, where that is set.
    pub fn default(&self) -> Option<&str> {
        self.options.as_ref()?.default.as_deref()
    }
}

/// A label, as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// `required`
    Required,
    /// `optional`
    Optional,
    /// `repeated`
    Repeated,
}

impl Label {
    /// As written.
    pub fn spelling(self) -> &'static str {
        match self {
            Label::Required => "required",
            Label::Optional => "optional",
            Label::Repeated => "repeated",
        }
    }
}

/// What a field holds.
#[derive(Debug)]
pub enum FieldType {
    /// A number, text or bytes.
    Scalar(Scalar),
    /// `map<key, value>`
    Map(Box<(FieldType, FieldType)>),
    /// A message or an enum.
    Named(Named),
}

/// A type by name.
#[derive(Debug)]
pub struct Named {
    /// The name as written.
    pub written: Box<str>,
    /// What it means, where that is known.
    pub target: Option<Target>,
}

/// What a name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A type of the same [`super::Schema`].
    Declared(TypeId),
    /// A type that every registry knows.
    WellKnown(TypeId),
}

/// The types that have a keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// `bool`
    Bool,
    /// `bytes`
    Bytes,
    /// `double`
    Double,
    /// `fixed32`
    Fixed32,
    /// `fixed64`
    Fixed64,
    /// `float`
    Float,
    /// `int32`
    Int32,
    /// `int64`
    Int64,
    /// `sfixed32`
    Sfixed32,
    /// `sfixed64`
    Sfixed64,
    /// `sint32`
    Sint32,
    /// `sint64`
    Sint64,
    /// `string`
    String,
    /// `uint32`
    Uint32,
    /// `uint64`
    Uint64,
}

impl Scalar {
    /// The type with this keyword.
    pub fn named(keyword: &str) -> Option<Scalar> {
        Some(match keyword {
            "bool" => Scalar::Bool,
            "bytes" => Scalar::Bytes,
            "double" => Scalar::Double,
            "fixed32" => Scalar::Fixed32,
            "fixed64" => Scalar::Fixed64,
            "float" => Scalar::Float,
            "int32" => Scalar::Int32,
            "int64" => Scalar::Int64,
            "sfixed32" => Scalar::Sfixed32,
            "sfixed64" => Scalar::Sfixed64,
            "sint32" => Scalar::Sint32,
            "sint64" => Scalar::Sint64,
            "string" => Scalar::String,
            "uint32" => Scalar::Uint32,
            "uint64" => Scalar::Uint64,
            _ => return None,
        })
    }

    /// Its keyword.
    pub fn keyword(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::Bytes => "bytes",
            Scalar::Double => "double",
            Scalar::Fixed32 => "fixed32",
            Scalar::Fixed64 => "fixed64",
            Scalar::Float => "float",
            Scalar::Int32 => "int32",
            Scalar::Int64 => "int64",
            Scalar::Sfixed32 => "sfixed32",
            Scalar::Sfixed64 => "sfixed64",
            Scalar::Sint32 => "sint32",
            Scalar::Sint64 => "sint64",
            Scalar::String => "string",
            Scalar::Uint32 => "uint32",
            Scalar::Uint64 => "uint64",
        }
    }
}
