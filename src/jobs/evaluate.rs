//! To measure scores: those of a table, or of a model on data.

use std::path::Path;

use gleaner_lang::syntax::{Diagnostic, codes};
use gleaner_stats::eval::Measuring;

use crate::experiment::scoring::evaluate::{
    Against, EvaluateAnswer, LabelledScores, ScoreColumns, read_scores,
};
use crate::report::answer::Shown;
use crate::report::csv_tables;

use super::failure::Failure;
use super::files::read_text;
use super::listener::Listener;

/// How scores are measured.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    /// The least probability that counts as positive, for further precision and recall.
    pub(crate) at_probability: f64,
    /// An argument of the target, or a column, each of whose values is measured.
    pub(crate) by: Option<String>,
    /// Whether the points of the curve are wanted.
    pub(crate) wants_curve: bool,
    /// Test positives that a restriction leaves out count.
    pub(crate) count_filtered: bool,
}

impl Measured {
    /// Refuses what positives and negatives alone have.
    pub(super) fn refuse_curve(&self, message: &str) -> Result<(), Failure> {
        if self.wants_curve || self.by.is_some() {
            Err(Failure::usage(codes::SETTINGS_APART, message))
        } else {
            Ok(())
        }
    }
}

/// How good scores are.
#[derive(Debug)]
pub(crate) struct Evaluated {
    /// The measures.
    pub(crate) shown: Shown,
    /// The points of the curve as CSV, of positives and negatives.
    pub(crate) curve: Option<String>,
}

/// Scores on file, with the names of their columns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableOfScores<'t> {
    pub(crate) path: &'t Path,
    pub(crate) label: &'t str,
    pub(crate) score: &'t str,
    pub(crate) probability: Option<&'t str>,
}

impl TableOfScores<'_> {
    /// Measures them.
    pub(crate) fn evaluate(&self, asked: &Measured, listener: &dyn Listener) -> Result<Evaluated, Failure> {
        let Self { path, label, score, probability } = *self;
        let columns = ScoreColumns { label, score, probability, group: asked.by.as_deref() };
        let labelled = scores_of_file(path, columns)?;
        evaluated(path, &labelled, asked, (&[], None), listener)
    }
}

/// Measures labelled scores, against the thresholds and the prior of their model.
pub(super) fn evaluated(
    path: &Path,
    labelled: &LabelledScores,
    asked: &Measured,
    (hull_thresholds, prior): (&[f64], Option<f64>),
    listener: &dyn Listener,
) -> Result<Evaluated, Failure> {
    if labelled.n_unlabelled > 0 {
        tell_unlabelled(labelled.n_unlabelled, labelled.scores.len(), listener)?;
    }
    let measuring = Measuring { prior, at_probability: asked.at_probability };
    let against = Against { hull_thresholds: hull_thresholds.to_vec(), measuring };
    let answer =
        EvaluateAnswer::of(labelled, &against).map_err(|error| bad_scores(path, &error.to_string()))?;
    Ok(Evaluated { shown: Shown::of(&answer), curve: Some(csv_tables::curve(&answer.curve)) })
}

/// Warns of examples without a label, which cannot measure the scores. If none has a label, it is a fault.
pub(super) fn tell_unlabelled(
    n_unlabelled: usize,
    n_labelled: usize,
    listener: &dyn Listener,
) -> Result<(), Failure> {
    if n_labelled > 0 {
        listener.warn(codes::UNLABELLED, &left_out(n_unlabelled, "label"));
        return Ok(());
    }
    let message = format!("none of the {n_unlabelled} examples has a label");
    Err(Failure::fault(Diagnostic::error(codes::NO_EXAMPLES, message).with_help(
        "scores are measured on examples of known classes; `gleaner predict` gives the scores alone",
    )))
}

/// The message that examples without a label, or a number, are left out.
pub(super) fn left_out(n_examples: usize, lacks: &str) -> String {
    match n_examples {
        1 => format!("1 example without a {lacks} is left out"),
        n => format!("{n} examples without a {lacks} are left out"),
    }
}

fn bad_scores(path: &Path, what: &str) -> Failure {
    Failure::fault(
        Diagnostic::error(codes::BAD_SCORES, format!("{}: {what}", path.display()))
            .with_help(
                "a table of scores is a CSV with a header, a column of labels and one of finite numbers",
            )
            .with_help("⁅label-column⁆ and ⁅score-column⁆ name them"),
    )
}

/// The scores of a table on file.
fn scores_of_file(path: &Path, columns: ScoreColumns<'_>) -> Result<LabelledScores, Failure> {
    let text = read_text(path)?;
    if text.trim_start().starts_with('{') {
        return Err(Failure::usage(
            codes::SETTING_VALUE,
            format!("{} looks like a model: give the DATA to apply it to", path.display()),
        ));
    }
    read_scores(&text, columns).map_err(|what| bad_scores(path, &what))
}
