//! The decision table, one row a line, in the order and the words of the design.
//!
//! A row says what differs from "all is well": a Schema for subject orders-value, nothing applied yet, a registry that
//! answers, may be written to, and holds no version of the subject. A, B and C are three schemas; a history is the list of
//! the subject's versions, the first being version 1.

use std::time::Duration;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, Time};
use k8s_openapi::jiff::Timestamp;
use rstest::rstest;

use super::*;
use crate::api::{LevelVerdict, LevelVerdicts, Mode, Reason, SchemaStatus, SchemaType, condition, find_condition};
use crate::controller::schema::observed::{Applied, EngineAnswer, Judged, Spec};
use crate::controller::schema::status::status;
use crate::registry::{LevelInForce, LevelSource};
use crate::schema::{Fingerprint, Form, MAX_SUBJECT_BYTES, SchemaId, Subject, SubjectError, TextError};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Text {
    A,
    B,
    C,
}
use Text::{A, B, C};

impl Text {
    fn fingerprint(self) -> Fingerprint {
        Form::read(SchemaType::Avro, &format!("{{\"type\":\"fixed\",\"name\":\"{self:?}\",\"size\":1}}"))
            .unwrap()
            .fingerprint()
    }
}

/// What differs from "all is well".
#[derive(Clone)]
struct Seen {
    spec: Text,
    history: Vec<Text>,
    applied: Option<(Text, i64)>,
    observed: Observed,
    away: bool,
}

fn seen() -> Seen {
    let reading = Reading {
        management: Management::Full,
        latest: None,
        spec_at: None,
        lags: false,
        applied_is_there: true,
        level: LevelInForce { level: Level::Backward, source: LevelSource::Global, own: None },
        mode: Mode::Readwrite,
        can_make_latest: true,
        one_type_a_subject: false,
        engine_binds: true,
        from_latest: None,
        lost: None,
    };
    let spec = Spec {
        subject: Subject::parse("orders-value"),
        schema_type: SchemaType::Avro,
        fingerprint: Ok(A.fingerprint()),
        adoption: Adoption::IfLatest,
        drift_policy: DriftPolicy::Report,
    };
    let observed = Observed {
        generation: 1,
        now: now(),
        paused_by: None,
        claim: Claim::Owner,
        spec,
        last_applied: None,
        unsettled_before: false,
        reverts: Vec::new(),
        registry_name: "default".into(),
        registry: RegistrySeen::Read(Box::new(reading)),
        config: ConfigSeen::Settled,
        unread_write: None,
        missing: None,
        grace_left: None,
        answer: None,
        failures: 0,
        judged: Some(judged(EngineAnswer::Compatible)),
        acknowledged: Vec::new(),
    };
    Seen { spec: A, history: Vec::new(), applied: None, observed, away: false }
}

/// What our own check says; what breaks is told elsewhere.
fn judged(answer: EngineAnswer) -> Judged {
    let one = LevelVerdict::Compatible;
    let levels = LevelVerdicts {
        backward: one,
        backward_transitive: one,
        forward: one,
        forward_transitive: one,
        full: one,
        full_transitive: one,
        none: one,
    };
    Judged {
        answer,
        violations: Vec::new(),
        levels: Some(levels),
        order: None,
        compared: Vec::new(),
        advice: Vec::new(),
        is_of_candidate: true,
    }
}

fn dropped() -> Changes {
    Changes { added: vec!["field coupon".to_owned()], ..Changes::default() }
}

fn now() -> Time {
    Time(Timestamp::UNIX_EPOCH)
}

fn v(number: i64) -> Version {
    Version::new(number).unwrap()
}

impl Seen {
    fn spec(mut self, text: Text) -> Self {
        self.spec = text;
        self
    }

    /// The versions of the subject.
    fn history(mut self, versions: impl IntoIterator<Item = Text>) -> Self {
        self.history = versions.into_iter().collect();
        self
    }

    /// This resource brought this version about.
    fn applied(mut self, text: Text, version: i64) -> Self {
        self.applied = Some((text, version));
        self
    }

    fn adoption(mut self, adoption: Adoption) -> Self {
        self.observed.spec.adoption = adoption;
        self
    }

    fn drift(mut self, policy: DriftPolicy) -> Self {
        self.observed.spec.drift_policy = policy;
        self
    }

