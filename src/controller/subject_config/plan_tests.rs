//! The decision table of SubjectConfigs, one row a line.
//!
//! A row says what differs from "all is well": FULL is asked for, the registry answers, may be written to, and the subject
//! has no level of its own under a global BACKWARD.

use std::time::Duration;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use k8s_openapi::jiff::Timestamp;
use rstest::rstest;

use super::*;
use crate::api::{Mode, Reason};
use crate::registry::LevelSource;

fn seen() -> Observed {
    Observed {
        generation: 1,
        now: Time(Timestamp::UNIX_EPOCH),
        paused_by: None,
        claim: Claim::Owner,
        subject: Subject::parse("orders-value"),
        wanted: Some(Level::Full),
        was_in_sync: false,
        was_held: false,
        put_backs: Vec::new(),
        registry_name: "default".into(),
        registry: read_as(Management::Full, Mode::Readwrite, inherits(Level::Backward)),
        unread: None,
        answer: None,
        history: None,
    }
}

fn read_as(management: Management, mode: Mode, level: LevelInForce) -> RegistrySeen {
    RegistrySeen::Read { management, level, mode }
}

fn inherits(level: Level) -> LevelInForce {
    LevelInForce { level, source: LevelSource::Global, own: None }
}

fn own(level: Level) -> LevelInForce {
    LevelInForce { level, source: LevelSource::Subject, own: Some(level) }
}

fn with(change: impl FnOnce(&mut Observed)) -> Observed {
    let mut seen = seen();
    change(&mut seen);
    seen
}

fn in_force(level: LevelInForce) -> Observed {
    with(|seen| seen.registry = read_as(Management::Full, Mode::Readwrite, level))
}

fn in_mode(mode: Mode) -> Observed {
    with(|seen| seen.registry = read_as(Management::Full, mode, inherits(Level::Backward)))
}

fn answered(answer: Answer, level: LevelInForce) -> Observed {
    Observed { answer: Some(answer), ..in_force(level) }
}

fn unread(seconds: u64, seen: Observed) -> Observed {
    Observed { unread: Some(Duration::from_secs(seconds)), ..seen }
}

fn put_back(times: usize, level: LevelInForce) -> Observed {
    Observed { put_backs: vec![Time(Timestamp::UNIX_EPOCH); times], ..in_force(level) }
}

fn trouble(passes: bool) -> Trouble {
    Trouble {
        reason: Reason::RegistryUnavailable,
        message: "registry default: connection refused".into(),
        passes,
        is_of_subject: false,
    }
}

fn away(passes: bool, was_in_sync: bool) -> Observed {
    with(|seen| {
        seen.registry = RegistrySeen::Away(trouble(passes));
        seen.was_in_sync = was_in_sync;
    })
}

fn missing(seconds: u64) -> Observed {
    with(|seen| seen.registry = RegistrySeen::NotFound { missed_for: Duration::from_secs(seconds) })
}

fn blocked(blocked: Blocked) -> Plan {
    Plan::Blocked(blocked)
}

#[rstest]
#[case::no_level_of_its_own(seen(), Plan::Set(Level::Full))]
#[case::another_level(in_force(own(Level::None)), Plan::Set(Level::Full))]
#[case::the_level_of_spec(in_force(own(Level::Full)), Plan::InSync)]
#[case::the_level_of_spec_by_inheritance_may_change_any_time(in_force(inherits(Level::Full)), Plan::Set(Level::Full))]
#[case::not_managed(with(|seen| seen.wanted = None), Plan::InSync)]
#[case::stored_and_in_force(answered(Answer::Stored, own(Level::Full)), Plan::InSync)]
#[case::stored_and_not_in_force_yet(
    unread(9, answered(Answer::Stored, inherits(Level::Backward))),
    Plan::Wait(Wait::Readback)
)]
#[case::not_in_force_yet_and_not_written_twice(unread(9, seen()), Plan::Wait(Wait::Readback))]
#[case::ten_seconds_later_it_is_written_once_more(unread(10, seen()), Plan::Set(Level::Full))]
#[case::stored_and_not_in_force(
    unread(10, answered(Answer::Stored, inherits(Level::Backward))), blocked(Blocked::NotHeld { in_force: Level::Backward })
)]
#[case::no_level_before_the_first_version(
    answered(Answer::SubjectMissing, inherits(Level::Backward)),
    Plan::Wait(Wait::SubjectMissing)
)]
#[case::level_not_taken(
    answered(Answer::Refused("no".into()), inherits(Level::Backward)), blocked(Blocked::Refused("no".into()))
)]
#[case::registry_goes_down_meanwhile(
    answered(Answer::Away(trouble(true)), inherits(Level::Backward)),
    Plan::Wait(Wait::RegistryAway(trouble(true)))
)]
#[case::readonly(in_mode(Mode::Readonly), blocked(Blocked::ReadOnly("the mode is READONLY".into())))]
#[case::import_takes_levels(in_mode(Mode::Import), Plan::Set(Level::Full))]
#[case::readonly_found_out_by_the_write(
    answered(Answer::ReadOnly("read-only".into()), inherits(Level::Backward)), blocked(Blocked::ReadOnly("read-only".into()))
)]
#[case::observe(
    with(|seen| seen.registry = read_as(Management::Observe, Mode::Readwrite, inherits(Level::Backward))),
    Plan::Planned(Level::Full)
)]
#[case::put_back_for_the_third_time(put_back(2, own(Level::None)), Plan::Set(Level::Full))]
#[case::changed_again_after_three_times_in_an_hour(
    put_back(3, own(Level::None)), blocked(Blocked::FoughtOver { in_force: Level::None })
)]
#[case::the_third_time_does_not_show(unread(10, put_back(3, own(Level::None))), Plan::Set(Level::Full))]
#[case::the_third_time_held(put_back(3, own(Level::Full)), Plan::InSync)]
#[case::registry_down_and_work_pending(away(true, false), Plan::Wait(Wait::RegistryAway(trouble(true))))]
#[case::registry_down_and_nothing_pending(away(true, true), Plan::Keep)]
#[case::trouble_that_does_not_pass(away(false, false), blocked(Blocked::RegistryTrouble(trouble(false))))]
#[case::registry_missing_at_first(missing(29), Plan::Wait(Wait::RegistryNotFound))]
#[case::registry_missing(missing(30), blocked(Blocked::RegistryNotFound))]
#[case::subject_is_owned_by_another(
    with(|seen| seen.claim = Claim::Conflict { owner: "old".into() }), blocked(Blocked::Conflict { owner: "old".into() })
)]
#[case::subject_invalid(
    with(|seen| seen.subject = Err(SubjectError::Empty)), blocked(Blocked::Subject(SubjectError::Empty.to_string()))
)]
#[case::paused(with(|seen| seen.paused_by = Some("this resource".into())), Plan::Paused)]
fn row(#[case] seen: Observed, #[case] expected: Plan) {
    assert_eq!(plan(&seen), expected);
}
