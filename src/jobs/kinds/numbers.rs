//! A target that is a number.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

use gleaner_data::{Problem, folder_name};
use gleaner_lang::program::settings::Settings;
use gleaner_lang::syntax::{Diagnostic, codes};
use gleaner_learn::shown::Extent;
use gleaner_learn::trees::loss::{Goal, LossName};
use gleaner_learn::trees::number_defaults;

use crate::experiment::comparing::side_by_side::{Results, VariantName};
use crate::experiment::metrics::metric_list::of_numbers;
use crate::experiment::numbers::answers::{NumberEvaluateAnswer, NumberLearnAnswer, NumberPredictAnswer};
use crate::experiment::numbers::metrics::NumberFigures;
use crate::experiment::numbers::reasons::number_reasons;
use crate::experiment::numbers::result::{NumberRun, scale_of};
use crate::experiment::numbers::run::{NumberWay, names_of_number_learners, number_learners, run_numbers};
use crate::experiment::numbers::validation::{
    NumberCrossValidation, NumberCvAnswer, cross_validate_numbers, runs_of_numbers,
};
use crate::experiment::runs::scheduled_runs::Measured;
use crate::jobs::evaluate::{Evaluated, Measured as Measuring, left_out};
use crate::jobs::failure::Failure;
use crate::jobs::folder_output::Sink;
use crate::jobs::listener::{Listener, Means, Took};
use crate::jobs::order::check_order;
use crate::jobs::predict::{Predicted, Scoring};
use crate::jobs::run_folder;
use crate::jobs::run_folder::write_beside;
use crate::jobs::run_place::below;
use crate::jobs::scoring::{Applied, bind, chosen_examples, unscored};
use crate::jobs::session::{Session, check_settings};
use crate::jobs::variants::Variant;
use crate::report::answer::Shown;
use crate::report::predict::csv;
use crate::report::{numbers as number_report, reasons, stopped};
use crate::store::ModelFile;

use super::models::{AnyModel, SavedModel, TargetKind};
use super::{Further, Kind, Learnt, OutputItem, RunAsked, RunsAsked, Validated};

/// Numbers.
pub(crate) struct Numbers;

impl Kind for Numbers {
    fn takes(&self, session: &Session) -> bool {
        !session.problem.labels().are_decided()
    }

    fn prepare(
        &self,
        problem: &Problem,
        settings: &mut Settings,
        asked: Further,
        listener: &dyn Listener,
    ) -> Result<(), Failure> {
        let others =
            [("⁅count-filtered⁆", asked.count_filtered), ("⁅feature-clauses⁆", asked.has_feature_clauses)];
        if let Some((flag, _)) = others.iter().find(|(_, is_given)| *is_given) {
            let message = format!("{flag} does not go with ⁅number-argument⁆");
            let help = "leave it out: it is for positives and negatives";
            return Err(Failure::usage(codes::SETTINGS_APART, message).with_help(help));
        }
        check_problem(problem)?;
        check_settings(settings)?;
        check_learner(settings)?;
        check_order(problem, settings, false, listener)?;
        set_defaults(settings);
        check_numbers(problem, NumberWay::of(settings))
    }

    fn parts(&self, session: &Session) -> Vec<(Option<String>, Session)> {
        vec![(None, session.clone())]
    }

    fn cross_validate(&self, runs: RunsAsked<'_>) -> Box<dyn Validated> {
        let settings = runs.settings();
        let RunsAsked { session, variants, divisions, n_repeats, context, .. } = runs;
        let validations = cross_validate_numbers(&session.problem, &settings, divisions, n_repeats, context);
        let names: Vec<VariantName> = variants.iter().map(Variant::named).collect();
        let answer = NumberCvAnswer::of(&session.problem, &names, &validations);
        Box::new(NumbersValidated { session, variants, validations, answer })
    }

    fn work(&self, runs: &RunsAsked<'_>) {
        let &RunsAsked { divisions, n_repeats, context, .. } = runs;
        runs_of_numbers(&runs.session.problem, &runs.settings(), divisions, n_repeats, context);
    }

    fn learn(&self, run: RunAsked<'_>) -> Result<Box<dyn Learnt>, Failure> {
        let RunAsked { session, split, number, context, .. } = run;
        let run = run_numbers(&session.problem, &session.settings, &split, context);
        Ok(Box::new(LearntNumbers { session, number, run }))
    }
}

/// The cross-validation of numbers.
struct NumbersValidated {
    session: Session,
    variants: Vec<Variant>,
    /// The runs of each variant.
    validations: Vec<NumberCrossValidation>,
    answer: NumberCvAnswer,
}

