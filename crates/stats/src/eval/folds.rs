//! Folds made at random, and the part of the training examples that is set aside as tune.
//!
//! Examples are given in canonical order: the same labels and generator make the same folds. The
//! shuffle is written here, because the draws of a library's shuffle may change with its version
//! and folds must not.

use std::num::NonZeroU32;

use rand::Rng;

use gleaner_base::ClassId;

use super::error::{EvalError, Kind};

/// The class of an example in a stratified division. Of two classes, the positives come first.
pub trait Stratum: Copy {
    /// The number of the class, from 0.
    fn class(self) -> usize;
}

impl Stratum for bool {
    fn class(self) -> usize {
        usize::from(!self)
    }
}

impl Stratum for ClassId {
    fn class(self) -> usize {
        self.index()
    }
}

/// Deals the examples into folds `0..n_folds` at random, each class by itself.
///
/// **Shape**: the fold of each example. The folds' numbers of examples of a class differ by at most one, and
/// so do their numbers of examples; with fewer examples than folds some are
/// empty. **Cost**: `O(n_examples + n_classes)`. Source: `[GLEANER §2.1]`.
#[must_use]
pub fn stratified_folds<S: Stratum>(labels: &[S], n_folds: NonZeroU32, rng: &mut impl Rng) -> Vec<u32> {
    let mut folds = vec![0; labels.len()];
    // Each class starts at the fold where the class before ended; else fold 0 would get the odd example of each class.
    let dealt = shuffled_classes(labels, rng).into_iter().flatten();
    for (example_idx, fold) in dealt.zip((0..n_folds.get()).cycle()) {
        folds[example_idx] = fold;
    }
    folds
}

/// Deals groups of examples into folds `0..n_folds`: examples of one group share a fold.
///
/// The method is greedy. Groups with positives go first, those with most positives first. Each goes to the fold with
/// the fewest positives, and among equal folds to that with the fewest negatives. Groups without positives follow,
/// those with most negatives first, each to the fold with the fewest negatives. Equal groups come in random order. No
/// fold has more positives than an equal share plus those of the largest group. With many classes, the first takes the
/// place of the positives, the second that of the negatives, and so on.
///
/// **Shape**: one group number of any value for each label; the result is the fold of each example. **Cost**:
/// `O(n_examples log n_examples + n_groups · n_folds · n_classes)`.
///
/// # Errors
///
/// When there are not as many group numbers as labels.
#[expect(clippy::missing_panics_doc, reason = "the least of at least one fold is always found")]
pub fn grouped_folds<S: Stratum>(
    labels: &[S],
    groups: &[u32],
    n_folds: NonZeroU32,
    rng: &mut impl Rng,
) -> Result<Vec<u32>, EvalError> {
    if labels.len() != groups.len() {
        return Err(Kind::Lengths { n_labels: labels.len(), n_groups: groups.len() }.into());
    }
    let mut by_group: Vec<usize> = (0..labels.len()).collect();
    by_group.sort_by_key(|&example_idx| groups[example_idx]);
    let n_classes = n_classes(labels);
    let mut counted: Vec<(&[usize], Vec<usize>)> = by_group
        .chunk_by(|&a, &b| groups[a] == groups[b])
        .map(|members| {
            let mut counts = vec![0; n_classes];
            members.iter().for_each(|&example_idx| counts[labels[example_idx].class()] += 1);
            (members, counts)
        })
        .collect();
    shuffle(&mut counted, rng);
    // The sort is stable, so the shuffle decides among equal groups.
    counted.sort_by(|left, right| right.1.cmp(&left.1));

    let mut folds = vec![0; labels.len()];
    let mut filled: Vec<(u32, Vec<usize>)> =
        (0..n_folds.get()).map(|fold| (fold, vec![0; n_classes])).collect();
    for (members, counts) in counted {
        let first = counts.iter().position(|&count| count > 0).unwrap_or(0);
        let from_first = |fold: &(u32, Vec<usize>)| [&fold.1[first..], &fold.1[..first]].concat();
        let emptiest =
            filled.iter_mut().min_by_key(|fold| from_first(fold)).expect("there is at least one fold");
        emptiest.1.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        for &example_idx in members {
            folds[example_idx] = emptiest.0;
        }
    }
    Ok(folds)
}

/// The number of classes: one more than the highest class number.
fn n_classes<S: Stratum>(labels: &[S]) -> usize {
    labels.iter().map(|label| label.class() + 1).max().unwrap_or(0)
}

/// Picks a random part of the examples, the same fraction of each class.
///
/// **Shape**: for each example, whether it is in the part. The part has `fraction · n` of a class of `n` examples,
/// rounded, halves up. **Cost**: `O(n_examples)`.
///
/// # Errors
///
/// When `fraction` is not in `[0, 1]`.
pub fn stratified_part<S: Stratum>(
    labels: &[S],
    fraction: f64,
    rng: &mut impl Rng,
) -> Result<Vec<bool>, EvalError> {
    if !(0.0..=1.0).contains(&fraction) {
        return Err(Kind::Fraction { fraction }.into());
    }
    let mut part = vec![false; labels.len()];
    for members in shuffled_classes(labels, rng) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the fraction is in [0, 1] and counts are far below 2^53"
        )]
        let n_chosen = (fraction * members.len() as f64).round() as usize;
        for example_idx in members.into_iter().take(n_chosen) {
            part[example_idx] = true;
        }
    }
    Ok(part)
}

/// The positions of each class in random order.
fn shuffled_classes<S: Stratum>(labels: &[S], rng: &mut impl Rng) -> Vec<Vec<usize>> {
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); n_classes(labels)];
    labels.iter().enumerate().for_each(|(example_idx, label)| members[label.class()].push(example_idx));
    members.iter_mut().for_each(|members| shuffle(members, rng));
    members
}

/// Fisher and Yates, one 64-bit draw for each item but the first.
fn shuffle<T>(items: &mut [T], rng: &mut impl Rng) {
    for last in (1..items.len()).rev() {
        // The high word of draw * n is in 0..n; its bias, n / 2^64, is beyond noticing.
        let scaled = u128::from(rng.next_u64()) * (last as u128 + 1);
        items.swap(last, usize::try_from(scaled >> 64).expect("below the number of items"));
    }
}

#[cfg(test)]
mod tests;
