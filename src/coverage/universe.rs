//! The examples that coverage sets range over, and their groups by shared arguments.

use std::sync::{Arc, Mutex};

use crate::base::{ConstantId, ExampleId, ExampleSet, FixedMap, WorldId};
use crate::program::Examples;

/// A choice of examples, each at a position: positives first, padded to a whole word, then negatives.
///
/// Positives and negatives never share a word, so that true and false positives are counts over two
/// ranges of words, and a search may leave the second out.
///
/// **Shape**: `len` positions, of which `n_positives + n_negatives` hold an example.
#[derive(Debug)]
pub struct Universe {
    examples: Arc<Examples>,
    positions: Vec<Option<ExampleId>>,
    n_positives: usize,
    n_negatives: usize,
    n_positive_words: usize,
    groups: Mutex<FixedMap<u64, Arc<Groups>>>,
}

impl Universe {
    /// The universe of these examples, in their canonical order within each class.
    #[must_use]
    pub fn new(examples: Arc<Examples>, chosen: &[ExampleId]) -> Self {
        let (positives, negatives): (Vec<ExampleId>, Vec<ExampleId>) =
            chosen.iter().partition(|&&id| examples.is_positive(id));
        let n_positive_words = positives.len().div_ceil(64);
        let mut positions: Vec<Option<ExampleId>> = positives.iter().copied().map(Some).collect();
        positions.resize(n_positive_words * 64, None);
        positions.extend(negatives.iter().copied().map(Some));
        Self {
            examples,
            positions,
            n_positives: positives.len(),
            n_negatives: negatives.len(),
            n_positive_words,
            groups: Mutex::new(FixedMap::default()),
        }
    }

    /// All examples of the problem, of which the universe holds some.
    #[must_use]
    pub const fn examples(&self) -> &Arc<Examples> {
        &self.examples
    }

    /// The number of positions, padding included.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there is no example.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// How many positives there are: `P`.
    #[must_use]
    pub const fn n_positives(&self) -> usize {
        self.n_positives
    }

    /// How many negatives there are: `N`.
    #[must_use]
    pub const fn n_negatives(&self) -> usize {
        self.n_negatives
    }

    /// How many leading words hold the positives.
    #[must_use]
    pub const fn n_positive_words(&self) -> usize {
        self.n_positive_words
    }

    /// The example at a position; `None` for padding.
    #[must_use]
    pub fn example(&self, position: usize) -> Option<ExampleId> {
        self.positions[position]
    }

    /// The positions that hold an example, ascending, with it.
    pub fn iter(&self) -> impl Iterator<Item = (usize, ExampleId)> + '_ {
        self.positions.iter().enumerate().filter_map(|(position, example)| example.map(|id| (position, id)))
    }

    /// The positives, ascending.
    pub fn positives(&self) -> impl Iterator<Item = ExampleId> + '_ {
        self.positions[..self.n_positives].iter().copied().flatten()
    }

    /// True and false positives of a set over this universe.
    #[must_use]
    pub fn counts(&self, set: &ExampleSet) -> (usize, usize) {
        set.count_split(self.n_positive_words)
    }

    /// The examples grouped by world and by the values of the arguments in `argument_mask` (bit `i` is
    /// argument `i`). Made at the first call and kept. Cost then: `O(n log n)`.
    ///
    /// # Panics
    ///
    /// When another thread panicked while it made groups.
    #[must_use]
    pub fn groups(&self, argument_mask: u64) -> Arc<Groups> {
        let mut groups = self.groups.lock().expect("no thread panics while it holds the lock");
        Arc::clone(groups.entry(argument_mask).or_insert_with(|| Arc::new(self.make_groups(argument_mask))))
    }

    fn make_groups(&self, argument_mask: u64) -> Groups {
        let arguments: Vec<usize> =
            (0..self.examples.arity()).filter(|&argument| argument_mask >> argument & 1 == 1).collect();
        let mut keyed: Vec<(WorldId, Vec<ConstantId>, usize)> = self
            .iter()
            .map(|(position, id)| {
                let values = self.examples.arguments(id);
                (
                    self.examples.world(id),
                    arguments.iter().map(|&argument| values[argument]).collect(),
                    position,
                )
            })
            .collect();
        keyed.sort_unstable();
        let mut groups = Groups {
            arguments,
            keys: Vec::new(),
            entries: Vec::new(),
            positions: Vec::with_capacity(keyed.len()),
            group_of: vec![u32::MAX; self.len()],
        };
        for (world, key, position) in keyed {
            let is_known = groups.entries.last().is_some_and(|last| last.world == world)
                && groups.key(groups.entries.len() - 1) == key;
            if !is_known {
                let start = groups.positions.len();
                groups.keys.extend(key);
                groups.entries.push(Entry { world, start, end: start });
            }
            groups.positions.push(u32::try_from(position).expect("positions fit in 32 bits"));
            groups.group_of[position] = u32::try_from(groups.entries.len() - 1)
                .expect("fewer groups than positions, which fit in 32 bits");
            if let Some(last) = groups.entries.last_mut() {
                last.end += 1;
            }
        }
        groups
    }
}

