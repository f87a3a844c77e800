//! Avro: apache-avro writes with the old schema and reads with the new one.

use std::collections::{HashMap, HashSet};

use apache_avro::schema::{Name, NamesRef, ResolvedSchema};
use apache_avro::types::Value;
use apache_avro::{Days, Decimal, Duration, Millis, Months, Schema, Uuid};
use proptest::prelude::*;
use schema_registrar::api::SchemaType;
use schema_registrar::compat::advice::Code;
use schema_registrar::compat::avro::advice;
use schema_registrar::compat::{CONFLUENT_8_3, Profile};
use schema_registrar::schema::Reading;
use schema_registrar::schema::avro::parse;
use serde_json::{Map, Value as Json, json};

use crate::generate::avro::{Avro, changes};
use crate::generate::for_all;
use crate::tally::Tally;
use crate::verdict::{self, Texts};

const PROFILE: &Profile = &CONFLUENT_8_3;
/// So many values are written for each pair.
const VALUES: u64 = 12;

#[test]
fn what_reads_by_verdict_decodes() {
    let tally = Tally::default();
    for_all(800, (changes(), any::<u64>()), |((old, new), seed)| {
        let texts = |schema: &Avro| verdict::text(schema.text());
        proves(&texts(new), &texts(old), *seed, &tally)?;
        proves(&texts(old), &texts(new), *seed, &tally)
    });
    tally.report("generated Avro", 5_000);
}

#[test]
fn what_registries_let_pass_decodes() {
    let tally = Tally::default();
    for (seed, (id, reader, writer)) in (0..).zip(verdict::judged_pairs("AVRO")) {
        let proof = proves(&reader, &writer, seed, &tally);
        assert!(proof.is_ok(), "{id}: {}", proof.err().unwrap_or_default());
    }
    tally.report("Avro that registries judged", 300);
}

/// A schema and what it refers to, as apache-avro has them.
struct Side {
    schema: Schema,
    references: Vec<Schema>,
}

impl Side {
    fn read(texts: &Texts) -> Option<Side> {
        let references: Vec<&str> = texts.references.iter().map(|(_, text)| text.as_str()).collect();
        let (schema, references) = Schema::parse_str_with_list(&texts.text, references).ok()?;
        Some(Side { schema, references })
    }

    fn all(&self) -> Vec<&Schema> {
        self.references.iter().chain([&self.schema]).collect()
    }
}

/// Every value that the writer writes is read by the reader.
fn proves(reader: &Texts, writer: &Texts, seed: u64, tally: &Tally) -> Result<(), String> {
    match verdict::reads(SchemaType::Avro, reader, writer, PROFILE) {
        Some(true) => {}
        Some(false) => return tally.proves_nothing("it does not read by verdict"),
        None => return tally.proves_nothing("there is no verdict"),
    }
    let (Some(new), Some(old)) = (Side::read(reader), Side::read(writer)) else {
        return tally.proves_nothing("apache-avro does not read the schema");
    };
    for at in 0..VALUES {
        let Some(value) = any_value(&old, seed.wrapping_add(at)) else {
            return tally.proves_nothing("no value of it ends");
        };
        let bytes = written(&old, value.clone())?;
        if let Err(why) = decoded(&new, &old, &bytes) {
            match known_to_pass_wrongly(reader, writer, &bytes) {
                // A decimal in a union is one that apache-avro does not tell from bytes.
                Some(LOGICAL_TYPE) if decoded(&old, &old, &bytes).is_err() => {
                    tally.excused("apache-avro cannot read it with its own schema, but for logical types");
                }
                Some(name) => {
                    verdict::is_told(SchemaType::Avro, reader, writer, PROFILE)
                        .map_err(|why| format!("{name}: {why}"))?;
                    tally.excused(name);
                }
                None => return Err(format!("{value:?} is not read: {why}\n{reader:#?}\n{writer:#?}")),
            }
        }
    }
    tally.readable(VALUES as u32);
    Ok(())
}

fn written(side: &Side, value: Value) -> Result<Vec<u8>, String> {
    let writer = apache_avro::writer::datum::GenericDatumWriter::builder(&side.schema);
    let told = |error: apache_avro::Error| format!("a value of the old schema cannot be written with it: {error}");
    let writer = writer.schemata(side.all()).map_err(told)?.build().map_err(told)?;
    writer.write_value_to_vec(value).map_err(told)
}

