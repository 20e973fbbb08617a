//! Symbols while a program is read: each distinct text once, numbered in the order of first appearance.
//!
//! The numbers are provisional. When loading ends they are replaced by canonical ones, so that the
//! order of the input files never reaches a result (see `program::Constants`).

use std::ops::Range;

use super::hash::hash_bytes;

/// Distinct texts, numbered in the order of their first appearance.
///
/// **Invariant**: `ends` has one entry for each text. A slot is 0 or holds the upper half of a text's hash in its high
/// bits and the text's number plus 1 in its low bits. More than a third of the slots are free.
/// **Memory**: the texts once, 8 bytes for each, and 12 to 24 bytes for each in the table.
#[derive(Debug, Default)]
pub struct Interner {
    text: String,
    ends: Vec<usize>,
    /// Open addressing with linear probing. The upper half of the hash gives both the place and the
    /// tag, so growing needs no text, and a lookup hardly ever compares a wrong text.
    slots: Vec<u64>,
}

/// The free slot for a text that is not known.
#[derive(Clone, Copy, Debug)]
pub struct Vacancy {
    slot: usize,
    tag: u64,
}

const FEWEST_SLOTS: usize = 64;
/// How many texts `find_near` looks at.
const N_NEAR: usize = 16;
/// Bytes compared at once.
const WORD: usize = 8;

impl Interner {
    /// The number of `text`, given now if it is new. Cost: one hash of the text, amortised.
    ///
    /// # Panics
    ///
    /// When 2^32 - 1 distinct texts are exceeded.
    pub fn intern(&mut self, text: &str) -> u32 {
        match self.find(text.as_bytes()) {
            Ok(known) => known,
            Err(vacancy) => self.insert(text, vacancy),
        }
    }

