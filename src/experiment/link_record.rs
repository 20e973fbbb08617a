//! The record of runs over the links of a graph.

use gleaner_data::Division;
use gleaner_data::graph::FORMAT;
use gleaner_lang::program::graph::GraphData;
use gleaner_lang::program::settings::Settings;

use super::link_run::LinkRun;
use super::metric_list::of_links;
use super::metrics::NamedMetrics;
use super::run_record::{FoldRecord, LinksRecord, RUN_VERSION, RunRecord, RunRequest};
use super::summary::MetricSummaries;

/// The learner of links, as records name it: there is one.
pub const LINK_LEARNER: &str = "links";

/// The target of a graph, as records name it.
pub const ALL_LINKS: &str = "all";

impl RunRecord {
    /// The record of runs over the links of a graph. A cross-validation has summaries, and perhaps repetitions that were not begun.
    pub fn of_links(
        request: RunRequest,
        settings: &Settings,
        graph: &GraphData,
        runs: &[LinkRun],
        (summaries, repeats_left_out): (MetricSummaries, usize),
    ) -> Self {
        let division = match (graph.tune.is_empty(), graph.test.is_empty()) {
            (_, true) => Division::None,
            (true, false) => Division::TrainTest,
            (false, false) => Division::TrainTuneTest,
        };
        Self {
            gleaner_run: RUN_VERSION,
            gleaner_version: env!("CARGO_PKG_VERSION").to_owned(),
            learner: LINK_LEARNER.to_owned(),
            request,
            settings: settings.recorded().map(|(name, value)| (name.to_owned(), value)).collect(),
            target: ALL_LINKS.to_owned(),
            format: Some(FORMAT),
            division,
            positives: graph.train.len() + graph.tune.len() + graph.test.len(),
            negatives: graph.tune_false.len() + graph.test_false.len(),
            negative_weight: None,
            repeats_left_out,
            numbers: None,
            runs: runs.iter().map(FoldRecord::of_links).collect(),
            summaries,
            tune_summaries: MetricSummaries::default(),
        }
    }
}

impl FoldRecord {
    fn of_links(run: &LinkRun) -> Self {
        let [train, tune, test] = run.sizes;
        let names: Vec<&str> = of_links().map(|metric| metric.name).collect();
        let model = run.model.as_deref();
        Self {
            fold: run.fold.clone(),
            repeat: run.repeat,
            train,
            tune,
            test,
            negative_weights: None,
            filtered_positives: 0,
            n_clauses: model.map_or(0, |model| model.closed.len()),
            metrics: NamedMetrics::of(run, &names),
            tune_metrics: NamedMetrics::default(),
            learning_curve: Vec::new(),
            stop: run.stop,
            taken: None,
            links: Some(LinksRecord {
                relations: run.n_relations,
                chosen_on: model.map(|model| model.chosen_on),
                ranks: run.ranks.clone(),
            }),
            search: None,
        }
    }
}
