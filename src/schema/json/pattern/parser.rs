//! Reads the syntax of `java.util.regex`.

use std::sync::Arc;

use super::{End, Greed, Set, Tree};

/// Groups within groups.
const MAX_DEPTH: usize = 60;

/// Repeats that are written out.
const MAX_COUNT: usize = 5_000;

pub(super) enum Trouble {
    /// Java refuses it.
    Syntax(&'static str),
    /// Java may take it; it is not known here.
    Unknown,
}

use Trouble::{Syntax, Unknown};

type Parsed<T> = Result<T, Trouble>;

/// The tree and the number of groups.
pub(super) fn parse(pattern: &str) -> Parsed<(Tree, usize)> {
    let chars: Vec<char> = pattern.chars().collect();
    let mut parser = Parser { chars: &chars, at: 0, groups: 0, names: Vec::new(), depth: 0, flags: Flags::default() };
    let tree = parser.either()?;
    if parser.at < chars.len() {
        return Err(Syntax("a `)` that closes nothing"));
    }
    Ok((tree, parser.groups))
}

#[derive(Clone, Copy, Default)]
struct Flags {
    any_case: bool,
    dot_all: bool,
    lines: bool,
    comments: bool,
}

struct Parser<'p> {
    chars: &'p [char],
    at: usize,
    groups: usize,
    names: Vec<(String, usize)>,
    depth: usize,
    flags: Flags,
}

