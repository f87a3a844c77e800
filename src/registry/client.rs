//! The client of one registry: what it is made of, and what it has learnt. The calls stand in files of their own.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use super::base_url::BaseUrl;
use super::calls::CallCounts;
use super::error::RegistryError;
use super::facts::{Capabilities, Facts, Implementation};
use super::limits::Bucket;
use crate::api::SchemaType;

/// The most bytes of a reply that are read, unless the caller says otherwise: 4 MiB. Registries keep schemas under 1 MB.
pub const DEFAULT_MAX_REPLY_BYTES: usize = 4 << 20;

/// A connection that is not there after this long is given up, however long an answer may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Confluent's server drops idle connections after 30 s; one that it drops just as we write costs a write's outcome.
const IDLE_TIMEOUT: Duration = Duration::from_secs(15);

/// What a client needs to know.
#[derive(Clone, Debug)]
pub struct ClientConfig {
    /// Where the registry is.
    pub base: BaseUrl,
    /// The longest a request may take, from connecting to the last byte of the answer.
    pub timeout: Duration,
    /// The most requests a second, retries included; at least 1.
    pub requests_per_second: u32,
    /// The most bytes of a reply that are read.
    pub max_reply_bytes: usize,
}

/// A schema that a registry is asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Its format.
    pub schema_type: SchemaType,
    /// Its text.
    pub text: Arc<str>,
    /// Whether the registry is to normalize it; none: as the registry is configured.
    pub normalize: Option<bool>,
}

/// Where a registered schema goes if the subject knows it already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// It stays the version that it is.
    Append,
    /// It becomes the latest version (`version: -1`), where the registry can do that.
    MakeLatest,
}

/// Speaks to one registry. Cheap to clone; clones share connections, limits, counts and what was learnt.
#[derive(Clone, Debug)]
pub struct Client {
    pub(super) inner: Arc<Inner>,
}

#[derive(Debug)]
pub(super) struct Inner {
    pub config: ClientConfig,
    pub host: String,
    pub http: reqwest::Client,
    pub bucket: Bucket,
    pub counts: Arc<CallCounts>,
    learnt: RwLock<Capabilities>,
}

impl Client {
    /// A client that has learnt nothing yet. Makes no call. A process-wide TLS crypto provider must be installed.
    pub fn new(config: ClientConfig) -> Result<Client, RegistryError> {
        let host = config.base.host_and_port();
        let http = reqwest::Client::builder()
            .user_agent(concat!("schema-registrar/", env!("CARGO_PKG_VERSION")))
            .redirect(reqwest::redirect::Policy::none())
            .referer(false)
            .no_proxy()
            // A connect that times out was not sent; so that is told apart, it ends well before the whole.
            .connect_timeout(CONNECT_TIMEOUT.min(config.timeout / 2))
            .timeout(config.timeout)
            .pool_idle_timeout(IDLE_TIMEOUT)
            .build()
            .map_err(|error| RegistryError::NoClient {
                host: host.clone(),
                why: super::text::one_line(&error.to_string()),
            })?;
        Ok(Client {
            inner: Arc::new(Inner {
                bucket: Bucket::new(config.requests_per_second),
                config,
                host,
                http,
                counts: Arc::default(),
                learnt: RwLock::new(Capabilities::of(Implementation::Unknown, None)),
            }),
        })
    }

    /// Goes by these facts from now on.
    pub fn learn(&self, facts: &Facts) {
        self.update(|known| *known = facts.capabilities);
    }

    /// What the registry can do, as far as it is known.
    pub fn capabilities(&self) -> Capabilities {
        *self.inner.learnt.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many calls were made, for metrics.
    pub fn counts(&self) -> Arc<CallCounts> {
        self.inner.counts.clone()
    }

    /// Where the registry is.
    pub fn base(&self) -> &BaseUrl {
        &self.inner.config.base
    }

    pub(super) fn update(&self, change: impl FnOnce(&mut Capabilities)) {
        change(&mut self.inner.learnt.write().unwrap_or_else(PoisonError::into_inner));
    }
}