/// Examples by what they agree in: their world and some arguments.
///
/// **Shape**: each position that holds an example is in one group.
#[derive(Debug)]
pub struct Groups {
    /// The arguments that make the key.
    arguments: Vec<usize>,
    /// The keys of the groups in order, one after the other.
    keys: Vec<ConstantId>,
    entries: Vec<Entry>,
    positions: Vec<u32>,
    /// The group of each position; `u32::MAX` for padding.
    group_of: Vec<u32>,
}

#[derive(Debug)]
struct Entry {
    world: WorldId,
    start: usize,
    end: usize,
}

/// Examples that agree in world and key.
#[derive(Clone, Copy, Debug)]
pub struct Group<'groups> {
    /// Their world.
    pub world: WorldId,
    /// The values of the grouping arguments.
    pub key: &'groups [ConstantId],
    /// Their positions, ascending.
    pub positions: &'groups [u32],
}

impl Groups {
    /// The arguments that make the key, ascending.
    #[must_use]
    pub fn arguments(&self) -> &[usize] {
        &self.arguments
    }

    /// The group of the example at a position.
    ///
    /// # Panics
    ///
    /// When the position holds no example.
    #[must_use]
    pub fn group_at(&self, position: usize) -> Group<'_> {
        let group = self.group_of[position] as usize;
        let entry = &self.entries[group];
        let positions = &self.positions[entry.start..entry.end];
        Group { world: entry.world, key: self.key(group), positions }
    }

    /// The positions of the groups that a test admits, given the world's index and the key, as a subset
    /// of `0..n_positions`. Cost: a test for each group, then a visit of the admitted positions, or of
    /// all where many are.
    #[must_use]
    pub fn cover_of(
        &self,
        n_positions: usize,
        is_admitted: impl Fn(usize, &[ConstantId]) -> bool,
    ) -> ExampleSet {
        let mut admitted = ExampleSet::empty(self.entries.len());
        let mut n_admitted = 0;
        for (group, entry) in self.entries.iter().enumerate() {
            if is_admitted(entry.world.index(), self.key(group)) {
                admitted.insert(group);
                n_admitted += entry.end - entry.start;
            }
        }
        let mut cover = ExampleSet::empty(n_positions);
        if n_admitted * 4 < n_positions {
            for entry in admitted.iter().map(|group| &self.entries[group]) {
                for &position in &self.positions[entry.start..entry.end] {
                    cover.insert(position as usize);
                }
            }
            return cover;
        }
        for (word, groups) in self.group_of.chunks(64).enumerate() {
            let is_admitted = |group: u32| group != u32::MAX && admitted.contains(group as usize);
            let bits = groups.iter().rev().fold(0, |bits, &group| bits << 1 | u64::from(is_admitted(group)));
            cover.set_word(word, bits);
        }
        cover
    }

    fn key(&self, group: usize) -> &[ConstantId] {
        let width = self.arguments.len();
        &self.keys[group * width..(group + 1) * width]
    }
}
