//! One registry: client, limits, circuit breaker and what was learnt. One resource is one connection, until its spec
//! changes.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use kube::ResourceExt;
use tokio::sync::{Notify, Semaphore, watch};
use tokio::time::Instant;

use super::ownership::ObjectKey;
use super::scope::key_of;
use super::trouble::Trouble;
use crate::api::{ImplementationChoice, Management, Reason, SchemaRegistry, VerdictChoice};
use crate::registry::{
    BaseUrl, Breaker, Client, ClientConfig, DEFAULT_MAX_REPLY_BYTES, Facts, GlobalSettings, Implementation, Permits,
    RegistryError,
};

/// A connection to one registry.
pub struct Connection {
    /// The registry resource.
    pub registry: ObjectKey,
    /// Speaks to the registry.
    pub client: Client,
    /// How many subjects are worked on at once. A look at a subject holds one from its first call to its last.
    pub permits: Permits,
    /// One of its schemas is compared at a time.
    pub comparing: Semaphore,
    /// Whether the registry may be written to.
    pub management: Management,
    /// Who has to accept a change.
    pub verdict: VerdictChoice,
    /// How often a converged subject is looked at again.
    pub drift_check: Duration,
    /// Rung when the breaker opens, and whenever else the registry resource has something new to show.
    pub opened: Notify,
    /// Rung when the registry-wide settings may be others than was last read: a call was answered 401, or a verdict is not
    /// the one that was expected.
    pub doubted: Notify,
    max_in_flight: usize,
    implementation: ImplementationChoice,
    state: Mutex<State>,
    probed: watch::Sender<bool>,
}

struct State {
    breaker: Breaker,
    facts: Option<Arc<Facts>>,
    trouble: Option<Trouble>,
    /// How the last read of the registry-wide settings failed, if it did. Stops no call.
    settings: Option<Trouble>,
    /// When the last call ended.
    heard: Instant,
}

impl Connection {
    /// The connection that a resource describes. Makes no call.
    pub fn new(resource: &SchemaRegistry) -> Result<Connection, Trouble> {
        let (name, spec) = (resource.name_any(), &resource.spec);
        let invalid =
            |why: String| Trouble { reason: Reason::InvalidUrl, message: why, passes: false, is_of_subject: false };
        let url = spec.urls.first().map(String::as_str).unwrap_or_default();
        let base =
            BaseUrl::parse(url).map_err(|error| invalid(format!("spec.urls of SchemaRegistry {name}: {error}")))?;
        let limits = &spec.limits;
        let config = ClientConfig {
            base,
            timeout: Duration::from_secs(u64::from(limits.timeout_seconds.unsigned_abs().max(1))),
            requests_per_second: limits.requests_per_second.unsigned_abs().max(1),
            max_reply_bytes: DEFAULT_MAX_REPLY_BYTES,
        };
        let max_in_flight = limits.max_in_flight.unsigned_abs().max(1) as usize;
        Ok(Connection {
            registry: key_of(resource),
            client: Client::new(config).map_err(|error| Trouble::of(&name, &error))?,
            permits: Permits::new(max_in_flight),
            comparing: Semaphore::new(1),
            management: spec.management,
            verdict: spec.verdict,
            drift_check: Duration::from_secs(u64::from(spec.drift_check_seconds.unsigned_abs().max(1))),
            opened: Notify::new(),
            doubted: Notify::new(),
            max_in_flight,
            implementation: spec.implementation,
            state: Mutex::new(State {
                breaker: Breaker::new(),
                facts: None,
                trouble: None,
                settings: None,
                heard: Instant::now(),
            }),
            probed: watch::Sender::new(false),
        })
    }

    /// How many subjects drift checks may look at side by side: what they may hold of the permits.
    pub fn drift_lanes(&self) -> usize {
        self.max_in_flight.div_ceil(2)
    }

    /// Nothing while calls may be made; else why not.
    pub fn trouble(&self) -> Option<Trouble> {
        let state = self.state();
        state.trouble.clone().filter(|_| state.breaker.is_open() || state.facts.is_none())
    }

    /// Takes note of how a call ended, and turns its error into words.
    pub fn track<T>(&self, result: Result<T, RegistryError>) -> Result<T, Trouble> {
        self.note(&result);
        result.map_err(|error| self.words(&error))
    }

