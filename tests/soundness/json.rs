//! JSON Schema: instances that are valid under the old schema are valid under the new one.

use jsonschema::{Draft, Registry, Validator};
use proptest::prelude::*;
use schema_registrar::api::SchemaType;
use schema_registrar::compat::{CONFLUENT_8_3, CONFLUENT_NEXT, Profile};
use serde_json::Value;

use crate::generate::for_all;
use crate::generate::json::{Json, changes, drafts};
use crate::instances::Instances;
use crate::json_places;
use crate::json_spots::known_to_pass_wrongly;
use crate::tally::Tally;
use crate::verdict::{self, Spot, Texts};

/// So many instances are tried on each pair.
const INSTANCES: u32 = 24;

#[test]
fn what_is_valid_under_the_old_schema_is_valid_under_the_new_one() {
    let tally = Tally::default();
    for_all(600, (changes(), drafts(), any::<u64>()), |((old, new), draft, seed)| {
        let texts = |schema: &Json| verdict::text(schema.text(*draft));
        for profile in [&CONFLUENT_8_3, &CONFLUENT_NEXT] {
            proves(&texts(new), &texts(old), *seed, profile, &tally)?;
            proves(&texts(old), &texts(new), *seed, profile, &tally)?;
        }
        Ok(())
    });
    tally.report("generated JSON Schema", 5_000);
}

#[test]
fn so_it_is_for_what_registries_let_pass() {
    let tally = Tally::default();
    for (seed, (id, reader, writer)) in (0..).zip(verdict::judged_pairs("JSON")) {
        let proof = proves(&reader, &writer, seed, &CONFLUENT_NEXT, &tally);
        assert!(proof.is_ok(), "{id}: {}", proof.err().unwrap_or_default());
    }
    tally.report("JSON Schema that registries judged", 500);
}

/// Every instance that is valid under the writer is valid under the reader.
fn proves(reader: &Texts, writer: &Texts, seed: u64, profile: &Profile, tally: &Tally) -> Result<(), String> {
    match verdict::reads(SchemaType::Json, reader, writer, profile) {
        Some(true) => {}
        Some(false) => return tally.proves_nothing("it does not read by verdict"),
        None => return tally.proves_nothing("there is no verdict"),
    }
    let value = |texts: &Texts| serde_json::from_str::<Value>(&texts.text).ok();
    let (Some(new), Some(old)) = (value(reader), value(writer)) else {
        return tally.proves_nothing("serde_json does not read the schema");
    };
    let (Some(new_valid), Some(old_valid)) = (validator(&new, reader), validator(&old, writer)) else {
        return tally.proves_nothing("the validator does not read the schema");
    };
    let mut instances = Instances::new([&old, &new], seed);
    let mut tried = 0;
    for _ in 0..INSTANCES {
        let instance = instances.any(&old);
        if !old_valid.is_valid(&instance) {
            continue;
        }
        tried += 1;
        if new_valid.is_valid(&instance) {
            continue;
        }
        match known_to_pass_wrongly([&new, &old], reader, writer, &instance) {
            Some(spots) => {
                let is_about = match reader.text.contains("$ref") {
                    true => json_places::is_about_what_recurs,
                    false => json_places::is_about,
                };
                let places: Vec<_> = new_valid
                    .iter_errors(&instance)
                    .map(|error| {
                        let place = json_places::of_instance(&error.instance_path().to_string());
                        move |path: &str| is_about(path, &place)
                    })
                    .collect();
                let is_advised = |spot: &Spot| spot.is_advised_at(SchemaType::Json, reader, writer, profile, &places);
                let told = spots.iter().find(|spot| is_advised(spot).is_ok());
                let why = || is_advised(&spots[0]).err().unwrap_or_default();
                let told = told.ok_or_else(|| format!("{}: {instance}\n{reader:#?}\n{writer:#?}", why()))?;
                tally.excused(*told);
            }
            None => return Err(format!("{instance} is not valid under the new schema\n{reader:#?}\n{writer:#?}")),
        }
    }
    tally.readable(tried);
    Ok(())
}

/// Formats count, as they do for whoever validates.
pub fn validator(schema: &Value, texts: &Texts) -> Option<Validator> {
    let mut registry = Registry::new();
    for (name, text) in &texts.references {
        registry = registry.add(format!("json-schema:///{name}"), serde_json::from_str::<Value>(text).ok()?).ok()?;
    }
    let registry = registry.prepare().ok()?;
    let mut options = jsonschema::options().should_validate_formats(true).with_registry(&registry);
    if schema.get("$schema").is_none() {
        options = options.with_draft(Draft::Draft7);
    }
    options.with_base_uri("json-schema:///main.json").build(schema).ok()
}
