//! Votes that have weights: a sum on each example.
//!
//! Floating-point sums depend on their order. Here each position's sum follows the order of the sets, whatever the
//! blocks, and equals bit by bit the sum of a plain loop over sets and positions.

use rayon::prelude::{IndexedParallelIterator, ParallelIterator, ParallelSliceMut};

use gleaner_base::{ExampleSet, kernels};

/// Words in a block: its sums, 16 KB, stay in the first cache while the sets pass.
const BLOCK: usize = 32;

/// The sum of the weights of the sets that hold each position, added in the order of the sets from 0.
///
/// **Shape**: `len` sums; as many weights as sets are used. **Cost**: one pass over the words of all
/// sets, and a visit of each position that is held, or of 64 at once where at least 8 are.
///
/// # Panics
///
/// When a set has another universe than `len` positions.
///
/// # Example
///
/// ```
/// use gleaner_base::ExampleSet;
/// use gleaner_engine::coverage::votes::weighted_votes;
///
/// let (left, right) = (ExampleSet::from_positions(3, [0, 1]), ExampleSet::from_positions(3, [1]));
/// assert_eq!(weighted_votes(3, &[&left, &right], &[0.5, 0.25]), [0.5, 0.75, 0.0]);
/// ```
#[must_use]
pub fn weighted_votes(len: usize, sets: &[&ExampleSet], weights: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0; len];
    add_weighted_votes(&mut sums, sets, weights);
    sums
}

/// Adds to the sum of each position the weights of the sets that hold it, in the order of the sets; in
/// parallel. Cost: as of [`weighted_votes`].
///
/// # Panics
///
/// When a set's universe is not that of the sums.
pub fn add_weighted_votes(sums: &mut [f64], sets: &[&ExampleSet], weights: &[f64]) {
    assert!(sets.iter().all(|set| set.universe() == sums.len()), "votes over different universes");
    sums.par_chunks_mut(BLOCK * 64).enumerate().for_each(|(block, sums)| {
        let words = block * BLOCK..block * BLOCK + sums.len().div_ceil(64);
        for (set, &weight) in sets.iter().zip(weights) {
            kernels::add_weight(sums, &set.words()[words.clone()], weight);
        }
    });
}

/// The positions whose sum is at least `threshold`. Cost: one pass over the sums.
#[must_use]
pub fn at_least(sums: &[f64], threshold: f64) -> ExampleSet {
    let mut words = vec![0; sums.len().div_ceil(64)];
    kernels::at_least(&mut words, sums, threshold);
    let mut set = ExampleSet::empty(sums.len());
    for (word, bits) in words.into_iter().enumerate() {
        set.set_word(word, bits);
    }
    set
}