fn decoded(new: &Side, old: &Side, bytes: &[u8]) -> Result<Value, String> {
    let reader = apache_avro::reader::datum::GenericDatumReader::builder(&old.schema);
    let told = |error: apache_avro::Error| error.to_string();
    let reader = reader.writer_schemata(old.all()).map_err(told)?;
    let reader = reader.reader_schema(&new.schema).reader_schemata(new.all()).map_err(told)?;
    reader.build().map_err(told)?.read_value(&mut &bytes[..]).map_err(told)
}

const LOGICAL_TYPE: &str = "the logical type changed";

/// What passes wrongly, or what apache-avro does not do: its name, and a rewriting of the reader that takes it away. If
/// a value is read once that is done, it is why it was not. None of them changes a byte of what is written.
const BLIND_SPOTS: [(&str, Rewrite); 3] = [
    (LOGICAL_TYPE, |node, _| drop(node.remove("logicalType"))),
    ("an alias is needed, which apache-avro does not know", |node, written| {
        let is_written = |name: Option<&Json>| name.and_then(Json::as_str).is_some_and(|name| written.contains(name));
        let is_field = node.contains_key("type") && !node.contains_key("fields");
        let aliases = node.get("aliases").and_then(Json::as_array).cloned().unwrap_or_default();
        if let Some(alias) = aliases.into_iter().find(|alias| is_written(Some(alias)))
            && is_field
            && !is_written(node.get("name"))
        {
            node.insert("name".to_owned(), alias);
        }
    }),
    ("bytes that are no text are read as a string", |node, _| {
        for keyword in ["type", "items", "values"] {
            node.get_mut(keyword).into_iter().for_each(text_as_bytes);
        }
    }),
];

/// It is given the names in the writer.
type Rewrite = fn(&mut Map<String, Json>, &HashSet<String>);

fn text_as_bytes(kind: &mut Json) {
    match kind {
        Json::String(name) if name == "string" => *name = "bytes".to_owned(),
        Json::Array(branches) if !branches.iter().any(|branch| branch == "bytes") => {
            branches.iter_mut().for_each(text_as_bytes);
        }
        _ => {}
    }
}

fn known_to_pass_wrongly(reader: &Texts, writer: &Texts, bytes: &[u8]) -> Option<&'static str> {
    let mut names = HashSet::new();
    let all = writer.references.iter().map(|(_, text)| text).chain([&writer.text]);
    all.filter_map(|text| serde_json::from_str(text).ok()).for_each(|value| add_names(&value, &mut names));
    let is_read_after = |rewrites: &[Rewrite]| {
        let new = Side::read(&rewritten(reader, rewrites, &names));
        let old = Side::read(&rewritten(writer, &[BLIND_SPOTS[0].1], &names));
        new.zip(old).is_some_and(|(new, old)| decoded(&new, &old, bytes).is_ok())
    };
    let logical = BLIND_SPOTS[0].1;
    if let Some((name, _)) = BLIND_SPOTS.iter().find(|(_, rewrite)| is_read_after(&[logical, *rewrite])) {
        return Some(name);
    }
    if is_read_after(&BLIND_SPOTS.map(|(_, rewrite)| rewrite)) {
        return Some("several of these");
    }
    let stored = |texts: &Texts| parse(&texts.text, &texts.referred(), Reading::Stored, &PROFILE.avro?.parsing).ok();
    let (new, old) = (stored(reader)?, stored(writer)?);
    if advice::accepted_though_unreadable(&new, &old).is_some() {
        return Some("the library remembers what it assumed");
    }
    let is_ambiguous = advice::advice(&new, &old).iter().any(|advice| advice.code == Code::AmbiguousUnion);
    is_ambiguous.then_some("apache-avro chooses another branch of an ambiguous union")
}

fn add_names(value: &Json, names: &mut HashSet<String>) {
    match value {
        Json::Object(node) => {
            names.extend(node.get("name").and_then(Json::as_str).map(str::to_owned));
            node.values().for_each(|value| add_names(value, names));
        }
        Json::Array(items) => items.iter().for_each(|item| add_names(item, names)),
        _ => {}
    }
}

fn rewritten(texts: &Texts, rewrites: &[Rewrite], names: &HashSet<String>) -> Texts {
    let rewrite = |text: &String| {
        let Ok(value) = serde_json::from_str::<Json>(text) else { return text.clone() };
        let mut held = json!({ "items": value });
        rewrites.iter().for_each(|rewrite| rewrite_all(&mut held, *rewrite, names));
        held["items"].to_string()
    };
    Texts {
        text: rewrite(&texts.text),
        references: texts.references.iter().map(|(name, text)| (name.clone(), rewrite(text))).collect(),
    }
}

