//! The tokens of a Protobuf text, without comments and layout.

use super::protobuf::scanner::{NotClosed, Scanner};
use super::text::{MAX_DEPTH, TextError};

/// The tokens, with one blank between two. Strings are written with double quotes.
pub(super) fn tokens(text: &str) -> Result<String, TextError> {
    let mut out = String::with_capacity(text.len());
    let mut scanner = Scanner::new(text);
    let mut depth = 0_usize;
    while let Some(token) = next_token(&mut scanner).map_err(|open| not_closed(&scanner, open))? {
        match token {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_DEPTH {
            return Err(TextError::TooDeep { line: scanner.line(scanner.at()) });
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

fn next_token<'a>(scanner: &mut Scanner<'a>) -> Result<Option<&'a str>, NotClosed> {
    scanner.skip_layout()?;
    let rest = scanner.rest();
    let Some(first) = rest.chars().next() else { return Ok(None) };
    let token = match first {
        '"' | '\'' => scanner.string()?,
        word if is_word(word) => scanner.take(rest.find(|c| !is_word(c)).unwrap_or(rest.len())),
        symbol => scanner.take(symbol.len_utf8()),
    };
    Ok(Some(token))
}

fn not_closed(scanner: &Scanner<'_>, open: NotClosed) -> TextError {
    TextError::NotClosed { what: open.what, line: scanner.line(open.at) }
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '.')
}
