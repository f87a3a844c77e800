//! Starts the watches and one controller a kind and scope, and ends them.

use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures::future::{BoxFuture, join_all};
use futures::{FutureExt, StreamExt};
use kube::Client;
use kube::runtime::controller::{Action, Config};
use kube::runtime::reflector::store::Writer;
use kube::runtime::reflector::{self, Store};
use kube::runtime::watcher::Event;
use kube::runtime::{Controller, Predicate, PredicateConfig, WatchStreamExt, predicates};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::watch;
use tracing::Instrument;

use super::connection::Connection;
use super::connections::Connections;
use super::context::Context;
use super::events::Events;
use super::kind::Kind;
use super::memory::Memories;
use super::ownership::ObjectKey;
use super::scope::{Guarded, Scope, Stores, key_of, watch_kind};
use super::turns::Turns;
use super::unreadable;
use super::wakes::{Wakes, as_triggers};
use crate::api::{Schema, SchemaRegistry, SubjectConfig};
use crate::registry::CallCount;
use crate::telemetry::{Metrics, RegistryFigures};

/// After a mistake of ours the object is left alone for a while.
const AFTER_PANIC: Duration = Duration::from_secs(60);

/// How many schema texts are parsed or compared at once. Of one registry it is one, so that one with hard schemas leaves
/// room for the others; and this bounds memory.
const PARSERS: usize = 8;

/// What to watch.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The scopes. One controller a kind runs for each.
    pub scopes: Vec<Scope>,
}

/// Whether the stores are filled. Never depends on a registry.
#[derive(Clone, Debug, Default)]
pub struct Readiness(Arc<AtomicBool>);

