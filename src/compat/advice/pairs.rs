//! Compares versions of a history in pairs, with one bound of work for all of them together.

use crate::compat::effort::Effort;
use crate::compat::engine::{self, Parsed};
use crate::compat::{Difference, Policy, Profile};

/// By what pairs are compared, and what work is left.
pub(super) struct Pairs<'a> {
    profile: &'a Profile,
    policy: Policy,
    effort: Effort,
}

impl<'a> Pairs<'a> {
    pub(super) fn new(profile: &'a Profile, policy: Policy) -> Pairs<'a> {
        Pairs { profile, policy, effort: Effort::default() }
    }

    /// What breaks between two versions; nothing where that cannot be told.
    pub(super) fn broken(&mut self, reader: &Parsed, writer: &Parsed) -> impl Iterator<Item = Difference> + use<> {
        let all = engine::differences_within(reader, writer, self.profile, self.policy, &mut self.effort);
        all.unwrap_or_default().into_iter().filter(|one| one.breaks)
    }
}
