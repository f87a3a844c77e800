//! A server that accepts connections and never answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// Listens until it is dropped; what connects is kept open and never read.
#[derive(Debug)]
pub struct BlackHole {
    port: u16,
    connections: Arc<AtomicUsize>,
    task: JoinHandle<()>,
}

impl BlackHole {
    /// Opens one, on a loopback port that was free.
    pub async fn open() -> Self {
        let port = super::free_port();
        let listener = TcpListener::bind(("127.0.0.1", port)).await.expect("the port is free");
        let connections = Arc::new(AtomicUsize::new(0));
        let counted = connections.clone();
        let task = tokio::spawn(async move {
            let mut held = Vec::new();
            while let Ok((connection, _)) = listener.accept().await {
                held.push(connection);
                counted.store(held.len(), Ordering::SeqCst);
            }
        });
        Self { port, connections, task }
    }

    /// Its address, as the base URL of a registry.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// How many connections it accepted so far.
    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

impl Drop for BlackHole {
    fn drop(&mut self) {
        self.task.abort();
    }
}
