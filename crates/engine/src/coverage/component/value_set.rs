//! Sets of constants: the values of one variable that make a part true in one world.

use std::borrow::Cow;

use gleaner_base::ConstantId;

/// A set of constants.
///
/// **Memory**: 4 bytes a value, or a bit for each id between the least and the greatest, whichever is
/// less.
#[derive(Clone, Debug)]
pub(super) enum ValueSet {
    /// Ascending ids.
    Sparse(Box<[u32]>),
    /// Bits from the word that holds the least id on, and how many are set.
    Dense { first_word: usize, words: Box<[u64]>, len: usize },
}

impl ValueSet {
    pub(super) const fn len(&self) -> usize {
        match self {
            Self::Sparse(values) => values.len(),
            Self::Dense { len, .. } => *len,
        }
    }

    pub(super) fn contains(&self, value: ConstantId) -> bool {
        let id = value.raw();
        match self {
            Self::Sparse(values) => values.binary_search(&id).is_ok(),
            Self::Dense { first_word, words, .. } => (id as usize / 64)
                .checked_sub(*first_word)
                .and_then(|word| words.get(word))
                .is_some_and(|word| word >> (id % 64) & 1 == 1),
        }
    }

    /// The set whose bits these are, from bit `first_word * 64` on.
    pub(super) fn from_words(first_word: usize, words: &[u64]) -> Self {
        let Some(low) = words.iter().position(|&word| word != 0) else { return Self::Sparse(Box::default()) };
        let high = words.iter().rposition(|&word| word != 0).unwrap_or(low);
        let words = &words[low..=high];
        let len = words.iter().map(|word| word.count_ones() as usize).sum();
        let dense = Self::Dense { first_word: first_word + low, words: words.into(), len };
        if len * 4 >= dense.n_bytes() {
            return dense;
        }
        let mut values = Vec::with_capacity(len);
        dense.all(|value| {
            values.push(value.raw());
            true
        });
        Self::Sparse(values.into_boxed_slice())
    }

    /// The set as bits: the first word's number and the words.
    pub(super) fn to_words(&self) -> (usize, Cow<'_, [u64]>) {
        match self {
            Self::Dense { first_word, words, .. } => (*first_word, Cow::Borrowed(words)),
            Self::Sparse(values) => {
                let (Some(low), Some(high)) = (values.first(), values.last()) else {
                    return (0, Cow::Borrowed(&[]));
                };
                let first_word = *low as usize / 64;
                let mut words = vec![0; *high as usize / 64 + 1 - first_word];
                for &id in values {
                    words[id as usize / 64 - first_word] |= 1 << (id % 64);
                }
                (first_word, Cow::Owned(words))
            }
        }
    }

    /// Those of 64 neighbouring constants that are in the set.
    pub(super) fn word(&self, word: usize) -> u64 {
        match self {
            Self::Dense { first_word, words, .. } => {
                words.get(word.wrapping_sub(*first_word)).copied().unwrap_or(0)
            }
            Self::Sparse(values) => {
                let start = values.partition_point(|&id| (id as usize) < word * 64);
                let ids = values[start..].iter().take_while(|&&id| id as usize / 64 == word);
                ids.fold(0, |bits, id| bits | 1 << (id % 64))
            }
        }
    }