    fn answer(mut self, answer: Answer) -> Self {
        self.observed.answer = Some(answer);
        self
    }

    fn with(mut self, change: impl FnOnce(&mut Observed)) -> Self {
        change(&mut self.observed);
        self
    }

    fn reading(self, change: impl FnOnce(&mut Reading)) -> Self {
        self.with(|observed| match &mut observed.registry {
            RegistrySeen::Read(reading) => change(reading),
            _ => panic!("the registry was not read"),
        })
    }

    fn registry(mut self, registry: RegistrySeen) -> Self {
        self.observed.registry = registry;
        self.away = true;
        self
    }

    fn mode(self, mode: Mode) -> Self {
        self.reading(|reading| reading.mode = mode)
    }

    fn level(self, level: Level) -> Self {
        self.reading(|reading| reading.level.level = level)
    }

    fn planned_level(self, level: Level) -> Self {
        self.reading(|reading| reading.level = LevelInForce { level, source: LevelSource::Planned, own: None })
    }

    fn observe_only(self) -> Self {
        self.reading(|reading| reading.management = Management::Observe)
    }

    /// Our own check has not looked yet, or says this.
    fn engine(self, says: Option<EngineAnswer>) -> Self {
        self.with(|observed| observed.judged = says.map(judged))
    }

    fn cannot_make_latest(self) -> Self {
        self.reading(|reading| reading.can_make_latest = false)
    }

    fn plan(self) -> Plan {
        plan(&self.observed())
    }

    /// Works out what the registry would have shown of the history.
    fn observed(self) -> Observed {
        let Seen { spec, history, applied, mut observed, away } = self;
        if observed.spec.fingerprint.is_ok() {
            observed.spec.fingerprint = Ok(spec.fingerprint());
        }
        let id = |text: Text| SchemaId(text as i64 + 100);
        observed.last_applied = applied.map(|(text, version)| Applied {
            fingerprint: text.fingerprint(),
            version: v(version),
            id: id(text),
            stored: None,
        });
        if away {
            return observed;
        }
        let RegistrySeen::Read(reading) = &mut observed.registry else { panic!("the registry was not read") };
        let at = |text: Text| history.iter().rposition(|known| *known == text).map(|index| v(index as i64 + 1));
        let latest = history.last().copied();
        reading.latest = latest.map(|text| Latest {
            version: v(history.len() as i64),
            id: id(text),
            schema_type: reading.latest.as_ref().map_or(SchemaType::Avro, |latest| latest.schema_type),
            sameness: match &reading.latest {
                Some(set) => set.sameness,
                None if text == spec => Sameness::Same,
                None => Sameness::Other,
            },
            stored: None,
        });
        reading.spec_at = at(spec).filter(|_| latest != Some(spec));
        reading.applied_is_there =
            applied.is_none_or(|(text, version)| history.get(version as usize - 1).is_some_and(|known| *known == text));
        observed
    }

    /// The latest version, in a way that a history of texts cannot say.
    fn latest(self, schema_type: SchemaType, sameness: Sameness) -> Self {
        self.reading(|reading| {
            reading.latest = Some(Latest { version: v(1), id: SchemaId(1), schema_type, sameness, stored: None })
        })
    }
}

fn incompatible() -> Answer {
    Answer::Incompatible { refusal: refusal(), compared: vec![v(1)] }
}

fn refusal() -> Refusal {
    Refusal { message: "c has no default".into(), violations: Vec::new() }
}

fn refused() -> Plan {
    Plan::Refused(Refused::Incompatible { refusal: refusal(), compared: vec![v(1)] })
}

fn trouble(passes: bool) -> Trouble {
    let reason = if passes { Reason::RegistryUnavailable } else { Reason::RegistryUnauthorized };
    Trouble {
        reason,
        message: "registry default: connection refused at registry:8081".into(),
        passes,
        is_of_subject: false,
    }
}

fn of_subject() -> Trouble {
    Trouble { is_of_subject: true, ..trouble(false) }
}

fn away(passes: bool) -> RegistrySeen {
    RegistrySeen::Away(trouble(passes))
}

fn missing(seconds: u64) -> RegistrySeen {
    RegistrySeen::NotFound { missed_for: Duration::from_secs(seconds) }
}

