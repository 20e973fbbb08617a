//! The record of runs over the links of a graph.

use gleaner_data::Division;
use gleaner_data::graph::FORMAT;
use gleaner_lang::program::examples::GraphData;

use crate::experiment::links::run::LinkRun;
use crate::experiment::links::validation::LinkCrossValidation;
use crate::experiment::metrics::metric_list::of_links;
use crate::experiment::metrics::of_run::NamedMetrics;
use crate::experiment::metrics::summary::MetricSummaries;
use crate::experiment::records::run_record::{FoldRecord, LinksRecord, Recorded, Subject};

/// The learner of links, as records name it: there is one.
pub const LINK_LEARNER: &str = "links";

/// The target of a graph, as records name it.
pub const ALL_LINKS: &str = "all";

impl Subject {
    /// The links of a graph.
    pub fn of_links(graph: &GraphData) -> Self {
        Self {
            target: ALL_LINKS.to_owned(),
            format: FORMAT,
            division: match (graph.tune.is_empty(), graph.test.is_empty()) {
                (_, true) => Division::None,
                (true, false) => Division::TrainTest,
                (false, false) => Division::TrainTuneTest,
            },
            positives: graph.train.len() + graph.tune.len() + graph.test.len(),
            negatives: graph.tune_false.len() + graph.test_false.len(),
            negative_weight: None,
        }
    }
}

impl Recorded for LinkRun {
    fn folds(&self) -> Vec<FoldRecord> {
        let [train, tune, test] = self.sizes;
        let names: Vec<&str> = of_links().map(|metric| metric.name).collect();
        let model = self.model.as_deref();
        vec![FoldRecord {
            fold: self.fold.clone(),
            repeat: self.repeat,
            train,
            tune,
            test,
            n_clauses: model.map_or(0, |model| model.closed.len()),
            metrics: NamedMetrics::of(self, &names),
            stop: self.stop,
            links: Some(LinksRecord {
                relations: self.n_relations,
                chosen_on: model.map(|model| model.chosen_on),
                ranks: self.ranks.clone(),
            }),
            ..FoldRecord::default()
        }]
    }
}

impl Recorded for LinkCrossValidation {
    fn folds(&self) -> Vec<FoldRecord> {
        self.runs.iter().flat_map(LinkRun::folds).collect()
    }

    fn summaries(&self) -> [MetricSummaries; 2] {
        [self.summaries.clone(), MetricSummaries::default()]
    }

    fn repeats_left_out(&self) -> usize {
        self.n_repeats_left_out
    }
}
