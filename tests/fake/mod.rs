//! An in-process schema registry for what a real one cannot be told to do: faults, lag, other implementations' answers.
//!
//! Confluent's and Karapace's flavours are held to reality: `tests/registry/recordings.rs` replays what real servers
//! answered. Compatibility is decided by a [`Judge`], by default a few rules of Avro.
//!
//! Included by a test binary with `#[path = "../fake/mod.rs"] mod fake;`.

// Each test binary uses a part of the fake.
#![allow(dead_code)]

mod apicurio;
mod confluent;
mod http;
mod judge;
mod karapace;
mod server;
mod store;
mod text;

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{ConnectInfo, State};
use axum::http::{StatusCode, header};
use axum::response::Response;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

pub use http::{Answer, Request};
pub use judge::{Comparison, Difference, Judge, simple};
use server::{Cut, Cuttable};
use store::Store;

/// Whose answers the fake gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flavour {
    /// 8.3.1, the community build.
    Confluent,
    /// 6.2.0.
    Karapace,
    /// Much like 3.3.3.
    Apicurio,
}

/// What goes wrong with a request.
#[derive(Clone, Debug)]
pub enum Fault {
    /// Answered as usual, after so long.
    Delay(Duration),
    /// Not done, never answered.
    NeverAnswer,
    /// Done, never answered.
    DoneNeverAnswer,
    /// Not done; the connection breaks off.
    Reset,
    /// Done; the connection breaks off.
    DoneReset,
    /// Not done; answered so.
    Reply(Answer),
    /// Done; answered so all the same.
    DoneReply(Answer),
    /// An answer of this type that never ends.
    Endless,
    /// An answer that breaks off in the middle.
    Truncated,
}

/// A request that arrived, in the order of arrival.
#[derive(Clone, Debug)]
pub struct Logged {
    pub request: Request,
    /// `POST /subjects/{}/versions`
    pub route: String,
    /// As they were sent.
    pub headers: Vec<(String, String)>,
}

/// A running fake. Stopped when dropped.
pub struct Fake {
    flavour: Flavour,
    address: SocketAddr,
    shared: Arc<Shared>,
    server: Mutex<Option<JoinHandle<()>>>,
}

struct Shared {
    flavour: Flavour,
    state: Mutex<Inner>,
}

struct Inner {
    store: Store,
    /// As it was before the last write, for reads that lag.
    before: Store,
    lagging_reads: usize,
    judge: Judge,
    faults: Vec<(String, usize, Fault)>,
    log: Vec<Logged>,
    /// Every connection that was opened.
    connections: Vec<Cut>,
}

impl Fake {
    /// An empty registry.
    pub async fn start(flavour: Flavour) -> Fake {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port on loopback");
        let address = listener.local_addr().expect("a bound listener has an address");
        let inner = Inner {
            store: Store::new(),
            before: Store::new(),
            lagging_reads: 0,
            judge: Arc::new(simple),
            faults: Vec::new(),
            log: Vec::new(),
            connections: Vec::new(),
        };
        let shared = Arc::new(Shared { flavour, state: Mutex::new(inner) });
        let server = Mutex::new(Some(serve(listener, shared.clone())));
        Fake { flavour, address, shared, server }
    }

    /// The base URL, without a slash at the end.
    pub fn url(&self) -> String {
        let prefix = if self.flavour == Flavour::Apicurio { apicurio::PREFIX } else { "" };
        format!("http://{}{prefix}", self.address)
    }

    /// Lets the next `times` requests of a route go wrong. `{}` in it stands for any segment: `GET /subjects/{}/versions`;
    /// `*` alone is every route. The base URL's prefix is left out.
    pub fn fail(&self, route: &str, times: usize, fault: Fault) {
        self.inner().faults.push((route.to_owned(), times, fault));
    }

    /// Faults that have not happened yet do not.
    pub fn heal(&self) {
        self.inner().faults.clear();
    }

    /// The next `reads` reads answer as before the last write.
    pub fn lag(&self, reads: usize) {
        self.inner().lagging_reads = reads;
    }

    /// Who decides about compatibility from now on.
    pub fn judge(&self, judge: impl Fn(&Comparison) -> Vec<Difference> + Send + Sync + 'static) {
        self.inner().judge = Arc::new(judge);
    }

    /// What arrived so far.
    pub fn log(&self) -> Vec<Logged> {
        self.inner().log.clone()
    }

    /// The routes of what arrived so far.
    pub fn routes(&self) -> Vec<String> {
        self.inner().log.iter().map(|logged| logged.route.clone()).collect()
    }

    /// How often a route was asked for, written as in [`Fake::fail`].
    pub fn count(&self, route: &str) -> usize {
        self.inner().log.iter().filter(|logged| logged.route == route).count()
    }

    /// Forgets what arrived.
    pub fn clear_log(&self) {
        self.inner().log.clear();
    }

    /// Does something behind everybody's back: not over HTTP, without faults, not in the log.
    pub fn behind(&self, method: &str, path: &str, body: Value) -> Answer {
        let prefix = if self.flavour == Flavour::Apicurio { apicurio::PREFIX } else { "" };
        let body = if body.is_null() { Vec::new() } else { body.to_string().into_bytes() };
        self.inner().handle(self.flavour, &Request::new(method, &format!("{prefix}{path}"), body))
    }

    /// Ids are given from here on.
    pub fn ids_from(&self, id: i64) {
        self.inner().store.next_id = id;
    }

