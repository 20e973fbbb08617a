//! The greatest or least number that a variable takes over the proofs of each example.
//!
//! Some binding of an example has `V >= c` exactly where the greatest `V` of all its bindings is at least `c`. So one
//! pass that finds these numbers stands for the covers of all thresholds: [`Extremes::sums`] sweeps over them.
//!
//! In a tree-shaped part the numbers are found for all values of its head variable, from the leaves up: the Boolean
//! semi-join of `semi_join`, with numbers in place of bits. Other parts are proved for one group of examples at a
//! time, through all rows, as every proof counts.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use crate::coverage::Universe;
use crate::datalog::Background;
use gleaner_base::{ConstantId, ExampleSet};
use gleaner_lang::program::{Clause, Threshold};

/// Which of the numbers of an example is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Extreme {
    /// The greatest: it decides `V >= c`.
    Greatest,
    /// The least: it decides `V =< c`.
    Least,
}

impl Extreme {
    /// Whether one number is better than another, by their ids, which ascend with the numbers of a domain.
    pub(super) const fn is_better(self, one: u32, other: u32) -> bool {
        match self {
            Self::Greatest => one > other,
            Self::Least => one < other,
        }
    }

    /// The least for the greatest, and the other way.
    pub(super) const fn other(self) -> Self {
        match self {
            Self::Greatest => Self::Least,
            Self::Least => Self::Greatest,
        }
    }

    pub(super) fn better(self, one: Option<u32>, other: Option<u32>) -> Option<u32> {
        match (one, other) {
            (Some(one), Some(other)) if self.is_better(other, one) => Some(other),
            (None, other) => other,
            (one, _) => one,
        }
    }
}

/// Stands for no number.
pub(super) const NONE: u32 = u32::MAX;

/// The next serial number. Nothing depends on the order in which they are given.
static SERIALS: AtomicU64 = AtomicU64::new(0);

/// The extreme numbers of examples, by position.
#[derive(Debug)]
pub(super) struct ExampleNumbers {
    /// No other numbers of the process have it, not even ones that are forgotten.
    serial: u64,
    /// The id of each position's number, or [`NONE`]. If numbers are equal, such as `1` and `1.0`, it is the first id.
    ids: Box<[u32]>,
    /// The least and the greatest of these ids, if there are any. All ids between them are numbers, ascending: numbers
    /// of one domain are neighbours.
    ends: Option<(u32, u32)>,
    /// The positions with a number, and how many they are.
    known: ExampleSet,
    n_known: usize,
    /// The positions with a number, by it and then ascending, once they were asked for.
    order: OnceLock<Box<[u32]>>,
    bins: OnceLock<Bins>,
}

/// Numbers in bins: ranges of ids.
#[derive(Debug)]
struct Bins {
    /// The bin of each position; [`NO_BIN`] of those without a number.
    of: Box<[u8]>,
    /// The least and the greatest id of each bin.
    ends: Vec<(u32, u32)>,
}

/// Stands for no bin. Each half of the bins is at most 127, and one more begins them: the last is 254.
const NO_BIN: u8 = u8::MAX;

/// A sort of the covered examples is cheaper than a pass over all, where these are so many times more.
const SPARSE: usize = 8;

/// From so many covered examples on, open thresholds lie between bins.
const MANY: usize = 4_096;

impl ExampleNumbers {
    /// No numbers yet.
    pub(super) fn none(n_positions: usize) -> Self {
        Self {
            serial: SERIALS.fetch_add(1, Ordering::Relaxed),
            ids: vec![NONE; n_positions].into_boxed_slice(),
            ends: None,
            known: ExampleSet::empty(n_positions),
            n_known: 0,
            order: OnceLock::new(),
            bins: OnceLock::new(),
        }
    }

    /// Gives a position its number.
    pub(super) fn set(&mut self, position: usize, constant: ConstantId, background: &Background) {
        let id = first_equal(constant, background).raw();
        self.ids[position] = id;
        self.ends = Some(self.ends.map_or((id, id), |(low, high)| (low.min(id), high.max(id))));
        self.known.insert(position);
        self.n_known += 1;
    }

