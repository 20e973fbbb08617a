//! Networks over clauses as a learner of the registry.

use std::fmt::Write;
use std::sync::Arc;

use crate::explanation::Noun;
use crate::learner::{CurvePoint, Fitting, Learner, LearnerName, Learnt, WHOLE};
use crate::network::NetworkModel;
use crate::record::{Own, OwnRecord, SearchRecord};
use crate::{RunContext, SetStores, Task};
use gleaner_engine::coverage::component::Interrupted;

use super::config::{KFOIL_DEFAULTS, NFOIL_DEFAULTS, NetworkFit, SAYU_DEFAULTS, SayuConfig};
use super::grow::{GrownNetwork, grow};
use super::model::learn_from;

/// SAYU, nFOIL and kFOIL: one loop with other defaults.
#[derive(Clone, Copy, Debug)]
pub struct Sayu;

const NFOIL: &str = "nfoil";
const KFOIL: &str = "kfoil";

impl Learner for Sayu {
    type Config = SayuConfig;
    type Found = GrownNetwork;
    /// The number of first clauses.
    type Part = usize;
    type Own = GrownRecord;
    type Saved = NetworkModel<String>;

    const NAMES: &'static [LearnerName] = &[
        LearnerName { name: "sayu", help: "a Bayesian network over clauses, each raising its area on tune" },
        LearnerName { name: NFOIL, help: "naive Bayes over clauses, each the likeliest beside those before" },
        LearnerName { name: KFOIL, help: "a support vector machine over clauses, grown as nfoil's network" },
    ];

    const MAY_SPEAK_AGAINST: bool = true;

    fn own_defaults_of(name: &str) -> &'static [(&'static str, &'static str)] {
        match name {
            NFOIL => NFOIL_DEFAULTS,
            KFOIL => KFOIL_DEFAULTS,
            _ => SAYU_DEFAULTS,
        }
    }

    fn same_search(left: &SayuConfig, right: &SayuConfig) -> bool {
        left.same_search(right)
    }

    fn search(
        task: &Task<'_>,
        config: &SayuConfig,
        context: &RunContext<'_>,
        stores: SetStores<'_, '_>,
    ) -> GrownNetwork {
        grow(task, config, context, stores)
    }

    fn record(found: &GrownNetwork) -> SearchRecord {
        SearchRecord {
            searches: found.searches.clone(),
            n_told: found.searches.len(),
            stop: found.stop,
            density: None,
            own: Own::new(GrownRecord { network: NetworkRecord::of(found) }),
        }
    }

    /// The first clauses, in each number asked for, and all clauses.
    fn points(config: &SayuConfig, found: &GrownNetwork) -> Vec<CurvePoint<usize>> {
        let n_clauses = found.features.len();
        let sizes = config.curve_clauses.iter().copied().filter(|size| (1..n_clauses).contains(size));
        let mut points: Vec<CurvePoint<usize>> = sizes
            .map(|size| CurvePoint {
                name: format!("{size} clauses"),
                n_evaluated: found.features[size - 1].n_evaluated,
                part: size,
            })
            .collect();
        // The whole, with the seeds that gave no clause.
        points.push(CurvePoint { name: WHOLE.to_owned(), n_evaluated: found.n_evaluated, part: n_clauses });
        points
    }

    fn fit(
        config: &SayuConfig,
        found: &GrownNetwork,
        part: &usize,
        fitting: &Fitting<'_>,
    ) -> Result<Learnt, Interrupted> {
        let learnt = learn_from(found, *part, config, fitting)?;
        let mut model = learnt.model;
        let clauses = model.clauses.iter_mut().map(|counted| &mut counted.clause);
        fitting.reduce(config.reduce_clauses, clauses)?;
        let before_tune = match config.fit {
            NetworkFit::Train => None,
            NetworkFit::TrainAndTune => Some(Arc::new(learnt.of_train) as _),
        };
        Ok(Learnt { before_tune, ..Learnt::new(model) })
    }
}

/// The record that only this learner has of its search.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct GrownRecord {
    /// The network.
    pub network: NetworkRecord,
}

/// A network as it grew.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct NetworkRecord {
    /// Seed examples searched from.
    pub seeds: usize,
    /// The network's score without clauses.
    pub empty_score: f64,
    /// The network's score with each clause that was kept.
    pub scores: Vec<f64>,
}

impl NetworkRecord {
    fn of(found: &GrownNetwork) -> Self {
        Self {
            seeds: found.searches.len(),
            empty_score: found.empty_value,
            scores: found.features.iter().map(|feature| feature.value).collect(),
        }
    }
}

impl OwnRecord for GrownRecord {
    /// Says how many clauses were kept, and what the network scored before and after.
    fn lines(&self) -> String {
        let NetworkRecord { seeds, empty_score, scores } = &self.network;
        let mut line = format!("{} of {seeds} seeds gave a clause", scores.len());
        if let Some(last) = scores.last() {
            let _ = write!(line, "; the network's score rose from {empty_score:.4} to {last:.4}");
        }
        line + "\n"
    }

    fn lines_of_runs(&self, further: &[&dyn OwnRecord]) -> String {
        let further = further.iter().filter_map(|record| record.downcast::<Self>());
        let runs: Vec<&NetworkRecord> =
            std::iter::once(self).chain(further).map(|record| &record.network).collect();
        let mut sizes: Vec<usize> = runs.iter().map(|run| run.scores.len()).collect();
        sizes.sort_unstable();
        let n_seeds: usize = runs.iter().map(|run| run.seeds).sum();
        let [least, median, most] = [0, sizes.len() / 2, sizes.len() - 1].map(|at| sizes[at]);
        let seeds = Noun::SEEDS.counted(n_seeds);
        format!("{seeds} gave networks of {least} to {most} clauses (median {median})\n")
    }
}
