//! Jobs of a target that is a number: to learn, to cross-validate, to predict and to evaluate.

use std::io;

use rayon::prelude::{IntoParallelRefIterator, ParallelIterator};

use crate::experiment::Split;
use crate::experiment::inspect::ProblemSummary;
use crate::experiment::model_file::NumberOrigin;
use crate::experiment::number_answers::{
    NumberCvAnswer, NumberEvaluateAnswer, NumberLearnAnswer, NumberPredictAnswer, NumberWay,
};
use crate::experiment::number_metrics::NumberFigures;
use crate::experiment::number_run::{
    NumberRun, names_of_number_learners, number_learners, run_numbers, scale_of,
};
use crate::experiment::split::whole;
use crate::experiment::without_effect::Use;
use crate::report::predict::Rows;
use crate::report::{Document, numbers as report, text};
use crate::store::ModelFile;
use gleaner_base::Forgetful;
use gleaner_data::{Problem, folder_name};
use gleaner_lang::program::settings::Settings;
use gleaner_lang::syntax::{Diagnostic, codes};
use gleaner_learn::RunContext;
use gleaner_learn::shown::Extent;
use gleaner_learn::trees::loss::LossName;
use gleaner_learn::trees::number_defaults;

use super::failure::Failure;
use super::folder_output::Sink;
use super::listener::Means;
use super::scoring::{Applied, bind, chosen_examples};
use super::session::{FoldChoice, Session, check_settings, chosen_position};
use super::work::{Took, Work, WorkMeter};

/// A problem of numbers that was loaded and checked.
pub(crate) struct ReadyNumbers<'m> {
    session: Session,
    splits: Vec<Split>,
    means: Means<'m>,
}

/// The runs that were made.
#[derive(Debug)]
pub(crate) struct LearntNumbers {
    pub(crate) session: Session,
    pub(crate) way: NumberWay,
    pub(crate) runs: Vec<NumberRun>,
    pub(crate) took: Took,
}

impl<'m> ReadyNumbers<'m> {
    /// Prepares to learn from all examples, or as the run of a fold does.
    pub(crate) fn to_learn(
        session: Session,
        fold: Option<&FoldChoice>,
        means: Means<'m>,
    ) -> Result<Self, Failure> {
        let mut ready = Self::of(session, means)?;
        let session = &ready.session;
        ready.splits = match fold {
            None => vec![whole(&session.problem, &session.split_request).map_err(|fault| {
                Failure::fault(Diagnostic::error(codes::TOO_FEW_EXAMPLES, fault.to_string()))
            })?],
            Some(fold) => {
                let mut splits = session.splits()?;
                let at = chosen_position(&splits, fold)?;
                vec![splits.swap_remove(at)]
            }
        };
        let whole = if fold.is_some() { Use::Runs } else { Use::Whole };
        session.warn_of_division(whole, means.listener);
        Ok(ready)
    }

    /// Prepares to cross-validate.
    pub(crate) fn to_cross_validate(session: Session, means: Means<'m>) -> Result<Self, Failure> {
        let mut ready = Self::of(session, means)?;
        ready.splits = ready.session.splits()?;
        ready.session.warn_of_division(Use::Runs, means.listener);
        let problem_line = text::problem_line(&ready.summary());
        let mut headline = Document::new();
        headline.lines(&format!("{problem_line}; {} folds", ready.splits.len()));
        means.listener.begins(&headline)?;
        Ok(ready)
    }

    /// The folds that are tested.
    pub(crate) fn fold_names(&self) -> Vec<String> {
        self.splits.iter().map(|split| folder_name(&split.name)).collect()
    }

    fn summary(&self) -> ProblemSummary {
        ProblemSummary::of(&self.session.problem)
    }

    fn of(mut session: Session, means: Means<'m>) -> Result<Self, Failure> {
        check_settings(&session.settings)?;
        check_learner(&session.settings)?;
        set_defaults(&mut session.settings);
        check_numbers(&session.problem, NumberWay::of(&session.settings))?;
        if session.problem.known_target.is_some() {
            let message = "--target-in-body does not go with a target that is a number";
            return Err(Failure::fault(
                Diagnostic::error(codes::SETTINGS_APART, message).with_help("leave it out"),
            ));
        }
        session.warn_of_depth(means.listener);
        Ok(Self { session, splits: Vec::new(), means })
    }

    /// Makes the runs.
    pub(crate) fn run(self) -> LearntNumbers {
        let Self { session, splits, means } = self;
        let meter = WorkMeter::begin(None, Work::default(), means.listener);
        let context = RunContext {
            budget: means.limits.loaded(),
            rng_seed: session.rng_seed,
            monitor: &meter,
            cover_bytes: means.limits.cover_bytes(splits.len()),
            keeper: &Forgetful,
        };
        let run = |split: &Split, context: &RunContext<'_>| {
            run_numbers(&session.problem, &session.settings, split, context)
        };
        let runs: Vec<NumberRun> = if context.budget.left().is_some() {
            // Each run gets its share of the time that is left.
            let numbered = (1..=u32::try_from(splits.len()).unwrap_or(u32::MAX)).rev().zip(&splits);
            let limited = numbered.map(|(n_left, split)| {
                let left = context.budget.left().map(|left| left / n_left);
                let budget =
                    left.map_or_else(|| context.budget.clone(), |most| context.budget.for_at_most(most));
                run(split, &RunContext { budget: &budget, ..context })
            });
            limited.collect()
        } else {
            splits.par_iter().map(|split| run(split, &context)).collect()
        };
        let took = meter.finish();
        LearntNumbers { way: NumberWay::of(&session.settings), session, runs, took }
    }
}

