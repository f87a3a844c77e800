//! Reads options: whether a message is the entry of a map, and what readers of a field go by. The rest must merely be
//! well formed.

use super::elements::FieldOptions;
use super::error::ParseError;
use super::parser::Parser;

impl<'a> Parser<'a> {
    /// The rest of `option NAME = VALUE;`. Gives the name and the value as written.
    pub(super) fn option_statement(&mut self) -> Result<(&'a str, &'a str), ParseError> {
        let option = self.option(b'=')?;
        self.require(b';')?;
        Ok(option)
    }

    /// `[NAME = VALUE, …]`, where there is one.
    pub(super) fn option_list(&mut self) -> Result<Option<Box<FieldOptions>>, ParseError> {
        if !self.takes(b'[')? {
            return Ok(None);
        }
        let mut options = FieldOptions::default();
        loop {
            match self.option(b'=')? {
                ("json_name", value) => options.json_name = Some(unquoted(value).into()),
                ("default", value) => options.default = Some(unquoted(value).into()),
                _ => {}
            }
            if self.takes(b']')? {
                break;
            }
            self.require(b',')?;
        }
        Ok((options != FieldOptions::default()).then(|| Box::new(options)))
    }

    fn option(&mut self, separator: u8) -> Result<(&'a str, &'a str), ParseError> {
        let name = self.option_name(separator)?;
        self.skip_layout()?;
        let rest = self.scanner.rest();
        self.option_value()?;
        let length = rest.len() - self.scanner.rest().len();
        Ok((name, rest[..length].trim_end()))
    }

    /// The name and the separator after it. In braces, the separator may be left out before another brace.
    fn option_name(&mut self, separator: u8) -> Result<&'a str, ParseError> {
        let name = self.name()?;
        if self.takes(b'.')? {
            self.name()?;
        }
        match self.peek()? {
            b'{' if separator == b':' => Ok(name),
            _ => self.require(separator).map(|()| name),
        }
    }

    /// A value. Braces and brackets nest by a stack of their own, so that depth costs nothing.
    fn option_value(&mut self) -> Result<(), ParseError> {
        let mut open = Vec::new();
        loop {
            let mut complete = true;
            match self.peek()? {
                opening @ (b'{' | b'[') => {
                    self.require(opening)?;
                    open.push(opening);
                    complete = false;
                }
                b'"' | b'\'' => self.strings()?,
                b'<' | b'+' => return Err(self.unsupported_here("an option's value in a form that is not read here")),
                _ => drop(self.word()?),
            }
            if self.close_values(&mut open, complete)? {
                return Ok(());
            }
        }
    }

    /// Closes what ends here and reads up to the next value. Says whether the outermost value is complete.
    fn close_values(&mut self, open: &mut Vec<u8>, mut complete: bool) -> Result<bool, ParseError> {
        loop {
            match open.last() {
                None => return Ok(true),
                Some(b'{') => {
                    if complete && !self.takes(b',')? {
                        self.takes(b';')?;
                    }
                    if !self.takes(b'}')? {
                        self.option_name(b':')?;
                        return Ok(false);
                    }
                }
                Some(_) => {
                    let more = !complete || self.takes(b',')?;
                    if !self.takes(b']')? {
                        return if more { Ok(false) } else { Err(self.invalid_here("expected , or ]")) };
                    }
                }
            }
            open.pop();
            complete = true;
        }
    }
}

/// What stands between the quotes of a string.
fn unquoted(value: &str) -> &str {
    let inside = |quote: char| value.strip_prefix(quote)?.strip_suffix(quote);
    inside('"').or_else(|| inside('\'')).unwrap_or(value)
}
