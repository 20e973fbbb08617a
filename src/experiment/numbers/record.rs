//! The record of runs of numbers.

use crate::experiment::metrics::of_run::NamedMetrics;
use crate::experiment::metrics::summary::MetricSummaries;
use crate::experiment::numbers::result::NumberRun;
use crate::experiment::numbers::run::NumberWay;
use crate::experiment::numbers::validation::NumberCrossValidation;
use crate::experiment::records::run_record::{FoldRecord, NumbersRecord, Recorded, TakenLearner};

impl NumberRun {
    /// The record of the run, with these metrics.
    pub fn recorded(&self, metrics: &[&str]) -> FoldRecord {
        let [train, tune, test] = self.sizes;
        FoldRecord {
            fold: self.split.name.clone(),
            repeat: self.repeat,
            train,
            tune,
            test,
            n_clauses: self.model.n_distinct_clauses(),
            metrics: NamedMetrics::of(self, metrics),
            stop: self.stop,
            taken: Some(TakenLearner {
                learner: self.settings.learner(),
                rounds: self.scale.rounds,
                tried: self.tried.clone(),
            }),
            search: Some(self.search.clone()),
            ..FoldRecord::default()
        }
    }
}

impl Recorded for NumberRun {
    fn folds(&self) -> Vec<FoldRecord> {
        vec![self.recorded(&NumberWay::of(&self.settings).recorded())]
    }

    fn numbers(&self) -> Option<NumbersRecord> {
        let pooled = Some(self.figures.clone()).filter(|figures| figures.model.n > 0);
        Some(NumbersRecord { way: NumberWay::of(&self.settings), pooled })
    }
}

impl Recorded for NumberCrossValidation {
    fn folds(&self) -> Vec<FoldRecord> {
        self.runs.iter().map(|run| run.recorded(&self.way.recorded())).collect()
    }

    fn summaries(&self) -> [MetricSummaries; 2] {
        [self.summaries.clone(), MetricSummaries::default()]
    }

    fn repeats_left_out(&self) -> usize {
        self.n_repeats_left_out
    }

    fn numbers(&self) -> Option<NumbersRecord> {
        Some(NumbersRecord { way: self.way, pooled: Some(self.pooled.clone()) })
    }
}
