//! Writes a status: only if it differs, only onto the object that was observed.
//!
//! Server-side apply with our manager, forced, and bound to the resourceVersion that was observed, since a uid in the
//! patch is ignored and a status could land on an object that was created anew. Any change of the object makes that a
//! conflict; then the live object decides.

use std::time::Duration;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, ObjectMeta};
use kube::api::{DynamicObject, GetParams, Patch, PatchParams};
use kube::core::{PartialObjectMeta, Request};
use kube::{Api, Resource};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

/// Our name as a field manager.
pub const MANAGER: &str = "schema-registrar";

const METADATA_ONLY: &str = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";

/// An API server that does not answer within this is down.
const TIMEOUT: Duration = Duration::from_secs(15);

/// How many calls are under way at once. Each takes a connection of its own (kube speaks HTTP/1.1), and when a registry goes away all its
/// subjects have something to tell at the same moment: hundreds of TLS handshakes at once keep a busy API server from ending any in time.
const AT_ONCE: usize = 32;
static TURNS: Semaphore = Semaphore::const_new(AT_ONCE);

/// An object that changes this often in a moment is left alone for a while: a label that changes leads to no look.
const TRIES: usize = 4;

/// The status as this process last wrote it. It counts for more than an older cache.
#[derive(Clone, Debug, PartialEq)]
pub struct Written<S> {
    version: u64,
    status: S,
}

/// Whether a status has to be written even if the spec moved on meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Importance {
    /// It speaks only of what was looked at: a changed spec makes it worthless.
    Current,
    /// It reports a write to the registry, which nothing else tells of.
    ReportsWrite,
}

/// Why a status could not be written.
#[derive(Debug, thiserror::Error)]
pub enum StatusError {
    /// The API server refused or failed, or was not reached.
    #[error("{}", told(.0))]
    Api(#[from] kube::Error),
    /// The API server did not answer.
    #[error("the API server did not answer within {} s", TIMEOUT.as_secs())]
    Timeout,
    /// Someone else changes the object without pause.
    #[error("the object changed {TRIES} times while the status was being written")]
    Busy,
}

/// What the API server said, and what to do about it; without the rest of its answer.
fn told(error: &kube::Error) -> String {
    let kube::Error::Api(status) = error else {
        return format!("the API server could not be asked to take the status: {error}");
    };
    let hint = match status.code {
        401 => "; the operator's token is not valid any more: see to its ServiceAccount, and start the operator anew",
        403 => "; see to the chart's ClusterRole and its binding",
        _ => "",
    };
    format!("the API server refused the status ({}): {}{hint}", status.code, status.message)
}

/// The status to go by: the cached one, unless this process wrote a newer one.
pub fn newest<'a, S>(
    cached: Option<&'a S>,
    resource_version: Option<&str>,
    written: Option<&'a Written<S>>,
) -> Option<&'a S> {
    match written {
        Some(written) if number(resource_version) < written.version => Some(&written.status),
        _ => cached,
    }
}

/// Writes the status. Nothing is returned where the object went or moved on, which leads to another look by itself.
pub async fn write<K, S>(
    api: &Api<K>,
    observed: &ObjectMeta,
    written: Option<&Written<S>>,
    status: S,
    importance: Importance,
) -> Result<Option<Written<S>>, StatusError>
where
    K: Resource<DynamicType = ()> + Clone + DeserializeOwned + std::fmt::Debug,
    S: Serialize,
{
    let name = observed.name.clone().unwrap_or_default();
    let mut version = observed.resource_version.clone().unwrap_or_default();
    if let Some(written) = written.filter(|written| number(Some(&version)) < written.version) {
        version = written.version.to_string();
    }
    for _ in 0..TRIES {
        match in_time(apply(api, &name, &version, &status)).await {
            Ok(applied) => {
                return Ok(Some(Written { version: number(applied.metadata.resource_version.as_deref()), status }));
            }
            Err(StatusError::Api(kube::Error::Api(answer))) if answer.is_conflict() => {}
            Err(StatusError::Api(kube::Error::Api(answer))) if answer.is_not_found() => return Ok(None),
            Err(error) => return Err(error),
        }
        let Some(live) = in_time(api.get_metadata_opt(&name)).await? else { return Ok(None) };
        let same_object = live.metadata.uid == observed.uid;
        let same_spec = live.metadata.generation == observed.generation;
        if !same_object || !(same_spec || importance == Importance::ReportsWrite) {
            return Ok(None);
        }
        version = live.metadata.resource_version.unwrap_or_default();
    }
    Err(StatusError::Busy)
}

