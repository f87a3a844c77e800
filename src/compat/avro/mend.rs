//! Makes the change that a hint names, in the text of the new schema, and leaves the rest of the text as it is.

use std::ops::Range;

use super::EXCEPTION;
use super::source::Source;
use super::words::{hint, missing_field, split_reason};
use crate::compat::Difference;
use crate::compat::levels::Direction;
use crate::schema::avro::Primitive;
use crate::schema::json_text::{Json, Value};

/// The new schema's text with the change made that [`super::hint`] names, for whoever wants to try it before showing
/// the hint. None where there is no hint, where the text does not hold the place, or where the change needs more than
/// the difference tells.
pub fn mend(text: &str, difference: &Difference, direction: Direction) -> Option<String> {
    hint(difference, direction)?;
    let source = Source::read(text)?;
    let mender = Mender { text, source: &source };
    let Difference { rule, facts, .. } = difference;
    let (subject, reader, writer) = (&facts.subject, &facts.reader, &facts.writer);
    // What the old schema has.
    let old = if direction == Direction::Backward { writer } else { reader };
    match (*rule, direction) {
        ("READER_FIELD_MISSING_DEFAULT_VALUE", Direction::Backward) => mender.give_default(subject),
        ("READER_FIELD_MISSING_DEFAULT_VALUE", Direction::Forward) => mender.put_field_back(subject, reader),
        ("TYPE_MISMATCH", Direction::Backward) if writer.is_empty() => mender.give_default(subject),
        ("TYPE_MISMATCH", _) => mender.put_type_back(subject, old),
        ("NAME_MISMATCH", Direction::Backward) => mender.give_alias(subject, writer),
        ("NAME_MISMATCH", Direction::Forward) => mender.put_name_back(writer, reader),
        ("FIXED_SIZE_MISMATCH", _) => mender.put_size_back(subject, old),
        ("MISSING_ENUM_SYMBOLS", Direction::Backward) => mender.put_symbols_back(subject, writer),
        ("MISSING_ENUM_SYMBOLS", Direction::Forward) => mender.leave_symbols_out(subject, writer),
        ("MISSING_UNION_BRANCH", Direction::Backward) => match split_reason(reader) {
            (_, Some(reason)) => mender.give_default(missing_field(reason)?),
            (_, None) => mender.put_branch_back(subject, writer),
        },
        ("MISSING_UNION_BRANCH", Direction::Forward) => mender.leave_branch_out(subject, writer),
        (EXCEPTION, Direction::Backward) => mender.take_aliases_off(subject),
        _ => None,
    }
}

struct Mender<'s, 't> {
    text: &'t str,
    source: &'s Source<'t>,
}

impl Mender<'_, '_> {
    fn give_default(&self, subject: &str) -> Option<String> {
        let field = self.source.field(subject)?;
        let default = self.some_default(field.get("type")?)?;
        self.add_member(field, &format!("\"default\": {default}"))
    }

    /// A value of a type that says nothing, valid for every release: of a union's first branch.
    fn some_default(&self, json: &Json) -> Option<String> {
        match &json.value {
            Value::List(branches) => self.some_default(branches.first()?),
            Value::Text(name) => match Primitive::from_word(name) {
                Some(primitive) => Some(empty(primitive).to_owned()),
                None => self.some_default(self.source.definition(name.rsplit('.').next()?)?),
            },
            _ => match json.get_text("type")? {
                "array" => Some("[]".to_owned()),
                "map" => Some("{}".to_owned()),
                "enum" => json.get("symbols")?.as_list()?.first().map(|symbol| self.text[symbol.span()].to_owned()),
                word => Primitive::from_word(word).map(|primitive| empty(primitive).to_owned()),
            },
        }
    }

    fn put_field_back(&self, subject: &str, kind: &str) -> Option<String> {
        let named = subject.strip_prefix("field ")?;
        let (field, record) = match named.split_once(" of ") {
            Some((field, record)) => (field, self.source.definition(record)?),
            None => (named, &self.source.json),
        };
        let kind = written_type(kind)?;
        self.add_item(record.get("fields")?, &format!("{{\"name\": \"{field}\", \"type\": {kind}}}"))
    }

    fn put_type_back(&self, subject: &str, kind: &str) -> Option<String> {
        let kind = written_type(kind)?;
        let with_type = self.replaced(self.source.type_of(subject)?.span(), &kind)?;
        // A default of the present type is none of the old one.
        let source = Source::read(&with_type)?;
        let mender = Mender { text: &with_type, source: &source };
        match source.field(subject).and_then(|field| field.get("default")) {
            Some(default) => mender.replaced(default.span(), &mender.some_default(&Json::read(&kind).ok()?)?),
            None => Some(with_type),
        }
    }

