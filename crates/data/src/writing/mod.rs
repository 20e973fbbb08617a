//! Shared parts of the writers: the problem in canonical order, statements as texts, and losses. A loss is content that
//! a layout cannot express.
//!
//! Names of predicates as names of files, and of folds and variants as names of folders.

mod material;
mod page;

use std::path::{Path, PathBuf};

pub(super) use material::{Fold, Losses, Material};
pub use page::{ConvertedFile, Counts};
pub(super) use page::{
    Page, declarations, determination, example_texts, mode_text, modes_and_determinations, settings,
    told_of_folds, written_folders,
};

/// The stand-in for the empty name, which no file can have.
const EMPTY: &str = "%";

/// The name of a file for a predicate: letters, digits, `_` and `-` stay, other bytes are `%` and two
/// hexadecimal digits.
pub(super) fn encoded_name(name: &str) -> String {
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

/// The name of a folder for a fold, class or variant: the name itself, with encoded characters that a file system may
/// refuse or hide. Control characters, `< > : " / \\ | ? * %`, a point at either end and blanks at the end become `%`
/// and two hexadecimal digits.
pub fn folder_name(name: &str) -> String {
    const REFUSED: &str = "<>:\"/\\|?*%";
    if name.is_empty() {
        return EMPTY.to_owned();
    }
    let n_plain_end = name.trim_end_matches(['.', ' ']).len();
    name.char_indices()
        .map(|(at, character)| {
            let is_at_an_end = at >= n_plain_end || at == 0 && character == '.';
            if is_at_an_end || character.is_control() || REFUSED.contains(character) {
                let mut bytes = [0; 4];
                character.encode_utf8(&mut bytes).bytes().map(|byte| format!("%{byte:02X}")).collect()
            } else {
                character.to_string()
            }
        })
        .collect()
}

/// The folder of this name below another, by [`folder_name`]. If only the folder that an older release named exists, it
/// is that one.
pub fn folder_below(folder: &Path, name: &str) -> PathBuf {
    let own = folder.join(folder_name(name));
    let older = folder.join(encoded_name(name));
    if !own.exists() && older.exists() { older } else { own }
}

/// The name that a file or folder was named for: it undoes the encoding. A text that is no encoding stands for itself.
pub fn decoded_name(text: &str) -> String {
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

#[cfg(test)]
mod tests {
    use super::{decoded_name, folder_name};

    #[test]
    fn folders_are_called_as_what_they_hold() {
        for plain in ["fold1", "emphasis=none", "score=f1 votes=equal", "score=TP+TP", "Zürich (west), a&b"]
        {
            assert_eq!(folder_name(plain), plain);
        }
        let quoted = [
            ("..", "%2E%2E"),
            ("../a", "%2E.%2Fa"),
            ("a.", "a%2E"),
            ("", "%"),
            ("p<q|r\n ", "p%3Cq%7Cr%0A%20"),
        ];
        for (name, folder) in quoted {
            assert_eq!(folder_name(name), folder);
            assert_eq!(decoded_name(folder), name);
        }
    }
}
