//! Results as text, CSV and JSON. Computes nothing.

pub mod boost_text;
pub mod chosen;
pub mod comparison;
pub mod covered;
pub mod csv_tables;
pub mod manual;
pub mod model_text;
pub mod profile;
pub mod run_record;
pub mod text;
pub mod why;

/// A metric to four decimals, or `n/a`.
#[must_use]
pub fn metric(value: Option<f64>) -> String {
    value.map_or_else(|| "n/a".to_owned(), |value| format!("{value:.4}"))
}