fn register(change: Change) -> Plan {
    Plan::Act(Step::Register(change))
}

fn blocked(blocked: Blocked) -> Plan {
    Plan::Blocked(blocked)
}

fn drifted(latest: i64, revert: RevertHindrance) -> Plan {
    blocked(Blocked::Drifted { latest: v(latest), revert })
}

fn not_latest(spec_at: i64, latest: i64, can_make_latest: bool) -> Plan {
    blocked(Blocked::NotLatest { spec_at: v(spec_at), latest: v(latest), can_make_latest })
}

fn unread(seconds: u64) -> impl FnOnce(&mut Observed) {
    move |observed| observed.unread_write = Some(Duration::from_secs(seconds))
}

fn missing_for(seconds: u64) -> impl FnOnce(&mut Observed) {
    move |observed| observed.missing = Some(Duration::from_secs(seconds))
}

fn failed_before(times: u32) -> impl FnOnce(&mut Observed) {
    move |observed| observed.failures = times
}

fn just_changed(observed: &mut Observed) {
    observed.grace_left = Some(Duration::from_secs(3));
}

fn failed() -> Answer {
    Answer::Failed { message: "500".into() }
}

fn reverted_thrice(observed: &mut Observed) {
    observed.reverts = vec![now(); 3];
}

const GRACE: Plan = Plan::Wait(Wait::Grace { left: Duration::from_secs(3) });

