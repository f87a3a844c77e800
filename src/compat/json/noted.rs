//! Differences as they are noted. A step of a path and a list of what lies below a pair are held once, however many
//! places lead to them; only what is told in the end is written out, and only so much of it.

use std::collections::HashMap;
use std::ops::Range;

use super::checker::{At, Side};
use super::rule::Rule;
use crate::compat::difference;
use crate::compat::profile::Policy;
use crate::schema::json::NodeId;

/// A difference, before it is put in words.
#[derive(Clone, Debug)]
pub struct Found {
    pub rule: Rule,
    /// Segments below the root, joined by `/`.
    pub path: String,
    /// What is compared: old and new in the registry's words; none where there is nothing on that side.
    pub old: Option<At>,
    pub new: Option<At>,
}

/// One segment of a path.
#[derive(Clone, Copy, Debug)]
pub enum Segment<'s> {
    /// A keyword, or a name of the user's.
    Name(&'s str),
    /// A place in a list under a keyword: `items/0`.
    Of(&'static str, usize),
}

impl<'s> From<&'s str> for Segment<'s> {
    fn from(name: &'s str) -> Segment<'s> {
        Segment::Name(name)
    }
}

impl Segment<'_> {
    fn write(self, path: &mut String) {
        match self {
            Segment::Name(name) => path.push_str(name),
            Segment::Of(keyword, at) => {
                path.push_str(keyword);
                path.push('/');
                path.push_str(&at.to_string());
            }
        }
    }

    /// Tells it from others, but for equal texts in two places.
    fn key(self) -> (usize, usize) {
        match self {
            Segment::Name(name) => (name.as_ptr() as usize, name.len()),
            Segment::Of(keyword, at) => (keyword.as_ptr() as usize, usize::MAX - at),
        }
    }

    /// No less than it takes.
    fn length(self) -> usize {
        match self {
            Segment::Name(name) => name.len(),
            Segment::Of(keyword, _) => keyword.len() + 8,
        }
    }
}

/// A place below the root of what is compared: that, or a step down from another place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place(u32);

impl Place {
    /// What is compared, itself.
    pub const ROOT: Place = Place(u32::MAX);

    /// The number of the step that leads there.
    fn step(self) -> Option<usize> {
        (self != Place::ROOT).then_some(self.0 as usize)
    }
}

struct Step<'s> {
    outer: Place,
    segment: Segment<'s>,
    /// From the root to here in bytes, or a little more.
    length: u32,
}

/// One difference, or all of those below a pair. There may be a million of them, so they are small.
#[derive(Clone, Copy)]
pub struct Entry {
    place: Place,
    what: What,
}

#[derive(Clone, Copy)]
enum What {
    /// The rule's number, and what is compared.
    Difference {
        rule: u8,
        old: Subject,
        new: Subject,
    },
    All(ListId),
}

/// A node of one side, or none.
#[derive(Clone, Copy)]
struct Subject(u32);

impl Subject {
    fn of(at: Option<At>) -> Subject {
        Subject(at.map_or(u32::MAX, |at| (at.id.index() as u32) << 1 | u32::from(at.side == Side::Reader)))
    }

    fn at(self) -> Option<At> {
        let side = if self.0 & 1 == 1 { Side::Reader } else { Side::Writer };
        (self.0 != u32::MAX).then(|| side.at(NodeId::of(self.0 >> 1)))
    }
}

/// Names a list of what lies below a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListId(u32);

/// Ends where the next one starts.
struct List {
    start: u32,
    nearest: Nearest,
}

/// That which breaks with the shortest path.
#[derive(Clone, Copy)]
struct Nearest {
    length: u32,
    entry: u32,
}

impl Nearest {
    const NONE: Nearest = Nearest { length: u32::MAX, entry: u32::MAX };

    fn is_one(self) -> bool {
        self.entry != u32::MAX
    }
}

/// How many steps there were before one was taken.
#[derive(Clone, Copy)]
pub struct Entered(usize);

/// How far the notes went.
#[derive(Clone, Copy)]
pub struct Mark {
    entries: usize,
    breaking: usize,
    used: usize,
}

/// All that was noted.
pub struct Noted<'s> {
    policy: Policy,
    /// Those that were found to be broken, each once.
    rules: Vec<Rule>,
    steps: Vec<Step<'s>>,
    /// Their numbers by where they start and what they take.
    numbers: HashMap<(Place, (usize, usize)), u32>,
    /// So many steps lead to something, and so many to something that is not struck any more.
    used: usize,
    kept: usize,
    /// What was noted and is in no list yet, and how much of it breaks.
    entries: Vec<Entry>,
    breaking: usize,
    listed: Vec<Entry>,
    lists: Vec<List>,
}

