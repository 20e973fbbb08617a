//! The weights of columns, with `C` chosen on examples that the classifier did not learn from.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;

use rand_pcg::Pcg64;
use rayon::prelude::{IntoParallelIterator, ParallelIterator};

use crate::base::random::{Purpose, stream};
use crate::base::{Budget, FoldId};
use crate::coverage::component::Interrupted;
use crate::eval::{Ranking, average_precision, stratified_folds};
use crate::learn::StreamPath;
use crate::ml::linear::{Design, LinearModel, Loss, Penalty, Problem, fit_hinge, fit_primal};

use super::columns::Columns;
use super::config::{ClassWeights, Classifier, CostSet, SrlConfig};
use super::table::FeatureTable;

/// The values of `C` that are tried: nine, as in [GLEANERSRL §3].
///
/// DIVERGENCE: from 0.001 to 10, two in each decade, where the paper has one in each from 0.0001 to 10,000. On UW-CSE, over five
/// seeds and five ways to multiply columns, the best for given folds was from 0.01 to 0.1 each of 125 times.
pub const COSTS: [f64; 9] = [1e-3, 3.2e-3, 1e-2, 3.2e-2, 1e-1, 3.2e-1, 1.0, 3.2, 1e1];

/// Folds of train and tune that `C` is chosen by where tune is small.
const N_INNER_FOLDS: NonZeroU32 = NonZeroU32::new(5).expect("above 0");

/// Fewer given folds leave too little to learn from.
const FEWEST_GIVEN_FOLDS: usize = 3;

/// Tune chooses alone from so many positives on.
const ENOUGH_TUNE_POSITIVES: usize = 50;

/// How far from optimal a classifier may be, and most passes over its columns: scores of further passes rank alike.
const TOLERANCE: f64 = 1e-3;
const MOST_PASSES: usize = 300;

/// A classifier with what chose it.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The intercept and the weight of each column, learnt from train and tune.
    pub linear: LinearModel,
    /// The same with this `C`, learnt from train alone.
    pub of_train: LinearModel,
    /// `C`.
    pub cost: f64,
    /// Examples by their number in the table, with their score by a classifier that did not learn from them.
    pub held_out: Vec<(usize, f64)>,
}

/// The classifier of the best `C`, learnt from train and tune.
///
/// # Errors
///
/// [`Interrupted`] when the budget ran out first.
pub fn fit(
    table: &FeatureTable,
    columns: &Columns,
    config: &SrlConfig,
    path: StreamPath,
    budget: &Budget,
) -> Result<Fitted, Interrupted> {
    let parts = held_out_parts(table, config.cost_set, path);
    let fitting = Fitting { table, columns, config, path, budget };
    let scored: Vec<Vec<Vec<f64>>> = (0..parts.len())
        .into_par_iter()
        .map(|part| fitting.scores_without(&parts[part], 1 + part as u64))
        .collect::<Result<_, Interrupted>>()?;
    let quality = |cost: usize| -> f64 {
        parts.iter().zip(&scored).map(|(part, scores)| fitting.quality(part, &scores[cost])).sum()
    };
    let qualities: Vec<f64> = (0..COSTS.len()).map(quality).collect();
    let best = smoothest_best(&qualities);
    let fit = |stream_idx: u64, is_learnt_from: &dyn Fn(usize) -> bool| {
        let design = fitting.design(is_learnt_from);
        let last = fitting.fits(&design, &COSTS[..=best], stream_idx)?.pop();
        Ok(last.map_or_else(|| LinearModel::zero(design.n_columns()), |linear| unscaled(linear, &design)))
    };
    let linear = fit(0, &|_| true)?;
    let of_train = fit(u64::MAX, &|example| !table.examples[example].is_tune)?;
    let held_out = parts
        .iter()
        .zip(&scored)
        .flat_map(|(part, scores)| part.iter().map(|&example| (example, scores[best][fitting.row(example)])));
    let mut held_out: Vec<(usize, f64)> = held_out.collect();
    held_out.sort_by_key(|&(example, _)| example);
    Ok(Fitted { linear, of_train, cost: COSTS[best], held_out })
}

