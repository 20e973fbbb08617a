//! Random streams: one `--seed`, and a separate stream for each task, which a path names.
//!
//! A task's stream depends on the seed and on the numbers that name the task (purpose, fold, seed
//! example, restart), never on which thread runs it or when. PCG's output is fixed by its
//! definition, so a seed means the same in every release.

use rand_pcg::Pcg64;

/// The purpose of a random stream. It is the first number of the stream's path, so that purposes never share a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Purpose {
    /// Assignment of examples to made folds, and the tune quarter.
    Folds = 1,
    /// Choice of seed examples.
    SeedExamples = 2,
    /// Search from one seed example.
    Search = 3,
    /// Synthetic problems.
    Generate = 4,
    /// Choice of negatives among the atoms that are not listed as examples.
    Negatives = 5,
    /// Choice of negatives that count more often.
    Emphasis = 6,
    /// Random weights, for comparison with other weights.
    Weights = 7,
    /// Choice of the labelled examples that are used.
    Labels = 8,
    /// Bootstrap samples of train.
    Resample = 9,
}

/// The stream of one task. Shape: any number of path elements.
pub fn stream(rng_seed: u64, purpose: Purpose, path: &[u64]) -> Pcg64 {
    let mut state = mix(rng_seed ^ 0x6C65_616E_6572_0001);
    let mut sequence = mix(state ^ purpose as u64);
    for &step in path {
        state = mix(state.wrapping_add(sequence));
        sequence = mix(sequence ^ mix(step));
    }
    let wide_state = (u128::from(mix(state ^ sequence)) << 64) | u128::from(mix(state));
    Pcg64::new(wide_state, (u128::from(sequence) << 64) | u128::from(mix(sequence)))
}

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): a bijection of 64-bit words.
const fn mix(word: u64) -> u64 {
    let mut z = word.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
