//! What `compare` prints for a person: the verdict, what breaks it in the source text, the levels, who upgrades first,
//! and advice.

use std::fmt::Write;

use annotate_snippets::Level as Grade;
use annotate_snippets::renderer::{AnsiColor, Style};

use super::comparison::{Comparison, Terms, Told};
use super::diagnostic::Display;
use super::input::Source;
use crate::api::Level;
use crate::cli::output::{Look, bounded};
use crate::compat::Direction;
use crate::compat::advice::Code;
use crate::compat::history::Answer;
use crate::compat::levels::{UpgradeOrder, directions};
use crate::compat::locate::Side;

/// So many differences are shown; `-o json` has all.
const MAX_SHOWN: usize = 50;

/// Prints in one look.
pub struct Report<'a> {
    /// What there is to say.
    pub comparison: &'a Comparison,
    /// The older schema.
    pub old: &'a Source,
    /// The newer schema.
    pub new: &'a Source,
    /// By what they were compared.
    pub terms: &'a Terms,
    /// Also what does not break the level.
    pub shows_all: bool,
    /// How it looks.
    pub look: Look,
}

impl Report<'_> {
    /// All of it.
    pub fn render(&self) -> String {
        let display = Display::new(self.old, self.new, self.look);
        let mut parts = vec![self.verdict()];
        parts.extend(self.differences(&display));
        parts.extend(self.left_out());
        parts.push(self.levels());
        parts.extend(self.comparison.order.map(|order| format!("Upgrade order: {}.", upgrade_order(order))));
        parts.extend(self.advice(&display));
        parts.join("\n\n") + "\n"
    }

    /// The one sentence that matters.
    fn verdict(&self) -> String {
        let Terms { level, profile, .. } = self.terms;
        let (old, new) = (bounded(&self.old.name), bounded(&self.new.name));
        let by = format!("under {level} ({})", profile.name);
        let why = || self.comparison.reason.as_deref().map(bounded).unwrap_or_default();
        let (word, rest) = match self.comparison.verdict {
            Answer::Compatible => ("Compatible", format!("{new} may follow {old} {by}.")),
            Answer::Incompatible => {
                let breaking = self.comparison.differences.iter().filter(|told| self.breaks_the_level(told)).count();
                let counted = if breaking == 1 {
                    "1 difference breaks".to_owned()
                } else {
                    format!("{breaking} differences break")
                };
                ("Incompatible", format!("{new} may not follow {old} {by}: {counted} it."))
            }
            Answer::RegistryError => {
                ("Registry error", format!("the registry fails over {new} after {old} {by}: {}.", why()))
            }
            Answer::Unknown => {
                ("Unknown", format!("whether {new} may follow {old} {by} cannot be told here: {}.", why()))
            }
        };
        let style = self.style(self.comparison.verdict);
        format!("{style}{word}{style:#}: {rest}")
    }

    fn breaks_the_level(&self, told: &Told) -> bool {
        told.difference.breaks && directions(self.terms.level).contains(&told.direction)
    }

    fn differences(&self, display: &Display) -> Vec<String> {
        let all = self.comparison.differences.iter();
        let mut shown: Vec<&Told> = all.filter(|told| self.shows_all || self.breaks_the_level(told)).collect();
        shown.sort_by_key(|told| (!self.breaks_the_level(told), position(told)));
        let grade = |told: &Told| match told.difference.breaks {
            true if self.breaks_the_level(told) => Grade::ERROR,
            true => Grade::WARNING,
            false => Grade::NOTE,
        };
        shown.into_iter().take(MAX_SHOWN).map(|told| display.difference(grade(told), told)).collect()
    }

    /// How many differences are not shown.
    fn left_out(&self) -> Option<String> {
        let all = &self.comparison.differences;
        let (of_level, others) = (all.iter().filter(|told| self.breaks_the_level(told)).count(), all.len());
        let shown = if self.shows_all { others } else { of_level };
        if shown > MAX_SHOWN {
            return Some(format!("… and {} more; -o json lists them all.", shown - MAX_SHOWN));
        }
        let hidden = |(direction, level): (Direction, Level)| {
            let count = all.iter().filter(|told| told.difference.breaks && told.direction == direction).count();
            let counted =
                if count == 1 { "1 difference breaks".to_owned() } else { format!("{count} differences break") };
            (count > 0 && !directions(self.terms.level).contains(&direction)).then(|| format!("{counted} {level}"))
        };
        let both = [(Direction::Backward, Level::Backward), (Direction::Forward, Level::Forward)];
        let told: Vec<String> = both.into_iter().filter_map(hidden).collect();
        let is_told = !self.shows_all && !told.is_empty();
        is_told.then(|| format!("{}, which was not asked for; --all shows what.", told.join(" and ")))
    }

    fn levels(&self) -> String {
        let mut table = "Levels:".to_owned();
        for (level, answer) in Level::ALL.iter().zip(self.comparison.levels) {
            let style = self.style(answer);
            let asked = if *level == self.terms.level { "  (asked for)" } else { "" };
            // Writing to a String cannot fail.
            let _ = write!(table, "\n  {:<19}  {style}{}{style:#}{asked}", level.to_string(), word(answer));
        }
        table
    }

    fn advice(&self, display: &Display) -> Vec<String> {
        // Who upgrades first is told of these two schemas, not of what the level lets pass.
        let given = self.comparison.advice.iter().filter(|advice| advice.code != Code::UpgradeOrder);
        let grade = |code: Code| if code.is_standing() { Grade::NOTE } else { Grade::WARNING };
        given.map(|advice| display.advice(grade(advice.code), advice)).collect()
    }

    fn style(&self, answer: Answer) -> Style {
        let colour = match answer {
            Answer::Compatible => AnsiColor::Green,
            Answer::Incompatible => AnsiColor::BrightRed,
            Answer::RegistryError | Answer::Unknown => AnsiColor::Yellow,
        };
        if self.look.is_coloured { colour.on_default().bold() } else { Style::new() }
    }
}

/// In the order of the new text, then of the old one.
fn position(told: &Told) -> (bool, bool, usize) {
    match &told.place {
        Some(place) => (false, place.side == Side::Old, place.span.start),
        None => (true, false, 0),
    }
}

fn word(answer: Answer) -> &'static str {
    match answer {
        Answer::Compatible => "compatible",
        Answer::Incompatible => "incompatible",
        Answer::RegistryError => "registry error",
        Answer::Unknown => "unknown",
    }
}

fn upgrade_order(order: UpgradeOrder) -> &'static str {
    match order {
        UpgradeOrder::ConsumersFirst => "consumers first; with the new schema they read old and new data",
        UpgradeOrder::ProducersFirst => {
            "producers first; consumers with the old schema read new data, and take the new one when all old data is \
             read or expired"
        }
        UpgradeOrder::AnyOrder => "any; each schema reads the other's data",
        UpgradeOrder::Coordinated => {
            "none is safe, since neither schema reads the other's data; let consumers finish and upgrade all at once, \
             or move to a new topic"
        }
    }
}
