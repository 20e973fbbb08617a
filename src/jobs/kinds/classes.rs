//! Two classes, or many, each of which is learnt against the rest.

use std::io;
use std::sync::Arc;

use gleaner_base::Budget;
use gleaner_data::{Problem, folder_name};
use gleaner_lang::program::settings::Settings;
use gleaner_lang::syntax::Sources;
use gleaner_learn::RunContext;
use gleaner_learn::shown::{Extent, Noun};

use crate::experiment::classes::mistakes::class_mistakes;
use crate::experiment::classes::validation::{ClassAnswer, ClassResult, part_name};
use crate::experiment::comparing::side_by_side::{Results, TwoClassAnswer, VariantName};
use crate::experiment::loading::inspect::ProblemSummary;
use crate::experiment::runs::cross_validation::runs_of_problems;
use crate::experiment::runs::learn::{LearnAnswer, NothingLearnt, reading};
use crate::experiment::runs::result::RunResult;
use crate::experiment::runs::run::run_problems;
use crate::experiment::runs::scheduled_runs::Measured;
use crate::experiment::{CrossValidation, cross_validate_problems};
use crate::jobs::failure::Failure;
use crate::jobs::files::REPORT;
use crate::jobs::folder_output::Sink;
use crate::jobs::learn::check_learner_data;
use crate::jobs::listener::{Listener, Took};
use crate::jobs::order::check_order;
use crate::jobs::run_folder::{self, Reported, write_beside};
use crate::jobs::run_place::below;
use crate::jobs::session::{Session, check_calibration, check_settings, check_target_in_body, tune_warning};
use crate::jobs::variants::Variant;
use crate::report::answer::{Shown, done, event};
use crate::report::cv::{rules_document, run_event, told_run, variant_document};
use crate::report::reasons::{MistakeTexts, mistake_texts, mistakes_csv};
use crate::report::text::{stop_in_fold, stop_name};
use crate::report::{Document, classes, page, stopped};
use crate::store::ClassModels;

use super::class_models::{ManyClasses, TwoClasses};
use super::models::AnyModel;
use super::{Further, Kind, Learnt, OutputItem, Part, RunAsked, RunsAsked, Validated};

/// Positives and negatives, or many classes.
pub(crate) struct Classes;

impl Kind for Classes {
    fn takes(&self, session: &Session) -> bool {
        session.problem.labels().are_decided()
    }

    fn prepare(
        &self,
        problem: &Problem,
        settings: &mut Settings,
        asked: Further,
        listener: &dyn Listener,
    ) -> Result<(), Failure> {
        check_settings(settings)?;
        check_calibration(problem, settings)?;
        check_target_in_body(problem, settings)?;
        check_learner_data(problem, settings)?;
        check_order(problem, settings, asked.has_feature_clauses, listener)
    }

    fn parts(&self, session: &Session) -> Vec<(Option<String>, Session)> {
        match session.problem.classes() {
            None => vec![(None, session.clone())],
            Some(list) => {
                let of_class =
                    |class| Session { problem: session.problem.of_class(class), ..session.clone() };
                list.ids().map(|class| (Some(part_name("", list.name(class))), of_class(class))).collect()
            }
        }
    }

    fn cross_validate(&self, runs: RunsAsked<'_>) -> Box<dyn Validated> {
        let (settings, problems) = (runs.settings(), problems(&runs));
        let RunsAsked { session, parts, variants, divisions, n_repeats, is_written, context } = runs;
        let mut validations = cross_validate_problems(&problems, &settings, divisions, n_repeats, context);
        let ending = context.budget.ending();
        for (part, validation) in parts.iter().zip(&mut validations) {
            find_readings(validation, &part.session, is_written, context, &ending);
        }
        let names: Vec<VariantName> = variants.iter().map(Variant::named).collect();
        let is_empty =
            validations.iter().all(|validation| validation.runs.iter().all(|run| run.model.is_empty()));
        let answer = (!is_empty).then(|| Answered::of(&session.problem, &names, &validations));
        let mistakes = match &answer {
            Some(Answered::Many(answer)) if is_written => {
                mistakes(&session.problem, answer, &validations, &ending)
            }
            _ => Vec::new(),
        };
        let runs = validations.iter().flat_map(|validation| &validation.runs);
        let n_finished = runs.filter(|run| run.search.outer_stop().is_none()).count();
        // A stop after the searches leaves tables out. Then a run is unfinished, so that a resumed one writes them.
        let n_finished = n_finished.saturating_sub(usize::from(ending.stop().is_some()));
        Box::new(ClassesValidated { session, variants, parts, validations, answer, mistakes, n_finished })
    }

