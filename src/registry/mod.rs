//! The only module that speaks to a registry: client, wire types, errors, capabilities and limits.
