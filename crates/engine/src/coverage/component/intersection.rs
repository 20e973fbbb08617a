//! Counts of intersections of covers, and sums of weights over them, begun from the parts that a search's neighbours
//! share.
//!
//! A search looks at many clauses in a row that differ in one part. The intersection of the parts that they share
//! (the *base*) is kept for a while, without the blocks in which it has no example. A neighbour's counts then need
//! only its one other part, in the blocks that are left.

use std::ops::Range;

use gleaner_base::{Counts, ExampleSet, ExampleWeights, WeightSum};

use super::store::PartialCover;

/// A number of examples, and the sum of their weights.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mass {
    /// How many examples there are.
    pub n: usize,
    /// The sum of their weights.
    pub weight: f64,
}

/// The positives and the negatives that a clause covers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Weighed {
    /// Positives.
    pub positives: Mass,
    /// Negatives.
    pub negatives: Mass,
}

impl Weighed {
    /// Adds other examples.
    pub fn add(&mut self, other: &Self) {
        for (of, more) in [(&mut self.positives, other.positives), (&mut self.negatives, other.negatives)] {
            of.n += more.n;
            of.weight += more.weight;
        }
    }

    /// The numbers of examples.
    pub const fn counts(&self) -> Counts {
        Counts { true_positives: self.positives.n, false_positives: self.negatives.n }
    }
}

/// The weights of examples.
pub(super) trait Weighing: Copy {
    /// The weight of a set's positions in a range of words.
    fn words(self, set: &ExampleSet, range: Range<usize>) -> f64;

    /// The weight of the positions that are also in the set whose first words these are.
    fn common(self, set: &ExampleSet, first_words: &[u64]) -> f64;

    /// The weight of the positions that are also in blocks of eight words.
    fn common_blocks(self, set: &ExampleSet, blocks: &[(u32, [u64; 8])]) -> f64;

    /// Adds the weight of some positions, ascending, to a sum.
    fn add(self, sum: &mut WeightSum, positions: &[usize]);
}

/// Examples are counted, not weighed: every sum is 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unweighed;

impl Weighing for Unweighed {
    fn words(self, _set: &ExampleSet, _range: Range<usize>) -> f64 {
        0.0
    }

    fn common(self, _set: &ExampleSet, _first_words: &[u64]) -> f64 {
        0.0
    }

    fn common_blocks(self, _set: &ExampleSet, _blocks: &[(u32, [u64; 8])]) -> f64 {
        0.0
    }

    fn add(self, _sum: &mut WeightSum, _positions: &[usize]) {}
}

impl Weighing for &ExampleWeights {
    fn words(self, set: &ExampleSet, range: Range<usize>) -> f64 {
        self.sum_words(set, range)
    }

    fn common(self, set: &ExampleSet, first_words: &[u64]) -> f64 {
        self.sum_common(set, first_words)
    }

    fn common_blocks(self, set: &ExampleSet, blocks: &[(u32, [u64; 8])]) -> f64 {
        self.sum_common_blocks(set, blocks)
    }

    fn add(self, sum: &mut WeightSum, positions: &[usize]) {
        positions.iter().for_each(|&position| sum.add(self, position));
    }
}

/// Bases kept. An expanded clause has one base for each part that one more literal may change.
const N_BASES: usize = 8;

/// The parts that recent clauses shared, with their intersections.
#[derive(Debug, Default)]
pub(super) struct Bases {
    /// The bases, the last used first.
    bases: Vec<Base>,
    /// Sets of parts that recent clauses may share and that are no bases yet. The next clause with such a set makes it
    /// a base.
    asked: Vec<Box<[usize]>>,
}

#[derive(Debug)]
struct Base {
    /// Ascending.
    parts: Box<[usize]>,
    positives: Box<[u64]>,
    n_positives: usize,
    /// The first words of the blocks of negatives that hold an example, and the blocks.
    blocks: Vec<(u32, [u64; 8])>,
    n_negatives: usize,
}

/// The way to find a clause's counts.
pub(super) enum Shared {
    /// The base at this position holds all its parts but this one.
    Base(usize, usize),
    /// All parts have to be intersected.
    None,
    /// These parts, all but one of the clause's, should become a base; the last field is the other part.
    New(Box<[usize]>, usize),
}

impl Bases {
    /// Forgets all bases, because parts have new numbers.
    pub(super) fn clear(&mut self) {
        self.bases.clear();
        self.asked.clear();
    }

