//! Tells a descriptor in base64 from a text that is not Protobuf.
//!
//! Where a text cannot be read, Confluent tries to decode it as base64 and to read the bytes as a descriptor of a file
//! (`google.protobuf.FileDescriptorProto`). Such are not compared here, but they are not invalid either.

use super::error::ParseError;

/// The error that the text has, unless it is a descriptor.
pub(super) fn or_descriptor(text: &str, error: ParseError) -> ParseError {
    if decode(text).is_some_and(|bytes| is_message(&bytes)) {
        let what = "a descriptor in base64 instead of text is not read here".to_owned();
        return ParseError::Unsupported { what, line: 1, column: 1 };
    }
    error
}

/// Plain base64, padded or not.
fn decode(text: &str) -> Option<Vec<u8>> {
    let unpadded = text.strip_suffix("==").or_else(|| text.strip_suffix('=')).unwrap_or(text);
    let (mut bits, mut count, mut bytes) = (0_u32, 0, Vec::with_capacity(text.len() / 4 * 3));
    for byte in unpadded.bytes() {
        bits = bits << 6 | digit(byte)?;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from(bits >> count & 0xff).ok()?);
        }
    }
    (count < 6).then_some(bytes)
}

fn digit(byte: u8) -> Option<u32> {
    let digit = match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(u32::from(digit))
}

/// Whether these are fields of a Protobuf message, and not none.
fn is_message(mut bytes: &[u8]) -> bool {
    if bytes.is_empty() {
        return false;
    }
    while !bytes.is_empty() {
        match field(bytes) {
            Some(rest) => bytes = rest,
            None => return false,
        }
    }
    true
}

/// What comes after the first field. Descriptors have no groups.
fn field(bytes: &[u8]) -> Option<&[u8]> {
    let (tag, rest) = varint(bytes)?;
    match (tag >> 3, tag & 7) {
        (0, _) => None,
        (_, 0) => varint(rest).map(|(_, rest)| rest),
        (_, 1) => rest.get(8..),
        (_, 2) => varint(rest).and_then(|(length, rest)| rest.get(usize::try_from(length).ok()?..)),
        (_, 5) => rest.get(4..),
        _ => None,
    }
}

fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut value = 0;
    for (index, byte) in bytes.iter().enumerate().take(10) {
        value |= u64::from(byte & 0x7f) << (7 * index);
        if byte & 0x80 == 0 {
            return Some((value, &bytes[index + 1..]));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::{Reading, parse};
    use rstest::rstest;

    #[rstest]
    #[case::a_file_descriptor("CgdhLnByb3RvIgMKAU0=", true)] // name: "a.proto", message_type: { name: "M" }
    #[case::without_padding("CgdhLnByb3RvIgMKAU0", true)]
    #[case::a_word("hull", false)]
    #[case::not_base64("message", false)]
    fn a_descriptor_is_left_to_the_registry(#[case] text: &str, #[case] left: bool) {
        let error = parse(text, &[], Reading::New).unwrap_err();
        assert_eq!(!error.is_invalid(), left, "{error}");
    }
}
