//! What a level means to those who live with it: A17 and A18.

use super::words::advice;
use super::{Advice, Code};
use crate::api::Level;

/// What stands while a level is in force. `subject` is its name, where one is known.
pub fn of_level(level: Level, subject: Option<&str>) -> Vec<Advice> {
    [streams_state(level, subject), Some(upgrade_order(level))].into_iter().flatten().collect()
}

/// A17: old records stay in state stores and changelogs for as long as the application lives.
fn streams_state(level: Level, subject: Option<&str>) -> Option<Advice> {
    if !matches!(level, Level::None | Level::Forward | Level::ForwardTransitive) {
        return None;
    }
    let of_streams = subject.filter(|subject| is_internal_topic(subject));
    let message = match of_streams {
        Some(subject) => format!(
            "subject {subject} is of a Kafka Streams application, whose new code must read what the old one left \
             there, and level {level} does not see to that"
        ),
        None => format!(
            "level {level} does not see to it that new code reads old records, and Kafka Streams and ksqlDB keep \
             those in state stores and changelogs"
        ),
    };
    let remedy = "set BACKWARD or FULL, or their transitive forms, where such an application reads the topic";
    Some(advice(Code::StreamsState, "", message, remedy))
}

/// Kafka Streams names its internal topics so, and serializers their subjects.
fn is_internal_topic(subject: &str) -> bool {
    let topic = subject.strip_suffix("-value").or_else(|| subject.strip_suffix("-key")).unwrap_or(subject);
    topic.ends_with("-changelog") || topic.ends_with("-repartition")
}

/// A18.
fn upgrade_order(level: Level) -> Advice {
    let (message, remedy) = match level {
        Level::Backward | Level::BackwardTransitive => (
            "readers of a new version read data of the old one, not the other way round",
            "upgrade consumers first, then producers",
        ),
        Level::Forward | Level::ForwardTransitive => (
            "readers of the old version read data of a new one, not the other way round",
            "upgrade producers first, and consumers once the old data is read or has expired",
        ),
        Level::Full | Level::FullTransitive => ("readers of either version read data of both", "upgrade in any order"),
        Level::None => (
            "nothing is checked, so readers of either version may fail on data of the other",
            "upgrade everyone at once, or move to a new topic",
        ),
    };
    advice(Code::UpgradeOrder, "", format!("under level {level} {message}"), remedy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case(Level::None, true)]
    #[case(Level::Backward, false)]
    #[case(Level::BackwardTransitive, false)]
    #[case(Level::Forward, true)]
    #[case(Level::ForwardTransitive, true)]
    #[case(Level::Full, false)]
    #[case(Level::FullTransitive, false)]
    fn state_stores_need_readers_of_old_records(#[case] level: Level, #[case] is_unsafe: bool) {
        let codes: Vec<Code> = of_level(level, None).iter().map(|advice| advice.code).collect();
        assert_eq!(codes.contains(&Code::StreamsState), is_unsafe);
        assert!(codes.contains(&Code::UpgradeOrder));
    }

    #[rstest]
    #[case("app-KSTREAM-AGGREGATE-STATE-STORE-0000000003-changelog-value", true)]
    #[case("app-users-repartition-key", true)]
    #[case("orders-value", false)]
    fn internal_topics_are_known_by_their_names(#[case] subject: &str, #[case] is_named: bool) {
        let given = of_level(Level::Forward, Some(subject));
        assert_eq!(given[0].message.contains(subject), is_named);
    }
}