    /// The values that are in both sets.
    pub(super) fn intersection(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Sparse(values), set) | (set, Self::Sparse(values)) => Self::Sparse(
                values.iter().copied().filter(|&id| set.contains(ConstantId::new(id as usize))).collect(),
            ),
            (
                Self::Dense { first_word: left_first, words: left, .. },
                Self::Dense { first_word: right_first, words: right, .. },
            ) => {
                let first_word = *left_first.max(right_first);
                let both = left
                    .iter()
                    .skip(first_word - left_first)
                    .zip(right.iter().skip(first_word - right_first));
                let words: Box<[u64]> = both.map(|(left, right)| left & right).collect();
                let len = words.iter().map(|word| word.count_ones() as usize).sum();
                Self::Dense { first_word, words, len }
            }
        }
    }

    /// Calls `visit` for each value, ascending, until it returns false.
    pub(super) fn all(&self, mut visit: impl FnMut(ConstantId) -> bool) -> bool {
        match self {
            Self::Sparse(values) => values.iter().all(|&id| visit(ConstantId::new(id as usize))),
            Self::Dense { first_word, words, .. } => words.iter().enumerate().all(|(word_idx, &word)| {
                let mut rest = word;
                while rest != 0 {
                    let id = (first_word + word_idx) * 64 + rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    if !visit(ConstantId::new(id)) {
                        return false;
                    }
                }
                true
            }),
        }
    }

    pub(super) const fn n_bytes(&self) -> usize {
        match self {
            Self::Sparse(values) => values.len() * 4,
            Self::Dense { words, .. } => words.len() * 8,
        }
    }
}

/// Values as they are gathered, in any order and with repetitions; empty again after `take`.
#[derive(Debug, Default)]
pub(super) struct ValueCollector {
    words: Vec<u64>,
    /// The words that may hold a bit.
    used: Option<(usize, usize)>,
}

impl ValueCollector {
    pub(super) fn contains(&self, value: ConstantId) -> bool {
        let id = value.raw();
        self.words.get(id as usize / 64).is_some_and(|word| word >> (id % 64) & 1 == 1)
    }

    pub(super) fn insert(&mut self, value: ConstantId) {
        let (word, bit) = (value.raw() as usize / 64, value.raw() % 64);
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << bit;
        self.used = Some(self.used.map_or((word, word), |(low, high)| (low.min(word), high.max(word))));
    }

    /// Takes the gathered values as a set, and empties the collector.
    pub(super) fn take(&mut self) -> ValueSet {
        let Some((low, high)) = self.used.take() else { return ValueSet::Sparse(Box::default()) };
        let words = &mut self.words[low..=high];
        let set = ValueSet::from_words(low, words);
        words.fill(0);
        set
    }
}

#[cfg(test)]
mod tests {
    use super::ValueCollector;
    use gleaner_base::ConstantId;

    #[test]
    fn an_intersection_holds_what_both_hold() {
        let ids: [Vec<usize>; 5] = [
            vec![],
            vec![700],
            (64..400).collect(),
            (300..900).step_by(2).collect(),
            (2_000..2_300).collect(),
        ];
        let set = |ids: &[usize]| {
            let mut collector = ValueCollector::default();
            ids.iter().for_each(|&id| collector.insert(ConstantId::new(id)));
            collector.take()
        };
        for left in &ids {
            for right in &ids {
                let both = set(left).intersection(&set(right));
                let expected: Vec<usize> = left.iter().copied().filter(|id| right.contains(id)).collect();
                let mut found = Vec::new();
                both.all(|value| {
                    found.push(value.raw() as usize);
                    true
                });
                assert_eq!((found, both.len()), (expected.clone(), expected.len()));
            }
        }
    }

    #[test]
    fn a_set_holds_what_was_gathered() {
        let mut collector = ValueCollector::default();
        for ids in [vec![], vec![700], vec![3, 1_000_000, 3], (64..400).collect::<Vec<usize>>()] {
            ids.iter().for_each(|&id| collector.insert(ConstantId::new(id)));
            let set = collector.take();
            let mut expected = ids.clone();
            expected.dedup();
            expected.sort_unstable();
            expected.dedup();
            let mut found = Vec::new();
            set.all(|value| {
                found.push(value.raw() as usize);
                true
            });
            assert_eq!(found, expected);
            assert_eq!(set.len(), expected.len());
            for id in [0, 3, 63, 64, 399, 400, 700, 1_000_000, 2_000_000] {
                assert_eq!(set.contains(ConstantId::new(id)), expected.contains(&id), "{id} of {ids:?}");
            }
        }
    }
}
