//! The job that evaluates a user's clauses as they come.
//!
//! The examples that a job counts: all, or those of a run's set.
//!
//! The job that makes a table of the examples that clauses cover.
//!
//! To mine the queries that enough examples satisfy.

use std::path::PathBuf;
use std::sync::Arc;

use gleaner_data::Problem;
use gleaner_data::clauses::{Checker, ClauseReader, usable_predicates};
use gleaner_engine::coverage::CoverStore;
use gleaner_engine::coverage::component::Interrupted;
use gleaner_engine::mining::levels::{Ground, mine};
use gleaner_engine::mining::{Level, MiningConfig};
use gleaner_lang::program::Clause;
use gleaner_lang::program::clause::ObjectIdentity;
use gleaner_lang::program::settings::{DataSummary, LEARNER};
use gleaner_lang::syntax::codes;
use gleaner_learn::Covers;
use gleaner_learn::registry::learner_named;

use crate::experiment::clauses::cover::{CoverAnswer, CoveredClause, Covering, FeatureMatrix, Listed};
use crate::experiment::clauses::mine::MineAnswer;
use crate::experiment::runs::split::{SetExamples, undivided};
use crate::experiment::settings::without_effect::Use;

use super::failure::Failure;
use super::feature_clauses::{read_clauses, read_texts};
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

/// Clauses whose covers are wanted as columns.
#[derive(Clone, Debug)]
pub(crate) struct Features {
    /// Where the clauses are from.
    pub(crate) source: ClauseSource,
    /// The examples that are rows.
    pub(crate) set: ChosenSet,
}

/// Where clauses are from.
#[derive(Clone, Debug)]
pub(crate) enum ClauseSource {
    /// A model's file, or a text of clauses.
    File(PathBuf),
    /// These clauses, one in each text.
    Texts(Vec<String>),
}

impl Features {
    /// Evaluates the clauses on a problem.
    pub(crate) fn run(&self, session: Session, means: Means<'_>) -> Result<FeatureMatrix, Failure> {
        let session = session.of_two_classes("features")?;
        let chosen = self.set.examples(&session, means.listener)?;
        let most_bytes = means.limits.cover_bytes(1);
        let problem = &session.problem;
        let (clauses, widening) = match &self.source {
            ClauseSource::File(path) => read_clauses(problem, path)?,
            ClauseSource::Texts(texts) => read_texts(problem, texts)?,
        };
        let worlds = widening.worlds(problem);
        let universe = chosen.universe(problem.examples());
        let capacity = CoverStore::usual_capacity(&universe).min(most_bytes);
        let covers = Covers::sharing(&Arc::new(CoverStore::with_capacity(&worlds, &universe, capacity)));
        let plain: Vec<&Clause> = clauses.iter().map(|read| &read.clause).collect();
        let texts = clauses.iter().map(|read| read.text.clone()).collect();
        FeatureMatrix::of(problem, &covers, &plain, texts, means.limits.loaded())
            .map_err(|Interrupted(reason)| Failure::stopped(reason, "all clauses were counted"))
    }
}

/// Queries that are to be mined.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mine {
    /// The examples that are counted.
    pub(crate) set: ChosenSet,
    /// The number of queries to keep for each class, those that tell most of it; else all.
    pub(crate) best: Option<usize>,
}

/// The learner whose defaults mining has.
const MLYNX: &str = "mlynx";

/// A problem that was loaded, ready to be mined.
pub(crate) struct ReadyToMine<'m> {
    session: Session,
    chosen: SetExamples,
    config: MiningConfig,
    best: Option<usize>,
    means: Means<'m>,
}

impl Mine {
    /// Chooses the examples of a problem.
    pub(crate) fn ready(self, mut session: Session, means: Means<'_>) -> Result<ReadyToMine<'_>, Failure> {
        let Self { set, best } = self;
        session.problem_of_classes("mine")?;
        means.limits.loaded();
        let chosen = set.examples(&session, means.listener)?;
        debug_assert!(learner_named(MLYNX).is_some(), "there is such a learner");
        session.settings.set(LEARNER, MLYNX).expect("it is a learner");
        let config = MiningConfig::of(&session.settings, DataSummary::default());
        if config.object_identity == ObjectIdentity::Proposed {
            means
                .listener
                .warn(codes::UNUSED_SETTING, "⁅object-identity=proposed⁆ has no effect on mined queries");
        }
        Ok(ReadyToMine { session, chosen, config, best, means })
    }
}

impl ReadyToMine<'_> {
    /// Mines; `show` gets the progress of each level.
    pub(crate) fn run(&self, show: &(dyn Fn(&Level) + Sync)) -> MineAnswer {
        let limits = self.means.limits;
        let problem = &self.session.problem;
        let universe = self.chosen.universe(problem.examples());
        let capacity = CoverStore::usual_capacity(&universe).min(limits.cover_bytes(1));
        let store = Arc::new(CoverStore::with_capacity(problem.worlds(), &universe, capacity));
        let labels = problem.labels();
        let classes = labels.is_one_of_several().then(|| universe.class_sets(labels.class_names().len()));
        let ground = Ground {
            worlds: problem.worlds(),
            modes: problem.modes(),
            store: &store,
            classes: classes.as_deref(),
        };
        let mined = mine(ground, &self.config, limits.loaded(), show);
        MineAnswer::of(problem, &mined, &universe, self.best)
    }
}