    /// Takes note of how a call ended.
    pub fn note<T>(&self, result: &Result<T, RegistryError>) {
        let mut state = self.state();
        state.heard = Instant::now();
        match result {
            Err(error) if error.hits_breaker() => {
                let was_open = state.breaker.is_open();
                state.breaker.on_failure(Instant::now().into_std(), fastrand::f64());
                state.trouble = Some(self.words(&error.about_registry()));
                if state.breaker.is_open() && !was_open {
                    tracing::warn!(registry = %self.registry.name, namespace = %self.registry.namespace, %error, "registry is away");
                    self.opened.notify_one();
                }
            }
            // Whatever else was answered, the registry answers.
            Err(error) => {
                state.breaker.on_success();
                if matches!(error, RegistryError::Unauthorized { .. }) && state.settings.is_none() {
                    self.doubted.notify_one();
                }
            }
            Ok(_) => {
                state.breaker.on_success();
                if state.settings.take_if(|trouble| trouble.passes).is_some() {
                    self.opened.notify_one();
                }
            }
        }
    }

    /// What the registry resource has to show, also while calls are made: nobody else tells of a registry that refuses
    /// its readers, as long as nothing is to be written.
    pub fn shown_trouble(&self) -> Option<Trouble> {
        self.trouble().or_else(|| self.state().settings.clone())
    }

    /// Trouble of a subject is that of all where the registry resource shows trouble itself. So that hundreds of subjects
    /// do not tell what is wrong with a gateway, what is for all is read first.
    pub async fn as_shown(&self, trouble: Trouble) -> Trouble {
        if trouble.is_of_subject && self.shown_trouble().is_none() {
            let of_all = self.track(self.client.global().await).err();
            if of_all.is_some_and(|of_all| self.set_global_failed(of_all)) {
                self.opened.notify_one();
            }
        }
        Trouble { is_of_subject: trouble.is_of_subject && self.shown_trouble().is_none(), ..trouble }
    }

    /// An error in the words that a person gets.
    pub fn words(&self, error: &RegistryError) -> Trouble {
        Trouble::of(&self.registry.name, error)
    }

    /// What was learnt about the registry. Waits for the first probe, which the connection's own task makes, or for that
    /// task's end.
    pub async fn facts(&self) -> Result<Arc<Facts>, Trouble> {
        // The sender lives in self: waiting cannot fail.
        let _ = self.probed.subscribe().wait_for(|probed| *probed).await;
        match (self.trouble(), self.known_facts()) {
            (None, Some(facts)) => Ok(facts),
            (Some(trouble), _) => Err(trouble),
            (None, None) => Err(self.not_probed()),
        }
    }

    /// Nobody minds this connection any more: whoever waits for its first probe is told so, and looks again.
    pub fn end(&self) {
        self.probed.send_replace(true);
    }

    fn not_probed(&self) -> Trouble {
        let message = format!("registry {} was not reached yet", self.registry.name);
        Trouble { reason: Reason::RegistryUnavailable, message, passes: true, is_of_subject: false }
    }

    /// Finds out anew who answers and what it can do.
    pub async fn probe(&self) -> Result<Arc<Facts>, Trouble> {
        let result = self.client.probe().await;
        if let Err(error) = &result {
            self.state().trouble = Some(self.words(error));
        }
        let facts = self.track(result).map(|facts| self.take_in(facts));
        self.probed.send_replace(true);
        facts
    }

    fn take_in(&self, mut facts: Facts) -> Arc<Facts> {
        if let Some(set) = set_by_hand(self.implementation) {
            facts = facts.overridden(set, None);
        }
        let mut state = self.state();
        if let Some(known) = &state.facts {
            facts = facts.or_known(known);
        }
        self.client.learn(&facts);
        if state.facts.is_none() {
            // The first probe is repeated without asking the breaker.
            state.breaker = Breaker::new();
        }
        let facts = Arc::new(facts);
        state.facts = Some(facts.clone());
        state.settings = None;
        facts
    }

    /// Takes in that the registry-wide settings could not be read. Says whether that is new.
    pub fn set_global_failed(&self, trouble: Trouble) -> bool {
        let before = self.state().settings.replace(trouble.clone());
        before != Some(trouble)
    }