/// More differences are not told.
const MAX_FOUND: usize = 20_000;

/// Nor are more bytes of paths: each comes back in what it is about.
pub const MAX_TEXT: usize = difference::MAX_TOLD / 2;

/// Nor are they looked for any longer: lists within lists may hold one difference each.
const MAX_VISITS: usize = 2_000_000;

impl<'s> Noted<'s> {
    /// Nothing yet.
    pub fn new(policy: Policy) -> Noted<'s> {
        Noted {
            policy,
            rules: Vec::new(),
            steps: Vec::new(),
            numbers: HashMap::new(),
            used: 0,
            kept: 0,
            entries: Vec::new(),
            breaking: 0,
            listed: Vec::new(),
            lists: Vec::new(),
        }
    }

    /// Takes one step down. What is noted there is noted before [`Noted::leave`], which takes the second part.
    pub fn enter(&mut self, outer: Place, segment: Segment<'s>) -> (Place, Entered) {
        let entered = Entered(self.steps.len());
        let next = self.steps.len() as u32;
        let number = *self.numbers.entry((outer, segment.key())).or_insert(next);
        if number < next {
            return (Place(number), entered);
        }
        let length = self.length(outer).saturating_add(u32::try_from(segment.length() + 1).unwrap_or(u32::MAX));
        self.steps.push(Step { outer, segment, length });
        (Place(number), entered)
    }

    /// Forgets the step if it led to nothing.
    pub fn leave(&mut self, entered: Entered) {
        let kept = self.used.max(entered.0);
        while self.steps.len() > kept {
            let forgotten = self.steps.pop().map(|step| (step.outer, step.segment.key()));
            forgotten.map(|key| self.numbers.remove(&key));
        }
    }

    fn length(&self, place: Place) -> u32 {
        place.step().map_or(0, |step| self.steps[step].length)
    }

    /// Notes a difference.
    pub fn add(&mut self, place: Place, rule: Rule, old: Option<At>, new: Option<At>) {
        let number = self.rules.iter().position(|known| *known == rule).unwrap_or_else(|| {
            self.rules.push(rule);
            self.rules.len() - 1
        });
        let what = What::Difference { rule: number as u8, old: Subject::of(old), new: Subject::of(new) };
        self.push(Entry { place, what });
    }

    /// Notes all of a list at a place.
    pub fn add_all(&mut self, place: Place, id: ListId) {
        if !self.range(id).is_empty() {
            self.push(Entry { place, what: What::All(id) });
        }
    }

    fn push(&mut self, entry: Entry) {
        self.used = self.steps.len();
        self.breaking += usize::from(self.is_breaking(entry));
        self.entries.push(entry);
    }

    fn is_breaking(&self, entry: Entry) -> bool {
        match entry.what {
            What::Difference { rule, .. } => self.rules[usize::from(rule)].breaks(self.policy),
            What::All(id) => self.breaks(id),
        }
    }

    /// Where the notes are now.
    pub fn mark(&self) -> Mark {
        Mark { entries: self.entries.len(), breaking: self.breaking, used: self.used }
    }

    /// Whether anything noted since then breaks.
    pub fn breaks_since(&self, mark: Mark) -> bool {
        self.breaking > mark.breaking
    }

    /// Strikes what was noted since then.
    pub fn strike_since(&mut self, mark: Mark) {
        self.entries.truncate(mark.entries);
        self.breaking = mark.breaking;
        self.used = self.kept.max(mark.used);
    }

    /// Takes out what was noted since then.
    pub fn take_since(&mut self, mark: Mark) -> std::vec::Drain<'_, Entry> {
        self.breaking = mark.breaking;
        self.kept = self.used;
        self.entries.drain(mark.entries..)
    }

    /// Notes again what was taken out.
    pub fn put_back(&mut self, entries: &[Entry]) {
        for entry in entries {
            self.push(*entry);
        }
    }

    /// Makes a list of what was noted since then.
    pub fn list_since(&mut self, mark: Mark) -> ListId {
        let start = self.listed.len();
        self.kept = self.used;
        self.listed.extend(self.entries.drain(mark.entries..));
        self.breaking = mark.breaking;
        let nearest = self.nearest(start);
        self.lists.push(List { start: start as u32, nearest });
        ListId(self.lists.len() as u32 - 1)
    }

    fn range(&self, id: ListId) -> Range<u32> {
        let next = self.lists.get(id.0 as usize + 1);
        self.lists[id.0 as usize].start..next.map_or(self.listed.len() as u32, |next| next.start)
    }

    /// Whether anything of a list breaks.
    pub fn breaks(&self, id: ListId) -> bool {
        self.lists[id.0 as usize].nearest.is_one()
    }

    /// Of what is listed from there on.
    fn nearest(&self, start: usize) -> Nearest {
        let breaking = (start..self.listed.len()).filter(|at| self.is_breaking(self.listed[*at]));
        let of = |at: usize| {
            let entry = &self.listed[at];
            let below = match entry.what {
                What::Difference { .. } => 0,
                What::All(id) => self.lists[id.0 as usize].nearest.length,
            };
            let length = self.length(entry.place).saturating_add(below);
            Nearest { length, entry: at as u32 }
        };
        breaking.map(of).min_by_key(|nearest| nearest.length).unwrap_or(Nearest::NONE)
    }

    /// Bytes that all of it takes.
    pub fn size(&self) -> usize {
        (self.entries.len() + self.listed.len()) * size_of::<Entry>()
            + self.steps.len() * size_of::<Step<'_>>()
            + self.numbers.capacity() * size_of::<((Place, (usize, usize)), u32)>()
            + self.lists.len() * size_of::<List>()
    }

    /// Ends the notes: what is told, in the order in which it was found, but not more than a person or a program could
    /// use. If anything breaks, so does something that is told; none where even that has too long a path.
    pub fn told(mut self) -> Option<Vec<Found>> {
        let all = self.list_since(Mark { entries: 0, breaking: 0, used: 0 });
        let mut found = Vec::new();
        let breaks = self.tell(all, &mut found);
        if self.breaks(all) && !breaks {
            found.push(self.tell_nearest(all)?);
        }
        Some(found)
    }

    /// Tells a list until it is enough. Says whether anything told breaks.
    fn tell(&self, all: ListId, found: &mut Vec<Found>) -> bool {
        let (mut path, mut text, mut breaks) = (String::new(), 0, false);
        let mut under_way = vec![(self.range(all), 0)];
        let mut segments = Vec::new();
        let mut visits = 0;
        while let Some((rest, outer)) = under_way.last_mut() {
            let Some(at) = rest.next() else {
                under_way.pop();
                continue;
            };
            path.truncate(*outer);
            let entry = &self.listed[at as usize];
            let length = path.len() + self.length(entry.place) as usize;
            if found.len() == MAX_FOUND || text + length > MAX_TEXT {
                break;
            }
            visits += 1 + self.walk(entry.place, &mut path, &mut segments);
            if visits > MAX_VISITS {
                break;
            }
            match entry.what {
                What::All(id) => under_way.push((self.range(id), path.len())),
                What::Difference { rule, old, new } => {
                    text += path.len();
                    breaks |= self.is_breaking(*entry);
                    found.push(self.found(rule, path.clone(), old, new));
                }
            }
        }
        breaks
    }

    fn tell_nearest(&self, all: ListId) -> Option<Found> {
        let mut nearest = self.lists[all.0 as usize].nearest;
        if nearest.length as usize > MAX_TEXT {
            return None;
        }
        let (mut path, mut segments) = (String::new(), Vec::new());
        loop {
            let entry = &self.listed[nearest.entry as usize];
            self.walk(entry.place, &mut path, &mut segments);
            match entry.what {
                What::Difference { rule, old, new } => return Some(self.found(rule, path, old, new)),
                What::All(id) => nearest = self.lists[id.0 as usize].nearest,
            }
        }
    }

    fn found(&self, rule: u8, path: String, old: Subject, new: Subject) -> Found {
        Found { rule: self.rules[usize::from(rule)], path, old: old.at(), new: new.at() }
    }

    /// Writes the way to a place after a path. Says how much that took, in steps.
    fn walk(&self, place: Place, path: &mut String, segments: &mut Vec<Segment<'s>>) -> usize {
        let (mut at, before) = (place, path.len());
        segments.clear();
        while let Some(step) = at.step() {
            let step = &self.steps[step];
            segments.push(step.segment);
            at = step.outer;
        }
        for segment in segments.iter().rev() {
            if !path.is_empty() {
                path.push('/');
            }
            segment.write(path);
        }
        segments.len() + (path.len() - before) / 64
    }
}