    /// Whether all positions have the same numbers there, so that both may be kept as one.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.ids == other.ids
    }

    /// The positions whose number is at least a constant, or at most.
    ///
    /// **Cost**: one pass over the positions.
    pub(super) fn passing(&self, threshold: Threshold, background: &Background) -> ExampleSet {
        let mut passing = ExampleSet::empty(self.ids.len());
        let (Some((low, high)), Some(bound)) = (self.ends, background.number(threshold.constant)) else {
            return passing;
        };
        let is_below = |id: u32| {
            let order = background.number(ConstantId::from_raw(id)).map(|number| number.compare(bound));
            order.is_some_and(|order| if threshold.is_least { order.is_lt() } else { order.is_le() })
        };
        let ids = low..high + 1;
        let first_above = partition_point(ids.clone(), is_below);
        let ids = if threshold.is_least { first_above..ids.end } else { ids.start..first_above };
        for (word, of_word) in passing.words_mut().iter_mut().zip(self.ids.chunks(64)) {
            *word = of_word.iter().rev().fold(0, |word, id| word << 1 | u64::from(ids.contains(id)));
        }
        passing
    }

    /// The positions with a number, by it and then ascending.
    fn in_order(&self) -> &[u32] {
        self.order.get_or_init(|| {
            let positions =
                self.known.iter().map(|position| u32::try_from(position).expect("positions fit in 32 bits"));
            let mut order: Vec<u32> = positions.collect();
            order.sort_by_key(|&position| self.ids[position as usize]);
            order.into()
        })
    }

    /// The numbers in bins. Half of the bins hold about equally many examples. The other half hold about equally many
    /// positives, which stand before `first_negative`: where these are rare they have bins of their own.
    fn bins(&self, first_negative: usize) -> &Bins {
        self.bins.get_or_init(|| {
            let order = self.in_order();
            let is_positive = |position: u32| usize::from((position as usize) < first_negative);
            let n_positives: usize = order.iter().map(|&position| is_positive(position)).sum();
            let of_half = |n: usize| n.div_ceil(MOST_QUANTILES / 2 - 1).max(1);
            let (most, most_positives) = (of_half(order.len()), of_half(n_positives));
            let mut bins = Bins { of: vec![NO_BIN; self.ids.len()].into_boxed_slice(), ends: Vec::new() };
            let (mut n, mut n_positives) = (most, most_positives);
            for &position in order {
                let id = self.ids[position as usize];
                let is_full = n >= most || n_positives >= most_positives;
                match bins.ends.last_mut() {
                    Some((_, last)) if !is_full || *last == id => *last = id,
                    _ => {
                        bins.ends.push((id, id));
                        (n, n_positives) = (0, 0);
                    }
                }
                bins.of[position as usize] = u8::try_from(bins.ends.len() - 1).unwrap_or(NO_BIN - 1);
                n += 1;
                n_positives += is_positive(position);
            }
            bins
        })
    }

    pub(super) fn n_bytes(&self) -> usize {
        self.ids.len() * 9 + self.known.words().len() * 8
    }
}

/// The first of some ids, ascending, that is not below; the end of all where each is.
fn partition_point(ids: Range<u32>, is_below: impl Fn(u32) -> bool) -> u32 {
    let Range { mut start, mut end } = ids;
    while start < end {
        let middle = start + (end - start) / 2;
        if is_below(middle) { start = middle + 1 } else { end = middle }
    }
    start
}

/// The first of the constants that are this number.
fn first_equal(constant: ConstantId, background: &Background) -> ConstantId {
    let Some(number) = background.number(constant) else { return constant };
    let mut first = constant;
    while let Some(before) = first.index().checked_sub(1).map(ConstantId::new)
        && background.number(before).is_some_and(|before| before.compare(number).is_eq())
    {
        first = before;
    }
    first
}

/// The examples that a body covers, each with the greatest or least number that a variable takes over its proofs.
#[derive(Clone, Debug)]
pub struct Extremes {
    pub(super) extreme: Extreme,
    covered: ExampleSet,
    /// Whether the body covers all examples of its engine, also those without a number.
    covers_all: bool,
    numbers: Arc<ExampleNumbers>,
    /// The first position of a negative.
    first_negative: usize,
}

impl Extremes {
    /// The numbers of the examples that a body covers, of all examples of its engine.
    pub(super) fn new(
        extreme: Extreme,
        covered: &ExampleSet,
        all: &ExampleSet,
        numbers: Arc<ExampleNumbers>,
        universe: &Universe,
    ) -> Self {
        let covers_all = covered == all;
        let mut covered = covered.clone();
        covered.intersect_with(&numbers.known);
        Self { extreme, covered, covers_all, numbers, first_negative: universe.n_positive_words() * 64 }
    }