    fn work(&self, runs: &RunsAsked<'_>) {
        let &RunsAsked { divisions, n_repeats, context, .. } = runs;
        runs_of_problems(&problems(runs), &runs.settings(), divisions, n_repeats, context);
    }

    fn learn(&self, run: RunAsked<'_>) -> Result<Box<dyn Learnt>, Failure> {
        let RunAsked { session, parts, split, number, is_written, context, listener } = run;
        let problems: Vec<Problem> = parts.iter().map(|(_, part)| part.problem.clone()).collect();
        let mut results = run_problems(&problems, &session.settings, &split, context);
        if results.iter().all(|result| result.model.is_empty()) {
            return Err(Failure::NothingLearnt(Box::new(NothingLearnt::of(&results, &session.settings))));
        }
        let mut models = Vec::with_capacity(results.len());
        for ((part, session), result) in parts.iter().zip(&mut results) {
            let ending = context.budget.ending();
            let of_class =
                part.as_ref().map_or_else(String::new, |_| format!("class {}: ", session.class_name()));
            let warning = tune_warning(&*result.model, &of_class);
            listener.warnings(warning.as_slice(), &Sources::new());
            result.reading = reading(&session.problem, &split, &*result.model, &ending, context.cover_bytes);
            if is_written {
                result.count_clauses(&session.problem, &ending, context.cover_bytes);
            }
            models.push(Arc::new(run_folder::model_file(session, &session.settings, result)));
        }
        let model: AnyModel = match &*models {
            [only] => Arc::new(TwoClasses(Arc::clone(only))),
            _ => Arc::new(ManyClasses(ClassModels { models })),
        };
        Ok(Box::new(LearntClasses { parts, results, model, number }))
    }
}

/// The problems of the parts.
fn problems(runs: &RunsAsked<'_>) -> Vec<Problem> {
    runs.parts.iter().step_by(runs.variants.len()).map(|part| part.session.problem.clone()).collect()
}

/// The cross-validation of classes.
struct ClassesValidated {
    session: Session,
    variants: Vec<Variant>,
    parts: Vec<Part>,
    /// The runs of each part.
    validations: Vec<CrossValidation>,
    /// None where all models are empty.
    answer: Option<Answered>,
    /// The worst mistakes of many classes.
    mistakes: Vec<MistakeTexts>,
    n_finished: usize,
}

/// The answer for two classes, or for many.
enum Answered {
    Two(Box<TwoClassAnswer>),
    Many(Box<ClassAnswer>),
}

impl Answered {
    fn of(problem: &Problem, names: &[VariantName], validations: &[CrossValidation]) -> Self {
        if problem.labels().needs_both() {
            return Self::Two(Box::new(TwoClassAnswer::of(problem, names, validations)));
        }
        let of_variant = |variant: usize| validations.iter().skip(variant).step_by(names.len()).collect();
        let of_variants: Vec<Vec<&CrossValidation>> = (0..names.len()).map(of_variant).collect();
        Self::Many(Box::new(ClassAnswer::of(problem, names, &of_variants)))
    }
}

impl Validated for ClassesValidated {
    fn runs(&self) -> Vec<(&str, Vec<&dyn Measured>)> {
        let parts = self.parts.iter().zip(&self.validations);
        parts
            .map(|(part, of)| (&*part.variant.name, of.runs.iter().map(|run| run as &dyn Measured).collect()))
            .collect()
    }

    fn joint_runs(&self) -> Option<Vec<(&str, Vec<&dyn Measured>)>> {
        let Some(Answered::Many(answer)) = &self.answer else { return None };
        let joint = answer.variants.iter().map(|ClassResult { names, validation, .. }| {
            (&*names.name, validation.runs.iter().map(|run| run as &dyn Measured).collect())
        });
        Some(joint.collect())
    }

    fn n_finished(&self) -> usize {
        self.n_finished
    }

    fn nothing_learnt(&self) -> Option<NothingLearnt> {
        let nothing = || NothingLearnt::of(&self.validations[0].runs, &self.variants[0].settings);
        self.answer.is_none().then(nothing)
    }

    fn output(&self) -> Vec<OutputItem> {
        self.parts
            .iter()
            .zip(&self.validations)
            .flat_map(|(part, validation)| output_of(part, validation))
            .collect()
    }

