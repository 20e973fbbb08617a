//! Hash tables with a fixed hasher.
//!
//! The standard library seeds its hasher at random, so iteration order differs from run to run.
//! These tables use a multiply-rotate hash over the written words, as `rustc` does, and fold it at the end. So the same
//! keys give the same table in each run. The order of a table must not reach a result, as it depends on the capacity.

use std::hash::{BuildHasherDefault, Hasher};

pub use hashbrown::HashTable;

/// A map with a fixed hasher.
pub type FixedMap<K, V> = hashbrown::HashMap<K, V, BuildHasherDefault<FixedHasher>>;
/// A set with a fixed hasher.
pub type FixedSet<K> = hashbrown::HashSet<K, BuildHasherDefault<FixedHasher>>;

/// Multiply-rotate hash over 64-bit words, with the constant of Knuth's golden-ratio hashing.
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

/// Start values that differ between the lanes of [`hash_bytes`]: digits of pi.
const LANES: [u64; 2] = [0x243F_6A88_85A3_08D3, 0x1319_8A2E_0370_7344];

/// The hash of a text, for tables that store positions instead of keys. Both halves are good bits.
///
/// It multiplies and folds two words at a time. It reads the last sixteen bytes in place, or the first and last eight
/// of a shorter text, so that it copies no byte. Cost: about 3 ns for a name.
pub fn hash_bytes(bytes: &[u8]) -> u64 {
    let mut state = LANES[0] ^ bytes.len() as u64;
    let (first, last) = if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let mut rest = bytes;
        while let (Some((pair, after)), true) = (rest.split_first_chunk::<16>(), rest.len() > 16) {
            let (low, high) = halves(pair);
            state = fold(state ^ low, high ^ LANES[1]);
            rest = after;
        }
        match bytes.last_chunk() {
            Some(pair) => halves(pair),
            None => (u64::from_le_bytes(*first), u64::from_le_bytes(*last)),
        }
    } else if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        (u64::from(u32::from_le_bytes(*first)), u64::from(u32::from_le_bytes(*last)))
    } else if let [first, .., last] = bytes {
        (u64::from(*first) << 8 | u64::from(*last), u64::from(bytes[bytes.len() / 2]))
    } else {
        (bytes.first().map_or(0, |&byte| u64::from(byte)), 0)
    };
    fold(fold(state ^ first, last ^ LANES[1]), GOLDEN)
}

fn halves(pair: &[u8; 16]) -> (u64, u64) {
    let word = u128::from_le_bytes(*pair);
    (low(word), low(word >> 64))
}

#[expect(clippy::cast_possible_truncation, reason = "the low half is what is asked for")]
const fn low(word: u128) -> u64 {
    word as u64
}

fn fold(left: u64, right: u64) -> u64 {
    let product = u128::from(left) * u128::from(right);
    low(product) ^ low(product >> 64)
}
