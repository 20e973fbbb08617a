//! Groups of a universe's examples that agree in their world and in some arguments.
//!
//! A universe's examples can also be [`Pairs`]: a source, which is a group by some arguments, and the value of one
//! more argument, the target.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use crate::relation::LinkWord;
use gleaner_base::{BitGather, ConstantId, ExampleId, ExampleSet, WorldId};
use gleaner_lang::program::Examples;

/// Groups of examples that agree in their world and in some arguments, the *key*.
///
/// **Shape**: each position that holds an example is in one group; groups of a world are neighbours.
#[derive(Debug)]
pub struct Groups {
    /// How many arguments make a key.
    n_arguments: usize,
    /// The keys of the groups in order, one after the other.
    keys: Vec<ConstantId>,
    worlds: Vec<(WorldId, Range<usize>)>,
    members: Members,
    /// For each position, the place of its key in a set of constants, to look up whole words.
    constants: OnceLock<BitGather>,
}

/// The positions in each group.
#[derive(Debug)]
enum Members {
    /// One position in each group: a position's number is its group's, so neither needs a look-up.
    Alone,
    Runs {
        /// The positions of each group, as runs of neighbours: the first position and the length.
        runs: Vec<(u32, u32)>,
        /// Where each group's runs begin, and where the last one's end.
        run_starts: Vec<u32>,
        /// The group of each position; `u32::MAX` for padding.
        group_of: Vec<u32>,
    },
}

/// An example's world, the values it is grouped by, and its position.
type Keyed<K> = (WorldId, K, u32);

/// The positions that hold an example, ascending, each with its example.
pub(super) fn held(positions: &[Option<ExampleId>]) -> impl Iterator<Item = (usize, ExampleId)> + '_ {
    positions.iter().enumerate().filter_map(|(position, example)| example.map(|id| (position, id)))
}

impl Groups {
    /// The examples at some positions grouped by world and by the values of the arguments in
    /// `argument_mask` (bit `i` is argument `i`). Cost: `O(n log n)`.
    pub(super) fn new(examples: &Examples, positions: &[Option<ExampleId>], argument_mask: u64) -> Self {
        let arguments: Vec<usize> =
            (0..examples.arity()).filter(|&argument| argument_mask >> argument & 1 == 1).collect();
        // Few arguments stand side by side, so that sorting reads no memory but the list.
        match *arguments {
            [a] => Self::by_key(examples, positions, 1, |values| [values[a]]),
            [a, b] => Self::by_key(examples, positions, 2, |values| [values[a], values[b]]),
            [a, b, c] => Self::by_key(examples, positions, 3, |values| [values[a], values[b], values[c]]),
            _ => {
                let key = |values: &[ConstantId]| arguments.iter().map(|&at| values[at]).collect::<Vec<_>>();
                Self::by_key(examples, positions, arguments.len(), key)
            }
        }
    }

    /// The groups by a key of an example's arguments.
    fn by_key<K: Ord + AsRef<[ConstantId]>>(
        examples: &Examples,
        positions: &[Option<ExampleId>],
        n_arguments: usize,
        key: impl Fn(&[ConstantId]) -> K,
    ) -> Self {
        let keyed = |(position, id)| (examples.world(id), key(examples.arguments(id)), narrow(position));
        let mut keyed: Vec<Keyed<K>> = held(positions).map(keyed).collect();
        keyed.sort_unstable();
        let agree = |left: &Keyed<K>, right: &Keyed<K>| (left.0, &left.1) == (right.0, &right.1);
        let is_one_world = keyed.first().map(|first| first.0) == keyed.last().map(|last| last.0);
        // The keys of one argument must stay in order, as they are looked up by value.
        if n_arguments > 1 && is_one_world && keyed.windows(2).all(|pair| !agree(&pair[0], &pair[1])) {
            return Self::alone(&keyed, n_arguments, positions.len());
        }
        let (mut keys, mut worlds): (Vec<ConstantId>, Vec<(WorldId, Range<usize>)>) = Default::default();
        let (mut runs, mut run_starts): (Vec<(u32, u32)>, Vec<u32>) = Default::default();
        let mut group_of = vec![u32::MAX; positions.len()];
        for (group, members) in keyed.chunk_by(agree).enumerate() {
            let (world, key, _) = &members[0];
            match worlds.last_mut() {
                Some((last, range)) if last == world => range.end += 1,
                _ => worlds.push((*world, group..group + 1)),
            }
            keys.extend_from_slice(key.as_ref());
            run_starts.push(narrow(runs.len()));
            let is_next = |left: &Keyed<K>, right: &Keyed<K>| left.2 + 1 == right.2;
            runs.extend(members.chunk_by(is_next).map(|run| (run[0].2, narrow(run.len()))));
            members.iter().for_each(|&(_, _, position)| group_of[position as usize] = narrow(group));
        }
        run_starts.push(narrow(runs.len()));
        let members = Members::Runs { runs, run_starts, group_of };
        Self { n_arguments, keys, worlds, members, constants: OnceLock::new() }
    }

