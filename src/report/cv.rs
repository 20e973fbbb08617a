//! A cross-validation as documents, as events and as CSV, with the variants that tune chose.

use serde_json::{Value as Json, json};

use crate::experiment::comparing::side_by_side::{Beside, Results, SideBySide, TwoClassAnswer, VariantName};
use crate::experiment::records::run_record::FoldRecord;
use crate::experiment::runs::result::RunResult;
use crate::experiment::runs::scheduled_runs::Measured;
use crate::experiment::{Chosen, CrossValidation};
use gleaner_base::statistics::Summary;
use gleaner_lang::program::Symbols;
use gleaner_learn::record::OwnRecord;

use super::answer::versioned;
use super::comparison::{self, mean_rows};
use super::csv_tables::{number, records};
use super::document::Table;
use super::{Answer, Document, Events, model_text, text, wrapped};

impl Events for TwoClassAnswer {}

impl Answer for TwoClassAnswer {
    /// The part below the variants; empty for a single one.
    fn document(&self) -> Document {
        match &self.results {
            Results::One(_) => Document::new(),
            Results::Several(several) => side_by_side(several),
        }
    }
}

/// The variants side by side, the one that tune chooses, and pair by pair in the area.
fn side_by_side(several: &SideBySide) -> Document {
    let mut document = side_by_side_document(&several.beside, "the highest tune auc_pr");
    document.extend_apart(comparison::reached_table(&several.clauses_until_reached));
    document
}

/// Variants in each metric, those that are chosen without test, and pair by pair in the first metric.
pub(crate) fn side_by_side_document<V>(beside: &Beside<V>, chosen_by: &str) -> Document {
    let names = beside.variants.iter().map(|variant| variant.names.name.as_str());
    let (metrics, chosen) = (&*beside.comparison.0, beside.chosen_on_tune.as_ref());
    let mut document = Document::new();
    document.gap();
    document.heading("all, on the same folds");
    document.table(comparison::numbered_names(names));
    let mut means = comparison::mean_tables(metrics);
    if let (Some(table), Some(chosen)) = (means.last_mut(), chosen) {
        let names: Vec<&str> = metrics.iter().map(|metric| metric.name.as_str()).collect();
        add_chosen_rows(table, chosen, &names);
    }
    document.gap();
    means.into_iter().for_each(|table| document.table(table));
    if let Some(chosen) = chosen {
        document.extend(chosen_notes(chosen, chosen_by));
    }
    if let Some(first) = metrics.first() {
        document.extend_apart(comparison::pair_table(first));
        document.extend_apart(comparison::win_matrix(first));
    }
    document.extend(comparison::pair_notes());
    document
}

/// One variant's folds, search and learning curve; the name is empty where there is only one variant.
pub fn variant_document(variant: &VariantName, validation: &CrossValidation) -> Document {
    let mut document = Document::new();
    document.gap();
    document.extend(text::fold_table(validation));
    let n_unsearched = validation.runs.iter().filter(|run| !run.was_searched).count();
    if n_unsearched > 0 {
        document.line(format!(
            "{n_unsearched} of {} folds were not searched before the stop: the means leave them out",
            validation.runs.len()
        ));
    }
    // A run that was not searched chose nothing.
    let searched = validation.runs.iter().filter(|run| run.was_searched);
    let told: Vec<&dyn OwnRecord> = searched.map(|run| &*run.search.own).collect();
    document.lines(&told.split_first().map_or_else(String::new, |(first, rest)| first.lines_of_runs(rest)));
    // Beside other variants, the cost of one is of interest, even if there is nothing else to report.
    let n_least = if variant.name.is_empty() { 2 } else { 1 };
    if validation.learning_curve.len() >= n_least {
        document.extend_apart(text::learning_curve(validation));
    }
    document
}

/// The position of the run whose rules are printed: the first that was searched and found some.
pub fn told_run(validation: &CrossValidation) -> Option<usize> {
    validation.runs.iter().position(|run| run.was_searched && !run.model.is_empty())
}

/// A few rules of the first model, as an example of the findings; empty if the model is not made of rules.
pub fn rules_document(validation: &CrossValidation, symbols: &Symbols) -> Document {
    let mut document = Document::new();
    let Some(run) = told_run(validation).map(|at| &validation.runs[at]) else { return document };
    let rules = model_text::rules(&*run.model, symbols, &run.reading);
    if !rules.rows.is_empty() {
        document.gap();
        document.line(format!("rules of the model that {} tests (train TP, FP):", run.name()));
        document.table(rules);
    }
    document
}

/// The event of one finished run.
pub fn run_event(variant: &VariantName, run: &RunResult) -> Json {
    let mut event = versioned("run", &FoldRecord::of(run));
    if !variant.name.is_empty() {
        event["variant"] = json!(variant.name);
    }
    event
}

/// Columns of a terminal.
const WIDTH: usize = 80;

/// Adds the chosen variants' mean and standard deviation over folds to a table of the variants' means in these metrics.
pub fn add_chosen_rows(table: &mut Table, chosen: &Chosen, metrics: &[&str]) {
    let summary = |name: &&str| chosen.metrics.0.iter().find(|metric| metric.name == *name);
    let summaries: Vec<&Summary> = metrics.iter().filter_map(summary).map(|metric| &metric.summary).collect();
    mean_rows(table, "*", "chosen on tune", &summaries);
}

