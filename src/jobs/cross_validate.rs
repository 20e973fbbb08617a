//! The job that cross-validates one learner, or several on the same folds, for two classes or many.

use std::collections::BTreeSet;
use std::io;

use crate::experiment::class_mistakes::class_mistakes;
use crate::experiment::class_validation::{ClassAnswer, ClassResult, part_name};
use crate::experiment::inspect::ProblemSummary;
use crate::experiment::learn::NothingLearnt;
use crate::experiment::reading::reading;
use crate::experiment::run_record::{RunRecord, RunResults};
use crate::experiment::side_by_side::{CvAnswer, CvResults, SideBySide, VariantName};
use crate::experiment::without_effect::{Use, without_effect};
use crate::experiment::{CrossValidation, Split, cross_validate_problems};
use crate::report::cv::{chosen_csv, told_run};
use crate::report::reasons::{MistakeTexts, mistake_texts, mistakes_csv};
use crate::report::{classes, comparison, page, text};
use gleaner_base::Budget;
use gleaner_data::{Problem, folder_name};
use gleaner_lang::program::settings::Settings;
use gleaner_learn::RunContext;
use gleaner_learn::settings::n_seeds;

use super::checkpoint::n_finished;
use super::failure::Failure;
use super::feature_clauses::{FeatureClauses, Runs};
use super::files::REPORT;
use super::folder_output::Sink;
use super::learner_data::check_learner_data;
use super::listener::{Listener, Means};
use super::order::check_order;
use super::run_folder::{self, Reported};
use super::run_place::{Place, RunPlace, below};
use super::session::{Session, check_calibration, check_settings, check_target_in_body, refuse_numbers};
use super::variants::Variant;
use super::work::{Took, WorkMeter};

/// The tables beside the variants' folders.
pub(super) const COMPARISON: &str = "comparison.csv";
pub(super) const CHOSEN: &str = "chosen.csv";

/// A cross-validation that is asked for.
#[derive(Clone, Debug)]
pub(crate) struct CrossValidate {
    /// Count test positives that a restriction leaves out as false negatives.
    pub(crate) count_filtered: bool,
    /// The settings that are compared.
    pub(crate) variants: Vec<Variant>,
    /// Clauses in place of a search.
    pub(crate) feature_clauses: FeatureClauses,
    /// How often each fold is run, with other random streams each time.
    pub(crate) n_repeats: usize,
    /// Where the results are written, if they are.
    pub(crate) place: Option<RunPlace>,
}

/// The result of a cross-validation.
#[derive(Debug)]
pub(crate) struct CrossValidated {
    /// The parts that were learnt: by problem, one or of many classes each, and then by variant.
    pub(crate) parts: Vec<Part>,
    /// The runs of each part.
    pub(crate) validations: Vec<CrossValidation>,
    /// The answer that sums up all parts.
    pub(crate) answer: Answered,
    /// How long it took.
    pub(crate) took: Took,
    /// Whether the run folder was written.
    pub(crate) saved: Result<(), Failure>,
}

impl CrossValidate {
    /// Refuses settings that do not go together, or with the data.
    fn check_variants(&self, problem: &Problem, listener: &dyn Listener) -> Result<(), Failure> {
        for variant in &self.variants {
            check_settings(&variant.settings)?;
            check_calibration(problem, &variant.settings)?;
            check_target_in_body(problem, &variant.settings)?;
            check_learner_data(problem, &variant.settings)?;
            check_order(problem, &variant.settings, Some(&self.feature_clauses), listener)?;
        }
        Ok(())
    }

