//! The CustomResourceDefinitions of all kinds, as installed.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::{
    CustomResourceDefinition, JSON, JSONSchemaProps, JSONSchemaPropsOrArray,
};
use kube::CustomResourceExt;
use serde::ser::Error as _;
use serde_json::Value;
use serde_saphyr::ser::Error;

use super::{Schema, SchemaRegistry, SubjectConfig};

/// Every CustomResourceDefinition, in the order of their names.
pub fn crds() -> Vec<CustomResourceDefinition> {
    let mut all = vec![SchemaRegistry::crd(), Schema::crd(), SubjectConfig::crd()];
    for schema in all.iter_mut().flat_map(|crd| &mut crd.spec.versions).filter_map(|version| version.schema.as_mut()) {
        if let Some(root) = &mut schema.open_api_v3_schema {
            default_the_status(root);
            walk(root, &mut |schema| {
                join_lines(schema);
                count_null_as_unset(schema);
            });
        }
    }
    all.sort_by(|a, b| a.metadata.name.cmp(&b.metadata.name));
    all
}

/// One YAML document for a definition. Written so that YAML 1.1 readers (kubectl, Helm) read the same.
pub fn to_yaml(crd: &CustomResourceDefinition) -> Result<String, Error> {
    let mut value = serde_json::to_value(crd).map_err(Error::custom)?;
    write_whole_numbers_whole(&mut value);
    serde_saphyr::to_string(&value)
}

/// Tools that wait see a fresh resource as done unless its status says that no generation was looked at (kstatus).
fn default_the_status(root: &mut JSONSchemaProps) {
    if let Some(status) = root.properties.as_mut().and_then(|properties| properties.get_mut("status")) {
        status.default = Some(JSON(serde_json::json!({"observedGeneration": -1})));
    }
}

/// Calls `mend` for a schema and everything in it: fields, and what lists hold.
fn walk(schema: &mut JSONSchemaProps, mend: &mut impl FnMut(&mut JSONSchemaProps)) {
    mend(schema);
    for field in schema.properties.iter_mut().flat_map(|properties| properties.values_mut()) {
        walk(field, mend);
    }
    if let Some(JSONSchemaPropsOrArray::Schema(items)) = &mut schema.items {
        walk(items, mend);
    }
}

/// Lines break where the source has a margin; whoever shows a description has another.
fn join_lines(schema: &mut JSONSchemaProps) {
    if let Some(description) = &mut schema.description {
        let paragraphs = description.split("\n\n").map(|paragraph| paragraph.replace('\n', " "));
        *description = paragraphs.collect::<Vec<_>>().join("\n\n");
    }
}

/// The API server drops null from a field that is not nullable, which is what an author means who writes nothing after
/// a colon. In a nullable one it keeps null, and refuses it where there is a list of values.
fn count_null_as_unset(schema: &mut JSONSchemaProps) {
    schema.nullable = None;
}

/// Bounds are floating point in a definition's type, and people write and diff 600, not 600.0.
fn write_whole_numbers_whole(value: &mut Value) {
    match value {
        Value::Number(number) => {
            let whole = number.as_f64().filter(|float| number.is_f64() && float.fract() == 0.0 && float.abs() < 1e15);
            if let Some(whole) = whole {
                *value = Value::from(whole as i64);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(write_whole_numbers_whole),
        Value::Object(entries) => entries.values_mut().for_each(write_whole_numbers_whole),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}
