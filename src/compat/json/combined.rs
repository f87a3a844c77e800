//! Combinations: branches are matched so that as many as possible fit.

use std::collections::VecDeque;

use super::budget::Budget;
use super::checker::{At, Checker, Side, Stop};
use super::noted::{Entry, Segment};
use super::rule::{self, Rule};
use crate::schema::json::{CombinedNode, Criterion};

/// Which branches fit, and what was noted between them.
#[derive(Default)]
struct Fits {
    /// For each old branch the new ones, in their order.
    of_old: Vec<Vec<Fit>>,
    noted: Vec<Entry>,
}

/// A new branch that fits an old one, and where the notes of that are.
struct Fit {
    new: u32,
    start: u32,
    end: u32,
}

impl Fit {
    fn is_noted(&self) -> bool {
        self.start < self.end
    }
}

/// Branches are written out to be told apart.
const WORK_OF_BRANCH: usize = 4;

impl<'s> Checker<'s> {
    /// CombinedSchemaDiff.
    pub fn combinations(
        &mut self,
        old_side: Side,
        old: &'s CombinedNode,
        new_side: Side,
        new: &'s CombinedNode,
    ) -> Result<(), Stop> {
        self.budget.work((old.branches.len() + new.branches.len()) * WORK_OF_BRANCH);
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
        let aside = self.aside;
        let mut fits = Fits::default();
        for (at, &old_branch) in old_branches.iter().enumerate() {
            let segment = Segment::Of(old.criterion.keyword(), at);
            self.within(segment, |checker| checker.fitting(old_branch, &new_branches, &mut fits))?;
        }
        let matching = maximum_matching(&fits.of_old, new_branches.len(), &mut self.budget);
        let size = matching.iter().flatten().count();
        self.is_unsettled |= is_unsettled(&fits.of_old, &matching);
        for (fitting, matched) in fits.of_old.iter().zip(matching) {
            if let Some(edge) = matched {
                let fit = &fitting[edge];
                self.noted.put_back(&fits.noted[fit.start as usize..fit.end as usize]);
            }
        }
        self.aside = aside;
        if size < old_branches.len().min(new_branches.len()) {
            self.add(rule::COMBINED_TYPE_SUBSCHEMAS_CHANGED);
        }
        Ok(())
    }

    fn fitting(&mut self, old: At, new_branches: &[At], fits: &mut Fits) -> Result<(), Stop> {
        let mut fitting = Vec::new();
        for (at, &new) in new_branches.iter().enumerate() {
            let before = self.noted.mark();
            if self.tries(old, new)? {
                let start = fits.noted.len();
                fits.noted.extend(self.noted.take_since(before));
                fitting.push(Fit { new: at as u32, start: start as u32, end: fits.noted.len() as u32 });
                self.aside += size_of::<Fit>() + (fits.noted.len() - start) * size_of::<Entry>();
            }
        }
        fits.of_old.push(fitting);
        Ok(())
    }
}

/// Whether the registry may list other differences here, or in another order: which branches it matches where there
/// is a choice, and in which order it lists them, hangs on addresses in its memory.
fn is_unsettled(fits: &[Vec<Fit>], matching: &[Option<usize>]) -> bool {
    let all = fits.iter().flatten();
    let with_differences = all.clone().filter(|fit| fit.is_noted()).count();
    let matched = matching.iter().flatten().count();
    let listed = fits.iter().zip(matching).filter(|(row, edge)| edge.is_some_and(|edge| row[edge].is_noted()));
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
fn maximum_matching(fits: &[Vec<Fit>], new_count: usize, budget: &mut Budget) -> Vec<Option<usize>> {
    let mut of_old: Vec<Option<usize>> = vec![None; fits.len()];
    let mut of_new: Vec<Option<usize>> = vec![None; new_count];
    let mut seen = vec![None; fits.len()];
    let edges: usize = fits.iter().map(Vec::len).sum();
    let mut free = new_count;
    loop {
        budget.work(edges / 4);
        let level = levels(fits, &of_old, &of_new);
        let before = free;
        for old in 0..fits.len() {
            // Without a free new branch, or any time left, the rest stays as it is.
            if of_old[old].is_none() && free > 0 && budget.work > 0 {
                let grew = augment(old, fits, &level, &mut seen, &mut of_old, &mut of_new, budget);
                free -= usize::from(grew);
            }
        }
        if free == before {
            return of_old;
        }
        seen.fill(None);
    }
}

/// How many alternations lead from a free old branch to each old branch.
fn levels(fits: &[Vec<Fit>], of_old: &[Option<usize>], of_new: &[Option<usize>]) -> Vec<Option<usize>> {
    let mut level: Vec<Option<usize>> = of_old.iter().map(|taken| taken.is_none().then_some(0)).collect();
    let mut queue: VecDeque<usize> = (0..fits.len()).filter(|&old| of_old[old].is_none()).collect();
    while let Some(old) = queue.pop_front() {
        for fit in &fits[old] {
            if let Some(next) = of_new[fit.new as usize]
                && level[next].is_none()
            {
                level[next] = level[old].map(|level| level + 1);
                queue.push_back(next);
            }
        }
    }
    level
}

/// Looks for a way from a free old branch to a free new one, and takes it. Without recursion: ways can be long. `seen`
/// says for which start an old branch was looked at last in this round.
fn augment(
    start: usize,
    fits: &[Vec<Fit>],
    level: &[Option<usize>],
    seen: &mut [Option<usize>],
    of_old: &mut [Option<usize>],
    of_new: &mut [Option<usize>],
    budget: &mut Budget,
) -> bool {
    let mut way: Vec<(usize, usize)> = vec![(start, 0)];
    seen[start] = Some(start);
    while let Some(&mut (old, ref mut edge)) = way.last_mut() {
        budget.work(1);
        let Some(new) = fits[old].get(*edge).map(|fit| fit.new as usize) else {
            way.pop();
            continue;
        };
        let taken = *edge;
        *edge += 1;
        match of_new[new] {
            None => {
                of_old[old] = Some(taken);
                of_new[new] = Some(old);
                way.pop();
                for (old, next_edge) in way.into_iter().rev() {
                    let edge = next_edge - 1;
                    of_old[old] = Some(edge);
                    of_new[fits[old][edge].new as usize] = Some(old);
                }
                return true;
            }
            Some(next) if seen[next] != Some(start) && level[next] == level[old].map(|level| level + 1) => {
                seen[next] = Some(start);
                way.push((next, 0));
            }
            Some(_) => {}
        }
    }
    false
}
