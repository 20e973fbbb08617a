//! The job that learns a model, or one for each class, from all examples or as one run of a cross-validation does.

use std::io;
use std::sync::Arc;

use crate::experiment::Split;
use crate::experiment::class_validation::part_name;
use crate::experiment::learn::{LearnAnswer, NothingLearnt};
use crate::experiment::reading::reading;
use crate::experiment::run::{run, run_problems};
use crate::experiment::run_record::{RunRecord, RunResults};
use crate::experiment::run_result::RunResult;
use crate::experiment::split::whole;
use crate::experiment::without_effect::{Use, without_effect};
use crate::report::stopped;
use crate::report::text::stop_name;
use crate::store::ClassModels;
use gleaner_base::Forgetful;
use gleaner_data::{Problem, folder_name};
use gleaner_lang::syntax::{Diagnostic, codes};
use gleaner_learn::RunContext;
use gleaner_learn::settings::n_seeds;
use gleaner_learn::shown::Extent;

use super::class_models::AnyModel;
use super::failure::Failure;
use super::feature_clauses::{FeatureClauses, Runs};
use super::folder_output::Sink;
use super::learner_data::check_learner_data;
use super::listener::Means;
use super::order::check_order;
use super::run_folder;
use super::session::{
    FoldChoice, Session, check_calibration, check_settings, check_target_in_body, chosen_position,
    refuse_numbers, warn_of_tune,
};
use super::work::{Took, Work, WorkMeter};

/// The request to learn, and the examples to learn from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Learn {
    /// Learn as the run of this fold does; else from all examples.
    pub(crate) fold: Option<FoldChoice>,
    /// Count test positives that a restriction leaves out as false negatives.
    pub(crate) count_filtered: bool,
    /// Clauses in place of a search.
    pub(crate) feature_clauses: FeatureClauses,
    /// Count what each clause covers, for the page of the run.
    pub(crate) counts_clauses: bool,
}

/// A problem that was loaded and checked, ready to be learnt from.
pub(crate) struct ReadyToLearn<'m> {
    asked: Learn,
    session: Session,
    split: Split,
    /// The number of the fold's run, from 1, if there is a fold.
    number: Option<usize>,
    means: Means<'m>,
}

