//! The job that cross-validates a target that is a number: one learner, or several on the same folds.

use std::collections::BTreeSet;
use std::io;

use crate::experiment::inspect::ProblemSummary;
use crate::experiment::number_comparison::{NumberCvAnswer, NumberCvResults};
use crate::experiment::number_validation::{NumberCrossValidation, cross_validate_numbers};
use crate::experiment::run_record::{RunRecord, RunResults};
use crate::experiment::side_by_side::VariantName;
use crate::experiment::without_effect::{Use, without_effect};
use crate::report::{comparison, number_cv as report, text};
use gleaner_data::folder_name;
use gleaner_lang::program::settings::Settings;
use gleaner_learn::RunContext;

use super::checkpoint::n_finished;
use super::cross_validate::{CHOSEN, COMPARISON, CrossValidate};
use super::failure::Failure;
use super::folder_output::Sink;
use super::listener::{Listener, Means};
use super::numbers::{check_problem, check_variant, write_run};
use super::run_folder;
use super::run_place::{Place, below};
use super::session::Session;
use super::variants::Variant;
use super::work::{Took, WorkMeter};

/// The result of a cross-validation of numbers.
#[derive(Debug)]
pub(crate) struct NumbersValidated {
    /// The runs of each variant.
    pub(crate) validations: Vec<NumberCrossValidation>,
    /// The answer that sums up all variants.
    pub(crate) answer: NumberCvAnswer,
    /// How long it took.
    pub(crate) took: Took,
    /// Whether the run folder was written.
    pub(crate) saved: Result<(), Failure>,
}

impl CrossValidate {
    /// Runs all folds of a target that is a number. Returns `None` where the run folder holds the finished run already.
    ///
    /// # Errors
    ///
    /// Files that cannot be read or written, or do not go together; settings that do not go with numbers.
    pub(crate) fn run_numbers(
        &self,
        session: &Session,
        means: Means<'_>,
    ) -> Result<Option<NumbersValidated>, Failure> {
        let listener = means.listener;
        self.refuse_for_numbers()?;
        check_problem(&session.problem)?;
        let warnings: BTreeSet<String> =
            self.variants.iter().flat_map(|variant| without_effect(&variant.settings)).collect();
        let mut variants = self.variants.clone();
        variants.iter_mut().try_for_each(|of| check_variant(&session.problem, &mut of.settings, listener))?;
        let budget = means.limits.loaded();
        let splits = session.splits()?;
        let settings: Vec<Settings> = variants.iter().map(|variant| variant.settings.clone()).collect();
        let divisions = session.divisions(&splits, &settings)?;
        let asked: Vec<&Variant> = variants.iter().collect();
        let place = Place::claim(self.place.as_ref(), self.n_repeats, session, &splits, &asked, listener)?;
        let Some(place) = place else { return Ok(None) };
        session.warn_of_division(Use::Runs, listener);
        session.warn_of_depth(listener);
        warnings.iter().for_each(|message| listener.note(&format!("warning: {message}")));
        begin(session, splits.len(), place.is_written(), listener)?;
        let meter = WorkMeter::begin(None, place.work_before(), listener);
        let keeper = place.keeper(&meter);
        let cover_bytes = means.limits.cover_bytes(splits.len());
        let context =
            RunContext { budget, rng_seed: session.rng_seed, monitor: &meter, cover_bytes, keeper: &*keeper };
        let validations =
            cross_validate_numbers(&session.problem, &settings, &divisions, self.n_repeats, &context);
        let took = meter.finish();
        let names: Vec<VariantName> = variants.iter().map(Variant::named).collect();
        let answer = NumberCvAnswer::of(&session.problem, &names, &validations);
        let Some(answer) = answer else { return Ok(None) };
        let finished = validations.iter().map(|validation| n_finished(&validation.runs)).sum();
        let saved = place.write(finished, took, listener, |sink| {
            for (variant, validation) in variants.iter().zip(&validations) {
                write_validation(session, variant, validation, took, sink)?;
            }
            write_comparison(&answer, &names, &validations, sink)
        });
        drop(keeper);
        Ok(Some(NumbersValidated { validations, answer, took, saved }))
    }

    fn refuse_for_numbers(&self) -> Result<(), Failure> {
        let others = [
            ("--count-filtered", self.count_filtered),
            ("--feature-clauses", self.feature_clauses.are_given()),
        ];
        match others.iter().find(|(_, is_given)| *is_given) {
            None => Ok(()),
            Some((flag, _)) => Err(Failure::Usage(format!(
                "{flag} does not go with --number-argument\nhelp: leave it out: it is for positives and negatives"
            ))),
        }
    }
}

fn begin(
    session: &Session,
    n_folds: usize,
    is_written: bool,
    listener: &dyn Listener,
) -> Result<(), Failure> {
    let headline = text::headline(&ProblemSummary::of(&session.problem), n_folds);
    match listener.begins(&headline) {
        // Nobody reads, but the run folder is still wanted.
        Err(Failure::ClosedPipe) if is_written => Ok(()),
        said => said,
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
    let reported = run_folder::Reported::new(sink);
    let sink: Sink<'_> = &|path, content| reported.write(path, content);
    for run in &validation.runs {
        write_run(&format!("{below}{}/", folder_name(&run.name())), session, run, sink)?;
    }
    sink(&format!("{below}metrics.csv"), &report::metrics_csv(validation))?;
    let request = run_folder::request(session, "cv", None);
    let results = RunResults::AllOfNumbers(validation);
    let record = RunRecord::of(request, &variant.settings, &session.problem, &results);
    run_folder::write_records(&below, &record.to_json(), took, session, sink)?;
    reported.write_page(&below)
}

/// The tables of the comparison, where there are several variants.
fn write_comparison(
    answer: &NumberCvAnswer,
    names: &[VariantName],
    validations: &[NumberCrossValidation],
    sink: Sink<'_>,
) -> io::Result<()> {
    let NumberCvResults::Several(several) = &answer.results else { return Ok(()) };
    sink(COMPARISON, &comparison::csv(&several.comparison.0))?;
    let Some(chosen) = &several.chosen_on_tune else { return Ok(()) };
    sink(CHOSEN, &report::chosen_csv(chosen, names, validations))
}
