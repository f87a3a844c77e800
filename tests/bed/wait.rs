//! How tests wait: for a condition, until a deadline, never for a time.

use std::fmt::Display;
use std::time::{Duration, Instant};

/// Pause between two looks. Short against what is waited for, long against the cost of a look.
const PAUSE: Duration = Duration::from_millis(50);

/// Looks until `look` answers `Ok`, and returns that.
///
/// The `Err` of a look says what is still missing; after `limit` the last one is part of the panic.
pub async fn until<T, E: Display>(what: &str, limit: Duration, mut look: impl AsyncFnMut() -> Result<T, E>) -> T {
    let start = Instant::now();
    loop {
        match look().await {
            Ok(found) => return found,
            Err(missing) if start.elapsed() >= limit => panic!("waited {limit:?} for {what}: {missing}"),
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
    }
}
