//! To mine the queries that enough examples satisfy.

use std::sync::Arc;

use crate::experiment::clauses::mine::MineAnswer;
use crate::experiment::runs::split::SetExamples;
use gleaner_engine::coverage::CoverStore;
use gleaner_engine::mining::levels::{Ground, mine};
use gleaner_engine::mining::{Level, MiningConfig};
use gleaner_lang::program::clause::ObjectIdentity;
use gleaner_lang::program::settings::{DataSummary, LEARNER};
use gleaner_lang::syntax::codes;
use gleaner_learn::registry::learner_named;

use super::chosen_set::ChosenSet;
use super::failure::Failure;
use super::listener::Means;
use super::session::Session;

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
