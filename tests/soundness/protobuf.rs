//! Protobuf: bytes that were written with the old file decode with the new one, and every field that was set is there,
//! or kept as one that is not known.

use std::path::Path;

use proptest::prelude::*;
use prost_reflect::prost::Message as _;
use prost_reflect::{
    Cardinality, DescriptorPool, DynamicMessage, FieldDescriptor, Kind, MapKey, MessageDescriptor, ReflectMessage,
    Value,
};
use protox::file::{ChainFileResolver, File, FileResolver, GoogleFileResolver};
use schema_registrar::api::SchemaType;
use schema_registrar::compat::advice::Code;
use schema_registrar::compat::{CONFLUENT_8_3, CONFLUENT_NEXT, Profile};

use crate::generate::for_all;
use crate::generate::protobuf::{Proto, changes};
use crate::tally::Tally;
use crate::verdict::{self, Spot, Texts};

/// So many values are written for each message of a file.
const VALUES: u64 = 6;
const MAIN: &str = "main.proto";

#[test]
fn what_reads_by_verdict_decodes_without_loss() {
    let tally = Tally::default();
    for_all(500, (changes(), any::<u64>()), |((old, new), seed)| {
        let texts = |file: &Proto| verdict::text(file.text());
        for profile in [&CONFLUENT_8_3, &CONFLUENT_NEXT] {
            proves(&texts(new), &texts(old), *seed, profile, &tally)?;
            proves(&texts(old), &texts(new), *seed, profile, &tally)?;
        }
        Ok(())
    });
    tally.report("generated Protobuf", 5_000);
}

#[test]
fn what_registries_let_pass_decodes_without_loss() {
    let tally = Tally::default();
    for (seed, (id, reader, writer)) in (0..).zip(verdict::judged_pairs("PROTOBUF")) {
        let proof = proves(&reader, &writer, seed, &CONFLUENT_NEXT, &tally);
        assert!(proof.is_ok(), "{id}: {}", proof.err().unwrap_or_default());
    }
    tally.report("Protobuf that registries judged", 300);
}

/// Every message that the writer declares is read by the reader, and loses nothing.
fn proves(reader: &Texts, writer: &Texts, seed: u64, profile: &Profile, tally: &Tally) -> Result<(), String> {
    match verdict::reads(SchemaType::Protobuf, reader, writer, profile) {
        Some(true) => {}
        Some(false) => return tally.proves_nothing("it does not read by verdict"),
        None => return tally.proves_nothing("there is no verdict"),
    }
    let (Some(new), Some(old)) = (compiled(reader), compiled(writer)) else {
        return tally.proves_nothing("the compiler does not read the file");
    };
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut values = 0;
    for before in declared(&old) {
        let Some(after) = new.get_message_by_name(before.full_name()) else {
            return Err(format!("{} is gone\n{reader:#?}\n{writer:#?}", before.full_name()));
        };
        for _ in 0..VALUES {
            values += 1;
            let message = any_message(&before, &mut rng, 0);
            let Some(lost) = lost(&message, &after) else { continue };
            let told = || format!("{message} loses {}: {}\n{reader:#?}\n{writer:#?}", lost.was.full_name(), lost.why);
            match lost.known_to_pass_wrongly(reader, writer) {
                Some(spot) => {
                    let advised = spot.is_advised(SchemaType::Protobuf, reader, writer, profile);
                    advised.map_err(|why| format!("{why}: {}", told()))?;
                    tally.excused(spot);
                }
                None => return Err(told()),
            }
        }
    }
    tally.readable(values);
    Ok(())
}

fn compiled(texts: &Texts) -> Option<DescriptorPool> {
    let mut resolver = ChainFileResolver::new();
    resolver.add(Given(texts.clone()));
    resolver.add(GoogleFileResolver::new());
    let mut compiler = protox::Compiler::with_file_resolver(resolver);
    compiler.include_imports(true).open_file(Path::new(MAIN)).ok()?;
    Some(compiler.descriptor_pool())
}

struct Given(Texts);

impl FileResolver for Given {
    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        let reference = self.0.references.iter().find(|(given, _)| given == name);
        match reference.map(|(_, text)| text) {
            _ if name == MAIN => File::from_source(name, &self.0.text),
            Some(text) => File::from_source(name, text),
            None => Err(protox::Error::file_not_found(name)),
        }
    }
}

fn declared(pool: &DescriptorPool) -> Vec<MessageDescriptor> {
    let all = pool.all_messages();
    all.filter(|message| message.parent_file().name() == MAIN && !message.is_map_entry()).collect()
}

const CARDINALITY: Spot =
    Spot::new("one of many, or many of one", &[Code::CardinalityChanged, Code::AcceptedThoughUnreadable]);
const SCALAR: Spot = Spot::new("another scalar of its group", &[Code::ValuesMayNotFit]);
const GROUP: Spot = Spot::new("groups are not compared", &[Code::NotCompared]);
const ONEOFS: Spot = Spot::new("oneofs by name, up to 8.3.1", &[Code::AcceptedThoughUnreadable]);

