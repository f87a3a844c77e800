//! The rules of compat.md §1.2, one function each. Each answers for a reader's and a writer's type alone: what they are
//! made of is compared elsewhere.

use crate::schema::avro::{Enum, Field, Fixed, Kind, Primitive, Record};

/// NAME_MISMATCH: names are equal without their namespaces, or an alias of the reader is the writer's full name.
/// Aliases of the writer do not count.
pub(super) fn names_match(reader: &Kind, writer: &Kind) -> bool {
    let (Some((reader, aliases)), Some((writer, _))) = (reader.names(), writer.names()) else { return true };
    reader.short() == writer.short() || aliases.hold(writer.full())
}

/// FIXED_SIZE_MISMATCH: sizes are equal.
pub(super) fn sizes_match(reader: &Fixed, writer: &Fixed) -> bool {
    reader.size == writer.size
}

/// MISSING_ENUM_SYMBOLS: the reader has every symbol of the writer, or a default for those that it lacks. What default
/// the writer has does not count, nor does the order.
pub(super) fn reads_symbols(reader: &Enum, writer: &Enum) -> bool {
    reader.default.is_some() || reader.symbols == writer.symbols || missing_symbols(reader, writer).next().is_none()
}

/// The symbols that the writer has and the reader lacks.
pub(super) fn missing_symbols<'s>(reader: &'s Enum, writer: &'s Enum) -> impl Iterator<Item = &'s str> {
    writer.symbols.iter().map(|symbol| &**symbol).filter(|symbol| !reader.has(symbol))
}

/// READER_FIELD_MISSING_DEFAULT_VALUE: a reader's field that no field of the writer matches has a default; `null` is
/// one, and whether it fits its type was told when the schema was read.
pub(super) fn can_be_missing(field: &Field) -> bool {
    field.default.is_some()
}

/// A field without a default whose type is an enum with one: the library compares that enum with the writer's whole
/// record, which is a TYPE_MISMATCH.
pub(super) fn falls_back_on_enum(kind: &Kind) -> bool {
    matches!(kind, Kind::Enum(symbols) if symbols.default.is_some())
}

/// TYPE_MISMATCH: the reader takes the writer's primitive as it is, or promotes it.
pub(super) fn reads_primitive(reader: Primitive, writer: Primitive) -> bool {
    use Primitive::{Bytes, Double, Float, Int, Long, String};
    reader == writer
        || matches!(
            (writer, reader),
            (Int, Long | Float | Double) | (Long, Float | Double) | (Float, Double) | (String, Bytes) | (Bytes, String)
        )
}

/// Which of the writer's fields a reader's field reads.
pub(super) enum Source {
    /// None.
    Missing,
    /// The one at this place.
    At(usize),
    /// Its name and its aliases find more than one, or one of them twice; this is the first.
    Ambiguous(usize),
}

/// Finds a reader's field in the writer by its name and by its aliases; aliases of the writer do not count.
pub(super) fn source(reader: &Field, writer: &Record, same_place: usize) -> Source {
    let direct = match writer.fields.get(same_place) {
        Some(field) if field.name == reader.name => Some(same_place),
        _ => writer.position(&reader.name),
    };
    let by_alias = reader.aliases.iter().filter_map(|alias| writer.position(alias));
    let mut found = direct.into_iter().chain(by_alias);
    match (found.next(), found.next()) {
        (None, _) => Source::Missing,
        (Some(at), None) => Source::At(at),
        (Some(first), Some(_)) => Source::Ambiguous(first),
    }
}
