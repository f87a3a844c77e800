//! Whether a registry that keeps failing is asked at all. A pure state machine: time and chance are arguments.

use std::time::{Duration, Instant};

/// So many failures in a row open the breaker.
const FAILURES: u32 = 3;
/// The first pause; it doubles with each failed trial.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// A trial that reports nothing for so long is given up, so that one that was dropped does not keep the breaker open.
const TRIAL: Duration = Duration::from_secs(60);

/// The breaker of one registry.
///
/// Closed, everything passes. After three failures in a row it is open and nothing passes until a pause is over;
/// then one trial passes. Its success closes the breaker, its failure doubles the pause, up to ten seconds. Until
/// that trial, calls that were under way when it opened say nothing new: a registry that goes down answers some of them.
#[derive(Clone, Debug)]
pub struct Breaker(State);

#[derive(Clone, Copy, Debug)]
enum State {
    Closed { failures: u32 },
    Open { pause: Duration, until: Instant },
    Trial { pause: Duration, until: Instant },
}

impl Default for Breaker {
    fn default() -> Self {
        Breaker(State::Closed { failures: 0 })
    }
}

impl Breaker {
    /// A closed breaker.
    pub fn new() -> Breaker {
        Breaker::default()
    }

    /// The registry answered, whatever it said.
    pub fn on_success(&mut self) {
        match self.0 {
            State::Closed { .. } | State::Trial { .. } => *self = Breaker::default(),
            State::Open { .. } => {}
        }
    }

    /// A call failed in a way that says something about the registry ([`RegistryError::hits_breaker`]).
    /// `jitter`, from 0 to 1, shortens the pause by up to a half, so that many breakers do not try at once.
    ///
    /// [`RegistryError::hits_breaker`]: super::RegistryError::hits_breaker
    pub fn on_failure(&mut self, now: Instant, jitter: f64) {
        let pause = match self.0 {
            State::Closed { failures } if failures + 1 < FAILURES => {
                self.0 = State::Closed { failures: failures + 1 };
                return;
            }
            State::Closed { .. } => FIRST_PAUSE,
            State::Open { .. } => return,
            State::Trial { pause, .. } => (pause * 2).min(LONGEST_PAUSE),
        };
        self.0 = State::Open { pause, until: now + pause.mul_f64(1.0 - jitter.clamp(0.0, 1.0) / 2.0) };
    }

    /// Whether a call may be made now. While open this is true once when the pause is over: that call is the trial.
    pub fn may_call(&mut self, now: Instant) -> bool {
        match self.0 {
            State::Closed { .. } => true,
            State::Open { until, .. } | State::Trial { until, .. } if now < until => false,
            State::Open { pause, .. } | State::Trial { pause, .. } => {
                self.0 = State::Trial { pause, until: now + TRIAL };
                true
            }
        }
    }

    /// Whether the registry is taken for down: open, or on trial.
    pub fn is_open(&self) -> bool {
        !matches!(self.0, State::Closed { .. })
    }

    /// When the next trial may pass; none while closed.
    pub fn next_trial(&self) -> Option<Instant> {
        match self.0 {
            State::Closed { .. } => None,
            State::Open { until, .. } | State::Trial { until, .. } => Some(until),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    /// A breaker that opened at `now`, without jitter.
    fn opened(now: Instant) -> Breaker {
        let mut breaker = Breaker::new();
        for _ in 0..3 {
            breaker.on_failure(now, 0.0);
        }
        breaker
    }

    #[test]
    fn three_failures_in_a_row_open_it() {
        let now = Instant::now();
        let mut breaker = Breaker::new();
        breaker.on_failure(now, 0.0);
        breaker.on_failure(now, 0.0);
        assert!(breaker.may_call(now) && !breaker.is_open());
        breaker.on_failure(now, 0.0);
        assert!(!breaker.may_call(now) && breaker.is_open());
    }

    #[test]
    fn a_success_between_failures_keeps_it_closed() {
        let now = Instant::now();
        let mut breaker = Breaker::new();
        for _ in 0..10 {
            breaker.on_failure(now, 0.0);
            breaker.on_failure(now, 0.0);
            breaker.on_success();
        }
        assert!(breaker.may_call(now));
    }

    #[test]
    fn after_a_second_one_trial_passes_and_no_second_one() {
        let now = Instant::now();
        let mut breaker = opened(now);
        assert!(!breaker.may_call(now + seconds(0.99)));
        assert!(breaker.may_call(now + seconds(1.0)));
        assert!(!breaker.may_call(now + seconds(1.0)));
        breaker.on_success();
        assert!(breaker.may_call(now + seconds(1.0)) && !breaker.is_open());
    }

    #[test]
    fn failed_trials_double_the_pause_up_to_ten_seconds() {
        let mut now = Instant::now();
        let mut breaker = opened(now);
        for pause in [1.0, 2.0, 4.0, 8.0, 10.0, 10.0] {
            assert_eq!(breaker.next_trial(), Some(now + seconds(pause)));
            now += seconds(pause);
            assert!(breaker.may_call(now));
            breaker.on_failure(now, 0.0);
        }
    }

    #[test]
    fn jitter_shortens_the_pause_by_up_to_a_half() {
        let now = Instant::now();
        for (jitter, pause) in [(0.0, 1.0), (0.5, 0.75), (1.0, 0.5), (7.0, 0.5)] {
            let mut breaker = Breaker::new();
            for _ in 0..3 {
                breaker.on_failure(now, jitter);
            }
            assert_eq!(breaker.next_trial(), Some(now + seconds(pause)));
        }
    }

    #[test]
    fn calls_that_were_under_way_neither_lengthen_the_pause_nor_close_it() {
        let now = Instant::now();
        let mut breaker = opened(now);
        for _ in 0..100 {
            breaker.on_failure(now + seconds(0.5), 0.0);
            breaker.on_success();
        }
        assert!(breaker.is_open());
        assert_eq!(breaker.next_trial(), Some(now + seconds(1.0)));
    }

    #[test]
    fn a_trial_that_never_reports_is_given_up_after_a_minute() {
        let now = Instant::now();
        let mut breaker = opened(now);
        assert!(breaker.may_call(now + seconds(1.0)));
        assert!(!breaker.may_call(now + seconds(60.0)));
        assert!(breaker.may_call(now + seconds(61.0)));
    }
}
