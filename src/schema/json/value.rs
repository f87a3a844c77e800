//! JSON as a schema's text has it: keys in the order of the text, numbers as they are written.
//!
//! Strings borrow from the text. Of a key that occurs twice the last value counts, in the first one's place, as
//! in the registry's parser; text after the first value is ignored, as there.

use std::borrow::Cow;

use super::error::ParseError;
use crate::schema::text::MAX_DEPTH;

/// Objects with more members than this get an index of their keys.
const INDEXED_FROM: usize = 12;

/// A JSON value.
#[derive(Clone, Debug)]
pub enum Value<'a> {
    Null,
    Bool(bool),
    /// As written.
    Number(&'a str),
    String(Cow<'a, str>),
    Array(Vec<Value<'a>>),
    Object(Object<'a>),
}

/// A JSON object.
#[derive(Clone, Debug, Default)]
pub struct Object<'a> {
    members: Vec<(Cow<'a, str>, Value<'a>)>,
    /// Places in `members` by key, where there are many.
    index: Vec<u32>,
}

impl<'a> Value<'a> {
    /// Reads the first value of a text, no deeper than [`MAX_DEPTH`].
    pub fn parse(text: &'a str) -> Result<Value<'a>, ParseError> {
        // Jackson skips a byte order mark.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut reader = Reader { text, bytes: text.as_bytes(), at: 0, depth: 0 };
        reader.skip_space();
        if reader.at == text.len() {
            return Err(ParseError::Blank);
        }
        reader.value()
    }

    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    pub fn as_object(&self) -> Option<&Object<'a>> {
        match self {
            Value::Object(object) => Some(object),
            _ => None,
        }
    }
}

impl<'a> Object<'a> {
    pub fn get(&self, key: &str) -> Option<&Value<'a>> {
        if self.index.is_empty() {
            return self.members.iter().find(|(name, _)| name == key).map(|(_, value)| value);
        }
        let place = self.index.binary_search_by(|&place| self.members[place as usize].0.as_ref().cmp(key)).ok()?;
        Some(&self.members[self.index[place] as usize].1)
    }

    /// Whether it has a key.
    pub fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// The members in the order of the text.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Value<'a>)> {
        self.members.iter().map(|(name, value)| (name.as_ref(), value))
    }

    pub fn len(&self) -> usize {
        self.members.len()
    }

    fn of(mut members: Vec<(Cow<'a, str>, Value<'a>)>) -> Object<'a> {
        if members.len() <= INDEXED_FROM {
            let mut at = 1;
            while at < members.len() {
                match members[..at].iter().position(|(name, _)| *name == members[at].0) {
                    Some(first) => members[first].1 = members.remove(at).1,
                    None => at += 1,
                }
            }
            return Object { members, index: Vec::new() };
        }
        let mut index: Vec<u32> = (0..members.len() as u32).collect();
        index.sort_by(|&a, &b| members[a as usize].0.cmp(&members[b as usize].0)); // stable: the first comes first
        if index.windows(2).any(|pair| members[pair[0] as usize].0 == members[pair[1] as usize].0) {
            return Object::of(without_repeats(members, &index));
        }
        Object { members, index }
    }
}

/// The members with each repeated key once: the first one's place, the last one's value.
fn without_repeats<'a>(members: Vec<(Cow<'a, str>, Value<'a>)>, index: &[u32]) -> Vec<(Cow<'a, str>, Value<'a>)> {
    let mut place_of_value: Vec<Option<u32>> = (0..members.len() as u32).map(Some).collect();
    for run in index.chunk_by(|&a, &b| members[a as usize].0 == members[b as usize].0) {
        for &repeated in &run[1..] {
            place_of_value[repeated as usize] = None;
        }
        place_of_value[run[0] as usize] = run.last().copied();
    }
    let (names, values): (Vec<_>, Vec<_>) = members.into_iter().unzip();
    let mut values: Vec<Option<Value>> = values.into_iter().map(Some).collect();
    let mut kept = Vec::new();
    for (name, place) in names.into_iter().zip(place_of_value) {
        if let Some(value) = place.and_then(|place| values[place as usize].take()) {
            kept.push((name, value));
        }
    }
    kept
}

