//! Tree-augmented naive Bayes (TAN): each column depends on the class and on at most one other column.
//! [Friedman, Geiger, Goldszmidt 1997; GLEANER §8.1]

use gleaner_base::{ClassWeights, Classes, Counts, ExampleSet};

use super::naive_bayes::PseudoCounts;

/// A column's part of the log-odds.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Branch {
    /// The column it depends on; none at the root.
    pub parent: Option<usize>,
    /// The log-odds by the parent's value (0, 1; equal for the root) and the column's value (0, 1).
    pub odds: [[f64; 2]; 2],
}

/// Tree-augmented naive Bayes.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct TreeAugmented {
    /// The classes' log-odds.
    pub prior: f64,
    /// Each column's part.
    pub branches: Vec<Branch>,
}

impl TreeAugmented {
    /// Fits columns over one universe. The tree has the most mutual information given the class (Chow and Liu), its
    /// root is the first column, and its tables are smoothed. The class sizes of a table are those of its examples.
    ///
    /// **Cost**: a pass over the words of both for each pair of columns.
    pub fn fit(classes: Classes, columns: &[ExampleSet], smoothing: PseudoCounts) -> Self {
        let weighted = |counts: Counts| counts.weighted(classes.totals.negative_weight);
        let mut pairs = ColumnPairs::new(classes.totals.weighted());
        for (at, column) in columns.iter().enumerate() {
            let both = columns[..at].iter().map(|other| weighted(classes.common(column, other)));
            pairs.push(weighted(classes.counts(column)), both);
        }
        pairs.tree(smoothing)
    }

    /// The log-odds of each position, from the columns that hold it. Log-odds of padding mean nothing.
    pub fn scores(&self, len: usize, columns: &[ExampleSet]) -> Vec<f64> {
        let mut scores = vec![self.prior; len];
        for (column, branch) in columns.iter().zip(&self.branches) {
            for (position, score) in scores.iter_mut().enumerate() {
                let given = branch.parent.is_some_and(|parent| columns[parent].contains(position));
                *score += branch.odds[usize::from(given)][usize::from(column.contains(position))];
            }
        }
        scores
    }

    /// The term of each column in the log-odds of a row of the columns' values.
    pub fn parts_of<'r>(&'r self, row: &'r [bool]) -> impl Iterator<Item = f64> + 'r {
        self.branches.iter().zip(row).map(|(branch, &is_held)| {
            let given = branch.parent.is_some_and(|parent| row[parent]);
            branch.odds[usize::from(given)][usize::from(is_held)]
        })
    }

    /// The log-odds of a row of the columns' values, with the same bits as those of [`Self::scores`].
    pub fn score_of(&self, row: &[bool]) -> f64 {
        self.parts_of(row).fold(self.prior, |score, part| score + part)
    }

    /// Whether all of its numbers are below a bound and its parents are columns; a model from a file may not be so.
    pub fn is_below(&self, bound: f64) -> bool {
        let n_columns = self.branches.len();
        let is_sound = |branch: &Branch| {
            branch.parent.is_none_or(|parent| parent < n_columns)
                && branch.odds.iter().flatten().all(|odds| odds.abs() < bound)
        };
        self.prior.abs() < bound && self.branches.iter().all(is_sound)
    }
}

/// The weights that each pair of columns shares. With them, a tree with one more column needs no new look at earlier
/// pairs.
#[derive(Clone, Debug)]
pub struct ColumnPairs {
    all: ClassWeights,
    /// The weights that each column holds.
    alone: Vec<ClassWeights>,
    /// For each column, its pairs with those before it.
    pairs: Vec<Vec<Pair>>,
}

/// A column paired with an earlier one.
#[derive(Clone, Copy, Debug)]
struct Pair {
    both: ClassWeights,
    /// Their mutual information, computed from either side, as rounding may differ.
    from_later: f64,
    from_earlier: f64,
}

