//! How fast, and how much at once, a registry is asked.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

/// The longest that a registry is left alone because it asked for it.
const LONGEST_REST: Duration = Duration::from_secs(60);

/// A token bucket whose callers are served in the order in which they came.
#[derive(Debug)]
pub struct Bucket {
    tokens: Mutex<Tokens>,
    /// Until when there are no tokens at all. Beside the tokens, whose lock is held while waiting.
    not_before: std::sync::Mutex<Option<Instant>>,
}

/// The bucket's state. Pure: the time is an argument.
#[derive(Debug)]
struct Tokens {
    interval: Duration,
    burst: Duration,
    /// When the bucket will be full again; every request moves it one interval on.
    full_at: Option<Instant>,
}

impl Bucket {
    /// A bucket that gives `per_second` tokens a second (at least 1) and holds one second's worth.
    pub fn new(per_second: u32) -> Bucket {
        Bucket { tokens: Mutex::new(Tokens::new(per_second)), not_before: std::sync::Mutex::default() }
    }

    /// Waits for a token. The lock is held while waiting: tokio's is fair, so callers queue up in it.
    /// A caller that goes away while it waits has taken nothing.
    pub async fn take(&self) {
        let mut tokens = self.tokens.lock().await;
        loop {
            let now = Instant::now();
            let wait = tokens.wait(now).max(self.rest_left(now));
            if wait.is_zero() {
                return tokens.take(now);
            }
            tokio::time::sleep(wait).await;
        }
    }

    /// Gives no token for a time, a minute at most: the registry asked to be left alone.
    pub fn rest(&self, time: Duration, now: Instant) {
        let until = now + time.min(LONGEST_REST);
        let mut not_before = self.not_before.lock().unwrap_or_else(PoisonError::into_inner);
        *not_before = Some(not_before.map_or(until, |known| known.max(until)));
    }

    fn rest_left(&self, now: Instant) -> Duration {
        let not_before = *self.not_before.lock().unwrap_or_else(PoisonError::into_inner);
        not_before.map_or(Duration::ZERO, |until| until.saturating_duration_since(now))
    }
}

impl Tokens {
    fn new(per_second: u32) -> Tokens {
        let burst = Duration::from_secs(1);
        Tokens { interval: burst / per_second.max(1), burst, full_at: None }
    }

    /// How long until a token is there.
    fn wait(&self, now: Instant) -> Duration {
        let empty_for = self.full_at.map_or(Duration::ZERO, |full_at| full_at.saturating_duration_since(now));
        (empty_for + self.interval).saturating_sub(self.burst)
    }

    fn take(&mut self, now: Instant) {
        self.full_at = Some(self.full_at.map_or(now, |full_at| full_at.max(now)) + self.interval);
    }
}

/// What a call is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priority {
    /// A resource is new or was changed: somebody waits.
    Change,
    /// A look whether anything moved.
    Drift,
}

/// How much may be under way at once with one registry. Drift never holds more than half of it (but at least one),
/// so that a change does not wait behind a wave of drift checks.
#[derive(Clone, Debug)]
pub struct Permits {
    all: Arc<Semaphore>,
    drift: Arc<Semaphore>,
}

/// Held while work is under way; given back on drop.
#[derive(Debug)]
pub struct Permit {
    _all: Option<OwnedSemaphorePermit>,
    _drift: Option<OwnedSemaphorePermit>,
}

impl Permits {
    /// Permits for `max_in_flight` pieces of work at once, at least 1.
    pub fn new(max_in_flight: usize) -> Permits {
        let all = max_in_flight.clamp(1, Semaphore::MAX_PERMITS);
        Permits { all: Arc::new(Semaphore::new(all)), drift: Arc::new(Semaphore::new(all.div_ceil(2))) }
    }

    /// Waits for a permit. Within a priority, first come, first served.
    pub async fn acquire(&self, priority: Priority) -> Permit {
        let drift = match priority {
            Priority::Change => None,
            // The half's own queue first: at most half of those who wait for the whole are drift.
            Priority::Drift => self.drift.clone().acquire_owned().await.ok(),
        };
        Permit { _all: self.all.clone().acquire_owned().await.ok(), _drift: drift }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt;
    use rstest::rstest;

    #[rstest]
    #[case::one_a_second(1)]
    #[case::five_a_second(5)]
    fn one_seconds_worth_at_once_then_one_an_interval(#[case] per_second: u32) {
        let now = Instant::now();
        let mut tokens = Tokens::new(per_second);
        for _ in 0..per_second {
            assert_eq!(tokens.wait(now), Duration::ZERO);
            tokens.take(now);
        }
        let interval = Duration::from_secs(1) / per_second;
        assert_eq!(tokens.wait(now), interval);
        assert_eq!(tokens.wait(now + interval), Duration::ZERO);
        tokens.take(now + interval);
        assert_eq!(tokens.wait(now + interval), interval);
    }

    #[test]
    fn an_idle_bucket_holds_no_more_than_one_seconds_worth() {
        let start = Instant::now();
        let mut tokens = Tokens::new(2);
        tokens.take(start);
        let later = start + Duration::from_secs(3600);
        for _ in 0..2 {
            assert_eq!(tokens.wait(later), Duration::ZERO);
            tokens.take(later);
        }
        assert_eq!(tokens.wait(later), Duration::from_millis(500));
    }

    #[test]
    fn zero_a_second_is_one_a_second() {
        assert_eq!(Tokens::new(0).interval, Duration::from_secs(1));
    }

    #[tokio::test]
    async fn a_registry_that_asks_for_rest_gets_it_for_a_minute_at_most() {
        let (bucket, now) = (Bucket::new(5), Instant::now());
        let later = |seconds| now + Duration::from_secs(seconds);
        assert_eq!(bucket.rest_left(now), Duration::ZERO);
        bucket.rest(Duration::from_secs(7), now);
        bucket.rest(Duration::from_secs(2), later(1));
        assert_eq!(bucket.rest_left(later(1)), Duration::from_secs(6), "the longer one counts");
        assert!(bucket.take().now_or_never().is_none(), "no token meanwhile");
        assert_eq!(bucket.rest_left(later(7)), Duration::ZERO);
        bucket.rest(Duration::from_secs(1_800_000_000), now);
        assert_eq!(bucket.rest_left(now), Duration::from_secs(60));
    }

    #[rstest]
    #[case(1, 1)]
    #[case(2, 1)]
    #[case(3, 2)]
    #[case(8, 4)]
    fn drift_holds_at_most_half(#[case] max: usize, #[case] drift_at_most: usize) {
        let permits = Permits::new(max);
        let mut held = Vec::new();
        while let Some(permit) = permits.acquire(Priority::Drift).now_or_never() {
            held.push(permit);
        }
        assert_eq!(held.len(), drift_at_most);
        let mut changes = Vec::new();
        while let Some(permit) = permits.acquire(Priority::Change).now_or_never() {
            changes.push(permit);
        }
        assert_eq!(changes.len(), max - drift_at_most);
        drop(held);
        assert!(permits.acquire(Priority::Change).now_or_never().is_some(), "a permit comes back on drop");
    }

    #[test]
    fn changes_may_hold_everything() {
        let permits = Permits::new(4);
        let held: Vec<_> = (0..4).map(|_| permits.acquire(Priority::Change).now_or_never().unwrap()).collect();
        assert!(permits.acquire(Priority::Change).now_or_never().is_none());
        drop(held);
        assert!(permits.acquire(Priority::Drift).now_or_never().is_some());
    }
}
