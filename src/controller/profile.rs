//! Whose rules the operator's own check goes by, from what a registry says it is. Pure.

use crate::api::VerdictChoice;
use crate::compat::{APICURIO_3, CONFLUENT_7_9, CONFLUENT_8_3, CONFLUENT_NEXT, KARAPACE_6, Profile, REDPANDA_25};
use crate::registry::Implementation;

/// The rules to go by, and whether they are known to be the registry's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// The rules.
    pub profile: &'static Profile,
    /// Whether the registry says that it is what the profile is of.
    pub is_known: bool,
}

impl Chosen {
    /// Whether the own check can refuse a change, or only explain.
    pub fn binds(self, choice: VerdictChoice) -> bool {
        match choice {
            VerdictChoice::Auto => self.is_known,
            VerdictChoice::Both => true,
            VerdictChoice::Registry => false,
        }
    }
}

/// The rules of a registry.
pub fn choose(implementation: Implementation, version: Option<&str>) -> Chosen {
    let release = version.and_then(release);
    match implementation {
        Implementation::Confluent => confluent(release),
        // Asked were Karapace 6.2.0 and Apicurio 3.3.3; 3.0 takes schemas that 3.3 refuses, and judges the others alike.
        Implementation::Karapace => Chosen { profile: &KARAPACE_6, is_known: matches!(release, Some((6, ..))) },
        Implementation::Redpanda => Chosen { profile: &REDPANDA_25, is_known: true },
        Implementation::Apicurio => Chosen { profile: &APICURIO_3, is_known: matches!(release, Some((3, ..))) },
        Implementation::Unknown => Chosen { profile: &CONFLUENT_8_3, is_known: false },
    }
}

/// The first final releases with each change of a verdict: compat.md §4.5.
fn confluent(release: Option<(u32, u32, u32)>) -> Chosen {
    let (profile, is_known) = match release {
        Some((7, 6..=9, patch)) => (&CONFLUENT_7_9, patch < 10),
        Some((0..=7, ..)) => (&CONFLUENT_7_9, false),
        Some((8, 0, 6 | 7) | (8, 1, 4 | 5) | (8, 2, 2 | 3) | (8, 3, 0 | 1)) => (&CONFLUENT_8_3, true),
        Some((8, 0..=2, _)) => (&CONFLUENT_8_3, false),
        Some(_) => (&CONFLUENT_NEXT, true),
        None => (&CONFLUENT_8_3, false),
    };
    Chosen { profile, is_known }
}

/// `8.3.1-ccs` is (8, 3, 1).
fn release(version: &str) -> Option<(u32, u32, u32)> {
    let numbers = version.split(|c: char| !c.is_ascii_digit()).map(|part| part.parse().ok());
    let mut numbers = numbers.chain(std::iter::repeat(Some(0)));
    Some((numbers.next()??, numbers.next()?.unwrap_or(0), numbers.next()?.unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::released(Some("8.3.1"), &CONFLUENT_8_3, true)]
    #[case::with_a_suffix(Some("8.3.1-ccs"), &CONFLUENT_8_3, true)]
    #[case::long_term(Some("7.9.2"), &CONFLUENT_7_9, true)]
    #[case::older(Some("7.4.0"), &CONFLUENT_7_9, false)]
    #[case::to_come(Some("8.5.0-0"), &CONFLUENT_NEXT, true)]
    #[case::between(Some("8.2.0"), &CONFLUENT_8_3, false)]
    #[case::hidden(None, &CONFLUENT_8_3, false)]
    fn confluent_by_release(#[case] version: Option<&str>, #[case] profile: &'static Profile, #[case] is_known: bool) {
        assert_eq!(choose(Implementation::Confluent, version), Chosen { profile, is_known });
    }

    #[rstest]
    #[case::karapace(Implementation::Karapace, Some("6.2.0"), true)]
    #[case::older_karapace(Implementation::Karapace, Some("5.0.3"), false)]
    #[case::apicurio(Implementation::Apicurio, Some("3.3.3"), true)]
    #[case::older_apicurio(Implementation::Apicurio, Some("2.6.5.Final"), false)]
    #[case::hidden(Implementation::Apicurio, None, false)]
    fn others_by_release(#[case] of: Implementation, #[case] version: Option<&str>, #[case] is_known: bool) {
        assert_eq!(choose(of, version).is_known, is_known);
    }

    #[test]
    fn a_registry_that_hides_who_it_is_decides_alone() {
        let chosen = choose(Implementation::Unknown, None);
        assert!(!chosen.binds(VerdictChoice::Auto));
        assert!(chosen.binds(VerdictChoice::Both));
        assert!(!choose(Implementation::Confluent, Some("8.3.1")).binds(VerdictChoice::Registry));
    }
}