#[rstest]
#[case::subject_unknown(seen(), register(Change::First))]
#[case::spec_is_the_latest_version(seen().history([A, B]).spec(B).applied(B, 2), Plan::InSync(InSync::Latest))]
#[case::a_new_resource_adopts_without_writing(seen().history([A, B]).spec(B), Plan::InSync(InSync::Latest))]
#[case::the_registry_ignores_the_change(
    seen().history([A]).spec(B).applied(A, 1).latest(SchemaType::Avro, Sameness::SameToRegistry),
    Plan::InSync(InSync::LatestToRegistry)
)]
#[case::compatible_change(seen().history([A]).spec(B).applied(A, 1), register(Change::Next))]
#[case::incompatible_change(seen().history([A]).spec(B).applied(A, 1).answer(incompatible()), refused())]
#[case::another_type_where_a_subject_keeps_its_type(
    seen().applied(B, 1).level(Level::None).history([B]).latest(SchemaType::Json, Sameness::Other)
        .reading(|reading| reading.one_type_a_subject = true),
    Plan::Refused(Refused::NotTaken(
        "the schema type changes from JSON to AVRO, and this registry keeps one type for a subject, whatever the level; register it as another subject".into()
    ))
)]
#[case::change_is_compared_by_our_own_check_first(
    seen().history([A]).spec(B).applied(A, 1).engine(None), Plan::Act(Step::Judge(Change::Next))
)]
#[case::refused_by_our_own_check_the_registry_is_only_asked(
    seen().history([A]).spec(B).applied(A, 1).engine(Some(EngineAnswer::Incompatible)), Plan::Act(Step::Check(Change::Next))
)]
#[case::refused_by_our_own_check_and_by_the_registry(
    seen().history([A]).spec(B).applied(A, 1).engine(Some(EngineAnswer::Incompatible)).answer(incompatible()), refused()
)]
#[case::refused_by_our_own_check_only(
    seen().history([A]).spec(B).applied(A, 1).engine(Some(EngineAnswer::Incompatible)).answer(Answer::WouldTake),
    Plan::Refused(Refused::ByEngine)
)]
#[case::our_own_check_may_only_explain(
    seen().history([A]).spec(B).applied(A, 1).engine(Some(EngineAnswer::Incompatible)).reading(|r| r.engine_binds = false),
    register(Change::Next)
)]
#[case::our_own_check_cannot_tell(
    seen().history([A]).spec(B).applied(A, 1).engine(Some(EngineAnswer::Unknown)), register(Change::Next)
)]
#[case::text_invalid(
    seen().with(|observed| observed.spec.fingerprint = Err(TextError::Blank)),
    Plan::Refused(Refused::Text(TextError::Blank.to_string()))
)]
#[case::subject_invalid(
    seen().with(|observed| observed.spec.subject = Err(SubjectError::Empty)),
    Plan::Refused(Refused::Subject(SubjectError::Empty.to_string()))
)]
#[case::text_unreadable_to_the_registry(
    seen().answer(Answer::Invalid { message: "unknown type".into() }),
    Plan::Refused(Refused::Invalid("unknown type".into()))
)]
#[case::text_not_taken_whatever_the_level(
    seen().answer(Answer::Refused { message: "too large".into() }),
    Plan::Refused(Refused::NotTaken("too large".into()))
)]
#[case::registry_fails_over_this_candidate(
    seen().answer(failed()).with(failed_before(2)),
    Plan::Wait(Wait::RegistryFailed { message: "500".into() })
)]
#[case::registry_fails_over_this_candidate_a_third_time(
    seen().answer(failed()).with(failed_before(3)),
    blocked(Blocked::RegistryFails { message: "500".into() })
)]
#[case::registry_fails_over_another_schema_type(
    seen().history([A]).spec(B).applied(A, 1).latest(SchemaType::Json, Sameness::Other).answer(failed()),
    Plan::Refused(Refused::Incompatible {
        refusal: Refusal { message: "the schema type changes from JSON to AVRO".into(), violations: Vec::new() },
        compared: vec![v(1)],
    })
)]
#[case::registry_cannot_read_another_schema_type(
    seen()
        .history([A])
        .spec(B)
        .applied(A, 1)
        .latest(SchemaType::Json, Sameness::Other)
        .answer(Answer::Invalid { message: "no type".into() }),
    Plan::Refused(Refused::Incompatible {
        refusal: Refusal { message: "the schema type changes from JSON to AVRO".into(), violations: Vec::new() },
        compared: vec![v(1)],
    })
)]
#[case::another_schema_type_under_none_is_no_violation(
    seen().history([A]).spec(B).applied(A, 1).latest(SchemaType::Json, Sameness::Other).level(Level::None).answer(failed()),
    Plan::Wait(Wait::RegistryFailed { message: "500".into() })
)]
#[case::rollback_is_checked_and_made_latest(
    seen().history([A, B]).spec(A).applied(B, 2), register(Change::Rollback(v(1)))
)]
#[case::rollback_that_breaks_the_level(seen().history([A, B]).spec(A).applied(B, 2).answer(incompatible()), refused())]
#[case::rollback_where_unsupported(
    seen().history([A, B]).spec(A).applied(B, 2).cannot_make_latest(), not_latest(1, 2, false)
)]
#[case::drift_is_reported(seen().history([A, B]).applied(A, 1), drifted(2, RevertHindrance::NotAsked))]
#[case::drift_is_reverted(
    seen().history([A, B]).applied(A, 1).drift(DriftPolicy::Revert), register(Change::Revert(v(1)))
)]
#[case::a_revert_is_checked_like_any_change(
    seen().history([A, B]).applied(A, 1).drift(DriftPolicy::Revert).answer(incompatible()), refused()
)]
#[case::a_revert_is_no_use_a_fourth_time_within_an_hour(
    seen().history([A, B]).applied(A, 1).drift(DriftPolicy::Revert).with(reverted_thrice),
    drifted(2, RevertHindrance::TooOften)
)]
#[case::a_revert_where_unsupported(
    seen().history([A, B]).applied(A, 1).drift(DriftPolicy::Revert).cannot_make_latest(),
    drifted(2, RevertHindrance::CannotMakeLatest)
)]
#[case::drift_is_accepted(
    seen().history([A, B]).applied(A, 1).drift(DriftPolicy::Ignore), Plan::InSync(InSync::Superseded)
)]
#[case::subject_gone(seen().applied(A, 1), blocked(Blocked::VersionMissing { applied: v(1) }))]
#[case::a_node_that_lags_does_not_know_the_version_yet(
    seen().history([B]).spec(C).applied(A, 2).with(missing_for(9)), Plan::Wait(Wait::Readback)
)]
#[case::ten_seconds_without_the_version(
    seen().history([B]).spec(C).applied(A, 2).with(missing_for(10)), blocked(Blocked::VersionMissing { applied: v(2) })
)]
#[case::version_gone(seen().history([B]).applied(A, 2), blocked(Blocked::VersionMissing { applied: v(2) }))]
#[case::version_is_another_schema_now(seen().history([B]).applied(A, 1), blocked(Blocked::VersionMissing { applied: v(1) }))]
#[case::version_gone_and_a_change_pending(
    seen().history([B]).spec(C).applied(A, 1), blocked(Blocked::VersionMissing { applied: v(1) })
)]
#[case::spec_changes_while_the_latest_is_foreign(
    seen().history([A, B]).spec(C).applied(A, 1), blocked(Blocked::OverwritesForeign { latest: v(2) })
)]
#[case::spec_changes_and_drops_what_the_foreign_version_added(
    seen().history([A, B]).spec(C).applied(A, 1).reading(|reading| reading.lost = Some(dropped())),
    blocked(Blocked::OverwritesForeign { latest: v(2) })
)]
#[case::spec_changes_and_keeps_what_the_foreign_version_changed(
    seen().history([A, B]).spec(C).applied(A, 1).reading(|reading| reading.lost = Some(Changes::default())),
    register(Change::Next)
)]
#[case::spec_changes_while_the_latest_is_foreign_until_adoption_update(
    seen().history([A, B]).spec(C).applied(A, 1).adoption(Adoption::Update), register(Change::Next)
)]
#[case::spec_becomes_the_foreign_version(seen().history([A, B]).spec(B).applied(A, 1), Plan::InSync(InSync::Latest))]
#[case::new_resource_with_an_older_version(seen().history([A, B]), not_latest(1, 2, true))]
#[case::new_resource_with_an_older_version_even_under_adoption_update(
    seen().history([A, B]).adoption(Adoption::Update), not_latest(1, 2, true)
)]
#[case::new_resource_not_in_the_history(seen().history([A, B]).spec(C), blocked(Blocked::NotAdopted { latest: v(2) }))]
#[case::new_resource_not_in_the_history_under_adoption_update(
    seen().history([A, B]).spec(C).adoption(Adoption::Update), register(Change::Next)
)]
#[case::subject_config_unsettled(
    seen().with(|observed| observed.config = ConfigSeen::Unsettled), Plan::Wait(Wait::Config)
)]
#[case::refusal_right_after_a_change(
    seen().history([A]).spec(B).applied(A, 1).with(just_changed).answer(incompatible()), GRACE
)]
#[case::a_refusal_by_our_own_check_gets_grace_too(
    seen().history([A]).spec(B).applied(A, 1).with(just_changed).engine(Some(EngineAnswer::Incompatible)).answer(Answer::WouldTake),
    GRACE
)]
#[case::only_a_refusal_gets_grace(
    seen().with(just_changed).answer(Answer::Invalid { message: "no".into() }), Plan::Refused(Refused::Invalid("no".into()))
)]
#[case::registry_missing_at_first(seen().registry(missing(29)), Plan::Wait(Wait::RegistryNotFound))]
#[case::registry_missing(seen().registry(missing(30)), blocked(Blocked::RegistryNotFound))]
#[case::subject_is_owned_by_another(
    seen().with(|observed| observed.claim = Claim::Conflict { owner: "old".into() }),
    blocked(Blocked::Conflict { owner: "old".into() })
)]
#[case::readonly(seen().mode(Mode::Readonly), blocked(Blocked::ReadOnly("the mode is READONLY".into())))]
#[case::readonly_override(seen().mode(Mode::ReadonlyOverride), blocked(Blocked::ReadOnly("the mode is READONLY_OVERRIDE".into())))]
#[case::import(seen().mode(Mode::Import), blocked(Blocked::ReadOnly("the mode is IMPORT".into())))]
#[case::forward(seen().mode(Mode::Forward), blocked(Blocked::ReadOnly("the mode is FORWARD".into())))]
#[case::readonly_with_nothing_pending(seen().history([A]).mode(Mode::Readonly), Plan::InSync(InSync::Latest))]
#[case::readonly_found_out_by_the_write(
    seen().answer(Answer::ReadOnly { message: "in read-only mode".into() }),
    blocked(Blocked::ReadOnly("in read-only mode".into()))
)]
#[case::registry_down_and_work_pending(seen().registry(away(true)), Plan::Wait(Wait::RegistryAway(trouble(true))))]
#[case::registry_down_and_nothing_pending(seen().applied(A, 1).registry(away(true)), Plan::Keep)]
#[case::registry_down_and_a_write_unread(
    seen().applied(A, 1).registry(away(true)).with(unread(0)), Plan::Wait(Wait::RegistryAway(trouble(true)))
)]
#[case::registry_down_and_paused_no_longer(
    seen().applied(A, 1).registry(away(true)).with(|observed| observed.unsettled_before = true),
    Plan::Wait(Wait::RegistryAway(trouble(true)))
)]
#[case::registry_goes_down_meanwhile(
    seen().answer(Answer::Away(trouble(true))), Plan::Wait(Wait::RegistryAway(trouble(true)))
)]
#[case::registry_refuses_the_credentials(seen().registry(away(false)), blocked(Blocked::RegistryTrouble(trouble(false))))]
#[case::outcome_of_a_write_unknown(seen().with(unread(0)), Plan::Wait(Wait::Readback))]
#[case::read_back_older_than_our_write(
    seen().history([A]).spec(B).applied(A, 1).with(unread(9)), Plan::Wait(Wait::Readback)
)]
#[case::lookup_knows_a_newer_version_than_the_latest_that_was_read(
    seen().history([A]).spec(B).applied(A, 1).reading(|reading| reading.lags = true), Plan::Wait(Wait::Readback)
)]
#[case::ten_seconds_of_readable_absence(
    seen().history([A]).spec(B).applied(A, 1).with(unread(10)), register(Change::Next)
)]
#[case::the_write_shows(seen().history([A, B]).spec(B).applied(A, 1).with(unread(1)), Plan::InSync(InSync::Latest))]
#[case::observe_reads_a_first_version(seen().observe_only(), Plan::Act(Step::Check(Change::First)))]
#[case::observe_with_a_first_version(
    seen().observe_only().answer(Answer::WouldTake), Plan::Planned(Step::Register(Change::First))
)]
#[case::observe_asks_the_check(
    seen().history([A]).spec(B).applied(A, 1).observe_only(), Plan::Act(Step::Check(Change::Next))
)]
#[case::observe_with_a_compatible_change(
    seen().history([A]).spec(B).applied(A, 1).observe_only().answer(Answer::WouldTake),
    Plan::Planned(Step::Register(Change::Next))
)]
#[case::observe_with_an_incompatible_change(
    seen().history([A]).spec(B).applied(A, 1).observe_only().answer(incompatible()), refused()
)]
#[case::observe_with_a_change_that_only_our_own_check_refuses(
    seen().history([A]).spec(B).applied(A, 1).observe_only().engine(Some(EngineAnswer::Incompatible)).answer(Answer::WouldTake),
    Plan::Refused(Refused::ByEngine)
)]
#[case::observe_does_not_ask_a_check_that_contradicts_register(
    seen().history([A]).spec(B).applied(A, 1).observe_only().level(Level::None),
    Plan::Planned(Step::Register(Change::Next))
)]
#[case::observe_judges_by_the_level_that_would_be_set(
    seen().history([A]).spec(B).applied(A, 1).observe_only().planned_level(Level::None), Plan::Planned(Step::Register(Change::Next))
)]
#[case::observe_with_a_change_that_breaks_the_level_that_would_be_set(
    seen().history([A]).spec(B).applied(A, 1).observe_only().planned_level(Level::Full).engine(Some(EngineAnswer::Incompatible)),
    Plan::Refused(Refused::ByEngine)
)]
#[case::observe_may_be_one_commit_with_a_level(
    seen().history([A]).spec(B).applied(A, 1).observe_only().planned_level(Level::Full).engine(Some(EngineAnswer::Incompatible)).with(just_changed),
    GRACE
)]
#[case::a_version_of_someone_else_is_not_put_over_a_newer_one(
    seen().history([A, B, C]).spec(B).applied(A, 1).adoption(Adoption::Update), not_latest(2, 3, true)
)]
#[case::trouble_of_this_subject_alone_is_told_though_nothing_is_pending(
    seen().applied(A, 1).registry(RegistrySeen::Away(of_subject())), blocked(Blocked::RegistryTrouble(of_subject()))
)]
#[case::observe_with_nothing_pending(seen().history([A]).observe_only(), Plan::InSync(InSync::Latest))]
#[case::paused(seen().with(|observed| observed.paused_by = Some("this resource".into())), Plan::Paused)]
fn row(#[case] seen: Seen, #[case] expected: Plan) {
    let observed = seen.observed();
    let plan = plan(&observed);
    assert_eq!(plan, expected);
    if let Some(status) = status(&observed, &plan, &SchemaStatus::default()) {
        assert_tools_that_wait_are_told_the_truth(&plan, &status);
    }
}

