//! What can be told without any server.

mod crds;
