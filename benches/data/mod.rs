//! Data of the shape of protein localization for the benchmarks of bit kernels: 281,040 examples, each
//! a pair of one of 1,171 and one of 240 things.

#![allow(dead_code, reason = "each benchmark uses a part of it")]
#![allow(clippy::allow_attributes, reason = "whether it is dead differs between benchmarks")]

use gleaner_base::ExampleSet;
use gleaner_base::random::{Purpose, stream};
use gleaner_stats::ml::{Features, Labels};
use rand::RngExt;

/// Things that stand left and right in a pair.
pub(crate) const N_LEFT: usize = 1_171;
pub(crate) const N_RIGHT: usize = 240;
/// How many pairs there are.
pub(crate) const N_EXAMPLES: usize = N_LEFT * N_RIGHT;
/// How many kinds the left things are of; those of one kind agree in every attribute, so that pairs
/// have at most `N_KINDS * N_RIGHT` distinct rows.
const N_KINDS: usize = 232;

/// Covers of clauses that vote: from one example in a thousand to nearly half, and more of them where a
/// pair is likely to be positive, so that every number of votes occurs.
pub(crate) fn voters(n_examples: usize, n_sets: usize) -> Vec<ExampleSet> {
    let mut rng = stream(1, Purpose::Generate, &[1]);
    let likely: Vec<f64> = (0..n_examples).map(|_| rng.random::<f64>().powi(4)).collect();
    (0..n_sets)
        .map(|_| {
            let bound = rng.random::<f64>();
            let covered = (0..n_examples).filter(|&at| likely[at] > bound || rng.random::<f64>() < 0.001);
            ExampleSet::from_positions(n_examples, covered.collect::<Vec<_>>())
        })
        .collect()
}

/// Boolean columns: a quarter are attributes of the left thing, a quarter of the right one, the others
/// conjunctions of one of each; densities from one in 300 to one in three.
pub(crate) fn columns(n_left: usize, n_columns: usize) -> Vec<ExampleSet> {
    let mut rng = stream(1, Purpose::Generate, &[2]);
    let kinds: Vec<usize> = (0..n_left).map(|_| rng.random_range(0..N_KINDS)).collect();
    let mut attribute = |n_things: usize| -> Vec<bool> {
        let density = (1.0 / 3.0) * 0.01_f64.powf(rng.random::<f64>());
        (0..n_things).map(|_| rng.random::<f64>() < density).collect()
    };
    (0..n_columns)
        .map(|column| {
            let left = attribute(N_KINDS);
            let right = attribute(N_RIGHT);
            let is_covered = |at: &usize| {
                let (of_left, of_right) = (left[kinds[at / N_RIGHT]], right[at % N_RIGHT]);
                match column % 4 {
                    0 => of_left,
                    1 => of_right,
                    _ => of_left && of_right,
                }
            };
            ExampleSet::from_positions(n_left * N_RIGHT, (0..n_left * N_RIGHT).filter(is_covered))
        })
        .collect()
}

/// The columns as features of examples of which one in 158 is positive, as in protein localization.
pub(crate) fn features(n_left: usize, n_columns: usize) -> Features {
    let n_examples = n_left * N_RIGHT;
    let positives = ExampleSet::from_positions(n_examples, (0..n_examples).step_by(158));
    let mut negatives = ExampleSet::empty(n_examples);
    negatives.union_with_difference(&ExampleSet::full(n_examples), &positives);
    let labels = Labels::new(positives, negatives).expect("no example is of both classes");
    let compressed = |column: ExampleSet| column.iter().map(|at| u32::try_from(at).expect("few")).collect();
    Features::new(labels, columns(n_left, n_columns).into_iter().map(compressed).collect())
        .expect("columns hold examples")
}
