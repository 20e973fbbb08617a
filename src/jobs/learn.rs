//! The job that learns a model, or one for each class, from all examples or as one run of a cross-validation does.

use crate::experiment::Split;
use crate::experiment::split::whole;
use crate::experiment::without_effect::{Use, without_effect};
use gleaner_base::Forgetful;
use gleaner_lang::syntax::{Diagnostic, codes};
use gleaner_learn::RunContext;
use gleaner_learn::settings::n_seeds;

use super::failure::Failure;
use super::feature_clauses::{FeatureClauses, Runs};
use super::kinds::{self, Further, Kind, Learnt, RunAsked};
use super::listener::Means;
use super::session::{FoldChoice, Session, chosen_position};
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
    kind: &'static dyn Kind,
    session: Session,
    /// Messages about settings without effect.
    without_effect: Vec<String>,
    split: Split,
    /// The number of the fold's run, from 1, if there is a fold.
    number: Option<usize>,
    means: Means<'m>,
}

impl Learn {
    /// Divides the examples, and refuses problems that cannot be learnt.
    pub(crate) fn ready(self, mut session: Session, means: Means<'_>) -> Result<ReadyToLearn<'_>, Failure> {
        let listener = means.listener;
        session.problem = session.problem.counting_filtered(self.count_filtered);
        means.limits.loaded();
        let kind = kinds::of(&session.problem);
        let without_effect = without_effect(&session.settings);
        let further = Further { count_filtered: self.count_filtered, feature_clauses: &self.feature_clauses };
        kind.prepare(&session.problem, &mut session.settings, &further, listener)?;
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
        Ok(ReadyToLearn { asked: self, kind, session, without_effect, split, number, means })
    }
}

/// All examples, divided into train and tune.
fn all_examples(session: &Session) -> Result<Split, Failure> {
    whole(&session.problem, &session.split_request)
        .map_err(|fault| Failure::fault(Diagnostic::error(codes::TOO_FEW_EXAMPLES, fault.to_string())))
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
        let Self { asked, kind, session, without_effect, split, number, means } = self;
        let listener = means.listener;
        session.warn_of_division(if asked.fold.is_some() { Use::Runs } else { Use::Whole }, listener);
        session.warn_of_depth(listener);
        session.advise_constants(listener);
        without_effect.iter().for_each(|message| listener.warn(codes::UNUSED_SETTING, message));
        let n_seeds = n_seeds(&session.settings).filter(|_| !asked.feature_clauses.are_given());
        let parts = kind.parts(&session);
        let numbered = (parts.len() == 1).then_some(1);
        let meter = WorkMeter::begin(n_seeds, Work::default(), listener).of_runs(numbered);
        let context = RunContext {
            budget: means.limits.loaded(),
            rng_seed: session.rng_seed,
            monitor: &meter,
            cover_bytes: means.limits.cover_bytes(1),
            keeper: &Forgetful,
        };
        let is_written = asked.counts_clauses;
        let run = RunAsked { session, parts, split, number, is_written, context: &context, listener };
        let learnt = kind.learn(run);
        let took = meter.finish();
        Ok(LearntModel { learnt: learnt?, took })
    }
}
