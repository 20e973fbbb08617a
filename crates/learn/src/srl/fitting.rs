//! The weights of columns, with `C` chosen on examples that the classifier did not learn from.

use rand_pcg::Pcg64;
use rayon::prelude::{IntoParallelRefMutIterator, ParallelIterator};

use crate::deciding::Alignment;
use crate::{StreamPath, learner};
use gleaner_base::Budget;
use gleaner_base::random::{Purpose, stream};
use gleaner_engine::coverage::component::Interrupted;
use gleaner_stats::eval::{Ranking, average_precision};
use gleaner_stats::ml::linear::{Design, LinearModel};

use super::classifiers::{ColumnModel, FitState, Form};
use super::columns::{Columns, FeatureTable};
use super::{ClassWeights, Classifier, SrlConfig};

/// A classifier with the scores that chose it.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The classifier of columns that are not multiplied, learnt from train and tune.
    pub model: ColumnModel,
    /// `C`, if it has one.
    pub cost: Option<f64>,
    /// Examples by their number in the table, each with its score by a classifier that did not learn from it. The
    /// scores are on the scale of the last classifier.
    pub held_out: Vec<(usize, f64)>,
}

/// Examples that are held out together.
#[derive(Clone, Debug)]
pub struct HeldOutPart {
    /// Their numbers in the table.
    pub examples: Vec<usize>,
    /// The columns of the clauses that were searched for without these examples; `None` for the columns of all clauses.
    pub columns: Option<Columns>,
}

/// The classifier of the best `C`, learnt from train and tune.
///
/// # Errors
///
/// [`Interrupted`] when the budget ran out first.
pub fn fit(
    table: &FeatureTable,
    columns: &Columns,
    parts: &[HeldOutPart],
    config: &SrlConfig,
    of: &learner::Fitting<'_>,
) -> Result<Fitted, Interrupted> {
    let costs = costs_of(config.classifier, &config.costs);
    let fitting = Fitting { table, columns, config, path: of.stream, budget: of.budget };
    let path = |(part, stream_idx)| {
        of.budget.check().map_err(Interrupted)?;
        Ok(fitting.path_without(part, stream_idx))
    };
    let mut paths: Vec<CostPath<'_>> = parts.iter().zip(1..).map(path).collect::<Result<_, Interrupted>>()?;
    let held_out: Vec<Vec<f64>> = parts.iter().map(|part| fitting.weights_of(&part.examples)).collect();
    let mut qualities: Vec<f64> = Vec::new();
    for some in costs.chunks(if is_joint(config.classifier) { costs.len() } else { 1 }) {
        paths.par_iter_mut().try_for_each(|path| fitting.extend(path, some))?;
        for at in qualities.len()..qualities.len() + some.len() {
            let quality = |(weights, path): (&Vec<f64>, &CostPath<'_>)| {
                quality(weights, &columns.design, &path.fits[at].scores)
            };
            qualities.push(held_out.iter().zip(&paths).map(quality).sum());
        }
        if is_past_best(&qualities) {
            break;
        }
    }
    let best = smoothest_best(&qualities);
    let mut last = fitting.path_of(columns, 0, |_| true);
    last.start = mean_of_sums(&paths, best);
    let cost = costs[best] / size_beside(&last, &paths);
    fitting.extend(&mut last, &[cost])?;
    let model = last.unscaled(0);
    let held_out = fitting.held_out(parts, &paths, best, &model);
    let cost = config.classifier.has_cost().then_some(cost);
    Ok(Fitted { model, cost, held_out })
}

/// The values of `C` that are tried, ascending and distinct; one for a classifier without `C`.
fn costs_of(classifier: Classifier, given: &[f64]) -> Vec<f64> {
    if !classifier.has_cost() {
        return vec![1.0];
    }
    let mut costs = given.to_vec();
    costs.sort_by(f64::total_cmp);
    costs.dedup();
    costs
}

/// How much larger the last rows are than those that `C` was chosen on, in squares: with more columns `C` counts for
/// more.
fn size_beside(last: &CostPath<'_>, paths: &[CostPath<'_>]) -> f64 {
    let size = |path: &CostPath<'_>| {
        let design = &path.designs.1;
        let weights = design.weights();
        let of_column = |column: usize| -> f64 {
            design.column(column).map(|(row, value)| weights[row] * value * value).sum()
        };
        let weight: f64 = weights.iter().sum();
        if weight > 0.0 { (0..design.n_columns()).map(of_column).sum::<f64>() / weight } else { 0.0 }
    };
    let of_paths: f64 = paths.iter().map(size).sum::<f64>() / paths.len().max(1) as f64;
    let are_same = paths.iter().all(|path| std::ptr::eq(path.columns, last.columns));
    if are_same || of_paths <= 0.0 { 1.0 } else { size(last) / of_paths }
}

/// The search for `C` ends after so many values in a row whose quality is below the best.
///
/// DIVERGENCE: [GLEANERSRL §3] tries all nine. On 13 data sets with two seeds this spared 14 % of the fits, and 587 of 600 choices
/// stayed the same.
const MOST_BELOW_BEST: usize = 3;

