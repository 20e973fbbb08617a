//! Comma-separated values: a table for each predicate.
//!
//! Comma-separated values, RFC 4180, record by record with the place of each cell.

mod rows;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use crate::cells::cell_text;
use crate::formats::file_format::{About, Asked, Clue, FileFormat, Writer, has_ending};
use crate::formats::own::names;
use crate::formats::tables::{files, holds, one_table};
use crate::gather::{Files, Habits, MakeReader};
use crate::rows::{FOLD, LABEL, type_header};
use crate::writing::{ConvertedFile, Fold, Losses, Material, Page, declarations, encoded_name};
use gleaner_base::{ConstantId, PredicateId};
use gleaner_lang::program::PredicateName;
use gleaner_lang::syntax::{Diagnostic, Span};

/// The ending of the names of tables.
const CSV: &str = "csv";

/// The layout of tables.
#[derive(Debug)]
pub(super) struct Csv;

impl FileFormat for Csv {
    fn about(&self) -> About {
        About { name: "csv", files_in_words: "NAME.csv", habits: Habits::default(), clue: Clue::Tables }
    }

    /// A folder with tables, or one table.
    fn is_recognised(&self, path: &Path) -> bool {
        holds(path, CSV) || is_table(path)
    }

    fn files(&self, asked: &Asked<'_>) -> Result<Option<Files>, Vec<Diagnostic>> {
        if is_table(asked.path) {
            return Ok(Some(one_table(asked.path, rows::reader)));
        }
        Ok(holds(asked.path, CSV).then(|| files(asked)))
    }

    fn facts(&self, path: &Path) -> Option<MakeReader> {
        has_ending(path, CSV).then_some(rows::reader)
    }

    fn writer(&self) -> Option<Writer> {
        Some(written)
    }
}

/// Whether a path is one table.
fn is_table(path: &Path) -> bool {
    has_ending(path, CSV) && path.is_file()
}

/// The most bytes of a table's name: systems allow 255 with the ending.
const MOST_BYTES: usize = 240;

fn written(material: &Material<'_>, losses: &mut Losses) -> Result<Vec<ConvertedFile>, Diagnostic> {
    let mut background = Page::default();
    let mut tables = Vec::new();
    let mut cells = Cells::default();
    for &predicate in &material.predicates {
        let parts = material.parts();
        let n_arguments = material.predicate(predicate).arity;
        let has_fold_facts = parts[1..].iter().any(|&fold| !material.facts(predicate, &[fold]).is_empty());
        let is_long = encoded_name(&material.predicate(predicate).name).len() > MOST_BYTES;
        if (n_arguments == 0 || is_long) && !has_fold_facts {
            // A table without columns has no rows, and aggregates have names too long for files.
            background.facts_of(material, predicate, &[None]);
        } else {
            tables.extend(fact_table(material, predicate, has_fold_facts, &mut cells));
        }
        tables.extend(example_table(material, predicate, &mut cells));
    }
    background.rules(material);
    let mut modes = Page::default();
    modes.directives(&declarations(material, losses));
    let pages = [(background, names::BACKGROUND), (modes, names::MODES)];
    let pages = pages.into_iter().filter(|(page, _)| !page.text.is_empty());
    Ok(pages.map(|(page, path)| page.file(path)).chain(tables).collect())
}

/// The cells of constants whose text is not their cell.
#[derive(Default)]
struct Cells(BTreeMap<ConstantId, String>);

impl Cells {
    fn row(&mut self, material: &Material<'_>, row: &[ConstantId]) -> Vec<String> {
        let mut cell = |id: ConstantId| {
            let text = material.text(id);
            if text.bytes().all(|byte| byte.is_ascii_lowercase()) && !matches!(&*text, "is" | "mod") {
                return text.into_owned();
            }
            let known = self.0.entry(id);
            known.or_insert_with(|| cell_text(&text).unwrap_or_else(|| text.into_owned())).clone()
        };
        row.iter().map(|&id| cell(id)).collect()
    }
}

