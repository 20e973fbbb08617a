//! The parts of a run's page, in the order in which a reader asks.

use crate::experiment::metrics::threshold_table::ThresholdTable;
use crate::experiment::records::finished_run::FinishedRun;
use crate::experiment::records::record_kind;
use crate::report::metric;

use gleaner_lang::syntax::marks::Wording;

use super::views::{Part, shortened};
use super::{again, examples, model, results, search};

/// What the run is, in some sentences.
pub(super) fn lead(run: &FinishedRun) -> Vec<String> {
    let record = &run.record;
    let tested = match record.runs.len() {
        1 => "one division into train, tune and test".to_owned(),
        n => format!("{n} runs, each tested on a fold that it did not learn from"),
    };
    let examples = record_kind::of(record).examples_in_words(record, run.prevalence());
    let target = shortened(&record.target);
    let mut lines = vec![format!("{examples} of {target}, learned by {}; {tested}.", record.learner)];
    if let (Some(area), Some(prevalence)) = (run.mean_of("auc_pr"), run.prevalence()) {
        lines.push(format!(
            "The area under the precision-recall curve is {}, that of a random ranking {}. The F1 of the decisions is {}.",
            metric(Some(area)),
            metric(Some(prevalence)),
            metric(run.mean_of("f1"))
        ));
    }
    if record.is_stopped() {
        lines.push(
            "The run was stopped before its end: the figures are of what was found until then.".to_owned(),
        );
    }
    lines
}

/// The parts; those without any content are left out.
pub(super) fn of_run(run: &FinishedRun, say: Wording) -> Vec<Part> {
    let thresholds = ThresholdTable::of(run);
    let parts = [
        results::good(run),
        results::decide(run, &thresholds),
        model::clauses(run),
        results::probabilities(run),
        examples::examples(run),
        search::search(run),
        again::data(run),
        again::settings(run, say),
    ];
    parts.into_iter().filter(Part::is_filled).collect()
}