impl Validated for NumbersValidated {
    fn runs(&self) -> Vec<(&str, Vec<&dyn Measured>)> {
        let variants = self.variants.iter().zip(&self.validations);
        variants
            .map(|(variant, of)| (&*variant.name, of.runs.iter().map(|run| run as &dyn Measured).collect()))
            .collect()
    }

    fn pooled(&self) -> Vec<BTreeMap<&'static str, f64>> {
        let of = |figures: &NumberFigures| {
            of_numbers().filter_map(|metric| Some((metric.name, metric.of_numbers(figures)?))).collect()
        };
        self.validations.iter().map(|validation| of(&validation.pooled)).collect()
    }

    fn answer(&self) -> Shown {
        Shown::of(&self.answer)
    }

    fn stop_lines(&self) -> String {
        stopped::answer_lines(&self.answer)
    }

    fn write(&self, took: Took, sink: Sink<'_>) -> io::Result<()> {
        for (variant, validation) in self.variants.iter().zip(&self.validations) {
            write_validation(&self.session, variant, validation, took, sink)?;
        }
        let Results::Several(several) = &self.answer.results else { return Ok(()) };
        let runs: Vec<&[NumberRun]> = self.validations.iter().map(|validation| &*validation.runs).collect();
        write_beside(several, &runs, ("held_out_loss", NumberRun::held_out), sink)
    }
}

/// Writes a variant's folder: for each run its model and its predictions, and the metrics of all.
fn write_validation(
    session: &Session,
    variant: &Variant,
    validation: &NumberCrossValidation,
    took: Took,
    sink: Sink<'_>,
) -> io::Result<()> {
    let below = below(variant);
    let reported = run_folder::Reported::new(sink, session.wording);
    let sink: Sink<'_> = &|path, content| reported.write(path, content);
    for run in &validation.runs {
        write_run(&format!("{below}{}/", folder_name(&run.name())), session, run, sink)?;
    }
    sink(&format!("{below}metrics.csv"), &number_report::metrics_csv(validation))?;
    let request = run_folder::request(session, "cv", None);
    let record = run_folder::record(request, &variant.settings, &session.problem, validation);
    run_folder::write_records(&below, &record.to_json(), took, session, sink)?;
    reported.write_page(&below)
}

/// Refuses what does not go with numbers.
fn check_problem(problem: &Problem) -> Result<(), Failure> {
    if problem.known_target().is_none() {
        return Ok(());
    }
    let message = "⁅target-in-body⁆ does not go with a target that is a number";
    Err(Failure::fault(Diagnostic::error(codes::SETTINGS_APART, message).with_help("leave it out")))
}

