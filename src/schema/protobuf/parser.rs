//! Reads Protobuf text as Confluent's parser does (Square Wire's `ProtoParser`): what protoc would refuse, such as
//! numbers used twice or names that mean nothing, is taken.

use std::ops::Range;

use super::elements::{
    Body, Constant, Definition, Enum, Extension, Field, FieldType, Group, Label, Message, Named, Oneof, Reserved,
    Scalar, TypeId,
};
use super::error::ParseError;
use super::scanner::Scanner;
use crate::schema::MAX_DEPTH;

/// Names of nested types repeat those around them; real schemas stay far below.
pub(super) const MAX_NAME_BYTES: usize = 4 << 20;

/// Reads one file. Types are appended to those of the files before it.
pub(super) struct Parser<'a> {
    pub(super) scanner: Scanner<'a>,
    /// It says that it is proto3.
    pub proto3: bool,
    declarations: usize,
    /// What is read stands in a group.
    pub(super) is_in_group: bool,
    /// How long the names of all types of this file are, together.
    name_bytes: usize,
    file: usize,
    /// All types so far.
    pub types: Vec<Definition>,
    /// The package of this file; empty for none.
    pub package: &'a str,
    /// Where it is declared or could be.
    pub package_span: Range<usize>,
    /// The top-level types of this file.
    pub top: Vec<TypeId>,
    /// The fields that this file adds to messages declared elsewhere.
    pub extensions: Vec<Extension>,
    /// Names of types that are used other than by compared fields: in groups, extensions and services.
    pub other_uses: Vec<Use>,
}

/// A type's name where it is used.
pub(super) struct Use {
    pub written: Box<str>,
    pub at: usize,
    /// The message around it.
    pub inside: Option<TypeId>,
}

fn is_no_key(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::Bytes | Scalar::Double | Scalar::Float)
}

/// A message whose end was not read yet.
pub(super) struct Open {
    pub id: TypeId,
    pub message: Message,
}

pub(super) enum Declared {
    Field(Field),
    Group(Group),
}

