//! The examples that coverage sets range over, and their groups by shared arguments.

use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock};

use crate::base::{BitGather, ConstantId, ExampleId, ExampleSet, FixedMap, WorldId};
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
                let key = arguments.iter().map(|&argument| values[argument]).collect();
                (self.examples.world(id), key, position)
            })
            .collect();
        keyed.sort_unstable();
        let mut groups = Groups {
            n_arguments: arguments.len(),
            keys: Vec::new(),
            worlds: Vec::new(),
            runs: Vec::new(),
            run_starts: Vec::new(),
            group_of: vec![u32::MAX; self.len()],
            constants: OnceLock::new(),
        };
        let mut last = None;
        for (world, key, position) in keyed {
            let is_known = last.as_ref().is_some_and(|(last, known)| (*last, known) == (world, &key));
            if !is_known {
                let group = groups.len();
                match groups.worlds.last_mut() {
                    Some((last, range)) if *last == world => range.end += 1,
                    _ => groups.worlds.push((world, group..group + 1)),
                }
                groups.keys.extend_from_slice(&key);
                groups.run_starts.push(narrow(groups.runs.len()));
            }
            let at = narrow(position);
            match groups.runs.last_mut() {
                Some((start, len)) if is_known && *start + *len == at => *len += 1,
                _ => groups.runs.push((at, 1)),
            }
            groups.group_of[position] = narrow(groups.len() - 1);
            last = Some((world, key));
        }
        groups.run_starts.push(narrow(groups.runs.len()));
        groups
    }
}

fn narrow(position: usize) -> u32 {
    u32::try_from(position).expect("positions fit in 32 bits, and groups and runs are no more")
}

/// Examples by what they agree in: their world and some arguments.
///
/// **Shape**: each position that holds an example is in one group; groups of a world are neighbours.
#[derive(Debug)]
pub struct Groups {
    /// How many arguments make a key.
    n_arguments: usize,
    /// The keys of the groups in order, one after the other.
    keys: Vec<ConstantId>,
    /// The positions of each group, as runs of neighbours: first and number.
    runs: Vec<(u32, u32)>,
    /// Where each group's runs begin, and where the last one's end.
    run_starts: Vec<u32>,
    worlds: Vec<(WorldId, Range<usize>)>,
    /// The group of each position; `u32::MAX` for padding.
    group_of: Vec<u32>,
    /// Where in a set of constants the key of each position is, for look-ups of whole words.
    constants: OnceLock<BitGather>,
}

impl Groups {
    /// How many groups there are.
    fn len(&self) -> usize {
        self.worlds.last().map_or(0, |(_, range)| range.end)
    }

    /// The group of the example at a position.
    ///
    /// # Panics
    ///
    /// When there is no such position.
    #[must_use]
    pub fn group_at(&self, position: usize) -> usize {
        self.group_of[position] as usize
    }

    /// The world of a group's examples.
    ///
    /// # Panics
    ///
    /// When there is no such group.
    #[must_use]
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
    #[must_use]
    pub fn keys(&self) -> &[ConstantId] {
        &self.keys
    }

    /// Adds the positions of a group to a set over the universe.
    pub fn insert_into(&self, group: usize, set: &mut ExampleSet) {
        let runs = self.run_starts[group] as usize..self.run_starts[group + 1] as usize;
        for &(start, len) in &self.runs[runs] {
            set.insert_run(start as usize, len as usize);
        }
    }

    /// The positions of one world's groups, by one argument, whose key is in a set: the words of its
    /// bits from `first_word` on. Cost: one pass over the positions, about half a cycle each.
    #[must_use]
    pub fn positions_with(&self, first_word: usize, words: &[u64]) -> ExampleSet {
        let constants = self.constants.get_or_init(|| {
            let key = |&group: &u32| self.keys.get(group as usize).map(|key| key.raw());
            BitGather::new(&self.group_of.iter().map(key).collect::<Vec<Option<u32>>>())
        });
        let mut positions = ExampleSet::full(self.group_of.len());
        constants.retain(positions.words_mut(), first_word, words);
        positions
    }

    /// The values of the grouping arguments.
    ///
    /// # Panics
    ///
    /// When there is no such group.
    #[must_use]
    pub fn key(&self, group: usize) -> &[ConstantId] {
        &self.keys[group * self.n_arguments..(group + 1) * self.n_arguments]
    }
}
