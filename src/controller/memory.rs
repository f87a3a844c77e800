//! What this process remembers of each object between two looks. Nothing here is needed after a restart: it spares
//! calls, bridges a cache that lags behind our own writes, and times what is timed from when this process first saw it.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ObjectMeta, Time};
use k8s_openapi::jiff::SignedDuration;
use tokio::time::Instant;

use super::ownership::ObjectKey;

/// Memories of all objects of one kind. `M` is what the kind remembers.
pub struct Memories<M>(Mutex<HashMap<ObjectKey, Memory<M>>>);

/// What is remembered of one object.
#[derive(Debug)]
pub struct Memory<M> {
    uid: String,
    generation: Option<i64>,
    generation_since: Option<Instant>,
    /// How many looks in a row ended in waiting.
    pub waits: u32,
    /// Since when the registry resource is missed.
    pub missed_since: Option<Instant>,
    /// What the kind itself remembers.
    pub own: M,
}

impl<M: Default> Default for Memories<M> {
    fn default() -> Self {
        Memories(Mutex::default())
    }
}

impl<M: Default> Memories<M> {
    /// Takes the memory of an object out, for the time of a look. One of an older object of that name is dropped.
    pub fn take(&self, key: &ObjectKey, meta: &ObjectMeta) -> Memory<M> {
        let uid = meta.uid.clone().unwrap_or_default();
        let kept = self.lock().remove(key).filter(|memory| memory.uid == uid);
        kept.unwrap_or_else(|| Memory {
            uid,
            generation: None,
            generation_since: None,
            waits: 0,
            missed_since: None,
            own: M::default(),
        })
    }

    /// Puts it back, unless the object went meanwhile.
    pub fn put(&self, key: ObjectKey, memory: Memory<M>, is_there: impl FnOnce(&ObjectKey) -> bool) {
        self.lock().insert(key.clone(), memory);
        // Asked afterwards: an object that goes from here on is forgotten by whoever sees it go.
        if !is_there(&key) {
            self.forget(&key);
        }
    }

    /// Forgets every object that is not among these, after a watch listed anew.
    pub fn retain(&self, keep: impl Fn(&ObjectKey) -> bool) {
        self.lock().retain(|key, _| keep(key));
    }

    /// Forgets an object that is gone.
    pub fn forget(&self, key: &ObjectKey) {
        self.lock().remove(key);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<ObjectKey, Memory<M>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<M> Memory<M> {
    /// How long this process has known this generation. One that was reported before counts as old.
    pub fn generation_age(&mut self, generation: i64, reported: Option<i64>, now: Instant) -> Option<Duration> {
        if self.generation != Some(generation) {
            self.generation = Some(generation);
            self.generation_since = (reported != Some(generation)).then_some(now);
        }
        self.generation_since.map(|since| now.duration_since(since))
    }

    /// How long the registry resource has been missed, from now on if it is the first time.
    pub fn missed_for(&mut self, now: Instant) -> Duration {
        now.duration_since(*self.missed_since.get_or_insert(now))
    }
}

/// The longest wait for something that should change by itself. Short enough for everything to be as it should be half a minute after
/// an outage, however long that was.
const LONGEST_WAIT: Duration = Duration::from_secs(20);

/// The time to wait before look number `tries` at something that should change by itself: 1 s, doubling to 20 s, with
/// `jitter` (0 to 1) taking off up to a quarter.
pub fn backoff(tries: u32, jitter: f64) -> Duration {
    let full = Duration::from_secs(1).saturating_mul(1 << tries.min(5)).min(LONGEST_WAIT);
    full.mul_f64(1.0 - 0.25 * jitter.clamp(0.0, 1.0))
}

/// How far back it counts that someone else's work was undone.
const UNDONE_COUNTS_FOR: SignedDuration = SignedDuration::from_hours(1);

/// Those of these times that still count, oldest first.
pub fn within_the_hour<'a>(times: impl Iterator<Item = &'a Time>, now: &Time) -> Vec<Time> {
    let mut recent: Vec<Time> = times.filter(|at| now.0.duration_since(at.0) < UNDONE_COUNTS_FOR).cloned().collect();
    recent.sort();
    // One may be known by the status, which counts in seconds, and by who did it.
    recent.dedup_by_key(|at| at.0.as_second());
    recent
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_grows_to_twenty_seconds() {
        assert_eq!(backoff(0, 0.0), Duration::from_secs(1));
        assert_eq!(backoff(3, 0.0), Duration::from_secs(8));
        assert_eq!(backoff(99, 0.0), Duration::from_secs(20));
        assert_eq!(backoff(0, 1.0), Duration::from_millis(750));
    }

    #[test]
    fn a_generation_that_was_reported_before_has_no_age() {
        let memories = Memories::<()>::default();
        let key = ObjectKey { namespace: "a".into(), name: "b".into() };
        let mut memory = memories.take(&key, &ObjectMeta::default());
        let now = Instant::now();
        assert_eq!(memory.generation_age(3, Some(3), now), None);
        assert_eq!(memory.generation_age(4, Some(3), now), Some(Duration::ZERO));
        assert_eq!(memory.generation_age(4, Some(3), now + Duration::from_secs(2)), Some(Duration::from_secs(2)));
    }

    #[test]
    fn an_object_of_the_same_name_is_another_object() {
        let memories = Memories::<u8>::default();
        let key = ObjectKey { namespace: "a".into(), name: "b".into() };
        let meta = |uid: &str| ObjectMeta { uid: Some(uid.into()), ..ObjectMeta::default() };
        let mut memory = memories.take(&key, &meta("one"));
        memory.own = 7;
        memories.put(key.clone(), memory, |_| true);
        assert_eq!(memories.take(&key, &meta("two")).own, 0);
    }

    #[test]
    fn nothing_is_kept_of_an_object_that_goes_during_a_look() {
        let memories = Memories::<u8>::default();
        let key = ObjectKey { namespace: "a".into(), name: "b".into() };
        let mut memory = memories.take(&key, &ObjectMeta::default());
        memory.own = 7;
        memories.forget(&key);
        memories.put(key.clone(), memory, |_| false);
        assert_eq!(memories.take(&key, &ObjectMeta::default()).own, 0);
    }

    #[test]
    fn a_list_forgets_what_it_does_not_hold() {
        let memories = Memories::<u8>::default();
        let key = ObjectKey { namespace: "a".into(), name: "b".into() };
        let mut memory = memories.take(&key, &ObjectMeta::default());
        memory.own = 7;
        memories.put(key.clone(), memory, |_| true);
        memories.retain(|_| false);
        assert_eq!(memories.take(&key, &ObjectMeta::default()).own, 0);
    }
}
