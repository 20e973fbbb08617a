//! What is found of a target that is a number: answers of `learn`, `predict` and `evaluate`, and the runs of `cv`.

use std::sync::Arc;

use gleaner_base::ExampleId;
use gleaner_data::Problem;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_lang::program::{SharedSymbols, Symbols};
use gleaner_learn::Model;
use gleaner_learn::shown::{Extent, Reading};
use gleaner_learn::trees::numbers::{LEVELS, NumberScale};
use serde::Serialize;

use crate::experiment::loading::inspect::ProblemSummary;
use crate::experiment::metrics::columns::{Column, Columns, Tabled, Values};
use crate::experiment::numbers::metrics::{JudgedNumber, NumberFigures, intervals};
use crate::experiment::numbers::result::{NumberRun, TriedLearner};
use crate::experiment::numbers::run::NumberWay;
use crate::experiment::runs::split::SetExamples;
use crate::experiment::scoring::predict::{RowColumns, ScoringLimits, argument_columns, argument_names};

/// The figures of one run.
#[derive(Clone, Debug, Serialize)]
pub struct NumberFold {
    /// The fold that was tested; of repetitions after the first with their number.
    pub fold: String,
    /// The learner whose model was taken.
    pub learner: String,
    /// The rounds of its model; 0 for the constant.
    pub rounds: usize,
    /// The learners that were tried.
    pub tried: Vec<TriedLearner>,
    /// Why the search was stopped from outside, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<gleaner_base::StopReason>,
    /// The metrics on test.
    #[serde(flatten)]
    pub figures: NumberFigures,
}

impl NumberFold {
    /// The figures of a run.
    pub fn of(run: &NumberRun) -> Self {
        Self {
            fold: run.name(),
            learner: run.settings.learner(),
            rounds: run.scale.rounds,
            tried: run.tried.clone(),
            stopped: run.stop,
            figures: run.figures.clone(),
        }
    }
}

/// The result of learning.
#[derive(Clone, Debug, Serialize)]
pub struct NumberLearnAnswer {
    /// The problem.
    #[serde(flatten)]
    pub problem: ProblemSummary,
    /// How it was learnt.
    #[serde(flatten)]
    pub way: NumberWay,
    /// The run, with the metrics on its test set.
    pub run: NumberFold,
    /// What makes predictions of scores.
    pub scale: NumberScale,
    /// How much of the model is shown.
    #[serde(skip)]
    pub extent: Extent,
    /// The model.
    #[serde(skip)]
    pub model: Arc<dyn Model>,
    /// The summary of the model for a person.
    #[serde(skip)]
    pub reading: Reading,
    /// The names of its clauses.
    #[serde(skip)]
    pub symbols: SharedSymbols,
}

impl NumberLearnAnswer {
    /// The answer.
    pub fn of(problem: &Problem, way: NumberWay, run: &NumberRun, extent: Extent) -> Self {
        Self {
            problem: ProblemSummary::of(problem),
            way,
            run: NumberFold::of(run),
            scale: run.scale.clone(),
            extent,
            model: Arc::clone(&run.model),
            reading: Reading { schema: problem.schema().map(str::to_owned), ..Reading::default() },
            symbols: Arc::clone(problem.symbols()),
        }
    }

    /// The names of the model's clauses.
    pub fn symbols(&self) -> &Symbols {
        &self.symbols
    }
}

/// A predicted number.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NumberPrediction {
    /// The example, as an atom.
    pub example: String,
    /// The arguments of the example, as cells.
    pub arguments: Vec<String>,
    /// The prediction.
    pub predicted: f64,
    /// The ends of the interval of each level of `LEVELS`; none where the model has none.
    pub intervals: Vec<Option<[f64; 2]>>,
    /// The true number; none where the data do not give it.
    pub number: Option<f64>,
}

/// Predicted numbers.
#[derive(Clone, Debug, Serialize)]
pub struct NumberPredictAnswer {
    /// How many examples were scored.
    pub n_examples: usize,
    /// How many of them have a number.
    pub n_labelled: usize,
    /// The names of the arguments.
    #[serde(skip)]
    pub argument_names: Vec<String>,
    /// The predictions, by example.
    #[serde(skip)]
    pub predictions: Vec<NumberPrediction>,
    /// The true number of each example that has one, beside its prediction.
    #[serde(skip)]
    pub judged: Vec<JudgedNumber>,
}

