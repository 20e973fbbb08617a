//! The models of all classes applied to examples.

use gleaner_base::{ClassId, ExampleId};
use gleaner_data::Problem;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_learn::{Calibration, Model};
use gleaner_stats::eval::ConfusionMatrix;
use serde::Serialize;

use crate::experiment::classes::metrics::{ClassMetrics, ClassScore, MetricSources};
use crate::experiment::classes::validation::{OneClass, class_score};
use crate::experiment::metrics::columns::{Column, Columns, Tabled, Values};
use crate::experiment::runs::result::ScoredExample;
use crate::experiment::runs::split::SetExamples;
use crate::experiment::scoring::predict::{
    RowColumns, RowFault, ScoringLimits, argument_columns, argument_names, score,
};

/// A class's model with its calibration.
#[derive(Clone, Copy, Debug)]
pub struct ClassModel<'a> {
    /// The binary problem of the class, over the symbols of the model.
    pub problem: &'a Problem,
    /// The model.
    pub model: &'a dyn Model,
    /// The model's calibration; without one, all examples have the prior.
    pub calibration: Option<&'a Calibration>,
    /// The class's share of the examples that it was learnt from.
    pub prior: f64,
}

/// The predictions of the models of all classes for some examples.
#[derive(Clone, Debug, Serialize)]
pub struct ClassPredictAnswer {
    /// How many examples were scored.
    #[serde(rename = "examples")]
    pub n_examples: usize,
    /// How many of them have a class.
    #[serde(rename = "labelled")]
    pub n_labelled: usize,
    /// The classes.
    pub classes: Vec<String>,
    /// The column names of the target's arguments, without that of the class.
    #[serde(skip)]
    pub argument_names: Vec<String>,
    /// Each example.
    #[serde(skip)]
    pub predictions: Vec<ClassPrediction>,
}

/// The prediction of the models for one example.
#[derive(Clone, Debug, Serialize)]
pub struct ClassPrediction {
    /// The target's arguments but for the class, as cells of a table hold them.
    pub arguments: Vec<String>,
    /// The class of the example in the data; none where the data do not give it.
    pub class: Option<String>,
    /// The most probable class.
    pub predicted: String,
    /// The probability of each class; their sum is 1.
    pub probabilities: Vec<f64>,
}

/// The scores of examples by the models of all classes.
#[derive(Clone, Debug)]
pub struct ClassScores {
    /// The examples with the probabilities of all classes.
    pub scored: Vec<ClassScore>,
    /// The classes' shares of the examples that the models were learnt from.
    pub priors: Vec<f64>,
}

impl ClassScores {
    /// Scores examples by a model for each class, in the order of the classes.
    ///
    /// **Shape**: the problems of the models have the same examples.
    ///
    /// # Errors
    ///
    /// [`Interrupted`] when the budget ended first.
    ///
    /// # Panics
    ///
    /// When there is no model, which is a bug.
    pub fn of(
        models: &[ClassModel<'_>],
        chosen: &SetExamples,
        limits: ScoringLimits<'_>,
    ) -> Result<Self, Interrupted> {
        let examples = &models.first().expect("there are many classes").problem.examples();
        let priors: Vec<f64> = models.iter().map(|model| model.prior).collect();
        let of_class =
            |model: &ClassModel<'_>| score(model.problem, model.model, model.calibration, chosen, limits);
        let of_classes: Vec<Vec<ScoredExample>> = models.iter().map(of_class).collect::<Result<_, _>>()?;
        let joined = |at: usize| {
            let example: ExampleId = of_classes[0][at].example;
            let against_rest: Vec<f64> = of_classes
                .iter()
                .zip(&priors)
                .map(|(scored, prior)| scored[at].probability.unwrap_or(*prior))
                .collect();
            class_score(examples, example, &against_rest, &priors)
        };
        let scored = (0..of_classes[0].len()).map(joined).collect();
        Ok(Self { scored, priors })
    }
}

impl ClassPredictAnswer {
    /// The scores by the problem's names.
    ///
    /// # Panics
    ///
    /// When the problem has no list of classes, which is a bug.
    pub fn of(problem: &Problem, scores: &ClassScores) -> Self {
        let list = problem.classes().expect("there are many classes");
        let own = problem.class_argument();
        let without_class = |mut cells: Vec<String>| {
            own.map(|argument| cells.remove(argument));
            cells
        };
        let prediction = |score: &ClassScore| ClassPrediction {
            arguments: without_class(problem.argument_cells(score.example)),
            class: score.truth.map(|class| list.name(class).to_owned()),
            predicted: list.name(score.said).to_owned(),
            probabilities: score.probabilities.clone(),
        };
        Self {
            n_examples: scores.scored.len(),
            n_labelled: scores.scored.iter().filter(|score| score.truth.is_some()).count(),
            classes: list.names.clone(),
            argument_names: without_class(argument_names(problem)),
            predictions: scores.scored.iter().map(prediction).collect(),
        }
    }
}

impl ClassPredictAnswer {
    /// What can be written beside the rows of a table.
    pub fn row_columns(&self) -> RowColumns {
        let predicted = self.argument_names.len() + 1;
        RowColumns {
            name: 0,
            shown: (predicted..=predicted + self.classes.len()).collect(),
            relbench: Err(RowFault::ManyClasses),
            submitted: Ok(predicted),
        }
    }
}

/// A column for each argument but the class, `class,predicted`, and `p_` of each class. There is a row for each example,
/// whose class is empty if it has none.
impl Tabled for ClassPredictAnswer {
    fn columns(&self) -> Columns {
        let all = &self.predictions;
        let arguments = argument_columns(&self.argument_names, all, |of| &of.arguments);
        let said = [
            Column::new("class", Values::Text(all.iter().map(|of| of.class.clone()).collect())),
            Column::new("predicted", Values::texts(all.iter().map(|of| of.predicted.clone()))),
        ];
        let probability = |(class, name): (usize, &String)| {
            Column::new(format!("p_{name}"), Values::numbers(all.iter().map(|of| of.probabilities[class])))
        };
        Columns(arguments.chain(said).chain(self.classes.iter().enumerate().map(probability)).collect())
    }
}

/// The metrics of the models of all classes on examples whose classes are known.
#[derive(Clone, Debug, Serialize)]
pub struct ClassEvaluateAnswer {
    /// Examples measured.
    pub examples: usize,
    /// The measures.
    pub metrics: ClassMetrics,
    /// Each class.
    pub classes: Vec<OneClass>,
    /// By true class, the number of examples predicted to be of each class.
    pub confusion: Vec<Vec<u64>>,
    /// The same.
    #[serde(skip)]
    pub matrix: ConfusionMatrix,
}

impl ClassEvaluateAnswer {
    /// Measures scores; examples without a class are left out.
    pub fn of(names: &[String], scores: &ClassScores) -> Self {
        let MetricSources { confusion, metrics, areas } = MetricSources::of(&scores.scored, &scores.priors);
        let one = |(class_idx, name): (usize, &String)| {
            let class = ClassId::new(class_idx);
            OneClass::of(name, class, &confusion, Some(scores.priors[class_idx]), areas[class_idx])
        };
        let classes: Vec<OneClass> = names.iter().enumerate().map(one).collect();
        Self {
            examples: scores.scored.iter().filter(|score| score.truth.is_some()).count(),
            metrics,
            confusion: confusion.rows().to_vec(),
            matrix: confusion,
            classes,
        }
    }
}
