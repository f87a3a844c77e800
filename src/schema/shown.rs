//! Text as a person is to see it: on one line, with nothing in it that hides, or that moves or turns what stands there.

use std::borrow::Cow;

/// So much of a name is shown. A subject may have 1,024 characters, and a sentence has more to say than that.
const MAX_NAME: usize = 200;

/// How long a line may be, with the `…` that stands for what was cut.
#[derive(Clone, Copy, Debug)]
pub enum Limit {
    /// So many characters.
    Characters(usize),
    /// So many bytes of UTF-8.
    Bytes(usize),
}

impl Limit {
    fn cost(self, text: &str) -> usize {
        match self {
            Limit::Characters(_) => text.chars().count(),
            Limit::Bytes(_) => text.len(),
        }
    }

    fn most(self) -> usize {
        let (Limit::Characters(most) | Limit::Bytes(most)) = self;
        most
    }
}

/// A line that grows up to its limit.
struct Line {
    text: String,
    limit: Limit,
    used: usize,
    /// Where it is cut to make room for `…`.
    cut: usize,
}

impl Line {
    fn new(limit: Limit) -> Line {
        Line { text: String::new(), limit, used: 0, cut: 0 }
    }

    /// Adds a piece that is never split. False where the line is full, and ends with `…`.
    fn push(&mut self, piece: &str) -> bool {
        self.used += self.limit.cost(piece);
        if self.used > self.limit.most() {
            self.text.truncate(self.cut);
            self.text.push('…');
            return false;
        }
        self.text.push_str(piece);
        if self.used + self.limit.cost("…") <= self.limit.most() {
            self.cut = self.text.len();
        }
        true
    }
}

/// Text on one line: blanks of any kind and control characters are a space, and what shows nothing is told by its number.
pub fn one_line(text: &str, limit: Limit) -> String {
    let mut line = Line::new(limit);
    let mut space = "";
    for character in text.chars() {
        if character.is_whitespace() || character.is_control() {
            space = if line.text.is_empty() { "" } else { " " };
        } else if line.push(&format!("{space}{}", seen(character))) {
            space = "";
        } else {
            break;
        }
    }
    line.text
}

/// A name in a sentence: as it is; within quotes where blanks in it, or at its ends, would be taken for the sentence's.
pub fn name(name: &str) -> Cow<'_, str> {
    let plain = |character: char| !character.is_whitespace() && !character.is_control() && !is_hidden(character);
    if name.len() <= MAX_NAME && name.chars().all(plain) {
        return Cow::Borrowed(name);
    }
    let mut line = Line::new(Limit::Characters(MAX_NAME));
    let mut before = None;
    for character in name.chars() {
        let is_one_space = character == ' ' && before != Some(' ');
        let piece = if plain(character) || is_one_space { character.to_string() } else { number(character) };
        before = Some(character);
        if !line.push(&piece) {
            break;
        }
    }
    let has_blanks = name.contains(|character: char| character.is_whitespace() || character.is_control());
    Cow::Owned(if has_blanks { format!("\"{}\"", line.text) } else { line.text })
}

fn seen(character: char) -> String {
    if is_hidden(character) { number(character) } else { character.to_string() }
}

fn number(character: char) -> String {
    character.escape_unicode().to_string()
}

/// Whether a character shows nothing, or turns the direction of what follows.
fn is_hidden(character: char) -> bool {
    if character.is_ascii() {
        return false;
    }
    // Letters and marks that are drawn as nothing: fillers, the blank of Braille, joiners, selectors of variants.
    let is_drawn_as_nothing = matches!(character,
        '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{2800}'
        | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}' | '\u{e0100}'..='\u{e01ef}');
    // What the standard library does not print as it is: format characters, such as those of direction, odd blanks, what
    // is private or not assigned. After a letter, so that a mark which belongs to one counts as printed.
    is_drawn_as_nothing || ['a', character].iter().collect::<String>().escape_debug().nth(1) == Some('\\')
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::lines("a\r\n\tb\u{0}c\u{85}d\u{2028}e\u{7}\u{a0}f", "a b c d e f")]
    #[case::only_blanks(" \n ", "")]
    #[case::zero_width("pass\u{200b}word", r"pass\u{200b}word")]
    #[case::turned_around("see \u{202e}gpj.exe\u{200f}", r"see \u{202e}gpj.exe\u{200f}")]
    #[case::isolates("\u{2066}a\u{2069}", r"\u{2066}a\u{2069}")]
    #[case::byte_order_mark("\u{feff}a", r"\u{feff}a")]
    #[case::soft_hyphen_and_tags("a\u{ad}b\u{e0041}", r"a\u{ad}b\u{e0041}")]
    #[case::fillers("a\u{3164}\u{2800}\u{fe0f}", r"a\u{3164}\u{2800}\u{fe0f}")]
    #[case::letters_of_all_scripts("größe 値 схема \u{5d0} e\u{301} 🦀", "größe 値 схема \u{5d0} e\u{301} 🦀")]
    #[case::what_is_told_already(r"a \u{202e}", r"a \u{202e}")]
    fn nothing_on_a_line_is_hidden(#[case] text: &str, #[case] line: &str) {
        assert_eq!(one_line(text, Limit::Bytes(200)), line);
        assert_eq!(one_line(line, Limit::Bytes(200)), line, "twice is once");
    }

    #[rstest]
    #[case::at_the_bound("äää", Limit::Bytes(6), "äää")]
    #[case::by_bytes("ääää", Limit::Bytes(7), "ää…")]
    #[case::by_characters("ääää", Limit::Characters(3), "ää…")]
    #[case::not_within_a_number("ab\u{202e}c", Limit::Characters(8), "ab…")]
    #[case::blank_before_the_cut("abc def", Limit::Characters(5), "abc…")]
    #[case::blanks_do_not_count("abc  \n ", Limit::Characters(3), "abc")]
    fn a_line_is_cut(#[case] text: &str, #[case] limit: Limit, #[case] line: &str) {
        assert_eq!(one_line(text, limit), line);
    }

    #[rstest]
    #[case::plain("orders-value", "orders-value")]
    #[case::any_script(":.ctx:größe/値", ":.ctx:größe/値")]
    #[case::blank_at_the_end("abc ", r#""abc ""#)]
    #[case::blank_inside("my orders", r#""my orders""#)]
    #[case::two_blanks("a  b", r#""a \u{20}b""#)]
    #[case::odd_blanks("\u{a0}x\u{2028}", r#""\u{a0}x\u{2028}""#)]
    #[case::line_break("a\nb", r#""a\u{a}b""#)]
    #[case::turned_around("a\u{202e}b", r"a\u{202e}b")]
    fn a_name_is_seen_whole(#[case] text: &str, #[case] shown: &str) {
        assert_eq!(name(text), shown);
        assert_eq!(one_line(shown, Limit::Bytes(200)), shown, "a line keeps it");
    }

    #[test]
    fn a_long_name_is_cut() {
        assert_eq!(name(&"x".repeat(200)), "x".repeat(200));
        assert_eq!(name(&"x".repeat(1024)), format!("{}…", "x".repeat(199)));
        assert_eq!(name(&"ü".repeat(150)), "ü".repeat(150));
    }
}
