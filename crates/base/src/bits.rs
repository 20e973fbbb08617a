//! Bits moved from one sequence to another, whole words at a time: gathered by position, or folded from the rows of a
//! segment to its key.

use super::kernels;

/// In `bases`: the word's sources are too far apart for a window, and `wide` holds them.
const WIDE: u32 = 1 << 31;

/// For each place the position of the bit that it takes over, if it takes over any.
///
/// Neighbours mostly look at neighbours: the 64 sources of a word of places then lie in a *window* of
/// 64 bits, and one byte tells where in it. A word whose sources lie further apart lists them.
///
/// **Memory**: a byte and a fifth for each place, 4 bytes more where the window is too narrow.
#[derive(Debug)]
pub struct BitGather {
    /// For each word of places the first bit of its window, or where in `wide` its sources are.
    bases: Box<[u32]>,
    /// The places that have a source.
    sourced: Box<[u64]>,
    offsets: Box<[[u8; 64]]>,
    wide: Box<[[u32; 64]]>,
}

impl BitGather {
    /// Places that take over these bits, each below 2^31.
    ///
    /// # Panics
    ///
    /// When a source is 2^31 or more.
    pub fn new(sources: &[Option<u32>]) -> Self {
        let n_words = sources.len().div_ceil(64);
        let mut bases = Vec::with_capacity(n_words);
        let mut sourced = Vec::with_capacity(n_words);
        let mut offsets = vec![[0; 64]; n_words];
        let mut wide = Vec::new();
        for (places, offsets) in sources.chunks(64).zip(&mut offsets) {
            let mut mask = 0;
            let (mut low, mut high) = (u32::MAX, 0);
            for (place, source) in places.iter().enumerate() {
                if let Some(source) = *source {
                    assert!(source < WIDE, "sources are below 2^31");
                    mask |= 1 << place;
                    (low, high) = (low.min(source), high.max(source));
                }
            }
            sourced.push(mask);
            if mask == 0 {
                bases.push(0);
            } else if high - low < 64 {
                bases.push(low);
                for (offset, source) in offsets.iter_mut().zip(places) {
                    *offset = source.and_then(|source| u8::try_from(source - low).ok()).unwrap_or(0);
                }
            } else {
                bases.push(WIDE | u32::try_from(wide.len()).expect("words are fewer than 2^31"));
                let mut all = [0; 64];
                for (known, source) in all.iter_mut().zip(places) {
                    *known = source.unwrap_or(0);
                }
                wide.push(all);
            }
        }
        Self { bases: bases.into(), sourced: sourced.into(), offsets: offsets.into(), wide: wide.into() }
    }

    /// Keeps of the places in `places` those whose source is set in `words`, which begin with bit
    /// `first_word * 64`; bits beyond them are not set. Cost: about a third of a cycle a place.
    ///
    /// # Panics
    ///
    /// When `places` has another number of words than there are places for.
    pub fn retain(&self, places: &mut [u64], first_word: usize, words: &[u64]) {
        assert_eq!(places.len(), self.bases.len(), "one bit for each place");
        for (place, sourced) in places.iter_mut().zip(&self.sourced) {
            *place &= sourced;
        }
        kernels::gather(places, &self.bases, &self.offsets, first_word, words);
        if self.wide.is_empty() {
            return;
        }
        for (places, &base) in places.iter_mut().zip(&self.bases) {
            if base >= WIDE {
                *places &= gather_wide(*places, &self.wide[(base & !WIDE) as usize], first_word, words);
            }
        }
    }
}

fn gather_wide(mut open: u64, sources: &[u32; 64], first_word: usize, words: &[u64]) -> u64 {
    let mut found = 0;
    while open != 0 {
        let place = open.trailing_zeros() as usize;
        open &= open - 1;
        let source = sources[place] as usize;
        let word = words.get((source / 64).wrapping_sub(first_word)).copied().unwrap_or(0);
        found |= (word >> (source % 64) & 1) << place;
    }
    found
}

/// Rows in segments; each segment belongs to a key.
///
/// **Memory**: a bit for each row, and one for each id between the least and the greatest key.
#[derive(Debug)]
pub struct BitSegments {
    /// The last row of each segment.
    ends: Box<[u64]>,
    first_word: usize,
    /// The keys, from bit `first_word * 64` on.
    keys: Box<[u64]>,
}

