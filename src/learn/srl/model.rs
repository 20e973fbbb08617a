//! The model: clauses with weights, whose sum ranks examples.

use crate::base::{Budget, Counts, Totals};
use crate::coverage::component::Interrupted;
use crate::learn::Covers;
use crate::learn::calibration::{HeldOut, HeldOutScore};
use crate::learn::gleaner::GatheredPart;
use crate::learn::learner::Fitting;
use crate::learn::ranked::threshold_of;
use crate::ml::linear::LinearModel;
use crate::program::Clause;

use super::clauses::{FeatureClause, feature_clauses};
use super::columns::Columns;
use super::config::SrlConfig;
use super::fitting::{Fitted, fit};
use super::search::SrlFound;
use super::table::FeatureTable;

/// A clause with its weight.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightedClause {
    /// The clause.
    pub clause: Clause,
    /// What it covers on train.
    pub train: Counts,
    /// What it adds to the score of an example that it covers; below 0 it speaks against it.
    pub weight: f64,
}

/// A sum of clauses' weights.
#[derive(Clone, Debug, PartialEq)]
pub struct SrlModel {
    /// The clauses, in canonical order; none weighs 0.
    pub clauses: Vec<WeightedClause>,
    /// The score of an example that none covers.
    pub intercept: f64,
    /// `C`.
    pub cost: f64,
    /// The least score that is called positive, with the counts of the examples that chose it: train and tune, or tune.
    pub threshold: Option<(f64, Counts)>,
    /// How many examples these are.
    pub chosen_on: Totals,
}

/// What is learnt of a part of what was found.
#[derive(Clone, Debug)]
pub struct SrlLearnt {
    /// The model of train and tune.
    pub model: SrlModel,
    /// That of train, with the same `C`.
    pub before_tune: SrlModel,
    /// What chose `C`.
    pub held_out: HeldOut,
}

/// What is learnt of a part of what was found.
///
/// # Errors
///
/// [`Interrupted`] when the budget ran out first.
pub fn learn_from(
    found: &SrlFound,
    part: GatheredPart,
    config: &SrlConfig,
    fitting: &Fitting<'_>,
) -> Result<SrlLearnt, Interrupted> {
    let clauses = feature_clauses(found, part, config.gathering.n_bins);
    let texts: Vec<&Clause> = clauses.iter().map(|feature| &feature.clause).collect();
    let table = FeatureTable::of(&texts, fitting)?;
    let columns = Columns::of(&table, &clauses, config.feature_kind, config.kernel);
    let fitted = fit(&table, &columns, config, fitting.stream, fitting.budget)?;
    let (threshold, chosen_on) = threshold(&table, &fitted, config);
    let model = |linear: &LinearModel| SrlModel {
        clauses: weighted_clauses(&clauses, &columns, linear),
        intercept: linear.intercept,
        cost: fitted.cost,
        threshold,
        chosen_on,
    };
    let held_out = |&(example, score): &(usize, f64)| {
        let of = table.examples[example];
        HeldOutScore { score, is_positive: of.is_positive, weight: table.weight_of(of) }
    };
    Ok(SrlLearnt {
        model: model(&fitted.linear),
        before_tune: model(&fitted.of_train),
        held_out: HeldOut { examples: fitted.held_out.iter().map(held_out).collect() },
    })
}

/// The clauses that weigh something.
fn weighted_clauses(
    clauses: &[FeatureClause],
    columns: &Columns,
    linear: &LinearModel,
) -> Vec<WeightedClause> {
    let weight =
        |part: &Option<(usize, f64)>| part.map_or(0.0, |(column, value)| linear.weights[column] * value);
    let weighted = clauses.iter().zip(&columns.parts).map(|(feature, part)| (feature, weight(part)));
    let mut weighted: Vec<WeightedClause> = weighted
        .filter(|&(_, weight)| weight != 0.0)
        .map(|(feature, weight)| WeightedClause {
            clause: feature.clause.clone(),
            train: feature.train,
            weight,
        })
        .collect();
    weighted.sort_by(|left, right| left.clause.cmp(&right.clause));
    weighted
}

/// The least score that is called positive, chosen on held-out scores.
fn threshold(table: &FeatureTable, fitted: &Fitted, config: &SrlConfig) -> (Option<(f64, Counts)>, Totals) {
    let pooling = table.pooling();
    let counts = |example: usize| table.counts_of(table.examples[example], pooling);
    let ranked: Vec<(f64, Counts)> =
        fitted.held_out.iter().map(|&(example, score)| (score, counts(example))).collect();
    let all = ranked.iter().fold(Counts::NONE, |sum, (_, counts)| sum.plus(*counts));
    let totals = Totals {
        n_positives: all.true_positives,
        n_negatives: all.false_positives,
        negative_weight: pooling.negative_weight,
    };
    (threshold_of(ranked, totals, config.operating_point), totals)
}

impl SrlModel {
    /// The score of each position.
    pub(super) fn scores(&self, covers: &Covers<'_>, budget: &Budget) -> Result<Vec<f64>, Interrupted> {
        let clauses: Vec<&Clause> = self.clauses.iter().map(|weighted| &weighted.clause).collect();
        let mut scores = vec![self.intercept; covers.universe().len()];
        covers.visit(&clauses, budget, |first, block| {
            for (cover, weighted) in block.iter().zip(&self.clauses[first..]) {
                cover.iter().for_each(|position| scores[position] += weighted.weight);
            }
        })?;
        Ok(scores)
    }
}
