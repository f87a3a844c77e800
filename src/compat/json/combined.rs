//! Combinations: branches are matched so that as many as possible fit.

use std::collections::VecDeque;

use super::checker::{At, Checker, Found, Side, Stop};
use super::rule::{self, Rule};
use crate::schema::json::{CombinedNode, Criterion};

/// Which branches fit: for each old one the new ones, with what was noted.
type Fits = Vec<Vec<(usize, Vec<Found>)>>;

impl Checker<'_> {
    /// CombinedSchemaDiff.
    pub fn combinations(
        &mut self,
        old_side: Side,
        old: &CombinedNode,
        new_side: Side,
        new: &CombinedNode,
    ) -> Result<(), Stop> {
        match criteria(old, new) {
            Some(rule) if rule == rule::COMBINED_TYPE_CHANGED => {
                self.add(rule);
                return Ok(());
            }
            Some(rule) => self.add(rule),
            None => {}
        }
        let old_branches: Vec<At> = self.distinct(old_side, &old.branches);
        let new_branches: Vec<At> = self.distinct(new_side, &new.branches);
        if old_branches.len() < new_branches.len() {
            let is_product = new.criterion == Criterion::All;
            self.add(if is_product { rule::PRODUCT_TYPE_EXTENDED } else { rule::SUM_TYPE_EXTENDED });
        } else if old_branches.len() > new_branches.len() {
            let is_sum = old.criterion != Criterion::All;
            self.add(if is_sum { rule::SUM_TYPE_NARROWED } else { rule::PRODUCT_TYPE_NARROWED });
        }
        let mut fits: Fits = Vec::with_capacity(old_branches.len());
        for (at, &old_branch) in old_branches.iter().enumerate() {
            let segment = format!("{}/{at}", old.criterion.keyword());
            let fitting = self.within(&segment, |checker| checker.fitting(old_branch, &new_branches))?;
            fits.push(fitting);
        }
        let matching = maximum_matching(&fits, new_branches.len());
        let size = matching.iter().flatten().count();
        self.is_unsettled |= is_unsettled(&fits, &matching);
        for (mut fitting, matched) in fits.into_iter().zip(matching) {
            if let Some(edge) = matched {
                self.found.append(&mut fitting[edge].1);
            }
        }
        if size < old_branches.len().min(new_branches.len()) {
            self.add(rule::COMBINED_TYPE_SUBSCHEMAS_CHANGED);
        }
        Ok(())
    }

    fn fitting(&mut self, old: At, new_branches: &[At]) -> Result<Vec<(usize, Vec<Found>)>, Stop> {
        let mut fitting = Vec::new();
        for (at, &new) in new_branches.iter().enumerate() {
            let before = self.found.len();
            if self.tries(old, new)? {
                fitting.push((at, self.found.split_off(before)));
            }
        }
        Ok(fitting)
    }
}

/// Whether the registry may list other differences here, or in another order: which branches it matches where there
/// is a choice, and in which order it lists them, hangs on addresses in its memory.
fn is_unsettled(fits: &Fits, matching: &[Option<usize>]) -> bool {
    let all = fits.iter().flatten();
    let with_differences = all.clone().filter(|(_, found)| !found.is_empty()).count();
    let matched = matching.iter().flatten().count();
    let listed = fits.iter().zip(matching).filter(|(row, edge)| edge.is_some_and(|edge| !row[edge].1.is_empty()));
    with_differences > 0 && (all.count() > matched || listed.count() > 1)
}

/// COMBINED_TYPE_EXTENDED or COMBINED_TYPE_CHANGED, where the two do not combine alike.
fn criteria(old: &CombinedNode, new: &CombinedNode) -> Option<Rule> {
    if old.criterion == new.criterion {
        return None;
    }
    let (old_is_single, new_is_single) = (old.branches.len() == 1, new.branches.len() == 1);
    let is_extended = new.criterion == Criterion::Any
        || old_is_single && new_is_single
        || old_is_single && new.criterion == Criterion::One
        || new_is_single && old.criterion == Criterion::All;
    Some(if is_extended { rule::COMBINED_TYPE_EXTENDED } else { rule::COMBINED_TYPE_CHANGED })
}

/// Hopcroft and Karp: for each old branch the edge that is taken.
fn maximum_matching(fits: &Fits, new_count: usize) -> Vec<Option<usize>> {
    let mut of_old: Vec<Option<usize>> = vec![None; fits.len()];
    let mut of_new: Vec<Option<usize>> = vec![None; new_count];
    loop {
        let level = levels(fits, &of_old, &of_new);
        let mut grew = false;
        for old in 0..fits.len() {
            if of_old[old].is_none() {
                grew |= augment(old, fits, &level, &mut of_old, &mut of_new);
            }
        }
        if !grew {
            return of_old;
        }
    }
}

/// How many alternations lead from a free old branch to each old branch.
fn levels(fits: &Fits, of_old: &[Option<usize>], of_new: &[Option<usize>]) -> Vec<Option<usize>> {
    let mut level: Vec<Option<usize>> = of_old.iter().map(|taken| taken.is_none().then_some(0)).collect();
    let mut queue: VecDeque<usize> = (0..fits.len()).filter(|&old| of_old[old].is_none()).collect();
    while let Some(old) = queue.pop_front() {
        for (new, _) in &fits[old] {
            if let Some(next) = of_new[*new]
                && level[next].is_none()
            {
                level[next] = level[old].map(|level| level + 1);
                queue.push_back(next);
            }
        }
    }
    level
}

/// Looks for a way from a free old branch to a free new one, and takes it. Without recursion: ways can be long.
fn augment(
    start: usize,
    fits: &Fits,
    level: &[Option<usize>],
    of_old: &mut [Option<usize>],
    of_new: &mut [Option<usize>],
) -> bool {
    let mut way: Vec<(usize, usize)> = vec![(start, 0)];
    let mut seen = vec![false; fits.len()];
    seen[start] = true;
    while let Some(&mut (old, ref mut edge)) = way.last_mut() {
        let Some((new, _)) = fits[old].get(*edge) else {
            way.pop();
            continue;
        };
        let taken = *edge;
        *edge += 1;
        match of_new[*new] {
            None => {
                of_old[old] = Some(taken);
                of_new[*new] = Some(old);
                way.pop();
                for (old, next_edge) in way.into_iter().rev() {
                    let edge = next_edge - 1;
                    of_old[old] = Some(edge);
                    of_new[fits[old][edge].0] = Some(old);
                }
                return true;
            }
            Some(next) if !seen[next] && level[next] == level[old].map(|level| level + 1) => {
                seen[next] = true;
                way.push((next, 0));
            }
            Some(_) => {}
        }
    }
    false
}
