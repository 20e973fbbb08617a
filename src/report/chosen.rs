//! The variants that tune chose: beside the table of means, and as CSV.

use crate::experiment::side_by_side::VariantName;
use crate::experiment::{Chosen, CrossValidation};
use gleaner_base::statistics::Summary;

use super::comparison::mean_rows;
use super::csv_tables::{number, records};
use super::document::{Document, Table};

/// Columns of a terminal.
const WIDTH: usize = 80;

/// Adds the chosen variants' mean and standard deviation over folds to a table of the variants' means in these metrics.
pub fn add_rows(table: &mut Table, chosen: &Chosen, metrics: &[&str]) {
    let summary = |name: &&str| chosen.metrics.0.iter().find(|metric| metric.name == *name);
    let summaries: Vec<&Summary> = metrics.iter().filter_map(summary).map(|metric| &metric.summary).collect();
    mean_rows(table, "*", "chosen on tune", &summaries);
}

/// Notes on the row of the chosen variants, and on how often each variant was chosen.
#[must_use]
pub fn notes(chosen: &Chosen) -> Document {
    let mut document = Document::new();
    document.line("* for each run, the variant with the highest tune auc_pr; test plays no part");
    document.line(times(chosen));
    document
}

/// `chosen: 1 in 3 of 4 runs, 2 in 1`.
fn times(chosen: &Chosen) -> String {
    let often = chosen.times.iter().enumerate().filter(|(_, times)| **times > 0);
    let mut text = format!("  chosen in {} runs:", chosen.choices.len());
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

/// `fold,repeat,chosen,tune_auc_pr` and each test metric, a row for each run; variants by these names.
///
/// # Panics
///
/// When there are fewer names or variants than were chosen among, which is a bug.
#[must_use]
pub fn csv(chosen: &Chosen, names: &[VariantName], variants: &[CrossValidation]) -> String {
    let mut header = ["fold", "repeat", "chosen", "tune_auc_pr"].map(str::to_owned).to_vec();
    header.extend(chosen.metrics.0.iter().map(|metric| metric.name.to_owned()));
    let rows = chosen.choices.iter().enumerate().map(|(run, &variant)| {
        let result = &variants[variant].runs[run];
        let tune_area = number(result.tune_metrics.auc_pr());
        let mut row = vec![
            result.split.name.clone(),
            result.repeat.to_string(),
            names[variant].short_name.clone(),
            tune_area,
        ];
        row.extend(result.metrics.named().map(|(_, value)| number(value)));
        row
    });
    records(std::iter::once(header).chain(rows))
}

#[cfg(test)]
mod tests {
    use super::{add_rows, notes};
    use crate::experiment::Chosen;
    use crate::experiment::summary::{Intervals, MetricTable, MetricValues};
    use crate::report::Document;
    use crate::report::comparison::mean_table;
    use gleaner_base::statistics::summarise;

    fn chosen(times: Vec<usize>) -> Chosen {
        let metric = |name, folds: [f64; 2]| {
            let folds = folds.map(Some).to_vec();
            let intervals = Intervals::of(&folds, 2);
            MetricValues { name, summary: summarise(&folds), intervals, folds }
        };
        let choices = times.iter().enumerate().flat_map(|(variant, &n)| vec![variant; n]).collect();
        let metrics = MetricTable(vec![metric("auc_pr", [0.25, 0.75]), metric("f1", [0.5, 0.5])]);
        Chosen { choices, times, metrics }
    }

    fn text(chosen: &Chosen, metrics: &[&str]) -> String {
        let mut table = mean_table(metrics.iter().copied());
        add_rows(&mut table, chosen, metrics);
        let mut document = Document::new();
        document.table(table);
        document.extend(notes(chosen));
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
