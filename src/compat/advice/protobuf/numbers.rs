//! A9: numbers and names of fields and constants, and what is reserved of them.

use std::collections::{HashMap, HashSet};

use super::Adviser;
use crate::compat::advice::Code;
use crate::compat::advice::words::listed;
use crate::schema::protobuf::Reserved;

/// The numbers of a message or an enum.
pub(super) struct Names<'a> {
    /// Number and name, by number.
    all: Vec<(i32, &'a str)>,
    by_number: HashMap<i32, &'a str>,
    by_name: HashMap<&'a str, i32>,
    reserved: Ranges,
    reserved_names: HashSet<&'a str>,
}

/// Whose numbers they are.
pub(super) struct Owner<'a> {
    pub path: &'a str,
    /// Without the package.
    pub name: &'a str,
    pub is_enum: bool,
}

impl<'a> Names<'a> {
    pub(super) fn of(all: Vec<(i32, &'a str)>, reserved: &'a Reserved) -> Names<'a> {
        let by_number = all.iter().rev().copied().collect();
        let by_name = all.iter().rev().map(|(number, name)| (*name, *number)).collect();
        let reserved_names = reserved.names.iter().map(|name| &**name).collect();
        Names { all, by_number, by_name, reserved: Ranges::of(&reserved.numbers), reserved_names }
    }

    /// The number of a name.
    pub(super) fn number(&self, name: &str) -> Option<i32> {
        self.by_name.get(name).copied()
    }

    fn has(&self, number: i32) -> bool {
        self.by_number.contains_key(&number)
    }
}

impl Owner<'_> {
    /// `field x of M`, `constant X of enum E`
    pub(super) fn subject(&self, name: &str) -> String {
        match self.is_enum {
            true => format!("constant {name} of enum {}", self.name),
            false => format!("field {name} of {}", self.name),
        }
    }

    fn words(&self) -> String {
        if self.is_enum { format!("enum {}", self.name) } else { self.name.to_owned() }
    }

    fn at(&self, number: i32) -> String {
        format!("{}/{number}", self.path)
    }
}

impl Adviser<'_> {
    pub(super) fn numbers(&mut self, of: &Owner<'_>, new: &Names<'_>, old: &Names<'_>) {
        for &(number, name) in &old.all {
            if self.named_in(of.path, of.name) {
                return;
            }
            match new.number(name) {
                Some(now) if now != number && old.by_name.get(name) == Some(&number) => {
                    self.number_changed(of, name, (number, now), new);
                }
                Some(_) => {}
                None if new.has(number) || new.reserved.has(number) => {}
                None => self.not_reserved(of, name, number),
            }
        }
        let came = new.all.iter().filter(|(number, name)| old.by_number.get(number) != Some(name));
        for &(number, name) in came {
            if self.named_in(of.path, of.name) {
                return;
            }
            self.reserved_reused(of, name, number, old);
        }
        self.reservation_dropped(of, new, old);
    }

    fn number_changed(&mut self, of: &Owner<'_>, name: &str, (was, is): (i32, i32), new: &Names<'_>) {
        let (subject, old) = (of.subject(name), &self.version);
        let message = match new.by_number.get(&was) {
            Some(other) => format!(
                "{subject} has number {is}, and {was} in {old}: readers of this schema take what {old} wrote as {name} \
                 for {other}"
            ),
            None => format!(
                "{subject} has number {is}, and {was} in {old}: readers of this schema do not find what {old} wrote as \
                 {name}"
            ),
        };
        self.give(Code::NumberChanged, of.at(is), message, format!("keep number {was} for {name}"));
    }

    fn not_reserved(&mut self, of: &Owner<'_>, name: &str, number: i32) {
        let message = format!(
            "{} is gone since {}, and number {number} is not reserved: whoever gives it to something else misreads data \
             that still has {name}",
            of.subject(name),
            self.version
        );
        let remedy = format!("add reserved {number}; and reserved \"{name}\"; to {}", of.words());
        self.give(Code::NumberNotReserved, of.at(number), message, remedy);
    }

    fn reserved_reused(&mut self, of: &Owner<'_>, name: &str, number: i32, old: &Names<'_>) {
        let (subject, version) = (of.subject(name), &self.version);
        let (message, remedy) = if old.reserved.has(number) {
            let message = format!(
                "{subject} has number {number}, which {version} reserved: data of earlier versions may hold something else there"
            );
            (message, format!("reserve number {number} again and give {name} one that was never used"))
        } else if old.reserved_names.contains(name) {
            let message = format!(
                "{subject} has a name that {version} reserved: JSON of earlier versions may hold something else there"
            );
            (message, format!("reserve \"{name}\" again and choose a name that was never used"))
        } else {
            return;
        };
        self.give(Code::ReservedReused, of.at(number), message, remedy);
    }

    /// What is no longer reserved, and not in use either.
    fn reservation_dropped(&mut self, of: &Owner<'_>, new: &Names<'_>, old: &Names<'_>) {
        let free = old.reserved.0.iter().flat_map(|range| new.reserved.without(*range));
        let mut dropped: Vec<String> = free.filter(|free| !is_one_in_use(*free, new)).map(range_words).collect();
        let is_free = |name: &&&str| !new.reserved_names.contains(**name) && new.number(name).is_none();
        let mut names: Vec<&str> = old.reserved_names.iter().filter(is_free).copied().collect();
        names.sort_unstable();
        dropped.extend(names.into_iter().map(|name| format!("\"{name}\"")));
        if dropped.is_empty() {
            return;
        }
        let message = format!(
            "{} reserves {} of {}, and this schema does not: whoever uses that for something else misreads data of \
             earlier versions",
            self.version,
            listed(&dropped),
            of.words()
        );
        let remedy = format!("keep that reserved, as in {}", self.version);
        self.give(Code::ReservationDropped, of.path.to_owned(), message, remedy);
    }
}

