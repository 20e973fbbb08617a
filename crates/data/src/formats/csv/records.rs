//! Comma-separated values, RFC 4180, record by record with the place of each cell.

use std::borrow::Cow;

use gleaner_lang::syntax::Span;

/// One cell: its text without quotes, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cell<'text> {
    pub(super) text: Cow<'text, str>,
    pub(super) span: Span,
}

/// Why a record cannot be cut into cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RecordFault {
    /// The quote at this place is not closed.
    Unclosed(Span),
    /// Something stands between a closing quote and the next comma.
    AfterQuote(Span),
}

/// The separator of a table's cells: a comma; if the first line has none, a semicolon or tab.
pub(super) fn separator(text: &str) -> u8 {
    let mut is_quoted = false;
    let mut found = b',';
    for byte in text.bytes() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            b',' => return b',',
            b'\n' | b'\r' => break,
            b';' => found = b';',
            b'\t' if found == b',' => found = b'\t',
            _ => {}
        }
    }
    found
}

/// Puts the cells of the record that begins at `at` into `cells`; returns where the next one begins.
///
/// Cost: one pass. Cells borrow from the text unless they hold doubled quotes.
///
/// # Errors
///
/// The fault, and the offset where reading can continue: after the line.
pub(super) fn next_record<'t>(
    text: &'t str,
    at: usize,
    separator: u8,
    cells: &mut Vec<Cell<'t>>,
) -> Result<usize, (RecordFault, usize)> {
    cells.clear();
    let mut start = at;
    loop {
        let (cell, end) = if text[start..].starts_with('"') {
            quoted_cell(text, start, separator).map_err(|fault| (fault, after_line(text, start)))?
        } else {
            let len = text[start..].find([char::from(separator), '\n', '\r']).unwrap_or(text.len() - start);
            let end = start + len;
            (Cell { text: Cow::Borrowed(&text[start..end]), span: Span::new(start, end) }, end)
        };
        cells.push(cell);
        match text.as_bytes().get(end) {
            Some(&byte) if byte == separator => start = end + 1,
            Some(b'\r') if text.as_bytes().get(end + 1) == Some(&b'\n') => return Ok(end + 2),
            Some(_) => return Ok(end + 1),
            None => return Ok(end),
        }
    }
}

/// The quoted cell that begins at `start`, and where it ends.
fn quoted_cell(text: &str, start: usize, separator: u8) -> Result<(Cell<'_>, usize), RecordFault> {
    let mut from = start + 1;
    let mut has_quotes = false;
    loop {
        let unclosed = RecordFault::Unclosed(Span::new(start, start + 1));
        let quote = from + text[from..].find('"').ok_or(unclosed)?;
        match text.as_bytes().get(quote + 1) {
            Some(b'"') => {
                has_quotes = true;
                from = quote + 2;
            }
            next if next.is_none_or(|&next| next == separator || matches!(next, b'\n' | b'\r')) => {
                let inside = &text[start + 1..quote];
                let value = if has_quotes { inside.replace("\"\"", "\"").into() } else { inside.into() };
                return Ok((Cell { text: value, span: Span::new(start, quote + 1) }, quote + 1));
            }
            _ => {
                let len =
                    text[quote + 1..].find([char::from(separator), '\n']).unwrap_or(text.len() - quote - 1);
                return Err(RecordFault::AfterQuote(Span::new(quote + 1, quote + 1 + len)));
            }
        }
    }
}

fn after_line(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |len| at + len + 1)
}

/// A record as text, with its line feed.
pub(super) fn record_text<'c>(cells: impl IntoIterator<Item = &'c str>) -> String {
    let mut text = String::new();
    for (position, cell) in cells.into_iter().enumerate() {
        if position > 0 {
            text.push(',');
        }
        if cell.contains(['"', ',', '\n', '\r']) {
            text.push('"');
            text.push_str(&cell.replace('"', "\"\""));
            text.push('"');
        } else {
            text.push_str(cell);
        }
    }
    if text.is_empty() {
        // A cell alone must not be an empty line.
        text.push_str("\"\"");
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::{Cell, RecordFault, next_record, record_text, separator};
    use gleaner_lang::syntax::Span;
    use proptest::prelude::{any, prop, prop_assert_eq, prop_oneof, proptest};

    #[test]
    fn records_end_at_any_line_break() {
        let text = "a,\"b \"\"c\"\"\r\nd\",\r\n5\" disk\nlast";
        let (mut at, mut records) = (0, Vec::new());
        let mut cells: Vec<Cell<'_>> = Vec::new();
        while at < text.len() {
            at = next_record(text, at, b',', &mut cells).expect("the text is well formed");
            records.push(cells.iter().map(|cell| cell.text.to_string()).collect::<Vec<_>>());
        }
        assert_eq!(records, [vec!["a", "b \"c\"\r\nd", ""], vec!["5\" disk"], vec!["last"]]);
    }

    #[test]
    fn semicolons_and_tabs_separate_where_the_header_has_no_comma() {
        let found = ["a,b;c\n", "a;b\nc,d", "a\tb", "\"a,b\";c", "a"].map(separator);
        assert_eq!(found, [b',', b';', b'\t', b';', b',']);
    }

    #[test]
    fn quotes_out_of_place_are_faults() {
        let fault = |text: &'static str| next_record(text, 0, b',', &mut Vec::new());
        assert_eq!(fault("a,\"b\nc"), Err((RecordFault::Unclosed(Span::new(2, 3)), 5)));
        assert_eq!(fault("\"a\"b,c\nd"), Err((RecordFault::AfterQuote(Span::new(3, 4)), 7)));
    }

    proptest! {
        #[test]
        fn records_come_back(cells in prop::collection::vec(prop_oneof!["[a,\"\r\n ]{0,4}", any::<String>()], 1..4)) {
            let text = record_text(cells.iter().map(String::as_str)) + "next";
            let mut read = Vec::new();
            let end = next_record(&text, 0, b',', &mut read).expect("it was written well");
            prop_assert_eq!(read.iter().map(|cell| cell.text.as_ref()).collect::<Vec<_>>(), cells);
            prop_assert_eq!(&text[end..], "next");
        }
    }
}