impl NumberPredictAnswer {
    /// The test examples of runs, with their predictions.
    pub fn of_run(problem: &Problem, run: &NumberRun) -> Self {
        let scored = run.judged.iter().map(|(example, judged)| (*example, judged.predicted));
        Self::of(problem, &run.scale, scored.collect())
    }

    /// Scores examples by a model over the problem's symbols.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ended first.
    pub fn of_model(
        problem: &Problem,
        model: &dyn Model,
        scale: &NumberScale,
        chosen: &SetExamples,
        limits: ScoringLimits<'_>,
    ) -> Result<Self, Interrupted> {
        let universe = chosen.universe(problem.examples());
        let scoring = limits.score(problem, model, &universe)?;
        let predicted = |(position, example)| (example, scale.prediction(scoring.scores[position]));
        let mut scored: Vec<(ExampleId, f64)> = universe.iter().map(predicted).collect();
        scored.sort_by_key(|&(example, _)| example);
        Ok(Self::of(problem, scale, scored))
    }

    fn of(problem: &Problem, scale: &NumberScale, scored: Vec<(ExampleId, f64)>) -> Self {
        let prediction = |(example, predicted): (ExampleId, f64)| NumberPrediction {
            example: problem.example_text(example),
            arguments: problem.argument_cells(example),
            predicted,
            intervals: intervals(scale, predicted),
            number: problem.number(example),
        };
        let predictions: Vec<NumberPrediction> = scored.into_iter().map(prediction).collect();
        let judged = |of: &NumberPrediction| {
            Some(JudgedNumber {
                number: of.number?,
                predicted: of.predicted,
                constants: [scale.mean, scale.median],
                intervals: of.intervals.clone(),
            })
        };
        let judged: Vec<JudgedNumber> = predictions.iter().filter_map(judged).collect();
        Self {
            n_examples: predictions.len(),
            n_labelled: judged.len(),
            argument_names: argument_names(problem),
            predictions,
            judged,
        }
    }
}

impl NumberPredictAnswer {
    /// What can be written beside the rows of a table.
    pub fn row_columns(&self) -> RowColumns {
        let predicted = 1 + self.argument_names.len();
        RowColumns {
            name: 1,
            shown: (predicted..=predicted + 2 * LEVELS.len()).collect(),
            relbench: Ok(predicted),
            submitted: Ok(predicted),
        }
    }
}

/// `example`, a column for each argument, `predicted`, the ends of the intervals, `number`. A number that is not known is an
/// empty cell.
impl Tabled for NumberPredictAnswer {
    fn columns(&self) -> Columns {
        let all = &self.predictions;
        let example = Column::new("example", Values::texts(all.iter().map(|of| of.example.clone())));
        let arguments = argument_columns(&self.argument_names, all, |of| &of.arguments);
        let predicted = Column::new("predicted", Values::numbers(all.iter().map(|of| of.predicted)));
        let ends = LEVELS.iter().enumerate().flat_map(|(level, &share)| {
            let end = move |end: usize| {
                Values::Number(all.iter().map(|of| Some(of.intervals[level]?[end])).collect())
            };
            let [low, high] = interval_names(share);
            [Column::new(low, end(0)), Column::new(high, end(1))]
        });
        let number = Column::new("number", Values::Number(all.iter().map(|of| of.number).collect()));
        let columns = std::iter::once(example).chain(arguments).chain([predicted]).chain(ends);
        Columns(columns.chain([number]).collect())
    }
}

/// The columns of the interval of a level: `low_80` and `high_80`.
pub fn interval_names(level: f64) -> [String; 2] {
    ["low", "high"].map(|end| format!("{end}_{:.0}", 100.0 * level))
}

/// How good a model's predictions are.
#[derive(Clone, Debug, Serialize)]
pub struct NumberEvaluateAnswer {
    /// How the model was learnt.
    #[serde(flatten)]
    pub way: NumberWay,
    /// The metrics.
    #[serde(flatten)]
    pub figures: NumberFigures,
}
