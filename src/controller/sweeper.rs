//! Minds one connection: probes it, tries it again while it is away, and watches for drift.
//!
//! Drift is watched per registry, not per resource: each tick the smallest call that shows a change is made for each
//! converged subject, and only what moved is woken. What is not converged is looked at in full each tick, what is
//! converged each sixth.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::time::Duration;

use futures::{StreamExt, stream};
use kube::ResourceExt;
use tokio::time::{Instant, sleep, sleep_until};

use super::connection::Connection;
use super::context::{Context, is_paused, lock};
use super::memory::backoff;
use super::ownership::{ObjectKey, Ownership};
use super::schema::is_converged as schema_is_converged;
use super::subject_config::is_converged as config_is_converged;
use crate::api::{LevelStatus, Schema, SubjectConfig};
use crate::registry::Priority;
use crate::schema::{Subject, Version};

/// Every so many ticks a converged subject is looked at in full.
const FULL_LOOK_TICKS: u64 = 6;
/// How often who answers, and what it can do, is found out anew.
const PROBE_EVERY: Duration = Duration::from_secs(3600);
/// A registry that nothing was heard of for so long is asked whether it is still there: with nothing to do, nobody would
/// notice an outage before the next drift check.
const SILENCE: Duration = Duration::from_secs(60);

/// How often it is looked whether a registry resource is still paused.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// Runs for as long as the connection is there.
pub async fn mind(connection: Arc<Connection>, context: Arc<Context>) {
    first_probe(&connection, &context).await;
    let mut sweep = Sweep::new(connection.clone(), context.clone());
    let mut probed = Instant::now();
    let mut next = Instant::now() + sweep.interval();
    let mut asked = Instant::now();
    loop {
        while connection.is_open() {
            recover(&connection, &context).await;
            probed = Instant::now();
        }
        tokio::select! {
            () = connection.opened.notified() => context.wake_registries.wake(connection.registry.clone()),
            () = connection.doubted.notified() => {
                sweep.look_at_global().await;
                asked = Instant::now();
            }
            () = sleep_until(next_question(&connection, asked)) => {
                if connection.shown_trouble().is_some() {
                    sweep.look_at_global().await;
                } else {
                    ask_whether_it_is_there(&connection, &context).await;
                }
                asked = Instant::now();
            }
            () = sleep_until(next) => {
                if probed.elapsed() >= PROBE_EVERY && !is_left_alone(&connection, &context) {
                    probe_again(&connection, &context).await;
                    probed = Instant::now();
                }
                sweep.tick().await;
                next = Instant::now() + sweep.interval();
            }
        }
    }
}

/// Probes until there is an answer; what waits for it is told either way.
async fn first_probe(connection: &Connection, context: &Context) {
    for tries in 0.. {
        while is_left_alone(connection, context) {
            sleep(LOOK_AGAIN).await;
        }
        let before = context.identity(&connection.registry);
        let found = connection.probe().await;
        context.wake_registries.wake(connection.registry.clone());
        if found.is_ok() {
            if before != context.identity(&connection.registry) {
                context.wake_contested();
            }
            // Whoever looked during the first try waited for its end.
            if tries > 0 {
                context.wake_dependents(&connection.registry);
            }
            return;
        }
        sleep(backoff(tries, fastrand::f64()).min(Duration::from_secs(10))).await;
    }
}

/// A registry that refuses us is asked again however much else it is asked; else silence has to pass.
fn next_question(connection: &Connection, asked: Instant) -> Instant {
    let heard = if connection.shown_trouble().is_some() { asked } else { asked.max(connection.heard()) };
    heard + SILENCE
}

/// One failure may be chance: as many in a row as open the breaker are none, and end this.
async fn ask_whether_it_is_there(connection: &Connection, context: &Context) {
    while !(is_left_alone(connection, context) || connection.is_open()) {
        let answer = connection.client.ping().await;
        connection.note(&answer);
        if !answer.is_err_and(|error| error.hits_breaker()) {
            return;
        }
        sleep(Duration::from_secs(1)).await;
    }
}

/// Whether the registry resource is paused.
fn is_left_alone(connection: &Connection, context: &Context) -> bool {
    context.registries.get(&connection.registry).is_some_and(|registry| is_paused(&*registry))
}

