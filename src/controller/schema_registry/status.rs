//! The status of a `SchemaRegistry`. Pure.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;

use super::Seen;
use crate::api::{ImplementationStatus, Management, Reason, SchemaRegistry, SchemaRegistryStatus};
use crate::controller::conditions::{Progress, Truth, Verdict, conditions, frozen, one_line};
use crate::controller::profile;
use crate::registry::Facts;

/// What the definition lets a release be long: a registry's own words must not make a status that is refused.
const MAX_VERSION: usize = 128;

/// The status that follows.
pub fn status(
    registry: &SchemaRegistry,
    seen: &Seen,
    before: &SchemaRegistryStatus,
    now: &Time,
) -> SchemaRegistryStatus {
    let generation = registry.metadata.generation.unwrap_or_default();
    let verdict = verdict(registry, seen);
    let conditions = match seen {
        Seen::Paused => frozen(&verdict, &before.conditions, before.observed_generation, now),
        _ => conditions(&verdict, &before.conditions, generation, now),
    };
    match seen {
        Seen::Paused => SchemaRegistryStatus { conditions, ..before.clone() },
        Seen::Trouble(_) => {
            SchemaRegistryStatus { observed_generation: Some(generation), conditions, ..before.clone() }
        }
        Seen::Connected { facts, identity } => SchemaRegistryStatus {
            observed_generation: Some(generation),
            implementation: Some(ImplementationStatus {
                profile: Some(profile::choose(facts.implementation, facts.version.as_deref()).profile.name.to_owned()),
                name: facts.implementation.to_string(),
                version: facts.version.as_deref().map(|version| one_line(version, MAX_VERSION)),
            }),
            identity: Some(identity.clone()),
            compatibility: facts.global.level,
            mode: Some(facts.global.mode),
            conditions,
        },
    }
}

/// The content of the conditions.
pub fn verdict(registry: &SchemaRegistry, seen: &Seen) -> Verdict {
    let (ready, progress, reason, message) = match seen {
        Seen::Paused => (
            Truth::Unknown,
            Progress::Settled,
            Reason::Paused,
            "paused: nothing of this registry is looked at or written until the annotation schemaregistrar.dev/paused is removed".to_owned(),
        ),
        Seen::Connected { facts, .. } => (Truth::True, Progress::Settled, Reason::Connected, connected(registry, facts)),
        Seen::Trouble(trouble) if trouble.passes => {
            (Truth::False, Progress::Reconciling, trouble.reason, format!("{}; retrying", trouble.message))
        }
        Seen::Trouble(trouble) => (Truth::False, Progress::Stalled, trouble.reason, trouble.message.clone()),
    };
    Verdict { ready, progress, reason, message, compatible: None, drifted: false }
}

fn connected(registry: &SchemaRegistry, facts: &Facts) -> String {
    let who = match &facts.version {
        Some(version) => format!("{} {version}", facts.implementation),
        None => facts.implementation.to_string(),
    };
    match registry.spec.management {
        Management::Full => format!("{who} answers"),
        Management::Observe => format!("{who} answers; management is Observe, so nothing is written to it"),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use k8s_openapi::jiff::Timestamp;

    use super::*;
    use crate::registry::{Capabilities, GlobalSettings, Implementation};

    #[test]
    fn a_registry_that_names_an_endless_release_is_reported_all_the_same() {
        let spec = serde_json::from_value(serde_json::json!({ "urls": ["http://registry:8081"] })).unwrap();
        let facts = Facts {
            implementation: Implementation::Confluent,
            version: Some("8".repeat(300)),
            cluster_id: None,
            capabilities: Capabilities::of(Implementation::Confluent, None),
            global: GlobalSettings { level: None, mode: crate::api::Mode::Readwrite },
        };
        let seen = Seen::Connected { facts: Arc::new(facts), identity: "http://registry:8081".into() };
        let (registry, now) = (SchemaRegistry::new("default", spec), Time(Timestamp::UNIX_EPOCH));
        let status = status(&registry, &seen, &SchemaRegistryStatus::default(), &now);
        assert!(status.implementation.and_then(|shown| shown.version).is_some_and(|version| version.len() <= 128));
    }
}