    /// Runs all folds. Returns `None` where the run folder holds the finished run already.
    ///
    /// # Errors
    ///
    /// Files that cannot be read or written, or do not go together; [`Failure::NothingLearnt`] where all models are
    /// empty.
    pub(crate) fn run(
        &self,
        mut session: Session,
        means: Means<'_>,
    ) -> Result<Option<CrossValidated>, Failure> {
        let listener = means.listener;
        let variants = &self.variants;
        refuse_numbers(&session.problem, "cv")?;
        session.problem.filtered_positives.are_counted |= self.count_filtered;
        let budget = means.limits.loaded();
        let splits = session.splits()?;
        self.check_variants(&session.problem, listener)?;
        let settings: Vec<Settings> = variants.iter().map(|variant| variant.settings.clone()).collect();
        let divisions = session.divisions(&splits, &settings)?;
        self.feature_clauses.check(variants.iter().map(|variant| &variant.settings), listener)?;
        session.warn_of_new_entities(&splits, listener);
        session.warn_of_few(divisions.splits(), listener);
        let runs = Runs { splits: &splits, n_repeats: Some(self.n_repeats) };
        self.feature_clauses.give(&mut session, &runs, listener)?;
        session.add_numbers_of_runs(divisions.splits())?;
        let parts = Part::all(&session.of_classes(), variants);
        let asked: Vec<&Variant> = parts.iter().map(|part| &part.variant).collect();
        let place = Place::claim(self.place.as_ref(), self.n_repeats, &session, &splits, &asked, listener)?;
        let Some(place) = place else { return Ok(None) };
        self.begin(&session, &splits, &place, listener)?;
        let n_runs = (splits.len() * self.n_repeats * parts.len() / variants.len()) as u64;
        // Variants may share their search: then nobody knows how many seeds there will be.
        let n_seeds = n_seeds(&session.settings)
            .filter(|_| variants.len() == 1 && !self.feature_clauses.are_given())
            .map(|seeds| seeds * n_runs);
        let numbered = (parts.len() == 1).then_some(splits.len() * self.n_repeats);
        let meter = WorkMeter::begin(n_seeds, place.work_before(), listener).of_runs(numbered);
        let keeper = place.keeper(&meter);
        let cover_bytes = means.limits.cover_bytes(splits.len());
        let context =
            RunContext { budget, rng_seed: session.rng_seed, monitor: &meter, cover_bytes, keeper: &*keeper };
        let problems: Vec<Problem> =
            parts.iter().step_by(variants.len()).map(|part| part.session.problem.clone()).collect();
        let mut validations =
            cross_validate_problems(&problems, &settings, &divisions, self.n_repeats, &context);
        let ending = context.budget.ending();
        for (part, validation) in parts.iter().zip(&mut validations) {
            find_readings(validation, &part.session, self.place.is_some(), &context, &ending);
        }
        let took = meter.finish();
        let is_empty =
            validations.iter().all(|validation| validation.runs.iter().all(|run| run.model.is_empty()));
        let names: Vec<VariantName> = variants.iter().map(Variant::named).collect();
        let answer = (!is_empty).then(|| Answered::of(&session.problem, &names, &validations));
        let mistakes = self.mistakes(&session.problem, answer.as_ref(), &validations, &ending);
        let n_finished: usize = validations.iter().map(|validation| n_finished(&validation.runs)).sum();
        // A stop after the searches leaves tables out. Then a run is unfinished, so that --resume writes them.
        let n_finished = n_finished.saturating_sub(usize::from(ending.stop().is_some()));
        let saved = place.write(n_finished, took, listener, |sink| {
            let reported = Reported::new(sink);
            for (part, validation) in parts.iter().zip(&validations) {
                write_validation(part, validation, took, &reported)?;
            }
            if session.problem.classes.is_none() {
                let place = |part: &Part| (part.variant.name.clone(), below(&part.variant));
                reported.write_comparison(&parts.iter().map(place).collect::<Vec<_>>())?;
            }
            match &answer {
                Some(Answered::Many(answer)) => {
                    write_classes(&session.problem, &answer.variants, &mistakes, sink)?;
                    sink(REPORT, &page::of_classes(answer, &mistakes, &session.profile()))
                }
                Some(Answered::Two(answer)) => match &answer.results {
                    CvResults::Several(several) => write_comparison(several, &names, &validations, sink),
                    CvResults::One(_) => Ok(()),
                },
                None => Ok(()),
            }
        });
        let Some(answer) = answer else {
            saved?;
            return Err(Failure::NothingLearnt(Box::new(NothingLearnt::of(
                &validations[0].runs,
                &variants[0].settings,
            ))));
        };
        drop(keeper);
        Ok(Some(CrossValidated { parts, validations, answer, took, saved }))
    }