struct Reader<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn value(&mut self) -> Result<Value<'a>, ParseError> {
        match self.peek() {
            Some(b'{') => self.nested(Reader::object),
            Some(b'[') => self.nested(Reader::array),
            Some(b'"') => Ok(Value::String(self.string()?)),
            Some(b't') => self.word("true", Value::Bool(true)),
            Some(b'f') => self.word("false", Value::Bool(false)),
            Some(b'n') => self.word("null", Value::Null),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => Err(self.wrong("a value")),
        }
    }

    fn nested(&mut self, read: fn(&mut Reader<'a>) -> Result<Value<'a>, ParseError>) -> Result<Value<'a>, ParseError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(ParseError::TooDeep);
        }
        self.at += 1;
        self.skip_space();
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn object(&mut self) -> Result<Value<'a>, ParseError> {
        let mut members = Vec::new();
        if self.take(b'}') {
            return Ok(Value::Object(Object::default()));
        }
        loop {
            self.skip_space();
            if self.peek() != Some(b'"') {
                return Err(self.wrong("a key"));
            }
            let name = self.string()?;
            self.skip_space();
            if !self.take(b':') {
                return Err(self.wrong("`:`"));
            }
            self.skip_space();
            members.push((name, self.value()?));
            self.skip_space();
            if self.take(b'}') {
                return Ok(Value::Object(Object::of(members)));
            }
            if !self.take(b',') {
                return Err(self.wrong("`,` or `}`"));
            }
        }
    }

    fn array(&mut self) -> Result<Value<'a>, ParseError> {
        let mut items = Vec::new();
        if self.take(b']') {
            return Ok(Value::Array(items));
        }
        loop {
            self.skip_space();
            items.push(self.value()?);
            self.skip_space();
            if self.take(b']') {
                return Ok(Value::Array(items));
            }
            if !self.take(b',') {
                return Err(self.wrong("`,` or `]`"));
            }
        }
    }

    fn word(&mut self, word: &str, value: Value<'a>) -> Result<Value<'a>, ParseError> {
        if !self.text[self.at..].starts_with(word) {
            return Err(self.wrong(word));
        }
        self.at += word.len();
        match self.peek() {
            Some(b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'$') => Err(self.wrong("the end of a word")),
            _ => Ok(value),
        }
    }

    fn number(&mut self) -> Result<Value<'a>, ParseError> {
        let start = self.at;
        self.take(b'-');
        if !self.take(b'0') {
            self.digits()?;
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            if !self.take(b'+') {
                self.take(b'-');
            }
            self.digits()?;
        }
        match self.peek() {
            None | Some(b',' | b']' | b'}' | b' ' | b'\t' | b'\n' | b'\r') => {
                Ok(Value::Number(&self.text[start..self.at]))
            }
            Some(_) => Err(self.wrong("the end of a number")),
        }
    }

    fn digits(&mut self) -> Result<(), ParseError> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start { Err(self.wrong("a digit")) } else { Ok(()) }
    }

    fn string(&mut self) -> Result<Cow<'a, str>, ParseError> {
        self.at += 1;
        let start = self.at;
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(Cow::Borrowed(&self.text[start..self.at - 1]));
                }
                Some(b'\\') => return self.escaped_string(start).map(Cow::Owned),
                Some(0x20..) => self.at += 1,
                _ => return Err(self.wrong("the end of a string")),
            }
        }
    }

    fn escaped_string(&mut self, start: usize) -> Result<String, ParseError> {
        let mut string = self.text[start..self.at].to_owned();
        loop {
            let from = self.at;
            while matches!(self.peek(), Some(byte) if byte >= 0x20 && byte != b'"' && byte != b'\\') {
                self.at += 1;
            }
            string.push_str(&self.text[from..self.at]);
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(string);
                }
                Some(b'\\') => string.push(self.escape()?),
                _ => return Err(self.wrong("the end of a string")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, ParseError> {
        let letter = self.bytes.get(self.at + 1).copied();
        self.at += 2;
        Ok(match letter {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode(),
            _ => return Err(self.wrong("an escape")),
        })
    }

    /// Half of a surrogate pair without its other half is not text here; Java would keep it.
    fn unicode(&mut self) -> Result<char, ParseError> {
        let first = self.hex()?;
        if !(0xd800..0xdc00).contains(&first) {
            return Ok(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        if !self.text[self.at..].starts_with("\\u") {
            return Ok(char::REPLACEMENT_CHARACTER);
        }
        let before = self.at;
        self.at += 2;
        let second = self.hex()?;
        if !(0xdc00..0xe000).contains(&second) {
            self.at = before;
            return Ok(char::REPLACEMENT_CHARACTER);
        }
        let code = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
        Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn hex(&mut self) -> Result<u32, ParseError> {
        let digits = self.text.get(self.at..self.at + 4).filter(|four| four.bytes().all(|b| b.is_ascii_hexdigit()));
        let code = digits.and_then(|four| u32::from_str_radix(four, 16).ok());
        self.at += 4;
        code.ok_or_else(|| self.wrong("four hexadecimal digits"))
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn wrong(&self, expected: &str) -> ParseError {
        let before = String::from_utf8_lossy(&self.bytes[..self.at.min(self.bytes.len())]);
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        let (line, column) = (1 + before.matches('\n').count(), 1 + before[line_start..].chars().count());
        ParseError::NotJson { expected: expected.to_owned(), line, column }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> Vec<String> {
        let value = Value::parse(text).unwrap();
        value.as_object().unwrap().iter().map(|(key, value)| format!("{key}={value:?}")).collect()
    }

    #[test]
    fn keys_keep_their_order_and_the_last_value_of_a_repeated_one_counts() {
        assert_eq!(keys(r#"{"b": 1, "a": 2, "b": 3}"#), ["b=Number(\"3\")", "a=Number(\"2\")"]);
        let many: Vec<String> = (0..40).map(|n| format!("\"k{}\": {n}", n % 20)).collect();
        let read = keys(&format!("{{{}}}", many.join(",")));
        assert_eq!(read.len(), 20);
        assert_eq!(read[3], "k3=Number(\"23\")");
    }

    #[test]
    fn a_key_is_found_among_few_and_among_many() {
        let many: Vec<String> = (0..100).map(|n| format!("\"k{n}\": {n}")).collect();
        let text = format!("{{{}}}", many.join(","));
        let value = Value::parse(&text).unwrap();
        assert!(matches!(value.as_object().unwrap().get("k77"), Some(Value::Number("77"))));
        assert!(value.as_object().unwrap().get("k100").is_none());
    }

    #[test]
    fn escapes_are_the_characters_that_they_stand_for() {
        let value = Value::parse(r#""a\u00e9\n\uD83D\uDE00\/""#).unwrap();
        assert_eq!(value.as_str(), Some("aé\n😀/"));
    }

    #[test]
    fn what_is_not_json_is_refused_with_its_line() {
        for text in ["{", "{\"a\" 1}", "[1,]", "{a: 1}", "01", "1.", "tru", "\"a", "nulls", "{'a': 1}", "\"\\x\""] {
            assert!(matches!(Value::parse(text), Err(ParseError::NotJson { .. })), "{text}");
        }
        assert!(matches!(Value::parse("{\n\n 1}"), Err(ParseError::NotJson { line: 3, column: 2, .. })));
        assert!(matches!(Value::parse(" \n"), Err(ParseError::Blank)));
    }

    #[test]
    fn nesting_is_bounded() {
        let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert!(Value::parse(&nested(MAX_DEPTH)).is_ok());
        assert!(matches!(Value::parse(&nested(MAX_DEPTH + 1)), Err(ParseError::TooDeep)));
        assert!(matches!(Value::parse(&"[".repeat(1_000_000)), Err(ParseError::TooDeep)));
    }

    #[test]
    fn text_after_the_first_value_is_ignored() {
        assert!(Value::parse("{} x").is_ok());
    }
}
