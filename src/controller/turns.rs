//! One look at a time at each subject, whichever resource looks: two that claim one subject never both find it empty.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use tokio::sync::OwnedMutexGuard;

use super::context::lock;
use crate::schema::Subject;

/// A registry's identity, and a subject without the default context.
type Key = (String, String);

/// Who looks at which subject.
#[derive(Debug, Default)]
pub struct Turns(Mutex<HashMap<Key, Arc<tokio::sync::Mutex<()>>>>);

/// The right to look at a subject, and to write to it, until it is dropped.
#[derive(Debug)]
pub struct Turn(#[expect(dead_code, reason = "held, not read")] OwnedMutexGuard<()>);

impl Turns {
    /// Waits for the turn.
    pub async fn take(&self, registry: &str, subject: &Subject) -> Turn {
        let key = (registry.to_owned(), subject.without_default_context().to_owned());
        let turn = {
            let mut all = lock(&self.0);
            // Whoever holds or waits for a turn keeps it here; the rest is forgotten when there is much of it.
            if all.len() >= all.capacity() {
                all.retain(|_, turn| Arc::strong_count(turn) > 1);
            }
            all.entry(key).or_default().clone()
        };
        Turn(turn.lock_owned().await)
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[tokio::test]
    async fn a_subject_of_a_registry_is_looked_at_by_one_at_a_time() {
        let turns = Turns::default();
        let orders = Subject::parse("orders").unwrap();
        let first = turns.take("one", &orders).await;
        assert!(turns.take("one", &Subject::parse(":.:orders").unwrap()).now_or_never().is_none(), "the same subject");
        assert!(turns.take("two", &orders).now_or_never().is_some(), "another registry");
        assert!(turns.take("one", &Subject::parse("payments").unwrap()).now_or_never().is_some(), "another subject");
        drop(first);
        assert!(turns.take("one", &orders).now_or_never().is_some());
    }

    #[tokio::test]
    async fn turns_that_nobody_has_are_forgotten() {
        let turns = Turns::default();
        for number in 0..10_000 {
            turns.take("one", &Subject::parse(&format!("s{number}")).unwrap()).await;
        }
        assert!(lock(&turns.0).len() < 100, "{} are kept", lock(&turns.0).len());
    }
}