impl ColumnPairs {
    /// No columns yet.
    pub const fn new(all: ClassWeights) -> Self {
        Self { all, alone: Vec::new(), pairs: Vec::new() }
    }

    /// Adds a column at the end: `own` has the weights that it holds, and `both` those that it shares with each earlier
    /// column.
    pub fn push(&mut self, own: ClassWeights, both: impl Iterator<Item = ClassWeights>) {
        let all = self.all;
        let pair = |(both, &alone): (ClassWeights, &ClassWeights)| {
            let from_later = Shared { left: own, right: alone, both }.information(all);
            let from_earlier = Shared { left: alone, right: own, both }.information(all);
            Pair { both, from_later, from_earlier }
        };
        let pairs = both.zip(&self.alone).map(pair).collect();
        self.pairs.push(pairs);
        self.alone.push(own);
    }

    /// Takes the last column away.
    pub fn pop(&mut self) {
        self.alone.pop();
        self.pairs.pop();
    }

    /// The tree of most information, with smoothed tables. **Cost**: `O(n_columns²)`.
    pub fn tree(&self, smoothing: PseudoCounts) -> TreeAugmented {
        // The log-odds of an example that the column does not hold, and of one that it holds.
        let table = |all: ClassWeights, held: ClassWeights| {
            [smoothing.log_odds(all.minus(held), all), smoothing.log_odds(held, all)]
        };
        let all = self.all;
        let branch = |(column, parent): (usize, Option<usize>)| match parent {
            None => Branch { parent, odds: [table(all, self.alone[column]); 2] },
            Some(other) => {
                let both = self.pair(column, other).both;
                let (with, own) = (self.alone[other], self.alone[column]);
                Branch { parent, odds: [table(all.minus(with), own.minus(both)), table(with, both)] }
            }
        };
        TreeAugmented {
            prior: smoothing.prior(all),
            branches: self.parents().into_iter().enumerate().map(branch).collect(),
        }
    }

    fn pair(&self, one: usize, other: usize) -> Pair {
        self.pairs[one.max(other)][one.min(other)]
    }

    /// The parent of each column in the tree of most information, which grows from the first column (Prim). Of equal
    /// arcs, it takes that to the first column, then that from the first parent.
    fn parents(&self) -> Vec<Option<usize>> {
        let n_columns = self.alone.len();
        let mut parents = vec![None; n_columns];
        let mut best: Vec<(f64, Option<usize>)> = vec![(f64::NEG_INFINITY, None); n_columns];
        let mut open: Vec<usize> = (1..n_columns).collect();
        let mut newest = 0;
        while !open.is_empty() {
            for &column in &open {
                let pair = self.pair(column, newest);
                let information = if column > newest { pair.from_later } else { pair.from_earlier };
                if information > best[column].0 {
                    best[column] = (information, Some(newest));
                }
            }
            let mut next = 0;
            for at in 1..open.len() {
                if best[open[at]].0 > best[open[next]].0 {
                    next = at;
                }
            }
            newest = open.remove(next);
            parents[newest] = best[newest].1;
        }
        parents
    }
}

/// The weights that each of two columns holds, and the weights that both hold.
#[derive(Clone, Copy, Debug)]
struct Shared {
    left: ClassWeights,
    right: ClassWeights,
    both: ClassWeights,
}

impl Shared {
    /// `I(left; right | class)` in nats.
    fn information(&self, all: ClassWeights) -> f64 {
        let Self { left, right, both } = self;
        let of_class = |all: f64, left: f64, right: f64, both: f64| {
            let cell = |joint: f64, one: f64, other: f64| {
                if joint > 0.0 { joint * (joint * all / (one * other)).ln() } else { 0.0 }
            };
            cell(both, left, right)
                + cell(left - both, left, all - right)
                + cell(right - both, all - left, right)
                + cell(all - left - right + both, all - left, all - right)
        };
        let sum = of_class(all.positives, left.positives, right.positives, both.positives)
            + of_class(all.negatives, left.negatives, right.negatives, both.negatives);
        sum / all.sum()
    }
}