/// Flux's invariants of conditions (FAIL0001 to FAIL0007), and what kstatus makes of them.
fn assert_tools_that_wait_are_told_the_truth(plan: &Plan, status: &SchemaStatus) {
    let is_true =
        |condition_type| find_condition(&status.conditions, condition_type).is_some_and(|c| c.status == "True");
    let ready = find_condition(&status.conditions, condition::READY).expect("Ready is always there");
    let (stalled, reconciling) = (is_true(condition::STALLED), is_true(condition::RECONCILING));
    assert!(!(stalled && reconciling), "never both");
    assert!(!stalled || ready.status == "False", "stalled is not ready");
    assert!(!reconciling || ready.status != "True", "under way is not ready");
    assert!(!is_true(condition::DRIFTED) || ready.status != "True", "drifted is not ready");
    let absent_unless_true = [condition::STALLED, condition::RECONCILING, condition::DRIFTED];
    assert!(status.conditions.iter().all(|c| !absent_unless_true.contains(&c.type_.as_str()) || c.status == "True"));
    let is_of_observed = |c: &Condition| c.observed_generation == status.observed_generation;
    assert!(status.conditions.iter().all(is_of_observed), "all of one generation");
    assert!(status.conditions.iter().all(|c| !c.message.is_empty() && !c.message.contains('\n')), "one line each");
    assert_eq!(ready.status == "True", matches!(plan, Plan::InSync(_)), "ready only in sync");
    let needs_a_person = matches!(plan, Plan::Refused(_) | Plan::Blocked(_));
    assert_eq!(stalled, needs_a_person, "stalled whenever only a person can help");
    assert_eq!(reconciling, matches!(plan, Plan::Wait(_) | Plan::Act(_)), "reconciling while work is under way");
    let json = serde_json::to_string(status).unwrap();
    assert!(json.len() < 16 * 1024 && !json.contains("fixed"), "small, and without schema text");
}

