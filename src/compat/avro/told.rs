//! From findings to differences: the library's paths, and the facts that sentences are made of.

use super::EXCEPTION;
use super::outcome::{Breach, Finding, Findings, Outcome, Step};
use super::rules;
use crate::compat::difference::MAX_TOLD;
use crate::compat::{Difference, Facts};
use crate::schema::avro::{Field, Kind, Record, Schema, TypeId};

/// How many differences are told. The library's list can be exponentially long, since it repeats itself.
const MOST: usize = 10_000;

/// How many branches or symbols are named in one difference: thousands of differences may each have a long list.
const MOST_LISTED: usize = 20;

/// The differences of an outcome, in the library's order.
pub(super) fn differences(reader: &Schema, writer: &Schema, findings: &Findings, outcome: Outcome) -> Vec<Difference> {
    let teller = Teller { reader, writer, findings };
    let mut told = 0;
    let fits = |difference: &Difference| {
        let fits = told < MAX_TOLD;
        told += difference.bytes();
        fits
    };
    findings.list(outcome, MOST).into_iter().map(|finding| teller.tell(finding)).take_while(fits).collect()
}

/// What is told where the library throws: that alone, without a path.
pub(super) fn exception(reader: &Schema, writer: &Schema, record: TypeId, at: usize, found: TypeId) -> Difference {
    let mut facts = Facts::default();
    if let (Kind::Record(record_kind), Kind::Record(writer)) = (reader.kind(record), writer.kind(found)) {
        let field = &record_kind.fields[at];
        let names = std::iter::once(&field.name).chain(&field.aliases);
        let matched: Vec<&str> = names.map(|name| &**name).filter(|name| writer.position(name).is_some()).collect();
        facts.subject = field_words(field, record_kind, record == reader.root());
        facts.writer = matched.join(", ");
    }
    Difference { rule: EXCEPTION, path: String::new(), breaks: true, facts }
}

struct Teller<'s> {
    reader: &'s Schema,
    writer: &'s Schema,
    findings: &'s Findings,
}

impl Teller<'_> {
    fn tell(&self, finding: &Finding) -> Difference {
        let steps = self.findings.steps(finding.place);
        let (rule, last) = match finding.breach {
            Breach::Name => ("NAME_MISMATCH", Some("name".to_owned())),
            Breach::Size => ("FIXED_SIZE_MISMATCH", Some("size".to_owned())),
            Breach::Symbols => ("MISSING_ENUM_SYMBOLS", Some("symbols".to_owned())),
            Breach::Type => ("TYPE_MISMATCH", None),
            Breach::Default { at } => ("READER_FIELD_MISSING_DEFAULT_VALUE", Some(format!("fields/{at}"))),
            Breach::Branch { .. } => ("MISSING_UNION_BRANCH", None),
        };
        let facts = self.facts(finding, &steps);
        Difference { rule, path: path(&steps, last), breaks: true, facts }
    }

    fn facts(&self, finding: &Finding, steps: &[Step]) -> Facts {
        let (reader, writer) = (self.reader.kind(finding.reader), self.writer.kind(finding.writer));
        let (reader_words, writer_words) = (words(self.reader, finding.reader), words(self.writer, finding.writer));
        match (finding.breach, reader, writer) {
            (Breach::Name, one, other) => {
                Facts { subject: named(one), reader: full_name(one), writer: full_name(other) }
            }
            (Breach::Size, Kind::Fixed(one), Kind::Fixed(other)) => {
                Facts { subject: named(reader), reader: one.size.to_string(), writer: other.size.to_string() }
            }
            (Breach::Symbols, Kind::Enum(one), Kind::Enum(other)) => {
                let missing = listed_symbols(rules::missing_symbols(one, other));
                Facts { subject: named(reader), reader: String::new(), writer: missing }
            }
            (Breach::Default { at }, Kind::Record(record), _) => {
                let field = &record.fields[at as usize];
                let subject = field_words(field, record, finding.reader == self.reader.root());
                Facts { subject, reader: words(self.reader, field.kind), writer: String::new() }
            }
            (Breach::Branch { branch, reason, .. }, _, _) => Facts {
                subject: subject(self.reader, steps),
                reader: self.with_reason(reader_words, reason),
                writer: words(self.writer, branch),
            },
            _ if self.lacks_field(finding, steps) => {
                Facts { subject: subject(self.reader, steps), reader: reader_words, writer: String::new() }
            }
            _ => Facts { subject: subject(self.reader, steps), reader: reader_words, writer: writer_words },
        }
    }

    /// Whether the library compared an enum with a whole record, for want of the field ([`rules::falls_back_on_enum`]).
    fn lacks_field(&self, finding: &Finding, steps: &[Step]) -> bool {
        let (Kind::Enum(_), Kind::Record(writer)) =
            (self.reader.kind(finding.reader), self.writer.kind(finding.writer))
        else {
            return false;
        };
        let Some(Step::Field { record, at }) = steps.last() else { return false };
        let Kind::Record(record) = self.reader.kind(*record) else { return false };
        matches!(rules::source(&record.fields[*at as usize], writer, *at as usize), rules::Source::Missing)
    }

    /// The types of a union, and why the one that was meant does not fit, where that is known. A reason has none itself.
    fn with_reason(&self, words: String, reason: Outcome) -> String {
        match self.findings.first(reason) {
            Some(reason) => format!("{words}; {}", super::words::fragment(&self.tell(reason))),
            None => words,
        }
    }
}

