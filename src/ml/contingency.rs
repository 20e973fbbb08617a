//! Two Boolean variables counted together, and their mutual information.

/// How often two Boolean variables hold together, alone, and neither.
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

    /// `I = sum_ij p_ij ln(p_ij / (p_i p_j))` in nats, where `p_ij = n_ij / n`, `p_i` and `p_j` are the
    /// margins' and `0 ln 0 = 0`; divided by `ln 2` it is in bits. Range: 0 to `ln 2`; 0 exactly where
    /// the variables are independent; `None` of no examples. Equal, bit for bit, when the variables are
    /// exchanged.
    ///
    /// With `D = n11 n00 - n10 n01` each cell departs from independence by `x_ij = +-D / (n_i n_j)`,
    /// relative to what it would be, and as these departures cancel,
    /// `I = sum_ij p_i p_j f(x_ij)` with `f(x) = (1 + x) ln(1 + x) - x >= 0`. The textbook's sum has terms
    /// of both signs, which near independence leave few digits or a negative number; here nothing
    /// cancels.
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
        let square = n as f64 * n as f64;
        let (first, second) = (self.n11 + self.n10, self.n11 + self.n01);
        let term = |margin: usize, other: usize, departure: f64| {
            let expected = product(margin, other) as f64;
            if expected > 0.0 { expected / square * excess(departure / expected) } else { 0.0 }
        };
        let agree = term(first, second, departure) + term(n - first, n - second, departure);
        let differ = term(first, n - second, -departure) + term(n - first, second, -departure);
        Some(agree + differ)
    }
}

/// `f(x) = (1 + x) ln(1 + x) - x` for `x >= -1`, with `f(-1) = 1`.
fn excess(x: f64) -> f64 {
    if x <= -1.0 {
        return 1.0;
    }
    if x.abs() > 0.05 {
        return (1.0 + x) * x.ln_1p() - x;
    }
    // The series `sum_(k >= 2) (-x)^k / (k (k - 1))`: the two parts above would cancel. At 0.05 the terms
    // after k = 12 are below 1e-16 of the sum.
    let mut sum = 0.0;
    for k in (2..=12).rev() {
        let k = f64::from(k);
        sum = 1.0 / (k * (k - 1.0)) - x * sum;
    }
    x * x * sum
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