impl BitSegments {
    /// The segments of rows whose keys ascend: equal keys make a segment.
    pub fn new(keys_of_rows: impl IntoIterator<Item = u32>) -> Self {
        let mut segments = Self { ends: Box::default(), first_word: 0, keys: Box::default() };
        let (mut ends, mut keys) = (Vec::new(), Vec::new());
        let mut last = None;
        let mut n_rows = 0_usize;
        for key in keys_of_rows {
            debug_assert!(last.is_none_or(|last| last <= key), "keys ascend");
            if last.is_none() {
                segments.first_word = key as usize / 64;
            }
            if last.is_some_and(|last| last != key) {
                set(&mut ends, n_rows - 1);
            }
            set(&mut keys, key as usize - segments.first_word * 64);
            last = Some(key);
            n_rows += 1;
        }
        if n_rows > 0 {
            set(&mut ends, n_rows - 1);
        }
        segments.ends = ends.into();
        segments.keys = keys.into();
        segments
    }

    /// How many words the bits of all rows take.
    pub const fn n_words(&self) -> usize {
        self.ends.len()
    }

    /// The first word of the keys' bits.
    pub const fn first_word(&self) -> usize {
        self.first_word
    }

    /// The keys that have a row set, as words from `first_word` on. Cost: a few cycles for 64 rows
    /// and for 64 ids, where the processor gathers and scatters bits.
    ///
    /// # Panics
    ///
    /// When `rows` has another number of words than there are rows for.
    pub fn keys_of(&self, rows: &[u64]) -> Vec<u64> {
        assert_eq!(rows.len(), self.ends.len(), "one bit for each row");
        let mut keys = vec![0; self.keys.len()];
        kernels::keys_with_any(rows, &self.ends, &self.keys, &mut keys);
        keys
    }
}

/// Sets a bit of words that grow.
fn set(words: &mut Vec<u64>, bit: usize) {
    if bit / 64 >= words.len() {
        words.resize(bit / 64 + 1, 0);
    }
    words[bit / 64] |= 1 << (bit % 64);
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::{Just, Strategy, any, prop_assert_eq, prop_oneof, proptest};

    use super::{BitGather, BitSegments};

    /// Sources that stay together, or lie anywhere, or are none.
    fn sources() -> impl Strategy<Value = Vec<Option<u32>>> {
        let near = (0_u32..300, vec(0_u32..70, 0..90))
            .prop_map(|(base, offsets)| offsets.iter().map(|offset| Some(base + offset)).collect());
        let far = vec(prop_oneof![Just(None), (0_u32..2_000).prop_map(Some)], 0..90);
        vec(prop_oneof![near, far], 0..5).prop_map(|pieces: Vec<Vec<Option<u32>>>| pieces.concat())
    }

    proptest! {
        #[test]
        fn a_place_stays_iff_its_source_is_set(
            sources in sources(),
            first_word in 0_usize..4,
            words in vec(any::<u64>(), 0..20),
            places in any::<u64>(),
        ) {
            let is_set = |bit: usize| {
                let word = (bit / 64).checked_sub(first_word).and_then(|word| words.get(word));
                word.is_some_and(|word| word >> (bit % 64) & 1 == 1)
            };
            let mut found = vec![places; sources.len().div_ceil(64)];
            BitGather::new(&sources).retain(&mut found, first_word, &words);
            for place in 0..found.len() * 64 {
                let source = sources.get(place).copied().flatten();
                let expected = places >> (place % 64) & 1 == 1
                    && source.is_some_and(|source| is_set(source as usize));
                prop_assert_eq!(found[place / 64] >> (place % 64) & 1 == 1, expected, "place {}", place);
            }
        }
    }

    proptest! {
        #[test]
        fn a_key_is_found_iff_a_row_of_it_is_set(
            steps in vec((0_u32..200, 1_usize..150), 0..30),
            bits in vec(any::<u64>(), 80),
            is_sparse in any::<bool>(),
        ) {
            let mut key = 0;
            let mut rows = Vec::new();
            for (step, n_rows) in steps {
                key += step + 1;
                rows.resize(rows.len() + n_rows, key);
            }
            let is_set = |row: usize| {
                let word = bits[row / 64 % 80] & if is_sparse { bits[row / 64 % 79].rotate_left(7) & bits[3] } else { !0 };
                word >> (row % 64) & 1 == 1
            };
            let segments = BitSegments::new(rows.iter().copied());
            let mut words = vec![0_u64; segments.n_words()];
            for row in (0..rows.len()).filter(|&row| is_set(row)) {
                words[row / 64] |= 1 << (row % 64);
            }
            let found = segments.keys_of(&words);
            let found: Vec<u32> = (0..found.len() * 64)
                .filter(|bit| found[bit / 64] >> (bit % 64) & 1 == 1)
                .map(|bit| u32::try_from(segments.first_word() * 64 + bit).expect("small"))
                .collect();
            let mut expected: Vec<u32> =
                (0..rows.len()).filter(|&row| is_set(row)).map(|row| rows[row]).collect();
            expected.dedup();
            prop_assert_eq!(found, expected);
        }
    }
}
