//! Sentences.
use crate::compat::Difference;

pub(super) fn fragment(difference: &Difference) -> String {
    difference.rule.to_owned()
}
