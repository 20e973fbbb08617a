//! Shows text of other people's files so that it cannot control the terminal.
//!
//! A control character can move the cursor, colour or hide printed text, or ring. A bidirectional control can show text
//! in another order (CVE-2021-42574). Both are shown as escapes, such as `\u{202e}`.

use std::borrow::Cow;

/// Whether a terminal may do more than show the character. Line feeds and tabs only separate text.
fn is_hidden(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        // Marks of direction, embeddings and overrides, isolates (Unicode Standard Annex 9).
        '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => true,
        _ => c.is_control(),
    }
}

/// The text with bidirectional controls, and control characters except line feeds and tabs, as escapes such as
/// `\u{1b}`.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    let Some(first) = text.find(is_hidden) else { return Cow::Borrowed(text) };
    let mut shown = String::with_capacity(text.len() + 16);
    shown.push_str(&text[..first]);
    for c in text[first..].chars() {
        if is_hidden(c) { shown.extend(c.escape_unicode()) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}

/// The number of bytes of a character in the output of [`visible`].
pub(super) fn visible_len(c: char) -> usize {
    if is_hidden(c) { c.escape_unicode().len() } else { c.len_utf8() }
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn only_what_a_terminal_would_obey_is_escaped() {
        assert_eq!(visible("\u{1b}[31mred\u{7}\r"), "\\u{1b}[31mred\\u{7}\\u{d}");
        assert_eq!(visible("a\u{202e}b\u{2066}\u{61c}\u{200f}"), "a\\u{202e}b\\u{2066}\\u{61c}\\u{200f}");
        assert_eq!(visible("\u{9b}31m\u{7f}"), "\\u{9b}31m\\u{7f}");
        let plain = "é\t漢字 \u{200d} ‹›\n";
        assert_eq!(visible(plain), plain);
    }
}