/// A single number that is in use is told by itself.
fn is_one_in_use((first, last): (i32, i32), new: &Names<'_>) -> bool {
    first == last && new.has(first)
}

/// Numbers as ranges that neither touch nor overlap, in order.
struct Ranges(Vec<(i32, i32)>);

impl Ranges {
    fn of(written: &[(i32, i32)]) -> Ranges {
        let mut sorted: Vec<(i32, i32)> = written.iter().copied().filter(|(first, last)| first <= last).collect();
        sorted.sort_unstable();
        let mut ranges: Vec<(i32, i32)> = Vec::new();
        for (first, last) in sorted {
            match ranges.last_mut() {
                Some(before) if first <= before.1.saturating_add(1) => before.1 = before.1.max(last),
                _ => ranges.push((first, last)),
            }
        }
        Ranges(ranges)
    }

    /// Those from the first that does not end before a number.
    fn from(&self, number: i32) -> &[(i32, i32)] {
        &self.0[self.0.partition_point(|(_, last)| *last < number)..]
    }

    fn has(&self, number: i32) -> bool {
        self.from(number).first().is_some_and(|(first, _)| *first <= number)
    }

    /// What is left of a range when these are taken out of it.
    fn without(&self, (first, last): (i32, i32)) -> Vec<(i32, i32)> {
        let mut left = Vec::new();
        let mut start = Some(first);
        for (taken_first, taken_last) in self.from(first).iter().take_while(|(taken_first, _)| *taken_first <= last) {
            left.extend(start.filter(|start| start < taken_first).map(|start| (start, taken_first - 1)));
            start = taken_last.checked_add(1);
        }
        left.extend(start.filter(|start| *start <= last).map(|start| (start, last)));
        left
    }
}

fn range_words((first, last): (i32, i32)) -> String {
    match last {
        _ if first == last => format!("number {first}"),
        i32::MAX => format!("{first} to max"),
        _ => format!("{first} to {last}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::nothing_taken((2, 5), &[], &[(2, 5)])]
    #[case::all_taken((2, 5), &[(1, 9)], &[])]
    #[case::a_hole((2, 9), &[(4, 5)], &[(2, 3), (6, 9)])]
    #[case::the_ends((2, 9), &[(8, 12), (1, 3)], &[(4, 7)])]
    #[case::to_max((2, i32::MAX), &[(10, i32::MAX)], &[(2, 9)])]
    #[case::single((2, 2), &[(3, 3)], &[(2, 2)])]
    fn ranges_are_taken_out_of_a_range(
        #[case] range: (i32, i32),
        #[case] others: &[(i32, i32)],
        #[case] left: &[(i32, i32)],
    ) {
        assert_eq!(Ranges::of(others).without(range), left);
    }
}
