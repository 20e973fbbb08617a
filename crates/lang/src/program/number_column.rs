//! The numbers among constants, as a column over their ids.

use super::arithmetic::Number;

/// The values of the constants that are numbers, by id.
///
/// Most constants of tables are numbers, so a column takes less memory than a table by hash, and a look-up is no search.
///
/// **Memory**: 8 bytes and 2 bits for each id up to the greatest of a number.
#[derive(Clone, Debug, Default)]
pub struct NumberColumn {
    /// The bits of each integer or float; 0 for other constants.
    values: Vec<u64>,
    /// By id, a bit for each number, and one for each float.
    are_numbers: Vec<u64>,
    are_floats: Vec<u64>,
}

const BITS: usize = 64;

impl NumberColumn {
    /// A column with room for the ids below `n_ids`.
    pub fn with_capacity(n_ids: usize) -> Self {
        Self {
            values: Vec::with_capacity(n_ids),
            are_numbers: Vec::with_capacity(n_ids.div_ceil(BITS)),
            are_floats: Vec::with_capacity(n_ids.div_ceil(BITS)),
        }
    }

    /// The value of a constant that is a number. Cost: `O(1)`.
    #[inline]
    pub fn get(&self, id: u32) -> Option<Number> {
        if !self.contains(id) {
            return None;
        }
        let bits = self.values[id as usize];
        let is_float = is_set(&self.are_floats, id);
        Some(if is_float { Number::Float(f64::from_bits(bits)) } else { Number::Integer(bits.cast_signed()) })
    }

    /// Whether a constant is a number. Cost: `O(1)`.
    #[inline]
    pub fn contains(&self, id: u32) -> bool {
        is_set(&self.are_numbers, id)
    }

    /// Makes a constant a number. Cost: amortised `O(1)` where ids ascend, else up to the new id.
    pub fn set(&mut self, id: u32, number: Number) {
        let place = id as usize;
        if place >= self.values.len() {
            self.values.resize(place + 1, 0);
            self.are_numbers.resize(place / BITS + 1, 0);
            self.are_floats.resize(place / BITS + 1, 0);
        }
        let (bits, is_float) = match number {
            Number::Integer(value) => (value.cast_unsigned(), false),
            Number::Float(value) => (value.to_bits(), true),
        };
        let bit = 1 << (place % BITS);
        self.values[place] = bits;
        self.are_numbers[place / BITS] |= bit;
        let floats = &mut self.are_floats[place / BITS];
        *floats = if is_float { *floats | bit } else { *floats & !bit };
    }

    /// The ids of all numbers, ascending.
    pub fn ids(&self) -> impl Iterator<Item = u32> + Clone + '_ {
        let firsts = (0_u32..).step_by(BITS);
        firsts.zip(&self.are_numbers).flat_map(|(first, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros())?;
                rest &= rest - 1;
                Some(first + bit)
            })
        })
    }
}

#[inline]
fn is_set(words: &[u64], id: u32) -> bool {
    words.get(id as usize / BITS).is_some_and(|word| word >> (id as usize % BITS) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::{Strategy, any, prop, prop_assert_eq, prop_oneof, proptest};

    use super::{Number, NumberColumn};

    fn number() -> impl Strategy<Value = Number> {
        prop_oneof![
            any::<i64>().prop_map(Number::Integer),
            any::<f64>().prop_filter("numbers of data", |value| !value.is_nan()).prop_map(Number::Float),
        ]
    }

    proptest! {
        /// The plain twin is a map.
        #[test]
        fn a_column_is_a_map(given in prop::collection::vec((0..300_u32, number()), 0..60)) {
            let mut column = NumberColumn::with_capacity(10);
            let mut known: BTreeMap<u32, Number> = BTreeMap::new();
            for (id, number) in given {
                column.set(id, number);
                known.insert(id, number);
            }
            for id in 0..400 {
                prop_assert_eq!(column.get(id), known.get(&id).copied());
                prop_assert_eq!(column.contains(id), known.contains_key(&id));
            }
            prop_assert_eq!(column.ids().collect::<Vec<_>>(), known.into_keys().collect::<Vec<_>>());
        }
    }
}
