//! Numbers as the registry's Java holds them: which class they have decides whether two are equal.

use std::cmp::Ordering;

/// A number of a schema: its decimal text, a double view, and the class that the registry's parser gives it.
#[derive(Clone, Debug)]
pub(crate) struct Number {
    text: Box<str>,
    double: f64,
    class: Class,
}

/// The Java class of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    Integer,
    Long,
    BigInteger,
    BigDecimal,
    Double,
}

impl Number {
    /// As Jackson reads it for the loader of drafts 4 to 7: the smallest integer class, or a double.
    pub fn jackson(text: &str) -> Number {
        let class = match text.parse::<i64>() {
            _ if !is_whole(text) => Class::Double,
            Ok(value) if i32::try_from(value).is_ok() => Class::Integer,
            Ok(_) => Class::Long,
            Err(_) => Class::BigInteger,
        };
        Number::of(text, class)
    }

    /// As json-sKema reads it: an int or a BigInteger, a double where it is finite.
    pub fn skema(text: &str) -> Number {
        let class = match text.parse::<i32>() {
            _ if !is_whole(text) => Class::Double,
            Ok(_) => Class::Integer,
            Err(_) => Class::BigInteger,
        };
        let number = Number::of(text, class);
        if number.double.is_infinite() && class == Class::Double {
            return Number { class: Class::BigDecimal, ..number };
        }
        number
    }

    fn of(text: &str, class: Class) -> Number {
        // A BigDecimal and a BigInteger become infinite where a double cannot hold them, as in Java.
        Number { text: text.into(), double: text.parse().unwrap_or(f64::NAN), class }
    }

    /// The text as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// `Number.doubleValue()`.
    pub fn double(&self) -> f64 {
        self.double
    }

    /// `Number.intValue()`: whole numbers keep their low 32 bits, a double is cut off at the ends of the range.
    pub fn int(&self) -> i32 {
        match self.class {
            Class::Double => self.double as i32,
            _ => low_bits(&self.text),
        }
    }

    /// The number where it is an `Integer`, which some keywords insist on.
    pub fn integer(&self) -> Option<i32> {
        (self.class == Class::Integer).then(|| self.int())
    }

    /// `Objects.equals`: never across classes, and a BigDecimal's zeros at the end count.
    pub fn java_equals(&self, other: &Number) -> bool {
        self.class == other.class && (self.text == other.text || self.key() == other.key())
    }

    /// Equal for numbers that Java calls equal within a class, and starts with the class.
    pub fn key(&self) -> String {
        match self.class {
            Class::Integer | Class::Long | Class::BigInteger => {
                let text = if &*self.text == "-0" { "0" } else { &self.text };
                format!("i{}{text}", self.class as u8)
            }
            Class::BigDecimal => {
                let decimal = Decimal::of(&self.text);
                format!("b{}{}e{}", if decimal.negative { "-" } else { "" }, decimal.digits, decimal.exponent)
            }
            Class::Double => format!("d{:?}", self.double),
        }
    }

    /// Whether this is a multiple of the other one, which is not zero; exactly, as a BigDecimal. None where the
    /// numbers are too far apart to tell at a sensible cost.
    pub fn is_multiple_of(&self, other: &Number) -> Option<bool> {
        let is_beyond = |number: &Number| number.class == Class::Double && !number.double.is_finite();
        let (a, b) = (Decimal::of(&self.java_text()), Decimal::of(&other.java_text()));
        if b.digits == "0" || is_beyond(self) || is_beyond(other) {
            return None;
        }
        if a.digits == "0" {
            return Some(true);
        }
        let exponent = a.exponent.min(b.exponent);
        let shift = |decimal: &Decimal| usize::try_from(decimal.exponent - exponent).ok().filter(|by| *by <= 4_000);
        let zeros = |decimal: &Decimal| Some(format!("{}{}", decimal.digits, "0".repeat(shift(decimal)?)));
        remainder_is_zero(&zeros(&a)?, &zeros(&b)?)
    }

    /// What `toString` gives, which a BigDecimal is made from: a double is written as short as it can be.
    fn java_text(&self) -> String {
        match self.class {
            Class::Double => format!("{:e}", self.double),
            _ => self.text.to_string(),
        }
    }
}

fn is_whole(text: &str) -> bool {
    !text.bytes().any(|byte| matches!(byte, b'.' | b'e' | b'E'))
}

/// `BigDecimal.intValue()`: the whole part's low 32 bits.
fn low_bits(text: &str) -> i32 {
    let decimal = Decimal::of(text);
    let mut bits: u32 = 0;
    let whole = i64::try_from(decimal.digits.len()).unwrap_or(i64::MAX).saturating_add(decimal.exponent);
    for digit in decimal.digits.bytes().take(usize::try_from(whole.max(0)).unwrap_or(usize::MAX)) {
        bits = bits.wrapping_mul(10).wrapping_add(u32::from(digit - b'0'));
    }
    for _ in 0..decimal.exponent.clamp(0, 64) {
        bits = bits.wrapping_mul(10); // after 32 of them nothing is left of any number
    }
    let bits = if decimal.negative { bits.wrapping_neg() } else { bits };
    bits as i32
}