/// Replaces the conditions alone, where the rest of the status is not known and is to stay. Nothing is written where the
/// object went or moved on.
///
/// The whole status is applied all the same, as it was just read: what a patch of another kind leaves behind belongs to
/// another manager than [`write`] removes it for.
pub async fn write_conditions<K>(
    api: &Api<K>,
    observed: &ObjectMeta,
    generation: i64,
    conditions: &[Condition],
) -> Result<(), StatusError>
where
    K: Resource<DynamicType = ()> + Clone + DeserializeOwned + std::fmt::Debug,
{
    let name = observed.name.as_deref().unwrap_or_default();
    let Some(mut live) = in_time(get_untyped(api, name)).await? else { return Ok(()) };
    if live.metadata.uid != observed.uid || live.metadata.generation != observed.generation {
        return Ok(());
    }
    let mut status = live.data.get_mut("status").map(Value::take).filter(Value::is_object).unwrap_or_else(|| json!({}));
    status["observedGeneration"] = json!(generation);
    status["conditions"] = json!(conditions);
    let version = live.metadata.resource_version.unwrap_or_default();
    in_time(apply(api, name, &version, &status)).await.map(|_| ())
}

/// An object that may not decode into its type.
async fn get_untyped<K>(api: &Api<K>, name: &str) -> Result<Option<DynamicObject>, kube::Error>
where
    K: Resource<DynamicType = ()> + Clone,
{
    let request =
        Request::new(api.resource_url()).get(name, &GetParams::default()).map_err(kube::Error::BuildRequest)?;
    match api.clone().into_client().request(request).await {
        Err(kube::Error::Api(answer)) if answer.is_not_found() => Ok(None),
        answer => answer.map(Some),
    }
}

async fn apply<K, S>(api: &Api<K>, name: &str, version: &str, status: &S) -> Result<PartialObjectMeta<K>, kube::Error>
where
    K: Resource<DynamicType = ()> + Clone + DeserializeOwned + std::fmt::Debug,
    S: Serialize,
{
    let patch = Patch::Apply(json!({
        "apiVersion": K::api_version(&()),
        "kind": K::kind(&()),
        "metadata": { "name": name, "resourceVersion": version },
        "status": status,
    }));
    send(api, name, &PatchParams::apply(MANAGER).force(), &patch).await
}

/// The answer is asked for as metadata only: nobody needs the schema's text back.
async fn send<K>(
    api: &Api<K>,
    name: &str,
    params: &PatchParams,
    patch: &Patch<serde_json::Value>,
) -> Result<PartialObjectMeta<K>, kube::Error>
where
    K: Resource<DynamicType = ()> + Clone + DeserializeOwned + std::fmt::Debug,
{
    let request = Request::new(api.resource_url()).patch_subresource("status", name, params, patch);
    let mut request = request.map_err(kube::Error::BuildRequest)?;
    request.headers_mut().insert(http::header::ACCEPT, http::HeaderValue::from_static(METADATA_ONLY));
    api.clone().into_client().request(request).await
}

async fn in_time<T>(call: impl Future<Output = Result<T, kube::Error>>) -> Result<T, StatusError> {
    // Closed it never is. The time counts from here on: who waits for a turn finds no fault with the API server.
    let _turn = TURNS.acquire().await;
    Ok(tokio::time::timeout(TIMEOUT, call).await.map_err(|_| StatusError::Timeout)??)
}

/// Resource versions of one resource are ordered numbers (Kubernetes API concepts, resource versions).
fn number(version: Option<&str>) -> u64 {
    version.and_then(|version| version.parse().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use kube::core::Status;

    use super::*;

    #[test]
    fn what_the_api_server_refuses_is_told_in_one_line_with_what_to_do() {
        let refused = |code: u16, message: &str| {
            let status = Status { code, message: message.into(), ..Status::default() };
            StatusError::Api(kube::Error::Api(Box::new(status))).to_string()
        };
        assert_eq!(
            refused(401, "Unauthorized"),
            "the API server refused the status (401): Unauthorized; the operator's token is not valid any more: see to \
             its ServiceAccount, and start the operator anew"
        );
        assert_eq!(
            refused(422, "status.id: Invalid value"),
            "the API server refused the status (422): status.id: Invalid value"
        );
    }
}
