//! What becomes of the data of an Order whose fields change: nothing fails, and something is lost.

use apache_avro::Schema;
use apache_avro::reader::datum::GenericDatumReader;
use apache_avro::types::Value;
use apache_avro::writer::datum::GenericDatumWriter;
use schema_registrar::api::SchemaType;
use schema_registrar::compat::CONFLUENT_8_3;

use crate::verdict;

const STATUS: &str = r#"{"type":"record","name":"Order","fields":[{"name":"id","type":"string"},
    {"name":"amount","type":"double"},{"name":"status","type":"string"}]}"#;
const CURRENCY: &str = r#"{"type":"record","name":"Order","fields":[{"name":"id","type":"string"},
    {"name":"amount","type":"double"},{"name":"currency","type":"string","default":"RUB"}]}"#;
const CURR: &str = r#"{"type":"record","name":"Order","fields":[{"name":"id","type":"string"},
    {"name":"amount","type":"double"},{"name":"curr","type":"string","default":"RUB"}]}"#;

/// What a reader sees of an order whose last field is given.
fn read_as(reader: &str, writer: &str, last: (&str, &str)) -> Vec<(String, Value)> {
    let texts = |text: &str| verdict::text(text.to_owned());
    let reads = verdict::reads(SchemaType::Avro, &texts(reader), &texts(writer), &CONFLUENT_8_3);
    assert_eq!(reads, Some(true), "the registry takes the change");
    let schema = |text: &str| Schema::parse_str(text).expect("the text is Avro");
    let (reader, writer) = (schema(reader), schema(writer));
    let text = |text: &str| Value::String(text.to_owned());
    let order = Value::Record(vec![
        ("id".to_owned(), text("1")),
        ("amount".to_owned(), Value::Double(9.5)),
        (last.0.to_owned(), text(last.1)),
    ]);
    let bytes = GenericDatumWriter::builder(&writer).build().and_then(|writer| writer.write_value_to_vec(order));
    let bytes = bytes.expect("the order is one");
    let read = GenericDatumReader::builder(&writer).reader_schema(&reader).build();
    match read.and_then(|read| read.read_value(&mut bytes.as_slice())).expect("it decodes") {
        Value::Record(fields) => fields,
        other => unreachable!("{other:?} is no record"),
    }
}

#[test]
fn a_field_that_the_reader_lacks_is_dropped_and_a_new_one_takes_its_default() {
    let fields = read_as(CURRENCY, STATUS, ("status", "paid"));
    assert_eq!(fields.len(), 3, "{fields:?}");
    assert_eq!(fields[2], ("currency".to_owned(), Value::String("RUB".to_owned())));
}

/// The stored value is lost, and nobody is told of it but by advice.
#[test]
fn a_field_renamed_without_an_alias_takes_its_default() {
    let fields = read_as(CURR, CURRENCY, ("currency", "EUR"));
    assert_eq!(fields[2], ("curr".to_owned(), Value::String("RUB".to_owned())));
    let told = verdict::Spot::new("renamed", &[schema_registrar::compat::advice::Code::RenameWithoutAlias]);
    let texts = |text: &str| verdict::text(text.to_owned());
    assert_eq!(told.is_advised(SchemaType::Avro, &texts(CURR), &texts(CURRENCY), &CONFLUENT_8_3), Ok(()));
}
