//! Covers as columns: of clauses that are given, or of the queries that enough examples satisfy.

use std::path::PathBuf;
use std::sync::Arc;

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

use crate::experiment::clauses::cover::FeatureMatrix;
use crate::experiment::clauses::mine::MineAnswer;
use crate::experiment::runs::split::SetExamples;

use super::cover::ChosenSet;
use super::failure::Failure;
use super::feature_clauses::{read_clauses, read_texts};
use super::listener::Means;
use super::session::Session;

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
