//! JSON as the Avro libraries' parsers read it: in Java comments are white space; a key given twice counts the last time,
//! numbers keep their spelling. Each value and each key knows where it stands, so this is also how a place in any JSON
//! text is found.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use crate::schema::MAX_DEPTH;

/// A value, and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Json<'t> {
    pub(crate) value: Value<'t>,
    start: u32,
    end: u32,
}

#[derive(Clone, Debug)]
pub(crate) enum Value<'t> {
    Null,
    Bool(bool),
    /// As spelled.
    Number(&'t str),
    Text(Cow<'t, str>),
    List(Vec<Json<'t>>),
    Object(Vec<Member<'t>>),
}

#[derive(Clone, Debug)]
pub(crate) struct Member<'t> {
    pub(crate) key: Cow<'t, str>,
    pub(crate) json: Json<'t>,
    start: u32,
}

/// Why a text is not JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum JsonError {
    /// Nothing but white space and comments.
    Nothing,
    /// Deeper than is read.
    TooDeep { at: usize, levels: usize },
    /// What is wrong at which byte.
    Malformed { what: &'static str, at: usize },
}

/// The longest number that Java's JSON parser takes, in characters.
const MAX_NUMBER: usize = 1000;

impl<'t> Json<'t> {
    /// Reads a whole text. White space may follow the value, and nothing else may, not even a comment.
    pub(crate) fn read(text: &'t str) -> Result<Json<'t>, JsonError> {
        Json::read_whole(Reader { text, at: 0, is_strict: false, levels: MAX_DEPTH })
    }

    /// Reads a whole text without comments, so many levels deep.
    pub(crate) fn read_strictly(text: &'t str, levels: usize) -> Result<Json<'t>, JsonError> {
        Json::read_whole(Reader { text, at: 0, is_strict: true, levels })
    }

    fn read_whole(mut reader: Reader<'t>) -> Result<Json<'t>, JsonError> {
        let text = reader.text;
        // Places are kept in 32 bits.
        if u32::try_from(text.len()).is_err() {
            return Err(JsonError::Malformed { what: "more than 4 GiB", at: 0 });
        }
        if text.starts_with('\u{feff}') {
            return Err(JsonError::Malformed { what: "a byte order mark; save it without one", at: 0 });
        }
        reader.skip_layout()?;
        if reader.at == text.len() {
            return Err(JsonError::Nothing);
        }
        let json = reader.value(0)?;
        let rest = reader.rest();
        let is_layout = |character| match reader.is_strict {
            true => matches!(character, ' ' | '\t' | '\n' | '\r'),
            false => character <= ' ',
        };
        match rest.find(|character| !is_layout(character)) {
            Some(more) => Err(JsonError::Malformed { what: "text after the schema", at: reader.at + more }),
            None => Ok(json),
        }
    }

    /// Where it stands in the text, in bytes.
    pub(crate) fn span(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The value of a key, where this is an object that has it.
    pub(crate) fn get(&self, key: &str) -> Option<&Json<'t>> {
        self.member(key).map(|member| &member.json)
    }

    /// A key with its value, where this is an object that has it.
    pub(crate) fn member(&self, key: &str) -> Option<&Member<'t>> {
        let Value::Object(members) = &self.value else { return None };
        members.iter().rev().find(|member| member.key == key)
    }

    /// The text of a key, where it has one.
    pub(crate) fn get_text(&self, key: &str) -> Option<&str> {
        self.get(key).and_then(Json::as_text)
    }

    /// The values of an object by their keys.
    pub(crate) fn by_key(&self) -> HashMap<&str, &Json<'t>> {
        let members = if let Value::Object(members) = &self.value { members.as_slice() } else { &[] };
        members.iter().map(|member| (&*member.key, &member.json)).collect()
    }

    pub(crate) fn as_text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn as_list(&self) -> Option<&[Json<'t>]> {
        match &self.value {
            Value::List(items) => Some(items),
            _ => None,
        }
    }

    /// The number, where it is spelled as a whole one; beyond 128 bits it is cut to the largest.
    pub(crate) fn as_whole_number(&self) -> Option<i128> {
        let Value::Number(spelled) = &self.value else { return None };
        let whole = !spelled.contains(['.', 'e', 'E']);
        let cut = if spelled.starts_with('-') { i128::MIN } else { i128::MAX };
        whole.then(|| spelled.parse().unwrap_or(cut))
    }

    /// Whether it is the same value: keys in any order, whole numbers apart from fractions.
    pub(crate) fn is_same(&self, other: &Json) -> bool {
        match (&self.value, &other.value) {
            (Value::Null, Value::Null) => true,
            (Value::Bool(one), Value::Bool(other)) => one == other,
            (Value::Text(one), Value::Text(other)) => one == other,
            (Value::Number(one_text), Value::Number(other_text)) => {
                match (self.as_whole_number(), other.as_whole_number()) {
                    (Some(one), Some(other)) => one == other,
                    (None, None) => one_text.parse::<f64>().ok() == other_text.parse::<f64>().ok(),
                    _ => false,
                }
            }
            (Value::List(one), Value::List(other)) => {
                one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.is_same(other))
            }
            (Value::Object(_), Value::Object(_)) => {
                let (one, other) = (self.by_key(), other.by_key());
                one.len() == other.len()
                    && one.iter().all(|(key, value)| other.get(key).is_some_and(|found| value.is_same(found)))
            }
            _ => false,
        }
    }
}

impl Member<'_> {
    /// Where key and value stand in the text, in bytes.
    pub(crate) fn span(&self) -> Range<usize> {
        self.start as usize..self.json.end as usize
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    /// Without comments, halves of surrogate pairs, and a bound on numbers.
    is_strict: bool,
    /// The deepest that is read.
    levels: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn malformed<T>(&self, what: &'static str) -> Result<T, JsonError> {
        Err(JsonError::Malformed { what, at: self.at })
    }

    fn skip_layout(&mut self) -> Result<(), JsonError> {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\n' | b'\r') => self.at += 1,
                Some(b'/') if !self.is_strict => self.skip_comment()?,
                _ => return Ok(()),
            }
        }
    }

    fn skip_comment(&mut self) -> Result<(), JsonError> {
        let rest = self.rest();
        let length = if rest.starts_with("//") {
            rest.find(['\n', '\r']).unwrap_or(rest.len())
        } else if let Some(comment) = rest.strip_prefix("/*") {
            match comment.find("*/") {
                Some(end) => end + 4,
                None => return self.malformed("a comment that does not end"),
            }
        } else {
            return self.malformed("expected a value");
        };
        self.at += length;
        Ok(())
    }

    fn value(&mut self, depth: usize) -> Result<Json<'t>, JsonError> {
        let start = self.at;
        let value = match self.peek() {
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.list(depth)?,
            Some(b'"') => Value::Text(self.string()?),
            Some(b'-' | b'0'..=b'9') => Value::Number(self.number()?),
            Some(b't') => self.word("true", Value::Bool(true))?,
            Some(b'f') => self.word("false", Value::Bool(false))?,
            Some(b'n') => self.word("null", Value::Null)?,
            _ => return self.malformed("expected a value"),
        };
        // The text's length fits: `read` has looked.
        Ok(Json { value, start: start as u32, end: self.at as u32 })
    }

    fn word(&mut self, word: &str, value: Value<'t>) -> Result<Value<'t>, JsonError> {
        let found = self.rest().split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').next();
        if found != Some(word) {
            return self.malformed("an unknown word; names are written in quotes");
        }
        self.at += word.len();
        Ok(value)
    }

    fn open(&mut self, depth: usize) -> Result<(), JsonError> {
        if depth >= self.levels {
            return Err(JsonError::TooDeep { at: self.at, levels: self.levels });
        }
        self.at += 1;
        self.skip_layout()
    }

    fn list(&mut self, depth: usize) -> Result<Value<'t>, JsonError> {
        self.open(depth)?;
        let mut items = Vec::new();
        if self.closes(b']') {
            return Ok(Value::List(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            if self.ends_after_item(b']')? {
                return Ok(Value::List(items));
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value<'t>, JsonError> {
        self.open(depth)?;
        let mut members = Vec::new();
        if self.closes(b'}') {
            return Ok(Value::Object(members));
        }
        loop {
            if self.peek() != Some(b'"') {
                return self.malformed("expected a key in quotes");
            }
            let start = self.at as u32;
            let key = self.string()?;
            self.skip_layout()?;
            if self.peek() != Some(b':') {
                return self.malformed("expected a colon");
            }
            self.at += 1;
            self.skip_layout()?;
            members.push(Member { key, json: self.value(depth + 1)?, start });
            if self.ends_after_item(b'}')? {
                return Ok(Value::Object(members));
            }
        }
    }

    fn closes(&mut self, close: u8) -> bool {
        let closes = self.peek() == Some(close);
        self.at += usize::from(closes);
        closes
    }

    /// Takes the comma or the closing bracket after an item.
    fn ends_after_item(&mut self, close: u8) -> Result<bool, JsonError> {
        self.skip_layout()?;
        if self.closes(close) {
            return Ok(true);
        }
        if self.peek() != Some(b',') {
            return self.malformed(if close == b']' { "expected a comma or ]" } else { "expected a comma or }" });
        }
        self.at += 1;
        self.skip_layout()?;
        Ok(false)
    }

    fn number(&mut self) -> Result<&'t str, JsonError> {
        let start = self.at;
        self.at += usize::from(self.peek() == Some(b'-'));
        match self.peek() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits(),
            _ => return self.malformed("expected a digit"),
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.some_digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            self.some_digits()?;
        }
        if self.peek().is_some_and(|next| next.is_ascii_alphanumeric() || next == b'.') {
            return self.malformed("a malformed number");
        }
        if self.at - start > MAX_NUMBER && !self.is_strict {
            return self.malformed("a number of more than 1,000 characters");
        }
        Ok(&self.text[start..self.at])
    }

    fn digits(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
    }

    fn some_digits(&mut self) -> Result<(), JsonError> {
        let start = self.at;
        self.digits();
        if self.at == start { self.malformed("expected a digit") } else { Ok(()) }
    }

    /// A string, without a copy where nothing is escaped.
    fn string(&mut self) -> Result<Cow<'t, str>, JsonError> {
        self.at += 1;
        let start = self.at;
        let plain = self.plain_length()?;
        self.at += plain;
        if self.closes(b'"') {
            return Ok(Cow::Borrowed(&self.text[start..start + plain]));
        }
        let mut unescaped = self.text[start..self.at].to_owned();
        loop {
            self.at += 1;
            unescaped.push(self.escape()?);
            let plain = self.plain_length()?;
            unescaped.push_str(&self.text[self.at..self.at + plain]);
            self.at += plain;
            if self.closes(b'"') {
                return Ok(Cow::Owned(unescaped));
            }
        }
    }

    /// How far the next quote or backslash is.
    fn plain_length(&self) -> Result<usize, JsonError> {
        let rest = &self.text.as_bytes()[self.at..];
        match rest.iter().position(|&byte| byte == b'"' || byte == b'\\' || byte < b' ') {
            Some(plain) if rest[plain] >= b' ' => Ok(plain),
            Some(plain) => {
                Err(JsonError::Malformed { what: "a line break or control character in a string", at: self.at + plain })
            }
            None => self.malformed("a string that does not end"),
        }
    }

    /// What follows a backslash. Half a surrogate pair, which Java keeps, becomes U+FFFD: no name may hold either.
    fn escape(&mut self) -> Result<char, JsonError> {
        let Some(escaped) = self.peek() else { return self.malformed("a string that does not end") };
        self.at += 1;
        Ok(match escaped {
            b'"' | b'\\' | b'/' => char::from(escaped),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => self.unicode()?,
            _ => return self.malformed("an unknown escape"),
        })
    }

    fn unicode(&mut self) -> Result<char, JsonError> {
        let high = self.four_digits()?;
        if !(0xd800..0xdc00).contains(&high) || !self.rest().starts_with("\\u") {
            return char::from_u32(high).map_or_else(|| self.half(), Ok);
        }
        let back = self.at;
        self.at += 2;
        let low = self.four_digits()?;
        if (0xdc00..0xe000).contains(&low) {
            let joined = 0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00);
            return Ok(char::from_u32(joined).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        self.at = back;
        self.half()
    }

    fn half(&self) -> Result<char, JsonError> {
        if self.is_strict { self.malformed("half a surrogate pair") } else { Ok(char::REPLACEMENT_CHARACTER) }
    }

    fn four_digits(&mut self) -> Result<u32, JsonError> {
        let digits = self.text.as_bytes().get(self.at..self.at + 4);
        let digits = digits.filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        let Some(digits) = digits.and_then(|digits| std::str::from_utf8(digits).ok()) else {
            return self.malformed("an escape without four hexadecimal digits");
        };
        self.at += 4;
        Ok(u32::from_str_radix(digits, 16).unwrap_or_default())
    }
}

/// Whether two JSON texts are the same value: keys in any order, whole numbers apart from fractions.
pub(crate) fn same_value(one: &str, other: &str) -> bool {
    one == other
        || match (Json::read(one), Json::read(other)) {
            (Ok(one), Ok(other)) => one.is_same(&other),
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn texts(text: &str) -> Vec<String> {
        let json = Json::read(text).unwrap();
        json.as_list().unwrap().iter().map(|item| item.as_text().unwrap().to_owned()).collect()
    }

    #[rstest]
    #[case::none(r#"["a","b"]"#)]
    #[case::line("// first\n[\"a\", // one\r \"b\"]")]
    #[case::block("/* x */ [ /* a */ \"a\" /**/ , \"b\"\n/* // */]")]
    #[case::escapes(r#"["\u0061","b"]"#)]
    fn comments_are_white_space(#[case] text: &str) {
        assert_eq!(texts(text), ["a", "b"]);
    }

    #[rstest]
    #[case::pair(r#"["\ud83d\ude00"]"#, "😀")]
    #[case::half(r#"["\ud83dx"]"#, "\u{fffd}x")]
    #[case::half_before_another(r#"["\ud83d\u0041"]"#, "\u{fffd}A")]
    #[case::slash(r#"["a\/b\t\"\\"]"#, "a/b\t\"\\")]
    fn escapes_are_read(#[case] text: &str, #[case] value: &str) {
        assert_eq!(texts(text), [value]);
    }

    #[rstest]
    #[case::nothing("  // only a comment")]
    #[case::trailing_comment("\"int\" // a comment")]
    #[case::two_values("\"int\" \"int\"")]
    #[case::trailing_comma("[\"int\",]")]
    #[case::bare_word("int")]
    #[case::nearly_a_word("nullx")]
    #[case::single_quotes("'int'")]
    #[case::leading_zero("[01]")]
    #[case::plus("[+1]")]
    #[case::bare_point("[1.]")]
    #[case::not_a_number("[NaN]")]
    #[case::line_break_in_string("\"a\nb\"")]
    #[case::unknown_escape(r#""\x""#)]
    #[case::short_escape(r#""\u12""#)]
    #[case::open_comment("/* \"int\"")]
    #[case::open_string("\"int")]
    #[case::open_list("[")]
    #[case::no_colon("{\"a\" 1}")]
    #[case::byte_order_mark("\u{feff}\"int\"")]
    #[case::slash("\"int\" /")]
    fn what_the_library_refuses(#[case] text: &str) {
        assert!(Json::read(text).is_err());
    }

    #[rstest]
    #[case::comment("/* a */ [1]")]
    #[case::comment_after_it("[1] // a")]
    #[case::form_feed_after_it("[1]\u{c}")]
    #[case::half_a_pair(r#"["\ud83d"]"#)]
    #[case::too_deep("[[[1]]]")]
    fn what_only_java_reads(#[case] text: &str) {
        assert!(Json::read_strictly(text, 2).is_err());
    }

    #[rstest]
    #[case::white_space(" [1]\n\t\r ")]
    #[case::pair(r#"["\ud83d\ude00"]"#)]
    #[case::two_levels("[[1]]")]
    fn what_strict_parsers_read(#[case] text: &str) {
        Json::read_strictly(text, 2).unwrap();
    }

    #[test]
    fn the_last_of_a_repeated_key_counts() {
        assert_eq!(Json::read(r#"{"a":"x","a":"y"}"#).unwrap().get_text("a"), Some("y"));
    }

    #[rstest]
    #[case("12", Some(12))]
    #[case("-0", Some(0))]
    #[case("1.0", None)]
    #[case("1e3", None)]
    fn whole_numbers_are_told_by_their_spelling(#[case] text: &str, #[case] number: Option<i128>) {
        assert_eq!(Json::read(text).unwrap().as_whole_number(), number);
    }

    #[test]
    fn values_know_where_they_stand() {
        let text = r#" {"a": /* x */ [1, 2] , "b": 3}"#;
        let json = Json::read(text).unwrap();
        assert_eq!(&text[json.get("a").unwrap().span()], "[1, 2]");
        assert_eq!(&text[json.member("b").unwrap().span()], r#""b": 3"#);
        assert_eq!(&text[json.span()], text.trim());
    }

    #[test]
    fn depth_is_bounded() {
        let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert!(Json::read(&nested(MAX_DEPTH)).is_ok());
        assert_eq!(
            Json::read(&nested(MAX_DEPTH + 1)).unwrap_err(),
            JsonError::TooDeep { at: MAX_DEPTH, levels: MAX_DEPTH }
        );
    }

    #[rstest]
    #[case::order_of_keys(r#"{"a":1,"b":2}"#, r#"{"b":2,"a":1}"#, true)]
    #[case::one_number(r#"[1.0]"#, r#"[1e0]"#, true)]
    #[case::whole_or_not("1", "1.0", false)]
    #[case::order_of_items("[1,2]", "[2,1]", false)]
    #[case::escapes(r#""\u0061""#, r#""a""#, true)]
    fn json_values_are_compared(#[case] one: &str, #[case] other: &str, #[case] equal: bool) {
        assert_eq!(same_value(one, other), equal);
    }
}