    /// The number of a known text.
    ///
    /// # Errors
    ///
    /// The vacancy of a text that is not known, for [`Interner::insert`].
    pub fn find(&self, text: &[u8]) -> Result<u32, Vacancy> {
        let tag = hash_bytes(text) >> 32;
        let mut slot = self.place(tag);
        while let Some(&entry) = self.slots.get(slot) {
            if entry == 0 {
                break;
            }
            if entry >> 32 == tag {
                let number = number(entry);
                if self.is(number, text) {
                    return Ok(number);
                }
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        Err(Vacancy { slot, tag })
    }

    /// The number of a text, if it is among the next few texts from number `first` on. Programs mostly repeat names in
    /// the order of their first appearance, and the search then needs no look at the table.
    #[inline]
    pub fn find_near(&self, text: &[u8], first: u32) -> Option<u32> {
        let tail = text.last_chunk::<WORD>()?;
        let near = self.ends.get(first as usize..)?;
        let mut start = self.start(first);
        for (number, &end) in (first..).zip(near.iter().take(N_NEAR)) {
            if end - start == text.len() {
                let known = &self.text.as_bytes()[start..end];
                if known.last_chunk() == Some(tail) && same(known, text) {
                    return Some(number);
                }
            }
            start = end;
        }
        None
    }

    fn start(&self, number: u32) -> usize {
        if number == 0 { 0 } else { self.ends[number as usize - 1] }
    }

    /// Gives a number to a text that [`Interner::find`] did not find just before.
    ///
    /// # Panics
    ///
    /// When 2^32 - 1 distinct texts are exceeded.
    pub fn insert(&mut self, text: &str, vacancy: Vacancy) -> u32 {
        let number = u32::try_from(self.ends.len()).ok().filter(|&number| number < u32::MAX);
        let number = number.expect("fewer than 2^32 - 1 distinct symbols");
        self.text.push_str(text);
        self.ends.push(self.text.len());
        let entry = vacancy.tag << 32 | u64::from(number + 1);
        if self.ends.len() * 3 > self.slots.len() * 2 {
            self.grow();
            self.put(entry);
        } else {
            self.slots[vacancy.slot] = entry;
        }
        number
    }

    /// Gives numbers to texts that [`Interner::find`] shall not find, whether others are equal or not.
    ///
    /// # Panics
    ///
    /// When 2^32 - 1 symbols are exceeded.
    pub fn push_unlisted(&mut self, texts: impl Iterator<Item = String>) -> Range<u32> {
        let next = |of: &Self| u32::try_from(of.ends.len()).ok().filter(|&number| number < u32::MAX);
        let first = next(self);
        for text in texts {
            self.text.push_str(&text);
            self.ends.push(self.text.len());
        }
        first.zip(next(self)).map(|(first, end)| first..end).expect("fewer than 2^32 - 1 symbols")
    }

    fn grow(&mut self) {
        let n_slots = (self.slots.len() * 2).max(FEWEST_SLOTS);
        let old = std::mem::replace(&mut self.slots, vec![0; n_slots]);
        old.into_iter().filter(|&entry| entry != 0).for_each(|entry| self.put(entry));
    }

    fn put(&mut self, entry: u64) {
        let mut slot = self.place(entry >> 32);
        while self.slots[slot] != 0 {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        self.slots[slot] = entry;
    }

    #[expect(clippy::cast_possible_truncation, reason = "a tag has 32 bits")]
    const fn place(&self, tag: u64) -> usize {
        tag as usize & self.slots.len().wrapping_sub(1)
    }

    /// Whether the text with this number is `text`.
    pub fn is(&self, number: u32, text: &[u8]) -> bool {
        same(self.bytes(number), text)
    }

    fn bytes(&self, number: u32) -> &[u8] {
        &self.text.as_bytes()[self.start(number)..self.ends[number as usize]]
    }

    /// How many texts there are.
    pub const fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The text with this number.
    pub fn text(&self, number: u32) -> &str {
        &self.text[self.start(number)..self.ends[number as usize]]
    }

    /// Drops the table that finds texts, which takes most of the memory. Texts stay readable by number.
    pub fn close(&mut self) {
        self.slots = Vec::new();
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the low half is what is asked for")]
const fn number(entry: u64) -> u32 {
    entry as u32 - 1
}

/// Equality of short texts word by word, without a call.
fn same(left: &[u8], right: &[u8]) -> bool {
    if left.len() != right.len() {
        return false;
    }
    let ((left_words, left_rest), (right_words, right_rest)) =
        (left.as_chunks::<WORD>(), right.as_chunks::<WORD>());
    if let (Some(left_end), Some(right_end)) = (left.last_chunk::<WORD>(), right.last_chunk::<WORD>()) {
        return u64::from_le_bytes(*left_end) == u64::from_le_bytes(*right_end)
            && left_words
                .iter()
                .zip(right_words)
                .all(|(left, right)| u64::from_le_bytes(*left) == u64::from_le_bytes(*right));
    }
    left_rest.iter().zip(right_rest).all(|(left, right)| left == right)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::{prop, prop_assert_eq, proptest};

    use super::{Interner, same};

    proptest! {
        #[test]
        fn numbers_are_given_in_order_and_found_again(texts in prop::collection::vec("[ab]{0,3}|[a-c]{0,40}", 0..300)) {
            let mut interner = Interner::default();
            let mut known: BTreeMap<&str, u32> = BTreeMap::new();
            for text in &texts {
                let next = u32::try_from(known.len()).unwrap();
                let expected = *known.entry(text).or_insert(next);
                prop_assert_eq!(interner.intern(text), expected);
            }
            prop_assert_eq!(interner.len(), known.len());
            for (text, number) in known {
                prop_assert_eq!(interner.text(number), text);
                prop_assert_eq!(interner.find(text.as_bytes()).ok(), Some(number));
            }
        }

        #[test]
        fn equality_of_bytes_is_that_of_slices(left in "[ab]{0,20}", right in "[ab]{0,20}", at in 0..20_usize) {
            let (left, right) = (left.as_bytes(), right.as_bytes());
            prop_assert_eq!(same(left, right), left == right);
            let mut other = left.to_vec();
            if let Some(byte) = other.get_mut(at) {
                *byte = b'c';
            }
            prop_assert_eq!(same(left, &other), left == other);
        }
    }
}
