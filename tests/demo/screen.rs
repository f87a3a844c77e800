//! What the demo looks like: headings, commands, their output, and what was checked. Colour on a terminal only.

use std::cell::Cell;
use std::fmt::Display;
use std::io::IsTerminal;

/// Standard output, and the count of what was shown on it.
#[derive(Debug)]
pub struct Screen {
    colour: bool,
    steps: Cell<usize>,
    checks: Cell<usize>,
}

#[derive(Clone, Copy)]
enum Paint {
    Bold,
    Dim,
    Green,
    Red,
    Cyan,
}

impl Screen {
    /// Colour where standard output is a terminal that has some, and NO_COLOR does not ask for none.
    pub fn new() -> Self {
        let unset = |name: &str| std::env::var_os(name).is_none_or(|value| value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let colour = std::io::stdout().is_terminal() && unset("NO_COLOR") && !dumb;
        Self { colour, steps: Cell::new(0), checks: Cell::new(0) }
    }

    /// A line that stands out.
    pub fn title(&self, text: &str) {
        println!("\n{}", self.paint(Paint::Bold, text));
    }

    /// The beginning of a step: its name, and one line on what happens.
    pub fn step(&self, name: &str, narration: &str) {
        self.steps.set(self.steps.get() + 1);
        self.title(&format!("{}. {name}", self.steps.get()));
        self.note(narration);
    }

    /// A remark.
    pub fn note(&self, text: &str) {
        println!("  {}", self.paint(Paint::Dim, text));
    }

    /// A command as a person types it.
    pub fn command(&self, line: &str) {
        println!("\n  {}", self.paint(Paint::Cyan, &format!("$ {line}")));
    }

    /// What a command printed.
    pub fn output(&self, text: &str) {
        text.trim_end().lines().for_each(|line| self.line(line));
    }

    /// One line of text.
    pub fn line(&self, text: &str) {
        println!("{}", format!("  {text}").trim_end());
    }

    /// A changed file, as `diff` would show it.
    pub fn change(&self, file: &str, removed: &[&str], added: &[&str]) {
        println!("\n  {}", self.paint(Paint::Dim, file));
        removed.iter().for_each(|line| println!("  {}", self.paint(Paint::Red, &format!("-{line}"))));
        added.iter().for_each(|line| println!("  {}", self.paint(Paint::Green, &format!("+{line}"))));
    }

    /// Something that was checked.
    pub fn checked(&self, claim: &str) {
        self.checks.set(self.checks.get() + 1);
        println!("  {} {claim}", self.paint(Paint::Green, "✓"));
    }

    /// A blank line.
    pub fn gap(&self) {
        println!();
    }

    /// Something that is not as it should be, in the present step.
    pub fn failed(&self, what: impl Display) {
        println!("\n  {} step {}: {what}", self.paint(Paint::Red, "✗"), self.steps.get());
    }

    /// How many steps there were.
    pub fn steps(&self) -> usize {
        self.steps.get()
    }

    /// How many things were checked.
    pub fn checks(&self) -> usize {
        self.checks.get()
    }

    fn paint(&self, paint: Paint, text: &str) -> String {
        let code = match paint {
            Paint::Bold => 1,
            Paint::Dim => 2,
            Paint::Red => 31,
            Paint::Green => 32,
            Paint::Cyan => 36,
        };
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}