/// The position of the best quality, each averaged with its neighbours: few positives make single ones jump. Of equals
/// the first.
fn smoothest_best(qualities: &[f64]) -> usize {
    let last = qualities.len() - 1;
    let smooth =
        |at: usize| qualities[at.saturating_sub(1)] + 2.0 * qualities[at] + qualities[last.min(at + 1)];
    let best = (0..=last).rev().max_by(|&one, &other| smooth(one).total_cmp(&smooth(other)));
    best.unwrap_or(0)
}

/// The examples that are held out together: those of tune, or each fold of train and tune.
fn held_out_parts(table: &FeatureTable, cost_set: CostSet, path: StreamPath) -> Vec<Vec<usize>> {
    let is_tune_enough = table.totals[1].n_positives >= ENOUGH_TUNE_POSITIVES;
    let by_folds = match cost_set {
        CostSet::Tune => false,
        CostSet::TuneOrFolds => !is_tune_enough,
        CostSet::InnerFolds => true,
    };
    if !by_folds {
        return vec![(0..table.examples.len()).filter(|&example| table.examples[example].is_tune).collect()];
    }
    parts_of(&given_folds(table).unwrap_or_else(|| made_folds(table, path)))
}

/// The fold of each example as the data have it, where train and tune are of several folds. Test is of another fold still,
/// with other people, pages or sentences: what is learnt of one's own kind ranks one's own better than others.
fn given_folds(table: &FeatureTable) -> Option<Vec<u32>> {
    let folds: Option<Vec<u32>> =
        table.examples.iter().map(|example| example.fold.map(FoldId::raw)).collect();
    let distinct: BTreeSet<u32> = folds.iter().flatten().copied().collect();
    folds.filter(|_| distinct.len() >= FEWEST_GIVEN_FOLDS)
}

/// A fold for each example, each class dealt by itself.
fn made_folds(table: &FeatureTable, path: StreamPath) -> Vec<u32> {
    let labels: Vec<bool> = table.examples.iter().map(|example| example.is_positive).collect();
    let mut rng = stream(path.rng_seed, Purpose::Weights, &[path.run_idx, 1]);
    stratified_folds(&labels, N_INNER_FOLDS, &mut rng)
}

/// The examples of each fold.
fn parts_of(folds: &[u32]) -> Vec<Vec<usize>> {
    let mut parts: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (example, &fold) in folds.iter().enumerate() {
        parts.entry(fold).or_default().push(example);
    }
    parts.into_values().collect()
}

/// What all classifiers of a table share.
struct Fitting<'a> {
    table: &'a FeatureTable,
    columns: &'a Columns,
    config: &'a SrlConfig,
    path: StreamPath,
    budget: &'a Budget,
}

impl Fitting<'_> {
    /// The design's row of an example.
    fn row(&self, example: usize) -> usize {
        let example = self.table.examples[example];
        self.columns.row_of[example.row][usize::from(example.is_positive)]
    }

    /// The design that some examples give weight to.
    fn design(&self, is_learnt_from: impl Fn(usize) -> bool) -> Design {
        let mut weights = vec![0.0; self.columns.design.n_rows()];
        for example in (0..self.table.examples.len()).filter(|&example| is_learnt_from(example)) {
            weights[self.row(example)] += self.table.weight_of(self.table.examples[example]);
        }
        let design = self.columns.design.reweighted(weights);
        let scales = self.columns.scales(&design);
        match self.config.class_weights {
            ClassWeights::None => design.scaled(scales),
            ClassWeights::Balanced => balanced(&design).scaled(scales),
        }
    }

    /// The scores of all rows, for each `C`, by classifiers that did not learn from some examples.
    fn scores_without(&self, left_out: &[usize], stream_idx: u64) -> Result<Vec<Vec<f64>>, Interrupted> {
        let mut is_left_out = vec![false; self.table.examples.len()];
        left_out.iter().for_each(|&example| is_left_out[example] = true);
        let design = self.design(|example| !is_left_out[example]);
        let fits = self.fits(&design, &COSTS, stream_idx)?;
        Ok(fits.iter().map(|fit| fit.scores(&design)).collect())
    }

    /// A classifier for each `C`, ascending; each begins where that before it ended.
    fn fits(&self, design: &Design, costs: &[f64], stream_idx: u64) -> Result<Vec<LinearModel>, Interrupted> {
        let mut rng = stream(self.path.rng_seed, Purpose::Weights, &[self.path.run_idx, 2, stream_idx]);
        let mut fits: Vec<LinearModel> = Vec::with_capacity(costs.len());
        for &cost in costs {
            self.budget.check().map_err(Interrupted)?;
            let start = fits.last().cloned().unwrap_or_else(|| LinearModel::zero(design.n_columns()));
            fits.push(fit_one(design, self.config.classifier, cost, start, &mut rng));
        }
        Ok(fits)
    }

    /// Average precision of the scores of some examples; 0 where a class is missing.
    fn quality(&self, examples: &[usize], scores: &[f64]) -> f64 {
        let scored = examples.iter().map(|&example| {
            let of = self.table.examples[example];
            (scores[self.row(example)], of.is_positive, self.table.weight_of(of))
        });
        Ranking::weighted(scored).ok().and_then(|ranking| average_precision(&ranking)).unwrap_or(0.0)
    }
}

