//! Jobs of a target that is a number: to learn, to predict and to evaluate.

use std::io;

use crate::experiment::Split;
use crate::experiment::model_file::NumberOrigin;
use crate::experiment::number_answers::{NumberEvaluateAnswer, NumberLearnAnswer, NumberPredictAnswer};
use crate::experiment::number_metrics::NumberFigures;
use crate::experiment::number_reasons::number_reasons;
use crate::experiment::number_result::{NumberRun, scale_of};
use crate::experiment::number_run::{names_of_number_learners, number_learners, run_numbers};
use crate::experiment::number_way::NumberWay;
use crate::experiment::run_record::{RunRecord, RunResults};
use crate::experiment::split::whole;
use crate::experiment::without_effect::Use;
use crate::report::predict::Rows;
use crate::report::{reasons, stopped};
use crate::store::ModelFile;
use gleaner_base::Forgetful;
use gleaner_data::Problem;
use gleaner_lang::program::settings::Settings;
use gleaner_lang::syntax::{Diagnostic, codes};
use gleaner_learn::RunContext;
use gleaner_learn::shown::Extent;
use gleaner_learn::trees::loss::{Goal, LossName};
use gleaner_learn::trees::number_defaults;

use super::failure::Failure;
use super::folder_output::Sink;
use super::listener::{Listener, Means};
use super::order::check_order;
use super::run_folder;
use super::scoring::{Applied, bind, chosen_examples};
use super::session::{FoldChoice, Session, check_settings, chosen_position};
use super::work::{Took, Work, WorkMeter};

/// A problem of numbers that was loaded and checked, ready to be learnt from.
pub(crate) struct ReadyNumbers<'m> {
    session: Session,
    split: Split,
    /// The number of the fold's run, from 1, if there is a fold.
    number: Option<usize>,
    means: Means<'m>,
}

/// The run that was made.
#[derive(Debug)]
pub(crate) struct LearntNumbers {
    session: Session,
    number: Option<usize>,
    run: NumberRun,
    took: Took,
}

impl<'m> ReadyNumbers<'m> {
    /// Prepares to learn from all examples, or as the run of a fold does.
    pub(crate) fn to_learn(
        mut session: Session,
        fold: Option<&FoldChoice>,
        means: Means<'m>,
    ) -> Result<Self, Failure> {
        check_problem(&session.problem)?;
        check_variant(&session.problem, &mut session.settings, means.listener)?;
        let (split, number) = match fold {
            None => {
                let split = whole(&session.problem, &session.split_request).map_err(|fault| {
                    Failure::fault(Diagnostic::error(codes::TOO_FEW_EXAMPLES, fault.to_string()))
                })?;
                (session.used(split)?, None)
            }
            Some(fold) => {
                let mut splits = session.splits()?;
                let at = chosen_position(&splits, fold)?;
                (session.used(splits.swap_remove(at))?, Some(at + 1))
            }
        };
        session.warn_of_division(if fold.is_some() { Use::Runs } else { Use::Whole }, means.listener);
        session.warn_of_depth(means.listener);
        Ok(Self { session, split, number, means })
    }

    /// Makes the run.
    pub(crate) fn run(self) -> LearntNumbers {
        let Self { session, split, number, means } = self;
        let meter = WorkMeter::begin(None, Work::default(), means.listener);
        let context = RunContext {
            budget: means.limits.loaded(),
            rng_seed: session.rng_seed,
            monitor: &meter,
            cover_bytes: means.limits.cover_bytes(1),
            keeper: &Forgetful,
        };
        let run = run_numbers(&session.problem, &session.settings, &split, &context);
        let took = meter.finish();
        LearntNumbers { session, number, run, took }
    }
}

/// Refuses what does not go with numbers.
pub(super) fn check_problem(problem: &Problem) -> Result<(), Failure> {
    if problem.known_target.is_none() {
        return Ok(());
    }
    let message = "--target-in-body does not go with a target that is a number";
    Err(Failure::fault(Diagnostic::error(codes::SETTINGS_APART, message).with_help("leave it out")))
}

/// Makes the settings that serve numbers best, and refuses those that do not go with the numbers.
pub(super) fn check_variant(
    problem: &Problem,
    settings: &mut Settings,
    listener: &dyn Listener,
) -> Result<(), Failure> {
    check_settings(settings)?;
    check_learner(settings)?;
    check_order(problem, settings, None, listener)?;
    set_defaults(settings);
    check_numbers(problem, NumberWay::of(settings))
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
    // The number of trees of a quantile is chosen by its own loss: the absolute error is of the median alone.
    let of_quantile =
        (NumberWay::of(settings).loss.name == LossName::Quantile).then_some(("goal", Goal::Pinball.word()));
    for (name, value) in number_defaults(&learner).iter().copied().chain(of_quantile) {
        if !settings.is_set(name) {
            settings.set(name, value).expect("a default is a value of its setting");
        }
    }
}

/// Refuses numbers that the loss or the goal has no meaning for.
fn check_numbers(problem: &Problem, way: NumberWay) -> Result<(), Failure> {
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

/// The file of a run's model.
pub(super) fn model_file(session: &Session, run: &NumberRun) -> ModelFile {
    let Session { problem, rng_seed, split_request, request, .. } = session;
    let origin = NumberOrigin {
        problem,
        rng_seed: *rng_seed,
        group: split_request.group,
        restriction: request.restriction.as_deref(),
    };
    origin.model_file(run)
}

/// Writes a run's model, its predictions, and what explains the largest errors. Paths begin with `below`, which is empty or
/// ends with `/`.
pub(super) fn write_run(below: &str, session: &Session, run: &NumberRun, sink: Sink<'_>) -> io::Result<()> {
    sink(&format!("{below}model.json"), &model_file(session, run).to_json())?;
    if run.judged.is_empty() {
        return Ok(());
    }
    let predicted = NumberPredictAnswer::of_run(&session.problem, run);
    sink(&format!("{below}predictions.csv"), &predicted.csv())?;
    let reasons = number_reasons(&session.problem, &*run.model, &run.judged);
    sink(&format!("{below}explanations.csv"), &reasons::csv(&reasons, &session.problem))
}

impl LearntNumbers {
    /// The reason why the search was stopped from outside, if it was.
    pub(crate) fn stopped(&self) -> Option<String> {
        self.run.stop.map(stopped::of_model)
    }

    /// The answer of `learn`.
    pub(crate) fn answer(&self, extent: Extent) -> NumberLearnAnswer {
        let way = NumberWay::of(&self.session.settings);
        NumberLearnAnswer::of(&self.session.problem, way, &self.run, extent)
    }

    /// The model.
    pub(crate) fn model(&self) -> ModelFile {
        model_file(&self.session, &self.run)
    }

    /// Writes the files of the run folder.
    pub(crate) fn write_run(&self, sink: Sink<'_>) -> io::Result<()> {
        let Self { session, number, run, took } = self;
        let reported = run_folder::Reported::new(sink);
        let sink: Sink<'_> = &|path, content| reported.write(path, content);
        write_run("", session, run, sink)?;
        let request = run_folder::request(session, "learn", *number);
        let results = RunResults::OneOfNumbers(run);
        let record = RunRecord::of(request, &session.settings, &session.problem, &results);
        run_folder::write_records("", &record.to_json(), *took, session, sink)?;
        reported.write_page("")
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