/// What was set and is not there any more.
struct Loss {
    was: FieldDescriptor,
    /// What reads it; none if nothing does and it was not kept either.
    is: Option<FieldDescriptor>,
    why: String,
}

impl Loss {
    /// Why it is no surprise.
    fn known_to_pass_wrongly(&self, reader: &Texts, writer: &Texts) -> Option<Spot> {
        let (was, is) = (&self.was, self.is.as_ref()?);
        if let (true, true, Kind::Message(was), Kind::Message(is)) = (was.is_map(), is.is_map(), was.kind(), is.kind())
        {
            let keys = is_another_scalar(&was.map_entry_key_field(), &is.map_entry_key_field());
            let values = is_another_scalar(&was.map_entry_value_field(), &is.map_entry_value_field());
            if keys || values {
                return Some(SCALAR);
            }
        }
        let is_scalar = is_another_scalar(was, is);
        let (was, is) = (side(was), side(is));
        if was.group == is.group && was.is_group == is.is_group && was.is_many != is.is_many {
            return Some(CARDINALITY);
        }
        if is_scalar {
            return Some(SCALAR);
        }
        if was.is_group || is.is_group {
            return Some(GROUP);
        }
        let next = verdict::reads(SchemaType::Protobuf, reader, writer, &CONFLUENT_NEXT);
        (next == Some(false)).then_some(ONEOFS)
    }
}

/// What matters of a field to whoever reads it.
struct Side {
    is_many: bool,
    kind: String,
    /// Scalars of one group can be read as each other; none for messages.
    group: Option<u8>,
    is_group: bool,
}

/// Scalars of one group, but not the same.
fn is_another_scalar(was: &FieldDescriptor, is: &FieldDescriptor) -> bool {
    let (was, is) = (side(was), side(is));
    was.group.is_some() && was.group == is.group && was.kind != is.kind
}

fn side(field: &FieldDescriptor) -> Side {
    let group = match field.kind() {
        Kind::Int32 | Kind::Int64 | Kind::Uint32 | Kind::Uint64 | Kind::Bool | Kind::Enum(_) => Some(0),
        Kind::Sint32 | Kind::Sint64 => Some(1),
        Kind::String | Kind::Bytes => Some(2),
        Kind::Fixed32 | Kind::Sfixed32 => Some(3),
        Kind::Fixed64 | Kind::Sfixed64 => Some(4),
        Kind::Float => Some(5),
        Kind::Double => Some(6),
        Kind::Message(_) => None,
    };
    let is_many = field.cardinality() == Cardinality::Repeated;
    Side { is_many, kind: format!("{:?}", field.kind()), group, is_group: field.is_group() }
}

/// The first field that is not there any more once a message is read as another one.
fn lost(message: &DynamicMessage, after: &MessageDescriptor) -> Option<Loss> {
    match DynamicMessage::decode(after.clone(), message.encode_to_vec().as_slice()) {
        Ok(read) => lost_fields(message, &read),
        Err(error) => Some(undecodable(message, after, &error.to_string())),
    }
}

/// The field that makes a message undecodable is one that does so on its own.
fn undecodable(message: &DynamicMessage, after: &MessageDescriptor, why: &str) -> Loss {
    for (field, value) in message.fields() {
        let mut alone = DynamicMessage::new(message.descriptor());
        alone.set_field(&field, value.clone());
        if DynamicMessage::decode(after.clone(), alone.encode_to_vec().as_slice()).is_ok() {
            continue;
        }
        let is = after.get_field(field.number());
        let inner = is.as_ref().and_then(message_within);
        let messages: Vec<&DynamicMessage> = match value {
            Value::Message(inner) => vec![inner],
            Value::List(items) => items.iter().filter_map(Value::as_message).collect(),
            Value::Map(entries) => entries.values().filter_map(Value::as_message).collect(),
            _ => Vec::new(),
        };
        let deeper = inner.and_then(|inner| messages.into_iter().find_map(|message| lost(message, &inner)));
        return deeper.unwrap_or_else(|| Loss { was: field.clone(), is, why: why.to_owned() });
    }
    unreachable!("{message} cannot be decoded, though each of its fields can: {why}")
}

/// The message that a field holds, also as the values of a map.
fn message_within(field: &FieldDescriptor) -> Option<MessageDescriptor> {
    let kind = field.kind();
    let message = kind.as_message()?;
    let value = field.is_map().then(|| message.map_entry_value_field().kind());
    value.map_or_else(|| Some(message.clone()), |value| value.as_message().cloned())
}

fn lost_fields(message: &DynamicMessage, read: &DynamicMessage) -> Option<Loss> {
    message.fields().find_map(|(was, value)| {
        let Some(is) = read.descriptor().get_field(was.number()) else {
            let is_kept = read.unknown_fields().any(|field| field.number() == was.number());
            return (!is_kept).then(|| Loss { was, is: None, why: "it is not kept".to_owned() });
        };
        let found = read.get_field(&is);
        match lost_value(value, &found) {
            Difference::None => None,
            Difference::Inside(loss) => Some(*loss),
            Difference::Here => Some(Loss { was, is: Some(is), why: format!("{value} is {found}") }),
        }
    })
}