    /// Stops listening and cuts every connection. What is stored stays.
    pub fn stop(&self) {
        if let Some(server) = self.server.lock().expect("no panic while locked").take() {
            server.abort();
        }
        for cut in self.inner().connections.drain(..) {
            cut.cut();
        }
    }

    /// Listens again, on the same port.
    pub async fn restart(&self) {
        self.stop();
        let listener = TcpListener::bind(self.address).await.expect("the port is still free");
        *self.server.lock().expect("no panic while locked") = Some(serve(listener, self.shared.clone()));
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.shared.state.lock().expect("no panic while locked")
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Inner {
    fn handle(&mut self, flavour: Flavour, request: &Request) -> Answer {
        let judge = self.judge.clone();
        let handle = match flavour {
            Flavour::Confluent => confluent::handle,
            Flavour::Karapace => karapace::handle,
            Flavour::Apicurio => apicurio::handle,
        };
        if request.is_write() {
            self.before = self.store.clone();
        } else if self.lagging_reads > 0 {
            self.lagging_reads -= 1;
            return handle(&mut self.before, &judge, request);
        }
        handle(&mut self.store, &judge, request)
    }

    /// The first fault that waits for this route.
    fn fault(&mut self, route: &str) -> Option<Fault> {
        let at = self.faults.iter().position(|(of, times, _)| *times > 0 && (of == route || of == "*"))?;
        self.faults[at].1 -= 1;
        Some(self.faults[at].2.clone())
    }
}

/// Whether a flavour can read a schema: of Protobuf it knows messages of scalar fields only.
pub fn reads(flavour: Flavour, schema_type: &str, schema: &str) -> bool {
    match flavour {
        Flavour::Karapace => text::karapace(schema_type, schema).is_ok(),
        _ => text::confluent(schema_type, schema, false).is_ok(),
    }
}

/// A method and a path with `{}` for each name in it.
fn route(request: &Request) -> String {
    let mut path: Vec<&str> = request.path.iter().map(String::as_str).collect();
    if path.starts_with(&["apis", "ccompat"]) {
        path.drain(..3);
    }
    let names: &[usize] = match path.as_slice() {
        ["subjects", ..] => &[1, 3],
        ["compatibility", ..] => &[2, 4],
        ["config" | "mode", ..] => &[1],
        ["schemas", "ids", ..] => &[2],
        _ => &[],
    };
    for at in names {
        // The latest version is a route of its own.
        if let Some(name) = path.get_mut(*at).filter(|name| **name != "latest") {
            *name = "{}";
        }
    }
    format!("{} /{}", request.method, path.join("/"))
}

fn serve(listener: TcpListener, shared: Arc<Shared>) -> JoinHandle<()> {
    let app = Router::new().fallback(answer).with_state(shared).into_make_service_with_connect_info::<Cut>();
    tokio::spawn(async move {
        let _ = axum::serve(Cuttable(listener), app).await;
    })
}

async fn answer(
    State(shared): State<Arc<Shared>>,
    ConnectInfo(cut): ConnectInfo<Cut>,
    request: axum::extract::Request,
) -> Response {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, 16 << 20).await.unwrap_or_default();
    let target = parts.uri.path_and_query().map(|target| target.as_str()).unwrap_or("/");
    let request = Request::new(parts.method.as_str(), target, body.to_vec());
    let route = route(&request);
    let headers = parts
        .headers
        .iter()
        .map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned()));
    let headers = headers.collect();
    let state = || shared.state.lock().expect("no panic while locked");
    let fault = {
        let mut state = state();
        state.connections.push(cut.clone());
        state.log.push(Logged { request: request.clone(), route: route.clone(), headers });
        state.fault(&route)
    };
    let handle = || state().handle(shared.flavour, &request);
    match fault {
        None => response(handle()),
        Some(Fault::Delay(delay)) => {
            tokio::time::sleep(delay).await;
            response(handle())
        }
        Some(Fault::NeverAnswer) => std::future::pending().await,
        Some(Fault::DoneNeverAnswer) => {
            handle();
            std::future::pending().await
        }
        Some(Fault::Reset) => {
            cut.cut();
            response(Answer::empty(500))
        }
        Some(Fault::DoneReset) => {
            handle();
            cut.cut();
            response(Answer::empty(500))
        }
        Some(Fault::Reply(answer)) => response(answer),
        Some(Fault::DoneReply(answer)) => {
            handle();
            response(answer)
        }
        Some(Fault::Endless) => streamed(futures::stream::repeat_with(|| Ok(Bytes::from_static(&[b' '; 8192])))),
        Some(Fault::Truncated) => {
            let pieces = [Ok(Bytes::from_static(b"{\"subject\":")), Err(std::io::ErrorKind::ConnectionReset.into())];
            streamed(futures::stream::iter(pieces))
        }
    }
}

fn response(answer: Answer) -> Response {
    let mut response = Response::builder().status(answer.status);
    if let Some(content_type) = &answer.content_type {
        response = response.header(header::CONTENT_TYPE, content_type);
    }
    for (name, value) in &answer.headers {
        response = response.header(name, value);
    }
    response.body(Body::from(answer.body)).expect("a status and headers that tests chose")
}

fn streamed(pieces: impl futures::Stream<Item = Result<Bytes, std::io::Error>> + Send + 'static) -> Response {
    let response = Response::builder().status(StatusCode::OK).header(header::CONTENT_TYPE, http::REGISTRY_JSON);
    response.body(Body::from_stream(pieces)).expect("a status and headers that tests chose")
}
