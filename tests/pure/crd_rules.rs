//! Every field of every definition is described and bounded, and tools find what they look for.

use rstest::rstest;
use schema_registrar::api::crds;
use serde_json::{Value, json};

/// kubectl shows lists of fields by their first sentences; a long one says too much at once.
const LONGEST_FIRST_SENTENCE: usize = 90;

/// The definition of a kind.
fn definition(kind: &str) -> Value {
    let crd = crds().into_iter().find(|crd| crd.spec.names.kind == kind).expect("the kind is defined");
    serde_json::to_value(crd).expect("a definition is JSON")
}

fn version(definition: &Value) -> &Value {
    &definition["spec"]["versions"][0]
}

/// Path and schema of everything in every definition: the root, fields, items of lists, values of maps.
fn schemas() -> Vec<(String, Value)> {
    let mut all = Vec::new();
    for crd in crds() {
        let kind = crd.spec.names.kind.clone();
        let definition = serde_json::to_value(crd).expect("a definition is JSON");
        gather(&kind, &version(&definition)["schema"]["openAPIV3Schema"], &mut all);
    }
    let deepest = "Schema.status.compatibility.violations[].path";
    assert!(all.iter().any(|(path, _)| path == deepest), "the walk does not reach {deepest}");
    all
}

fn gather(path: &str, schema: &Value, all: &mut Vec<(String, Value)>) {
    all.push((path.to_owned(), schema.clone()));
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        gather(&format!("{path}.{name}"), field, all);
    }
    for (mark, part) in [("[]", &schema["items"]), ("{}", &schema["additionalProperties"])] {
        if part.is_object() {
            gather(&format!("{path}{mark}"), part, all);
        }
    }
}

/// The paths at which a rule does not hold.
fn breaking(holds: impl Fn(&Value) -> bool) -> Vec<String> {
    schemas().into_iter().filter(|(_, schema)| !holds(schema)).map(|(path, _)| path).collect()
}

fn is(schema: &Value, schema_type: &str) -> bool {
    schema["type"] == schema_type
}

#[test]
fn everything_has_a_type_that_the_walk_understands() {
    let keys = "default description enum format items maximum maxItems maxLength minimum minItems minLength pattern \
                properties required title type x-kubernetes-list-map-keys x-kubernetes-list-type \
                x-kubernetes-validations";
    let understood = |key: &String| keys.split(' ').any(|known| known == key);
    let types = ["object", "array", "string", "integer", "boolean"];
    let strange = breaking(|schema| {
        let schema_type = schema["type"].as_str().unwrap_or_default();
        types.contains(&schema_type) && schema.as_object().unwrap().keys().all(understood)
    });
    assert_eq!(strange, [""; 0]);
}

#[test]
fn everything_is_described() {
    assert_eq!(breaking(|schema| schema["description"].as_str().is_some_and(|text| text.ends_with('.'))), [""; 0]);
}

#[test]
fn the_first_sentence_of_a_description_is_short() {
    let first = |text: &str| text.split_inclusive(". ").next().map_or(0, |sentence| sentence.trim_end().len());
    let long =
        breaking(|schema| schema["description"].as_str().is_some_and(|text| first(text) <= LONGEST_FIRST_SENTENCE));
    assert_eq!(long, [""; 0]);
}

#[test]
fn descriptions_are_paragraphs_and_no_markup() {
    let plain = |text: &str| !text.contains(['`', '*']) && !text.replace("\n\n", "").contains('\n');
    assert_eq!(breaking(|schema| schema["description"].as_str().is_some_and(plain)), [""; 0]);
}

#[test]
fn every_string_is_bounded() {
    let bounded = |schema: &Value| schema["maxLength"].is_u64() || schema["enum"].is_array();
    assert_eq!(breaking(|schema| !is(schema, "string") || bounded(schema)), [""; 0]);
}

#[test]
fn every_list_is_bounded_and_says_what_is_in_it() {
    let bounded = |schema: &Value| schema["maxItems"].is_u64() && schema["items"].is_object();
    assert_eq!(breaking(|schema| !is(schema, "array") || bounded(schema)), [""; 0]);
}

