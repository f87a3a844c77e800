//! Runs a compiled pattern by going back on a stack of its own.

use super::{End, Pattern, Set, Step};

/// Enough for any sensible pattern on any sensible name.
const MAX_WORK: usize = 200_000;

/// Longer names than this are not looked at.
const MAX_TEXT: usize = 10_000;

/// Whether the pattern is found, unless that takes too long; and the work that it took.
pub(super) fn is_found(pattern: &Pattern, text: &str) -> (Option<bool>, usize) {
    let text: Vec<char> = text.chars().take(MAX_TEXT + 1).collect();
    if text.len() > MAX_TEXT {
        return (None, 0);
    }
    let mut run = Run {
        pattern,
        text: &text,
        work: 0,
        saved: vec![None; (pattern.groups + 1) * 2],
        marks: vec![0; pattern.marks],
    };
    let found = run.is_found();
    (found, run.work)
}

struct Run<'p> {
    pattern: &'p Pattern,
    text: &'p [char],
    work: usize,
    saved: Vec<Option<usize>>,
    marks: Vec<usize>,
}

/// What to do when a way fails.
enum Back {
    Try(usize, usize),
    Save(usize, Option<usize>),
    Mark(usize, usize),
}

impl Run<'_> {
    fn is_found(&mut self) -> Option<bool> {
        for start in 0..=self.text.len() {
            if self.from(0, start, None)?.is_some() {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Where a match of the steps from `step` ends, at `end` if that is given; the outer none gives up.
    fn from(&mut self, step: usize, at: usize, end: Option<usize>) -> Option<Option<usize>> {
        let mut back = vec![Back::Try(step, at)];
        while let Some(way) = back.pop() {
            match way {
                Back::Save(slot, before) => self.saved[slot] = before,
                Back::Mark(mark, before) => self.marks[mark] = before,
                Back::Try(step, at) => {
                    if let Some(found) = self.way(step, at, end, &mut back)? {
                        return Some(Some(found));
                    }
                }
            }
        }
        Some(None)
    }

    /// Follows one way until it matches or fails.
    fn way(
        &mut self,
        mut step: usize,
        mut at: usize,
        end: Option<usize>,
        back: &mut Vec<Back>,
    ) -> Option<Option<usize>> {
        let pattern = self.pattern;
        loop {
            self.work += 1;
            if self.work > MAX_WORK {
                return None;
            }
            let goes_on = match &pattern.program[step] {
                Step::Match => return Some(if end.is_none_or(|end| end == at) { Some(at) } else { None }),
                Step::One(set) => {
                    let is = self.text.get(at).is_some_and(|&c| set.has(c));
                    self.work += set.parts() / 8;
                    at += usize::from(is);
                    is
                }
                Step::Start { of_line } => at == 0 || *of_line && self.text[at - 1] == '\n' && at < self.text.len(),
                Step::End(end) => self.is_end(*end, at),
                Step::WordEdge { is } => self.is_word_edge(at) == *is,
                Step::Save(slot) => {
                    back.push(Back::Save(*slot, self.saved[*slot]));
                    self.saved[*slot] = Some(at);
                    true
                }
                Step::Again { group, any_case } => match self.again(*group, *any_case, at) {
                    Some(after) => {
                        at = after;
                        true
                    }
                    None => false,
                },
                Step::Split(first, second) => {
                    back.push(Back::Try(*second, at));
                    step = *first;
                    continue;
                }
                Step::Jump(to) => {
                    step = *to;
                    continue;
                }
                Step::Mark(mark) => {
                    back.push(Back::Mark(*mark, self.marks[*mark]));
                    self.marks[*mark] = at;
                    true
                }
                Step::Moved(mark) if self.marks[*mark] == at => {
                    step += 2; // out of the loop
                    continue;
                }
                Step::Moved(_) => true,
                Step::Look { end, ahead, is } => {
                    let found = self.look(step + 1, at, *ahead)?;
                    step = *end;
                    if found != *is {
                        return Some(None);
                    }
                    continue;
                }
                Step::Atomic { end } => match self.from(step + 1, at, None)? {
                    Some(after) => {
                        at = after;
                        step = *end;
                        continue;
                    }
                    None => false,
                },
            };
            if !goes_on {
                return Some(None);
            }
            step += 1;
        }
    }

    fn look(&mut self, step: usize, at: usize, ahead: bool) -> Option<bool> {
        if ahead {
            return Some(self.from(step, at, None)?.is_some());
        }
        for start in (0..=at).rev() {
            if self.from(step, start, Some(at))?.is_some() {
                return Some(true);
            }
        }
        Some(false)
    }

    fn again(&mut self, group: usize, any_case: bool, at: usize) -> Option<usize> {
        let (from, to) = (self.saved.get(group * 2).copied()??, self.saved.get(group * 2 + 1).copied()??);
        let text = self.text;
        let part = text.get(from..to)?;
        let here = text.get(at..at + part.len())?;
        self.work += part.len() / 8;
        let same = |(a, b): (&char, &char)| a == b || any_case && a.to_lowercase().eq(b.to_lowercase());
        part.iter().zip(here).all(same).then_some(at + part.len())
    }

    fn is_end(&self, end: End, at: usize) -> bool {
        let rest = &self.text[at..];
        rest.is_empty()
            || match end {
                End::Very => false,
                End::OfText => matches!(rest, ['\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}'] | ['\r', '\n']),
                End::OfLine => matches!(rest[0], '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}'),
            }
    }

    fn is_word_edge(&self, at: usize) -> bool {
        let is_word = |c: Option<&char>| c.is_some_and(|c| c.is_alphanumeric() || *c == '_');
        is_word(at.checked_sub(1).and_then(|before| self.text.get(before))) != is_word(self.text.get(at))
    }
}

impl Set {
    /// Of how many parts it is made, one level deep.
    fn parts(&self) -> usize {
        match self {
            Set::AnyOf(sets) | Set::AllOf(sets) => sets.len(),
            Set::Not(set) | Set::AnyCase(set) => set.parts(),
            _ => 1,
        }
    }

    fn has(&self, c: char) -> bool {
        match self {
            Set::Range(from, to) => (*from..=*to).contains(&c),
            Set::Any { also_line_ends } => {
                *also_line_ends || !matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
            }
            Set::Is(is) => is(c),
            Set::Not(set) => !set.has(c),
            Set::AnyOf(sets) => sets.iter().any(|set| set.has(c)),
            Set::AllOf(sets) => sets.iter().all(|set| set.has(c)),
            Set::AnyCase(set) => set.has(c) || set.has(c.to_ascii_lowercase()) || set.has(c.to_ascii_uppercase()),
        }
    }
}
