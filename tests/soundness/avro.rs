//! Avro: apache-avro writes with the old schema and reads with the new one.

use std::collections::{HashMap, HashSet};

use apache_avro::schema::{Name, NamesRef, ResolvedSchema};
use apache_avro::types::Value;
use apache_avro::{Days, Decimal, Duration, Millis, Months, Schema, Uuid};
use proptest::prelude::*;
use schema_registrar::api::SchemaType;
use schema_registrar::compat::advice::Code;
use schema_registrar::compat::{CONFLUENT_8_3, Profile};
use serde_json::{Map, Value as Json, json};

use crate::generate::avro::{Avro, changes};
use crate::generate::for_all;
use crate::tally::Tally;
use crate::verdict::{self, Spot, Texts};

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
    if [reader, writer].into_iter().any(has_endless_default) {
        return tally.proves_nothing("apache-avro takes a map's default for a record that has it, for ever");
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
            let told = || format!("{value:?} is not read: {why}\n{reader:#?}\n{writer:#?}");
            match known_to_pass_wrongly(reader, writer, &bytes) {
                Some(LOGICAL_TYPE) if logical_types(reader) == logical_types(writer) => tally.excused(DECIMAL),
                Some(spot) => {
                    let advised = spot.is_advised(SchemaType::Avro, reader, writer, PROFILE);
                    advised.map_err(|why| format!("{why}: {}", told()))?;
                    tally.excused(spot);
                }
                None => return Err(told()),
            }
        }
    }
    tally.readable(VALUES as u32);
    Ok(())
}

