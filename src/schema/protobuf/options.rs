//! Reads options: only whether a message is the entry of a map is kept, the rest must merely be well formed.

use super::error::ParseError;
use super::parser::Parser;

impl<'a> Parser<'a> {
    /// The rest of `option NAME = VALUE;`. Gives the name and the value, where they are plain words.
    pub(super) fn option_statement(&mut self) -> Result<(&'a str, &'a str), ParseError> {
        let option = self.option(b'=')?;
        self.require(b';')?;
        Ok(option)
    }

    /// `[NAME = VALUE, …]`, where there is one.
    pub(super) fn option_list(&mut self) -> Result<(), ParseError> {
        if !self.takes(b'[')? {
            return Ok(());
        }
        loop {
            self.option(b'=')?;
            if self.takes(b']')? {
                return Ok(());
            }
            self.require(b',')?;
        }
    }

    fn option(&mut self, separator: u8) -> Result<(&'a str, &'a str), ParseError> {
        let name = self.option_name(separator)?;
        Ok((name, self.option_value()?))
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
    fn option_value(&mut self) -> Result<&'a str, ParseError> {
        let mut open = Vec::new();
        loop {
            let mut word = "";
            let mut complete = true;
            match self.peek()? {
                opening @ (b'{' | b'[') => {
                    self.require(opening)?;
                    open.push(opening);
                    complete = false;
                }
                b'"' | b'\'' => self.strings()?,
                b'<' | b'+' => return Err(self.unsupported_here("an option's value in a form that is not read here")),
                _ => word = self.word()?,
            }
            if self.close_values(&mut open, complete)? {
                return Ok(word);
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
