//! Finding out whose registry it is. None of these calls has to succeed: gateways hide them, rights forbid them.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::calls::Route;
use super::client::Client;
use super::error::RegistryError;
use super::facts::{Capabilities, Facts, Implementation};
use super::reply::Reply;
use super::text::one_line;

/// Where Apicurio serves this API; its own begins at `/apis/registry`.
const APICURIO_PREFIX: &str = "/apis/ccompat/";

/// `GET /v1/metadata/version`, Confluent since 7.1.2, and Apicurio's system info.
#[derive(Deserialize)]
struct VersionBody {
    version: Option<String>,
}

/// `GET /v1/metadata/id`, Confluent since 5.4.
#[derive(Deserialize)]
struct IdBody {
    scope: Scope,
}

#[derive(Deserialize)]
struct Scope {
    clusters: Clusters,
}

#[derive(Deserialize)]
struct Clusters {
    #[serde(rename = "kafka-cluster")]
    kafka: Option<String>,
    #[serde(rename = "schema-registry-cluster")]
    registry: Option<String>,
}

/// `GET /_health`.
#[derive(Deserialize)]
struct KarapaceHealth {
    karapace_version: String,
}

/// What a registry says of itself.
#[derive(Default)]
struct Identity {
    implementation: Implementation,
    version: Option<String>,
    cluster_id: Option<String>,
}

impl Client {
    /// Finds out whose registry it is, and reads the registry-wide settings. Does not [`learn`](Client::learn).
    ///
    /// An error means that the settings could not be read: the registry is down, refuses us, or is none.
    pub async fn probe(&self) -> Result<Facts, RegistryError> {
        let Identity { implementation, version, cluster_id } = self.identify().await?;
        let capabilities = Capabilities::of(implementation, version.as_deref());
        let global = self.global_of(&capabilities).await?;
        if global.level.is_none() {
            // Nothing was read yet that only a registry that lets us in would answer.
            self.ping().await?;
        }
        Ok(Facts { implementation, version, cluster_id, capabilities, global })
    }

    /// The smallest call that a registry answers without looking anything up. An answer of any kind will do, unless it
    /// says that the registry is down or refuses us. One call alone may fail for reasons of its own: two have to.
    pub async fn ping(&self) -> Result<(), RegistryError> {
        let reply = self.get(Route::Types, "/schemas/types", "").await?;
        match reply.status {
            200..300 | 400 | 404..=407 => Ok(()),
            500.. => self.get(Route::GetGlobalLevel, "/config", "").await.and_then(|second| match second.status {
                200..300 | 400 | 403..=407 => Ok(()),
                _ => Err(reply.error()),
            }),
            _ => Err(reply.error()),
        }
    }

    async fn identify(&self) -> Result<Identity, RegistryError> {
        if self.base().path().contains(APICURIO_PREFIX) {
            return self.apicurio().await;
        }
        if let Some(confluent) = self.confluent().await? {
            return Ok(confluent);
        }
        if let Some(karapace) = self.karapace().await? {
            return Ok(karapace);
        }
        self.redpanda().await
    }

    async fn apicurio(&self) -> Result<Identity, RegistryError> {
        let prefix = self.base().path().split(APICURIO_PREFIX).next().unwrap_or_default();
        let path = format!("{prefix}{}", Route::ApicurioInfo.template());
        let info: Option<VersionBody> = hint(self.get_at_root(Route::ApicurioInfo, &path).await)?;
        let version = info.and_then(|info| info.version).map(|version| one_line(&version));
        Ok(Identity { implementation: Implementation::Apicurio, version, cluster_id: None })
    }

    async fn confluent(&self) -> Result<Option<Identity>, RegistryError> {
        let version: Option<VersionBody> = hint(self.hinted(Route::MetadataVersion).await)?;
        let id: Option<IdBody> = hint(self.hinted(Route::MetadataId).await)?;
        if version.is_none() && id.is_none() {
            return Ok(None);
        }
        let version = version.and_then(|body| body.version).map(|version| one_line(&version));
        let cluster_id = id.and_then(|body| cluster_id(body.scope.clusters));
        Ok(Some(Identity { implementation: Implementation::Confluent, version, cluster_id }))
    }

    async fn karapace(&self) -> Result<Option<Identity>, RegistryError> {
        let health: Option<KarapaceHealth> = hint(self.hinted(Route::KarapaceHealth).await)?;
        Ok(health.map(|health| Identity {
            implementation: Implementation::Karapace,
            version: Some(one_line(&health.karapace_version)),
            cluster_id: None,
        }))
    }

    /// Redpanda does not tell its release here; its server names the framework that it is built with.
    async fn redpanda(&self) -> Result<Identity, RegistryError> {
        let reply = match self.hinted(Route::RedpandaReady).await {
            Err(error @ RegistryError::Unreachable { .. }) => return Err(error),
            reply => reply.ok(),
        };
        let seastar = reply.is_some_and(|reply| {
            reply.status == 200 && reply.server.is_some_and(|server| server.starts_with("Seastar"))
        });
        let implementation = if seastar { Implementation::Redpanda } else { Implementation::Unknown };
        Ok(Identity { implementation, ..Identity::default() })
    }

    async fn hinted(&self, route: Route) -> Result<Reply, RegistryError> {
        self.get(route, route.template(), "").await
    }
}

/// What an answer tells, if it is the one that was hoped for. Only a registry that cannot be reached is an error.
fn hint<T: DeserializeOwned>(reply: Result<Reply, RegistryError>) -> Result<Option<T>, RegistryError> {
    match reply {
        Ok(reply) if reply.status == 200 => Ok(reply.object().ok()),
        Err(error @ RegistryError::Unreachable { .. }) => Err(error),
        _ => Ok(None),
    }
}

fn cluster_id(clusters: Clusters) -> Option<String> {
    let parts = [clusters.kafka, clusters.registry];
    let known: Vec<String> = parts.into_iter().flatten().map(|part| one_line(&part)).collect();
    (!known.is_empty()).then(|| known.join("/"))
}