/// The design with both classes as heavy as they are together.
fn balanced(design: &Design) -> Design {
    let of_class = |class: f64| -> f64 {
        let weights = design.weights().iter().zip(design.classes());
        weights.filter(|&(_, &of)| of * class > 0.0).map(|(weight, _)| weight).sum()
    };
    let [positives, negatives] = [of_class(1.0), of_class(-1.0)];
    let half = (positives + negatives) / 2.0;
    let factor = |class: f64| if class > 0.0 { half / positives } else { half / negatives };
    let weights = design.weights().iter().zip(design.classes());
    let weighed = |(&weight, &class): (&f64, &f64)| if weight > 0.0 { weight * factor(class) } else { 0.0 };
    design.reweighted(weights.map(weighed).collect())
}

fn fit_one(
    design: &Design,
    classifier: Classifier,
    cost: f64,
    start: LinearModel,
    rng: &mut Pcg64,
) -> LinearModel {
    let problem =
        |loss, penalty| Problem { loss, penalty, cost, tolerance: TOLERANCE, most_passes: MOST_PASSES };
    match classifier {
        Classifier::Svm => fit_primal(design, &problem(Loss::SquaredHinge, Penalty::L2), start, rng),
        Classifier::SparseSvm => fit_primal(design, &problem(Loss::SquaredHinge, Penalty::L1), start, rng),
        Classifier::Logistic => fit_primal(design, &problem(Loss::Logistic, Penalty::L2), start, rng),
        Classifier::SparseLogistic => fit_primal(design, &problem(Loss::Logistic, Penalty::L1), start, rng),
        Classifier::CSvm => fit_hinge(design, cost, TOLERANCE, MOST_PASSES, rng),
    }
}

/// The classifier whose weights are of columns as they are, not multiplied.
fn unscaled(mut linear: LinearModel, design: &Design) -> LinearModel {
    linear.weights.iter_mut().zip(design.scales()).for_each(|(weight, scale)| *weight *= scale);
    linear
}

#[cfg(test)]
mod tests {
    use super::{balanced, parts_of, smoothest_best};
    use crate::ml::linear::{Design, DesignRow};

    /// By hand: 0 + 2·5 + 0 = 10 of the highest, against 4 + 2·4 + 3 = 15 of one with good neighbours.
    #[test]
    fn neighbours_count() {
        assert_eq!(smoothest_best(&[0.0, 5.0, 0.0, 4.0, 4.0, 3.0]), 4);
        assert_eq!(smoothest_best(&[1.0, 1.0, 1.0]), 0, "of equals the first");
        assert_eq!(smoothest_best(&[0.0, 0.0, 1.0]), 2);
    }

    #[test]
    fn parts_are_the_examples_of_a_fold() {
        assert_eq!(parts_of(&[7, 2, 7, 5]), [vec![1], vec![3], vec![0, 2]]);
    }

    /// Weights 1 and 2 of positives, 9 of a negative: 6 of each class.
    #[test]
    fn balanced_classes_weigh_the_same() {
        let row = |weight, is_positive| DesignRow { weight, is_positive, values: Vec::new() };
        let design = Design::new(0, [row(1.0, true), row(2.0, true), row(9.0, false), row(0.0, true)]);
        let found = balanced(&design);
        let is_close = found.weights().iter().zip([2.0, 4.0, 6.0, 0.0]).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(is_close, "{:?}", found.weights());
    }
}