/// What a place is about: the innermost field on the way to it, and what of that field.
pub(super) fn subject(schema: &Schema, steps: &[Step]) -> String {
    let mut prefix = String::new();
    for step in steps.iter().rev() {
        match step {
            Step::Items => prefix.push_str("items of "),
            Step::Values => prefix.push_str("values of "),
            Step::Field { record, at } => {
                if let Kind::Record(fields) = schema.kind(*record) {
                    let field = &fields.fields[*at as usize];
                    return prefix + &field_words(field, fields, *record == schema.root());
                }
            }
            Step::Start | Step::Branch(_) => {}
        }
    }
    prefix.strip_suffix(" of ").unwrap_or_default().to_owned()
}

/// As the library writes it: a pointer into the reader's schema, `/` for its root.
pub(super) fn path(steps: &[Step], last: Option<String>) -> String {
    let mut path = String::new();
    for step in steps {
        match step {
            Step::Start => {}
            Step::Items => path.push_str("/items"),
            Step::Values => path.push_str("/values"),
            Step::Field { at, .. } => {
                path.push_str("/fields/");
                path.push_str(&at.to_string());
                path.push_str("/type");
            }
            Step::Branch(index) => {
                path.push('/');
                path.push_str(&index.to_string());
            }
        }
    }
    if let Some(last) = last {
        path.push('/');
        path.push_str(&last);
    }
    if path.is_empty() { "/".to_owned() } else { path }
}

/// `field currency`, and of which record where that is not the whole schema.
pub(super) fn field_words(field: &Field, record: &Record, is_root: bool) -> String {
    if is_root { format!("field {}", field.name) } else { format!("field {} of {}", field.name, record.name.short()) }
}

/// `record Order`
pub(super) fn named(kind: &Kind) -> String {
    let word = match kind {
        Kind::Record(record) if record.is_error => "error",
        _ => kind.word(),
    };
    kind.names().map(|(name, _)| format!("{word} {}", name.short())).unwrap_or_default()
}

fn full_name(kind: &Kind) -> String {
    kind.names().map(|(name, _)| name.to_string()).unwrap_or_default()
}

/// A type as a person would say it: `int`, `array of string`, `record Address`, `null or string`.
pub(super) fn words(schema: &Schema, id: TypeId) -> String {
    let mut id = id;
    let mut words = String::new();
    loop {
        match schema.kind(id) {
            kind @ (Kind::Array(part) | Kind::Map(part)) => {
                words.push_str(kind.word());
                words.push_str(" of ");
                id = *part;
            }
            Kind::Union(branches) => {
                let union = listed(branches.iter().map(|&branch| branch_words(schema, branch)), " or ");
                return if words.is_empty() { union } else { format!("{words}({union})") };
            }
            kind => return words + &simple(kind),
        }
    }
}

/// The first symbols in alphabetical order, as the library lists them.
pub(super) fn listed_symbols<'s>(symbols: impl Iterator<Item = &'s str>) -> String {
    let mut symbols: Vec<&str> = symbols.collect();
    symbols.sort_unstable();
    listed(symbols.into_iter(), ", ")
}

/// The first of a list, and how many more there are.
fn listed(items: impl ExactSizeIterator<Item: AsRef<str>>, between: &str) -> String {
    let mut words = String::new();
    let length = items.len();
    for (at, item) in items.enumerate() {
        if at > 0 {
            words.push_str(between);
        }
        if at == MOST_LISTED {
            return words + &format!("{} more", length - at);
        }
        words.push_str(item.as_ref());
    }
    words
}

/// A branch in few words: what its parts are made of is left out.
fn branch_words(schema: &Schema, id: TypeId) -> String {
    match schema.kind(id) {
        kind @ (Kind::Array(part) | Kind::Map(part)) => format!("{} of {}", kind.word(), simple(schema.kind(*part))),
        kind => simple(kind),
    }
}

fn simple(kind: &Kind) -> String {
    if kind.names().is_some() { named(kind) } else { kind.word().to_owned() }
}
