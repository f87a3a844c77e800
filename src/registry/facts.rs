//! What is learnt about a registry, and what follows from it.

use std::fmt;
use std::str::FromStr;

use super::config::GlobalSettings;

/// Whose registry it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Implementation {
    /// Confluent Schema Registry, Platform or Cloud.
    Confluent,
    /// Karapace.
    Karapace,
    /// The registry inside Redpanda.
    Redpanda,
    /// Apicurio Registry, through its `ccompat` API.
    Apicurio,
    /// Something that speaks the same API, or one of the above behind a gateway that hides which.
    #[default]
    Unknown,
}

/// What a probe found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Whose registry it is.
    pub implementation: Implementation,
    /// Its release, where it says so: `8.3.1`.
    pub version: Option<String>,
    /// The Kafka cluster and the registry cluster in it, where it says so. The registry's identity beyond its URL.
    pub cluster_id: Option<String>,
    /// What follows from the two.
    pub capabilities: Capabilities,
    /// The registry-wide settings at that moment.
    pub global: GlobalSettings,
}

/// What a registry can do, and where its answers mislead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// `POST /compatibility/…/versions`, against all versions that the level names, exists.
    pub check_all_versions: bool,
    /// The check says why (Apicurio's never does).
    pub check_gives_reasons: bool,
    /// Registering with `version: -1` makes an older schema the latest.
    pub make_latest: bool,
    /// A mode other than READWRITE is enforced.
    pub enforces_mode: bool,
    /// `GET /config/{subject}` answers NONE for a subject without a level of its own.
    pub unset_level_reads_none: bool,
    /// A level that it does not know is answered with a plain 500.
    pub unknown_level_is_500: bool,
    /// A lookup, or a register, of a schema that cannot be parsed is answered with a plain 500.
    pub invalid_schema_is_500: bool,
    /// A subject keeps the format of its first version: another one is stored, and served as the first (Apicurio).
    pub one_type_a_subject: bool,
    /// "Subject not found" is also what someone without the right to write is told.
    pub not_found_may_be_forbidden: bool,
}

impl Facts {
    /// The same facts, if the registry is what a person says it is.
    pub fn overridden(self, implementation: Implementation, version: Option<String>) -> Facts {
        let version = version.or(self.version);
        let capabilities = Capabilities::of(implementation, version.as_deref());
        Facts { implementation, version, capabilities, ..self }
    }

    /// These facts, found at the same place as others before: what is not told this time stands. A gateway or a registry
    /// in trouble answers some of a probe's calls and not others, and neither ownership nor abilities hang on that.
    pub fn or_known(self, known: &Facts) -> Facts {
        if self.implementation == Implementation::Unknown {
            return Facts { global: self.global, ..known.clone() };
        }
        if self.implementation != known.implementation {
            return self;
        }
        let cluster_id = self.cluster_id.or_else(|| known.cluster_id.clone());
        let (version, capabilities) = match self.version {
            Some(version) => (Some(version), self.capabilities),
            None => (known.version.clone(), known.capabilities),
        };
        Facts { cluster_id, version, capabilities, ..self }
    }
}

impl Capabilities {
    /// What a release of an implementation can do. Unknown ones are taken for able; the client finds out by their answers.
    pub fn of(implementation: Implementation, version: Option<&str>) -> Capabilities {
        let release = version.and_then(Release::parse);
        let able = Capabilities {
            check_all_versions: true,
            check_gives_reasons: true,
            make_latest: false,
            enforces_mode: true,
            unset_level_reads_none: false,
            unknown_level_is_500: false,
            invalid_schema_is_500: false,
            one_type_a_subject: false,
            not_found_may_be_forbidden: false,
        };
        match implementation {
            // version: -1 came with 7.6.4; Confluent Cloud does not tell its release and is newer.
            Implementation::Confluent => {
                Capabilities { make_latest: release.is_none_or(|release| release >= Release(7, 6, 4)), ..able }
            }
            Implementation::Karapace => Capabilities {
                check_all_versions: false,
                enforces_mode: false,
                // Since 6.2.0; before, a 403.
                not_found_may_be_forbidden: true,
                ..able
            },
            Implementation::Redpanda => Capabilities { check_all_versions: false, invalid_schema_is_500: true, ..able },
            Implementation::Apicurio => Capabilities {
                check_gives_reasons: false,
                enforces_mode: false,
                unset_level_reads_none: true,
                unknown_level_is_500: release.is_some_and(|release| release < Release(3, 3, 0)),
                one_type_a_subject: true,
                ..able
            },
            Implementation::Unknown => Capabilities { unset_level_reads_none: true, ..able },
        }
    }
}

