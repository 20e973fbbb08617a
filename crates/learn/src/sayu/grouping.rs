//! The examples of a set in groups; examples that the features do not tell apart are together.
//!
//! Fitting a network to clauses.

use crate::network::{Network, Svm, SvmForm, WeightedRow};
use gleaner_base::{ClassWeights, Classes, Counts, ExampleSet};
use gleaner_stats::ml::PseudoCounts;
use gleaner_stats::ml::naive_bayes::NaiveBayes;
use gleaner_stats::ml::tree_augmented::ColumnPairs;

use super::NetworkKind;

/// Examples that agree in all features.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExampleGroup {
    /// Whether each feature holds.
    pub row: Vec<bool>,
    /// The number of examples of each class.
    pub counts: Counts,
}

/// A part of a group, by whether a further feature holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupPart {
    /// The group's position.
    pub group_idx: usize,
    /// Whether the further feature holds.
    pub holds: bool,
    /// The number of examples of each class.
    pub counts: Counts,
}

/// All examples of a universe, in groups that agree in all features so far.
///
/// **Invariant**: the rows of two groups differ. Each group has an example; a universe without examples has one empty group.
/// **Memory**: 4 bytes for each position, and the rows.
#[derive(Clone, Debug)]
pub struct Grouping {
    classes: Classes,
    /// The group by position; of padding it means nothing.
    group_of: Vec<u32>,
    groups: Vec<ExampleGroup>,
}

impl Grouping {
    /// All examples together, as there is no feature yet; `len` counts positions, padding included.
    pub fn new(classes: Classes, len: usize) -> Self {
        let all = ExampleGroup { row: Vec::new(), counts: classes.totals.everything() };
        Self { classes, group_of: vec![0; len], groups: vec![all] }
    }

    /// The class of each position.
    pub const fn classes(&self) -> Classes {
        self.classes
    }

    /// The groups.
    pub fn groups(&self) -> &[ExampleGroup] {
        &self.groups
    }

    /// The parts that a feature which holds of these examples would split the groups into. **Cost**: a visit of each of
    /// the examples, and of each group.
    pub fn split_by(&self, cover: &ExampleSet) -> Vec<GroupPart> {
        let mut parts = Vec::with_capacity(2 * self.groups.len());
        for ((group_idx, group), held) in self.groups.iter().enumerate().zip(self.covered(cover)) {
            let rest = Counts {
                true_positives: group.counts.true_positives - held.true_positives,
                false_positives: group.counts.false_positives - held.false_positives,
            };
            for (holds, counts) in [(false, rest), (true, held)] {
                if counts != Counts::NONE {
                    parts.push(GroupPart { group_idx, holds, counts });
                }
            }
        }
        parts
    }

    /// Adds a feature that holds of these examples. **Cost**: as of [`Self::split_by`].
    pub fn add(&mut self, cover: &ExampleSet) {
        let covered = self.covered(cover);
        // A group that is split keeps its number for the examples that are not covered.
        let n_groups = self.groups.len();
        let mut number_of_covered: Vec<u32> = Vec::with_capacity(n_groups);
        for (at, held) in covered.into_iter().enumerate() {
            let is_whole = held == self.groups[at].counts && held != Counts::NONE;
            let mut row = self.groups[at].row.clone();
            self.groups[at].row.push(is_whole);
            if is_whole || held == Counts::NONE {
                number_of_covered.push(number(at));
                continue;
            }
            let counts = &mut self.groups[at].counts;
            counts.true_positives -= held.true_positives;
            counts.false_positives -= held.false_positives;
            row.push(true);
            number_of_covered.push(number(self.groups.len()));
            self.groups.push(ExampleGroup { row, counts: held });
        }
        for position in cover.iter() {
            let group = &mut self.group_of[position];
            *group = number_of_covered[*group as usize];
        }
    }

    /// The counts of these examples in each group.
    fn covered(&self, cover: &ExampleSet) -> Vec<Counts> {
        let mut covered = vec![Counts::NONE; self.groups.len()];
        for position in cover.iter() {
            let counts = &mut covered[self.group_of[position] as usize];
            if self.classes.is_positive(position) {
                counts.true_positives += 1;
            } else {
                counts.false_positives += 1;
            }
        }
        covered
    }
}

/// There are no more groups than examples.
fn number(group: usize) -> u32 {
    u32::try_from(group).expect("fewer than 2^32 examples")
}

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

#[cfg(test)]
mod tests {
    use gleaner_base::{Classes, Counts, ExampleSet, NegativeWeight, Totals};

    use super::{ExampleGroup, GroupPart, Grouping};

    /// Three positives at 0 to 2, four negatives at 64 to 67.
    fn classes() -> Classes {
        let totals = Totals { n_positives: 3, n_negatives: 4, negative_weight: NegativeWeight::ONE };
        Classes { totals, n_positive_words: 1 }
    }

    fn set(positions: &[usize]) -> ExampleSet {
        ExampleSet::from_positions(68, positions.iter().copied())
    }

    fn sorted(mut groups: Vec<ExampleGroup>) -> Vec<(Vec<bool>, usize, usize)> {
        groups.sort_by(|left, right| left.row.cmp(&right.row));
        let plain =
            |group: ExampleGroup| (group.row, group.counts.true_positives, group.counts.false_positives);
        groups.into_iter().map(plain).collect()
    }

    #[test]
    fn groups_by_hand() {
        let mut grouping = Grouping::new(classes(), 68);
        let (first, second) = (set(&[0, 1, 64]), set(&[1, 2, 64]));
        grouping.add(&first);
        let whole = |part: GroupPart| {
            let row = [&grouping.groups()[part.group_idx].row[..], &[part.holds]].concat();
            ExampleGroup { row, counts: part.counts }
        };
        let split = sorted(grouping.split_by(&second).into_iter().map(whole).collect());
        let expected = [
            (vec![false, false], 0, 3),
            (vec![false, true], 1, 0),
            (vec![true, false], 1, 0),
            (vec![true, true], 1, 1),
        ];
        assert_eq!(split, expected);
        grouping.add(&second);
        assert_eq!(sorted(grouping.groups().to_vec()), expected, "as if it had been there");
        // A feature that holds of everything splits nothing; nor does one that holds of nothing.
        grouping.add(&set(&[0, 1, 2, 64, 65, 66, 67]));
        grouping.add(&set(&[]));
        assert_eq!(grouping.groups().len(), 4);
        let counts = grouping.groups().iter().fold(Counts::NONE, |sum, group| sum.plus(group.counts));
        assert_eq!((counts.true_positives, counts.false_positives), (3, 4));
        assert!(grouping.groups().iter().all(|group| group.row[2..] == [true, false]));
    }
}