#[test]
fn a_plan_for_the_longest_subject_fits_the_definition() {
    let observed = seen()
        .observe_only()
        .answer(Answer::WouldTake)
        .with(|o| o.spec.subject = Subject::parse(&"s".repeat(MAX_SUBJECT_BYTES)))
        .observed();
    let status = status(&observed, &plan(&observed), &SchemaStatus::default()).unwrap();
    assert!(status.plan.is_some_and(|plan| plan.len() <= 1024));
}

#[test]
fn only_a_status_that_still_says_so_is_unsettled() {
    use crate::controller::schema::status::is_unsettled;
    let told = |seen: Seen| {
        let observed = seen.observed();
        status(&observed, &plan(&observed), &SchemaStatus::default()).unwrap()
    };
    assert!(is_unsettled(&told(seen().with(|observed| observed.paused_by = Some("this resource".into())))));
    assert!(is_unsettled(&told(seen().registry(away(true)))), "work is under way");
    assert!(!is_unsettled(&told(seen().history([A]))), "in sync");
    assert!(!is_unsettled(&told(seen().history([A, B]).applied(A, 1))), "drifted");
}

/// What it says was so of one spec, and nobody looked at another.
#[test]
fn a_paused_status_stays_of_the_generation_that_it_speaks_of() {
    let refused = seen().history([A]).spec(B).applied(A, 1).answer(incompatible()).observed();
    let before = status(&refused, &plan(&refused), &SchemaStatus::default()).unwrap();
    let paused = |generation: i64| {
        let pause = |o: &mut Observed| (o.paused_by, o.generation) = (Some("this resource".into()), generation);
        let edited = seen().spec(C).applied(A, 1).with(pause).observed();
        move |before: &SchemaStatus| status(&edited, &Plan::Paused, before).unwrap()
    };
    let told = paused(2)(&before);
    let (frozen, ready) = (&told.conditions, find_condition(&told.conditions, condition::READY).unwrap());
    assert_eq!((ready.status.as_str(), ready.reason.as_str()), ("Unknown", "Paused"));
    assert!(frozen.iter().all(|condition| condition.observed_generation == Some(1)), "{frozen:?}");
    assert_eq!(SchemaStatus { conditions: before.conditions.clone(), ..told.clone() }, before, "all else is as it was");
    assert_eq!(paused(3)(&told), told, "an edit changes nothing, so nothing is written");
}