    /// Finds a base for a clause of these parts, ascending; `newest` is most likely the one that
    /// others do not share.
    pub(super) fn find(&mut self, parts: &[usize], newest: usize) -> Shared {
        for (position, base) in self.bases.iter().enumerate() {
            if let Some(other) = only_other(parts, &base.parts) {
                let base = self.bases.remove(position);
                self.bases.insert(0, base);
                return Shared::Base(0, other);
            }
        }
        let shared: Box<[usize]> = parts.iter().copied().filter(|&part| part != newest).collect();
        if let Some(position) = self.asked.iter().position(|asked| *asked == shared) {
            return Shared::New(self.asked.swap_remove(position), newest);
        }
        self.asked.truncate(N_BASES - 1);
        self.asked.insert(0, shared);
        Shared::None
    }

    /// Keeps the intersection of some parts as a base, and drops the base unused for longest if there are too many.
    pub(super) fn keep(&mut self, parts: Box<[usize]>, intersection: &ExampleSet, n_positive_words: usize) {
        let (positives, negatives) = intersection.words().split_at(n_positive_words);
        let blocks = negatives.chunks(8).zip((n_positive_words..).step_by(8)).filter_map(|(words, start)| {
            let mut block = [0; 8];
            block[..words.len()].copy_from_slice(words);
            let start = u32::try_from(start).expect("positions fit in 32 bits");
            (block != [0; 8]).then_some((start, block))
        });
        let (n_positives, n_negatives) = intersection.count_split(n_positive_words);
        let positives = positives.into();
        let base = Base { parts, positives, n_positives, blocks: blocks.collect(), n_negatives };
        self.bases.truncate(N_BASES - 1);
        self.bases.insert(0, base);
    }

    /// How many examples a base has.
    pub(super) fn n_examples(&self, base: usize) -> usize {
        self.bases[base].n_positives + self.bases[base].n_negatives
    }

    /// The positions of a base's positives, ascending.
    pub(super) fn positives(&self, base: usize) -> Vec<usize> {
        bits(self.bases[base].positives.iter().copied().zip(0..))
    }

    /// The positions of a base's negatives, ascending.
    pub(super) fn negatives(&self, base: usize) -> Vec<usize> {
        let blocks = self.bases[base].blocks.iter();
        bits(blocks.flat_map(|(start, block)| block.iter().copied().zip(*start as usize..)))
    }

    /// The number and weight of the examples in a base and one more cover. `None` when the positives are not wanted.
    pub(super) fn measure<W: Weighing>(
        &self,
        base: usize,
        cover: &ExampleSet,
        weighing: W,
        is_wanted: &dyn Fn(Mass) -> bool,
    ) -> Option<Weighed> {
        let base = &self.bases[base];
        let n = cover.count_common(&base.positives);
        let positives = Mass { n, weight: weighing.common(cover, &base.positives) };
        is_wanted(positives).then(|| {
            let n = cover.count_common_blocks(&base.blocks);
            let negatives = Mass { n, weight: weighing.common_blocks(cover, &base.blocks) };
            Weighed { positives, negatives }
        })
    }

    /// As `measure`, with a partial cover; the outer `None` means that the cover is not known on all of the base.
    pub(super) fn measure_known<W: Weighing>(
        &self,
        base: usize,
        partial: &PartialCover,
        weighing: W,
        is_wanted: &dyn Fn(Mass) -> bool,
    ) -> Option<Option<Weighed>> {
        let of_base = &self.bases[base];
        if partial.known.count_common(&of_base.positives) < of_base.n_positives {
            return None;
        }
        let n = partial.covered.count_common(&of_base.positives);
        let positives = Mass { n, weight: weighing.common(&partial.covered, &of_base.positives) };
        if !is_wanted(positives) {
            return Some(None);
        }
        if partial.known.count_common_blocks(&of_base.blocks) < of_base.n_negatives {
            return None;
        }
        let n = partial.covered.count_common_blocks(&of_base.blocks);
        let negatives = Mass { n, weight: weighing.common_blocks(&partial.covered, &of_base.blocks) };
        Some(Some(Weighed { positives, negatives }))
    }
}

/// The one part that `parts` has beyond those of `base`; `None` where they differ in another way. Both ascend.
fn only_other(parts: &[usize], base: &[usize]) -> Option<usize> {
    if parts.len() != base.len() + 1 {
        return None;
    }
    let n_same = parts.iter().zip(base).take_while(|(part, known)| part == known).count();
    (parts[n_same + 1..] == base[n_same..]).then(|| parts[n_same])
}

/// The positions of the bits in words, which come with their numbers.
fn bits(words: impl Iterator<Item = (u64, usize)>) -> Vec<usize> {
    let mut positions = Vec::new();
    for (mut rest, word) in words {
        while rest != 0 {
            positions.push(word * 64 + rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }
    positions
}
