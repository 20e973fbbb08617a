//! A cross-validation as text, as events and as tables.

use std::fmt::Write;

use serde_json::{Value as Json, json};

use crate::experiment::CrossValidation;
use crate::experiment::metrics::COMPARED;
use crate::experiment::run_record::FoldRecord;
use crate::experiment::run_result::RunResult;
use crate::experiment::side_by_side::{CvAnswer, CvResults, SideBySide, VariantName};
use gleaner_lang::program::Symbols;
use gleaner_learn::record::OwnRecord;

use super::answer::versioned;
use super::{Answer, chosen, comparison, model_text, stopped, text};

impl Answer for CvAnswer {
    /// What stands below the variants; nothing of a single one.
    fn text(&self) -> String {
        match &self.results {
            CvResults::One(_) => String::new(),
            CvResults::Several(several) => side_by_side(several),
        }
    }
}

/// The variants side by side, the one that tune chooses, and pair by pair in the area.
fn side_by_side(several: &SideBySide) -> String {
    let SideBySide { variants, comparison: compared, chosen_on_tune, clauses_until_reached } = several;
    let mut text = String::from("\n== all, on the same folds\n");
    for (position, variant) in variants.iter().enumerate() {
        let _ = writeln!(text, "{:>3} {}", position + 1, variant.names.name);
    }
    let area = &compared.0[0];
    let mut means = comparison::mean_table(&compared.0);
    means.extend(chosen_on_tune.iter().map(|chosen| chosen::rows(chosen, &COMPARED)));
    let mut pairs = comparison::pair_table(area);
    if variants.len() > 3 {
        let _ = write!(pairs, "\n{}", comparison::win_matrix(area));
    }
    pairs.push_str(comparison::pair_notes());
    for part in [means, pairs, comparison::reached_table(clauses_until_reached)] {
        if !part.is_empty() {
            let _ = write!(text, "\n{part}");
        }
    }
    text
}

/// One variant's folds, search and learning curve; the name is empty where there is only one variant.
#[must_use]
pub fn variant_text(variant: &VariantName, validation: &CrossValidation) -> String {
    let mut text = format!("\n{}", text::fold_table(validation));
    let n_unsearched = validation.runs.iter().filter(|run| !run.was_searched).count();
    if n_unsearched > 0 {
        let _ = writeln!(
            text,
            "{n_unsearched} of {} folds were not searched before the stop: the means leave them out",
            validation.runs.len()
        );
    }
    // What was not searched chose nothing.
    let searched = validation.runs.iter().filter(|run| run.was_searched);
    let told: Vec<&dyn OwnRecord> = searched.map(|run| &*run.search.own).collect();
    text.push_str(&told.split_first().map_or_else(String::new, |(first, rest)| first.lines_of_runs(rest)));
    // Beside other variants what one cost is of interest, even where it is all there is to say.
    let n_least = if variant.name.is_empty() { 2 } else { 1 };
    if validation.learning_curve.len() >= n_least {
        let _ = write!(text, "\n{}", text::learning_curve(validation));
    }
    text
}

/// The position of the run whose rules are printed: the first that was searched and found some.
#[must_use]
pub fn told_run(validation: &CrossValidation) -> Option<usize> {
    validation.runs.iter().position(|run| run.was_searched && !run.model.is_empty())
}

/// A few rules of the first model, as an example of what was found; nothing where it is not made of rules.
#[must_use]
pub fn rules_text(validation: &CrossValidation, symbols: &Symbols) -> String {
    let Some(run) = told_run(validation).map(|at| &validation.runs[at]) else { return String::new() };
    let rules = model_text::rules(&*run.model, symbols, &run.reading);
    if rules.is_empty() {
        return String::new();
    }
    let mut text = format!("\nrules of the model that {} tests (train TP, FP):\n", run.name());
    rules.iter().for_each(|rule| text.extend([rule.as_str(), "\n"]));
    text
}

/// What was stopped, and which repetitions were left out, in lines; nothing where all was done.
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