    fn answer(&self) -> Shown {
        match &self.answer {
            Some(Answered::Two(answer)) => Shown::of(&**answer),
            Some(Answered::Many(answer)) => Shown::of(&**answer),
            None => Shown::default(),
        }
    }

    fn stop_lines(&self) -> String {
        match &self.answer {
            Some(Answered::Two(answer)) => stopped::answer_lines(answer),
            Some(Answered::Many(answer)) => classes::stop_lines(answer),
            None => String::new(),
        }
    }

    fn write(&self, took: Took, sink: Sink<'_>) -> io::Result<()> {
        let Self { session, parts, validations, answer, mistakes, .. } = self;
        let reported = Reported::new(sink, session.wording);
        for (part, validation) in parts.iter().zip(validations) {
            write_validation(part, validation, took, &reported)?;
        }
        if session.problem.labels().needs_both() {
            let place = |part: &Part| (part.variant.name.clone(), below(&part.variant));
            reported.write_comparison(&parts.iter().map(place).collect::<Vec<_>>())?;
        }
        match answer {
            Some(Answered::Many(answer)) => {
                write_classes(&session.problem, &answer.variants, mistakes, sink)?;
                sink(REPORT, &page::of_classes(answer, mistakes, &session.profile(), session.wording))
            }
            Some(Answered::Two(answer)) => match &answer.results {
                Results::Several(several) => {
                    let runs: Vec<&[RunResult]> =
                        validations.iter().map(|validation| &*validation.runs).collect();
                    let tune_area = |run: &RunResult| run.tune_metrics.auc_pr();
                    write_beside(&several.beside, &runs, ("tune_auc_pr", tune_area), sink)
                }
                Results::One(_) => Ok(()),
            },
            None => Ok(()),
        }
    }
}

/// The report of a part: its folds and rules, and where its searches stopped.
fn output_of(part: &Part, validation: &CrossValidation) -> Vec<OutputItem> {
    let name = &part.variant.named();
    let mut told = Vec::new();
    // What each class's model says by itself is in the run folder; of many classes all are told together.
    if part.session.problem.labels().needs_both() {
        if !name.name.is_empty() {
            let mut title = Document::new();
            title.gap();
            title.heading(name.name.as_str());
            told.push(OutputItem::Document(title));
        }
        told.push(OutputItem::Document(variant_document(name, validation)));
        told.push(OutputItem::Document(rules_document(validation, part.session.problem.symbols())));
    }
    for run in &validation.runs {
        told.extend(tune_warning(&*run.model, &format!("{}: ", run.name())).map(OutputItem::Warning));
        told.push(OutputItem::Event(run_event(name, run)));
        for (reason, n_seeds) in &run.search.stops {
            if reason.is_outer() {
                let (name, reason) = (run.name(), stop_in_fold(*reason));
                let seeds = Noun::SEEDS.counted(*n_seeds);
                told.push(OutputItem::Note(format!("{name}: {seeds} ended early: {reason}")));
            }
        }
    }
    told
}

/// The worst mistakes of each variant. Where the budget ends first, those of the variants before.
fn mistakes(
    problem: &Problem,
    answer: &ClassAnswer,
    validations: &[CrossValidation],
    budget: &Budget,
) -> Vec<MistakeTexts> {
    let mut texts = Vec::new();
    for (at, variant) in answer.variants.iter().enumerate() {
        let of_classes: Vec<&CrossValidation> =
            validations.iter().skip(at).step_by(answer.variants.len()).collect();
        let Ok(found) = class_mistakes(problem, &of_classes, &variant.validation, budget) else { break };
        texts.extend(mistake_texts(&variant.names.name, &found, &variant.validation.names, problem));
    }
    texts
}

/// Finds the summary of each run's model, or only of the run whose rules are printed. `learn` does so too, so that for
/// the same fold both write the same model file.
fn find_readings(
    validation: &mut CrossValidation,
    session: &Session,
    of_all: bool,
    context: &RunContext<'_>,
    ending: &Budget,
) {
    let told = told_run(validation);
    for (at, run) in validation.runs.iter_mut().enumerate() {
        if of_all || Some(at) == told {
            run.reading = reading(&session.problem, &run.split, &*run.model, ending, context.cover_bytes);
            if of_all {
                run.count_clauses(&session.problem, ending, context.cover_bytes);
            }
        }
    }
}

