//! Fitting a network to clauses.

use crate::network::{Network, Svm, SvmForm, WeightedRow};
use gleaner_base::{ClassWeights, Classes, Counts, ExampleSet};
use gleaner_stats::ml::PseudoCounts;
use gleaner_stats::ml::naive_bayes::NaiveBayes;
use gleaner_stats::ml::tree_augmented::ColumnPairs;

use super::config::NetworkKind;
use super::grouping::{ExampleGroup, Grouping};

/// A set of examples with the covers of clauses on it.
#[derive(Clone, Copy, Debug)]
pub struct CoveredSet<'a> {
    /// The class of each position.
    pub classes: Classes,
    /// The number of positions.
    pub len: usize,
    /// The cover of each clause, in order.
    pub covers: &'a [ExampleSet],
}

/// How networks are fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetworkForm {
    /// The kind of network.
    pub kind: NetworkKind,
    /// The pseudo-counts that naive Bayes and TAN add to counts.
    pub smoothing: PseudoCounts,
    /// `C` of a support vector machine.
    pub cost: f64,
}

impl NetworkForm {
    /// Fits the numbers to all examples of these sets.
    ///
    /// **Cost**: a pass over each cover; of TAN over each two; of a support vector machine one over each example and
    /// clause too.
    pub fn fit(&self, sets: &[CoveredSet<'_>]) -> Network {
        let weight =
            |set: &CoveredSet<'_>, counts: Counts| counts.weighted(set.classes.totals.negative_weight);
        let over_sets = |of_set: &dyn Fn(&CoveredSet<'_>) -> Counts| -> ClassWeights {
            let sum = |sum: ClassWeights, part: ClassWeights| ClassWeights {
                positives: sum.positives + part.positives,
                negatives: sum.negatives + part.negatives,
            };
            sets.iter().map(|set| weight(set, of_set(set))).fold(ClassWeights::default(), sum)
        };
        let n_clauses = sets.first().map_or(0, |set| set.covers.len());
        let all = over_sets(&|set| set.classes.totals.everything());
        let held = |clause: usize| over_sets(&|set| set.classes.counts(&set.covers[clause]));
        match self.kind {
            NetworkKind::NaiveBayes => {
                let mut bayes = NaiveBayes::of_classes(all, self.smoothing);
                (0..n_clauses).for_each(|clause| bayes.add(all, held(clause), self.smoothing));
                Network::NaiveBayes(bayes)
            }
            NetworkKind::Tan => {
                let mut pairs = ColumnPairs::new(all);
                for clause in 0..n_clauses {
                    let both = |other: usize| {
                        over_sets(&|set| set.classes.common(&set.covers[clause], &set.covers[other]))
                    };
                    pairs.push(held(clause), (0..clause).map(both));
                }
                Network::Tan(pairs.tree(self.smoothing))
            }
            NetworkKind::Svm | NetworkKind::PolynomialSvm => {
                let rows: Vec<WeightedRow> = sets.iter().flat_map(|set| weighted_rows(set)).collect();
                Network::Svm(Svm::fit(self.svm(), n_clauses, &rows, None))
            }
        }
    }

    /// The form of the support vector machine, if the network is one.
    pub fn svm(&self) -> SvmForm {
        SvmForm { has_products: self.kind == NetworkKind::PolynomialSvm, cost: self.cost }
    }
}

/// The distinct rows of a set.
fn weighted_rows(set: &CoveredSet<'_>) -> Vec<WeightedRow> {
    let mut grouping = Grouping::new(set.classes, set.len);
    set.covers.iter().for_each(|cover| grouping.add(cover));
    let negative_weight = set.classes.totals.negative_weight;
    let row = |group: &ExampleGroup| WeightedRow {
        row: group.row.clone(),
        weights: group.counts.weighted(negative_weight),
    };
    grouping.groups().iter().map(row).collect()
}
