//! The times of a set of constants: each is read once, and known by its place in the order of time.

use rayon::prelude::*;

use crate::provisional::Provisional;
use crate::texts::{Point, Time};

/// The times that constants are, ascending.
///
/// **Invariant**: a constant has one place; places ascend in time, and constants of one point are neighbours.
/// **Memory**: 4 bytes for each constant of the data, and 40 for each that is a time.
#[derive(Debug, Default)]
pub(crate) struct TimeTable {
    /// By constant, one more than its place; 0 for one that is no time.
    places: Vec<u32>,
    /// By place.
    times: Vec<Time>,
    /// By place, the first place of the same point.
    firsts: Vec<u32>,
}

/// The bits of a word.
const BITS: usize = 64;

impl TimeTable {
    /// The times among these constants; ids that are no constant are skipped. Numbers may be times, if these are asked for.
    ///
    /// **Cost**: each distinct constant is read once.
    pub(crate) fn new(
        constants: impl Iterator<Item = u32>,
        symbols: &Provisional,
        may_be_numbers: bool,
    ) -> Self {
        let n_constants = symbols.constants().len();
        let mut is_asked = vec![0_u64; n_constants.div_ceil(BITS)];
        for constant in constants.map(|constant| constant as usize).filter(|&constant| constant < n_constants)
        {
            is_asked[constant / BITS] |= 1 << (constant % BITS);
        }
        let read = |id: u32| {
            let number = symbols.numbers().get(id).filter(|_| may_be_numbers);
            Time::read(symbols.constants().text(id), number).map(|time| (time, id))
        };
        let firsts: Vec<(u32, u64)> = (0_u32..).step_by(BITS).zip(is_asked).collect();
        let of_word = |(first, word): (u32, u64)| {
            let bits = (0..64_u32).filter(move |bit| word >> bit & 1 == 1);
            bits.filter_map(move |bit| read(first + bit)).collect::<Vec<_>>()
        };
        let mut found: Vec<(Time, u32)> = firsts.into_par_iter().flat_map_iter(of_word).collect();
        found.par_sort_unstable_by(|(left, one), (right, other)| {
            left.of_fact().compare(&right.of_fact()).then(one.cmp(other))
        });
        let mut table = Self {
            places: vec![0; n_constants],
            times: Vec::with_capacity(found.len()),
            firsts: Vec::with_capacity(found.len()),
        };
        let mut first = 0;
        for (place, (time, id)) in (0_u32..).zip(found) {
            let is_later = |last: &Time| last.of_fact().compare(&time.of_fact()).is_lt();
            if table.times.last().is_some_and(is_later) {
                first = place;
            }
            table.places[id as usize] = place + 1;
            table.times.push(time);
            table.firsts.push(first);
        }
        table
    }

    /// The place of a constant that is a time.
    #[inline]
    pub(crate) fn place(&self, constant: u32) -> Option<u32> {
        self.places.get(constant as usize)?.checked_sub(1)
    }

    /// The time at a place.
    #[inline]
    pub(crate) fn at(&self, place: u32) -> Option<Time> {
        self.times.get(place as usize).copied()
    }

    /// The time that a constant is.
    pub(crate) fn time(&self, constant: u32) -> Option<Time> {
        self.at(self.place(constant)?)
    }

    /// The rank of a place: equal for equal points, and ascending in time.
    #[inline]
    pub(crate) fn rank(&self, place: u32) -> u32 {
        self.firsts.get(place as usize).copied().unwrap_or(place)
    }

    /// How many places, the earliest, are of points that exist. So a point exists if its place or rank is below this.
    pub(crate) fn n_existing(&self, exists: impl Fn(&Point) -> bool) -> u32 {
        let n = self.times.partition_point(|time| exists(&time.of_fact()));
        u32::try_from(n).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop, prop_assert_eq, proptest};

    use super::{Time, TimeTable};
    use crate::provisional::Provisional;

    proptest! {
        /// The plain twin reads each text and compares the points of each pair.
        #[test]
        fn places_are_in_the_order_of_time(
            texts in prop::collection::vec("'20[01][0-9]-0[1-9]-0[12]( (00|23):(00|59):(00|59))?'|[a-c]|[0-9]", 1..40),
            cut_off in "'20[01][0-9]-0[1-9]-0[12]'",
        ) {
            let mut symbols = Provisional::default();
            let ids: Vec<u32> = texts.iter().map(|text| symbols.constant(text, None).raw()).collect();
            let asked = ids.iter().copied().filter(|id| id % 3 != 1).chain([u32::MAX]);
            let table = TimeTable::new(asked, &symbols, false);
            let limit = Time::read(&cut_off, None).expect("it is a date").limit(false);
            let n_existing = table.n_existing(|point| limit.admits(point));
            for (text, &id) in texts.iter().zip(&ids) {
                let expected = Time::read(text, None).filter(|_| id % 3 != 1);
                prop_assert_eq!(table.time(id), expected);
                let (Some(time), Some(place)) = (expected, table.place(id)) else { continue };
                prop_assert_eq!(table.rank(place) < n_existing, limit.admits(&time.of_fact()));
                for (other_text, &other) in texts.iter().zip(&ids) {
                    let (Some(other_place), Some(other)) = (table.place(other), Time::read(other_text, None)) else {
                        continue;
                    };
                    let by_point = time.of_fact().compare(&other.of_fact());
                    prop_assert_eq!(table.rank(place).cmp(&table.rank(other_place)), by_point);
                }
            }
        }
    }
}
