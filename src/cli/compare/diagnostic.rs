//! Shows one thing in the source text, as compilers do: title, file with line and column, the line with what is meant
//! underlined, and what to do.

use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};

use super::comparison::Told;
use super::input::Source;
use crate::cli::output::{Look, bounded, harmless};
use crate::compat::advice::Advice;
use crate::compat::locate::{Located, Side};

/// So much of a line is underlined at most.
const MAX_UNDERLINED: usize = 80;

/// Lays out diagnostics about two texts.
pub struct Display {
    renderer: Renderer,
    old: Shown,
    new: Shown,
    have_references: bool,
}

/// A text as it is shown.
struct Shown {
    name: String,
    text: String,
}

impl Display {
    /// About these two.
    pub fn new(old: &Source, new: &Source, look: Look) -> Display {
        let renderer = if look.is_coloured { Renderer::styled().hyperlink(false) } else { Renderer::plain() };
        let shown = |source: &Source| Shown { name: bounded(&source.name), text: harmless(&source.text) };
        let have_references = [old, new].iter().any(|source| !source.references().is_empty());
        Display { renderer: renderer.term_width(look.width), old: shown(old), new: shown(new), have_references }
    }

    /// A difference, with how grave it is.
    pub fn difference(&self, level: Level<'_>, told: &Told) -> String {
        let mut group = Group::with_title(level.primary_title(bounded(&told.message)).id(told.difference.rule));
        group = match &told.place {
            Some(place) => self.shown(group, place),
            None if told.difference.path.is_empty() => group,
            None => group.element(Level::NOTE.message(self.elsewhere(&told.difference.path))),
        };
        if let Some(hint) = &told.hint {
            group = group.element(Level::HELP.message(bounded(hint)));
        }
        self.renderer.render(&[group])
    }

    fn elsewhere(&self, path: &str) -> String {
        let where_else = if self.have_references { ", which stands in neither file" } else { "" };
        format!("at {}{where_else}", bounded(path))
    }

    fn shown<'g>(&'g self, group: Group<'g>, place: &Located) -> Group<'g> {
        match place.side {
            Side::Old => group.element(self.old.snippet(AnnotationKind::Primary, &place.span, "only before")),
            Side::New => {
                let group = group.element(self.new.snippet(AnnotationKind::Primary, &place.span, ""));
                let before = place.before.as_ref();
                group.elements(before.map(|span| self.old.snippet(AnnotationKind::Context, span, "before")))
            }
        }
    }

    /// An advice.
    pub fn advice(&self, level: Level<'_>, advice: &Advice) -> String {
        let mut group = Group::with_title(level.primary_title(bounded(&advice.message)).id(advice.code.as_str()));
        if let Some(remedy) = &advice.remedy {
            group = group.element(Level::HELP.message(bounded(remedy)));
        }
        self.renderer.render(&[group])
    }
}

impl Shown {
    fn snippet(&self, kind: AnnotationKind, span: &Range<usize>, label: &'static str) -> Snippet<'_, Annotation<'_>> {
        let mut annotation = kind.span(clipped(&self.text, span));
        if !label.is_empty() {
            annotation = annotation.label(label);
        }
        Snippet::source(&*self.text).path(&*self.name).annotation(annotation)
    }
}

/// The span, no further than the end of its first line.
fn clipped(text: &str, span: &Range<usize>) -> Range<usize> {
    let part = text.get(span.clone()).unwrap_or_default();
    let line = part.lines().next().unwrap_or_default().trim_end();
    let end = line.char_indices().nth(MAX_UNDERLINED).map_or(line.len(), |(at, _)| at);
    span.start..span.start + end
}
