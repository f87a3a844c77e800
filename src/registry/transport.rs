//! Sends one request: waits for a token, reads the answer up to the cap, tries again what is safe to try again.

use std::error::Error;
use std::io;
use std::time::Duration;

use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, LOCATION, RETRY_AFTER, SERVER};
use reqwest::{Method, Response, StatusCode};
use serde::Serialize;
use tokio::time::Instant;
use tracing::debug;
use url::Url;

use super::base_url::segment;
use super::calls::{Outcome, Route};
use super::client::Client;
use super::error::{Cause, RegistryError, Unknown};
use super::reply::Reply;
use crate::schema::Subject;

const JSON: &str = "application/vnd.schemaregistry.v1+json";
/// Apicurio 1.x answers 406 unless its own type is named; the others take any.
const ACCEPTED: &str = "application/vnd.schemaregistry.v1+json, application/vnd.schemaregistry+json, application/json";

/// In how many seconds a limit of calls starts anew.
const RATE_LIMIT_RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");

/// How often a GET is tried again.
const RETRIES: u32 = 2;
/// The pause before the first retry. The second is twice as long; both are shortened at random by up to a half.
const PAUSE: Duration = Duration::from_millis(200);
/// The longest pause that a registry's Retry-After can ask of a retry.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// A call: a route, and what fills its template in.
pub(super) struct Call {
    route: Route,
    url: Url,
    body: Option<Vec<u8>>,
}

impl Client {
    /// Makes a call without a body.
    pub(super) async fn get(&self, route: Route, path: &str, query: &str) -> Result<Reply, RegistryError> {
        self.send(Call { route, url: self.base().call(path, query), body: None }).await
    }

    /// Makes a call without a body about a subject, which is in the path.
    pub(super) async fn get_of(
        &self,
        subject: &Subject,
        route: Route,
        path: &str,
        query: &str,
    ) -> Result<Reply, RegistryError> {
        self.get(route, path, query).await?.about(subject)
    }

    /// Makes a call beside the base URL's prefix, on the same server.
    pub(super) async fn get_at_root(&self, route: Route, path: &str) -> Result<Reply, RegistryError> {
        self.send(Call { route, url: self.base().at_root(path, ""), body: None }).await
    }

    /// Makes a call with a JSON body.
    pub(super) async fn send_json(
        &self,
        route: Route,
        path: &str,
        query: &str,
        body: &impl Serialize,
    ) -> Result<Reply, RegistryError> {
        // The bodies are structs of strings and numbers: they always serialize.
        let body = serde_json::to_vec(body).unwrap_or_default();
        self.send(Call { route, url: self.base().call(path, query), body: Some(body) }).await
    }

    /// Every HTTP status is an answer here; what it means is for the call to say.
    async fn send(&self, call: Call) -> Result<Reply, RegistryError> {
        let mut retries = if call.route.method() == "GET" { RETRIES } else { 0 };
        let mut pause = PAUSE;
        loop {
            let result = self.send_once(&call).await;
            if retries == 0 || !may_pass(&result) {
                return result;
            }
            tokio::time::sleep(asked_pause(&result).unwrap_or(pause.mul_f64(1.0 - fastrand::f64() / 2.0))).await;
            retries -= 1;
            pause *= 2;
        }
    }

    async fn send_once(&self, call: &Call) -> Result<Reply, RegistryError> {
        self.inner.bucket.take().await;
        let started = Instant::now();
        let result = self.exchange(call).await;
        if let Ok(Reply { status: 429, retry_after: Some(time), .. }) = &result {
            self.inner.bucket.rest(*time, Instant::now());
        }
        let outcome = result.as_ref().map_or(Outcome::NoAnswer, |reply| Outcome::of(reply.status));
        self.inner.counts.add(call.route, outcome);
        debug!(
            host = self.inner.host,
            route = %call.route,
            status = result.as_ref().map_or(0, |reply| reply.status),
            elapsed_ms = started.elapsed().as_millis(),
            "registry call: {}",
            outcome.as_str()
        );
        result
    }

    async fn exchange(&self, call: &Call) -> Result<Reply, RegistryError> {
        let method = match call.route.method() {
            "POST" => Method::POST,
            "PUT" => Method::PUT,
            _ => Method::GET,
        };
        let mut request = self.inner.http.request(method, call.url.clone()).header(ACCEPT, ACCEPTED);
        if let Some(body) = &call.body {
            request = request.header(CONTENT_TYPE, JSON).body(body.clone());
        }
        let response = request.send().await.map_err(|error| self.no_answer(call.route, &error))?;
        self.read(call.route, response).await
    }

    /// Reads an answer, to its end or to the cap.
    async fn read(&self, route: Route, mut response: Response) -> Result<Reply, RegistryError> {
        let limit = self.inner.config.max_reply_bytes;
        let headers = response.headers();
        let mut reply = Reply {
            host: self.inner.host.clone(),
            route,
            status: response.status().as_u16(),
            retry_after: asked_rest(response.status(), headers),
            redirect_to: header(headers, LOCATION).map(|target| target_host(&self.inner.host, target)),
            server: header(headers, SERVER).map(str::to_owned),
            content_type: header(headers, CONTENT_TYPE).map(str::to_owned),
            body: Vec::new(),
        };
        loop {
            match response.chunk().await {
                Ok(None) => return Ok(reply),
                Ok(Some(chunk)) if reply.body.len() + chunk.len() <= limit => reply.body.extend_from_slice(&chunk),
                Ok(Some(_)) => {
                    return Err(if is_write(route) {
                        reply.unreadable_write()
                    } else {
                        RegistryError::ReplyTooLarge { host: reply.host, route, limit }
                    });
                }
                Err(error) => return Err(self.no_answer(route, &error)),
            }
        }
    }

