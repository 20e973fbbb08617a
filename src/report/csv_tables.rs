//! Tables as CSV (RFC 4180), numbers in full precision, undefined ones empty.

use crate::eval::PrPoint;
use crate::experiment::CrossValidation;
use crate::experiment::run::{RunResult, ScoredExample};
use crate::problem::Problem;

/// A probability is `n/a` until the model is calibrated.
const NOT_CALIBRATED: &str = "n/a";

/// `example,score,probability,decision,confidence,label`, a row for each example, and where the negatives are
/// a sample `weight`: how many examples of the population it stands for.
#[must_use]
pub fn predictions(problem: &Problem, scored: &[ScoredExample]) -> String {
    let weight = problem.examples.negative_weight();
    let names = ["example", "score", "probability", "decision", "confidence", "label", "weight"];
    let header = &names[..names.len() - usize::from(weight.is_one())];
    let rows = scored.iter().map(|scored| {
        let flag = |value: bool| if value { "1" } else { "0" }.to_owned();
        let is_positive = problem.examples.is_positive(scored.example);
        let mut row = vec![
            problem.example_text(scored.example),
            scored.score.to_string(),
            NOT_CALIBRATED.to_owned(),
            flag(scored.decision),
            scored.confidence.to_string(),
            flag(is_positive),
        ];
        if !weight.is_one() {
            row.push(if is_positive { 1.0 } else { weight.ratio() }.to_string());
        }
        row
    });
    table(header, rows)
}

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

/// The chosen decisions with their counts on what they were chosen on, on tune and on test.
#[must_use]
pub fn decisions(run: &RunResult) -> String {
    let header = [
        "target_bin",
        "theory_bin",
        "votes",
        "chosen_on_true_positives",
        "chosen_on_false_positives",
        "tune_true_positives",
        "tune_false_positives",
        "test_true_positives",
        "test_false_positives",
    ];
    let rows = run.model.decisions.iter().zip(&run.test_points).map(|(decision, test)| {
        vec![
            decision.target_bin.to_string(),
            decision.theory_bin.to_string(),
            decision.threshold.to_string(),
            decision.chosen_on.true_positives.to_string(),
            decision.chosen_on.false_positives.to_string(),
            decision.tune.true_positives.to_string(),
            decision.tune.false_positives.to_string(),
            test.true_positives.to_string(),
            test.false_positives.to_string(),
        ]
    });
    table(&header, rows)
}

/// `fold,positives,negatives` and each metric, a row for each run.
#[must_use]
pub fn metrics(validation: &CrossValidation) -> String {
    let mut header = vec!["fold", "positives", "negatives"];
    header.extend(validation.summaries.iter().map(|(name, _)| *name));
    let rows = validation.runs.iter().map(|run| {
        let mut row = vec![run.split.name.clone(), run.sizes[2].0.to_string(), run.sizes[2].1.to_string()];
        row.extend(run.metrics.named().iter().map(|(_, value)| number(*value)));
        row
    });
    table(&header, rows)
}

/// `clauses_per_seed,auc_pr_mean,auc_pr_sd` and each fold's area.
#[must_use]
pub fn learning_curve(validation: &CrossValidation) -> String {
    let folds: Vec<String> = validation.runs.iter().map(|run| format!("auc_pr_{}", run.split.name)).collect();
    let mut header = vec!["clauses_per_seed", "auc_pr_mean", "auc_pr_sd"];
    header.extend(folds.iter().map(String::as_str));
    let rows = validation.learning_curve.iter().enumerate().map(|(position, (clauses, summary))| {
        let mut row = vec![clauses.to_string(), number(summary.mean), number(summary.sd)];
        row.extend(validation.runs.iter().map(|run| number(run.learning_curve[position].auc_pr)));
        row
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