/// Notes on the row of the chosen variants, which have `chosen_by`, and on how often each variant was chosen.
pub fn chosen_notes(chosen: &Chosen, chosen_by: &str) -> Document {
    let mut document = Document::new();
    let note = format!("* for each run, the variant with {chosen_by}; test plays no part");
    wrapped(note.split(' ').map(str::to_owned), WIDTH).into_iter().for_each(|line| document.line(line));
    document.line(times(chosen));
    document
}

/// `chosen: 1 in 3 of 4 runs, 2 in 1`.
fn times(chosen: &Chosen) -> String {
    let often = chosen.times.iter().enumerate().filter(|(_, times)| **times > 0);
    let mut text = format!("  chosen in {} runs:", chosen.choices.iter().flatten().count());
    let mut n_columns = text.chars().count();
    for (position, times) in often {
        let word = format!(" {} in {times},", position + 1);
        // The comma of the last word is taken off below.
        if n_columns + word.chars().count() > WIDTH {
            text.push_str("\n   ");
            n_columns = 3;
        }
        n_columns += word.chars().count();
        text.push_str(&word);
    }
    text.truncate(text.trim_end_matches(',').len());
    text
}

/// `fold,repeat,chosen`, the value that was chosen by, under its name, and each test metric: a row for each run. None where
/// nothing was chosen.
pub fn chosen_csv<V, R: Measured>(
    Beside { variants, chosen_on_tune, .. }: &Beside<V>,
    runs: &[&[R]],
    (title, chosen_by): (&str, impl Fn(&R) -> Option<f64>),
) -> Option<String> {
    let chosen = chosen_on_tune.as_ref()?;
    let mut header = ["fold", "repeat", "chosen", title].map(str::to_owned).to_vec();
    header.extend(chosen.metrics.0.iter().map(|metric| metric.name.to_owned()));
    let rows = chosen.choices.iter().enumerate().filter_map(|(at, &variant)| {
        let variant = variant?;
        let run = &runs[variant][at];
        let name = variants[variant].names.short_name.clone();
        let mut row = vec![run.fold().to_owned(), run.repeat().to_string(), name, number(chosen_by(run))];
        row.extend(chosen.metrics.0.iter().map(|metric| number(run.metric(metric.name))));
        Some(row)
    });
    Some(records(std::iter::once(header).chain(rows)))
}

#[cfg(test)]
mod tests {
    use crate::experiment::Chosen;
    use crate::experiment::metrics::summary::{Intervals, MetricTable, MetricValues};
    use crate::report::Document;
    use crate::report::comparison::mean_table;
    use gleaner_base::statistics::summarise;

    use super::{add_chosen_rows, chosen_notes};

    fn chosen(times: Vec<usize>) -> Chosen {
        let metric = |name, folds: [f64; 2]| {
            let folds = folds.map(Some).to_vec();
            let intervals = Intervals::of(&folds, 2);
            MetricValues { name, summary: summarise(&folds), intervals, folds }
        };
        let choices = times.iter().enumerate().flat_map(|(variant, &n)| vec![Some(variant); n]).collect();
        let metrics = MetricTable(vec![metric("auc_pr", [0.25, 0.75]), metric("f1", [0.5, 0.5])]);
        Chosen { choices, times, metrics }
    }

    fn text(chosen: &Chosen, metrics: &[&str]) -> String {
        let mut table = mean_table(metrics.iter().copied());
        add_chosen_rows(&mut table, chosen, metrics);
        let mut document = Document::new();
        document.table(table);
        document.extend(chosen_notes(chosen, "the highest tune auc_pr"));
        document.text()
    }

    #[test]
    fn the_chosen_ones_are_a_row_of_the_table() {
        let text = text(&chosen(vec![3, 0, 1]), &["auc_pr", "f1"]);
        let expected = "                            auc_pr       f1
  * chosen on tune   mean   0.5000   0.5000
                     sd     0.3536   0.0000
* for each run, the variant with the highest tune auc_pr; test plays no part
  chosen in 4 runs: 1 in 3, 3 in 1
";
        assert_eq!(text, expected);
        let many = self::text(&chosen(vec![10; 40]), &["auc_pr"]);
        assert!(many.lines().all(|line| line.chars().count() <= 80), "{many}");
        assert_eq!((many.matches(" in 10").count(), many.ends_with("40 in 10\n")), (40, true), "{many}");
    }

    #[test]
    fn folds_are_in_the_event() {
        let event = serde_json::to_value(chosen(vec![1, 1])).expect("plain data");
        assert_eq!(event["metrics"]["auc_pr"]["folds"], serde_json::json!([0.25, 0.75]));
        assert_eq!(
            (&event["choices"], &event["times"]),
            (&serde_json::json!([0, 1]), &serde_json::json!([1, 1]))
        );
        assert!(event["metrics"]["f1"]["ci95_repeats"].is_null());
    }
}
