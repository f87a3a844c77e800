//! A server that accepts connections and never answers.

use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// Listens until it is dropped; what connects is kept open and never read.
#[derive(Debug)]
pub struct BlackHole {
    port: u16,
    task: JoinHandle<()>,
}

impl BlackHole {
    /// Opens one, on a loopback port that was free.
    pub async fn open() -> Self {
        let port = super::free_port();
        let listener = TcpListener::bind(("127.0.0.1", port)).await.expect("the port is free");
        let task = tokio::spawn(async move {
            let mut held = Vec::new();
            while let Ok((connection, _)) = listener.accept().await {
                held.push(connection);
            }
        });
        Self { port, task }
    }

    /// Its address, as the base URL of a registry.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

impl Drop for BlackHole {
    fn drop(&mut self) {
        self.task.abort();
    }
}
