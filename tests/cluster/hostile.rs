//! Servers that answer like no registry: pages, nothing, something without end.

use std::convert::Infallible;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{Response, StatusCode, header};
use futures::stream;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// How a server answers every request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Habit {
    /// 200 and a page for people, as a login page or a proxy would.
    Page,
    /// 502 and a page for people.
    BadGateway,
    /// 200 and no body.
    Nothing,
    /// 200 and JSON that is about something else.
    OtherJson,
    /// 200 and JSON that nests 100,000 levels deep.
    DeepJson,
    /// 200 and a body without end, as fast as it is read.
    Endless,
    /// 200 and a body without end, a byte now and then.
    Dripping,
    /// A redirect to itself.
    Redirect,
}

/// A running server. Stopped when dropped.
#[derive(Debug)]
pub struct Hostile {
    port: u16,
    task: JoinHandle<()>,
}

impl Hostile {
    /// Starts one, on a loopback port that was free.
    pub async fn start(habit: Habit) -> Self {
        let port = crate::bed::free_port();
        let listener = TcpListener::bind(("127.0.0.1", port)).await.expect("the port is free");
        let routes = Router::new().fallback(async move || answer(habit));
        let task = tokio::spawn(async move {
            // It ends with the test.
            let _ = axum::serve(listener, routes).await;
        });
        Self { port, task }
    }

    /// Its base URL.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

impl Drop for Hostile {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn answer(habit: Habit) -> Response<Body> {
    const PAGE: &str = "<!DOCTYPE html><html><body><h1>Please log in</h1></body></html>";
    match habit {
        Habit::Page => reply(StatusCode::OK, "text/html", Body::from(PAGE)),
        Habit::BadGateway => reply(StatusCode::BAD_GATEWAY, "text/html", Body::from(PAGE)),
        Habit::Nothing => reply(StatusCode::OK, "application/json", Body::empty()),
        Habit::OtherJson => reply(StatusCode::OK, "application/json", Body::from(r#"{"weather": ["rain", 7]}"#)),
        Habit::DeepJson => {
            let body = "[".repeat(100_000) + &"]".repeat(100_000);
            reply(StatusCode::OK, "application/json", Body::from(body))
        }
        Habit::Endless => {
            let chunk = Bytes::from(vec![b'['; 64 * 1024]);
            let body = Body::from_stream(stream::repeat_with(move || Ok::<_, Infallible>(chunk.clone())));
            reply(StatusCode::OK, "application/json", body)
        }
        Habit::Dripping => {
            let drip = stream::unfold((), async |()| {
                tokio::time::sleep(Duration::from_millis(100)).await;
                Some((Ok::<_, Infallible>(Bytes::from_static(b"[")), ()))
            });
            reply(StatusCode::OK, "application/json", Body::from_stream(drip))
        }
        Habit::Redirect => {
            let response = Response::builder().status(StatusCode::FOUND).header(header::LOCATION, "/elsewhere");
            response.body(Body::empty()).expect("the response is valid")
        }
    }
}

fn reply(status: StatusCode, content_type: &str, body: Body) -> Response<Body> {
    let response = Response::builder().status(status).header(header::CONTENT_TYPE, content_type);
    response.body(body).expect("the response is valid")
}
