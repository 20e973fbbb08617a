//! The examples of a universe as pairs: a source, which is a group by some arguments, and the value of one more
//! argument, the target.

use std::sync::Arc;

use crate::relation::LinkWord;
use gleaner_base::{BitGather, ExampleId, ExampleSet};
use gleaner_lang::program::Examples;

use super::groups::{Groups, held};

/// Sources, which are groups by some arguments, and the words of target constants that one more argument
/// has beside each.
///
/// **Shape**: a *slot* for each source and each word of its targets, those of a source side by side.
///
/// **Memory**: 8 bytes for each slot, 4 for each source, up to 6 for each position.
#[derive(Debug)]
pub struct Pairs {
    sources: Arc<Groups>,
    /// Where the slots of each source begin, and where the last one's end.
    starts: Vec<u32>,
    /// The word of each slot.
    words: Vec<u32>,
    /// For each position the bit of its target in its slot.
    bits: BitGather,
}

impl Pairs {
    /// The examples at some positions, by their groups and by one more argument. `None` where they have too many
    /// targets for positions of 31 bits. Cost: `O(n log n)`.
    pub(super) fn new(
        examples: &Examples,
        positions: &[Option<ExampleId>],
        sources: Arc<Groups>,
        target: usize,
    ) -> Option<Self> {
        let target_of = |id| examples.arguments(id)[target].raw();
        let mut slots: Vec<(u32, u32)> = held(positions)
            .map(|(position, id)| (narrow(sources.group_at(position)), target_of(id) / 64))
            .collect();
        slots.sort_unstable();
        slots.dedup();
        if slots.len() >= 1 << 25 {
            return None;
        }
        let mut bits = vec![None; positions.len()];
        for (position, id) in held(positions) {
            let (source, target) = (narrow(sources.group_at(position)), target_of(id));
            let slot = slots.binary_search(&(source, target / 64)).ok()?;
            bits[position] = Some(narrow(slot) * 64 + target % 64);
        }
        let n_before = |source: usize| slots.partition_point(|&(known, _)| (known as usize) < source);
        let starts = (0..=sources.len()).map(|source| narrow(n_before(source))).collect();
        let words = slots.into_iter().map(|(_, word)| word).collect();
        Some(Self { sources, starts, words, bits: BitGather::new(&bits) })
    }

    /// The groups of examples that have the same source.
    #[must_use]
    pub const fn sources(&self) -> &Arc<Groups> {
        &self.sources
    }

    /// How many slots there are.
    #[must_use]
    pub const fn n_slots(&self) -> usize {
        self.words.len()
    }

    /// Adds targets of a source to the words of the slots; words that no example has are left out.
    #[inline]
    pub fn add(&self, source: usize, targets: LinkWord, slots: &mut [u64]) {
        let of_source = self.starts[source] as usize..self.starts[source + 1] as usize;
        let words = self.words[of_source.clone()].iter().zip(&mut slots[of_source]);
        words.filter(|(word, _)| **word == targets.word).for_each(|(_, bits)| *bits |= targets.bits);
    }

    /// Keeps those positions whose target is in the word of its slot.
    pub fn retain(&self, positions: &mut ExampleSet, slots: &[u64]) {
        self.bits.retain(positions.words_mut(), 0, slots);
    }
}

fn narrow(n: usize) -> u32 {
    u32::try_from(n).expect("positions fit in 32 bits, and sources and slots are no more")
}
