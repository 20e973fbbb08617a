//! How many negatives each sampled one stands for.

use serde::{Deserialize, Serialize};

/// The ratio of all negatives of a population to those that were sampled from it: 1 where all are used.
///
/// Counts multiply each negative by this ratio, so that precision, areas and prevalence are those of the population.
/// Sampling is uniform within a set, so a set has one ratio.
///
/// **Invariant**: in lowest terms, neither part 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NegativeWeight {
    population: u64,
    sampled: u64,
}

impl Default for NegativeWeight {
    fn default() -> Self {
        Self::ONE
    }
}

impl NegativeWeight {
    /// Each negative stands for itself.
    pub const ONE: Self = Self { population: 1, sampled: 1 };

    /// `sampled` of a population of negatives were drawn; without any, each would stand for itself.
    pub fn new(population: u64, sampled: u64) -> Self {
        if population == 0 || sampled == 0 {
            return Self::ONE;
        }
        let divisor = greatest_common_divisor(u128::from(population), u128::from(sampled));
        // It divides both, so that it is no larger.
        let divisor = u64::try_from(divisor).unwrap_or(1);
        Self { population: population / divisor, sampled: sampled / divisor }
    }

    /// The product of two weights: each of these negatives stands for several others, each of which stands for several
    /// more. Parts too large for 64 bits lose their last bits.
    pub fn times(self, other: Self) -> Self {
        Self::of_parts(
            u128::from(self.population) * u128::from(other.population),
            u128::from(self.sampled) * u128::from(other.sampled),
        )
    }

    /// The ratio of two parts, neither 0. Parts too large for 64 bits lose their last bits.
    fn of_parts(mut population: u128, mut sampled: u128) -> Self {
        let divisor = greatest_common_divisor(population, sampled);
        (population, sampled) = (population / divisor, sampled / divisor);
        while population > u128::from(u64::MAX) || sampled > u128::from(u64::MAX) {
            (population, sampled) = (population / 2, sampled / 2);
        }
        let part = |part| u64::try_from(part).unwrap_or(u64::MAX).max(1);
        Self::new(part(population), part(sampled))
    }

    /// The whole number of units in a negative of each weight, and the weight of one unit. Units above 2^32 lose their
    /// last bits.
    pub(super) fn common_units(self, other: Self) -> ([u64; 2], Self) {
        let sampled = u128::from(self.sampled);
        let other_sampled = u128::from(other.sampled);
        let multiple = sampled / greatest_common_divisor(sampled, other_sampled) * other_sampled;
        let in_multiples =
            |weight: Self| u128::from(weight.population) * (multiple / u128::from(weight.sampled));
        let units = [self, other].map(in_multiples);
        let mut unit = greatest_common_divisor(units[0], units[1]);
        let mut units = units.map(|in_multiples| in_multiples / unit);
        while units.iter().any(|&units| units > 1 << 32) {
            units = units.map(|units| (units.div_ceil(2)).max(1));
            unit *= 2;
        }
        (units.map(|units| u64::try_from(units).unwrap_or(u64::MAX)), Self::of_parts(unit, multiple))
    }

    /// Whether each negative stands for itself.
    pub fn is_one(&self) -> bool {
        *self == Self::ONE
    }

    /// How many negatives one stands for.
    #[expect(clippy::cast_precision_loss, reason = "numbers of examples are far below 2^53")]
    pub fn ratio(self) -> f64 {
        self.population as f64 / self.sampled as f64
    }

    /// `n_positives + weight · n_negatives`, in units of one part of the ratio, for comparisons that must be exact. All
    /// calls on one weight have the same unit.
    pub fn in_parts(self, n_positives: usize, n_negatives: usize) -> u128 {
        n_positives as u128 * u128::from(self.sampled) + n_negatives as u128 * u128::from(self.population)
    }

    /// Whether the ratio is above 0 and finite; a user may have changed the file by hand.
    pub fn is_sound(self) -> bool {
        self.ratio() > 0.0 && self.ratio().is_finite()
    }
}

const fn greatest_common_divisor(mut left: u128, mut right: u128) -> u128 {
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left
}

#[cfg(test)]
mod tests {
    use super::NegativeWeight;

    /// 1,000 of 24,000 negatives: each stands for 24, so 3 positives and 2 negatives are 3 + 48 examples.
    #[test]
    fn a_sampled_negative_counts_for_those_it_stands_for() {
        let weight = NegativeWeight::new(24_000, 1_000);
        assert_eq!(weight, NegativeWeight::new(24, 1));
        assert!((weight.ratio() - 24.0).abs() < f64::EPSILON);
        assert_eq!(weight.in_parts(3, 2), 51);
        // 5 of 8: in fifths, 3 positives are 15 and 2 negatives 16.
        assert_eq!(NegativeWeight::new(8, 5).in_parts(3, 2), 31);
        assert_eq!(NegativeWeight::new(7, 0), NegativeWeight::ONE);
        assert_eq!(NegativeWeight::new(6, 4).times(NegativeWeight::new(10, 3)), NegativeWeight::new(5, 1));
        let most = NegativeWeight::new(u64::MAX, 2);
        let times = most.times(NegativeWeight::new(3, u64::MAX - 1));
        assert!((times.ratio() - 1.5).abs() < 1e-12, "{times:?}");
    }
}