/// Tries the registry, with pauses, until it answers.
async fn recover(connection: &Connection, context: &Context) {
    context.wake_registries.wake(connection.registry.clone());
    while connection.is_open() {
        if let Some(trial) = connection.next_trial() {
            tokio::select! {
                () = sleep_until(Instant::from_std(trial)) => {}
                // Should it have been closed for a moment, that is what the registry resource shows.
                () = connection.opened.notified() => {
                    context.wake_registries.wake(connection.registry.clone());
                    continue;
                }
            }
        }
        if is_left_alone(connection, context) {
            sleep(LOOK_AGAIN).await;
        } else if connection.may_try() {
            let answer = connection.client.ping().await;
            connection.note(&answer);
        }
    }
    // A call from before the outage may have ended well just now.
    ask_whether_it_is_there(connection, context).await;
    if connection.is_open() {
        return;
    }
    tracing::info!(registry = %connection.registry.name, namespace = %connection.registry.namespace, "registry is back");
    probe_again(connection, context).await;
    context.wake_registries.wake(connection.registry.clone());
    context.wake_dependents(&connection.registry);
}

/// After an upgrade only what was refused is judged again; another identity moves ownership.
async fn probe_again(connection: &Connection, context: &Context) {
    let (identity, before) = (connection.identity(), connection.known_facts());
    let Ok(now) = connection.probe().await else { return };
    context.wake_registries.wake(connection.registry.clone());
    if connection.identity() != identity {
        context.wake_contested();
        context.wake_dependents(&connection.registry);
    }
    if before.is_some_and(|before| (before.implementation, &before.version) != (now.implementation, &now.version)) {
        let refused = context.schemas.keys_where(|schema| !schema_is_converged(schema));
        let claims = lock(&context.schema_claims)
            .of_registry(&connection.registry)
            .map(|c| c.object.clone())
            .collect::<HashSet<_>>();
        context.wake_schemas.wake_all(refused.into_iter().filter(|schema| claims.contains(schema)));
    }
}

struct Sweep {
    connection: Arc<Connection>,
    context: Arc<Context>,
    ticks: u64,
    versions: HashMap<ObjectKey, Vec<Version>>,
}

impl Sweep {
    fn new(connection: Arc<Connection>, context: Arc<Context>) -> Sweep {
        Sweep { connection, context, ticks: 0, versions: HashMap::new() }
    }

    /// A tenth more or less than what the resource asks for, so that registries are not asked in step.
    fn interval(&self) -> Duration {
        self.connection.drift_check.mul_f64(0.9 + 0.2 * fastrand::f64())
    }

    async fn tick(&mut self) {
        if is_left_alone(&self.connection, &self.context) {
            return;
        }
        self.ticks += 1;
        self.look_at_global().await;
        let lanes = self.connection.drift_lanes();
        let configs = self.claims(&self.context.config_claims);
        stream::iter(configs).for_each_concurrent(lanes, |config| self.look_at_config(config)).await;
        let schemas = self.claims(&self.context.schema_claims);
        let looks = stream::iter(schemas).map(|schema| self.look_at_schema(schema)).buffer_unordered(lanes);
        let seen: Vec<_> = looks.filter_map(std::future::ready).collect().await;
        // What is not there any more is forgotten.
        self.versions = seen.into_iter().collect();
    }

    fn claims(&self, claims: &std::sync::Mutex<Ownership>) -> Vec<ObjectKey> {
        let mut all: Vec<_> =
            lock(claims).of_registry(&self.connection.registry).map(|claimant| claimant.object.clone()).collect();
        all.sort();
        all
    }

    /// The registry-wide settings; whoever inherits them is woken when they change.
    async fn look_at_global(&self) {
        if is_left_alone(&self.connection, &self.context) {
            return;
        }
        let _permit = self.connection.permits.acquire(Priority::Drift).await;
        let registry = &self.connection.registry;
        let was_refused = self.connection.shown_trouble().is_some();
        match self.connection.track(self.connection.client.global().await) {
            Ok(global) => {
                if self.connection.set_global(global) || was_refused {
                    self.context.wake_registries.wake(registry.clone());
                    self.context.wake_dependents(registry);
                }
            }
            Err(trouble) => {
                if self.connection.set_global_failed(trouble) {
                    self.context.wake_registries.wake(registry.clone());
                }
            }
        }
    }