    /// The numbers in bins, where so many examples of the universe have one that thresholds lie between bins.
    ///
    /// **Cost**: a sort of the examples by their numbers for the first such question; the bins are kept.
    pub fn binned(&self) -> Option<Binned> {
        (self.numbers.n_known >= MANY).then(|| {
            self.numbers.bins(self.first_negative);
            Binned { numbers: Arc::clone(&self.numbers), first_negative: self.first_negative }
        })
    }

    /// Whether the body covers all examples of its engine, also those without a number.
    pub const fn covers_all(&self) -> bool {
        self.covers_all
    }

    /// The examples that the body covers with a number for the variable.
    pub const fn covered(&self) -> &ExampleSet {
        &self.covered
    }

    /// The number nearest to a threshold among those of the covered examples that do not pass it.
    ///
    /// **Cost**: one pass over the examples with a number.
    pub(super) fn nearest_beyond(&self, threshold: ConstantId) -> Option<ConstantId> {
        let ids = self.covered.iter().map(|position| self.numbers.ids[position]);
        let beyond = ids.filter(|&id| self.extreme.is_better(threshold.raw(), id));
        let nearest = match self.extreme {
            Extreme::Greatest => beyond.max(),
            Extreme::Least => beyond.min(),
        };
        nearest.map(ConstantId::from_raw)
    }

    /// The thresholds, from the one that fewest examples pass to the one that all pass. Each comes with the sum, over the
    /// examples that pass it, of what `of` gives for their positions. Every threshold is the number of some example.
    ///
    /// `add` adds to a sum. Sums of floating-point numbers are taken by threshold, ascending by position within each.
    ///
    /// **Cost**: one pass over the examples with a number; with few covered examples, a sort of these instead.
    pub fn sums<T: Clone + Default>(
        &self,
        of: impl Fn(usize) -> T,
        add: impl Fn(&mut T, &T),
    ) -> Vec<(ConstantId, T)> {
        let mut steps: Vec<(ConstantId, T)> = Vec::new();
        let mut last = NONE;
        let mut take = |id: u32, position: usize| {
            if id != last {
                last = id;
                steps.push((ConstantId::from_raw(id), T::default()));
            }
            if let Some((_, sum)) = steps.last_mut() {
                add(sum, &of(position));
            }
        };
        let ids = &self.numbers.ids;
        if self.covered.count() * SPARSE < self.numbers.n_known {
            let mut sorted: Vec<(u32, usize)> =
                self.covered.iter().map(|position| (ids[position], position)).collect();
            sorted.sort_unstable();
            sorted.into_iter().for_each(|(id, position)| take(id, position));
        } else {
            let positions = self.numbers.in_order().iter().map(|&position| position as usize);
            positions
                .filter(|&position| self.covered.contains(position))
                .for_each(|position| take(ids[position], position));
        }
        self.cumulative(steps, add)
    }

    /// Whether so many examples are covered that open thresholds lie between bins.
    pub(super) fn are_many(&self) -> bool {
        self.covered.count() >= MANY
    }

    /// As `sums`, but where many examples are covered only for thresholds between bins of numbers, at most 256.
    pub fn open_sums<T: Clone + Default>(
        &self,
        of: impl Fn(usize) -> T,
        add: impl Fn(&mut T, &T),
    ) -> Vec<(ConstantId, T)> {
        if !self.are_many() {
            return self.sums(of, add);
        }
        let bins = self.numbers.bins(self.first_negative);
        let mut sums: Vec<Option<T>> = vec![None; bins.ends.len()];
        for position in self.covered.iter() {
            let bin = usize::from(bins.of[position]);
            add(sums[bin].get_or_insert_with(T::default), &of(position));
        }
        let id = |&(low, high): &(u32, u32)| if self.extreme == Extreme::Greatest { low } else { high };
        let steps = bins.ends.iter().zip(sums);
        let steps = steps.filter_map(|(ends, sum)| Some((ConstantId::from_raw(id(ends)), sum?)));
        self.cumulative(steps.collect(), add)
    }

