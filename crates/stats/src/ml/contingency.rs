//! Two Boolean variables counted together, and their mutual information.

use gleaner_base::information::mutual_information;

/// The numbers of examples for which both, one or none of two Boolean variables hold.
///
/// **Shape**: `n10` counts where the first holds and the second does not; of the class, the second
/// holds at positives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contingency {
    /// Both hold.
    pub n11: usize,
    /// Only the first holds.
    pub n10: usize,
    /// Only the second holds.
    pub n01: usize,
    /// Neither holds.
    pub n00: usize,
}

impl Contingency {
    /// The table in which the first variable holds `n_first` times of `n`, the second `n_second`, both
    /// `n_both`; `None` when no table has such totals.
    #[must_use]
    pub const fn from_totals(n_both: usize, n_first: usize, n_second: usize, n: usize) -> Option<Self> {
        let (Some(n10), Some(n01)) = (n_first.checked_sub(n_both), n_second.checked_sub(n_both)) else {
            return None;
        };
        let Some(rest) = n.checked_sub(n_first) else { return None };
        let Some(n00) = rest.checked_sub(n01) else { return None };
        Some(Self { n11: n_both, n10, n01, n00 })
    }

    /// How many examples were counted.
    #[must_use]
    pub const fn n(&self) -> usize {
        self.n11 + self.n10 + self.n01 + self.n00
    }

    /// The [mutual information](mutual_information) of the two in nats; divided by `ln 2` it is in bits.
    /// Range: 0 to `ln 2`; 0 exactly where the variables are independent; `None` of no examples. Equal, bit
    /// for bit, when the variables are exchanged.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "rounding once is within the documented precision")]
    pub fn mutual_information(&self) -> Option<f64> {
        let n = self.n();
        if n == 0 {
            return None;
        }
        let product = |left: usize, right: usize| left as u128 * right as u128;
        let (together, apart) = (product(self.n11, self.n00), product(self.n10, self.n01));
        let departure =
            if together >= apart { (together - apart) as f64 } else { -((apart - together) as f64) };
        let (first, second) = (self.n11 + self.n10, self.n11 + self.n01);
        Some(mutual_information(first as f64, second as f64, n as f64, departure))
    }
}

/// The mutual information of all pairs of some columns, in nats.
///
/// **Shape**: `n_columns * n_columns`, symmetric; the diagonal holds the columns' entropies.
#[derive(Clone, Debug, PartialEq)]
pub struct PairInformation {
    /// The lower triangle by rows, diagonal included.
    values: Vec<f64>,
}

impl PairInformation {
    pub(super) const fn new(values: Vec<f64>) -> Self {
        Self { values }
    }

    /// `I` of two columns, in nats.
    ///
    /// # Panics
    ///
    /// When there is no such column.
    #[must_use]
    pub fn of(&self, left: usize, right: usize) -> f64 {
        let (high, low) = (left.max(right), left.min(right));
        self.values[high * (high + 1) / 2 + low]
    }
}

#[cfg(test)]
mod tests;
