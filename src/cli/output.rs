//! How commands write what they found: whole, to a pipe that may close early, and never so that a schema's text drives
//! the terminal.

use std::io::{self, IsTerminal, Write};

/// The longest message, in characters: unions and enums can have any number of members.
const MAX_MESSAGE: usize = 1_000;

/// The width of what is shown, where the terminal does not say its own.
const WIDTH: usize = 120;

/// How a report is to look.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// With colours.
    pub is_coloured: bool,
    /// In columns.
    pub width: usize,
}

impl Look {
    /// For what standard output is.
    pub fn of_standard_output() -> Look {
        let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        let is_terminal = io::stdout().is_terminal();
        Look {
            is_coloured: has_colours(is_terminal, variable("NO_COLOR").is_some(), variable("TERM").as_deref()),
            width: width(variable("COLUMNS").as_deref()),
        }
    }
}

fn has_colours(is_terminal: bool, is_refused: bool, terminal: Option<&str>) -> bool {
    is_terminal && !is_refused && terminal != Some("dumb")
}

fn width(columns: Option<&str>) -> usize {
    columns.and_then(|columns| columns.parse().ok()).unwrap_or(WIDTH).clamp(60, 200)
}

/// Writes to standard output. A reader that has seen enough closes the pipe, which is no error.
pub fn print(text: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    unless_closed(output.write_all(text.as_bytes()).and_then(|()| output.flush()))
}

/// The same of what was written already.
pub fn unless_closed(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Text on one line without characters that a terminal obeys, and not too long.
pub fn bounded(text: &str) -> String {
    let mut characters = text.chars();
    let mut line: String = characters.by_ref().take(MAX_MESSAGE).map(visible).collect();
    if characters.next().is_some() {
        line.pop();
        line.push('…');
    }
    line
}

/// A schema's text for display, byte for byte as long as it was.
pub fn harmless(text: &str) -> String {
    // What is below U+0080 is replaced by whoever lays it out; what is from there to U+009F has two bytes.
    text.chars().map(|character| if is_upper_control(character) { '·' } else { character }).collect()
}

fn is_upper_control(character: char) -> bool {
    matches!(character, '\u{80}'..='\u{9f}')
}

fn visible(character: char) -> char {
    match character {
        // Marks that turn the direction of what follows.
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        character if character.is_control() => '\u{fffd}',
        character => character,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::terminal(true, false, Some("xterm"), true)]
    #[case::pipe(false, false, Some("xterm"), false)]
    #[case::refused(true, true, Some("xterm"), false)]
    #[case::a_terminal_without_colours(true, false, Some("dumb"), false)]
    #[case::a_terminal_without_name(true, false, None, true)]
    fn colours_are_for_terminals(
        #[case] is_terminal: bool,
        #[case] is_refused: bool,
        #[case] terminal: Option<&str>,
        #[case] expected: bool,
    ) {
        assert_eq!(has_colours(is_terminal, is_refused, terminal), expected);
    }

    #[rstest]
    #[case(None, 120)]
    #[case(Some("100"), 100)]
    #[case(Some("10"), 60)]
    #[case(Some("100000"), 200)]
    #[case(Some("wide"), 120)]
    fn widths_are_bounded(#[case] columns: Option<&str>, #[case] expected: usize) {
        assert_eq!(width(columns), expected);
    }

    #[test]
    fn a_message_is_one_line_that_no_terminal_obeys() {
        assert_eq!(bounded("a\n\u{1b}[31m\u{9b}b\u{202e}"), "a\u{fffd}\u{fffd}[31m\u{fffd}b\u{fffd}");
        let long = bounded(&"é".repeat(2_000));
        assert_eq!((long.chars().count(), long.ends_with("é…")), (1_000, true));
    }

    #[test]
    fn a_text_for_display_keeps_its_places() {
        let text = "a\u{9b}31m\u{85}b";
        assert_eq!(harmless(text), "a·31m·b");
        assert_eq!(harmless(text).len(), text.len());
    }
}
