//! What can be told without any server.

mod crd_rules;
mod crds;
mod readme;
