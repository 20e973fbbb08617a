//! The job that learns a model, or one for each class, from all examples or as one run of a cross-validation does.

use crate::experiment::Split;
use crate::experiment::runs::split::whole;
use crate::experiment::settings::without_effect::{Use, without_effect};
use gleaner_base::Forgetful;
use gleaner_lang::syntax::{Diagnostic, codes};
use gleaner_learn::RunContext;
use gleaner_learn::settings::n_seeds;

use super::failure::Failure;
use super::feature_clauses::{FeatureClauses, Runs};
use super::kinds::link_runs::LinkLearning;
use super::kinds::{self, Further, Kind, Learnt, Ready, RunAsked, Working};
use super::listener::{Listener, Means};
use super::session::{FoldChoice, Session, chosen_position};
use super::to_learn::ToLearn;
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

/// A model that is ready to be learnt.
pub(crate) struct ReadyToLearn<'m> {
    ready: Box<dyn Ready<Box<dyn Learnt>>>,
    rng_seed: u64,
    is_written: bool,
    means: Means<'m>,
}

impl Learn {
    /// Divides the data, and refuses those that cannot be learnt from.
    pub(crate) fn ready(self, data: ToLearn, means: Means<'_>) -> Result<ReadyToLearn<'_>, Failure> {
        means.limits.loaded();
        let (rng_seed, is_written) = (data.rng_seed(), self.counts_clauses);
        let ready: Box<dyn Ready<Box<dyn Learnt>>> = match data {
            ToLearn::Examples(session) => Box::new(self.examples(*session, means.listener)?),
            ToLearn::Graph(session) => Box::new(LinkLearning::ready(&self, *session)?),
        };
        Ok(ReadyToLearn { ready, rng_seed, is_written, means })
    }

    /// Divides the examples.
    fn examples(self, mut session: Session, listener: &dyn Listener) -> Result<ExampleLearning, Failure> {
        session.problem = session.problem.counting_filtered(self.count_filtered);
        let kind = kinds::of(&session);
        let without_effect = without_effect(&session.settings);
        let further = Further {
            count_filtered: self.count_filtered,
            has_feature_clauses: self.feature_clauses.are_given(),
        };
        kind.prepare(&session.problem, &mut session.settings, further, listener)?;
        let (splits, split, number) = match &self.fold {
            None => (Vec::new(), session.used(all_examples(&session)?)?, None),
            Some(fold) => {
                let splits = session.splits()?;
                let names: Vec<&str> = splits.iter().map(|split| split.name.as_str()).collect();
                let at = chosen_position(&names, fold)?;
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
        let parts = kind.parts(&session);
        Ok(ExampleLearning { asked: self, kind, session, parts, without_effect, split, number })
    }
}

/// All examples, divided into train and tune.
fn all_examples(session: &Session) -> Result<Split, Failure> {
    whole(&session.problem, &session.split_request)
        .map_err(|fault| Failure::fault(Diagnostic::error(codes::TOO_FEW_EXAMPLES, fault.to_string())))
}

/// A problem that was loaded and checked, ready to be learnt from.
struct ExampleLearning {
    asked: Learn,
    kind: &'static dyn Kind,
    session: Session,
    parts: Vec<(Option<String>, Session)>,
    /// Messages about settings without effect.
    without_effect: Vec<String>,
    split: Split,
    /// The number of the fold's run, from 1, if there is a fold.
    number: Option<usize>,
}

impl Ready<Box<dyn Learnt>> for ExampleLearning {
    fn begin(&self, _: bool, listener: &dyn Listener) -> Result<(), Failure> {
        let Self { asked, session, without_effect, .. } = self;
        session.warn_of_division(if asked.fold.is_some() { Use::Runs } else { Use::Whole }, listener);
        session.warn_of_depth(listener);
        session.advise_constants(listener);
        without_effect.iter().for_each(|message| listener.warn(codes::UNUSED_SETTING, message));
        Ok(())
    }

    fn n_seeds(&self) -> Option<u64> {
        n_seeds(&self.session.settings).filter(|_| !self.asked.feature_clauses.are_given())
    }

    fn n_numbered(&self) -> Option<usize> {
        (self.parts.len() == 1).then_some(1)
    }

    fn run(self: Box<Self>, working: Working<'_>) -> Result<Box<dyn Learnt>, Failure> {
        let Self { kind, session, parts, split, number, .. } = *self;
        let Working { is_written, context, listener } = working;
        kind.learn(RunAsked { session, parts, split, number, is_written, context, listener })
    }
}

/// A model, and how long it took.
pub(crate) struct LearntModel {
    pub(crate) learnt: Box<dyn Learnt>,
    pub(crate) took: Took,
}

impl ReadyToLearn<'_> {
    /// Learns.
    ///
    /// # Errors
    ///
    /// [`Failure::NothingLearnt`] where all models are empty.
    pub(crate) fn run(self) -> Result<LearntModel, Failure> {
        let Self { ready, rng_seed, is_written, means } = self;
        let listener = means.listener;
        ready.begin(is_written, listener)?;
        let meter = WorkMeter::begin(ready.n_seeds(), Work::default(), listener).of_runs(ready.n_numbered());
        let context = RunContext {
            budget: means.limits.loaded(),
            rng_seed,
            monitor: &meter,
            cover_bytes: means.limits.cover_bytes(1),
            keeper: &Forgetful,
        };
        let learnt = ready.run(Working { is_written, context: &context, listener });
        let took = meter.finish();
        Ok(LearntModel { learnt: learnt?, took })
    }
}
