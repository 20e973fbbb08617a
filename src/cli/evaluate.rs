//! `gleaner evaluate SCORES`: named metrics of a table of scores, or of a model on data.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::experiment::class_predict::ClassEvaluateAnswer;
use crate::experiment::evaluate::{Against, EvaluateAnswer, LabelledScores, ScoreColumns, read_scores};
use crate::experiment::filtered::Filtered;
use crate::experiment::predict::PredictAnswer;
use crate::report::csv_tables;
use crate::store::ClassModels;
use gleaner_data::LoadRequest;
use gleaner_lang::syntax::{Diagnostic, codes};
use gleaner_stats::eval::Measuring;

use super::class_models::AnyModel;
use super::conduct::on_threads;
use super::deadline::end_after;
use super::failure::Failure;
use super::file_output::FileOutput;
use super::flags::{
    CountingFlags, DEFAULT_SEED, FoldChoice, ModelFlags, ReadingFlags, ResourceFlags, TimeFlag,
};
use super::memory::MemoryCap;
use super::output::Output;
use super::scoring::{Applied, apply, apply_all};
use super::session::read_text;
use super::values::share;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// A CSV with a column of labels and one of scores, or a model file.
    #[arg(value_name = "SCORES|MODEL")]
    scores: PathBuf,
    /// The data, if a model file is given.
    #[arg(value_name = "DATA")]
    data: Option<PathBuf>,
    /// The column of labels: 1/0, true/false, pos/neg, +/- [default: label].
    #[arg(long, value_name = "NAME")]
    label_column: Option<String>,
    /// The column of scores; higher is more likely positive [default: score].
    #[arg(long, value_name = "NAME")]
    score_column: Option<String>,
    /// The column of probabilities, 0 to 1; a model has its own.
    #[arg(long, value_name = "NAME")]
    probability_column: Option<String>,
    /// Precision and recall of calling positive what has this probability or more.
    #[arg(long, value_name = "P", value_parser = share, default_value_t = 0.5)]
    at_probability: f64,
    /// Measure each value of an argument of the target, or of a column.
    ///
    /// An argument by its name or its number from 1.
    #[arg(long, value_name = "ARGUMENT")]
    by: Option<String>,
    /// Write the points of the precision-recall curve as CSV; - is standard output.
    #[arg(long, value_name = "FILE")]
    curve: Option<PathBuf>,
    /// Only the test examples of this fold, for a model; a number from 1, or a name.
    #[arg(long, value_name = "FOLD")]
    fold: Option<FoldChoice>,
    #[command(flatten)]
    counting: CountingFlags,
    #[command(flatten)]
    applying: ModelFlags,
    #[command(flatten)]
    reading: ReadingFlags,
    #[command(flatten)]
    resources: ResourceFlags,
    #[command(flatten)]
    time: TimeFlag,
}

pub(super) fn evaluate(arguments: &Arguments, output: &Output) -> Result<(), Failure> {
    end_after(arguments.time, output);
    let path = &arguments.scores;
    arguments.warn(output);
    let read = [Some(path), arguments.data.as_ref()].into_iter().flatten().map(PathBuf::as_path);
    if let Some(curve) = &arguments.curve {
        FileOutput::spare(curve, "--curve", read.clone().chain(arguments.reading.files()))?;
    }
    let curve =
        arguments.curve.as_ref().map(|path| FileOutput::check(path, "--curve", output)).transpose()?;
    let output = &curve.as_ref().map_or(*output, |file| file.beside(output));
    let by = arguments.by.as_deref();
    let (labelled, hull_thresholds, prior) = match &arguments.data {
        Some(data) => {
            let any = AnyModel::read(path, output)?;
            let memory = MemoryCap::watch(&arguments.resources)?;
            let allows_missing = arguments.applying.allow_missing;
            let request = LoadRequest { allows_missing, ..arguments.reading.request(data, DEFAULT_SEED) };
            let applied = Applied { request, fold: arguments.fold.clone(), operating_point: None };
            let file = match any {
                AnyModel::One(file) => file,
                AnyModel::Many(many) => {
                    return evaluate_classes(&many, applied, arguments, &memory, output);
                }
            };
            let labelled = on_threads(&arguments.resources, || {
                let answer = apply(&file, applied, &memory, output)?;
                let n_unlabelled = answer.n_examples - answer.n_labelled;
                let filtered = Filtered { are_counted: arguments.counting.count_filtered, ..answer.filtered };
                let group = by.map(|said| argument_of(&answer, said)).transpose()?;
                Ok(LabelledScores { scores: answer.labelled_scores(group).collect(), n_unlabelled, filtered })
            })?;
            let prior = file.header.calibration.as_ref().map(|calibration| calibration.prior);
            (labelled, file.header.hull_thresholds, prior)
        }
        None => {
            let label = arguments.label_column.as_deref().unwrap_or("label");
            let score = arguments.score_column.as_deref().unwrap_or("score");
            let probability = arguments.probability_column.as_deref();
            let columns = ScoreColumns { label, score, probability, group: by };
            (scores_of_file(path, columns)?, Vec::new(), None)
        }
    };
    if labelled.n_unlabelled > 0 {
        tell_unlabelled(labelled.n_unlabelled, labelled.scores.len(), output)?;
    }
    let measuring = Measuring { prior, at_probability: arguments.at_probability };
    let answer = EvaluateAnswer::of(&labelled, &Against { hull_thresholds, measuring })
        .map_err(|error| bad_scores(path, &error.to_string()))?;
    if let Some(file) = curve {
        file.write(&csv_tables::curve(&answer.curve), output)?;
    }
    output.answer(&answer)
}