    /// Takes in the registry-wide settings as just read. Says whether they changed.
    pub fn set_global(&self, global: GlobalSettings) -> bool {
        let mut state = self.state();
        if state.settings.take().is_some() {
            self.opened.notify_one();
        }
        match &mut state.facts {
            Some(facts) if facts.global != global => {
                Arc::make_mut(facts).global = global;
                true
            }
            _ => false,
        }
    }

    /// What was learnt so far.
    pub fn known_facts(&self) -> Option<Arc<Facts>> {
        self.state().facts.clone()
    }

    /// Whether the breaker keeps calls back.
    pub fn is_open(&self) -> bool {
        self.state().breaker.is_open()
    }

    /// When the last call ended, however it did.
    pub fn heard(&self) -> Instant {
        self.state().heard
    }

    /// When the next trial call may be made, while the breaker is open.
    pub fn next_trial(&self) -> Option<std::time::Instant> {
        self.state().breaker.next_trial()
    }

    /// Whether a trial call may be made now.
    pub fn may_try(&self) -> bool {
        self.state().breaker.may_call(Instant::now().into_std())
    }

    /// What makes this registry the same one as another resource's.
    pub fn identity(&self) -> String {
        let cluster = self.known_facts().and_then(|facts| facts.cluster_id.clone());
        cluster.unwrap_or_else(|| self.client.base().identity())
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn set_by_hand(choice: ImplementationChoice) -> Option<Implementation> {
    match choice {
        ImplementationChoice::Auto => None,
        ImplementationChoice::Confluent => Some(Implementation::Confluent),
        ImplementationChoice::Karapace => Some(Implementation::Karapace),
        ImplementationChoice::Redpanda => Some(Implementation::Redpanda),
        ImplementationChoice::Apicurio => Some(Implementation::Apicurio),
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    fn connection() -> Connection {
        // Installed already where another test came first.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let spec = serde_json::from_value(serde_json::json!({ "urls": ["http://registry:8081"] })).unwrap();
        Connection::new(&SchemaRegistry::new("default", spec)).unwrap()
    }

    fn facts() -> Facts {
        Facts {
            implementation: Implementation::Unknown,
            version: None,
            cluster_id: None,
            capabilities: crate::registry::Capabilities::of(Implementation::Unknown, None),
            global: GlobalSettings { level: None, mode: crate::api::Mode::Readwrite },
        }
    }

    #[test]
    fn a_registry_that_refuses_its_readers_is_shown_though_its_breaker_is_closed() {
        let connection = connection();
        connection.take_in(facts());
        assert_eq!(connection.shown_trouble(), None);

        let refused = connection.track::<()>(Err(RegistryError::Unauthorized { host: "registry:8081".into() }));
        assert!(connection.set_global_failed(refused.clone().unwrap_err()), "it is new");
        assert!(!connection.set_global_failed(refused.clone().unwrap_err()), "it is not told again");
        assert_eq!((connection.trouble(), connection.shown_trouble()), (None, refused.err()));
        connection.note(&Ok(()));
        assert!(connection.shown_trouble().is_some(), "another call that passes does not end what a person has to end");
        connection.set_global(facts().global);
        assert_eq!(connection.shown_trouble(), None);
    }

    #[test]
    fn a_registry_that_comes_up_after_its_first_probes_is_not_away() {
        let connection = connection();
        let down = RegistryError::Unreachable { host: "registry:8081".into(), cause: crate::registry::Cause::Refused };
        for _ in 0..3 {
            connection.note::<()>(&Err(down.clone()));
        }
        assert!(connection.is_open());
        connection.note(&Ok(()));
        assert!(connection.is_open(), "one call that ends well was under way before");
        connection.take_in(facts());
        assert_eq!((connection.is_open(), connection.trouble()), (false, None));
    }

    #[test]
    fn whoever_waits_for_a_first_probe_that_never_ends_is_told_when_the_connection_ends() {
        let connection = connection();
        let waiting = connection.facts();
        futures::pin_mut!(waiting);
        assert!(waiting.as_mut().now_or_never().is_none());

        connection.end();
        let trouble = waiting.now_or_never().unwrap().unwrap_err();
        assert!(trouble.passes, "looked at again: {}", trouble.message);
    }
}
