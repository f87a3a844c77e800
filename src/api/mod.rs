//! The resources as users write them: types, CEL rules, columns and conditions. No logic, no IO.

#![allow(clippy::duplicated_attributes, reason = "each printer column says its type anew")]

mod common;
mod crds;
mod reason;
mod schema;
mod schema_registry;
mod subject_config;
mod vocabulary;

pub use common::{
    GROUP, PAUSED_ANNOTATION, RECONCILE_ANNOTATION, RegistryKind, RegistryRef, condition, find_condition,
};
pub use crds::{crds, to_yaml};
pub use reason::Reason;
pub use schema::{
    Acknowledgement, Adoption, AdviceStatus, CompatibilityStatus, DriftPolicy, LastApplied, LevelVerdict,
    LevelVerdicts, Schema, SchemaSpec, SchemaStatus, ViolationStatus,
};
pub use schema_registry::{
    ImplementationChoice, ImplementationStatus, Limits, Management, SchemaRegistry, SchemaRegistrySpec,
    SchemaRegistryStatus, VerdictChoice,
};
pub use subject_config::{
    HistoryStatus, HistoryViolation, LevelStatus, SubjectConfig, SubjectConfigSpec, SubjectConfigStatus,
};
pub use vocabulary::{Level, Mode, SchemaType, UnknownWord};