impl Learn {
    /// Divides the examples, and refuses problems that cannot be learnt.
    pub(crate) fn ready(self, mut session: Session, means: Means<'_>) -> Result<ReadyToLearn<'_>, Failure> {
        let listener = means.listener;
        session.problem.filtered_positives.are_counted |= self.count_filtered;
        means.limits.loaded();
        refuse_numbers(&session.problem, "learn")?;
        check_settings(&session.settings)?;
        check_calibration(&session.problem, &session.settings)?;
        check_target_in_body(&session.problem, &session.settings)?;
        check_learner_data(&session.problem, &session.settings)?;
        check_order(&session.problem, &session.settings, Some(&self.feature_clauses), listener)?;
        let (splits, split, number) = match &self.fold {
            None => (Vec::new(), session.used(all_examples(&session)?)?, None),
            Some(fold) => {
                let splits = session.splits()?;
                let at = chosen_position(&splits, fold)?;
                let split = session.used(splits[at].clone())?;
                (splits, split, Some(at + 1))
            }
        };
        self.feature_clauses.check(std::iter::once(&session.settings), listener)?;
        session.warn_of_new_entities(std::slice::from_ref(&split), listener);
        session.warn_of_few(std::iter::once(&split), listener);
        let runs = Runs { splits: &splits, n_repeats: None };
        self.feature_clauses.give(&mut session, &runs, listener)?;
        session.add_numbers_of_runs(std::iter::once(&split))?;
        Ok(ReadyToLearn { asked: self, session, split, number, means })
    }
}

/// All examples, divided into train and tune.
fn all_examples(session: &Session) -> Result<Split, Failure> {
    whole(&session.problem, &session.split_request)
        .map_err(|fault| Failure::fault(Diagnostic::error(codes::TOO_FEW_EXAMPLES, fault.to_string())))
}

/// The learnt model, or one for each class.
#[derive(Debug)]
pub(crate) struct LearntModels {
    /// For each class, the problem of it against the rest; of two classes, the one problem.
    pub(crate) sessions: Vec<Session>,
    /// The run of each.
    pub(crate) results: Vec<RunResult>,
    /// The model file.
    pub(crate) model: AnyModel,
    number: Option<usize>,
    took: Took,
}

impl ReadyToLearn<'_> {
    /// Learns.
    ///
    /// # Errors
    ///
    /// [`Failure::NothingLearnt`] where all models are empty.
    pub(crate) fn run(self) -> Result<LearntModels, Failure> {
        let Self { asked, session, split, number, means } = self;
        let listener = means.listener;
        session.warn_of_division(if asked.fold.is_some() { Use::Runs } else { Use::Whole }, listener);
        session.warn_of_depth(listener);
        session.advise_constants(listener);
        for message in without_effect(&session.settings) {
            listener.note(&format!("warning: {message}"));
        }
        let n_seeds = n_seeds(&session.settings).filter(|_| !asked.feature_clauses.are_given());
        let numbered = session.problem.classes.is_none().then_some(1);
        let meter = WorkMeter::begin(n_seeds, Work::default(), listener).of_runs(numbered);
        let context = RunContext {
            budget: means.limits.loaded(),
            rng_seed: session.rng_seed,
            monitor: &meter,
            cover_bytes: means.limits.cover_bytes(1),
            keeper: &Forgetful,
        };
        let are_of_classes = session.problem.classes.is_some();
        let sessions = session.of_classes();
        let mut results = if are_of_classes {
            let problems: Vec<Problem> = sessions.iter().map(|session| session.problem.clone()).collect();
            run_problems(&problems, &session.settings, &split, &context)
        } else {
            vec![run(&session.problem, &session.settings, &split, &context)]
        };
        let took = meter.finish();
        if results.iter().all(|result| result.model.is_empty()) {
            return Err(Failure::NothingLearnt(Box::new(NothingLearnt::of(&results, &session.settings))));
        }
        let mut models = Vec::with_capacity(results.len());
        for (session, result) in sessions.iter().zip(&mut results) {
            let ending = context.budget.ending();
            let of_class =
                if are_of_classes { format!("class {}: ", session.class_name()) } else { String::new() };
            warn_of_tune(&*result.model, &of_class, listener);
            result.reading = reading(&session.problem, &split, &*result.model, &ending, context.cover_bytes);
            if asked.counts_clauses {
                result.count_clauses(&session.problem, &ending, context.cover_bytes);
            }
            models.push(run_folder::model_file(session, &session.settings, result));
        }
        let model = match models.pop() {
            Some(only) if !are_of_classes => AnyModel::One(Arc::new(only)),
            last => AnyModel::Many(Arc::new(ClassModels {
                models: models.into_iter().chain(last).map(Arc::new).collect(),
            })),
        };
        Ok(LearntModels { sessions, results, model, number, took })
    }
}

impl LearntModels {
    /// Whether there is a model for each of many classes.
    pub(crate) const fn are_of_classes(&self) -> bool {
        matches!(self.model, AnyModel::Many(_))
    }

    /// The model files of a run folder, by their paths below it.
    pub(crate) fn run_models(&self) -> Vec<(String, String)> {
        let path = |session: &Session| format!("{}model.json", self.below(session));
        self.sessions.iter().map(path).zip(self.model.models().iter().map(|file| file.to_json())).collect()
    }

    /// Writes the files of the run folder.
    pub(crate) fn write_run(&self, sink: Sink<'_>) -> io::Result<()> {
        for (session, result) in self.sessions.iter().zip(&self.results) {
            let below = self.below(session);
            let reported = run_folder::Reported::new(sink);
            let sink: Sink<'_> = &|path, content| reported.write(path, content);
            run_folder::write_run(&below, session, &session.settings, result, sink)?;
            let request = run_folder::request(session, "learn", self.number);
            let outcome = RunResults::One(result);
            let record = RunRecord::of(request, &session.settings, &session.problem, &outcome);
            run_folder::write_records(&below, &record.to_json(), self.took, session, sink)?;
            reported.write_page(&below)?;
        }
        Ok(())
    }

    /// The answer for each model, with the reason why its search was stopped from outside, if it was.
    pub(crate) fn answers(
        &self,
        extent: Extent,
    ) -> impl Iterator<Item = (&Session, LearnAnswer<'_>, Option<String>)> {
        self.sessions.iter().zip(&self.results).map(move |(session, result)| {
            let stopped = result.search.outer_stop().map(|reason| {
                let stop = stop_name(reason);
                if self.are_of_classes() {
                    format!("stopped: class {}, {stop}; its model is the best so far", session.class_name())
                } else {
                    stopped::of_model(reason)
                }
            });
            (session, LearnAnswer::of(&session.problem, result, extent), stopped)
        })
    }

    /// The beginning of the paths of a class's files.
    fn below(&self, session: &Session) -> String {
        if self.are_of_classes() {
            format!("{}/", folder_name(&part_name("", session.class_name())))
        } else {
            String::new()
        }
    }
}
