//! Where a reader of Protobuf text stands: layout, comments and strings.

/// A place in a text. Whoever reads looks at [`Scanner::rest`] and takes from it.
#[derive(Clone, Copy, Debug)]
pub(in crate::schema) struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

/// A string or a comment that does not end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::schema) struct NotClosed {
    /// "string" or "comment".
    pub what: &'static str,
    /// Where it starts, in bytes.
    pub at: usize,
}

impl<'a> Scanner<'a> {
    /// At the start of a text.
    pub fn new(text: &'a str) -> Scanner<'a> {
        Scanner { text, at: 0 }
    }

    /// How many bytes were read.
    pub fn at(&self) -> usize {
        self.at
    }

    /// What was not read yet.
    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The next byte; nothing at the end.
    pub fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Reads this many bytes, which end between two characters.
    pub fn take(&mut self, bytes: usize) -> &'a str {
        let start = self.at;
        self.at += bytes;
        &self.text[start..self.at]
    }

    /// Skips blanks and comments.
    pub fn skip_layout(&mut self) -> Result<(), NotClosed> {
        loop {
            match self.byte() {
                Some(b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c) => self.at += 1,
                Some(b'/') if self.rest().starts_with("//") => {
                    self.at += self.rest().find('\n').unwrap_or(self.rest().len());
                }
                Some(b'/') if self.rest().starts_with("/*") => {
                    let end = self.rest()[2..].find("*/");
                    self.at += end.ok_or(NotClosed { what: "comment", at: self.at })? + 4;
                }
                _ => return Ok(()),
            }
        }
    }

    /// Reads a string that starts here, with its quotes and escapes.
    pub fn string(&mut self) -> Result<&'a str, NotClosed> {
        let bytes = self.rest().as_bytes();
        let (quote, mut length) = (bytes.first(), 1);
        while let Some(byte) = bytes.get(length) {
            match byte {
                b'\\' => length += 1,
                end if Some(end) == quote => return Ok(self.take(length + 1)),
                _ => {}
            }
            length += 1;
        }
        Err(NotClosed { what: "string", at: self.at })
    }

    /// The line of a place, from 1.
    pub fn line(&self, at: usize) -> usize {
        1 + self.before(at).matches('\n').count()
    }

    /// The column of a place, from 1, in characters.
    pub fn column(&self, at: usize) -> usize {
        let before = self.before(at);
        1 + before[before.rfind('\n').map_or(0, |end| end + 1)..].chars().count()
    }

    fn before(&self, at: usize) -> &'a str {
        self.text.get(..at).unwrap_or(self.text)
    }
}
