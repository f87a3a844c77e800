//! Small schemas of each format and changes of them, for tests that hold for any schema. What is generated is a model,
//! which shrinks, and from which texts are written in more than one way.

#![allow(dead_code, reason = "each test uses a part")]

pub mod avro;
pub mod json;
pub mod protobuf;

use std::fmt::Debug;

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Checks a property on so many generated values. They are the same in every run, unless PROPERTY_SEED is set; with
/// PROPERTY_TIMES there are so many times as many.
pub fn for_all<S>(cases: u32, values: S, property: impl Fn(&S::Value) -> Result<(), String>)
where
    S: Strategy,
    S::Value: Debug,
{
    let number = |name| std::env::var(name).ok().and_then(|value| value.parse::<u32>().ok());
    let mut seed = [7; 32];
    seed[..4].copy_from_slice(&number("PROPERTY_SEED").unwrap_or(1).to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let cases = cases * number("PROPERTY_TIMES").unwrap_or(1);
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 4_000, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, rng);
    let failed = runner.run(&values, |value| property(&value).map_err(proptest::test_runner::TestCaseError::fail));
    let told = failed.err().map(|error| error.to_string());
    assert!(told.is_none(), "{}", told.unwrap_or_default());
}

/// The element at a place that is counted round and round.
pub fn around<T>(all: &[T], at: u16) -> Option<&T> {
    all.get(usize::from(at).checked_rem(all.len())?)
}

/// A place in a list, counted round and round.
pub fn place<T>(all: &[T], at: u16) -> Option<usize> {
    usize::from(at).checked_rem(all.len())
}

/// Brings a list into another order, which a number stands for.
pub fn shuffle<T>(all: &mut [T], order: u64) {
    fastrand::Rng::with_seed(order).shuffle(all);
}
