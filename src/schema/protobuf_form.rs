//! The tokens of a Protobuf text, without comments and layout.

use super::text::{MAX_DEPTH, TextError};

/// The tokens, with one blank between two. Strings are written with double quotes.
pub(super) fn tokens(text: &str) -> Result<String, TextError> {
    let mut out = String::with_capacity(text.len());
    let mut rest = Cursor { text, at: 0, line: 1 };
    let mut depth = 0_usize;
    while let Some(token) = rest.next_token()? {
        match token {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_DEPTH {
            return Err(TextError::TooDeep { line: rest.line });
        }
        push(&mut out, token);
    }
    Ok(out)
}

fn push(out: &mut String, token: &str) {
    if !out.is_empty() {
        out.push(' ');
    }
    match token.strip_prefix('\'').and_then(|inner| inner.strip_suffix('\'')) {
        Some(inner) if !inner.contains(['"', '\\']) => {
            out.push('"');
            out.push_str(inner);
            out.push('"');
        }
        _ => out.push_str(token),
    }
}

struct Cursor<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl<'a> Cursor<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn take(&mut self, bytes: usize) -> &'a str {
        let taken = &self.text[self.at..self.at + bytes];
        self.at += bytes;
        self.line += taken.matches('\n').count();
        taken
    }

    fn next_token(&mut self) -> Result<Option<&'a str>, TextError> {
        self.skip_layout()?;
        let Some(first) = self.rest().chars().next() else { return Ok(None) };
        let length = match first {
            '"' | '\'' => self.string_length(first)?,
            word if is_word(word) => self.rest().find(|c| !is_word(c)).unwrap_or(self.rest().len()),
            symbol => symbol.len_utf8(),
        };
        Ok(Some(self.take(length)))
    }

    fn skip_layout(&mut self) -> Result<(), TextError> {
        loop {
            let rest = self.rest();
            let length = if rest.starts_with("//") {
                rest.find('\n').unwrap_or(rest.len())
            } else if let Some(comment) = rest.strip_prefix("/*") {
                let end = comment.find("*/");
                end.ok_or(TextError::NotClosed { what: "comment", line: self.line })? + 4
            } else {
                rest.find(|c: char| !c.is_whitespace()).unwrap_or(rest.len())
            };
            if length == 0 {
                return Ok(());
            }
            self.take(length);
        }
    }

    fn string_length(&self, quote: char) -> Result<usize, TextError> {
        let mut escaped = false;
        for (at, character) in self.rest().char_indices().skip(1) {
            match character {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                end if end == quote => return Ok(at + end.len_utf8()),
                _ => {}
            }
        }
        Err(TextError::NotClosed { what: "string", line: self.line })
    }
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '.')
}