/// Classifiers for ascending values of `C`, each fitted from the one before it.
struct CostPath<'a> {
    columns: &'a Columns,
    /// The rows without and with the weights of classes.
    designs: (Design, Design),
    rng: Pcg64,
    /// Where the first one begins.
    start: Option<LinearModel>,
    /// Where the last one ended.
    state: Option<FitState>,
    fits: Vec<Candidate>,
}

impl CostPath<'_> {
    /// The classifier of the value at a position, for columns without factors.
    fn unscaled(&self, at: usize) -> ColumnModel {
        self.fits[at].model.clone().unscaled(&self.designs.1)
    }
}

/// A classifier for one `C`.
struct Candidate {
    /// The model of columns as the design multiplies them.
    model: ColumnModel,
    /// The score of each row.
    scores: Vec<f64>,
}

/// The mean of the paths' weights at a position: near the end of the classifier of all examples. `None` where there are
/// none.
fn mean_of_sums(paths: &[CostPath<'_>], at: usize) -> Option<LinearModel> {
    let mut mean: Option<LinearModel> = None;
    let n_paths = paths.len() as f64;
    for path in paths {
        let ColumnModel::Sum(of_path) = &path.fits[at].model else { return None };
        let sum = mean.get_or_insert_with(|| LinearModel::zero(of_path.weights.len()));
        sum.weights.iter_mut().zip(&of_path.weights).for_each(|(sum, weight)| *sum += weight / n_paths);
        sum.intercept += of_path.intercept / n_paths;
    }
    mean
}

/// Whether a classifier is fitted for all values of `C` at once: the linear programs share the data of their rows.
fn is_joint(classifier: Classifier) -> bool {
    classifier == Classifier::LinearProgram
}

/// Whether the last qualities were all below the best before them.
fn is_past_best(qualities: &[f64]) -> bool {
    let Some(n_before) = qualities.len().checked_sub(MOST_BELOW_BEST) else { return false };
    let best = qualities[..n_before].iter().copied().fold(f64::NEG_INFINITY, f64::max);
    qualities[n_before..].iter().all(|&quality| quality < best)
}

/// The position of the best quality, each averaged with its neighbours: few positives make single qualities jump. Of
/// equals, the first.
fn smoothest_best(qualities: &[f64]) -> usize {
    let last = qualities.len() - 1;
    let smooth =
        |at: usize| qualities[at.saturating_sub(1)] + 2.0 * qualities[at] + qualities[last.min(at + 1)];
    let best = (0..=last).rev().max_by(|&one, &other| smooth(one).total_cmp(&smooth(other)));
    best.unwrap_or(0)
}

/// The inputs that all classifiers of a table share.
struct Fitting<'a> {
    table: &'a FeatureTable,
    columns: &'a Columns,
    config: &'a SrlConfig,
    path: StreamPath,
    budget: &'a Budget,
}

impl<'a> Fitting<'a> {
    /// The design's row of an example.
    fn row(&self, example: usize) -> usize {
        let row = self.table.row_of[example];
        self.columns.row_of[row][usize::from(self.table.sets.examples[example].is_positive)]
    }

    /// The weight that some examples give to each of the design's rows.
    fn row_weights(&self, is_learnt_from: impl Fn(usize) -> bool) -> Vec<f64> {
        let mut weights = vec![0.0; self.columns.design.n_rows()];
        for example in (0..self.table.sets.examples.len()).filter(|&example| is_learnt_from(example)) {
            weights[self.row(example)] += self.table.sets.weight_of(self.table.sets.examples[example]);
        }
        weights
    }

    /// The same of listed examples.
    fn weights_of(&self, examples: &[usize]) -> Vec<f64> {
        let mut is_listed = vec![false; self.table.sets.examples.len()];
        examples.iter().for_each(|&example| is_listed[example] = true);
        self.row_weights(|example| is_listed[example])
    }

    /// The design that some examples give weight to, and the same design with the weights of classes.
    fn designs(&self, columns: &Columns, is_learnt_from: impl Fn(usize) -> bool) -> (Design, Design) {
        let design = columns.design.reweighted(self.row_weights(is_learnt_from));
        let design = design.scaled(columns.scales(&design));
        let weighed = match self.config.class_weights {
            ClassWeights::None => design.clone(),
            ClassWeights::Balanced => balanced(&design),
        };
        (design, weighed)
    }

    /// The path of classifiers that do not learn from a part.
    fn path_without(&self, part: &'a HeldOutPart, stream_idx: u64) -> CostPath<'a> {
        let mut is_left_out = vec![false; self.table.sets.examples.len()];
        part.examples.iter().for_each(|&example| is_left_out[example] = true);
        let columns = part.columns.as_ref().unwrap_or(self.columns);
        self.path_of(columns, stream_idx, |example| !is_left_out[example])
    }

    fn path_of(
        &self,
        columns: &'a Columns,
        stream_idx: u64,
        is_learnt_from: impl Fn(usize) -> bool,
    ) -> CostPath<'a> {
        let key = [self.path.run_idx, 2, stream_idx];
        CostPath {
            columns,
            designs: self.designs(columns, is_learnt_from),
            rng: stream(self.path.rng_seed, Purpose::Weights, &key),
            start: None,
            state: None,
            fits: Vec::new(),
        }
    }

