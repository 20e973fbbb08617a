//! Folds made at random, and the part of the training examples that is set aside as tune.
//!
//! Examples are given in canonical order: the same labels and generator make the same folds. The
//! shuffle is written here, because the draws of a library's shuffle may change with its version
//! and folds must not.

use std::num::NonZeroU32;

use rand::Rng;

use gleaner_base::ClassId;

use super::{EvalError, Kind};

/// The class of an example in a stratified division. If there are two classes, positives come first.
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

/// Strata of examples whose classes are the ranks of their numbers: the same share of the examples in each, but that
/// equal classes share a stratum.
///
/// **Shape**: for each class its stratum, below `n_strata`. **Cost**: a sort.
pub fn rank_strata(classes: &[ClassId], n_strata: usize) -> Vec<ClassId> {
    let mut ascending = classes.to_vec();
    ascending.sort_unstable();
    let below = |class: ClassId| ascending.partition_point(|&other| other < class);
    let stratum = |&class: &ClassId| ClassId::new(below(class) * n_strata.max(1) / classes.len());
    classes.iter().map(stratum).collect()
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
mod tests {
    use std::num::NonZeroU32;

    use proptest::prelude::*;
    use rand_pcg::Pcg64;

    use gleaner_base::ClassId;

    use super::{grouped_folds, rank_strata, shuffle, stratified_folds, stratified_part};

    fn generator(seed: u64) -> Pcg64 {
        Pcg64::new(u128::from(seed), 1)
    }

    /// By hand: of the ranks 4, 0, 2, 2, 7, 9 none, one, three and so on lie below: half of six are three.
    #[test]
    fn strata_of_ranks() {
        let classes = [4, 0, 2, 2, 7, 9].map(ClassId::new);
        assert_eq!(rank_strata(&classes, 2), [1, 0, 0, 0, 1, 1].map(ClassId::new));
        assert_eq!(rank_strata(&classes[..0], 2), Vec::<ClassId>::new());
    }

    /// How many examples of each fold satisfy `counts`.
    fn tally(folds: &[u32], n_folds: u32, counts: impl Fn(usize) -> bool) -> Vec<usize> {
        (0..n_folds)
            .map(|fold| {
                (0..folds.len())
                    .filter(|&example_idx| folds[example_idx] == fold && counts(example_idx))
                    .count()
            })
            .collect()
    }

    fn spread(sizes: &[usize]) -> usize {
        sizes.iter().max().expect("a fold") - sizes.iter().min().expect("a fold")
    }

    #[test]
    fn every_order_is_equally_likely() {
        let (mut seen, mut rng) = ([0_i32; 6], generator(3));
        for _ in 0..60_000 {
            let mut items = [0, 1, 2];
            shuffle(&mut items, &mut rng);
            seen[items[0] * 2 + usize::from(items[1] > items[2])] += 1;
        }
        // Standard deviation 91 around 10,000.
        assert!(seen.iter().all(|n| (n - 10_000).abs() < 500), "{seen:?}");
    }

    #[test]
    fn groups_fill_the_emptiest_fold() {
        // Groups by positives, negatives: 7 has (3,0), 9 (1,4), 2 (0,2).
        let groups = [7, 7, 7, 9, 9, 9, 9, 9, 2, 2];
        let labels = [true, true, true, true, false, false, false, false, false, false];
        let two = NonZeroU32::new(2).unwrap();
        let folds = grouped_folds(&labels, &groups, two, &mut generator(1)).unwrap();
        // 7 to fold 0, 9 to fold 1; 2 to fold 0, which has more positives but fewer negatives.
        assert_eq!(folds, [0, 0, 0, 1, 1, 1, 1, 1, 0, 0]);
        let error = grouped_folds(&labels, &groups[1..], two, &mut generator(1)).unwrap_err();
        assert_eq!(error.to_string(), "10 labels but 9 groups; each example needs one group");
    }

    #[test]
    fn equal_groups_are_dealt_at_random() {
        let (labels, groups): (Vec<bool>, Vec<u32>) = (0..20).map(|group| (true, group)).unzip();
        let deal = |seed| {
            grouped_folds(&labels, &groups, NonZeroU32::new(4).unwrap(), &mut generator(seed)).unwrap()
        };
        assert_ne!(deal(1), deal(2));
        assert_eq!(tally(&deal(1), 4, |_| true), [5; 4]);
    }

    #[test]
    fn nothing_to_deal() {
        let five = NonZeroU32::new(5).unwrap();
        assert!(stratified_folds::<bool>(&[], five, &mut generator(1)).is_empty());
        assert_eq!(grouped_folds::<bool>(&[], &[], five, &mut generator(1)), Ok(Vec::new()));
        assert_eq!(stratified_part::<bool>(&[], 0.25, &mut generator(1)), Ok(Vec::new()));
        for fraction in [-0.1, 1.1, f64::NAN] {
            assert!(stratified_part(&[true], fraction, &mut generator(1)).is_err());
        }
    }

    #[test]
    fn the_tune_quarter_holds_a_quarter_of_each_class() {
        let labels: Vec<bool> = (0..110).map(|k| k < 10).collect();
        let part = stratified_part(&labels, 0.25, &mut generator(5)).unwrap();
        let chosen = |class: bool| {
            part.iter().zip(&labels).filter(|&(&is_in, &label)| is_in && label == class).count()
        };
        // 2.5 rounds up.
        assert_eq!((chosen(true), chosen(false)), (3, 25));
        assert_ne!(part, stratified_part(&labels, 0.25, &mut generator(6)).unwrap());
    }

    proptest! {
        #[test]
        fn stratified_folds_are_even(labels in prop::collection::vec(any::<bool>(), 0..120), n in 1..9_u32, seed in any::<u64>()) {
            let n_folds = NonZeroU32::new(n).unwrap();
            let folds = stratified_folds(&labels, n_folds, &mut generator(seed));
            prop_assert!(folds.iter().all(|&fold| fold < n));
            prop_assert!(spread(&tally(&folds, n, |idx| labels[idx])) <= 1);
            prop_assert!(spread(&tally(&folds, n, |idx| !labels[idx])) <= 1);
            prop_assert!(spread(&tally(&folds, n, |_| true)) <= 1);
            prop_assert_eq!(folds, stratified_folds(&labels, n_folds, &mut generator(seed)));
        }

        #[test]
        fn groups_stay_together(examples in prop::collection::vec((any::<bool>(), 0..20_u32), 1..120), n in 1..6_u32, seed in any::<u64>()) {
            let (labels, groups): (Vec<bool>, Vec<u32>) = examples.into_iter().unzip();
            let folds = grouped_folds(&labels, &groups, NonZeroU32::new(n).unwrap(), &mut generator(seed)).unwrap();
            for (&group, &fold) in groups.iter().zip(&folds) {
                prop_assert!(groups.iter().zip(&folds).all(|(&other, &found)| other != group || found == fold));
            }
            let in_group = |group| groups.iter().zip(&labels).filter(|&(&other, &label)| other == group && label).count();
            let largest = (0..20).map(in_group).max().expect("twenty groups");
            let positives = tally(&folds, n, |idx| labels[idx]);
            let n_positives: usize = positives.iter().sum();
            prop_assert!(positives.iter().all(|&size| size * n as usize <= n_positives + largest * n as usize));
        }
    }

    /// Each of many classes is dealt separately. For groups, the first class takes the place of the positives.
    #[test]
    fn many_classes_are_dealt_by_themselves() {
        let classes: Vec<ClassId> =
            (0..97).map(|idx| ClassId::new(if idx < 7 { 0 } else { 1 + idx % 3 })).collect();
        let five = NonZeroU32::new(5).unwrap();
        let folds = stratified_folds(&classes, five, &mut generator(4));
        for class in 0..4 {
            assert!(spread(&tally(&folds, 5, |idx| classes[idx].index() == class)) <= 1);
        }
        assert!(spread(&tally(&folds, 5, |_| true)) <= 1);
        let part = stratified_part(&classes, 0.3, &mut generator(4)).unwrap();
        let n_chosen =
            |class: usize| (0..97).filter(|&idx| part[idx] && classes[idx].index() == class).count();
        assert_eq!([0, 1, 2, 3].map(n_chosen), [2, 9, 9, 9]);

        // Groups of three examples of one class each: every fold gets one group of each class.
        let groups: Vec<u32> = (0..36).map(|idx| idx / 3).collect();
        let of_groups: Vec<ClassId> = groups.iter().map(|&group| ClassId::new(group as usize % 3)).collect();
        let folds =
            grouped_folds(&of_groups, &groups, NonZeroU32::new(4).unwrap(), &mut generator(2)).unwrap();
        for class in 0..3 {
            assert_eq!(tally(&folds, 4, |idx| of_groups[idx].index() == class), [3; 4]);
        }
    }
}
