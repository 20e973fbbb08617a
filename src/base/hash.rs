//! Hash tables with a fixed hasher.
//!
//! The standard library seeds its hasher at random, so iteration order differs from run to run.
//! These use FNV-1a over the written words, folded at the end: the same keys give the same table
//! in each run. Their order must still not reach a result: it depends on the capacity.

use std::hash::{BuildHasherDefault, Hasher};

/// A map with a fixed hasher.
pub type FixedMap<K, V> = hashbrown::HashMap<K, V, BuildHasherDefault<FixedHasher>>;
/// A set with a fixed hasher.
pub type FixedSet<K> = hashbrown::HashSet<K, BuildHasherDefault<FixedHasher>>;

/// Multiply-rotate hash over 64-bit words (the constant is that of Knuth's golden-ratio hashing).
#[derive(Clone, Copy, Debug, Default)]
pub struct FixedHasher(u64);

const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

impl FixedHasher {
    fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(GOLDEN);
    }
}

impl Hasher for FixedHasher {
    fn finish(&self) -> u64 {
        // The table takes its position from the low bits and its tag from the high ones:
        // a multiplication leaves the low bits weak, so fold the high half in.
        let folded = self.0 ^ (self.0 >> 32);
        folded.wrapping_mul(GOLDEN) ^ (folded >> 29)
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0_u8; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.add(u64::from_le_bytes(word));
        }
        self.add(bytes.len() as u64);
    }

    fn write_u8(&mut self, value: u8) {
        self.add(u64::from(value));
    }

    fn write_u16(&mut self, value: u16) {
        self.add(u64::from(value));
    }

    fn write_u32(&mut self, value: u32) {
        self.add(u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        self.add(value);
    }

    fn write_usize(&mut self, value: usize) {
        self.add(value as u64);
    }
}

/// The hash of one string, for tables that store positions instead of keys.
#[must_use]
pub fn hash_text(text: &str) -> u64 {
    let mut hasher = FixedHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}
