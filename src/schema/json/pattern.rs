//! Regular expressions as `java.util.regex` reads them: which ones it refuses, and whether one is found in a
//! property's name. Bounded: a pattern is compiled to few instructions, and a match takes few steps.

mod matcher;
mod parser;

use std::sync::Arc;

use super::error::ParseError;
use super::wrong;

/// A compiled pattern.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    program: Vec<Step>,
    groups: usize,
    marks: usize,
}

/// Refuses what Java would refuse. What is only not known here passes.
pub(super) fn check(pattern: &str) -> Result<(), ParseError> {
    match parser::parse(pattern) {
        Err(parser::Trouble::Syntax(what)) => Err(wrong(&format!("the pattern {pattern} has {what}"))),
        _ => Ok(()),
    }
}

impl Pattern {
    /// Compiles a pattern; none where it has something that is not known here.
    pub fn new(pattern: &str) -> Option<Pattern> {
        let (tree, groups) = parser::parse(pattern).ok()?;
        let mut compiler = Compiler { program: Vec::new(), parts: 0, marks: 0 };
        compiler.node(&tree)?;
        compiler.push(Step::Match)?;
        Some(Pattern { program: compiler.program, groups, marks: compiler.marks })
    }

    /// Whether it is found anywhere in the text, none where that would take too long to tell; and how much work it was.
    pub fn look_in(&self, text: &str) -> (Option<bool>, usize) {
        matcher::is_found(self, text)
    }

    /// Bytes that its program takes.
    pub fn size(&self) -> usize {
        self.program.len() * size_of::<Step>()
    }
}

/// What a pattern is made of.
#[derive(Clone, Debug)]
enum Tree {
    Empty,
    One(Arc<Set>),
    Start { of_line: bool },
    End(End),
    WordEdge { is: bool },
    Group(usize, Box<Tree>),
    Sequence(Vec<Tree>),
    Either(Vec<Tree>),
    Repeat { what: Box<Tree>, least: usize, most: Option<usize>, how: Greed },
    Look { what: Box<Tree>, ahead: bool, is: bool },
    Atomic(Box<Tree>),
    Again { group: usize, any_case: bool },
}

