//! The CustomResourceDefinitions of all kinds, as installed.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::{
    CustomResourceDefinition, JSON, JSONSchemaProps,
};
use kube::CustomResourceExt;

use super::{Schema, SchemaRegistry, SubjectConfig};

/// Every CustomResourceDefinition, in the order of their names.
pub fn crds() -> Vec<CustomResourceDefinition> {
    let mut all = vec![SchemaRegistry::crd(), Schema::crd(), SubjectConfig::crd()];
    for crd in &mut all {
        default_the_status(crd);
    }
    all.sort_by(|a, b| a.metadata.name.cmp(&b.metadata.name));
    all
}

/// One YAML document for a definition. Written so that YAML 1.1 readers (kubectl, Helm) read the same.
pub fn to_yaml(crd: &CustomResourceDefinition) -> Result<String, serde_saphyr::ser::Error> {
    serde_saphyr::to_string(crd)
}

/// Tools that wait see a fresh resource as done unless its status says that no generation was looked at (kstatus).
fn default_the_status(crd: &mut CustomResourceDefinition) {
    for version in &mut crd.spec.versions {
        if let Some(status) = schema_of_status(version.schema.as_mut().and_then(|s| s.open_api_v3_schema.as_mut())) {
            status.nullable = None;
            status.default = Some(JSON(serde_json::json!({"observedGeneration": -1})));
        }
    }
}

fn schema_of_status(root: Option<&mut JSONSchemaProps>) -> Option<&mut JSONSchemaProps> {
    root?.properties.as_mut()?.get_mut("status")
}
