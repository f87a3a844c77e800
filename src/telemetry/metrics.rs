//! What is counted, in the Prometheus text format. Labels are from closed sets: kinds, outcomes, routes, and the names of
//! registry resources.

use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeLabelSet, EncodeMetric, text};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::{ConstCounter, Counter};
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

/// One look took from a millisecond to half a minute.
fn seconds() -> Histogram {
    Histogram::new(exponential_buckets(0.001, 4.0, 8))
}

/// All that is counted.
pub struct Metrics {
    registry: Mutex<Registry>,
    looks: Family<Look, Counter>,
    look_seconds: Family<Kind, Histogram>,
    status_writes: Family<Kind, Counter>,
    disagreements: Family<Disagreement, Counter>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Disagreement {
    namespace: String,
    name: String,
    refused_by: &'static str,
}

impl Disagreement {
    fn new(namespace: &str, name: &str, refused_by: RefusedBy) -> Disagreement {
        let refused_by = match refused_by {
            RefusedBy::Operator => "operator",
            RefusedBy::Registry => "registry",
        };
        Disagreement { namespace: namespace.to_owned(), name: name.to_owned(), refused_by }
    }
}

/// Who alone refuses a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusedBy {
    /// The operator's own check.
    Operator,
    /// The registry.
    Registry,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Kind {
    kind: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Look {
    kind: String,
    outcome: &'static str,
}

/// One registry, as scraped.
#[derive(Clone, Debug)]
pub struct RegistryFigures {
    /// The namespace of the registry resource.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// Whether calls are made to it.
    pub is_up: bool,
    /// Method, path template, outcome, and how often.
    pub calls: Vec<(&'static str, &'static str, &'static str, u64)>,
}

impl Default for Metrics {
    fn default() -> Self {
        let (looks, status_writes) = (Family::default(), Family::default());
        let look_seconds = Family::new_with_constructor(seconds as fn() -> Histogram);
        let mut registry = Registry::with_prefix("schema_registrar");
        registry.register("reconciles", "Looks at resources, by outcome", looks.clone());
        registry.register("reconcile_seconds", "How long a look took", look_seconds.clone());
        registry.register("status_writes", "Status writes to the API server", status_writes.clone());
        let disagreements = Family::default();
        registry.register(
            "verdict_disagreements",
            "Changes that the registry or the operator's own check refuses alone, by the registry resource",
            disagreements.clone(),
        );
        Metrics { registry: Mutex::new(registry), looks, look_seconds, status_writes, disagreements }
    }
}

impl Metrics {
    /// A look at an object ended.
    pub fn looked(&self, kind: &str, took: Duration, ended_well: bool) {
        let outcome = if ended_well { "done" } else { "panicked" };
        self.looks.get_or_create(&Look { kind: kind.to_owned(), outcome }).inc();
        self.look_seconds.get_or_create(&Kind { kind: kind.to_owned() }).observe(took.as_secs_f64());
    }

    /// The API server took a status.
    pub fn status_written(&self, kind: &str) {
        self.status_writes.get_or_create(&Kind { kind: kind.to_owned() }).inc();
    }

    /// Registry and own check say different things about a change.
    pub fn disagreed(&self, namespace: &str, name: &str, refused_by: RefusedBy) {
        self.disagreements.get_or_create(&Disagreement::new(namespace, name, refused_by)).inc();
    }

    /// A registry resource is gone, and so are its series.
    pub fn forget_registry(&self, namespace: &str, name: &str) {
        for refused_by in [RefusedBy::Operator, RefusedBy::Registry] {
            let labels = Disagreement::new(namespace, name, refused_by);
            self.disagreements.remove(&labels);
        }
    }

    /// Has the registries told of at each scrape.
    pub fn collect_registries(&self, figures: impl Fn() -> Vec<RegistryFigures> + Send + Sync + 'static) {
        let collector = Registries(Box::new(figures));
        self.registry.lock().unwrap_or_else(PoisonError::into_inner).register_collector(Box::new(collector));
    }

    /// Everything, in the Prometheus text format.
    pub fn render(&self) -> Result<String, fmt::Error> {
        let mut out = String::new();
        text::encode(&mut out, &self.registry.lock().unwrap_or_else(PoisonError::into_inner))?;
        Ok(out)
    }
}

/// Tells of the registries at the moment of a scrape: one that is gone leaves no series behind.
struct Registries(Box<dyn Fn() -> Vec<RegistryFigures> + Send + Sync>);

impl fmt::Debug for Registries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Registries")
    }
}

impl Collector for Registries {
    fn encode(&self, mut encoder: DescriptorEncoder) -> Result<(), fmt::Error> {
        let all = (self.0)();
        let mut up = encoder.encode_descriptor(
            "registry_up",
            "Whether calls are made to the registry",
            None,
            MetricType::Gauge,
        )?;
        for registry in &all {
            let labels = [("namespace", registry.namespace.as_str()), ("name", registry.name.as_str())];
            ConstGauge::new(i64::from(registry.is_up)).encode(up.encode_family(&labels)?)?;
        }
        let mut calls = encoder.encode_descriptor(
            "registry_calls",
            "Calls to the registry, retries included",
            None,
            MetricType::Counter,
        )?;
        for registry in &all {
            for (method, route, outcome, count) in &registry.calls {
                let labels = [
                    ("namespace", registry.namespace.as_str()),
                    ("name", registry.name.as_str()),
                    ("method", method),
                    ("route", route),
                    ("outcome", outcome),
                ];
                ConstCounter::new(*count).encode(calls.encode_family(&labels)?)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_counted_is_told_with_its_labels() {
        let metrics = Metrics::default();
        metrics.looked("Schema", Duration::from_millis(3), true);
        metrics.status_written("Schema");
        metrics.disagreed("shop", "default", RefusedBy::Operator);
        metrics.collect_registries(|| {
            let calls = vec![("GET", "/subjects/{subject}/versions", "success", 7)];
            vec![RegistryFigures { namespace: "shop".into(), name: "default".into(), is_up: true, calls }]
        });
        let text = metrics.render().unwrap();
        for line in [
            "schema_registrar_reconciles_total{kind=\"Schema\",outcome=\"done\"} 1",
            "schema_registrar_status_writes_total{kind=\"Schema\"} 1",
            "schema_registrar_verdict_disagreements_total{namespace=\"shop\",name=\"default\",refused_by=\"operator\"} 1",
            "schema_registrar_registry_up{namespace=\"shop\",name=\"default\"} 1",
            "schema_registrar_registry_calls_total{namespace=\"shop\",name=\"default\",method=\"GET\",route=\"/subjects/{subject}/versions\",outcome=\"success\"} 7",
        ] {
            assert!(text.contains(line), "{line} is not in\n{text}");
        }
        metrics.forget_registry("shop", "default");
        assert!(!metrics.render().unwrap().contains("refused_by=\"operator\""), "the registry resource is gone");
    }
}
