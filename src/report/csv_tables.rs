//! Tables as CSV (RFC 4180), numbers in full precision, undefined ones empty.

use crate::experiment::CrossValidation;
use crate::experiment::mean_precision::MeanPrecision;
use crate::experiment::metric_list::Metric;
use gleaner_learn::Density;
use gleaner_learn::shown::CsvTable;
use gleaner_stats::eval::{PrPoint, ReliabilityBin};

/// `recall,precision,true_positives,false_positives`: the points of a curve, ascending by recall.
#[must_use]
pub fn curve(points: &[PrPoint]) -> String {
    let header = ["recall", "precision", "true_positives", "false_positives"];
    let rows = points.iter().map(|point| {
        [point.recall, point.precision, point.true_positives, point.false_positives]
            .map(|value| value.to_string())
            .to_vec()
    });
    table(&header, rows)
}

/// `recall,precision_mean,precision_sd,precision_ci95,folds`: the mean curve over folds. `precision_ci95` is half the
/// width of the mean's 95 % interval, `folds` the number of folds with a value.
#[must_use]
pub fn mean_curve(points: &[MeanPrecision]) -> String {
    let header = ["recall", "precision_mean", "precision_sd", "precision_ci95", "folds"];
    let rows = points.iter().map(|MeanPrecision { recall, precision, ci95 }| {
        let numbers = [Some(*recall), precision.mean, precision.sd, *ci95].map(number);
        numbers.into_iter().chain([precision.n_defined.to_string()]).collect()
    });
    table(&header, rows)
}

/// Whether a metric is measured on tune.
fn is_on_tune(name: &str) -> bool {
    Metric::find(name).is_some_and(|metric| !metric.is_of_probabilities())
}

/// A table of a learner's own.
#[must_use]
pub fn own(own: &CsvTable) -> String {
    table(&own.header, own.rows.iter().cloned())
}

/// `recall,precision,clauses,log10_clauses`: where a search spent its evaluations, in percent; cells that no
/// clause fell in are left out.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "a logarithm for a plot")]
pub fn density(density: &Density) -> String {
    let rows = density.cells().map(|cell| {
        let log = (cell.n_clauses as f64).log10();
        vec![cell.recall.to_string(), cell.precision.to_string(), cell.n_clauses.to_string(), log.to_string()]
    });
    table(&["recall", "precision", "clauses", "log10_clauses"], rows)
}

/// `fold,positives,negatives`, each metric on test and, as `tune_auc_pr`, on tune: a row for each run.
#[must_use]
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
#[must_use]
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
#[must_use]
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
pub(super) fn records(rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(&row).expect("writing to memory does not fail, and rows are of one length");
    }
    let bytes = writer.into_inner().expect("flushing to memory does not fail");
    String::from_utf8(bytes).expect("cells are text")
}
