//! The job that evaluates a user's clauses as they come, on all examples or those of a run's set.

use std::path::PathBuf;

use gleaner_data::Problem;
use gleaner_data::clauses::{Checker, ClauseReader, usable_predicates};
use gleaner_engine::coverage::CoverStore;

use crate::experiment::clauses::cover::{CoverAnswer, CoveredClause, Covering, Listed};
use crate::experiment::runs::split::{SetExamples, undivided};
use crate::experiment::settings::without_effect::Use;

use super::failure::Failure;
use super::feature_clauses::read_texts;
use super::listener::{Listener, Means};
use super::session::{FoldChoice, Session, chosen_split, refuse_many_classes};

/// Clauses that are to be evaluated.
#[derive(Clone, Debug)]
pub(crate) struct Cover {
    /// The file of the clauses, or `-` for standard input.
    pub(crate) clauses: PathBuf,
    /// The examples that are counted.
    pub(crate) set: ChosenSet,
    /// The kind of covered examples that are listed, if any.
    pub(crate) listed: Option<Listed>,
}

/// A problem that was loaded, ready to evaluate clauses.
pub(crate) struct ReadyToCover<'m> {
    session: Session,
    chosen: SetExamples,
    clauses: PathBuf,
    listed: Option<Listed>,
    means: Means<'m>,
}

impl Cover {
    /// Chooses the examples of a problem.
    pub(crate) fn ready(self, session: Session, means: Means<'_>) -> Result<ReadyToCover<'_>, Failure> {
        let Self { clauses, set, listed } = self;
        let session = session.of_two_classes("cover")?;
        means.limits.loaded();
        let chosen = set.examples(&session, means.listener)?;
        Ok(ReadyToCover { session, chosen, clauses, listed, means })
    }
}

impl ReadyToCover<'_> {
    /// Evaluates the clauses. `take` gets them in the order of the text, with the number of bytes done, and of all
    /// bytes if that is known.
    pub(crate) fn run(
        &self,
        take: &mut impl FnMut(&[CoveredClause], u64, Option<u64>) -> Result<(), Failure>,
    ) -> Result<CoverAnswer, Failure> {
        let limits = self.means.limits;
        let problem = &self.session.problem;
        let universe = &self.chosen.universe(problem.examples());
        let cover_bytes = CoverStore::usual_capacity(universe).min(limits.cover_bytes(1));
        // Rows are given away as they come.
        let budget = &limits.loaded().while_memory_lasts();
        let covering = Covering { problem, universe, listed: self.listed, budget, cover_bytes };
        let usable = usable_predicates(problem);
        let mut reader = ClauseReader::open(&self.clauses, Checker::new(problem, &usable))?;
        let of_bytes = reader.progress().1;
        let mut clauses = 0;
        let stop = covering.run(&mut reader, &mut |found, n_bytes| {
            take(found, n_bytes, of_bytes)?;
            clauses += found.len() as u64;
            Ok::<(), Failure>(())
        })?;
        let (positives, negatives) = (universe.n_positives(), universe.n_negatives());
        Ok(CoverAnswer { positives, negatives, clauses, stop })
    }
}

/// Evaluates clauses of a program, each a text of its own, on all examples.
pub(crate) fn cover_texts(
    problem: &Problem,
    rng_seed: u64,
    texts: &[String],
    means: Means<'_>,
) -> Result<(CoverAnswer, Vec<CoveredClause>), Failure> {
    refuse_many_classes(problem, "cover")?;
    let (clauses, widening) = read_texts(problem, texts)?;
    let universe = &undivided(problem, rng_seed).universe(problem.examples());
    let cover_bytes = CoverStore::usual_capacity(universe).min(means.limits.cover_bytes(1));
    let budget = &means.limits.loaded().while_memory_lasts();
    let covering = Covering { problem, universe, listed: None, budget, cover_bytes };
    let mut covered = Vec::with_capacity(clauses.len());
    let stop = covering.all(&clauses, &widening, &mut |found| {
        covered.extend_from_slice(found);
        Ok::<(), Failure>(())
    })?;
    let (positives, negatives) = (universe.n_positives(), universe.n_negatives());
    Ok((CoverAnswer { positives, negatives, clauses: covered.len() as u64, stop }, covered))
}

/// A set of the examples of one run of cross-validation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum RunSet {
    /// Clauses are found on these.
    Train,
    /// These choose thresholds.
    Tune,
    /// These are kept for test.
    #[default]
    Test,
}

/// All examples, or those of this set of the run of a fold.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChosenSet {
    /// The fold and the set.
    pub(crate) of_run: Option<(FoldChoice, RunSet)>,
}

impl ChosenSet {
    /// Warns of settings that divide examples for nothing, and gives the examples that are counted.
    pub(crate) fn examples(
        &self,
        session: &Session,
        listener: &dyn Listener,
    ) -> Result<SetExamples, Failure> {
        let use_of_examples = if self.of_run.is_some() { Use::Runs } else { Use::Undivided };
        session.warn_of_division(use_of_examples, listener);
        session.warn_without_train(listener);
        let Some((fold, set)) = &self.of_run else {
            return Ok(undivided(&session.problem, session.rng_seed));
        };
        let splits = session.splits()?;
        let split = chosen_split(&splits, fold)?;
        let [train, tune, test] = split.sets();
        Ok(match set {
            RunSet::Train => train,
            RunSet::Tune => tune,
            RunSet::Test => test,
        })
    }
}
