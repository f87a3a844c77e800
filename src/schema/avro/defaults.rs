//! Whether a default is a value of its field's type, as the library checks it: textual for bytes, enums and fixed types
//! (neither symbols nor sizes are looked at), in range for int and long, complete for records.

use super::error::ParseError;
use super::graph::{Field, Kind, Primitive, Record, Schema, Type, TypeId};
use crate::schema::json_text::{Json, Value};

/// How many values are compared with types for all defaults of a schema. Unions of similar records make this
/// exponential in the library.
pub(super) const MAX_STEPS: u32 = 1_000_000;

/// Checks one default.
pub(super) struct Defaults<'s> {
    types: &'s [Type],
    /// 1.12: a union's default fits any branch; 1.11: its first.
    any_branch: bool,
    /// The record that holds the default, where all names are resolved, and the types that it is a part of: the library
    /// copies that record now, and fails over one of those that is not complete yet.
    within: Option<(TypeId, Vec<bool>)>,
    pub(super) steps_left: u32,
    /// Whether an object stood where the type was not known yet; it fits for now.
    pub(super) met_unresolved: bool,
}

/// Why a default could not be checked.
pub(super) enum Trouble {
    /// See [`MAX_STEPS`].
    TooCostly,
    /// The default is a record inside its own definition.
    WithinItself { refused: bool },
}

impl Trouble {
    pub(super) fn of(self, field: &str) -> ParseError {
        match self {
            Trouble::TooCostly => ParseError::TooCostly,
            Trouble::WithinItself { refused: false } => ParseError::DefaultWithinItself { field: field.to_owned() },
            Trouble::WithinItself { refused: true } => ParseError::BadDefault {
                field: field.to_owned(),
                default: "a record".to_owned(),
                kind: "complete type where it stands".to_owned(),
            },
        }
    }
}