impl Readiness {
    /// Whether decisions can be made.
    pub fn is_ready(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Runs all controllers until `stop` is true, and then until their looks have ended.
pub async fn run(
    client: Client,
    settings: &Settings,
    metrics: Arc<Metrics>,
    readiness: Readiness,
    stop: watch::Receiver<bool>,
) {
    let scopes = &settings.scopes;
    let (registries, registry_ends) = ends::<SchemaRegistry>(scopes);
    let (configs, config_ends) = ends::<SubjectConfig>(scopes);
    let (schemas, schema_ends) = ends::<Schema>(scopes);
    let context = Arc::new(Context {
        registries: registries.0,
        schemas: schemas.0,
        configs: configs.0,
        connections: Connections::default(),
        schema_claims: Mutex::default(),
        config_claims: Mutex::default(),
        registry_specs: Mutex::default(),
        wake_registries: registries.1,
        wake_schemas: schemas.1,
        wake_configs: configs.1,
        schema_memories: Memories::default(),
        config_memories: Memories::default(),
        registry_memories: Memories::default(),
        unreadable: Mutex::default(),
        events: Events::new(client.clone()),
        metrics,
        turns: Turns::default(),
        parsers: tokio::sync::Semaphore::new(PARSERS),
        client,
    });
    let of_context = Arc::downgrade(&context);
    context
        .metrics
        .collect_registries(move || of_context.upgrade().map(|context| figures(&context)).unwrap_or_default());
    let mut all = controllers(&context, registry_ends, &stop);
    all.extend(controllers(&context, config_ends, &stop));
    all.extend(controllers(&context, schema_ends, &stop));
    let watching = join_all(all);
    tokio::pin!(watching);
    tokio::select! {
        _ = &mut watching => return,
        filled = filled(&context) => {
            readiness.0.store(filled, Ordering::Relaxed);
            if filled {
                tracing::info!("ready: all resources are listed, and looked at from now on");
            }
        }
    }
    watching.await;
}

fn figures(context: &Context) -> Vec<RegistryFigures> {
    let figures = |connection: &Arc<Connection>| RegistryFigures {
        namespace: connection.registry.namespace.clone(),
        name: connection.registry.name.clone(),
        is_up: connection.trouble().is_none(),
        calls: connection.client.counts().snapshot().into_iter().map(call_figures).collect(),
    };
    context.connections.all().iter().map(figures).collect()
}

fn call_figures(call: CallCount) -> (&'static str, &'static str, &'static str, u64) {
    (call.route.method(), call.route.template(), call.outcome.as_str(), call.count)
}

/// Nothing is decided before everything was listed: who owns what is not known before. False where the operator is ended
/// before that.
async fn filled(context: &Context) -> bool {
    context.registries.filled().await && context.configs.filled().await && context.schemas.filled().await
}

/// What a controller of one kind and scope needs of its own.
struct End<K: Kind> {
    scope: Scope,
    store: Store<Guarded<K>>,
    writer: Writer<Guarded<K>>,
    filled: watch::Sender<bool>,
    wakes: UnboundedReceiver<ObjectKey>,
}

fn ends<K: Kind>(scopes: &[Scope]) -> ((Stores<K>, Wakes), Vec<End<K>>) {
    let (wakes, receivers) = Wakes::new(scopes);
    let (mut stores, mut all_filled, mut ends) = (Vec::new(), Vec::new(), Vec::new());
    for (scope, receiver) in scopes.iter().zip(receivers) {
        let (store, writer) = reflector::store();
        let (filled, is_filled) = watch::channel(false);
        stores.push(store.clone());
        all_filled.push(is_filled);
        ends.push(End { scope: scope.clone(), store, writer, filled, wakes: receiver });
    }
    ((Stores::new(stores, all_filled), wakes), ends)
}

fn controllers<K: Kind>(
    context: &Arc<Context>,
    ends: Vec<End<K>>,
    stop: &watch::Receiver<bool>,
) -> Vec<BoxFuture<'static, ()>> {
    ends.into_iter().map(|end| controller(context.clone(), end, stop.clone()).boxed()).collect()
}

async fn controller<K: Kind>(context: Arc<Context>, end: End<K>, mut stop: watch::Receiver<bool>) {
    let seen = context.clone();
    let filled = end.filled;
    let stream = watch_kind(&context.client, &end.scope, end.writer, move |event| {
        K::on_event(&seen, event);
        let was_filled = matches!(event, Event::InitDone) && filled.send_replace(true);
        if was_filled {
            K::on_listed_anew(&seen);
        }
    });
    // A status that we wrote ourselves leads to nothing.
    let asked = predicates::generation.combine(predicates::annotations);
    let stream = stream.predicate_filter(asked, PredicateConfig::default());
    Controller::for_stream(stream, end.store)
        .with_config(Config::default())
        .reconcile_on(as_triggers(end.wakes))
        .graceful_shutdown_on(async move {
            // Without a sender nobody can ask for more work either.
            let _ = stop.wait_for(|stop| *stop).await;
        })
        .run(reconcile::<K>, |_, error, _| match *error {}, context)
        .for_each(|_| std::future::ready(()))
        .await;
}

/// One look at one object: nothing that happens in it ends the controller.
async fn reconcile<K: Kind>(object: Arc<Guarded<K>>, context: Arc<Context>) -> Result<Action, Infallible> {
    if !filled(&context).await {
        return Ok(Action::await_change());
    }
    let key = key_of(&*object);
    let span = tracing::info_span!("reconcile", kind = %K::kind(&()), namespace = %key.namespace, name = %key.name);
    let started = Instant::now();
    let look = async {
        match &object.0 {
            Ok(object) => object.look(&context).await,
            Err(invalid) => unreadable::report::<K>(invalid, &context).await,
        }
    };
    let ended = AssertUnwindSafe(look).catch_unwind().instrument(span.clone()).await;
    context.metrics.looked(&K::kind(&()), started.elapsed(), ended.is_ok());
    Ok(ended.unwrap_or_else(|_| {
        span.in_scope(|| {
            tracing::error!("a look at this object failed by a mistake in the operator; looking again in a while")
        });
        Action::requeue(AFTER_PANIC)
    }))
}
