//! A model for a terminal of 80 columns: what it says of itself, with its tables.

use std::collections::BTreeMap;

use crate::learn::Model;
use crate::learn::shown::{Column, Table};
use crate::program::Symbols;

/// The model's sizes, what decides, and what it is made of; some clauses are shown in another form.
#[must_use]
pub fn model(model: &dyn Model, symbols: &Symbols, shown: &BTreeMap<String, String>) -> String {
    let summary = model.summary(symbols);
    summary.head + &summary.tables.iter().map(|known| table(known, shown)).collect::<String>()
}

fn table(table: &Table, shown: &BTreeMap<String, String>) -> String {
    let mut text = table.lead.clone();
    if table.columns.iter().any(|column| !column.title.is_empty()) {
        text.push_str(&titles(&table.columns, table.last_title));
    }
    for row in &table.rows {
        text.push_str(&cells(&table.columns, &row.cells));
        match shown.get(row.last.trim()) {
            Some(other) => text.push_str(&row.last.replace(row.last.trim(), other)),
            None => text.push_str(&row.last),
        }
        text.push('\n');
    }
    text
}

/// The line of titles.
pub(super) fn titles(columns: &[Column], last: &str) -> String {
    let titles: Vec<String> = columns.iter().map(|column| column.title.to_owned()).collect();
    format!("{}{last}\n", cells(columns, &titles))
}

/// A row's cells, to the right of their columns.
pub(super) fn cells(columns: &[Column], cells: &[String]) -> String {
    columns.iter().zip(cells).map(|(column, cell)| format!("{cell:>0$}", column.width)).collect()
}