/// Writes the tables of the models of all classes together.
fn write_classes(
    problem: &Problem,
    variants: &[ClassResult],
    mistakes: &[MistakeTexts],
    sink: Sink<'_>,
) -> io::Result<()> {
    let tables = [
        ("class_mistakes.csv", mistakes_csv(mistakes, variants.len() > 1)),
        ("class_metrics.csv", classes::metrics_csv(variants)),
        ("classes.csv", classes::classes_csv(variants)),
        ("confusion.csv", classes::confusion_csv(variants)),
        ("class_probabilities.csv", classes::probabilities_csv(problem, variants)),
    ];
    tables.iter().try_for_each(|(name, table)| sink(name, table))
}

fn write_validation(
    part: &Part,
    validation: &CrossValidation,
    took: Took,
    reported: &Reported<'_>,
) -> io::Result<()> {
    let Part { variant, session } = part;
    let below = below(variant);
    let sink: Sink<'_> = &|path, content| reported.write(path, content);
    for run in &validation.runs {
        let folder = format!("{below}{}/", folder_name(&run.name()));
        run_folder::write_run(&folder, session, &variant.settings, run, sink)?;
    }
    run_folder::write_validation(&below, validation, sink)?;
    let request = run_folder::request(session, "cv", None);
    let record = run_folder::record(request, &variant.settings, &session.problem, validation);
    run_folder::write_records(&below, &record.to_json(), took, session, sink)?;
    reported.write_page(&below)
}

/// The learnt model, or one for each class.
struct LearntClasses {
    /// For each class, its name and the problem of it against the rest; of two classes, the one problem.
    parts: Vec<(Option<String>, Session)>,
    /// The run of each.
    results: Vec<RunResult>,
    /// The model file.
    model: AnyModel,
    number: Option<usize>,
}

impl LearntClasses {
    /// The beginnings of the paths of the parts' files.
    fn below(&self) -> impl Iterator<Item = String> {
        let below = |part: &String| format!("{}/", folder_name(part));
        self.parts.iter().map(move |(part, _)| part.as_ref().map_or_else(String::new, below))
    }

    fn answers(&self, extent: Extent) -> impl Iterator<Item = LearnAnswer<'_>> {
        let all = self.parts.iter().zip(&self.results);
        all.map(move |((_, session), result)| LearnAnswer::of(&session.problem, result, extent))
    }
}

impl Learnt for LearntClasses {
    fn model(&self) -> AnyModel {
        Arc::clone(&self.model)
    }

    fn run_models(&self) -> Vec<(String, String)> {
        let path = |below: String| format!("{below}model.json");
        self.below().map(path).zip(self.model.models().iter().map(|file| file.to_json())).collect()
    }

    fn output(&self, extent: Extent) -> Vec<OutputItem> {
        let mut told = Vec::new();
        for (((part, session), result), answer) in
            self.parts.iter().zip(&self.results).zip(self.answers(extent))
        {
            let stop = result.search.outer_stop();
            if part.is_none() {
                told.extend(stop.map(|reason| OutputItem::Say(stopped::of_model(reason))));
                told.extend(OutputItem::answer(Shown::of(&answer)));
                return told;
            }
            let class = session.class_name();
            told.extend(stop.map(|reason| {
                let stop = stop_name(reason);
                OutputItem::Say(format!("stopped: class {class}, {stop}; its model is the best so far"))
            }));
            let document = crate::report::Answer::document(&answer);
            told.extend(Document::of_class(class, document).into_iter().map(OutputItem::Document));
            told.push(OutputItem::Event(event("class", &answer)));
        }
        let problem = self.parts.first().map(|(_, session)| ProblemSummary::of(&session.problem));
        told.extend(problem.map(|problem| OutputItem::Event(done(&problem))));
        told
    }

    fn answer(&self, extent: Extent) -> Shown {
        self.answers(extent).next().map_or_else(Shown::default, |answer| Shown::of(&answer))
    }

    fn write(&self, took: Took, sink: Sink<'_>) -> io::Result<()> {
        for (((_, session), result), below) in self.parts.iter().zip(&self.results).zip(self.below()) {
            let reported = Reported::new(sink, session.wording);
            let sink: Sink<'_> = &|path, content| reported.write(path, content);
            run_folder::write_run(&below, session, &session.settings, result, sink)?;
            let request = run_folder::request(session, "learn", self.number);
            let record = run_folder::record(request, &session.settings, &session.problem, result);
            run_folder::write_records(&below, &record.to_json(), took, session, sink)?;
            reported.write_page(&below)?;
        }
        Ok(())
    }
}