    /// Looks at the list of versions. Returns it, where the subject is converged and was read.
    async fn look_at_schema(&self, key: ObjectKey) -> Option<(ObjectKey, Vec<Version>)> {
        let object = self.context.schemas.get(&key)?;
        let schema = object.0.as_ref().ok()?;
        if !schema_is_converged(schema) || self.is_due_in_full(&key) {
            self.context.wake_schemas.wake(key);
            return None;
        }
        let _permit = self.connection.permits.acquire(Priority::Drift).await;
        if self.connection.trouble().is_some() {
            return None;
        }
        let subject = subject_of(schema.spec.subject.as_deref(), &schema.name_any())?;
        let versions = match self.connection.track(self.connection.client.versions(&subject).await) {
            Ok(versions) => versions,
            Err(trouble) => {
                if self.connection.as_shown(trouble).await.is_of_subject {
                    self.context.wake_schemas.wake(key);
                }
                return None;
            }
        };
        if moved(self.versions.get(&key), &versions, latest_of(schema)) {
            self.context.wake_schemas.wake(key.clone());
        }
        Some((key, versions))
    }

    /// Looks at the level in force.
    async fn look_at_config(&self, key: ObjectKey) {
        let Some(object) = self.context.configs.get(&key) else { return };
        let Ok(config) = &object.0 else { return };
        if !config_is_converged(config) || self.is_due_in_full(&key) {
            self.context.wake_configs.wake(key);
            return;
        }
        let _permit = self.connection.permits.acquire(Priority::Drift).await;
        let (None, Some(facts)) = (self.connection.trouble(), self.connection.known_facts()) else { return };
        let Some(subject) = subject_of(config.spec.subject.as_deref(), &config.name_any()) else { return };
        let is_to_be_told = match self.connection.track(self.connection.client.level(&subject, &facts.global).await) {
            Ok(level) => {
                let now = LevelStatus { level: level.level, level_source: level.source.to_string() };
                level_of(config) != Some(&now)
            }
            Err(trouble) => self.connection.as_shown(trouble).await.is_of_subject,
        };
        if is_to_be_told {
            self.context.wake_configs.wake(key);
        }
    }

    fn is_due_in_full(&self, key: &ObjectKey) -> bool {
        let mut hasher = DefaultHasher::new();
        key.hash(&mut hasher);
        self.ticks.wrapping_add(hasher.finish()).is_multiple_of(FULL_LOOK_TICKS)
    }
}

/// Whether a list of versions shows a change: from the one before, or from the latest version that was reported. A look
/// that this leads to may fail, and then reports nothing: the list alone would not show the change again.
fn moved(before: Option<&Vec<Version>>, now: &[Version], reported: Option<i64>) -> bool {
    before.is_some_and(|before| before != now) || now.last().map(|latest| latest.number()) != reported
}

fn subject_of(named: Option<&str>, name: &str) -> Option<Subject> {
    Subject::parse(named.unwrap_or(name)).ok()
}

fn latest_of(schema: &Schema) -> Option<i64> {
    schema.status.as_ref()?.latest_version
}

fn level_of(config: &SubjectConfig) -> Option<&LevelStatus> {
    config.status.as_ref()?.compatibility.as_ref()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::as_reported(None, &[1, 2], Some(2), false)]
    #[case::as_before(Some(vec![1, 2]), &[1, 2], Some(2), false)]
    #[case::a_newer_version(Some(vec![1, 2]), &[1, 2, 3], Some(2), true)]
    #[case::a_newer_version_that_was_not_reported_yet(Some(vec![1, 2, 3]), &[1, 2, 3], Some(2), true)]
    #[case::an_older_version_is_gone(Some(vec![1, 2]), &[2], Some(2), true)]
    #[case::the_subject_is_gone(Some(vec![1]), &[], Some(1), true)]
    #[case::no_subject(None, &[], None, false)]
    fn a_change_is_seen_until_it_is_reported(
        #[case] before: Option<Vec<i64>>,
        #[case] now: &[i64],
        #[case] reported: Option<i64>,
        #[case] expected: bool,
    ) {
        let versions = |numbers: &[i64]| numbers.iter().filter_map(|number| Version::new(*number)).collect::<Vec<_>>();
        let before = before.map(|before| versions(&before));
        assert_eq!(moved(before.as_ref(), &versions(now), reported), expected);
    }
}
