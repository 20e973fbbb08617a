//! Results as text, CSV and JSON. Computes nothing.

pub mod answer;
pub mod classes;
pub mod clause_table;
pub mod comparison;
pub mod csv_tables;
pub mod cv;
pub mod document;
pub mod explain;
pub mod features;
pub(crate) mod figures;
pub mod files;
pub mod fitted;
pub mod learn;
pub mod links;
pub mod manual;
pub mod mine;
pub mod model_text;
pub mod new_links;
pub mod numbers;
pub(crate) mod page;
pub mod predict;
pub mod profile;
pub mod prolog;
pub mod reasons;
pub mod sql;
pub mod stopped;
pub mod text;
mod ways;
pub mod why;

pub use answer::{Answer, Events};
pub use document::Document;

pub use gleaner_learn::shown::metric;

/// Words as lines of at most `n_columns` columns; a longer word has a line of its own.
fn wrapped(words: impl Iterator<Item = String>, n_columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= n_columns => {
                line.push(' ');
                line.push_str(&word);
            }
            Some(_) => lines.push(format!("  {word}")),
            None => lines.push(word),
        }
    }
    lines
}
