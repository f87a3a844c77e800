//! Numbers in JSON that a 64-bit number cannot hold. A parser that rounds would take two of them for one.

use std::borrow::Cow;

use super::text::string_length;

/// So many digits a 64-bit floating-point number keeps apart.
const EXACT_DIGITS: usize = 15;
/// Integers with so many digits fit into 64 bits.
const SHORT_INTEGER: usize = 18;
/// Exponents below this are well within the range of 64-bit floating-point numbers.
const SHORT_EXPONENT: i64 = 200;

/// The text with each number that does not fit as a string instead, which says the number and that it is one. Two
/// spellings of one number become the same string.
pub(super) fn exact(text: &str) -> Cow<'_, str> {
    let (mut out, mut rest) = (String::new(), text);
    let mut kept = 0;
    while let Some(at) = rest.find(|c: char| c == '"' || c == '-' || c.is_ascii_digit()) {
        let found = &rest[at..];
        let length = if found.starts_with('"') { string_length(found) } else { number_length(found) };
        let (token, after) = found.split_at(length);
        if !token.starts_with('"')
            && let Some(exact) = as_string(token)
        {
            let start = text.len() - found.len();
            out.push_str(&text[kept..start]);
            out.push_str(&exact);
            kept = text.len() - after.len();
        }
        rest = after;
    }
    if kept == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[kept..]);
    Cow::Owned(out)
}

fn number_length(text: &str) -> usize {
    let ends = |c: char| !(c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E'));
    text.find(ends).unwrap_or(text.len())
}

/// None where the number fits, or is none.
fn as_string(token: &str) -> Option<String> {
    let number = Number::read(token)?;
    (!number.fits()).then(|| {
        let kind = if number.is_integer { "integer" } else { "number" };
        let sign = if number.is_negative { "-" } else { "" };
        format!("\"\\u0000{kind} {sign}{}e{}\"", number.digits, number.exponent)
    })
}

/// `digits` times ten to the power of `exponent`.
struct Number {
    is_negative: bool,
    /// Written without a point or an exponent. 1 and 1.0 are two values to a schema.
    is_integer: bool,
    /// Without zeros at either end.
    digits: String,
    exponent: i64,
}

impl Number {
    fn read(token: &str) -> Option<Number> {
        let (is_negative, unsigned) = token.strip_prefix('-').map_or((false, token), |rest| (true, rest));
        let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
            None => (unsigned, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = format!("{whole}{fraction}");
        if whole.is_empty() || !all.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let significant = all.trim_start_matches('0');
        let digits = significant.trim_end_matches('0');
        let trailing = i64::try_from(significant.len() - digits.len()).ok()?;
        let exponent = exponent.checked_sub(i64::try_from(fraction.len()).ok()?)?.checked_add(trailing)?;
        let is_integer = unsigned.bytes().all(|byte| byte.is_ascii_digit());
        Some(Number { is_negative, is_integer, digits: digits.to_owned(), exponent })
    }

    fn fits(&self) -> bool {
        let length = i64::try_from(self.digits.len()).unwrap_or(i64::MAX);
        if self.is_integer {
            return length.saturating_add(self.exponent) <= SHORT_INTEGER as i64;
        }
        self.digits.len() <= EXACT_DIGITS && self.exponent.saturating_add(length).abs() < SHORT_EXPONENT
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::ordinary(r#"{"a":[0,-1,1.50,1e3,123456789012345678]}"#)]
    #[case::in_a_string(r#"{"a":"\"123456789012345678901234567890"}"#)]
    #[case::no_number("[1.2.3, --, 1e]")]
    fn what_fits_is_left_as_it_is(#[case] text: &str) {
        assert_eq!(exact(text), text);
    }

    #[rstest]
    #[case::long("12345678901234567890123", r#""\u0000integer 12345678901234567890123e0""#)]
    #[case::zeros("-100000000000000000000", r#""\u0000integer -1e20""#)]
    #[case::fraction("[0.12345678901234567890]", r#"["\u0000number 1234567890123456789e-19"]"#)]
    #[case::beyond_range(r#"{"a":1e400,"b":2}"#, r#"{"a":"\u0000number 1e400","b":2}"#)]
    #[case::spelled_otherwise("10.0E+399", r#""\u0000number 1e400""#)]
    fn what_does_not_fit_says_which_number_it_is(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(exact(text), expected);
    }
}