enum Difference {
    None,
    Here,
    Inside(Box<Loss>),
}

fn lost_value(value: &Value, found: &Value) -> Difference {
    let of = |same: bool| if same { Difference::None } else { Difference::Here };
    match (value, found) {
        (Value::Message(message), Value::Message(read)) => match lost_fields(message, read) {
            Some(loss) => Difference::Inside(Box::new(loss)),
            None => Difference::None,
        },
        (Value::List(items), Value::List(read)) if items.len() == read.len() => {
            let different = items.iter().zip(read).map(|(item, read)| lost_value(item, read));
            different.into_iter().find(|one| !matches!(one, Difference::None)).unwrap_or(Difference::None)
        }
        (Value::Map(entries), Value::Map(read)) => {
            let read: Vec<(Value, &Value)> = read.iter().map(|(key, value)| (key_value(key), value)).collect();
            for (key, value) in entries {
                let key = key_value(key);
                let Some((_, found)) = read.iter().find(|(other, _)| plain(other) == plain(&key)) else {
                    return Difference::Here;
                };
                match lost_value(value, found) {
                    Difference::None => {}
                    different => return different,
                }
            }
            Difference::None
        }
        (Value::List(_) | Value::Map(_), _) => Difference::Here,
        (value, Value::List(read)) if read.len() == 1 => lost_value(value, &read[0]),
        (value, found) => of(plain(value).is_some() && plain(value) == plain(found)),
    }
}

fn key_value(key: &MapKey) -> Value {
    key.clone().into()
}

/// A scalar as what it stands for: numbers of all widths are one kind, and so are text and bytes.
fn plain(value: &Value) -> Option<String> {
    Some(match value {
        Value::Bool(value) => i128::from(*value).to_string(),
        Value::I32(value) | Value::EnumNumber(value) => i128::from(*value).to_string(),
        Value::I64(value) => i128::from(*value).to_string(),
        Value::U32(value) => i128::from(*value).to_string(),
        Value::U64(value) => i128::from(*value).to_string(),
        Value::F32(value) => format!("f32 {:x}", value.to_bits()),
        Value::F64(value) => format!("f64 {:x}", value.to_bits()),
        Value::String(value) => format!("bytes {:?}", value.as_bytes()),
        Value::Bytes(value) => format!("bytes {:?}", value.as_ref()),
        Value::Message(_) | Value::List(_) | Value::Map(_) => return None,
    })
}

fn any_message(descriptor: &MessageDescriptor, rng: &mut fastrand::Rng, depth: usize) -> DynamicMessage {
    let mut message = DynamicMessage::new(descriptor.clone());
    for field in descriptor.fields() {
        let is_message = field.kind().as_message().is_some();
        if (depth > 3 && is_message) || rng.u8(0..4) == 0 {
            continue;
        }
        let value = if field.is_map() {
            let Kind::Message(entry) = field.kind() else { continue };
            let entries = (0..rng.usize(1..3)).filter_map(|_| {
                let key = any_scalar(&entry.map_entry_key_field().kind(), rng)?.into_map_key()?;
                Some((key, any_value(&entry.map_entry_value_field().kind(), rng, depth)))
            });
            Value::Map(entries.collect())
        } else if field.is_list() {
            Value::List((0..rng.usize(1..3)).map(|_| any_value(&field.kind(), rng, depth)).collect())
        } else {
            any_value(&field.kind(), rng, depth)
        };
        message.set_field(&field, value);
    }
    message
}

fn any_value(kind: &Kind, rng: &mut fastrand::Rng, depth: usize) -> Value {
    match kind {
        Kind::Message(descriptor) => Value::Message(any_message(descriptor, rng, depth + 1)),
        kind => any_scalar(kind, rng).unwrap_or(Value::Bool(true)),
    }
}

fn any_scalar(kind: &Kind, rng: &mut fastrand::Rng) -> Option<Value> {
    Some(match kind {
        Kind::Double => Value::F64(rng.f64()),
        Kind::Float => Value::F32(rng.f32()),
        Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => Value::I32(rng.i32(..)),
        Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => Value::I64(rng.i64(..)),
        Kind::Uint32 | Kind::Fixed32 => Value::U32(rng.u32(..)),
        Kind::Uint64 | Kind::Fixed64 => Value::U64(rng.u64(..)),
        Kind::Bool => Value::Bool(rng.bool()),
        Kind::String => Value::String((0..rng.usize(0..4)).map(|_| rng.alphabetic()).collect()),
        Kind::Bytes => Value::Bytes((0..rng.usize(0..4)).map(|_| rng.u8(..)).collect::<Vec<u8>>().into()),
        Kind::Enum(one) => {
            let constants: Vec<i32> = one.values().map(|value| value.number()).collect();
            Value::EnumNumber(rng.choice(constants)?)
        }
        Kind::Message(_) => return None,
    })
}
