//! Any bit of a segment: from rows to the keys that have one.

use super::kernels;

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
    #[must_use]
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
    #[must_use]
    pub const fn n_words(&self) -> usize {
        self.ends.len()
    }

    /// The first word of the keys' bits.
    #[must_use]
    pub const fn first_word(&self) -> usize {
        self.first_word
    }

    /// The keys that have a row set, as words from `first_word` on. Cost: a few cycles for 64 rows
    /// and for 64 ids, where the processor gathers and scatters bits.
    ///
    /// # Panics
    ///
    /// When `rows` has another number of words than there are rows for.
    #[must_use]
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
    use super::BitSegments;
    use proptest::collection::vec;
    use proptest::prelude::{any, prop_assert_eq, proptest};

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