    /// What a connection that failed means: a write may have been done once its request was on the way.
    fn no_answer(&self, route: Route, error: &reqwest::Error) -> RegistryError {
        let (host, cause) = (self.inner.host.clone(), cause_of(error));
        if is_write(route) && !error.is_connect() {
            return RegistryError::OutcomeUnknown { host, why: Unknown::NoAnswer(cause) };
        }
        RegistryError::Unreachable { host, cause }
    }
}

/// The path of a subject's versions, or of one of them.
pub(super) fn versions_path(subject: &Subject, version: Option<&str>) -> String {
    let versions = format!("/subjects/{}/versions", segment(subject.as_str()));
    version.map_or(versions.clone(), |version| format!("{versions}/{version}"))
}

/// `normalize` as a query parameter; absent unless asked for, since a registry may have it configured.
pub(super) fn normalize_query(normalize: Option<bool>) -> &'static str {
    match normalize {
        None => "",
        Some(true) => "normalize=true",
        Some(false) => "normalize=false",
    }
}

fn is_write(route: Route) -> bool {
    matches!(route, Route::Register | Route::SetLevel)
}

/// Whether the same GET may pass in a moment. One that timed out has waited long enough.
fn may_pass(result: &Result<Reply, RegistryError>) -> bool {
    match result {
        Ok(reply) => matches!(reply.status, 502..=504),
        Err(RegistryError::Unreachable { cause, .. }) => *cause == Cause::Reset,
        Err(_) => false,
    }
}

fn asked_pause(result: &Result<Reply, RegistryError>) -> Option<Duration> {
    result.as_ref().ok()?.retry_after.map(|pause| pause.min(LONGEST_PAUSE))
}

/// For how long the registry asks to be left alone. Confluent Cloud says when its limit starts anew, also in answers
/// that are none about the limit.
fn asked_rest(status: StatusCode, headers: &HeaderMap) -> Option<Duration> {
    let seconds = |name| header(headers, name)?.trim().parse().ok().map(Duration::from_secs);
    let reset = || seconds(RATE_LIMIT_RESET).filter(|_| status == StatusCode::TOO_MANY_REQUESTS);
    seconds(RETRY_AFTER).or_else(reset)
}

fn header(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

/// The host that a Location header points at; a relative one points at the same host. Only the host: the rest may
/// hold a token.
fn target_host(same: &str, location: &str) -> String {
    let target = Url::parse(location).ok().and_then(|url| url.host_str().map(str::to_owned));
    target.unwrap_or_else(|| same.to_owned())
}

/// Why a connection failed, from the errors beneath reqwest's own, whose text names the whole URL.
fn cause_of(error: &reqwest::Error) -> Cause {
    if error.is_timeout() {
        return Cause::Timeout;
    }
    let mut beneath: Option<&(dyn Error + 'static)> = error.source();
    while let Some(error) = beneath {
        if let Some(cause) = error.downcast_ref::<io::Error>().and_then(io_cause) {
            return cause;
        }
        // The resolver's error has no type that can be named.
        if error.to_string().starts_with("dns error") {
            return Cause::Dns;
        }
        beneath = error.source();
    }
    // What is left of a connection that was there: the peer closed it before, or within, its answer.
    if error.is_connect() { Cause::Other } else { Cause::Reset }
}

/// An IO error may hold another one, which is no source of it.
fn io_cause(error: &io::Error) -> Option<Cause> {
    if let Some(inner) = error.get_ref() {
        if inner.is::<rustls::Error>() {
            return Some(Cause::Tls);
        }
        if let Some(cause) = inner.downcast_ref::<io::Error>().and_then(io_cause) {
            return Some(cause);
        }
    }
    match error.kind() {
        io::ErrorKind::ConnectionRefused => Some(Cause::Refused),
        io::ErrorKind::ConnectionReset
        | io::ErrorKind::ConnectionAborted
        | io::ErrorKind::BrokenPipe
        | io::ErrorKind::UnexpectedEof => Some(Cause::Reset),
        io::ErrorKind::TimedOut => Some(Cause::Timeout),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderValue;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::retry_after(429, &[("retry-after", "7"), ("x-ratelimit-reset", "9")], Some(7))]
    #[case::reset_of_the_limit(429, &[("x-ratelimit-reset", "9")], Some(9))]
    #[case::retry_after_that_is_a_date(429, &[("retry-after", "Fri, 31 Dec 1999 23:59:59 GMT"), ("x-ratelimit-reset", "9")], Some(9))]
    #[case::a_limit_that_is_not_reached(503, &[("x-ratelimit-reset", "9")], None)]
    #[case::nothing_said(429, &[], None)]
    fn a_registry_says_for_how_long_to_leave_it_alone(
        #[case] status: u16,
        #[case] said: &[(&'static str, &'static str)],
        #[case] seconds: Option<u64>,
    ) {
        let pair = |(name, value): &(&'static str, &'static str)| {
            (HeaderName::from_static(name), HeaderValue::from_static(value))
        };
        let headers: HeaderMap = said.iter().map(pair).collect();
        let status = StatusCode::from_u16(status).unwrap();
        assert_eq!(asked_rest(status, &headers), seconds.map(Duration::from_secs));
    }
}