/// Of a namespace that is deleted the registry resource may go first, and nobody reads what is said of the rest.
#[rstest]
#[case(0, false)]
#[case(4, false)]
#[case(5, true)]
#[case(30, true)]
fn a_registry_that_has_just_gone_is_not_told_at_once(#[case] missed_for: u64, #[case] told: bool) {
    let observed = seen().history([A]).applied(A, 1).registry(missing(missed_for)).observed();
    assert_eq!(status(&observed, &plan(&observed), &SchemaStatus::default()).is_some(), told);
    let next = Duration::from_secs(missed_for) + until_more_is_said(Duration::from_secs(missed_for));
    assert!(missed_for >= 30 || next == Duration::from_secs(if told { 30 } else { 5 }), "looked at again in time");
}

/// A registry that no longer takes the version last applied for the spec: nobody else did anything.
#[test]
fn the_version_last_applied_is_no_drift() {
    let mut observed = seen().history([A]).spec(B).applied(B, 1).observed();
    let RegistrySeen::Read(reading) = &mut observed.registry else { panic!("the registry was not read") };
    reading.applied_is_there = true;
    assert_eq!(plan(&observed), register(Change::Next));
}

/// First match wins: where two rows apply, the earlier one speaks.
#[rstest]
#[case::paused_before_conflict(
    seen().with(|o| { o.paused_by = Some("this resource".into()); o.claim = Claim::Conflict { owner: "old".into() } }), Plan::Paused
)]
#[case::conflict_before_a_missing_registry(
    seen().registry(missing(99)).with(|o| o.claim = Claim::Conflict { owner: "old".into() }),
    blocked(Blocked::Conflict { owner: "old".into() })
)]
#[case::a_missing_registry_before_invalid_text(
    seen().registry(missing(99)).with(|o| o.spec.fingerprint = Err(TextError::Blank)),
    blocked(Blocked::RegistryNotFound)
)]
#[case::invalid_text_before_a_registry_that_is_down(
    seen().registry(away(true)).with(|o| o.spec.fingerprint = Err(TextError::Blank)),
    Plan::Refused(Refused::Text(TextError::Blank.to_string()))
)]
#[case::awaiting_readback_before_a_version_that_is_missing(seen().applied(B, 1).with(unread(1)), Plan::Wait(Wait::Readback))]
#[case::in_sync_before_a_version_that_is_missing(seen().history([A]).applied(B, 1), Plan::InSync(InSync::Latest))]
#[case::a_missing_version_before_drift(seen().history([B, C]).applied(A, 1), blocked(Blocked::VersionMissing { applied: v(1) }))]
#[case::drift_before_waiting_for_a_config(
    seen().history([A, B]).applied(A, 1).with(|o| o.config = ConfigSeen::Unsettled), drifted(2, RevertHindrance::NotAsked)
)]
#[case::a_foreign_latest_before_a_rollback(
    seen().history([A, B, C]).spec(A).applied(B, 2), blocked(Blocked::OverwritesForeign { latest: v(3) })
)]
#[case::not_adopted_before_readonly(
    seen().history([A]).spec(B).mode(Mode::Readonly), blocked(Blocked::NotAdopted { latest: v(1) })
)]
#[case::waiting_for_a_config_before_readonly(
    seen().mode(Mode::Readonly).with(|o| o.config = ConfigSeen::Unsettled), Plan::Wait(Wait::Config)
)]
#[case::readonly_before_observe(
    seen().observe_only().mode(Mode::Readonly), blocked(Blocked::ReadOnly("the mode is READONLY".into()))
)]
#[case::grace_before_a_refusal_under_observe(
    seen().history([A]).spec(B).applied(A, 1).observe_only().with(just_changed).answer(incompatible()), GRACE
)]
fn precedence(#[case] seen: Seen, #[case] expected: Plan) {
    assert_eq!(seen.plan(), expected);
}