    /// Adds the classifiers for more values of `C`.
    fn extend(&self, path: &mut CostPath<'_>, costs: &[f64]) -> Result<(), Interrupted> {
        let (plain, weighed) = &path.designs;
        let form = Form {
            classifier: self.config.classifier,
            kernel: path.columns.kernel,
            smoothing: self.config.smoothing.pseudo_counts(),
            plain,
            start: path.start.as_ref(),
        };
        let fits = form.fits(weighed, costs, &mut path.state, &mut path.rng, self.budget)?;
        let candidate = |model: ColumnModel| Candidate { scores: model.scores(weighed), model };
        path.fits.extend(fits.into_iter().map(candidate));
        Ok(())
    }

    /// The scores of examples by the classifiers that did not learn from them, on the scale of the last one, ascending by example.
    fn held_out(
        &self,
        parts: &[HeldOutPart],
        paths: &[CostPath<'_>],
        best: usize,
        last: &ColumnModel,
    ) -> Vec<(usize, f64)> {
        let last_scores = last.scores(&self.columns.design);
        let mut held_out = Vec::new();
        for (part, fit) in parts.iter().zip(paths.iter().map(|path| &path.fits[best])) {
            // Rows that both learnt from: of other rows, a classifier scores those that it learnt from better.
            let mut is_of_part = vec![false; self.table.sets.examples.len()];
            part.examples.iter().for_each(|&example| is_of_part[example] = true);
            let weights = self.row_weights(|example| !is_of_part[example]);
            let alignment = Alignment::fit(&fit.scores, &last_scores, &weights);
            held_out.extend(
                part.examples.iter().map(|&example| (example, alignment.at(fit.scores[self.row(example)]))),
            );
        }
        held_out.sort_by_key(|&(example, _)| example);
        held_out
    }
}

/// Average precision of the scores of rows, which stand for so many examples; 0 where a class is missing.
fn quality(weights: &[f64], design: &Design, scores: &[f64]) -> f64 {
    let rows = weights.iter().zip(design.classes()).zip(scores);
    let scored = rows
        .filter(|((weight, _), _)| **weight > 0.0)
        .map(|((&weight, &class), &score)| (score, class > 0.0, weight));
    Ranking::weighted(scored).ok().and_then(|ranking| average_precision(&ranking)).unwrap_or(0.0)
}

/// The design with equally heavy classes, and the same weight together.
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

#[cfg(test)]
mod tests {
    use super::{balanced, costs_of, is_past_best, smoothest_best};
    use crate::srl::Classifier;
    use gleaner_stats::ml::linear::{Design, DesignRow};

    /// Costs are tried in ascending order, each once; a classifier without a cost has one fit.
    #[test]
    fn costs_ascend_and_are_distinct() {
        assert_eq!(costs_of(Classifier::Svm, &[10.0, 0.1, 1.0, 0.1]), [0.1, 1.0, 10.0]);
        assert_eq!(costs_of(Classifier::TreeAugmented, &[2.0, 3.0]), [1.0]);
    }

    /// By hand: 0 + 2·5 + 0 = 10 of the highest, against 4 + 2·4 + 3 = 15 of one with good neighbours.
    #[test]
    fn neighbours_count() {
        assert_eq!(smoothest_best(&[0.0, 5.0, 0.0, 4.0, 4.0, 3.0]), 4);
        assert_eq!(smoothest_best(&[1.0, 1.0, 1.0]), 0, "of equals the first");
        assert_eq!(smoothest_best(&[0.0, 0.0, 1.0]), 2);
    }

    /// The best, and then three below it; two below, or one that is as good, are no end.
    #[test]
    fn three_below_the_best_are_the_end() {
        assert!(is_past_best(&[0.1, 0.5, 0.4, 0.3, 0.45]));
        assert!(is_past_best(&[0.5, 0.1, 0.2, 0.3]));
        assert!(!is_past_best(&[0.5, 0.4, 0.3]));
        assert!(!is_past_best(&[0.1, 0.5, 0.4, 0.5, 0.3]));
        assert!(!is_past_best(&[0.1, 0.2, 0.3, 0.4, 0.5]));
    }

    /// Positives of the weights 1 and 2 and a negative of 9 are weighed anew: 6 for each class.
    #[test]
    fn balanced_classes_weigh_the_same() {
        let row = |weight, is_positive| DesignRow { weight, is_positive, values: Vec::new() };
        let design = Design::new(0, [row(1.0, true), row(2.0, true), row(9.0, false), row(0.0, true)]);
        let found = balanced(&design);
        let is_close = found.weights().iter().zip([2.0, 4.0, 6.0, 0.0]).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(is_close, "{:?}", found.weights());
    }
}
