//! Names of predicates as names of files.

/// What stands for the empty name, which no file can have.
const EMPTY: &str = "%";

/// The name of a file for a predicate: letters, digits, `_` and `-` stay, other bytes are `%` and two
/// hexadecimal digits.
#[must_use]
pub fn encoded_name(name: &str) -> String {
    if name.is_empty() {
        return EMPTY.to_owned();
    }
    name.bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
        .collect()
}

/// The name that is encoded so; a text that is no encoding stands for itself.
pub(super) fn decoded_name(text: &str) -> String {
    if text == EMPTY {
        return String::new();
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut parts = text.split('%');
    bytes.extend(parts.next().unwrap_or_default().bytes());
    for part in parts {
        let digits = part.get(..2).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let Some(byte) = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) else {
            return text.to_owned();
        };
        bytes.push(byte);
        bytes.extend(part[2..].bytes());
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}