impl Parser<'_> {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek();
        self.at += usize::from(c.is_some());
        c
    }

    fn take(&mut self, c: char) -> bool {
        let is = self.peek() == Some(c);
        self.at += usize::from(is);
        is
    }

    fn take_all(&mut self, text: &str) -> bool {
        let is = text.chars().enumerate().all(|(n, c)| self.chars.get(self.at + n) == Some(&c));
        self.at += if is { text.chars().count() } else { 0 };
        is
    }

    fn either(&mut self) -> Parsed<Tree> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Syntax("too many groups within groups"));
        }
        let mut branches = vec![self.sequence()?];
        while self.take('|') {
            branches.push(self.sequence()?);
        }
        self.depth -= 1;
        Ok(if branches.len() == 1 { branches.remove(0) } else { Tree::Either(branches) })
    }

    fn sequence(&mut self) -> Parsed<Tree> {
        let mut parts = Vec::new();
        while let Some(c) = self.peek() {
            if c == '|' || c == ')' {
                break;
            }
            if self.flags.comments && (c.is_ascii_whitespace() || c == '#') {
                self.skip_comment();
                continue;
            }
            let part = self.part(&mut parts)?;
            if let Some(part) = part {
                let part = self.repeated(part)?;
                parts.push(part);
            }
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Tree::Sequence(parts) })
    }

    fn skip_comment(&mut self) {
        if self.next() == Some('#') {
            while self.peek().is_some_and(|c| c != '\n') {
                self.at += 1;
            }
        }
    }

    fn one(&self, set: Set) -> Tree {
        Tree::One(Arc::new(if self.flags.any_case { Set::AnyCase(Box::new(set)) } else { set }))
    }

    fn part(&mut self, parts: &mut Vec<Tree>) -> Parsed<Option<Tree>> {
        let Some(c) = self.next() else { return Ok(None) };
        Ok(Some(match c {
            '.' => Tree::One(Arc::new(Set::Any { also_line_ends: self.flags.dot_all })),
            '^' => Tree::Start { of_line: self.flags.lines },
            '$' => Tree::End(if self.flags.lines { End::OfLine } else { End::OfText }),
            '[' => {
                let set = self.class()?;
                self.one(set)
            }
            '(' => return self.group(),
            '\\' if self.take('Q') => {
                while self.peek().is_some() && !self.take_all("\\E") {
                    if let Some(c) = self.next() {
                        parts.push(self.one(Set::Range(c, c)));
                    }
                }
                match parts.pop() {
                    Some(last) => last,
                    None => Tree::Empty,
                }
            }
            '\\' => self.escape()?,
            '*' | '+' | '?' => return Err(Syntax("a quantifier after nothing")),
            '{' => return Err(Syntax("a `{` that repeats nothing")),
            c => self.one(Set::Range(c, c)),
        }))
    }

    fn repeated(&mut self, what: Tree) -> Parsed<Tree> {
        let (least, most) = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => return self.counted(what),
            _ => return Ok(what),
        };
        self.at += 1;
        self.with_greed(what, least, most)
    }

    fn counted(&mut self, what: Tree) -> Parsed<Tree> {
        self.at += 1;
        let least = self.count()?;
        let most = if self.take(',') {
            if self.peek() == Some('}') { None } else { Some(self.count()?) }
        } else {
            Some(least)
        };
        if !self.take('}') {
            return Err(Syntax("a repetition that is not closed"));
        }
        if most.is_some_and(|most| most < least) {
            return Err(Syntax("a repetition from more to less"));
        }
        if least > MAX_COUNT || most.is_some_and(|most| most > MAX_COUNT) {
            return Err(Unknown);
        }
        self.with_greed(what, least, most)
    }

    fn count(&mut self) -> Parsed<usize> {
        let start = self.at;
        let mut count: usize = 0;
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
            count = count.saturating_mul(10).saturating_add(digit as usize);
            self.at += 1;
        }
        if self.at == start || count > i32::MAX as usize {
            return Err(Syntax("a repetition without a number"));
        }
        Ok(count)
    }

    fn with_greed(&mut self, what: Tree, least: usize, most: Option<usize>) -> Parsed<Tree> {
        let how = if self.take('?') {
            Greed::Lazy
        } else if self.take('+') {
            Greed::Possessive
        } else {
            Greed::Greedy
        };
        if matches!(self.peek(), Some('*' | '?' | '+')) {
            return Err(Syntax("a quantifier of a quantifier"));
        }
        Ok(Tree::Repeat { what: Box::new(what), least, most, how })
    }

    fn group(&mut self) -> Parsed<Option<Tree>> {
        let before = self.flags;
        let tree = if !self.take('?') {
            self.groups += 1;
            let number = self.groups;
            Tree::Group(number, Box::new(self.either()?))
        } else if self.take(':') {
            self.either()?
        } else if self.take('>') {
            Tree::Atomic(Box::new(self.either()?))
        } else if self.take('=') {
            Tree::Look { what: Box::new(self.either()?), ahead: true, is: true }
        } else if self.take('!') {
            Tree::Look { what: Box::new(self.either()?), ahead: true, is: false }
        } else if self.take_all("<=") {
            Tree::Look { what: Box::new(self.either()?), ahead: false, is: true }
        } else if self.take_all("<!") {
            Tree::Look { what: Box::new(self.either()?), ahead: false, is: false }
        } else if self.take('<') {
            let name = self.group_name()?;
            if self.names.iter().any(|(known, _)| *known == name) {
                return Err(Syntax("two groups of one name"));
            }
            self.groups += 1;
            let number = self.groups;
            self.names.push((name, number));
            Tree::Group(number, Box::new(self.either()?))
        } else {
            self.read_flags()?;
            if self.take(')') {
                return Ok(None); // for the rest of the group around
            }
            if !self.take(':') {
                return Err(Syntax("a group of an unknown kind"));
            }
            self.either()?
        };
        self.flags = before;
        if self.take(')') { Ok(Some(tree)) } else { Err(Syntax("a `(` that is not closed")) }
    }

    fn group_name(&mut self) -> Parsed<String> {
        let mut name = String::new();
        while let Some(c) = self.next() {
            match c {
                '>' if !name.is_empty() => return Ok(name),
                c if c.is_ascii_alphabetic() || !name.is_empty() && c.is_ascii_digit() => name.push(c),
                _ => break,
            }
        }
        Err(Syntax("a group with a name that is none"))
    }

    fn read_flags(&mut self) -> Parsed<()> {
        let mut on = true;
        while let Some(c) = self.peek() {
            match c {
                'i' => self.flags.any_case = on,
                's' => self.flags.dot_all = on,
                'm' => self.flags.lines = on,
                'x' => self.flags.comments = on,
                'u' | 'd' | 'U' => {}
                '-' if on => on = false,
                ')' | ':' => return Ok(()),
                _ => break,
            }
            self.at += 1;
        }
        Err(Syntax("a group of an unknown kind"))
    }

    fn escape(&mut self) -> Parsed<Tree> {
        let Some(c) = self.peek() else { return Err(Syntax("a backslash at its end")) };
        match c {
            'A' | 'G' | 'b' | 'B' | 'z' | 'Z' | 'k' | 'R' | 'X' | '1'..='9' => self.at += 1,
            _ => {
                let set = self.escaped_set()?;
                return Ok(self.one(set));
            }
        }
        Ok(match c {
            'A' => Tree::Start { of_line: false },
            'b' if self.peek() == Some('{') => return Err(Unknown),
            'b' | 'B' => Tree::WordEdge { is: c == 'b' },
            'z' => Tree::End(End::Very),
            'Z' => Tree::End(End::OfText),
            'k' => {
                if !self.take('<') {
                    return Err(Syntax("a \\k without a name"));
                }
                let name = self.group_name()?;
                let known = self.names.iter().find(|(known, _)| *known == name);
                let group = known.map(|(_, group)| *group).ok_or(Syntax("a \\k that names no group"))?;
                Tree::Again { group, any_case: self.flags.any_case }
            }
            '1'..='9' => {
                let mut group = c.to_digit(10).unwrap_or_default() as usize;
                while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
                    let more = group * 10 + digit as usize;
                    if more > self.groups {
                        break;
                    }
                    group = more;
                    self.at += 1;
                }
                Tree::Again { group, any_case: self.flags.any_case }
            }
            _ => return Err(Unknown),
        })
    }

    /// A character or a class that a backslash stands before; the backslash is behind.
    fn escaped_set(&mut self) -> Parsed<Set> {
        let Some(c) = self.next() else { return Err(Syntax("a backslash at its end")) };
        let negated = |set: Set| Set::Not(Box::new(set));
        Ok(match c {
            'd' => Set::Is(is_digit),
            'D' => negated(Set::Is(is_digit)),
            's' => Set::Is(is_space),
            'S' => negated(Set::Is(is_space)),
            'w' => Set::Is(is_word),
            'W' => negated(Set::Is(is_word)),
            'h' => Set::Is(is_horizontal),
            'H' => negated(Set::Is(is_horizontal)),
            'v' => Set::Is(is_vertical),
            'V' => negated(Set::Is(is_vertical)),
            'p' => self.property()?,
            'P' => negated(self.property()?),
            _ => {
                let c = self.escaped_char(c)?;
                Set::Range(c, c)
            }
        })
    }

    fn escaped_char(&mut self, c: char) -> Parsed<char> {
        Ok(match c {
            't' => '\t',
            'n' => '\n',
            'r' => '\r',
            'f' => '\u{c}',
            'a' => '\u{7}',
            'e' => '\u{1b}',
            'x' if self.take('{') => {
                let mut code: u32 = 0;
                loop {
                    match self.next() {
                        Some('}') => break,
                        Some(digit) => {
                            let digit = digit.to_digit(16).ok_or(Syntax("an escape that is no number"))?;
                            code = code.saturating_mul(16).saturating_add(digit);
                        }
                        None => return Err(Syntax("an escape that is not closed")),
                    }
                }
                char::from_u32(code).ok_or(Syntax("an escape beyond Unicode"))?
            }
            'x' => self.hex(2)?,
            'u' => self.hex(4)?,
            '0' => self.octal()?,
            'c' => match self.next() {
                Some(control) => char::from_u32(u32::from(control) ^ 64).ok_or(Unknown)?,
                None => return Err(Syntax("a \\c without a letter")),
            },
            'N' => return Err(Unknown),
            c if c.is_ascii_alphabetic() => return Err(Syntax("an unknown escape")),
            c => c,
        })
    }

    fn hex(&mut self, digits: usize) -> Parsed<char> {
        let mut code = 0;
        for _ in 0..digits {
            let digit = self.next().and_then(|c| c.to_digit(16)).ok_or(Syntax("an escape that is no number"))?;
            code = code * 16 + digit;
        }
        char::from_u32(code).ok_or(Unknown)
    }

    fn octal(&mut self) -> Parsed<char> {
        let mut code = 0;
        let mut digits = 0;
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(8)).filter(|d| digits < 3 && code * 8 + d < 256) {
            code = code * 8 + digit;
            digits += 1;
            self.at += 1;
        }
        if digits == 0 { Err(Syntax("an escape that is no number")) } else { char::from_u32(code).ok_or(Unknown) }
    }

    fn property(&mut self) -> Parsed<Set> {
        let name: String = if self.take('{') {
            let rest = &self.chars[self.at..];
            let length = rest.iter().position(|c| *c == '}').ok_or(Syntax("a property that is not closed"))?;
            self.at += length + 1;
            rest[..length].iter().collect()
        } else {
            self.next().ok_or(Syntax("a property without a name"))?.to_string()
        };
        let short = name.strip_prefix("Is").or_else(|| name.strip_prefix("java")).unwrap_or(&name);
        Ok(Set::Is(match short {
            "L" | "Alphabetic" | "Letter" => char::is_alphabetic,
            "Lu" | "Uppercase" | "UpperCase" => char::is_uppercase,
            "Ll" | "Lowercase" | "LowerCase" => char::is_lowercase,
            "N" | "Nd" => char::is_numeric,
            "White_Space" | "Whitespace" => char::is_whitespace,
            "Alpha" => |c| c.is_ascii_alphabetic(),
            "Digit" => is_digit,
            "Alnum" => |c| c.is_ascii_alphanumeric(),
            "Upper" => |c| c.is_ascii_uppercase(),
            "Lower" => |c| c.is_ascii_lowercase(),
            "Punct" => |c| c.is_ascii_punctuation(),
            "Space" => is_space,
            "XDigit" => |c| c.is_ascii_hexdigit(),
            "ASCII" => |c| c.is_ascii(),
            "Cntrl" | "Cc" => char::is_control,
            "Graph" => |c| c.is_ascii_graphic(),
            "Print" => |c| c.is_ascii_graphic() || c == ' ',
            "Blank" => |c| c == ' ' || c == '\t',
            _ if name.len() <= 2 || name.contains('=') || short != name || name.starts_with("In") => {
                return Err(Unknown);
            }
            _ => return Err(Syntax("an unknown property")),
        }))
    }

    /// After `[`.
    fn class(&mut self) -> Parsed<Set> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Syntax("too many classes within classes"));
        }
        let negated = self.take('^');
        let mut all_of = Vec::new();
        let mut any_of = Vec::new();
        let mut first = true;
        loop {
            if self.take_all("&&") {
                all_of.push(Set::AnyOf(std::mem::take(&mut any_of)));
                continue;
            }
            match self.next() {
                None => return Err(Syntax("a `[` that is not closed")),
                Some(']') if !first => break,
                Some('[') => any_of.push(self.class()?),
                Some(c) => {
                    let set = self.class_member(c)?;
                    any_of.push(set);
                }
            }
            first = false;
        }
        self.depth -= 1;
        if !any_of.is_empty() {
            all_of.push(Set::AnyOf(any_of));
        }
        let set = if all_of.len() == 1 { all_of.remove(0) } else { Set::AllOf(all_of) };
        Ok(if negated { Set::Not(Box::new(set)) } else { set })
    }

    fn class_member(&mut self, c: char) -> Parsed<Set> {
        let from = if c == '\\' { self.escaped_set()? } else { Set::Range(c, c) };
        let Set::Range(low, _) = from else { return Ok(from) };
        let goes_on = self.peek() == Some('-') && !matches!(self.chars.get(self.at + 1), Some(']' | '[') | None);
        if !goes_on {
            return Ok(from);
        }
        self.at += 1;
        let to = match self.next() {
            Some('\\') => self.escaped_set()?,
            Some(c) => Set::Range(c, c),
            None => return Err(Syntax("a `[` that is not closed")),
        };
        match to {
            Set::Range(high, _) if high >= low => Ok(Set::Range(low, high)),
            Set::Range(..) => Err(Syntax("a range from more to less")),
            class => Ok(Set::AnyOf(vec![from, Set::Range('-', '-'), class])),
        }
    }
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\u{b}' | '\u{c}' | '\r')
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn is_horizontal(c: char) -> bool {
    matches!(
        c,
        ' ' | '\t' | '\u{a0}' | '\u{1680}' | '\u{180e}' | '\u{2000}'
            ..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
    )
}

fn is_vertical(c: char) -> bool {
    matches!(c, '\n' | '\u{b}' | '\u{c}' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}
