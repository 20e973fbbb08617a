//! Cells of a table that a spreadsheet runs. It takes text that begins with `=`, `+`, `-` or `@` for a formula, and
//! names in the data may begin so. An apostrophe before such names makes them texts.

use std::borrow::Cow;

/// First characters that make a cell a formula. Some spreadsheets skip line ends and tabs, and others know the wide
/// forms.
const FIRST: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// The byte offsets, ascending, of the cells in a table that a spreadsheet would run. The table is written by
/// `csv_tables`. Cells of numbers are left out.
///
/// **Cost**: one pass over the text.
#[must_use]
pub fn formulas(table: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = table.get(at..).filter(|rest| !rest.is_empty()) {
        let (start, cell) = match rest.strip_prefix('"') {
            Some(inside) => (at + 1, &inside[..closing_quote(inside)]),
            None => (at, &rest[..rest.find([',', '\n']).unwrap_or(rest.len())]),
        };
        if runs(cell) {
            found.push(start);
        }
        // The quote and the comma or line end after it.
        at = start + cell.len() + usize::from(start > at) + 1;
    }
    found
}

/// The table with an apostrophe before each cell that a spreadsheet would run.
#[must_use]
pub fn without_formulas(table: &str) -> Cow<'_, str> {
    let found = formulas(table);
    if found.is_empty() {
        return Cow::Borrowed(table);
    }
    let mut safe = String::with_capacity(table.len() + found.len());
    let mut written = 0;
    for at in found {
        safe.push_str(&table[written..at]);
        safe.push('\'');
        written = at;
    }
    safe.push_str(&table[written..]);
    Cow::Owned(safe)
}

fn runs(cell: &str) -> bool {
    cell.starts_with(FIRST) && cell.parse::<f64>().is_err()
}

/// Where a quoted cell ends: quotes within it are doubled.
fn closing_quote(inside: &str) -> usize {
    let bytes = inside.as_bytes();
    let mut at = 0;
    while let Some(quote) = bytes[at..].iter().position(|&byte| byte == b'"').map(|found| at + found) {
        if bytes.get(quote + 1) != Some(&b'"') {
            return quote;
        }
        at = quote + 2;
    }
    inside.len()
}

#[cfg(test)]
mod tests {
    use super::super::csv_tables::records;
    use super::{FIRST, without_formulas};

    /// Cells of all kinds in every place of a row, read back by another reader.
    #[test]
    fn cells_that_a_spreadsheet_runs_are_marked_and_no_others() {
        let runs =
            ["=1+1", "+1 555", "-", "-x", "@sum", "\t=1", "\r=1", "\n=1", "=\"a\",b", "＝1", "=\"\"", "-1-1"];
        let plain = [
            "", "a", "a=b", "-0.5", "+3", "-1e-7", "1", "'=1", "a,=b", "a\n=b", "\"=1", "\"\",=1", "é=",
            "-inf",
        ];
        let cells: Vec<String> = runs.iter().chain(&plain).map(|&cell| cell.to_owned()).collect();
        let rows: Vec<Vec<String>> = cells
            .iter()
            .flat_map(|first| {
                cells.iter().map(move |second| vec![first.clone(), second.clone(), "1".to_owned()])
            })
            .collect();
        let table = records(rows.iter().cloned());
        let safe = without_formulas(&table);
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(safe.as_bytes());
        let read: Vec<Vec<String>> =
            reader.records().map(|row| row.expect("a row").iter().map(str::to_owned).collect()).collect();
        let marked = |cell: &String| {
            if runs.contains(&cell.as_str()) { format!("'{cell}") } else { cell.clone() }
        };
        let expected: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(marked).collect()).collect();
        assert_eq!(read, expected);
        assert!(without_formulas(&safe) == safe, "once is enough");
        assert!(
            FIRST.iter().all(|first| runs.iter().any(|cell| cell.starts_with(*first)) || !first.is_ascii())
        );
    }
}
