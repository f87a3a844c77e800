//! What Python's library makes of values that Java's refuses: it checks less of what a key holds than Java does, and
//! looks names up in whatever it finds there.

use super::error::ParseError;
use super::graph::Aliases;
use super::name::Name;
use super::rules::Letters;
use crate::schema::json_text::{Json, Value};

/// How deep a text may nest. Python's stack ends somewhere beyond, depending on what nests in what.
pub(super) const MAX_LEVELS: usize = 100;

/// The namespace that a definition's own name is in where it says none: that of what encloses it, also where it says
/// an empty one.
pub(super) fn own_namespace<'j>(json: &'j Json, enclosing: &'j str, text: &str) -> Result<&'j str, ParseError> {
    match json.get("namespace").map(|namespace| (&namespace.value, namespace.span())) {
        None | Some((Value::Null, _)) => Ok(enclosing),
        Some((Value::Text(namespace), _)) if namespace.is_empty() => Ok(enclosing),
        Some((Value::Text(namespace), _)) => Ok(namespace),
        Some((_, span)) => Err(ParseError::BadName { what: "namespace", name: text[span].to_owned() }),
    }
}

/// The namespace of a record's fields: its own, but none where it says an empty one. An error's fields are in the
/// namespace of what encloses it.
pub(super) fn namespace_within<'n>(json: &Json, name: &'n Name, enclosing: &'n str) -> &'n str {
    let says = |key: &str| json.get_text(key).unwrap_or_default();
    let says_none = json.get_text("namespace") == Some("") && !says("name").contains('.');
    match says("type") {
        "error" => enclosing,
        _ if says_none => "",
        _ => name.namespace(),
    }
}

/// The aliases of a definition: as written, without a namespace.
pub(super) fn aliases(json: &Json, name: &Name) -> Result<Aliases, ParseError> {
    match json.get("aliases").map(|aliases| &aliases.value) {
        Some(Value::List(items)) => Ok(Aliases::of(items.iter().filter_map(Json::as_text).map(Into::into).collect())),
        Some(Value::Object(members)) => {
            Ok(Aliases::of(members.iter().map(|member| member.key.as_ref().into()).collect()))
        }
        // Any part of that text would be an alias.
        Some(Value::Text(_)) => Err(accident(format!("the aliases of {name} are one text instead of a list"))),
        _ => Ok(Aliases::default()),
    }
}

/// The aliases of a field.
pub(super) fn field_aliases(json: &Json, field: &str) -> Result<Vec<Box<str>>, ParseError> {
    match json.get("aliases").map(|aliases| &aliases.value) {
        Some(Value::List(items))
            if items.iter().any(|item| matches!(item.value, Value::List(_) | Value::Object(_))) =>
        {
            Err(accident(format!("the aliases of field {field} are no names")))
        }
        Some(Value::List(items)) => Ok(items.iter().filter_map(Json::as_text).map(Into::into).collect()),
        Some(Value::Object(members)) => Ok(members.iter().map(|member| member.key.as_ref().into()).collect()),
        // Each of its characters is one.
        Some(Value::Text(text)) => Ok(text.chars().map(|character| character.to_string().into()).collect()),
        _ => Ok(Vec::new()),
    }
}

/// Whether a symbol is taken: what stands before its last dot is not looked at.
pub(super) fn is_good_symbol(symbol: &str, letters: Letters) -> bool {
    letters.make(symbol.rsplit('.').next().unwrap_or_default())
}

pub(super) fn accident(what: String) -> ParseError {
    ParseError::Accident { what }
}
