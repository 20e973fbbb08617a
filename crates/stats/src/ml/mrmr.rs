//! Sets of few columns with much information on the class and little on each other, by stochastic local search.
//! [MLYNX §3, Algorithm 1]

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use rand::{Rng, RngExt};
use rayon::prelude::{IntoParallelIterator, ParallelIterator};

use super::contingency::ClassTable;
use gleaner_base::{Budget, StopReason};

/// The parameters of the search for sets of columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MrmrConfig {
    /// The number of sets to build, each from a random column.
    pub restarts: usize,
    /// The probability that the next column is a random one.
    pub random_step: f64,
    /// A set ends where no column's relevance minus its mean redundancy exceeds this number of nats.
    pub least_gain: f64,
}

/// A set of columns.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnSet {
    /// The columns, in the order in which they were added.
    pub columns: Vec<usize>,
    /// The quality of the set; more is better.
    pub quality: f64,
}

/// The most redundancies to keep: 256 MB.
const MOST_KEPT: usize = 32 << 20;

/// Search over the columns of one table.
#[derive(Debug)]
pub struct Mrmr<'a> {
    table: &'a ClassTable,
    relevance: Vec<f64>,
    /// By column: its redundancy with each column, once it was needed.
    redundancy: Vec<OnceLock<Box<[f64]>>>,
    n_kept: AtomicUsize,
}

impl<'a> Mrmr<'a> {
    /// A search over this table. **Cost**: constant for each column.
    pub fn new(table: &'a ClassTable) -> Self {
        let n_columns = table.n_columns();
        Self {
            table,
            relevance: (0..n_columns).map(|column| table.relevance(column)).collect(),
            redundancy: (0..n_columns).map(|_| OnceLock::new()).collect(),
            n_kept: AtomicUsize::new(0),
        }
    }

    /// The sets of all restarts, the best first, and the earlier first of equal ones. `stream` gives each restart its
    /// random numbers.
    ///
    /// **Cost**: a pass over all columns, for each column that is added to a set for the first time.
    ///
    /// # Errors
    ///
    /// The reason to stop when the budget ran out first.
    pub fn sets<R: Rng>(
        &self,
        config: &MrmrConfig,
        stream: impl Fn(usize) -> R + Sync,
        quality: impl Fn(&[usize]) -> f64 + Sync,
        budget: &Budget,
    ) -> Result<Vec<ColumnSet>, StopReason> {
        let set = |restart: usize| {
            budget.check()?;
            let columns = self.set(config, &mut stream(restart));
            Ok(ColumnSet { quality: quality(&columns), columns })
        };
        let n_restarts = if self.table.n_columns() > 0 { config.restarts } else { 0 };
        let mut sets: Vec<ColumnSet> = (0..n_restarts).into_par_iter().map(set).collect::<Result<_, _>>()?;
        sets.sort_by(|left, right| right.quality.total_cmp(&left.quality));
        Ok(sets)
    }

    fn set(&self, config: &MrmrConfig, rng: &mut impl Rng) -> Vec<usize> {
        let n_columns = self.table.n_columns();
        let mut columns = Vec::new();
        let mut is_in = vec![false; n_columns];
        let mut sums = vec![0.0; n_columns];
        let mut next = Some(rng.random_range(0..n_columns));
        while let Some(column) = next {
            is_in[column] = true;
            columns.push(column);
            if columns.len() == n_columns {
                break;
            }
            self.add_redundancy(column, &mut sums);
            next = if rng.random::<f64>() < config.random_step {
                let nth = rng.random_range(0..n_columns - columns.len());
                (0..n_columns).filter(|&other| !is_in[other]).nth(nth)
            } else {
                self.best(&is_in, &sums, columns.len())
                    .filter(|&(_, gain)| gain > config.least_gain)
                    .map(|(at, _)| at)
            };
        }
        columns
    }

    /// The column of the greatest relevance minus mean redundancy; the first of equal ones.
    fn best(&self, is_in: &[bool], sums: &[f64], n_in: usize) -> Option<(usize, f64)> {
        #[expect(clippy::cast_precision_loss, reason = "columns are fewer than 2^53")]
        let n_in = n_in as f64;
        let gain = |column: usize| (column, self.relevance[column] - sums[column] / n_in);
        let open = (0..is_in.len()).filter(|&column| !is_in[column]).map(gain);
        open.reduce(|best, other| if other.1 > best.1 { other } else { best })
    }

    fn add_redundancy(&self, column: usize, sums: &mut [f64]) {
        let n_columns = sums.len();
        let of_other = |other: usize| self.table.redundancy(column, other);
        let has_room = || self.n_kept.fetch_add(n_columns, Ordering::Relaxed) + n_columns <= MOST_KEPT;
        if let Some(known) = self.redundancy[column].get() {
            sums.iter_mut().zip(known).for_each(|(sum, value)| *sum += value);
        } else if has_room() {
            let known = self.redundancy[column].get_or_init(|| (0..n_columns).map(of_other).collect());
            sums.iter_mut().zip(known).for_each(|(sum, value)| *sum += value);
        } else {
            self.n_kept.fetch_sub(n_columns, Ordering::Relaxed);
            sums.iter_mut().enumerate().for_each(|(other, sum)| *sum += of_other(other));
        }
    }
}

