//! Tables as CSV (RFC 4180), numbers in full precision, undefined ones empty; and cells that a spreadsheet runs.
//!
//! A spreadsheet takes text that begins with `=`, `+`, `-` or `@` for a formula, and names in the data may begin so. An
//! apostrophe before such names makes them texts.

use std::borrow::Cow;

use crate::experiment::CrossValidation;
use crate::experiment::metrics::mean_curve::MeanPrecision;
use crate::experiment::metrics::metric_list::Metric;
use crate::experiment::runs::result::TheoryCurve;
use gleaner_learn::Density;
use gleaner_learn::shown::CsvTable;
use gleaner_stats::eval::{PrCurve, PrPoint, ReliabilityBin};

/// Recalls at which a curve has points between its own.
const N_STEPS: u32 = 200;

/// `recall,precision,true_positives,false_positives,interpolated`: the points of a curve, ascending by recall, and points
/// between them (`interpolated` is 1), so that straight lines through all are the curve.
pub fn curve(points: &[PrPoint]) -> String {
    let header = ["recall", "precision", "true_positives", "false_positives", "interpolated"];
    let all = PrCurve::of_points(points).points_with_between(N_STEPS);
    let rows = all.iter().map(|(point, is_between)| {
        let numbers = [point.recall, point.precision, point.true_positives, point.false_positives];
        numbers.iter().map(ToString::to_string).chain([u8::from(*is_between).to_string()]).collect()
    });
    table(&header, rows)
}

/// `recall,precision_mean,precision_sd,precision_ci95,folds`: the mean curve over folds. `precision_ci95` is half the
/// width of the mean's 95 % interval, `folds` the number of folds with a value.
pub fn mean_curve(points: &[MeanPrecision]) -> String {
    let header = ["recall", "precision_mean", "precision_sd", "precision_ci95", "folds"];
    let rows = points.iter().map(|MeanPrecision { recall, precision, ci95 }| {
        let numbers = [Some(*recall), precision.mean, precision.sd, *ci95].map(number);
        numbers.into_iter().chain([precision.n_defined.to_string()]).collect()
    });
    table(&header, rows)
}

/// `theory_bin,votes,true_positives,false_positives`: what each theory calls positive of test with so many votes at least.
pub fn theories(curves: &[TheoryCurve]) -> String {
    let rows = curves.iter().flat_map(|curve| {
        curve.points.iter().map(|(votes, counts)| {
            let counts = [counts.true_positives, counts.false_positives].map(|count| count.to_string());
            [curve.theory_bin.to_string(), votes.to_string()].into_iter().chain(counts).collect()
        })
    });
    table(&["theory_bin", "votes", "true_positives", "false_positives"], rows)
}

/// Whether a metric is measured on tune.
fn is_on_tune(name: &str) -> bool {
    Metric::find(name).is_some_and(|metric| !metric.is_of_probabilities())
}

/// A table of a learner's own.
pub fn own(own: &CsvTable) -> String {
    table(&own.header, own.rows.iter().cloned())
}

/// `recall,precision,clauses,log10_clauses`: where a search spent its evaluations, in percent; cells that no
/// clause fell in are left out.
#[expect(clippy::cast_precision_loss, reason = "a logarithm for a plot")]
pub fn density(density: &Density) -> String {
    let rows = density.cells().map(|cell| {
        let log = (cell.n_clauses as f64).log10();
        vec![cell.recall.to_string(), cell.precision.to_string(), cell.n_clauses.to_string(), log.to_string()]
    });
    table(&["recall", "precision", "clauses", "log10_clauses"], rows)
}

/// `fold,positives,negatives`, each metric on test and, as `tune_auc_pr`, on tune: a row for each run.
pub fn metrics(validation: &CrossValidation) -> String {
    let mut header = ["fold", "positives", "negatives"].map(str::to_owned).to_vec();
    let on_tune = |name: &&'static str| is_on_tune(name);
    let tune = validation.tune_summaries.iter().map(|metric| metric.name).filter(on_tune);
    let tune = tune.map(|name| format!("tune_{name}"));
    header.extend(validation.summaries.iter().map(|metric| metric.name.to_owned()).chain(tune));
    let rows = validation.runs.iter().map(|run| {
        let mut row =
            vec![run.name(), run.sizes[2].n_positives.to_string(), run.sizes[2].n_negatives.to_string()];
        let tune = run.tune_metrics.named().filter(|(name, _)| is_on_tune(name));
        row.extend(run.metrics.named().chain(tune).map(|(_, value)| number(value)));
        row
    });
    records(std::iter::once(header).chain(rows))
}

/// `point,clauses_mean`, mean and sample standard deviation of each metric on test (`auc_pr_mean`, `auc_pr_sd`, ...) and on
/// tune (`tune_auc_pr_mean`, ...), then each run's area on test (`auc_pr_RUN`) and on tune (`tune_auc_pr_RUN`).
pub fn learning_curve(validation: &CrossValidation) -> String {
    let mut header = vec!["point".to_owned(), "clauses_mean".to_owned()];
    for set in ["", "tune_"] {
        let names = validation.summaries.iter().map(|metric| metric.name);
        let names = names.filter(|name| set.is_empty() || is_on_tune(name));
        header.extend(names.flat_map(|name| [format!("{set}{name}_mean"), format!("{set}{name}_sd")]));
    }
    for set in ["", "tune_"] {
        header.extend(validation.runs.iter().map(|run| format!("{set}auc_pr_{}", run.name())));
    }
    let rows = validation.learning_curve.iter().map(|point| {
        let mut row = vec![point.point.clone(), number(point.clauses.mean)];
        let metrics = point.test.iter().chain(point.tune.iter().filter(|metric| is_on_tune(metric.name)));
        row.extend(metrics.flat_map(|metric| [number(metric.summary.mean), number(metric.summary.sd)]));
        row.extend(point.areas.iter().chain(&point.tune_areas).map(|area| number(*area)));
        row
    });
    records(std::iter::once(header).chain(rows))
}

/// `above,up_to,examples,mean_probability,frequency,expected_positives,positives`: a row for each range of
/// probabilities. Means are empty where there is no example.
pub fn reliability(bins: &[ReliabilityBin]) -> String {
    let header =
        ["above", "up_to", "examples", "mean_probability", "frequency", "expected_positives", "positives"];
    let rows = bins.iter().map(|bin| {
        let (mean, frequency) = (bin.mean_probability(), bin.frequency());
        let numbers = [Some(bin.above), Some(bin.up_to), Some(bin.examples), mean, frequency];
        let sums = [bin.expected_positives, bin.positives].map(Some);
        numbers.into_iter().chain(sums).map(number).collect()
    });
    table(&header, rows)
}

/// A number that may be undefined.
pub(super) fn number(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// A table with its header.
pub(super) fn table(header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let header = header.iter().map(|&name| name.to_owned()).collect();
    records(std::iter::once(header).chain(rows))
}

/// Rows of one length, without a header.
///
/// # Panics
///
/// Never: rows of one length are written to memory.
pub fn records(rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(&row).expect("writing to memory does not fail, and rows are of one length");
    }
    let bytes = writer.into_inner().expect("flushing to memory does not fail");
    String::from_utf8(bytes).expect("cells are text")
}

/// First characters that make a cell a formula. Some spreadsheets skip line ends and tabs, and others know the wide
/// forms.
const FIRST: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// The byte offsets, ascending, of the cells in a table that a spreadsheet would run. The table is written by
/// `csv_tables`. Cells of numbers are left out.
///
/// **Cost**: one pass over the text.
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
