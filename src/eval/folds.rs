//! Made folds, and the part of the training examples that is set aside to tune on.
//!
//! Examples are given in canonical order: the same labels and generator make the same folds. The
//! shuffle is written here, because the draws of a library's shuffle may change with its version
//! and folds must not.

use std::num::NonZeroU32;

use rand::Rng;

use super::error::{EvalError, Kind};

/// Deals the examples into folds `0..n_folds` at random, each class by itself.
///
/// **Shape**: the fold of each example. The folds' numbers of positives differ by at most one, and
/// so do their numbers of negatives and of examples; with fewer examples than folds some are
/// empty. **Cost**: `O(n_examples)`. Source: `[GLEANER §2.1]`.
#[must_use]
pub fn stratified_folds(labels: &[bool], n_folds: NonZeroU32, rng: &mut impl Rng) -> Vec<u32> {
    let mut folds = vec![0; labels.len()];
    // Negatives are dealt on from where the positives ended, or fold 0 would get the odd one twice.
    let dealt = shuffled_class(labels, true, rng).into_iter().chain(shuffled_class(labels, false, rng));
    for (example_idx, fold) in dealt.zip((0..n_folds.get()).cycle()) {
        folds[example_idx] = fold;
    }
    folds
}

/// Deals groups of examples into folds `0..n_folds`: examples of one group share a fold.
///
/// Greedy: groups with positives go first, most positives first, each to the fold with the fewest
/// positives, of these the fewest negatives; then groups without, most negatives first, each to the
/// fold with the fewest negatives. Equal groups come in random order. No fold has more positives
/// than an equal share and the largest group's together.
///
/// **Shape**: one group number for each label, any numbers; the fold of each example. **Cost**:
/// `O(n_examples log n_examples + n_groups · n_folds)`.
///
/// # Errors
///
/// When there are not as many group numbers as labels.
#[expect(clippy::missing_panics_doc, reason = "the least of at least one fold is always found")]
pub fn grouped_folds(
    labels: &[bool],
    groups: &[u32],
    n_folds: NonZeroU32,
    rng: &mut impl Rng,
) -> Result<Vec<u32>, EvalError> {
    if labels.len() != groups.len() {
        return Err(Kind::Lengths { n_labels: labels.len(), n_groups: groups.len() }.into());
    }
    let mut by_group: Vec<usize> = (0..labels.len()).collect();
    by_group.sort_by_key(|&example_idx| groups[example_idx]);
    let mut counted: Vec<(&[usize], usize, usize)> = by_group
        .chunk_by(|&a, &b| groups[a] == groups[b])
        .map(|members| {
            let n_positives = members.iter().filter(|&&example_idx| labels[example_idx]).count();
            (members, n_positives, members.len() - n_positives)
        })
        .collect();
    shuffle(&mut counted, rng);
    // The sort is stable, so the shuffle decides among equal groups.
    counted.sort_by_key(|&(_, n_positives, n_negatives)| std::cmp::Reverse((n_positives, n_negatives)));

    let mut folds = vec![0; labels.len()];
    let mut filled: Vec<(u32, usize, usize)> = (0..n_folds.get()).map(|fold| (fold, 0, 0)).collect();
    for (members, n_positives, n_negatives) in counted {
        let emptiest = filled
            .iter_mut()
            .min_by_key(|fold| if n_positives > 0 { (fold.1, fold.2) } else { (fold.2, fold.1) })
            .expect("there is at least one fold");
        emptiest.1 += n_positives;
        emptiest.2 += n_negatives;
        for &example_idx in members {
            folds[example_idx] = emptiest.0;
        }
    }
    Ok(folds)
}

/// Picks a random part of the examples, the same fraction of each class.
///
/// **Shape**: whether each example is in the part. Of a class of `n` it holds `fraction · n`,
/// rounded, halves up. **Cost**: `O(n_examples)`.
///
/// # Errors
///
/// When `fraction` is not in `[0, 1]`.
pub fn stratified_part(labels: &[bool], fraction: f64, rng: &mut impl Rng) -> Result<Vec<bool>, EvalError> {
    if !(0.0..=1.0).contains(&fraction) {
        return Err(Kind::Fraction { fraction }.into());
    }
    let mut part = vec![false; labels.len()];
    for class in [true, false] {
        let members = shuffled_class(labels, class, rng);
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

/// The positions of one class in random order.
fn shuffled_class(labels: &[bool], class: bool, rng: &mut impl Rng) -> Vec<usize> {
    let mut members: Vec<usize> =
        labels.iter().enumerate().filter(|&(_, &label)| label == class).map(|(idx, _)| idx).collect();
    shuffle(&mut members, rng);
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