/// `major.minor.patch`; anything behind (`-ccs`, `.Final`) is not looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Release(u32, u32, u32);

impl Release {
    fn parse(text: &str) -> Option<Release> {
        let mut numbers = text.trim_start_matches('v').splitn(3, '.').map(|part| {
            let digits = part.split(|character: char| !character.is_ascii_digit()).next().unwrap_or_default();
            digits.parse::<u32>().ok()
        });
        Some(Release(numbers.next()??, numbers.next().flatten().unwrap_or(0), numbers.next().flatten().unwrap_or(0)))
    }
}

impl fmt::Display for Implementation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Implementation::Confluent => "Confluent",
            Implementation::Karapace => "Karapace",
            Implementation::Redpanda => "Redpanda",
            Implementation::Apicurio => "Apicurio",
            Implementation::Unknown => "Unknown",
        })
    }
}

impl FromStr for Implementation {
    type Err = crate::api::UnknownWord;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        use Implementation::{Apicurio, Confluent, Karapace, Redpanda};
        let found = [Confluent, Karapace, Redpanda, Apicurio].into_iter().find(|known| known.to_string() == word);
        found.ok_or_else(|| crate::api::UnknownWord { what: "registry implementation", word: word.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case::plain("8.3.1", Some(Release(8, 3, 1)))]
    #[case::suffix("7.9.0-ccs", Some(Release(7, 9, 0)))]
    #[case::final_release("3.0.9.Final", Some(Release(3, 0, 9)))]
    #[case::snapshot("8.5.0-0", Some(Release(8, 5, 0)))]
    #[case::short("v7.6", Some(Release(7, 6, 0)))]
    #[case::no_number("head", None)]
    #[case::empty("", None)]
    #[case::too_large("99999999999.1.1", None)]
    fn releases_are_read_leniently(#[case] text: &str, #[case] release: Option<Release>) {
        assert_eq!(Release::parse(text), release);
    }

    #[rstest]
    #[case::confluent(Implementation::Confluent, Some("8.3.1"), true)]
    #[case::confluent_first_with_it(Implementation::Confluent, Some("7.6.4"), true)]
    #[case::confluent_before(Implementation::Confluent, Some("7.6.3"), false)]
    #[case::confluent_cloud_hides_its_release(Implementation::Confluent, None, true)]
    #[case::karapace(Implementation::Karapace, Some("6.2.0"), false)]
    #[case::apicurio(Implementation::Apicurio, Some("3.3.3"), false)]
    #[case::unknown_might_append_a_version_instead(Implementation::Unknown, None, false)]
    fn an_old_version_is_made_latest_only_where_that_is_known_to_work(
        #[case] implementation: Implementation,
        #[case] version: Option<&str>,
        #[case] make_latest: bool,
    ) {
        assert_eq!(Capabilities::of(implementation, version).make_latest, make_latest);
    }

    #[rstest]
    #[case::told_nothing(Implementation::Unknown, None, None, (Implementation::Confluent, Some("8.3.1"), Some("k/r")))]
    #[case::told_no_release(Implementation::Confluent, None, None, (Implementation::Confluent, Some("8.3.1"), Some("k/r")))]
    #[case::upgraded(Implementation::Confluent, Some("8.4.0"), None, (Implementation::Confluent, Some("8.4.0"), Some("k/r")))]
    #[case::another_one(Implementation::Karapace, Some("6.2.0"), None, (Implementation::Karapace, Some("6.2.0"), None))]
    #[case::another_cluster(Implementation::Confluent, Some("8.3.1"), Some("k/s"), (Implementation::Confluent, Some("8.3.1"), Some("k/s")))]
    fn what_a_later_probe_is_not_told_stands(
        #[case] implementation: Implementation,
        #[case] version: Option<&str>,
        #[case] cluster_id: Option<&str>,
        #[case] expected: (Implementation, Option<&str>, Option<&str>),
    ) {
        let facts = |implementation, version: Option<&str>, cluster_id: Option<&str>| Facts {
            implementation,
            version: version.map(str::to_owned),
            cluster_id: cluster_id.map(str::to_owned),
            capabilities: Capabilities::of(implementation, version),
            global: GlobalSettings { level: None, mode: crate::api::Mode::Readwrite },
        };
        let known = facts(Implementation::Confluent, Some("8.3.1"), Some("k/r"));
        let found = facts(implementation, version, cluster_id).or_known(&known);
        assert_eq!((found.implementation, found.version.as_deref(), found.cluster_id.as_deref()), expected);
        assert_eq!(found.capabilities, Capabilities::of(expected.0, expected.1));
    }
}