impl<'a> Parser<'a> {
    pub fn new(text: &'a str, file: usize, types: Vec<Definition>) -> Parser<'a> {
        Parser {
            scanner: Scanner::new(text),
            proto3: false,
            declarations: 0,
            is_in_group: false,
            name_bytes: 0,
            file,
            types,
            package: "",
            package_span: 0..0,
            top: Vec::new(),
            extensions: Vec::new(),
            other_uses: Vec::new(),
        }
    }

    /// Reads the whole file. Messages nest by a stack of their own.
    pub fn read(&mut self) -> Result<(), ParseError> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            self.skip_layout()?;
            if open.is_empty() && self.scanner.byte().is_none() {
                return Ok(());
            }
            if !open.is_empty() && self.takes(b'}')? {
                self.close(&mut open);
            } else {
                self.declaration(&mut open)?;
            }
        }
    }

    fn declaration(&mut self, open: &mut Vec<Open>) -> Result<(), ParseError> {
        let index = self.declarations;
        self.declarations += 1;
        if self.takes(b';')? {
            return Ok(());
        }
        let at = self.scanner.at();
        let word = self.word()?;
        match (word, open.last_mut()) {
            ("message", _) => self.open_message(at, open),
            ("enum", _) => self.enumeration(at, open),
            ("extend", _) => self.extend(open),
            ("option", None) => self.option_statement().map(drop),
            ("option", Some(inside)) => {
                let option = self.option_statement()?;
                inside.message.map_entry |= option == ("map_entry", "true");
                Ok(())
            }
            ("oneof", Some(inside)) => {
                let oneof = self.oneof(at, inside)?;
                inside.message.oneofs.push(oneof);
                Ok(())
            }
            ("reserved", Some(inside)) => self.reserved(&mut inside.message.reserved),
            ("extensions", Some(_)) => self.extensions(),
            (_, Some(inside)) => {
                match self.field(at, word, Some(inside.id))? {
                    Declared::Field(field) => inside.message.fields.push(field),
                    Declared::Group(group) => inside.message.groups.push(group),
                }
                Ok(())
            }
            ("package", None) => self.package(at),
            ("import", None) => self.import(),
            ("syntax", None) => self.syntax(at, index),
            ("edition", None) => Err(self.invalid_at(at, "editions are not supported by the registry")),
            ("service", None) => self.service(),
            (_, None) => Err(self.invalid_at(at, format!("unexpected {word:?}"))),
        }
    }

    fn package(&mut self, at: usize) -> Result<(), ParseError> {
        self.package = self.name()?;
        self.require(b';')?;
        self.package_span = at..self.scanner.at();
        Ok(())
    }

    fn import(&mut self) -> Result<(), ParseError> {
        if !self.starts_string()? {
            let at = self.scanner.at();
            match self.word()? {
                "public" => {}
                other => return Err(self.unsupported_at(at, format!("import {other} is not read here"))),
            }
        }
        self.strings()?;
        self.require(b';')
    }

    fn syntax(&mut self, at: usize, index: usize) -> Result<(), ParseError> {
        self.require(b'=')?;
        if index != 0 {
            return Err(self.invalid_at(at, "syntax must be declared first"));
        }
        if !self.starts_string()? {
            return Err(self.invalid_here("expected a string"));
        }
        let written = self.scanner.string().map_err(|open| ParseError::not_closed(&self.scanner, open))?;
        match &written[1..written.len() - 1] {
            "proto3" => self.proto3 = true,
            "proto2" => {}
            other => return Err(self.invalid_at(at, format!("unexpected syntax {other:?}"))),
        }
        self.require(b';')?;
        self.package_span = self.scanner.at()..self.scanner.at();
        Ok(())
    }

    fn open_message(&mut self, at: usize, open: &mut Vec<Open>) -> Result<(), ParseError> {
        if open.len() == MAX_DEPTH {
            return Err(self.unsupported_at(at, format!("messages nest deeper than {MAX_DEPTH} levels")));
        }
        let id = self.define(at, open.last(), Body::Message(Message::default()))?;
        self.require(b'{')?;
        open.push(Open { id, message: Message::default() });
        Ok(())
    }

    fn close(&mut self, open: &mut Vec<Open>) {
        let Some(closed) = open.pop() else { return };
        self.finish(closed.id, Body::Message(closed.message), open);
    }

    fn enumeration(&mut self, at: usize, open: &mut [Open]) -> Result<(), ParseError> {
        let id = self.define(at, open.last(), Body::Enum(Enum::default()))?;
        self.require(b'{')?;
        let (mut constants, mut reserved) = (Vec::new(), Reserved::default());
        while !self.takes(b'}')? {
            if self.takes(b';')? {
                continue;
            }
            match self.word_at()? {
                (_, "option") => drop(self.option_statement()?),
                (_, "reserved") => self.reserved(&mut reserved)?,
                (at, name) => constants.push(self.rest_of_constant(at, name)?),
            }
        }
        self.finish(id, Body::Enum(Enum { constants, reserved }), open);
        Ok(())
    }

    fn rest_of_constant(&mut self, at: usize, name: &str) -> Result<Constant, ParseError> {
        self.require(b'=')?;
        let number = self.integer()?;
        self.option_list()?;
        self.require(b';')?;
        let span = at..self.scanner.at();
        self.trailing_comment()?;
        Ok(Constant { name: name.into(), number, span })
    }

    /// Names a type, so that its number follows those declared before it.
    fn define(&mut self, at: usize, around: Option<&Open>, body: Body) -> Result<TypeId, ParseError> {
        let name = self.name()?;
        let local_name: Box<str> = match around {
            Some(around) => format!("{}.{name}", self.types[around.id.0 as usize].local_name).into(),
            None => name.into(),
        };
        self.name_bytes += local_name.len();
        if self.name_bytes > MAX_NAME_BYTES {
            return Err(self.unsupported_at(at, "the names of types are too long to be compared"));
        }
        let id = TypeId(u32::try_from(self.types.len()).map_err(|_| self.unsupported_at(at, "too many types"))?);
        self.types.push(Definition { name: name.into(), local_name, file: self.file, span: at..at, body });
        Ok(id)
    }

    fn finish(&mut self, id: TypeId, body: Body, open: &mut [Open]) {
        let definition = &mut self.types[id.0 as usize];
        definition.body = body;
        definition.span.end = self.scanner.at();
        match open.last_mut() {
            Some(around) => around.message.nested.push(id),
            None => self.top.push(id),
        }
    }

    fn oneof(&mut self, at: usize, inside: &mut Open) -> Result<Oneof, ParseError> {
        let name = self.name()?;
        self.require(b'{')?;
        let mut fields = Vec::new();
        while !self.takes(b'}')? {
            let at = self.scanner.at();
            match self.word()? {
                "option" => drop(self.option_statement()?),
                "group" => {
                    let group = self.group(None, Some(inside.id))?;
                    inside.message.groups.push(group);
                }
                word => {
                    let typed = self.typed(at, word)?;
                    fields.push(self.rest_of_field(at, None, typed)?);
                }
            }
        }
        Ok(Oneof { name: name.into(), fields, span: at..self.scanner.at() })
    }

    /// A field or a group that starts with this word.
    pub(super) fn field(&mut self, at: usize, word: &'a str, inside: Option<TypeId>) -> Result<Declared, ParseError> {
        let label = match word {
            "required" if self.proto3 => return Err(self.invalid_at(at, "required is not allowed in proto3")),
            "required" => Some(Label::Required),
            "optional" => Some(Label::Optional),
            "repeated" => Some(Label::Repeated),
            _ => None,
        };
        let of_map = word == "map" && self.peek()? == b'<';
        if label.is_none() && !self.proto3 && !of_map {
            return Err(self.invalid_at(at, format!("{word} is not a label; proto2 needs one before the type")));
        }
        let (type_at, word) = if label.is_some() { self.word_at()? } else { (at, word) };
        if word == "group" {
            if self.is_in_group {
                return Err(self.invalid_at(at, "a group in a group is refused by the registry"));
            }
            return Ok(Declared::Group(self.group(label, inside)?));
        }
        let typed = self.typed(type_at, word)?;
        if label.is_some() && matches!(typed.0, FieldType::Map(_)) {
            return Err(self.invalid_at(at, "a map cannot have a label"));
        }
        Ok(Declared::Field(self.rest_of_field(at, label, typed)?))
    }

    /// The type that starts with this word, and where it stands.
    fn typed(&mut self, at: usize, word: &'a str) -> Result<(FieldType, Range<usize>), ParseError> {
        let field_type = self.field_type(word, 0)?;
        let end = if matches!(field_type, FieldType::Map(_)) { self.scanner.at() } else { at + word.len() };
        Ok((field_type, at..end))
    }

    fn rest_of_field(
        &mut self,
        at: usize,
        label: Option<Label>,
        (field_type, type_span): (FieldType, Range<usize>),
    ) -> Result<Field, ParseError> {
        let name = self.name()?;
        self.require(b'=')?;
        let number = self.integer()?;
        let options = self.option_list()?;
        self.require(b';')?;
        let span = at..self.scanner.at();
        self.trailing_comment()?;
        Ok(Field { name: name.into(), number, label, field_type, options, type_span, span })
    }

    /// The type that starts with this word.
    fn field_type(&mut self, word: &'a str, depth: usize) -> Result<FieldType, ParseError> {
        if let Some(scalar) = Scalar::named(word) {
            return Ok(FieldType::Scalar(scalar));
        }
        if word != "map" {
            return Ok(FieldType::Named(Named { written: word.into(), target: None }));
        }
        if depth > 0 {
            return Err(self.unsupported_here("a map in a map is not read here"));
        }
        let at = self.scanner.at();
        self.require(b'<')?;
        let key = self.word()?;
        let key = self.field_type(key, depth + 1)?;
        if !matches!(&key, FieldType::Scalar(scalar) if !is_no_key(*scalar)) {
            return Err(self.invalid_at(at, "the key of a map must be a whole number, a bool or a string"));
        }
        self.require(b',')?;
        let value = self.word()?;
        let value = self.field_type(value, depth + 1)?;
        self.require(b'>')?;
        Ok(FieldType::Map(Box::new((key, value))))
    }
}