fn rewrite_all(value: &mut Json, rewrite: Rewrite, names: &HashSet<String>) {
    match value {
        Json::Object(node) => {
            let inner = node.iter_mut().filter(|(keyword, _)| *keyword != "default");
            inner.for_each(|(_, value)| rewrite_all(value, rewrite, names));
            rewrite(node, names);
        }
        Json::Array(items) => items.iter_mut().for_each(|item| rewrite_all(item, rewrite, names)),
        _ => {}
    }
}

fn any_value(side: &Side, seed: u64) -> Option<Value> {
    let resolved = ResolvedSchema::try_from(side.all()).expect("its names are known");
    let rng = fastrand::Rng::with_seed(seed);
    let mut values = Values { names: resolved.get_names(), rng, is_endless: false };
    let value = values.of(&side.schema, None, 0);
    (!values.is_endless).then_some(value)
}

struct Values<'s> {
    names: &'s NamesRef<'s>,
    rng: fastrand::Rng,
    is_endless: bool,
}

/// Deeper than any value of a schema that can end.
const ENDLESS: usize = 60;

impl Values<'_> {
    fn of(&mut self, schema: &Schema, namespace: Option<&str>, depth: usize) -> Value {
        let rng = &mut self.rng;
        match schema {
            _ if depth > ENDLESS => {
                self.is_endless = true;
                Value::Null
            }
            Schema::Null => Value::Null,
            Schema::Boolean => Value::Boolean(rng.bool()),
            Schema::Int => Value::Int(rng.i32(..)),
            Schema::Long => Value::Long(rng.i64(..)),
            Schema::Float => Value::Float(rng.f32()),
            Schema::Double => Value::Double(rng.f64()),
            Schema::Bytes => Value::Bytes((0..rng.usize(0..4)).map(|_| rng.u8(..)).collect()),
            Schema::String => Value::String((0..rng.usize(0..4)).map(|_| rng.alphabetic()).collect()),
            Schema::Fixed(fixed) => Value::Fixed(fixed.size, vec![7; fixed.size]),
            Schema::Enum(one) => {
                let at = rng.usize(0..one.symbols.len());
                Value::Enum(at as u32, one.symbols[at].clone())
            }
            Schema::Array(array) => {
                let length = if depth > 5 { 0 } else { rng.usize(0..3) };
                Value::Array((0..length).map(|_| self.of(&array.items, namespace, depth + 1)).collect())
            }
            Schema::Map(map) => {
                let length = if depth > 5 { 0 } else { rng.usize(0..3) };
                let entries = (0..length).map(|at| (format!("k{at}"), self.of(&map.types, namespace, depth + 1)));
                Value::Map(entries.collect::<HashMap<_, _>>())
            }
            Schema::Union(union) => {
                let branches = union.variants();
                let none = branches.iter().position(|branch| matches!(branch, Schema::Null));
                let at = none.filter(|_| depth > 5).unwrap_or_else(|| rng.usize(0..branches.len()));
                Value::Union(at as u32, Box::new(self.of(&branches[at], namespace, depth + 1)))
            }
            Schema::Record(record) => {
                let inner = record.name.namespace().or(namespace).map(str::to_owned);
                let field = |field: &apache_avro::schema::RecordField| {
                    (field.name.clone(), self.of(&field.schema, inner.as_deref(), depth + 1))
                };
                Value::Record(record.fields.iter().map(field).collect())
            }
            Schema::Ref { name } => {
                let full: Name = name.fully_qualified_name(namespace).into_owned();
                let found = self.names.get(&full).copied().expect("its names are known");
                self.of(found, full.namespace(), depth + 1)
            }
            Schema::Decimal(_) => Value::Decimal(Decimal::from(vec![1, 2])),
            Schema::BigDecimal => Value::BigDecimal(1.into()),
            Schema::Uuid(_) => Value::Uuid(Uuid::nil()),
            Schema::Date => Value::Date(rng.i32(..)),
            Schema::TimeMillis => Value::TimeMillis(rng.i32(..)),
            Schema::TimeMicros => Value::TimeMicros(rng.i64(..)),
            Schema::TimestampMillis => Value::TimestampMillis(rng.i64(..)),
            Schema::TimestampMicros => Value::TimestampMicros(rng.i64(..)),
            Schema::TimestampNanos => Value::TimestampNanos(rng.i64(..)),
            Schema::LocalTimestampMillis => Value::LocalTimestampMillis(rng.i64(..)),
            Schema::LocalTimestampMicros => Value::LocalTimestampMicros(rng.i64(..)),
            Schema::LocalTimestampNanos => Value::LocalTimestampNanos(rng.i64(..)),
            Schema::Duration(_) => Value::Duration(Duration::new(Months::new(1), Days::new(2), Millis::new(3))),
        }
    }
}
