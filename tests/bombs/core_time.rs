//! A clock that other work on the machine does not count in.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// How much of the cores this process has had: the 14th and 15th field of its own statistics, in hundredths of a
/// second. Where there are none, the time that has passed.
pub fn core_time() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    let passed = START.get_or_init(Instant::now).elapsed();
    let statistics = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = statistics.rsplit(')').next().unwrap_or_default();
    let ticks: Vec<u64> = after_name.split(' ').skip(12).take(2).filter_map(|field| field.parse().ok()).collect();
    if ticks.len() == 2 { Duration::from_millis((ticks[0] + ticks[1]) * 10) } else { passed }
}