#[cfg(test)]
mod tests {
    use rand_pcg::Pcg64;

    use super::super::contingency::{ClassBlock, ClassTable};
    use super::{Mrmr, MrmrConfig};
    use gleaner_base::random::{Purpose, stream};
    use gleaner_base::{Budget, ExampleSet};

    const N_EXAMPLES: usize = 3 * 64;
    const N_CLASSES: usize = 3;

    /// Whether a column holds an example: a hash, and for some columns the class.
    fn holds(column: usize, example: usize) -> bool {
        let noise = (example * 2_654_435_761 + column * 40_503 + example * column * 97) >> 3;
        match column {
            0..3 => (example / 64 == column) != noise.is_multiple_of(9),
            3 => holds(0, example) != noise.is_multiple_of(31),
            _ => noise.is_multiple_of(3 + column % 4),
        }
    }

    fn table(n_columns: usize) -> ClassTable {
        let column = |column: usize| {
            let held = (0..N_EXAMPLES).filter(|&example| holds(column, example));
            ExampleSet::from_positions(N_EXAMPLES, held)
        };
        let block = |class: usize| ClassBlock { words: class..class + 1, class, weight: 1.0 };
        let blocks = (0..N_CLASSES).map(block).collect();
        ClassTable::new(
            (0..n_columns).map(column).collect(),
            &ExampleSet::full(N_EXAMPLES),
            blocks,
            N_CLASSES,
        )
    }

    /// `sum p(a, b) ln(p(a, b) / (p(a) p(b)))`, from counts of examples one by one.
    fn information(left: &dyn Fn(usize) -> usize, right: &dyn Fn(usize) -> usize) -> f64 {
        let share = |is_wanted: &dyn Fn(usize) -> bool| {
            (0..N_EXAMPLES).filter(|&example| is_wanted(example)).count() as f64 / N_EXAMPLES as f64
        };
        let mut sum = 0.0;
        for of_left in 0..N_CLASSES {
            for of_right in 0..N_CLASSES {
                let both = share(&|example| left(example) == of_left && right(example) == of_right);
                let alone =
                    share(&|example| left(example) == of_left) * share(&|example| right(example) == of_right);
                sum += if both > 0.0 { both * (both / alone).ln() } else { 0.0 };
            }
        }
        sum
    }

    #[test]
    fn information_is_that_of_the_textbook() {
        let table = table(7);
        for left in 0..7 {
            let of_left = |example: usize| usize::from(holds(left, example));
            let relevance = information(&of_left, &|example| example / 64);
            assert!((table.relevance(left) - relevance).abs() < 1e-12);
            for right in 0..7 {
                let redundancy = information(&of_left, &|example| usize::from(holds(right, example)));
                assert!((table.redundancy(left, right) - redundancy).abs() < 1e-12);
                let exchanged = table.redundancy(right, left);
                assert_eq!(table.redundancy(left, right).to_bits(), exchanged.to_bits());
            }
        }
    }

    /// Without random steps a set grows by the column of the greatest relevance less mean redundancy, as plain loops find it.
    #[test]
    fn sets_grow_as_the_plain_loop_says() {
        let n_columns = 12;
        let table = table(n_columns);
        let config = MrmrConfig { restarts: 20, random_step: 0.0, least_gain: 0.01 };
        let streams = |restart: usize| -> Pcg64 { stream(7, Purpose::Weights, &[restart as u64]) };
        let sets = Mrmr::new(&table)
            .sets(&config, streams, |columns| -(columns.len() as f64), &Budget::unlimited())
            .expect("no budget ends");
        assert_eq!(sets.len(), 20);
        assert!(sets.windows(2).all(|pair| pair[0].quality >= pair[1].quality));
        assert!(sets.iter().any(|set| set.columns.len() > 2), "{sets:?}");
        for set in sets {
            let mut plain = vec![set.columns[0]];
            loop {
                let gain = |column: usize| {
                    let sum: f64 = plain.iter().map(|&other| table.redundancy(column, other)).sum();
                    table.relevance(column) - sum / plain.len() as f64
                };
                let open = (0..n_columns).filter(|column| !plain.contains(column));
                let best =
                    open.max_by(|&left, &right| gain(left).total_cmp(&gain(right)).then(right.cmp(&left)));
                let Some(best) = best.filter(|&best| gain(best) > config.least_gain) else { break };
                plain.push(best);
            }
            assert_eq!(set.columns, plain);
        }
    }

    /// With random steps alone every set ends with all columns.
    #[test]
    fn random_steps_do_not_end() {
        let table = table(9);
        let config = MrmrConfig { restarts: 3, random_step: 1.0, least_gain: 1.0 };
        let streams = |restart: usize| -> Pcg64 { stream(7, Purpose::Weights, &[restart as u64]) };
        let sets =
            Mrmr::new(&table).sets(&config, streams, |_| 0.0, &Budget::unlimited()).expect("no budget ends");
        for set in sets {
            let mut columns = set.columns;
            columns.sort_unstable();
            assert_eq!(columns, (0..9).collect::<Vec<_>>());
        }
    }
}
