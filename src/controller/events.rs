//! Tells transitions as Kubernetes events. An event that cannot be told stops nothing.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use k8s_openapi::api::core::v1::ObjectReference;
use kube::Client;
use kube::runtime::events::{Event, EventType, Recorder, Reporter};
use tokio::sync::Semaphore;

use super::conditions::one_line;
use crate::api::Reason;

/// Events carry at most 1 kB of note.
const MAX_NOTE: usize = 1000;

/// How many events are told at once: each call takes a connection of its own.
const AT_ONCE: usize = 8;

/// How long an event may keep its object waiting.
const PATIENCE: Duration = Duration::from_secs(10);

/// Tells transitions.
pub struct Events {
    recorder: Recorder,
    turns: Semaphore,
}

/// One transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// Whether a person should care.
    pub warning: bool,
    /// One word.
    pub reason: &'static str,
    /// One line.
    pub note: String,
}

impl Transition {
    /// Something went as it should.
    pub fn normal(reason: &'static str, note: String) -> Transition {
        Transition { warning: false, reason, note }
    }

    /// Something needs a person.
    pub fn warning(reason: Reason, note: String) -> Transition {
        Transition { warning: true, reason: reason.as_str(), note }
    }
}

impl Events {
    /// Tells in our name.
    pub fn new(client: Client) -> Events {
        let reporter = Reporter { controller: "schema-registrar".to_owned(), instance: std::env::var("POD_NAME").ok() };
        Events { recorder: Recorder::new(client, reporter), turns: Semaphore::new(AT_ONCE) }
    }

    /// Tells a transition of an object.
    pub async fn tell(&self, transition: &Transition, object: &ObjectReference) {
        let note = one_line(&transition.note, MAX_NOTE);
        let event = Event {
            type_: if transition.warning { EventType::Warning } else { EventType::Normal },
            reason: transition.reason.to_owned(),
            action: action(&note),
            note: Some(note),
            secondary: None,
        };
        let publish = async {
            // Closed it never is.
            let _turn = self.turns.acquire().await;
            self.recorder.publish(&event, object).await
        };
        match tokio::time::timeout(PATIENCE, publish).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::debug!(%error, "an event could not be told"),
            Err(_) => tracing::debug!("an event could not be told in time"),
        }
    }
}

/// Different for different notes. The recorder counts events that differ in nothing but their note as one, under the
/// first one's note: "registered version 1, 3 times".
fn action(note: &str) -> String {
    let mut hasher = DefaultHasher::new();
    note.hash(&mut hasher);
    format!("Reconcile/{:08x}", hasher.finish() as u32)
}
