//! Line and column of places in a text.

use serde::Serialize;

/// A place as editors count it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Position {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
}

/// A text, and where its lines start.
pub struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    /// Of a text.
    pub fn of(text: &'t str) -> Lines<'t> {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Lines { text, starts }
    }

    /// The line and column of a byte that starts a character.
    pub fn position(&self, at: usize) -> Position {
        let line = self.starts.partition_point(|start| *start <= at);
        let start = self.starts[line - 1];
        Position { line, column: 1 + self.text.get(start..at).unwrap_or_default().chars().count() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::first("abc", 0, (1, 1))]
    #[case::behind_characters_of_several_bytes("aé€b", 6, (1, 4))]
    #[case::at_a_line_break("a\nb", 1, (1, 2))]
    #[case::after_it("a\nb", 2, (2, 1))]
    #[case::after_that_of_windows("a\r\nbc", 4, (2, 2))]
    #[case::end("a\n", 2, (2, 1))]
    fn places_are_counted_from_one(#[case] text: &str, #[case] at: usize, #[case] expected: (usize, usize)) {
        let Position { line, column } = Lines::of(text).position(at);
        assert_eq!((line, column), expected);
    }
}