    /// The groups of examples of one world that all differ.
    fn alone<K: AsRef<[ConstantId]>>(keyed: &[Keyed<K>], n_arguments: usize, n_positions: usize) -> Self {
        let mut keys = vec![ConstantId::default(); n_positions * n_arguments];
        for (_, key, position) in keyed {
            keys[*position as usize * n_arguments..][..n_arguments].copy_from_slice(key.as_ref());
        }
        let worlds = keyed.first().map(|first| (first.0, 0..n_positions));
        Self {
            n_arguments,
            keys,
            worlds: worlds.into_iter().collect(),
            members: Members::Alone,
            constants: OnceLock::new(),
        }
    }

    /// How many arguments make a key.
    pub const fn n_arguments(&self) -> usize {
        self.n_arguments
    }

    /// How many groups there are, padding included where each position is a group.
    pub fn len(&self) -> usize {
        self.worlds.last().map_or(0, |(_, range)| range.end)
    }

    /// Whether there is no example.
    pub fn is_empty(&self) -> bool {
        self.worlds.is_empty()
    }

    /// The group of the example at a position.
    ///
    /// # Panics
    ///
    /// When there is no such position.
    pub fn group_at(&self, position: usize) -> usize {
        match &self.members {
            Members::Alone => position,
            Members::Runs { group_of, .. } => group_of[position] as usize,
        }
    }

    /// The world of a group's examples.
    ///
    /// # Panics
    ///
    /// When there is no such group.
    pub fn world(&self, group: usize) -> WorldId {
        if let [(world, _)] = *self.worlds {
            return world;
        }
        self.worlds[self.worlds.partition_point(|(_, range)| range.end <= group)].0
    }

    /// The groups of each world, as numbers.
    pub fn by_world(&self) -> impl ExactSizeIterator<Item = (WorldId, Range<usize>)> + '_ {
        self.worlds.iter().cloned()
    }

    /// The keys of groups by one argument, ascending within a world.
    pub fn keys(&self) -> &[ConstantId] {
        &self.keys
    }

    /// Adds the positions of a group to a set over the universe.
    pub fn insert_into(&self, group: usize, set: &mut ExampleSet) {
        match &self.members {
            Members::Alone => set.insert(group),
            Members::Runs { runs, run_starts, .. } => {
                for &(start, len) in &runs[run_starts[group] as usize..run_starts[group + 1] as usize] {
                    set.insert_run(start as usize, len as usize);
                }
            }
        }
    }

    /// Calls `visit` for each position of a group, ascending.
    pub(super) fn visit(&self, group: usize, mut visit: impl FnMut(usize)) {
        match &self.members {
            Members::Alone => visit(group),
            Members::Runs { runs, run_starts, .. } => {
                for &(start, len) in &runs[run_starts[group] as usize..run_starts[group + 1] as usize] {
                    (start as usize..start as usize + len as usize).for_each(&mut visit);
                }
            }
        }
    }

    /// The positions whose key is in a set, where groups are by one argument and in one world. `words` are the words of
    /// the set's bits, from `first_word` on. Cost: one pass over the positions, about half a cycle each.
    pub fn positions_with(&self, first_word: usize, words: &[u64]) -> ExampleSet {
        let n_positions = match &self.members {
            Members::Alone => self.keys.len(),
            Members::Runs { group_of, .. } => group_of.len(),
        };
        let constants = self.constants.get_or_init(|| {
            let key = |position: usize| self.keys.get(self.group_at(position)).map(|key| key.raw());
            BitGather::new(&(0..n_positions).map(key).collect::<Vec<Option<u32>>>())
        });
        let mut positions = ExampleSet::full(n_positions);
        constants.retain(positions.words_mut(), first_word, words);
        positions
    }

    /// The values of the grouping arguments.
    ///
    /// # Panics
    ///
    /// When there is no such group.
    pub fn key(&self, group: usize) -> &[ConstantId] {
        &self.keys[group * self.n_arguments..(group + 1) * self.n_arguments]
    }
}

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
    pub const fn sources(&self) -> &Arc<Groups> {
        &self.sources
    }

    /// How many slots there are.
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
    u32::try_from(n).expect("positions fit in 32 bits, and groups, runs, sources and slots are no more")
}
