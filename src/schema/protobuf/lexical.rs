//! The words and signs of Protobuf text, as Confluent's parser reads them.

use super::elements::Reserved;
use super::error::ParseError;
use super::parser::Parser;

impl<'a> Parser<'a> {
    pub(super) fn skip_layout(&mut self) -> Result<(), ParseError> {
        self.scanner.skip_layout().map_err(|open| ParseError::not_closed(&self.scanner, open))
    }

    /// The next byte after blanks and comments, which stays unread.
    pub(super) fn peek(&mut self) -> Result<u8, ParseError> {
        self.skip_layout()?;
        self.scanner.byte().ok_or_else(|| self.invalid_here("the text ends too early"))
    }

    /// Reads this sign, if it comes next.
    pub(super) fn takes(&mut self, sign: u8) -> Result<bool, ParseError> {
        let comes = self.peek()? == sign;
        if comes {
            self.scanner.take(1);
        }
        Ok(comes)
    }

    pub(super) fn require(&mut self, sign: u8) -> Result<(), ParseError> {
        if self.takes(sign)? { Ok(()) } else { Err(self.invalid_here(format!("expected {}", char::from(sign)))) }
    }

    pub(super) fn word(&mut self) -> Result<&'a str, ParseError> {
        self.skip_layout()?;
        let rest = self.scanner.rest().as_bytes();
        match rest.iter().position(|byte| !is_of_word(*byte)).unwrap_or(rest.len()) {
            0 => Err(self.invalid_here("expected a word")),
            length => Ok(self.scanner.take(length)),
        }
    }

    /// A word, and where it stands.
    pub(super) fn word_at(&mut self) -> Result<(usize, &'a str), ParseError> {
        self.skip_layout()?;
        let at = self.scanner.at();
        Ok((at, self.word()?))
    }

    /// A word, which may stand in parentheses or brackets.
    pub(super) fn name(&mut self) -> Result<&'a str, ParseError> {
        let closing = match self.peek()? {
            b'(' => b')',
            b'[' => b']',
            _ => return self.word(),
        };
        self.scanner.take(1);
        let name = self.word()?;
        self.require(closing)?;
        Ok(name)
    }

    /// A decimal or, with `0x`, a hexadecimal number.
    pub(super) fn integer(&mut self) -> Result<i32, ParseError> {
        self.skip_layout()?;
        let at = self.scanner.at();
        let word = self.word()?;
        let number = match word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
            Some(digits) => i32::from_str_radix(digits, 16),
            None => word.parse(),
        };
        number.map_err(|_| self.invalid_at(at, format!("expected a whole number, not {word:?}")))
    }

    pub(super) fn starts_string(&mut self) -> Result<bool, ParseError> {
        Ok(matches!(self.peek()?, b'"' | b'\''))
    }

    /// A string; several in a row are one.
    pub(super) fn strings(&mut self) -> Result<(), ParseError> {
        loop {
            if !self.starts_string()? {
                return Err(self.invalid_here("expected a string"));
            }
            self.scanner.string().map_err(|open| ParseError::not_closed(&self.scanner, open))?;
            if !self.starts_string()? {
                return Ok(());
            }
        }
    }

    /// The rest of `reserved 1, 3 to 5, "name";`, added to what was reserved before.
    pub(super) fn reserved(&mut self, reserved: &mut Reserved) -> Result<(), ParseError> {
        loop {
            if self.starts_string()? {
                let rest = self.scanner.rest();
                self.strings()?;
                let written = rest[..rest.len() - self.scanner.rest().len()].trim_end();
                reserved.names.push(written.trim_matches(['"', '\'']).into());
            } else {
                reserved.numbers.push(self.range()?);
            }
            if self.takes(b';')? {
                return Ok(());
            }
            self.require(b',')?;
        }
    }

    /// The rest of `extensions 100 to 199, 500;`.
    pub(super) fn extensions(&mut self) -> Result<(), ParseError> {
        loop {
            self.range()?;
            if self.takes(b';')? {
                return Ok(());
            }
            if self.peek()? == b'[' {
                return Err(self.unsupported_here("options of extension ranges are not read here"));
            }
            self.require(b',')?;
        }
    }

    /// First and last of a range.
    fn range(&mut self) -> Result<(i32, i32), ParseError> {
        let first = self.integer()?;
        if matches!(self.peek()?, b',' | b';' | b'[') {
            return Ok((first, first));
        }
        let at = self.scanner.at();
        if self.word()? != "to" {
            return Err(self.invalid_at(at, "expected to"));
        }
        let at = self.scanner.at();
        match self.word()? {
            "max" => Ok((first, i32::MAX)),
            end => {
                let last = end.parse();
                last.map(|last| (first, last))
                    .map_err(|_| self.invalid_at(at, format!("expected a number or max, not {end:?}")))
            }
        }
    }

    /// A comment behind a field or a constant, on its line. Confluent's parser wants nothing but blanks after
    /// `*/` on that line, and refuses what other parsers take; releases differ in how far.
    pub(super) fn trailing_comment(&mut self) -> Result<(), ParseError> {
        let rest = self.scanner.rest().trim_start_matches([' ', '\t']);
        let Some(comment) = rest.strip_prefix("/*") else { return Ok(()) };
        let Some((inside, after)) = comment.split_once("*/") else { return Ok(()) };
        let after = after.trim_start_matches([' ', '\t']);
        if inside.contains('\n') || !(after.is_empty() || after.starts_with('\n')) {
            return Err(self.unsupported_here("a comment of this form behind a field is not read alike everywhere"));
        }
        Ok(())
    }

    pub(super) fn invalid_at(&self, at: usize, what: impl Into<String>) -> ParseError {
        ParseError::invalid(&self.scanner, at, what)
    }

    pub(super) fn invalid_here(&self, what: impl Into<String>) -> ParseError {
        ParseError::invalid(&self.scanner, self.scanner.at(), what)
    }

    pub(super) fn unsupported_at(&self, at: usize, what: impl Into<String>) -> ParseError {
        ParseError::unsupported(&self.scanner, at, what)
    }

    pub(super) fn unsupported_here(&self, what: impl Into<String>) -> ParseError {
        ParseError::unsupported(&self.scanner, self.scanner.at(), what)
    }
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}
