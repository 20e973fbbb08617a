//! To measure scores: those of a table, or of a model on data.

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value as Json;

use crate::experiment::class_predict::ClassEvaluateAnswer;
use crate::experiment::evaluate::{Against, EvaluateAnswer, LabelledScores, ScoreColumns, read_scores};
use crate::experiment::number_answers::NumberEvaluateAnswer;
use crate::experiment::predict::PredictAnswer;
use crate::report::{Answer, Document, Events};
use crate::store::ClassModels;
use gleaner_lang::syntax::{Diagnostic, codes};
use gleaner_stats::eval::Measuring;

use super::class_models::AnyModel;
use super::failure::Failure;
use super::files::read_text;
use super::kinds::numbers;
use super::listener::{Listener, Means};
use super::scoring::{Applied, apply, apply_all};

/// Scores that are to be measured.
#[derive(Debug)]
pub(crate) struct Evaluate {
    /// The file of the scores or of the model, for messages.
    pub(crate) path: PathBuf,
    /// Where the scores are from.
    pub(crate) source: ScoreSource,
    /// The least probability that counts as positive, for further precision and recall.
    pub(crate) at_probability: f64,
    /// An argument of the target, or a column, each of whose values is measured.
    pub(crate) by: Option<String>,
    /// Whether the points of the curve are wanted.
    pub(crate) wants_curve: bool,
}

/// Where scores are from.
#[derive(Debug)]
pub(crate) enum ScoreSource {
    /// The table at the path, with the names of its columns.
    Table { label: String, score: String, probability: Option<String> },
    /// A model on data.
    Model { model: AnyModel, applied: Applied, count_filtered: bool },
}

/// The metrics for two classes, or for many, or of predicted numbers.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Evaluated {
    Two(Box<EvaluateAnswer>),
    Many(ClassEvaluateAnswer),
    Number(NumberEvaluateAnswer),
}

impl Events for Evaluated {
    fn items(&self) -> Vec<Json> {
        match self {
            Self::Two(answer) => answer.items(),
            Self::Many(answer) => answer.items(),
            Self::Number(answer) => answer.items(),
        }
    }
}

impl Answer for Evaluated {
    fn document(&self) -> Document {
        match self {
            Self::Two(answer) => answer.document(),
            Self::Many(answer) => answer.document(),
            Self::Number(answer) => answer.document(),
        }
    }
}

impl Evaluate {
    /// Measures scores without the points of their curve.
    pub(crate) fn of(
        path: impl Into<PathBuf>,
        source: ScoreSource,
        at_probability: f64,
        by: Option<String>,
    ) -> Self {
        Self { path: path.into(), source, at_probability, by, wants_curve: false }
    }

    /// Reads the scores, or makes them, and measures them.
    pub(crate) fn run(self, means: Means<'_>) -> Result<Evaluated, Failure> {
        let Self { path, source, at_probability, by, wants_curve } = self;
        let by = by.as_deref();
        let (labelled, hull_thresholds, prior) = match source {
            ScoreSource::Model { model: AnyModel::Many(many), applied, .. } => {
                if wants_curve || by.is_some() {
                    let message =
                        "--curve and --by need two classes: `cv --run DIR` writes the curves of each class";
                    return Err(Failure::Usage(message.to_owned()));
                }
                return classes(&many, &applied, means).map(Evaluated::Many);
            }
            ScoreSource::Model { model: AnyModel::One(file), applied, .. }
                if file.header.number.is_some() =>
            {
                if wants_curve || by.is_some() {
                    let message = "--curve and --by need classes: the model predicts a number";
                    return Err(Failure::Usage(message.to_owned()));
                }
                return numbers::evaluate(&file, &applied, means).map(Evaluated::Number);
            }
            ScoreSource::Model { model: AnyModel::One(file), applied, count_filtered } => {
                let answer = apply(&file, &applied, means)?;
                let n_unlabelled = answer.n_examples - answer.n_labelled;
                let filtered = answer.filtered.counted_if(count_filtered);
                let group = by.map(|said| argument_of(&answer, said)).transpose()?;
                let scores = answer.labelled_scores(group).collect();
                let prior = file.header.calibration.as_ref().map(|calibration| calibration.prior);
                (
                    LabelledScores { scores, n_unlabelled, filtered },
                    file.header.hull_thresholds.clone(),
                    prior,
                )
            }
            ScoreSource::Table { label, score, probability } => {
                let probability = probability.as_deref();
                let columns = ScoreColumns { label: &label, score: &score, probability, group: by };
                (scores_of_file(&path, columns)?, Vec::new(), None)
            }
        };
        if labelled.n_unlabelled > 0 {
            tell_unlabelled(labelled.n_unlabelled, labelled.scores.len(), means.listener)?;
        }
        let measuring = Measuring { prior, at_probability };
        EvaluateAnswer::of(&labelled, &Against { hull_thresholds, measuring })
            .map(|answer| Evaluated::Two(Box::new(answer)))
            .map_err(|error| bad_scores(&path, &error.to_string()))
    }
}

/// Measures the models of all classes.
fn classes(many: &ClassModels, applied: &Applied, means: Means<'_>) -> Result<ClassEvaluateAnswer, Failure> {
    let scores = apply_all(&many.models, applied, means)?;
    let n_labelled = scores.scored.iter().filter(|score| score.truth.is_some()).count();
    let n_unlabelled = scores.scored.len() - n_labelled;
    if n_unlabelled > 0 {
        tell_unlabelled(n_unlabelled, n_labelled, means.listener)?;
    }
    Ok(ClassEvaluateAnswer::of(many.names(), &scores))
}

/// Warns of examples without a label, which cannot measure the scores. If none has a label, it is a fault.
fn tell_unlabelled(n_unlabelled: usize, n_labelled: usize, listener: &dyn Listener) -> Result<(), Failure> {
    if n_labelled > 0 {
        listener.note(&format!("warning: {n_unlabelled} examples without a label are left out"));
        return Ok(());
    }
    let message = format!("none of the {n_unlabelled} examples has a label");
    Err(Failure::fault(Diagnostic::error(codes::NO_EXAMPLES, message).with_help(
        "scores are measured on examples of known classes; `gleaner predict` gives the scores alone",
    )))
}

/// The argument that `--by` names.
fn argument_of(answer: &PredictAnswer, said: &str) -> Result<usize, Failure> {
    answer.argument(said).ok_or_else(|| {
        let known = answer.argument_names.join(", ");
        Failure::Usage(format!(
            "--by {said}: the target has no such argument; give one of {known}, or its number from 1"
        ))
    })
}

fn bad_scores(path: &Path, what: &str) -> Failure {
    Failure::fault(
        Diagnostic::error(codes::BAD_SCORES, format!("{}: {what}", path.display()))
            .with_help(
                "a table of scores is a CSV with a header, a column of labels and one of finite numbers",
            )
            .with_help("--label-column and --score-column name them"),
    )
}

/// The scores of a table on file.
fn scores_of_file(path: &Path, columns: ScoreColumns<'_>) -> Result<LabelledScores, Failure> {
    let text = read_text(path)?;
    if text.trim_start().starts_with('{') {
        return Err(Failure::Usage(format!(
            "{} looks like a model: give the DATA to apply it to",
            path.display()
        )));
    }
    read_scores(&text, columns).map_err(|what| bad_scores(path, &what))
}