    /// The sums of steps by ascending numbers, each with those of the tighter thresholds, which come first.
    fn cumulative<T: Clone + Default>(
        &self,
        mut steps: Vec<(ConstantId, T)>,
        add: impl Fn(&mut T, &T),
    ) -> Vec<(ConstantId, T)> {
        if self.extreme == Extreme::Greatest {
            steps.reverse();
        }
        let mut so_far = T::default();
        for (_, sum) in &mut steps {
            add(&mut so_far, sum);
            sum.clone_from(&so_far);
        }
        steps
    }
}

/// Numbers of many examples in bins, at most 255: ranges of numbers. Sums over a set of examples are taken once for both
/// directions of a threshold, and for all thresholds that lie between bins.
#[derive(Clone, Debug)]
pub struct Binned {
    numbers: Arc<ExampleNumbers>,
    first_negative: usize,
}

/// A sum for each bin. The last is that of the examples without a number.
pub type BinSums<const N: usize> = Box<[[i64; N]; 1 << u8::BITS]>;

impl Binned {
    /// What tells these numbers from all others, also from those that a full store has forgotten: an address would be
    /// given again.
    pub fn key(&self) -> u64 {
        self.numbers.serial
    }

    /// The sums of some examples' terms by bins. Whole numbers add up to the same in any order.
    ///
    /// **Shape**: `terms` has one entry for each of `positions`. **Cost**: one pass over the examples.
    pub fn sums<const N: usize>(&self, positions: &[u32], terms: &[[i64; N]]) -> BinSums<N> {
        let mut sums = Box::new([[0; N]; 1 << u8::BITS]);
        let bins = self.numbers.bins(self.first_negative);
        for (&position, term) in positions.iter().zip(terms) {
            let sum = &mut sums[usize::from(bins.of[position as usize])];
            sum.iter_mut().zip(term).for_each(|(sum, term)| *sum += term);
        }
        sums
    }

    /// The thresholds between bins, from the one that fewest examples pass to the one that all pass; each with the number
    /// of the bin that it adds to those before.
    pub fn thresholds(&self, extreme: Extreme) -> impl Iterator<Item = (usize, ConstantId)> + '_ {
        let ends = &self.numbers.bins(self.first_negative).ends;
        (0..ends.len()).map(move |nth| match extreme {
            Extreme::Greatest => (ends.len() - 1 - nth, ConstantId::from_raw(ends[ends.len() - 1 - nth].0)),
            Extreme::Least => (nth, ConstantId::from_raw(ends[nth].1)),
        })
    }
}

/// Whether each step of a sweep is at a quantile, where `count` counts what its sum holds: of `n` in all there are as
/// many quantiles as the square root of `n`, at most 256. The last step is always one.
///
/// Few thresholds fit noise less than all do. They lie where the counted examples are, so that rare ones at an end have
/// thresholds among them.
pub fn at_quantiles<T>(steps: &[(ConstantId, T)], count: impl Fn(&T) -> usize) -> Vec<bool> {
    let n_all = steps.last().map_or(0, |(_, sum)| count(sum));
    let n_quantiles = n_all.isqrt().clamp(1, MOST_QUANTILES);
    let mut last = 0;
    let mut is_kept: Vec<bool> = steps
        .iter()
        .map(|(_, sum)| {
            let quantile = count(sum) * n_quantiles / n_all.max(1);
            std::mem::replace(&mut last, quantile) < quantile
        })
        .collect();
    if let Some(is_kept) = is_kept.last_mut() {
        *is_kept = true;
    }
    is_kept
}

/// Keeps the steps of a sweep that are at quantiles.
pub fn keep_quantiles<T>(steps: &mut Vec<(ConstantId, T)>, count: impl Fn(&T) -> usize) {
    let mut is_kept = at_quantiles(steps, count).into_iter();
    steps.retain(|_| is_kept.next().unwrap_or(true));
}

/// As many bins as gradient-boosted trees use.
const MOST_QUANTILES: usize = 256;

/// The question whose answer a store keeps: a part, canonical, with its interface and then the variable as its head; the
/// head arguments that hold the interface; and which number.
pub(super) type NumbersKey = (Clause, u64, Extreme);

#[cfg(test)]
mod tests {
    use super::ExampleNumbers;

    /// Numbers that are made after others were forgotten often get their address, but never their serial number.
    #[test]
    fn forgotten_numbers_lend_no_one_their_key() {
        let serials = (0..100).map(|_| ExampleNumbers::none(8).serial);
        let mut distinct: Vec<u64> = serials.collect();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), 100);
    }
}