    fn give_alias(&self, subject: &str, alias: &str) -> Option<String> {
        let definition = self.source.definition(subject.split_once(' ')?.1)?;
        // A leading dot keeps an alias without namespace out of the type's own.
        let alias = format!("\"{alias}\"");
        match definition.get("aliases") {
            Some(aliases) => self.add_item(aliases, &alias),
            None => self.add_member(definition, &format!("\"aliases\": [{alias}]")),
        }
    }

    fn put_name_back(&self, now: &str, before: &str) -> Option<String> {
        let definition = self.source.definition(now.rsplit('.').next()?)?;
        self.replaced(definition.get("name")?.span(), &format!("\"{before}\""))
    }

    fn put_size_back(&self, subject: &str, size: &str) -> Option<String> {
        let definition = self.source.definition(subject.split_once(' ')?.1)?;
        self.replaced(definition.get("size")?.span(), size)
    }

    fn put_symbols_back(&self, subject: &str, symbols: &str) -> Option<String> {
        let definition = self.source.definition(subject.split_once(' ')?.1)?;
        let quoted: Vec<String> = all_listed(symbols)?.iter().map(|symbol| format!("\"{symbol}\"")).collect();
        self.add_item(definition.get("symbols")?, &quoted.join(", "))
    }

    fn leave_symbols_out(&self, subject: &str, symbols: &str) -> Option<String> {
        let definition = self.source.definition(subject.split_once(' ')?.1)?;
        let symbols = all_listed(symbols)?;
        self.without_items(definition.get("symbols")?, |item| {
            item.as_text().is_some_and(|text| symbols.contains(&text))
        })
    }

    fn put_branch_back(&self, subject: &str, branch: &str) -> Option<String> {
        self.add_item(self.source.type_of(subject)?, &written_type(branch)?)
    }

    fn leave_branch_out(&self, subject: &str, branch: &str) -> Option<String> {
        let name = branch.rsplit(' ').next()?;
        let is_branch = |item: &Json| {
            let written = item.as_text().or_else(|| item.get_text("name")).or_else(|| item.get_text("type"));
            written.and_then(|written| written.rsplit('.').next()) == Some(name)
        };
        self.without_items(self.source.type_of(subject)?, is_branch)
    }

    fn take_aliases_off(&self, subject: &str) -> Option<String> {
        let aliases = self.source.field(subject)?.get("aliases")?;
        self.replaced(aliases.span(), "[]")
    }

    fn replaced(&self, range: Range<usize>, with: &str) -> Option<String> {
        Some([self.text.get(..range.start)?, with, self.text.get(range.end..)?].concat())
    }

    fn inserted(&self, at: usize, what: &str) -> Option<String> {
        self.replaced(at..at, what)
    }

    fn add_member(&self, object: &Json, member: &str) -> Option<String> {
        let Value::Object(members) = &object.value else { return None };
        self.inserted(members.last()?.json.span().end, &format!(", {member}"))
    }

    fn add_item(&self, list: &Json, item: &str) -> Option<String> {
        match list.as_list()?.last() {
            Some(last) => self.inserted(last.span().end, &format!(", {item}")),
            None => self.inserted(list.span().end - 1, item),
        }
    }

    /// The list without some of its items, but not without all.
    fn without_items(&self, list: &Json, leaves: impl Fn(&Json) -> bool) -> Option<String> {
        let items = list.as_list()?;
        let kept: Vec<&str> = items.iter().filter(|item| !leaves(item)).map(|item| &self.text[item.span()]).collect();
        if kept.is_empty() || kept.len() == items.len() {
            return None;
        }
        self.replaced(list.span(), &format!("[{}]", kept.join(", ")))
    }
}

fn empty(primitive: Primitive) -> &'static str {
    match primitive {
        Primitive::Null => "null",
        Primitive::Boolean => "false",
        Primitive::Int | Primitive::Long => "0",
        Primitive::Float | Primitive::Double => "0.0",
        Primitive::Bytes | Primitive::String => "\"\"",
    }
}

/// The JSON of a type that is told in words, where those tell all of it: primitives, and arrays, maps and unions of
/// them.
fn written_type(words: &str) -> Option<String> {
    if let Some(union) = words.strip_prefix('(') {
        return written_type(union.strip_suffix(')')?);
    }
    if words.contains(" or ") && !words.contains('(') {
        let branches: Option<Vec<String>> = words.split(" or ").map(written_type).collect();
        return branches.map(|branches| format!("[{}]", branches.join(", ")));
    }
    if let Some(part) = words.strip_prefix("array of ") {
        return written_type(part).map(|part| format!("{{\"type\": \"array\", \"items\": {part}}}"));
    }
    if let Some(part) = words.strip_prefix("map of ") {
        return written_type(part).map(|part| format!("{{\"type\": \"map\", \"values\": {part}}}"));
    }
    Primitive::from_word(words).map(|primitive| format!("\"{primitive}\""))
}

/// The items of a list in words; none where it was cut.
fn all_listed(words: &str) -> Option<Vec<&str>> {
    let items: Vec<&str> = words.split(", ").collect();
    (!items.iter().any(|item| item.contains(' '))).then_some(items)
}
