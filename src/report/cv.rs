//! A cross-validation as documents and as events.

use serde_json::{Value as Json, json};

use crate::experiment::CrossValidation;
use crate::experiment::metric_list;
use crate::experiment::run_record::FoldRecord;
use crate::experiment::run_result::RunResult;
use crate::experiment::side_by_side::{CvAnswer, CvResults, SideBySide, VariantName};
use gleaner_lang::program::Symbols;
use gleaner_learn::record::OwnRecord;

use super::answer::versioned;
use super::{Answer, Document, Events, chosen, comparison, model_text, stopped, text};

impl Events for CvAnswer {}

impl Answer for CvAnswer {
    /// The part below the variants; empty for a single one.
    fn document(&self) -> Document {
        match &self.results {
            CvResults::One(_) => Document::new(),
            CvResults::Several(several) => side_by_side(several),
        }
    }
}

/// The variants side by side, the one that tune chooses, and pair by pair in the area.
fn side_by_side(several: &SideBySide) -> Document {
    let SideBySide { variants, comparison: compared, chosen_on_tune, clauses_until_reached } = several;
    let mut document = Document::new();
    document.gap();
    document.heading("all, on the same folds");
    document.table(comparison::numbered_names(variants.iter().map(|variant| variant.names.name.as_str())));
    let area = &compared.0[0];
    let mut means = comparison::mean_tables(&compared.0);
    if let (Some(table), Some(chosen)) = (means.last_mut(), chosen_on_tune) {
        chosen::add_rows(table, chosen, &metric_list::compared());
    }
    document.gap();
    means.into_iter().for_each(|table| document.table(table));
    if let Some(chosen) = chosen_on_tune {
        document.extend(chosen::notes(chosen));
    }
    document.extend_apart(comparison::pair_table(area));
    document.extend_apart(comparison::win_matrix(area));
    document.extend(comparison::pair_notes());
    document.extend_apart(comparison::reached_table(clauses_until_reached));
    document
}

/// One variant's folds, search and learning curve; the name is empty where there is only one variant.
#[must_use]
pub fn variant_document(variant: &VariantName, validation: &CrossValidation) -> Document {
    let mut document = Document::new();
    document.gap();
    document.extend(text::fold_table(validation));
    let n_unsearched = validation.runs.iter().filter(|run| !run.was_searched).count();
    if n_unsearched > 0 {
        document.line(format!(
            "{n_unsearched} of {} folds were not searched before the stop: the means leave them out",
            validation.runs.len()
        ));
    }
    // A run that was not searched chose nothing.
    let searched = validation.runs.iter().filter(|run| run.was_searched);
    let told: Vec<&dyn OwnRecord> = searched.map(|run| &*run.search.own).collect();
    document.lines(&told.split_first().map_or_else(String::new, |(first, rest)| first.lines_of_runs(rest)));
    // Beside other variants, the cost of one is of interest, even if there is nothing else to report.
    let n_least = if variant.name.is_empty() { 2 } else { 1 };
    if validation.learning_curve.len() >= n_least {
        document.extend_apart(text::learning_curve(validation));
    }
    document
}

/// The position of the run whose rules are printed: the first that was searched and found some.
#[must_use]
pub fn told_run(validation: &CrossValidation) -> Option<usize> {
    validation.runs.iter().position(|run| run.was_searched && !run.model.is_empty())
}

/// A few rules of the first model, as an example of the findings; empty if the model is not made of rules.
#[must_use]
pub fn rules_document(validation: &CrossValidation, symbols: &Symbols) -> Document {
    let mut document = Document::new();
    let Some(run) = told_run(validation).map(|at| &validation.runs[at]) else { return document };
    let rules = model_text::rules(&*run.model, symbols, &run.reading);
    if !rules.rows.is_empty() {
        document.gap();
        document.line(format!("rules of the model that {} tests (train TP, FP):", run.name()));
        document.table(rules);
    }
    document
}

/// The searches that were stopped and the repetitions left out, in lines; empty if all was done.
#[must_use]
pub fn stop_lines(answer: &CvAnswer) -> String {
    stopped::lines(&answer.stopped) + &stopped::repeats_left_out_line(answer.repeats_left_out)
}

/// The event of one finished run.
#[must_use]
pub fn run_event(variant: &VariantName, run: &RunResult) -> Json {
    let mut event = versioned("run", &FoldRecord::of(run));
    if !variant.name.is_empty() {
        event["variant"] = json!(variant.name);
    }
    event
}