/// Refuses learners that learn no numbers.
fn check_learner(settings: &Settings) -> Result<(), Failure> {
    if !number_learners(settings).is_empty() {
        return Ok(());
    }
    let message = format!("⁅learner={}⁆ learns no numbers", settings.learner());
    let known = names_of_number_learners().join(", ");
    Err(Failure::fault(
        Diagnostic::error(codes::NO_NUMBER_LEARNER, message)
            .with_help(format!("the target is a number (⁅number-argument⁆); learners of numbers: {known}")),
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
    let least = problem.numbers().and_then(|numbers| numbers.values.first().copied());
    match (way.loss.name, way.goal) {
        (LossName::Poisson, _) if least.is_some_and(|least| least < 0.0) => {
            let message = format!("⁅loss=poisson⁆ is for counts, and {} is below 0", least.unwrap_or(0.0));
            apart(&message, "⁅loss=squared⁆ takes any numbers")
        }
        (LossName::Squared | LossName::Quantile, Goal::PoissonDeviance) => apart(
            "⁅goal=poisson-deviance⁆ goes with ⁅loss=poisson⁆ alone",
            "give ⁅loss=poisson⁆, or ⁅goal=mae⁆",
        ),
        (LossName::Squared | LossName::Poisson, Goal::Pinball) => {
            apart("⁅goal=pinball⁆ goes with ⁅loss=quantile⁆ alone", "give ⁅loss=quantile⁆, or ⁅goal=mae⁆")
        }
        _ => Ok(()),
    }
}

/// The file of a run's model.
fn model_file(session: &Session, run: &NumberRun) -> ModelFile {
    run_folder::origin(session, &run.settings).number_model_file(run)
}

/// Writes a run's model, its predictions, and what explains the largest errors. Paths begin with `below`, which is empty or
/// ends with `/`.
fn write_run(below: &str, session: &Session, run: &NumberRun, sink: Sink<'_>) -> io::Result<()> {
    sink(&format!("{below}model.json"), &model_file(session, run).to_json())?;
    if run.judged.is_empty() {
        return Ok(());
    }
    let predicted = NumberPredictAnswer::of_run(&session.problem, run);
    sink(&format!("{below}predictions.csv"), &csv(&predicted))?;
    let reasons = number_reasons(&session.problem, &*run.model, &run.judged);
    sink(&format!("{below}explanations.csv"), &reasons::csv(&reasons, &session.problem))
}

/// The run that was made.
struct LearntNumbers {
    session: Session,
    number: Option<usize>,
    run: NumberRun,
}

impl Learnt for LearntNumbers {
    fn model(&self) -> AnyModel {
        Arc::new(NumberModel(Arc::new(model_file(&self.session, &self.run))))
    }

    fn run_models(&self) -> Vec<(String, String)> {
        vec![("model.json".to_owned(), self.model().to_json())]
    }

    fn output(&self, extent: Extent) -> Vec<OutputItem> {
        let stopped = self.run.stop.map(|reason| OutputItem::Say(stopped::of_model(reason)));
        stopped.into_iter().chain(OutputItem::answer(self.answer(extent))).collect()
    }

    fn answer(&self, extent: Extent) -> Shown {
        let way = NumberWay::of(&self.session.settings);
        Shown::of(&NumberLearnAnswer::of(&self.session.problem, way, &self.run, extent))
    }

    fn write(&self, took: Took, sink: Sink<'_>) -> io::Result<()> {
        let Self { session, number, run } = self;
        let reported = run_folder::Reported::new(sink, session.wording);
        let sink: Sink<'_> = &|path, content| reported.write(path, content);
        write_run("", session, run, sink)?;
        let request = run_folder::request(session, "learn", *number);
        let record = run_folder::record(request, &session.settings, &session.problem, run);
        run_folder::write_records("", &record.to_json(), took, session, sink)?;
        reported.write_page("")
    }
}

/// Predicts the numbers of examples by a saved model.
fn predict(file: &ModelFile, applied: &Applied, means: Means<'_>) -> Result<NumberPredictAnswer, Failure> {
    let bound = bind(file, applied, &[], means.listener)?;
    let scale = scale_of(&*bound.model).ok_or_else(no_scale)?;
    let chosen = chosen_examples(file, &bound.problem, applied.fold.as_ref(), means.listener)?;
    NumberPredictAnswer::of_model(&bound.problem, &*bound.model, &scale, &chosen, means.scoring())
        .map_err(unscored)
}

/// Measures the predictions of a saved model.
fn evaluate(file: &ModelFile, applied: &Applied, means: Means<'_>) -> Result<NumberEvaluateAnswer, Failure> {
    let answer = predict(file, applied, means)?;
    let n_unlabelled = answer.n_examples - answer.n_labelled;
    if answer.n_labelled == 0 {
        let message = format!("none of the {n_unlabelled} examples has a number");
        return Err(Failure::fault(Diagnostic::error(codes::NO_EXAMPLES, message).with_help(
            "predictions are measured on examples with known numbers; `gleaner predict` gives them alone",
        )));
    }
    if n_unlabelled > 0 {
        means.listener.warn(codes::WITHOUT_NUMBER, &left_out(n_unlabelled, "number"));
    }
    let settings = crate::experiment::scoring::model_file::model_settings(file).map_err(Failure::fault)?;
    let way = NumberWay::of(&settings);
    Ok(NumberEvaluateAnswer { way, figures: NumberFigures::of(&answer.judged, way.loss) })
}

/// A saved model of numbers.
#[derive(Debug)]
pub(super) struct NumberModel(pub(super) Arc<ModelFile>);

impl SavedModel for NumberModel {
    fn target_kind(&self) -> TargetKind {
        TargetKind::Numbers
    }

    fn to_json(&self) -> String {
        self.0.to_json()
    }

    fn models(&self) -> &[Arc<ModelFile>] {
        std::slice::from_ref(&self.0)
    }

    fn predict(&self, scoring: &Scoring, means: Means<'_>) -> Result<Predicted, Failure> {
        scoring.refuse_links()?;
        let applied = scoring.applied(self.models(), means.listener)?;
        scoring.warn_of_points("numbers", means.listener);
        let answer = predict(&self.0, &applied, means)?;
        let (n, rows) = (answer.n_examples, answer.row_columns());
        Ok(Predicted::of_examples(answer, n, rows, &applied.problem))
    }

    fn evaluate(
        &self,
        _: &Path,
        scoring: &Scoring,
        measured: &Measuring,
        means: Means<'_>,
    ) -> Result<Evaluated, Failure> {
        let applied = scoring.applied(self.models(), means.listener)?;
        measured.refuse_curve("⁅curve⁆ and ⁅by⁆ need classes: the model predicts a number")?;
        let answer = evaluate(&self.0, &applied, means)?;
        Ok(Evaluated { shown: Shown::of(&answer), curve: None })
    }
}

fn no_scale() -> Failure {
    Failure::fault(Diagnostic::error(codes::BAD_MODEL, "the model file has no scale of numbers"))
}
