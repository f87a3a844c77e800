//! What is read but not compared: groups, extensions and services. The types that they name are kept, since the
//! registry refuses a new schema that names an unknown one; groups and extensions, since somebody may want to know.

use super::elements::{Extension, FieldType, Group, Label, TypeId};
use super::error::ParseError;
use super::parser::{Declared, Open, Parser, Use};

impl Parser<'_> {
    /// The rest of a group.
    pub(super) fn group(&mut self, label: Option<Label>, inside: Option<TypeId>) -> Result<Group, ParseError> {
        let name = self.word()?;
        self.require(b'=')?;
        let number = self.integer()?;
        self.require(b'{')?;
        // Nothing nests in it, so that no text is read deeper than messages nest.
        self.is_in_group = true;
        let mut fields = Vec::new();
        while !self.takes(b'}')? {
            let at = self.scanner.at();
            let word = self.word()?;
            if let Declared::Field(field) = self.field(at, word, inside)? {
                self.note(at, &field.field_type, inside);
                fields.push(field);
            }
        }
        self.is_in_group = false;
        Ok(Group { name: name.into(), number, label, fields })
    }

    fn note(&mut self, at: usize, field_type: &FieldType, inside: Option<TypeId>) {
        let value = match field_type {
            FieldType::Map(entry) => &entry.1,
            other => other,
        };
        if let FieldType::Named(named) = value {
            self.other_uses.push(Use { written: named.written.clone(), at, inside });
        }
    }

    pub(super) fn extend(&mut self, open: &[Open]) -> Result<(), ParseError> {
        let inside = open.last().map(|open| open.id);
        self.skip_layout()?;
        let at = self.scanner.at();
        let extended = self.name()?;
        self.other_uses.push(Use { written: extended.into(), at, inside });
        self.require(b'{')?;
        while !self.takes(b'}')? {
            if self.takes(b';')? {
                continue;
            }
            let at = self.scanner.at();
            match self.word()? {
                "option" => drop(self.option_statement()?),
                word => {
                    if let Declared::Field(field) = self.field(at, word, inside)? {
                        self.note(at, &field.field_type, inside);
                        self.extensions.push(Extension { extended: extended.into(), field });
                    }
                }
            }
        }
        Ok(())
    }

    pub(super) fn service(&mut self) -> Result<(), ParseError> {
        self.name()?;
        self.require(b'{')?;
        while !self.takes(b'}')? {
            if self.takes(b';')? {
                continue;
            }
            let at = self.scanner.at();
            match self.word()? {
                "option" => drop(self.option_statement()?),
                "rpc" => self.rpc()?,
                other => return Err(self.invalid_at(at, format!("unexpected {other:?} in a service"))),
            }
        }
        Ok(())
    }

    fn rpc(&mut self) -> Result<(), ParseError> {
        self.name()?;
        self.rpc_type()?;
        let at = self.scanner.at();
        if self.word()? != "returns" {
            return Err(self.invalid_at(at, "expected returns"));
        }
        self.rpc_type()?;
        if !self.takes(b'{')? {
            return self.require(b';');
        }
        while !self.takes(b'}')? {
            if self.takes(b';')? {
                continue;
            }
            let at = self.scanner.at();
            match self.word()? {
                "option" => drop(self.option_statement()?),
                other => return Err(self.invalid_at(at, format!("unexpected {other:?} in an rpc"))),
            }
        }
        Ok(())
    }

    fn rpc_type(&mut self) -> Result<(), ParseError> {
        self.require(b'(')?;
        self.skip_layout()?;
        let at = self.scanner.at();
        let written = match self.word()? {
            "stream" => self.word()?,
            word => word,
        };
        self.other_uses.push(Use { written: written.into(), at, inside: None });
        self.require(b')')
    }
}