impl<'s> Defaults<'s> {
    /// For a field that is just being read.
    pub(super) fn partial(types: &'s [Type], any_branch: bool, steps_left: u32) -> Defaults<'s> {
        Defaults { types, any_branch, within: None, steps_left, met_unresolved: false }
    }

    /// For a field of a record, when all names are resolved.
    pub(super) fn complete(types: &'s [Type], holder: TypeId, steps_left: u32) -> Defaults<'s> {
        let within = Some((holder, holders(types, holder)));
        Defaults { types, any_branch: true, within, steps_left, met_unresolved: false }
    }

    /// Whether a value is one of a type. No deeper than the value nests.
    pub(super) fn fit(&mut self, id: TypeId, json: &Json) -> Result<bool, Trouble> {
        self.spend(1)?;
        let types = self.types;
        match (&types[id.index()].kind, &json.value) {
            (Kind::Primitive(primitive), _) => Ok(primitive_fits(*primitive, json)),
            (Kind::Enum(_) | Kind::Fixed(_), value) => Ok(matches!(value, Value::Text(_))),
            (Kind::Array(part), Value::List(items)) => self.all_fit(*part, items.iter()),
            (Kind::Map(part), Value::Object(_)) => self.all_fit(*part, json.by_key().into_values()),
            (Kind::Union(branches), _) => self.branch_fits(branches, json),
            (Kind::Record(record), Value::Object(_)) => self.record_fits(id, record, json),
            (Kind::Unresolved(_), Value::Object(_)) => {
                self.met_unresolved = true;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn all_fit<'j, 't: 'j>(&mut self, id: TypeId, values: impl Iterator<Item = &'j Json<'t>>) -> Result<bool, Trouble> {
        for value in values {
            if !self.fit(id, value)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn branch_fits(&mut self, branches: &[TypeId], json: &Json) -> Result<bool, Trouble> {
        let looked_at = if self.any_branch { branches.len() } else { 1 };
        for &branch in branches.iter().take(looked_at) {
            if self.fit(branch, json)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A field that the value lacks takes its own default, which was checked where it stands.
    fn record_fits(&mut self, id: TypeId, record: &Record, json: &Json) -> Result<bool, Trouble> {
        if let Some((holder, _)) = self.within.as_ref().filter(|(_, within)| within[id.index()]) {
            return Err(Trouble::WithinItself { refused: *holder == id });
        }
        self.spend(record.fields.len() as u32)?;
        let values = json.by_key();
        for field in &record.fields {
            let fits = match values.get(&*field.name) {
                Some(value) => self.fit(field.kind, value)?,
                None => field.default.is_some(),
            };
            if !fits {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn spend(&mut self, steps: u32) -> Result<(), Trouble> {
        self.steps_left = self.steps_left.checked_sub(steps).ok_or(Trouble::TooCostly)?;
        Ok(())
    }
}

/// How a default stands to its field's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefaultFit {
    /// It is a value of the type, or of a union's first branch.
    Fits,
    /// It is a value of another branch of a union.
    OtherBranch,
    /// It is a text, and none of the enum's symbols.
    NoSymbol,
    /// It is no value of the type.
    Misfit,
}

impl Schema {
    /// How a field's default fits, as the specification has it. None without a default, and where telling takes too
    /// long; `steps_left` is what may be spent on it.
    pub fn default_fit(&self, field: &Field, steps_left: &mut u32) -> Option<DefaultFit> {
        let json = Json::read(field.default.as_deref()?).ok()?;
        let mut fits = |any_branch| {
            let mut defaults = Defaults::partial(&self.types, any_branch, *steps_left);
            let fits = defaults.fit(field.kind, &json).ok()?;
            *steps_left = defaults.steps_left;
            Some(fits)
        };
        Some(match (self.kind(field.kind), &json.value) {
            (Kind::Primitive(Primitive::Float | Primitive::Double), Value::Text(_)) => DefaultFit::Fits,
            (Kind::Enum(symbols), Value::Text(text)) if !symbols.has(text) => DefaultFit::NoSymbol,
            _ if fits(false)? => DefaultFit::Fits,
            _ if fits(true)? => DefaultFit::OtherBranch,
            _ => DefaultFit::Misfit,
        })
    }
}

/// The types that a type is a part of, at any depth; itself is one.
fn holders(types: &[Type], part: TypeId) -> Vec<bool> {
    let mut held_by = vec![Vec::new(); types.len()];
    for (holder, node) in types.iter().enumerate() {
        let mut held = |part: TypeId| held_by[part.index()].push(holder);
        match &node.kind {
            Kind::Array(part) | Kind::Map(part) => held(*part),
            Kind::Union(branches) => branches.iter().copied().for_each(held),
            Kind::Record(record) => record.fields.iter().for_each(|field| held(field.kind)),
            _ => {}
        }
    }
    let mut holds = vec![false; types.len()];
    let mut next = vec![part.index()];
    while let Some(id) = next.pop() {
        if !std::mem::replace(&mut holds[id], true) {
            next.extend(&held_by[id]);
        }
    }
    holds
}

fn primitive_fits(primitive: Primitive, json: &Json) -> bool {
    match (primitive, &json.value) {
        (Primitive::Null, Value::Null)
        | (Primitive::Boolean, Value::Bool(_))
        | (Primitive::Float | Primitive::Double, Value::Number(_))
        | (Primitive::Bytes | Primitive::String, Value::Text(_)) => true,
        (Primitive::Int, Value::Number(_)) => {
            json.as_whole_number().is_some_and(|number| i32::try_from(number).is_ok())
        }
        (Primitive::Long, Value::Number(_)) => {
            json.as_whole_number().is_some_and(|number| i64::try_from(number).is_ok())
        }
        _ => false,
    }
}

/// Whether Java reads a text as a floating point number: `1`, `-1.5e3f`, ` NaN `, `0x1.8p1`.
pub(super) fn is_java_double(text: &str) -> bool {
    let text = text.trim_matches(|character| character <= ' ');
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    if text == "NaN" || text == "Infinity" {
        return true;
    }
    let text = text.strip_suffix(['f', 'F', 'd', 'D']).unwrap_or(text);
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(hexadecimal) => split_number(hexadecimal, ['p', 'P'], |byte| byte.is_ascii_hexdigit(), true),
        None => split_number(text, ['e', 'E'], |byte| byte.is_ascii_digit(), false),
    }
}

fn split_number(text: &str, exponents: [char; 2], digit: fn(&u8) -> bool, needs_exponent: bool) -> bool {
    let (mantissa, exponent) = match text.split_once(exponents) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all_digits = |part: &str| part.bytes().all(|byte| digit(&byte));
    let exponent_reads = match exponent {
        Some(exponent) => {
            let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            !exponent.is_empty() && exponent.bytes().all(|byte| byte.is_ascii_digit())
        }
        None => !needs_exponent,
    };
    exponent_reads && !(whole.is_empty() && fraction.is_empty()) && all_digits(whole) && all_digits(fraction)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("1", true)]
    #[case(" -1.5e3f ", true)]
    #[case("NaN", true)]
    #[case("-Infinity", true)]
    #[case(".5", true)]
    #[case("5.", true)]
    #[case("0x1.8p1", true)]
    #[case("oops", false)]
    #[case("", false)]
    #[case(".", false)]
    #[case("1e", false)]
    #[case("0x1", false)]
    #[case("nan", false)]
    #[case("1_0", false)]
    fn texts_that_java_reads_as_numbers(#[case] text: &str, #[case] reads: bool) {
        assert_eq!(is_java_double(text), reads);
    }
}
