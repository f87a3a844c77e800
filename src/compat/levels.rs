//! From pairs to levels: which versions a level names, in which order they are compared, and what follows from it.
//!
//! The registry compares with live versions only, newest first: the latest, or every one under a transitive level
//! (compat.md §4.1). BACKWARD: the new schema reads what the old one wrote; FORWARD: the old one reads what the new one
//! writes; FULL: both, forward told first. NONE compares nothing.

use super::{Difference, Failure};
use crate::api::Level;
use crate::schema::Version;

/// Who reads whose data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// The new schema reads data of the old one.
    Backward,
    /// The old schema reads data of the new one.
    Forward,
}

/// One difference that breaks a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The version that the candidate was compared with.
    pub version: Version,
    /// Who cannot read whose data.
    pub direction: Direction,
    /// What breaks it.
    pub difference: Difference,
}

/// What the registry would answer to a candidate under a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It would take it.
    Compatible,
    /// It would refuse it. All versions' violations, newest version first.
    Incompatible(Vec<Violation>),
    /// It would fail (HTTP 500).
    RegistryError(String),
    /// We cannot tell.
    Unsupported(String),
}

/// Who has to be upgraded first for a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpgradeOrder {
    /// New readers read old and new data: they go first.
    ConsumersFirst,
    /// Old readers read new data: producers go first, and old data must be gone before consumers drop what it needs.
    ProducersFirst,
    /// Either.
    AnyOrder,
    /// Neither: all at once, or a new subject.
    Coordinated,
}

impl UpgradeOrder {
    /// The word, as in status.
    pub fn as_str(self) -> &'static str {
        match self {
            UpgradeOrder::ConsumersFirst => "ConsumersFirst",
            UpgradeOrder::ProducersFirst => "ProducersFirst",
            UpgradeOrder::AnyOrder => "AnyOrder",
            UpgradeOrder::Coordinated => "Coordinated",
        }
    }
}

/// The versions that a level names among the live ones, newest first.
pub fn compared(level: Level, live: &[Version]) -> Vec<Version> {
    let mut newest_first = live.to_vec();
    newest_first.sort_by(|a, b| b.cmp(a));
    match level {
        Level::None => newest_first.clear(),
        level if !level.is_transitive() => newest_first.truncate(1),
        _ => {}
    }
    newest_first
}

/// The directions that a level asks for, in the order in which registries tell them.
pub fn directions(level: Level) -> &'static [Direction] {
    match level {
        Level::None => &[],
        Level::Backward | Level::BackwardTransitive => &[Direction::Backward],
        Level::Forward | Level::ForwardTransitive => &[Direction::Forward],
        Level::Full | Level::FullTransitive => &[Direction::Forward, Direction::Backward],
    }
}

/// What the registry would answer under one level. `differences` compares the candidate with one version.
pub fn judge<'a>(
    level: Level,
    live: &[Version],
    mut differences: impl FnMut(Direction, Version) -> Result<&'a [Difference], Failure>,
) -> Verdict {
    let mut violations = Vec::new();
    let mut unsupported = None;
    for version in compared(level, live) {
        // The registry stops at the first version that breaks, or that may: whether it comes to fail on this one is known
        // only where all before pass.
        let comes_here = violations.is_empty() && unsupported.is_none();
        for &direction in directions(level) {
            match differences(direction, version) {
                Ok(all) => violations.extend(broken(all, version, direction)),
                // It looks both ways before it answers.
                Err(Failure::RegistryError(why)) if comes_here => return Verdict::RegistryError(why),
                Err(Failure::RegistryError(_)) => {}
                Err(Failure::Unsupported(why)) => unsupported = unsupported.or(Some(why)),
            }
        }
    }
    match unsupported {
        _ if !violations.is_empty() => Verdict::Incompatible(violations),
        Some(why) => Verdict::Unsupported(why),
        None => Verdict::Compatible,
    }
}

fn broken(all: &[Difference], version: Version, direction: Direction) -> impl Iterator<Item = Violation> {
    let breaking = all.iter().filter(|difference| difference.breaks);
    breaking.map(move |difference| Violation { version, direction, difference: difference.clone() })
}