/// Refuses learners that learn no numbers.
fn check_learner(settings: &Settings) -> Result<(), Failure> {
    if !number_learners(settings).is_empty() {
        return Ok(());
    }
    let message = format!("--learner {} learns no numbers", settings.learner());
    let known = names_of_number_learners().join(", ");
    Err(Failure::fault(
        Diagnostic::error(codes::NO_NUMBER_LEARNER, message)
            .with_help(format!("the target is a number (--number-argument); learners of numbers: {known}")),
    ))
}

/// Makes the settings that serve numbers best where nobody makes them.
fn set_defaults(settings: &mut Settings) {
    let learner = settings.learner();
    for &(name, value) in number_defaults(&learner) {
        if !settings.is_set(name) {
            settings.set(name, value).expect("a default is a value of its setting");
        }
    }
}

/// Refuses numbers that the loss or the goal has no meaning for.
fn check_numbers(problem: &Problem, way: NumberWay) -> Result<(), Failure> {
    use gleaner_learn::trees::loss::Goal;
    let apart = |message: &str, help: &str| {
        Err(Failure::fault(Diagnostic::error(codes::SETTINGS_APART, message).with_help(help.to_owned())))
    };
    let least = problem.numbers.as_ref().and_then(|numbers| numbers.values.first().copied());
    match (way.loss.name, way.goal) {
        (LossName::Poisson, _) if least.is_some_and(|least| least < 0.0) => {
            let message = format!("--loss poisson is for counts, and {} is below 0", least.unwrap_or(0.0));
            apart(&message, "--loss squared takes any numbers")
        }
        (LossName::Squared | LossName::Quantile, Goal::PoissonDeviance) => apart(
            "--goal poisson-deviance goes with --loss poisson alone",
            "give --loss poisson, or --goal mae",
        ),
        (LossName::Squared | LossName::Poisson, Goal::Pinball) => {
            apart("--goal pinball goes with --loss quantile alone", "give --loss quantile, or --goal mae")
        }
        _ => Ok(()),
    }
}

impl LearntNumbers {
    /// The file of a run's model.
    pub(crate) fn model_file(&self, run: &NumberRun) -> ModelFile {
        let Session { problem, rng_seed, split_request, request, .. } = &self.session;
        let origin = NumberOrigin {
            problem,
            rng_seed: *rng_seed,
            group: split_request.group,
            restriction: request.restriction.as_deref(),
        };
        origin.model_file(run)
    }

    /// The answer of `cv`.
    pub(crate) fn validation(&self) -> NumberCvAnswer {
        NumberCvAnswer::of(&self.session.problem, self.way, &self.runs)
    }

    /// The answer of `learn`; none if there is no run.
    pub(crate) fn learnt(&self, extent: Extent) -> Option<NumberLearnAnswer> {
        let run = self.runs.first()?;
        Some(NumberLearnAnswer::of(&self.session.problem, self.way, run, extent))
    }

    /// The model of `learn`; none if there is no run.
    pub(crate) fn model(&self) -> Option<ModelFile> {
        Some(self.model_file(self.runs.first()?))
    }

    /// Writes the run folder: for each fold its model and its predictions, and the metrics of all.
    pub(crate) fn write_validation(&self, sink: Sink<'_>) -> io::Result<()> {
        for run in &self.runs {
            let below = folder_name(&run.split.name);
            sink(&format!("{below}/model.json"), &self.model_file(run).to_json())?;
            let predicted = NumberPredictAnswer::of_run(&self.session.problem, run);
            sink(&format!("{below}/predictions.csv"), &predicted.csv())?;
        }
        let answer = self.validation();
        sink("metrics.csv", &report::metrics_csv(&answer))?;
        super::run_folder::write_number_record(&self.session, &answer, self.took, sink)
    }
}

/// Predicts the numbers of examples by a saved model.
pub(crate) fn predict(
    file: &ModelFile,
    applied: &Applied,
    means: Means<'_>,
) -> Result<NumberPredictAnswer, Failure> {
    let bound = bind(file, applied, &[], means.listener)?;
    let scale = scale_of(&*bound.model).ok_or_else(no_scale)?;
    let chosen = chosen_examples(file, &bound.problem, applied.fold.as_ref(), means.listener)?;
    let cover_bytes = means.limits.cover_bytes(1);
    Ok(NumberPredictAnswer::of_model(&bound.problem, &*bound.model, &scale, &chosen, cover_bytes))
}

/// Measures the predictions of a saved model.
pub(crate) fn evaluate(
    file: &ModelFile,
    applied: &Applied,
    means: Means<'_>,
) -> Result<NumberEvaluateAnswer, Failure> {
    let answer = predict(file, applied, means)?;
    let n_unlabelled = answer.n_examples - answer.n_labelled;
    if answer.n_labelled == 0 {
        let message = format!("none of the {n_unlabelled} examples has a number");
        return Err(Failure::fault(Diagnostic::error(codes::NO_EXAMPLES, message).with_help(
            "predictions are measured on examples with known numbers; `gleaner predict` gives them alone",
        )));
    }
    if n_unlabelled > 0 {
        means.listener.note(&format!("warning: {n_unlabelled} examples without a number are left out"));
    }
    let settings = crate::experiment::model_file::model_settings(file).map_err(Failure::fault)?;
    let way = NumberWay::of(&settings);
    Ok(NumberEvaluateAnswer { way, figures: NumberFigures::of(&answer.judged, way.loss) })
}

fn no_scale() -> Failure {
    Failure::fault(Diagnostic::error(codes::BAD_MODEL, "the model file has no scale of numbers"))
}
