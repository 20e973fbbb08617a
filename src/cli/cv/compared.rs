//! What `cv` says of several variants over the same runs.

use std::path::Path;

use serde_json::{Value as Json, json};

use crate::experiment::comparison::of_repetitions;
use crate::experiment::{
    Chosen, CrossValidation, MeanPoint, Reached, RunResult, choose, clauses_until_reached, compare_variants,
};
use crate::report::comparison::{self, ComparedMetric};
use crate::report::{chosen, run_record};
use crate::store::write_whole;

use super::super::failure::Failure;
use super::super::session::Session;
use super::super::variants::Variant;

/// The tables beside the variants' folders.
pub(super) const FILES: [&str; 2] = [COMPARISON, CHOSEN];
const COMPARISON: &str = "comparison.csv";
const CHOSEN: &str = "chosen.csv";

/// The metrics that are compared, as `compare` does; the first, the area, pair by pair in the text.
const METRICS: [&str; 6] = ["auc_pr", "auc_pr_score", "auc_roc", "average_precision", "best_f1", "f1"];

/// What the last event has for each of several variants.
const OF_VARIANT: [&str; 3] = ["metrics", "tune_metrics", "learning_curve"];

/// Variants side by side.
#[derive(Debug)]
pub(super) struct Compared<'a> {
    variants: &'a [Variant],
    validations: &'a [CrossValidation],
    metrics: Vec<ComparedMetric>,
    chosen: Option<Chosen>,
    reached: Vec<Reached>,
}

impl<'a> Compared<'a> {
    /// Compares the results of variants.
    pub(super) fn of(variants: &'a [Variant], validations: &'a [CrossValidation]) -> Self {
        let curves: Vec<Vec<MeanPoint>> = validations
            .iter()
            .map(|validation| validation.learning_curve.iter().map(|point| point.mean_point()).collect())
            .collect();
        let reached = clauses_until_reached(&curves.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let metrics = METRICS.iter().map(|name| compared_metric(name, variants, validations)).collect();
        Self { variants, validations, metrics, chosen: choose(validations), reached }
    }

    /// Writes the tables of the comparison.
    pub(super) fn write(&self, folder: &Path) -> Result<(), Failure> {
        let write = |name: &str, table: &str| {
            let path = folder.join(name);
            write_whole(&path, table.as_bytes()).map_err(|error| Failure::write(&path, &error))
        };
        write(COMPARISON, &comparison::csv(&self.metrics))?;
        let Some(chosen) = &self.chosen else { return Ok(()) };
        let names: Vec<&str> = self.variants.iter().map(|variant| variant.short_name.as_str()).collect();
        write(CHOSEN, &chosen::csv(chosen, &names, self.validations))
    }

    /// The variants side by side, the one that tune chooses, and pair by pair in the area.
    pub(super) fn text(&self) -> String {
        let mut text = String::from("\n== all, on the same folds\n");
        for (position, variant) in self.variants.iter().enumerate() {
            text.push_str(&format!("{:>3} {}\n", position + 1, variant.name));
        }
        let area = &self.metrics[0];
        let mut means = comparison::mean_table(&self.metrics);
        means.extend(self.chosen.iter().map(|chosen| chosen::rows(chosen, &METRICS)));
        let mut pairs = comparison::pair_table(area);
        if self.variants.len() > 3 {
            pairs.push_str(&format!("\n{}", comparison::win_matrix(area)));
        }
        pairs.push_str(comparison::pair_notes());
        for part in [means, pairs, comparison::reached_table(&self.reached)] {
            if !part.is_empty() {
                text.push_str(&format!("\n{part}"));
            }
        }
        text
    }

    /// The last event: of several variants each one's results under its name.
    pub(super) fn done_event(&self, session: &Session) -> Json {
        let of = |validation: &CrossValidation| run_record::done_event(&session.problem, validation);
        let mut done = of(&self.validations[0]);
        if self.variants.len() < 2 {
            return done;
        }
        let mut results = Vec::with_capacity(self.variants.len());
        for (variant, validation) in self.variants.iter().zip(self.validations) {
            let mut result = of(validation);
            let mut own = json!({ "name": variant.name, "short_name": variant.short_name });
            OF_VARIANT.iter().for_each(|part| own[part] = result[part].take());
            results.push(own);
        }
        if let Some(done) = done.as_object_mut() {
            done.retain(|part, _| !OF_VARIANT.contains(&part.as_str()));
        }
        done["variants"] = Json::Array(results);
        done["comparison"] = comparison::metrics_json(&self.metrics);
        done["chosen_on_tune"] = self.chosen.as_ref().map_or(Json::Null, chosen::json);
        done["clauses_until_reached"] = json!(self.reached);
        done
    }
}

/// A metric of the variants fold by fold; repetitions of a fold share its examples and are one value, their
/// mean.
fn compared_metric(name: &str, variants: &[Variant], validations: &[CrossValidation]) -> ComparedMetric {
    let value = |run: &RunResult| {
        run.metrics.named().iter().find(|(known, _)| *known == name).and_then(|(_, value)| *value)
    };
    let of_fold = |validation: &CrossValidation, fold: usize| {
        let repeats = validation.runs.iter().skip(fold).step_by(validation.n_folds());
        of_repetitions(&repeats.map(value).collect::<Vec<_>>())
    };
    let values: Vec<(String, Vec<Option<f64>>)> = variants
        .iter()
        .zip(validations)
        .map(|(variant, validation)| {
            let values = (0..validation.n_folds()).map(|fold| of_fold(validation, fold)).collect();
            (variant.short_name.clone(), values)
        })
        .collect();
    ComparedMetric { name: name.to_owned(), comparison: compare_variants(&values) }
}