/// Who has to be upgraded first, from whether each direction holds against the latest version.
pub fn upgrade_order(backward: bool, forward: bool) -> UpgradeOrder {
    match (backward, forward) {
        (true, true) => UpgradeOrder::AnyOrder,
        (true, false) => UpgradeOrder::ConsumersFirst,
        (false, true) => UpgradeOrder::ProducersFirst,
        (false, false) => UpgradeOrder::Coordinated,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compat::Facts;
    use rstest::rstest;

    fn v(number: i64) -> Version {
        Version::new(number).unwrap()
    }

    fn breaks() -> Vec<Difference> {
        vec![Difference { rule: "TYPE_MISMATCH", path: "/".into(), breaks: true, facts: Facts::default() }]
    }

    /// Who breaks in a history of three versions: (direction, version).
    fn verdict(level: Level, broken: &[(Direction, i64)]) -> Verdict {
        let found = breaks();
        judge(level, &[v(1), v(2), v(3)], |direction, version| {
            Ok(if broken.contains(&(direction, version.number())) { &found } else { &[] })
        })
    }

    fn versions_told(verdict: &Verdict) -> Vec<(Direction, i64)> {
        match verdict {
            Verdict::Incompatible(all) => all.iter().map(|one| (one.direction, one.version.number())).collect(),
            _ => Vec::new(),
        }
    }

    use Direction::{Backward, Forward};

    #[rstest]
    #[case::none_compares_nothing(Level::None, &[(Backward, 3), (Forward, 3)], &[])]
    #[case::backward_compares_with_the_latest(Level::Backward, &[(Backward, 3), (Backward, 1)], &[(Backward, 3)])]
    #[case::backward_does_not_look_further(Level::Backward, &[(Backward, 1)], &[])]
    #[case::backward_transitive_compares_with_all(
        Level::BackwardTransitive, &[(Backward, 1), (Backward, 3)], &[(Backward, 3), (Backward, 1)]
    )]
    #[case::backward_does_not_ask_the_other_way(Level::BackwardTransitive, &[(Forward, 1)], &[])]
    #[case::forward(Level::Forward, &[(Forward, 3), (Backward, 3)], &[(Forward, 3)])]
    #[case::forward_transitive(Level::ForwardTransitive, &[(Forward, 2)], &[(Forward, 2)])]
    #[case::full_asks_both_ways_forward_first(
        Level::Full, &[(Backward, 3), (Forward, 3)], &[(Forward, 3), (Backward, 3)]
    )]
    #[case::full_transitive(Level::FullTransitive, &[(Backward, 1)], &[(Backward, 1)])]
    fn a_level_names_versions_and_directions(
        #[case] level: Level,
        #[case] broken: &[(Direction, i64)],
        #[case] told: &[(Direction, i64)],
    ) {
        let verdict = verdict(level, broken);
        assert_eq!(versions_told(&verdict), told);
        assert_eq!(verdict == Verdict::Compatible, told.is_empty());
    }

    #[test]
    fn a_subject_without_live_versions_takes_anything() {
        assert_eq!(judge(Level::FullTransitive, &[], |_, _| panic!("nothing to compare with")), Verdict::Compatible);
    }

    #[test]
    fn a_registry_that_fails_on_an_older_version_never_came_there_if_a_newer_one_breaks() {
        let found = breaks();
        let with = |failing: i64| {
            judge(Level::BackwardTransitive, &[v(1), v(2)], |_, version| match version.number() {
                number if number == failing => Err(Failure::RegistryError("500".into())),
                _ => Ok(&found),
            })
        };
        assert!(matches!(with(1), Verdict::Incompatible(_)));
        assert_eq!(with(2), Verdict::RegistryError("500".into()));
    }

    #[test]
    fn a_registry_that_fails_one_way_fails_under_full_though_the_other_way_breaks() {
        let found = breaks();
        let failing = |which: Direction| {
            judge(Level::Full, &[v(1)], |direction, _| {
                if direction == which { Err(Failure::RegistryError("500".into())) } else { Ok(&found) }
            })
        };
        assert_eq!(failing(Forward), Verdict::RegistryError("500".into()));
        assert_eq!(failing(Backward), Verdict::RegistryError("500".into()));
    }

    #[test]
    fn nobody_can_tell_whether_a_registry_comes_to_fail_behind_a_version_that_may_break() {
        let verdict = judge(Level::BackwardTransitive, &[v(1), v(2)], |_, version| match version.number() {
            2 => Err(Failure::Unsupported("editions".into())),
            _ => Err(Failure::RegistryError("500".into())),
        });
        assert_eq!(verdict, Verdict::Unsupported("editions".into()));
    }

    #[test]
    fn what_cannot_be_told_of_one_version_is_certain_if_another_breaks() {
        let found = breaks();
        let unsupported = || Failure::Unsupported("editions".into());
        let one_breaks = judge(Level::BackwardTransitive, &[v(1), v(2)], |_, version| {
            if version == v(2) { Err(unsupported()) } else { Ok(&found) }
        });
        assert!(matches!(one_breaks, Verdict::Incompatible(_)));
        let none_breaks = judge(Level::Backward, &[v(1)], |_, _| Err(unsupported()));
        assert_eq!(none_breaks, Verdict::Unsupported("editions".into()));
    }

    #[rstest]
    #[case(true, true, UpgradeOrder::AnyOrder)]
    #[case(true, false, UpgradeOrder::ConsumersFirst)]
    #[case(false, true, UpgradeOrder::ProducersFirst)]
    #[case(false, false, UpgradeOrder::Coordinated)]
    fn who_goes_first(#[case] backward: bool, #[case] forward: bool, #[case] order: UpgradeOrder) {
        assert_eq!(upgrade_order(backward, forward), order);
    }
}