/// A decimal number: digits without zeros in front, times ten to the exponent.
struct Decimal {
    negative: bool,
    digits: String,
    exponent: i64,
}

impl Decimal {
    fn of(text: &str) -> Decimal {
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        // An exponent beyond Java's range is refused there; here it is cut.
        let exponent = exponent.parse::<i64>().unwrap_or(0).clamp(-i64::from(i32::MAX), i64::from(i32::MAX));
        let unsigned = mantissa.trim_start_matches(['-', '+']);
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
        let all = format!("{whole}{fraction}");
        let digits = all.trim_start_matches('0');
        let digits = if digits.is_empty() { "0" } else { digits }.to_owned();
        let negative = mantissa.starts_with('-') && digits != "0";
        Decimal { negative, digits, exponent: exponent - fraction.len() as i64 }
    }
}

/// Long division of whole numbers that are written out. None where they are longer than is sensible.
fn remainder_is_zero(a: &str, b: &str) -> Option<bool> {
    if let (Ok(a), Ok(b)) = (a.parse::<u128>(), b.parse::<u128>()) {
        return Some(a % b == 0);
    }
    if a.len().saturating_mul(b.len()) > 4_000_000 {
        return None;
    }
    let digits = |text: &str| text.trim_start_matches('0').bytes().map(|b| b - b'0').collect::<Vec<u8>>();
    let divisor = digits(b);
    let mut rest: Vec<u8> = Vec::new();
    for digit in digits(a) {
        if !(rest.is_empty() && digit == 0) {
            rest.push(digit);
        }
        while compare(&rest, &divisor) != Ordering::Less {
            subtract(&mut rest, &divisor);
        }
    }
    Some(rest.is_empty())
}

fn compare(a: &[u8], b: &[u8]) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

/// Takes `b` from `a`, which is not less.
fn subtract(a: &mut Vec<u8>, b: &[u8]) {
    let mut borrow = 0;
    for place in 0..a.len() {
        let at = a.len() - 1 - place;
        let take = borrow + if place < b.len() { b[b.len() - 1 - place] } else { 0 };
        borrow = u8::from(a[at] < take);
        a[at] = a[at] + borrow * 10 - take;
    }
    let zeros = a.iter().take_while(|digit| **digit == 0).count();
    a.drain(..zeros);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_those_of_the_parsers() {
        let class = |text| Number::jackson(text).class;
        assert_eq!(class("2147483647"), Class::Integer);
        assert_eq!(class("2147483648"), Class::Long);
        assert_eq!(class("9223372036854775808"), Class::BigInteger);
        assert_eq!(class("1.0"), Class::Double);
        assert_eq!(Number::skema("2147483648").class, Class::BigInteger);
        assert_eq!(Number::skema("1e3").class, Class::Double);
        assert_eq!(Number::skema("1e400").class, Class::BigDecimal);
    }

    #[test]
    fn equality_is_that_of_java() {
        let equal = |a, b| Number::jackson(a).java_equals(&Number::jackson(b));
        assert!(equal("1", "1") && equal("-0", "0") && equal("1.5", "15e-1"));
        assert!(!equal("1", "1.0") && equal("1.5", "1.50") && !equal("1", "2"));
        assert!(Number::skema("1.50").java_equals(&Number::skema("1.5")));
        assert!(!Number::skema("1e400").java_equals(&Number::jackson("1e400")));
    }

    #[test]
    fn a_whole_part_is_cut_as_in_java() {
        let int = |text| Number::jackson(text).int();
        assert_eq!([int("0.5"), int("-1.9"), int("1e1"), int("12.5e1"), int("4294967297")], [0, -1, 10, 125, 1]);
        assert_eq!(Number::skema("1e300").int(), i32::MAX);
    }

    #[test]
    fn multiples_are_told_exactly() {
        let multiple = |a: &str, b: &str| Number::jackson(a).is_multiple_of(&Number::jackson(b));
        assert_eq!(multiple("1", "0.5"), Some(true));
        assert_eq!(multiple("0.3", "0.1"), Some(true));
        assert_eq!(multiple("0.35", "0.1"), Some(false));
        assert_eq!(multiple("1e50", "7"), Some(false));
        assert_eq!(multiple(&format!("21{}", "0".repeat(60)), "7"), Some(true));
        assert_eq!(multiple(&format!("21{}1", "0".repeat(60)), "7"), Some(false));
        assert_eq!(multiple("1e1000000000", "3"), None);
        assert_eq!(multiple("1", "0"), None);
        assert_eq!(Number::skema("0.3").is_multiple_of(&Number::skema("0.1")), Some(true));
    }
}