#[test]
fn every_object_names_its_fields_or_is_a_bounded_map() {
    let bounded = |schema: &Value| {
        let fields = schema["properties"].as_object().is_some_and(|fields| !fields.is_empty());
        fields != (schema["additionalProperties"].is_object() && schema["maxProperties"].is_u64())
    };
    assert_eq!(breaking(|schema| !is(schema, "object") || bounded(schema)), [""; 0]);
}

/// The API server knows no unsigned integers.
#[test]
fn every_integer_has_a_signed_format() {
    let signed = |schema: &Value| schema["format"] == "int32" || schema["format"] == "int64";
    assert_eq!(breaking(|schema| !is(schema, "integer") || signed(schema)), [""; 0]);
}

#[test]
fn every_integer_in_a_spec_has_bounds() {
    let bounded = |schema: &Value| schema["minimum"].is_number() && schema["maximum"].is_number();
    let specs = schemas().into_iter().filter(|(path, schema)| path.contains(".spec.") && is(schema, "integer"));
    let loose: Vec<String> = specs.filter(|(_, schema)| !bounded(schema)).map(|(path, _)| path).collect();
    assert_eq!(loose, [""; 0]);
}

#[test]
fn a_default_is_told_in_the_description() {
    let told = |schema: &Value| {
        let description = schema["description"].as_str().unwrap_or_default().to_lowercase();
        description.contains("default")
    };
    let defaulted = schemas().into_iter().filter(|(_, schema)| !schema["default"].is_null() && !is(schema, "object"));
    let silent: Vec<String> = defaulted.filter(|(_, schema)| !told(schema)).map(|(path, _)| path).collect();
    assert_eq!(silent, [""; 0]);
}

#[rstest]
fn a_fresh_resource_is_not_taken_for_a_settled_one(#[values("SchemaRegistry", "Schema", "SubjectConfig")] kind: &str) {
    let definition = definition(kind);
    let version = version(&definition);
    assert_eq!(
        version["schema"]["openAPIV3Schema"]["properties"]["status"]["default"],
        json!({"observedGeneration": -1})
    );
    assert_eq!(version["subresources"], json!({"status": {}}));
}

#[rstest]
#[case("SchemaRegistry", "schemaregistries", "rregistry")]
#[case("Schema", "schemas", "rschema")]
#[case("SubjectConfig", "subjectconfigs", "rsubject")]
fn kinds_have_names_that_no_other_product_has(#[case] kind: &str, #[case] plural: &str, #[case] short_name: &str) {
    let definition = definition(kind);
    assert_eq!(definition["metadata"]["name"], format!("{plural}.schemaregistrar.dev"));
    assert_eq!(definition["spec"]["group"], "schemaregistrar.dev");
    assert_eq!(definition["spec"]["scope"], "Namespaced");
    assert_eq!(definition["spec"]["names"]["shortNames"], json!([short_name]));
    assert_eq!(definition["spec"]["names"]["categories"], json!(["registrar"]));
    let versions = definition["spec"]["versions"].as_array().unwrap();
    assert_eq!(versions.len(), 1);
    assert_eq!(versions[0]["name"], "v1alpha1");
}

/// kubectl puts NAME first. Wide columns come after AGE.
#[rstest]
#[case("SchemaRegistry", "Ready Implementation Version Level Reason Age", "URL Management Message")]
#[case("Schema", "Ready Subject Type Latest Level Compatible Reason Age", "Registry Plan Message")]
#[case("SubjectConfig", "Ready Subject Level In-Force Reason Age", "Registry Plan Message")]
fn columns_are_what_a_person_looks_for(#[case] kind: &str, #[case] usual: &str, #[case] wide: &str) {
    let definition = definition(kind);
    let columns = version(&definition)["additionalPrinterColumns"].as_array().unwrap();
    let of_priority = |priority: Value| {
        let some = columns.iter().filter(|column| column["priority"] == priority);
        some.map(|column| column["name"].as_str().unwrap()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(of_priority(Value::Null), usual);
    assert_eq!(of_priority(json!(1)), wide);
}