/// Whether a union has an empty map as its default.
fn has_endless_default(texts: &Texts) -> bool {
    fn is_found(value: &Json) -> bool {
        match value {
            Json::Object(node) => {
                let is_here = node.get("default") == Some(&json!({})) && node.get("type").is_some_and(Json::is_array);
                is_here || node.values().any(is_found)
            }
            Json::Array(items) => items.iter().any(is_found),
            _ => false,
        }
    }
    let mut all = texts.references.iter().map(|(_, text)| text).chain([&texts.text]);
    all.any(|text| serde_json::from_str(text).is_ok_and(|value| is_found(&value)))
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

const LOGICAL_TYPE: Spot = Spot::new("the logical type changed", &[Code::LogicalTypeChanged]);
/// No logical type changed.
const DECIMAL: Spot = Spot::new("apache-avro does not tell a decimal in a union from bytes", &[]);
const ALIAS: Spot = Spot::new("an alias is needed, which apache-avro does not know", &[Code::NeedsAlias]);
const NO_TEXT: Spot = Spot::new("bytes that are no text are read as a string", &[Code::ValuesMayNotFit]);
const SEVERAL: Spot =
    Spot::new("several of these", &[Code::LogicalTypeChanged, Code::NeedsAlias, Code::ValuesMayNotFit]);
const REMEMBERED: Spot = Spot::new("the library remembers what it assumed", &[Code::AcceptedThoughUnreadable]);
const AMBIGUOUS: Spot = Spot::new("another branch of an ambiguous union is chosen", &[Code::AmbiguousUnion]);

/// What passes wrongly, or what apache-avro does not do: its name, and a rewriting of the reader that takes it away. If
/// a value is read once that is done, it is why it was not. None of them changes a byte of what is written.
const BLIND_SPOTS: [(Spot, Rewrite); 3] = [
    (LOGICAL_TYPE, |node, _| drop(node.remove("logicalType"))),
    (ALIAS, |node, written| {
        let aliases = node.get("aliases").and_then(Json::as_array).into_iter().flatten();
        let mut names = node.get("name").into_iter().chain(aliases).filter_map(Json::as_str);
        let Some(record) = names.find_map(|name| written.get(short(name))) else { return };
        let is_written = |name: &Json| name.as_str().is_some_and(|name| record.contains(name));
        for field in node.get_mut("fields").and_then(Json::as_array_mut).into_iter().flatten() {
            let aliases = field.get("aliases").and_then(Json::as_array).cloned().unwrap_or_default();
            if let (Some(alias), false) = (aliases.into_iter().find(is_written), is_written(&field["name"])) {
                field["name"] = alias;
            }
        }
    }),
    (NO_TEXT, |node, _| {
        for keyword in ["type", "items", "values"] {
            node.get_mut(keyword).into_iter().for_each(text_as_bytes);
        }
    }),
];

/// It is given the names of the writer's fields.
type Rewrite = fn(&mut Map<String, Json>, &Written);

/// The names of fields, by the short names of their records.
type Written = HashMap<String, HashSet<String>>;

fn short(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// How often there is which logical type.
fn logical_types(texts: &Texts) -> HashMap<String, usize> {
    fn count(value: &Json, counts: &mut HashMap<String, usize>) {
        match value {
            Json::Object(node) => {
                if node.contains_key("logicalType") {
                    *counts.entry(value.to_string()).or_default() += 1;
                }
                node.values().for_each(|value| count(value, counts));
            }
            Json::Array(items) => items.iter().for_each(|item| count(item, counts)),
            _ => {}
        }
    }
    let mut counts = HashMap::new();
    let all = texts.references.iter().map(|(_, text)| text).chain([&texts.text]);
    all.filter_map(|text| serde_json::from_str(text).ok()).for_each(|value| count(&value, &mut counts));
    counts
}

fn text_as_bytes(kind: &mut Json) {
    match kind {
        Json::String(name) if name == "string" => *name = "bytes".to_owned(),
        Json::Array(branches) if !branches.iter().any(|branch| branch == "bytes") => {
            branches.iter_mut().for_each(text_as_bytes);
        }
        _ => {}
    }
}

fn known_to_pass_wrongly(reader: &Texts, writer: &Texts, bytes: &[u8]) -> Option<Spot> {
    let mut names = Written::new();
    let all = writer.references.iter().map(|(_, text)| text).chain([&writer.text]);
    all.filter_map(|text| serde_json::from_str(text).ok()).for_each(|value| add_names(&value, &mut names));
    let is_read_after = |rewrites: &[Rewrite]| {
        let new = Side::read(&rewritten(reader, rewrites, &names));
        let old = Side::read(&rewritten(writer, &[BLIND_SPOTS[0].1], &names));
        new.zip(old).is_some_and(|(new, old)| decoded(&new, &old, bytes).is_ok())
    };
    let logical = BLIND_SPOTS[0].1;
    if let Some((spot, _)) = BLIND_SPOTS.iter().find(|(_, rewrite)| is_read_after(&[logical, *rewrite])) {
        return Some(*spot);
    }
    if is_read_after(&BLIND_SPOTS.map(|(_, rewrite)| rewrite)) {
        return Some(SEVERAL);
    }
    [REMEMBERED, AMBIGUOUS].into_iter().find(|spot| spot.is_advised(SchemaType::Avro, reader, writer, PROFILE).is_ok())
}

fn add_names(value: &Json, names: &mut Written) {
    match value {
        Json::Object(node) => {
            if let (Some(Json::String(name)), Some(Json::Array(fields))) = (node.get("name"), node.get("fields")) {
                let fields = fields.iter().filter_map(|field| field["name"].as_str().map(str::to_owned));
                names.entry(short(name).to_owned()).or_default().extend(fields);
            }
            node.values().for_each(|value| add_names(value, names));
        }
        Json::Array(items) => items.iter().for_each(|item| add_names(item, names)),
        _ => {}
    }
}

fn rewritten(texts: &Texts, rewrites: &[Rewrite], names: &Written) -> Texts {
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

fn rewrite_all(value: &mut Json, rewrite: Rewrite, names: &Written) {
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
            // As many bytes as any precision here may need: apache-avro does not read fewer.
            Schema::Decimal(_) => Value::Decimal(Decimal::from(vec![0, 0, 1, 2])),
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