fn fact_table(
    material: &Material<'_>,
    predicate: PredicateId,
    has_folds: bool,
    cells: &mut Cells,
) -> Option<ConvertedFile> {
    let name = material.predicate(predicate);
    let mut page = Page::default();
    for part in material.parts() {
        for row in material.facts(predicate, &[part]) {
            let mut record = cells.row(material, row);
            if has_folds {
                record.push(material.fold_name(part).to_owned());
            }
            push_record(&mut page, &record);
            page.counts.facts += 1;
        }
    }
    let columns = if has_folds { &[FOLD][..] } else { &[] };
    let has_examples = !material.examples(predicate, &material.parts()).is_empty();
    let ending = if has_examples { "facts.csv" } else { "csv" };
    table(material, name, &page, columns, ending)
}

fn example_table(
    material: &Material<'_>,
    predicate: PredicateId,
    cells: &mut Cells,
) -> Option<ConvertedFile> {
    let mut page = Page::default();
    let is_divided = material.is_divided();
    for example in material.examples(predicate, &material.parts()) {
        let mut record = cells.row(material, example.row);
        record.push(if example.is_positive { "1" } else { "0" }.to_owned());
        if is_divided {
            record.push(material.fold_name(example.fold).to_owned());
        }
        push_record(&mut page, &record);
        let counts = &mut page.counts;
        *(if example.is_positive { &mut counts.positives } else { &mut counts.negatives }) += 1;
    }
    let columns = if is_divided { &[LABEL, FOLD][..] } else { &[LABEL] };
    table(material, material.predicate(predicate), &page, columns, "csv")
}

fn push_record(page: &mut Page, record: &[String]) {
    page.text.push_str(&record_text(record.iter().map(String::as_str)));
}

/// The page's text below a header; none if the page is empty.
fn table(
    material: &Material<'_>,
    name: &PredicateName,
    page: &Page,
    columns: &[&str],
    ending: &str,
) -> Option<ConvertedFile> {
    if page.text.is_empty() {
        return None;
    }
    let mut header: Vec<String> = material.types(name).iter().map(|name| type_header(name)).collect();
    header.extend(columns.iter().map(|&column| column.to_owned()));
    let text = record_text(header.iter().map(String::as_str)) + &page.text;
    let page = Page { text, counts: page.counts };
    Some(page.file(format!("{}.{ending}", stem(material, name))))
}

/// The name of a predicate's file, with the arity if other predicates with tables share the name.
fn stem(material: &Material<'_>, name: &PredicateName) -> String {
    let has_table = |id: PredicateId| {
        let parts: Vec<Fold> = material.parts();
        !material.facts(id, &parts).is_empty() || !material.examples(id, &parts).is_empty()
    };
    let of_name = material.predicates.iter().filter(|&&id| material.predicate(id).name == name.name);
    let encoded = encoded_name(&name.name);
    if of_name.filter(|&&id| has_table(id)).count() > 1 {
        format!("{encoded}.{}", name.arity)
    } else {
        encoded
    }
}

/// One cell: its text without quotes, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Cell<'text> {
    text: Cow<'text, str>,
    span: Span,
}

/// Why a record cannot be cut into cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RecordFault {
    /// The quote at this place is not closed.
    Unclosed(Span),
    /// Something stands between a closing quote and the next comma.
    AfterQuote(Span),
}

/// The separator of a table's cells: a comma; if the first line has none, a semicolon or tab.
fn separator(text: &str) -> u8 {
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
fn next_record<'t>(
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
fn record_text<'c>(cells: impl IntoIterator<Item = &'c str>) -> String {
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
    use proptest::prelude::{any, prop, prop_assert_eq, prop_oneof, proptest};

    use gleaner_lang::syntax::Span;

    use super::{Cell, RecordFault, next_record, record_text, separator};

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