    /// The worst mistakes of many classes, if they are written. Where the budget ends first, those of the variants before.
    fn mistakes(
        &self,
        problem: &Problem,
        answer: Option<&Answered>,
        validations: &[CrossValidation],
        budget: &Budget,
    ) -> Vec<MistakeTexts> {
        let (Some(Answered::Many(answer)), Some(_)) = (answer, &self.place) else { return Vec::new() };
        let mut texts = Vec::new();
        for (at, variant) in answer.variants.iter().enumerate() {
            let of_classes: Vec<&CrossValidation> =
                validations.iter().skip(at).step_by(answer.variants.len()).collect();
            let Ok(found) = class_mistakes(problem, &of_classes, &variant.validation, budget) else { break };
            texts.extend(mistake_texts(&variant.names.name, &found, &variant.validation.names, problem));
        }
        texts
    }

    /// Reports settings without effect, and announces the work.
    fn begin(
        &self,
        session: &Session,
        splits: &[Split],
        place: &Place<'_>,
        listener: &dyn Listener,
    ) -> Result<(), Failure> {
        session.warn_of_division(Use::Runs, listener);
        session.warn_of_depth(listener);
        session.advise_constants(listener);
        for message in self
            .variants
            .iter()
            .flat_map(|variant| without_effect(&variant.settings))
            .collect::<BTreeSet<_>>()
        {
            listener.note(&format!("warning: {message}"));
        }
        let headline = text::headline(&ProblemSummary::of(&session.problem), splits.len());
        match listener.begins(&headline) {
            // Nobody reads, but the run folder is still wanted.
            Err(Failure::ClosedPipe) if place.is_written() => Ok(()),
            said => said,
        }
    }
}

/// The learning task of one variant on one of the problems. Of many classes, each class has a problem.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// The variant; of many classes, its name includes the class.
    pub(crate) variant: Variant,
    pub(crate) session: Session,
}

impl Part {
    /// By problem and then variant.
    fn all(sessions: &[Session], variants: &[Variant]) -> Vec<Self> {
        let named = |session: &Session, variant: &Variant| {
            let mut variant = variant.clone();
            if let Some(list) = &session.problem.classes {
                variant.name = part_name(&variant.name, list.name(list.own));
                variant.short_name = part_name(&variant.short_name, list.name(list.own));
            }
            Self { variant, session: session.clone() }
        };
        sessions
            .iter()
            .flat_map(|session| variants.iter().map(|variant| named(session, variant)).collect::<Vec<_>>())
            .collect()
    }
}

/// The answer for two classes, or for many.
#[derive(Debug)]
pub(crate) enum Answered {
    Two(Box<CvAnswer>),
    Many(Box<ClassAnswer>),
}

impl Answered {
    fn of(problem: &Problem, names: &[VariantName], validations: &[CrossValidation]) -> Self {
        if problem.classes.is_none() {
            return Self::Two(Box::new(CvAnswer::of(problem, names, validations)));
        }
        let of_variant = |variant: usize| validations.iter().skip(variant).step_by(names.len()).collect();
        let of_variants: Vec<Vec<&CrossValidation>> = (0..names.len()).map(of_variant).collect();
        Self::Many(Box::new(ClassAnswer::of(problem, names, &of_variants)))
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

/// The tables of the comparison.
fn write_comparison(
    several: &SideBySide,
    names: &[VariantName],
    validations: &[CrossValidation],
    sink: Sink<'_>,
) -> io::Result<()> {
    sink(COMPARISON, &comparison::csv(&several.comparison.0))?;
    let Some(chosen) = &several.chosen_on_tune else { return Ok(()) };
    sink(CHOSEN, &chosen_csv(chosen, names, validations))
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
    let record = RunRecord::of(request, &variant.settings, &session.problem, &RunResults::All(validation));
    run_folder::write_records(&below, &record.to_json(), took, session, sink)?;
    reported.write_page(&below)
}