/// Characters.
#[derive(Clone, Debug)]
enum Set {
    Range(char, char),
    Any { also_line_ends: bool },
    Is(fn(char) -> bool),
    Not(Box<Set>),
    AnyOf(Vec<Set>),
    AllOf(Vec<Set>),
    AnyCase(Box<Set>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// `$` and `\Z`: before a line end at the end, too.
    OfText,
    /// `\z`.
    Very,
    OfLine,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Greed {
    Greedy,
    Lazy,
    Possessive,
}

/// One instruction.
#[derive(Clone, Debug)]
enum Step {
    One(Arc<Set>),
    Start {
        of_line: bool,
    },
    End(End),
    WordEdge {
        is: bool,
    },
    Save(usize),
    Again {
        group: usize,
        any_case: bool,
    },
    /// First one place, and if that fails the other.
    Split(usize, usize),
    Jump(usize),
    /// Remembers where a round of a loop begins.
    Mark(usize),
    /// Goes on only if the round took something.
    Moved(usize),
    /// The steps up to the given place are tried by themselves.
    Look {
        end: usize,
        ahead: bool,
        is: bool,
    },
    Atomic {
        end: usize,
    },
    Match,
}

/// More than any sensible pattern has.
const MAX_STEPS: usize = 20_000;

/// Parts that are looked at to compile a pattern: what stands for nothing can be repeated for ever.
const MAX_PARTS: usize = 10 * MAX_STEPS;

struct Compiler {
    program: Vec<Step>,
    parts: usize,
    marks: usize,
}

impl Compiler {
    fn push(&mut self, step: Step) -> Option<usize> {
        if self.program.len() >= MAX_STEPS {
            return None;
        }
        self.program.push(step);
        Some(self.program.len() - 1)
    }

    fn node(&mut self, tree: &Tree) -> Option<()> {
        self.parts += 1;
        if self.parts > MAX_PARTS {
            return None;
        }
        match tree {
            Tree::Empty => {}
            Tree::One(set) => drop(self.push(Step::One(Arc::clone(set)))?),
            Tree::Start { of_line } => drop(self.push(Step::Start { of_line: *of_line })?),
            Tree::End(end) => drop(self.push(Step::End(*end))?),
            Tree::WordEdge { is } => drop(self.push(Step::WordEdge { is: *is })?),
            Tree::Again { group, any_case } => {
                self.push(Step::Again { group: *group, any_case: *any_case })?;
            }
            Tree::Group(number, what) => {
                self.push(Step::Save(number * 2))?;
                self.node(what)?;
                self.push(Step::Save(number * 2 + 1))?;
            }
            Tree::Sequence(parts) => parts.iter().try_for_each(|part| self.node(part))?,
            Tree::Either(branches) => self.either(branches)?,
            Tree::Repeat { what, least, most, how: Greed::Possessive } => {
                let greedy = Tree::Repeat { what: what.clone(), least: *least, most: *most, how: Greed::Greedy };
                self.node(&Tree::Atomic(Box::new(greedy)))?;
            }
            Tree::Repeat { what, least, most, how } => self.repeat(what, *least, *most, *how == Greed::Lazy)?,
            Tree::Look { what, ahead, is } => {
                let (ahead, is) = (*ahead, *is);
                self.apart(what, |end| Step::Look { end, ahead, is })?;
            }
            Tree::Atomic(what) => self.apart(what, |end| Step::Atomic { end })?,
        }
        Some(())
    }

    fn apart(&mut self, what: &Tree, step: impl Fn(usize) -> Step) -> Option<()> {
        let head = self.push(Step::Match)?;
        self.node(what)?;
        self.push(Step::Match)?;
        self.program[head] = step(self.program.len());
        Some(())
    }

    fn either(&mut self, branches: &[Tree]) -> Option<()> {
        let mut jumps = Vec::new();
        for (at, branch) in branches.iter().enumerate() {
            if at + 1 == branches.len() {
                self.node(branch)?;
                break;
            }
            let split = self.push(Step::Match)?;
            self.node(branch)?;
            jumps.push(self.push(Step::Match)?);
            self.program[split] = Step::Split(split + 1, self.program.len());
        }
        for jump in jumps {
            self.program[jump] = Step::Jump(self.program.len());
        }
        Some(())
    }

    fn repeat(&mut self, what: &Tree, least: usize, most: Option<usize>, lazy: bool) -> Option<()> {
        let split = |first, second| if lazy { Step::Split(second, first) } else { Step::Split(first, second) };
        for _ in 0..least {
            self.node(what)?;
        }
        match most {
            None => {
                let mark = self.marks;
                self.marks += 1;
                let head = self.push(Step::Match)?;
                self.push(Step::Mark(mark))?;
                self.node(what)?;
                self.push(Step::Moved(mark))?;
                self.push(Step::Jump(head))?;
                self.program[head] = split(head + 1, self.program.len());
            }
            Some(most) => {
                let mut heads = Vec::new();
                for _ in least..most {
                    heads.push(self.push(Step::Match)?);
                    self.node(what)?;
                }
                for head in heads {
                    self.program[head] = split(head + 1, self.program.len());
                }
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_is_what_java_finds() {
        let rows: &[(&str, &[&str], &[&str])] = &[
            ("^[A-Z]{3}$", &["EUR", "USD\n"], &["EURO", "eur", ""]),
            ("[a-z]+@[a-z]+", &["a@b", "xx a@b"], &["a@", "@"]),
            ("^x-", &["x-a", "x-"], &["ax-"]),
            ("^(a|bc)*d$", &["d", "abcad"], &["abd"]),
            ("^(?:foo|bar)?$", &["", "foo"], &["foob"]),
            ("^(?!secret).*$", &["open"], &["secret1"]),
            ("(?<=a)b", &["ab"], &["cb", "b"]),
            (r"^\d{2,3}$", &["12", "123"], &["1", "1234"]),
            (r"^(\w)\1$", &["aa"], &["ab"]),
            (r"^\p{Lu}\p{L}*$", &["Äb", "A"], &["ab"]),
            ("^[^a-c]$", &["d"], &["a"]),
            ("^[a-z&&[^b]]$", &["a"], &["b"]),
            ("^[]a]$", &[], &[]),
            ("(?i)^abc$", &["ABC"], &["abd"]),
            ("^(a*)*$", &["", "aaa"], &["b"]),
            ("^a++a$", &[], &["aa"]),
            ("^a{2}?$", &["aa"], &["a"]),
            (r"^\Qa.b\E$", &["a.b"], &["axb"]),
            (r"\bfoo\b", &["a foo b"], &["afoo"]),
            ("^.$", &["é", "😀"], &["\n"]),
            (r"^\u0041\x42\t$", &["AB\t"], &["AB"]),
            (r"^[\w.-]+$", &["a.b-c"], &["a b"]),
            ("a}", &["a}"], &["a"]),
        ];
        for (pattern, found, not_found) in rows {
            let Some(compiled) = Pattern::new(pattern) else {
                assert!(found.is_empty(), "{pattern} is not known");
                continue;
            };
            for text in *found {
                assert_eq!(compiled.look_in(text).0, Some(true), "{pattern} in {text}");
            }
            for text in *not_found {
                assert_eq!(compiled.look_in(text).0, Some(false), "{pattern} in {text}");
            }
        }
    }

    #[test]
    fn what_java_refuses_is_refused() {
        for bad in ["[a", "(a", "a)", "*a", "a{", "{1}", "a{2,1}", "[b-a]", r"\", r"\i", r"\p{Foo}", "(?<1>a)", "a**"] {
            assert!(check(bad).is_err(), "{bad}");
        }
        for good in ["", "a|", "]", "}", r"\-", r"[\d-x]", r"[\p{IsLatin}]", "(?<n>a)\\k<n>", "[a&&b]", "(?x) a # b"] {
            assert!(check(good).is_ok(), "{good}");
        }
    }

    #[test]
    fn a_bomb_is_given_up() {
        let pattern = Pattern::new("^(a+)+$").unwrap();
        assert_eq!(pattern.look_in(&format!("{}b", "a".repeat(40))).0, None);
        assert!(Pattern::new("((((a{99}){99}){99}){99})").is_none());
        assert!(check(&"(".repeat(100_000)).is_err());
    }
}
