//! The example that a row's key names, as `predict --to rows` writes it.

use gleaner_data::Problem;
use gleaner_lang::syntax::{Diagnostic, codes};

use crate::experiment::scoring::predict::RowKeys;

/// The most rows that a message names.
const MOST_NAMED: usize = 3;

/// The example whose row has this key, as an atom. None where the text is an atom itself, or the examples are no rows.
/// The cells of a key of several columns stand between commas; the last of them may be left out where the others
/// name one row.
///
/// **Cost**: a pass over the rows.
///
/// # Errors
///
/// No row has the key, or several have it.
pub(crate) fn example_of_key(problem: &Problem, key: &str) -> Result<Option<String>, Diagnostic> {
    let target = problem.target();
    let Some(rows) = problem.table_rows().filter(|_| !is_atom(key, &target.name)) else {
        return Ok(None);
    };
    let keys = RowKeys::all(problem, rows);
    let asked: Vec<&str> = key.split(',').map(str::trim).collect();
    let has_it = |cells: &[String]| {
        cells.len() == 1 && cells[0] == key.trim()
            || asked.len() <= cells.len() && asked.iter().zip(cells).all(|(asked, cell)| asked == cell)
    };
    let found: Vec<usize> = (0..rows.len()).filter(|&row| has_it(&keys.of(row))).collect();
    let named = |rows: &[usize]| -> String {
        let each = rows.iter().take(MOST_NAMED).map(|&row| format!("'{}'", keys.of(row).join(",")));
        each.collect::<Vec<_>>().join(", ")
    };
    let table = &rows.table;
    match found[..] {
        [row] => {
            let name = rows.name(row);
            let examples = problem.examples();
            let of_row = examples.ids().find(|&id| examples.arguments(id).first() == Some(&name));
            of_row.map(|id| Some(problem.example_text(id))).ok_or_else(|| {
                let what = format!("the row {key} of {table} is no example: it has no cut-off, or no label");
                Diagnostic::error(codes::UNKNOWN_EXAMPLE, what)
                    .with_help(format!("other rows are {}", named(&(0..rows.len()).collect::<Vec<_>>())))
            })
        }
        [] => {
            let columns: Vec<&str> = rows.keys.iter().map(|column| column.name.as_str()).collect();
            let columns = if rows.need_numbers { [&["row"], &columns[..]].concat() } else { columns };
            let what = format!("no row of {table} has the key {key}");
            Err(Diagnostic::error(codes::UNKNOWN_EXAMPLE, what).with_help(format!(
                "a row is named by {}, as {}; an atom of {target} names it, too",
                columns.join(", "),
                named(&(0..rows.len()).collect::<Vec<_>>())
            )))
        }
        _ => {
            let what = format!("{} rows of {table} have the key {key}", found.len());
            Err(Diagnostic::error(codes::UNKNOWN_EXAMPLE, what)
                .with_help(format!("say which: {}", named(&found))))
        }
    }
}

/// Whether a text is an atom of this name.
fn is_atom(text: &str, name: &str) -> bool {
    let text = text.trim().trim_start_matches('\'');
    text.strip_prefix(name).is_some_and(|rest| rest.trim_start_matches('\'').starts_with('('))
}