/// Measures the models of all classes.
fn evaluate_classes(
    many: &ClassModels,
    applied: Applied,
    arguments: &Arguments,
    memory: &MemoryCap,
    output: &Output,
) -> Result<(), Failure> {
    if arguments.curve.is_some() || arguments.by.is_some() {
        let message = "--curve and --by are of two classes: `cv --run DIR` writes the curves of each class";
        return Err(Failure::Usage(message.to_owned()));
    }
    on_threads(&arguments.resources, || {
        let (_, scores) = apply_all(&many.models, applied, memory, output)?;
        let n_labelled = scores.scored.iter().filter(|score| score.truth.is_some()).count();
        let n_unlabelled = scores.scored.len() - n_labelled;
        if n_unlabelled > 0 {
            tell_unlabelled(n_unlabelled, n_labelled, output)?;
        }
        output.answer(&ClassEvaluateAnswer::of(many.names(), &scores))
    })
}

/// That some examples say nothing of the scores, for they have no label; it is a fault if none has one.
fn tell_unlabelled(n_unlabelled: usize, n_labelled: usize, output: &Output) -> Result<(), Failure> {
    if n_labelled > 0 {
        output.note(&format!("warning: {n_unlabelled} examples without a label are left out"));
        return Ok(());
    }
    let message = format!("none of the {n_unlabelled} examples has a label");
    Err(Failure::fault(Diagnostic::error(codes::NO_EXAMPLES, message).with_help(
        "scores are measured on examples of known classes; `gleaner predict` gives the scores alone",
    )))
}

impl Arguments {
    /// Says which flags have no effect, as a table of scores has no model and a model no columns.
    fn warn(&self, output: &Output) {
        let Self {
            label_column, score_column, probability_column, fold, counting, applying, reading, ..
        } = self;
        let (flags, of) = if self.data.is_some() {
            let columns = [
                (label_column, "--label-column"),
                (score_column, "--score-column"),
                (probability_column, "--probability-column"),
            ];
            (
                columns.into_iter().filter(|(given, _)| given.is_some()).map(|(_, flag)| flag).collect(),
                "a model",
            )
        } else {
            let own = [
                fold.as_ref().map(|_| "--fold"),
                counting.count_filtered.then_some("--count-filtered"),
                applying.allow_missing.then_some("--allow-missing"),
            ];
            (own.into_iter().flatten().chain(reading.given()).collect::<Vec<_>>(), "a table of scores")
        };
        for flag in flags {
            output.note(&format!("warning: {flag} has no effect on {of}"));
        }
    }
}

/// The argument that `--by` says.
fn argument_of(answer: &PredictAnswer, said: &str) -> Result<usize, Failure> {
    answer.argument(said).ok_or_else(|| {
        let known = answer.argument_names.join(", ");
        Failure::Usage(format!(
            "--by {said}: the target has no such argument; there are {known}, or their numbers from 1"
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
